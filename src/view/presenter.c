/* presenter.c: what is said of a figure that is shown to a room: whose scheme it is, what that does, and
 * whether what is seen depends on distance alone. */
#include <math.h>
#include <string.h>

#include "view_in.h"
#include "posviz/plot/panel.h"

static bool is_masked(const struct heatmap *h, size_t i)
{
	return h->masked && h->masked[i];
}

/* Whether the values that are seen are equal along each diagonal, to rounding, of which some has two. */
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

/* What is the user's own comes before the sum that it is a part of. */
static const char *formula_of(const struct expr_member *m, struct arena *a)
{
	return m->scheme->defines ? m->scheme->defines(m->param, a)
				  : scheme_formula_of(m->scheme, m->param, a);
}

/* What belongs side by side where a screen is wide: a matrix and its curve or its structure, and two that are
 * to be compared, whichever of them is looked at. */
static void pair_panels(const struct view *view, const struct figure *f, struct arena *a,
			struct presented *p)
{
	static const struct {
		const char *view, *panel, *beside;
		bool both;
	} together[] = {
		{"explore", "bias", "curve", false}, {"explore", "weights", "curve", false},
		{"order", "written", "shown", true}, {"relation", "relation", "structure", false},
		{"compare", "1", "2", true},	     {"compare", "3", "4", true},
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

/* Of several schemes none is the one that is looked at: "1 Rotary position embedding, 2 none"; "": all have one
 * title; NULL: it is one, on several inputs. */
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
		/* Its share says something beside those of the others alone. */
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
	if (view->rows || view->cost) { /* of all schemes, and of none more than of the others */
		*p = (struct presented){.name = view->name,
					.title = out->title,
					.authors = "",
					.about = view->help};
		out->presented = p;
		return;
	}
	/* The formula of the user's own has a line to itself. */
	const struct expr *const e = &d->built->expr;
	const char *const own = mixture_definitions(e, a);
	*p = (struct presented){
		.name = shown->scheme->id,
		.title = *own && strstr(out->title, own) ? mixture_title(e, a) : out->title,
		.authors = mixture_authors(&d->built->expr, a),
		.formula = formula_of(shown, a),
		.about = view_first_sentence(scheme_about_of(shown->scheme, shown->param), a),
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
