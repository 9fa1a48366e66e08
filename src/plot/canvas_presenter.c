/* canvas_presenter.c: a figure for the back row: one panel as large as it gets, whose scheme it is, the
 * value under the cursor, and in the last row what the colours mean.
 *
 * Words come in forms, from all in large letters to one line; the panel is worth more than they are. */
#include "plot/canvas_talk.h"

#include <string.h>

#include "posviz/text.h"

enum { FOOT_FROM = 5, BAR_LEAST = 17 };

static const struct form forms[] = {
	{true, 5, VALUE_BESIDE},  {true, 5, VALUE_BELOW},  {true, 4, VALUE_BESIDE},
	{true, 4, VALUE_BELOW},	  {true, 3, VALUE_BESIDE}, {true, 3, VALUE_BELOW},
	{false, 2, VALUE_BESIDE}, {false, 2, VALUE_BELOW}, {false, 2, VALUE_ABOVE},
	{false, 1, VALUE_ABOVE},
};
enum { FORMS = sizeof forms / sizeof *forms };

/* ---- above -------------------------------------------------------------------------------------- */

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

/* What stands beside the large name: lines of what it does, the formula, which may have the last row to
 * itself. */
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

/* Beside the large name the full one, what it does, and the formula; by whom. What is said first here stays
 * longest. */
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

/* The formula, or what it does in one line, and what the panel is. */
static void draw_second_line(const struct talk *t, int row)
{
	const char *lines[ABOUT_LINES];
	const int left = t->r.col + TALK_MARGIN, right = talk_right(t);
	int used = talk_put(t, row, left, right, formula_of(t), ATTR_BOLD);
	if (used == 0 && about_lines(t, right - left, 1, lines) == 1)
		used = talk_put(t, row, left, right, lines[0], 0);
	if (t->form.value == VALUE_ABOVE)
		talk_put_right(t, row, left + used + TALK_AIR, talk_panel(t), 0);
}

/* One line, or two: the name, the full one, the value where it stands nowhere else. */
static void draw_small_head(const struct talk *t)
{
	const int row = t->r.row;
	int right = talk_right(t), col = t->r.col + TALK_MARGIN;
	if (t->form.value == VALUE_ABOVE && t->map != NULL) {
		const char *const value = talk_value(t);
		const int width = (int)text_width(value);
		talk_put(t, row, right - width, right, value, ATTR_BOLD | ATTR_ACCENT);
		right -= width > 0 ? width + TALK_AIR : 0;
	}
	if (t->form.head < 2 && t->part != NULL) {
		const int width = (int)text_width(t->short_part);
		talk_put(t, row, right - width, right, t->short_part, 0);
		right -= width + TALK_AIR;
	}
	const bool name =
		(int)(text_width(t->words->name) + text_width(t->words->title)) + TALK_AIR <=
		right - col;
	if (name)
		col += talk_put(t, row, col, right, t->words->name, ATTR_BOLD | ATTR_ACCENT) +
		       TALK_AIR;
	const int title = talk_put(t, row, col, right, t->words->title, ATTR_BOLD);
	if (title == 0)
		col += canvas_text_short(t->c, t->a, row, col, right - col, t->words->title,
					 ATTR_BOLD);
	col += title + TALK_AIR;
	const char *const pair = t->form.value == VALUE_ABOVE ? talk_pair(t) : "";
	const int width = (int)text_width(pair);
	if (width > 0 && right - width >= col) {
		talk_put(t, row, right - width, right, pair, ATTR_ACCENT);
		right -= width + TALK_AIR;
	}
	talk_put(t, row, col, right, t->words->authors, ATTR_DIM);
	if (t->form.head > 1)
		draw_second_line(t, row + 1);
}

void talk_head(const struct talk *t)
{
	(t->form.big ? draw_big_head : draw_small_head)(t);
}

/* ---- the value ---------------------------------------------------------------------------------- */

static void draw_value(const struct talk *t, int row, int col, int right)
{
	const char *const value = talk_value(t);
	const int cols = canvas_big_cols(t->c, value);
	if (cols > 0 && cols <= right - col)
		canvas_big(t->c, row, col, value);
	else
		talk_put(t, row + 1, col, right, value, ATTR_BOLD);
}

/* What the value says of others. */
static const char *const distance_lines[] = {"as every pair at", "this distance"};

static void draw_beside(const struct talk *t, int top, int bottom)
{
	const int col = talk_right(t) - t->beside + TALK_AIR, right = talk_right(t);
	int row = top;
	/* A title that has no room goes on in a second line. */
	const char *const title = t->p->title;
	size_t used, len = text_fit(title, (size_t)(right - col), &used);
	while (title[len] != '\0' && len > 0 && title[len] != ' ')
		len--;
	if (row < bottom)
		talk_put(t, row++, col, right, arena_strndup(t->a, title, len), ATTR_BOLD);
	if (title[len] != '\0' && row < bottom)
		canvas_text_short(t->c, t->a, row++, col, right - col, title + len + (len > 0),
				  ATTR_BOLD);
	if (row < bottom && talk_put(t, row++, col, right, t->p->note, ATTR_DIM) == 0)
		talk_put(t, row - 1, col, right, t->p->short_note, ATTR_DIM);
	if (t->part != NULL && row < bottom)
		talk_put(t, row++, col, right, t->part, ATTR_BOLD);
	if (!t->map->has_cursor || row + 6 > bottom)
		return;
	talk_put(t, ++row, col, right, talk_pair(t), ATTR_ACCENT | ATTR_BOLD);
	draw_value(t, row += 2, col, right);
	row += BIG_ROWS + 1;
	if (row >= bottom || talk_is_hidden(t->map))
		return;
	talk_put(t, row++, col, right, talk_apart(t), ATTR_BOLD);
	for (size_t i = 0; i < 2 && t->by_distance && row + (i == 0) < bottom; i++)
		talk_put(t, row++, col, right, distance_lines[i], 0);
}

/* Rows of what stands below the panel: its name, and in large letters the value of a cell. */
static int below_rows(const struct talk *t)
{
	return t->map->has_cursor ? BIG_ROWS : 1;
}

static void draw_below(const struct talk *t, int row)
{
	int col = t->r.col + TALK_MARGIN;
	const int right = talk_right(t);
	if (!t->map->has_cursor) {
		if (talk_put(t, row, col, right, talk_panel(t), ATTR_BOLD) == 0)
			canvas_text_short(t->c, t->a, row, col, right - col, t->p->title,
					  ATTR_BOLD);
		return;
	}
	col += talk_put(t, row + 1, col, right, talk_pair(t), ATTR_ACCENT | ATTR_BOLD) + TALK_AIR;
	draw_value(t, row, col, right);
	const int big = canvas_big_cols(t->c, talk_value(t));
	col += (big > 0 ? big : (int)text_width(talk_value(t))) + 2 * TALK_AIR;
	if (talk_put(t, row, col, right, talk_panel(t), ATTR_BOLD) == 0)
		talk_put(t, row, col, right, t->p->title, ATTR_BOLD);
	if (talk_is_hidden(t->map))
		return;
	talk_put(t, row + 1, col, right, talk_apart(t), ATTR_BOLD);
	col += (int)text_width(talk_apart(t)) + TALK_AIR;
	for (size_t i = 0; i < 2 && t->by_distance; i++)
		talk_put(t, row + 1 + (int)i, col, right, distance_lines[i], 0);
}

/* ---- the last row ------------------------------------------------------------------------------- */

void talk_foot(const struct talk *t, bool space)
{
	const int row = t->r.row + t->r.rows - 1, left = t->r.col + TALK_MARGIN;
	const int right = talk_right(t);
	if (t->map == NULL)
		return;
	const char *words = talk_colours(t, false);
	if (words != NULL && left + (int)text_width(words) + BAR_LEAST > right)
		words = talk_colours(t, true);
	const int width = talk_put(t, row, left, right, words, ATTR_BOLD);
	canvas_bar_line(t->c, t->a, row, left + width + (width > 0 ? TALK_AIR : 0), right, t->map);
	if (space && t->by_distance)
		talk_put(t, row - 1, left, right,
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
	struct rect b = {t->r.row + t->form.head, t->r.col + TALK_MARGIN,
			 t->r.rows - t->form.head - foot_rows(t), t->r.cols - 2 * TALK_MARGIN};
	if (t->map != NULL && t->form.value == VALUE_BESIDE)
		b.cols -= t->beside;
	if (t->map != NULL && t->form.value == VALUE_BELOW)
		b.rows -= below_rows(t);
	return b;
}

/* Whether the form's words have room; words and bars of a panel need more rows than they may cost. More
 * than one row below the large name is for words that need it. */
bool talk_has_words(const struct talk *t)
{
	enum { WORDY_FROM = 32 };
	const int name = name_cols(t);
	if (t->form.head > t->head_most)
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
	return (struct quality){
		.possible = true,
		.seen = 2 * (int)(v->averaged ? 0 : v->rows * v->cols) +
			canvas_has_digits(t->c, t->map, v),
		.side = v->cell_rows2 < v->cell_cols ? v->cell_rows2 : v->cell_cols,
		.words = plan->heads > 0 ? (int)canvas_words_fit(t->a, t->map, plan, plan->heads)
					 : 0};
}

static struct quality quality_of(struct talk *t, const struct form *form, struct heatmap_plan *plan)
{
	t->form = *form;
	if (t->map == NULL)
		t->form.value = VALUE_ABOVE;
	*plan = (struct heatmap_plan){0};
	const struct rect body = body_of(t);
	const struct quality q = {.possible = talk_has_words(t) && body.rows > 0 && body.cols > 0};
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

/* The first form under which as much is seen as under any, in cells not much smaller, with the most words
 * above them. */
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
		    q[i].words <= words)
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

/* A card without what the words above have said: the scheme's name and formula. */
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
	    (int)text_width(formula) <= t->r.cols - 2 * TALK_MARGIN)
		p.card.formula = NULL;
	return p;
}

void talk_draw_panel(const struct talk *t, struct heatmap_plan *plan, struct rect body)
{
	struct panel p = unsaid(t);
	if (t->map == NULL && p.title != NULL && body.rows > 3) {
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
	talk_head(t);
	talk_draw_panel(t, plan, inner);
	const int end = t->map != NULL ? plan->data.row + plan->data.rows : inner.row + inner.rows;
	int free_from = end;
	if (t->map != NULL && t->form.value == VALUE_BESIDE)
		draw_beside(t, inner.row + 1, foot);
	if (t->map != NULL && t->form.value == VALUE_BELOW) {
		const int rows = below_rows(t);
		const int row = end + rows + 2 <= foot ? end + 1 : foot - rows;
		draw_below(t, row);
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
