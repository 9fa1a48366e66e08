/* rand_pe.c: positions drawn from a wider range than any input has (Ruoss et al. 2023).
 *
 *   p_0 < p_1 < … < p_{n-1} drawn from {0, …, L-1};  X_t = U_t + sinusoids of p_t
 *
 * Short inputs cover the whole range, so far positions of a long input look like those of
 * training. */
#include "scheme/draw.h"
#include "scheme/reading.h"
#include "scheme/sinusoid.h"

struct rand_pe {
	struct sinusoid_param sinusoid;
	long l_max, draw;
	bool sinusoids;
};

static const struct param rand_pe_params[] = {
	RATIO_PARAM(
		struct rand_pe, l_max, 2048, 1, 900000, 2,
		"positions are drawn from 0 to l_max − 1; with as many tokens they count from 0"),
	DRAW_PARAM(struct rand_pe, 1, "is shown"),
	SWITCH_PARAM(struct rand_pe, sinusoids, true,
		     "adds sinusoids of the positions; off: draws them for the other members "
		     "alone"),
	SINUSOID_SHAPE_PARAMS(SINUSOID_INTERLEAVED, SINUSOID_PAPER),
	SINUSOID_BASE_PARAM,
	{0},
};

/* Counts the distinct positions; place[t] is the rank of t's. */
static size_t count_places(const struct reading *r, const double *at, int32_t *place)
{
	int32_t last = -1;
	for (size_t i = 0; i < r->n; i++) {
		if (i == 0 || at[r->order[i]] > at[r->order[i - 1]])
			last++;
		place[r->order[i]] = last;
	}
	return (size_t)(last + 1);
}

/* Draws `n` of 0..below-1 in ascending order, every set equally likely. */
static void draw_ascending(double *out, size_t n, size_t below, struct rng *rng)
{
	for (size_t at = 0, taken = 0; taken < n; at++)
		if (rng_below(rng, below - at) < n - taken)
			out[taken++] = (double)at;
}

/* Replaces the column that the member reads, so every member that reads it sees the draw. */
static bool rand_pe_positions(struct run *run, const struct member *m, struct err *err)
{
	const struct rand_pe *p = m->param;
	struct reading r;
	if (!reading_of(run, m, false, &r, err))
		return false;
	int32_t *place = arena_alloc(run->arena, r.n * sizeof *place);
	const size_t n = count_places(&r, run_column(run, m, err), place);
	if (n > (size_t)p->l_max)
		return err_set(err,
			       "%s draws from %ld positions, and this input needs %zu; raise l_max",
			       m->text, p->l_max, n);
	double *drawn = arena_alloc(run->arena, n * sizeof *drawn);
	double *out = arena_alloc(run->arena, r.n * sizeof *out);
	struct rng rng = draw_of(run, m, p->draw, "draw");
	draw_ascending(drawn, n, (size_t)p->l_max, &rng);
	for (size_t t = 0; t < r.n; t++)
		out[t] = drawn[place[t]];
	return run_add_column(run, m->pos, out, err);
}

static bool rand_pe_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct rand_pe *p = m->param;
	return !p->sinusoids || sinusoid_add(run, m, "table", sinusoid_table, err);
}

/* Training draws from the whole range, whatever its lengths. */
static double rand_pe_reach(const void *param, const struct model_config *config)
{
	(void)config;
	const struct rand_pe *p = param;
	return (double)(p->l_max - 1);
}

static const struct claim rand_pe_claims[] = {
	{CLAIM_UNBOUNDED, ANSWER_NO, "no more than l_max positions can be drawn", "l_max < 520"},
	{CLAIM_UNBOUNDED, ANSWER_YES,
	 "the bound is l_max, and has nothing to do with the lengths of training"},
	{0},
};

const struct scheme scheme_rand_pe[] = {
	{
		.id = "rand_pe",
		.aliases = "rand-pe randomized-positions",
		.title = "Randomized positions",
		.formula = "p_0 < p_1 < … < p_{n−1} drawn from {0, …, L−1};  X_t = U_t + sinusoids "
			   "of p_t",
		.authors = "Ruoss et al.",
		.cite = "@ruoss2023randomized",
		.recipe =
			"part.position[t] = the sinusoids of what was drawn for the member's "
			"column: pair i rotates by base^(-2i/d), with freq=t2t base^(-i/(d/2-1)), "
			"and is columns (2i, 2i+1), with layout=concat (i, i + d/2), sine before "
			"cosine",
		.about = "Positions are a random ascending draw from a range much longer than any "
			 "input, so all of it is seen in training. The draw takes the place of the "
			 "column: alibi+rand_pe(sinusoids=off) gives it to ALiBi.",
		.year = 2023,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.flags = SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "section 3 of the paper: L = 2048, without replacement, sorted; "
				 "from 0 here; sinusoids are one of the encodings that it tries",
		.claims = rand_pe_claims,
		.params = rand_pe_params,
		.param_size = sizeof(struct rand_pe),
		.hooks = {.positions = rand_pe_positions, .embed = rand_pe_embed},
		.reach = rand_pe_reach,
	},
	{0},
};
