/* pane.c: finds a panel by a name that people use for it, or that it once had. */
#include <string.h>

#include "posviz/base/text.h"
#include "view_in.h"
#include "posviz/plot/panel.h"

/* Names in addition to those of the panels, and of panels that are left out where they say nothing. If a
 * name stands for several panels, the first one that exists is meant. */
static const struct {
	const char *view, *name, *panel;
} others[] = {
	{"explore", "measured", "measures"},
	{"explore", "structure", "tree"},
	{"explore", "structure", "graph"},
	{"explore", "structure", "arcs"},
	{"relation", "structure", "tree"},
	{"relation", "structure", "graph"},
	{"relation", "structure", "arcs"},
	{"relation", "count", "counts"},
	{"relation", "meaning", "card"},
	{"relation", "eigenvectors", "vectors"},
	{"relation", "eigenvalues", "values"},
	{"relation", "relation", "vectors"},
	{"order", "shown", "reversed"},
	{"order", "moves", "links"},
	{"order", "measured", "card"},
	{"compare", "apart", "card"},
	{"table", "published", "results"},
	{"vectors", "cosine", "curve"},
	{"vectors", "path", "curve"},
	{"vectors", "norms", "curve"},
	{"vectors", "histogram", "curve"},
	{"vectors", "card", "curve"},
	{"profile", "card", "scores"},
	{"profile", "measured", "scores"},
	{"profile", "position", "scores"},
	{"profile", "plane", "scores"},
	{"map", "card", "nearest"},
	{"map", "card", "map"},
	{"map", "nearest", "map"},
};

static bool pane_called(const struct figure *f, const char *name, struct arena *a, size_t *pane)
{
	for (size_t i = 0; i < f->n; i++) {
		const char *const full = figure_panel_name(f, i, a);
		const size_t len = strlen(name);
		if (strcmp(full, name) != 0 &&
		    !(strncmp(full, name, len) == 0 && strcmp(full + len, "-1") == 0))
			continue;
		*pane = i;
		return true;
	}
	return false;
}

/* Finds the panel of a term, "term 'LABEL'", in which -- may be typed for –. */
static bool pane_of_term(const struct figure *f, const char *name, struct arena *a, size_t *pane)
{
	static const char word[] = "term ";
	if (strncmp(name, word, sizeof word - 1) != 0)
		return false;
	const char *label = name + sizeof word - 1;
	const size_t len = strlen(label);
	if (len >= 2 && label[0] == '\'' && label[len - 1] == '\'')
		label = arena_strndup(a, label + 1, len - 2);
	const char *const typed = text_typed(a, label);
	for (size_t i = 0; i < f->n; i++) {
		const char *const term = f->panels[i].term;
		if (term && strcmp(text_typed(a, term), typed) == 0) {
			*pane = i;
			return true;
		}
	}
	return false;
}

/* Finds the matrix of a compared expression: "2" is the second. */
static bool pane_of_compared(const struct figure *f, const char *name, size_t *pane)
{
	size_t n = 0;
	if (name[0] < '1' || name[0] > '0' + COMPARE_MAX || name[1] != '\0')
		return false;
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *const p = &f->panels[i];
		if (!panel_is_map(p) || (p->name && strcmp(p->name, "difference") == 0))
			continue;
		if (++n == (size_t)(name[0] - '0')) {
			*pane = i;
			return true;
		}
	}
	return false;
}

static bool no_pane(const struct view *view, const struct figure *f, const char *name,
		    struct arena *a, struct err *err)
{
	const char *names[FIGURE_PANELS], *all = "";
	for (size_t i = 0; i < f->n; i++) {
		names[i] = figure_panel_name(f, i, a);
		all = arena_printf(a, "%s%s%s", all, i ? ", " : "", names[i]);
	}
	const char *const near = text_suggest(name, names, f->n);
	return err_set(err, "the view %s has no pane %s%s%s%s; there are %s", view->name,
		       text_quote(a, name, strlen(name)), near ? ", did you mean \"" : "",
		       near ? near : "", near ? "\"" : "", all);
}

/* Finds the panel that has the name of another in this view. */
static bool pane_of_other(const struct view *view, const struct figure *f, const char *name,
			  struct arena *a, size_t *pane)
{
	enum { OTHERS = sizeof others / sizeof *others };
	for (size_t i = 0; i < OTHERS; i++)
		if (strcmp(others[i].view, view->name) == 0 && strcmp(others[i].name, name) == 0 &&
		    pane_called(f, others[i].panel, a, pane))
			return true;
	return false;
}

bool view_pane(const struct view *view, const struct figure *f, const char *name, struct arena *a,
	       size_t *pane, struct err *err)
{
	return pane_called(f, name, a, pane) || pane_of_term(f, name, a, pane) ||
	       (view->compare && pane_of_compared(f, name, pane)) ||
	       pane_of_other(view, f, name, a, pane) || no_pane(view, f, name, a, err);
}

bool view_pick(const struct view *view, struct figure *f, const char *names, struct arena *a,
	       struct err *err)
{
	const char *known = "";
	size_t len, pane;
	for (const char *at = names; *at; at += len + (at[len] == ',')) {
		len = strcspn(at, ",");
		const char *name = arena_strndup(a, at, len);
		if (!pane_called(f, name, a, &pane) && pane_of_other(view, f, name, a, &pane))
			name = figure_panel_name(f, pane, a);
		known = arena_printf(a, "%s%s%s", known, *known ? "," : "", name);
	}
	return figure_pick(f, known, a, err);
}
