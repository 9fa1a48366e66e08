/* survey_3.c: the table of axial position embeddings, put together from two short ones. */
#include <math.h>

#include "fig.h"

/* T2 segments of T1 places. The first D1 columns of P are of the place, the others of the segment. */
enum { T1 = 4, T2 = 3, T_MAX = T1 * T2, D1 = 3, D2 = 5, WIDTH = D1 + D2 };

/* A part of P, turned: as in the source columns are places. */
static struct mat part(struct fig *f, struct mat p, size_t first, size_t cols)
{
	return mat_transpose(f->a, mat_cols(p, first, cols));
}

/* Takes each `step`th of m's columns, `n` of them. */
static struct mat every(struct fig *f, struct mat m, size_t step, size_t n)
{
	const struct mat out = mat_new(f->a, m.rows, n);
	for (size_t i = 0; i < n; i++)
		for (size_t r = 0; r < m.rows; r++)
			mat_row(out, r)[i] = mat_row(m, r)[i * step];
	return out;
}

/* The table that each row of the picture is of, and its column there. */
static const char *const *rows_of(struct fig *f, bool place, bool segment)
{
	const char **const out = arena_calloc(f->a, WIDTH + 1, sizeof *out);
	size_t n = 0;
	for (size_t j = 0; place && j < D1; j++)
		out[n++] = arena_printf(f->a, "1.%zu", j + 1);
	for (size_t j = 0; segment && j < D2; j++)
		out[n++] = arena_printf(f->a, "2.%zu", j + 1);
	return out;
}

static void show(struct fig *f, struct panel *p, const char *subtitle, struct mat m, double limit,
		 const char *const *rows, const char *col_title)
{
	const struct paint paint = {.is_signed = true, .shared = true, .limit = limit, .own = true};
	fig_map(f, p, NULL, m, &paint);
	p->subtitle = subtitle;
	p->heatmap.row_labels = rows;
	p->heatmap.col_labels = fig_count_from(f, 0, m.cols);
	p->heatmap.row_title = "table, column";
	p->heatmap.col_title = col_title;
	p->heatmap.no_means = true;
}

static void show_parts(struct fig *f, struct mat p)
{
	double lo = 0, hi = 0;
	mat_range(p, &lo, &hi);
	const double limit = fmax(-lo, hi);
	show(f, fig_panel(f, "place", "P⁽¹⁾: the position", 0, 0, 1, 2),
	     "a row of P⁽¹⁾ for each position of a segment", every(f, part(f, p, 0, D1), 1, T1),
	     limit, rows_of(f, true, false), "position r = t mod t₁");
	show(f, fig_panel(f, "segment", "P⁽²⁾: the segment", 0, 1, 1, 2),
	     "a row of P⁽²⁾ for each segment", every(f, part(f, p, D1, D2), T1, T2), limit,
	     rows_of(f, false, true), "segment s = ⌊t / t₁⌋");
	show(f, fig_panel(f, "p", "P: both, of all positions", 1, 0, 1, 0),
	     "1: P⁽¹⁾, again in each segment; 2: P⁽²⁾, the same for a whole segment",
	     part(f, p, 0, WIDTH), limit, rows_of(f, true, true), "position t");
}

/* Counts the rows of m that are no row before. */
static size_t distinct(struct mat m)
{
	size_t found = 0;
	for (size_t t = 0; t < m.rows; t++) {
		size_t s = 0;
		while (s < t && mat_max_abs_diff(mat_rows(m, s, 1), mat_rows(m, t, 1)) > 0)
			s++;
		found += s == t;
	}
	return found;
}

/* The learned numbers of both tables, beside those of one row for each place. */
static void show_counts(struct fig *f)
{
	static const char *const head[] = {"table", "size", "here", "long"};
	static const size_t sizes[][4] = {{T1, D1, T2, D2}, {64, 128, 64, 128}};
	const char **const cells = arena_calloc(f->a, 16, sizeof *cells);
	const char *const rows[][2] = {
		{"P", "t_max d"}, {"P⁽¹⁾", "t₁ d₁"}, {"P⁽²⁾", "t₂ d₂"}, {"both", "t₁ d₁ + t₂ d₂"}};
	for (size_t i = 0; i < 4; i++) {
		cells[4 * i] = rows[i][0];
		cells[4 * i + 1] = rows[i][1];
		for (size_t k = 0; k < 2; k++) {
			const size_t *const z = sizes[k];
			const size_t n[] = {z[0] * z[2] * (z[1] + z[3]), z[0] * z[1], z[2] * z[3],
					    z[0] * z[1] + z[2] * z[3]};
			cells[4 * i + 2 + k] = arena_printf(f->a, "%zu", n[i]);
		}
	}
	fig_table(f, fig_panel(f, "counts", "Learned numbers", 1, 1, 1, 3), head, 4, cells, 4, 2);
}

static void say(struct fig *f, const struct fig_run *run)
{
	const struct model *const model = &run->built.model;
	const struct mat p = run->trace.position_vectors;
	size_t made = 0;
	for (size_t i = 0; i < model->n_leaves; i++)
		made += model->leaves[i].at.rows * model->leaves[i].at.cols;
	fig_number(f, "parameters", (double)made, "learned numbers of both tables");
	fig_number(f, "parameters.full", T_MAX * WIDTH, "of a row for each position");
	fig_number(f, "parameters.printed", (double)(WIDTH - D1) * T_MAX / T1 + D1 * T1,
		   "(d − d1) t_max / t1 + d1 t1, Table 1");
	fig_number(f, "rows", (double)distinct(p), "different rows of P");
	fig_number(f, "rows.place", (double)distinct(mat_cols(p, 0, D1)),
		   "of its first d1 columns");
	fig_number(f, "rows.segment", (double)distinct(mat_cols(p, D1, D2)), "of the others");
}

void draw_survey_3(struct fig *f)
{
	const struct fig_run *const run = fig_run(
		f,
		arena_printf(f->a,
			     "scheme axial(t1=%d,share=%.4f,order=survey)\nt-max %d\nd-model %d\n"
			     "heads 1\nlayers 1\ninit paper\nsentence %s\n",
			     T1, (double)D1 / WIDTH, T_MAX, WIDTH, fig_words(f, T_MAX)),
		WANT_POSITION);
	if (!run)
		return;
	show_parts(f, run->trace.position_vectors);
	show_counts(f);
	say(f, run);
}
