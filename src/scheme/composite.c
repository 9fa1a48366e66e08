/* composite.c: composite attention (Chang, Xu, Xu, Tu 2021): relative positions as a convolution.
 *
 *   A_ts = c [q_t·k_s + q_t·w_δ + k_s·w'_{-δ}] + β_δ,  δ = clip(s-t, -r, r)
 *
 * β is a fixed lightweight convolution and one per head, w a dynamic one and shared by the
 * heads. Each part can be left out, the product q·k too. Beyond r the authors' code clips, as
 * here; a true lightweight convolution would mask. A depthwise convolution of the values can be
 * added to the attention's result; it runs along the position column. */
#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"

#include <math.h>
#include <stdlib.h>

#include "scheme/inject.h"
#include "scheme/leaves.h"
#include "scheme/near_past.h"

enum convolution { CONVOLUTION_OFF, CONVOLUTION_ON, CONVOLUTION_SCALED };

static const char *const convolution_names[] = {"off", "on", "scaled", NULL};

struct composite {
	long clip;
	bool dot, fixed, convq, convk;
	int convolution;
};

struct composite_state {
	struct injected in;
	struct node *kernel, *bias, *scale; /* [2r+1, d], [1,d], [1,h]; the last may be NULL */
	long reach;			    /* the farthest token that the kernel reaches */
	const int32_t *neighbour; /* [2 reach + 1][n]: the token at that distance; n: none */
};

/* With value -1 the distance is seen from the key. */
static double make_columns(const struct leaf_maker *of, size_t row, size_t col)
{
	const struct composite *p = of->m->param;
	return near_past(row, (long)of->value * ((long)col - p->clip));
}

static struct inject kernel_of(const struct composite *p, enum inject_at at, const char *leaf,
			       const char *label)
{
	const bool mirrored = at == INJECT_QUERIES, added = at == INJECT_ADD;
	const double even = 1 / sqrt(2 * (double)p->clip + 1);
	return (struct inject){
		.at = at,
		.by = encoding_clipped(mirrored, p->clip),
		.leaf = leaf,
		.label = label,
		.share = added ? SHARE_NONE : SHARE_HEAD,
		.turned = true,
		.demo = {.entry = make_columns, .value = mirrored ? -1 : 1},
		.paper = {added ? FILL_CONSTANT : FILL_UNIFORM, added ? 0 : even},
	};
}

static size_t composite_injects(const struct model *model, const struct member *m,
				struct inject *out)
{
	(void)model;
	const struct composite *p = m->param;
	size_t n = 0;
	if (p->fixed)
		out[n++] = kernel_of(p, INJECT_ADD, "beta", "β");
	if (p->convq)
		out[n++] = kernel_of(p, INJECT_KEYS, "w_query", "query–w");
	if (p->convk)
		out[n++] = kernel_of(p, INJECT_QUERIES, "w_key", "w'–key");
	return n;
}

static bool find_neighbours(struct run *run, const struct member *m, struct composite_state *state,
			    struct err *err)
{
	const struct composite *p = m->param;
	const double *at = run_column(run, m, err);
	const size_t n = run->n;
	long lo, hi;
	if (!run_delta_range(run, m, &lo, &hi, err))
		return false;
	state->reach = hi < p->clip ? hi : p->clip;
	const size_t width = 2 * (size_t)state->reach + 1;
	int32_t *to = arena_alloc(run->arena, width * n * sizeof *to);
	for (size_t i = 0; i < width * n; i++)
		to[i] = (int32_t)n;
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++) {
			const long delta = (long)at[s] - (long)at[t];
			if (labs(delta) > state->reach)
				continue;
			int32_t *slot = &to[(size_t)(delta + state->reach) * n + t];
			if (*slot != (int32_t)n)
				return err_set(
					err,
					"%s: a convolution needs one token at each position, and "
					"column %s has two at %g; set convolution=off",
					m->text, m->pos, at[s]);
			*slot = (int32_t)s;
		}
	state->neighbour = to;
	return true;
}

/* The same for any combination of the parts. */
static bool composite_relation(struct run *run, const struct member *m, struct relation *out,
			       struct err *err)
{
	const struct composite *p = m->param;
	const struct encoding e = encoding_clipped(false, p->clip);
	return encoding_relation(run, m, &e, out, err);
}

static bool composite_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct composite *p = m->param;
	struct composite_state *state = run_state(run, m, sizeof *state);
	if (!inject_fill(run, m, &state->in, err))
		return false;
	if (p->convolution == CONVOLUTION_OFF)
		return true;
	state->kernel = run_leaf(run, m, "conv_weight");
	state->bias = run_leaf(run, m, "conv_bias");
	state->scale = p->convolution == CONVOLUTION_SCALED ? run_leaf(run, m, "conv_scale") : NULL;
	return find_neighbours(run, m, state, err);
}

static bool composite_qk(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct composite *p = m->param;
	head->without_dot |= !p->dot;
	return true;
}

/* out[t] = bias + sum over j of kernel_j ∘ v of the token at distance j; 0 outside. [n, dv] */
static struct node *convolved(struct head *head, const struct composite *p,
			      const struct composite_state *state)
{
	struct tape *t = head->tape;
	const size_t n = head->run->n, dv = head->run->model->dv, at = head->index * dv;
	struct node *nothing = tape_const(t, mat_zero(t->arena, 1, dv));
	struct node *v = tape_concat_rows(t, (struct node *[]){head->v, nothing}, 2);
	struct node *sum = NULL;
	for (long j = -state->reach; j <= state->reach; j++) {
		const int32_t *units = state->neighbour + (size_t)(j + state->reach) * n;
		struct node *kernel =
			tape_slice(t, state->kernel, (size_t)(j + p->clip), 1, at, dv);
		struct node *term = tape_mul(t, tape_gather_rows(t, v, units, n), kernel);
		sum = sum ? tape_accumulate(t, sum, term) : term;
	}
	sum = tape_accumulate(t, sum, tape_slice(t, state->bias, 0, 1, at, dv));
	return state->scale ? tape_mul(t, sum, tape_slice(t, state->scale, 0, 1, head->index, 1))
			    : sum;
}

static bool composite_only_terms(const struct member *m)
{
	const struct composite *p = m->param;
	return p->dot && p->convolution == CONVOLUTION_OFF;
}

static bool composite_values(struct head *head, const struct member *m, struct err *err)
{
	const struct composite *p = m->param;
	const struct composite_state *state = head_state(head, m);
	if (p->convolution == CONVOLUTION_OFF)
		return true;
	if (!head_needs_one_plane(head, m, "set convolution=off", err))
		return false;
	head_add_values(head, "convolution", convolved(head, p, state), NULL);
	return true;
}

/* Distances beyond `clip` are equivalent to it. */
static double composite_reach(const void *param, const struct model_config *config)
{
	const struct composite *p = param;
	const double seen = (double)config->t_max - 1;
	return (double)p->clip <= seen ? INFINITY : seen;
}

static const struct param composite_params[] = {
	NUMBER_PARAM(struct composite, clip, 8, 0, 4096, 1,
		     "r: the kernel reaches r positions each way, and farther distances share its "
		     "ends"),
	SWITCH_PARAM(struct composite, dot, true,
		     "the product of query and key; off: the convolutions alone"),
	SWITCH_PARAM(struct composite, fixed, true, "β: a number for each distance and head"),
	SWITCH_PARAM(struct composite, convq, true,
		     "w: a vector for each distance, met by the query"),
	SWITCH_PARAM(struct composite, convk, false,
		     "w': a vector for each distance, met by the key"),
	CHOICE_PARAM(struct composite, convolution, CONVOLUTION_OFF, convolution_names,
		     "add a depthwise convolution of the values; scaled: times a number for each "
		     "head"),
	{0},
};

#define ONE_TAP "all distances share the one tap of the kernel, so none is told"

static const struct claim composite_claims[] = {
	{CLAIM_RELATIVE, ANSWER_NO, ONE_TAP, "clip == 0"},
	{CLAIM_UNBOUNDED, ANSWER_UNSAID, ONE_TAP, "clip == 0"},
	{CLAIM_RECURRING, ANSWER_NO, ONE_TAP, "clip == 0 && !convk && convolution == off"},
	{0},
};

/* clang-format off */
#define TAPS "2 clip + 1"
#define CONVOLUTION .by_layer = EACH_LAYER, .when = "convolution != off"
/* clang-format on */

static const struct leaf_row composite_leaves[] = {
	/* PyTorch's conv1d with its kaiming_uniform, a = √5: within ±1/√(2r+1). */
	{"conv_weight", TAPS ", h d_v",
	 "the depthwise convolution of the values: row clip + δ is the tap of distance δ",
	 CONVOLUTION, .demo = {FILL_CONSTANT, .formula = "1 / (" TAPS ")"}, .taps = TAPS,
	 .paper = LINEAR_INIT(TAPS)},
	{"conv_bias", "1, h d_v", "added to the convolution of the values", .spare = true,
	 CONVOLUTION, .demo = {FILL_CONSTANT}, .paper = LINEAR_INIT(TAPS)},
	{"conv_scale", "1, h", "by what each head multiplies that convolution",
	 .by_layer = EACH_LAYER, .when = "convolution == scaled", .demo = {FILL_CONSTANT, 1},
	 .paper = {FILL_CONSTANT, 1}},
	{"beta", "h, 2 clip + 1",
	 "added to the logits: row of the head, column clip + δ of distance δ = s − t"},
	{"w_query", "d_h, 2 clip + 1", "column clip + δ: multiplied by the query, δ = s − t"},
	{"w_key", "d_h, 2 clip + 1", "column clip − δ: multiplied by the key, δ = s − t"},
	{0},
};

const struct scheme scheme_composite[] = {
	{
		.id = "composite",
		.aliases = "chang convolutional",
		.title = "Composite attention",
		.formula = "A_ts = q_t·(k_s + w_δ) / √d_h + β_δ,  δ = clip(s−t)",
		.authors = "Chang et al.",
		.cite = "@chang2021convolutions",
		.recipe = "with row = clip(s - t) + clip and param.composite.NAME.L: term.β = "
			  "beta[H, row], term.query–w = c q_raw[t] · w_query[:, row], term.w'–key "
			  "= c k_raw[s] · w_key[:, 2 clip - row]; with dot=off q @ k.T is not in "
			  "the logits; with convolution context[t] also has conv_bias + the sum "
			  "over j from -clip to clip of conv_weight[j + clip] * v[t + j], in "
			  "columns H * dk.. of param.composite.conv_bias.L and conv_weight.L, and "
			  "with scaled times param.composite.conv_scale.L[H]",
		.about = "A number for each distance is a fixed convolution, a vector met by the "
			 "query a dynamic one: relative positions turn attention into the sum of "
			 "both and of what the words say.",
		.year = 2021,
		.table2 = TABLE2_GENERIC,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = composite_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "mlpc-ucsd/BERT_Convolutions bf9f086, modeling_bert.py: "
				 "convfixed_convq_dot, with convk and convolution as options",
		.demo_note = "β by head and w by component, in turn 2 exp(−|s−t|/w): near, and ±(1 "
			     "− exp(−|s−t|/w)): past; w = 2, 4, 8, 16 for two each; the "
			     "convolution is a mean",
		.claims = composite_claims,
		.params = composite_params,
		.param_size = sizeof(struct composite),
		.hooks = {.injects = composite_injects,
			  .declare = inject_declare,
			  .relation = composite_relation,
			  .prepare = composite_prepare,
			  .qk = composite_qk,
			  .logits = inject_logits,
			  .values = composite_values,
			  .only_terms = composite_only_terms,
			  .matrices = 2},
		.reach = composite_reach,
	},
	{0},
};
