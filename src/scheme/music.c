/* music.c: relative vectors of past distances, a table for each head (Huang et al. 2019, Music
 * Transformer).
 *
 *   A = (q kᵀ + S_rel) / √d_h,  S_rel_ts = q_t·e_{t-s},  0 ≤ t - s < L
 *
 * The paper skews q Eᵀ; here it is read by distance. As in the authors' code, distances beyond
 * the table have no vector. */
#include <math.h>

#include "scheme/inject.h"
#include "scheme/mask.h"
#include "scheme/near_past.h"

struct music {
	long distances;
	int share;
};

static long rows_of(const struct music *p, const struct model_config *config)
{
	return p->distances > 0 ? p->distances : (long)config->t_max;
}

static double make_past(const struct leaf_maker *of, size_t i, size_t j)
{
	return near_past(j % of->model->dk, -(long)i);
}

static size_t injects(const struct model *model, const struct member *m, struct inject *out)
{
	const struct music *p = m->param;
	const double dk = (double)model->dk;
	*out = (struct inject){.at = INJECT_KEYS,
			       .by = encoding_past(rows_of(p, &model->config)),
			       .leaf = "e",
			       .label = "query–e",
			       .share = (enum share)p->share,
			       .demo = {.entry = make_past},
			       .paper = {.fill = FILL_NORMAL, .value = 1 / sqrt(dk)}};
	return 1;
}

/* Training also covers distances beyond a shorter table. */
static double reach(const void *param, const struct model_config *config)
{
	return rows_of(param, config) < (long)config->t_max ? INFINITY : (double)config->t_max - 1;
}

static const struct param params[] = {
	NUMBER_PARAM(struct music, distances, 0, 0, 4096, 16,
		     "vectors, from distance 0 on: none beyond; 0: as many as t-max"),
	SHARE_PARAM(struct music, SHARE_NONE),
	{0},
};

static const struct leaf_row leaves[] = {
	{"e", NULL, "row t − s: added to the key at that distance; heads side by side in columns"},
	{0},
};

const struct scheme scheme_music[] = {
	{
		.id = "music",
		.aliases = "music_rel music-transformer",
		.title = "Music Transformer's relative attention",
		.formula = "A_ts = q_t·(k_s + e_{t−s}) / √d_h,  s ≤ t",
		.authors = "Huang et al.",
		.cite = "@huang2019music",
		.recipe = "term.query–e[t,s] = c q_raw[t] · e[t - s], of param.music.e.L the "
			  "columns of head H; 0 where it has no such row",
		.about = "Each head has a vector for every distance back and adds it to the key.",
		.year = 2019,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_CAUSAL | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "eq. 3; the paper's L is t-max; beyond it as in tensor2tensor",
		.demo_note = "even components 2 exp(−(t−s)/w): near; odd ones 1 − exp(−(t−s)/w): "
			     "past; w = 2, 4, 8, 16 in turn",
		.params = params,
		.param_size = sizeof(struct music),
		.hooks = {INJECT_HOOKS(injects), .mask = mask_later, .matrices = 2},
		.reach = reach,
	},
	{0},
};
