/* fuzz_graph.h: what the fuzzers of graphs ask of every text. */
#ifndef FUZZ_GRAPH_H
#define FUZZ_GRAPH_H

#include <string.h>

#include "input/graph_in.h"
#include "posviz/base/text.h"

typedef bool fuzz_read_fn(const struct source *s, size_t which, size_t *count, struct arena *a,
			  struct structured *out, struct err *err);

static inline void fuzz_check_graph(const struct structured *g)
{
	const struct structure *s = &g->structure;
	BUG_IF(s->n == 0 || s->n > STRUCTURE_MAX_NODES || s->kind != STRUCTURE_GRAPH);
	BUG_IF(g->n_tokens < s->n || g->n_tokens != s->tokens || s->root >= (long)s->n);
	for (size_t i = 0; i < s->n; i++)
		BUG_IF(s->names[i][0] == '\0' || !text_valid(s->names[i], strlen(s->names[i])));
	for (size_t i = 0; i < s->n_edges; i++) {
		const struct edge *e = &s->edges[i];
		BUG_IF(e->from >= s->n || e->to >= s->n || e->from == e->to);
		BUG_IF(e->label < 0 || (size_t)e->label >= s->n_labels);
	}
	for (size_t i = 0; i < g->n_tokens; i++) {
		const long before = i > 0 ? s->node_of[i - 1] : 0;
		BUG_IF(g->token_text[i][0] == '\0');
		BUG_IF(s->node_of[i] < before || s->node_of[i] > before + 1);
	}
	BUG_IF(s->node_of[g->n_tokens - 1] != (long)s->n - 1);
}

static inline void fuzz_check_error(const struct err *err)
{
	const size_t len = strlen(err->text);
	BUG_IF(len == 0 || !text_valid(err->text, len) || strchr(err->text, '\n') != NULL);
}

/* Reads the first graph, and the last of as many as there are; whatever the format, a structure or an
 * error comes out of structure_graph too. */
static inline void fuzz_graph(fuzz_read_fn *read, const void *data, size_t size)
{
	struct arena a;
	arena_init(&a);
	const char *text = arena_strndup(&a, data, size);
	struct source s;
	struct structured g;
	struct err err = {0};
	size_t count = 0, again = 0;
	if (!source_open(&s, "fuzz", text, size, "a graph", &err)) {
		fuzz_check_error(&err);
	} else if (!read(&s, 1, &count, &a, &g, &err)) {
		fuzz_check_error(&err);
	} else {
		fuzz_check_graph(&g);
		if (read(&s, count, &again, &a, &g, &err))
			fuzz_check_graph(&g);
		else
			fuzz_check_error(&err);
		BUG_IF(again > count);
	}
	err = (struct err){0};
	if (structure_graph("fuzz", data, size, 1, &count, &a, &g, &err))
		fuzz_check_graph(&g);
	else
		fuzz_check_error(&err);
	arena_release(&a);
}

#endif
