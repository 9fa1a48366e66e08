/* picture.c: makes the figure of the view that a scene names. */
#include <string.h>

#include "posviz/base/text.h"
#include "posviz/picture/picture.h"

static const char *view_names(struct arena *a)
{
	const char *names = views[0]->name;
	for (const struct view *const *at = views + 1, *v; (v = *at) != NULL; at++)
		names = arena_printf(a, "%s, %s", names, v->name);
	return names;
}

bool picture_compute(const struct scene *scene, struct cache *cache, struct watch *watch,
		     struct arena *a, struct picture *p, struct err *err)
{
	return picture_compute_part(scene, SIZE_MAX, cache, watch, a, p, err);
}

bool picture_compute_part(const struct scene *scene, size_t most, struct cache *cache,
			  struct watch *watch, struct arena *a, struct picture *p, struct err *err)
{
	const struct job job = {scene, view_find(scene->view), cache, watch, a, most};
	return job.view ? view_compute(&job, p, err)
			: err_set(err, "there is no view %s; there are %s",
				  text_quote(a, scene->view, strlen(scene->view)), view_names(a));
}

unsigned picture_measures(const struct picture *p)
{
	unsigned kinds = 0;
	for (size_t i = 0; i < p->figure.n; i++)
		kinds |= p->figure.panels[i].measured;
	return kinds;
}

bool picture_redraw(const struct scene *scene, const struct measures *measures, bool stale,
		    enum background background, struct arena *a, struct picture *p, struct err *err)
{
	return view_redraw(view_of(scene), scene, measures, stale, background, a, p, err);
}

bool picture_measured(const struct scene *scene, enum background background, struct cache *cache,
		      struct watch *watch, struct arena *a, struct picture *p, struct err *err)
{
	struct measures *const m = arena_calloc(a, 1, sizeof *m);
	if (!picture_redraw(scene, NULL, false, background, a, p, err))
		return false;
	const struct measure_request r = {
		.kinds = picture_measures(p), .cache = cache, .watch = watch};
	return r.kinds == 0 || (analysis_measure_built(&scene->setup, &p->built, &r, m, err) &&
				picture_redraw(scene, m, false, background, a, p, err));
}

/* Moves a key that the shown head's mask hides to the next one that the query sees, or to the last before it. */
static void to_seen(const struct scene *scene, const struct trace *trace, long row, long *col)
{
	const size_t heads = scene->setup.heads > 0 ? (size_t)scene->setup.heads : 0;
	const size_t layer = view_chosen(scene->layer, trace->n_layers);
	const size_t head = view_chosen(scene->head, heads);
	const struct trace_head *const all =
		layer < trace->n_layers ? trace->layers[layer].heads : NULL;
	const uint8_t *const mask = all && head < heads ? all[head].mask : NULL;
	const long n = (long)trace->key.n;
	if (!mask || row < 1 || row > (long)trace->query.n)
		return;
	const uint8_t *const seen = mask + (row - 1) * n;
	long at = *col;
	while (at <= n && !seen[at - 1])
		at++;
	for (at = at <= n ? at : *col; at > 1 && !seen[at - 1];)
		at--;
	*col = at;
}

void picture_first_cell(const struct scene *scene, const struct picture *p, long *row, long *col)
{
	const struct view *const view = view_of(scene);
	view_first_cell(p->trace.query.n, p->trace.key.n, row, col);
	to_seen(scene, &p->trace, *row, col);
	if (view->first_cell && p->kept)
		view->first_cell(p->kept, row, col);
}

bool picture_cursor(const struct scene *scene, struct picture *p)
{
	const struct view *const v = view_of(scene);
	if (v->reads_cursor || (v->shows_looks && p->built.pictures))
		return false;
	figure_cursor(&p->figure, scene->row, scene->col);
	return true;
}

size_t picture_vectors(const struct scene *scene, const struct picture *p)
{
	const struct view *const view = view_of(scene);
	return view->vectors && p->kept ? view->vectors(p->kept) : 0;
}

size_t picture_rows(const struct scene *scene, struct picture *p, struct arena *a,
		    struct view_row **rows, size_t *n)
{
	const struct view *const view = view_of(scene);
	const struct view_data data = view_data_of(view, scene, p);
	*n = 0;
	return view->rows && (p->table || p->kept) ? view->rows(&data, a, rows, n) : 0;
}

size_t picture_step(const struct scene *scene, struct picture *p, size_t pane, int right, int up)
{
	const struct view *const view = view_of(scene);
	const struct view_data data = view_data_of(view, scene, p);
	const bool plane = view->step && p->kept && pane < p->figure.n &&
			   p->figure.panels[pane].kind == PANEL_PLANE;
	return plane ? view->step(&data, right, up) : 0;
}

size_t picture_walk(const struct scene *scene, struct picture *p, size_t pane, int right, int up)
{
	const struct view *const view = view_of(scene);
	const struct view_data data = view_data_of(view, scene, p);
	return view->walk && p->kept && pane < p->figure.n
		       ? view->walk(&data, &p->figure.panels[pane], right, up)
		       : 0;
}

bool picture_make(const struct scene *scene, const struct measures *measures, bool stale,
		  enum background background, struct cache *cache, struct watch *watch,
		  struct arena *a, struct picture *out, struct err *err)
{
	memset(out, 0, sizeof *out);
	return setup_build(&scene->setup, a, &out->built, err) &&
	       picture_compute(scene, cache, watch, a, out, err) &&
	       picture_redraw(scene, measures, stale, background, a, out, err);
}

bool picture_make_earlier(const struct scene *scene, enum background background,
			  struct cache *cache, struct arena *a, struct picture *out,
			  struct err *err)
{
	memset(out, 0, sizeof *out);
	out->earlier = true;
	return setup_build(&scene->setup, a, &out->built, err) &&
	       picture_compute(scene, cache, NULL, a, out, err) &&
	       picture_redraw(scene, NULL, false, background, a, out, err);
}
