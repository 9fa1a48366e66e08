/* test_words_shown.c: what a word on the screen means, help says: titles, notes, axes, labels and bars of every
 * view and of every scheme (each in a third of the views), the line of the cell and the keys below it. */
#include <ctype.h>
#include <string.h>

#include "test.h"
#include "help_app.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_frame.h"
#include "help_sample.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/figures/source_figure.h"
#include "posviz/picture/picture.h"

FIXTURE(open_arena, close_arena)

/* ---- what needs no help --------------------------------------------------------------------------- */

/* English, and what the keys do. */
static const char plain[] =
	" a above across added adds against all along also and are as at away before behind below between but by can "
	"change chosen counts did differ directly does down each earlier either embedded every first fixed from front "
	"being given here hidden how if in into is it its keep labels largest later left look made many means measure measured minus move new next no not note "
	"nothing of off often on one only open or other out over pair pairs past query's root same sees sets shortest "
	"shown source step steps still sum's than that the their them these this those to together total two under unmasked "
	"was way what where with within without would written your ";

/* What was looked at, its words, and where. */
struct looking {
	struct app app;
	const struct scheme *scheme;
	const char *view;
	struct strbuf seen;	    /* texts that were looked up, each between newlines, */
	struct strbuf helped, not ; /* and words that have help, and that have none */
	struct strbuf unknown;
};

static bool is_plain(const char *word)
{
	return text_contains(plain, arena_printf(&arena, " %s ", word));
}

/* A number, also 4e-16, and signs. */
static bool has_no_letters(const char *word)
{
	uint32_t code;
	size_t n;
	for (const char *at = word; *at; at += n) {
		n = text_decode(at, strlen(at), &code);
		assert_true(n > 0);
		if (!isdigit((unsigned char)*at) && !text_symbol(code) && *at != 'e')
			return false;
	}
	return true;
}

/* The sentence, in the words of its labels, and of a figure's the word that is looked from. */
static bool is_token(const char *word)
{
	static const char *const tokens[] = {"the₁",   "cat",	 "that",   "the₂",    "dog",
					     "chased", "fell",	 "asleep", "[VNode]", "talk",
					     "[PAD]",  "[PAD]₁", "[PAD]₂"};
	for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++)
		if (strcmp(tokens[i], word) == 0)
			return true;
	return false;
}

/* f(x), and the beginning of f(A, B). */
static bool is_formula(const char *word)
{
	return strchr(word + 1, '(') != NULL;
}

static bool is_in(const char *text, const char *word)
{
	return text && strstr(text_typed(&arena, text), text_typed(&arena, word));
}

/* Schemes have help of their own, which has their formula, authors and what their parameters can be. */
static bool is_of_scheme(const struct scheme *m, const char *word)
{
	if (is_in(m->id, word) || is_in(m->title, word) || is_in(m->authors, word) ||
	    is_in(m->formula, word))
		return true;
	for (const struct param *p = m->params; p && p->name; p++)
		if (is_in(value_range(&p->type, &arena), word) || is_in(p->type.def_text, word))
			return true;
	return false;
}

static bool is_noted(const struct strbuf *words, const char *word)
{
	return strstr(words->at, arena_printf(&arena, "\n%s\n", word)) != NULL;
}

static bool has_help(struct looking *l, const char *word)
{
	const struct help_topic *topics;
	size_t n;
	struct err err;
	struct arena a;
	if (is_noted(&l->helped, word) || is_noted(&l->not, word))
		return is_noted(&l->helped, word);
	arena_init(&a);
	const bool found = topics_find(&l->app, word, &a, &topics, &n, &err);
	arena_release(&a);
	strbuf_printf(found ? &l->helped : &l->not, "\n%s\n", word);
	return found;
}

static bool is_known(struct looking *l, const char *text)
{
	return has_no_letters(text) || is_plain(text) || is_token(text) || has_help(l, text) ||
	       is_formula(text) || is_of_scheme(l->scheme, text);
}

/* ---- texts ----------------------------------------------------------------------------------------- */

/* A word without the signs around it. */
static const char *bare(const char *word)
{
	static const char signs[] = "()|.,\"";
	char *const out = arena_strdup(&arena, word + strspn(word, signs));
	for (size_t n = strlen(out); n > 0 && strchr(signs, out[n - 1]); n--)
		out[n - 1] = '\0';
	return out;
}

/* "norm", "0.35" and "if reversed" of "norm 0.35 if reversed": as much of the beginning as help knows, and so
 * on behind it. */
static bool is_explained(struct looking *l, const char *text)
{
	text += strspn(text, " ");
	char *const begin = arena_strdup(&arena, text);
	for (char *end = begin + strlen(begin); end; end = strrchr(begin, ' ')) {
		*end = '\0';
		if (is_known(l, begin) || (!strchr(begin, ' ') && is_known(l, bare(begin))))
			return !text[end - begin] || is_explained(l, text + (end - begin));
	}
	return false;
}

/* Numbers make no other text of it. */
static void look_up(struct looking *l, const char *text)
{
	char *const form = arena_printf(&arena, "\n%s\n", text);
	for (char *at = form; *at; at++)
		*at = isdigit((unsigned char)*at) ? '1' : *at;
	if (*text == '\0' || strstr(l->seen.at, form))
		return;
	strbuf_add(&l->seen, form);
	if (!is_explained(l, text))
		strbuf_printf(&l->unknown, "%s of %s: %s\n", l->view, l->scheme->id, text);
}

/* Its parts: "head 1 of 4 · layer 1" has two. */
static void note(struct looking *l, const char *text)
{
	static const char *const between[] = {" · ", "  ", ", ", ": ", "; ", " → ", "…", "⏎ ", "“"};
	char *rest = text ? arena_strdup(&arena, text) : NULL;
	while (rest) {
		char *end = NULL;
		size_t len = 0;
		for (size_t i = 0; i < sizeof between / sizeof *between; i++) {
			char *const at = strstr(rest, between[i]);
			if (at && (!end || at < end)) {
				end = at;
				len = strlen(between[i]);
			}
		}
		if (end)
			*end = '\0';
		look_up(l, rest + strspn(rest, " "));
		rest = end ? end + len : NULL;
	}
}

static void note_map(struct looking *l, const struct heatmap *h)
{
	note(l, h->row_title);
	note(l, h->col_title);
	note(l, h->colormap->name);
	note(l, h->masked_as);
	note(l, scale_mode_names[h->scale.mode]);
	note(l, heatmap_end_words(&arena, h, false, true));
	note(l, heatmap_end_words(&arena, h, true, true));
	if (h->even > 0)
		note(l, arena_printf(&arena, "1/%.0f", 1 / h->even));
}

static void note_multiples(struct looking *l, const struct multiples *m)
{
	note(l, m->y_title);
	note(l, m->says);
	note(l, m->what);
	for (size_t i = 0; i < m->n_facts; i++)
		note(l, m->facts[i]);
	note(l, m->items[0].title);
	note(l, m->items[0].note);
	note_map(l, &m->items[0].map);
}

static void note_waterfall(struct looking *l, const struct waterfall *w)
{
	note(l, w->label_title);
	note(l, w->value_title);
	for (size_t i = 0; i < w->n; i++) {
		note(l, w->steps[i].label);
		note(l, w->steps[i].text);
	}
}

static void note_dials(struct looking *l, const struct dials *d)
{
	const char *const words[] = {d->names[0],	d->names[1], d->brief_names[0],
				     d->brief_names[1], d->sum,	     d->value_title};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		note(l, words[i]);
	for (size_t i = 0; i < d->n; i++) {
		const struct dial *const k = &d->at[i];
		const char *const own[] = {k->title, k->note, k->brief_title, k->brief_note,
					   k->angle_before};
		for (size_t n = 0; n < sizeof own / sizeof *own; n++)
			note(l, own[n]);
	}
}

static void note_drawn(struct looking *l, const struct panel *p)
{
	switch (p->kind) {
	case PANEL_HEATMAP:
		note_map(l, &p->heatmap);
		return;
	case PANEL_CURVES:
		note(l, p->curves.x_title);
		note(l, p->curves.row_title);
		return;
	case PANEL_BARS:
		note(l, p->bars.unit);
		return;
	case PANEL_TABLE:
		for (size_t i = 0; i < p->table.cols && p->table.head; i++)
			note(l, p->table.head[i]);
		return;
	case PANEL_CARD:
		for (size_t i = 0; i < p->card.n; i++)
			note(l, p->card.lines[i].key);
		return;
	case PANEL_LINKS:
		note(l, p->links.above_title);
		note(l, p->links.below_title);
		return;
	case PANEL_STRUCTURE:
		for (size_t i = 0; i < p->drawing.n_below; i++)
			note(l, p->drawing.below[i].title);
		return;
	case PANEL_WATERFALL:
		note_waterfall(l, &p->waterfall);
		return;
	case PANEL_COLUMNS:
		note(l, p->columns.rank);
		return;
	case PANEL_DIALS:
		note_dials(l, &p->dials);
		return;
	case PANEL_PLANE:
		note(l, p->plane.x_title);
		note(l, p->plane.y_title);
		for (size_t i = 0; i < p->plane.n_groups; i++)
			note(l, p->plane.group_names[i]);
		return;
	case PANEL_MULTIPLES:
		note_multiples(l, &p->multiples);
		return;
	}
}

static void note_panel(struct looking *l, const struct panel *p)
{
	note(l, p->title);
	note(l, p->paper_title);
	note(l, p->note);
	note(l, p->paper_note);
	note(l, p->operand.done);
	note(l, p->operand.unit);
	if (!p->absent)
		note_drawn(l, p);
}

/* The line of the cell, and the keys. */
static void note_lines(struct looking *l, struct tui *t, int first)
{
	const struct canvas *const c =
		help_frame(t, (struct help_look){.cols = 200, .rows = 50, .tier = TIER_DIRECT});
	for (int row = c->rows - 2 + first; row < c->rows; row++) {
		struct strbuf line;
		strbuf_init(&line, &arena);
		for (int col = 0; col < c->cols; col++)
			strbuf_add(&line, help_at(c, row, col)->at);
		note(l, line.at);
	}
}

static void look_at(struct looking *l, const char *more)
{
	struct tui *const t =
		help_tui(&arena, l->scheme->id, arena_printf(&arena, "view %s\n%s", l->view, more),
			 BACKGROUND_DARK);
	const struct figure *const f = &t->picture->picture.figure;
	const struct view *const view = view_find(l->view);
	/* Sentences, of figures of the papers also where they are from. */
	note(l, view->own ? NULL : f->subtitle);
	note(l, view->table || view->own || view->cost ? NULL : f->caption);
	/* What a figure of a paper shows, and its columns, are called as there; its axes are ours. */
	for (size_t i = 0; i < f->n; i++)
		if (!view->own)
			note_panel(l, &f->panels[i]);
		else if (!f->panels[i].absent && f->panels[i].kind != PANEL_TABLE)
			note_drawn(l, &f->panels[i]);
	note_lines(l, t, view->own);
	help_tui_done(t);
}

TEST_SAMPLED(help_has_every_word_of_the_screen, 1, 8)
{
	struct looking l;
	app_init(&l.app);
	strbuf_init(&l.seen, &arena);
	strbuf_init(&l.helped, &arena);
	strbuf_init(&l.not, &arena);
	strbuf_init(&l.unknown, &arena);
	for (size_t i = test_part; i < scheme_count(); i += test_parts)
		for (size_t v = 0; views[v]; v++) {
			l.scheme = scheme_at(i);
			l.view = views[v]->name;
			if (views[v]->table ? i == 0 : (i + v) % (4 * SAMPLE_STEP) == 0)
				look_at(&l, views[v]->compare	? "compare t5\n"
					    : views[v]->lengths ? "t-max 16\n"
								: "");
		}
	l.scheme = scheme_at(0);
	l.view = "cost";
	if (test_part == 0)
		look_at(&l, "timing on\n");
	l.view = "figures";
	for (size_t i = test_part; i < source_figure_count(); i += test_parts)
		look_at(&l, arena_printf(&arena, "figure %s\n", source_figure_at(i)->name));
	app_release(&l.app);
	if (l.unknown.len > 0)
		fail_msg("help does not know\n%s", l.unknown.at);
}
