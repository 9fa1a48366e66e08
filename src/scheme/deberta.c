/* deberta.c: disentangled attention and the enhanced mask decoder (He et al. 2021).
 *
 *   A_ts = c [q_t·k_s + q_t·K^r_{δ(t,s)} + Q^r_{δ(s,t)}·k_s],  K^r = A^r V_k,  Q^r = A^r V_q,
 *   δ(t,s) = clamp(bucket(t-s) + K, 0, 2K-1),  c = 1/√(d_k (1 + terms))
 *
 * The authors' code reads Q^r with δ(t,s) too (p2c_index=code). Of the 2K rows only those that the
 * input's distances reach are projected. The decoder (emd) applies the last layer twice: the first
 * time its queries are P + H with absolute positions P, the second time the result of the first. */
#include "posviz/scheme.h"
#include "posviz/stage.h"

#include <math.h>

#include "scheme/inject.h"
#include "scheme/leaves.h"
#include "scheme/near_past.h"

enum p2c_index { INDEX_PAPER, INDEX_CODE };

static const char *const index_names[] = {"paper", "code", NULL};

enum { TAG_ABSOLUTE_QUERIES = 1, TAG_SECOND };

struct deberta {
	long max_relative, buckets, max_position;
	bool c2p, p2c, share, norm, emd;
	int p2c_index;
};

static bool deberta_check(const void *param, struct err *err)
{
	const struct deberta *p = param;
	if (p->buckets == 1)
		return err_set(err, "buckets: 1; at least 2, or 0 for none");
	if (p->buckets > 0 && p->max_position < p->buckets / 2 + 2)
		return err_set(err, "max_position: %ld; with %ld buckets it must be at least %ld",
			       p->max_position, p->buckets, p->buckets / 2 + 2);
	return true;
}

static long span_k(const struct model *model, const struct deberta *p)
{
	if (p->buckets > 0)
		return p->buckets;
	return p->max_relative > 0 ? p->max_relative : (long)model->config.t_max;
}

/* δ for r = query minus key position */
static long row_of(const struct encoding *e, long r)
{
	const struct deberta *p = e->context;
	const long b = p->buckets > 0 ? bucket_signed(p->buckets, p->max_position, r) : r;
	const long row = b + e->radius;
	return row < 0 ? 0 : row > 2 * e->radius - 1 ? 2 * e->radius - 1 : row;
}

static long delta_of(const struct encoding *e, long delta)
{
	return row_of(e, e->ts ? -delta : delta);
}

/* δ(t,s), or δ(s,t); K is the radius. */
static struct encoding encoding_of(const struct model *model, const struct deberta *p, bool ts)
{
	const long k = span_k(model, p);
	return (struct encoding){.title = ts ? "δ(t,s)" : "δ(s,t)",
				 .number = delta_of,
				 .most = 2 * k - 1,
				 .reached = true,
				 .ts = ts,
				 .radius = k,
				 .context = p};
}

static void make_near_past(struct mat at, const struct leaf_maker *of)
{
	const long k = span_k(of->model, of->m->param);
	for (size_t i = 0; i < at.rows; i++)
		for (size_t j = 0; j < at.cols; j++)
			mat_row(at, i)[j] = near_past(j, k - (long)i);
}

/* Queries carry the gain, of positions as of units. δ(s,t) sees a pair from its other end, so what
 * is odd in the distance changes its sign: both terms then prefer the past. */
static void make_gain(struct mat at, const struct leaf_maker *of)
{
	mat_fill(at, 0);
	for (size_t i = 0; i < at.rows; i++)
		mat_row(at, i)[i] = i % 2 == 0 ? of->model->gain : -of->model->gain;
}

/* Odd components count half: LayerNorm makes the sum of a row 0, and a query of ones would see
 * nothing. */
static void make_uneven(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	for (size_t j = 0; j < at.cols; j++)
		at.at[j] = j % 2 == 0 ? 1 : 0.5;
}

/* The rows of A^r that are reached, after LayerNorm when it is on. */
static struct node *relative_rows(struct run *run, const struct member *m)
{
	const struct deberta *p = m->param;
	const struct encoded *by = inject_encoded(run, m, 0);
	struct tape *t = run->tape;
	struct node *table = run_leaf(run, m, "rel_embeddings");
	table = tape_slice(t, table, by->first, by->rows, 0, table->v.cols);
	if (!p->norm)
		return table;
	table = tape_mul(t, tape_layer_norm(t, table, 1e-7), run_leaf(run, m, "ln_weight"));
	return tape_add(t, table, run_leaf(run, m, "ln_bias"));
}

/* By the model's own weights when shared, biases included, else by V. */
static struct node *projected(struct run *run, const struct member *m, const char *weight,
			      const char *bias)
{
	const struct deberta *p = m->param;
	struct node *table = relative_rows(run, m);
	struct node *w = p->share ? run_weight(run, weight) : run_leaf(run, m, weight);
	struct node *b = p->share ? run_weight(run, bias) : run_leaf(run, m, bias);
	struct node *out = tape_matmul(run->tape, table, false, w, false, 1);
	return b ? tape_accumulate(run->tape, out, b) : out;
}

static struct node *build_k(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct deberta *p = m->param;
	return projected(run, m, p->share ? "w_k" : "v_k", p->share ? "b_k" : "v_k_bias");
}

static struct node *build_q(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct deberta *p = m->param;
	return projected(run, m, p->share ? "w_q" : "v_q", p->share ? "b_q" : "v_q_bias");
}

static double deberta_scale(const struct model *model, const struct member *m)
{
	const struct deberta *p = m->param;
	return 1 / sqrt((double)model->dk * (1 + p->c2p + p->p2c));
}

static bool deberta_schedule(struct model *model, const struct member *m, struct err *err)
{
	const struct deberta *p = m->param;
	const size_t last = model->config.layers - 1;
	if (!p->emd || !(m->layers >> last & 1))
		return true;
	if (model->n_steps == sizeof model->steps / sizeof model->steps[0])
		return err_set(err, "%s: there is no room for one more step", m->text);
	struct step *first = &model->steps[model->n_steps - 1];
	first->tag = TAG_ABSOLUTE_QUERIES;
	model->steps[model->n_steps] = (struct step){.layer = first->layer,
						     .q_from = (long)model->n_steps - 1,
						     .kv_from = first->kv_from,
						     .tag = TAG_SECOND};
	model->n_steps++;
	return true;
}

/* The queries, and the residual with them, are P + H; keys and values stay H. */
static bool deberta_project(struct run *run, const struct member *m, struct err *err)
{
	const struct deberta *p = m->param;
	if (!p->emd || run->step->tag != TAG_ABSOLUTE_QUERIES)
		return true;
	const int32_t *rows = run_rows(run, m, run->model->config.t_max, err);
	if (!rows)
		return false;
	struct node *absolute = tape_gather_rows(run->tape, run_leaf(run, m, "p"), rows, run->n);
	run_add_part(run, "position", absolute);
	parts_add(&run->xq, "position", absolute);
	run->residual = tape_add(run->tape, run->residual, absolute);
	return true;
}

static size_t deberta_injects(const struct model *model, const struct member *m, struct inject *out)
{
	const struct deberta *p = m->param;
	const bool mirrored = p->p2c_index == INDEX_PAPER;
	size_t n = 0;
	if (p->c2p)
		out[n++] = (struct inject){.at = INJECT_KEYS,
					   .by = encoding_of(model, p, true),
					   .leaf = "K^r",
					   .label = "query–K^r",
					   .made = build_k};
	if (p->c2p && p->p2c && mirrored)
		out->by.note = "position to content reads δ(s,t), the number of the mirrored cell";
	if (p->p2c)
		out[n++] = (struct inject){.at = INJECT_QUERIES,
					   .by = encoding_of(model, p, !mirrored),
					   .leaf = "Q^r",
					   .label = "Q^r–key",
					   .made = build_q};
	return n;
}

/* K^r and Q^r of every step. */
static double deberta_memory(const struct model *model, const struct member *m,
			     const struct model_input *in, unsigned kinds)
{
	(void)in, (void)kinds;
	const struct deberta *p = m->param;
	const double rows = 2 * (double)span_k(model, p), steps = (double)model->n_steps;
	return 8 * steps * (p->c2p + p->p2c) * rows * (double)model->config.d;
}

static bool same_rows(const struct encoding *e, long a, long b)
{
	return row_of(e, a) == row_of(e, b) && row_of(e, -a) == row_of(e, -b);
}

/* The last distance whose rows are those of one that was seen. The decoder adds positions. */
static double deberta_reach(const void *param, const struct model_config *config)
{
	static const long endless = 1L << 30;
	const struct deberta *p = param;
	const struct model model = {.config = *config};
	const struct encoding e = encoding_of(&model, p, true);
	const long seen = (long)config->t_max - 1;
	long last = seen;
	if (!p->emd && same_rows(&e, seen, endless))
		return INFINITY;
	while (!p->emd && same_rows(&e, seen, last + 1))
		last++;
	return (double)last;
}

static const struct param deberta_params[] = {
	NUMBER_PARAM(struct deberta, max_relative, 0, 0, 4096, 1,
		     "K: distances from −K to K−1 have a row; 0: t-max"),
	NUMBER_PARAM(struct deberta, buckets, 0, 0, 4096, 2,
		     "K again, with logarithmic buckets for far distances (256 in v2 and v3); 0: "
		     "off"),
	RATIO_PARAM(struct deberta, max_position, 512, 2, 65536, 2,
		    "with buckets: distances from here on share the last one"),
	SWITCH_PARAM(struct deberta, c2p, true,
		     "content to position: the query with the key's relative position"),
	SWITCH_PARAM(struct deberta, p2c, true,
		     "position to content: the query's relative position with the key"),
	CHOICE_PARAM(struct deberta, p2c_index, INDEX_PAPER, index_names,
		     "paper: δ(s,t); code: δ(t,s), as the released models read it"),
	SWITCH_PARAM(struct deberta, share, false,
		     "project positions by W_k and W_q of the units (v2 and v3)"),
	SWITCH_PARAM(struct deberta, norm, false,
		     "LayerNorm on the table of positions (v2 and v3)"),
	SWITCH_PARAM(struct deberta, emd, false,
		     "enhanced mask decoder: the last layer twice, first with queries P + H"),
	{0},
};

static const struct claim deberta_claims[] = {
	{CLAIM_UNBOUNDED, ANSWER_UNSAID,
	 "bounded at max_position, which is farther than what is measured",
	 "buckets > 0 && max_position > 448"},
	{CLAIM_UNBOUNDED, ANSWER_UNSAID,
	 "bounded at max_relative, which is farther than what is measured",
	 "buckets == 0 && max_relative > 448"},
	{CLAIM_RELATIVE, ANSWER_YES,
	 "printed as both: absolute positions enter only in the enhanced mask decoder, emd=on"},
	{CLAIM_COUNT, ANSWER_UNSAID,
	 "printed are A^r and P alone; here every layer has V_k and V_q too, and P comes with "
	 "emd=on"},
	{0},
};

/* clang-format off */
#define SMALL {FILL_NORMAL, 0.02}
#define ADDED .spare = true, .demo = {FILL_CONSTANT}, .paper = {FILL_CONSTANT}
#define KEYS .by_layer = EACH_LAYER, .when = "c2p && !share"
#define QUERIES .by_layer = EACH_LAYER, .when = "p2c && !share"
#define NORM .by_layer = ALL_LAYERS, .when = "norm && (c2p || p2c)"
/* clang-format on */

static const struct leaf_row deberta_leaves[] = {
	{"p", "t_max, d", "row t: the absolute position vector of the decoder (emd)",
	 .by_layer = ALL_LAYERS, .when = "emd", .demo = {FILL_NORMAL, 1}, .paper = SMALL},
	{"rel_embeddings", "2 (buckets ? buckets : max_relative ? max_relative : t_max), d",
	 "row δ(t,s) = clip(bucket(t − s) + K): the vector of a relative position, K is half of "
	 "the rows",
	 .by_layer = ALL_LAYERS, .when = "c2p || p2c", .demo = {.make = make_near_past},
	 .paper = SMALL},
	{"v_k", "d, d", "from vectors of relative positions to keys", KEYS,
	 .demo = {FILL_DIAGONAL, 1}, .paper = SMALL},
	/* It moves all logits of a row together, so only a gradient ever sees it. */
	{"v_k_bias", "1, d", "added to those keys", KEYS, ADDED},
	{"v_q", "d, d", "from vectors of relative positions to queries", QUERIES,
	 .demo = {.make = make_gain}, .paper = SMALL},
	{"v_q_bias", "1, d", "added to those queries", QUERIES, ADDED},
	{"ln_weight", "1, d", "LayerNorm of rel_embeddings: multiplies", NORM,
	 .demo = {.make = make_uneven}, .paper = {FILL_CONSTANT, 1}},
	{"ln_bias", "1, d", "LayerNorm of rel_embeddings: added", NORM, .demo = {FILL_CONSTANT},
	 .paper = {FILL_CONSTANT}},
	{0},
};

const struct scheme scheme_deberta[] = {
	{
		.id = "deberta",
		.aliases = "disentangled",
		.title = "Disentangled attention",
		.formula = "A_ts = (q_t·k_s + q_t·K^r_{δ(t,s)} + Q^r_{δ(s,t)}·k_s) / √(3 d_h)",
		.authors = "He et al.",
		.cite = "He, Liu, Gao, Chen: DeBERTa: decoding-enhanced BERT with disentangled "
			"attention. ICLR 2021",
		.recipe = "term.query–K^r[t,s] = c q_raw[t] · K^r[row], row = "
			  "member.deberta.index.δ(t,s), and term.Q^r–key[t,s] = c k_raw[s] · "
			  "Q^r[row], row = that of δ(s,t), or of δ(t,s) with p2c_index=code, both "
			  "of layer.L.member.deberta, columns of H; with emd=on the last two "
			  "entries of layer are the last layer run twice; with H the output before "
			  "both (units if there is none) the first input is H + param.deberta.p, "
			  "and k and v of both are H @ w_k and H @ w_v",
		.about = "Content meets content, content meets relative position and relative "
			 "position meets content, each in a product of its own. Absolute positions "
			 "come in last, just before a word is predicted (emd=on).",
		.year = 2021,
		.table2 = TABLE2_GENERIC,
		.ref = REF_BOTH,
		.inj = INJ_BOTH,
		.leaves = deberta_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "microsoft/DeBERTa 4d7fe0b for p2c_index=code, share, norm, "
				 "buckets, emd; p2c_index=paper is eq. 4 of the paper",
		.demo_note = NEAR_PAST_NOTE
		"; V_k = 1, V_q = ± the gain of W_q, P drawn; LayerNorm weighs odd components half",
		.count_printed = "3 t_max d",
		.claims = deberta_claims,
		.params = deberta_params,
		.param_size = sizeof(struct deberta),
		.check = deberta_check,
		.hooks = {.injects = deberta_injects,
			  .declare = leaves_declare,
			  .schedule = deberta_schedule,
			  .relation = inject_relation,
			  .scale = deberta_scale,
			  .project = deberta_project,
			  .memory = deberta_memory,
			  .prepare = inject_prepare,
			  .logits = inject_logits,
			  .matrices = 4},
		.reach = deberta_reach,
	},
	{0},
};
