/* view_numbers.c: the numbers of views. */
#include <math.h>
#include <string.h>

#include "posviz/base/text.h"
#include "posviz/picture/picture.h"

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

static bool names_a_set(const char *names)
{
	return strcmp(names, "all") == 0 || strcmp(names, "quick") == 0;
}

/* Returns whether what the view shows exceeds the memory. */
static bool is_too_large(const struct view *view, const struct scene *scene, const struct built *b)
{
	const struct want want = {.kinds = view->wants(scene),
				  .layer = view_wanted(scene->layer, b->model.n_steps),
				  .head = view_wanted(scene->head, b->model.config.heads)};
	const size_t limit = b->model.config.memory;
	return limit > 0 && model_estimate(&b->model, &b->model_input, &want) > limit;
}

/* Adds the numbers of a view. A view that cannot show the scene's matrix is skipped in a set, and
 * is an error if the user named it. */
static bool add_numbers(const struct view *view, const char *names, struct scene *scene,
			const struct built *b, struct cache *cache, struct watch *watch,
			struct arena *a, struct numbers *out, struct err *err)
{
	struct picture *const p = arena_calloc(a, 1, sizeof *p);
	p->built = *b;
	scene->view = view->name;
	if (view_has_no_say(view, scene, b))
		return names_a_set(names) || err_set(err, "%s", view_why_nothing(view));
	if (names_a_set(names) && is_too_large(view, scene, b)) {
		numbers_say(out, arena_printf(out->arena, "%s.all", view->name), NAN,
			    "n/a: above the limit of memory",
			    "what the view of this name says in numbers");
		return true;
	}
	if (!picture_compute(scene, cache, watch, a, p, err))
		return false;
	struct view_data data = view_data_of(view, scene, p);
	data.cache = cache;
	data.watch = watch;
	view->numbers(&data, a, out);
	return !watch || !watch_cancelled(watch) || err_set(err, "cancelled");
}

static bool is_named(const struct view *view, const char *names)
{
	if (names_a_set(names))
		return !view->slow || *names == 'a';
	const size_t len = strlen(view->name);
	for (const char *at = names; *at; at += strcspn(at, ","), at += *at == ',')
		if (strcspn(at, ",") == len && memcmp(at, view->name, len) == 0)
			return true;
	return false;
}

bool view_numbers(const struct scene *scene, const char *names, const struct built *b,
		  struct cache *cache, struct watch *watch, struct arena *a, struct numbers *out,
		  struct err *err)
{
	struct scene of = *scene;
	for (const struct view *const *at = views, *v; (v = *at) != NULL; at++)
		if (v->numbers && is_named(v, names) &&
		    !add_numbers(v, names, &of, b, cache, watch, a, out, err))
			return err_prefix(err, "numbers of %s: ", v->name);
	return true;
}
