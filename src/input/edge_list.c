/* edge_list.c: a graph as lines of edges.
 *
 * 	a b label        from, to, and the label, up to the end of the line; also a -> b label
 * 	a -- b label     the same without a direction
 * 	d                a node, alone
 * 	"New York" x     quotes keep blanks, # and arrows; \" and \\ inside
 * 	# a comment, also at the end of a line
 *
 * A first line "undirected" or "directed" decides for lines without arrows; without it the first
 * edge decides for all, and no arrow means ->. */
#include <string.h>

#include "input/graph_in.h"
#include "posviz/base/text.h"

enum direction { UNKNOWN, DIRECTED, UNDIRECTED };

struct list {
	const struct source *source;
	const char *at, *end; /* the rest of the line */
	size_t line;
	enum direction direction;
	size_t decided; /* the line that decided it */
	struct growing graph;
	struct interned nodes;
	struct err *err;
};

struct field {
	const char *at; /* terminated; NULL: missing */
	bool quoted;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static bool is(const struct field *f, const char *word)
{
	return f->at && !f->quoted && strcmp(f->at, word) == 0;
}

static const char *quote(const struct list *l, const char *at, const char *end)
{
	return text_quote(l->graph.a, at, (size_t)(end - at));
}

static bool read_quoted(struct list *l, struct field *f)
{
	const char *const begin = l->at++;
	char *out = arena_calloc(l->graph.a, (size_t)(l->end - begin) + 1, 1);
	*f = (struct field){.at = out, .quoted = true};
	for (; l->at < l->end && *l->at != '"'; l->at++) {
		if (*l->at == '\\' && l->end - l->at > 1)
			l->at++;
		*out++ = *l->at;
	}
	if (l->at == l->end)
		return source_blame(l->source, l->line, l->err,
				    "a quote is opened and not closed: %s",
				    quote(l, begin, l->end));
	l->at++;
	if (l->at < l->end && !is_blank(*l->at))
		return source_blame(l->source, l->line, l->err,
				    "text behind a closing quote: a blank parts the columns");
	return true;
}

static void skip_blanks(struct list *l)
{
	while (l->at < l->end && is_blank(*l->at))
		l->at++;
}

static bool read_field(struct list *l, struct field *f)
{
	skip_blanks(l);
	*f = (struct field){0};
	if (l->at == l->end)
		return true;
	if (*l->at == '"')
		return read_quoted(l, f);
	const char *const begin = l->at;
	while (l->at < l->end && !is_blank(*l->at))
		l->at++;
	f->at = arena_strndup(l->graph.a, begin, (size_t)(l->at - begin));
	return true;
}

/* Reads the rest of the line, or a quoted text. */
static bool read_label(struct list *l, struct field *f)
{
	skip_blanks(l);
	const char *end = l->end;
	while (end > l->at && is_blank(end[-1]))
		end--;
	if (l->at == end || *l->at != '"') {
		*f = (struct field){.at = arena_strndup(l->graph.a, l->at, (size_t)(end - l->at))};
		return true;
	}
	if (!read_quoted(l, f))
		return false;
	skip_blanks(l);
	if (l->at < end)
		return source_blame(l->source, l->line, l->err,
				    "%s behind the label: a line is \"from to label\"",
				    quote(l, l->at, end));
	return true;
}

static bool node_of(struct list *l, const struct field *f, size_t *node)
{
	*node = (size_t)interned_add(&l->nodes, f->at);
	if (*node < l->graph.n)
		return true;
	if (*node == STRUCTURE_MAX_NODES)
		return source_blame(l->source, l->line, l->err,
				    "more than %d nodes: at most %d can be shown",
				    STRUCTURE_MAX_NODES, STRUCTURE_MAX_NODES);
	growing_add_node(&l->graph, f->at);
	return true;
}

static bool decide(struct list *l, enum direction direction)
{
	if (l->direction == UNKNOWN) {
		l->direction = direction;
		l->decided = l->line;
	}
	if (l->direction == direction)
		return true;
	return source_blame(l->source, l->line, l->err,
			    "%s in a list that is %s since line %zu: all edges are of one kind",
			    direction == DIRECTED ? "->" : "--",
			    l->direction == DIRECTED ? "directed" : "undirected", l->decided);
}

static bool is_header(const struct list *l, const struct field *f)
{
	return l->direction == UNKNOWN && l->nodes.n == 0 &&
	       (is(f, "directed") || is(f, "undirected"));
}

static bool read_alone(struct list *l, const struct field *from)
{
	if (is_header(l, from))
		return decide(l, is(from, "directed") ? DIRECTED : UNDIRECTED);
	if (!from->quoted && strpbrk(from->at, ",;"))
		return source_blame(l->source, l->line, l->err,
				    "%s: blanks part the columns, not commas: \"from to label\"",
				    quote(l, from->at, from->at + strlen(from->at)));
	size_t node = 0;
	return node_of(l, from, &node);
}

static bool is_arrow(const struct field *f)
{
	return is(f, "->") || is(f, "--");
}

static bool read_edge(struct list *l, const struct field *from)
{
	struct field to, label;
	if (!read_field(l, &to))
		return false;
	if (!to.at && !is_arrow(from))
		return read_alone(l, from);
	enum direction direction = l->direction == UNKNOWN ? DIRECTED : l->direction;
	if (is_arrow(&to)) {
		direction = is(&to, "->") ? DIRECTED : UNDIRECTED;
		if (!read_field(l, &to))
			return false;
	}
	if (is_arrow(from) || !to.at || is_arrow(&to))
		return source_blame(l->source, l->line, l->err,
				    "an edge without two nodes: a line is \"from to label\" or "
				    "\"from -> to label\"");
	size_t a = 0, b = 0;
	if (!read_label(l, &label) || !decide(l, direction) || !node_of(l, from, &a) ||
	    !node_of(l, &to, &b))
		return false;
	if (l->graph.n_edges == STRUCTURE_MAX_EDGES)
		return source_blame(l->source, l->line, l->err,
				    "more than %d edges: no more are read", STRUCTURE_MAX_EDGES);
	growing_add_edge(&l->graph, a, b, label.at);
	return true;
}

/* Returns the end of the line's content, which a comment may shorten: a # at its start or after
 * a blank, not in quotes. */
static const char *content_end(const char *begin, const char *end)
{
	bool quoted = false;
	for (const char *at = begin; at < end; at++) {
		if (quoted && *at == '\\')
			at++;
		else if (*at == '"' && (quoted || at == begin || is_blank(at[-1])))
			quoted = !quoted;
		else if (!quoted && *at == '#' && (at == begin || is_blank(at[-1])))
			return at;
	}
	return end;
}

static bool read_line(struct list *l, const char *begin, const char *end)
{
	l->at = begin;
	l->end = content_end(begin, end);
	struct field from;
	if (!read_field(l, &from))
		return false;
	return !from.at || read_edge(l, &from);
}

bool graph_edge_list(const struct source *s, struct arena *a, struct structured *out,
		     struct err *err)
{
	struct list l = {.source = s, .line = 1, .err = err};
	growing_init(&l.graph, a);
	interned_init(&l.nodes, a);
	for (const char *at = s->at; at < s->end; l.line++) {
		const char *const stop = at + strcspn(at, "\n\r");
		if (!read_line(&l, at, stop))
			return false;
		at = stop + (strncmp(stop, "\r\n", 2) == 0 ? 2 : 1);
	}
	l.graph.directed = l.direction != UNDIRECTED;
	return growing_finish(&l.graph, s, out, err);
}
