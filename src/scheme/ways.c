/* ways.c: see ways.h. */
#include "scheme/ways.h"

enum { STEP_CHILD, STEP_SIBLING }; /* the two branches of a converted tree */

bool ways_init(struct ways *ways, struct run *run, const struct member *m, enum children children,
	       long branching, struct err *err)
{
	*ways = (struct ways){0};
	if (!tree_init(&ways->tree, run, m, err))
		return false;
	const struct structure *of = ways->tree.of;
	size_t most = 0; /* the node with the highest index among its siblings */
	for (size_t i = 0; i < of->n; i++)
		if (of->parent[i] >= 0 &&
		    (of->parent[most] < 0 || of->branch[i] > of->branch[most]))
			most = i;
	const bool fits =
		of->n == 0 || of->parent[most] < 0 || of->branch[most] < (size_t)branching;
	ways->lcrs =
		children == CHILDREN_LCRS || (children == CHILDREN_AUTO && !fits && branching >= 2);
	return fits || ways->lcrs ||
	       err_set(err,
		       "%s: branching=%ld, and node \"%s\" has %zu children; set branching=%zu, or "
		       "children=lcrs with branching=2",
		       m->text, branching, of->names[of->parent[most]], of->branch[most] + 1,
		       of->branch[most] + 1);
}

/* With left child and right sibling the path to child 2 is child, sibling, sibling. */
size_t ways_up(const struct ways *ways, size_t node, size_t most, int *out)
{
	const struct structure *of = ways->tree.of;
	size_t n = 0;
	for (size_t at = node; of->parent[at] >= 0 && n < most; at = (size_t)of->parent[at]) {
		for (size_t i = ways->lcrs ? of->branch[at] : 0; i > 0 && n < most; i--, n++)
			if (out)
				out[n] = STEP_SIBLING;
		if (n == most)
			break;
		if (out)
			out[n] = ways->lcrs ? STEP_CHILD : (int)of->branch[at];
		n++;
	}
	return n;
}

static const char *says_steps(const struct relation *r, int32_t value,
			      const struct relation_cell *at, struct arena *a)
{
	(void)r, (void)at;
	if (value == RELATION_NO_PATH)
		return "of a token, not of two";
	return value == 0 ? "the root"
			  : arena_printf(a, "%d step%s down from the root", (int)value,
					 value == 1 ? "" : "s");
}

/* Returns the path from the root down to the node, even beyond the part that the embedding
 * keeps. */
static struct label_path way_down(const struct ways *ways, size_t node, struct arena *a)
{
	const size_t n = ways_up(ways, node, SIZE_MAX, NULL);
	int *branch = arena_calloc(a, n + 1, sizeof *branch);
	ways_up(ways, node, n, branch);
	for (size_t i = 0; i < n / 2; i++) {
		const int other = branch[n - 1 - i];
		branch[n - 1 - i] = branch[i];
		branch[i] = other;
	}
	return (struct label_path){.n = n, .labels = branch};
}

static const char *const *branch_names(const struct ways *ways, size_t n, struct arena *a)
{
	static const char *const lcrs[] = {[STEP_CHILD] = "↓", [STEP_SIBLING] = "→"};
	if (ways->lcrs)
		return lcrs;
	const char **names = arena_calloc(a, n, sizeof *names);
	for (size_t i = 0; i < n; i++)
		names[i] = arena_printf(a, "%zu", i);
	return names;
}

void ways_relation(struct run *run, const struct ways *ways, size_t branching, size_t encoded,
		   struct relation *out)
{
	struct arena *a = run->arena;
	const size_t n = run->n, branches = ways->lcrs ? 2 : branching;
	int32_t *at = arena_alloc(a, (n * n + 1) * sizeof *at);
	struct label_path *paths = arena_calloc(a, n * n + 1, sizeof *paths);
	for (size_t i = 0; i < n * n; i++)
		at[i] = RELATION_NO_PATH;
	for (size_t i = 0; i < n; i++) {
		if (ways->tree.node[i] < 0)
			continue;
		paths[i * n + i] = way_down(ways, (size_t)ways->tree.node[i], a);
		at[i * n + i] = (int32_t)paths[i * n + i].n;
	}
	*out = (struct relation){
		.title = "way from the root",
		.n = n,
		.of_tokens = true,
		.at = at,
		.paths = paths,
		.labels = branch_names(ways, branches, a),
		.n_labels = branches,
		.says = says_steps,
		.note = arena_printf(a, "%s%sthe deepest %zu steps are encoded",
				     ways->tree.chain ? "no structure: a chain; " : "",
				     ways->lcrs ? "↓ left child, → right sibling; " : "", encoded)};
}
