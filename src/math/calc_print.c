/* calc_print.c: the printed form of a formula: − · / with spaces, |x| for abs, √ for sqrt,
 * exponents raised.
 *
 * The functions walk over text that calc_parse has accepted, so they need not look for mistakes:
 * brackets close, and a value follows each operator. */
#include "posviz/math/calc.h"

#include <ctype.h>
#include <string.h>

#include "posviz/base/strbuf.h"

/* Signs between two values as they are typed and as they are printed; if one is the beginning of
 * another, the longer one comes first. */
static const struct sign {
	const char *typed, *printed;
} signs[] = {
	{"<=", " ≤ "}, {">=", " ≥ "}, {"==", " = "}, {"!=", " ≠ "}, {"&&", " ∧ "}, {"||", " ∨ "},
	{"*", "·"},    {"·", "·"},    {"⋅", "·"},    {"×", "·"},    {"/", " / "},  {"+", " + "},
	{"-", " − "},  {"−", " − "},  {"≤", " ≤ "},  {"≥", " ≥ "},  {"≠", " ≠ "},  {"<", " < "},
	{">", " > "},  {"?", " ? "},  {":", " : "},  {",", ", "},
};
enum { SIGNS = sizeof signs / sizeof *signs };

struct print {
	struct strbuf *out;
	const char *at;
};

static void skip_blanks(struct print *p)
{
	while (isspace((unsigned char)*p->at))
		p->at++;
}

static bool take(struct print *p, const char *text)
{
	const size_t len = strlen(text);
	if (strncmp(p->at, text, len) != 0)
		return false;
	p->at += len;
	return true;
}

static bool is_name(const char *at, size_t len, const char *name)
{
	return strlen(name) == len && memcmp(at, name, len) == 0;
}

static void print_all(struct print *p);

static void print_brackets(struct print *p, const char *open, const char *close)
{
	strbuf_add(p->out, open);
	p->at++;
	print_all(p);
	strbuf_add(p->out, close);
	p->at += *p->at == ')';
}

/* Returns whether a single name or number precedes the closing bracket. */
static bool is_plain(const char *at)
{
	while (isalnum((unsigned char)*at) || *at == '_' || *at == '.')
		at++;
	return *at == ')';
}

/* Prints a name, and the arguments of a function. */
static void print_name(struct print *p)
{
	const char *const from = p->at;
	while (isalnum((unsigned char)*p->at) || *p->at == '_')
		p->at++;
	const size_t len = (size_t)(p->at - from);
	skip_blanks(p);
	const bool calls = *p->at == '(';
	if (calls && is_name(from, len, "abs")) {
		print_brackets(p, "|", "|");
		return;
	}
	if (calls && is_name(from, len, "sqrt"))
		strbuf_add(p->out, "√");
	else if (is_name(from, len, "pi"))
		strbuf_add(p->out, "π");
	else if (is_name(from, len, "inf"))
		strbuf_add(p->out, "∞");
	else if (is_name(from, len, "dk"))
		strbuf_add(p->out, "d_h");
	else
		strbuf_add_n(p->out, from, len);
	if (calls && is_name(from, len, "sqrt") && is_plain(p->at + 1))
		print_brackets(p, "", "");
	else if (calls)
		print_brackets(p, "(", ")");
}

static size_t digits(const char *at)
{
	return strspn(at, "0123456789.");
}

static void print_number(struct print *p)
{
	size_t len = digits(p->at);
	if (p->at[len] == 'e' || p->at[len] == 'E') {
		const size_t sign = p->at[len + 1] == '+' || p->at[len + 1] == '-';
		const size_t more = digits(p->at + len + 1 + sign);
		len += more > 0 ? 1 + sign + more : 0;
	}
	strbuf_add_n(p->out, p->at, len);
	p->at += len;
}

/* Prints a value; false: none begins here. */
static bool print_value(struct print *p)
{
	if (digits(p->at) > 0)
		print_number(p);
	else if (isalpha((unsigned char)*p->at))
		print_name(p);
	else if (*p->at == '(')
		print_brackets(p, "(", ")");
	else if (take(p, "π"))
		strbuf_add(p->out, "π");
	else if (take(p, "∞"))
		strbuf_add(p->out, "∞");
	else
		return false;
	return true;
}

static void print_signs(struct print *p)
{
	for (;;) {
		skip_blanks(p);
		if (take(p, "-") || take(p, "−"))
			strbuf_add(p->out, "−");
		else if (take(p, "!"))
			strbuf_add(p->out, "¬");
		else if (!take(p, "+"))
			return;
	}
}

/* Prints an exponent. Brackets around the whole exponent are dropped, since raising replaces
 * them. A script cannot contain another script in braces. */
static void print_exponent(struct print *p)
{
	struct strbuf above, *const line = p->out;
	strbuf_init(&above, line->arena);
	p->out = &above;
	print_signs(p);
	if (above.len == 0 && *p->at == '(')
		print_brackets(p, "", "");
	else
		print_value(p);
	skip_blanks(p);
	if (take(p, "^")) {
		print_exponent(p);
	}
	p->out = line;
	strbuf_printf(line, strchr(above.at, '^') ? " ^ (%s)" : "^{%s}", above.at);
}

/* Prints a sign between two values; false: none follows. */
static bool print_sign(struct print *p)
{
	for (size_t i = 0; i < SIGNS; i++)
		if (take(p, signs[i].typed)) {
			strbuf_add(p->out, signs[i].printed);
			return true;
		}
	return false;
}

/* Prints everything up to the closing bracket or the end. */
static void print_all(struct print *p)
{
	do {
		print_signs(p);
		if (!print_value(p))
			return;
		skip_blanks(p);
		if (take(p, "^"))
			print_exponent(p);
		skip_blanks(p);
	} while (print_sign(p));
}

const char *calc_print(const char *text, struct arena *a)
{
	struct strbuf out;
	struct print p = {.out = &out, .at = text};
	strbuf_init(&out, a);
	print_all(&p);
	return *p.at == '\0' ? out.at : text;
}
