/* panel_columns.c: the values of a row as columns side by side. */
#include <string.h>

#include "plot/panel_in.h"

static void draw(const struct pen *pen, const struct panel *p)
{
	pen_columns(pen, &p->columns);
}

static void ascii(struct arena *a, struct panel *p)
{
	p->columns.labels = panel_ascii_all(a, p->columns.labels, p->columns.n);
}

static void say(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct columns *const c = &p->columns;
	if (c->formula)
		words_say(out, "%s", c->formula);
	if (c->rank)
		words_say(out, "%s", c->rank);
	for (size_t i = 0; i < c->n; i++)
		words_say(out, "%zu %s: %s%s", i + 1, c->labels[i],
			  c->masked && c->masked[i] ? "masked" : words_number(a, c->values[i]),
			  i == c->cursor ? ", chosen" : "");
}

static void html(struct strbuf *b, const struct panel *p)
{
	const struct columns *const c = &p->columns;
	static const char *const head[] = {"", "value", NULL};
	const double size = html_largest(c->values, c->n);
	html_table(b, "", head);
	for (size_t i = 0; i < c->n; i++) {
		html_row(b, panel_label(c->labels, i, b->arena));
		if (c->masked && c->masked[i])
			html_cell(b, "td class=\"hidden\"", "masked");
		else
			html_number(b, c->values[i], size);
		html_row_end(b);
	}
	html_table_end(b);
}

static void tex(struct tex *t, const struct panel *p)
{
	tex_columns(t, &p->columns);
}

static bool numbers(const struct panel *p, struct arena *a, struct heatmap *out)
{
	out->values = mat_zero(a, 1, p->columns.n);
	memcpy(out->values.at, p->columns.values, p->columns.n * sizeof(double));
	out->masked = p->columns.masked;
	return true;
}

static const struct colormap *colours(const struct panel *p)
{
	return p->columns.colormap;
}

const struct panel_type panel_columns = {
	.name = "weights",
	.noun = "row",
	.context = "columns",
	.least = {7, 30, 5, 20},
	.wanted = 9,
	.tallest = PANEL_BOOK,
	.smallest = {200, 6},
	.draw = draw,
	.ascii = ascii,
	.say = say,
	.html = html,
	.tex = tex,
	.colours = colours,
	.numbers = numbers,
};
