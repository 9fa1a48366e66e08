/* num.c: numbers to and from text.
 *
 * strtod and printf follow LC_NUMERIC, which the interface sets to the user's; so reading goes
 * through a grammar of our own and strtod in the C locale, and writing takes the digits that "%e"
 * makes and places the point itself. */
#include "posviz/base/num.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/base/text.h"

enum { NUMBER_BYTES = 64, MAX_DIGITS = 17 };

#define MINUS "\xE2\x88\x92" /* U+2212 */

static locale_t c_locale;

static void c_locale_make(void)
{
	c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (c_locale == (locale_t)0)
		die("no C locale");
}

static double read_terminated(const char *text)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, c_locale_make);
	const locale_t before = uselocale(c_locale);
	const double value = strtod(text, NULL);
	uselocale(before);
	return value;
}

static size_t digits_at(const char *text, size_t len)
{
	size_t n = 0;
	while (n < len && text[n] >= '0' && text[n] <= '9')
		n++;
	return n;
}

static bool not_a(struct err *err, const char *what, const char *text, size_t len)
{
	char quoted[NUMBER_BYTES * 4];
	return err_set(err, "%s is not %s", text_quote_buf(quoted, sizeof quoted, text, len), what);
}

static bool out_of_range(struct err *err, const char *text, size_t len, const char *min,
			 const char *max)
{
	char quoted[NUMBER_BYTES * 4];
	text_quote_buf(quoted, sizeof quoted, text, len);
	if (max == NULL)
		return err_set(err, "%s is too small, it must be at least %s", quoted, min);
	if (min == NULL)
		return err_set(err, "%s is too large, it must be at most %s", quoted, max);
	return err_set(err, "%s is out of range, it must be from %s to %s", quoted, min, max);
}

/* Reads text[0..len), which must be digits only and at least one, as a number; *fits tells
 * whether 64 bits hold it. */
static bool parse_digits(const char *text, size_t len, uint64_t *out, bool *fits)
{
	if (len == 0 || digits_at(text, len) != len)
		return false;
	uint64_t value = 0;
	*fits = true;
	for (size_t i = 0; i < len; i++) {
		const uint64_t digit = (uint64_t)(text[i] - '0');
		*fits = *fits && !__builtin_mul_overflow(value, 10, &value) &&
			!__builtin_add_overflow(value, digit, &value);
	}
	*out = value;
	return true;
}

bool num_parse_long(const char *text, size_t len, long min, long max, long *out, struct err *err)
{
	const bool negative = len > 0 && text[0] == '-';
	uint64_t size = 0;
	bool fits = false;
	if (!parse_digits(text + negative, len - negative, &size, &fits))
		return not_a(err, "a whole number", text, len);
	const uint64_t limit = (uint64_t)LONG_MAX + negative;
	if (fits && size <= limit) {
		const long value = negative ? (long)(0 - size) : (long)size;
		if (value >= min && value <= max) {
			*out = value;
			return true;
		}
	}
	char low[NUMBER_BYTES], high[NUMBER_BYTES];
	snprintf(low, sizeof low, "%ld", min);
	snprintf(high, sizeof high, "%ld", max);
	return out_of_range(err, text, len, min == LONG_MIN && max != LONG_MAX ? NULL : low,
			    max == LONG_MAX && min != LONG_MIN ? NULL : high);
}

bool num_parse_u64(const char *text, size_t len, uint64_t *out, struct err *err)
{
	uint64_t value = 0;
	bool fits = false;
	if (!parse_digits(text, len, &value, &fits))
		return not_a(err, "a whole number without a sign", text, len);
	if (!fits)
		return out_of_range(err, text, len, NULL, "18446744073709551615");
	*out = value;
	return true;
}

/* The grammar: -?(digits[.digits?] | .digits)([eE][+-]?digits)? */
size_t num_length(const char *text, size_t len)
{
	size_t at = len > 0 && text[0] == '-';
	const size_t whole = digits_at(text + at, len - at);
	at += whole;
	size_t fraction = 0;
	if (at < len && text[at] == '.') {
		fraction = digits_at(text + at + 1, len - at - 1);
		at += 1 + fraction;
	}
	if (whole + fraction == 0)
		return 0;
	if (at == len || (text[at] != 'e' && text[at] != 'E'))
		return at;
	const size_t sign = at + 1 < len && (text[at + 1] == '+' || text[at + 1] == '-');
	const size_t exponent = digits_at(text + at + 1 + sign, len - at - 1 - sign);
	return exponent > 0 ? at + 1 + sign + exponent : at;
}

bool num_parse_double(const char *text, size_t len, double min, double max, double *out,
		      struct err *err)
{
	if (len == 0 || num_length(text, len) != len)
		return not_a(err, "a number", text, len);
	char copy[1024]; /* more digits than any double needs to be exact (767) */
	if (len >= sizeof copy)
		return not_a(err, "a number of reasonable length", text, len);
	memcpy(copy, text, len);
	copy[len] = '\0';
	const double value = read_terminated(copy);
	if (isfinite(value) && value >= min && value <= max) {
		*out = value;
		return true;
	}
	if (!isfinite(value) && (value > 0 ? max >= HUGE_VAL : min <= -HUGE_VAL))
		return not_a(err, "a number that a double can hold", text, len);
	char low[NUMBER_BYTES], high[NUMBER_BYTES];
	num_print(low, sizeof low, min);
	num_print(high, sizeof high, max);
	return out_of_range(err, text, len, min <= -HUGE_VAL ? NULL : low,
			    max >= HUGE_VAL ? NULL : high);
}

double num_rounded(double value)
{
	if (value == 0 || fabs(value) >= 1e12)
		return value;
	const double factor = pow(10, 11 - floor(log10(fabs(value))));
	return isfinite(factor) ? round(value * factor) / factor : value;
}

bool num_mul(size_t a, size_t b, size_t *out)
{
	return !__builtin_mul_overflow(a, b, out);
}

/* A finite |value| as d.ddd·10^exponent with `count` digits. */
struct decimal {
	char digits[MAX_DIGITS + 1];
	int count, exponent;
};

/* The layout of "%.*e" is d<point>ddde±xx, whatever the bytes of the point are. */
static struct decimal decimal_of(double value, int digits)
{
	char text[NUMBER_BYTES];
	snprintf(text, sizeof text, "%.*e", digits - 1, fabs(value));
	struct decimal d = {0};
	const char *at = text;
	for (; *at != 'e'; at++)
		if (*at >= '0' && *at <= '9')
			d.digits[d.count++] = *at;
	d.exponent = (int)strtol(at + 1, NULL, 10);
	while (d.count > 1 && d.digits[d.count - 1] == '0')
		d.digits[--d.count] = '\0';
	return d;
}

/* Plain notation when the exponent lies in [-4, limit), else d.ddde±x. `at` has NUMBER_BYTES. */
static void decimal_write(char *at, const struct decimal *d, int limit)
{
	const char *point = d->count > 1 ? "." : "";
	const int whole = d->exponent + 1; /* digits before the point */
	if (d->exponent < -4 || d->exponent >= limit)
		snprintf(at, NUMBER_BYTES, "%c%s%se%d", d->digits[0], point, d->digits + 1,
			 d->exponent);
	else if (whole <= 0)
		snprintf(at, NUMBER_BYTES, "0.%.*s%s", -whole, "000", d->digits);
	else if (whole >= d->count)
		snprintf(at, NUMBER_BYTES, "%s%.*s", d->digits, whole - d->count,
			 "0000000000000000000000");
	else
		snprintf(at, NUMBER_BYTES, "%.*s.%s", whole, d->digits, d->digits + whole);
}

static bool print_special(char *buf, size_t size, double value, const char *minus)
{
	if (isfinite(value))
		return false;
	snprintf(buf, size, "%s%s", signbit(value) && !isnan(value) ? minus : "",
		 isnan(value) ? "nan" : "inf");
	return true;
}

/* A decimal of at most 15 digits survives the way into a normal double and back, so the first
 * precision from 15 that reads back is the shortest; subnormals have fewer digits to give. */
char *num_print(char *buf, size_t size, double value)
{
	if (print_special(buf, size, value, "-"))
		return buf;
	char text[NUMBER_BYTES];
	const bool subnormal = fpclassify(value) == FP_SUBNORMAL;
	for (int digits = subnormal ? 1 : 15; digits <= MAX_DIGITS; digits++) {
		const struct decimal d = decimal_of(value, digits);
		decimal_write(text, &d, MAX_DIGITS);
		if (read_terminated(text) == fabs(value))
			break;
	}
	snprintf(buf, size, "%s%s", signbit(value) ? "-" : "", text);
	return buf;
}

char *num_show(char *buf, size_t size, double value, int digits)
{
	if (print_special(buf, size, value, MINUS))
		return buf;
	char text[NUMBER_BYTES];
	const struct decimal d = decimal_of(value, digits < 1		 ? 1
						   : digits > MAX_DIGITS ? MAX_DIGITS
									 : digits);
	decimal_write(text, &d, 6);
	snprintf(buf, size, "%s%s", value < 0 ? MINUS : "", text);
	return buf;
}
