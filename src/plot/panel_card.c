/* panel_card.c: a card: a formula, lines of key and value, a sentence. */
#include "plot/panel_in.h"

static int rows(const struct panel *p, const struct panel_room *room, bool all)
{
	struct canvas like = {0}, own = *room->like;
	const int inner = room->cols - BOX_COLS;
	const struct pen pen =
		pen_cells(&like, room->a, (struct rect){.cols = inner > 1 ? inner : 1});
	const int n = BOX_ROWS + (int)pen_card_wish(&pen, &p->card);
	(void)all;
	return room->digits ? n + (BIG_ROWS + 1) * canvas_card_numbers(&own, room->a, &p->card) : n;
}

static void cells(struct canvas *c, struct arena *a, struct rect inner, const struct panel *p,
		  const struct heatmap_plan *plan)
{
	enum { LARGE_FROM = 12 }; /* rows of a card with large digits and its other lines */
	const struct pen pen = pen_cells(c, a, inner);
	(void)plan;
	if (inner.rows < LARGE_FROM || canvas_card_numbers(c, a, &p->card) == 0 ||
	    !canvas_card_big(c, a, inner, &p->card))
		panel_draw(&pen, p);
}

static struct size body(struct page *page, const struct panel *p, double width)
{
	const struct pen pen = pen_page(page, (struct area){.w = width});
	return (struct size){120 * page->type, pen_card_least(&pen, &p->card)};
}

static void draw(const struct pen *pen, const struct panel *p)
{
	pen_card(pen, &p->card);
}

static void ascii(struct arena *a, struct panel *p)
{
	p->card.about = panel_ascii(a, p->card.about);
	p->card.lines = panel_ascii_lines(a, p->card.lines, p->card.n);
}

/* Writes lines "key: value. note". */
static void say(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct card *const c = &p->card;
	if (c->about)
		words_say(out, "%s", c->about);
	if (c->formula)
		words_say(out, "formula: %s", figure_formula(a, c->formula));
	for (size_t i = 0; i < c->n; i++) {
		const struct card_line *const l = &c->lines[i];
		const bool value = l->value && *l->value, note = l->note && *l->note;
		words_say(out, "%s%s%s%s%s%s", l->key ? l->key : "", l->key ? ": " : "",
			  l->key && card_is_marked(c, i) ? "(pointed out) " : "",
			  l->formula ? figure_formula(a, l->formula)
			  : value    ? l->value
				     : "",
			  value && note ? ". " : "", note ? l->note : "");
	}
}

/* A line without a key continues the one before it. */
static void html(struct strbuf *b, const struct panel *p)
{
	const struct card *const card = &p->card;
	static const char *const head[] = {"", "value", "note", NULL};
	html_line(b, "p", card->formula ? figure_formula(b->arena, card->formula) : card->formula);
	html_line(b, "p", card->about);
	const size_t n = card->n - (card->n_keys < card->n ? card->n_keys : card->n);
	if (n == 0)
		return;
	html_table(b, "", head);
	for (size_t i = 0; i < n; i++) {
		const struct card_line *const l = &card->lines[i];
		html_row(b, l->key);
		html_cell(b, "td class=\"words\"",
			  l->formula ? figure_formula(b->arena, l->formula) : l->value);
		html_cell(b, "td class=\"words\"", l->note);
		html_row_end(b);
	}
	html_table_end(b);
}

static const char *const *names(const struct panel *p, enum mark_kind kind, struct arena *a,
				size_t *n)
{
	if (kind != MARK_LINE)
		return NULL;
	const char **const out = arena_calloc(a, p->card.n + 1, sizeof *out);
	for (size_t i = 0; i < p->card.n; i++)
		out[i] = p->card.lines[i].key;
	*n = p->card.n;
	return out;
}

static void mark(struct panel *p, const struct mark *marks, size_t n, size_t memory,
		 struct arena *a)
{
	(void)memory;
	p->card.marked = panel_mark_names(p, MARK_LINE, marks, n, a);
}

const struct panel_type panel_card = {
	.name = "card",
	.noun = "facts",
	.context = "card",
	.words = true,
	.least = {7, 36, 5, 20},
	.rows = rows,
	.cells = cells,
	.body = body,
	.draw = draw,
	.ascii = ascii,
	.say = say,
	.html = html,
	.names = names,
	.mark = mark,
};
