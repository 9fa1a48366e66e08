/* grid.c: see grid.h. */
#include "scheme/grid.h"

#include <math.h>
#include <string.h>

/* Refuses a width that contradicts that of a picture. */
static bool check_wide(const struct grid *g, const struct member *m, long wide, struct err *err)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->picture[i] && fabs(g->cols[i] - (double)wide) > 0.5)
			return err_set(err,
				       "%s: grid=%ld is for a text that fills rows, and this input "
				       "has a picture of %.0f columns; leave grid out",
				       m->text, wide, g->cols[i]);
	return true;
}

/* Measures every picture. */
static void measure(struct grid *g)
{
	for (size_t i = 0; i < g->n; i++) {
		if (!g->picture[i] || g->rows[i] > 0)
			continue;
		double lo[2] = {g->row[i], g->col[i]}, hi[2] = {g->row[i], g->col[i]};
		for (size_t k = i; k < g->n; k++) {
			const double at[2] = {g->row[k], g->col[k]};
			for (size_t side = 0; side < 2 && g->picture[k] == g->picture[i]; side++) {
				lo[side] = fmin(lo[side], at[side]);
				hi[side] = fmax(hi[side], at[side]);
			}
		}
		for (size_t k = g->n; k-- > i;)
			if (g->picture[k] == g->picture[i]) {
				g->rows[k] = hi[0] - lo[0] + 1;
				g->cols[k] = hi[1] - lo[1] + 1;
				g->top[k] = lo[0];
				g->left[k] = lo[1];
			}
	}
}

/* Fills rows of `wide` with the tokens of a text. */
static bool fill_rows(struct run *run, const struct member *m, long wide, struct grid *g,
		      struct err *err)
{
	const double *const at = run_column(run, m, err);
	for (size_t i = 0; at && i < g->n; i++) {
		g->row[i] = floor(at[i] / (double)wide);
		g->col[i] = at[i] - g->row[i] * (double)wide;
		g->picture[i] = 1;
	}
	g->of_text = true;
	return at != NULL;
}

bool grid_read(struct run *run, const struct member *m, long wide, bool asked, struct grid *out,
	       struct err *err)
{
	const bool seq = strcmp(m->pos, "seq") == 0;
	const double *const picture = run_find_column(run, "picture");
	const double *const row = run_find_column(run, picture ? "row" : "height");
	const double *const col = run_find_column(run, picture ? "column" : "width");
	const size_t n = run->n;
	struct arena *const a = run->arena;
	double *at[6];
	for (size_t i = 0; i < 6; i++)
		at[i] = arena_calloc(a, n + 1, sizeof *at[i]);
	*out = (struct grid){.n = n,
			     .row = at[0],
			     .col = at[1],
			     .rows = at[2],
			     .cols = at[3],
			     .top = at[4],
			     .left = at[5],
			     .picture = arena_calloc(a, n + 1, sizeof *out->picture)};
	if (!seq || !row) {
		if (!fill_rows(run, m, wide, out, err))
			return false;
		measure(out);
		return true;
	}
	memcpy(out->row, row, n * sizeof *row);
	memcpy(out->col, col, n * sizeof *col);
	for (size_t i = 0; i < n; i++)
		out->picture[i] = picture ? (size_t)picture[i] : 1;
	measure(out);
	return !asked || check_wide(out, m, wide, err);
}

bool grid_relation(struct run *run, const struct member *m, struct relation *out, struct err *err)
{
	(void)run, (void)m, (void)out, (void)err;
	return true;
}
