/* padding.c: equal tokens under convolutions: what zeros beyond the ends tell of the place. */
#include <math.h>

#include "fig.h"

enum { PLACES = 24, WIDTH = 16, DEEPEST = 6, PADDINGS = 3 };
static const char *const paddings[PADDINGS] = {"zero", "circular", "replicate"};

/* The input of the first layer of attention. [PLACES, WIDTH] */
static struct mat convolved(struct fig *f, const char *padding, long width, long depth)
{
	const struct fig_run *const r = fig_run(
		f,
		arena_printf(f->a,
			     "scheme cnn(padding=%s,width=%ld,depth=%ld)\nd-model %d\nheads 1\n"
			     "layers 1\nsentence %s\n",
			     padding, width, depth, WIDTH, fig_words(f, PLACES)),
		WANT_INPUT);
	return r ? r->trace.layers[0].input : (struct mat){0};
}

/* ‖y_t − y_middle‖ / ‖y_middle‖ of every place into out[PLACES]; false: f->why. */
static bool deviation(struct fig *f, const char *padding, long width, long depth, double *out)
{
	const struct mat y = convolved(f, padding, width, depth);
	if (!y.at)
		return false;
	const double *const middle = mat_row(y, PLACES / 2);
	double length = 0;
	for (size_t c = 0; c < WIDTH; c++)
		length += middle[c] * middle[c];
	for (size_t t = 0; t < PLACES; t++) {
		double sum = 0;
		for (size_t c = 0; c < WIDTH; c++) {
			const double by = mat_row(y, t)[c] - middle[c];
			sum += by * by;
		}
		out[t] = sqrt(sum / length);
	}
	return true;
}

/* Places from the front until what is left of rounding alone. */
static size_t reach(const double *deviation)
{
	size_t n = 0;
	while (n < PLACES && deviation[n] > 1e-9)
		n++;
	return n;
}

static void draw_map(struct fig *f, const char *padding, struct mat m, unsigned char col)
{
	struct panel *const p = fig_panel(f, padding, arena_printf(f->a, "Padding: %s", padding), 0,
					  col, 1, 2 * col);
	p->subtitle = "deviation of each position, kernels of 3 taps";
	fig_map(f, p, NULL, m, &(struct paint){.ranged = true, .lo = 0, .hi = 0.8});
	fig_axes(f, p, "convolutions", 1, "position", 1);
	p->heatmap.grid = GRID_AUTO;
}

/* How far the vectors of two places lie apart: the two ends are alike, for taps are. */
static bool draw_pairs(struct fig *f)
{
	const struct mat y = convolved(f, paddings[0], 3, DEEPEST);
	if (!y.at)
		return false;
	const struct mat m = mat_zero(f->a, PLACES, PLACES);
	double length = 0;
	for (size_t c = 0; c < WIDTH; c++)
		length += pow(mat_row(y, PLACES / 2)[c], 2);
	for (size_t t = 0; t < PLACES; t++)
		for (size_t s = 0; s < PLACES; s++) {
			for (size_t c = 0; c < WIDTH; c++)
				mat_row(m, t)[s] += pow(mat_row(y, t)[c] - mat_row(y, s)[c], 2);
			mat_row(m, t)[s] = sqrt(mat_row(m, t)[s] / length);
		}
	struct panel *const p = fig_panel(f, "places", "Distance of two positions", 1, 0, 1, 1);
	fig_map(f, p, NULL, m, &(struct paint){.ranged = true, .lo = 0, .hi = 0.8});
	fig_axes(f, p, "position", 1, "position", 1);
	p->subtitle = "zero padding, 6 convolutions";
	fig_number(f, "ends.differ", mat_row(m, 0)[PLACES - 1],
		   "of the first and the last position");
	fig_number(f, "neighbours.differ", mat_row(m, 0)[1], "of the first and the second");
	return true;
}

/* Draws kernels of 3 and of 5. */
static bool draw_widths(struct fig *f)
{
	struct panel *const p = fig_panel(f, "reach", "How far zeros reach in", 1, 1, 1, 0);
	const double *const places = fig_steps(f, 1, 1, PLACES / 2);
	fig_curves(f, p, "position", "deviation");
	p->curves.integer_x = true;
	p->curves.spread = CURVES_LOG;
	p->subtitle = "taps × convolutions; a curve ends where nothing is left";
	for (long width = 3; width <= 5; width += 2)
		for (long depth = 1; depth <= 3; depth += 2) {
			double *const all = arena_calloc(f->a, PLACES, sizeof *all);
			if (!deviation(f, paddings[0], width, depth, all))
				return false;
			const size_t deep = reach(all);
			fig_curve(f, p, arena_printf(f->a, "%ld × %ld", width, depth), deep, places,
				  all);
			fig_number(f, arena_printf(f->a, "reach.%ld.%ld", width, depth),
				   (double)deep,
				   "positions from the border that differ, by taps and depth");
		}
	return true;
}

void draw_padding(struct fig *f)
{
	for (size_t i = 0; i < PADDINGS; i++) {
		const struct mat m = mat_new(f->a, DEEPEST, PLACES);
		for (long depth = 1; depth <= DEEPEST; depth++)
			if (!deviation(f, paddings[i], 3, depth, mat_row(m, (size_t)depth - 1)))
				return;
		double inside = 0, most = 0;
		for (size_t k = 0; k < DEEPEST; k++)
			for (size_t t = 0; t < PLACES; t++) {
				const bool far = t > k && t + k + 1 < PLACES;
				inside = far ? fmax(inside, mat_row(m, k)[t]) : inside;
				most = fmax(most, mat_row(m, k)[t]);
			}
		if (i < 2)
			draw_map(f, paddings[i], m, (unsigned char)i);
		fig_number(f, arena_printf(f->a, "%s.inside", paddings[i]), inside,
			   "the most that a position deeper than the reach deviates");
		fig_number(f, arena_printf(f->a, "%s.most", paddings[i]), most,
			   "the most that any position deviates");
		if (i == 0)
			fig_number(f, "first.place", mat_row(m, 0)[0],
				   "deviation of the first position under one convolution");
	}
	f->out->row_weight[0] = 2;
	f->out->row_weight[1] = 3;
	if (draw_pairs(f))
		draw_widths(f);
}
