/* canvas_fold.c: which panels of a figure a terminal shows.
 *
 * Panels are tried all together first; as long as they do not fit, the one of the highest priority
 * number goes, until those left fit. A card first becomes one line at the bottom; a structure that
 * has gone comes back in words, or drawn, where the heatmaps leave rows for it.
 *
 * Which panels are seen does not depend on the data but for that, so editing a sentence folds
 * little. */
#include <string.h>

#include "plot/canvas_arrange.h"

/* The panel that goes next: the highest priority number, of equals the last; never the focus, and
 * never the only one: NONE. */
static size_t victim(const struct job *j, size_t focus)
{
	size_t found = NONE, shown = 0;
	for (size_t i = 0; i < j->f->n; i++) {
		shown += j->on[i];
		if (i != focus && j->on[i] &&
		    (found == NONE || j->f->panels[i].priority >= j->f->panels[found].priority))
			found = i;
	}
	return shown > 1 ? found : NONE;
}

static bool all_equal(const struct job *j)
{
	int priority = -1;
	for (size_t i = 0; i < j->f->n; i++) {
		if (!j->on[i])
			continue;
		if (priority >= 0 && priority != j->f->panels[i].priority)
			return false;
		priority = j->f->panels[i].priority;
	}
	return true;
}

/* Whether panel `out` may become a line when it goes: only the most important card is worth one. */
static bool becomes_line(const struct figure *f, size_t out)
{
	const struct panel *const p = &f->panels[out];
	for (size_t i = 0; i < f->n; i++)
		if (f->panels[i].kind == PANEL_CARD && i != out &&
		    f->panels[i].priority <= p->priority)
			return false;
	return p->kind == PANEL_CARD && p->priority > 0;
}

/* Tight panels of full height may leave rows: the most important of the others come back there. */
static void unfold(struct job *j, struct lines lines, struct rect *place)
{
	struct rect wider[FIGURE_PANELS] = {0};
	j->high = true;
	if (lines.card != NONE && layout_arrange(j, lines, wider))
		memcpy(place, wider, j->f->n * sizeof *place);
	else
		lines.card = NONE;
	for (int priority = 0; priority < UINT8_MAX; priority++) {
		for (size_t i = 0; i < j->f->n; i++) {
			const struct panel *const p = &j->f->panels[i];
			if (j->on[i] || p->priority != priority || p->kind == PANEL_HEATMAP ||
			    i == lines.card)
				continue;
			memset(wider, 0, sizeof wider);
			j->on[i] = true;
			if (layout_arrange(j, lines, wider))
				memcpy(place, wider, j->f->n * sizeof *place);
			else
				j->on[i] = false;
		}
	}
	j->high = false;
}

/* Rows that none of the panels above row `end` has a use for: their heatmaps show all they can
 * without. */
static int spare_rows(const struct job *j, const struct rect *place, int end)
{
	int spare = j->r.rows;
	for (size_t i = 0; i < j->f->n; i++) {
		const struct panel *const p = &j->f->panels[i];
		const struct rect r = place[i];
		if (r.rows == 0 || r.row >= end)
			continue;
		if (p->kind != PANEL_HEATMAP || r.row + r.rows != end)
			return 0;
		const int own = r.rows - canvas_heatmap_snap(&p->heatmap, r.rows, r.cols);
		spare = own < spare ? own : spare;
	}
	return spare;
}

/* Gives panel i, below heatmaps, rows that these leave blank, so that it has `wanted` of them. */
static void lengthen(struct job *j, size_t i, int wanted, struct rect *place)
{
	struct rect *const own = &place[i];
	const int end = own->row, all = own->rows + spare_rows(j, place, end);
	const int more = (all < wanted ? all : wanted) - own->rows;
	for (size_t k = 0; more > 0 && k < j->f->n; k++)
		if (place[k].rows > 0 && place[k].row < end)
			place[k].rows -= more;
	own->row -= more > 0 ? more : 0;
	own->rows += more > 0 ? more : 0;
}

/* A structure in words gets the rows that heatmaps leave blank; where they are many it is drawn. */
static void lengthen_structure(struct job *j, size_t i, struct rect *place)
{
	enum { DRAWN = 8 };
	const struct drawing *const d = &j->f->panels[i].drawing;
	const int all = place[i].rows + spare_rows(j, place, place[i].row);
	const int drawn = BOX_ROWS + canvas_structure_rows(d, place[i].cols - BOX_COLS);
	lengthen(j, i, all >= DRAWN ? drawn : canvas_structure_brief_rows(d), place);
}

/* The rows that heatmaps use, as far as so many half rows for each of theirs. */
static int rows_used(const struct job *j, const struct rect *place, int half_rows)
{
	int used = 0;
	for (size_t i = 0; i < j->f->n; i++) {
		const struct heatmap *const h = &j->f->panels[i].heatmap;
		if (place[i].rows == 0 || j->f->panels[i].kind != PANEL_HEATMAP)
			continue;
		const int rows = h->values.rows < 1000 ? (int)h->values.rows : 1000;
		const int most = BOX_ROWS + 3 + (half_rows * rows + 1) / 2;
		const int own = canvas_heatmap_snap(h, place[i].rows, place[i].cols);
		used += own < most ? own : most;
	}
	return used;
}

/* Matrices come first: other panels go as long as that makes cells taller, cards for two rows a cell, the
 * others for one and a half. Taller ones serve the eye less than what would go. */
static bool yield_to_maps(struct job *j, struct lines *lines, size_t focus, struct rect *place)
{
	struct job fewer = *j;
	struct lines rest = *lines;
	int half_rows = 4;
	for (size_t out = victim(&fewer, focus);
	     out != NONE && j->f->panels[out].kind != PANEL_HEATMAP; out = victim(&fewer, focus)) {
		struct rect other[FIGURE_PANELS] = {0};
		fewer.on[out] = false;
		half_rows = j->f->panels[out].kind == PANEL_CARD ? half_rows : 3;
		const int used = rows_used(j, place, half_rows);
		rest.card = becomes_line(j->f, out) ? out : rest.card;
		const struct lines ways[] = {rest, {NONE, NONE}};
		for (size_t i = 0; i < 2; i++) {
			memset(other, 0, sizeof other);
			if (!layout_arrange(&fewer, ways[i], other) ||
			    rows_used(&fewer, other, half_rows) <= used)
				continue;
			memcpy(j->on, fewer.on, sizeof j->on);
			memcpy(place, other, j->f->n * sizeof *place);
			*lines = ways[i];
			j->a = fewer.a; /* with what was made on the way */
			return true;
		}
	}
	j->a = fewer.a;
	return false;
}

/* The most important structure that has gone, in words where there are rows for them. */
static void add_structure(struct job *j, struct lines lines, struct rect *place)
{
	struct rect other[FIGURE_PANELS] = {0};
	for (size_t i = 0; i < j->f->n; i++)
		if (j->f->panels[i].kind == PANEL_STRUCTURE &&
		    (lines.structure == NONE ||
		     j->f->panels[i].priority < j->f->panels[lines.structure].priority))
			lines.structure = i;
	if (lines.structure == NONE || j->on[lines.structure] || !layout_arrange(j, lines, other))
		return;
	memcpy(place, other, j->f->n * sizeof *place);
	lengthen_structure(j, lines.structure, place);
}

/* Rows of a card without its box where nobody else has a use for them: title, formula, a sentence. */
enum { CARD_ROWS = 4 };

static void fold_until_fits(struct job *j, size_t focus, struct rect *place)
{
	static const struct lines none = {NONE, NONE};
	struct lines lines = none;
	for (size_t out = 0;; j->on[out] = false) {
		/* A line goes where it is all that is missing. */
		if (layout_arrange(j, lines, place)) {
			while (yield_to_maps(j, &lines, focus, place))
				continue;
			add_structure(j, lines, place);
			if (lines.card != NONE && lines.structure == NONE)
				lengthen(j, lines.card, CARD_ROWS, place);
			return;
		}
		if (lines.card != NONE && layout_arrange(j, none, place))
			return;
		j->tight = all_equal(j);
		if (j->tight && layout_arrange(j, none, place)) {
			unfold(j, lines, place);
			return;
		}
		j->tight = false;
		out = victim(j, focus);
		if (out == NONE)
			break;
		lines.card = becomes_line(j->f, out) ? out : lines.card;
	}
	for (size_t i = 0; i < j->f->n; i++)
		if (j->on[i])
			place[i] = j->r;
}

void canvas_layout(const struct figure *f, struct rect r, size_t focus, bool zoom,
		   struct rect *place)
{
	static const struct canvas colours = {.tier = TIER_DIRECT};
	canvas_layout_on(&colours, f, r, focus, zoom, place);
}

void canvas_layout_on(const struct canvas *like, const struct figure *f, struct rect r,
		      size_t focus, bool zoom, struct rect *place)
{
	for (size_t i = 0; i < f->n; i++)
		place[i] = (struct rect){r.row, r.col, 0, 0};
	if (f->n == 0 || r.rows < 1 || r.cols < 1)
		return;
	if (zoom || f->n == 1) {
		place[focus < f->n ? focus : 0] = r;
		return;
	}
	if (canvas_equation_layout(like, f, r, focus, place))
		return;
	struct job j = {.f = f, .r = r};
	for (size_t i = 0; i < f->n; i++)
		j.on[i] = true;
	arena_init(&j.a);
	fold_until_fits(&j, focus, place);
	arena_release(&j.a);
}
