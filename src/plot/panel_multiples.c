/* panel_multiples.c: small matrices side by side. */
#include "plot/panel_in.h"

static int rows(const struct panel *p, const struct panel_room *room, bool all)
{
	(void)p, (void)all;
	return room->screen;
}

static void cells(struct canvas *c, struct arena *a, struct rect inner, const struct panel *p,
		  const struct heatmap_plan *plan)
{
	(void)plan;
	canvas_multiples(c, a, inner, &p->multiples);
}

static struct multiple *ascii_items(struct arena *a, const struct multiples *m)
{
	struct multiple *const out = arena_calloc(a, m->n, sizeof *out);
	for (size_t i = 0; i < m->n; i++) {
		out[i] = m->items[i];
		panel_ascii_map(a, &out[i].map);
	}
	return out;
}

static void ascii(struct arena *a, struct panel *p)
{
	p->multiples.items = ascii_items(a, &p->multiples);
}

static void say(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct multiples *const m = &p->multiples;
	for (size_t i = 0; i < m->n; i++) {
		const struct multiple *const item = &m->items[i];
		double lo = 0, hi = 0;
		strbuf_printf(out, "%s%s", item->title, i == m->chosen ? ", the chosen one" : "");
		if (item->note)
			strbuf_printf(out, "; %s", item->note);
		strbuf_add_char(out, '\n');
		if (item->map.values.at && mat_range(item->map.values, &lo, &hi)) {
			strbuf_printf(out, "  values from %s to %s", words_number(a, lo),
				      words_number(a, hi));
			for (size_t f = 0; f < m->n_facts; f++)
				strbuf_printf(out, "; %s %s", m->facts[f], item->facts[f]);
			strbuf_add_char(out, '\n');
		}
	}
}

static void html(struct strbuf *b, const struct panel *p)
{
	const struct multiples *const m = &p->multiples;
	size_t cells = 0;
	for (size_t i = 0; i < m->n; i++)
		cells += m->items[i].map.values.rows * m->items[i].map.values.cols;
	for (size_t i = 0; i < m->n && cells <= HTML_CELLS; i++)
		panel_heatmap_html(b, &m->items[i].map, m->items[i].title);
	(void)html_is_too_much(b, cells);
}

static const char *excess(const struct panel *p, struct arena *a)
{
	return tex_multiples_fit(&p->multiples)
		       ? NULL
		       : arena_printf(a, "has more than the %d cells that TeX's memory holds",
				      TEX_CELLS * TEX_CELLS);
}

static struct heatmap *matrix(struct panel *p, size_t i)
{
	return i < p->multiples.n ? &p->multiples.items[i].map : NULL;
}

static void mark(struct panel *p, const struct mark *marks, size_t n, size_t memory,
		 struct arena *a)
{
	(void)memory;
	for (size_t i = 0; !p->no_cursor && i < p->multiples.n; i++)
		panel_heatmap_mark(&p->multiples.items[i].map, marks, n, a);
}

const struct panel_type panel_multiples = {
	.name = "heads",
	.noun = "small multiples",
	.context = "multiples",
	.least = {7, 20, 5, 12},
	.rows = rows,
	.cells = cells,
	.body = raster_multiples_least,
	.page = raster_multiples_draw,
	.ascii = ascii,
	.say = say,
	.html = html,
	.tex = tex_multiples,
	.excess = excess,
	.matrix = matrix,
	.mark = mark,
};
