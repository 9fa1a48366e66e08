/* canvas_least.c: the least sizes of the panels of a figure on a terminal, and of the tracks that they lie in.
 *
 * Each kind has a least size at which a panel is worth showing; panels of equal priority may be smaller
 * before one of them is dropped. */
#include <string.h>

#include "plot/canvas_arrange.h"
#include "plot/fold.h"
#include "plot/panel_in.h"

enum {
	CARD_ALONE = 3,	 /* rows of a card that has a row of the grid to itself */
	CARD_WHOLE = 30, /* columns below which a card is left out */
	MAP_BESIDE = 44, /* columns of a heatmap beside a panel of another kind ... */
	HEAD_AND_BAR =
		2, /* rows of a heatmap beside those of its values, which are half rows at least */
	FEW_MAPS = 4 /* ... unless there are more heatmaps: small ones, to be compared */
};

static int largest(int a, int b)
{
	return a > b ? a : b;
}

static int smallest(int a, int b)
{
	return a < b ? a : b;
}

bool grid_alone_in_row(const struct grid *g, size_t i)
{
	return g->at[i].cols == g->cols && g->rows > 1;
}

/* Returns whether heatmap i is one of few, and a panel of another kind is beside it. */
static bool wants_width(const struct job *j, const struct grid *g, size_t i)
{
	const struct rect p = g->at[i];
	size_t maps = 0;
	bool beside = false;
	for (size_t k = 0; k < j->f->n; k++) {
		const struct rect q = g->at[k];
		if (q.rows == 0)
			continue;
		if (panel_is_map(&j->f->panels[k]))
			maps++;
		else
			beside = beside || (q.row < p.row + p.rows && p.row < q.row + q.rows);
	}
	return beside && maps <= FEW_MAPS && !j->f->by_grid;
}

/* Returns the rows and columns that a table wants beside other panels, where its kind has `r`. */
static struct rect least_of_table(const struct job *j, const struct table *t, struct rect r)
{
	enum { SHORT = 12, HEAD_AND_FOOT = 2 };
	if (t->priority != NULL && t->enough == 0 && (int)t->rows > j->r.rows * 3 / 5) {
		/* Hidden rows and columns of a long table return before a card is enlarged. */
		r.rows = largest(r.rows, j->r.rows * 3 / 5);
		r.cols = j->tight ? r.cols : largest(r.cols, j->r.cols * 3 / 5);
	}
	if (j->tight)
		return r;
	if (t->enough > 0) {
		const size_t n = t->rows < t->enough ? t->rows : t->enough;
		r.rows = largest(r.rows, BOX_ROWS + HEAD_AND_FOOT + (int)n);
	}
	if (!j->f->names_hidden || t->priority == NULL)
		return r;
	const int named = BOX_COLS + pen_table_cols(t);
	/* Columns of a table that may scroll leave what stands beside it two fifths of the screen. */
	r.cols = largest(r.cols, t->enough > 0 ? smallest(named, j->r.cols * 3 / 5) : named);
	if (t->rows <= SHORT)
		r.rows = largest(r.rows, BOX_ROWS + HEAD_AND_FOOT + (int)t->rows);
	if (t->enough > 0) /* a small screen has the table alone */
		r = (struct rect){.rows = smallest(r.rows, j->r.rows),
				  .cols = smallest(r.cols, j->r.cols)};
	return r;
}

/* Returns the least rows and columns of panel i on the grid. */
static struct rect least(const struct job *j, const struct grid *g, size_t i)
{
	const struct panel *const p = &j->f->panels[i];
	const struct panel_type *const type = panel_type(p);
	struct rect r = {.rows = type->map && j->map_rows > 0 ? j->map_rows : type->least.rows,
			 .cols = type->least.cols};
	if (j->tight)
		r = (struct rect){.rows = j->high && type->map ? type->least.rows
							       : type->least.tight_rows,
				  .cols = type->least.tight_cols};
	else if (type->map && wants_width(j, g, i))
		r.cols = MAP_BESIDE;
	if (!j->tight) {
		r.rows = largest(r.rows, smallest(j->f->least_rows, j->r.rows));
		r.cols = largest(r.cols, smallest(j->f->least_cols, j->r.cols));
	}
	if (p->kind == PANEL_TABLE)
		r = least_of_table(j, &p->table, r);
	if (panel_shows_map(p) && p->heatmap.ruler && figure_has_table_first(j->f))
		r.rows = smallest(r.rows,
				  BOX_ROWS + HEAD_AND_BAR + ((int)p->heatmap.values.rows + 1) / 2);
	if (p->kind == PANEL_PLANE)
		r = (struct rect){.rows = largest(r.rows, p->plane.least_rows),
				  .cols = largest(r.cols, p->plane.least_cols)};
	if (p->kind == PANEL_CARD && j->whole)
		r.cols = CARD_WHOLE;
	else if (p->kind == PANEL_CARD && p->priority > 0 && grid_alone_in_row(g, i))
		r.rows = CARD_ALONE;
	if (p->kind == PANEL_BARS && p->bars.axis && !j->tight) {
		r.rows = BOX_ROWS + (int)p->bars.n + 2; /* the axis and its unit */
		r.cols = BOX_COLS + pen_bars_cols(&p->bars);
		return r;
	}
	if (p->kind == PANEL_CURVES && p->curves.together && j->f->names_hidden &&
	    j->f->least_rows == 0) {
		enum { ROWS = 5 }; /* of a plot with its axis */
		r.rows = smallest(r.rows, BOX_ROWS + ROWS);
	}
	if (p->kind == PANEL_LINKS && j->f->names_hidden && p->priority > 0 && !j->tight)
		r.cols = largest(r.cols, BOX_COLS + pen_links_cols(&p->links));
	if (p->kind == PANEL_BARS && grid_alone_in_row(g, i) &&
	    p->bars.n <= (size_t)(PANEL_BARS_ALONE * pen_bars_beside(&p->bars, PANEL_BARS_ALONE,
								     j->r.cols - BOX_COLS)))
		r.rows = BOX_ROWS + PANEL_BARS_ALONE;
	return r;
}

int layout_least(const struct job *j, const struct grid *g, bool rows, int *size)
{
	const int n = rows ? g->rows : g->cols;
	memset(size, 0, TRACKS * sizeof *size);
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < j->f->n; i++) {
			const struct rect p = g->at[i], min = least(j, g, i);
			const int from = rows ? p.row : p.col, span = rows ? p.rows : p.cols;
			int missing = rows ? min.rows : min.cols;
			if (p.rows == 0 || (span > 1) != (pass == 1))
				continue;
			for (int t = from; t < from + span; t++)
				missing -= size[t];
			for (int t = from; missing > 0; missing--, t++)
				size[from + (t - from) % span]++;
		}
	}
	int sum = 0;
	for (int t = 0; t < n; t++)
		sum += size[t];
	return sum;
}
