/* canvas_plain.c: a panel for terminals that have only ASCII: "the#2" for "the₂", "+-" for "±".
 *
 * Other signs keep their width and are replaced where they are written; these grow, so that they are
 * replaced before anything is measured. Formulas have digits of their own (canvas_formula). */
#include <string.h>

#include "plot/canvas_in.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

struct spelling {
	const char *sign, *name;
};

static const struct spelling *spelling_at(const char *at)
{
	static const struct spelling signs[] = {
		{"±", "+-"},  {"§", "section "}, {"√", "sqrt "}, {"∞", "inf"},	 {"½", "1/2"},
		{"¼", "1/4"}, {"⅛", "1/8"},	 {"²", "^2"},	 {"≥", ">="},	 {"⌊", "floor("},
		{"⌋", ")"},   {"⁻", "^-"},	 {"⁶", "6"},	 {"θ", "theta"}, {NULL}};
	const struct spelling *s = signs;
	while (s->sign != NULL && strncmp(s->sign, at, strlen(s->sign)) != 0)
		s++;
	return s->sign != NULL ? s : NULL;
}

const char *canvas_plain_text(struct arena *a, const char *text)
{
	struct strbuf out;
	strbuf_init(&out, a);
	for (const char *at = text_occurrence_plain(a, text); *at != '\0';) {
		const struct spelling *const s = spelling_at(at);
		if (s == NULL) {
			strbuf_add_char(&out, *at++);
			continue;
		}
		strbuf_add(&out, s->name);
		at += strlen(s->sign);
	}
	return out.at;
}

static const char *plain(struct arena *a, const char *text)
{
	return text != NULL ? canvas_plain_text(a, text) : NULL;
}

static const char *const *plain_all(struct arena *a, const char *const *texts, size_t n)
{
	if (texts == NULL)
		return NULL;
	const char **const out = arena_calloc(a, n, sizeof *out);
	for (size_t i = 0; i < n; i++)
		out[i] = plain(a, texts[i]);
	return out;
}

static const struct card_line *plain_lines(struct arena *a, const struct card_line *lines, size_t n)
{
	struct card_line *const out = arena_calloc(a, n, sizeof *out);
	for (size_t i = 0; i < n; i++)
		out[i] = (struct card_line){plain(a, lines[i].key), plain(a, lines[i].value),
					    plain(a, lines[i].note), lines[i].formula};
	return out;
}

static const struct sum_step *plain_steps(struct arena *a, const struct sum_step *steps, size_t n)
{
	struct sum_step *const out = arena_calloc(a, n, sizeof *out);
	for (size_t i = 0; i < n; i++) {
		out[i] = steps[i];
		out[i].about = plain(a, steps[i].about);
	}
	return out;
}

static void plain_map(struct arena *a, struct heatmap *h)
{
	h->row_labels = plain_all(a, h->row_labels, h->values.rows);
	h->col_labels = plain_all(a, h->col_labels, h->values.cols);
}

static struct multiple *plain_items(struct arena *a, const struct multiples *m)
{
	struct multiple *const out = arena_calloc(a, m->n, sizeof *out);
	for (size_t i = 0; i < m->n; i++) {
		out[i] = m->items[i];
		plain_map(a, &out[i].map);
	}
	return out;
}

static void plain_dials(struct arena *a, struct dials *d)
{
	struct dial *const at = arena_calloc(a, d->n + 1, sizeof *at);
	for (size_t i = 0; i < d->n; i++) {
		at[i] = d->at[i];
		const char **const texts[] = {&at[i].title, &at[i].brief_title, &at[i].note,
					      &at[i].brief_note};
		for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
			*texts[k] = plain(a, *texts[k]);
	}
	d->at = at;
	for (size_t i = 0; i < DIAL_HANDS; i++) {
		d->names[i] = plain(a, d->names[i]);
		d->brief_names[i] = plain(a, d->brief_names[i]);
	}
	d->value_title = plain(a, d->value_title);
	d->sum = plain(a, d->sum);
	d->about = plain(a, d->about);
}

static void plain_plane(struct arena *a, struct plane *p)
{
	struct plane_point *const at = arena_calloc(a, p->n + 1, sizeof *at);
	for (size_t i = 0; i < p->n; i++)
		at[i] = (struct plane_point){p->at[i].x, p->at[i].y, plain(a, p->at[i].label)};
	p->at = at;
	p->x_title = plain(a, p->x_title);
	p->y_title = plain(a, p->y_title);
}

static const struct table_sign *plain_signs(struct arena *a, const struct table_sign *from,
					    size_t n)
{
	struct table_sign *const to = arena_calloc(a, n + 1, sizeof *to);
	for (size_t i = 0; i < n; i++)
		to[i] = (struct table_sign){plain(a, from[i].sign), plain(a, from[i].means)};
	return to;
}

static void plain_inside(struct arena *a, struct panel *p)
{
	struct links *const l = &p->links;
	switch (p->kind) {
	case PANEL_HEATMAP:
		plain_map(a, &p->heatmap);
		break;
	case PANEL_LINKS:
		l->above = plain_all(a, l->above, l->n_above);
		l->below = plain_all(a, l->below, l->n_below);
		break;
	case PANEL_STRUCTURE:
		p->drawing.tokens = plain_all(a, p->drawing.tokens, p->drawing.n_tokens);
		break;
	case PANEL_COLUMNS:
		p->columns.labels = plain_all(a, p->columns.labels, p->columns.n);
		break;
	case PANEL_CARD:
		p->card.about = plain(a, p->card.about);
		p->card.lines = plain_lines(a, p->card.lines, p->card.n);
		break;
	case PANEL_WATERFALL:
		p->waterfall.steps = plain_steps(a, p->waterfall.steps, p->waterfall.n);
		p->waterfall.facts = plain_lines(a, p->waterfall.facts, p->waterfall.n_facts);
		break;
	case PANEL_TABLE:
		p->table.signs = plain_signs(a, p->table.signs, p->table.n_signs);
		p->table.cells = plain_all(a, p->table.cells, p->table.rows * p->table.cols);
		break;
	case PANEL_MULTIPLES:
		p->multiples.items = plain_items(a, &p->multiples);
		break;
	case PANEL_DIALS:
		plain_dials(a, &p->dials);
		break;
	case PANEL_PLANE:
		plain_plane(a, &p->plane);
		break;
	case PANEL_BARS:
		p->bars.labels = plain_all(a, p->bars.labels, p->bars.n);
		break;
	case PANEL_CURVES:
		break;
	}
}

struct panel canvas_plain(struct arena *a, const struct panel *p)
{
	struct panel out = *p;
	out.title = plain(a, p->title);
	out.brief_title = plain(a, p->brief_title);
	out.note = plain(a, p->note);
	out.short_note = plain(a, p->short_note);
	if (p->absent == NULL)
		plain_inside(a, &out);
	return out;
}
