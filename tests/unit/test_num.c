/* test_num.c: strict numbers in, exact and readable numbers out, whatever the locale. */
#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "posviz/base/num.h"
#include "posviz/base/rng.h"

#define MINUS "\xE2\x88\x92"

TEST(long_takes_the_whole_text_or_nothing)
{
	static const struct {
		const char *text;
		long min, max;
		bool ok;
		long value;
	} rows[] = {
		{"0", 0, 9, true, 0},
		{"-0", -1, 1, true, 0},
		{"007", 0, 9, true, 7},
		{"-12", -12, 0, true, -12},
		{"9223372036854775807", LONG_MIN, LONG_MAX, true, LONG_MAX},
		{"-9223372036854775808", LONG_MIN, LONG_MAX, true, LONG_MIN},
		{"9223372036854775808", LONG_MIN, LONG_MAX, false, 0},
		{"-9223372036854775809", LONG_MIN, LONG_MAX, false, 0},
		{"99999999999999999999999999", 0, LONG_MAX, false, 0},
		{"10", 0, 9, false, 0},
		{"-1", 0, 9, false, 0},
		{"", 0, 9, false, 0},
		{"-", -9, 9, false, 0},
		{" 1", 0, 9, false, 0},
		{"1 ", 0, 9, false, 0},
		{"+1", 0, 9, false, 0},
		{"1.0", 0, 9, false, 0},
		{"0x1", 0, 9, false, 0},
		{"1a", 0, 9, false, 0},
		{"--1", -9, 9, false, 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		long value = -77;
		struct err err = {0};
		const bool ok = num_parse_long(rows[i].text, strlen(rows[i].text), rows[i].min,
					       rows[i].max, &value, &err);
		assert_int_equal(ok, rows[i].ok);
		assert_int_equal(value, ok ? rows[i].value : -77);
		assert_int_equal(err.text[0] == '\0', ok);
	}
}

TEST(long_reads_no_further_than_told)
{
	long value = 0;
	assert_true(num_parse_long("12345", 2, 0, 99, &value, NULL));
	assert_int_equal(value, 12);
}

TEST(errors_say_what_would_be_right)
{
	long value = 0;
	double real = 0;
	struct err err = {0};
	num_parse_long("12x", 3, 0, 9, &value, &err);
	assert_string_equal(err.text, "\"12x\" is not a whole number");
	num_parse_long("12", 2, 1, 9, &value, &err);
	assert_string_equal(err.text, "\"12\" is out of range, it must be from 1 to 9");
	num_parse_long("0", 1, 1, LONG_MAX, &value, &err);
	assert_string_equal(err.text, "\"0\" is too small, it must be at least 1");
	num_parse_double("-0.5", 4, 0, HUGE_VAL, &real, &err);
	assert_string_equal(err.text, "\"-0.5\" is too small, it must be at least 0");
	num_parse_double("1e400", 5, 0, HUGE_VAL, &real, &err);
	assert_string_equal(err.text, "\"1e400\" is not a number that a double can hold");
	num_parse_double("-1e400", 6, -HUGE_VAL, 0, &real, &err);
	assert_string_equal(err.text, "\"-1e400\" is not a number that a double can hold");
	num_parse_double("-1e400", 6, 0, HUGE_VAL, &real, &err);
	assert_string_equal(err.text, "\"-1e400\" is too small, it must be at least 0");
	num_parse_double("1e400", 5, 0, 1, &real, &err);
	assert_string_equal(err.text, "\"1e400\" is out of range, it must be from 0 to 1");
	num_parse_double("\x1B[31m", 5, 0, 1, &real, &err);
	assert_string_equal(err.text, "\"\\x1B[31m\" is not a number");
}

TEST(limits_of_a_double_are_within)
{
	double value = -77;
	assert_true(num_parse_double("0", 1, 0, 1, &value, NULL) && value == 0);
	assert_true(num_parse_double("1", 1, 0, 1, &value, NULL) && value == 1);
	assert_false(num_parse_double("-1e-300", 7, 0, 1, &value, NULL));
	assert_false(num_parse_double("1.0000000000000002", 18, 0, 1, &value, NULL));
}

TEST(double_takes_decimals_only)
{
	static const struct {
		const char *text;
		bool ok;
		double value;
	} rows[] = {
		{"0", true, 0},		{"-1.5", true, -1.5}, {".5", true, 0.5},
		{"5.", true, 5},	{"1e3", true, 1000},  {"1E+3", true, 1000},
		{"2.5e-1", true, 0.25}, {"0.1", true, 0.1},   {"1e-400", true, 0},
		{"1e400", false, 0},	{"", false, 0},	      {".", false, 0},
		{"-", false, 0},	{"e3", false, 0},     {"1e", false, 0},
		{"1e+", false, 0},	{"1,5", false, 0},    {"+1", false, 0},
		{" 1", false, 0},	{"1 ", false, 0},     {"0x10", false, 0},
		{"inf", false, 0},	{"nan", false, 0},    {"1.5.", false, 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double value = -77;
		const bool ok = num_parse_double(rows[i].text, strlen(rows[i].text), -HUGE_VAL,
						 HUGE_VAL, &value, NULL);
		assert_int_equal(ok, rows[i].ok);
		assert_true(value == (ok ? rows[i].value : -77));
	}
}

TEST(u64_covers_the_whole_range)
{
	uint64_t value = 0;
	assert_true(num_parse_u64("18446744073709551615", 20, &value, NULL));
	assert_true(value == UINT64_MAX);
	assert_false(num_parse_u64("18446744073709551616", 20, &value, NULL));
	assert_false(num_parse_u64("-1", 2, &value, NULL));
	assert_false(num_parse_u64("", 0, &value, NULL));
}

TEST(mul_finds_overflow)
{
	size_t out = 0;
	assert_true(num_mul(1000, 1000, &out));
	assert_int_equal(out, 1000000);
	assert_true(num_mul(0, SIZE_MAX, &out));
	assert_false(num_mul(SIZE_MAX / 2, 3, &out));
}

TEST(print_is_short)
{
	static const struct {
		double value;
		const char *text;
	} rows[] = {
		{0, "0"},
		{-0.0, "-0"},
		{1, "1"},
		{-2.5, "-2.5"},
		{10000, "10000"},
		{0.1, "0.1"},
		{0.1 + 0.2, "0.30000000000000004"},
		{1.0 / 3, "0.3333333333333333"},
		{1e-5, "1e-5"},
		{0.00012, "0.00012"},
		{1e22, "1e22"},
		{123456789012345680.0, "1.2345678901234568e17"},
		{5e-324, "5e-324"},
		{DBL_MAX, "1.7976931348623157e308"},
		{HUGE_VAL, "inf"},
		{-HUGE_VAL, "-inf"},
		{NAN, "nan"},
		{-NAN, "nan"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char buf[32];
		assert_string_equal(num_print(buf, sizeof buf, rows[i].value), rows[i].text);
	}
}

TEST(print_reads_back_exactly)
{
	struct rng rng;
	rng_init(&rng, 1);
	for (int i = 0; i < 20000; i++) {
		const uint64_t bits = rng_u64(&rng);
		double value = 0, back = 0;
		memcpy(&value, &bits, sizeof value);
		if (!isfinite(value))
			continue;
		char buf[32];
		num_print(buf, sizeof buf, value);
		assert_true(strlen(buf) < sizeof buf - 1);
		assert_true(num_parse_double(buf, strlen(buf), -HUGE_VAL, HUGE_VAL, &back, NULL));
		assert_memory_equal(&back, &value, sizeof value);
	}
}

TEST(show_is_for_people)
{
	static const struct {
		double value;
		int digits;
		const char *text;
	} rows[] = {
		{0, 3, "0"},
		{-0.0, 3, "0"},
		{-1.314, 3, MINUS "1.31"},
		{0.0024, 3, "0.0024"},
		{1.5, 3, "1.5"},
		{0.9996, 3, "1"},
		{512, 2, "510"},
		{12345, 5, "12345"},
		{3.14e-16, 2, "3.1e-16"},
		{-3.14e-16, 2, MINUS "3.1e-16"},
		{1e6, 3, "1e6"},
		{HUGE_VAL, 3, "inf"},
		{-HUGE_VAL, 3, MINUS "inf"},
		{NAN, 3, "nan"},
		{1.0 / 3, 17, "0.33333333333333331"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char buf[32];
		assert_string_equal(num_show(buf, sizeof buf, rows[i].value, rows[i].digits),
				    rows[i].text);
	}
}

/* A locale with a decimal comma, where one is installed. */
TEST(numbers_ignore_the_locale)
{
	static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "ru_RU.UTF-8"};
	bool found = false;
	for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
		found = setlocale(LC_ALL, names[i]) != NULL;
	if (!found)
		skip();
	char buf[32];
	double value = 0;
	num_print(buf, sizeof buf, 0.25);
	const bool read = num_parse_double("0.25", 4, 0, 1, &value, NULL);
	setlocale(LC_ALL, "C");
	assert_string_equal(buf, "0.25");
	assert_true(read);
	assert_true(value == 0.25);
}
