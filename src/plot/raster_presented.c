/* raster_presented.c: a page of a figure that is presented: its one panel, the value under the cursor
 * and what the colours mean in words. */
#include <string.h>

#include "plot/canvas_map.h"
#include "plot/raster_in.h"

/* "dog → cat −.61"; "" without a cursor. */
static const char *value_words(const struct heatmap *h, struct arena *a)
{
	if (!h->has_cursor || h->integers || h->row_labels == NULL || h->col_labels == NULL ||
	    (h->masked != NULL && h->masked[h->row * h->values.cols + h->col]))
		return "";
	const struct digits digits = canvas_digits(h);
	return arena_printf(
		a, "%s → %s %s.   ", h->row_labels[h->row], h->col_labels[h->col],
		heatmap_number(a, mat_row(h->values, h->row)[h->col], digits.decimals, true));
}

void raster_presented(const struct figure *f, struct arena *a, struct figure *out)
{
	const struct presented *const w = f->presented;
	const size_t shown = figure_first_map(f, 0);
	*out = (struct figure){.title = w->title,
			       .subtitle = arena_printf(a, "%s   ·   %s", w->authors, w->about),
			       .caption_right = f->caption_right,
			       .command = f->command,
			       .n = f->n > 0};
	out->panels[0] = f->panels[shown];
	struct panel *const p = &out->panels[0];
	p->row = p->col = p->priority = 0;
	p->rows = p->cols = 1;
	if (w->formula != NULL)
		p->subtitle = figure_formula(a, w->formula);
	if (p->kind != PANEL_HEATMAP || p->absent != NULL)
		return;
	const struct heatmap *const h = &p->heatmap;
	const char *const colours =
		figure_colour_words(h, h->colormap->low, h->colormap->high, false, a);
	out->caption = arena_printf(
		a, "%s%s%s%s", value_words(h, a), colours != NULL ? colours : "",
		colours != NULL ? "." : "",
		w->by_distance[shown]
			? "   Only the distance between two words counts, not where they stand."
			: "");
}
