/* tex_cells.c: the cells of a matrix as a matrix plot of pgfplots: each has its value and its
 * position on the scale of colours, so that colours are the same as elsewhere for any scale. A
 * masked cell has neither. */
#include <math.h>

#include "posviz/plot/tex.h"
#include "posviz/base/text.h"

enum state { STATE_VALUE, STATE_NAME, STATE_ALARM, STATE_MASKED, STATES };

static enum state state_of(const struct heatmap *h, size_t row, size_t col)
{
	const double value = mat_row(h->values, row)[col];
	if ((h->masked && h->masked[row * h->values.cols + col]) || value == -INFINITY)
		return STATE_MASKED;
	if (!isfinite(value))
		return STATE_ALARM;
	return heatmap_name(h, value) ? STATE_NAME : STATE_VALUE;
}

/* Writes a line for each cell, row by row; rows and columns are counted from 1. */
static void add_data(struct tex *t, const struct heatmap *h)
{
	strbuf_add(&t->out, "key query value colour\n");
	for (size_t r = 0; r < h->values.rows; r++)
		for (size_t c = 0; c < h->values.cols; c++) {
			const enum state state = state_of(h, r, c);
			const double value = mat_row(h->values, r)[c];
			const bool shown = state == STATE_VALUE;
			strbuf_printf(&t->out, "%zu %zu %s %s\n", c + 1, r + 1,
				      state == STATE_MASKED ? "nan" : tex_number(t->a, value),
				      shown ? tex_number(t->a, scale_at(&h->scale, value, NULL))
					    : "nan");
		}
}

/* Returns the cells in one state as "1/2,1/3", key and query; NULL: there are none. */
static const char *cells_of(struct tex *t, const struct heatmap *h, enum state state)
{
	struct strbuf out;
	strbuf_init(&out, t->a);
	for (size_t r = 0; r < h->values.rows; r++)
		for (size_t c = 0; c < h->values.cols; c++)
			if (state_of(h, r, c) == state)
				strbuf_printf(&out, "%s%zu/%zu", out.len > 0 ? "," : "", c + 1,
					      r + 1);
	return out.len > 0 ? out.at : NULL;
}

/* Draws a stroke in each masked cell if cells are large enough. */
static void add_strokes(struct tex *t, const struct heatmap *h, double cell)
{
	static const double least = 4; /* points */
	const char *const cells = cells_of(t, h, STATE_MASKED);
	if (!cells || cell < least)
		return;
	strbuf_printf(&t->out,
		      "\\draw[posvizhatch] foreach \\x/\\y in {%s}\n"
		      "\t{(axis cs:\\x-0.22,\\y+0.22)--(axis cs:\\x+0.22,\\y-0.22)};\n",
		      cells);
}

static void add_filled(struct tex *t, const struct heatmap *h, enum state state, const char *colour)
{
	const char *const cells = cells_of(t, h, state);
	if (cells)
		strbuf_printf(
			&t->out,
			"\\fill[%s] foreach \\x/\\y in {%s}\n"
			"\t{(axis cs:\\x-0.5,\\y-0.5) rectangle (axis cs:\\x+0.5,\\y+0.5)};\n",
			colour, cells);
}

/* Draws lines in the colour of the paper between cells that are large enough. */
static void add_gaps(struct tex *t, const struct heatmap *h, double cell)
{
	static const double least = 9; /* points */
	const size_t rows = h->values.rows, cols = h->values.cols;
	if (cell < least)
		return;
	for (int side = 0; side < 2; side++) {
		const size_t n = side ? rows : cols;
		if (n < 2)
			continue;
		strbuf_printf(&t->out,
			      side ? "\\draw[posvizpaper] foreach \\i in {1,...,%zu}\n"
				     "\t{(axis cs:0.5,\\i+0.5)--(axis cs:%zu.5,\\i+0.5)};\n"
				   : "\\draw[posvizpaper] foreach \\i in {1,...,%zu}\n"
				     "\t{(axis cs:\\i+0.5,0.5)--(axis cs:\\i+0.5,%zu.5)};\n",
			      n - 1, side ? cols : rows);
	}
}

static void add_cursor(struct tex *t, const struct heatmap *h)
{
	if (!h->has_cursor || h->row >= h->values.rows || h->col >= h->values.cols)
		return;
	for (int i = 0; i < 2; i++)
		strbuf_printf(&t->out,
			      "\\draw[%s] (axis cs:%zu.5,%zu.5) rectangle (axis cs:%zu.5,%zu.5);\n",
			      i == 0 ? "posvizpaper, line width=2.4pt"
				     : "posvizink, line width=0.8pt",
			      h->col, h->row, h->col + 1, h->row + 1);
}

/* Paints the cells of a single row or column one by one, because a matrix plot of pgfplots needs at
 * least two of each. */
static void add_painted(struct tex *t, const struct heatmap *h)
{
	for (size_t r = 0; r < h->values.rows; r++)
		for (size_t c = 0; c < h->values.cols; c++) {
			if (state_of(h, r, c) != STATE_VALUE)
				continue;
			const uint32_t rgb = colormap_rgb(
				h->colormap, scale_at(&h->scale, mat_row(h->values, r)[c], NULL));
			strbuf_printf(&t->out,
				      "\\fill[color={rgb,255:red,%u;green,%u;blue,%u}] (axis "
				      "cs:%zu.5,%zu.5) rectangle (axis cs:%zu.5,%zu.5);\n",
				      rgb >> 16, rgb >> 8 & 255, rgb & 255, c, r, c + 1, r + 1);
		}
}

void tex_cells(struct tex *t, const struct heatmap *h, double cell)
{
	const bool thin = h->values.rows < 2 || h->values.cols < 2;
	const char *const how = thin ? "draw=none" : "matrix plot*";
	strbuf_printf(&t->out, "\\addplot[%s%s, point meta=explicit]\n", how,
		      thin ? "" : arena_printf(t->a, ", mesh/cols=%zu", h->values.cols));
	strbuf_add(&t->out, "\ttable[x=key, y=query, meta=colour] {\n");
	add_data(t, h);
	strbuf_add(&t->out, "};\n");
	if (thin)
		add_painted(t, h);
	add_filled(t, h, STATE_NAME, "posvizhair");
	add_filled(t, h, STATE_ALARM, "posvizalarm");
	add_strokes(t, h, cell);
	add_gaps(t, h, cell);
	add_cursor(t, h);
}

void tex_cells_axis(struct tex *t, const struct heatmap *h)
{
	double from, to;
	scale_part(&h->scale, &from, &to);
	strbuf_printf(&t->out,
		      "\tposviz matrix, colormap name=%s, point meta min=%g, point meta max=%g,\n"
		      "\txmin=0.5, xmax=%zu.5, ymin=0.5, ymax=%zu.5,\n",
		      tex_colormap_name(t->a, h), from, to, h->values.cols, h->values.rows);
}

/* ---- labels ------------------------------------------------------------------------------------------- */

enum { STEP_MOST = 4, LABEL_COLUMNS = 14, TICKS = 8 };

/* Returns k so that there is room for a label at every k-th cell. */
static size_t step_of(const struct tex *t, double cell)
{
	return (size_t)fmax(1, ceil(1.15 * t->letters / fmax(cell, 0.1)));
}

/* Returns numbers at round positions. */
static struct tex_side numbers_of(struct tex *t, size_t n, size_t step)
{
	double at[TICKS];
	const bool all = step == 1 && n <= TICKS;
	const size_t most = n / step < 2 ? 2 : n / step < TICKS ? n / step : TICKS;
	struct tex_side s = {.numbers = true};
	s.n = all ? n : scale_ticks_integer(1, (double)n, most, at);
	s.at = arena_calloc(t->a, s.n + 1, sizeof *s.at);
	s.text = arena_calloc(t->a, s.n + 1, sizeof *s.text);
	for (size_t i = 0; i < s.n; i++) {
		s.at[i] = all ? (double)i + 1 : at[i];
		s.text[i] = arena_printf(t->a, "%.0f", s.at[i]);
		s.width = fmax(s.width, tex_width(t, s.text[i]));
	}
	return s;
}

struct tex_side tex_side(struct tex *t, const char *const *labels, size_t n, double cell)
{
	const size_t step = step_of(t, cell);
	if (!labels || step > STEP_MOST)
		return numbers_of(t, n, step);
	const char **const all = text_labels(t->a, labels, n, 0, LABEL_COLUMNS, false);
	struct tex_side s = {.n = (n + step - 1) / step};
	s.at = arena_calloc(t->a, s.n + 1, sizeof *s.at);
	s.text = arena_calloc(t->a, s.n + 1, sizeof *s.text);
	for (size_t i = 0; i < s.n; i++) {
		s.at[i] = (double)(i * step) + 1;
		s.text[i] = all[i * step];
		s.width = fmax(s.width, tex_width(t, s.text[i]));
	}
	return s;
}
