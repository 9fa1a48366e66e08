/* sandwich.c: the position part of the product of sinusoids (Chi et al. 2023).
 *
 *   A_ts = c q_t·k_s + [Σ_{i=1}^{D/2} cos((t-s) / 10000^{2i/D}) - D/2] h / (8 i_h),  i_h = 1..h
 *
 * The sum is the product of the sinusoids of t and s, which depends only on their distance. It
 * is made once; heads use it with factors that decrease as 1, 1/2, 1/3... */
#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"

#include <math.h>

#include "scheme/differences.h"
#include "scheme/encoding.h"
#include "scheme/mask.h"

enum terms { TERMS_HALF, TERMS_SHORT };
static const char *const terms_names[] = {"half", "short", NULL};

struct sandwich {
	long width;
	int terms;
	bool causal;
};

struct sandwich_state {
	struct differences d;
	struct node *sum; /* [1, count]: the sum in brackets above */
};

static bool sandwich_check(const void *param, struct err *err)
{
	const struct sandwich *p = param;
	return p->width % 2 == 0 ||
	       err_set(err, "width: %ld; it must be even, two for each cosine", p->width);
}

static struct node *build_sum(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct sandwich *p = m->param;
	const struct sandwich_state *state = run_kept(run, m);
	const double width = (double)p->width;
	const size_t terms = (size_t)p->width / 2 - (p->terms == TERMS_SHORT);
	struct tape *t = run->tape;
	const struct mat at = state->d.at;
	if (terms == 0) {
		const struct mat constant = mat_new(run->arena, 1, at.rows);
		mat_fill(constant, -width / 2);
		return tape_const(t, constant);
	}
	const struct mat wave = mat_new(run->arena, 1, terms);
	for (size_t i = 0; i < terms; i++)
		wave.at[i] = pow(10000, -2 * (double)(i + 1) / width);
	struct node *angle =
		tape_matmul(t, tape_const(t, at), false, tape_const(t, wave), false, 1);
	struct node *sum = tape_row_sum(t, tape_cos(t, angle));
	return tape_reshape(t, tape_add_scalar(t, sum, -width / 2), 1, at.rows);
}

static bool sandwich_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct sandwich_state *state = run_state(run, m, sizeof *state);
	if (!differences_init(&state->d, run, m, true, err))
		return false;
	state->sum = run_cached(run, m, "sum", false, build_sum, err);
	return state->sum != NULL;
}

static bool sandwich_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct sandwich_state *state = head_state(head, m);
	const double heads = (double)head->run->model->config.heads;
	const double compression = 8 * (double)(head->index + 1) / heads;
	head_add_indexed(head, "distance", TERM_POSITION, state->sum, state->d.index, GATHER_SHARED,
			 1 / compression);
	return true;
}

static const struct param sandwich_params[] = {
	NUMBER_PARAM(struct sandwich, width, 128, 2, 4096, 2,
		     "D, numbers in the sinusoids that are multiplied; NeMo gives that of a head"),
	CHOICE_PARAM(struct sandwich, terms, TERMS_HALF, terms_names,
		     "half: the sum runs to D/2; short: to D/2−1, as in another public copy"),
	SWITCH_PARAM(struct sandwich, causal, true,
		     "on: brings the causal mask; off: both directions"),
	{0},
};

const struct scheme scheme_sandwich[] = {
	{
		.id = "sandwich",
		.aliases = "sandwich-bias",
		.title = "Sandwich",
		.formula = "A_ts = q_t·k_s / √d_h + (Σ_{i=1}^{D/2} cos((t−s) / 10000^{2i/D}) − "
			   "D/2) h / (8 i_h)",
		.authors = "Chi et al.",
		.cite = "@chi2023dissecting",
		.recipe = "term.distance[t,s] = (the sum over i = 1..width/2, one fewer with "
			  "terms=short, of cos((t - s) 10000^(-2i/width)) - width/2) h / (8 (H + "
			  "1)), h heads, t and s in the member's column",
		.about = "Of absolute sinusoids only the product of two positions is kept, as a "
			 "bias that falls with distance and ripples. Nothing is learned.",
		.year = 2023,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.flags = SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_CAUSAL | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PORT,
		.evidence_note =
			"NVIDIA/NeMo, SandwichRelativePositionEmbedding, D of the paper; "
			"the listing in the paper's appendix was not compared, the authors' "
			"repository not found",
		.params = sandwich_params,
		.param_size = sizeof(struct sandwich),
		.check = sandwich_check,
		.hooks = {.relation = encoding_relate_apart,
			  .prepare = sandwich_prepare,
			  .mask = mask_causal,
			  .logits = sandwich_logits,
			  .matrices = 1},
	},
	{0},
};
