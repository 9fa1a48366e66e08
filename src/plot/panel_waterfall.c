/* panel_waterfall.c: a sum, step by step. */
#include <math.h>

#include "plot/panel_in.h"

static int rows(const struct panel *p, const struct panel_room *room, bool all)
{
	struct canvas like = {0};
	const int cols = room->cols - BOX_COLS;
	const struct pen pen =
		pen_cells(&like, room->a, (struct rect){.cols = cols > 1 ? cols : 1});
	(void)all;
	return BOX_ROWS + (int)pen_waterfall_wish(&pen, &p->waterfall);
}

static struct size body(struct page *page, const struct panel *p, double width)
{
	(void)width;
	return panel_body(page, 260, fmin(11, fmax(4, (double)p->waterfall.n + 3)));
}

static void draw(const struct pen *pen, const struct panel *p)
{
	pen_waterfall(pen, &p->waterfall);
}

static const struct sum_step *ascii_steps(struct arena *a, const struct sum_step *steps, size_t n)
{
	struct sum_step *const out = arena_calloc(a, n, sizeof *out);
	for (size_t i = 0; i < n; i++) {
		out[i] = steps[i];
		out[i].about = panel_ascii(a, steps[i].about);
	}
	return out;
}

static void ascii(struct arena *a, struct panel *p)
{
	p->waterfall.steps = ascii_steps(a, p->waterfall.steps, p->waterfall.n);
	p->waterfall.facts = panel_ascii_lines(a, p->waterfall.facts, p->waterfall.n_facts);
}

/* Writes "plus, query–Kʳ (dog · Kʳ at −3): 0.55". */
static void say(const struct panel *p, struct strbuf *out, struct arena *a)
{
	static const char *const words[] = {
		[STEP_ADDEND] = "plus", [STEP_TOTAL] = "total", [STEP_NOTE] = "note"};
	const struct waterfall *const w = &p->waterfall;
	for (size_t i = 0; i < w->n_facts; i++) {
		const struct card_line *const f = &w->facts[i];
		words_say(out, "%s%s%s%s%s", f->key ? f->key : "", f->key ? ": " : "",
			  f->value ? f->value : "", f->value && f->note ? ", " : "",
			  f->note ? f->note : "");
	}
	for (size_t i = 0; i < w->n; i++) {
		const struct sum_step *const s = &w->steps[i];
		const char *const about = s->about ? s->about : "";
		words_say(out, "%s, %s%s%s%s: %s", words[s->kind], s->label, *about ? " (" : "",
			  about, *about ? ")" : "",
			  s->kind == STEP_NOTE ? s->text : words_number(a, s->value));
	}
}

static void html(struct strbuf *b, const struct panel *p)
{
	const struct waterfall *const w = &p->waterfall;
	const char *const head[] = {w->label_title ? w->label_title : "", "of",
				    w->value_title ? w->value_title : "value", NULL};
	html_table(b, "", head);
	for (size_t i = 0; i < w->n; i++) {
		html_row(b, w->steps[i].label);
		html_cell(b, "td class=\"words\"", w->steps[i].about);
		if (w->steps[i].kind == STEP_NOTE)
			html_cell(b, "td", w->steps[i].text);
		else
			html_number(b, w->steps[i].value, INFINITY);
		html_row_end(b);
	}
	html_table_end(b);
}

static void tex(struct tex *t, const struct panel *p)
{
	tex_waterfall(t, &p->waterfall);
}

/* Returns the steps of a sum as a row; notes have no number. */
static bool numbers(const struct panel *p, struct arena *a, struct heatmap *out)
{
	const struct waterfall *const sum = &p->waterfall;
	const struct mat m = mat_zero(a, 1, sum->n);
	for (size_t i = 0; i < sum->n; i++)
		m.at[i] = sum->steps[i].kind == STEP_NOTE ? 0 : sum->steps[i].value;
	out->values = m;
	return true;
}

static const struct colormap *colours(const struct panel *p)
{
	return p->waterfall.colormap;
}

const struct panel_type panel_waterfall = {
	.name = "sum",
	.noun = "sum",
	.context = "waterfall",
	.least = {8, 36, 6, 20},
	.rows = rows,
	.tallest = PANEL_BOOK,
	.body = body,
	.draw = draw,
	.ascii = ascii,
	.say = say,
	.html = html,
	.tex = tex,
	.colours = colours,
	.numbers = numbers,
};
