/* canvas_spare.c: a figure of several heatmaps whose cells would be too small beside each other does without one of
 * them, which the others imply: the difference of two and the first of them say what the second is.
 *
 * Cells are too small if they are lower than a row of the screen, so that rows have no names of their own, or if they do
 * not show every value. If rows still share a row of the screen, and only some of them have names, a heatmap that says
 * enough alone is shown alone. */
#include "plot/canvas_arrange.h"
#include "plot/canvas_map.h"
#include "posviz/plot/panel.h"

#include <limits.h>
#include <string.h>

/* Half rows of a cell that is high enough, each counted as ALL; what names of all rows that share rows of the screen are
 * worth; and how much more there must be to see for a heatmap to leave. */
enum { ENOUGH = 2, ALL = 1 << 20, NAMED = ALL / 2 };
static const double gain = 1.2;

/* Returns how much can be seen of the heatmap that shows least: the height of its cells, and if they do not show
 * every value, which is less than any height, the cells of the screen that it has. */
static int least_seen(struct job *j, const struct rect *place)
{
	int least = INT_MAX;
	for (size_t i = 0; i < j->f->n; i++) {
		struct heatmap_plan plan;
		bool box;
		const struct panel *const p = &j->f->panels[i];
		if (place[i].rows == 0 || !panel_shows_map(p))
			continue;
		const struct rect inner = canvas_panel_inner(p, place[i], &box);
		canvas_heatmap_plan(j->like, &j->a, inner, &p->heatmap, &plan);
		const int seen =
			plan.view.block == 1 && canvas_shows_all(&p->heatmap, &plan.view)
				? ALL * plan.view.cell_rows2 + (plan.pair_cols > 0 ? NAMED : 0)
				: plan.data.rows * plan.data.cols;
		least = seen < least ? seen : least;
	}
	return least;
}

/* Returns the last heatmap that the others can do without, never the focus; NONE: there is none. */
static size_t spare_of(const struct job *j, size_t focus, const struct rect *place)
{
	for (size_t i = j->f->n; i-- > 0;)
		if (i != focus && place[i].rows > 0 && j->f->panels[i].spare &&
		    panel_shows_map(&j->f->panels[i]))
			return i;
	return NONE;
}

/* Returns the least important of these panels that is no heatmap, never the focus; NONE: only heatmaps are left. */
static size_t least_important(const struct figure *f, const bool *on, size_t focus)
{
	size_t found = NONE;
	for (size_t i = 0; i < f->n; i++)
		if (i != focus && on[i] && !panel_is_map(&f->panels[i]) &&
		    (found == NONE || f->panels[i].priority >= f->panels[found].priority))
			found = i;
	return found;
}

/* Leaves out the panels that are not on, and more of those beside the heatmaps if every value is shown then; returns
 * how much is seen. */
static int fold(struct job *j, size_t focus, struct rect *place)
{
	bool on[FIGURE_PANELS];
	memcpy(on, j->on, sizeof on);
	layout_fold(j, focus, place);
	const int seen = least_seen(j, place);
	for (int now = seen; now < ALL;) {
		struct rect other[FIGURE_PANELS] = {0};
		const size_t out = least_important(j->f, on, focus);
		if (out == NONE)
			return seen;
		on[out] = false;
		memcpy(j->on, on, sizeof on);
		layout_fold(j, focus, other);
		now = least_seen(j, other);
		if (now < ALL)
			continue;
		memcpy(place, other, j->f->n * sizeof *place);
		return now;
	}
	return seen;
}

/* Shows the panels that are on if enough more is seen than what is `seen` now. */
static void show_fewer(struct job *j, const bool *on, int seen, size_t focus, struct rect *place)
{
	struct job fewer = *j;
	struct rect other[FIGURE_PANELS] = {0};
	memcpy(fewer.on, on, sizeof fewer.on);
	const bool better = fold(&fewer, focus, other) >= gain * seen;
	j->a = fewer.a; /* with the memory allocated since */
	if (better)
		memcpy(place, other, j->f->n * sizeof *place);
}

void layout_spare(struct job *j, size_t focus, struct rect *place)
{
	const size_t spare = spare_of(j, focus, place);
	const int seen = spare != NONE ? least_seen(j, place) : INT_MAX;
	bool on[FIGURE_PANELS] = {false};
	if (seen >= ENOUGH * ALL)
		return;
	for (size_t i = 0; i < j->f->n; i++)
		on[i] = i != spare;
	show_fewer(j, on, seen, focus, place);
	const size_t alone = focus < j->f->n ? focus : 0;
	const int now = least_seen(j, place);
	if (now >= ENOUGH * ALL || !j->f->panels[alone].alone ||
	    !panel_shows_map(&j->f->panels[alone]))
		return;
	for (size_t i = 0; i < j->f->n; i++)
		on[i] = i == alone ||
			(!panel_shows_map(&j->f->panels[i]) && j->f->panels[i].kind != PANEL_CARD);
	show_fewer(j, on, now, alone, place);
}
