/* raster_heatmap.c: matrices on paper.
 *
 * Cells are square and whole pixels while that costs little room, else their edges are rounded one by
 * one; and a matrix with more cells than pixels is drawn as an image of area means. The size
 * of a cell depends on the room that the labels leave, which depends on the size of a cell: solve
 * repeats until both agree. */
#include "plot/raster_in.h"

#include <math.h>
#include <string.h>

#include "posviz/num.h"
#include "posviz/strbuf.h"

struct grid {
	struct area at; /* the matrix */
	double bar_h;
	struct side rows, cols;
	struct bar bar;
	double cell_w, cell_h;
	const char *row_title, *col_title; /* with their arrows; "" for none */
	double top, left, below;
	const char *note; /* under the matrix, "" for none */
	double title_y, note_y;
};

enum cell_state { CELL_VALUE, CELL_MASKED, CELL_ALARM };

static enum cell_state state_of(const struct heatmap *h, size_t r, size_t c)
{
	const double v = h->values.at[r * h->values.stride + c];
	if (h->masked != NULL && h->masked[r * h->values.cols + c])
		return CELL_MASKED;
	if (v == -INFINITY)
		return CELL_MASKED;
	return isfinite(v) ? CELL_VALUE : CELL_ALARM;
}

/* What the reader must know of the values besides the scale. */
static const char *make_note(struct page *p, const struct heatmap *h)
{
	size_t alarms = 0, clipped = 0;
	for (size_t r = 0; r < h->values.rows; r++) {
		for (size_t c = 0; c < h->values.cols; c++) {
			const enum cell_state state = state_of(h, r, c);
			bool out = false;
			if (state == CELL_VALUE && h->scale.locked)
				scale_at(&h->scale, mat_row(h->values, r)[c], &out);
			alarms += state == CELL_ALARM;
			clipped += out;
		}
	}
	struct strbuf note;
	strbuf_init(&note, p->arena);
	if (alarms > 0)
		strbuf_printf(&note, "! %zu value%s not a finite number", alarms,
			      alarms == 1 ? " is" : "s are");
	if (clipped > 0)
		strbuf_printf(&note, "%s%zu beyond the limits", note.len > 0 ? " · " : "", clipped);
	return note.at;
}

/* The length of one cell: whole pixels unless that wastes a fifth of the room, and never larger than
 * a cell should be. */
static double whole(const struct page *p, double cell)
{
	const double cell_most = 128 * p->space;
	cell = fmin(cell, cell_most);
	return floor(cell) >= 0.8 * cell ? floor(cell) : cell;
}

/* Square cells; a matrix far from square may stretch them to the height or width of a label. */
static void size_cells(const struct page *p, const struct heatmap *h, struct size room,
		       double *cell_w, double *cell_h)
{
	const double rows = (double)h->values.rows, cols = (double)h->values.cols;
	const double w = whole(p, room.w / cols), ht = whole(p, room.h / rows);
	const double cell = fmin(w, ht), label = ceil(p->line[FACE_TEXT] * 1.2);
	*cell_w = *cell_h = cell;
	if (cols >= 2 * rows)
		*cell_h = fmax(cell, fmin(ht, label));
	else if (rows >= 2 * cols)
		*cell_w = fmax(cell, fmin(w, 2 * label));
}

/* From the matrix to the titles below it, which must clear half a line of the last row's label. */
static double under(const struct page *p)
{
	return fmax(8 * p->space, p->line[FACE_TEXT] * 0.55);
}

/* A title between what points to its axis; nothing for no title. */
static const char *with_arrow(struct page *p, const char *before, const char *title,
			      const char *after)
{
	if (title == NULL || title[0] == '\0')
		return "";
	return arena_printf(p->arena, "%s%s%s", before, title, after);
}

/* How far the labels of the colour bar, and the name of its mode, reach below it. */
static double bar_foot(const struct page *p, const struct bar *bar)
{
	return p->line[FACE_TEXT] * (bar->mode[0] != '\0' ? 1.5 : 0.5) + 2;
}

/* Whether the title of the columns is wider than the matrix: then it stands below the bar as well. */
static bool title_sticks_out(struct page *p, const struct grid *g, double width)
{
	return raster_text_measure(p, FACE_TEXT, g->col_title).w > width + 12 * p->space;
}

/* The room below a matrix `width` wide: titles, the end of the bar, the note. */
static double room_below(struct page *p, const struct grid *g, double width, double note_w)
{
	const double line = p->line[FACE_TEXT], foot = bar_foot(p, &g->bar);
	double below = foot;
	if (title_sticks_out(p, g, width))
		below = foot + line + 4 * p->space;
	else if (g->row_title[0] != '\0' || g->col_title[0] != '\0')
		below = fmax(foot, line + under(p));
	if (g->note[0] != '\0')
		below += raster_text_wrap(p, FACE_TEXT, 0, (struct area){.w = note_w}, false,
					  g->note) +
			 6 * p->space;
	return below;
}

static void solve(struct page *p, const struct heatmap *h, struct area at, struct grid *g)
{
	const double rows = (double)h->values.rows, cols = (double)h->values.cols;
	g->row_title = with_arrow(p, "", h->row_title, " ↑");
	g->col_title = with_arrow(p, "→ ", h->col_title, "");
	const double title_w = ceil(raster_text_measure(p, FACE_TEXT, g->row_title).w);
	size_cells(p, h, (struct size){at.w * 0.72, at.h * 0.72}, &g->cell_w, &g->cell_h);
	for (int round_trip = 0; round_trip < 5; round_trip++) {
		g->rows = raster_side_rows(p, h, g->cell_h, at.w * 0.3);
		g->cols = raster_side_cols(p, h, g->cell_w, at.h * 0.28);
		g->bar = raster_side_bar(p, h, g->cell_h * rows);
		g->left = fmax(g->rows.most.w, fmin(title_w, at.w * 0.3)) + 10 * p->space;
		g->top = raster_side_height(p, &g->cols);
		g->below = room_below(p, g, g->cell_w * cols, at.w);
		const double over = raster_side_overhang(p, &g->cols, h->values.cols, g->cell_w);
		const double right = fmax(g->bar.width, over + 2);
		double cell_w, cell_h;
		size_cells(p, h, (struct size){at.w - g->left - right, at.h - g->top - g->below},
			   &cell_w, &cell_h);
		const bool same = cell_w == g->cell_w && cell_h == g->cell_h;
		/* After the first trips only shrink, so that the search ends with labels that fit. */
		g->cell_w = round_trip < 2 ? cell_w : fmin(g->cell_w, cell_w);
		g->cell_h = round_trip < 2 ? cell_h : fmin(g->cell_h, cell_h);
		if (same)
			break;
	}
	g->left = ceil(g->left);
	g->top = ceil(g->top);
	g->at = (struct area){round(at.x + g->left), round(at.y + g->top),
			      fmax(1, round(g->cell_w * cols)), fmax(1, round(g->cell_h * rows))};
}

/* Bar, titles and note, once the matrix has its place. */
static void place_rest(struct page *p, const struct heatmap *h, struct area at, struct grid *g)
{
	const double room = at.h - g->top - g->below, line = p->line[FACE_TEXT];
	g->bar_h = fmax(g->at.h, fmin(110 * p->space, room));
	g->bar = raster_side_bar(p, h, g->bar_h);
	const double bar_end = g->at.y + g->bar_h + bar_foot(p, &g->bar);
	const bool out = title_sticks_out(p, g, g->at.w);
	const bool titles = g->row_title[0] != '\0' || g->col_title[0] != '\0';
	g->title_y = out ? bar_end + 4 * p->space : g->at.y + g->at.h + under(p);
	g->note_y = fmax(bar_end, titles ? g->title_y + line : 0) + 6 * p->space;
	g->row_title = raster_text_fit(p, FACE_TEXT, g->row_title, g->left - 8 * p->space);
	g->col_title = raster_text_fit(p, FACE_TEXT, g->col_title, at.w - g->left);
}

static double edge(double from, double length, size_t i, size_t n)
{
	return from + round(length * (double)i / (double)n);
}

static struct area cell_area(const struct grid *g, const struct heatmap *h, size_t r, size_t c)
{
	const double x0 = edge(g->at.x, g->at.w, c, h->values.cols);
	const double x1 = edge(g->at.x, g->at.w, c + 1, h->values.cols);
	const double y0 = edge(g->at.y, g->at.h, r, h->values.rows);
	const double y1 = edge(g->at.y, g->at.h, r + 1, h->values.rows);
	return (struct area){x0, y0, x1 - x0, y1 - y0};
}

/* The ground of masked cells; values are painted over it. */
static void draw_hatch(struct page *p, struct area a)
{
	const double step = round(fmax(8 * p->space, 5));
	raster_rect(p, a, p->theme->tint);
	cairo_save(p->cr);
	cairo_rectangle(p->cr, a.x, a.y, a.w, a.h);
	cairo_clip(p->cr);
	raster_colour(p, p->theme->hatch, 1);
	cairo_set_line_width(p->cr, 1);
	for (double d = step / 2; d < a.w + a.h; d += step) {
		cairo_move_to(p->cr, a.x + d, a.y);
		cairo_line_to(p->cr, a.x + d - a.h, a.y + a.h);
	}
	cairo_stroke(p->cr);
	cairo_restore(p->cr);
}

static uint32_t value_colour(const struct heatmap *h, double value)
{
	return colormap_rgb(h->colormap, scale_at(&h->scale, value, NULL));
}

static void draw_cells(struct page *p, const struct heatmap *h, const struct grid *g)
{
	cairo_set_antialias(p->cr, CAIRO_ANTIALIAS_NONE);
	for (size_t r = 0; r < h->values.rows; r++) {
		for (size_t c = 0; c < h->values.cols; c++) {
			const enum cell_state state = state_of(h, r, c);
			if (state == CELL_MASKED)
				continue;
			raster_rect(p, cell_area(g, h, r, c),
				    state == CELL_ALARM
					    ? p->theme->alarm
					    : value_colour(h, mat_row(h->values, r)[c]));
		}
	}
	cairo_set_antialias(p->cr, CAIRO_ANTIALIAS_DEFAULT);
}

/* Mean of the values in rows [r0, r1) and columns [c0, c1): an alarm wins, masked cells do not
 * count, and all masked is masked. */
static enum cell_state area_mean(const struct heatmap *h, size_t r0, size_t r1, size_t c0,
				 size_t c1, double *mean)
{
	double sum = 0;
	size_t n = 0;
	for (size_t r = r0; r < r1; r++) {
		for (size_t c = c0; c < c1; c++) {
			const enum cell_state state = state_of(h, r, c);
			if (state == CELL_ALARM)
				return state;
			if (state == CELL_MASKED)
				continue;
			sum += mat_row(h->values, r)[c];
			n++;
		}
	}
	*mean = n > 0 ? sum / (double)n : 0;
	return n > 0 ? CELL_VALUE : CELL_MASKED;
}

/* First cell of pixel i of `pixels` over n cells, and the one after its last. */
static void span(size_t i, size_t pixels, size_t n, size_t *from, size_t *to)
{
	*from = i * n / pixels;
	*to = (i + 1) * n / pixels;
	if (*to == *from)
		*to = *from + 1;
}

static void draw_image(struct page *p, const struct heatmap *h, const struct grid *g)
{
	const size_t w = (size_t)g->at.w, ht = (size_t)g->at.h;
	cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)w, (int)ht);
	cairo_surface_flush(image);
	unsigned char *data = cairo_image_surface_get_data(image);
	const size_t stride = (size_t)cairo_image_surface_get_stride(image);
	for (size_t y = 0; data != NULL && y < ht; y++) {
		size_t r0, r1, c0, c1;
		span(y, ht, h->values.rows, &r0, &r1);
		for (size_t x = 0; x < w; x++) {
			double mean;
			span(x, w, h->values.cols, &c0, &c1);
			const enum cell_state state = area_mean(h, r0, r1, c0, c1, &mean);
			uint32_t pixel = 0;
			if (state == CELL_ALARM)
				pixel = 0xff000000u | p->theme->alarm;
			else if (state == CELL_VALUE)
				pixel = 0xff000000u | value_colour(h, mean);
			memcpy(data + y * stride + 4 * x, &pixel, sizeof pixel);
		}
	}
	cairo_surface_mark_dirty(image);
	cairo_set_source_surface(p->cr, image, g->at.x, g->at.y);
	cairo_pattern_set_filter(cairo_get_source(p->cr), CAIRO_FILTER_NEAREST);
	cairo_paint(p->cr);
	cairo_surface_destroy(image);
}

/* Thin lines of paper between cells that are large enough to bear them. */
static void draw_gaps(struct page *p, const struct heatmap *h, const struct grid *g)
{
	const double gap = fmax(1, round(p->space));
	const double back = floor(gap / 2);
	if (fmin(g->cell_w, g->cell_h) < 10)
		return;
	for (size_t c = 1; c < h->values.cols; c++)
		raster_rect(p,
			    (struct area){edge(g->at.x, g->at.w, c, h->values.cols) - back, g->at.y,
					  gap, g->at.h},
			    p->theme->paper);
	for (size_t r = 1; r < h->values.rows; r++)
		raster_rect(p,
			    (struct area){g->at.x, edge(g->at.y, g->at.h, r, h->values.rows) - back,
					  g->at.w, gap},
			    p->theme->paper);
}

static const char *digits(struct page *p, const struct heatmap *h, double value)
{
	if (h->integers)
		return arena_printf(p->arena, "%s%.0f", value < 0 ? "\u2212" : "", fabs(value));
	const char *text = arena_printf(p->arena, "%.2f", fabs(value));
	const bool zero = strcmp(text, "0.00") == 0;
	return arena_printf(p->arena, "%s%s", value < 0 && !zero ? "\u2212" : "",
			    zero ? "0" : text);
}

/* Whether every number has air around it in its cell: all are shown or none. */
static bool digits_fit(struct page *p, const struct heatmap *h, const struct grid *g)
{
	const double most = fmax(fabs(h->scale.lo), fabs(h->scale.hi));
	if (fmin(g->cell_w, g->cell_h) < 48 * p->type || most >= 100)
		return false;
	const char *widest = digits(p, h, h->scale.lo < 0 ? -most : most);
	const struct size size = raster_text_measure(p, FACE_TEXT, widest);
	return size.w <= g->cell_w - 6 * p->space && size.h <= g->cell_h;
}

/* Numbers in large cells, "!" in the alarms. */
static void draw_digits(struct page *p, const struct heatmap *h, const struct grid *g)
{
	const bool fits = digits_fit(p, h, g);
	const struct size alarm = raster_text_measure(p, FACE_BOLD, "!");
	const bool warns = alarm.w <= g->cell_w && alarm.h <= g->cell_h;
	for (size_t r = 0; (fits || warns) && r < h->values.rows; r++) {
		for (size_t c = 0; c < h->values.cols; c++) {
			const enum cell_state state = state_of(h, r, c);
			const double value = mat_row(h->values, r)[c];
			if (state == CELL_ALARM ? !warns : state == CELL_MASKED || !fits)
				continue;
			const struct area a = cell_area(g, h, r, c);
			p->paper = state == CELL_ALARM ? p->theme->alarm : value_colour(h, value);
			raster_text_mid(p, state == CELL_ALARM ? FACE_BOLD : FACE_TEXT,
					colour_ink(p->paper), 0.5, a.x + a.w / 2, a.y + a.h / 2,
					state == CELL_ALARM ? "!" : digits(p, h, value));
		}
	}
	p->paper = p->theme->paper;
}

/* The cursor's cell in a frame of ink and paper: it shows on every colour. */
static void draw_cursor(struct page *p, const struct heatmap *h, const struct grid *g)
{
	if (!h->has_cursor || h->row >= h->values.rows || h->col >= h->values.cols)
		return;
	const struct area a = cell_area(g, h, h->row, h->col);
	const double thick = fmax(1, round(2 * p->space));
	const uint32_t colours[] = {p->theme->paper, p->theme->ink};
	for (int i = 0; i < 2; i++) {
		const double off = i * thick - thick / 2;
		raster_colour(p, colours[i], 1);
		cairo_set_line_width(p->cr, thick);
		cairo_rectangle(p->cr, a.x - off, a.y - off, a.w + 2 * off, a.h + 2 * off);
		cairo_stroke(p->cr);
	}
}

static void draw_rows(struct page *p, const struct heatmap *h, const struct grid *g)
{
	const bool ticks = g->rows.n < h->values.rows;
	const double x = g->at.x - 8 * p->space;
	for (size_t i = 0; i < g->rows.n; i++) {
		const double y =
			g->at.y + ((double)g->rows.at[i] + 0.5) * g->at.h / (double)h->values.rows;
		const bool here = h->has_cursor && g->rows.at[i] == h->row;
		if (ticks)
			raster_line(p, g->at.x - 5 * p->space, y, g->at.x - 1, y, 1,
				    p->theme->axis);
		raster_text_mid(p, here ? FACE_BOLD : FACE_TEXT, p->theme->ink, 1, x, y,
				g->rows.text[i]);
	}
}

static void draw_cols(struct page *p, const struct heatmap *h, const struct grid *g)
{
	const bool ticks = g->cols.n < h->values.cols;
	for (size_t i = 0; i < g->cols.n; i++) {
		const double x =
			g->at.x + ((double)g->cols.at[i] + 0.5) * g->at.w / (double)h->values.cols;
		const bool here = h->has_cursor && g->cols.at[i] == h->col;
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
		/* The slanted line's lower corner stands a little above the cell. */
		const double lift = g->cols.most.h / 2 * cos(g->cols.angle) + 3 * p->space;
		raster_text_turned(p, face, p->theme->ink, x, g->at.y - lift, -g->cols.angle, text);
	}
}

static void draw_bar(struct page *p, const struct heatmap *h, const struct grid *g)
{
	const double x = g->at.x + g->at.w + round(20 * p->space), w = round(12 * p->space);
	const double y = g->at.y, height = g->bar_h;
	cairo_set_antialias(p->cr, CAIRO_ANTIALIAS_NONE);
	const size_t stripes = height < COLORMAP_LEVELS ? (size_t)height : COLORMAP_LEVELS;
	for (size_t i = 0; i < stripes; i++) {
		const double y0 = edge(y, height, i, stripes), y1 = edge(y, height, i + 1, stripes);
		const double at = 1 - ((double)i + 0.5) / (double)stripes;
		raster_rect(p, (struct area){x, y0, w, y1 - y0}, colormap_rgb(h->colormap, at));
	}
	cairo_set_antialias(p->cr, CAIRO_ANTIALIAS_DEFAULT);
	for (size_t i = 0; i < g->bar.n; i++) {
		const double ty = y + (1 - g->bar.at[i]) * (height - 1);
		raster_line(p, x + w, ty, x + w + 5 * p->space, ty, 1, p->theme->axis);
		raster_text_mid(p, FACE_TEXT, p->theme->second, 0, x + w + 9 * p->space, ty + 0.5,
				g->bar.text[i]);
	}
	raster_text_put(p, FACE_TEXT, p->theme->second, 0, x,
			y + height + p->line[FACE_TEXT] / 2 + 2, g->bar.mode);
}

static void draw_titles(struct page *p, const struct grid *g)
{
	const double y = g->title_y;
	raster_text_put(p, FACE_TEXT, p->theme->second, 1, g->at.x - 8 * p->space, y, g->row_title);
	raster_text_put(p, FACE_TEXT, p->theme->second, 0, g->at.x, y, g->col_title);
}

struct size raster_heatmap_least(struct page *p, const struct panel *panel, double width)
{
	(void)panel;
	(void)width;
	return (struct size){190 * p->type, 150 * p->type};
}

static const char *with_means(struct page *p, const struct heatmap *h, const struct grid *g)
{
	const char *means =
		arena_printf(p->arena, "each pixel is the mean of %.3g × %.3g cells",
			     (double)h->values.rows / g->at.h, (double)h->values.cols / g->at.w);
	return g->note[0] == '\0' ? means : arena_printf(p->arena, "%s · %s", means, g->note);
}

void raster_heatmap_draw(struct page *p, const struct panel *panel, struct area at)
{
	const struct heatmap *h = &panel->heatmap;
	if (h->values.rows == 0 || h->values.cols == 0) {
		raster_text_wrap(p, FACE_TEXT, p->theme->second, at, true, "empty");
		return;
	}
	struct grid g = {.note = make_note(p, h)};
	solve(p, h, at, &g);
	const bool averaged = g.at.w < (double)h->values.cols || g.at.h < (double)h->values.rows;
	if (averaged) {
		g.note = with_means(p, h, &g);
		solve(p, h, at, &g);
	}
	place_rest(p, h, at, &g);
	raster_plot(p, g.at);
	draw_hatch(p, g.at);
	if (averaged || (!p->vector && fmin(g.cell_w, g.cell_h) < 4))
		draw_image(p, h, &g);
	else
		draw_cells(p, h, &g);
	draw_gaps(p, h, &g);
	if (panel->stale) {
		raster_colour(p, p->theme->paper, 0.5);
		cairo_rectangle(p->cr, g.at.x, g.at.y, g.at.w, g.at.h);
		cairo_fill(p->cr);
	}
	draw_digits(p, h, &g);
	draw_cursor(p, h, &g);
	draw_rows(p, h, &g);
	draw_cols(p, h, &g);
	draw_bar(p, h, &g);
	draw_titles(p, &g);
	raster_text_wrap(p, FACE_TEXT, p->theme->second, (struct area){at.x, g.note_y, at.w, 0},
			 true, g.note);
}
