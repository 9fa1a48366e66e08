/* graphormer_paths.c: shortest paths between tokens, and the numbers of their edges (graphormer.h).
 *
 * A path enters only by the labels of its first edges, and few sequences of labels occur: they
 * are numbered as they are found, each is embedded once, and a pair reads the number of its own. */
#include "posviz/model/stage.h"
#include "scheme/graphormer.h"

struct graphormer_state *graphormer_state(struct run *run, const struct member *m)
{
	struct graphormer_state *state = run_kept(run, m);
	return state ? state : run_state(run, m, sizeof *state);
}

enum { VIRTUAL = -1 }; /* φ to and from the virtual node */
static long bias_row(const struct graphormer *p, int32_t phi)
{
	if (phi == VIRTUAL)
		return p->d_max + 2;
	return phi == RELATION_NO_PATH ? p->d_max + 1 : phi < p->d_max ? phi : p->d_max;
}

/* Computes φ and the number of the sequence of one pair; `found` is from t's node, or NULL if it
 * has none. */
static void relate_pair(const struct graphormer_pairs *pairs, const struct walks *found, size_t t,
			size_t s, int32_t *phi, int32_t *path)
{
	*phi = t == s ? 0 : RELATION_NO_PATH;
	*path = t == s ? SEQUENCE_EMPTY : SEQUENCE_NO_PATH;
	if (found && pairs->node[s] >= 0) {
		*phi = found->distance[pairs->node[s]];
		*path = found->sequence[pairs->node[s]];
	}
}

static void relate_pairs(struct graphormer_pairs *pairs, const struct graphormer *p,
			 const struct structure *structure, size_t n, size_t virtual,
			 struct arena *a)
{
	struct walks *walks = &pairs->walks;
	walks_init(walks, structure, graphormer_ways(p), p->hops, p->types, a);
	pairs->phi = arena_alloc(a, (n * n + 1) * sizeof *pairs->phi);
	int32_t *rows = arena_alloc(a, (n * n + 1) * sizeof *rows);
	int32_t *paths = arena_alloc(a, (n * n + 1) * sizeof *paths);
	for (size_t t = 0; t < n; t++) {
		const bool stands = pairs->node[t] >= 0;
		if (stands)
			walks_from(walks, (size_t)pairs->node[t]);
		for (size_t s = 0; s < n; s++) {
			const size_t i = t * n + s;
			relate_pair(pairs, stands ? walks : NULL, t, s, &pairs->phi[i], &paths[i]);
			if (t == virtual || s == virtual) {
				pairs->phi[i] = VIRTUAL;
				paths[i] = -1;
			}
			rows[i] = (int32_t)bias_row(p, pairs->phi[i]);
		}
	}
	pairs->bias = (struct index){n, n, (size_t)p->d_max + 3, rows};
	pairs->path = (struct index){n, n, walks->n_sequences, paths};
	walks->arena = NULL; /* the block may be moved with its arena */
}

/* The authors' code sums rows of the adjacency for both tables, which are equal for undirected
 * graphs. */
static void count_degrees(struct graphormer_pairs *pairs, const struct graphormer *p,
			  const struct structure *structure, size_t n, struct arena *a)
{
	static const unsigned ways[SIDES] = {[SIDE_IN] = AGAINST, [SIDE_OUT] = ALONG};
	for (enum side k = 0; k < SIDES; k++) {
		const struct arcs arcs =
			arcs_of(structure, p->form == FORM_CODE ? graphormer_ways(p) : ways[k], a);
		double *degree = arena_calloc(a, n + 1, sizeof *degree);
		for (size_t i = 0; i < n; i++) {
			const long node = pairs->node[i];
			if (node >= 0)
				degree[i] = (double)(arcs.first[node + 1] - arcs.first[node]);
		}
		pairs->degree[k] = degree;
	}
}

static const void *build_pairs(struct run *run, const struct member *m, const void *context,
			       struct arena *own, struct err *err)
{
	(void)err;
	const size_t n = run->n, *virtual = context;
	struct graphormer_pairs *pairs = arena_calloc(own, 1, sizeof *pairs);
	const struct structure *structure = run_structure(run, &pairs->chain);
	long *node = arena_calloc(own, n + 1, sizeof *node);
	for (size_t i = 0; i < n; i++)
		node[i] = run_node(run, i);
	pairs->node = node;
	count_degrees(pairs, m->param, structure, n, own);
	relate_pairs(pairs, m->param, structure, n, *virtual, own);
	return pairs;
}

/* Other members may have inserted tokens before the virtual node, so its position is part of the
 * name. */
const struct graphormer_pairs *graphormer_relate(struct run *run, const struct member *m)
{
	struct graphormer_state *state = graphormer_state(run, m);
	if (state->pairs)
		return state->pairs;
	size_t virtual = run->n;
	for (size_t i = 0; state->virtual && i < run->n; i++)
		if (run->queries->labels[i] == state->virtual)
			virtual = i;
	const struct cached what = {
		.name = arena_printf(run->arena, "pairs, virtual node %zu", virtual),
		.of_structure = true,
		.build = build_pairs,
		.context = &virtual};
	return state->pairs = run_cached_block(run, m, &what, NULL);
}

static const char *graphormer_says(const struct relation *r, int32_t value,
				   const struct relation_cell *at, struct arena *a)
{
	(void)at;
	if (value == RELATION_NO_PATH)
		return "no path";
	if (value == VIRTUAL)
		return "to or from the virtual node";
	if (value == 0)
		return "the same node";
	return arena_printf(a, "%d edge%s%s away", (int)value, value == 1 ? "" : "s",
			    value == r->limit ? " or more" : "");
}

static const struct relation_name graphormer_names[] = {{VIRTUAL, "[VNode]", "V"}, {0}};

bool graphormer_relation(struct run *run, const struct member *m, struct relation *out,
			 struct err *err)
{
	(void)err;
	const struct graphormer *p = m->param;
	const struct graphormer_pairs *pairs = graphormer_relate(run, m);
	const size_t cells = run->n * run->n;
	int32_t *at = arena_alloc(run->arena, (cells + 1) * sizeof *at);
	for (size_t i = 0; i < cells; i++)
		at[i] = pairs->phi[i] < p->d_max ? pairs->phi[i] : (int32_t)p->d_max;
	*out = (struct relation){.title = "shortest path φ(t,s)",
				 .n = run->n,
				 .at = at,
				 .says = graphormer_says,
				 .note = arena_printf(run->arena, "%sfrom %ld edges on one number",
						      pairs->chain ? "no structure: a chain; " : "",
						      p->d_max),
				 .limit = (int32_t)p->d_max,
				 .names = graphormer_names};
	return true;
}

/* Returns the vectors of all labels, followed by that of the padding. */
static struct node *edge_vectors(struct run *run, const struct member *m)
{
	const struct graphormer *p = m->param;
	const struct mat none = mat_zero(run->arena, 1, graphormer_edge_dim(run->model, p));
	struct node *parts[] = {run_leaf(run, m, "x_edge"), p->form == FORM_CODE
								    ? run_leaf(run, m, "x_pad")
								    : tape_const(run->tape, none)};
	return tape_concat_rows(run->tape, parts, 2);
}

/* Returns labels[hop][sequence]; `pad` after the end. Parents come before their children. */
static int32_t *sequence_labels(const struct walks *w, size_t hops, int32_t pad, struct arena *a)
{
	int32_t *labels = arena_alloc(a, (w->n_sequences * hops + 1) * sizeof *labels);
	for (size_t n = 0; n < hops; n++)
		for (size_t i = 0; i < w->n_sequences; i++) {
			const struct sequence *one = &w->sequences[i];
			int32_t *at = &labels[n * w->n_sequences + i];
			if ((size_t)one->length <= n)
				*at = pad;
			else if ((size_t)one->length == n + 1)
				*at = one->label;
			else
				*at = labels[n * w->n_sequences + (size_t)one->parent];
		}
	return labels;
}

/* Returns the divisor of the sum as a factor: the edges that count; in the authors' code 1 for a
 * node with itself, and the largest possible number without a path, where all is padding. */
static struct mat sequence_shares(const struct walks *w, size_t hops, struct arena *a)
{
	const struct mat share = mat_new(a, w->n_sequences, 1);
	for (size_t i = 0; i < w->n_sequences; i++)
		share.at[i] = i == SEQUENCE_EMPTY     ? 1
			      : i == SEQUENCE_NO_PATH ? 1 / (double)hops
						      : 1 / (double)w->sequences[i].length;
	return share;
}

struct node *graphormer_edges(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct graphormer *p = m->param;
	const struct walks *w = &graphormer_relate(run, m)->walks;
	const size_t hops = (size_t)p->hops, dim = graphormer_edge_dim(run->model, p);
	struct tape *t = run->tape;
	struct node *x = edge_vectors(run, m), *w_hop = run_leaf(run, m, "w_hop"), *sum = NULL;
	const int32_t *labels = sequence_labels(w, hops, (int32_t)p->types, run->arena);
	for (size_t n = 0; n < hops; n++) {
		struct node *own = tape_slice(t, w_hop, n * dim, dim, 0, w_hop->v.cols);
		struct node *products = tape_matmul(t, x, false, own, false, 1);
		struct node *read =
			tape_gather_rows(t, products, labels + n * w->n_sequences, w->n_sequences);
		sum = sum ? tape_accumulate(t, sum, read) : read;
	}
	sum = tape_mul(t, sum, tape_const(t, sequence_shares(w, hops, run->arena)));
	return tape_transpose(t, sum);
}
