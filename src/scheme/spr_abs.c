/* spr_abs.c: a word's depth in a dependency tree, encoded by sinusoids (Wang et al. 2019).
 *
 *   X_t = U_t + [sin(abs(t) ω_i), cos(abs(t) ω_i)],  abs(t) = steps from t up to its root */
#include "scheme/fuse.h"
#include "scheme/sinusoid.h"
#include "scheme/tree.h"

struct spr_abs {
	struct sinusoid_param sinusoid;
	int fuse;
};

static const struct param spr_abs_params[] = {
	CHOICE_PARAM(struct spr_abs, fuse, FUSE_NONE, fuse_names,
		     "none: depth alone; sum: and the sequential sinusoid; tanh: of half of both"),
	SINUSOID_PARAMS(SINUSOID_INTERLEAVED, SINUSOID_PAPER, 0),
	{0},
};

struct spr_abs_state {
	size_t rows; /* of the table: depths from 0 */
};

static struct node *depth_table(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct sinusoid_param *p = m->param; /* its first member */
	const struct spr_abs_state *state = run_kept(run, m);
	double *depth = arena_calloc(run->arena, state->rows, sizeof *depth);
	for (size_t i = 0; i < state->rows; i++)
		depth[i] = (double)i + (double)p->start;
	const struct mat table = mat_new(run->arena, state->rows, run->model->config.d);
	sinusoid_fill(table, depth, (enum sinusoid_layout)p->layout, (enum sinusoid_freq)p->freq,
		      p->base);
	return tape_const(run->tape, table);
}

/* Returns the table of depths, which is cached, because it does not depend on the tree. [n,d] */
static struct node *depth_rows(struct run *run, const struct member *m, struct err *err)
{
	struct tree tree;
	if (!tree_init(&tree, run, m, err))
		return NULL;
	struct spr_abs_state *state = run_state(run, m, sizeof *state);
	int32_t *rows = arena_calloc(run->arena, run->n + 1, sizeof *rows);
	for (size_t i = 0; i < run->n; i++)
		rows[i] = (int32_t)tree_depth(&tree, i);
	state->rows = tree.deepest + 2;
	const char *name = arena_printf(run->arena, "depths below %zu", state->rows);
	struct node *table = run_cached(run, m, name, false, depth_table, err);
	return table ? tape_gather_rows(run->tape, table, rows, run->n) : NULL;
}

static bool spr_abs_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct spr_abs *p = m->param;
	struct node *depth = depth_rows(run, m, err);
	if (!depth)
		return false;
	if (p->fuse == FUSE_NONE) {
		run_add_part(run, "depth", depth);
		return true;
	}
	struct node *place = run_cached(run, m, "places", false, sinusoid_table, err);
	if (!place)
		return false;
	if (p->fuse == FUSE_SUM) {
		run_add_part(run, "depth", depth);
		run_add_part(run, "position", place);
		return true;
	}
	run_add_part(run, "depth, position", fuse_tanh(run->tape, depth, place));
	return true;
}

static const char *says_depth(const struct relation *r, int32_t value,
			      const struct relation_cell *at, struct arena *a)
{
	(void)r, (void)at;
	if (value == RELATION_NO_PATH)
		return "of a token, not of two";
	return value == 0 ? "a root" : arena_printf(a, "%d below the root", (int)value);
}

/* Depth is a property of one token, so it is on the diagonal. */
static bool spr_abs_relation(struct run *run, const struct member *m, struct relation *out,
			     struct err *err)
{
	struct tree tree;
	if (!tree_init(&tree, run, m, err))
		return false;
	const size_t n = run->n;
	int32_t *at = arena_alloc(run->arena, (n * n + 1) * sizeof *at);
	for (size_t i = 0; i < n * n; i++)
		at[i] = i / n == i % n ? (int32_t)tree_depth(&tree, i / n) : RELATION_NO_PATH;
	*out = (struct relation){.title = "depth abs(t)",
				 .n = n,
				 .of_tokens = true,
				 .at = at,
				 .says = says_depth,
				 .note = tree.chain ? "no structure: a chain" : NULL};
	return true;
}

static const struct claim spr_abs_claims[] = {
	{CLAIM_RELATIVE, ANSWER_YES,
	 "depth is counted from the root, which is absolute; but no column of positions is read, "
	 "so shifting one moves nothing",
	 "fuse == none"},
	{0},
};

const struct scheme scheme_spr_abs[] = {
	{
		.id = "spr_abs",
		.aliases = "spr-abs",
		.title = "Structural position, absolute",
		.formula = "X_t = U_t + [sin(abs(t) ω_i), cos(abs(t) ω_i)],  abs(t) = steps from t "
			   "to the root",
		.authors = "Wang et al.",
		.cite = "@wang2019selfattention",
		.about = "Sinusoids of a word's depth in the dependency tree. Words of equal depth "
			 "get equal rows, so it is best joined with the sequential position.",
		.year = 2019,
		.topic = TOPIC_TREE,
		.table2 = TABLE2_GRAPHS,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.flags = SCHEME_UNBOUNDED | SCHEME_NEEDS_TREE,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "survey §4.3; the main verb has the depth of the tree's root. No "
				 "code is public: tanh with both matrices at half the identity is "
				 "ours, and tokens outside the tree are one below the deepest",
		.count_printed = "0",
		.claims = spr_abs_claims,
		.sample = "conllu @dep2",
		.directions_when = "1",
		.numbers_when = "fuse != none",
		.params = spr_abs_params,
		.param_size = sizeof(struct spr_abs),
		.hooks = {.relation = spr_abs_relation, .embed = spr_abs_embed},
	},
	{0},
};
