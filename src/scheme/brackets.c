/* brackets.c: one scan recognises brackets and quotes; the other functions use it. */
#include "brackets.h"

#include <string.h>

#include "posviz/base/value.h"

/* Returns the index of the quote that closes the one at text[0], or `len` when there is none. */
static size_t quote_end(const char *text, size_t len)
{
	for (size_t at = 1; at < len; at++) {
		if (text[at] == '"')
			return at;
		if (text[at] == '\\' && at + 1 < len &&
		    (text[at + 1] == '"' || text[at + 1] == '\\'))
			at++;
	}
	return len;
}

static char closing(char open)
{
	return open == '(' ? ')' : open == '[' ? ']' : open == '{' ? '}' : '\0';
}

size_t bracket_length(const char *text, size_t len, const char *ends, size_t *wrong)
{
	size_t open[BRACKET_DEPTH], depth = 0;
	*wrong = len + 1;
	for (size_t at = 0; at < len; at++) {
		const char c = text[at];
		if (depth == 0 && c != '\0' && strchr(ends, c))
			return at;
		if (c == '"') {
			const size_t end = at + quote_end(text + at, len - at);
			if (end == len) {
				*wrong = at;
				return len;
			}
			at = end;
		} else if (closing(c) != '\0') {
			if (depth == BRACKET_DEPTH) {
				*wrong = at;
				return at;
			}
			open[depth++] = at;
		} else if (c == ')' || c == ']' || c == '}') {
			if (depth == 0 || closing(text[open[depth - 1]]) != c) {
				*wrong = at;
				return len;
			}
			depth--;
		}
	}
	if (depth > 0)
		*wrong = open[depth - 1];
	return len;
}

static bool is_quoted(const char *value, size_t len)
{
	return len >= 2 && value[0] == '"' && quote_end(value, len) == len - 1;
}

const char *bracket_unquote(struct arena *a, const char *value, size_t len)
{
	const bool quoted = is_quoted(value, len);
	char *const out = arena_alloc(a, len + 1);
	size_t n = 0;
	for (size_t at = quoted; at < len - quoted; at++) {
		if (quoted && value[at] == '\\' && (value[at + 1] == '"' || value[at + 1] == '\\'))
			at++;
		out[n++] = value[at];
	}
	out[n] = '\0';
	return out;
}

size_t bracket_place(const char *value, size_t len, size_t at)
{
	if (!is_quoted(value, len))
		return at;
	size_t place = 1;
	for (; at > 0; at--, place++)
		place += value[place] == '\\' &&
			 (value[place + 1] == '"' || value[place + 1] == '\\');
	return place;
}

/* Returns whether the unquoted text, parsed as a value, gives itself. */
static bool reads_back(const char *text, size_t len)
{
	size_t wrong = 0;
	return len > 0 && strchr(text, '"') == NULL && !value_is_blank(text[0]) &&
	       !value_is_blank(text[len - 1]) && bracket_length(text, len, ",)", &wrong) == len &&
	       wrong > len;
}

void bracket_quote(struct strbuf *out, const char *text)
{
	if (reads_back(text, strlen(text))) {
		strbuf_add(out, text);
		return;
	}
	strbuf_add_char(out, '"');
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\')
			strbuf_add_char(out, '\\');
		strbuf_add_char(out, *text);
	}
	strbuf_add_char(out, '"');
}
