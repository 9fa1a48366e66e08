/* panel_bars.c: bars with their labels and values. */
#include <math.h>
#include <stdlib.h>

#include "plot/canvas_pen.h"
#include "plot/panel_in.h"
#include "plot/raster_pen.h"

/* Bars; and lines of a usual page, which has the names of bars and a unit in these. */
enum { MOST = 60, NAMED = 11 };

static int rows(const struct panel *p, const struct panel_room *room, bool all)
{
	const struct bars *const b = &p->bars;
	(void)all;
	if (b->axis) {
		const struct rect inner = {.rows = 1, .cols = room->cols - BOX_COLS};
		struct canvas like = *room->like;
		const struct pen pen = pen_cells(&like, room->a, inner);
		return BOX_ROWS + (int)pen_bars_wish(&pen, b);
	}
	const int n = (int)(b->n < MOST ? b->n : MOST);
	const int unit = b->unit != NULL && *b->unit != '\0';
	/* Bars that have a wide row to themselves are in columns as soon as this makes the row
	 * flatter. */
	const int beside =
		room->alone ? pen_bars_beside(b, PANEL_BARS_ALONE, room->cols - BOX_COLS) : 1;
	return (n + beside - 1) / beside + BOX_ROWS + unit;
}

static struct size body(struct page *page, const struct panel *p, double width)
{
	if (p->bars.axis) {
		const struct pen pen = pen_page(page, (struct area){.w = width});
		const double lines = pen_bars_wish(&pen, &p->bars) / pen.line;
		return panel_body(page, 180, lines);
	}
	const double most = page->compact || page->given > 0 ? 6 : NAMED;
	return panel_body(page, 180, fmin(most, fmax(5, (double)p->bars.n + 2)));
}

static void draw(const struct pen *pen, const struct panel *p)
{
	pen_bars(pen, &p->bars);
}

static void ascii(struct arena *a, struct panel *p)
{
	p->bars.labels = panel_ascii_all(a, p->bars.labels, p->bars.n);
	if (p->bars.legend != NULL)
		p->bars.legend = panel_ascii(a, p->bars.legend);
	if (p->bars.legend_more != NULL)
		p->bars.legend_more = panel_ascii(a, p->bars.legend_more);
	if (p->bars.notes != NULL)
		p->bars.notes = panel_ascii_all(a, p->bars.notes, p->bars.n);
	if (p->bars.briefs != NULL)
		p->bars.briefs = panel_ascii_all(a, p->bars.briefs, p->bars.n);
}

struct rank {
	double value;
	size_t at;
};

static int by_value(const void *x, const void *y)
{
	const struct rank *const a = x, *const b = y;
	if (isnan(a->value) || isnan(b->value))
		return isnan(a->value) - isnan(b->value);
	if (a->value > b->value || a->value < b->value)
		return a->value > b->value ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static void say(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct bars *const b = &p->bars;
	struct rank *const ranks = arena_calloc(a, b->n + 1, sizeof *ranks);
	for (size_t i = 0; i < b->n; i++)
		ranks[i] = (struct rank){b->values[i], i};
	qsort(ranks, b->n, sizeof *ranks, by_value);
	if (b->unit && *b->unit)
		words_say(out, "Each: %s", b->unit);
	for (size_t i = 0; i < b->n; i++) {
		const size_t at = ranks[i].at;
		const char *const note = b->notes ? b->notes[at] : NULL;
		const bool marked = b->marks && isfinite(b->marks[at]);
		words_say(out, "%zu. %s: %s%s%s%s%s%s%s%s", i + 1, b->labels[at],
			  note && *note ? note : words_number(a, b->values[at]), marked ? ", " : "",
			  marked ? b->mark_title : "", marked ? " " : "",
			  marked ? words_number(a, b->marks[at]) : "",
			  b->off && b->off[at] ? ", off" : "",
			  b->has_cursor && b->cursor == at ? ", chosen" : "",
			  b->marked && b->marked[at] ? ", pointed out" : "");
	}
}

static void html(struct strbuf *b, const struct panel *p)
{
	const struct bars *const bars = &p->bars;
	const char *const head[] = {"", bars->unit && *bars->unit ? bars->unit : "value",
				    bars->marks ? bars->mark_title : NULL, NULL};
	const double size = html_largest(bars->values, bars->n);
	html_table(b, "", head);
	for (size_t i = 0; i < bars->n; i++) {
		html_row(b, bars->labels[i]);
		if (bars->notes)
			html_cell(b, "td", bars->notes[i]);
		else
			html_number(b, bars->values[i], size);
		if (bars->marks && isnan(bars->marks[i]))
			html_cell(b, "td", "");
		else if (bars->marks)
			html_number(b, bars->marks[i], size);
		html_row_end(b);
	}
	html_table_end(b);
}

static void tex(struct tex *t, const struct panel *p)
{
	tex_bars(t, &p->bars);
}

static const char *const *names(const struct panel *p, enum mark_kind kind, struct arena *a,
				size_t *n)
{
	return kind == MARK_LINE && p->bars.labels ? panel_names(p->bars.labels, p->bars.n, a, n)
						   : NULL;
}

static void mark(struct panel *p, const struct mark *marks, size_t n, size_t memory,
		 struct arena *a)
{
	(void)memory;
	p->bars.marked = panel_mark_names(p, MARK_LINE, marks, n, a);
}

const struct panel_type panel_bars = {
	.name = "bars",
	.noun = "ranking",
	.context = "bars",
	.words = true,
	.least = {6, 26, 5, 18},
	.rows = rows,
	.body = body,
	.draw = draw,
	.ascii = ascii,
	.say = say,
	.html = html,
	.tex = tex,
	.names = names,
	.mark = mark,
};
