/* help_drawing.c: see help_drawing.h. */
#include "help_drawing.h"

#include "posviz/base/rng.h"

static const struct drawn_edge *edges_of(struct arena *a, const long *parent,
					 const char *const *labels, size_t n, size_t *n_edges)
{
	struct drawn_edge *edges = arena_calloc(a, n + 1, sizeof *edges);
	*n_edges = 0;
	for (size_t i = 0; i < n; i++)
		if (parent[i] >= 0)
			edges[(*n_edges)++] =
				(struct drawn_edge){(size_t)parent[i], i, labels ? labels[i] : ""};
	return edges;
}

struct drawing help_drawn_words(struct arena *a, const size_t *order)
{
	static const char *const words[] = {"The", "cat", "chased", "the", "dog", "."};
	static const char *const labels[] = {"det", "nsubj", "root", "det", "obj", "punct"};
	static const long parent[] = {1, 2, -1, 4, 2, 2};
	const char **tokens = arena_calloc(a, 6, sizeof *tokens);
	long *node = arena_calloc(a, 6, sizeof *node);
	struct drawing d = {.kind = DRAWING_ARCS,
			    .n_tokens = 6,
			    .tokens = tokens,
			    .node = node,
			    .n = 6,
			    .names = words,
			    .parent = parent,
			    .directed = true};
	for (size_t i = 0; i < 6; i++) {
		node[i] = (long)(order ? order[i] : i);
		tokens[i] = words[node[i]];
	}
	d.edges = edges_of(a, parent, labels, 6, &d.n_edges);
	return d;
}

struct drawing help_drawn_tree(struct arena *a)
{
	static const char *const names[] = {"S",   "NP", "DT",	"The", "NN",
					    "cat", "VP", "VBD", "ran"};
	static const long parent[] = {-1, 0, 1, 2, 1, 4, 0, 6, 7};
	static const size_t branch[] = {0, 0, 0, 0, 1, 0, 1, 0, 0};
	static const char *const tokens[] = {"The", "cat", "ran"};
	static const long node[] = {3, 5, 8};
	struct drawing d = {.kind = DRAWING_TREE,
			    .n_tokens = 3,
			    .tokens = tokens,
			    .node = node,
			    .n = 9,
			    .names = names,
			    .parent = parent,
			    .branch = branch,
			    .directed = true};
	d.edges = edges_of(a, parent, NULL, 9, &d.n_edges);
	return d;
}

struct drawing help_drawn_graph(struct arena *a)
{
	static const char *const names[] = {"want-01", "boy", "go-01", "alone"};
	static const struct drawn_edge edges[] = {{0, 1, "ARG0"}, {0, 2, "ARG1"}, {2, 1, "ARG0"}};
	static const long node[] = {0, 1, 2, 3};
	(void)a;
	return (struct drawing){.kind = DRAWING_GRAPH,
				.n_tokens = 4,
				.tokens = names,
				.node = node,
				.n = 4,
				.names = names,
				.edges = edges,
				.n_edges = 3,
				.directed = true};
}

struct drawing help_drawn_pieces(struct arena *a)
{
	static const char *const tokens[] = {"The", "cat", "chas", "##ed", "the", "dog", "."};
	static const long node[] = {0, 1, 2, 2, 3, 4, 5};
	struct drawing d = help_drawn_words(a, NULL);
	d.n_tokens = 7;
	d.tokens = tokens;
	d.node = node;
	return d;
}

struct drawing help_drawn_fact(struct arena *a)
{
	static const char *const names[] = {"New York", "borders", "Vermont"};
	static const char *const tokens[] = {"New", "York", "borders", "Vermont"};
	static const long node[] = {0, 0, 1, 2};
	static const struct drawn_edge edges[] = {{0, 1, ""}, {1, 2, ""}};
	(void)a;
	return (struct drawing){.kind = DRAWING_GRAPH,
				.n_tokens = 4,
				.tokens = tokens,
				.node = node,
				.n = 3,
				.names = names,
				.edges = edges,
				.n_edges = 2,
				.directed = true};
}

/* Makes the middle of [lo, hi) the governor of the middles of both sides, recursively. */
static void govern(long *parent, size_t lo, size_t hi, long governor)
{
	const size_t middle = lo + (hi - lo) / 2;
	if (lo >= hi)
		return;
	parent[middle] = governor;
	govern(parent, lo, middle, (long)middle);
	govern(parent, middle + 1, hi, (long)middle);
}

struct drawing help_drawn_long(struct arena *a, size_t n)
{
	const char **words = arena_calloc(a, n, sizeof *words);
	const char **labels = arena_calloc(a, n, sizeof *labels);
	long *parent = arena_calloc(a, n, sizeof *parent), *node = arena_calloc(a, n, sizeof *node);
	for (size_t i = 0; i < n; i++) {
		words[i] = arena_printf(a, "w%zu", i + 1);
		labels[i] = arena_printf(a, "r%zu", i + 1);
		node[i] = (long)i;
	}
	govern(parent, 0, n, -1);
	struct drawing d = {.kind = DRAWING_ARCS,
			    .n_tokens = n,
			    .tokens = words,
			    .node = node,
			    .n = n,
			    .names = words,
			    .parent = parent,
			    .directed = true};
	d.edges = edges_of(a, parent, labels, n, &d.n_edges);
	return d;
}

struct drawing help_drawn_forest(struct arena *a, size_t n, enum drawing_kind kind, uint64_t seed)
{
	static const char *const some[] = {"a", "猫", "Donaudampfschifffahrt", "عربي", "word", ","};
	static const char *const names[] = {"nsubj", "", "acl:relcl", "conj", "x"};
	struct rng rng;
	rng_init(&rng, seed);
	const char **words = arena_calloc(a, n, sizeof *words);
	const char **labels = arena_calloc(a, n, sizeof *labels);
	long *parent = arena_calloc(a, n, sizeof *parent), *node = arena_calloc(a, n, sizeof *node);
	size_t *order = arena_calloc(a, n, sizeof *order);
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	rng_shuffle(&rng, order, n);
	for (size_t i = 0; i < n;
	     i++) { /* roots are the first node in this order, and a few others */
		const bool root = i == 0 || rng_below(&rng, 12) == 0;
		parent[order[i]] = root ? -1 : (long)order[rng_below(&rng, i)];
		words[i] = some[rng_below(&rng, 6)];
		labels[i] = names[rng_below(&rng, 5)];
		node[i] = (long)i;
	}
	struct drawing d = {.kind = kind,
			    .n_tokens = n,
			    .tokens = words,
			    .node = node,
			    .n = n,
			    .names = words,
			    .parent = kind == DRAWING_GRAPH ? NULL : parent,
			    .directed = seed % 2 == 0};
	d.edges = edges_of(a, parent, labels, n, &d.n_edges);
	return d;
}

void help_point(struct drawing *d, size_t query, size_t key)
{
	d->has_cursor = true;
	d->query = query;
	d->key = key;
}
