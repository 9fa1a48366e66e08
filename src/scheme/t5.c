/* t5.c: one learned number for each bucket of distances and each head (Raffel et al. 2020).
 *
 *   A_ts = q_t·k_s + b[bucket(s-t)][head]
 *
 * The content is not divided by √d_k (T5 folds that into the start of W_q), and one table serves
 * all layers. */
#include <math.h>

#include "scheme/inject.h"
#include "scheme/mask.h"

enum scale { SCALE_NONE, SCALE_RSQRT, SCALE_XT };

static const char *const scale_names[] = {"none", "rsqrt", "xt", NULL};

struct t5 {
	long buckets, max_distance;
	bool causal;
	int scale;
};

static struct bucket_rule rule_of(const struct t5 *p)
{
	return (struct bucket_rule){p->buckets, p->max_distance, !p->causal};
}

/* The bias of a bucket is that of the nearest of its distances. */
static void make_slopes(struct mat at, const struct leaf_maker *of)
{
	const struct bucket_rule rule = rule_of(of->m->param);
	mat_fill(at, 0);
	for (long distance = rule.max_distance; distance >= 0; distance--)
		for (int side = rule.two_sided ? 1 : -1; side >= -1; side -= 2) {
			double *row = mat_row(at, (size_t)bucket_of(&rule, side * distance));
			for (size_t h = 0; h < at.cols; h++)
				row[h] = -log1p((double)distance) *
					 inject_slope(h, of->model->config.heads, 1);
		}
}

/* Injects a number of the table by the bucket of s - t, added to the logits by the hooks of
 * inject.h. */
static size_t t5_injects(const struct model *model, const struct member *m, struct inject *out)
{
	const struct t5 *p = m->param;
	*out = (struct inject){
		.at = INJECT_ADD,
		.by = encoding_buckets(rule_of(p)),
		.leaf = "bias_table",
		.label = "bias",
		.scale = p->scale == SCALE_XT ? sqrt((double)model->dk) : 1,
		.share = SHARE_LAYER,
		.demo = {.make = make_slopes},
		.paper = {.fill = FILL_NORMAL, .value = 1 / sqrt((double)model->config.d)}};
	return 1;
}

static bool t5_check(const void *param, struct err *err)
{
	const struct t5 *p = param;
	const struct bucket_rule rule = rule_of(p);
	if (!p->causal && (p->buckets < 4 || p->buckets % 2 != 0))
		return err_set(err,
			       "buckets: %ld; both directions need an even number of at least 4",
			       p->buckets);
	return bucket_check(&rule, err);
}

static double t5_scale(const struct model *model, const struct member *m)
{
	(void)model;
	const struct t5 *p = m->param;
	return p->scale == SCALE_NONE ? 1 : 0;
}

static double t5_reach(const void *param, const struct model_config *config)
{
	const struct bucket_rule rule = rule_of(param);
	return bucket_reach(&rule, (long)config->t_max - 1);
}

static const struct param t5_params[] = {
	NUMBER_PARAM(struct t5, buckets, 32, 2, 1024, 2,
		     "buckets of distances, half of them for each direction"),
	RATIO_PARAM(struct t5, max_distance, 128, 2, 65536, 2,
		    "distances from here on share the last bucket"),
	SWITCH_PARAM(struct t5, causal, false,
		     "on: the decoder's buckets, all for the past, and its mask"),
	CHOICE_PARAM(struct t5, scale, SCALE_NONE, scale_names,
		     "none: q·k + b as in T5; rsqrt: q·k/√d_h + b; xt: q·k/√d_h + b √d_h"),
	{0},
};

static const struct claim t5_claims[] = {
	{CLAIM_UNBOUNDED, ANSWER_UNSAID,
	 "bounded at max_distance, which is farther than what is measured", "max_distance > 448"},
	{CLAIM_COUNT, ANSWER_UNSAID,
	 "printed with a number for each distance; T5 has one for each bucket"},
	{0},
};

static const struct leaf_row t5_leaves[] = {
	{"bias_table", "buckets, h",
	 "row of a bucket of s − t: added to the logits, a column for each head"},
	{0},
};

const struct scheme scheme_t5[] = {
	{
		.id = "t5",
		.aliases = "t5_bias raffel",
		.title = "Bucketed relative bias",
		.formula = "A_ts = q_t·k_s + b_{bucket(s−t)}",
		.authors = "Raffel et al.",
		.cite = "@raffel2020exploring",
		.recipe = "term.bias[t,s] = param.t5.bias_table[row, H], times sqrt(dk) with "
			  "scale=xt, row that of member.t5.index.*",
		.about = "Each head learns one number for each bucket of distances and adds it to "
			 "its logits. Near distances have a bucket each, far ones share.",
		.year = 2020,
		.table2 = TABLE2_GENERIC,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = t5_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING,
		.evidence = EVIDENCE_PORT,
		.evidence_note = "huggingface/transformers c85510f, modeling_t5.py; x-transformers "
				 "9252ed7 for scale=xt. The table in Su's essay (kexue.fm 8130) "
				 "prints f(23) = 10, where the logarithm, and the code, give 11",
		.demo_note = "b = −log(1 + the least |s−t| of the bucket) times a slope for each "
			     "head, from 2 down to 1/4",
		.count_printed = "(2 t_max - 1) h",
		.claims = t5_claims,
		.params = t5_params,
		.param_size = sizeof(struct t5),
		.check = t5_check,
		.hooks = {INJECT_HOOKS(t5_injects), .scale = t5_scale, .mask = mask_causal},
		.reach = t5_reach,
	},
	{0},
};
