/* deberta.c: disentangled attention and the enhanced mask decoder (He et al. 2021).
 *
 *   A_ts = c [q_t·k_s + q_t·K^r_{δ(t,s)} + Q^r_{δ(s,t)}·k_s],  K^r = A^r V_k,  Q^r = A^r V_q,
 *   δ(t,s) = clamp(bucket(t-s) + K, 0, 2K-1),  c = 1/√(d_k (1 + terms))
 *
 * The decoder (emd) applies the last layer twice: the first time its queries are P + H with
 * absolute positions P, the second time the result of the first. */
#include "posviz/model/stage.h"

#include <math.h>

#include "scheme/deberta.h"
#include "scheme/inject.h"
#include "scheme/leaves.h"
#include "scheme/near_past.h"

enum p2c_index { INDEX_PAPER, INDEX_CODE };
static const char *const index_names[] = {"paper", "code", NULL};

enum { TAG_ABSOLUTE_QUERIES = 1, TAG_SECOND };

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

static double deberta_scale(const struct model *model, const struct member *m)
{
	const struct deberta *p = m->param;
	return 1 / sqrt((double)model->dk * (1 + p->c2p + p->p2c));
}

static bool deberta_schedule(struct model *model, const struct member *m, struct err *err)
{
	const struct deberta *p = m->param;
	const size_t last = model->config.layers - 1;
	if (!p->emd || !subset_has(&m->layers, last))
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

/* The queries and the residual are P + H; keys and values stay H. */
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
					   .by = deberta_encoding(model, p, true),
					   .leaf = "K^r",
					   .label = "query–K^r",
					   .made = deberta_keys};
	if (p->c2p && p->p2c && mirrored)
		out->by.note = "position to content reads δ(s,t), the number of the mirrored cell";
	if (p->p2c)
		out[n++] = (struct inject){.at = INJECT_QUERIES,
					   .by = deberta_encoding(model, p, !mirrored),
					   .leaf = "Q^r",
					   .label = "Q^r–key",
					   .made = deberta_queries};
	return n;
}

/* Returns the memory of K^r and Q^r of every step. */
static double deberta_memory(const struct model *model, const struct member *m,
			     const struct model_input *in, unsigned kinds)
{
	(void)in, (void)kinds;
	const struct deberta *p = m->param;
	const double rows = 2 * (double)deberta_span(model, p), steps = (double)model->n_steps;
	return 8 * steps * (p->c2p + p->p2c) * rows * (double)model->qk_width;
}

/* Everything else it does belongs to the mask decoder. */
static bool deberta_only_terms(const struct member *m)
{
	const struct deberta *p = m->param;
	return !p->emd;
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
		     "project positions by W_k and W_q of the tokens (v2 and v3)"),
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

const struct scheme scheme_deberta[] = {
	{
		.id = "deberta",
		.aliases = "disentangled",
		.title = "Disentangled attention",
		.formula = "A_ts = (q_t·k_s + q_t·K^r_{δ(t,s)} + Q^r_{δ(s,t)}·k_s) / √(3 d_h)",
		.authors = "He et al.",
		.cite = "@he2021deberta",
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
		.hooks = {.reads_weights = true,
			  .injects = deberta_injects,
			  .declare = leaves_declare,
			  .schedule = deberta_schedule,
			  .relation = inject_relation,
			  .scale = deberta_scale,
			  .project = deberta_project,
			  .only_terms = deberta_only_terms,
			  .memory = deberta_memory,
			  .prepare = inject_prepare,
			  .logits = inject_logits,
			  .matrices = 4},
		.reach = deberta_reach,
	},
	{0},
};
