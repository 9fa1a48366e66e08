/* pattern.c: regular expressions of tokenizers, by PCRE2.
 *
 * They are written for Oniguruma. Where the two differ, the text is rewritten: \s is the property
 * White_Space, \h a hexadecimal digit, and brackets within a class are a part of it. What PCRE2 has
 * not, the intersection of classes, is refused. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <string.h>

#include "posviz/base/text.h"
#include "token/token_in.h"

enum { STEPS = 400000, KILOBYTES = 16 << 10, LONGEST = 1 << 14 };

#define SPACES \
	"\\t-\\r\\x20\\x85\\xA0\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}"

struct pattern {
	pcre2_code *code;
	const char *text; /* quoted */
};

/* ---- from Oniguruma ---------------------------------------------------------------------------- */

/* Rewrites an escape; returns the bytes that it took. */
static size_t put_escape(struct strbuf *out, const char *at, size_t len, size_t depth)
{
	static const struct {
		char letter;
		const char *within, *outside;
	} rows[] = {{'s', SPACES, "[" SPACES "]"},
		    {'S', NULL, "[^" SPACES "]"},
		    {'h', "0-9A-Fa-f", "[0-9A-Fa-f]"},
		    {'H', NULL, "[^0-9A-Fa-f]"}};
	for (size_t i = 0; len > 1 && i < sizeof rows / sizeof *rows; i++) {
		const char *const by = depth > 0 ? rows[i].within : rows[i].outside;
		if (at[1] == rows[i].letter && by) {
			strbuf_add(out, by);
			return 2;
		}
	}
	strbuf_add_n(out, at, len > 1 ? 2 : 1);
	return len > 1 ? 2 : 1;
}

/* Rewrites a bracket that opens: a class within a class joins it. */
static bool put_opening(struct strbuf *out, const char *at, size_t len, size_t *depth,
			size_t *taken, struct err *err)
{
	const bool negated = len > 1 && at[1] == '^';
	*taken = 1;
	if (*depth > 0 && len > 1 && at[1] == ':') {
		const char *const end = strstr(at, ":]");
		*taken = end ? (size_t)(end - at) + 2 : 1;
		strbuf_add_n(out, at, *taken);
		return true;
	}
	if (*depth > 0 && negated)
		return err_set(err, "a negated class within a class is not read");
	if (++*depth > 1)
		return true;
	*taken = negated ? 2 : 1;
	if (len > *taken && at[*taken] == ']') /* stands for itself there */
		++*taken;
	strbuf_add_n(out, at, *taken);
	return true;
}

static bool rewrite(const char *text, size_t len, struct strbuf *out, struct err *err)
{
	size_t depth = 0, taken;
	for (size_t i = 0; i < len; i += taken) {
		taken = 1;
		if (text[i] == '\\') {
			taken = put_escape(out, text + i, len - i, depth);
		} else if (text[i] == '[') {
			if (!put_opening(out, text + i, len - i, &depth, &taken, err))
				return false;
		} else if (text[i] == ']' && depth > 0) {
			if (--depth == 0)
				strbuf_add_char(out, ']');
		} else if (depth > 0 && text[i] == '&' && i + 1 < len && text[i + 1] == '&') {
			return err_set(err, "an intersection of classes (&&) is not read");
		} else {
			strbuf_add_char(out, text[i]);
		}
	}
	return true;
}

/* ---- compiling --------------------------------------------------------------------------------- */

static void *take(size_t size, void *arena)
{
	return arena_alloc(arena, size);
}

static void leave(void *memory, void *arena)
{
	(void)memory, (void)arena; /* goes with the arena */
}

static bool refuse(const char *text, const char *why, struct err *err)
{
	char quoted[120];
	return err_set(err, "the expression %s: %s",
		       text_quote_buf(quoted, sizeof quoted, text, strlen(text)), why);
}

struct pattern *pattern_new(const char *text, struct arena *a, struct err *err)
{
	const uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C;
	struct pattern *const p = arena_calloc(a, 1, sizeof *p);
	struct strbuf made;
	PCRE2_UCHAR why[160];
	int code;
	PCRE2_SIZE at;
	strbuf_init(&made, a);
	if (strlen(text) > LONGEST)
		return refuse(text, "it is too long", err), NULL;
	if (!rewrite(text, strlen(text), &made, err))
		return refuse(text, err ? err->text : "", err), NULL;
	pcre2_general_context *const memory = pcre2_general_context_create(take, leave, a);
	pcre2_compile_context *const compile = pcre2_compile_context_create(memory);
	pcre2_set_parens_nest_limit(compile, 100);
	p->text = text;
	p->code = pcre2_compile((PCRE2_SPTR)made.at, made.len, options, &code, &at, compile);
	if (p->code)
		return p;
	pcre2_get_error_message(code, why, sizeof why);
	return refuse(text, (const char *)why, err), NULL;
}

/* ---- matching ---------------------------------------------------------------------------------- */

/* A pattern that divides a text, with the data and the limits of its matches. */
struct run {
	const struct pattern *pattern;
	struct cut *c;
	pcre2_match_data *data;
	pcre2_match_context *limits;
};

/* Matches at one place alone, so that the clock is looked at between places: an expression that tries
 * all ways at each of them ends all the same. Returns the end of the match, or SIZE_MAX; false: it
 * took too long. */
static bool match_at(const struct run *r, const char *text, size_t len, size_t at, size_t *end)
{
	const uint32_t options = PCRE2_ANCHORED | PCRE2_NO_UTF_CHECK;
	*end = SIZE_MAX;
	if (!cut_in_time(r->c))
		return false;
	const int n = pcre2_match(r->pattern->code, (PCRE2_SPTR)text, len, at, options, r->data,
				  r->limits);
	if (n == PCRE2_ERROR_NOMATCH)
		return true;
	if (n < 0)
		return refuse(r->pattern->text, "it takes too many steps on this text", r->c->err);
	*end = pcre2_get_ovector_pointer(r->data)[1];
	*end = *end < at ? at : *end; /* of \K in an assertion */
	return true;
}

static void add(struct part **out, size_t *n, size_t from, size_t to, bool matches)
{
	(*out)[(*n)++] = (struct part){from, to, matches};
}

/* Walks along the text: a match, or one letter further. */
static bool divide(const struct run *r, const char *text, size_t len, struct part **out, size_t *n)
{
	size_t done = 0, end, letter;
	for (size_t at = 0; at < len;) {
		if (!match_at(r, text, len, at, &end))
			return false;
		code_at(text + at, len - at, &letter);
		if (end == SIZE_MAX) {
			at += letter;
			continue;
		}
		if (done < at)
			add(out, n, done, at, false);
		if (end > at)
			add(out, n, at, end, true);
		done = end;
		at = end > at ? end : at + letter;
	}
	if (done < len)
		add(out, n, done, len, false);
	return true;
}

bool pattern_parts(const struct pattern *p, struct cut *c, const char *text, size_t len,
		   struct part **out, size_t *n)
{
	struct arena own;
	arena_init(&own);
	pcre2_general_context *const memory = pcre2_general_context_create(take, leave, &own);
	const struct run r = {.pattern = p,
			      .c = c,
			      .data = pcre2_match_data_create(1, memory),
			      .limits = pcre2_match_context_create(memory)};
	pcre2_set_match_limit(r.limits, STEPS);
	pcre2_set_heap_limit(r.limits, KILOBYTES);
	*out = arena_calloc(c->a, 2 * len + 1, sizeof **out);
	*n = 0;
	const bool ok = divide(&r, text, len, out, n);
	arena_release(&own);
	return ok;
}
