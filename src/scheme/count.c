/* count.c: counts of parameters as the papers print them, evaluated.
 *
 *   sum = product { ("+" | "-") product } ; product = power { ["*" | "/"] power } ;
 *   power = ["-"] atom ["^" power] ; atom = number | name | [function] "(" sum ")" | is
 *   is = "[" name "=" choice "]" | "[" sum ( "=" | "<" | ">" ) sum "]"
 *
 * Two factors side by side are a product, as on paper: "2(2 t_max - 1) d l". What a claim's `when` says
 * is read here too: conditions are 1 or 0, so a product is "and", a sum "or". */
#include "posviz/scheme.h"

#include <math.h>
#include <string.h>

#include "posviz/num.h"
#include "posviz/text.h"

enum { MAX_DEPTH = 64, MAX_NAMES = 80 };

struct counter {
	const char *text, *at;
	const struct model_config *config;
	const struct scheme *scheme;
	const void *param;
	struct err *err;
	int depth;
};

static double count_d(const struct model_config *c)
{
	return (double)c->d;
}

static double count_h(const struct model_config *c)
{
	return (double)c->heads;
}

static double count_l(const struct model_config *c)
{
	return (double)c->layers;
}

static double count_t_max(const struct model_config *c)
{
	return (double)c->t_max;
}

static double count_d_h(const struct model_config *c)
{
	return (double)c->d / (double)c->heads;
}

static double count_d_f(const struct model_config *c)
{
	return (double)c->ff;
}

static const struct {
	const char *name;
	double (*value)(const struct model_config *c);
} sizes[] = {{"d", count_d},	     {"h", count_h},	 {"l", count_l},
	     {"t_max", count_t_max}, {"d_h", count_d_h}, {"d_f", count_d_f}};

enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* Tables whose sides are shares of another size end at whole rows. */
static const struct {
	const char *name;
	double (*value)(double x);
} functions[] = {{"ceil", ceil}, {"round", round}};

enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static bool fail(struct counter *c, const char *at)
{
	char quoted[256];
	return err_prefix(c->err, "count %s: column %zu: ",
			  text_quote_buf(quoted, sizeof quoted, c->text, strlen(c->text)),
			  (size_t)(at - c->text) + 1);
}

static void skip_blanks(struct counter *c)
{
	c->at += strspn(c->at, " ");
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_name(const char *text, size_t len, const char *name)
{
	return strlen(name) == len && memcmp(text, name, len) == 0;
}

/* ---- names ---- */

static bool param_value(const struct param *p, const void *params, double *out)
{
	const void *at = (const char *)params + p->offset;
	switch (p->kind) {
	case PARAM_INT:
		*out = (double)*(const long *)at;
		return true;
	case PARAM_REAL:
		*out = *(const double *)at;
		return true;
	case PARAM_BOOL:
		*out = *(const bool *)at;
		return true;
	case PARAM_CHOICE:
		*out = *(const int *)at;
		return true;
	default:
		return false;
	}
}

static bool unknown_name(struct counter *c, const char *name, size_t len)
{
	const char *names[MAX_NAMES], *near = NULL;
	char quoted[128], given[64] = "";
	size_t n = 0;
	for (size_t i = 0; i < SIZES; i++)
		names[n++] = sizes[i].name;
	const struct param *p = c->scheme != NULL ? c->scheme->params : NULL;
	for (; p != NULL && p->name != NULL && n < MAX_NAMES; p++)
		names[n++] = p->name;
	text_quote_buf(quoted, sizeof quoted, name, len);
	if (len < sizeof given) {
		memcpy(given, name, len);
		near = text_nearest(given, names, n);
	}
	if (near != NULL)
		err_set(c->err, "no size %s; did you mean \"%s\"?", quoted, near);
	else
		err_set(c->err, "no size %s; there are d, h, l, d_h, d_f, t_max and the parameters",
			quoted);
	return fail(c, name);
}

static bool read_bracket(struct counter *c, double *out);

static bool read_name(struct counter *c, double *out)
{
	const char *name = c->at;
	while (is_letter(*c->at) || is_digit(*c->at))
		c->at++;
	const size_t len = (size_t)(c->at - name);
	for (size_t i = 0; i < FUNCTIONS && *c->at == '('; i++) {
		if (!is_name(name, len, functions[i].name))
			continue;
		if (!read_bracket(c, out))
			return false;
		*out = functions[i].value(*out);
		return true;
	}
	const struct param *p = c->scheme != NULL ? scheme_param(c->scheme, name, len) : NULL;
	if (p != NULL && param_value(p, c->param, out))
		return true;
	for (size_t i = 0; i < SIZES && c->config != NULL; i++)
		if (is_name(name, len, sizes[i].name)) {
			*out = sizes[i].value(c->config);
			return true;
		}
	if (!is_name(name, len, "n"))
		return unknown_name(c, name, len);
	err_set(c->err, "n, the size of the vocabulary, is not known");
	return fail(c, name);
}

static bool read_sum(struct counter *c, double *out);

/* "[name=choice]" */
static bool read_choice(struct counter *c, const struct param *p, size_t len, double *out)
{
	const char *const name = c->at + 1;
	const size_t size = strcspn(name, "]");
	for (int i = 0; name[len] == '=' && name[size] != '\0' && p->choices[i] != NULL; i++) {
		double chosen = 0;
		if (!is_name(name + len + 1, size - len - 1, p->choices[i]))
			continue;
		param_value(p, c->param, &chosen);
		*out = (int)chosen == i;
		c->at = name + size + 1;
		return true;
	}
	err_set(c->err, "[NAME=CHOICE] of the scheme's own must stand here");
	return fail(c, c->at);
}

/* 1 where it is so, else 0 */
static bool read_is(struct counter *c, double *out)
{
	const char *const open = c->at;
	const size_t len = strcspn(open + 1, "=]");
	const struct param *p = c->scheme != NULL ? scheme_param(c->scheme, open + 1, len) : NULL;
	if (p != NULL && p->kind == PARAM_CHOICE)
		return read_choice(c, p, len, out);
	double left = 0, right = 0;
	c->at++;
	if (!read_sum(c, &left))
		return false;
	const char how = *c->at;
	if (how != '=' && how != '<' && how != '>') {
		err_set(c->err, "[NAME=CHOICE], [A=B], [A<B] or [A>B] must stand here");
		return fail(c, open);
	}
	c->at++;
	if (!read_sum(c, &right))
		return false;
	if (*c->at != ']') {
		err_set(c->err, "this \"[\" is never closed");
		return fail(c, open);
	}
	c->at++;
	*out = how == '<'   ? left < right
	       : how == '>' ? left > right
			    : !(left < right || left > right);
	return true;
}

/* ---- grammar ---- */

static bool read_number(struct counter *c, double *out)
{
	const char *start = c->at;
	while (is_digit(*c->at) || *c->at == '.')
		c->at++;
	if (num_parse_double(start, (size_t)(c->at - start), 0, HUGE_VAL, out, c->err))
		return true;
	return fail(c, start);
}

static bool read_bracket(struct counter *c, double *out)
{
	const char *open = c->at++;
	if (!read_sum(c, out))
		return false;
	skip_blanks(c);
	if (*c->at == ')') {
		c->at++;
		return true;
	}
	err_set(c->err, "this \"(\" is never closed");
	return fail(c, open);
}

static bool read_atom(struct counter *c, double *out)
{
	if (is_digit(*c->at) || *c->at == '.')
		return read_number(c, out);
	if (is_letter(*c->at))
		return read_name(c, out);
	if (*c->at == '(')
		return read_bracket(c, out);
	if (*c->at == '[')
		return read_is(c, out);
	err_set(c->err, "a number, a size or \"(\" must stand here");
	return fail(c, c->at);
}

static bool read_power(struct counter *c, double *out);

static bool read_power_inside(struct counter *c, double *out)
{
	skip_blanks(c);
	const bool negative = *c->at == '-';
	c->at += negative;
	skip_blanks(c);
	if (!read_atom(c, out))
		return false;
	skip_blanks(c);
	if (*c->at == '^') {
		double exponent = 0;
		c->at++;
		if (!read_power(c, &exponent))
			return false;
		*out = pow(*out, exponent);
	}
	*out = negative ? -*out : *out;
	return true;
}

/* All recursion passes here. */
static bool read_power(struct counter *c, double *out)
{
	if (c->depth == MAX_DEPTH) {
		err_set(c->err, "more than %d brackets and powers in each other", MAX_DEPTH);
		return fail(c, c->at);
	}
	c->depth++;
	const bool ok = read_power_inside(c, out);
	c->depth--;
	return ok;
}

static bool read_product(struct counter *c, double *out)
{
	if (!read_power(c, out))
		return false;
	for (double factor = 0;;) {
		skip_blanks(c);
		const char op = *c->at;
		const bool side_by_side =
			is_letter(op) || is_digit(op) || op == '.' || op == '(' || op == '[';
		if (op != '*' && op != '/' && !side_by_side)
			return true;
		c->at += !side_by_side;
		if (!read_power(c, &factor))
			return false;
		*out = op == '/' ? *out / factor : *out * factor;
	}
}

static bool read_sum(struct counter *c, double *out)
{
	if (!read_product(c, out))
		return false;
	for (double term = 0;;) {
		skip_blanks(c);
		const char op = *c->at;
		if (op != '+' && op != '-')
			return true;
		c->at++;
		if (!read_product(c, &term))
			return false;
		*out = op == '+' ? *out + term : *out - term;
	}
}

bool count_eval(const char *text, const struct model_config *config, const struct scheme *s,
		const void *param, double *out, struct err *err)
{
	struct counter c = {.text = text,
			    .at = text,
			    .config = config,
			    .scheme = s,
			    .param = param,
			    .err = err};
	double value = 0;
	if (!read_sum(&c, &value))
		return false;
	if (*c.at != '\0') {
		err_set(err, "an operator or the end must stand here");
		return fail(&c, c.at);
	}
	if (!isfinite(value)) {
		err_set(err, "the result is not a finite number");
		return fail(&c, text);
	}
	*out = value;
	return true;
}
