/* registry.c: the views of view_list.h. */
#include <string.h>

#include "posviz/picture/picture.h"
#include "posviz/plot/colormap.h"

#define VIEW(id) extern const struct view view_##id;
#include "view_list.h"
#undef VIEW

#define VIEW(id) &view_##id,
const struct view *const views[] = {
#include "view_list.h"
	NULL};
#undef VIEW

const struct view *view_find(const char *name)
{
	for (const struct view *const *at = views, *v; (v = *at) != NULL; at++)
		if (strcmp(v->name, name) == 0)
			return v;
	return NULL;
}

size_t view_index(const struct view *view)
{
	size_t i = 0;
	while (views[i] != view)
		i++;
	return i;
}

size_t view_count(void)
{
	return sizeof views / sizeof *views - 1;
}

const struct view *view_of(const struct scene *scene)
{
	static const struct view none = {0};
	const struct view *const v = view_find(scene->view);
	return v ? v : &none;
}

bool view_names_known(const struct scene *scene, struct err *err)
{
	if (!view_find(scene->view))
		return err_set(err, "view: there is no \"%s\"", scene->view);
	return strcmp(scene->colormap, "auto") == 0 || colormap_find(scene->colormap) ||
	       err_set(err, "colormap: there is no \"%s\"", scene->colormap);
}

/* For a single expression the view chooses a second. */
static bool pair_fits(const struct scene *scene, struct err *err)
{
	struct arena a;
	const char *all[COMPARE_MAX];
	arena_init(&a);
	const size_t n = scene_compared(&scene->setup, &a, all);
	arena_release(&a);
	return !view_compares(view_of(scene), scene) || pairs[scene->pair][1] <= (n < 2 ? 2 : n) ||
	       err_set(err, "pair: there is no %d; %zu expression%s compared",
		       pairs[scene->pair][1], n, n == 1 ? " is" : "s are");
}

static bool within(const char *what, long value, size_t limit, struct err *err)
{
	if (value >= 0 && (size_t)value <= limit)
		return true;
	return err_set(err, "%s: there is no %ld; 1 to %zu would be right", what, value, limit);
}

bool view_fits(const struct scene *scene, const struct built *b, struct err *err)
{
	const size_t n = b->model_input.axis.n;
	return compared_params(&scene->setup, b, err) &&
	       within("head", scene->head, b->model.config.heads, err) &&
	       within("layer", scene->layer, b->model.n_steps, err) &&
	       within("row", scene->row, view_of(scene)->rows ? scheme_count() : n, err) &&
	       within("col", scene->col, b->keys.n > 0 ? b->keys.n : n, err) &&
	       pair_fits(scene, err) && sweep_fits(view_of(scene), scene, err) &&
	       (!view_of(scene)->fits || view_of(scene)->fits(scene, err));
}

void view_settle_cell(struct scene *scene, size_t rows, size_t cols)
{
	const long last_row = (long)(view_of(scene)->rows ? scheme_count() : rows);
	scene->row = scene->row > last_row ? last_row : scene->row;
	scene->col = scene->col > (long)cols ? (long)cols : scene->col;
}
