/* canvas_fold.c: the choice of the panels that a terminal shows.
 *
 * All panels are tried together first; until they fit, the one with the highest priority number is
 * dropped. A dropped card first becomes one line at the bottom; a dropped structure is shown in
 * words, or drawn, if the heatmaps leave rows for it.
 *
 * Then matrices are preferred. Their drawing, in the colours and signs of the terminal, is planned
 * for each choice; panels are dropped while this makes cells larger, up to the sizes below, and
 * dropped panels return if they take nothing from the matrices. Thus the choice depends on the size
 * of the input and its labels, not on values. */
#include <string.h>

#include "plot/canvas_arrange.h"
#include "plot/canvas_equation.h"
#include "plot/canvas_map.h"
#include "plot/canvas_pen.h"
#include "plot/drawing.h"
#include "posviz/plot/panel.h"

/* Sizes of a cell in half rows up to which cards are dropped, the same for a narrow or single
 * matrix, and up to which other panels are dropped. */
enum { FOR_CARDS = 4, FOR_CARDS_HIGH = 6, FOR_OTHERS = 2 };

/* Returns the panel to be dropped next: the one with the highest priority number, among equals the
 * last; never the focus. NONE if only one panel is left. */
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

/* Returns whether panel `out` becomes a line when it is dropped: only the most important card
 * does. */
static bool becomes_line(const struct job *j, size_t out)
{
	const struct figure *const f = j->f;
	const struct panel *const p = &f->panels[out];
	for (size_t i = 0; i < f->n; i++)
		if (f->panels[i].kind == PANEL_CARD && i != out &&
		    f->panels[i].priority <= p->priority)
			return false;
	return p->kind == PANEL_CARD && p->priority > 0 && !j->whole;
}

/* Returns the row below all heatmaps; 0 if there are none. */
static int maps_end(const struct job *j, const struct rect *place)
{
	int end = 0;
	for (size_t i = 0; i < j->f->n; i++)
		if (panel_is_map(&j->f->panels[i]) && place[i].rows > 0 &&
		    place[i].row + place[i].rows > end)
			end = place[i].row + place[i].rows;
	return end;
}

/* Returns how many of its rows a panel of a matrix or of bars uses. */
static int used_rows(struct job *j, const struct panel *p, struct rect r)
{
	const struct panel_room room = {
		.like = j->like, .a = &j->a, .cols = r.cols, .screen = j->r.rows};
	if (p->kind == PANEL_BARS)
		return panel_type(p)->rows(p, &room, true);
	return canvas_heatmap_rows(j->like, &j->a, &p->heatmap, r.rows, r.cols);
}

/* Returns the rows that the heatmaps and bars ending at row `end` can give up without showing less; 0 if any
 * other panel is above `end`. */
static int spare_rows(struct job *j, const struct rect *place, int end)
{
	int spare = end > 0 ? j->r.rows : 0;
	for (size_t i = 0; i < j->f->n; i++) {
		const struct panel *const p = &j->f->panels[i];
		const struct rect r = place[i];
		if (r.rows == 0 || r.row >= end)
			continue;
		if ((!panel_is_map(p) && p->kind != PANEL_BARS) || r.row + r.rows != end)
			return 0;
		const int own = r.rows - used_rows(j, p, r);
		spare = own < spare ? own : spare;
	}
	return spare;
}

/* Gives panel i, which is below heatmaps, rows that these leave blank, until it has `wanted`
 * rows. */
static void lengthen(struct job *j, size_t i, int wanted, struct rect *place)
{
	struct rect *const own = &place[i];
	const int end = maps_end(j, place), all = own->rows + spare_rows(j, place, end);
	const int more = (all < wanted ? all : wanted) - own->rows, row = own->row;
	if (more <= 0)
		return;
	for (size_t k = 0; k < j->f->n; k++) {
		if (place[k].rows > 0 && place[k].row <= row)
			*(place[k].row < end ? &place[k].rows : &place[k].row) -= more;
	}
	own->rows += more;
}

/* Gives a structure in words the rows that heatmaps leave blank; if there are enough, the structure
 * is drawn. */
static void lengthen_structure(struct job *j, size_t i, struct rect *place)
{
	enum { DRAWN = 8 };
	const struct drawing *const d = &j->f->panels[i].drawing;
	const int all = place[i].rows + spare_rows(j, place, maps_end(j, place));
	const int drawn = BOX_ROWS + drawing_rows(d, place[i].cols - BOX_COLS);
	lengthen(j, i, all >= DRAWN ? drawn : canvas_structure_brief_rows(d), place);
}

static int cells_area(struct job *j, const struct heatmap *h, struct rect r, int half_rows)
{
	struct heatmap_plan plan;
	const struct rect inner = {.rows = r.rows - BOX_ROWS, .cols = r.cols - BOX_COLS};
	canvas_heatmap_plan(j->like, &j->a, inner, h, &plan);
	const struct heatmap_view *const v = &plan.view;
	if (v->block == 0)
		return 0;
	const int rows = (half_rows * (int)canvas_shown(v->rows, v->block) + 1) / 2;
	const int cols = half_rows * (int)canvas_shown(v->cols, v->block);
	return (plan.heads + (plan.data.rows < rows ? plan.data.rows : rows)) *
	       (plan.data.cols < cols ? plan.data.cols : cols);
}

int layout_maps_area(struct job *j, const struct rect *place, int half_rows)
{
	int area = 0;
	size_t maps = 0;
	for (size_t i = 0; i < j->f->n; i++)
		maps += place[i].rows > 0 && panel_is_map(&j->f->panels[i]);
	for (size_t i = 0; i < j->f->n; i++) {
		const struct heatmap *const h = &j->f->panels[i].heatmap;
		if (place[i].rows == 0 || !panel_is_map(&j->f->panels[i]))
			continue;
		/* A narrow matrix and a single one gain most from height. */
		const bool high = half_rows == FOR_CARDS &&
				  (maps == 1 || 2 * h->values.cols <= h->values.rows);
		area += cells_area(j, h, place[i], high ? FOR_CARDS_HIGH : half_rows);
	}
	return area;
}

/* Returns the size of cells, in half rows, for which panel `p` may be dropped: larger cells would
 * be worth less than the panel. */
static int worth(const struct panel *p)
{
	return p->kind == PANEL_CARD ? FOR_CARDS : FOR_OTHERS;
}

/* Restores dropped panels, the most important first, if the panels that are on leave room and,
 * unless `tight`, the heatmaps lose nothing; a card returns as a line (below). */
static void come_back(struct job *j, struct lines lines, bool tight, struct rect *place)
{
	for (int priority = 0; priority < UINT8_MAX; priority++)
		for (size_t i = 0; i < j->f->n; i++) {
			const struct panel *const p = &j->f->panels[i];
			struct rect wider[FIGURE_PANELS] = {0};
			if (j->on[i] || p->priority != priority || panel_is_map(p) ||
			    (p->kind == PANEL_CARD && (!tight || i == lines.card)))
				continue;
			j->on[i] = true;
			j->on[i] = layout_arrange(j, lines, wider) &&
				   (tight || layout_maps_area(j, wider, worth(p)) >=
						     layout_maps_area(j, place, worth(p)));
			if (j->on[i])
				memcpy(place, wider, j->f->n * sizeof *place);
		}
}

/* Rows of a card without its box, if other panels do not need them: title, formula, the first of
 * its values. */
enum { CARD_ROWS = 6 };

/* Gives tight panels their full height, then uses the rows that are left. */
static void unfold(struct job *j, struct lines lines, struct rect *place)
{
	struct rect wider[FIGURE_PANELS] = {0};
	j->high = true;
	if (lines.card != NONE && layout_arrange(j, lines, wider))
		memcpy(place, wider, j->f->n * sizeof *place);
	else
		lines.card = NONE;
	come_back(j, lines, true, place);
	j->high = false;
	if (lines.card != NONE)
		lengthen(j, lines.card, CARD_ROWS, place);
}

/* Drops panels in favour of matrices: cards if this makes cells larger, up to two rows each, or
 * makes room for words above them; other panels if cells gain more than an eighth, up to one row.
 * Returns whether any were dropped. */
static bool yield_to_maps(struct job *j, struct lines *lines, size_t focus, struct rect *place)
{
	struct job fewer = *j;
	struct lines rest = *lines;
	int half_rows = FOR_CARDS;
	for (size_t out = victim(&fewer, focus); out != NONE && !panel_is_map(&j->f->panels[out]);
	     out = victim(&fewer, focus)) {
		struct rect other[FIGURE_PANELS] = {0};
		const int own = worth(&j->f->panels[out]);
		fewer.on[out] = false;
		half_rows = own < half_rows ? own : half_rows;
		const int area = layout_maps_area(&fewer, place, half_rows);
		rest.card = becomes_line(j, out) ? out : rest.card;
		const struct lines ways[] = {rest, {NONE, NONE}};
		for (size_t i = 0; i < 2; i++) {
			memset(other, 0, sizeof other);
			if (!layout_arrange(&fewer, ways[i], other) ||
			    8 * layout_maps_area(&fewer, other, half_rows) <=
				    (half_rows == FOR_CARDS ? 8 : 9) * area)
				continue;
			memcpy(j->on, fewer.on, sizeof j->on);
			memcpy(place, other, j->f->n * sizeof *place);
			*lines = ways[i];
			j->a = fewer.a; /* with the memory allocated since */
			return true;
		}
	}
	j->a = fewer.a;
	return false;
}

/* Returns the most important dropped panel of a kind; NONE if all are shown. */
static size_t most_important(const struct job *j, enum panel_kind kind)
{
	size_t found = NONE;
	for (size_t i = 0; i < j->f->n; i++)
		if (j->f->panels[i].kind == kind && !j->on[i] &&
		    (found == NONE || j->f->panels[i].priority < j->f->panels[found].priority))
			found = i;
	return found;
}

static bool has_card(const struct job *j)
{
	for (size_t i = 0; i < j->f->n; i++)
		if (j->on[i] && j->f->panels[i].kind == PANEL_CARD)
			return true;
	return false;
}

/* Adds the most important card as a line if all cards were dropped and the heatmaps lose
 * nothing. */
static void add_card(struct job *j, struct lines *lines, struct rect *place)
{
	struct rect other[FIGURE_PANELS] = {0};
	const struct lines more = {most_important(j, PANEL_CARD), lines->structure};
	if (lines->card != NONE || more.card == NONE || has_card(j) || j->whole ||
	    !layout_arrange(j, more, other) ||
	    layout_maps_area(j, other, FOR_CARDS) < layout_maps_area(j, place, FOR_CARDS))
		return;
	memcpy(place, other, j->f->n * sizeof *place);
	*lines = more;
}

/* Adds the most important dropped structure in words if there are rows for it. */
static void add_structure(struct job *j, struct lines *lines, struct rect *place)
{
	struct rect other[FIGURE_PANELS] = {0};
	const struct lines more = {lines->card, most_important(j, PANEL_STRUCTURE)};
	if (more.structure == NONE || j->whole || !layout_arrange(j, more, other))
		return;
	memcpy(place, other, j->f->n * sizeof *place);
	*lines = more;
	lengthen_structure(j, more.structure, place);
}

void layout_fold(struct job *j, size_t focus, struct rect *place)
{
	static const struct lines none = {NONE, NONE};
	struct lines lines = none;
	for (size_t out = 0;; j->on[out] = false) {
		/* The line of the card is dropped if everything else fits without it. */
		if (layout_arrange(j, lines, place)) {
			while (!j->f->by_grid && yield_to_maps(j, &lines, focus, place))
				continue;
			come_back(j, lines, j->f->by_grid, place);
			add_card(j, &lines, place);
			add_structure(j, &lines, place);
			if (lines.card != NONE)
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
		lines.card = becomes_line(j, out) ? out : lines.card;
	}
	for (size_t i = 0; i < j->f->n; i++)
		if (j->on[i])
			place[i] = j->r;
}

/* Returns the least rows of the heatmaps of a figure: fewer than usual for two or three of them that
 * can use no more side by side, since their cells are square; 0: the usual ones. */
static int least_rows(struct job *j)
{
	enum { FEW = 3 };
	int maps = 0, most = 0;
	for (size_t i = 0; i < j->f->n; i++)
		maps += panel_is_map(&j->f->panels[i]);
	for (size_t i = 0; i < j->f->n && maps > 1 && maps <= FEW; i++) {
		const struct panel *const p = &j->f->panels[i];
		if (!panel_is_map(p))
			continue;
		const int usual = panel_type(p)->least.rows;
		const int used = canvas_heatmap_rows(j->like, &j->a, &p->heatmap, j->r.rows,
						     j->r.cols / maps);
		most = most > used ? most : used;
		most = most < usual ? most : usual;
	}
	return most;
}

/* Returns the rows of a first panel that has only a sentence, over the full width of `r`; 0: it has
 * a picture, or would leave too few rows for the others. */
static int sentence_rows(const struct figure *f, struct rect r)
{
	enum { OTHERS_LEAST = 12 };
	const struct panel *const p = &f->panels[0];
	struct canvas like = {0};
	struct arena a;
	if (f->n < 2 || !p->lead || p->absent == NULL || r.cols <= BOX_COLS)
		return 0;
	arena_init(&a);
	const struct pen pen = pen_cells(&like, &a, (struct rect){.cols = r.cols - BOX_COLS});
	const struct text_run run = {.text = p->absent};
	const int rows = (int)pen_wrap(&pen, pen.at, &run, 1, false) + BOX_ROWS;
	arena_release(&a);
	return r.rows - rows >= OTHERS_LEAST ? rows : 0;
}

/* Arranges all panels but the first, which is a sentence, as a figure of their own. */
static void layout_without_first(const struct canvas *like, const struct figure *f, struct rect r,
				 size_t focus, struct rect *place)
{
	struct job j = {.like = like, .r = r};
	arena_init(&j.a);
	struct figure *const others = arena_calloc(&j.a, 1, sizeof *others);
	*others = *f;
	others->n = f->n - 1;
	for (size_t i = 0; i < others->n; i++) {
		others->panels[i] = f->panels[i + 1];
		others->panels[i].row -= others->panels[i].row > 0;
		j.on[i] = true;
	}
	memmove(others->row_weight, f->row_weight + 1, FIGURE_TRACKS - 1);
	others->row_weight[FIGURE_TRACKS - 1] = 0;
	j.f = others;
	j.map_rows = least_rows(&j);
	if (others->n == 1)
		place[1] = r;
	else
		layout_fold(&j, focus > 0 ? focus - 1 : 0, place + 1);
	arena_release(&j.a);
}

static void layout(const struct canvas *like, const struct figure *f, struct rect r, size_t focus,
		   bool zoom, struct rect *place)
{
	for (size_t i = 0; i < f->n; i++)
		place[i] = (struct rect){r.row, r.col, 0, 0};
	if (f->n == 0 || r.rows < 1 || r.cols < 1)
		return;
	if (!zoom)
		r = canvas_finding_leave(f, r);
	if (zoom || f->n == 1) {
		place[focus < f->n ? focus : 0] = r;
		return;
	}
	if (canvas_equation_layout(like, f, r, focus, place))
		return;
	const int sentence = sentence_rows(f, r);
	if (sentence > 0) {
		place[0] = (struct rect){r.row, r.col + 1, sentence, r.cols - BOX_COLS};
		layout_without_first(
			like, f, (struct rect){r.row + sentence, r.col, r.rows - sentence, r.cols},
			focus, place);
		return;
	}
	struct job j = {.like = like, .f = f, .r = r};
	for (size_t i = 0; i < f->n; i++)
		j.on[i] = true;
	arena_init(&j.a);
	j.map_rows = least_rows(&j);
	layout_fold(&j, focus, place);
	layout_spare(&j, focus, place);
	canvas_share_rows(like, &j.a, f, place);
	arena_release(&j.a);
}

/* Returns how many matrices have a place, without small terms of an equation. */
static size_t shown(const struct figure *f, const struct rect *place)
{
	size_t n = 0;
	for (size_t i = 0; i < f->n; i++)
		n += place[i].rows > 0 && panel_shows_map(&f->panels[i]) &&
		     (f->panels[i].operand.sign == SIGN_NONE ||
		      f->panels[i].priority < EQUATION_SMALL);
	return n;
}

/* Returns the cells of the screen that the values of matrices beside each other have. */
static int values_area(const struct canvas *like, struct arena *a, const struct figure *f,
		       const struct rect *place)
{
	int area = 0;
	for (size_t i = 0; i < f->n; i++) {
		struct heatmap_plan plan;
		bool box;
		if (place[i].rows <= 0 || !panel_shows_map(&f->panels[i]))
			continue;
		const struct rect inner = canvas_panel_inner(&f->panels[i], place[i], &box);
		canvas_heatmap_plan(like, a, inner, &f->panels[i].heatmap, &plan);
		area += plan.data.rows * plan.data.cols;
	}
	return area;
}

/* Returns whether numbers leave the matrices at least half as large, as a line of names does. */
static bool nearly_as_large(const struct canvas *like, struct arena *a, const struct figure *words,
			    const struct rect *is, const struct figure *numbers,
			    const struct rect *other)
{
	return equation_is(words) ||
	       2 * values_area(like, a, numbers, other) >= values_area(like, a, words, is);
}

/* Arranges the figure with numbers for names and a line that explains them. The line has rows of its own, or if too
 * little was left then, that of a panel in one line that stands where it will. False: neither helps. */
static bool layout_by_number(const struct canvas *like, struct arena *a, const struct figure *f,
			     struct rect r, size_t focus, const struct rect *words,
			     struct rect *place)
{
	struct rect line, whole = r;
	const struct figure *const numbered = canvas_by_number(like, a, f, r, &line);
	if (numbered == NULL || !canvas_lacks_names(like, a, f, r, words))
		return false;
	layout(like, numbered, (struct rect){r.row, r.col, r.rows - line.rows, r.cols}, focus,
	       false, place);
	/* Numbers are not worth a matrix, or its size. */
	if (shown(f, place) >= shown(f, words) &&
	    nearly_as_large(like, a, f, words, numbered, place) &&
	    canvas_numbered(like, a, f, &whole, place, &line) != f)
		return true;
	memcpy(place, words, f->n * sizeof *place);
	for (size_t i = 0; i < f->n; i++)
		if (i != focus && place[i].row >= line.row && !panel_is_map(&f->panels[i]))
			place[i].rows = 0;
	return !equation_is(f) && canvas_numbered(like, a, f, &whole, place, &line) != f;
}

static void layout_named(const struct canvas *like, const struct figure *f, struct rect r,
			 size_t focus, bool zoom, struct rect *place)
{
	struct rect other[FIGURE_PANELS];
	struct arena a;
	layout(like, f, r, focus, zoom, place);
	arena_init(&a);
	if (!zoom && layout_by_number(like, &a, f, r, focus, place, other))
		memcpy(place, other, f->n * sizeof *place);
	arena_release(&a);
}

static size_t placed(const struct figure *f, const struct rect *place)
{
	size_t n = 0;
	for (size_t i = 0; i < f->n; i++)
		n += place[i].rows > 0;
	return n;
}

/* Moves the panels a row down, which those at the bottom lose, unless a matrix is there, or a panel that is as
 * high as the figure, or one that is too low; a card in a line, which says less than a finding, goes. */
static void squeeze(const struct figure *f, struct rect r, size_t focus, struct rect *place)
{
	enum { LOW = 7 };
	int end = 0; /* a line that explains numbers can be below */
	for (size_t i = 0; i < f->n; i++)
		end = place[i].rows > 0 && place[i].row + place[i].rows > end
			      ? place[i].row + place[i].rows
			      : end;
	for (size_t i = 0; i < f->n; i++)
		if (place[i].rows > 0 && place[i].row + place[i].rows == end &&
		    (panel_shows_map(&f->panels[i]) || place[i].row == r.row ||
		     (place[i].rows < LOW &&
		      (place[i].rows > 1 || f->panels[i].kind != PANEL_CARD || i == focus))))
			return;
	for (size_t i = 0; i < f->n; i++) {
		place[i].rows -= place[i].rows > 0 && place[i].row + place[i].rows == end;
		place[i].row += place[i].rows > 0;
	}
}

/* Returns whether the panels of a figure have less for the row of its finding: one of them has no place, or the
 * matrices are smaller by a quarter. */
static bool costs(const struct canvas *like, struct arena *a, const struct figure *f,
		  const struct rect *with, const struct rect *without)
{
	return placed(f, without) > placed(f, with) ||
	       (placed(f, without) == placed(f, with) &&
		4 * values_area(like, a, f, without) > 5 * values_area(like, a, f, with));
}

/* A brief finding on a low screen is not worth a panel, or the size of matrices: those at the bottom give it their row,
 * else it has none, and is not drawn where panels stand. The panels of an equation have no such row. */
void canvas_layout(const struct canvas *like, const struct figure *f, struct rect r, size_t focus,
		   bool zoom, struct rect *place)
{
	layout_named(like, f, r, focus, zoom, place);
	if (zoom || !canvas_finding_is_brief(f, r) || f->n < 2 || equation_is(f) ||
	    canvas_finding_leave(f, r).rows == r.rows)
		return;
	struct rect other[FIGURE_PANELS];
	struct arena a;
	arena_init(&a);
	struct figure *const without = arena_calloc(&a, 1, sizeof *without);
	*without = *f;
	without->finding = without->finding_brief = without->finding_least = NULL;
	layout_named(like, without, r, focus, zoom, other);
	if (costs(like, &a, f, place, other)) {
		memcpy(place, other, f->n * sizeof *place);
		squeeze(f, r, focus, place);
	}
	arena_release(&a);
}
