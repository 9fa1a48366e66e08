/* draw.c: makes the figure of a view from computed results. */
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "run_in.h"

bool view_has_no_say(const struct view *view, const struct scene *scene, const struct built *b)
{
	const bool alone = view->compare && strcmp(scene->setup.compare, "none") == 0;
	return b->keys.n > 0 && (!view->rectangles || alone) && !view->own;
}

bool view_compares(const struct view *view, const struct scene *scene)
{
	return view->compare || (view->beside && strcmp(scene->setup.compare, "none") != 0);
}

struct view_data view_data_of(const struct view *view, const struct scene *scene, struct picture *p)
{
	return (struct view_data){.view = view,
				  .scene = scene,
				  .built = &p->built,
				  .trace = &p->trace,
				  .twin = view->twin ? &p->twin : NULL,
				  .compared = view_compares(view, scene) ? p->compared : NULL,
				  .n_compared = view_compares(view, scene) ? p->n_compared : 0,
				  .swept = p->swept,
				  .n_swept = p->n_swept,
				  .by_distance = view->by_distance ? &p->by_distance : NULL,
				  .split = view->split ? &p->split : NULL,
				  .table = view->table ? p->table : NULL,
				  .n_table = view->table ? p->n_table : 0,
				  .lengths = view->lengths ? &p->lengths : NULL,
				  .laid = view->lengths ? p->laid : NULL,
				  .n_laid = view->lengths ? p->n_laid : 0,
				  .cost = view->cost ? &p->cost : NULL,
				  .kept = p->kept,
				  .earlier = p->earlier};
}

/* Returns the matrix that the scene names as a panel although the figure shows another one;
 * NULL: it names none. */
static const char *other_matrix(const struct view *view, const struct scene *scene,
				const struct figure *f)
{
	bool follows = false;
	for (size_t i = 0; i < f->n; i++)
		follows |= f->panels[i].name &&
			   strcmp(f->panels[i].name, matrix_names[scene->matrix]) == 0;
	for (size_t i = 0; i < MATRIX_COUNT && follows; i++)
		if ((i != MATRIX_BIAS || !view->no_bias) && (int)i != scene->matrix &&
		    text_contains(scene->panel, matrix_names[i]))
			return matrix_names[i];
	return NULL;
}

const char *view_why_nothing(const struct view *view)
{
	return view->compare ? "another matrix of this shape would be there to compare"
			     : view_not_measured;
}

static void say_nothing(const struct view_data *d, struct arena *a, struct figure *out)
{
	view_frame(d, view_layer_note(d, a), a, out);
	out->panels[0] = (struct panel){.kind = PANEL_HEATMAP,
					.name = d->view->name,
					.title = d->view->title,
					.absent = view_why_nothing(d->view)};
	out->n = 1;
	out->col_weight[0] = out->row_weight[0] = 1;
	view_close(d, out);
}

/* Lets a matrix of one value say so over its cells, unless its view has a sentence of its own. */
static void say_uniform(struct panel *p, struct arena *a)
{
	struct heatmap *const h = &p->heatmap;
	double value;
	char text[32];
	if (p->kind != PANEL_HEATMAP || p->absent || h->uniform || h->integers || !h->values.at ||
	    !heatmap_is_uniform(h, &value))
		return;
	h->uniform = value != 0 ? arena_printf(a, "Every cell is %s.",
					       num_show(text, sizeof text, value, 3))
		     : h->first ? "No difference: both are the same in every cell."
				: "Zero everywhere.";
}

bool view_draw(const struct view_data *data, struct arena *a, struct figure *out, struct err *err)
{
	const struct view *const view = data->view;
	if (view_has_no_say(view, data->scene, data->built)) {
		say_nothing(data, a, out);
		view_foot(data, a, out);
		return true;
	}
	view->figure(data, a, out);
	for (size_t i = 0; i < out->n; i++)
		say_uniform(&out->panels[i], a);
	const bool there = view_pick(view, out, data->scene->panel, a, err);
	const char *const other = there ? NULL : other_matrix(view, data->scene, out);
	if (other && err)
		err_set(err, "%s; --matrix %s shows that", arena_strdup(a, err->text), other);
	if (view->subtitle)
		view->subtitle(data, a, out);
	if (!out->caption)
		view_foot(data, a, out);
	return there;
}

bool view_redraw(const struct view *view, const struct scene *scene,
		 const struct measures *measures, bool stale, enum background background,
		 struct arena *a, struct picture *p, struct err *err)
{
	if (view_compares(view, scene))
		compared_name(scene, p, a);
	struct view_data data = view_data_of(view, scene, p);
	data.measures = measures;
	data.measures_stale = stale;
	data.background = background;
	const bool there = view_draw(&data, a, &p->figure, err);
	if (*scene->title)
		p->figure.title = text_escape(a, scene->title, strlen(scene->title));
	if (scene->presenter)
		view_present(&data, a, &p->figure);
	if (scene->unnamed != UNNAMED_OFF)
		view_unname(&data, a, &p->figure);
	return there;
}
