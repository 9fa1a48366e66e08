/* kind_lines.c: texts by marks at their beginning, and by the first significant line. */
#include "format/kind_in.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* A line without its end and the blanks around it. */
struct line {
	const char *at, *end;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Takes the next line; false after the last. */
static bool next_line(struct line *rest, struct line *out)
{
	if (rest->at == rest->end)
		return false;
	const char *const lf = memchr(rest->at, '\n', (size_t)(rest->end - rest->at));
	*out = (struct line){rest->at, lf ? lf : rest->end};
	rest->at = lf ? lf + 1 : rest->end;
	while (out->at < out->end && is_blank(*out->at))
		out->at++;
	while (out->end > out->at && is_blank(out->end[-1]))
		out->end--;
	return true;
}

static bool begins(const struct line *l, const char *word)
{
	const size_t len = strlen(word);
	return (size_t)(l->end - l->at) >= len && strncasecmp(l->at, word, len) == 0;
}

static bool is_comment(const struct line *l)
{
	return l->at == l->end || *l->at == '#' || begins(l, "//");
}

static bool first_line(const char *at, size_t len, struct line *rest, struct line *out)
{
	*rest = (struct line){at, at + len};
	while (next_line(rest, out))
		if (!is_comment(out))
			return true;
	return false;
}

/* ---- marks ----------------------------------------------------------------------------------- */

static bool contains(const char *at, size_t len, const char *part)
{
	const size_t n = strlen(part);
	for (; len >= n; at++, len--)
		if (strncasecmp(at, part, n) == 0)
			return true;
	return false;
}

static bool look_tags(const char *at, size_t len, struct kind_seen *out)
{
	const struct line text = {at, at + len};
	const size_t head = len < 4096 ? len : 4096;
	if (len == 0 || *at != '<')
		return false;
	if (contains(at, head, "<graphml"))
		return kind_set(out, KIND_GRAPHML, KIND_BY_BYTES, "");
	if (begins(&text, "<!doctype html") || begins(&text, "<html"))
		return kind_set(out, KIND_DOCUMENT, KIND_BY_BYTES, "HTML");
	return begins(&text, "<?xml") && kind_set(out, KIND_DOCUMENT, KIND_BY_BYTES, "XML");
}

static bool is_number(const char *at, const char *end)
{
	const char *const begin = at;
	bool digit = false;
	for (; at < end && strchr("+-.eE0123456789", *at) && *at; at++)
		digit |= isdigit((unsigned char)*at) != 0;
	return at == end && at > begin && digit;
}

/* A line of CoNLL-U: ten columns, the first an id, the eighth the name of a relation. */
static bool is_conllu(const struct line *l)
{
	const char *column = l->at;
	size_t tabs = 0;
	bool named = false;
	if (!isdigit((unsigned char)*l->at))
		return false;
	for (const char *at = l->at; at < l->end; at++) {
		if (*at != '\t')
			continue;
		named |= ++tabs == 8 && !is_number(column, at);
		column = at + 1;
	}
	return tabs == 9 && named;
}

bool kind_look_marks(const char *at, size_t len, struct kind_seen *out)
{
	struct line rest = {at, at + len}, line;
	while (len > 0 && (is_blank(*at) || *at == '\n'))
		at++, len--;
	if (look_tags(at, len, out))
		return true;
	while (next_line(&rest, &line)) {
		if (line.at < line.end && *line.at == '#' &&
		    contains(line.at, (size_t)(line.end - line.at), "global.columns ="))
			return kind_set(out, KIND_CONLLUP, KIND_BY_BYTES, "");
		if (!is_comment(&line))
			return is_conllu(&line) && kind_set(out, KIND_CONLLU, KIND_BY_BYTES, "");
	}
	return false;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* In PENMAN, "(c / charge-01", a slash follows the first word; a bracketed tree has none there. */
static enum kind_id brackets_or_penman(const char *at, const char *end)
{
	const char *const inside = at + 1;
	for (at = inside; at < end && !strchr("()", *at); at++)
		if (*at == '/' && at > inside && is_blank(at[-1]))
			return KIND_PENMAN;
	return KIND_BRACKETS;
}

static const char *skip_white(const char *at, const char *end)
{
	while (at < end && (is_blank(*at) || *at == '\n'))
		at++;
	return at;
}

static const char *skip_word(const char *at, const char *end)
{
	const bool quoted = at < end && *at == '"';
	at += quoted;
	while (at < end && (quoted ? *at != '"' : !strchr(" \t\r\n{", *at)))
		at++;
	return at + (quoted && at < end);
}

/* Returns whether the line begins a graph in DOT: "strict digraph name {". */
static bool is_dot(const char *at, const char *end)
{
	const struct line l = {at, end};
	if (!begins(&l, "strict") && !begins(&l, "graph") && !begins(&l, "digraph"))
		return false;
	if (begins(&l, "strict"))
		at = skip_white(skip_word(at, end), end);
	at = skip_white(skip_word(at, end), end);
	if (at < end && *at != '{')
		at = skip_white(skip_word(at, end), end);
	return at < end && *at == '{';
}

static bool is_arrow(const char *at, const char *end)
{
	return end - at == 2 && memcmp(at, "->", 2) == 0;
}

/* Returns whether the line is "a -> b", or the word that makes edges directed or undirected. */
static bool is_edge(const struct line *l)
{
	const char *const word = skip_word(l->at, l->end);
	const char *const arrow = skip_white(word, l->end);
	const size_t len = (size_t)(l->end - l->at);
	return is_arrow(arrow, skip_word(arrow, l->end)) ||
	       (len == 10 && begins(l, "undirected")) || (len == 8 && begins(l, "directed"));
}

static bool is_script(const struct line *l, bool (*is_command)(const char *word))
{
	char word[64];
	const size_t len = (size_t)(skip_word(l->at, l->end) - l->at);
	if (!is_command || len == 0 || len >= sizeof word)
		return false;
	memcpy(word, l->at, len);
	word[len] = '\0';
	return is_command(word);
}

bool kind_look_lines(const char *at, size_t len, bool (*is_command)(const char *word),
		     struct kind_seen *out)
{
	struct line rest, l;
	const char *const end = at + len;
	if (!first_line(at, len, &rest, &l)) /* only comments */
		return is_command && kind_set(out, KIND_SCRIPT, KIND_BY_LINES, "");
	if (is_dot(l.at, end))
		return kind_set(out, KIND_DOT, KIND_BY_LINES, "");
	if (*l.at == '(')
		return kind_set(out, brackets_or_penman(l.at, end), KIND_BY_LINES, "");
	if (begins(&l, "instance("))
		return kind_set(out, KIND_TRIPLES, KIND_BY_LINES, "");
	if (is_edge(&l))
		return kind_set(out, KIND_EDGES, KIND_BY_LINES, "");
	return is_script(&l, is_command) && kind_set(out, KIND_SCRIPT, KIND_BY_LINES, "");
}

bool kind_has_numbers(const char *at, size_t len)
{
	struct line rest, l;
	if (!first_line(at, len, &rest, &l))
		return false;
	for (int lines = 0; lines < 2; lines += next_line(&rest, &l) ? 1 : 2) {
		for (const char *cell = l.at, *stop; cell < l.end; cell = stop + 1) {
			for (stop = cell; stop < l.end && !strchr(",;\t", *stop);)
				stop++;
			if (is_number(cell, stop))
				return true;
		}
	}
	return false;
}

/* ---- edges ----------------------------------------------------------------------------------- */

/* An edge has three columns at most, of words or between tabs; an arrow may have any label
 * behind it. */
static bool may_be_edge(const struct line *l, bool *edge)
{
	size_t words = 0, tabs = 0;
	for (const char *at = l->at; at < l->end;) {
		const char *const stop = skip_word(at, l->end);
		if (words == 1 &&
		    (is_arrow(at, stop) || (stop - at == 2 && memcmp(at, "--", 2) == 0)))
			return *edge = true;
		words++;
		for (at = stop > at ? stop : at + 1; at < l->end && is_blank(*at); at++)
			tabs += *at == '\t';
	}
	*edge |= words >= 2;
	return words <= 3 || (tabs > 0 && tabs < 3);
}

bool kind_may_be_edges(const char *text, size_t len)
{
	struct line rest = {text, text + len}, l;
	bool edge = false;
	while (next_line(&rest, &l))
		if (!is_comment(&l) && !may_be_edge(&l, &edge))
			return false;
	return edge;
}
