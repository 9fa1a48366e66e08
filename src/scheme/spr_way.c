/* spr_way.c: see spr_way.h. The number alone does not tell whether two words are on one path to
 * the root, so that is stored beside it. */
#include "scheme/spr_way.h"

#include <stdlib.h>

#include "scheme/tree.h"

struct numbers {
	int32_t *at, *beside; /* [n·n]; `beside` is for the words, or NULL */
};

/* The values of `beside` for a pair: that it is on one path, or both depths; if there is no
 * number, which of the two has a node. */
enum { ON_PATH = -1, DEPTHS = STRUCTURE_MAX_NODES + 1 };
enum { NEITHER, QUERY_ONLY, KEY_ONLY };

/* Fills in rel(t,s) for tokens of which neither is an ancestor of the other: by way of the root,
 * from the left or from the right. */
static void fill_across(const struct numbers *r, const struct run *run, const struct tree *tree,
			const double *place)
{
	const size_t n = run->n;
	int32_t *depth = arena_alloc(run->arena, n * sizeof *depth); /* -1: not in the tree */
	for (size_t i = 0; i < n; i++)
		depth[i] = tree->node[i] >= 0 ? (int32_t)tree_depth(tree, i) : -1;
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++) {
			const int32_t sign = (place[t] > place[s]) - (place[t] < place[s]);
			const bool both = depth[t] >= 0 && depth[s] >= 0;
			if (both)
				r->at[t * n + s] = sign * (depth[t] + depth[s]);
			if (r->beside)
				r->beside[t * n + s] = both ? depth[t] * DEPTHS + depth[s]
						       : depth[t] >= 0 ? QUERY_ONLY
						       : depth[s] >= 0 ? KEY_ONLY
								       : NEITHER;
		}
}

static void relate_along(const struct numbers *r, size_t n, size_t t, size_t s, int32_t value)
{
	r->at[t * n + s] = value;
	if (r->beside)
		r->beside[t * n + s] = ON_PATH;
}

/* Fills in pairs on one path: every token marks itself and its ancestors, and the tokens on
 * these nodes are on one path with it. */
static void fill_along(const struct numbers *r, const struct run *run, const struct tree *tree)
{
	const size_t n = run->n;
	size_t *mark = arena_calloc(run->arena, tree->of->n + 1, sizeof *mark);
	for (size_t t = 0; t < n; t++) {
		for (long up = tree->node[t]; up >= 0; up = tree->of->parent[up])
			mark[up] = t + 1;
		for (size_t s = 0; s < n; s++) {
			if (tree->node[s] < 0 || mark[tree->node[s]] != t + 1)
				continue;
			const int32_t down =
				(int32_t)tree_depth(tree, t) - (int32_t)tree_depth(tree, s);
			relate_along(r, n, t, s, down);
			relate_along(r, n, s, t, -down);
		}
		relate_along(r, n, t, t, 0);
	}
}

static int32_t *no_paths(const struct run *run)
{
	const size_t n = run->n;
	int32_t *at = arena_alloc(run->arena, (n * n + 1) * sizeof *at);
	for (size_t i = 0; i < n * n; i++)
		at[i] = RELATION_NO_PATH;
	return at;
}

/* Computes rel(t,s) of all pairs, before it is clipped. */
static bool numbers_of(struct run *run, const struct member *m, struct tree *tree, bool beside,
		       struct numbers *out, struct err *err)
{
	const double *place = run_column(run, m, err);
	if (!place || !tree_init(tree, run, m, err))
		return false;
	*out = (struct numbers){.at = no_paths(run), .beside = beside ? no_paths(run) : NULL};
	fill_across(out, run, tree, place);
	fill_along(out, run, tree);
	return true;
}

/* ---- the row of each pair ---- */

struct related {
	const int32_t *at; /* [n·n] */
	size_t n;
	const struct encoding *e;
};

static long relation_row(const void *context, size_t t, size_t s)
{
	const struct related *k = context;
	const long value = k->at[t * k->n + s], r = k->e->most;
	if (value == RELATION_NO_PATH)
		return -1;
	return (value < -r ? -r : value > r ? r : value) + r;
}

static const struct index *relation_index(struct run *run, const struct member *m,
					  const struct encoding *e, struct err *err)
{
	struct tree tree;
	struct numbers numbers;
	const struct index *known = run_known_index(run, m, e->title);
	if (known)
		return known;
	if (!numbers_of(run, m, &tree, false, &numbers, err))
		return NULL;
	const struct related k = {numbers.at, run->n, e};
	return run_index_places(run, m, e->title, encoding_rows(e), relation_row, &k, err);
}

/* ---- in words ---- */

static const char *says_where(int32_t value, int32_t known, const struct relation_cell *at,
			      struct arena *a)
{
	if (known == ON_PATH)
		return arena_printf(a, "%s is %d %s %s on one path", at->query, abs(value),
				    value > 0 ? "below" : "above", at->key);
	return arena_printf(a, "off the path: %s is to the %s of %s, depths %d + %d", at->query,
			    value > 0 ? "right" : "left", at->key, known / DEPTHS, known % DEPTHS);
}

/* A number has two meanings, and a pair has one of them. */
static const char *says_pair(const struct relation *r, int32_t value,
			     const struct relation_cell *at, struct arena *a)
{
	const int32_t known = r->beside[at->t * r->n + at->s];
	if (value == RELATION_NO_PATH)
		return known == NEITHER ? "neither is in the tree"
					: arena_printf(a, "%s is not in the tree",
						       known == QUERY_ONLY ? at->key : at->query);
	if (value == 0)
		return at->t == at->s	  ? "the token itself"
		       : known == ON_PATH ? "two tokens of one node"
		       : known == 0	  ? "two roots, depths 0 + 0"
					  : "off the path, and neither is left of the other";
	const char *where = says_where(value, known, at, a);
	return abs(value) <= r->limit ? where
				      : arena_printf(a, "%s; the vector of %s%d", where,
						     value < 0 ? "−" : "", (int)r->limit);
}

/* In one tree depths of 0 and 1 are on one path; in a forest they may belong to two trees. */
static const char *says_number(int32_t value, bool forest, struct arena *a)
{
	if (value == RELATION_NO_PATH)
		return "one of them is not in the tree";
	if (value == 0)
		return forest ? "the same node, or two roots" : "the same node";
	const int steps = abs(value);
	const char *path = value > 0 ? "below" : "above";
	const char *side = value > 0 ? "right" : "left";
	return steps == 1 && !forest
		       ? arena_printf(a, "1 %s", path)
		       : arena_printf(a, "%d %s, or to the %s, %d step%s by the root", steps, path,
				      side, steps, steps == 1 ? "" : "s");
}

static const char *says_relation(const struct relation *r, int32_t value,
				 const struct relation_cell *at, struct arena *a)
{
	return at ? says_pair(r, value, at, a) : says_number(value, false, a);
}

static const char *says_in_forest(const struct relation *r, int32_t value,
				  const struct relation_cell *at, struct arena *a)
{
	return at ? says_pair(r, value, at, a) : says_number(value, true, a);
}

static bool is_forest(const struct tree *tree)
{
	size_t roots = 0;
	for (size_t i = 0; i < tree->of->n; i++)
		roots += tree->of->parent[i] < 0;
	return roots > 1;
}

static bool relation(struct run *run, const struct member *m, const struct encoding *e,
		     struct relation *out, struct err *err)
{
	struct tree tree;
	struct numbers numbers;
	if (!numbers_of(run, m, &tree, true, &numbers, err))
		return false;
	*out = (struct relation){.title = "structural position rel(t,s)",
				 .n = run->n,
				 .at = numbers.at,
				 .says = is_forest(&tree) ? says_in_forest : says_relation,
				 .beside = numbers.beside,
				 .limit = (int32_t)e->most,
				 .note = arena_printf(run->arena,
						      "%sbeyond ±%ld the vectors of ±%ld",
						      tree.chain ? "no structure: a chain; " : "",
						      e->most, e->most)};
	return true;
}

struct encoding spr_way(long radius)
{
	return (struct encoding){.title = "relation",
				 .least = -radius,
				 .most = radius,
				 .index = relation_index,
				 .of_structure = true,
				 .relation = relation};
}
