/* registry.c: the views of view_list.h. */
#include <string.h>

#include "posviz/plot/colormap.h"
#include "posviz/base/text.h"
#include "view_in.h"

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

bool view_numbers_known(const char *names, struct err *err)
{
	static const char *const sets[] = {"all", "quick", "none"};
	struct arena a;
	bool known = false;
	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
		known |= strcmp(names, sets[i]) == 0;
	if (known)
		return true;
	arena_init(&a);
	known = *names != '\0';
	for (const char *at = names; *at && known; at += strcspn(at, ","), at += *at == ',') {
		const size_t len = strcspn(at, ",");
		const struct view *const v = view_find(arena_strndup(&a, at, len));
		known = v && v->numbers;
		if (!known)
			err_set(err,
				"numbers: %s is no view that has numbers; all, quick, none or "
				"names such as rank,split would be right",
				text_quote(&a, at, len));
	}
	arena_release(&a);
	return known || (*names == '\0' ? err_set(err, "numbers: all, quick, none or names of "
						       "views would be right")
					: false);
}

/* The view chooses a second expression itself where one is given. */
static bool pair_fits(const struct scene *scene, struct err *err)
{
	struct arena a;
	const char *all[COMPARE_MAX];
	arena_init(&a);
	const size_t n = scene_compared(&scene->setup, &a, all);
	arena_release(&a);
	return !view_of(scene)->compare || pairs[scene->pair][1] <= (n < 2 ? 2 : n) ||
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
	       pair_fits(scene, err) && sweep_fits(scene, err) &&
	       (!view_of(scene)->fits || view_of(scene)->fits(scene, err));
}

const char *view_value_name(const char *title)
{
	static const char *const names[][2] = {
		{"Position bias", "bias"}, {"Attention weights", "weight"}, {"Logits", "logit"}};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(title, names[i][0]) == 0)
			return names[i][1];
	return NULL;
}
