/* canvas_plain.c: a panel for terminals that have only ASCII: "the#2" for "the₂", "+-" for "±".
 *
 * Signs that keep their width are replaced when they are written; the signs here become longer, so
 * they are replaced before anything is measured. Formulas have a spelling of their own
 * (canvas_formula). */
#include <string.h>

#include "plot/canvas_in.h"
#include "plot/panel_in.h"
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

const char *panel_ascii(struct arena *a, const char *text)
{
	return text != NULL ? canvas_plain_text(a, text) : NULL;
}

const char *const *panel_ascii_all(struct arena *a, const char *const *texts, size_t n)
{
	if (texts == NULL)
		return NULL;
	const char **const out = arena_calloc(a, n, sizeof *out);
	for (size_t i = 0; i < n; i++)
		out[i] = panel_ascii(a, texts[i]);
	return out;
}

const struct card_line *panel_ascii_lines(struct arena *a, const struct card_line *lines, size_t n)
{
	struct card_line *const out = arena_calloc(a, n, sizeof *out);
	for (size_t i = 0; i < n; i++)
		out[i] = (struct card_line){panel_ascii(a, lines[i].key),
					    panel_ascii(a, lines[i].value),
					    panel_ascii(a, lines[i].note), lines[i].formula};
	return out;
}

void panel_ascii_map(struct arena *a, struct heatmap *h)
{
	h->row_labels = panel_ascii_all(a, h->row_labels, h->values.rows);
	h->col_labels = panel_ascii_all(a, h->col_labels, h->values.cols);
}

struct panel canvas_plain(struct arena *a, const struct panel *p)
{
	struct panel out = *p;
	out.title = panel_ascii(a, p->title);
	out.brief_title = panel_ascii(a, p->brief_title);
	out.least_title = panel_ascii(a, p->least_title);
	out.note = panel_ascii(a, p->note);
	out.short_note = panel_ascii(a, p->short_note);
	if (p->absent == NULL && panel_type(p)->ascii != NULL)
		panel_type(p)->ascii(a, &out);
	return out;
}
