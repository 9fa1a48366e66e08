/* synth_random.c: logits from a table, learned or left as drawn (Tay et al. 2021).
 *
 *   A_ts = R_ts */
#include "scheme/synth.h"

#include <math.h>

#include "posviz/base/rng.h"

struct random {
	bool learned;
};

static const struct param random_params[] = {
	SWITCH_PARAM(struct random, learned, true, "off: R stays as it was drawn"),
	{0},
};

static const struct leaf_row synth_random_leaves[] = {
	SYNTH_TABLE("learned"),
	{0},
};

struct random_state {
	struct places places;
	struct node *r; /* [t_max, h·t_max]; fixed: [n, h·n] */
};

/* A row of R is drawn from (seed, layer, head, position) as far as it is read, so a longer input
 * extends the rows without changing them. */
static struct node *build_fixed(struct run *run, const struct member *m, struct err *err)
{
	const struct model *model = run->model;
	const size_t n = run->n, h = model->config.heads, t_max = model->config.t_max;
	const double half = sqrt(3) * model->config.content;
	struct places places;
	if (!places_init(&places, run, m, t_max, err))
		return NULL;
	int32_t last = 0;
	for (size_t t = 0; t < n; t++)
		last = places.at[t] > last ? places.at[t] : last;
	double *row = arena_calloc(run->arena, (size_t)last + 1, sizeof *row);
	const struct mat r = mat_new(run->arena, n, h * n);
	for (size_t t = 0; t < n; t++)
		for (size_t i = 0; i < h; i++) {
			struct rng rng;
			rng_init_name(&rng, model->config.seed,
				      arena_printf(run->arena, "%s.r.%zu.%zu.%d", m->name,
						   run->layer, i, (int)places.at[t]));
			for (int32_t s = 0; s <= last; s++)
				row[s] = half * (2 * rng_uniform(&rng) - 1);
			for (size_t s = 0; s < n; s++)
				mat_row(r, t)[i * n + s] = row[places.at[s]];
		}
	return tape_const(run->tape, r);
}

static bool random_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct random *p = m->param;
	struct random_state *state = run_state(run, m, sizeof *state);
	if (!places_init(&state->places, run, m, run->model->config.t_max, err))
		return false;
	state->r = p->learned ? run_leaf(run, m, "r")
			      : run_cached(run, m, "R", true, build_fixed, err);
	return state->r != NULL;
}

/* Later members add to the logits in place, so the table is copied. */
static bool random_content(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct random *p = m->param;
	const struct random_state *state = head_state(head, m);
	struct tape *t = head->tape;
	struct node *r = head_slice(head, state->r,
				    p->learned ? head->run->model->config.t_max : head->run->n);
	if (p->learned)
		r = places_pairs(t, r, &state->places);
	head->logits = tape_scale(t, r, 1);
	return true;
}

static const struct claim random_claims[] = {
	{CLAIM_LEARNABLE, ANSWER_NO, "R stays as it was drawn", "!learned"},
	{0},
};

const struct scheme scheme_synth_random[] = {
	{
		.id = "synth_random",
		.aliases = "synth-random synthesizer",
		.title = "Random Synthesizer",
		.formula = "A_ts = R_ts,  R learned or left as drawn",
		SYNTH,
		.leaves = synth_random_leaves,
		.about = "The weights do not look at the words: each head has a number for every "
			 "pair of positions, and words that change their positions change nothing.",
		.recipe = "logits = r[t, head * t_max + s], r = param.synth_random.r.LAYER with "
			  "t_max rows, t and s in position.seq; q and k are not used; with "
			  "learned=off r is in logits alone",
		.evidence = EVIDENCE_PORT,
		.evidence_note = SYNTH_MESH ", mode random: its text read, not run",
		.demo_note = "R uniform, its deviation the logit of content",
		.claims = random_claims,
		.params = random_params,
		.param_size = sizeof(struct random),
		.hooks = {.declare = leaves_declare,
			  .prepare = random_prepare,
			  .content = random_content,
			  .matrices = 1},
	},
	{0},
};
