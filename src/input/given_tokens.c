/* given_tokens.c: tokens as a tokenizer prints them, separated by blanks or as a list of quoted
 * texts.
 *
 * The list has the syntax of JSON, Python or NumPy: ["a", "b"], ['a', 'b'], ('a', 'b'), ['a'
 * 'b'], array(['a', 'b'], dtype='<U1'), or is in an object as tokenizers print it, {"tokens":
 * ["a", "b"], "ids": [5, 7]}. Escapes are those of JSON and of Python's texts. */
#include <string.h>

#include "input/cutter.h"
#include "posviz/input/letters.h"
#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/format/kind.h"

#define BLANK "␣"

/* ---- which tokens make a word ---------------------------------------------------------------- */

/* Returns whether the token begins with a mark by which tokenizers show the beginning of a word. */
static bool begins_word(const char *text, size_t len)
{
	static const char *const marks[] = {"▁", "Ġ"};
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (len >= strlen(marks[i]) && memcmp(text, marks[i], strlen(marks[i])) == 0)
			return true;
	return false;
}

/* The tokens so far. */
struct given {
	struct cutter *to;
	bool marked; /* the tokens have such marks */
	bool inside; /* the last one is a part of a word */
};

static const char *label_of(struct arena *a, const char *text, size_t len)
{
	struct strbuf b;
	strbuf_init(&b, a);
	if (len == 0)
		return "\"\"";
	for (size_t at = 0, n = 0; at < len; at += n + 1) {
		const char *const blank = memchr(text + at, ' ', len - at);
		n = blank ? (size_t)(blank - text) - at : len - at;
		strbuf_add(&b, text_escape(a, text + at, n));
		strbuf_add(&b, blank ? BLANK : "");
	}
	return b.at;
}

static void push(struct given *g, const char *text, size_t len)
{
	size_t size = 0;
	bool stays = false;
	const bool special = len > 0 && cutter_special(text, len, false, &stays) == len && stays;
	const bool letters = len > 0 && letter_at(text, len, &size) == LETTER_WORD;
	const bool piece = len > 2 && memcmp(text, "##", 2) == 0;
	const bool joins =
		g->inside && (piece || (g->marked && letters && !begins_word(text, len)));
	cutter_push(g->to, text, len,
		    g->to->tokens != NULL ? label_of(g->to->arena, text, len) : "", special,
		    joins ? SAME_WORD : OWN_WORD);
	g->inside = !special;
}

/* ---- separated by blanks
 * ------------------------------------------------------------------------ */

static size_t token_length(const char *text, size_t len)
{
	size_t n = 0;
	while (n < len && !letter_is_blank(text[n]))
		n++;
	return n;
}

void cut_blanks(struct cutter *c, const char *text, size_t len)
{
	struct given g = {.to = c};
	for (size_t at = 0; at < len && !g.marked; at += token_length(text + at, len - at) + 1)
		g.marked = begins_word(text + at, len - at);
	for (size_t at = 0, n = 0; at < len; at += n + 1) {
		n = token_length(text + at, len - at);
		if (n > 0)
			push(&g, text + at, n);
	}
}

/* ---- a list ---------------------------------------------------------------------------------- */

struct list {
	const char *text;
	size_t len, at;
	bool array; /* inside NumPy's array() */
	struct err *err;
};

static char peek(const struct list *l)
{
	return l->at < l->len ? l->text[l->at] : '\0';
}

static void skip_blanks(struct list *l)
{
	while (l->at < l->len && letter_is_blank(l->text[l->at]))
		l->at++;
}

/* Skips the opening bracket of the list, and NumPy's text before it. */
static bool open_list(struct list *l, char *closes)
{
	static const char array[] = "array(";
	skip_blanks(l);
	l->array = l->len - l->at >= strlen(array) &&
		   memcmp(l->text + l->at, array, strlen(array)) == 0;
	l->at += l->array ? strlen(array) : 0;
	skip_blanks(l);
	*closes = peek(l) == '[' ? ']' : ')';
	if (peek(l) != '[' && peek(l) != '(')
		return false;
	l->at++;
	skip_blanks(l);
	return peek(l) == '"' || peek(l) == '\'';
}

static bool fail_at(const struct list *l, const char *what)
{
	return err_set(l->err, "column %zu of the list of tokens: %s", l->at + 1, what);
}

/* Reads a number of `digits` hexadecimal digits. */
static bool read_hex(struct list *l, size_t digits, uint32_t *out)
{
	*out = 0;
	for (size_t i = 0; i < digits; i++, l->at++) {
		static const char all[] = "0123456789abcdef";
		const char c = peek(l), small = c >= 'A' && c <= 'F' ? (char)(c | 32) : c;
		const char *const digit = c == '\0' ? NULL : strchr(all, small);
		if (digit == NULL)
			return fail_at(l, "a hexadecimal digit is missing");
		*out = *out * 16 + (uint32_t)(digit - all);
	}
	return true;
}

/* Reads \u0041 and the like; two of them may make one character. */
static bool add_code(struct list *l, size_t digits, struct strbuf *out)
{
	uint32_t code, low;
	char bytes[4];
	if (!read_hex(l, digits, &code))
		return false;
	if (code >= 0xD800 && code < 0xDC00 && l->len - l->at >= 6 &&
	    memcmp(l->text + l->at, "\\u", 2) == 0) {
		l->at += 2;
		if (!read_hex(l, 4, &low))
			return false;
		if (low >= 0xDC00 && low < 0xE000)
			code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
	}
	const size_t n = text_encode(bytes, code);
	strbuf_add_n(out, bytes, n);
	return n > 0 || fail_at(l, "no character has this number");
}

static bool add_escape(struct list *l, struct strbuf *out)
{
	static const char names[] = "ntrbfva0", codes[] = "\n\t\r\b\f\v\a";
	const char c = peek(l);
	l->at++;
	if (c == 'x' || c == 'u' || c == 'U')
		return add_code(l, c == 'x' ? 2 : c == 'u' ? 4 : 8, out);
	const char *const name = c != '\0' ? strchr(names, c) : NULL;
	if (name == NULL && strchr("\\/'\"", c) == NULL) {
		l->at -= 2;
		return fail_at(l, "no escape of JSON or Python");
	}
	strbuf_add_char(out, name ? codes[name - names] : c);
	return true;
}

/* Reads a quoted text. */
static bool read_text(struct list *l, struct strbuf *out)
{
	const char quote = peek(l);
	if (quote != '"' && quote != '\'')
		return fail_at(l, "a token in quotes is missing");
	const size_t opened = l->at++;
	while (l->at < l->len && l->text[l->at] != quote) {
		if (l->text[l->at] != '\\') {
			strbuf_add_char(out, l->text[l->at++]);
			continue;
		}
		l->at++;
		if (!add_escape(l, out))
			return false;
	}
	if (l->at == l->len) {
		l->at = opened;
		return fail_at(l, "the quotes are not closed");
	}
	l->at++;
	return true;
}

/* Skips the end after the last token: the bracket, and NumPy's dtype and bracket. */
static bool close_list(struct list *l, char closes)
{
	if (peek(l) != closes)
		return fail_at(l, closes == ']' ? "a comma or ] is missing"
						: "a comma or ) is missing");
	l->at++;
	skip_blanks(l);
	if (l->array) {
		static const char type[] = "dtype=";
		l->at += peek(l) == ',';
		skip_blanks(l);
		if (l->len - l->at > strlen(type) &&
		    memcmp(l->text + l->at, type, strlen(type)) == 0)
			while (l->at < l->len && peek(l) != ')')
				l->at++;
		if (peek(l) != ')')
			return fail_at(l, "the ) of array( is missing");
		l->at++;
	}
	return true;
}

/* Reads a list and adds each text to `g`. */
static bool read_list(struct list *l, struct arena *a, struct given *g)
{
	char closes;
	if (!open_list(l, &closes))
		return fail_at(l, "a list of tokens in quotes would be right here");
	while (peek(l) != closes) {
		struct strbuf text;
		const struct arena_mark mark = arena_mark(a);
		strbuf_init(&text, a);
		if (!read_text(l, &text))
			return false;
		if (g->to == NULL)
			g->marked = g->marked || begins_word(text.at, text.len);
		else
			push(g, text.at, text.len);
		if (g->to == NULL || g->to->tokens == NULL)
			arena_rewind(a, mark);
		skip_blanks(l);
		if (peek(l) == ',') {
			l->at++;
			skip_blanks(l);
		} else if (peek(l) != '"' && peek(l) != '\'') {
			break;
		}
	}
	return close_list(l, closes);
}

/* ---- an object ------------------------------------------------------------------------------- */

/* Returns whether an object begins: a tokenizer prints {"tokens": [...]} and the fields that
 * kind_token_fields names, which are skipped. */
static bool is_object(struct list *l)
{
	skip_blanks(l);
	if (peek(l) != '{')
		return false;
	l->at++;
	skip_blanks(l);
	return peek(l) == '"' || peek(l) == '\'';
}

bool input_is_object(const char *text, size_t len)
{
	struct list l = {.text = text, .len = len};
	return is_object(&l);
}

/* Skips a quoted text, a number or a word, or one of the signs between them; *depth counts open
 * brackets. */
static bool skip_item(struct list *l, struct arena *a, size_t *depth)
{
	static const char signs[] = ",:[](){}\"'";
	const char c = peek(l);
	if (c == '"' || c == '\'') {
		struct strbuf text;
		strbuf_init(&text, a);
		return read_text(l, &text);
	}
	if (c != '\0' && strchr(signs, c)) {
		if (*depth == 0 && !strchr("[({", c))
			return fail_at(l, "a value is missing");
		*depth += strchr("[({", c) != NULL;
		*depth -= strchr("])}", c) != NULL;
		l->at++;
		return true;
	}
	const size_t from = l->at;
	while (l->at < l->len && peek(l) != '\0' && !letter_is_blank(peek(l)) &&
	       !strchr(signs, peek(l)))
		l->at++;
	return l->at > from || fail_at(l, "a value is missing");
}

static bool skip_value(struct list *l, struct arena *a)
{
	size_t depth = 0;
	do {
		const struct arena_mark mark = arena_mark(a);
		skip_blanks(l);
		if (!skip_item(l, a, &depth))
			return false;
		arena_rewind(a, mark);
		skip_blanks(l);
	} while (depth > 0);
	return true;
}

static bool is_known(const char *name)
{
	for (const char *const *at = kind_token_fields; *at; at++)
		if (strcmp(*at, name) == 0)
			return true;
	return false;
}

static bool unknown_field(struct list *l, const char *name, size_t len, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	strbuf_printf(&b, "a tokenizer prints no %s; \"tokens\" is read, and beside it may stand",
		      text_quote(a, name, len));
	for (const char *const *at = kind_token_fields; *at; at++)
		strbuf_printf(&b, "%s %s", at == kind_token_fields ? "" : ",", *at);
	return fail_at(l, b.at);
}

/* Reads a field and its value. */
static bool read_field(struct list *l, struct arena *a, struct given *g, bool *tokens)
{
	struct strbuf name;
	const size_t from = l->at;
	strbuf_init(&name, a);
	if (peek(l) != '"' && peek(l) != '\'')
		return fail_at(l, "the name of a field in quotes is missing");
	if (!read_text(l, &name))
		return false;
	skip_blanks(l);
	if (peek(l) != ':')
		return fail_at(l, "a colon is missing");
	const size_t colon = l->at++;
	skip_blanks(l);
	if (strcmp(name.at, "tokens") != 0) {
		if (is_known(name.at))
			return skip_value(l, a);
		l->at = from;
		return unknown_field(l, name.at, name.len, a);
	}
	if (*tokens) {
		l->at = colon;
		return fail_at(l, "the tokens are given twice");
	}
	*tokens = true;
	return read_list(l, a, g);
}

static bool read_object(struct list *l, struct arena *a, struct given *g)
{
	bool tokens = false;
	is_object(l);
	for (;;) {
		if (!read_field(l, a, g, &tokens))
			return false;
		skip_blanks(l);
		if (peek(l) != ',')
			break;
		l->at++;
		skip_blanks(l);
	}
	if (peek(l) != '}')
		return fail_at(l, "a comma or } is missing");
	l->at++;
	return tokens || fail_at(l, "the object has no field \"tokens\"");
}

/* ---- list or object -------------------------------------------------------------------------- */

static bool read_given(struct list *l, struct arena *a, struct given *g)
{
	l->at = 0;
	if (!(input_is_object(l->text, l->len) ? read_object(l, a, g) : read_list(l, a, g)))
		return false;
	skip_blanks(l);
	return l->at == l->len || fail_at(l, "the list ends before this");
}

bool input_is_list(const char *text, size_t len)
{
	struct list l = {.text = text, .len = len};
	struct given g = {0};
	struct arena a;
	char closes;
	if (!input_is_object(text, len))
		return open_list(&l, &closes);
	arena_init(&a);
	const bool is = read_given(&l, &a, &g);
	arena_release(&a);
	return is;
}

bool cut_list(struct cutter *c, const char *text, size_t len, struct err *err)
{
	struct given g = {0};
	struct list l = {.text = text, .len = len, .err = err};
	if (!read_given(&l, c->arena, &g))
		return false;
	g.to = c;
	return read_given(&l, c->arena, &g);
}
