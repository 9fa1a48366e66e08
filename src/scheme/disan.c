/* disan.c: the masks of Directional Self-Attention Networks (Shen et al. 2018), and their
 * multi-dimensional attention.
 *
 *   s < t (forward), s > t (backward), s ≠ t (diagonal);  multi: A^j_ts = 5 tanh((q_tj + k_sj)/5)
 *
 * With multi=on there is a softmax for each feature: a head then has d_h planes of weights. */
#include "posviz/model/stage.h"
#include "scheme/mask.h"

enum direction { DIRECTION_BOTH, DIRECTION_FORWARD, DIRECTION_BACKWARD, DIRECTION_DIAGONAL };
static const char *const direction_names[] = {"both", "forward", "backward", "diagonal", NULL};

struct disan {
	int mask; /* enum direction */
	bool multi;
};

/* The plane whose scores are in the logits of each head. */
struct shown {
	size_t plane;
	struct node *scores;
};

static bool disan_mask(struct head *head, const struct member *m, struct err *err)
{
	static const unsigned sees[] = {
		[DIRECTION_FORWARD] = MASK_BEFORE, [DIRECTION_BACKWARD] = MASK_AFTER};
	const struct disan *p = m->param;
	const int in_turn = head->index % 2 == 0 ? DIRECTION_FORWARD : DIRECTION_BACKWARD;
	const int to = p->mask == DIRECTION_BOTH ? in_turn : p->mask;
	const size_t n = head->run->n;
	if (to != DIRECTION_DIAGONAL)
		return mask_others(head, m, sees[to], err);
	if (!run_order(head->run, m, err))
		return false;
	for (size_t t = 0; t < n; t++)
		head_mask(head)[t * n + t] = 0;
	return true;
}

static bool disan_prepare(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	run_state(run, m, run->model->config.heads * sizeof(struct shown));
	return true;
}

static bool disan_declare(struct model *model, const struct member *m, struct err *err)
{
	const struct disan *p = m->param;
	return !p->multi || model->dv == model->dk ||
	       err_set(err,
		       "value-dim: %s has a softmax for each component of queries, keys and values; "
		       "value-dim %zu, as head-dim, would be right",
		       m->text, model->dk);
}

static size_t disan_planes(const struct model *model, const struct member *m)
{
	const struct disan *p = m->param;
	return p->multi ? model->dv : 1;
}

static bool disan_qk(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct disan *p = m->param;
	head->without_dot |= p->multi;
	return true;
}

/* Computes 5 tanh((q_tj + k_sj) / 5), [n,n]; the paper's b is the bias of the queries. */
static struct node *plane_scores(struct head *head, size_t j)
{
	struct tape *t = head->tape;
	const size_t n = head->run->n;
	struct node *q = tape_slice(t, head->q_raw, 0, n, j, 1);
	struct node *k = tape_slice(t, head->k_raw, 0, n, j, 1);
	return tape_scale(t, tape_tanh(t, tape_pair_sums(t, q, k, 0.2)), 5);
}

/* Adds the logits of the plane that is shown; other members add to every plane. */
static bool disan_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct disan *p = m->param;
	struct shown *shown = (struct shown *)head_state(head, m) + head->index;
	if (!p->multi)
		return true;
	shown->plane = head->plane < head->run->model->dv ? head->plane : 0;
	shown->scores = plane_scores(head, shown->plane);
	/* A copy, because later terms may be added in place. */
	head_add_term(head, "5 tanh", TERM_OTHER, tape_scale(head->tape, shown->scores, 1));
	return true;
}

static bool disan_weights(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct disan *p = m->param;
	const struct shown *shown = (const struct shown *)head_state(head, m) + head->index;
	if (!p->multi || shown->plane == head->plane)
		return true;
	struct tape *t = head->tape;
	struct node *others = tape_sub(t, head->logits, shown->scores);
	struct node *logits = tape_accumulate(t, others, plane_scores(head, head->plane));
	head->weights = tape_softmax(t, logits, head->allowed, true);
	return true;
}

static bool disan_only_mask(const struct member *m)
{
	const struct disan *p = m->param;
	return !p->multi;
}

static const struct param disan_params[] = {
	CHOICE_PARAM(struct disan, mask, DIRECTION_BOTH, direction_names,
		     "both: odd heads forward (keys before the query), even ones backward; "
		     "diagonal: all but the query"),
	SWITCH_PARAM(struct disan, multi, false,
		     "a softmax for each feature, of 5 tanh((q + k)/5) instead of q·k"),
	{0},
};

static const struct claim disan_claims[] = {
	{CLAIM_RELATIVE, ANSWER_NO,
	 "the mask goes by direction, the logits before it know nothing of positions"},
	{0},
};

const struct scheme scheme_disan[] = {
	{
		.id = "disan",
		.aliases = "directional",
		.title = "Directional self-attention",
		.formula = "A_ts = −∞ for s ≥ t (forward), s ≤ t (backward), s = t (diagonal)",
		.authors = "Shen et al.",
		.cite = "@shen2018disan",
		.recipe = "with multi=on the logits are those of feature j = 0 of the head: 5 "
			  "tanh((q[t,j] + k[s,j])/5); weights likewise for each j, and "
			  "context[t,j] = the sum over s of the weights of j times v[s,j]",
		.about = "A head looks back or ahead, never both ways and never at the query "
			 "itself. The mask carries no position, but the output depends on which "
			 "side a word stands. The first token of a forward head sees nothing.",
		.year = 2018,
		.table2 = TABLE2_GENERIC,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.flags = SCHEME_RECURRING | SCHEME_UNBOUNDED,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "masks and scores as in taoshen58/DiSAN 705c444, its numbers not "
				 "compared; one head each way stands for its two blocks, without "
				 "their gate",
		.count_printed = "0",
		.claims = disan_claims,
		.causal_when = "mask == forward",
		.numbers_when = "0",
		.params = disan_params,
		.param_size = sizeof(struct disan),
		.hooks = {.declare = disan_declare,
			  .prepare = disan_prepare,
			  .qk = disan_qk,
			  .mask = disan_mask,
			  .logits = disan_logits,
			  .weights = disan_weights,
			  .planes = disan_planes,
			  .matrices = 5,
			  .mask_by_head = true,
			  .only_mask = disan_only_mask},
		.reach = mask_reach,
	},
	{0},
};
