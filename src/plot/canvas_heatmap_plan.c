/* canvas_heatmap_plan.c: which values of a matrix a panel shows, and how large.
 *
 * A value takes h half rows and w columns, the same for all. When h is odd, neighbours share screen
 * rows as half blocks; from 3 on each still owns a whole row, where its label and its signs stand.
 *
 * Too little room. When not even one half row and one column per value are left, square blocks of
 * k×k values are shown by their mean (masked values do not count in it, a block of nothing else is
 * masked; a NaN makes its block NaN), and the note says "mean of k×k". But when there is a cursor
 * and the matrix is at most three times too large, the values themselves are shown in a window
 * around the cursor, and the note says which ("rows 5–20 of 64"). */
#include <stdio.h>
#include <string.h>

#include "plot/canvas_in.h"
#include "posviz/text.h"

enum { MOST_HALF_ROWS = 12, TOO_LARGE = 3, LEAST_LABEL = 4 };

static size_t imin(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t canvas_widest(const char *const *labels, size_t n)
{
	size_t width = 0;
	char number[24];
	snprintf(number, sizeof number, "%zu", n);
	if (labels == NULL)
		return strlen(number);
	for (size_t i = 0; i < n; i++) {
		const size_t w = text_width(labels[i]);
		width = w > width ? w : width;
	}
	return width;
}

/* The first of `shown` places out of n, with `at` near the middle. */
static size_t window(size_t at, size_t shown, size_t n)
{
	const size_t half = shown / 2;
	if (at < half)
		return 0;
	return imin(at - half, n - shown);
}

/* Half rows of a cell `width` columns wide at most: about square, never taller than wide. */
static int tallest(int width)
{
	const int least = width > 2 ? width : 2;
	return least < MOST_HALF_ROWS ? least : MOST_HALF_ROWS;
}

/* From two rows on, evenly spaced labels are worth half a row. */
static int even(int half)
{
	return half > 3 ? half - half % 2 : half;
}

/* Chooses the part and the cells' size for `rows` screen rows of `cols` columns. */
static void fit(const struct canvas *c, const struct heatmap *h, int rows, int cols,
		struct heatmap_view *v)
{
	const bool glyphs = canvas_glyphs(c);
	const size_t step = glyphs ? 2 : 1, wide = glyphs && cols > 1 ? 2 : 1;
	const size_t high = (size_t)rows * 2 / step, broad = (size_t)cols / wide;
	const size_t nr = h->values.rows, nc = h->values.cols;
	*v = (struct heatmap_view){.rows = nr, .cols = nc, .block = 1};
	if (nr > high || nc > broad) {
		if (h->has_cursor && nr <= TOO_LARGE * high && nc <= TOO_LARGE * broad) {
			v->rows = imin(nr, high);
			v->cols = imin(nc, broad);
			v->first_row = window(h->row, v->rows, nr);
			v->first_col = window(h->col, v->cols, nc);
		} else {
			v->averaged = true;
			while ((nr + v->block - 1) / v->block > high ||
			       (nc + v->block - 1) / v->block > broad)
				v->block++;
		}
	}
	const size_t shown_rows = (v->rows + v->block - 1) / v->block;
	const size_t shown_cols = (v->cols + v->block - 1) / v->block;
	size_t width = (size_t)cols / shown_cols;
	const size_t most_half = (size_t)tallest((int)imin(width, MOST_HALF_ROWS));
	size_t half = (size_t)even((int)imin((size_t)rows * 2 / shown_rows, most_half));
	if (glyphs)
		half = half > 2 ? half - half % 2 : 2;
	/* Wider than square as long as that serves the labels. */
	const size_t label = canvas_widest(h->col_labels, nc) + 2;
	const size_t most = 2 * half > 4 ? 2 * half : 4;
	width = imin(width, imin(label > most ? label : most, 3 * half > 4 ? 3 * half : 4));
	v->cell_rows2 = (int)half;
	v->cell_cols = (int)width;
}

static int shown(size_t n, size_t block)
{
	return (int)((n + block - 1) / block);
}

static const char *note(const struct canvas *c, struct arena *a, const struct heatmap *h,
			const struct heatmap_view *v)
{
	const char *const times = c->ascii ? "x" : "×", *const to = c->ascii ? "-" : "–";
	if (v->averaged)
		return arena_printf(a, "mean of %zu%s%zu", v->block, times, v->block);
	const bool part_rows = v->rows < h->values.rows, part_cols = v->cols < h->values.cols;
	const char *const rows = arena_printf(a, "rows %zu%s%zu of %zu", v->first_row + 1, to,
					      v->first_row + v->rows, h->values.rows);
	const char *const cols = arena_printf(a, "columns %zu%s%zu of %zu", v->first_col + 1, to,
					      v->first_col + v->cols, h->values.cols);
	if (!part_rows)
		return part_cols ? cols : NULL;
	if (!part_cols)
		return rows;
	if (v->first_row == v->first_col && v->rows == v->cols && h->values.rows == h->values.cols)
		return rows; /* and the columns with the same numbers */
	return arena_printf(a, "%zu%s%zu %s %zu%s%zu of %zu", v->first_row + 1, to,
			    v->first_row + v->rows, times, v->first_col + 1, to,
			    v->first_col + v->cols, h->values.cols);
}

/* 0: not all values are seen, 1: in narrow cells, 2: all of them well. */
static int quality(const struct heatmap *h, const struct heatmap_view *v)
{
	if (v->averaged || v->rows < h->values.rows || v->cols < h->values.cols)
		return 0;
	return v->cell_cols < 2 ? 1 : 2;
}

void canvas_heatmap_plan(const struct canvas *c, struct arena *a, struct rect inner,
			 const struct heatmap *h, struct heatmap_plan *plan)
{
	*plan = (struct heatmap_plan){.data = {inner.row, inner.col, 0, 0}};
	if (inner.rows < 1 || inner.cols < 1 || h->values.rows == 0 || h->values.cols == 0)
		return;
	plan->heads = inner.rows >= 3;
	plan->bar = inner.rows >= 4;
	const int rows = inner.rows - plan->heads - plan->bar;
	int label = (int)canvas_widest(h->row_labels, h->values.rows);
	label = label < inner.cols / 3 ? label : inner.cols / 3;
	if (inner.cols < 8)
		label = 0;
	fit(c, h, rows, inner.cols - (label > 0 ? label + 1 : 0), &plan->view);
	/* Shorter labels when that is what lets all values be seen, or in more than one column. */
	for (int less = label - 1; less >= LEAST_LABEL; less--) {
		struct heatmap_view view;
		fit(c, h, rows, inner.cols - less - 1, &view);
		if (quality(h, &view) <= quality(h, &plan->view))
			continue;
		plan->view = view;
		label = less;
	}
	const struct heatmap_view *const v = &plan->view;
	const int left = label > 0 ? label + 1 : 0;
	const int width = shown(v->cols, v->block) * v->cell_cols;
	plan->label_cols = label;
	plan->note = note(c, a, h, v);
	plan->data = (struct rect){inner.row + plan->heads,
				   inner.col + left + (inner.cols - left - width) / 2,
				   (shown(v->rows, v->block) * v->cell_rows2 + 1) / 2, width};
}

int canvas_heatmap_snap(const struct heatmap *h, int rows, int cols)
{
	const int frame = BOX_ROWS + 2, inner = cols - BOX_COLS;
	if (h->values.rows == 0 || h->values.cols == 0 || inner < 1)
		return rows;
	const int n = (int)imin(h->values.rows, 10000);
	const int label =
		(int)imin(canvas_widest(h->row_labels, h->values.rows), (size_t)inner / 3);
	const int width = (inner - label - 1) / (int)imin(h->values.cols, 10000);
	if (rows < frame + n || width < 1)
		return rows;
	const int most = tallest(width), half = (rows - frame) * 2 / n;
	return frame + (even(half < most ? half : most) * n + 1) / 2;
}

bool canvas_hit(struct rect hit, const struct heatmap_view *view, int row, int col,
		size_t *matrix_row, size_t *matrix_col)
{
	if (row < hit.row || row >= hit.row + hit.rows || col < hit.col ||
	    col >= hit.col + hit.cols || view->cell_rows2 < 1 || view->cell_cols < 1)
		return false;
	const size_t i = (size_t)((row - hit.row) * 2 / view->cell_rows2);
	const size_t j = (size_t)((col - hit.col) / view->cell_cols);
	const size_t r = i * view->block, s = j * view->block;
	if (r >= view->rows || s >= view->cols)
		return false;
	*matrix_row = view->first_row + r;
	*matrix_col = view->first_col + s;
	return true;
}
