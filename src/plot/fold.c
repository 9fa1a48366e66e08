/* fold.c: a page without room for all panels of a figure: the least important are left out, others
 * take their place, and the line under the title names the missing ones. */
#include "plot/fold.h"

#include <string.h>

#include "plot/canvas_arrange.h"
#include "posviz/plot/panel.h"

/* Returns the panel to leave out: that with the highest priority number, the last of equal ones,
 * and matrices after all others; f->n: none may be left out. */
static size_t victim(const struct figure *f, bool maps_too)
{
	int most = 0;
	size_t found = f->n;
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *const p = &f->panels[i];
		const bool map = panel_shows_map(p);
		const int rank = p->priority + (p->priority > 0 && !map ? 1 << 8 : 0);
		if (rank == 0 || rank < most || (map && !maps_too))
			continue;
		most = rank;
		found = i;
	}
	return f->n > 1 ? found : f->n;
}

/* Returns its title on a page, followed by its note if another panel has the same title. */
static const char *name_of(const struct figure *f, size_t i, struct arena *a)
{
	const struct panel *p = &f->panels[i];
	bool twin = false;
	for (size_t k = 0; k < f->n; k++)
		twin = twin || (k != i && strcmp(f->panels[k].title, p->title) == 0);
	const char *const title = p->paper_title ? p->paper_title : p->title;
	return twin && p->note != NULL ? arena_printf(a, "%s %s", title, p->note) : title;
}

static void set_weights(unsigned char *weight, const int *from, int tracks)
{
	memset(weight, 0, FIGURE_TRACKS);
	for (int i = 0; i < tracks && i < FIGURE_TRACKS; i++)
		weight[i] = (unsigned char)from[i];
}

/* Moves the panels together in the page's grid. */
static void close_up(struct figure *f)
{
	struct job j = {.f = f};
	struct grid g;
	for (size_t i = 0; i < f->n; i++)
		j.on[i] = true;
	BUG_IF(!grid_page(&j, true, &g));
	for (size_t i = 0; i < f->n; i++) {
		struct panel *p = &f->panels[i];
		p->row = (unsigned char)g.at[i].row;
		p->col = (unsigned char)g.at[i].col;
		p->rows = (unsigned char)g.at[i].rows;
		p->cols = (unsigned char)g.at[i].cols;
	}
	set_weights(f->row_weight, g.height, g.rows);
	set_weights(f->col_weight, g.weight, g.cols);
}

void figure_close_up(struct figure *f)
{
	close_up(f);
	close_up(f); /* again, for rows that all panels have in common after they had grown */
}

static bool take_out(struct figure *f, size_t out, const char **gone, struct arena *a)
{
	const char *const name = name_of(f, out, a);
	*gone = *gone != NULL ? arena_printf(a, "%s, %s", *gone, name) : name;
	memmove(&f->panels[out], &f->panels[out + 1], (f->n - out - 1) * sizeof *f->panels);
	f->n--;
	figure_close_up(f);
	return true;
}

bool figure_fold(struct figure *f, bool maps_too, const char **gone, struct arena *a)
{
	const size_t out = victim(f, maps_too);
	return out < f->n && take_out(f, out, gone, a);
}

/* Tells if a figure has a panel of the one that it was made of. */
static bool has_panel(const struct figure *f, const struct panel *p)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->panels[i].title == p->title && f->panels[i].note == p->note &&
		    f->panels[i].kind == p->kind)
			return true;
	return false;
}

bool figure_fold_to(struct figure *f, const struct figure *part, size_t back, const char **gone,
		    struct arena *a)
{
	bool some = false;
	*gone = NULL;
	if (has_panel(part, &f->panels[back]))
		return false;
	for (size_t i = f->n; i-- > 0;)
		if (i != back && !has_panel(part, &f->panels[i]))
			some |= take_out(f, i, gone, a);
	return some;
}

bool figure_fold_spare(struct figure *f, const char **gone, struct arena *a)
{
	for (size_t i = f->n; i-- > 1;) /* the first one is what the figure is about */
		if (f->panels[i].spare && panel_shows_map(&f->panels[i]))
			return take_out(f, i, gone, a);
	return false;
}

bool figure_fold_last(struct figure *f, const char **gone, struct arena *a)
{
	return f->n > 1 && take_out(f, f->n - 1, gone, a);
}

bool figure_has_table_first(const struct figure *f)
{
	const struct panel *const p = &f->panels[0];
	return f->by_grid && f->n > 0 && p->kind == PANEL_TABLE && p->table.enough > 0;
}
