/* canvas_presenter.c: a figure for the back row: one panel as large as it gets, whose scheme it is, the
 * value under the cursor, and in the last row what the colours mean.
 *
 * Words come in forms, from all in large letters to one line; the panel is worth more than they are. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "plot/canvas_map.h"
#include "posviz/num.h"
#include "posviz/text.h"

/* SHARED_HEAD: rows of words above at most, where others have the rest of the screen. */
enum { AIR = 2, SIDE_LEAST = 18, FOOT_FROM = 5, MARGIN = 1, BAR_LEAST = 17, SHARED_HEAD = 2 };

enum place { VALUE_BESIDE, VALUE_BELOW, VALUE_ABOVE };

struct form {
	bool big; /* the name */
	int head; /* rows of words above */
	enum place value;
};
static const struct form forms[] = {
	{true, 4, VALUE_BESIDE}, {true, 4, VALUE_BELOW},   {true, 3, VALUE_BESIDE},
	{true, 3, VALUE_BELOW},	 {false, 2, VALUE_BESIDE}, {false, 2, VALUE_BELOW},
	{false, 2, VALUE_ABOVE}, {false, 1, VALUE_ABOVE},
};
enum { FORMS = sizeof forms / sizeof *forms };

struct talk {
	struct canvas *c;
	struct arena *a;
	struct rect r;
	const struct presented *words;
	const struct panel *p;
	bool by_distance;
	const struct heatmap *map; /* of the panel; NULL: it has none */
	struct form form;
	const char *part,
		*short_part; /* which part of it is seen, where that is not all; else NULL */
	int beside;	     /* columns of the value beside the panel */
};

/* ---- words -------------------------------------------------------------------------------------- */

/* "dog → cat" */
static const char *pair_words(const struct talk *t)
{
	const struct heatmap *const h = t->map;
	if (h == NULL || !h->has_cursor || h->row_labels == NULL || h->col_labels == NULL)
		return "";
	return arena_printf(t->a, "%s %s %s",
			    text_shorten(t->a, h->row_labels[h->row], 12, t->c->ascii),
			    t->c->ascii ? "->" : "→",
			    text_shorten(t->a, h->col_labels[h->col], 12, t->c->ascii));
}

static bool is_hidden(const struct heatmap *h)
{
	return h->masked != NULL && h->masked[h->row * h->values.cols + h->col];
}

static const char *value_words(const struct talk *t)
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

/* Of the widest value, so that nothing moves with the cursor. */
static int value_cols(const struct talk *t)
{
	const struct digits d = canvas_digits(t->map, INT_MAX);
	char widest[64] = "";
	for (int i = 0; i < d.cols && i < 8; i++)
		strcat(widest, i == 0 ? "−" : i == 1 ? "." : "8");
	const int cols = canvas_big_cols(t->c, widest);
	return cols > SIDE_LEAST ? cols : SIDE_LEAST;
}

/* "s−t −3" */
static const char *apart_words(const struct talk *t)
{
	const struct heatmap *const h = t->map;
	const long apart = (long)h->col - (long)h->row - t->words->memory;
	return arena_printf(t->a, "%s %s%ld", t->c->ascii ? "s-t" : "s−t",
			    apart >= 0	  ? ""
			    : t->c->ascii ? "-"
					  : "−",
			    labs(apart));
}

static const char *panel_words(const struct talk *t)
{
	const char *const own = t->p->short_note != NULL ? t->p->short_note : t->p->note;
	const char *const note = t->part != NULL ? t->part : own;
	return note == NULL || *note == '\0' ? t->p->title
					     : arena_printf(t->a, "%s, %s", t->p->title, note);
}

/* ---- above -------------------------------------------------------------------------------------- */

static int right_of(const struct talk *t)
{
	return t->r.col + t->r.cols - MARGIN;
}

/* Whole, or not at all; columns used. */
static int put(const struct talk *t, int row, int col, int right, const char *text, unsigned attrs)
{
	if (text == NULL || col + (int)text_width(text) > right)
		return 0;
	return canvas_text(t->c, row, col, right - col, text, attrs);
}

static int put_right(const struct talk *t, int row, int col, const char *text, unsigned attrs)
{
	const int width = text != NULL ? (int)text_width(text) : 0;
	return put(t, row, right_of(t) - width > col ? right_of(t) - width : right_of(t),
		   right_of(t), text, attrs);
}

static const char *formula_of(const struct talk *t)
{
	return t->words->formula != NULL ? canvas_formula(t->c, t->a, t->words->formula) : NULL;
}

static int name_cols(const struct talk *t)
{
	return canvas_big_cols(t->c, t->words->name);
}

/* What the scheme does in lines of `cols`, into `lines`; their number, 0: it takes more than `most`. */
enum { ABOUT_LINES = 4 };
static int about_lines(const struct talk *t, int cols, int most, const char **lines)
{
	const char *at = t->words->about;
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

/* Beside the large name the full one, what it does, and the formula, which may have a fourth row to
 * itself; by whom. What is said first here stays longest. */
static void draw_big_head(const struct talk *t)
{
	const int left = t->r.col + MARGIN, col = left + name_cols(t) + 3, head = t->form.head;
	const int right = right_of(t), end = t->r.row + head;
	const char *const formula = formula_of(t), *lines[ABOUT_LINES];
	const int formula_cols = formula != NULL ? (int)text_width(formula) : t->r.cols;
	const int about = about_lines(t, right - col, head - 1, lines);
	const bool both = about + 2 <= head;
	const bool beside = both && formula_cols <= right - col;
	const bool under = both && !beside && head > BIG_ROWS && formula_cols <= right - left;
	int row = t->r.row;
	canvas_big(t->c, row, left, t->words->name);
	const int used = put(t, row, col, right, t->words->title, ATTR_BOLD);
	const int by = put(t, row, col + used + AIR, right, t->words->authors, ATTR_DIM);
	row++;
	if (beside)
		put(t, row++, col, right, formula, ATTR_BOLD);
	for (int i = 0; i < about; i++)
		put(t, row++, col, right, lines[i], 0);
	if (under)
		put(t, end - 1, left, right, formula, ATTR_BOLD);
	if (by == 0 && row < end - under)
		put(t, row, col, right, t->words->authors, ATTR_DIM);
}

/* The formula, or what it does in one line, and what the panel is. */
static void draw_second_line(const struct talk *t, int row)
{
	const char *lines[ABOUT_LINES];
	const int left = t->r.col + MARGIN, right = right_of(t);
	int used = put(t, row, left, right, formula_of(t), ATTR_BOLD);
	if (used == 0 && about_lines(t, right - left, 1, lines) == 1)
		used = put(t, row, left, right, lines[0], 0);
	if (t->form.value == VALUE_ABOVE)
		put_right(t, row, left + used + AIR, panel_words(t), ATTR_DIM);
}

/* One line, or two: the name, the full one, the value where it stands nowhere else. */
static void draw_small_head(const struct talk *t)
{
	const int row = t->r.row;
	int right = right_of(t), col = t->r.col + MARGIN;
	if (t->form.value == VALUE_ABOVE && t->map != NULL) {
		const char *const value = value_words(t);
		const int width = (int)text_width(value);
		put(t, row, right - width, right, value, ATTR_BOLD | ATTR_ACCENT);
		right -= width > 0 ? width + AIR : 0;
	}
	if (t->form.head < 2 && t->part != NULL) {
		const int width = (int)text_width(t->short_part);
		put(t, row, right - width, right, t->short_part, 0);
		right -= width + AIR;
	}
	const bool name = (int)(text_width(t->words->name) + text_width(t->words->title)) + AIR <=
			  right - col;
	if (name)
		col += put(t, row, col, right, t->words->name, ATTR_BOLD | ATTR_ACCENT) + AIR;
	const int title = put(t, row, col, right, t->words->title, ATTR_BOLD);
	if (title == 0)
		col += canvas_text_short(t->c, t->a, row, col, right - col, t->words->title,
					 ATTR_BOLD);
	col += title + AIR;
	const char *const pair = t->form.value == VALUE_ABOVE ? pair_words(t) : "";
	const int width = (int)text_width(pair);
	if (width > 0 && right - width >= col) {
		put(t, row, right - width, right, pair, ATTR_ACCENT);
		right -= width + AIR;
	}
	put(t, row, col, right, t->words->authors, ATTR_DIM);
	if (t->form.head > 1)
		draw_second_line(t, row + 1);
}

/* ---- the value ---------------------------------------------------------------------------------- */

static void draw_value(const struct talk *t, int row, int col, int right)
{
	const char *const value = value_words(t);
	const int cols = canvas_big_cols(t->c, value);
	if (cols > 0 && cols <= right - col)
		canvas_big(t->c, row, col, value);
	else
		put(t, row + 1, col, right, value, ATTR_BOLD);
}

/* What the value says of others. */
static const char *const distance_lines[] = {"as every pair at", "this distance"};

static void draw_beside(const struct talk *t, int top, int bottom)
{
	const int col = right_of(t) - t->beside + AIR, right = right_of(t);
	int row = top;
	if (row < bottom)
		put(t, row++, col, right, t->p->title, ATTR_BOLD);
	if (row < bottom && put(t, row++, col, right, t->p->note, ATTR_DIM) == 0)
		put(t, row - 1, col, right, t->p->short_note, ATTR_DIM);
	if (t->part != NULL && row < bottom)
		put(t, row++, col, right, t->part, ATTR_BOLD);
	if (!t->map->has_cursor || row + 6 > bottom)
		return;
	put(t, ++row, col, right, pair_words(t), ATTR_ACCENT | ATTR_BOLD);
	draw_value(t, row += 2, col, right);
	row += BIG_ROWS + 1;
	if (row >= bottom || is_hidden(t->map))
		return;
	put(t, row++, col, right, apart_words(t), ATTR_BOLD);
	for (size_t i = 0; i < 2 && t->by_distance && row + (i == 0) < bottom; i++)
		put(t, row++, col, right, distance_lines[i], 0);
}

static void draw_below(const struct talk *t, int row)
{
	int col = t->r.col + MARGIN;
	const int right = right_of(t);
	if (!t->map->has_cursor)
		return;
	col += put(t, row + 1, col, right, pair_words(t), ATTR_ACCENT | ATTR_BOLD) + AIR;
	draw_value(t, row, col, right);
	const int big = canvas_big_cols(t->c, value_words(t));
	col += (big > 0 ? big : (int)text_width(value_words(t))) + 2 * AIR;
	put(t, row, col, right, panel_words(t), ATTR_DIM);
	if (is_hidden(t->map))
		return;
	put(t, row + 1, col, right, apart_words(t), ATTR_BOLD);
	col += (int)text_width(apart_words(t)) + AIR;
	for (size_t i = 0; i < 2 && t->by_distance; i++)
		put(t, row + 1 + (int)i, col, right, distance_lines[i], 0);
}

/* ---- the last row ------------------------------------------------------------------------------- */

/* What the ends of the scale look like here. */
static const char *colour_words(const struct talk *t, bool brief)
{
	const struct heatmap *const h = t->map;
	const bool two = h->scale.diverging;
	const char *low = h->colormap->low, *high = h->colormap->high;
	if (t->c->ascii || t->c->tier == TIER_MONO) {
		low = t->c->ascii ? "-" : "−";
		high = two ? "+" : t->c->ascii ? "9" : "█";
	} else if (t->c->tier < TIER_256) {
		low = "blue";
		high = two ? "red" : "green";
	}
	return figure_colour_words(h, low, high, brief, t->a);
}

/* That, and what the marks of cells stand for that one matrix of a difference hides alone. */
static const char *foot_words(const struct talk *t, bool brief)
{
	const char *const colours = colour_words(t, brief);
	const char *const alone =
		heatmap_one_sided(t->a, t->map, canvas_masked_sign(t->c, HEATMAP_MASKED_FIRST),
				  canvas_masked_sign(t->c, HEATMAP_MASKED_SECOND), brief);
	return colours != NULL && alone != NULL ? arena_printf(t->a, "%s; %s", alone, colours)
	       : alone != NULL			? alone
						: colours;
}

static void draw_foot(const struct talk *t, bool space)
{
	const int row = t->r.row + t->r.rows - 1, left = t->r.col + MARGIN;
	const int right = right_of(t);
	if (t->map == NULL)
		return;
	const char *words = foot_words(t, false);
	if (words != NULL && left + (int)text_width(words) + BAR_LEAST > right)
		words = foot_words(t, true);
	const int width = put(t, row, left, right, words, ATTR_BOLD);
	canvas_bar_line(t->c, t->a, row, left + width + (width > 0 ? AIR : 0), right, t->map);
	if (space && t->by_distance)
		put(t, row - 1, left, right,
		    "Only the distance between two words counts, not where they stand.", 0);
}

/* ---- all of it ---------------------------------------------------------------------------------- */

static int foot_rows(const struct talk *t)
{
	return t->map != NULL && t->r.rows >= FOOT_FROM;
}

/* Where the panel goes under the talk's form. */
static struct rect body_of(const struct talk *t)
{
	struct rect b = {t->r.row + t->form.head, t->r.col + MARGIN,
			 t->r.rows - t->form.head - foot_rows(t), t->r.cols - 2 * MARGIN};
	if (t->map != NULL && t->form.value == VALUE_BESIDE)
		b.cols -= t->beside;
	if (t->map != NULL && t->form.value == VALUE_BELOW)
		b.rows -= BIG_ROWS;
	return b;
}

/* How good the panel is to look at under a form: how much of it is seen, whether with its numbers, the
 * smaller side of a cell, the words above its columns. */
struct quality {
	bool possible;
	int seen, side, words;
};

/* Whether the form's words have room; words and bars of a panel need more rows than they may cost. */
static bool has_words(const struct talk *t)
{
	enum { WORDY_FROM = 32 };
	const int name = name_cols(t);
	if (t->form.big && t->map == NULL && t->p->kind != PANEL_CURVES && t->r.rows < WORDY_FROM)
		return false;
	return !t->form.big || (name > 0 && name < t->r.cols / 2 &&
				name + 5 + (int)text_width(t->words->title) <= t->r.cols);
}

static struct quality quality_of(struct talk *t, const struct form *form, struct heatmap_plan *plan)
{
	t->form = *form;
	if (t->map == NULL)
		t->form.value = VALUE_ABOVE;
	*plan = (struct heatmap_plan){0};
	const struct rect body = body_of(t);
	struct quality q = {.possible = has_words(t) && body.rows > 0 && body.cols > 0 &&
					(form->head <= SHARED_HEAD || t->r.rows == t->c->rows)};
	if (!q.possible || t->map == NULL)
		return q;
	canvas_heatmap_plan(t->c, t->a, body, t->map, plan);
	const struct heatmap_view *const v = &plan->view;
	q.seen =
		2 * (int)(v->averaged ? 0 : v->rows * v->cols) + canvas_has_digits(t->c, t->map, v);
	q.side = v->cell_rows2 < v->cell_cols ? v->cell_rows2 : v->cell_cols;
	q.words = plan->heads > 0 ? (int)canvas_words_fit(t->a, t->map, plan, plan->heads) : 0;
	return q;
}

static bool is_better(const struct quality *a, const struct quality *b)
{
	return !b->possible ||
	       (a->possible && (a->seen > b->seen || (a->seen == b->seen && a->side > b->side)));
}

/* The first form under which as much is seen as under any, in cells not much smaller, with the most words
 * above them. */
static void choose_form(struct talk *t, struct heatmap_plan *plan)
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
		    q[i].words <= words)
			continue;
		words = q[i].words;
		found = i;
	}
	quality_of(t, &forms[found], plan);
	t->part = plan->note[0];
	t->short_part = plan->note[2];
}

static void draw_panel(const struct talk *t, struct heatmap_plan *plan, struct rect body)
{
	if (t->map == NULL && t->p->title != NULL && body.rows > 3) {
		const int used = put(t, body.row, body.col, right_of(t), t->p->title, ATTR_BOLD);
		put(t, body.row, body.col + used + AIR, right_of(t), t->p->note, ATTR_DIM);
		body.row++;
		body.rows--;
	}
	struct panel p = *t->p;
	if (t->map != NULL)
		p.heatmap = *t->map;
	canvas_inside(t->c, t->a, body, &p, plan);
}

static void draw_all(struct talk *t, struct rect *body, struct heatmap_plan *plan)
{
	choose_form(t, plan);
	const struct rect inner = *body = body_of(t);
	const int foot = t->r.row + t->r.rows - foot_rows(t);
	(t->form.big ? draw_big_head : draw_small_head)(t);
	draw_panel(t, plan, inner);
	const int end = t->map != NULL ? plan->data.row + plan->data.rows : inner.row + inner.rows;
	int free_from = end;
	if (t->map != NULL && t->form.value == VALUE_BESIDE)
		draw_beside(t, inner.row + 1, foot);
	if (t->map != NULL && t->form.value == VALUE_BELOW) {
		const int row = end + BIG_ROWS + 2 <= foot ? end + 1 : foot - BIG_ROWS;
		draw_below(t, row);
		free_from = row + BIG_ROWS;
	}
	if (foot_rows(t))
		draw_foot(t, free_from + 1 < foot);
}

void canvas_presenter(struct canvas *c, struct rect r, const struct figure *f, size_t panel,
		      struct rect *body, struct rect *hit, struct heatmap_view *view)
{
	struct heatmap_plan plan = {0};
	struct heatmap map;
	struct arena a;
	*body = (struct rect){r.row, r.col, 0, 0};
	if (panel >= f->n || r.rows < 1 || r.cols < 2 * MARGIN + 1)
		return;
	arena_init(&a);
	c->presenter = true;
	const struct panel shown =
		c->ascii ? canvas_plain(&a, &f->panels[panel]) : f->panels[panel];
	struct talk t = {.c = c,
			 .a = &a,
			 .r = r,
			 .words = f->presented,
			 .p = &shown,
			 .by_distance = f->presented->by_distance[panel]};
	if (t.p->kind == PANEL_HEATMAP && t.p->absent == NULL) {
		map = t.p->heatmap;
		map.no_bar = true; /* it stands in the last row */
		t.map = &map;
		t.beside = value_cols(&t) + AIR;
	}
	draw_all(&t, body, &plan);
	canvas_isolate(c, r);
	arena_release(&a);
	*hit = plan.data;
	*view = plan.view;
}
