/* shuffle.c: training on shuffled words, for transfer to other languages (Liu et al. 2021b); one
 * draw is shown.
 *
 *   X_t = U_t + [sin(π(t) ω_i), cos(π(t) ω_i)],  π a random permutation */
#include <math.h>
#include <string.h>

#include "scheme/draw.h"
#include "scheme/sinusoid.h"

struct shuffle {
	struct sinusoid_param sinusoid;
	double percent;
	long draw;
	bool sinusoids;
};

static const struct param shuffle_params[] = {
	NUMBER_PARAM(struct shuffle, percent, 100, 0, 100, 10,
		     "how many of the words change positions with one another"),
	DRAW_PARAM(struct shuffle, 1, "is shown"),
	SWITCH_PARAM(struct shuffle, sinusoids, true,
		     "adds sinusoids of the positions; off: shuffles them for other members alone"),
	SINUSOID_PARAMS(SINUSOID_INTERLEAVED, SINUSOID_PAPER, 0),
	{0},
};

/* Makes the first `k` of `at` a random selection of all `n`. */
static void draw_first(size_t *at, size_t k, size_t n, struct rng *rng)
{
	for (size_t i = 0; i < k; i++) {
		const size_t j = i + rng_below(rng, n - i), drawn = at[j];
		at[j] = at[i];
		at[i] = drawn;
	}
}

/* Returns the positions of the words after the shuffle: moved words keep their vectors, so only
 * positions are exchanged. */
static const double *shuffled(struct run *run, const struct member *m, struct err *err)
{
	const struct shuffle *p = m->param;
	const double *old = run_column(run, m, err);
	if (!old)
		return NULL;
	const size_t n = run->n;
	double *at = arena_calloc(run->arena, n + 1, sizeof *at);
	size_t *who = arena_calloc(run->arena, n + 1, sizeof *who), tokens = 0;
	size_t *to = arena_calloc(run->arena, n + 1, sizeof *to);
	for (size_t t = 0; t < n; t++) {
		at[t] = old[t];
		if (run->queries->token[t] >= 0)
			who[tokens++] = t;
	}
	const size_t k = (size_t)lround(p->percent / 100 * (double)tokens);
	struct rng rng = draw_of(run, m, p->draw, "draw");
	draw_first(who, k, tokens, &rng);
	memcpy(to, who, k * sizeof *to);
	draw_first(to, k, k, &rng);
	for (size_t i = 0; i < k; i++)
		at[who[i]] = old[to[i]];
	return at;
}

/* Adds the shuffled order as a column for other members. The column it comes from stays, so that
 * a mask by it does not allow later words. */
static bool shuffle_positions(struct run *run, const struct member *m, struct err *err)
{
	const double *at = shuffled(run, m, err);
	return at && run_add_column(run, "shuffled", at, err);
}

static struct node *shuffle_table(struct run *run, const struct member *m, struct err *err)
{
	const struct shuffle *p = m->param;
	const double *positions = shuffled(run, m, err);
	return positions ? sinusoid_node(run, positions, &p->sinusoid) : NULL;
}

static bool shuffle_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct shuffle *p = m->param;
	return !p->sinusoids || sinusoid_add(run, m, "table", shuffle_table, err);
}

const struct scheme scheme_shuffle[] = {
	{
		.id = "shuffle",
		.aliases = "shuffled-words",
		.title = "Training on shuffled words",
		.formula = "X_t = U_t + [sin(π(t) ω_i), cos(π(t) ω_i)],  π a random permutation",
		.authors = "Liu et al.",
		.cite = "@liu2021importance",
		.about = "Sentences of the training have their words shuffled, so that the model "
			 "cannot rely on one language's order; shown is one draw. Other members "
			 "read it as pos=shuffled: t5(pos=shuffled)+shuffle(sinusoids=off).",
		.year = 2021,
		.topic = TOPIC_CROSS,
		.table2 = TABLE2_CROSSLINGUAL,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.flags = SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "survey section 4.5 and the paper's abstract; percent, and that "
				 "token vectors stay while positions move, are ours",
		.params = shuffle_params,
		.param_size = sizeof(struct shuffle),
		.hooks = {.positions = shuffle_positions, .embed = shuffle_embed},
	},
	{0},
};
