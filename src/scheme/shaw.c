/* shaw.c: relative position vectors on keys and values (Shaw et al. 2018).
 *
 *   A_ts = c q_t·(k_s + w^K_{clip(s-t)}),  M_t = sum_s α_ts (v_s + w^V_{clip(s-t)})
 *
 * Nothing of size n×n×d is made: q·w^Kᵀ is [n, 2r+1] and is read by distance; for the values the
 * weights of equal distance are summed to [n, 2r+1] first and multiply w^V once. */
#include "posviz/scheme.h"
#include "posviz/stage.h"

#include <math.h>

#include "scheme/distance.h"
#include "scheme/near_past.h"
#include "scheme/sinusoid.h"

enum table { TABLE_LEARNED, TABLE_SINUSOIDAL };
enum sign { SIGN_ST, SIGN_TS };

static const char *const table_names[] = {"learned", "sinusoidal", NULL};
static const char *const sign_names[] = {"st", "ts", NULL};

struct shaw {
	long clip;
	bool values;
	int table, sign;
};

struct shaw_state {
	const struct index *row;  /* [n,n] → 0..2r */
	struct node *key, *value; /* [2r+1, dk] */
};

/* Without clipping there is a vector for every distance below t_max. */
static long radius(const struct model *model, const struct shaw *p)
{
	return p->clip > 0 ? p->clip : (long)model->config.t_max - 1;
}

/* ---- leaves ---- */

static void make_near_past(struct mat at, const struct model *model, const struct member *m,
			   long layer, struct rng *rng)
{
	(void)layer;
	(void)rng;
	const struct shaw *p = m->param;
	const long r = radius(model, p);
	for (size_t i = 0; i < at.rows; i++) {
		const long delta = (long)i - r;
		for (size_t j = 0; j < at.cols; j++)
			mat_row(at, i)[j] = near_past(j, p->sign == SIGN_ST ? delta : -delta);
	}
}

static bool shaw_declare(struct model *model, const struct member *m, struct err *err)
{
	static const struct leaf_init demo = {.make = make_near_past};
	static const struct leaf_init paper = {.fill = FILL_XAVIER, .value = 1};
	const struct shaw *p = m->param;
	const size_t rows = 2 * (size_t)radius(model, p) + 1;
	if (p->table == TABLE_SINUSOIDAL)
		return true;
	return model_leaf(model, m, "w_key", rows, model->dk, true, demo, paper, err) &&
	       (!p->values ||
		model_leaf(model, m, "w_value", rows, model->dk, true, demo, paper, err));
}

/* Rosendahl et al. 2019, read literally: the first d_k components of the d-wide sinusoid of the
 * clipped distance, that is its fast frequencies alone. [2r+1, dk] */
static struct node *build_sinusoids(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct model *model = run->model;
	const long r = radius(model, m->param);
	const size_t rows = 2 * (size_t)r + 1;
	double *distance = arena_calloc(run->arena, rows, sizeof *distance);
	for (size_t i = 0; i < rows; i++)
		distance[i] = (double)((long)i - r);
	const struct mat wide = mat_new(run->arena, rows, model->config.d);
	sinusoid_fill(wide, distance, SINUSOID_INTERLEAVED, SINUSOID_PAPER, 10000);
	return tape_const(run->tape, mat_copy(run->arena, mat_cols(wide, 0, model->dk)));
}

/* ---- hooks ---- */

static struct distance_clip clip_of(const struct run *run, const struct shaw *p)
{
	return (struct distance_clip){radius(run->model, p), p->sign == SIGN_TS};
}

/* Row i of the tables is that of the number i - r. */
static struct distance_code code_of(const struct shaw *p, const struct distance_clip *clip,
				    struct arena *a)
{
	return p->clip > 0 ? distance_clipped(clip, a) : distance_signed(clip->ts, clip->radius);
}

static bool check_reach(struct run *run, const struct member *m, long r, struct err *err)
{
	const struct shaw *p = m->param;
	long lo, hi;
	if (!run_delta_range(run, m, &lo, &hi, err))
		return false;
	return p->clip > 0 || hi <= r ||
	       err_set(err,
		       "%s without clipping has vectors for distances up to %ld (t-max %zu), "
		       "and this input has distance %ld; raise t-max or set clip",
		       m->text, r, run->model->config.t_max, hi);
}

static bool shaw_relation(struct run *run, const struct member *m, struct relation *out,
			  struct err *err)
{
	const struct distance_clip clip = clip_of(run, m->param);
	const struct distance_code code = code_of(m->param, &clip, run->arena);
	return check_reach(run, m, clip.radius, err) && distance_relation(run, m, &code, out, err);
}

static bool shaw_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct shaw *p = m->param;
	const struct distance_clip clip = clip_of(run, p);
	const struct distance_code code = code_of(p, &clip, run->arena);
	struct shaw_state *state = run_state(run, m, sizeof *state);
	if (!check_reach(run, m, clip.radius, err))
		return false;
	state->row = distance_index(run, m, &code, err);
	if (p->table == TABLE_SINUSOIDAL) {
		state->key = run_cached(run, m, "sinusoids", false, build_sinusoids, err);
		state->value = state->key;
		return state->row && state->key;
	}
	state->key = run_leaf(run, m, "w_key");
	state->value = p->values ? run_leaf(run, m, "w_value") : NULL;
	return state->row != NULL;
}

/* c q_t·w^K. The query is the one before the qk stage: its width is d_k whatever is done there. */
static bool shaw_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct shaw_state *state = head_state(head, m);
	struct node *table = tape_matmul(head->tape, head->q_raw, false, state->key, true, 1);
	head_add_indexed(head, "query–w_key", TERM_UNIT_POSITION, table, state->row, GATHER_BY_ROW,
			 head_scale(head));
	return true;
}

static bool shaw_values(struct head *head, const struct member *m, struct err *err)
{
	const struct shaw *p = m->param;
	const struct shaw_state *state = head_state(head, m);
	if (!p->values)
		return true;
	if (!head_needs_one_plane(head, m, "set values=off", err))
		return false;
	struct node *sums = tape_scatter(head->tape, head->weights, state->row, false);
	struct node *term = tape_matmul(head->tape, sums, false, state->value, false, 1);
	head->context = tape_accumulate(head->tape, head->context, term);
	return true;
}

/* Beyond `clip` all is as at it. */
static double shaw_reach(const void *param, const struct model_config *config)
{
	const struct shaw *p = param;
	const double seen = (double)config->t_max - 1;
	return p->clip > 0 && (double)p->clip <= seen ? INFINITY : seen;
}

/* ---- descriptor ---- */

static const struct param shaw_params[] = {
	{.name = "clip",
	 .help = "distances beyond it share one vector; 0: a vector for each up to t-max",
	 .kind = PARAM_INT,
	 .offset = offsetof(struct shaw, clip),
	 .def = 16,
	 .min = 0,
	 .max = 4096,
	 .step = 1},
	{.name = "values",
	 .help = "add vectors to the values too",
	 .kind = PARAM_BOOL,
	 .offset = offsetof(struct shaw, values),
	 .def = 1},
	{.name = "table",
	 .help = "learned vectors, or the first d_h components of sinusoids (Rosendahl et al.)",
	 .kind = PARAM_CHOICE,
	 .offset = offsetof(struct shaw, table),
	 .def = TABLE_LEARNED,
	 .choices = table_names},
	{.name = "sign",
	 .help = "st: key minus query (Shaw et al.); ts: query minus key (Rosendahl et al.)",
	 .kind = PARAM_CHOICE,
	 .offset = offsetof(struct shaw, sign),
	 .def = SIGN_ST,
	 .choices = sign_names},
	{0},
};

static const struct claim shaw_claims[] = {
	{CLAIM_LEARNABLE, ANSWER_NO, "sinusoids are not learned", "[table=sinusoidal]"},
	{CLAIM_COUNT, ANSWER_YES,
	 "printed without clipping and with d for the width of a head; the code clips, and its "
	 "heads "
	 "share vectors of width d_h"},
	{.kind = CLAIM_KINDS},
};

static const struct leaf_note shaw_leaves[] = {
	{"w_key", "2 clip + 1 + 0^clip (2 t_max - 2), d_h",
	 "row r + δ, r the middle one: added to the key at δ = s − t, or t − s with sign=ts"},
	{"w_value", "2 clip + 1 + 0^clip (2 t_max - 2), d_h", "the same, added to the value"},
	{0},
};

const struct scheme scheme_shaw[] = {
	{
		.id = "shaw",
		.aliases = "relative shaw_rel rpr",
		.title = "Relative position representations",
		.authors = "Shaw et al.",
		.cite = "Shaw, Uszkoreit, Vaswani: Self-attention with relative position "
			"representations. NAACL 2018",
		.formula = "A_ts = q_t·(k_s + w^K_{clip(s−t)}) / √d_h,  M_t = Σ_s α_ts (v_s + "
			   "w^V_{clip(s−t)})",
		.recipe = "term.query–w_key[t,s] = c q_raw[t] · param.shaw.w_key.L[row]; with "
			  "table=sinusoidal both tables are member.shaw.sinusoids; with values=on "
			  "context[t] also has the sum over s of weights[t,s] * "
			  "param.shaw.w_value.L[row], row = clip(s - t, -clip, clip) + clip (t - s "
			  "with sign=ts)",
		.about =
			"A learned vector for each clipped distance is added to the key and to the "
			"value, so the query itself decides which distances it likes.",
		.year = 2018,
		.topic = TOPIC_SEQUENCE,
		.table2 = TABLE2_GENERIC,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.rows = ROWS_STOCHASTIC,
		.leaves = shaw_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING,
		.evidence = EVIDENCE_CODE,
		.evidence_note =
			"tensor2tensor bafdc1b, common_attention.py; Neishi and Yoshinaga's "
			"code ab8a959 agrees",
		.demo_note = NEAR_PAST_NOTE,
		.count_printed = "2(2 t_max - 1) d l",
		.count_made =
			"(1 + values)[table=learned](2 clip + 1 + 0^clip (2 t_max - 2)) d_h l",
		.claims = shaw_claims,
		.params = shaw_params,
		.param_size = sizeof(struct shaw),
		.hooks = {.declare = shaw_declare,
			  .relation = shaw_relation,
			  .prepare = shaw_prepare,
			  .logits = shaw_logits,
			  .values = shaw_values,
			  .matrices = 2},
		.reach = shaw_reach,
	},
	{0},
};
