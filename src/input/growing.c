/* growing.c: see growing.h. */
#include "input/growing.h"

#include <string.h>

#include "posviz/base/text.h"

static const char blanks[] = " \t\n\v\f\r";

void *grow_array(struct arena *a, void *array, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return array;
	*cap = *cap > 0 ? 2 * *cap : 16;
	void *out = arena_calloc(a, *cap, size);
	if (n > 0)
		memcpy(out, array, n * size);
	return out;
}

void growing_init(struct growing *g, struct arena *a)
{
	*g = (struct growing){.a = a, .directed = true, .root = -1};
	interned_init(&g->edge_labels, a);
	strbuf_init(&g->note, a);
}

size_t growing_add_node(struct growing *g, const char *label)
{
	g->labels = grow_array(g->a, g->labels, g->n, &g->nodes_cap, sizeof *g->labels);
	g->labels[g->n] = label[strspn(label, blanks)] != '\0' ? label : "\"\"";
	return g->n++;
}

void growing_add_edge(struct growing *g, size_t from, size_t to, const char *label)
{
	BUG_IF(from >= g->n || to >= g->n);
	if (from == to) {
		g->loops++;
		return;
	}
	g->edges = grow_array(g->a, g->edges, g->n_edges, &g->edges_cap, sizeof *g->edges);
	g->edges[g->n_edges++] = (struct edge){
		.from = from, .to = to, .label = interned_add(&g->edge_labels, label)};
}

/* Keeps the first of equal edges; both directions of an undirected edge are equal. */
static void drop_repeated(struct growing *g)
{
	struct interned seen;
	interned_init(&seen, g->a);
	size_t kept = 0;
	for (size_t i = 0; i < g->n_edges; i++) {
		const struct edge e = g->edges[i];
		const bool turn = !g->directed && e.to < e.from;
		const size_t before = seen.n;
		interned_add(&seen, arena_printf(g->a, "%zu %zu %d", turn ? e.to : e.from,
						 turn ? e.from : e.to, e.label));
		if (seen.n > before)
			g->edges[kept++] = e;
	}
	if (kept < g->n_edges)
		note_add(&g->note, "%s left out",
			 count_text(g->a, g->n_edges - kept, "repeated edge"));
	g->n_edges = kept;
}

static const char **all_escaped(struct arena *a, const char *const *texts, size_t n)
{
	const char **out = arena_calloc(a, n + 1, sizeof *out);
	for (size_t i = 0; i < n; i++)
		out[i] = text_escape(a, texts[i], strlen(texts[i]));
	return out;
}

static bool make_tokens(const struct growing *g, const struct source *source,
			struct structured *out, struct err *err)
{
	out->token_text = arena_calloc(g->a, INPUT_MAX_TOKENS, sizeof *out->token_text);
	out->structure.node_of = arena_calloc(g->a, INPUT_MAX_TOKENS, sizeof(long));
	size_t n = 0;
	for (size_t i = 0; i < g->n; i++) {
		const char *at = g->labels[i] + strspn(g->labels[i], blanks);
		for (; *at != '\0'; at += strspn(at, blanks)) {
			const size_t len = strcspn(at, blanks);
			if (n == INPUT_MAX_TOKENS)
				return source_blame(source, 0, err,
						    "more than %d words in the labels of the nodes:"
						    " no more can be shown",
						    INPUT_MAX_TOKENS);
			out->token_text[n] = arena_strndup(g->a, at, len);
			out->structure.node_of[n++] = (long)i;
			at += len;
		}
	}
	out->n_tokens = out->structure.tokens = n;
	return true;
}

bool growing_finish(struct growing *g, const struct source *source, struct structured *out,
		    struct err *err)
{
	if (g->n == 0)
		return source_blame(source, 0, err, "the graph is empty: it needs a node");
	if (g->n > STRUCTURE_MAX_NODES)
		return source_blame(source, 0, err, "%zu nodes: at most %d can be shown", g->n,
				    STRUCTURE_MAX_NODES);
	if (g->loops > 0)
		note_add(&g->note, "%s left out", count_text(g->a, g->loops, "self-loop"));
	drop_repeated(g);
	*out = (struct structured){
		.structure = {.kind = STRUCTURE_GRAPH,
			      .n = g->n,
			      .names = all_escaped(g->a, g->labels, g->n),
			      .edges = g->edges,
			      .n_edges = g->n_edges,
			      .edge_labels = all_escaped(g->a, g->edge_labels.at, g->edge_labels.n),
			      .n_labels = g->edge_labels.n,
			      .directed = g->directed,
			      .root = g->root,
			      .note = g->note.len > 0 ? g->note.at : NULL}};
	return make_tokens(g, source, out, err);
}
