/* quantity_expect.c: testing an expectation of a quantity, and the message when it fails. */
#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "quantity_in.h"

static const char *const ops[EXPECT_OPS] = {
	[EXPECT_EQUAL] = "=",	 [EXPECT_DIFFERENT] = "!=", [EXPECT_LESS] = "<",
	[EXPECT_AT_MOST] = "<=", [EXPECT_MORE] = ">",	    [EXPECT_AT_LEAST] = ">="};

/* A number below this is rounding: it is shown as "0 (4e-16)". */
static const double rounding = 1e-9;

/* ---- comparison ------------------------------------------------------------------------------ */

/* Values within the tolerance count as equal, for all operators alike, so that one of <, = and >
 * holds. The slack makes the last place of "0.0955" independent of its rounding to binary. */
bool expect_meets(const struct expect *e, double is, double wanted)
{
	const double slack = 1e-12 * fmax(1, fabs(wanted));
	const bool equal = fabs(is - wanted) <= e->tolerance + slack;
	switch (e->op) {
	case EXPECT_EQUAL:
		return equal;
	case EXPECT_DIFFERENT:
		return !equal;
	case EXPECT_LESS:
		return is < wanted && !equal;
	case EXPECT_AT_MOST:
		return is < wanted || equal;
	case EXPECT_MORE:
		return is > wanted && !equal;
	case EXPECT_AT_LEAST:
		return is > wanted || equal;
	case EXPECT_OPS:
		break;
	}
	BUG("no such sign");
}

static bool same_value(const struct quantity_value *x, const struct quantity_value *y)
{
	return x->is == y->is &&
	       (x->is == QUANTITY_PLACE ? x->place == y->place : strcmp(x->text, y->text) == 0);
}

static bool compare(const struct expect *e, const struct quantity_value *is,
		    const struct quantity_value *wanted)
{
	if (is->is == QUANTITY_NUMBER && wanted->is == QUANTITY_NUMBER)
		return expect_meets(e, is->number, wanted->number);
	return e->op == EXPECT_EQUAL	   ? same_value(is, wanted)
	       : e->op == EXPECT_DIFFERENT ? !same_value(is, wanted)
					   : false;
}

/* ---- the right-hand side
 * --------------------------------------------------------------------------- */

/* Finds the key that a position or token means among the keys of the quantity on the left. */
static bool find_place(struct quantities *q, const struct expect *e, struct arena *a,
		       struct quantity_value *out, struct err *err)
{
	const struct asking ask = {.q = q, .of = &e->quantity, .a = a};
	struct matrix_found m;
	if (!e->quantity.matrix->matrix(&ask, &m, err))
		return false;
	*out = (struct quantity_value){.is = QUANTITY_PLACE};
	return !m.cols || quantity_place_find(&e->place, m.cols, "key", &out->place, a, err);
}

static bool find_wanted(struct quantities *q, const struct expect *e, struct arena *a,
			struct quantity_value *out, struct err *err)
{
	switch (e->is) {
	case QUANTITY_NUMBER:
		return answer_number(out, e->number);
	case QUANTITY_WORD:
		return answer_word(out, e->word);
	case QUANTITY_PLACE:
		return find_place(q, e, a, out, err);
	case QUANTITY_ABSENT:
		break;
	}
	return quantity_find(q, &e->other, a, out, err);
}

/* ---- printed numbers
 * ----------------------------------------------------------------------------------- */

static bool is_whole(double x)
{
	return fabs(x) < 1e15 && fabs(x - floor(x)) <= 0;
}

/* Returns a value for people: at least three digits, and whole numbers as whole. */
static const char *show(const struct quantity_value *value, struct arena *a)
{
	char text[40];
	const double x = value->number;
	if (value->is != QUANTITY_NUMBER)
		return value->text;
	if (fabs(x) < rounding && fabs(x) > 0)
		return arena_printf(a, "0 (%s)", num_show(text, sizeof text, x, 1));
	return arena_strdup(a, num_show(text, sizeof text, x, is_whole(x) ? 15 : 3));
}

/* Parses a printed number such as "0.18". */
static double parse_shown(const char *shown)
{
	static const char minus[] = "\xE2\x88\x92";
	const size_t sign = strncmp(shown, minus, strlen(minus)) == 0 ? strlen(minus) : 0;
	double out = NAN;
	num_parse_double(shown + sign, strlen(shown + sign), -HUGE_VAL, HUGE_VAL, &out, NULL);
	return sign ? -out : out;
}

/* Returns the number of digits up to the last place that was written. */
static int digits_to(double value, int decimals)
{
	const double digits = floor(log10(fabs(value))) + 1 + decimals;
	return digits > 0 ? (int)fmin(digits, 17) : 0;
}

/* Prints a number to the place that was asked for, and with enough digits that the printed
 * number passes or fails like the value itself. */
static const char *shown_number(const struct expect *e, double is, double wanted, struct arena *a)
{
	char text[40];
	const bool holds = expect_meets(e, is, wanted);
	const int least = e->quantity.kind->digits ? e->quantity.kind->digits : 3;
	const int asked = digits_to(is, e->decimals);
	int digits = asked > least ? asked : least;
	num_show(text, sizeof text, is, digits);
	while (digits < 17 && expect_meets(e, parse_shown(text), wanted) != holds)
		num_show(text, sizeof text, is, ++digits);
	return arena_strdup(a, text);
}

static const char *shown_value(const struct expect *e, const struct quantity_value *is,
			       const struct quantity_value *wanted, struct arena *a)
{
	if (is->is != QUANTITY_NUMBER || wanted->is != QUANTITY_NUMBER || is_whole(is->number) ||
	    fabs(is->number) < rounding)
		return show(is, a);
	return shown_number(e, is->number, wanted->number, a);
}

static const char *line_of(const struct expect *e, const struct expect_result *r,
			   const struct quantity_value *wanted, struct arena *a)
{
	if (r->found.is == QUANTITY_ABSENT)
		return arena_printf(a, "expect %s: there is none: %s", e->text, r->found.text);
	if (wanted->is == QUANTITY_ABSENT)
		return arena_printf(a, "expect %s: there is no %s: %s", e->text, e->other.text,
				    wanted->text);
	if (r->holds)
		return arena_printf(a, "expect %s: holds", e->text);
	if (e->is == QUANTITY_ABSENT)
		return arena_printf(a, "expect %s: it is %s, not %s %s", e->text, r->is, ops[e->op],
				    show(wanted, a));
	return arena_printf(a, "expect %s: it is %s", e->text, r->is);
}

/* ---- evaluation
 * ----------------------------------------------------------------------------------------- */

bool expect_find(struct quantities *q, const struct expect *e, struct arena *a,
		 struct expect_result *out, struct err *err)
{
	struct quantity_value wanted = {.is = QUANTITY_ABSENT};
	*out = (struct expect_result){0};
	if (!quantity_find(q, &e->quantity, a, &out->found, err))
		return false;
	if (out->found.is != QUANTITY_ABSENT && !find_wanted(q, e, a, &wanted, err))
		return false;
	out->holds = out->found.is != QUANTITY_ABSENT && wanted.is != QUANTITY_ABSENT &&
		     compare(e, &out->found, &wanted);
	out->is = shown_value(e, &out->found, &wanted, a);
	out->line = line_of(e, out, &wanted, a);
	return true;
}
