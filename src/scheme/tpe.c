/* tpe.c: tree positional encodings (Shiv and Quirk 2019): a node is the way down to it from the root.
 *
 * A step down by branch b pushes a one-hot block in front of the others, a step up pops it; k blocks
 * are kept, so the deepest step stands first and ways longer than k lose what is near the root. The
 * weighted form has F copies of that; in copy f level l counts p_f^l, a geometric decay towards the
 * root, and each copy has the norm of a sinusoidal embedding in the limit. */
#include "posviz/scheme.h"
#include "posviz/stage.h"

#include <math.h>

#include "scheme/tree.h"

enum form { FORM_WEIGHTED, FORM_ONEHOT };
static const char *const form_names[] = {"weighted", "onehot", NULL};

enum children { CHILDREN_AUTO, CHILDREN_DIRECT, CHILDREN_LCRS };
static const char *const children_names[] = {"auto", "direct", "lcrs", NULL};

enum { STEP_CHILD, STEP_SIBLING }; /* the two branches of a converted tree */

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

/* k, or as many levels as the width holds. */
static size_t levels(const struct model *model, const struct tpe *p)
{
	const size_t most = model->config.d / (size_t)p->branching;
	return (size_t)p->depth < most ? (size_t)p->depth : most;
}

static size_t blocks_of(const struct model *model, const struct tpe *p)
{
	return (size_t)p->branching * levels(model, p);
}

/* F: what is left of the width stays 0. */
static size_t copies(const struct model *model, const struct tpe *p)
{
	return p->form == FORM_ONEHOT ? 1 : model->config.d / blocks_of(model, p);
}

/* ---- leaf ---- */

/* p = 0.9 … 0.5 in equal steps. */
static void make_decays(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	for (size_t f = 0; f < at.cols; f++) {
		const double part = at.cols > 1 ? (double)f / (double)(at.cols - 1) : 0;
		mat_row(at, 0)[f] = atanh(0.9 - 0.4 * part);
	}
}

static bool tpe_declare(struct model *model, const struct member *m, struct err *err)
{
	const struct tpe *p = m->param;
	if (levels(model, p) == 0)
		return err_set(err,
			       "%s needs a component for each of its %ld branches, and d is %zu; "
			       "lower branching, or raise d",
			       m->text, p->branching, model->config.d);
	if (p->form == FORM_ONEHOT)
		return true;
	const size_t n = copies(model, p);
	const struct leaf_init demo = {.make = make_decays};
	const struct leaf_init paper = {.fill = FILL_UNIFORM, .value = sqrt(3 / (double)n)};
	return model_leaf(model, m, "raw", 1, n, false, demo, paper, err);
}

/* ---- ways ---- */

struct ways {
	struct tree tree;
	bool lcrs;
};

static bool ways_init(struct ways *ways, struct run *run, const struct member *m, struct err *err)
{
	const struct tpe *p = m->param;
	*ways = (struct ways){0};
	if (!tree_init(&ways->tree, run, m, err))
		return false;
	const struct structure *of = ways->tree.of;
	size_t most = 0; /* the node with the largest number among its siblings */
	for (size_t i = 0; i < of->n; i++)
		if (of->parent[i] >= 0 &&
		    (of->parent[most] < 0 || of->branch[i] > of->branch[most]))
			most = i;
	const bool fits =
		of->n == 0 || of->parent[most] < 0 || of->branch[most] < (size_t)p->branching;
	ways->lcrs = p->children == CHILDREN_LCRS ||
		     (p->children == CHILDREN_AUTO && !fits && p->branching >= 2);
	return fits || ways->lcrs ||
	       err_set(err,
		       "%s: branching=%ld, and node \"%s\" has %zu children; set branching=%zu, or "
		       "children=lcrs with branching=2",
		       m->text, p->branching, of->names[of->parent[most]], of->branch[most] + 1,
		       of->branch[most] + 1);
}

/* The branches from a node up to its root, so the deepest first; at most `most`. With `out` NULL it
 * only counts. As left child and right sibling the way to child 2 is child, sibling, sibling. */
static size_t steps_up(const struct ways *ways, size_t node, size_t most, int *out)
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

/* ---- embedding ---- */

/* Component (l n_b + c) F + f is 1 where level l of the unit's way is branch c. [n,d] */
static struct mat one_hot(struct run *run, const struct ways *ways, const struct tpe *p)
{
	const size_t k = levels(run->model, p), f = copies(run->model, p);
	const struct mat out = mat_new(run->arena, run->n, run->model->config.d);
	int *branch = arena_calloc(run->arena, k, sizeof *branch);
	mat_fill(out, 0);
	for (size_t i = 0; i < run->n; i++) {
		if (ways->tree.node[i] < 0)
			continue;
		const size_t steps = steps_up(ways, (size_t)ways->tree.node[i], k, branch);
		for (size_t l = 0; l < steps; l++) {
			const size_t block = l * (size_t)p->branching + (size_t)branch[l];
			mat_fill(mat_cols(mat_rows(out, i, 1), block * f, f), 1);
		}
	}
	return out;
}

/* √(1-p²) for p = tanh(raw), which is sech(raw), without 1 - 1. */
static struct node *norms(struct tape *t, struct node *raw)
{
	struct node *up = tape_log_sigmoid(t, tape_scale(t, raw, 2));
	struct node *down = tape_log_sigmoid(t, tape_scale(t, raw, -2));
	return tape_scale(t, tape_exp(t, tape_scale(t, tape_add(t, up, down), 0.5)), 2);
}

/* Level l of copy f: p_f^l √(1-p_f²) √(d/2), the same for each branch. [1,d] */
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
	if (rest > 0) {
		const struct mat zeros = mat_new(run->arena, 1, rest);
		mat_fill(zeros, 0);
		parts[n++] = tape_const(t, zeros);
	}
	return tape_concat_cols(t, parts, n);
}

static bool tpe_units(struct run *run, const struct member *m, struct err *err)
{
	const struct tpe *p = m->param;
	return !p->scale_emb || run_scale_units(run, m, err);
}

static bool tpe_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct tpe *p = m->param;
	struct ways ways;
	if (!ways_init(&ways, run, m, err))
		return false;
	if (ways.lcrs && p->children == CHILDREN_AUTO)
		run_note(run, m, "more children than branches: left child and right sibling");
	if (levels(run->model, p) < (size_t)p->depth)
		run_note(run, m,
			 arena_printf(run->arena, "the width holds %zu of %ld levels",
				      levels(run->model, p), p->depth));
	struct node *x = tape_const(run->tape, one_hot(run, &ways, p));
	if (p->form == FORM_WEIGHTED)
		x = tape_mul(run->tape, x, level_weights(run, m));
	run_add_part(run, "position", x);
	return true;
}

/* ---- relation ---- */

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

/* From the root down to the node, whatever of it the embedding keeps. */
static struct label_path way_down(const struct ways *ways, size_t node, struct arena *a)
{
	const size_t n = steps_up(ways, node, SIZE_MAX, NULL);
	int *branch = arena_calloc(a, n + 1, sizeof *branch);
	steps_up(ways, node, n, branch);
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

/* The way is of one token, so it stands on the diagonal, and its length with it. */
static bool tpe_relation(struct run *run, const struct member *m, struct relation *out,
			 struct err *err)
{
	const struct tpe *p = m->param;
	struct arena *a = run->arena;
	const size_t n = run->n;
	struct ways ways;
	if (!ways_init(&ways, run, m, err))
		return false;
	int32_t *at = arena_alloc(a, (n * n + 1) * sizeof *at);
	struct label_path *paths = arena_calloc(a, n * n + 1, sizeof *paths);
	for (size_t i = 0; i < n * n; i++)
		at[i] = RELATION_NO_PATH;
	for (size_t i = 0; i < n; i++) {
		if (ways.tree.node[i] < 0)
			continue;
		paths[i * n + i] = way_down(&ways, (size_t)ways.tree.node[i], a);
		at[i * n + i] = (int32_t)paths[i * n + i].n;
	}
	const size_t branches = ways.lcrs ? 2 : (size_t)p->branching;
	*out = (struct relation){
		.title = "way from the root",
		.n = n,
		.of_tokens = true,
		.at = at,
		.paths = paths,
		.labels = branch_names(&ways, branches, a),
		.n_labels = branches,
		.says = says_steps,
		.note = arena_printf(a, "%s%sthe deepest %zu steps are encoded",
				     ways.tree.chain ? "no structure: a chain; " : "",
				     ways.lcrs ? "↓ left child, → right sibling; " : "",
				     levels(run->model, p))};
	return true;
}

/* ---- descriptor ---- */

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
	SWITCH_PARAM(struct tpe, scale_emb, false,
		     "multiply the units by the root of d first, as the authors' code does"),
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

static const struct leaf_row tpe_leaves[] = {
	{"raw", NULL, "a number for each copy: tanh of it is the decay towards the root"},
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
		.cite = "Shiv, Quirk: Novel positional encodings to enable tree-based "
			"transformers. NeurIPS 2019",
		.recipe = "part.position has in component (l n_b + b) F + f, n_b = branching, F "
			  "copies of k levels, 1 where the l-th step up from the token's node to "
			  "the root (metadata's relation.path_of_token, from its end) is branch b, "
			  "else 0; with form=weighted times tanh(raw[f])^l sqrt(1 - "
			  "tanh(raw[f])^2) sqrt(d/2) of param.tpe.raw; with scale_emb=on part.unit "
			  "is sqrt(d) times the units",
		.about = "The way from the root as one-hot branches, the deepest first, in copies "
			 "that decay towards the root each at its own learned rate. A step down or "
			 "up is the same linear map everywhere in the tree.",
		.year = 2019,
		.topic = TOPIC_TREE,
		.table2 = TABLE2_GRAPHS,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.leaves = tpe_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_NEEDS_TREE,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "microsoft/icecaps 926d5bd, trees.py; there the units are always "
				 "scaled (scale_emb=on). The survey's weight for each copy is this "
				 "decay over levels; where n_b k does not divide d the rest stays "
				 "0, which is ours, as are zeros for units outside the tree",
		.demo_note = "p_f = 0.9 … 0.5 in equal steps: the first copy remembers the way "
			     "longest",
		.count_printed = "d/depth",
		.claims = tpe_claims,
		.sample = "conllu @dep2",
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
