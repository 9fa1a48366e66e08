/* kexue_hierarchy.c: a table of n positions made to serve n², and why α must keep away from ½. */
#include <math.h>

#include "fig.h"
#include "posviz/analysis/rank.h"

enum { TABLE = 6, PLACES = TABLE * TABLE, WIDTH = 32 };

/* α apart from ½ by one step of the parameter. */
static const double alphas[] = {0.4, 0.48};

static const struct fig_run *run(struct fig *f, double alpha)
{
	return fig_run(f,
		       arena_printf(f->a,
				    "scheme hier(n=%d,alpha=%g,again=off)\nd-model %d\nheads 1\n"
				    "layers 1\nsentence %s\n",
				    TABLE, alpha, WIDTH, fig_words(f, PLACES)),
		       WANT_POSITION);
}

static struct mat cosines(struct fig *f, struct mat rows)
{
	const struct mat out = mat_new(f->a, rows.rows, rows.rows);
	for (size_t i = 0; i < rows.rows; i++)
		for (size_t k = 0; k < rows.rows; k++) {
			const struct mat x = mat_rows(rows, i, 1), y = mat_rows(rows, k, 1);
			mat_row(out, i)[k] = mat_dot(x, y) / sqrt(mat_dot(x, x) * mat_dot(y, y));
		}
	return out;
}

static void draw_cosines(struct fig *f, struct mat cosine, double alpha, unsigned char row,
			 unsigned char col)
{
	struct panel *const p =
		fig_panel(f, "cosine", arena_printf(f->a, "Cosine, α %g", alpha), row, col, 1, row);
	fig_map(f, p, NULL, cosine, &(struct paint){.is_signed = true, .shared = true, .limit = 1});
	fig_axes(f, p, "position", 1, "position", 1);
}

/* q_{in+j} − q_{in} in all segments against the first. */
static double segments_differ(struct mat q)
{
	double worst = 0;
	for (size_t t = TABLE; t < PLACES; t++)
		for (size_t c = 0; c < WIDTH; c++) {
			const double here = mat_row(q, t)[c] - mat_row(q, t - t % TABLE)[c];
			const double first = mat_row(q, t % TABLE)[c] - mat_row(q, 0)[c];
			worst = fmax(worst, fabs(here - first));
		}
	return worst;
}

/* The most that two positions with their two numbers exchanged, i n + j and j n + i, are alike, by cosine. */
static double exchanged(struct mat cosine)
{
	double least = 1;
	for (size_t i = 0; i < TABLE; i++)
		for (size_t j = 0; j < i; j++)
			least = fmin(least, mat_row(cosine, i * TABLE + j)[j * TABLE + i]);
	return least;
}

/* Draws the same row of both matrices. */
static void draw_row(struct fig *f, const struct mat *cosine)
{
	enum { I = 2, J = 5, SEEN = I * TABLE + J };
	struct panel *const p = fig_panel(
		f, "row", arena_printf(f->a, "Position %d against all", SEEN + 1), 1, 1, 1, 2);
	fig_curves(f, p, "position", "cosine");
	p->curves.integer_x = true;
	p->subtitle = arena_printf(f->a, "i = %d, j = %d, counted from 0; exchanged they are %d", I,
				   J, J * TABLE + I + 1);
	for (size_t k = 0; k < 2; k++)
		fig_curve(f, p, arena_printf(f->a, "α %g", alphas[k]), PLACES,
			  fig_steps(f, 1, 1, PLACES), mat_row(cosine[k], SEEN));
}

static void say(struct fig *f, const struct fig_run *of, const struct mat *cosine)
{
	const struct mat q = of->trace.position_vectors, p = fig_leaf(of, "p");
	struct rank rank;
	rank_of(q, 0, 0, f->a, &rank);
	fig_number(f, "rank", (double)rank.single, "dimensions of all 36 rows");
	fig_number(f, "first.differ", mat_max_abs_diff(mat_rows(q, 0, TABLE), p),
		   "the most that the first n rows and the table differ");
	fig_number(f, "segments.differ", segments_differ(q),
		   "the most that differences of rows differ between segments");
	fig_number(f, "exchanged.0.4", exchanged(cosine[0]),
		   "least cosine of i n + j and j n + i, α 0.4");
	fig_number(f, "exchanged.0.48", exchanged(cosine[1]), "the same, α 0.48");
}

void draw_kexue_hierarchy(struct fig *f)
{
	const struct fig_run *const r = run(f, alphas[0]), *const near_half = run(f, alphas[1]);
	if (!r || !near_half)
		return;
	const struct mat cosine[] = {cosines(f, r->trace.position_vectors),
				     cosines(f, near_half->trace.position_vectors)};
	struct panel *const rows = fig_panel(f, "rows", "36 rows from a table of 6", 0, 0, 1, 3);
	fig_map(f, rows, NULL, r->trace.position_vectors, &(struct paint){.is_signed = true});
	fig_axes(f, rows, "position", 1, "component", 1);
	rows->heatmap.grid = GRID_AUTO;
	rows->heatmap.no_means = true;
	draw_cosines(f, cosine[0], alphas[0], 0, 1);
	draw_cosines(f, cosine[1], alphas[1], 1, 0);
	draw_row(f, cosine);
	say(f, r, cosine);
}
