/* struct_tr.c: vectors of label paths on keys and values (Zhu et al. 2019, survey eq. 28 and 29).
 *
 *   A_ts = c q_t·(k_s + r_ts W^r),  M_t = Σ_s α_ts (v_s + r_ts W^f)
 *
 * r_ts is made of the labels on the path from t to s, in five ways. A vector is made once for each
 * distinct path, and pairs hold the number of theirs; nothing of size n×n×d is kept. */
#include <math.h>
#include <string.h>

#include "posviz/scheme.h"
#include "posviz/stage.h"
#include "scheme/label_term.h"
#include "scheme/leaves.h"
#include "scheme/sinusoid.h"
#include "scheme/struct_tr.h"

static const char *const variant_names[] = {"feature", "sum", "avg", "cnn", "sa", NULL};
static const char *const form_names[] = {"paper", "code", NULL};

struct struct_tr_state {
	struct label_paths paths;
	const struct index *index; /* [n,n] → rows of r */
	struct node *r;		   /* [rows, e] */
	struct map key, value;	   /* what it becomes in this layer */
};

/* ---- leaves ---------------------------------------------------------------------------------- */

/* Symbols behind the special ones come in twos, down and up. */
static void make_labels(struct mat at, const struct leaf_maker *of)
{
	const struct struct_tr *p = of->m->param;
	const double sd = struct_tr_numbers_steps(p) ? 1 / sqrt((double)at.cols) : 1;
	mat_fill_normal(at, sd, of->rng);
	mat_fill(mat_rows(at, SYMBOL_NO_PATH, 1), 0);
	for (size_t i = SYMBOL_TO_SPECIAL; p->variant != VARIANT_FEATURE && i + 1 < at.rows; i += 2)
		for (size_t j = 0; j < at.cols; j++)
			mat_row(at, i + 1)[j] = (j % 2 ? -1 : 1) * mat_row(at, i)[j];
}

/* Tap i is the identity times 2^-i. */
static void make_taps(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	mat_fill(at, 0);
	for (size_t i = 0; i < at.rows; i++)
		mat_row(at, i)[i % at.cols] = ldexp(1, -(int)(i / at.cols));
}

/* The code's position encoding with avg: labels times √e, and the encoding of the query's index. So a
 * path has a vector for each query that has it. Returns them, and which one a pair reads. */
static struct node *with_queries(struct run *run, struct node *r, const struct index *paths,
				 const struct index **out)
{
	struct tape *t = run->tape;
	struct arena *a = run->arena;
	const size_t n = run->n;
	int32_t *at = arena_alloc(a, n * n * sizeof *at),
		*seen = arena_alloc(a, r->v.rows * sizeof *seen);
	int32_t *rows = arena_alloc(a, n * n * sizeof *rows);
	double *query = arena_alloc(a, n * n * sizeof *query);
	size_t count = 0;
	for (size_t q = 0; q < n; q++) {
		const size_t before = count;
		memset(seen, -1, r->v.rows * sizeof *seen);
		for (size_t s = 0; s < n; s++) {
			const int32_t path = paths->at[q * n + s];
			if (seen[path] < (int32_t)before) {
				seen[path] = (int32_t)count;
				rows[count] = path;
				query[count++] = (double)q;
			}
			at[q * n + s] = seen[path];
		}
	}
	struct index *index = arena_alloc(a, sizeof *index);
	*index = (struct index){.rows = n, .cols = n, .count = count, .at = at};
	*out = index;
	const struct mat steps = mat_new(a, count, r->v.cols);
	sinusoid_fill(steps, query, SINUSOID_INTERLEAVED, SINUSOID_PAPER, 10000);
	struct node *scaled = tape_scale(t, r, sqrt((double)r->v.cols));
	return tape_add(t, tape_gather_rows(t, scaled, rows, count), tape_const(t, steps));
}

/* ---- hooks ----------------------------------------------------------------------------------- */

static struct struct_tr_state *find(struct run *run, const struct member *m, struct err *err)
{
	const struct path_rules rules = struct_tr_rules(m->param);
	return label_paths_state(run, m, &rules, sizeof(struct struct_tr_state), err);
}

/* Rows of the leaf "path", in the order in which a dump lists the paths. */
static const char *whose_rows(const struct struct_tr *p, const struct label_paths *paths,
			      struct arena *a)
{
	const size_t own = (size_t)p->paths;
	if (paths->n_used <= own)
		return arena_printf(a,
				    "short ones first, then by their labels, the %zu paths have "
				    "rows 1 to %zu of path",
				    paths->n_used, paths->n_used);
	return arena_printf(
		a,
		"short ones first, then by their labels, %zu of the %zu paths have rows 1 to %zu "
		"of path, the others row 0",
		own, paths->n_used, own);
}

static bool struct_tr_relation(struct run *run, const struct member *m, struct relation *out,
			       struct err *err)
{
	const struct struct_tr *p = m->param;
	const struct path_rules rules = struct_tr_rules(p);
	const struct struct_tr_state *state = find(run, m, err);
	if (!state)
		return false;
	label_paths_relation(run, &state->paths,
			     rules.reversed ? "labels from s to t" : "labels from t to s", out);
	out->note = arena_printf(run->arena, "cut after %zu labels", rules.longest);
	if (p->variant == VARIANT_FEATURE)
		out->note = arena_printf(run->arena, "%s; %s", out->note,
					 whose_rows(p, &state->paths, run->arena));
	return true;
}

static bool struct_tr_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct struct_tr *p = m->param;
	struct struct_tr_state *state = find(run, m, err);
	struct tape *t = run->tape;
	if (!state)
		return false;
	if (p->variant == VARIANT_FEATURE && state->paths.n_used > (size_t)p->paths)
		run_note(run, m,
			 arena_printf(run->arena,
				      "%zu paths are in use: the last %zu of them share a vector; "
				      "paths=%zu gives each its own",
				      state->paths.n_used, state->paths.n_used - (size_t)p->paths,
				      state->paths.n_used));
	struct node *r = label_paths_made(run, m, &state->paths, true, struct_tr_vectors, err);
	if (!r)
		return false;
	state->index = state->paths.index;
	if (p->steps && p->variant == VARIANT_AVG && p->form == FORM_CODE)
		r = with_queries(run, r, state->paths.index, &state->index);
	if (p->form == FORM_CODE) {
		r = tape_mul(t, tape_layer_norm(t, r, 1e-6), run_leaf(run, m, "norm_weight"));
		r = tape_accumulate(t, r, run_leaf(run, m, "norm_bias"));
	}
	state->r = r;
	step_keep(run, m, "r", r->v);
	run_keep_index(run, m, "path", state->index);
	state->key = struct_tr_map(run, m, "w_r", "b_r");
	state->value = struct_tr_map(run, m, "w_f", "b_f");
	return true;
}

/* r W + b of this head, [rows, dk]. With many paths it is large, and a head forgets it. */
static struct node *of_head(struct head *head, struct node *r, struct map map)
{
	const size_t dk = head->run->model->dk;
	if (map.w->v.cols > dk) /* the code's heads share theirs */
		map.w = head_slice(head, map.w, dk);
	return struct_tr_mapped(head->tape, r, map);
}

static bool struct_tr_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct struct_tr_state *state = head_state(head, m);
	label_term_query(head, "query–path", of_head(head, state->r, state->key), state->index);
	return true;
}

static bool struct_tr_values(struct head *head, const struct member *m, struct err *err)
{
	const struct struct_tr_state *state = head_state(head, m);
	if (!head_needs_one_plane(head, m, NULL, err))
		return false;
	struct node *added =
		label_term_values(head, of_head(head, state->r, state->value), state->index);
	if (!added)
		return err_set(err, "cancelled");
	head->context = tape_accumulate(head->tape, head->context, added);
	return true;
}

/* r of every layer, on its way and as it is kept, and what two heads make of it. */
static double struct_tr_memory(const struct model *model, const struct member *m,
			       const struct model_input *in, unsigned kinds)
{
	const struct struct_tr *p = m->param;
	const struct path_rules rules = struct_tr_rules(p);
	const struct label_bound most = label_paths_bound(in, &rules, kinds);
	const double n = (double)in->axis.n, e = (double)struct_tr_width(model, p);
	const bool code = p->form == FORM_CODE, average = p->variant == VARIANT_AVG;
	const bool steps = p->steps && average && code;
	const double rows = steps ? n * n : most.paths, dk = (double)model->dk;
	const bool kept = kinds & WANT_KEPT;
	const double layers =
		(double)model->config.layers * (1 + average + 2 * code + 3 * steps + kept);
	if (kinds == WANT_RELATION)
		return most.bytes;
	return most.bytes + 8 * rows * (e * layers + 4 * dk * (1 + code));
}

/* ---- descriptor ------------------------------------------------------------------------------ */

static const struct param struct_tr_params[] = {
	CHOICE_PARAM(struct struct_tr, variant, VARIANT_SA, variant_names,
		     "a vector per path, or made of labels: sum, average, convolution, "
		     "self-attention"),
	CHOICE_PARAM(struct struct_tr, form, FORM_PAPER, form_names,
		     "paper: matrices d×d; code: d_h×d_h for all heads, biases, r normalised, "
		     "padding"),
	NUMBER_PARAM(struct struct_tr, longest, 4, 1, LABEL_PATH_LONGEST, 1,
		     "labels behind it are cut off; the code has 5 with avg and 4 with cnn and sa"),
	RATIO_PARAM(struct struct_tr, labels, 64, 1, 4096, 2,
		    "how many different labels have vectors, two each"),
	RATIO_PARAM(struct struct_tr, paths, 256, 1, 65536, 2,
		    "feature: how many of the paths that pairs have get a vector of their own, "
		    "short ones first; the others share one"),
	RATIO_PARAM(struct struct_tr, d_r, 128, 1, 1024, 2,
		    "sa: width of the layer that weighs the labels of a path"),
	SWITCH_PARAM(struct struct_tr, pool, true,
		     "sa: labels are weighed and summed (eq. 29); off: convolved, as the code "
		     "does"),
	SWITCH_PARAM(struct struct_tr, steps, false,
		     "avg with form=code: its position encoding, which is that of the query's "
		     "index"),
	{0},
};

static const struct claim struct_tr_claims[] = {
	{CLAIM_UNBOUNDED, ANSWER_NO,
	 "paths of any length have vectors, but labels behind `longest` are cut off, as in the "
	 "authors' code"},
	{CLAIM_COUNT, ANSWER_UNSAID,
	 "printed for one layer of the variant sa and without the vectors of the labels"},
	{0},
};

#define WIDTH "(form == code ? d_h : d)"

static const struct leaf_row struct_tr_leaves[] = {
	{"path", "paths + 1, " WIDTH,
	 "variant=feature: rows 1, 2, … of the paths that occur, short ones first, then by their "
	 "labels; row 0 of all others",
	 .by_layer = ALL_LAYERS, .when = "variant == feature", .demo = {.make = make_labels},
	 .paper = {FILL_NORMAL, .formula = "1 / sqrt(" WIDTH ")"}},
	{"label", "2 labels + 4, " WIDTH,
	 "row of a symbol: no path, None, EOS down and up, then the labels in alphabetical order, "
	 "down and up",
	 .by_layer = ALL_LAYERS, .when = "variant != feature", .demo = {.make = make_labels},
	 .paper = {FILL_NORMAL, .formula = "1 / sqrt(" WIDTH ")"}},
	{"w_r", WIDTH ", " WIDTH, "from the vector r of a path to what is added to the key",
	 .by_layer = EACH_LAYER, .demo = {FILL_DIAGONAL, 1}, .paper = {FILL_XAVIER, 1}},
	{"b_r", "1, d_h", "added to that", .spare = true, .by_layer = EACH_LAYER,
	 .when = "form == code", .demo = {FILL_CONSTANT}, .paper = {FILL_CONSTANT}},
	{"w_f", WIDTH ", " WIDTH, "from the vector r of a path to what is added to the value",
	 .by_layer = EACH_LAYER, .demo = {FILL_DIAGONAL, 1}, .paper = {FILL_XAVIER, 1}},
	{"b_f", "1, d_h", "added to that", .spare = true, .by_layer = EACH_LAYER,
	 .when = "form == code", .demo = {FILL_CONSTANT}, .paper = {FILL_CONSTANT}},
	{"norm_weight", "1, d_h", "LayerNorm of r: multiplies", .by_layer = EACH_LAYER,
	 .when = "form == code", .demo = {FILL_CONSTANT, 1}, .paper = {FILL_CONSTANT, 1}},
	{"norm_bias", "1, d_h", "LayerNorm of r: added", .by_layer = EACH_LAYER,
	 .when = "form == code", .demo = {FILL_CONSTANT}, .paper = {FILL_CONSTANT}},
	{"conv_weight", "4 " WIDTH ", " WIDTH,
	 "the convolution of labels: as many rows for each of 4 taps as r has columns",
	 .by_layer = EACH_LAYER, .when = "variant == cnn || variant == sa && !pool",
	 .demo = {.make = make_taps, .taps = KERNEL}, .paper = {FILL_XAVIER, 1}},
	/* Not 0: what max(0, x) makes of a path without labels would stand on its kink. */
	{"conv_bias", "1, " WIDTH, "added to the convolution", .spare = true,
	 .by_layer = EACH_LAYER, .when = "variant == cnn || variant == sa && !pool",
	 .demo = {FILL_CONSTANT, 0.01}, .paper = {FILL_CONSTANT, 0.01}},
	{"label_w_q", WIDTH ", " WIDTH, "attention of labels: queries", .by_layer = EACH_LAYER,
	 .when = "variant == sa", .demo = {FILL_DIAGONAL, 1}, .paper = {FILL_XAVIER, 1}},
	{"label_b_q", "1, d_h", "attention of labels: added to queries", .spare = true,
	 .by_layer = EACH_LAYER, .when = "variant == sa && form == code", .demo = {FILL_CONSTANT},
	 .paper = {FILL_CONSTANT}},
	{"label_w_k", WIDTH ", " WIDTH, "attention of labels: keys", .by_layer = EACH_LAYER,
	 .when = "variant == sa", .demo = {FILL_DIAGONAL, 1}, .paper = {FILL_XAVIER, 1}},
	{"label_b_k", "1, d_h", "attention of labels: added to keys", .spare = true,
	 .by_layer = EACH_LAYER, .when = "variant == sa && form == code", .demo = {FILL_CONSTANT},
	 .paper = {FILL_CONSTANT}},
	{"label_w_v", WIDTH ", " WIDTH, "attention of labels: values", .by_layer = EACH_LAYER,
	 .when = "variant == sa", .demo = {FILL_DIAGONAL, 1}, .paper = {FILL_XAVIER, 1}},
	{"label_b_v", "1, d_h", "attention of labels: added to values", .spare = true,
	 .by_layer = EACH_LAYER, .when = "variant == sa && form == code", .demo = {FILL_CONSTANT},
	 .paper = {FILL_CONSTANT}},
	{"label_w_o", "d_h, d_h", "attention of labels: from all heads to the output",
	 .by_layer = EACH_LAYER, .when = "variant == sa && form == code",
	 .demo = {FILL_DIAGONAL, 1}, .paper = {FILL_XAVIER, 1}},
	{"label_b_o", "1, d_h", "attention of labels: added to the output", .spare = true,
	 .by_layer = EACH_LAYER, .when = "variant == sa && form == code", .demo = {FILL_CONSTANT},
	 .paper = {FILL_CONSTANT}},
	{"pool_w1", WIDTH ", d_r", "weighing the labels of a path: to the hidden layer",
	 .by_layer = EACH_LAYER, .when = "variant == sa && pool", .demo = {FILL_DIAGONAL, 1},
	 .paper = {FILL_XAVIER, 1}},
	{"pool_b1", "1, d_r", "weighing: added in the hidden layer", .spare = true,
	 .by_layer = EACH_LAYER, .when = "variant == sa && pool && form == code",
	 .demo = {FILL_CONSTANT}, .paper = {FILL_CONSTANT}},
	{"pool_w2", "d_r, 1", "weighing: from the hidden layer to the weight of a label",
	 .by_layer = EACH_LAYER, .when = "variant == sa && pool",
	 .demo = {FILL_CONSTANT, .formula = "1 / sqrt(d_r)"}, .paper = {FILL_XAVIER, 1}},
	{"pool_b2", "1, 1", "weighing: added to that", .spare = true, .by_layer = EACH_LAYER,
	 .when = "variant == sa && pool && form == code", .demo = {FILL_CONSTANT},
	 .paper = {FILL_CONSTANT}},
	{0},
};

const struct scheme scheme_struct_tr[] = {
	{
		.id = "struct_tr",
		.aliases = "struct-tr structural-transformer zhu",
		.title = "Structural Transformer",
		.formula = "A_ts = q_t·(k_s + r_ts W^r) / √d_h,  M_t = Σ_s α_ts (v_s + r_ts W^f)",
		.authors = "Zhu et al.",
		.cite = "Zhu, Li, Zhu, Qian, Zhang, Zhou: Modeling graph structure in Transformer "
			"for better AMR-to-text generation. EMNLP 2019",
		.recipe = "term.query–path[t,s] = c q_raw[t] · k, k head H's columns of r @ w_r, "
			  "and context[t] also has the sum over s of weights[t,s] times those of r "
			  "@ w_f, of param.struct_tr.NAME.L (plus b_r and b_f where there are, and "
			  "all columns where there are dk), r the row member.struct_tr.index.path "
			  "of layer.L.member.struct_tr.r, which is made as variant says of the "
			  "rows of param.struct_tr.label that relation shows",
		.about = "The labels on the path from one concept to another, each with its "
			 "direction, become a vector that is added to the key and to the value. "
			 "Two pairs with the same labels between them look the same, wherever they "
			 "stand.",
		.year = 2019,
		.topic = TOPIC_GRAPH,
		.table2 = TABLE2_GRAPHS,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = struct_tr_leaves,
		.flags =
			SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_NEEDS_GRAPH,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "survey eq. 28 and 29; form=code as "
				 "Amazing-J/structural-transformer daef1f2, which shares r by "
				 "heads, normalises it, and with pool=off convolves where the "
				 "paper pools. Ties go to the smallest labels, which is ours",
		.demo_note = "labels from N(0, 1), over √d where they are multiplied by it; the "
			     "two directions of a label differ in the sign of odd components; no "
			     "path: 0; matrices are the identity, taps of the convolution 1, ½, ¼, "
			     "⅛ of it",
		.count_printed = "5 d^2 + (d + 1) d_r",
		.claims = struct_tr_claims,
		.sample = "graph @amr2",
		.numbers_when = "0",
		.params = struct_tr_params,
		.param_size = sizeof(struct struct_tr),
		.hooks = {.declare = leaves_declare,
			  .relation = struct_tr_relation,
			  .prepare = struct_tr_prepare,
			  .logits = struct_tr_logits,
			  .values = struct_tr_values,
			  .memory = struct_tr_memory,
			  .matrices = 4},
	},
	{0},
};
