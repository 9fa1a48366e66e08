/* canvas_plain.c: the names of units for terminals that have only ASCII: "the#2" for "the₂".
 *
 * Other signs keep their width and are replaced where they are written; this one grows, so that it is
 * replaced before anything is measured. */
#include "plot/canvas_in.h"
#include "posviz/text.h"

static const char *const *plain(struct arena *a, const char *const *names, size_t n)
{
	if (names == NULL)
		return NULL;
	const char **const out = arena_calloc(a, n, sizeof *out);
	for (size_t i = 0; i < n; i++)
		out[i] = names[i] != NULL ? text_occurrence_plain(a, names[i]) : NULL;
	return out;
}

struct panel canvas_plain(struct arena *a, const struct panel *p)
{
	struct panel out = *p;
	struct heatmap *const h = &out.heatmap;
	struct links *const l = &out.links;
	struct drawing *const d = &out.drawing;
	if (p->kind == PANEL_HEATMAP) {
		h->row_labels = plain(a, h->row_labels, h->values.rows);
		h->col_labels = plain(a, h->col_labels, h->values.cols);
	} else if (p->kind == PANEL_LINKS) {
		l->above = plain(a, l->above, l->n_above);
		l->below = plain(a, l->below, l->n_below);
	} else if (p->kind == PANEL_STRUCTURE) {
		d->tokens = plain(a, d->tokens, d->n_tokens);
	}
	return out;
}
