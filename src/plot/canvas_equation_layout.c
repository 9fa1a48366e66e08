/* canvas_equation_layout.c: which matrices of an equation stand on cells. If the matrices have no room to show every value,
 * or a large enough part, panels are dropped, the least needed first. */
#include <string.h>

#include "plot/canvas_equation.h"

/* Returns whether the panel in focus is visible; true if there is none. */
static bool shows(const struct figure *f, size_t focus, const struct rect *place)
{
	return focus >= f->n || place[focus].rows > 0;
}

const struct figure *equation_plain(const struct canvas *c, const struct figure *f, struct arena *a)
{
	if (!c->ascii)
		return f;
	struct figure *const out = arena_alloc(a, sizeof *out);
	*out = *f;
	for (size_t i = 0; i < f->n; i++)
		out->panels[i] = canvas_plain(a, &f->panels[i]);
	return out;
}

/* Leaves out small terms if the others are at least half as large again then, or if their cells were
 * too narrow for names above them. */
static void enlarge(const struct canvas *like, const struct figure *f, struct rect r, size_t focus,
		    bool *on, struct arena *a, struct equation_plan *p)
{
	struct equation_plan larger;
	const bool narrow = p->cols < 2 * (int)equation_map(p, 0)->values.cols;
	if (equation_drop_small(f, focus, on) && equation_solve(like, f, r, on, a, &larger) &&
	    (narrow ? equation_worth(&larger) > equation_worth(p)
		    : 2 * equation_worth(&larger) >= 3 * equation_worth(p)))
		*p = larger;
}

/* Returns whether all values are seen, and each has a row of the screen at least, not narrower than half of it. */
static bool has_whole_rows(const struct equation_plan *p, struct arena *a)
{
	const struct heatmap *const h = equation_map(p, 0);
	const struct heatmap_plan plan = equation_matrix(p->like, p, 0, a);
	return canvas_shows_all(h, &plan.view) && plan.view.cell_rows2 >= 2 &&
	       plan.view.cell_cols >= 2;
}

/* Drops the least needed matrix; false: fewer than three would be left. */
static bool drop_for_rows(const struct figure *f, size_t focus, bool *on)
{
	enum { LEAST = 3 };
	size_t n = 0;
	for (size_t i = 0; i < f->n; i++)
		n += on[i];
	return n > LEAST && equation_drop(f, focus, on);
}

/* A layout shows fewer matrices where two rows of a matrix share a row of the screen, or only a part of it is seen: those that have
 * room for whole rows, else those that show every value; the signs between them say what is left out. A curve takes that
 * room instead. */
static void give_whole_rows(const struct canvas *like, const struct figure *f, struct rect r,
			    size_t focus, bool *on, struct arena *a, struct equation_plan *p)
{
	struct equation_plan fewer, every;
	const struct heatmap_plan now = equation_matrix(like, p, 0, a);
	bool part = !canvas_shows_all(equation_map(p, 0), &now.view), found = false;
	if (now.view.cell_rows2 >= 2 || now.view.block > 1 ||
	    equation_panel(f, PANEL_CURVES) < f->n)
		return;
	while (drop_for_rows(f, focus, on)) {
		if (!equation_solve(like, f, r, on, a, &fewer))
			continue;
		if (has_whole_rows(&fewer, a)) {
			*p = fewer;
			return;
		}
		const struct heatmap_plan plan = equation_matrix(like, &fewer, 0, a);
		if (part && canvas_shows_all(equation_map(&fewer, 0), &plan.view)) {
			every = fewer;
			found = true;
			part = false;
		}
	}
	if (found)
		*p = every;
}

bool canvas_equation_layout(const struct canvas *like, const struct figure *f, struct rect r,
			    size_t focus, struct rect *place)
{
	bool on[FIGURE_PANELS], found = false;
	struct rect own[FIGURE_PANELS];
	struct equation_plan p;
	struct arena a;
	if (!equation_is(f))
		return false;
	arena_init(&a);
	f = equation_plain(like, f, &a);
	equation_all(f, focus, on);
	do
		found = equation_solve(like, f, r, on, &a, &p);
	while (!found && equation_drop(f, focus, on));
	if (found)
		enlarge(like, f, r, focus, on, &a, &p);
	if (found)
		give_whole_rows(like, f, r, focus, on, &a, &p);
	if (found)
		equation_places(&p, own);
	found = found && shows(f, focus, own);
	if (found)
		memcpy(place, own, f->n * sizeof *own);
	arena_release(&a);
	return found;
}
