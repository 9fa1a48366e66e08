/* value_number.c: numbers as typed values: whole and real ones with their steps, seeds, bytes. */
#include "posviz/base/value.h"

#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"

/* ---- numbers ------------------------------------------------------------------------------------ */

/* Returns whether the text is the word for 0. */
static bool is_zero_word(const struct value_type *t, const char *text, size_t len)
{
	return t->zero != NULL && strlen(t->zero) == len && memcmp(text, t->zero, len) == 0;
}

/* Adds the word for 0 to the error about a wrong number. */
static bool refuse_number(const struct value_type *t, struct err *err)
{
	const struct err why = err != NULL ? *err : (struct err){0};
	return t->zero == NULL ? false
			       : err_set(err, "%s; %s would be right too", why.text, t->zero);
}

static bool integer_parse(const struct value_type *t, const char *text, size_t len, void *to,
			  struct arena *a, struct err *err)
{
	(void)a;
	if (is_zero_word(t, text, len)) {
		*(long *)to = 0;
		return true;
	}
	return num_parse_long(text, len, (long)t->min, (long)t->max, to, err) ||
	       refuse_number(t, err);
}

static bool real_parse(const struct value_type *t, const char *text, size_t len, void *to,
		       struct arena *a, struct err *err)
{
	(void)a;
	const size_t unit = t->unit != NULL ? strlen(t->unit) : 0;
	const bool has_unit =
		unit > 0 && len > unit && memcmp(text + len - unit, t->unit, unit) == 0;
	if (is_zero_word(t, text, len)) {
		*(double *)to = 0;
		return true;
	}
	return num_parse_double(text, has_unit ? len - unit : len, t->min, t->max, to, err) ||
	       refuse_number(t, err);
}

static const char *integer_print(const struct value_type *t, const void *from, struct arena *a)
{
	const long value = *(const long *)from;
	return t->zero != NULL && value == 0 ? t->zero : arena_printf(a, "%ld", value);
}

static const char *real_print(const struct value_type *t, const void *from, struct arena *a)
{
	const double value = *(const double *)from;
	char number[32];
	if (t->zero != NULL && !(value > 0))
		return t->zero;
	return arena_printf(a, "%s%s", num_print(number, sizeof number, value),
			    t->unit != NULL ? t->unit : "");
}

static bool integer_equal(const void *a, const void *b)
{
	return *(const long *)a == *(const long *)b;
}

static bool real_equal(const void *a, const void *b)
{
	return fabs(*(const double *)a - *(const double *)b) <= 0;
}

static const char *number_range(const struct value_type *t, struct arena *a)
{
	char lo[32], hi[32];
	return arena_printf(a, "%s to %s%s%s", num_print(lo, sizeof lo, t->min),
			    num_print(hi, sizeof hi, t->max), t->zero != NULL ? " or " : "",
			    t->zero != NULL ? t->zero : "");
}

static double integer_number(const void *from)
{
	return (double)*(const long *)from;
}

static double real_number(const void *from)
{
	return *(const double *)from;
}

static void integer_set(void *to, double number)
{
	*(long *)to = (long)number;
}

static void real_set(void *to, double number)
{
	*(double *)to = number;
}

/* ---- steps of numbers --------------------------------------------------------------------------- */

static const double least_in_series = 1e-9;

/* The next larger number of the series; value > 0. */
static double next_in_series(double value)
{
	static const double series[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12};
	const double decade = pow(10, floor(log10(value)));
	for (size_t i = 0; i < sizeof series / sizeof *series; i++)
		if (series[i] * decade > value * (1 + 1e-9))
			return series[i] * decade;
	return value;
}

static double before_in_series(double value)
{
	static const double series[] = {8, 6, 5, 4, 3, 2.5, 2, 1.5, 1.2, 1, 0.8, 0.6};
	const double decade = pow(10, floor(log10(value)));
	if (value <= least_in_series)
		return value;
	for (size_t i = 0; i < sizeof series / sizeof *series; i++)
		if (series[i] * decade < value * (1 - 1e-9))
			return series[i] * decade;
	return value;
}

/* The next number of the series for any value; below zero the next larger one is nearer to zero. */
static double stepped_in_series(const struct value_type *t, double value, int direction)
{
	if (value == 0)
		return direction * t->step;
	const bool grows = (value > 0) == (direction > 0);
	const double size = fabs(value);
	return copysign(grows ? next_in_series(size) : before_in_series(size), value);
}

/* Returns the value after a step in a direction, not yet clamped. */
static double stepped(const struct value_type *t, double value, int direction)
{
	if (t->in_series)
		return stepped_in_series(t, value, direction);
	if (t->geometric && value > 0)
		return direction > 0 ? value * t->step : value / t->step;
	return value + direction * (t->geometric || t->step == 0 ? 1 : t->step);
}

/* The number 0 that has a word lies below the range. */
static double clamped(const struct value_type *t, double value)
{
	if (t->zero && t->min > 0 && value <= 0)
		return 0;
	return value < t->min ? t->min : value > t->max ? t->max : value;
}

static bool integer_step(const struct value_type *t, void *value, int direction, bool wrap)
{
	(void)wrap;
	long *now = value;
	double next = direction > 0 ? floor(stepped(t, (double)*now, 1))
				    : ceil(stepped(t, (double)*now, -1));
	if (next == (double)*now)
		next += direction; /* rounding removed the factor */
	next = clamped(t, next);
	const bool moves = direction > 0 ? next > (double)*now : next < (double)*now;
	if (moves)
		*now = (long)next;
	return moves;
}

static bool real_step(const struct value_type *t, void *value, int direction, bool wrap)
{
	(void)wrap;
	double *now = value;
	const double next = clamped(t, num_rounded(stepped(t, *now, direction)));
	const bool moves = next != *now;
	*now = next;
	return moves;
}

const struct value_kind value_integer = {.name = "integer",
					 .size = sizeof(long),
					 .parse = integer_parse,
					 .print = integer_print,
					 .equal = integer_equal,
					 .range = number_range,
					 .number = integer_number,
					 .set_number = integer_set,
					 .step = integer_step};
const struct value_kind value_real = {.name = "number",
				      .size = sizeof(double),
				      .parse = real_parse,
				      .print = real_print,
				      .equal = real_equal,
				      .range = number_range,
				      .number = real_number,
				      .set_number = real_set,
				      .step = real_step};

/* ---- seeds and bytes ---------------------------------------------------------------------------- */

static bool seed_parse(const struct value_type *t, const char *text, size_t len, void *to,
		       struct arena *a, struct err *err)
{
	(void)t;
	(void)a;
	return num_parse_u64(text, len, to, err);
}

static const char *seed_print(const struct value_type *t, const void *from, struct arena *a)
{
	(void)t;
	return arena_printf(a, "%llu", (unsigned long long)*(const uint64_t *)from);
}

static bool seed_equal(const void *a, const void *b)
{
	return *(const uint64_t *)a == *(const uint64_t *)b;
}

static const char *seed_range(const struct value_type *t, struct arena *a)
{
	(void)t;
	return arena_printf(a, "0 to %llu", (unsigned long long)UINT64_MAX);
}

/* The largest unit in which the number reads back exactly. */
static const char *print_bytes(double bytes, struct arena *a)
{
	static const struct {
		double factor;
		const char *unit;
	} units[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}};
	for (size_t i = 0; i < 5; i++) {
		char number[32];
		double again = 0;
		num_print(number, sizeof number, bytes / units[i].factor);
		if (bytes >= units[i].factor &&
		    num_parse_double(number, strlen(number), 0, bytes, &again, NULL) &&
		    fabs(again * units[i].factor - bytes) <= 0)
			return arena_printf(a, "%s%s", number, units[i].unit);
	}
	return "0";
}

/* "1.5G", "800M", "2000000". */
static bool bytes_parse(const struct value_type *t, const char *text, size_t len, void *to,
			struct arena *a, struct err *err)
{
	static const char units[] = "kMGT";
	const char *const unit = len && text[len - 1] ? strchr(units, text[len - 1]) : NULL;
	const double factor = unit ? pow(1000, (double)(unit - units + 1)) : 1;
	double number;
	char quoted[120];
	if (!num_parse_double(text, unit ? len - 1 : len, 0, 1e300, &number, NULL) ||
	    !(number * factor >= t->min && number * factor <= t->max))
		return err_set(err,
			       "%s is not a number of bytes from %s to %s, such as 1.5G; k, M, G "
			       "and T may stand behind it",
			       text_quote_buf(quoted, sizeof quoted, text, len),
			       print_bytes(t->min, a), print_bytes(t->max, a));
	*(double *)to = number * factor;
	return true;
}

static const char *bytes_print(const struct value_type *t, const void *from, struct arena *a)
{
	(void)t;
	return print_bytes(*(const double *)from, a);
}

static const char *bytes_range(const struct value_type *t, struct arena *a)
{
	return arena_printf(a, "%s to %s", print_bytes(t->min, a), print_bytes(t->max, a));
}

const struct value_kind value_seed = {.name = "seed",
				      .size = sizeof(uint64_t),
				      .empty = "0",
				      .parse = seed_parse,
				      .print = seed_print,
				      .equal = seed_equal,
				      .range = seed_range};
const struct value_kind value_bytes = {.name = "bytes",
				       .size = sizeof(double),
				       .parse = bytes_parse,
				       .print = bytes_print,
				       .equal = real_equal,
				       .range = bytes_range,
				       .number = real_number,
				       .set_number = real_set};
