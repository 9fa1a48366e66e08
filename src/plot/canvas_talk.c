/* canvas_talk.c: the words of a figure for a presenter: about the cell under the cursor, the panel
 * and its colours; each is written whole or not at all. */
#include "plot/canvas_talk.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/plot/panel.h"

enum { SIDE_LEAST = 18 };

/* Returns "dog → cat". */
const char *talk_pair(const struct talk *t)
{
	const struct heatmap *const h = t->map;
	if (h == NULL || !h->has_cursor || h->row_labels == NULL || h->col_labels == NULL)
		return "";
	return arena_printf(t->a, "%s %s %s",
			    text_shorten(t->a, h->row_labels[h->row], 12, t->c->ascii),
			    t->c->ascii ? "->" : "→",
			    text_shorten(t->a, h->col_labels[h->col], 12, t->c->ascii));
}

/* Without a cursor, takes the first cell that is pointed out, which the text mentions. */
static void look_at_mark(struct heatmap *h)
{
	for (size_t i = 0; i < h->n_marks && !h->has_cursor; i++) {
		h->has_cursor = h->marks[i].kind == MARK_CELL;
		h->row = h->marks[i].row;
		h->col = h->marks[i].col;
	}
}

void talk_about(struct talk *t, const struct figure *f, size_t panel)
{
	struct panel *const p = arena_calloc(t->a, 1, sizeof *p);
	*p = t->c->ascii ? canvas_plain(t->a, &f->panels[panel]) : f->panels[panel];
	p->title = p->title != NULL ? p->title : "";
	t->p = p;
	t->by_distance = f->presented->by_distance[panel];
	t->map = NULL;
	if (!panel_shows_map(p))
		return;
	p->heatmap.no_bar = true; /* the bar is in the last row */
	look_at_mark(&p->heatmap);
	t->map = &p->heatmap;
}

bool talk_is_hidden(const struct heatmap *h)
{
	return h->masked != NULL && h->masked[h->row * h->values.cols + h->col];
}

const char *talk_value(const struct talk *t)
{
	const struct heatmap *const h = t->map;
	char text[32];
	if (h == NULL || !h->has_cursor)
		return "";
	const char *const hidden = heatmap_hidden(t->a, h, h->row, h->col);
	if (hidden != NULL)
		return hidden;
	const double x = mat_row(h->values, h->row)[h->col];
	const struct digits digits = canvas_digits(h, INT_MAX);
	if (heatmap_name(h, x) != NULL)
		return heatmap_name(h, x)->name;
	if (h->integers || !digits.telling)
		return arena_strdup(t->a, num_show(text, sizeof text, x, 3));
	return heatmap_number(t->a, x, digits.decimals, true);
}

/* Returns the columns of the widest value, so that nothing moves with the cursor. */
int talk_value_cols(const struct talk *t)
{
	const struct digits d = canvas_digits(t->map, INT_MAX);
	char widest[64] = "";
	for (int i = 0; i < d.cols && i < 8; i++)
		strcat(widest, i == 0 ? "−" : i == 1 ? "." : "8");
	const int cols = canvas_big_cols(t->c, widest);
	return cols > SIDE_LEAST ? cols : SIDE_LEAST;
}

/* Returns the distance of the cell, "s−t −3"; "" if keys and queries are not positions of one
 * text. */
const char *talk_apart(const struct talk *t)
{
	if (t->words->two_lists)
		return "";
	const struct heatmap *const h = t->map;
	const long apart = (long)h->col - (long)h->row - t->words->memory;
	return arena_printf(t->a, "%s %s%ld", t->c->ascii ? "s-t" : "s−t",
			    apart >= 0	  ? ""
			    : t->c->ascii ? "-"
					  : "−",
			    labs(apart));
}

const char *talk_panel(const struct talk *t)
{
	const char *const own = t->p->short_note != NULL ? t->p->short_note : t->p->note;
	const char *const note = t->part != NULL ? t->part : own;
	return note == NULL || *note == '\0' ? t->p->title
					     : arena_printf(t->a, "%s, %s", t->p->title, note);
}

const char *talk_brief(const struct talk *t)
{
	const char *const title = t->p->brief_title ? t->p->brief_title : t->p->title;
	return t->part ? arena_printf(t->a, "%s, %s", title, t->short_part) : t->p->title;
}

int talk_right(const struct talk *t)
{
	return t->r.col + t->r.cols - TALK_MARGIN;
}

/* Writes the whole text, or nothing; returns the columns used. */
int talk_put(const struct talk *t, int row, int col, int right, const char *text, unsigned attrs)
{
	if (text == NULL || col + (int)text_width(text) > right)
		return 0;
	return canvas_text(t->c, row, col, right - col, text, attrs);
}

int talk_put_right(const struct talk *t, int row, int col, const char *text, unsigned attrs)
{
	const int width = text != NULL ? (int)text_width(text) : 0;
	return talk_put(t, row, talk_right(t) - width > col ? talk_right(t) - width : talk_right(t),
			talk_right(t), text, attrs);
}

/* Gets the names of the colours, or signs, at both ends of the scale. */
static void colour_names(const struct talk *t, const char **low, const char **high)
{
	const bool two = t->map->scale.diverging;
	*low = t->map->colormap->low;
	*high = t->map->colormap->high;
	if (t->c->ascii || t->c->tier == TIER_MONO) {
		*low = t->c->ascii ? "-" : "−";
		*high = two ? "+" : t->c->ascii ? "9" : "█";
	} else if (t->c->tier < TIER_256) {
		*low = "blue";
		*high = two ? "red" : "green";
	}
}

static const char *colour_words(const struct talk *t, bool brief)
{
	const char *low, *high;
	colour_names(t, &low, &high);
	return figure_colour_words(t->map, low, high, brief, t->a);
}

/* Returns the meaning of the signs of cells that only one matrix of a difference masks. */
const char *talk_alone(const struct talk *t, bool brief)
{
	return heatmap_one_sided(t->a, t->map, canvas_masked_sign(t->c, HEATMAP_MASKED_FIRST),
				 canvas_masked_sign(t->c, HEATMAP_MASKED_SECOND), brief);
}

const char *talk_colours(const struct talk *t, bool brief)
{
	const char *const colours = colour_words(t, brief);
	const char *const alone = talk_alone(t, brief);
	return colours != NULL && alone != NULL ? arena_printf(t->a, "%s; %s", alone, colours)
	       : alone != NULL			? alone
						: colours;
}
