/* presenter.c: the words shown with a figure in front of an audience: the scheme's name and
 * authors, what it does, and whether the shown matrix depends on distance alone. */
#include <math.h>
#include <string.h>

#include "view_in.h"
#include "posviz/plot/panel.h"

static bool is_masked(const struct heatmap *h, size_t i)
{
	return h->masked && h->masked[i];
}

/* Returns whether the shown values are equal along each diagonal, up to rounding. False if no
 * diagonal has two values. */
static bool by_distance_alone(const struct heatmap *h)
{
	const size_t rows = h->values.rows, cols = h->values.cols;
	double lo, hi;
	scale_limits(&h->scale, &lo, &hi);
	const double slack = 1e-9 * fmax(fabs(lo), fabs(hi));
	bool any = false;
	for (size_t i = 1; i < rows; i++)
		for (size_t j = 1; j < cols; j++) {
			const double now = mat_row(h->values, i)[j];
			const double before = mat_row(h->values, i - 1)[j - 1];
			if (is_masked(h, i * cols + j) || is_masked(h, (i - 1) * cols + j - 1))
				continue;
			if (!(fabs(now - before) <= slack))
				return false;
			any = true;
		}
	return any;
}

/* Returns the user's definition, if there is one, and not the sum that it is a part of; else the
 * formula of the scheme. */
static const char *formula_of(const struct expr_member *m, struct arena *a)
{
	return m->scheme->defines ? m->scheme->defines(m->param, a)
				  : scheme_formula_of(m->scheme, m->param, a);
}

/* Finds the panels to show side by side on a wide screen: a matrix with its curve or structure,
 * and two matrices to compare; with `both`, whichever of the two is focused. */
static void pair_panels(const struct view *view, const struct figure *f, struct arena *a,
			struct presented *p)
{
	static const struct {
		const char *view, *panel, *beside;
		bool both;
	} together[] = {
		{"explore", "bias", "curve", false},
		{"explore", "weights", "curve", false},
		{"order", "written", "shown", true},
		{"relation", "relation", "structure", false},
		{"compare", "1", "2", true},
		{"compare", "3", "4", true},
		{"values", "weights", "contributions", true},
	};
	size_t panel, beside;
	for (size_t i = 0; i < sizeof together / sizeof *together; i++) {
		if (strcmp(view->name, together[i].view) != 0 ||
		    !view_pane(view, f, together[i].panel, a, &panel, NULL) ||
		    !view_pane(view, f, together[i].beside, a, &beside, NULL))
			continue;
		p->beside[panel] = beside + 1;
		if (together[i].both)
			p->beside[beside] = panel + 1;
	}
}

/* Returns the titles of several compared schemes, "1 Rotary position embedding, 2 none", because
 * none is the shown one; "": all have the same title; NULL: one scheme on several inputs. */
static const char *compared_titles(const struct view_data *d, struct arena *a)
{
	const char *all = "";
	bool differ = false, same = true;
	for (size_t i = 0; i < d->n_compared; i++) {
		const struct compared *const c = &d->compared[i];
		differ |= strcmp(c->expression, d->compared[0].expression) != 0;
		const char *const title = mixture_title(&c->built->expr, a);
		same &= strcmp(title, mixture_title(&d->compared[0].built->expr, a)) == 0;
		all = arena_printf(a, "%s%s%zu %s", all, i ? ", " : "", i + 1, title);
	}
	return !differ ? NULL : same ? "" : all;
}

static void present_panels(const struct view_data *d, struct arena *a, struct figure *out,
			   struct presented *p)
{
	for (size_t i = 0; i < out->n; i++) {
		struct panel *const panel = &out->panels[i];
		/* The share of a term means something only beside the shares of the other terms. */
		if (panel->term && !panel->off)
			panel->note = panel->short_note = view_short_term(d, panel->term, a);
		p->by_distance[i] = panel_shows_map(panel) && !p->two_lists &&
				    !panel->heatmap.integers && by_distance_alone(&panel->heatmap);
	}
}

void view_present(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct expr_member *const shown = scene_member(d->scene, &d->built->expr);
	const struct view *const view = d->view;
	struct presented *const p = arena_calloc(a, 1, sizeof *p);
	if (view->own) {
		*p = (struct presented){
			.name = d->scene->figure,
			.title = out->title,
			.authors = out->subtitle,
			.about = view_first_sentence(out->caption ? out->caption : "", a)};
		out->presented = p;
		return;
	}
	/* Such a view is about all schemes, and about none more than the others. */
	if (view->rows || view->cost) {
		*p = (struct presented){.name = view->name,
					.title = out->title,
					.authors = "",
					.about = out->finding ? out->finding : view->help};
		out->presented = p;
		return;
	}
	/* The user's own formula has its own line, so the title goes without it. */
	const struct expr *const e = &d->built->expr;
	const char *const own = mixture_definitions(e, a);
	*p = (struct presented){
		.name = shown->scheme->id,
		.title = *own && strstr(out->title, own) ? mixture_title(e, a) : out->title,
		.authors = mixture_authors(&d->built->expr, a),
		.formula = formula_of(shown, a),
		.about = out->finding ? out->finding
				      : view_first_sentence(
						scheme_about_of(shown->scheme, shown->param), a),
		.memory = (long)d->trace->memory,
		.two_lists = d->built->keys.n > 0};
	present_panels(d, a, out, p);
	pair_panels(view, out, a, p);
	const char *const several = view->compare ? compared_titles(d, a) : NULL;
	if (several != NULL) {
		p->name = view->name;
		p->authors = "";
		p->formula = NULL;
		p->about = several;
	}
	out->presented = p;
}
