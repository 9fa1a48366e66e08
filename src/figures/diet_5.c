/* diet_5.c: how alike the position vectors at the input are, of a model that has no others and of one that adds
 * positions in each head as well. */
#include <math.h>

#include "diet_tables.h"
#include "fig.h"
#include "posviz/analysis/vectors.h"
#include "posviz/base/rng.h"

enum { UNITS = 128, WIDTH = 768 };
static const double apart =
	0.1; /* of each component, where that of what rows have in common is 1 */

/* Rows that hardly differ: m + ε_t, m ~ N(0, 1), ε_t ~ N(0, apart²). */
static struct mat alike(struct fig *f)
{
	struct rng rng;
	const struct mat common = mat_new(f->a, 1, WIDTH), out = mat_new(f->a, UNITS, WIDTH);
	rng_init_name(&rng, 1, "positions at the input");
	mat_fill_normal(common, 1, &rng);
	mat_fill_normal(out, apart, &rng);
	for (size_t t = 0; t < UNITS; t++)
		for (size_t j = 0; j < WIDTH; j++)
			mat_row(out, t)[j] += common.at[j];
	return out;
}

/* Over all pairs of two rows. */
static void say(struct fig *f, const char *name, struct mat cosine)
{
	double least = 1, sum = 0, squares = 0;
	size_t n = 0;
	for (size_t t = 0; t < UNITS; t++)
		for (size_t s = 0; s < t; s++) {
			const double is = mat_row(cosine, t)[s];
			least = fmin(least, is);
			sum += is;
			squares += is * is;
			n++;
		}
	const double mean = sum / (double)n;
	fig_number(f, arena_printf(f->a, "%s.pairs", name), (double)n, "pairs of two rows");
	fig_number(f, arena_printf(f->a, "%s.least", name), least, "the least cosine");
	fig_number(f, arena_printf(f->a, "%s.mean", name), mean, "mean cosine");
	fig_number(f, arena_printf(f->a, "%s.spread", name),
		   sqrt(fmax(0, squares / (double)n - mean * mean)),
		   "standard deviation of the cosines");
}

/* Steps, two points for each part of −1 … 1. */
static void add_histogram(struct fig *f, unsigned char col, const char *title, struct mat cosine)
{
	double bins[COSINE_BINS];
	double *const x = arena_alloc(f->a, 2 * COSINE_BINS * sizeof *x);
	double *const y = arena_alloc(f->a, 2 * COSINE_BINS * sizeof *y);
	const double all = (double)vectors_histogram(cosine, bins);
	for (size_t i = 0; i < 2 * (size_t)COSINE_BINS; i++) {
		x[i] = -1 + 2 * (double)((i + 1) / 2) / COSINE_BINS;
		y[i] = bins[i / 2] / all;
	}
	struct panel *const p = fig_panel(f, "histogram", title, 0, col, 1, 0);
	fig_curves(f, p, "cosine", "part of the pairs");
	fig_curve(f, p, "", 2 * COSINE_BINS, x, y);
}

void draw_diet_5(struct fig *f)
{
	const struct fig_run *const r = diet_bert(f, UNITS);
	if (!r)
		return;
	const struct mat bert = vectors_cosine(r->trace.position_vectors, f->a),
			 diet = vectors_cosine(alike(f), f->a);
	add_histogram(f, 0, "BERT", bert);
	add_histogram(f, 1, "BERT + DIET-ABS", diet);
	say(f, "bert", bert);
	say(f, "diet", diet);
}
