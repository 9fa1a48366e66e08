/* fig.c: runs, panels and numbers of the figures of the sources. */
#include "fig.h"

#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/scheme/results.h"
#include "posviz/view/run.h"
#include "posviz/plot/panel.h"

/* ---- runs --------------------------------------------------------------------------------------- */

bool fig_goes_on(const struct fig *f)
{
	return !f->why && !(f->d->watch && watch_cancelled(f->d->watch));
}

void fig_fail(struct fig *f, const char *why)
{
	f->why = f->why ? f->why : arena_strdup(f->a, why);
}

bool fig_scene(struct fig *f, const char *lines, struct scene *out)
{
	const struct scene *const shown = f->d->scene;
	struct err err = {""};
	if (!fig_goes_on(f))
		return false;
	if (!scene_parse(out, lines, &err))
		BUG("a figure's own scene: %s", err.text);
	out->setup.memory = shown->setup.memory;
	out->colormap = shown->colormap;
	return true;
}

const struct fig_run *fig_run(struct fig *f, const char *lines, unsigned kinds)
{
	struct fig_run *const r = arena_calloc(f->a, 1, sizeof *r);
	const struct want want = {.kinds = kinds | WANT_MASK, .layer = -1, .head = -1};
	struct err err = {""};
	if (!fig_scene(f, lines, &r->scene))
		return NULL;
	if (!evaluate(&r->scene.setup, &want, f->d->cache, f->d->watch, f->a, &r->built, &r->trace,
		      &err)) {
		fig_fail(f, err.text);
		return NULL;
	}
	r->d = (struct view_data){.view = f->d->view,
				  .scene = &r->scene,
				  .built = &r->built,
				  .trace = &r->trace,
				  .cache = f->d->cache,
				  .watch = f->d->watch};
	return r;
}

struct mat fig_kept(const struct fig_run *r, const char *name)
{
	for (size_t i = 0; i < r->trace.n_kept; i++)
		if (strcmp(r->trace.kept[i].name, name) == 0)
			return r->trace.kept[i].at;
	BUG("nothing is kept as %s", name);
}

struct mat fig_leaf(const struct fig_run *r, const char *name)
{
	for (size_t i = 0; i < r->built.model.n_leaves; i++)
		if (strcmp(r->built.model.leaves[i].base, name) == 0)
			return model_leaf_at(&r->built.model, &r->built.model.leaves[i]);
	BUG("no parameter is called %s", name);
}

struct mat fig_relation(struct fig *f, const struct fig_run *r)
{
	const struct relation *const of = &r->trace.relation;
	const struct mat out = mat_new(f->a, of->n, of->n);
	BUG_IF(!of->at);
	for (size_t i = 0; i < of->n * of->n; i++)
		out.at[i] = of->at[i];
	return out;
}

const char *fig_words(struct fig *f, size_t n)
{
	char *const out = arena_alloc(f->a, 2 * n + 1);
	for (size_t i = 0; i < n; i++)
		memcpy(out + 2 * i, "w ", 2);
	out[n > 0 ? 2 * n - 1 : 0] = '\0';
	return out;
}

/* ---- panels ------------------------------------------------------------------------------------- */

struct panel *fig_panel(struct fig *f, const char *name, const char *title, unsigned char row,
			unsigned char col, unsigned char cols, unsigned char priority)
{
	BUG_IF(f->out->n == FIGURE_PANELS);
	struct panel *const p = &f->out->panels[f->out->n++];
	*p = (struct panel){.name = name, .title = title, .paper_title = title, .no_cursor = true};
	view_place(p, row, col, cols, priority);
	return p;
}

static struct panel *add_copy(struct fig *f, const struct panel *from, unsigned char row,
			      unsigned char col, unsigned char cols)
{
	struct panel *const p = fig_panel(f, NULL, NULL, row, col, cols, 0);
	*p = *from;
	view_place(p, row, col, cols, from->priority);
	p->rows = 1;
	p->no_cursor = true;
	if (panel_is_map(p))
		p->heatmap.no_cursor = true;
	return p;
}

struct panel *fig_take(struct fig *f, const struct view *view, const char *lines, const char *names,
		       unsigned char row, unsigned char col, unsigned char cols)
{
	struct picture *const p = arena_calloc(f->a, 1, sizeof *p);
	struct scene *const scene = arena_calloc(f->a, 1, sizeof *scene);
	struct panel *first = NULL;
	struct err err = {""};
	if (!fig_scene(f, lines, scene))
		return NULL;
	scene->view = view->name;
	scene->panel = scene_intern(names);
	const struct job job = {scene, view, f->d->cache, f->d->watch, f->a, SIZE_MAX};
	if (!setup_build(&scene->setup, f->a, &p->built, &err) || !view_compute(&job, p, &err) ||
	    !view_redraw(view, scene, NULL, false, f->d->background, f->a, p, &err)) {
		fig_fail(f, err.text);
		return NULL;
	}
	figure_cursor(&p->figure, 0, 0);
	for (size_t i = 0; i < p->figure.n; i++) {
		struct panel *const copy = add_copy(f, &p->figure.panels[i], row,
						    (unsigned char)(col + i * cols), cols);
		first = first ? first : copy;
	}
	return first;
}

const char *const *fig_count_from(struct fig *f, long first, size_t n)
{
	const char **const out = arena_calloc(f->a, n + 1, sizeof *out);
	for (size_t i = 0; i < n; i++)
		out[i] = first + (long)i < 0 ? arena_printf(f->a, "−%ld", -first - (long)i)
					     : arena_printf(f->a, "%ld", first + (long)i);
	return out;
}

void fig_axes(struct fig *f, struct panel *p, const char *row_title, long first_row,
	      const char *col_title, long first_col)
{
	struct heatmap *const h = &p->heatmap;
	h->row_title = row_title;
	h->col_title = col_title;
	h->row_labels = first_row == 1 ? NULL : fig_count_from(f, first_row, h->values.rows);
	h->col_labels = first_col == 1 ? NULL : fig_count_from(f, first_col, h->values.cols);
}

void fig_map(struct fig *f, struct panel *p, const struct fig_run *of, struct mat m,
	     const struct paint *paint)
{
	view_heatmap(of ? &of->d : f->d, m, paint, f->a, p);
	if (!of)
		p->heatmap.row_labels = p->heatmap.col_labels = NULL;
	p->heatmap.no_cursor = true;
	p->heatmap.grid = GRID_FIT;
}

struct multiple *fig_multiple(struct fig *f, struct panel *p, const char *title, struct mat m,
			      const struct paint *paint)
{
	if (p->kind != PANEL_MULTIPLES)
		p->multiples = (struct multiples){.chosen = SIZE_MAX};
	p->kind = PANEL_MULTIPLES;
	struct multiples *const all = &p->multiples;
	struct multiple *const items = arena_calloc(f->a, all->n + 1, sizeof *items);
	struct panel map = {0};
	for (size_t i = 0; i < all->n; i++)
		items[i] = all->items[i];
	fig_map(f, &map, NULL, m, paint);
	items[all->n] = (struct multiple){.name = title, .title = title, .map = map.heatmap};
	all->items = items;
	return &items[all->n++];
}

void fig_curves(struct fig *f, struct panel *p, const char *x_title, const char *y_title)
{
	p->kind = PANEL_CURVES;
	p->curves = (struct curves){.x_title = x_title,
				    .y_title = y_title,
				    .row_title = "curves",
				    .colormap = view_colormap(f->d, true)};
}

struct series *fig_curve(struct fig *f, struct panel *p, const char *label, size_t n,
			 const double *x, const double *y)
{
	struct curves *const c = &p->curves;
	struct series *const all = arena_calloc(f->a, c->n + 1, sizeof *all);
	for (size_t i = 0; i < c->n; i++)
		all[i] = c->series[i];
	all[c->n] = (struct series){.label = label, .n = n, .x = x, .y = y, .colour = c->n};
	c->series = all;
	return &all[c->n++];
}

const double *fig_steps(struct fig *f, double first, double step, size_t n)
{
	double *const out = arena_calloc(f->a, n + 1, sizeof *out);
	for (size_t i = 0; i < n; i++)
		out[i] = first + step * (double)i;
	return out;
}

/* ---- tables ------------------------------------------------------------------------------------- */

void fig_table(struct fig *f, struct panel *p, const char *const *head, size_t cols,
	       const char *const *cells, size_t rows, size_t words)
{
	bool *const right = arena_calloc(f->a, cols + 1, sizeof *right);
	for (size_t i = words; i < cols; i++)
		right[i] = true;
	p->kind = PANEL_TABLE;
	p->table = (struct table){.rows = rows,
				  .cols = cols,
				  .head = head,
				  .cells = cells,
				  .right = right,
				  .from_top = true};
}

void fig_results_table(struct fig *f, struct panel *p, const struct results *r)
{
	const char **const head = arena_calloc(f->a, r->cols + 2, sizeof *head);
	const char **const cells = arena_calloc(f->a, r->n * (r->cols + 1) + 1, sizeof *cells);
	head[0] = "model";
	for (size_t k = 0; k < r->cols; k++)
		head[k + 1] = arena_printf(f->a, "%s %s", r->metrics[k], r->tasks[k]);
	for (size_t i = 0; i < r->n; i++) {
		cells[i * (r->cols + 1)] = figure_scripts(f->a, r->rows[i].model);
		for (size_t k = 0; k < r->cols; k++)
			cells[i * (r->cols + 1) + k + 1] = r->rows[i].cells[k];
	}
	fig_table(f, p, head, r->cols + 1, cells, r->n, 1);
}

/* ---- numbers ------------------------------------------------------------------------------------ */

void fig_number(struct fig *f, const char *name, double value, const char *means)
{
	char text[32];
	numbers_say(f->numbers, name, value,
		    isnan(value) ? "n/a"
				 : arena_strdup(f->a, num_show(text, sizeof text, value, 6)),
		    means);
}
