/* calc.c: formulas, parsed by recursive descent into a list of steps.
 *
 * The size of a formula is limited while it is parsed, so that evaluation (calc_eval.c) needs no
 * checks. */
#include "math/calc_step.h"

#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"

enum { NAME_BYTES = 64 };

/* ---- operations ---- */

/* Each operation has a loop of its own, so that the compiler can vectorise it. */
#define OPERATION(name, result)                                                      \
	static void do_##name(double *x, const double *y, const double *z, size_t n) \
	{                                                                            \
		(void)y, (void)z;                                                    \
		for (size_t i = 0; i < n; i++)                                       \
			x[i] = result;                                               \
	}
/* A comparison with NaN is NaN. */
#define RELATION(name, operator) \
	OPERATION(name, isunordered(x[i], y[i]) ? NAN : (double)(x[i] operator y[i]))

/* The remainder has the sign of the divisor, as in mathematics. */
static double modulo(double x, double y)
{
	const double r = fmod(x, y);
	return (r < 0) != (y < 0) && fabs(r) > 0 ? r + y : r;
}

/* An operand that decides alone decides even when the other one is NaN. */
static double logical_and(double x, double y)
{
	if (x == 0 || y == 0)
		return 0;
	return isunordered(x, y) ? NAN : 1;
}

static double logical_or(double x, double y)
{
	if ((x != 0 && !isnan(x)) || (y != 0 && !isnan(y)))
		return 1;
	return isunordered(x, y) ? NAN : 0;
}

static double clamped(double x, double lo, double hi)
{
	if (!(lo <= hi))
		return NAN;
	return x < lo ? lo : x > hi ? hi : x;
}

OPERATION(or, logical_or(x[i], y[i]))
OPERATION(and, logical_and(x[i], y[i]))
RELATION(equal, ==)
RELATION(unequal, !=)
RELATION(less, <)
RELATION(at_most, <=)
RELATION(greater, >)
RELATION(at_least, >=)
OPERATION(add, x[i] + y[i])
OPERATION(subtract, x[i] - y[i])
OPERATION(multiply, x[i] * y[i])
OPERATION(divide, x[i] / y[i])
OPERATION(power, pow(x[i], y[i]))
OPERATION(negate, -x[i])
OPERATION(not, isnan(x[i]) ? NAN : (double)(x[i] == 0))
OPERATION(choose, isnan(x[i]) ? NAN : x[i] != 0 ? y[i] : z[i])
OPERATION(abs, fabs(x[i]))
OPERATION(sqrt, sqrt(x[i]))
OPERATION(exp, exp(x[i]))
OPERATION(log, log(x[i]))
OPERATION(log2, log2(x[i]))
OPERATION(log10, log10(x[i]))
OPERATION(sin, sin(x[i]))
OPERATION(cos, cos(x[i]))
OPERATION(tan, tan(x[i]))
OPERATION(tanh, tanh(x[i]))
OPERATION(atan, atan(x[i]))
OPERATION(sigmoid, 1 / (1 + exp(-x[i])))
OPERATION(min, isunordered(x[i], y[i]) ? NAN : x[i] < y[i] ? x[i] : y[i])
OPERATION(max, isunordered(x[i], y[i]) ? NAN : x[i] > y[i] ? x[i] : y[i])
OPERATION(floor, floor(x[i]))
OPERATION(ceil, ceil(x[i]))
OPERATION(round, round(x[i]))
OPERATION(sign, x[i] > 0 ? 1 : x[i] < 0 ? -1 : x[i])
OPERATION(mod, modulo(x[i], y[i]))
OPERATION(clamp, clamped(x[i], y[i], z[i]))

static const struct function {
	const char *name;
	size_t args;
	bool many; /* takes any number of operands, two at a time */
	operate *run;
} functions[] = {
	{"abs", 1, false, do_abs},	   {"sqrt", 1, false, do_sqrt},
	{"exp", 1, false, do_exp},	   {"log", 1, false, do_log},
	{"ln", 1, false, do_log},	   {"log2", 1, false, do_log2},
	{"log10", 1, false, do_log10},	   {"sin", 1, false, do_sin},
	{"cos", 1, false, do_cos},	   {"tan", 1, false, do_tan},
	{"tanh", 1, false, do_tanh},	   {"atan", 1, false, do_atan},
	{"sigmoid", 1, false, do_sigmoid}, {"min", 2, true, do_min},
	{"max", 2, true, do_max},	   {"floor", 1, false, do_floor},
	{"ceil", 1, false, do_ceil},	   {"round", 1, false, do_round},
	{"sign", 1, false, do_sign},	   {"mod", 2, false, do_mod},
	{"pow", 2, false, do_power},	   {"clamp", 3, false, do_clamp},
	{"if", 3, false, do_choose},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

#define MINUS "−"

/* If one sign is the beginning of another, the longer one comes first. */
static const struct operator
{
	const char *sign;
	int tightness;
	operate *run;
}
operators[] = {
	{"||", 1, do_or},
	{"&&", 2, do_and},
	{"==", 3, do_equal},
	{"!=", 3, do_unequal},
	{"<=", 4, do_at_most},
	{">=", 4, do_at_least},
	{"<", 4, do_less},
	{">", 4, do_greater},
	{"+", 5, do_add},
	{"-", 5, do_subtract},
	{"*", 6, do_multiply},
	{"/", 6, do_divide},
	/* the printed forms */
	{"≤", 4, do_at_most},
	{"≥", 4, do_at_least},
	{"≠", 3, do_unequal},
	{MINUS, 5, do_subtract},
	{"·", 6, do_multiply},
	{"⋅", 6, do_multiply},
	{"×", 6, do_multiply},
};
enum { OPERATORS = sizeof operators / sizeof operators[0] };

static const struct {
	const char *name;
	double value;
} constants[] = {{"pi", 3.14159265358979323846}, {"e", 2.71828182845904523536}, {"inf", INFINITY}};
enum { CONSTANTS = sizeof constants / sizeof constants[0] };

static const struct {
	const char *sign;
	double value;
} symbols[] = {{"π", 3.14159265358979323846}, {"∞", INFINITY}};
enum { SYMBOLS = sizeof symbols / sizeof symbols[0] };

/* Names that other notations use, and the name that means the same here. */
static const struct {
	const char *other, *name;
} synonyms[] = {{"d_h", "dk"},	 {"d_k", "dk"},	      {"dh", "dk"},
		{"heads", "H"},	 {"infinity", "inf"}, {"Infinity", "inf"},
		{"sgn", "sign"}, {"arctan", "atan"},  {"lg", "log10"}};
enum { SYNONYMS = sizeof synonyms / sizeof synonyms[0] };

/* Signs of other notations where an operator or a value is expected, with a hint. */
static const struct {
	const char *sign, *hint;
} foreign[] = {
	{"=", "\"=\" sets nothing here; == compares"},
	{"|", "\"|\" is no operator; write abs(x) for |x|, || for or"},
	{"%", "the remainder of x by y is written mod(x, y)"},
	{"²", "a power is written with ^"},
	{"√", "a root is written sqrt(x)"},
};
enum { FOREIGN = sizeof foreign / sizeof foreign[0] };

/* ---- reading ---- */

struct reader {
	const char *text, *at;
	const char *const *names;
	struct calc_step *steps;
	size_t n, cap, waiting;
	int depth;
	bool printed; /* two factors side by side are a product */
	unsigned uses;
	size_t *wrong;
	struct arena *arena;
	struct err *err;
};

static bool fail_at(struct reader *r, const char *at)
{
	*r->wrong = (size_t)(at - r->text);
	return false;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name(const char *text, size_t len, const char *name)
{
	return strlen(name) == len && memcmp(text, name, len) == 0;
}

static bool starts_with(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static void skip_blanks(struct reader *r)
{
	r->at += strspn(r->at, " \t\r\n");
}

static bool accept(struct reader *r, const char *sign)
{
	skip_blanks(r);
	if (!starts_with(r->at, sign))
		return false;
	r->at += strlen(sign);
	return true;
}

#define OPERATOR "an operator"

/* Reports that `wanted` was expected at the reader's position. Returns false. */
static bool expected(struct reader *r, const char *wanted)
{
	skip_blanks(r);
	const char *const at = r->at, *hint = NULL;
	for (size_t i = 0; i < FOREIGN && !hint; i++)
		if (starts_with(at, foreign[i].sign) && !starts_with(at, "||"))
			hint = foreign[i].hint;
	if (*at == '\0')
		err_set(r->err, "%s must stand here, not the end", wanted);
	else if (hint)
		err_set(r->err, "%s", hint);
	else if (*at == '*' && at > r->text && at[-1] == '*')
		err_set(r->err, "a power is written with ^");
	else
		err_set(r->err, "%s must stand here, not %s%s", wanted,
			text_quote(r->arena, at, text_cluster(at, strlen(at))),
			starts_with(wanted, OPERATOR) && (is_letter(*at) || *at == '(')
				? "; a product is written with *"
				: "");
	return fail_at(r, at);
}

static bool add_step(struct reader *r, const char *at, struct calc_step step)
{
	const size_t takes = step.kind == STEP_OPERATION ? step.index : 0;
	if (r->n == CALC_STEPS) {
		err_set(r->err, "a formula of more than %d numbers, names and operations",
			CALC_STEPS);
		return fail_at(r, at);
	}
	r->waiting += 1 - takes;
	if (r->waiting > CALC_WAITING) {
		err_set(r->err, "more than %d values wait for each other here", CALC_WAITING);
		return fail_at(r, at);
	}
	BUG_IF(r->n == r->cap);
	r->steps[r->n++] = step;
	return true;
}

static bool add_number(struct reader *r, const char *at, double number)
{
	return add_step(r, at, (struct calc_step){.kind = STEP_NUMBER, .number = number});
}

static bool add_operation(struct reader *r, const char *at, operate *run, size_t args)
{
	return add_step(r, at,
			(struct calc_step){.kind = STEP_OPERATION, .index = args, .run = run});
}

static bool read_choice(struct reader *r);
static bool read_unary(struct reader *r);

/* Every recursion of the grammar passes through here, so that its depth is limited. */
static bool read_deeper(struct reader *r, bool (*read)(struct reader *r))
{
	if (r->depth == CALC_DEPTH) {
		err_set(r->err, "more than %d brackets, signs, powers and choices in each other",
			CALC_DEPTH);
		return fail_at(r, r->at);
	}
	r->depth++;
	const bool ok = read(r);
	r->depth--;
	return ok;
}

/* The grammar: digits ["." digits] ["e" ["+" | "-"] digits]. An e without digits belongs to a
 * name. */
static bool read_number(struct reader *r)
{
	const char *const start = r->at;
	double number = 0;
	while (is_digit(*r->at) || *r->at == '.')
		r->at++;
	if (*r->at == 'e' || *r->at == 'E') {
		const char *const digits = r->at + 1 + (r->at[1] == '+' || r->at[1] == '-');
		if (is_digit(*digits))
			for (r->at = digits; is_digit(*r->at);)
				r->at++;
	}
	if (!num_parse_double(start, (size_t)(r->at - start), 0, HUGE_VAL, &number, r->err))
		return fail_at(r, start);
	return add_number(r, start, number);
}

/* Reads the arguments of a function: "(" choice { "," choice } ")". */
static bool read_args(struct reader *r, const struct function *f, const char *name)
{
	const char *const open = r->at;
	size_t n = 0;
	if (!accept(r, "(")) {
		err_set(r->err, "%s is a function; write %s(...)", f->name, f->name);
		return fail_at(r, name);
	}
	do {
		if (!read_deeper(r, read_choice))
			return false;
		if (++n > f->args && f->many && !add_operation(r, name, f->run, f->args))
			return false;
	} while (accept(r, ","));
	if (*r->at == '\0') {
		err_set(r->err, "this \"(\" is never closed");
		return fail_at(r, open + strspn(open, " \t\r\n"));
	}
	if (!accept(r, ")"))
		return expected(r, OPERATOR ", \",\" or \")\"");
	if (n < f->args || (n > f->args && !f->many)) {
		err_set(r->err, "%s takes %zu value%s%s, not %zu", f->name, f->args,
			f->args == 1 ? "" : "s", f->many ? " or more" : "", n);
		return fail_at(r, name);
	}
	return add_operation(r, name, f->run, f->args);
}

static bool unknown_name(struct reader *r, const char *name, size_t len)
{
	const char *all[FUNCTIONS + CONSTANTS + CALC_NAMES], *near = NULL;
	char given[NAME_BYTES] = "";
	size_t n = 0;
	for (size_t i = 0; r->names[i] != NULL; i++)
		all[n++] = r->names[i];
	for (size_t i = 0; i < CONSTANTS; i++)
		all[n++] = constants[i].name;
	const size_t own = n;
	for (size_t i = 0; i < FUNCTIONS; i++)
		all[n++] = functions[i].name;
	if (len < sizeof given) {
		memcpy(given, name, len);
		near = text_nearest(given, all, n);
		for (size_t i = 0; i < SYNONYMS; i++)
			for (size_t k = 0; k < n && strcmp(given, synonyms[i].other) == 0; k++)
				if (strcmp(all[k], synonyms[i].name) == 0)
					near = all[k];
	}
	const char *const quoted = text_quote(r->arena, name, len);
	if (strcmp(given, "nan") == 0 || strcmp(given, "NaN") == 0) {
		err_set(r->err, "no name %s: every value is a number", quoted);
		return fail_at(r, name);
	}
	if (near != NULL) {
		err_set(r->err, "no name %s; did you mean \"%s\"?", quoted, near);
		return fail_at(r, name);
	}
	const char *list = "";
	for (size_t i = 0; i < own; i++)
		list = arena_printf(r->arena, "%s%s%s", list, i > 0 ? ", " : "", all[i]);
	err_set(r->err, "no name %s; there are %s and functions such as abs, exp, log, min", quoted,
		list);
	return fail_at(r, name);
}

static bool read_name(struct reader *r)
{
	const char *const name = r->at;
	while (is_letter(*r->at) || is_digit(*r->at))
		r->at++;
	const size_t len = (size_t)(r->at - name);
	for (size_t i = 0; r->names[i] != NULL; i++)
		if (is_name(name, len, r->names[i])) {
			r->uses |= 1u << i;
			return add_step(r, name, (struct calc_step){.kind = STEP_NAME, .index = i});
		}
	for (size_t i = 0; i < CONSTANTS; i++)
		if (is_name(name, len, constants[i].name))
			return add_number(r, name, constants[i].value);
	for (size_t i = 0; i < FUNCTIONS; i++)
		if (is_name(name, len, functions[i].name))
			return read_args(r, &functions[i], name);
	return unknown_name(r, name, len);
}

static bool read_bracket(struct reader *r)
{
	const char *const open = r->at++;
	if (!read_deeper(r, read_choice))
		return false;
	if (accept(r, ")"))
		return true;
	if (*r->at != '\0')
		return expected(r, OPERATOR " or \")\"");
	err_set(r->err, "this \"(\" is never closed");
	return fail_at(r, open);
}

static bool read_atom(struct reader *r)
{
	skip_blanks(r);
	if (is_digit(*r->at) || *r->at == '.')
		return read_number(r);
	if (is_letter(*r->at))
		return read_name(r);
	if (*r->at == '(')
		return read_bracket(r);
	const char *const at = r->at;
	for (size_t i = 0; i < SYMBOLS; i++)
		if (accept(r, symbols[i].sign))
			return add_number(r, at, symbols[i].value);
	return expected(r, "a number, a name or \"(\"");
}

static bool read_unary(struct reader *r)
{
	skip_blanks(r);
	const char *const sign = r->at;
	const bool minus = accept(r, "-") || accept(r, MINUS);
	if (minus || *sign == '+' || (*sign == '!' && sign[1] != '=')) {
		r->at += !minus;
		if (!read_deeper(r, read_unary))
			return false;
		return *sign == '+' || add_operation(r, sign, minus ? do_negate : do_not, 1);
	}
	if (!read_atom(r))
		return false;
	skip_blanks(r);
	const char *const hat = r->at;
	if (!accept(r, "^"))
		return true;
	return read_deeper(r, read_unary) && add_operation(r, hat, do_power, 2);
}

static const struct operator* operator_at(struct reader *r)
{
	skip_blanks(r);
	for (size_t i = 0; i < OPERATORS; i++)
		if (starts_with(r->at, operators[i].sign))
			return &operators[i];
	static const struct operator side_by_side = {"", 6, do_multiply};
	const bool factor = is_digit(*r->at) || is_letter(*r->at) || *r->at == '(';
	return r->printed && factor ? &side_by_side : NULL;
}

/* Reads operands and the operators that are at least as tight as `least`, from the left. A
 * nested call asks for a tighter operator, so this recursion ends by itself. */
static bool read_operands(struct reader *r, int least)
{
	if (!read_unary(r))
		return false;
	for (;;) {
		const struct operator* const o = operator_at(r);
		if (o == NULL || o->tightness < least)
			return true;
		const char *const at = r->at;
		r->at += strlen(o->sign);
		if (!read_operands(r, o->tightness + 1) || !add_operation(r, at, o->run, 2))
			return false;
	}
}

static bool read_choice(struct reader *r)
{
	if (!read_operands(r, 1))
		return false;
	skip_blanks(r);
	const char *const mark = r->at;
	if (!accept(r, "?"))
		return true;
	if (!read_deeper(r, read_choice))
		return false;
	if (!accept(r, ":"))
		return expected(r, OPERATOR " or the \":\" of this choice");
	return read_deeper(r, read_choice) && add_operation(r, mark, do_choose, 3);
}

static bool parse(struct calc *c, const char *text, const char *const *names, bool printed,
		  struct arena *a, size_t *wrong, struct err *err)
{
	const size_t len = strlen(text);
	const size_t most = printed ? 2 * len : len; /* else each step has a character of its own */
	const size_t cap = most < CALC_STEPS ? most : CALC_STEPS;
	struct reader r = {.text = text,
			   .at = text,
			   .names = names,
			   .steps = arena_calloc(a, cap + 1, sizeof *r.steps),
			   .cap = cap,
			   .printed = printed,
			   .wrong = wrong,
			   .arena = a,
			   .err = err};
	*wrong = 0;
	if (!read_choice(&r))
		return false;
	skip_blanks(&r);
	if (*r.at != '\0')
		return expected(&r, OPERATOR " or the end");
	BUG_IF(r.waiting != 1);
	*c = (struct calc){r.steps, r.n, r.uses};
	return true;
}

bool calc_parse(struct calc *c, const char *text, const char *const *names, struct arena *a,
		size_t *wrong, struct err *err)
{
	return parse(c, text, names, false, a, wrong, err);
}

bool calc_parse_printed(struct calc *c, const char *text, const char *const *names, struct arena *a,
			size_t *wrong, struct err *err)
{
	return parse(c, text, names, true, a, wrong, err);
}
