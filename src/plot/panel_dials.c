/* panel_dials.c: dials whose hands show rotations. */
#include <math.h>

#include "plot/panel_in.h"

static int rows(const struct panel *p, const struct panel_room *room, bool all)
{
	struct canvas like = *room->like;
	const int cols = room->cols - BOX_COLS;
	const struct pen pen =
		pen_cells(&like, room->a, (struct rect){.cols = cols > 1 ? cols : 1});
	(void)all;
	return BOX_ROWS + (int)pen_dials_wish(&pen, &p->dials);
}

static struct size body(struct page *page, const struct panel *p, double width)
{
	const struct pen pen = pen_page(page, (struct area){.w = width});
	return (struct size){260 * page->type, page->as_needed && !p->absent
						       ? pen_dials_wish(&pen, &p->dials)
						       : 10 * page->line[FACE_TEXT]};
}

static void draw(const struct pen *pen, const struct panel *p)
{
	pen_dials(pen, &p->dials);
}

static void ascii(struct arena *a, struct panel *p)
{
	struct dials *const d = &p->dials;
	struct dial *const at = arena_calloc(a, d->n + 1, sizeof *at);
	for (size_t i = 0; i < d->n; i++) {
		at[i] = d->at[i];
		const char **const texts[] = {&at[i].title, &at[i].brief_title, &at[i].note,
					      &at[i].brief_note};
		for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
			*texts[k] = panel_ascii(a, *texts[k]);
	}
	d->at = at;
	for (size_t i = 0; i < DIAL_HANDS; i++) {
		d->names[i] = panel_ascii(a, d->names[i]);
		d->brief_names[i] = panel_ascii(a, d->brief_names[i]);
	}
	d->value_title = panel_ascii(a, d->value_title);
	d->sum = panel_ascii(a, d->sum);
	d->about = panel_ascii(a, d->about);
}

static bool says(const char *text)
{
	return text && *text;
}

/* Writes "1. θ = 0.32, round in 20 words: 100°, before 154°; adds −0.06, before −0.31". */
static void say_dial(const struct dials *d, size_t i, struct strbuf *out, struct arena *a)
{
	const struct dial *const k = &d->at[i];
	struct strbuf b;
	strbuf_init(&b, a);
	strbuf_printf(&b, "%zu. %s", i + 1, k->title ? k->title : "");
	if (says(k->note))
		strbuf_printf(&b, ", %s", k->note);
	if (says(k->angle))
		strbuf_printf(&b, ": %s", k->angle);
	if (says(k->angle_before))
		strbuf_printf(&b, ", %s", k->angle_before);
	if (!isnan(k->after))
		strbuf_printf(&b, "; adds %s", words_number(a, k->after));
	if (!isnan(k->after) && !isnan(k->before))
		strbuf_printf(&b, ", before %s", words_number(a, k->before));
	words_say(out, "%s%s", b.at, d->has_cursor && d->cursor == i ? ", chosen" : "");
}

static void say(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct dials *const d = &p->dials;
	for (size_t i = 0; i < DIAL_HANDS; i++)
		if (d->names[i])
			words_say(out, "Hand %zu: %s", i + 1, d->names[i]);
	if (says(d->value_title))
		words_say(out, "Each adds: %s", d->value_title);
	for (size_t i = 0; i < d->n; i++)
		say_dial(d, i, out, a);
	if (says(d->sum))
		words_say(out, "%s", d->sum);
	if (says(d->about))
		words_say(out, "%s", d->about);
}

static void html(struct strbuf *b, const struct panel *p)
{
	const struct dials *const d = &p->dials;
	const char *const head[] = {"", "angle", "before", d->value_title ? d->value_title : NULL,
				    NULL};
	html_table(b, "", head);
	for (size_t i = 0; i < d->n; i++) {
		html_row(b, d->at[i].title);
		html_cell(b, "td", d->at[i].angle);
		html_cell(b, "td", d->at[i].angle_before);
		if (d->value_title)
			html_cell(b, "td", dials_value(b->arena, d, d->at[i].after, false));
		html_row_end(b);
	}
	html_table_end(b);
	html_line(b, "p", d->sum);
}

static void tex(struct tex *t, const struct panel *p)
{
	tex_dials(t, &p->dials);
}

static bool empty(const struct panel *p)
{
	return p->dials.n == 0;
}

/* Returns the end points of each dial's hands, a row each, and its addends. Angles themselves would
 * jump by a whole turn for differences as small as rounding. */
static bool numbers(const struct panel *p, struct arena *a, struct heatmap *out)
{
	const struct dials *const d = &p->dials;
	enum { EACH = 4 };
	const struct mat m = mat_zero(a, d->n, DIAL_HANDS * EACH + 2);
	for (size_t i = 0; i < d->n; i++) {
		double *at = mat_row(m, i);
		for (size_t k = 0; k < (d->names[1] ? DIAL_HANDS : 1); k++, at += EACH) {
			const struct dial_hand *const h = &d->at[i].hands[k];
			const double angles[] = {h->before, h->after};
			for (size_t n = 0; n < 2; n++) {
				at[2 * n] = h->length * cos(angles[n]);
				at[2 * n + 1] = h->length * sin(angles[n]);
			}
		}
		mat_row(m, i)[DIAL_HANDS * EACH] = d->at[i].before;
		mat_row(m, i)[DIAL_HANDS * EACH + 1] = d->at[i].after;
	}
	out->values = m;
	return true;
}

static const struct colormap *colours(const struct panel *p)
{
	return p->dials.colormap;
}

const struct panel_type panel_dials = {
	.name = "dials",
	.noun = "dials",
	.context = "dials",
	.least = {10, 36, 8, 24},
	.rows = rows,
	.body = body,
	.draw = draw,
	.ascii = ascii,
	.say = say,
	.html = html,
	.tex = tex,
	.empty = empty,
	.colours = colours,
	.numbers = numbers,
};
