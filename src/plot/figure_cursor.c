/* figure_cursor.c: the cursor and the marks of all panels of a figure.
 *
 * Both are given in the figure's own rows and columns, or by name; each panel knows its own index
 * for these. */
#include <stdlib.h>
#include <string.h>

#include "plot/panel_in.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/plot/figure.h"

/* Returns the index, below `tokens`, of a row or column of the figure; SIZE_MAX: it is not
 * there. */
size_t panel_among(const size_t *at, size_t n, size_t tokens, long from)
{
	const size_t i = (size_t)from - 1;
	const size_t found = at == NULL ? i : i < n ? at[i] : SIZE_MAX;
	return found < tokens ? found : SIZE_MAX;
}

void figure_without_foot(const struct figure *f, struct figure *out)
{
	*out = *f;
	out->n = 0;
	for (size_t i = 0; i < f->n; i++)
		if (!f->panels[i].at_foot)
			out->panels[out->n++] = f->panels[i];
	if (out->n == 0)
		*out = *f;
}

struct heatmap *figure_heatmap(struct figure *f, size_t i, size_t *panel)
{
	for (size_t k = 0; k < f->n; k++) {
		struct panel *const p = &f->panels[k];
		const struct panel_type *const type = panel_type(p);
		struct heatmap *found = NULL;
		if (panel)
			*panel = k;
		for (size_t own = 0;
		     !p->absent && type->matrix && (found = type->matrix(p, own)) != NULL && i > 0;
		     own++)
			i--;
		if (found)
			return found;
	}
	return NULL;
}

void figure_cursor(struct figure *f, long row, long col)
{
	for (size_t i = 0; i < f->n; i++) {
		struct panel *const p = &f->panels[i];
		if (!p->absent && panel_type(p)->cursor)
			panel_type(p)->cursor(p, p->no_cursor ? 0 : row, p->no_cursor ? 0 : col);
	}
}

/* ---- marks ----------------------------------------------------------------------------------- */

bool panel_mark_named(enum mark_kind kind)
{
	return kind == MARK_CURVE || kind == MARK_AT || kind == MARK_LINE || kind == MARK_HEADING;
}

/* Returns the index of the text with this name, else of the first that begins with it, else the one
 * with this number; n: none. */
static size_t named(const char *const *texts, size_t n, const char *name)
{
	const size_t len = strlen(name);
	size_t begins = n;
	for (size_t i = 0; i < n; i++) {
		const char *const text = texts[i] ? texts[i] : "";
		if (strcasecmp(text, name) == 0)
			return i;
		if (begins == n && strncasecmp(text, name, len) == 0)
			begins = i;
	}
	long number;
	if (begins == n && num_parse_long(name, len, 1, (long)n, &number, NULL))
		begins = (size_t)number - 1;
	return begins;
}

/* Also finds names that are written with ^ and _ instead of Unicode's characters: "Relative γ^K
 * only". */
static size_t find_name(const char *const *texts, size_t n, const char *name, struct arena *a)
{
	const size_t found = named(texts, n, name);
	return found < n ? found : named(texts, n, figure_scripts(a, name));
}

static bool has_place(const struct figure *f, const char *name, struct arena *a, struct err *err)
{
	const char *all = "";
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *const p = &f->panels[i];
		const char *known = "";
		if (p->absent || !panel_type(p)->place)
			continue;
		if (panel_type(p)->place(p, name, a, &known))
			return true;
		all = *all ? all : known;
	}
	if (!*all)
		return err_set(err, "there is no curve here");
	return err_set(err, "no curve has a point at %s; there are %s",
		       text_quote(a, name, strlen(name)), all);
}

/* Returns the *n texts that a mark of this kind can name in a panel; NULL: none. */
static const char *const *names_in(const struct panel *p, enum mark_kind kind, struct arena *a,
				   size_t *n)
{
	*n = 0;
	return p->absent || !panel_type(p)->names ? NULL : panel_type(p)->names(p, kind, a, n);
}

const char *const *panel_names(const char *const *texts, size_t n, struct arena *a, size_t *out)
{
	const char **const copy = arena_calloc(a, n + 1, sizeof *copy);
	if (n > 0)
		memcpy(copy, texts, n * sizeof *copy);
	*out = n;
	return copy;
}

static const char *kind_words(enum mark_kind kind)
{
	return kind == MARK_CURVE ? "curve" : kind == MARK_LINE ? "line" : "column of a table";
}

bool figure_has_mark(const struct figure *f, const struct mark *m, struct arena *a, struct err *err)
{
	const char *known = "";
	if (m->kind == MARK_AT)
		return has_place(f, m->name, a, err);
	if (!panel_mark_named(m->kind))
		return true;
	for (size_t i = 0; i < f->n; i++) {
		size_t n;
		const char *const *const names = names_in(&f->panels[i], m->kind, a, &n);
		if (n > 0 && find_name(names, n, m->name, a) < n)
			return true;
		for (size_t k = 0; k < n; k++)
			if (names[k])
				known = arena_printf(a, "%s%s%s", known, *known ? ", " : "",
						     names[k]);
	}
	const char *const what = kind_words(m->kind);
	if (*known == '\0')
		return err_set(err, "there is no %s here", what);
	return err_set(err, "no %s is called %s; there are %s", what,
		       text_quote(a, m->name, strlen(m->name)), known);
}

const bool *panel_mark_names(const struct panel *p, enum mark_kind kind, const struct mark *marks,
			     size_t n, struct arena *a)
{
	size_t of;
	const char *const *const names = names_in(p, kind, a, &of);
	bool *const out = arena_calloc(a, of + 1, sizeof *out);
	bool any = false;
	for (size_t i = 0; i < n && of > 0; i++) {
		const size_t at =
			marks[i].kind == kind ? find_name(names, of, marks[i].name, a) : of;
		out[at] = true;
		any = any || at < of;
	}
	return any ? out : NULL;
}

void figure_mark(struct figure *f, const struct mark *marks, size_t n, size_t memory,
		 struct arena *a)
{
	for (size_t i = 0; i < f->n; i++) {
		struct panel *const p = &f->panels[i];
		if (!p->absent && panel_type(p)->mark)
			panel_type(p)->mark(p, marks, n, memory, a);
	}
}
