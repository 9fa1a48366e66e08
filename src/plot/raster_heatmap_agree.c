/* raster_heatmap_agree.c: what the matrices of a figure have in common on a page.
 *
 * Heatmaps of one shape agree on a cell and on the left and upper edge of their matrices. Parts that
 * a neighbour can show for all, such as the column labels above a column of panels or the scale of a
 * row, are drawn once. */
#include <math.h>
#include <string.h>

#include "plot/raster_heatmap.h"
#include "posviz/plot/panel.h"

bool raster_plan_wanted(const struct panel *panel)
{
	return panel_shows_map(panel) && panel->heatmap.values.rows > 0 &&
	       panel->heatmap.values.cols > 0;
}

static bool same_shape(const struct panel *a, const struct panel *b)
{
	return raster_plan_wanted(a) && raster_plan_wanted(b) && a->cols == b->cols &&
	       a->heatmap.values.rows == b->heatmap.values.rows &&
	       a->heatmap.values.cols == b->heatmap.values.cols;
}

static bool same_labels(const char *const *a, const char *const *b, size_t n)
{
	if (a == NULL || b == NULL)
		return a == b;
	for (size_t i = 0; i < n; i++)
		if (strcmp(a[i], b[i]) != 0)
			return false;
	return true;
}

static bool same_columns(const struct heatmap *a, const struct heatmap *b)
{
	return same_labels(a->col_labels, b->col_labels, a->values.cols);
}

static bool same_rows(const struct heatmap *a, const struct heatmap *b)
{
	return same_labels(a->row_labels, b->row_labels, a->values.rows);
}

/* Each of so many matrices in a row has the names of its rows; of more only the first of those with the same names. */
enum { FEW_IN_ROW = 5 };

static size_t maps_in_row(const struct figure *f, size_t row)
{
	size_t n = 0;
	for (size_t i = 0; i < f->n; i++)
		n += f->panels[i].row == row && raster_plan_wanted(&f->panels[i]);
	return n;
}

static bool same_text(const char *a, const char *b)
{
	return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0;
}

/* Tells if one colour bar and one pair of titles serve both. */
static bool same_scale(const struct heatmap *a, const struct heatmap *b)
{
	const struct scale *x = &a->scale, *y = &b->scale;
	return x->lo == y->lo && x->hi == y->hi && x->mode == y->mode &&
	       a->colormap == b->colormap && a->integers == b->integers &&
	       same_text(a->row_title, b->row_title) && same_text(a->col_title, b->col_title);
}

static bool is_behind(const struct panel *a, const struct panel *b)
{
	return a->row > b->row || (a->row == b->row && a->col > b->col);
}

/* The last matrix of a row shows the bar of panels i and k. If panels have letters, the bar names
 * those of its panels, and serves all rows. */
static void share_bar(struct page *p, const struct figure *f, size_t i, size_t k)
{
	const struct panel *const own = &f->panels[i], *const other = &f->panels[k];
	struct fit *const fit = &p->fit[i];
	if (i == k || other->heatmap.no_bar || !same_scale(&own->heatmap, &other->heatmap) ||
	    (own->row != other->row && !p->letters))
		return;
	fit->no_bar = fit->no_bar || is_behind(other, own);
	if (p->letters)
		fit->bar_of |= 1u << i | 1u << k;
}

void raster_plan_prepare(struct page *p, const struct figure *f)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *panel = &f->panels[i];
		struct fit *fit = &p->fit[i];
		*fit = (struct fit){.note = ""};
		if (!raster_plan_wanted(panel))
			continue;
		const struct heatmap *h = &panel->heatmap;
		/* It is the longest note. Which one is drawn depends on the cells, which depend on
		 * the height of the note. */
		*fit = (struct fit){.note = raster_plan_note(p, h, INSIDE_WORDS),
				    .no_bar = h->no_bar};
		for (size_t k = 0; k < f->n; k++) {
			const struct panel *other = &f->panels[k];
			if (!same_shape(panel, other))
				continue;
			/* A page as high as needed has room for the labels of every matrix. */
			if (!p->as_needed && other->col == panel->col && other->row < panel->row &&
			    same_columns(h, &other->heatmap))
				fit->no_cols = true;
			if (other->row == panel->row && other->col + 1 == panel->col &&
			    maps_in_row(f, panel->row) > FEW_IN_ROW &&
			    same_rows(h, &other->heatmap))
				fit->no_rows = true;
			share_bar(p, f, i, k);
		}
	}
}

struct size raster_plan_around(struct page *p, const struct figure *f, size_t panel, struct area at)
{
	if (!raster_plan_wanted(&f->panels[panel]))
		return (struct size){0};
	const struct fit fit = {.no_cols = p->fit[panel].no_cols, .no_bar = p->fit[panel].no_bar};
	struct grid g = {.note = p->fit[panel].note};
	raster_plan_solve(p, &f->panels[panel].heatmap, at, &fit, &g);
	return (struct size){g.left + g.right, g.top + g.below};
}

/* Makes the fit of panel i equal to that of panels of the same shape; with `in_line` also the edges
 * of their matrices. */
static void agree(struct page *p, const struct figure *f, size_t i, const struct fit *own,
		  bool in_line)
{
	struct fit *fit = &p->fit[i];
	*fit = own[i];
	if (!in_line)
		fit->left = fit->top = 0;
	for (size_t k = 0; k < f->n; k++) {
		if (!same_shape(&f->panels[i], &f->panels[k]))
			continue;
		fit->cell_w = fmin(fit->cell_w, own[k].cell_w);
		fit->cell_h = fmin(fit->cell_h, own[k].cell_h);
		if (!in_line)
			continue;
		if (p->fit[k].no_rows == fit->no_rows)
			fit->left = fmax(fit->left, own[k].left);
		if (f->panels[i].row == f->panels[k].row)
			fit->top = fmax(fit->top, own[k].top);
	}
}

/* Tells if some words for rows or columns are cut or have no room. */
static bool is_thinned(const struct heatmap *h, const struct grid *g, const struct fit *fit)
{
	const bool rows =
		h->row_labels && !fit->no_rows && (g->rows.cut || g->rows.n < h->values.rows);
	const bool cols =
		h->col_labels && !fit->no_cols && (g->cols.cut || g->cols.n < h->values.cols);
	return rows || cols;
}

void raster_plan_align(struct page *p, const struct figure *f, const struct area *at)
{
	struct fit own[FIGURE_PANELS] = {0};
	/* Round 1: each panel for itself. Round 2: with the largest cells that all can have, which
	 * changes the labels. Round 3: with aligned edges, which may make cells a little
	 * smaller. */
	for (int trip = 0; trip < 3; trip++) {
		for (size_t i = 0; i < f->n; i++) {
			if (!raster_plan_wanted(&f->panels[i]))
				continue;
			struct grid g = {.note = p->fit[i].note};
			raster_plan_solve(p, &f->panels[i].heatmap, at[i], &p->fit[i], &g);
			own[i] = p->fit[i];
			own[i].cell_w = g.cell_w;
			own[i].cell_h = g.cell_h;
			own[i].left = g.left;
			own[i].top = g.top;
			own[i].thinned = is_thinned(&f->panels[i].heatmap, &g, &p->fit[i]);
		}
		for (size_t i = 0; i < f->n; i++)
			if (raster_plan_wanted(&f->panels[i]))
				agree(p, f, i, own, trip > 0);
	}
}

double raster_plan_area_of(struct page *p, const struct figure *f, const struct area *at)
{
	const double size = p->given > 0 ? p->type : 1, matrix = 96 * size, cell = 10 * size;
	/* The area of a matrix counts for this part if some of its words are missing; a page as high
	 * as needed need not miss any. */
	const double nameless = p->as_needed ? 0.6 : 0.8;
	size_t any = 0;
	double area = 0, least = INFINITY;
	raster_plan_align(p, f, at);
	for (size_t i = 0; i < f->n; i++) {
		const struct mat m = f->panels[i].heatmap.values;
		if (!raster_plan_wanted(&f->panels[i]))
			continue;
		const double w = p->fit[i].cell_w, h = p->fit[i].cell_h;
		const double wide = w * (double)m.cols, high = h * (double)m.rows;
		if (fmax(wide, high) < matrix && fmin(w, h) < cell)
			return 0;
		any++;
		area += wide * high;
		least = fmin(least, wide * high * (p->fit[i].thinned ? nameless : 1));
	}
	/* A page as high as needed has room for all: no matrix shrinks for the sake of another. */
	return any == 0 ? 1 : p->as_needed ? (double)any * least : area;
}
