/* survey_6.c: the dot product of sinusoids by distance, and what projections make of it. */
#include <math.h>

#include "fig.h"
#include "posviz/base/rng.h"

/* n = 2·REACH + 1 places: those REACH before and behind the middle one. */
enum { REACH = 50, PLACES = 2 * REACH + 1, WIDTH = 128, EARLIER = 30 };

/* W ~ N(0, 1/d), [d,d]: W_q·W_kᵀ of one head as wide as the model. */
static struct mat projection(struct fig *f, uint64_t seed)
{
	struct rng rng;
	const struct mat w = mat_new(f->a, WIDTH, WIDTH);
	rng_init_name(&rng, seed, "projection");
	mat_fill_normal(w, 1 / sqrt(WIDTH), &rng);
	return w;
}

/* P_t·W·P_sᵀ for all s, seen from one t; w.at NULL: without W. out[PLACES] */
static double *seen_from(struct fig *f, struct mat p, struct mat w, size_t t)
{
	const struct mat row = mat_rows(p, t, 1);
	const struct mat out = mat_new(f->a, 1, p.rows), turned = mat_new(f->a, 1, p.cols);
	mat_set(turned, row);
	if (w.at)
		mat_mul(turned, 1, row, false, w, false, 0);
	mat_mul(out, 1, turned, false, p, true, 0);
	return out.at;
}

static double uneven(const double *at)
{
	double worst = 0;
	for (size_t k = 1; k <= REACH; k++)
		worst = fmax(worst, fabs(at[REACH + k] - at[REACH - k]));
	return worst;
}

static void say(struct fig *f, const double *bare, const double *projected)
{
	static const size_t at[] = {0, 1, 2, 3, 10, 50};
	for (size_t i = 0; i < sizeof at / sizeof *at; i++)
		fig_number(f, arena_printf(f->a, "dot.%zu", at[i]), bare[REACH + at[i]],
			   "P(t)·P(t+k) at this k");
	fig_number(f, "dot.uneven", uneven(bare), "the most that k and −k differ");
	fig_number(f, "projected.uneven", uneven(projected), "the same with a random projection");
}

void draw_survey_6(struct fig *f)
{
	const struct fig_run *const r =
		fig_run(f,
			arena_printf(f->a, "scheme sinusoidal\nd-model 128\nheads 1\nsentence %s\n",
				     fig_words(f, PLACES)),
			WANT_POSITION);
	if (!r)
		return;
	const struct mat p = r->trace.position_vectors, first = projection(f, 1);
	const double *const k = fig_steps(f, -REACH, 1, PLACES);
	const double *const bare = seen_from(f, p, (struct mat){0}, REACH);
	const double *const projected = seen_from(f, p, first, REACH);
	struct panel *const left =
		fig_panel(f, "dot", "P(t)·P(t+k), without and with projections", 0, 0, 3, 0);
	fig_curves(f, left, "distance k", "dot product");
	fig_curve(f, left, "without", PLACES, k, bare);
	fig_curve(f, left, "projection 1", PLACES, k, projected);
	fig_curve(f, left, "projection 2", PLACES, k, seen_from(f, p, projection(f, 2), REACH));
	struct panel *const right =
		fig_panel(f, "places", "Projection 1 from two positions", 0, 3, 2, 1);
	fig_curves(f, right, "distance k", "dot product");
	fig_curve(f, right, "t 50", PLACES, k, projected);
	/* From place 30 the nearest keys are REACH − EARLIER places nearer in the table. */
	fig_curve(f, right, "t 30", PLACES - (REACH - EARLIER), k + (REACH - EARLIER),
		  seen_from(f, p, first, EARLIER));
	say(f, bare, projected);
}
