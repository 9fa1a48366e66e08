/* tpe.c: tree positional encodings (Shiv and Quirk 2019): a node is encoded by the path down to it
 * from the root.
 *
 *   X_t = U_t + [√(1-p_f²) √(d/2) p_f^l e(b_l)]_{f,l},  b_0, b_1, … the branches up from t
 *
 * A step down by branch b pushes a one-hot block e(b) in front of the others, a step up pops it;
 * k blocks are kept, so paths longer than k lose the part near the root. The weighted form has F
 * copies of that; in copy f level l has the factor p_f^l, and each copy has the norm of a
 * sinusoidal embedding in the limit. */
#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"

#include <math.h>

#include "scheme/leaves.h"
#include "scheme/ways.h"

enum form { FORM_WEIGHTED, FORM_ONEHOT };
static const char *const form_names[] = {"weighted", "onehot", NULL};

static const char *const children_names[] = {"auto", "direct", "lcrs", NULL};

struct tpe {
	long branching, depth;
	int form, children;
	bool scale_emb;
};

static bool tpe_check(const void *param, struct err *err)
{
	const struct tpe *p = param;
	if (p->children == CHILDREN_LCRS && p->branching < 2)
		return err_set(err, "branching: %ld; left child and right sibling are 2 branches",
			       p->branching);
	return true;
}

/* Returns k, or the number of levels that fit into the width. */
static size_t levels(const struct model *model, const struct tpe *p)
{
	const size_t most = model->config.d / (size_t)p->branching;
	return (size_t)p->depth < most ? (size_t)p->depth : most;
}

static size_t blocks_of(const struct model *model, const struct tpe *p)
{
	return (size_t)p->branching * levels(model, p);
}

/* Returns F; columns beyond stay 0. */
static size_t copies(const struct model *model, const struct tpe *p)
{
	return p->form == FORM_ONEHOT ? 1 : model->config.d / blocks_of(model, p);
}

/* p = 0.9 … 0.5 in equal steps. */
static double make_decays(const struct leaf_maker *of, size_t row, size_t col)
{
	(void)row;
	const double part = of->cols > 1 ? (double)col / (double)(of->cols - 1) : 0;
	return atanh(0.9 - 0.4 * part);
}

static bool tpe_declare(struct model *model, const struct member *m, struct err *err)
{
	const struct tpe *p = m->param;
	if (p->branching > (long)model->config.d)
		return err_set(err,
			       "%s needs a component for each of its %ld branches, and d is %zu; "
			       "lower branching, or raise d",
			       m->text, p->branching, model->config.d);
	return leaves_declare(model, m, err);
}

/* Component (l n_b + c) F + f is 1 where level l of the token's path is branch c. [n,d] */
static struct mat one_hot(struct run *run, const struct ways *ways, const struct tpe *p,
			  struct arena *a)
{
	const size_t k = levels(run->model, p), f = copies(run->model, p);
	const struct mat out = mat_zero(a, run->n, run->model->config.d);
	int *branch = arena_calloc(run->arena, k, sizeof *branch);
	for (size_t i = 0; i < run->n; i++) {
		if (ways->tree.node[i] < 0)
			continue;
		const size_t steps = ways_up(ways, (size_t)ways->tree.node[i], k, branch);
		for (size_t l = 0; l < steps; l++) {
			const size_t block = l * (size_t)p->branching + (size_t)branch[l];
			mat_fill(mat_cols(mat_rows(out, i, 1), block * f, f), 1);
		}
	}
	return out;
}

/* Computes √(1-p²) for p = tanh(raw), which is sech(raw), without the cancellation 1 - 1. */
static struct node *norms(struct tape *t, struct node *raw)
{
	struct node *up = tape_log_sigmoid(t, tape_scale(t, raw, 2));
	struct node *down = tape_log_sigmoid(t, tape_scale(t, raw, -2));
	return tape_scale(t, tape_exp(t, tape_scale(t, tape_add(t, up, down), 0.5)), 2);
}

/* Returns the weight of level l of copy f: p_f^l √(1-p_f²) √(d/2), the same for each branch.
 * [1,d] */
static struct node *level_weights(struct run *run, const struct member *m)
{
	const struct tpe *p = m->param;
	struct tape *t = run->tape;
	const size_t d = run->model->config.d, blocks = blocks_of(run->model, p);
	struct node *raw = run_leaf(run, m, "raw"), *decay = tape_tanh(t, raw);
	struct node *level = tape_scale(t, norms(t, raw), sqrt((double)d / 2));
	struct node **parts = arena_calloc(run->arena, blocks + 1, sizeof *parts);
	size_t n = 0;
	while (n < blocks) {
		for (long c = 0; c < p->branching; c++)
			parts[n++] = level;
		level = tape_mul(t, level, decay);
	}
	const size_t rest = d - blocks * copies(run->model, p);
	if (rest > 0)
		parts[n++] = tape_const(t, mat_zero(run->arena, 1, rest));
	return tape_concat_cols(t, parts, n);
}

static bool tpe_relation(struct run *run, const struct member *m, struct relation *out,
			 struct err *err)
{
	const struct tpe *p = m->param;
	struct ways ways;
	if (!ways_init(&ways, run, m, (enum children)p->children, p->branching, err))
		return false;
	ways_relation(run, &ways, (size_t)p->branching, levels(run->model, p), out);
	return true;
}

static bool tpe_units(struct run *run, const struct member *m, struct err *err)
{
	const struct tpe *p = m->param;
	return !p->scale_emb || run_scale_units(run, m, err);
}

struct steps {
	struct mat one_hot;
	bool lcrs;
};

static const void *build_steps(struct run *run, const struct member *m, const void *context,
			       struct arena *own, struct err *err)
{
	(void)context;
	const struct tpe *p = m->param;
	struct ways ways;
	if (!ways_init(&ways, run, m, (enum children)p->children, p->branching, err))
		return NULL;
	struct steps *steps = arena_alloc(own, sizeof *steps);
	*steps = (struct steps){one_hot(run, &ways, p, own), ways.lcrs};
	return steps;
}

static bool tpe_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct tpe *p = m->param;
	const struct cached what = {.name = "steps", .of_structure = true, .build = build_steps};
	const struct steps *steps = run_cached_block(run, m, &what, err);
	if (!steps)
		return false;
	if (steps->lcrs && p->children == CHILDREN_AUTO)
		run_note(run, m, "more children than branches: left child and right sibling");
	if (levels(run->model, p) < (size_t)p->depth)
		run_note(run, m,
			 arena_printf(run->arena, "the width holds %zu of %ld levels",
				      levels(run->model, p), p->depth));
	struct node *x = tape_const(run->tape, steps->one_hot);
	if (p->form == FORM_WEIGHTED)
		x = tape_mul(run->tape, x, level_weights(run, m));
	run_add_part(run, "position", x);
	return true;
}

static const struct param tpe_params[] = {
	NUMBER_PARAM(struct tpe, branching, 2, 1, 1024, 1,
		     "n_b: branches of a node; a tree with more children is converted"),
	NUMBER_PARAM(struct tpe, depth, 16, 1, 1024, 1,
		     "k: steps that are encoded, from the node upwards; no more than d/n_b"),
	CHOICE_PARAM(struct tpe, form, FORM_WEIGHTED, form_names,
		     "weighted: d/(n_b k) copies with a learned decay each; onehot: nothing is "
		     "learned"),
	CHOICE_PARAM(struct tpe, children, CHILDREN_AUTO, children_names,
		     "lcrs: as left child and right sibling; auto: where children exceed "
		     "branching"),
	SWITCH_PARAM(
		struct tpe, scale_emb, false,
		"multiply the token vectors by the root of d first, as the authors' code does"),
	{0},
};

static const struct claim tpe_claims[] = {
	{CLAIM_LEARNABLE, ANSWER_NO, "steps are one-hot: no decay is learned", "form == onehot"},
	{CLAIM_RELATIVE, ANSWER_YES,
	 "ways are counted from the root, which is absolute; but no column of positions is read, "
	 "so shifting one moves nothing"},
	{CLAIM_UNBOUNDED, ANSWER_UNSAID,
	 "any depth is computed, but ways that agree in their k deepest steps get one row; on a "
	 "chain those are all beyond k"},
	{CLAIM_COUNT, ANSWER_UNSAID,
	 "printed without the branching: a copy takes n_b components at each of the k levels"},
	{0},
};

#define COPIES "floor(d / (branching * min(depth, floor(d / branching))))"

static const struct leaf_row tpe_leaves[] = {
	{"raw", "1, " COPIES, "a number for each copy: tanh of it is the decay towards the root",
	 .by_layer = ALL_LAYERS, .when = "form == weighted", .demo = {.entry = make_decays},
	 .paper = {FILL_UNIFORM, .formula = "sqrt(3 / " COPIES ")"}},
	{0},
};

const struct scheme scheme_tpe[] = {
	{
		.id = "tpe",
		.aliases = "tree-positional shiv",
		.title = "Tree positional encoding",
		.formula = "X_t = U_t + [√(1−p_f^2) √(d/2) p_f^l e(b_l)]_{f,l},  b_0, b_1, … = the "
			   "branches up from t,  p = tanh(raw)",
		.authors = "Shiv and Quirk",
		.cite = "@shiv2019novel",
		.recipe = "part.position has in component (l n_b + b) F + f, n_b = branching, F "
			  "copies of k levels, 1 where the l-th step up from the token's node to "
			  "the root (metadata's relation.path_of_token, from its end) is branch b, "
			  "else 0; with form=weighted times tanh(raw[f])^l sqrt(1 - "
			  "tanh(raw[f])^2) sqrt(d/2) of param.tpe.raw; with scale_emb=on part.unit "
			  "is sqrt(d) times the token vectors",
		.about = "The way from the root as one-hot branches, the deepest first, in copies "
			 "that decay towards the root each at its own learned rate. A step down is "
			 "the same affine map everywhere in the tree, a step up the same linear "
			 "one.",
		.year = 2019,
		.topic = TOPIC_TREE,
		.table2 = TABLE2_GRAPHS,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.leaves = tpe_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_NEEDS_TREE,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "microsoft/icecaps 926d5bd, trees.py, with scale_emb=on. The "
				 "survey's weight for each copy is this decay over levels; zeros "
				 "where n_b k does not divide d, and for tokens outside the tree, "
				 "are ours",
		.demo_note = "p_f = 0.9 … 0.5 in equal steps: the first copy remembers the way "
			     "longest",
		.count_printed = "d/depth",
		.claims = tpe_claims,
		.sample = "conllu @dep2",
		.directions_when = "1",
		.numbers_when = "0",
		.params = tpe_params,
		.param_size = sizeof(struct tpe),
		.check = tpe_check,
		.hooks = {.declare = tpe_declare,
			  .relation = tpe_relation,
			  .units = tpe_units,
			  .embed = tpe_embed},
	},
	{0},
};
