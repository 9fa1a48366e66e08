/* test_value.c: every kind of typed value: text and back, defaults, steps, ranges, errors. */
#include <string.h>

#include "posviz/base/value.h"
#include "test.h"

static struct arena arena;

static int open_arena(void **state)
{
	(void)state;
	arena_init(&arena);
	return 0;
}

static int close_arena(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

FIXTURE(open_arena, close_arena)

static const char *const colours[] = {"red", "green", "blue", NULL};
static const char *const was[] = {"rouge", "red"};

static const struct value_type count = {
	.kind = &value_integer, .def = 8, .min = 1, .max = 12, .step = 5};
static const struct value_type head = {
	.kind = &value_integer, .def_text = "mean", .min = 1, .max = 4, .zero = "mean"};
static const struct value_type points = {.kind = &value_real,
					 .def_text = "auto",
					 .min = 4,
					 .max = 144,
					 .zero = "auto",
					 .unit = "pt"};
static const struct value_type rate = {
	.kind = &value_real, .def = 0.1, .min = 0, .max = 1, .step = 0.1};
static const struct value_type ratio = {
	.kind = &value_integer, .def = 2, .min = 1, .max = 100, .step = 1.5, .geometric = true};
static const struct value_type letter = {
	.kind = &value_real, .def = 1, .min = -10, .max = 10, .step = 0.1, .in_series = true};
static const struct value_type on = {.kind = &value_switch, .def = 1};
static const struct value_type colour = {
	.kind = &value_choice, .def = 2, .choices = colours, .was = was};
static const struct value_type list = {
	.kind = &value_listed, .def_text = "[1,2]", .min = 0, .max = 9};
static const struct value_type text = {.kind = &value_text};
static const struct value_type seed = {.kind = &value_seed};
static const struct value_type memory = {
	.kind = &value_bytes, .def_text = "1.5G", .min = 1e6, .max = 1e13};

union room {
	char at[VALUE_SIZE];
	double align;
};

TEST(text_is_read_and_printed_again)
{
	static const struct {
		const struct value_type *type;
		const char *text, *printed;
	} rows[] = {
		{&count, "012", "12"},
		{&head, "mean", "mean"},
		{&head, "4", "4"},
		{&points, "7.5pt", "7.5pt"},
		{&points, "8", "8pt"},
		{&points, "auto", "auto"},
		{&rate, "1e-3", "0.001"},
		{&on, "yes", "on"},
		{&on, "0", "off"},
		{&colour, "rouge", "red"},
		{&list, "[ 3 , 4.5 ]", "[3,4.5]"},
		{&list, "7", "[7]"},
		{&text, "a \"b\"", "a \"b\""},
		{&seed, "18446744073709551615", "18446744073709551615"},
		{&memory, "2000000", "2M"},
		{&memory, "1.5G", "1.5G"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct value_type *const t = rows[i].type;
		union room value, again;
		struct err err = {0};
		assert_true(t->kind->size <= sizeof value);
		if (!value_parse(t, rows[i].text, strlen(rows[i].text), &value, &arena, &err))
			fail_msg("%s: %s", rows[i].text, err.text);
		const char *const printed = value_print(t, &value, &arena);
		assert_string_equal(printed, rows[i].printed);
		assert_true(value_parse(t, printed, strlen(printed), &again, &arena, &err));
		assert_true(value_equal(t, &value, &again));
	}
}

TEST(defaults_are_numbers_or_texts)
{
	static const struct {
		const struct value_type *type;
		const char *printed;
	} rows[] = {{&count, "8"},     {&head, "mean"},	  {&points, "auto"}, {&rate, "0.1"},
		    {&on, "on"},       {&colour, "blue"}, {&list, "[1,2]"},  {&text, ""},
		    {&memory, "1.5G"}, {&seed, "0"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		union room value;
		value_reset(rows[i].type, &value, &arena);
		assert_string_equal(value_print(rows[i].type, &value, &arena), rows[i].printed);
		assert_true(value_is_default(rows[i].type, &value));
	}
	const long other = 7;
	assert_false(value_is_default(&count, &other));
}

TEST(what_is_wrong_is_said_and_changes_nothing)
{
	static const struct {
		const struct value_type *type;
		const char *text, *error;
	} rows[] = {
		{&count, "13", "\"13\" is out of range, it must be from 1 to 12"},
		{&head, "0",
		 "\"0\" is out of range, it must be from 1 to 4; mean would be right too"},
		{&points, "3",
		 "\"3\" is out of range, it must be from 4 to 144; auto would be right too"},
		{&points, "pt", "\"pt\" is not a number; auto would be right too"},
		{&on, "ja", "\"ja\" is neither on nor off"},
		{&colour, "gren", "\"gren\" is none of red|green|blue; did you mean \"green\"?"},
		{&colour, "x y z", "\"x y z\" is none of red|green|blue"},
		{&list, "[1,10]", "\"10\" is out of range, it must be from 0 to 9"},
		{&list, "[1,]", "\"\" is not a number"},
		{&seed, "-1", "\"-1\" is not a whole number without a sign"},
		{&memory, "1k",
		 "\"1k\" is not a number of bytes from 1M to 10T, such as 1.5G; k, M, G and T may "
		 "stand behind it"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct value_type *const t = rows[i].type;
		union room value;
		struct err err = {0};
		value_reset(t, &value, &arena);
		assert_false(
			value_parse(t, rows[i].text, strlen(rows[i].text), &value, &arena, &err));
		assert_string_equal(err.text, rows[i].error);
		assert_true(value_is_default(t, &value));
		assert_false(
			value_parse(t, rows[i].text, strlen(rows[i].text), &value, &arena, NULL));
	}
}

TEST(steps_go_to_the_ends_or_round)
{
	static const struct {
		const struct value_type *type;
		const char *from;
		int direction;
		bool wrap;
		const char *to; /* NULL: there is no step */
	} rows[] = {
		{&count, "8", 1, false, "12"},	    {&count, "12", 1, false, NULL},
		{&count, "12", -1, true, "7"},	    {&head, "mean", 1, false, "1"},
		{&head, "mean", -1, false, NULL},   {&head, "4", 1, true, NULL},
		{&rate, "0.3", -1, false, "0.2"},   {&ratio, "1", 1, false, "2"},
		{&ratio, "8", 1, false, "12"},	    {&letter, "1", 1, false, "1.2"},
		{&letter, "-1", 1, false, "-0.8"},  {&letter, "0", -1, false, "-0.1"},
		{&points, "8pt", 1, false, NULL},   {&on, "on", 1, false, NULL},
		{&on, "on", 1, true, "off"},	    {&on, "off", -1, true, "on"},
		{&colour, "blue", 1, false, NULL},  {&colour, "blue", 1, true, "red"},
		{&colour, "red", -1, true, "blue"}, {&seed, "1", 1, true, NULL},
		{&memory, "1M", 1, false, NULL},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct value_type *const t = rows[i].type;
		union room value;
		assert_true(
			value_parse(t, rows[i].from, strlen(rows[i].from), &value, &arena, NULL));
		const bool moves = value_step(t, &value, rows[i].direction, rows[i].wrap);
		assert_int_equal(moves, rows[i].to != NULL);
		assert_string_equal(value_print(t, &value, &arena),
				    rows[i].to ? rows[i].to : rows[i].from);
	}
}

TEST(ranges_are_said_and_words_are_listed)
{
	static const struct {
		const struct value_type *type;
		const char *range;
		size_t words;
	} rows[] = {{&count, "1 to 12", 0},
		    {&head, "1 to 4 or mean", 0},
		    {&rate, "0 to 1", 0},
		    {&on, "on|off", 2},
		    {&colour, "red|green|blue", 3},
		    {&list, "up to 4096 numbers", 0},
		    {&text, "text", 0},
		    {&memory, "1M to 10T", 0}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *const *const words = value_choices(rows[i].type);
		size_t n = 0;
		while (words && words[n])
			n++;
		assert_string_equal(value_range(rows[i].type, &arena), rows[i].range);
		assert_int_equal(n, rows[i].words);
	}
}
