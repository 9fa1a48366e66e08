/* canvas_card.c: a card reduced to one line, or to a few lines without a box. */
#include <ctype.h>

#include "plot/canvas_in.h"
#include "posviz/base/text.h"

/* Writes `text` after " · " if all of it fits; false if not. */
static bool add_item(struct canvas *c, int row, int *col, int right, bool first, const char *text,
		     unsigned attrs)
{
	const int width = (int)text_width(text) + (first ? 2 : 3);
	if (*col + width > right)
		return false;
	if (!first)
		canvas_text(c, row, *col + 1, 1, "·", ATTR_DIM);
	*col += first ? 2 : 3;
	*col += canvas_text(c, row, *col, right - *col, text, attrs);
	return true;
}

static const char *with_key(struct arena *a, const struct card_line *line)
{
	return line->key != NULL ? arena_printf(a, "%s %s", line->key, line->value) : line->value;
}

/* Returns the value alone if it contains a word, which explains itself; a number, "no" and "n/a"
 * need their key. */
static const char *named(struct arena *a, const struct card_line *line)
{
	enum { WORD = 4 };
	size_t letters = 0;
	for (const char *at = line->value; *at != '\0' && letters < WORD; at++)
		letters = isalpha((unsigned char)*at) ? letters + 1 : 0;
	return letters < WORD ? with_key(a, line) : line->value;
}

/* Writes the title, brief if the sentence needs its room, and the sentence; false: they do not fit. */
static bool draw_said(struct canvas *c, struct arena *a, struct rect r, const struct panel *p,
		      unsigned attrs)
{
	const char *const titles[] = {p->title, p->brief_title};
	const char *const said =
		p->card.said && c->ascii ? canvas_plain_text(a, p->card.said) : p->card.said;
	for (size_t i = 0; i < 2 && said != NULL; i++) {
		if (titles[i] == NULL ||
		    (int)(text_width(titles[i]) + 2 + text_width(said)) > r.cols)
			continue;
		const int used = canvas_text(c, r.row, r.col, r.cols, titles[i], attrs) + 2;
		canvas_text(c, r.row, r.col + used, r.cols - used, said, ATTR_DIM);
		return true;
	}
	return false;
}

/* Writes the title and as many of its lines as fit, each whole. */
static void draw_items(struct canvas *c, struct arena *a, struct rect r, const struct panel *p,
		       const struct card *card, unsigned attrs)
{
	const int end = r.col + r.cols;
	const char *const title = p->title != NULL ? p->title : "";
	const struct card_line *const lead = p->card.leads ? p->card.lines : NULL;
	const int lead_cols = lead ? (int)text_width(named(a, lead)) + 4 : 0;
	const int title_cols = r.cols > 2 * lead_cols ? r.cols - lead_cols : r.cols;
	int col = r.col + canvas_text_short(c, a, r.row, r.col, title_cols, title, attrs);
	bool first = true, all = true;
	size_t shown = 0;
	if (lead) {
		all = add_item(c, r.row, &col, end, first, named(a, lead), ATTR_DIM);
		first = !all;
	}
	if (all && p->note != NULL && *p->note != '\0') {
		all = add_item(c, r.row, &col, end, first, p->note, ATTR_DIM);
		first = first && !all;
	}
	for (size_t i = 0; all && i < card->n; i++) {
		if (card->lines[i].value == NULL || (lead && card->lines[i].value == lead->value))
			continue;
		const bool marked = card_is_marked(card, i);
		all = add_item(c, r.row, &col, end, first,
			       marked ? with_key(a, &card->lines[i]) : named(a, &card->lines[i]),
			       marked ? ATTR_BOLD | ATTR_ACCENT : ATTR_DIM);
		first = first && !all;
		shown = all ? i + 1 : shown;
	}
	/* So many lines are left out, if their number has room. */
	const char *const more = arena_printf(a, "%zu more", card->n - shown);
	if (!all && shown > 0)
		add_item(c, r.row, &col, end, first, more, ATTR_DIM);
}

void canvas_card_line(struct canvas *c, struct arena *a, struct rect r, const struct panel *p,
		      bool focus)
{
	const struct card led = card_marked_first(a, &p->card), *const card = &led;
	if (r.rows < 1 || r.cols < 1)
		return;
	unsigned attrs = focus ? ATTR_BOLD | ATTR_ACCENT : ATTR_BOLD;
	if (focus && c->tier == TIER_MONO)
		attrs |= ATTR_REVERSE;
	if ((card->n > 0 && card_is_marked(card, 0)) || !draw_said(c, a, r, p, attrs))
		draw_items(c, a, r, p, card, attrs);
	if (r.rows < 2 || card->formula == NULL)
		return;
	canvas_text_short(c, a, r.row + 1, r.col, r.cols, canvas_formula(c, a, card->formula),
			  ATTR_BOLD);
	if (r.rows > 2 && card->about != NULL)
		canvas_paragraph(c, a, (struct rect){r.row + 2, r.col, r.rows - 2, r.cols},
				 card->about, ATTR_DIM);
}
