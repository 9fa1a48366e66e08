/* raster_tall.c: a figure on a page that is higher than wide: its heatmaps two in a row, so that they
 * are as large as the page lets them be, then words, then curves. */
#include <string.h>

#include "plot/raster_in.h"

enum { BESIDE = 2 };

static void place(struct figure *f, size_t panel, size_t *slot, unsigned char cols)
{
	if (*slot % BESIDE + cols > BESIDE)
		(*slot)++;
	struct panel *p = &f->panels[panel];
	p->row = (unsigned char)(*slot / BESIDE);
	p->col = (unsigned char)(*slot % BESIDE);
	p->cols = cols;
	p->rows = 1;
	*slot += cols;
}

/* The panel of this kind that comes after `last` in the figure's own order; f->n: none. */
static size_t next_panel(const struct figure *f, enum panel_kind kind, size_t last)
{
	size_t found = f->n;
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *p = &f->panels[i];
		const int at = p->row * FIGURE_PANELS + p->col;
		const int before =
			last < f->n ? f->panels[last].row * FIGURE_PANELS + f->panels[last].col
				    : -1;
		if (p->kind == kind && at > before &&
		    (found == f->n ||
		     at < f->panels[found].row * FIGURE_PANELS + f->panels[found].col))
			found = i;
	}
	return found;
}

void raster_tall(const struct figure *f, struct figure *out)
{
	static const enum panel_kind kinds[] = {PANEL_HEATMAP, PANEL_CARD, PANEL_CURVES};
	size_t slot = 0;
	*out = *f;
	for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
		for (size_t i = next_panel(f, kinds[k], f->n); i < f->n;
		     i = next_panel(f, kinds[k], i))
			place(out, i, &slot, kinds[k] == PANEL_CURVES ? BESIDE : 1);
	memset(out->col_weight, 0, sizeof out->col_weight);
	memset(out->row_weight, 0, sizeof out->row_weight);
	memset(out->col_weight, 1, BESIDE);
	const size_t rows = (slot + BESIDE - 1) / BESIDE;
	memset(out->row_weight, 4, rows);
	out->row_weight[rows - 1] = 5;
}
