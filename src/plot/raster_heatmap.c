/* raster_heatmap.c: matrices on paper at the places found by raster_heatmap_plan.c.
 *
 * If the size of cells is not in whole pixels, the edges are rounded one by one. A matrix with more
 * cells than pixels is drawn as an image of means over areas. */
#include "plot/raster_heatmap.h"

#include <math.h>

/* Cells smaller than this have no gaps between them. */
enum { GAP_LEAST = 12 };

/* Adds a rising stroke; for a cell that only one of two matrices masks, a pair of strokes, rising
 * or falling. */
static void add_strokes(struct path *path, struct area a, uint8_t mask)
{
	const bool pair = mask == HEATMAP_MASKED_FIRST || mask == HEATMAP_MASKED_SECOND;
	const double from = 0.28, to = 0.72, apart = pair ? 0.13 : 0;
	const double start = mask == HEATMAP_MASKED_FIRST ? from : to;
	for (int side = -1; side <= (pair ? 1 : -1); side += 2) {
		const double off = side * apart * a.w;
		path_move(path, a.x + from * a.w + off, a.y + start * a.h);
		path_line(path, a.x + to * a.w + off, a.y + (1 - start) * a.h);
	}
}

/* A masked cell has the colour of the paper, with a thin stroke if it is large enough for one. */
static void draw_masked(struct page *p, const struct heatmap *h, const struct grid *g)
{
	if (fmin(g->cell_w, g->cell_h) < STROKE_LEAST)
		return;
	struct path path = path_new(p->arena);
	for (size_t r = 0; r < h->values.rows; r++)
		for (size_t c = 0; c < h->values.cols; c++) {
			if (raster_plan_cell(h, r, c) != CELL_MASKED)
				continue;
			add_strokes(&path, raster_plan_area(g, h, r, c),
				    h->masked != NULL ? h->masked[r * h->values.cols + c]
						      : HEATMAP_MASKED);
		}
	if (path.n > 0)
		raster_stroke_path(p, &path, p->theme->hatch, 1, 1);
}

/* Returns the cells from k on to the right that have one colour, as one rectangle. */
static struct area run_of(const struct grid *g, const struct heatmap *h, const uint32_t *colour,
			  bool *done, size_t k)
{
	const size_t cols = h->values.cols, row = k / cols, first = k % cols;
	size_t last = first;
	done[k] = true;
	while (last + 1 < cols && !done[k + 1] && colour[k + 1] == colour[k]) {
		done[++k] = true;
		last++;
	}
	const struct area a = raster_plan_area(g, h, row, first);
	const struct area b = raster_plan_area(g, h, row, last);
	return (struct area){a.x, a.y, b.x + b.w - a.x, a.h};
}

/* Draws all cells of a colour as one path, so that a vector file contains each colour once. */
static void draw_cells(struct page *p, const struct heatmap *h, const struct grid *g)
{
	const size_t cols = h->values.cols, n = h->values.rows * cols;
	uint32_t *colour = arena_calloc(p->arena, n, sizeof *colour);
	bool *done = arena_calloc(p->arena, n, sizeof *done);
	for (size_t i = 0; i < n; i++) {
		done[i] = raster_plan_cell(h, i / cols, i % cols) == CELL_MASKED;
		if (!done[i])
			colour[i] = raster_plan_colour(p, h, i / cols, i % cols);
	}
	for (size_t i = 0; i < n; i++) {
		struct path path = path_new(p->arena);
		if (done[i])
			continue;
		for (size_t k = i; k < n; k++) {
			if (done[k] || colour[k] != colour[i])
				continue;
			path_rect(&path, run_of(g, h, colour, done, k));
		}
		raster_draw_path(
			p, &path,
			(struct style){
				.fills = true, .fill = colour[i], .fill_alpha = 1, .crisp = true});
	}
}

/* Finds the colour of the mean of the values in rows [r0, r1) and columns [c0, c1), without masked
 * cells; if one of the values is an alarm, its colour. False: all are masked. */
static bool mean_colour(const struct page *p, const struct heatmap *h, size_t r0, size_t r1,
			size_t c0, size_t c1, uint32_t *colour)
{
	double sum = 0;
	size_t n = 0;
	for (size_t r = r0; r < r1; r++) {
		for (size_t c = c0; c < c1; c++) {
			const enum cell_state state = raster_plan_cell(h, r, c);
			if (state == CELL_ALARM) {
				*colour = p->theme->alarm;
				return true;
			}
			if (state != CELL_VALUE)
				continue;
			sum += mat_row(h->values, r)[c];
			n++;
		}
	}
	if (n > 0)
		*colour = colormap_rgb(h->colormap, scale_at(&h->scale, sum / (double)n, NULL));
	return n > 0;
}

/* Finds the colour of the value in their middle instead, because labels have no mean. */
static bool middle_colour(const struct page *p, const struct heatmap *h, size_t r0, size_t r1,
			  size_t c0, size_t c1, uint32_t *colour)
{
	const size_t r = r0 + (r1 - 1 - r0) / 2, c = c0 + (c1 - 1 - c0) / 2;
	const bool there = raster_plan_cell(h, r, c) != CELL_MASKED;
	if (there)
		*colour = raster_plan_colour(p, h, r, c);
	return there;
}

/* Finds the first of n cells in pixel i of `pixels`, and the cell after the last one. */
static void span(size_t i, size_t pixels, size_t n, size_t *from, size_t *to)
{
	*from = i * n / pixels;
	*to = (i + 1) * n / pixels;
	if (*to == *from)
		*to = *from + 1;
}

/* Draws an image of `w` x `ht` pixels over the whole matrix; pixels are never smoothed. */
static void draw_image(struct page *p, const struct heatmap *h, const struct grid *g, size_t w,
		       size_t ht)
{
	uint32_t *const pixels = arena_calloc(p->arena, w * ht, sizeof *pixels);
	for (size_t y = 0; y < ht; y++) {
		size_t r0, r1, c0, c1;
		span(y, ht, h->values.rows, &r0, &r1);
		for (size_t x = 0; x < w; x++) {
			uint32_t colour = 0;
			span(x, w, h->values.cols, &c0, &c1);
			if ((h->integers ? middle_colour : mean_colour)(p, h, r0, r1, c0, c1,
									&colour))
				pixels[y * w + x] = 0xff000000u | raster_shade(p, colour);
		}
	}
	p->device->kind->image(p->device, g->at, pixels, w, ht);
}

/* Tells if there are more cells than pixels. */
static bool is_averaged(const struct heatmap *h, const struct grid *g)
{
	return g->at.w < (double)h->values.cols || g->at.h < (double)h->values.rows;
}

/* Many cells without gaps become an image in a vector file, in a PDF even a few of them: as
 * rectangles they would be separated by hairlines in viewers that smooth their edges. Each value
 * has several pixels, for viewers that smooth images. */
static void draw_values(struct page *p, const struct heatmap *h, const struct grid *g,
			bool averaged)
{
	const size_t rows = h->values.rows, cols = h->values.cols;
	const double cell = fmin(g->cell_w, g->cell_h);
	const size_t each = cell < 2 ? 2 : 4;
	const bool vector = p->device->vector;
	if (vector && !averaged && cell < GAP_LEAST && rows > 1 && cols > 1 &&
	    rows * cols > p->device->most_cells)
		draw_image(p, h, g, cols * each, rows * each);
	else if (averaged || (!vector && cell < 4))
		draw_image(p, h, g, (size_t)g->at.w, (size_t)g->at.h);
	else
		draw_cells(p, h, g);
}

/* Draws thin lines in the colour of the paper between cells that are large enough. */
static void draw_gaps(struct page *p, const struct heatmap *h, const struct grid *g)
{
	const double gap = fmax(1, round(p->space));
	const double back = floor(gap / 2);
	if (fmin(g->cell_w, g->cell_h) < GAP_LEAST)
		return;
	for (size_t c = 1; c < h->values.cols; c++)
		raster_rect(p,
			    (struct area){raster_plan_edge(g->at.x, g->at.w, c, h->values.cols,
							   g->pixel) -
						  back,
					  g->at.y, gap, g->at.h},
			    p->theme->paper);
	for (size_t r = 1; r < h->values.rows; r++)
		raster_rect(p,
			    (struct area){g->at.x,
					  raster_plan_edge(g->at.y, g->at.h, r, h->values.rows,
							   g->pixel) -
						  back,
					  g->at.w, gap},
			    p->theme->paper);
}

void raster_heatmap_inside(struct page *p, const struct heatmap *h, const struct grid *g)
{
	draw_values(p, h, g, is_averaged(h, g));
	draw_masked(p, h, g);
	draw_gaps(p, h, g);
}

void raster_heatmap_cells(struct page *p, const struct heatmap *h, const struct grid *g)
{
	raster_plot(p, g->at, true);
	raster_heatmap_inside(p, h, g);
}

/* Draws a frame of ink and paper, which is visible on every colour, around the cursor's cell. A
 * cell that is pointed out has such a frame already. */
static void draw_cursor(struct page *p, const struct heatmap *h, const struct grid *g)
{
	if (!h->has_cursor || h->row >= h->values.rows || h->col >= h->values.cols)
		return;
	for (size_t i = 0; i < h->n_marks; i++)
		if (h->marks[i].kind == MARK_CELL && h->marks[i].row == h->row &&
		    h->marks[i].col == h->col)
			return;
	const struct area a = raster_plan_area(g, h, h->row, h->col);
	const double thick = fmax(1, round(2 * p->space));
	const uint32_t colours[] = {p->theme->paper, p->theme->ink};
	for (int i = 0; i < 2; i++) {
		const double off = i * thick - thick / 2;
		struct path path = path_new(p->arena);
		path_rect(&path, (struct area){a.x - off, a.y - off, a.w + 2 * off, a.h + 2 * off});
		raster_stroke_path(p, &path, colours[i], 1, thick);
	}
}

static void draw_rows(struct page *p, const struct heatmap *h, const struct grid *g)
{
	const bool ticks = g->rows.n < h->values.rows;
	const double x = g->at.x - g->gap;
	for (size_t i = 0; i < g->rows.n; i++) {
		const double y =
			g->at.y + ((double)g->rows.at[i] + 0.5) * g->at.h / (double)h->values.rows;
		size_t at;
		const bool here = (h->has_cursor && g->rows.at[i] == h->row) ||
				  heatmap_points_row(h, g->rows.at[i], 1, &at);
		if (ticks)
			raster_line(p, g->at.x - 5 * p->space, y, g->at.x - 1, y, 1,
				    p->theme->axis);
		raster_text_label(p, here ? FACE_BOLD : FACE_TEXT, p->theme->ink, 1, x, y, 0,
				  g->rows.text[i]);
	}
}

void raster_heatmap_columns(struct page *p, const struct heatmap *h, const struct grid *g)
{
	const bool ticks = g->cols.n < h->values.cols;
	for (size_t i = 0; i < g->cols.n; i++) {
		const double x =
			g->at.x + ((double)g->cols.at[i] + 0.5) * g->at.w / (double)h->values.cols;
		size_t at;
		const bool here = (h->has_cursor && g->cols.at[i] == h->col) ||
				  heatmap_points_col(h, g->cols.at[i], 1, &at);
		if (ticks)
			raster_line(p, x, g->at.y - 5 * p->space, x, g->at.y - 1, 1,
				    p->theme->axis);
		const char *text = g->cols.text[i];
		const enum face face = here ? FACE_BOLD : FACE_TEXT;
		if (g->cols.angle == 0) {
			raster_text_put(p, face, p->theme->ink, 0.5, x,
					g->at.y - 6 * p->space - g->cols.most.h, text);
			continue;
		}
		/* The lower corner of the slanted text is a little above the cell. */
		const double lift = g->cols.most.h / 2 * cos(g->cols.angle) + 3 * p->space;
		raster_text_label(p, face, p->theme->ink, 0, x, g->at.y - lift, -g->cols.angle,
				  text);
	}
}

static void draw_titles(struct page *p, const struct grid *g)
{
	const double line = p->line[FACE_TEXT], right = g->at.x - g->gap;
	const double foot = g->at.y - raster_plan_corner(p, g);
	const double y = g->corner ? foot - line : g->title_y;
	raster_text_put(p, FACE_TEXT, p->theme->second, 1, right, y, g->row_title);
	raster_text_put(p, FACE_TEXT, p->theme->second, g->corner ? 1 : 0,
			g->corner ? right : g->at.x, g->corner ? y - line : y, g->col_title);
}

struct size raster_heatmap_least(struct page *p, const struct panel *panel, double width)
{
	(void)panel;
	const struct fit *fit = &p->fit[p->panel];
	const double labels = fit->no_cols ? 8 : 45, bar = fit->no_bar ? 0 : 10;
	const struct area at = {.w = width};
	const double note = raster_text_wrap(p, FACE_TEXT, 0, at, false, fit->note);
	return (struct size){150 * p->type, (60 + labels + bar) * p->type + note};
}

static const char *with_means(struct page *p, const struct heatmap *h, const struct grid *g)
{
	const char *means = arena_printf(
		p->arena, "each pixel is %s of %.3g × %.3g cells", h->integers ? "one" : "the mean",
		(double)h->values.rows / g->at.h, (double)h->values.cols / g->at.w);
	return g->note[0] == '\0' ? means : arena_printf(p->arena, "%s · %s", means, g->note);
}

const char *raster_heatmap_note(struct page *p, const struct heatmap *h, const struct grid *g)
{
	struct grid noted = *g;
	noted.note = raster_plan_note(p, h, raster_inside_fit(p, h, g->cell_w, g->cell_h));
	return is_averaged(h, g) ? with_means(p, h, &noted) : noted.note;
}

/* Writes the finding of a matrix of one colour in the middle of it. */
static void draw_uniform(struct page *p, const struct heatmap *h, const struct grid *g)
{
	const double margin = 2 * p->space;
	struct area at = {g->at.x + margin, g->at.y, g->at.w - 2 * margin, g->at.h};
	if (h->uniform == NULL || h->no_digits || at.w <= 0)
		return;
	const double height = raster_text_wrap(p, FACE_TEXT, 0, at, false, h->uniform);
	if (height + 2 * margin > g->at.h)
		return;
	at.y += (g->at.h - height) / 2;
	at.h = height;
	raster_rect(p,
		    (struct area){g->at.x + margin / 2, at.y - margin / 2, g->at.w - margin,
				  height + margin},
		    p->theme->paper);
	raster_text_wrap(p, FACE_TEXT, p->theme->ink, at, true, h->uniform);
}

void raster_heatmap_put(struct page *p, const struct heatmap *h, const struct grid *g)
{
	raster_heatmap_cells(p, h, g);
	raster_pointed_cells(p, h, g);
	const enum inside inside = raster_inside_fit(p, h, g->cell_w, g->cell_h);
	raster_inside_draw(p, h, g, inside);
	draw_cursor(p, h, g);
	if (inside == INSIDE_NOTHING) /* numbers say it themselves */
		draw_uniform(p, h, g);
	draw_rows(p, h, g);
	raster_heatmap_columns(p, h, g);
	if (g->rows.n > 0)
		raster_pointed_rows(p, h, g);
	if (g->cols.n > 0)
		raster_pointed_columns(p, h, g);
}

void raster_heatmap_draw(struct page *p, const struct panel *panel, struct area at)
{
	const struct heatmap *h = &panel->heatmap;
	if (h->values.rows == 0 || h->values.cols == 0) {
		raster_text_wrap(p, FACE_TEXT, p->theme->second, at, true, "empty");
		return;
	}
	struct grid g = {.note = p->fit[p->panel].note};
	raster_plan_solve(p, h, at, &p->fit[p->panel], &g);
	const bool averaged = is_averaged(h, &g);
	if (averaged) {
		g.note = with_means(p, h, &g);
		raster_plan_solve(p, h, at, &p->fit[p->panel], &g);
	}
	g.note = raster_heatmap_note(p, h, &g);
	raster_plan_rest(p, h, at, &g);
	raster_heatmap_put(p, h, &g);
	raster_bar_draw(p, h, &g);
	draw_titles(p, &g);
	raster_text_wrap(p, FACE_TEXT, p->theme->second, (struct area){at.x, g.note_y, at.w, 0},
			 true, g.note);
}
