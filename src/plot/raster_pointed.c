/* raster_pointed.c: marks on a page: a line of ink between two lines of paper, which is visible on
 * every colour, around cells, rows, columns and each cell of a diagonal; and triangles at the
 * labels. Round corners and their weight distinguish marks from the cursor's frame. */
#include <math.h>

#include "plot/raster_chart.h"
#include "plot/raster_heatmap.h"

/* Thickness of the line relative to the smaller side of a cell, and at most in units. */
static const double thick_part = 0.055, thick_most = 3;
/* A diagonal of smaller cells gets one frame for all of them. */
enum { EACH_LEAST = 9 };

static void add_round(struct path *path, struct area a, double r)
{
	const double k = 0.45 * r, right = a.x + a.w, foot = a.y + a.h;
	path_move(path, a.x + r, a.y);
	path_line(path, right - r, a.y);
	path_curve(path, right - k, a.y, right, a.y + k, right, a.y + r);
	path_line(path, right, foot - r);
	path_curve(path, right, foot - k, right - k, foot, right - r, foot);
	path_line(path, a.x + r, foot);
	path_curve(path, a.x + k, foot, a.x, foot - k, a.x, foot - r);
	path_line(path, a.x, a.y + r);
	path_curve(path, a.x, a.y + k, a.x + k, a.y, a.x + r, a.y);
	path_close(path);
}

static double cell_of(const struct grid *g)
{
	return fmin(g->cell_w, g->cell_h);
}

/* Adds a frame around the cells from one to another, which may be the same. */
static void add_cells(const struct page *p, const struct heatmap *h, const struct grid *g,
		      const size_t from[2], const size_t to[2], struct path *path)
{
	const struct area a = raster_plan_area(g, h, from[0], from[1]);
	const struct area b = raster_plan_area(g, h, to[0], to[1]);
	add_round(path, (struct area){a.x, a.y, b.x + b.w - a.x, b.y + b.h - a.y},
		  fmin(cell_of(g) / 4, 6 * p->space));
}

/* Adds a frame with six corners around the small cells of a diagonal from its first to its last
 * cell. */
static void add_hull(const struct heatmap *h, const struct grid *g, const size_t from[2],
		     const size_t to[2], struct path *path)
{
	const struct area a = raster_plan_area(g, h, from[0], from[1]);
	const struct area b = raster_plan_area(g, h, to[0], to[1]);
	path_move(path, a.x, a.y);
	path_line(path, a.x + a.w, a.y);
	path_line(path, b.x + b.w, b.y);
	path_line(path, b.x + b.w, b.y + b.h);
	path_line(path, b.x, b.y + b.h);
	path_line(path, a.x, a.y + a.h);
	path_close(path);
}

static void add_diagonal(const struct page *p, const struct heatmap *h, const struct grid *g,
			 long apart, struct path *path)
{
	const long rows = (long)h->values.rows, cols = (long)h->values.cols;
	const long first = apart < 0 ? -apart : 0, end = rows < cols - apart ? rows : cols - apart;
	if (first >= end)
		return;
	if (cell_of(g) < EACH_LEAST) {
		add_hull(h, g, (size_t[]){(size_t)first, (size_t)(first + apart)},
			 (size_t[]){(size_t)end - 1, (size_t)(end - 1 + apart)}, path);
		return;
	}
	for (long t = first; t < end; t++) {
		const size_t at[] = {(size_t)t, (size_t)(t + apart)};
		add_cells(p, h, g, at, at, path);
	}
}

static void add_mark(const struct page *p, const struct heatmap *h, const struct grid *g,
		     const struct mark *m, struct path *path)
{
	const size_t last[] = {h->values.rows - 1, h->values.cols - 1};
	switch (m->kind) {
	case MARK_CELL:
		add_cells(p, h, g, (size_t[]){m->row, m->col}, (size_t[]){m->row, m->col}, path);
		break;
	case MARK_ROW:
		add_cells(p, h, g, (size_t[]){m->row, 0}, (size_t[]){m->row, last[1]}, path);
		break;
	case MARK_COLUMN:
		add_cells(p, h, g, (size_t[]){0, m->col}, (size_t[]){last[0], m->col}, path);
		break;
	case MARK_DIAGONAL:
		add_diagonal(p, h, g, m->diagonal + h->mark_from, path);
		break;
	case MARK_CURVE:
	case MARK_LINE:
	case MARK_AT:
	case MARK_HEADING:
		break;
	}
}

void raster_pointed_cells(struct page *p, const struct heatmap *h, const struct grid *g)
{
	const double thick = fmin(fmax(1, thick_part * cell_of(g)), thick_most * p->space);
	struct path path = path_new(p->arena);
	for (size_t i = 0; i < h->n_marks; i++)
		add_mark(p, h, g, &h->marks[i], &path);
	if (path.n == 0)
		return;
	raster_stroke_path(p, &path, p->theme->paper, 1, thick + 2 * fmax(1, thick / 2));
	raster_stroke_path(p, &path, p->theme->ink, 1, thick);
}

/* Draws a triangle with its tip at (x, y), pointing to the right or down. */
static void triangle(struct page *p, double x, double y, bool down)
{
	const double length = 4 * p->space, half = 4 * p->space;
	struct path path = path_new(p->arena);
	path_move(&path, x, y);
	path_line(&path, down ? x - half : x - length, down ? y - length : y - half);
	path_line(&path, down ? x + half : x - length, down ? y - length : y + half);
	path_close(&path);
	raster_fill_path(p, &path, p->theme->ink, 1);
}

void raster_pointed_rows(struct page *p, const struct heatmap *h, const struct grid *g)
{
	size_t at;
	for (size_t r = 0; h->n_marks > 0 && r < h->values.rows; r++) {
		const struct area a = raster_plan_area(g, h, r, 0);
		if (heatmap_points_row(h, r, 1, &at))
			triangle(p, g->at.x - 1.5 * p->space, a.y + a.h / 2, false);
	}
}

void raster_pointed_columns(struct page *p, const struct heatmap *h, const struct grid *g)
{
	size_t at;
	for (size_t c = 0; h->n_marks > 0 && c < h->values.cols; c++) {
		const struct area a = raster_plan_area(g, h, 0, c);
		if (heatmap_points_col(h, c, 1, &at))
			triangle(p, a.x + a.w / 2, g->at.y - 1.5 * p->space, true);
	}
}
