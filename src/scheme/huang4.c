/* huang4.c: the fourth method of Huang, Liang, Xu and Xiang 2020 (survey eq. 20).
 *
 *   A_ts = c ((q_t + r_{s-t})·(k_s + r_{s-t}) - r_{s-t}·r_{s-t}) */
#include "scheme/inject.h"
#include "scheme/near_past.h"

enum sign { SIGN_ST, SIGN_TS };
static const char *const sign_names[] = {"st", "ts", NULL};

struct huang4 {
	int share, sign;
};

static const struct param huang4_params[] = {
	SHARE_PARAM(struct huang4, SHARE_HEAD),
	CHOICE_PARAM(struct huang4, sign, SIGN_ST, sign_names,
		     "st: key minus query (the survey); ts: query minus key (BERT's "
		     "relative_key_query)"),
	{0},
};

static const struct leaf_row huang4_leaves[] = {
	{"r", NULL,
	 "row t_max − 1 + δ: added to query and key, δ = s − t, or t − s with sign=ts; heads side "
	 "by side in columns"},
	{0},
};

static size_t huang4_injects(const struct model *model, const struct member *m, struct inject *out)
{
	const struct huang4 *p = m->param;
	const bool ts = p->sign == SIGN_TS;
	out[0] = (struct inject){
		.at = INJECT_KEYS,
		.by = encoding_signed(ts, (long)model->config.t_max - 1),
		.leaf = "r",
		.label = "query–r",
		.share = (enum share)p->share,
		.demo = {.make = ts ? near_past_mirrored : near_past_rows},
		.paper = {.fill = FILL_NORMAL, .value = 0.02},
	};
	out[0].by.bounded = out[0].by.reached = true;
	out[1] = out[0];
	out[1].at = INJECT_QUERIES;
	out[1].label = "r–key";
	return 2;
}

static const struct claim huang4_claims[] = {
	{CLAIM_COUNT, ANSWER_UNSAID,
	 "printed with d for the width of a head; share says which heads and layers have their "
	 "own"},
	{0},
};

const struct scheme scheme_huang4[] = {
	{
		.id = "huang4",
		.aliases = "huang-m4 relative_key_query",
		.title = "Relative vectors on query and key",
		.formula = "A_ts = ((q_t + r_{s−t})·(k_s + r_{s−t}) − r_{s−t}·r_{s−t}) / √d_h",
		.authors = "Huang et al.",
		.cite = "@huang2020improve",
		.leaves = huang4_leaves,
		.recipe = "with row = member.huang4.index.*, an offset into param.huang4.r.L "
			  "of the distances that occur, s - t + t_max - 1: "
			  "term.query–r[t,s] = c q_raw[t] . r[row], term.r–key[t,s] = c "
			  "k_raw[s] . r[row]",
		.about = "A learned vector for each distance is added to query and key, its own "
			 "length taken away again: both words say which distances they like.",
		.year = 2020,
		.table2 = TABLE2_GENERIC,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING,
		.evidence = EVIDENCE_PORT,
		.evidence_note = "survey eq. 20; huggingface/transformers c85510f, "
				 "modeling_bert.py relative_key_query: sign=ts, shared by heads",
		.demo_note = NEAR_PAST_NOTE,
		.count_printed = "d l h (2 t_max - 1)",
		.claims = huang4_claims,
		.params = huang4_params,
		.param_size = sizeof(struct huang4),
		.hooks = {INJECT_HOOKS(huang4_injects), .matrices = 6},
	},
	{0},
};
