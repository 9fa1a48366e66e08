/* struct_tr.c: vectors of label paths added to keys and values (Zhu et al. 2019, survey eq. 28 and
 * 29).
 *
 *   A_ts = c q_t·(k_s + r_ts W^r),  M_t = Σ_s α_ts (v_s + r_ts W^f)
 *
 * r_ts encodes the labels on the path from t to s, in five ways. A vector is made once for each
 * distinct path, and pairs store the number of theirs; nothing of size n×n×d is made. */
#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"
#include "scheme/label_term.h"
#include "scheme/leaves.h"
#include "scheme/struct_tr.h"

static const char *const variant_names[] = {"feature", "sum", "avg", "cnn", "sa", NULL};
static const char *const form_names[] = {"paper", "code", NULL};

struct struct_tr_state {
	struct label_paths paths;
	const struct index *index; /* [n,n] → rows of r */
	struct node *r;		   /* [rows, e] */
	struct map key, value;	   /* the maps of this layer */
};

static struct struct_tr_state *find(struct run *run, const struct member *m, struct err *err)
{
	const struct path_rules rules = struct_tr_rules(m->param);
	return label_paths_state(run, m, &rules, sizeof(struct struct_tr_state), err);
}

/* Describes the rows of the leaf "path", in the order in which a dump lists the paths. */
static const char *describe_rows(const struct struct_tr *p, const struct label_paths *paths,
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
					 describe_rows(p, &state->paths, run->arena));
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
		r = struct_tr_with_queries(run, r, state->paths.index, &state->index);
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

/* Returns the head's part of a map; in the authors' code heads share it. */
static struct map of_head(struct head *head, struct map map, size_t width)
{
	return map.w->v.cols > width ? (struct map){head_slice(head, map.w, width), map.b} : map;
}

static bool struct_tr_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct struct_tr_state *state = head_state(head, m);
	const struct map map = of_head(head, state->key, head->run->model->dk);
	label_term_query(head, "query–path", state->r, map, state->index);
	return true;
}

static bool struct_tr_values(struct head *head, const struct member *m, struct err *err)
{
	const struct struct_tr_state *state = head_state(head, m);
	if (!head_needs_one_plane(head, m, NULL, err))
		return false;
	const struct map map = of_head(head, state->value, head->run->model->dv);
	struct from_keys from = {.row = state->index->at};
	if (head->parted)
		from.vectors = struct_tr_mapped(head->tape, state->r, map);
	head_add_values(head, "path", label_term_values(head, state->r, map, state->index), &from);
	return true;
}

/* Returns the memory of r of every layer, while computed and as kept. */
static double struct_tr_memory(const struct model *model, const struct member *m,
			       const struct model_input *in, unsigned kinds)
{
	const struct struct_tr *p = m->param;
	const struct path_rules rules = struct_tr_rules(p);
	const struct label_bound most = label_paths_bound(in, &rules, kinds);
	const double n = (double)in->axis.n, e = (double)struct_tr_width(model, p);
	const bool code = p->form == FORM_CODE, average = p->variant == VARIANT_AVG;
	const bool steps = p->steps && average && code;
	const double rows = steps ? n * n : most.paths;
	const bool kept = kinds & WANT_KEPT;
	const double layers =
		(double)model->config.layers * (1 + average + 2 * code + 3 * steps + kept);
	if (kinds == WANT_RELATION)
		return most.bytes;
	return most.bytes + 8 * rows * e * layers;
}

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

const struct scheme scheme_struct_tr[] = {
	{
		.id = "struct_tr",
		.aliases = "struct-tr structural-transformer zhu",
		.title = "Structural Transformer",
		.formula = "A_ts = q_t·(k_s + r_ts W^r) / √d_h,  M_t = Σ_s α_ts (v_s + r_ts W^f)",
		.authors = "Zhu et al.",
		.cite = "@zhu2019modeling",
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
		.directions_when = "1",
		.labels_when = "1",
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
