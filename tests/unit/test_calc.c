/* test_calc.c: formulas: what they are worth, where they are wrong, and what they may not hold. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/math/calc.h"

static const char *const names[] = {"t", "s", "t_max", NULL};
static const struct calc_input values[] = {{.all = 3}, {.all = 5}, {.all = 512}};

FIXTURE(open_arena, close_arena)

/* With t = 3, s = 5, t_max = 512. */
static double value(const char *text)
{
	struct calc c;
	struct err err = {""};
	size_t wrong = 0;
	double out = 0;
	if (!calc_parse(&c, text, names, &arena, &wrong, &err))
		fail_msg("%s: byte %zu: %s", text, wrong, err.text);
	calc_eval(&c, values, &out, 1);
	return out;
}

static void check_value(const char *text, double want)
{
	const double got = value(text);
	const bool same = isnan(want)	? isnan(got)
			  : isinf(want) ? isinf(got) && (got < 0) == (want < 0)
					: fabs(got - want) <= 1e-14 * (1 + fabs(want));
	if (!same)
		fail_msg("%s: %.17g, not %.17g", text, got, want);
}

TEST(formulas_have_their_values)
{
	static const struct {
		const char *text;
		double want;
	} rows[] = {
		{"1", 1},
		{" 1.5e2 ", 150},
		{".5", .5},
		{"2.", 2},
		{"1e-3", .001},
		{"1E+3", 1000},
		{"t", 3},
		{"s-t", 2},
		{"t-s", -2},
		{"t_max/2", 256},
		{"pi", 3.14159265358979323846},
		{"2*e", 5.43656365691809047072},
		/* from the left, but ^ from the right */
		{"2-3-4", -5},
		{"2/4/8", .0625},
		{"2^3^2", 512},
		{"(2^3)^2", 64},
		{"2+3*4", 14},
		{"(2+3)*4", 20},
		{"2*3^2", 18},
		{"6/2*3", 9},
		/* signs bind looser than ^, tighter than * */
		{"-2^2", -4},
		{"(-2)^2", 4},
		{"2^-1", .5},
		{"2^-2^2", .0625},
		{"-2*-3", 6},
		{"1--1", 2},
		{"- - -1", -1},
		{"+t", 3},
		{"2-+3", -1},
		{"!0", 1},
		{"!t", 0},
		{"!0^0", 0},
		/* what holds is 1 */
		{"t<s", 1},
		{"t>s", 0},
		{"t<=3", 1},
		{"t>=3", 1},
		{"t==3", 1},
		{"t!=3", 0},
		{"1+1<3", 1},
		{"1<2==2>1", 1},
		{"1<2 && 2<3", 1},
		{"1<2 && 3<2", 0},
		{"0 && 0 || 1", 1},
		{"1 || 0 && 0", 1},
		{"3 && 4", 1},
		{"t < s ? 10 : 20", 10},
		{"t > s ? 10 : 20", 20},
		{"0 ? 1 : 0 ? 2 : 3", 3},
		{"0 ? 1 : 1 ? 2 : 3", 2},
		{"1 ? 0 ? 1 : 2 : 3", 2},
		{"1 ? 2 : 3 + 10", 2},
		{"if(t<s, 1, 2)", 1},
		{"if(t>s, 1, 2)", 2},
		/* as printed */
		{"−2^2", -4},
		{"s − t", 2},
		{"2−−3", 5},
		{"2·3 × 4 ⋅ 5", 120},
		{"t ≤ 3", 1},
		{"t ≥ s", 0},
		{"t ≠ s", 1},
		{"π/pi", 1},
		{"−∞ < ∞", 1},
		/* functions */
		{"abs(t-s)", 2},
		{"sqrt(16)", 4},
		{"exp(1)", 2.71828182845904523536},
		{"log(e)", 1},
		{"ln(e^2)", 2},
		{"log2(8)", 3},
		{"log10(1000)", 3},
		{"sin(pi/2)", 1},
		{"cos(pi)", -1},
		{"tan(0)", 0},
		{"tanh(0.5)", .46211715726000975850},
		{"atan(1)", .78539816339744830962},
		{"sigmoid(0)", .5},
		{"sigmoid(-2)", .11920292202211755594},
		{"sigmoid(-1000)", 0},
		{"min(t,s)", 3},
		{"max(t,s)", 5},
		{"min(4,2,3,1)", 1},
		{"max(4,2,9,1)", 9},
		{"floor(-1.5)", -2},
		{"ceil(-1.5)", -1},
		{"round(2.5)", 3},
		{"round(-2.5)", -3},
		{"sign(-3)", -1},
		{"sign(0)", 0},
		{"sign(7)", 1},
		{"mod(7,3)", 1},
		{"mod(-7,3)", 2},
		{"mod(7,-3)", -2},
		{"mod(-6,3)", 0},
		{"mod(5.5,2)", 1.5},
		{"pow(2,10)", 1024},
		{"clamp(5,0,3)", 3},
		{"clamp(-5,0,3)", 0},
		{"clamp(2,0,3)", 2},
		{"-log(1+abs(s-t)/2)", -.69314718055994530942},
		{"min(s,t)/max(s,t+1)", .6},
		/* infinities and what is no number */
		{"inf", INFINITY},
		{"-inf", -INFINITY},
		{"log(0)", -INFINITY},
		{"1/0", INFINITY},
		{"exp(1000)", INFINITY},
		{"0/0", NAN},
		{"log(-1)", NAN},
		{"sqrt(-1)", NAN},
		{"mod(1,0)", NAN},
		{"clamp(1,3,0)", NAN},
		{"log(-1) < 0", NAN},
		{"!log(-1)", NAN},
		{"min(1,0/0)", NAN},
		{"max(0/0,1)", NAN},
		{"log(-1) ? 1 : 2", NAN},
		/* what is not chosen, or not needed, does not matter */
		{"t<s ? 1 : log(-1)", 1},
		{"t>s && log(t-s)>0", 0},
		{"t<s || log(t-s)>0", 1},
		{"t<s && log(t-s)>0", NAN},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		check_value(rows[i].text, rows[i].want);
}

/* "2 t" is a product on paper, and a slip of whoever types it. */
TEST(side_by_side_is_a_product_on_paper_alone)
{
	static const struct {
		const char *text;
		double want;
	} rows[] = {
		{"2 t", 6},	     {"2(2 s - 1)t", 54},    {"t s (t + 1)", 60}, {"2t^2", 18},
		{"8/2 2", 8},	     {"-2^2 t", -12},	     {"2^t s", 40},	  {"t s - 2 t", 9},
		{"2 max(t, s)", 10}, {"t < s ? 2 t : s", 6},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct calc c;
		struct err err = {""};
		size_t wrong = 0;
		double out = 0;
		if (!calc_parse_printed(&c, rows[i].text, names, &arena, &wrong, &err))
			fail_msg("%s: byte %zu: %s", rows[i].text, wrong, err.text);
		calc_eval(&c, values, &out, 1);
		if (out != rows[i].want)
			fail_msg("%s: %g, not %g", rows[i].text, out, rows[i].want);
		assert_false(calc_parse(&c, rows[i].text, names, &arena, &wrong, &err));
		assert_false(calc_parse_printed(&c, "2 t)", names, &arena, &wrong, &err));
		assert_int_equal(wrong, 3);
	}
}

TEST(errors_name_the_byte_and_what_would_be_right)
{
	static const struct {
		const char *text;
		size_t wrong;
		const char *part;
	} rows[] = {
		{"", 0, "a number, a name or \"(\" must stand here, not the end"},
		{"  ", 2, "not the end"},
		{"1+", 2, "not the end"},
		{"1+*2", 2, "a number, a name or \"(\" must stand here, not \"*\""},
		{"2t", 1,
		 "an operator or the end must stand here, not \"t\"; a product is written with *"},
		{"t s", 2, "not \"s\""},
		{"(t)(s)", 3, "not \"(\""},
		{"1 2", 2, "an operator or the end"},
		{"1.2.3", 0, "\"1.2.3\" is not a number"},
		{".", 0, "is not a number"},
		{"1e400", 0, "\"1e400\" is not a number that a double can hold"},
		{"|s-t|", 0, "write abs(x) for |x|"},
		{"2*|s-t|", 2, "write abs(x) for |x|"},
		{"s|t", 1, "|| for or"},
		{"||s", 0, "must stand here, not \"|\""},
		{"t%2", 1, "written mod(x, y)"},
		{"t²", 1, "a power is written with ^"},
		{"√t", 0, "a root is written sqrt(x)"},
		{"arctan(t)", 0, "did you mean \"atan\"?"},
		{"infinity", 0, "did you mean \"inf\"?"},
		{"nan", 0, "no name \"nan\": every value is a number"},
		{"−", 3, "not the end"},
		{"2e", 1, "not \"e\""},
		{"cso(t)", 0, "no name \"cso\"; did you mean \"cos\"?"},
		{"1+t_mx", 2, "no name \"t_mx\"; did you mean \"t_max\"?"},
		{"qqqqqqqq", 0, "no name \"qqqqqqqq\"; there are t, s, t_max, pi, e, inf and"},
		{"cos", 0, "cos is a function; write cos(...)"},
		{"cos t", 0, "write cos(...)"},
		{"t(1)", 1, "not \"(\""},
		{"cos()", 4, "must stand here, not \")\""},
		{"1+cos(1,2)", 2, "cos takes 1 value, not 2"},
		{"clamp(1,2)", 0, "clamp takes 3 values, not 2"},
		{"if(1,2,3,4)", 0, "if takes 3 values, not 4"},
		{"max(1)", 0, "max takes 2 values or more, not 1"},
		{"2*(t+1", 2, "this \"(\" is never closed"},
		{"cos(t", 3, "this \"(\" is never closed"},
		{"t)", 1, "an operator or the end must stand here, not \")\""},
		{"(t,s)", 2, "an operator or \")\" must stand here, not \",\""},
		{"t,s", 1, "not \",\""},
		{"t=s", 1, "== compares"},
		{"2**t", 2, "a power is written with ^"},
		{"t ? 1", 5, "\":\" of this choice"},
		{"1 ? 2, 3", 5, "\":\" of this choice"},
		{"t:s", 1, "not \":\""},
		{"t & s", 2, "not \"&\""},
		{"猫", 0, "not \"猫\""},
		{"t+\x1b[2J", 2, "not \"\\x1B\""},
		{"\xff", 0, "not \"\\xFF\""},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct calc c;
		struct err err = {""};
		size_t wrong = 0;
		if (calc_parse(&c, rows[i].text, names, &arena, &wrong, &err))
			fail_msg("%s was read", rows[i].text);
		if (wrong != rows[i].wrong || !strstr(err.text, rows[i].part))
			fail_msg("%s: byte %zu: %s", rows[i].text, wrong, err.text);
	}
}

static const char *repeat(const char *before, size_t n, const char *middle, const char *after)
{
	const size_t a = strlen(before), b = strlen(after), m = strlen(middle);
	char *const out = arena_alloc(&arena, n * (a + b) + m + 1);
	for (size_t i = 0; i < n; i++)
		memcpy(out + i * a, before, a);
	memcpy(out + n * a, middle, m);
	for (size_t i = 0; i < n; i++)
		memcpy(out + n * a + m + i * b, after, b);
	out[n * (a + b) + m] = '\0';
	return out;
}

static void refuse(const char *text, const char *part)
{
	struct calc c;
	struct err err = {""};
	size_t wrong = 0;
	assert_false(calc_parse(&c, text, names, &arena, &wrong, &err));
	if (!strstr(err.text, part))
		fail_msg("%.20s...: %s", text, err.text);
	assert_true(wrong < strlen(text));
}

TEST(depth_and_length_are_bounded)
{
	static const char deep[] = "more than 64 brackets", longer[] = "more than 1024 numbers";
	check_value(repeat("(", CALC_DEPTH, "1", ")"), 1);
	refuse(repeat("(", CALC_DEPTH + 1, "1", ")"), deep);
	refuse(repeat("(", 10000, "1", ")"), deep);
	refuse(repeat("(", 10000, "", ""), deep);
	refuse(repeat("abs(", 10000, "1", ")"), deep);
	refuse(repeat("-", 10000, "1", ""), deep);
	refuse(repeat("2^", 10000, "1", ""), "more than 64");
	refuse(repeat("1?", 10000, "1", ":1"), "more than 64");
	refuse(repeat("0?1:", 10000, "1", ""), "more than 64");
	check_value(repeat("1+", 500, "1", ""), 501);
	refuse(repeat("1+", 10000, "1", ""), longer);
	refuse(repeat("", 10000, "max(1", ",1"), longer);
	check_value(repeat("1+(", CALC_DEPTH - 1, "1", ")"), CALC_DEPTH);
	refuse(repeat("1+2*(", CALC_DEPTH - 1, "1", ")"), "more than 64 values wait");
}

/* Blocks, and what is the same in all of them, give what one by one gives. */
TEST(many_values_are_those_of_one_by_one)
{
	static const char *const texts[] = {
		"t",	      "s",	     "2", "t-s", "s*s+t^2", "s<4 ? t : s", "2^(-t)*(s-t)",
		"max(s,t,3)", "if(t>2,s,-s)"};
	enum { MOST = 200 };
	double s[MOST], out[MOST + 1];
	for (size_t i = 0; i < MOST; i++)
		s[i] = (double)i / 3;
	for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
		for (size_t n = 0; n <= MOST; n += n < 3 ? 1 : n == 3 ? 60 : n < 66 ? 1 : 67) {
			struct calc c;
			size_t wrong;
			assert_true(calc_parse(&c, texts[k], names, &arena, &wrong, NULL));
			struct calc_input in[] = {{.all = 3}, {.at = s}, {.all = 512}};
			out[n] = -7;
			calc_eval(&c, in, out, n);
			assert_true(out[n] <= -7);
			for (size_t i = 0; i < n; i++) {
				double one;
				in[1] = (struct calc_input){.all = s[i]};
				calc_eval(&c, in, &one, 1);
				assert_true(fabs(one - out[i]) <= 0);
			}
		}
}

TEST(names_that_occur_are_known)
{
	static const struct {
		const char *text;
		unsigned uses;
	} rows[] = {{"1", 0}, {"t", 1}, {"s*s", 2}, {"t-s", 3}, {"abs(t_max)", 4}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct calc c;
		size_t wrong;
		assert_true(calc_parse(&c, rows[i].text, names, &arena, &wrong, NULL));
		assert_int_equal(c.uses, rows[i].uses);
	}
}

TEST(formulas_are_printed_as_on_paper)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{"-log(1+abs(s-t)/2)", "−log(1 + |s − t| / 2)"},
		{"-t*abs( s - t ) ^2", "−t·|s − t|^{2}"},
		{"2^(-8*t/s)*(t-s)", "2^{−8·t / s}·(t − s)"},
		{"2^-t", "2^{−t}"},
		{"2^-(s-t)", "2^{−(s − t)}"},
		{"2^3^2", "2 ^ (3^{2})"},
		{"t_max/sqrt(s)+sqrt(s+1)", "t_max / √s + √(s + 1)"},
		{"s<=t ? 0 : -inf", "s ≤ t ? 0 : −∞"},
		{"!(s>=t)&&t!=1||t==2", "¬(s ≥ t) ∧ t ≠ 1 ∨ t = 2"},
		{"max(t,-s,pi)-−1", "max(t, −s, π) − −1"},
		{"1.5e-3×s·t−2E2*.5", "1.5e-3·s·t − 2E2·.5"},
		{"--t+ +s", "−−t + s"},
		{"abs(abs(s-t)-1)", "||s − t| − 1|"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		assert_string_equal(calc_print(rows[i].text, &arena), rows[i].want);
}
