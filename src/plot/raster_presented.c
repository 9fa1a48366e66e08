/* raster_presented.c: a page with a presented figure: its one panel, the value under the cursor,
 * and the meaning of the colours in words. */
#include <limits.h>
#include <string.h>

#include "plot/canvas_map.h"
#include "plot/raster_in.h"
#include "posviz/plot/panel.h"

/* Returns the value as it is in the cell: "−0.61". */
static const char *value_words(const struct heatmap *h, struct arena *a)
{
	const char *const hidden = heatmap_hidden(a, h, h->row, h->col);
	if (hidden != NULL)
		return hidden;
	return heatmap_number(a, mat_row(h->values, h->row)[h->col],
			      canvas_digits(h, INT_MAX).decimals, false);
}

/* Returns "dog → cat". */
static const char *pair_words(const struct heatmap *h, struct arena *a)
{
	return arena_printf(a, "%s → %s", h->row_labels[h->row], h->col_labels[h->col]);
}

static bool has_value(const struct heatmap *h)
{
	return h->has_cursor && !h->integers && h->row_labels != NULL && h->col_labels != NULL;
}

/* Adds a card beside the matrix, or below it on a page that is not wide. */
static void add_card(const struct presented *w, const struct panel *map, bool wide, struct arena *a,
		     struct figure *out)
{
	struct panel *const p = &out->panels[out->n++];
	struct card_line *const line = arena_calloc(a, 1, sizeof *line);
	*p = (struct panel){.kind = PANEL_CARD,
			    .title = "What it does",
			    .row = !wide,
			    .col = wide,
			    .rows = 1,
			    .cols = 1,
			    .priority = 1};
	p->card = (struct card){.formula = w->formula, .about = w->about, .lines = line};
	if (!has_value(&map->heatmap))
		return;
	*line = (struct card_line){pair_words(&map->heatmap, a), value_words(&map->heatmap, a),
				   map->title};
	p->card.n = 1;
}

void raster_presented(const struct figure *f, bool wide, struct arena *a, struct figure *out)
{
	const struct presented *const w = f->presented;
	const size_t shown = figure_first_map(f, 0);
	*out = (struct figure){.title = w->title,
			       .subtitle = w->authors,
			       .caption_right = f->caption_right,
			       .command = f->command,
			       .n = f->n > 0};
	out->panels[0] = f->panels[shown];
	struct panel *const p = &out->panels[0];
	p->row = p->col = p->priority = 0;
	p->rows = p->cols = 1;
	memcpy(wide ? out->col_weight : out->row_weight, (unsigned char[]){5, wide ? 3 : 1}, 2);
	if (!panel_shows_map(p))
		return;
	const struct heatmap *const h = &p->heatmap;
	const char *const colours =
		figure_colour_words(h, h->colormap->low, h->colormap->high, false, a);
	out->caption = arena_printf(
		a, "%s%s%s", colours != NULL ? colours : "", colours != NULL ? ".   " : "",
		w->by_distance[shown]
			? "Only the distance between two words counts, not where they stand."
			: "");
	add_card(w, p, wide, a, out);
}
