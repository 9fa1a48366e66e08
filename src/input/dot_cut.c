/* dot_cut.c: one DOT graph of a text, cut out before libcgraph sees it.
 *
 * libcgraph keeps the unread rest of a text for the next call, takes a line "# 12 file" for a
 * new location, makes every edge of a product of groups however many there are, needs quadratic
 * time for a long name, and stores a value of each attribute for each node and edge. So it is
 * given exactly one graph, in which strings, comments and brackets are well-formed, names,
 * groups and edges are limited before they are made, and only attributes that we read are left. */
#include <string.h>
#include <strings.h>

#include "input/graph_in.h"
#include "posviz/base/text.h"

enum {
	MOST_NAMES = 2 * STRUCTURE_MAX_EDGES,
	MOST_GROUPS = 1 << 16,
	MOST_EDGES = STRUCTURE_MAX_EDGES
};

struct group {
	const char *place;
	size_t names;	 /* number seen before it */
	size_t waiting;	 /* nodes on the other side of the arrow in front of it */
	bool open_ended; /* it has a name, or a node in it has: more nodes may be elsewhere */
};

struct scan {
	const struct source *source;
	struct err *err;
	char *at;
	size_t names; /* of nodes, counted at each occurrence */
	size_t edges; /* at most */
	size_t groups;
	size_t last;	   /* nodes of the operand just read */
	size_t waiting;	   /* nodes on the left of an arrow; 0: no arrow */
	bool subgraph;	   /* the keyword was the last thing read */
	bool named;	   /* the name of a subgraph was read too */
	bool port;	   /* a colon was read: no node follows */
	size_t attributes; /* square brackets open */
	struct group open[STRUCTURE_MAX_DEPTH];
	size_t depth;
};

static bool is_name(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       c == '_' || c == '.' || (unsigned char)c >= 0x80;
}

static void blank_out(char *at, const char *end)
{
	for (; at < end; at++)
		if (*at != '\n')
			*at = ' ';
}

static bool first_of_line(const struct scan *s)
{
	const char *at = s->at;
	while (at > s->source->at && (at[-1] == ' ' || at[-1] == '\t'))
		at--;
	return at == s->source->at || at[-1] == '\n' || at[-1] == '\r';
}

/* Skips blanks and comments; comments become blanks. */
static bool skip_blanks(struct scan *s)
{
	for (;;) {
		s->at += strspn(s->at, " \t\n\v\f\r");
		char *end = NULL;
		if ((*s->at == '#' && first_of_line(s)) || strncmp(s->at, "//", 2) == 0) {
			end = s->at + strcspn(s->at, "\n\r");
		} else if (strncmp(s->at, "/*", 2) == 0) {
			end = strstr(s->at + 2, "*/");
			if (!end)
				return source_blame_at(s->source, s->at, s->err,
						       "a comment is opened and not closed");
			end += 2;
		} else {
			return true;
		}
		blank_out(s->at, end);
		s->at = end;
	}
}

static bool pass_string(struct scan *s)
{
	const char *const begin = s->at++;
	for (; *s->at != '"'; s->at++) {
		if (*s->at == '\\' && s->at[1] != '\0')
			s->at++;
		if (*s->at == '\0')
			return source_blame_at(s->source, begin, s->err,
					       "a quote is opened and not closed");
	}
	s->at++;
	return true;
}

static bool pass_html(struct scan *s)
{
	const char *const begin = s->at;
	size_t depth = 0;
	do {
		if (*s->at == '\0')
			return source_blame_at(s->source, begin, s->err,
					       "an HTML text is opened with < and not closed");
		depth += *s->at == '<';
		depth -= *s->at == '>';
		s->at++;
	} while (depth > 0);
	return true;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static void end_operand(struct scan *s, size_t nodes)
{
	size_t most = 0;
	if (s->waiting > 0)
		most = nodes <= MOST_EDGES / s->waiting ? nodes * s->waiting : MOST_EDGES + 1;
	s->edges += most;
	s->waiting = 0;
	s->last = nodes;
}

static bool word_is(const char *at, size_t len, const char *word)
{
	return len == strlen(word) && strncasecmp(at, word, len) == 0;
}

static void name(struct scan *s, const char *at, size_t len, bool attribute)
{
	const bool port = s->port;
	s->port = false;
	if (s->attributes > 0 || port || attribute)
		return;
	s->named = false;
	if (s->subgraph) {
		s->subgraph = false;
		s->named = true;
	} else if (word_is(at, len, "subgraph")) {
		s->subgraph = true;
	} else {
		s->names++;
		end_operand(s, 1);
	}
}

static bool open_group(struct scan *s)
{
	if (s->depth == STRUCTURE_MAX_DEPTH)
		return source_blame_at(s->source, s->at, s->err,
				       "brackets are nested more than %d deep",
				       STRUCTURE_MAX_DEPTH);
	s->open[s->depth++] = (struct group){
		.place = s->at, .names = s->names, .waiting = s->waiting, .open_ended = s->named};
	s->groups++;
	s->waiting = 0;
	s->named = s->subgraph = false;
	return true;
}

static void close_group(struct scan *s)
{
	const struct group g = s->open[--s->depth];
	s->waiting = g.waiting;
	end_operand(s, g.open_ended ? s->names : s->names - g.names);
	if (s->depth > 0 && g.open_ended)
		s->open[s->depth - 1].open_ended = true;
	s->subgraph = s->named = false;
}

/* ---- one graph ------------------------------------------------------------------------------- */

static bool begins_word(char c)
{
	return c == '"' || c == '<' || is_name(c);
}

/* Passes a word and the parts joined to it: "a" + "b". Comments inside are blanks by then. */
static bool pass_word(struct scan *s)
{
	const char *const begin = s->at;
	const bool quoted = *begin == '"';
	if (quoted ? !pass_string(s) : *begin == '<' && !pass_html(s))
		return false;
	while (*begin != '"' && *begin != '<' && is_name(*s->at))
		s->at++;
	char *end = s->at;
	while (quoted && skip_blanks(s) && *s->at == '+') {
		s->at++;
		if (!skip_blanks(s) || (*s->at == '"' && !pass_string(s)))
			return false;
		end = s->at;
	}
	s->at = end;
	if ((size_t)(end - begin) <= STRUCTURE_MAX_NAME)
		return true;
	return source_blame_at(s->source, begin, s->err,
			       "a name or label of %zu bytes: at most %d are read",
			       (size_t)(end - begin), STRUCTURE_MAX_NAME);
}

/* Passes the value after a name, if that is an attribute. An attribute that is not used becomes
 * blanks. */
static bool pass_value(struct scan *s, char *begin, size_t len, bool *attribute)
{
	static const char *const kept[] = {"label",	"charset",     "shape",
					   "\"label\"", "\"charset\"", "\"shape\""};
	static const char *const words[] = {"node",    "edge",	   "graph",
					    "digraph", "subgraph", "strict"};
	bool keep = s->subgraph || s->waiting > 0; /* it is misplaced */
	if (!skip_blanks(s))
		return false;
	*attribute = *s->at == '=';
	if (!*attribute)
		return true;
	s->at++;
	if (!skip_blanks(s))
		return false;
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		keep |= strlen(kept[i]) == len && memcmp(kept[i], begin, len) == 0;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		keep |= word_is(begin, len, words[i]); /* an error that libcgraph reports */
	if (!begins_word(*s->at))
		return true;
	if (!pass_word(s))
		return false;
	if (keep)
		return true;
	char *end = s->at;
	if (!skip_blanks(s))
		return false;
	end = *s->at == ',' || *s->at == ';' ? ++s->at : end;
	blank_out(begin, end);
	return true;
}

static bool pass_name(struct scan *s)
{
	char *const begin = s->at;
	bool attribute = false;
	if (!pass_word(s))
		return false;
	const size_t len = (size_t)(s->at - begin);
	if (!s->port && !pass_value(s, begin, len, &attribute))
		return false;
	name(s, begin, len, attribute);
	return true;
}

static void pass_sign(struct scan *s)
{
	const char c = *s->at;
	const bool arrow = c == '-' && (s->at[1] == '-' || s->at[1] == '>');
	s->subgraph = s->named = false;
	s->port = c == ':';
	s->attributes += c == '[';
	s->attributes -= c == ']' && s->attributes > 0;
	if (arrow && s->attributes == 0)
		s->waiting = s->last;
	s->at += arrow ? 2 : 1;
}

static bool pass_lexeme(struct scan *s)
{
	const char c = *s->at;
	if (begins_word(c)) {
		if (!pass_name(s))
			return false;
	} else if (c == '{') {
		if (!open_group(s))
			return false;
		s->at++;
	} else if (c == '}') {
		if (s->depth == 0)
			return source_blame_at(s->source, s->at, s->err,
					       "a bracket is closed that was not opened");
		close_group(s);
		s->at++;
	} else {
		pass_sign(s);
	}
	if (s->names > MOST_NAMES || s->edges > MOST_EDGES)
		return source_blame_at(
			s->source, s->at, s->err,
			"too large a graph: at most %d edges, and %d names of nodes, "
			"are read",
			MOST_EDGES, MOST_NAMES);
	if (s->groups > MOST_GROUPS)
		return source_blame_at(s->source, s->at, s->err,
				       "too large a graph: at most %d groups { } are read",
				       MOST_GROUPS);
	return true;
}

static bool blame_end(struct scan *s, const char *begin)
{
	char quoted[128];
	if (s->depth > 0)
		return source_blame_at(s->source, s->open[s->depth - 1].place, s->err,
				       "this bracket is not closed");
	return source_blame_at(s->source, begin, s->err,
			       "%s is no graph: graph { a -- b } or digraph { a -> b }",
			       text_quote_buf(quoted, sizeof quoted, begin, strlen(begin)));
}

/* Scans the graph up to the bracket that closes its first one. */
static bool scan_graph(struct scan *s, struct dot_piece *out)
{
	*out = (struct dot_piece){.begin = s->at};
	for (;;) {
		if (*s->at == '\0')
			return blame_end(s, out->begin);
		const bool closes = *s->at == '}';
		if (!pass_lexeme(s))
			return false;
		if (closes && s->depth == 0)
			break;
		if (!skip_blanks(s))
			return false;
	}
	out->end = s->at;
	return true;
}

bool dot_cut(const struct source *source, char **at, struct dot_piece *out, struct err *err)
{
	*out = (struct dot_piece){0};
	struct scan s = {.source = source, .err = err, .at = *at};
	if (!skip_blanks(&s))
		return false;
	if (*s.at != '\0' && !scan_graph(&s, out))
		return false;
	*at = s.at;
	return true;
}
