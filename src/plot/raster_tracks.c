/* raster_tracks.c: the panels of a figure in its own grid, whose rows and columns divide the page
 * by their weights: the arrangement for figures without matrices. */
#include "plot/fold.h"
#include "plot/raster_heatmap.h"

#include <math.h>

double raster_column_gap(const struct page *p)
{
	return (p->given > 0 ? 24 : 48) * p->space;
}

static size_t span(unsigned char tracks)
{
	return tracks > 0 ? tracks : 1;
}

/* Finds start and length of the tracks [first, first + count), when `length` is divided by
 * weight. */
static void track(const unsigned char *weight, size_t tracks, double length, double gap,
		  size_t first, size_t count, double *from, double *size)
{
	double total = 0, before = 0, mine = 0;
	for (size_t i = 0; i < tracks; i++) {
		const double w = weight[i] > 0 ? weight[i] : 1;
		total += w;
		before += i < first ? w : 0;
		mine += i >= first && i < first + count ? w : 0;
	}
	const double unit = fmax(0, length - gap * (double)(tracks - 1)) / total;
	*from = round(unit * before + gap * (double)first);
	*size = floor(unit * mine + gap * (double)(count - 1));
}

/* Replaces each need > 0 by its difference from their mean, which is then added to the share of
 * that track; other tracks keep their share. */
static void from_mean(double *need)
{
	double sum = 0, n = 0;
	for (size_t i = 0; i < FIGURE_TRACKS; i++) {
		sum += need[i];
		n += need[i] > 0;
	}
	for (size_t i = 0; i < FIGURE_TRACKS; i++)
		need[i] = need[i] > 0 ? need[i] - sum / n : 0;
}

/* Places the columns of panels. A matrix with wider labels or bar gets a wider column, so that
 * matrices are equally large. */
static void place_cols(struct page *p, const struct figure *f, struct area body, size_t cols,
		       double height, struct sheet *sheet)
{
	double extra[FIGURE_TRACKS] = {0};
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *panel = &f->panels[i];
		const double tracks = (double)span(panel->cols) / (double)cols;
		const struct area at = {.w = body.w * tracks, .h = height};
		if (!raster_plan_wanted(panel))
			continue;
		const double each = raster_plan_around(p, f, i, at).w / (double)span(panel->cols);
		for (size_t c = panel->col; c < panel->col + span(panel->cols); c++)
			extra[c] = fmax(extra[c], each);
	}
	from_mean(extra);
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *panel = &f->panels[i];
		struct area *at = &sheet->panel[i];
		track(f->col_weight, cols, body.w, raster_column_gap(p), panel->col,
		      span(panel->cols), &at->x, &at->w);
		for (size_t c = 0; c < panel->col + span(panel->cols); c++)
			*(c < panel->col ? &at->x : &at->w) += extra[c];
		at->x = round(at->x) + body.x;
		at->w = fmax(1, floor(at->w));
	}
}

/* Gives the first row of a figure around its table what the table lacks there, which the other rows have less. */
static void give_table(struct page *p, const struct figure *f, struct area at, double height,
		       size_t rows, double *extra)
{
	const struct panel *const table = &f->panels[0];
	double from, share;
	if (!figure_has_table_first(f) || rows < 2 || table->row > 0 || span(table->rows) > 1)
		return;
	at.y = 0;
	track(f->row_weight, rows, height, 28 * p->space, 0, 1, &from, &share);
	const double need =
		raster_panel_head(p, table, at, false) + raster_body_least(p, table, at.w).h;
	const double lacks = fmax(0, need - share - extra[0]);
	extra[0] += lacks;
	for (size_t r = 1; r < rows; r++)
		extra[r] -= lacks / (double)(rows - 1);
}

/* The same for rows, where the heads of panels count as well. */
static void place_rows(struct page *p, const struct figure *f, struct area body, size_t rows,
		       struct sheet *sheet)
{
	double extra[FIGURE_TRACKS] = {0};
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *panel = &f->panels[i];
		const struct area at = {.w = sheet->panel[i].w};
		if (!raster_plan_wanted(panel) || span(panel->rows) > 1)
			continue;
		const double head = raster_panel_head(p, panel, at, false);
		const struct area inner = {.w = at.w, .h = fmax(40, body.h / (double)rows - head)};
		extra[panel->row] =
			fmax(extra[panel->row], head + raster_plan_around(p, f, i, inner).h);
	}
	from_mean(extra);
	give_table(p, f, sheet->panel[0], body.h, rows, extra);
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *panel = &f->panels[i];
		struct area *at = &sheet->panel[i];
		track(f->row_weight, rows, body.h, 28 * p->space, panel->row, span(panel->rows),
		      &at->y, &at->h);
		for (size_t r = 0; r < panel->row + span(panel->rows); r++)
			*(r < panel->row ? &at->y : &at->h) += extra[r];
		at->y = round(at->y) + body.y;
		at->h = fmax(1, floor(at->h));
	}
}

void raster_tracks(struct page *p, const struct figure *f, struct area body, struct sheet *sheet)
{
	size_t rows = 1, cols = 1;
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *panel = &f->panels[i];
		const size_t bottom = panel->row + span(panel->rows);
		const size_t right = panel->col + span(panel->cols);
		rows = bottom > rows ? bottom : rows;
		cols = right > cols ? right : cols;
	}
	if (rows > FIGURE_TRACKS || cols > FIGURE_TRACKS)
		BUG("a figure of %zu x %zu tracks", rows, cols);
	place_cols(p, f, body, cols, body.h / (double)rows, sheet);
	place_rows(p, f, body, rows, sheet);
}
