/* spelled.c: lists of numbers as programs print them: [0, 1, 2] of Python and JSON, [0 1 2] of
 * NumPy, (0, 1), array([0, 1]), tensor([[0, 1]], device='cuda:0'), over any number of lines. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "posviz/input/letters.h"
#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/input/input.h"

enum {
	DEEPEST = 8,
	EXACT = 1 << 30,
	BARE = 1 /* in place of a bracket: the list ends with the text */
};

struct spelled {
	const char *text;
	size_t len, at;
	enum spelled_kind kind;
	char closes[DEEPEST]; /* brackets that are open */
	size_t depth, lists;  /* open brackets, and lists of numbers already closed */
	size_t count;	      /* numbers in the open list */
	struct strbuf *out;
	struct err *err;
};

static void skip_blanks(struct spelled *s)
{
	while (s->at < s->len && letter_is_blank(s->text[s->at]))
		s->at++;
}

static char peek(const struct spelled *s)
{
	return s->at < s->len ? s->text[s->at] : '\0';
}

static bool fail_at(const struct spelled *s, const char *what)
{
	size_t line = 1, column = 1;
	for (size_t i = 0; i < s->at && i < s->len; i++) {
		column = s->text[i] == '\n' ? 1 : column + 1;
		line += s->text[i] == '\n';
	}
	return memchr(s->text, '\n', s->len)
		       ? err_set(s->err, "line %zu, column %zu: %s", line, column, what)
		       : err_set(s->err, "column %zu: %s", column, what);
}

/* Returns the length of a Python name at the start, such as "np.array", and the bracket that
 * must follow it. */
static size_t call_length(const char *text, size_t len)
{
	size_t n = 0;
	while (n < len && ((text[n] | 32) >= 'a' && (text[n] | 32) <= 'z'))
		for (n++; n < len && (((text[n] | 32) >= 'a' && (text[n] | 32) <= 'z') ||
				      strchr("_.0123456789", text[n]));)
			n++;
	return n > 0 && n < len && text[n] == '(' ? n + 1 : 0;
}

bool input_is_spelled(const char *text, size_t len)
{
	size_t at = 0;
	while (at < len && letter_is_blank(text[at]))
		at++;
	return at < len && (strchr("[(", text[at]) != NULL || call_length(text + at, len - at) > 0);
}

/* Reads a number; a whole number loses the point that a float has. */
static bool read_number(struct spelled *s)
{
	const char *const from = s->text + s->at;
	size_t n = 0;
	while (s->at + n < s->len && !letter_is_blank(from[n]) && !strchr(",])([", from[n]))
		n++;
	double value;
	if (!num_parse_double(from, n > 1 && from[n - 1] == '.' ? n - 1 : n, -EXACT, EXACT, &value,
			      NULL)) {
		char quoted[128], said[192];
		text_quote_buf(quoted, sizeof quoted, from, n);
		(void)snprintf(said, sizeof said, "%s is not a number", quoted);
		return fail_at(s, said);
	}
	const char *const before = s->out->len == 0				   ? ""
				   : s->kind == SPELLED_PAIRS && s->count % 2 == 1 ? "-"
				   : s->kind == SPELLED_ROWS && s->count == 0	   ? "; "
										   : " ";
	if (value == floor(value))
		strbuf_printf(s->out, "%s%.0f", before, value);
	else
		strbuf_printf(s->out, "%s%.*s", before, (int)n, from);
	s->count++;
	s->at += n;
	return true;
}

static bool open_bracket(struct spelled *s)
{
	if (s->depth == DEEPEST || s->count > 0)
		return fail_at(s, "a list inside a list of numbers");
	s->closes[s->depth++] = peek(s) == '[' ? ']' : ')';
	s->at++;
	return true;
}

static bool close_bracket(struct spelled *s)
{
	const char closes = s->closes[s->depth - 1];
	if (peek(s) != closes)
		return fail_at(s, closes == ']'	  ? "] would be right here"
				  : closes == ')' ? ") would be right here"
						  : "a bracket that was not opened");
	if (s->kind == SPELLED_PAIRS && s->count > 0 && s->count != 2)
		return fail_at(s, "each of the lists inside is a pair of numbers");
	if (s->kind == SPELLED_LIST && s->count > 0 && s->lists > 0)
		return fail_at(s, "a second list of numbers; one would be right");
	s->lists += s->count > 0;
	s->count = 0;
	s->depth--;
	s->at++;
	return true;
}

/* Reads numbers and brackets, with at most one comma after each. */
static bool read_items(struct spelled *s)
{
	bool comma = true; /* a comma is not allowed here */
	do {
		skip_blanks(s);
		const char c = peek(s);
		bool ok = true, item = true;
		if (s->at >= s->len && s->closes[s->depth - 1] == BARE)
			return true;
		if (s->at >= s->len)
			return fail_at(s, s->closes[s->depth - 1] == ']'
						  ? "the ] at the end is missing"
						  : "the ) at the end is missing");
		if (c == ',' && comma)
			return fail_at(s, "a comma without a number before it");
		if (c == ',') {
			s->at++;
			item = false;
		} else if (strchr("[(", c)) {
			ok = open_bracket(s);
			item = false;
		} else {
			ok = strchr("])", c) ? close_bracket(s) : read_number(s);
		}
		if (!ok)
			return false;
		comma = !item;
	} while (s->depth > 0);
	return true;
}

/* Skips ", dtype=int64)": text after the numbers of a list. */
static bool close_call(struct spelled *s)
{
	skip_blanks(s);
	if (peek(s) == ',')
		while (s->at < s->len && !strchr(")\n", peek(s)))
			s->at++;
	if (peek(s) != ')')
		return fail_at(s, "the ) at the end is missing");
	s->at++;
	return true;
}

bool input_spelled(const char *text, size_t len, enum spelled_kind kind, struct arena *a,
		   const char **out, struct err *err)
{
	struct strbuf b;
	strbuf_init(&b, a);
	struct spelled s = {.text = text, .len = len, .kind = kind, .out = &b, .err = err};
	skip_blanks(&s);
	const size_t call = call_length(text + s.at, len - s.at);
	s.at += call;
	skip_blanks(&s);
	if (s.at < len && strchr("[(", peek(&s)))
		open_bracket(&s);
	else
		s.closes[s.depth++] = BARE;
	if (!read_items(&s) || (call > 0 && !close_call(&s)))
		return false;
	skip_blanks(&s);
	*out = b.at;
	return s.at == len || fail_at(&s, "the list ends before this");
}
