/* floater.c: the flow of FLOATER that is the sinusoid, and one that is another. */
#include <math.h>

#include "fig.h"

enum { PLACES = 48, WIDTH = 32 };

/* The vectors that a scheme adds to the first layer's input. [PLACES, WIDTH] */
static struct mat rows(struct fig *f, const char *scheme, const char *more)
{
	const struct fig_run *const r = fig_run(
		f,
		arena_printf(f->a, "scheme %s\nd-model %d\nheads 1\nlayers 1\n%ssentence %s\n",
			     scheme, WIDTH, more, fig_words(f, PLACES)),
		WANT_POSITION);
	return r ? r->trace.position_vectors : (struct mat){0};
}

/* Draws a panel of vectors or of their cosines. */
static void draw(struct fig *f, const char *name, const char *title, struct mat m, double limit,
		 unsigned char row, unsigned char col, unsigned char priority)
{
	struct panel *const p = fig_panel(f, name, title, row, col, 1, priority);
	fig_map(f, p, NULL, m,
		&(struct paint){.is_signed = true, .shared = limit > 0, .limit = limit});
	fig_axes(f, p, "position", 1, m.cols == PLACES ? "position" : "component", 1);
	p->heatmap.grid = m.cols == PLACES ? GRID_FIT : GRID_AUTO;
}

static struct mat cosines(struct fig *f, struct mat m)
{
	const struct mat out = mat_new(f->a, m.rows, m.rows);
	mat_mul(out, 1, m, false, m, true, 0);
	double *const norm = arena_calloc(f->a, m.rows, sizeof *norm);
	for (size_t i = 0; i < m.rows; i++)
		norm[i] = sqrt(mat_row(out, i)[i]);
	for (size_t i = 0; i < m.rows; i++)
		for (size_t k = 0; k < m.rows; k++)
			mat_row(out, i)[k] /= norm[i] * norm[k];
	return out;
}

/* The most that two tables differ at each position; NaN where they do not, for a logarithmic axis. */
static const double *differences(struct fig *f, struct mat a, struct mat b)
{
	double *const out = arena_calloc(f->a, PLACES, sizeof *out);
	for (size_t t = 0; t < PLACES; t++) {
		for (size_t c = 0; c < WIDTH; c++)
			out[t] = fmax(out[t], fabs(mat_row(a, t)[c] - mat_row(b, t)[c]));
		out[t] = out[t] > 1e-15 ? out[t] : NAN;
	}
	return out;
}

/* The most that two cosines of one diagonal differ, of all distances: 0, as they hang on it alone. */
static double uneven(struct mat cosine)
{
	double worst = 0;
	for (size_t i = 1; i < PLACES; i++)
		for (size_t k = 1; k < PLACES; k++)
			worst = fmax(worst,
				     fabs(mat_row(cosine, i)[k] - mat_row(cosine, i - 1)[k - 1]));
	return worst;
}

void draw_floater(struct fig *f)
{
	static const long steps[] = {2, 5, 20};
	const struct mat sinusoid = rows(f, "sinusoidal", "");
	const struct mat flow = rows(f, "floater", "");
	const struct mat drawn = rows(f, "floater(delta=0.1)", "init paper\nseed 3\n");
	const double *apart[3];
	if (!sinusoid.at || !flow.at || !drawn.at)
		return;
	for (size_t i = 0; i < 3; i++) {
		const struct mat m =
			rows(f, arena_printf(f->a, "floater(steps=%ld)", steps[i]), "");
		if (!m.at)
			return;
		apart[i] = differences(f, m, sinusoid);
		fig_number(f, arena_printf(f->a, "differ.%ld", steps[i]),
			   mat_max_abs_diff(m, sinusoid),
			   "the most that flow and sinusoid differ with so many steps a position");
	}
	const struct mat even = cosines(f, flow), other = cosines(f, drawn);
	draw(f, "sinusoid", "Sinusoid", sinusoid, 1, 0, 0, 3);
	draw(f, "flow", "Rotating flow", flow, 1, 0, 1, 0);
	draw(f, "drawn", "Drawn flow", drawn, 0, 0, 2, 2);
	draw(f, "cosine", "Cosines, rotating flow", even, 1, 1, 1, 1);
	draw(f, "cosine", "Cosines, drawn flow", other, 1, 1, 2, 2);
	struct panel *const p = fig_panel(f, "apart", "Rotating flow less sinusoid", 1, 0, 1, 1);
	fig_curves(f, p, "position", "difference");
	p->curves.integer_x = true;
	p->curves.spread = CURVES_LOG;
	for (size_t i = 0; i < 3; i++)
		fig_curve(f, p, arena_printf(f->a, "%ld steps", steps[i]), PLACES,
			  fig_steps(f, 1, 1, PLACES), apart[i])
			->brief = arena_printf(f->a, "%ld", steps[i]);
	fig_number(f, "drawn.differ", mat_max_abs_diff(drawn, sinusoid),
		   "the most that the drawn flow and the sinusoid differ");
	fig_number(f, "cosines.uneven", uneven(even),
		   "the most that cosines of one distance differ in the flow that rotates");
	fig_number(f, "drawn.uneven", uneven(other), "the same in the drawn flow");
}
