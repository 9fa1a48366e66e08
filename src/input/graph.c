/* graph.c: recognising the format of a graph. */
#include <string.h>
#include <strings.h>

#include "input/graph_in.h"

bool graph_which(const struct source *s, size_t which, size_t count, struct strbuf *note,
		 struct err *err)
{
	if (which < 1 || which > count)
		return source_blame(s, 0, err, "there is no graph %zu: it has %s, counted from 1",
				    which, count_text(note->arena, count, "graph"));
	if (count > 1)
		note_add(note, "graph %zu of %zu", which, count);
	return true;
}

const char *graph_first_byte(const char *at)
{
	for (;;) {
		at += strspn(at, " \t\n\v\f\r");
		if (*at == '#' || strncmp(at, "//", 2) == 0) {
			at += strcspn(at, "\n\r");
			continue;
		}
		const char *close = strncmp(at, "/*", 2) == 0 ? strstr(at + 2, "*/") : NULL;
		if (!close)
			return at;
		at = close + 2;
	}
}

bool graph_starts_dot(const char *at)
{
	static const char *const words[] = {"strict", "graph", "digraph"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const size_t n = strlen(words[i]);
		if (strncasecmp(at, words[i], n) == 0 &&
		    (at[n] == '\0' || strchr(" \t\n\v\f\r{\"</#", at[n])))
			return true;
	}
	return false;
}

bool structure_graph(const char *name, const char *text, size_t len, size_t which, size_t *count,
		     struct arena *a, struct structured *out, struct err *err)
{
	struct source s;
	*count = 0;
	if (!source_open(&s, name, text, len, "a graph", err))
		return false;
	const size_t rest = (size_t)(s.end - s.at);
	s.at = arena_strndup(a, s.at, rest);
	s.end = s.at + rest;
	const char *at = graph_first_byte(s.at);
	if (at == s.end)
		return source_blame(&s, 0, err,
				    "it is empty: a graph is DOT, digraph { a -> b }, or PENMAN, "
				    "(x / see :ARG1 (y / cat)), or its triples, or GraphML, or "
				    "lines "
				    "\"from to label\"");
	bool ok = false;
	if (*at == '(') {
		ok = graph_penman(&s, which, count, a, out, err);
	} else if (*at == '<') {
		ok = graph_graphml(&s, which, count, a, out, err);
	} else if (penman_opens_triple(at, s.end)) {
		ok = graph_triples(&s, which, count, a, out, err);
	} else if (graph_starts_dot(at)) {
		ok = graph_dot(&s, which, count, a, out, err);
	} else {
		*count = 1;
		struct strbuf none;
		strbuf_init(&none, a);
		ok = graph_which(&s, which, 1, &none, err) && graph_edge_list(&s, a, out, err);
	}
	return ok && source_names_fit(&s, out, err);
}
