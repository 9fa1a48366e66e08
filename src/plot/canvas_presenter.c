/* canvas_presenter.c: a figure for a lecture hall: one panel as large as possible, the scheme, the
 * value under the cursor, and the meaning of the colours in the last row.
 *
 * The words have several forms, from all in large letters to one line; the size of the panel
 * matters more than they do. */
#include "plot/canvas_talk.h"

#include <string.h>

#include "posviz/base/text.h"

enum { FOOT_FROM = 5 };

static const struct form forms[] = {
	{true, 5, VALUE_BESIDE},  {true, 5, VALUE_BELOW},  {true, 4, VALUE_BESIDE},
	{true, 4, VALUE_BELOW},	  {true, 3, VALUE_BESIDE}, {true, 3, VALUE_BELOW},
	{false, 3, VALUE_BESIDE}, {false, 3, VALUE_BELOW}, {false, 3, VALUE_ABOVE},
	{false, 2, VALUE_BESIDE}, {false, 2, VALUE_BELOW}, {false, 2, VALUE_ABOVE},
	{false, 1, VALUE_BESIDE}, {false, 1, VALUE_BELOW}, {false, 1, VALUE_ABOVE},
};
enum { FORMS = sizeof forms / sizeof *forms };

/* ---- the head -------------------------------------------------------------------------------- */

static const char *formula_of(const struct talk *t)
{
	return t->words->formula != NULL ? canvas_formula(t->c, t->a, t->words->formula) : NULL;
}

static int name_cols(const struct talk *t)
{
	return canvas_big_cols(t->c, t->words->name);
}

/* Breaks a text into `lines` of at most `cols` columns; returns their number, 0 if it takes more
 * than `most`. */
enum { ABOUT_LINES = 4 };
static int lines_of(const struct talk *t, const char *at, int cols, int most, const char **lines)
{
	size_t used;
	int n = 0;
	for (; cols >= 20 && *at != '\0' && n < most && n < ABOUT_LINES; n++) {
		size_t len = text_fit(at, (size_t)cols, &used);
		while (at[len] != '\0' && len > 0 && at[len] != ' ')
			len--;
		if (len == 0)
			return 0;
		lines[n] = arena_strndup(t->a, at, len);
		at += len + strspn(at + len, " ");
	}
	return *at == '\0' ? n : 0;
}

static int about_lines(const struct talk *t, int cols, int most, const char **lines)
{
	return lines_of(t, t->words->about, cols, most, lines);
}

/* The texts beside the large name: lines that explain the scheme, and its formula, which may be in
 * the last row instead. */
struct big_head {
	int col, about;
	const char *lines[ABOUT_LINES], *formula;
	bool beside, under;
};

static struct big_head big_head(const struct talk *t)
{
	const int left = t->r.col + TALK_MARGIN, right = talk_right(t), head = t->form.head;
	struct big_head b = {.col = left + name_cols(t) + 3, .formula = formula_of(t)};
	const int cols = b.formula != NULL ? (int)text_width(b.formula) : t->r.cols;
	b.about = about_lines(t, right - b.col, head - 1, b.lines);
	const bool both = b.about + 2 <= head;
	b.beside = both && cols <= right - b.col;
	b.under = both && !b.beside && head > BIG_ROWS && cols <= right - left;
	return b;
}

/* Draws beside the large name the full name, the explanation, the formula, and the authors. The
 * earlier ones in this list are kept longer if room is short. */
static void draw_big_head(const struct talk *t)
{
	const struct big_head b = big_head(t);
	const int left = t->r.col + TALK_MARGIN, col = b.col, right = talk_right(t);
	const int end = t->r.row + t->form.head;
	int row = t->r.row;
	canvas_big(t->c, row, left, t->words->name);
	const int used = talk_put(t, row, col, right, t->words->title, ATTR_BOLD);
	const int by = talk_put(t, row, col + used + TALK_AIR, right, t->words->authors, ATTR_DIM);
	row++;
	if (b.beside)
		talk_put(t, row++, col, right, b.formula, ATTR_BOLD);
	for (int i = 0; i < b.about; i++)
		talk_put(t, row++, col, right, b.lines[i], 0);
	if (b.under)
		talk_put(t, end - 1, left, right, b.formula, ATTR_BOLD);
	if (by == 0 && row < end - b.under)
		talk_put(t, row, col, right, t->words->authors, ATTR_DIM);
}

/* Returns the part of a formula before its first ", ": the other parts explain its letters, or add
 * details. */
static const char *first_part(const struct talk *t, const char *formula)
{
	const char *const end = strstr(formula, ",  ");
	return end == NULL ? formula : arena_strndup(t->a, formula, (size_t)(end - formula));
}

/* Breaks a formula into one line, or two, if possible with one part in each; returns their
 * number. */
static int formula_lines(const struct talk *t, const char *formula, int cols, int most,
			 const char **lines)
{
	const char *const first = first_part(t, formula);
	const size_t len = strlen(first);
	if (lines_of(t, formula, cols, 1, lines) == 1)
		return 1;
	if (most > 1 && formula[len] == ',' && lines_of(t, first, cols - 1, 1, lines) == 1 &&
	    lines_of(t, formula + len + 3, cols, 1, lines + 1) == 1) {
		lines[0] = arena_printf(t->a, "%s,", first);
		return 2;
	}
	return lines_of(t, formula, cols, most, lines);
}

/* Gets the lines below the names, at most `most`: the formula of the scheme, or the formula's first
 * part; else the explanation in plain words. Returns their number. */
enum { SCHEME_ROWS = 2 };
static int scheme_lines(const struct talk *t, int most, const char **lines)
{
	const char *const formula = formula_of(t);
	const int cols = talk_right(t) - t->r.col - TALK_MARGIN;
	int n = 0;
	if (formula != NULL && most > 0)
		n = formula_lines(t, formula, cols, most, lines);
	if (n == 0 && formula != NULL && most > 0)
		n = lines_of(t, first_part(t, formula), cols, 1, lines);
	return n > 0 ? n : about_lines(t, cols, most, lines);
}

/* Returns whether the formula needs both rows. */
static bool has_long_formula(const struct talk *t)
{
	const char *lines[SCHEME_ROWS];
	const int cols = talk_right(t) - t->r.col - TALK_MARGIN;
	return formula_of(t) != NULL &&
	       formula_lines(t, formula_of(t), cols, SCHEME_ROWS, lines) == SCHEME_ROWS;
}

/* Returns the columns that the first row needs: for the names, and for the value if it is there. */
static int first_cols(const struct talk *t, const char *name)
{
	const bool value = t->form.value == VALUE_ABOVE && t->map != NULL;
	const int width = value ? (int)text_width(talk_value(t)) : 0;
	return (int)text_width(name) + TALK_AIR + (width > 0 ? width + TALK_AIR : 0);
}

/* Chooses where the panel is named, with its note or only by its title: at the right of the rows
 * about the scheme, in the free row below the matrix, or at the right of the names; else instead of
 * the scheme's formula, or in the only row. */
static struct named name_panel(const struct talk *t, int below)
{
	const char *lines[SCHEME_ROWS];
	const char *const texts[] = {talk_panel(t), talk_brief(t), t->p->title};
	const char *const title = t->words->title, *const name = t->words->name;
	const int cols = talk_right(t) - t->r.col - TALK_MARGIN, head = t->form.head;
	const int n = scheme_lines(t, head - 1, lines);
	const char *const names = arena_printf(t->a, "%s  %s", name, title);
	struct named out = {NAMED_NOWHERE, 0, texts[2]};
	if (*texts[2] == '\0')
		return out;
	for (size_t i = 0; i < 3; i++) {
		out.text = texts[i];
		const int width = (int)text_width(out.text);
		for (out.row = head - 1; out.row > 0; out.row--)
			if ((out.row > n ? 0 : (int)text_width(lines[out.row - 1]) + TALK_AIR) +
				    width <=
			    cols)
				return out.place = NAMED_RIGHT, out;
		if (below > 0 && width <= cols)
			return out.place = NAMED_BELOW, out;
		if (first_cols(t, names) + width <= cols || first_cols(t, title) + width <= cols)
			return out.place = NAMED_FIRST, out;
	}
	out.place = head > 1 ? NAMED_INSTEAD : NAMED_FIRST;
	for (size_t i = 3; i-- > 0;)
		if (out.place == NAMED_INSTEAD && (int)text_width(texts[i]) <= cols)
			out.text = texts[i];
	return out;
}

/* If the panel's name has no room for the shown part, places that at the right of the lines about
 * the scheme, for which the formula may be reduced to its first part. */
static void place_part(const struct talk *t, struct named *out)
{
	const char *lines[SCHEME_ROWS], *const parts[] = {t->part, t->short_part};
	const int cols = talk_right(t) - t->r.col - TALK_MARGIN, head = t->form.head;
	const bool alone = out->text == t->p->title && out->place != NAMED_INSTEAD;
	if (t->part == NULL || !alone)
		return;
	for (int i = 0; i < 4; i++) {
		const bool brief = i > 1 && formula_of(t) != NULL;
		const char *const text = parts[i % 2];
		int n = scheme_lines(t, head - 1, lines);
		if (brief)
			n = lines_of(t, first_part(t, formula_of(t)), cols, 1, lines);
		for (int row = head - 1; row > 0; row--) {
			const int used = row > n ? 0 : (int)text_width(lines[row - 1]) + TALK_AIR;
			if ((out->place == NAMED_RIGHT && row == out->row) ||
			    used + (int)text_width(text) > cols)
				continue;
			out->part = text;
			out->part_row = row;
			out->brief = brief;
			return;
		}
	}
}

static void place_panel(struct talk *t, int below)
{
	t->named = name_panel(t, below);
	place_part(t, &t->named);
}

/* Draws the lines about the scheme, and the name of the panel. */
static void draw_scheme(const struct talk *t)
{
	const struct named *const panel = &t->named;
	const char *lines[SCHEME_ROWS];
	const int left = t->r.col + TALK_MARGIN, right = talk_right(t), row = t->r.row;
	const char *const formula = formula_of(t);
	const int n = panel->place == NAMED_INSTEAD ? 0
		      : panel->brief ? lines_of(t, first_part(t, formula), right - left, 1, lines)
				     : scheme_lines(t, t->form.head - 1, lines);
	const bool bold =
		n > 0 && formula != NULL && strncmp(lines[0], formula, strcspn(lines[0], ",")) == 0;
	for (int i = 0; i < n; i++)
		talk_put(t, row + 1 + i, left, right, lines[i], bold ? ATTR_BOLD : 0);
	if (panel->place == NAMED_INSTEAD)
		canvas_text_short(t->c, t->a, row + 1, left, right - left, panel->text, ATTR_BOLD);
	else if (panel->place == NAMED_RIGHT && panel->row > n)
		talk_put(t, row + panel->row, left, right, panel->text, ATTR_BOLD);
	else if (panel->place == NAMED_RIGHT)
		talk_put_right(t, row + panel->row, left, panel->text, 0);
	talk_put_right(t, row + panel->part_row, left, panel->part, 0);
}

/* Writes text at the right end of the first row; returns the new right end. */
static int put_at_end(const struct talk *t, int right, const char *text, unsigned attrs)
{
	const int width = (int)text_width(text);
	talk_put(t, t->r.row, right - width, right, text, attrs);
	return right - (width > 0 ? width + TALK_AIR : 0);
}

/* Writes name and full name, or the full name alone, or, if the panel is named in this row, the
 * name alone; returns the columns used. */
static int put_names(const struct talk *t, int col, int right)
{
	const char *const name = t->words->name, *const title = t->words->title;
	const int row = t->r.row, width = (int)text_width(title);
	if ((int)text_width(name) + TALK_AIR + width <= right - col) {
		const int used = talk_put(t, row, col, right, name, ATTR_BOLD | ATTR_ACCENT);
		return used + TALK_AIR +
		       talk_put(t, row, col + used + TALK_AIR, right, title, ATTR_BOLD);
	}
	if (t->named.place == NAMED_FIRST && width > right - col &&
	    (int)text_width(name) <= right - col)
		return talk_put(t, row, col, right, name, ATTR_BOLD | ATTR_ACCENT);
	return canvas_text_short(t->c, t->a, row, col, right - col, title, ATTR_BOLD);
}

/* Draws a head of one line or more: the name, the full name, and the value if it is not
 * elsewhere. */
static void draw_small_head(const struct talk *t)
{
	const int row = t->r.row;
	int right = talk_right(t), col = t->r.col + TALK_MARGIN;
	if (t->form.value == VALUE_ABOVE && t->map != NULL)
		right = put_at_end(t, right, talk_value(t), ATTR_BOLD | ATTR_ACCENT);
	const bool says_part = t->named.part != NULL ||
			       (t->named.place != NAMED_NOWHERE && t->named.text != t->p->title);
	if (t->form.head < 2 && t->form.value == VALUE_ABOVE && t->part != NULL && !says_part)
		right = put_at_end(t, right, t->short_part, 0);
	if (t->named.place == NAMED_FIRST)
		right = put_at_end(t, right, t->named.text, ATTR_BOLD);
	col += put_names(t, col, right) + TALK_AIR;
	const char *const pair = t->form.value == VALUE_ABOVE ? talk_pair(t) : "";
	if ((int)text_width(pair) <= right - col)
		right = put_at_end(t, right, pair, ATTR_ACCENT);
	talk_put(t, row, col, right, t->words->authors, ATTR_DIM);
	draw_scheme(t);
}

void talk_head(const struct talk *t)
{
	(t->form.big ? draw_big_head : draw_small_head)(t);
}

/* ---- the whole figure ------------------------------------------------------------------------ */

static int foot_rows(const struct talk *t)
{
	return (t->map != NULL || t->c->taken > 0) && t->r.rows >= FOOT_FROM;
}

/* Returns the rectangle of the panel in the current form. */
static struct rect body_of(const struct talk *t)
{
	struct rect b = {t->r.row + t->form.head, t->r.col + TALK_MARGIN,
			 t->r.rows - t->form.head - foot_rows(t), t->r.cols - 2 * TALK_MARGIN};
	if (t->map != NULL && t->form.value == VALUE_BESIDE)
		b.cols -= t->beside;
	if (t->map != NULL && t->form.value == VALUE_BELOW)
		b.rows -= talk_below_rows(t);
	return b;
}

/* Returns whether a panel without a matrix has a line of its own for its title. */
static bool has_own_line(const struct talk *t, struct rect body)
{
	return t->map == NULL && t->p->title != NULL && body.rows > 3;
}

/* Returns whether a small head has a row for the second line of a formula. It may exceed head_most,
 * the limit of a lecture's head, because it costs nothing else. */
static bool has_third_row(const struct talk *t)
{
	return !t->form.big && t->form.head > 2;
}

/* Returns whether a second row would be empty: there is no text about the scheme, and the panel is
 * named elsewhere. */
static bool is_empty(const struct talk *t)
{
	const char *lines[SCHEME_ROWS];
	return scheme_lines(t, 1, lines) == 0 &&
	       (t->form.value != VALUE_ABOVE || has_own_line(t, body_of(t)));
}

/* Returns whether the words of the form have room. Text panels need more rows than large words
 * leave. More than one row below the large name is only for words that need it. */
bool talk_has_words(const struct talk *t)
{
	enum { WORDY_FROM = 32 };
	const int name = name_cols(t);
	if (t->form.head - has_third_row(t) > t->head_most)
		return false;
	if (has_third_row(t) && !has_long_formula(t))
		return false;
	/* A single row with the value elsewhere is only for a head whose second row would be
	 * empty. */
	const bool alone = t->form.head == 1 && t->form.value != VALUE_ABOVE;
	if (!t->form.big && (t->form.head == 2 || alone) && is_empty(t) != alone)
		return false;
	if (t->form.head > BIG_ROWS + 1) {
		const struct big_head b = big_head(t);
		if (1 + b.about + b.under < t->form.head)
			return false;
	}
	if (t->form.big && t->map == NULL && t->p->kind != PANEL_CURVES && t->r.rows < WORDY_FROM)
		return false;
	return !t->form.big || (name > 0 && name < t->r.cols / 2 &&
				name + 5 + (int)text_width(t->words->title) <= t->r.cols);
}

struct quality talk_quality(const struct talk *t, const struct heatmap_plan *plan)
{
	const struct heatmap_view *const v = &plan->view;
	const int decimals = canvas_decimals(t->c, t->map, v->cell_cols);
	const int digits =
		!canvas_has_digits(t->c, t->map, v) ? 0 : 1 + (decimals < 2 ? decimals : 2);
	return (struct quality){
		.possible = true,
		.seen = v->averaged ? -(int)v->block : 4 * (int)(v->rows * v->cols) + digits,
		.area = v->cell_rows2 * v->cell_cols,
		.side = v->cell_rows2 < v->cell_cols ? v->cell_rows2 : v->cell_cols,
		.words = plan->heads > 0 ? (int)canvas_words_fit(t->a, t->map, plan, plan->heads)
					 : 0};
}

/* Returns whether the form makes sense: without a cursor there is nothing to write below the matrix
 * except in a large form. */
static bool has_sense(const struct talk *t)
{
	return t->form.big || t->form.value != VALUE_BELOW || t->map->has_cursor;
}

static struct quality quality_of(struct talk *t, const struct form *form, struct heatmap_plan *plan)
{
	t->form = *form;
	if (t->map == NULL)
		t->form.value = VALUE_ABOVE;
	*plan = (struct heatmap_plan){0};
	const struct rect body = body_of(t);
	const struct quality q = {.possible = has_sense(t) && talk_has_words(t) && body.rows > 0 &&
					      body.cols > 0};
	if (!q.possible || t->map == NULL)
		return q;
	canvas_heatmap_plan(t->c, t->a, body, t->map, plan);
	return talk_quality(t, plan);
}

static bool is_better(const struct quality *a, const struct quality *b)
{
	return !b->possible ||
	       (a->possible && (a->seen > b->seen || (a->seen == b->seen && a->side > b->side)));
}

/* Returns whether cells are larger without the third row of a small head. */
static bool third_row_costs(const struct quality *q, size_t i)
{
	bool costs = false;
	for (size_t k = 0; k < FORMS && !forms[i].big && forms[i].head > 2; k++)
		costs |= !forms[k].big && forms[k].head == 2 && forms[k].value == forms[i].value &&
			 q[k].possible && q[k].side > q[i].side;
	return costs;
}

/* Returns whether there is no value to be written beside the panel, and cells are larger without
 * that space. */
static bool title_costs(const struct talk *t, const struct quality *q, size_t i)
{
	bool costs = false;
	if (forms[i].value != VALUE_BESIDE || forms[i].big || t->map == NULL || t->map->has_cursor)
		return false;
	for (size_t k = 0; k < FORMS; k++)
		costs |= !forms[k].big && forms[k].value != VALUE_BESIDE && q[k].possible &&
			 q[k].seen >= q[i].seen && q[k].area > q[i].area;
	return costs;
}

/* Chooses the first form that shows as much as any form, in cells not much smaller, with the most
 * words above the matrix. */
static struct quality choose_form(struct talk *t, struct heatmap_plan *plan)
{
	struct quality q[FORMS], best = {0};
	size_t found = FORMS - 1;
	for (size_t i = 0; i < FORMS; i++) {
		q[i] = quality_of(t, &forms[i], plan);
		best = is_better(&q[i], &best) ? q[i] : best;
	}
	int words = -1;
	for (size_t i = 0; i < FORMS; i++) {
		if (!q[i].possible || q[i].seen < best.seen || 3 * q[i].side < 2 * best.side ||
		    q[i].words <= words || third_row_costs(q, i) || title_costs(t, q, i))
			continue;
		words = q[i].words;
		found = i;
	}
	quality_of(t, &forms[found], plan);
	t->part = plan->note[0];
	t->short_part = plan->note[2];
	return q[found];
}

static bool is_same(const char *a, const char *b)
{
	return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* Returns the panel; a card without the name and formula of the scheme if the head has them. */
static struct panel unsaid(const struct talk *t)
{
	struct panel p = *t->p;
	const char *const formula = formula_of(t);
	const bool second = !t->form.big && t->form.head > 1;
	if (p.kind != PANEL_CARD || p.absent != NULL)
		return p;
	if (is_same(p.title, t->words->title))
		p.title = NULL;
	if (second && is_same(p.card.formula, t->words->formula) &&
	    (has_third_row(t) || (int)text_width(formula) <= t->r.cols - 2 * TALK_MARGIN))
		p.card.formula = NULL;
	return p;
}

void talk_draw_panel(const struct talk *t, struct heatmap_plan *plan, struct rect body)
{
	struct panel p = unsaid(t);
	if (p.title != NULL && has_own_line(t, body)) {
		const int used = talk_put(t, body.row, body.col, talk_right(t), p.title, ATTR_BOLD);
		talk_put(t, body.row, body.col + used + TALK_AIR, talk_right(t), p.note, ATTR_DIM);
		body.row++;
		body.rows--;
	}
	if (p.kind == PANEL_CARD && p.absent == NULL && canvas_card_big(t->c, t->a, body, &p.card))
		return;
	if (t->map != NULL)
		p.heatmap = *t->map;
	canvas_inside(t->c, t->a, body, &p, plan);
}

static void draw_all(struct talk *t, const struct figure *f, size_t panel, struct rect *body,
		     struct heatmap_plan *plan)
{
	const struct quality good = choose_form(t, plan);
	if (t->map != NULL && canvas_pair(t, &good, f, panel, body, plan))
		return;
	const struct rect inner = *body = body_of(t);
	const int foot = t->r.row + t->r.rows - foot_rows(t);
	const int end = t->map != NULL ? plan->data.row + plan->data.rows : inner.row + inner.rows;
	int free_from = end;
	const int below = t->map != NULL ? foot - end : 0;
	if (!t->form.big && t->form.value == VALUE_ABOVE &&
	    !(t->map == NULL && has_own_line(t, inner)))
		place_panel(t, below);
	talk_head(t);
	talk_draw_panel(t, plan, inner);
	if (t->map != NULL && t->form.value == VALUE_BESIDE)
		talk_beside(t, inner.row + 1, foot);
	if ((t->map != NULL && t->form.value == VALUE_BELOW) || t->named.place == NAMED_BELOW) {
		const int rows = talk_below_rows(t);
		const int row = end + rows + 2 <= foot ? end + 1 : foot - rows;
		talk_below(t, row);
		free_from = row + rows;
	}
	if (foot_rows(t))
		talk_foot(t, free_from + 1 < foot);
}

void canvas_presenter(struct canvas *c, struct rect r, const struct figure *f, size_t panel,
		      int head_most, struct rect *body, struct rect *hit, struct heatmap_view *view)
{
	struct heatmap_plan plan = {0};
	struct arena a;
	*body = (struct rect){r.row, r.col, 0, 0};
	if (panel >= f->n || r.rows < 1 || r.cols < 2 * TALK_MARGIN + 1)
		return;
	arena_init(&a);
	c->presenter = true;
	struct talk t = {.c = c, .a = &a, .r = r, .words = f->presented, .head_most = head_most};
	talk_about(&t, f, panel);
	if (t.map != NULL)
		t.beside = talk_value_cols(&t) + TALK_AIR;
	draw_all(&t, f, panel, body, &plan);
	canvas_isolate(c, r);
	arena_release(&a);
	*hit = plan.data;
	*view = plan.view;
}
