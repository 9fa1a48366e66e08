/* canvas_shared_rows.c: matrices side by side that have the same rows (heatmap.rows_shared). Where row labels would be
 * cut, only the first of them shows these, and whole: the others give it the columns of theirs. */
#include <string.h>

#include "plot/canvas_map.h"
#include "posviz/base/text.h"
#include "posviz/plot/panel.h"

/* The most columns of a label, and the columns by which the first panel is wider, at least. */
enum { MOST_LABEL = 24, LEAST_MORE = 4, MOST_GAP = 2 };

/* Returns whether two matrices have the same names of rows; none at all are the same. */
static bool names_alike(const struct heatmap *x, const struct heatmap *y)
{
	bool same = x->values.rows == y->values.rows && !x->row_labels == !y->row_labels;
	for (size_t i = 0; same && x->row_labels && i < x->values.rows; i++)
		same = strcmp(x->row_labels[i], y->row_labels[i]) == 0;
	return same;
}

static size_t right_of(const struct figure *f, const struct rect *place, size_t i)
{
	const struct rect at = place[i];
	const int end = at.col + at.cols; /* columns that no panel has may be between two */
	for (size_t k = 0; k < f->n; k++)
		if (place[k].rows == at.rows && place[k].row == at.row && place[k].col >= end &&
		    place[k].col <= end + MOST_GAP && panel_shows_map(&f->panels[k]) &&
		    f->panels[k].heatmap.rows_shared &&
		    names_alike(&f->panels[k].heatmap, &f->panels[i].heatmap) &&
		    f->panels[k].heatmap.values.cols == f->panels[i].heatmap.values.cols)
			return k;
	return FIGURE_PANELS;
}

/* The plan of a matrix in a panel of this height, with `inner` columns; `label`: those of its row labels, 0: it has
 * none, NOT_FIXED: as many as are best. */
enum { NOT_FIXED = -1 };

static struct heatmap_plan plan_of(const struct canvas *c, struct arena *a, const struct heatmap *h,
				   int rows, int inner, int label)
{
	struct heatmap own = *h;
	struct heatmap_plan plan;
	own.no_rows = label == 0;
	own.label_cols = label > 0 ? label : 0;
	canvas_heatmap_plan(c, a, (struct rect){0, 0, rows - BOX_ROWS, inner}, &own, &plan);
	return plan;
}

/* Returns the columns of the first matrix's labels with which they are whole and no cell is smaller than before; 0:
 * there are none. *inner gets the columns of each matrix without labels, which are at least as many as it had. */
static int label_cols(const struct canvas *c, struct arena *a, const struct heatmap *h,
		      struct rect at, int all, int n, int *inner)
{
	const struct heatmap_plan before = plan_of(c, a, h, at.rows, at.cols - BOX_COLS, NOT_FIXED);
	const int single = (int)canvas_widest(h->row_labels, h->values.rows, MOST_LABEL);
	const int least = *inner > (int)h->values.cols ? *inner : (int)h->values.cols;
	const int wish[] = {single, (int)canvas_shared_widest(h)};
	if (h->by_number || before.view.block != 1 || before.view.rows < h->values.rows ||
	    (before.label_cols >= single && before.view.cell_rows2 > 1))
		return 0;
	for (size_t i = 0; i < 2; i++) {
		*inner = (all - n * BOX_COLS - wish[i] - 1) / n;
		if (wish[i] > MOST_LABEL || *inner < least)
			continue;
		const struct heatmap_plan first =
			plan_of(c, a, h, at.rows, *inner + wish[i] + 1, wish[i]);
		const struct heatmap_plan other = plan_of(c, a, h, at.rows, *inner, 0);
		if ((first.view.cell_rows2 == 1) == (i == 1) && first.heads == other.heads &&
		    first.view.block == 1 && first.view.rows == h->values.rows &&
		    first.view.cell_cols == other.view.cell_cols &&
		    first.view.cell_rows2 == other.view.cell_rows2 &&
		    first.view.cell_cols >= before.view.cell_cols &&
		    first.view.cell_rows2 >= before.view.cell_rows2)
			return wish[i];
	}
	return 0;
}

/* Returns the number of matrices that begin in the same row of the screen as panel i. */
static size_t maps_beside(const struct figure *f, const struct rect *place, size_t i)
{
	size_t n = 0;
	for (size_t k = 0; k < f->n; k++)
		n += place[k].rows > 0 && place[k].row == place[i].row &&
		     panel_shows_map(&f->panels[k]);
	return n;
}

/* Returns the columns within a panel whose frame has room for its shortest title; 0: it has none but the whole one. */
static int title_cols(const struct panel *p)
{
	const char *const title = p->least_title ? p->least_title : p->brief_title;
	return title ? (int)text_width(title) + 2 : 0;
}

void canvas_share_rows(const struct canvas *like, struct arena *a, const struct figure *f,
		       struct rect *place)
{
	for (size_t i = 0; i < f->n; i++) {
		size_t row[FIGURE_PANELS], n = 0;
		int all = 0, inner = 0;
		if (place[i].rows <= BOX_ROWS || !panel_shows_map(&f->panels[i]) ||
		    f->panels[i].heatmap.rows_shared)
			continue;
		for (size_t k = i; k < f->n; k = right_of(f, place, k)) {
			all = place[k].col + place[k].cols - place[i].col;
			inner = k != i && title_cols(&f->panels[k]) > inner
					? title_cols(&f->panels[k])
					: inner;
			row[n++] = k;
		}
		/* A matrix with other rows has labels too, and needs the same room for them. */
		const int label = n > 1 && n == maps_beside(f, place, i)
					  ? label_cols(like, a, &f->panels[i].heatmap, place[i],
						       all, (int)n, &inner)
					  : 0;
		int col = place[i].col + all;
		for (size_t k = n; label > 0 && k-- > 1;) {
			place[row[k]].cols = inner + BOX_COLS;
			place[row[k]].col = col -= inner + BOX_COLS;
		}
		place[i].cols = label > 0 ? col - place[i].col : place[i].cols;
	}
}

void canvas_shared_labels(const struct figure *f, const struct rect *place, size_t i,
			  struct heatmap *own)
{
	for (size_t k = 0; k < f->n; k++) {
		const int more = place[k].cols - place[i].cols;
		if (k == i || place[k].rows == 0 || place[k].row != place[i].row ||
		    place[k].rows != place[i].rows || !panel_shows_map(&f->panels[k]))
			continue;
		const bool shared = f->panels[k].heatmap.rows_shared;
		own->no_rows |= own->rows_shared && !shared && more >= LEAST_MORE;
		if (!own->rows_shared && shared && -more >= LEAST_MORE)
			own->label_cols = -more - 1;
	}
}
