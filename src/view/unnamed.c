/* unnamed.c: removes from a figure that is shown with a question everything that would answer
 * it: in title, notes, cards and caption.
 *
 * Cards and tables are removed completely, because they tell what a scheme is. In matrices and
 * curves each text with a name of the scheme is removed; so this also covers notes that views
 * get later. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "posviz/base/text.h"
#include "view_in.h"
#include "posviz/plot/panel.h"

static const char which_scheme[] = "Which scheme is this?";

/* ---- names ----------------------------------------------------------------------------------- */

/* Returns whether the text contains a name as a whole word, in any letter case. */
static bool has_word(const char *text, const char *name, size_t len)
{
	for (const char *at = text; *at; at++) {
		/* "[PAD]" is a token. */
		const bool begins =
			at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '[');
		if (begins && strncasecmp(at, name, len) == 0 && !isalnum((unsigned char)at[len]))
			return true;
	}
	return false;
}

/* Returns whether the text contains one of these names, separated by blanks. */
static bool has_any(const char *text, const char *names)
{
	for (const char *at = names; *at; at += strspn(at, " ")) {
		const size_t len = strcspn(at, " ");
		if (has_word(text, at, len))
			return true;
		at += len;
	}
	return false;
}

bool view_names_scheme(const char *text, const struct scheme *s)
{
	return has_word(text, s->id, strlen(s->id)) || has_word(text, s->title, strlen(s->title)) ||
	       has_word(text, s->authors, strlen(s->authors)) ||
	       (s->aliases && has_any(text, s->aliases));
}

/* Returns whether the text names a shown scheme: one of the expression as typed, or one that a
 * combination stands for. */
static bool names_one_of(const struct built *b, const char *text)
{
	for (size_t i = 0; i < b->expr.n; i++)
		if (view_names_scheme(text, b->expr.members[i].scheme))
			return true;
	for (size_t i = 0; i < b->n_members; i++)
		if (b->members[i].scheme && view_names_scheme(text, b->members[i].scheme))
			return true;
	return false;
}

static bool names_any(const struct view_data *d, const char *text)
{
	bool named = names_one_of(d->built, text);
	for (size_t i = 0; i < d->n_compared; i++)
		named |= names_one_of(d->compared[i].built, text);
	return named;
}

static void clean(const struct view_data *d, const char **text, const char *instead)
{
	if (*text && names_any(d, *text))
		*text = instead;
}

/* ---- panels ---------------------------------------------------------------------------------- */

static void clean_curves(const struct view_data *d, struct arena *a, struct curves *c)
{
	struct series *const series = arena_calloc(a, c->n + 1, sizeof *series);
	for (size_t i = 0; i < c->n; i++) {
		series[i] = c->series[i];
		if (!names_any(d, series[i].label))
			continue;
		series[i].label = series[i].brief = arena_printf(a, "%zu", i + 1);
	}
	c->series = series;
	c->n_marks = c->n_levels = 0;
}

static void clean_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const char **const texts[] = {&p->note,	      &p->short_note,  &p->paper_note,
				      &p->subtitle,   &p->paper_title, &p->brief_title,
				      &p->least_title};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		clean(d, texts[i], NULL);
	clean(d, &p->title, p->kind == PANEL_CURVES ? "Curve" : "Matrix");
	clean(d, &p->absent, "there is nothing to show");
	clean(d, &p->operand.done, "the scheme");
	p->operand.formula = NULL;
	p->term = NULL;
	if (p->kind == PANEL_CURVES)
		clean_curves(d, a, &p->curves);
}

static void number_words(struct panel *p)
{
	if (panel_is_map(p))
		p->heatmap.row_labels = p->heatmap.col_labels = NULL;
}

/* Keeps only matrices and curves; if there are none, a card says so. */
static void keep_drawings(struct figure *f)
{
	size_t n = 0;
	for (size_t i = 0; i < f->n; i++)
		if (panel_is_map(&f->panels[i]) || f->panels[i].kind == PANEL_CURVES)
			f->panels[n++] = f->panels[i];
	if (n == 0)
		f->panels[n++] =
			(struct panel){.kind = PANEL_CARD,
				       .name = "card",
				       .title = "Not shown",
				       .absent = "all that is here would answer the question",
				       .rows = 1,
				       .cols = 1};
	f->n = n;
	f->contact = NULL;
}

/* ---- the whole figure ------------------------------------------------------------------------ */

/* Returns the part of a caption after the quoted words: "n 9 · d 64 …". */
static const char *without_words(const char *foot)
{
	static const char behind[] = "”   ";
	const char *out = NULL;
	for (const char *at = foot; (at = strstr(at, behind)) != NULL; at++)
		out = at + sizeof behind - 1;
	return out ? out : "";
}

static void hide_scheme(const struct view_data *d, struct arena *a, struct figure *f)
{
	for (size_t i = 0; i < f->n; i++)
		clean_panel(d, a, &f->panels[i]);
	f->title = which_scheme;
	f->subtitle = "";
	clean(d, &f->caption, "");
}

static void hide_words(struct figure *f)
{
	for (size_t i = 0; i < f->n; i++)
		number_words(&f->panels[i]);
	f->caption = f->caption ? without_words(f->caption) : "";
}

void view_unname(const struct view_data *d, struct arena *a, struct figure *f)
{
	static const struct presented question = {
		.name = "?", .title = which_scheme, .authors = "", .about = ""};
	const bool scheme = d->scene->unnamed == UNNAMED_SCHEME;
	keep_drawings(f);
	if (scheme)
		hide_scheme(d, a, f);
	else
		hide_words(f);
	f->command = f->finding = NULL;
	if (f->presented && scheme) {
		struct presented *const p = arena_calloc(a, 1, sizeof *p);
		*p = question;
		p->memory = f->presented->memory;
		f->presented = p;
	}
}
