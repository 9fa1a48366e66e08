/* shaw.c: relative position vectors on keys and values (Shaw et al. 2018).
 *
 *   A_ts = c q_t·(k_s + w^K_{clip(s-t)}),  M_t = sum_s α_ts (v_s + w^V_{clip(s-t)}) */
#include <math.h>

#include "scheme/inject.h"
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

/* Returns the largest distance; without clipping there is a vector for every distance below
 * t_max. */
static long radius(const struct model *model, const struct shaw *p)
{
	return p->clip > 0 ? p->clip : (long)model->config.t_max - 1;
}

/* Rosendahl et al. 2019, read literally: the first d_k components of the d-wide sinusoid of the
 * clipped distance, which are only its fast frequencies. [2r+1, dk] */
static struct node *first_of_sinusoids(struct run *run, const struct member *m, size_t width)
{
	const size_t d = run->model->config.d;
	const struct mat wide =
		sinusoid_distances(run->arena, radius(run->model, m->param), d > width ? d : width,
				   SINUSOID_INTERLEAVED, SINUSOID_PAPER);
	return tape_const(run->tape, mat_copy(run->arena, mat_cols(wide, 0, width)));
}

static struct node *build_sinusoids(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	return first_of_sinusoids(run, m, run->model->dk);
}

static struct node *build_for_values(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	return first_of_sinusoids(run, m, run->model->dv);
}

/* Row i of the tables is that of the number i - r. */
static struct encoding encoding_of(const struct model *model, const struct shaw *p)
{
	const bool ts = p->sign == SIGN_TS;
	struct encoding e = encoding_signed(ts, radius(model, p));
	e.bounded = true;
	e.remedy = "set clip";
	return p->clip > 0 ? encoding_clipped(ts, p->clip) : e;
}

static size_t shaw_injects(const struct model *model, const struct member *m, struct inject *out)
{
	const struct shaw *p = m->param;
	const bool learned = p->table == TABLE_LEARNED;
	out[0] = (struct inject){
		.at = INJECT_KEYS,
		.by = encoding_of(model, p),
		.leaf = learned ? "w_key" : "sinusoids",
		.label = "query–w_key",
		.share = learned ? SHARE_HEAD : SHARE_BOTH,
		.demo = {.make = p->sign == SIGN_ST ? near_past_rows : near_past_mirrored},
		.paper = {.fill = FILL_XAVIER, .value = 1},
		.made = learned ? NULL : build_sinusoids,
		.remedy = "set values=off"};
	out[1] = out[0];
	out[1].at = INJECT_VALUES;
	if (learned) {
		out[1].leaf = "w_value";
	} else if (model->dv != model->dk) {
		out[1].leaf = "sinusoids of values";
		out[1].made = build_for_values;
	}
	return 1 + p->values;
}

/* Distances beyond `clip` are equivalent to it. */
static double shaw_reach(const void *param, const struct model_config *config)
{
	const struct shaw *p = param;
	const double seen = (double)config->t_max - 1;
	return p->clip > 0 && (double)p->clip <= seen ? INFINITY : seen;
}

static const struct param shaw_params[] = {
	NUMBER_PARAM(struct shaw, clip, 16, 0, 4096, 1,
		     "distances beyond it share one vector; 0: a vector for each up to t-max"),
	SWITCH_PARAM(struct shaw, values, true, "add vectors to the values too"),
	CHOICE_PARAM(struct shaw, table, TABLE_LEARNED, table_names,
		     "learned vectors, or the first d_h components of sinusoids (Rosendahl et "
		     "al.)"),
	CHOICE_PARAM(struct shaw, sign, SIGN_ST, sign_names,
		     "st: key minus query (Shaw et al.); ts: query minus key (Rosendahl et al.)"),
	{0},
};

static const struct claim shaw_claims[] = {
	{CLAIM_LEARNABLE, ANSWER_NO, "sinusoids are not learned", "table == sinusoidal"},
	{CLAIM_COUNT, ANSWER_UNSAID,
	 "printed without clipping and with d for the width of a head; the code clips, and its "
	 "heads share vectors of width d_h"},
	{0},
};

static const struct leaf_row shaw_leaves[] = {
	{"w_key", "(clip ? 2 clip + 1 : 2 t_max - 1), d_h",
	 "row r + δ, r the middle one: added to the key at δ = s − t, or t − s with sign=ts"},
	{"w_value", "(clip ? 2 clip + 1 : 2 t_max - 1), d_v", "the same, added to the value"},
	{0},
};

const struct scheme scheme_shaw[] = {
	{
		.id = "shaw",
		.aliases = "relative shaw_rel rpr",
		.title = "Relative position representations",
		.formula = "A_ts = q_t·(k_s + w^K_{clip(s−t)}) / √d_h,  M_t = Σ_s α_ts (v_s + "
			   "w^V_{clip(s−t)})",
		.authors = "Shaw et al.",
		.cite = "@shaw2018selfattention",
		.recipe = "term.query–w_key[t,s] = c q_raw[t] · param.shaw.w_key.L[row]; with "
			  "table=sinusoidal both tables are member.shaw.sinusoids; with values=on "
			  "context[t] also has the sum over s of weights[t,s] * "
			  "param.shaw.w_value.L[row], row = clip(s - t, -clip, clip) + clip (t - s "
			  "with sign=ts)",
		.about = "A learned vector for each clipped distance is added to the key and to "
			 "the value, so the query itself decides which distances it likes.",
		.year = 2018,
		.table2 = TABLE2_GENERIC,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = shaw_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "tensor2tensor bafdc1b, common_attention.py; Neishi and "
				 "Yoshinaga's code ab8a959 agrees",
		.demo_note = NEAR_PAST_NOTE,
		.count_printed = "2(2 t_max - 1) d l",
		.claims = shaw_claims,
		.params = shaw_params,
		.param_size = sizeof(struct shaw),
		.hooks = {INJECT_HOOKS(shaw_injects), .values = inject_values, .by_rows = true,
			  .matrices = 2},
		.reach = shaw_reach,
	},
	{0},
};
