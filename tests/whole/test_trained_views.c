/* test_trained_views.c: every view of a trained model's last layer has a picture, with numbers or a sentence
 * why there are none. */
#include <string.h>

#include "test.h"
#include "posviz/app/app.h"
#include "posviz/model/cache_bytes.h"
#include "posviz/picture/picture.h"

static void open_model(struct scene *scene, const char *model, struct arena *a)
{
	struct err err = {""};
	const char *said;
	scene_init(scene);
	if (!app_configuration(scene, arena_printf(a, "%s/models/%s", test_data, model), a, &said,
			       &err) ||
	    !scene_set(scene, field_find("ids"), "3 17 5 9 21", &err) ||
	    !scene_set(scene, field_find("layer"), "2", &err))
		fail_msg("%s: %s", model, err.text);
	scene->windows = 2;
	scene->train_steps = 20;
}

/* Returns the reason why a view shows nothing; NULL: some panel has more. */
static const char *why_empty(const struct figure *f)
{
	const char *why = "it has no panel";
	for (size_t i = 0; i < f->n && why; i++)
		why = f->panels[i].absent;
	return why;
}

/* Views of all schemes, or of papers, show the model as one row of many, in seconds. */
static bool is_of_all_schemes(const struct view *view)
{
	static const char *const names[] = {"table", "map", "cost", "figures"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(view->name, names[i]) == 0)
			return true;
	return false;
}

/* Gemma's heads together are wider than the model, its layers fewer than the view Layers would like. */
TEST_IN_PARTS(every_view_shows_trained_models, 2)
{
	static const char *const models[] = {"gemma2", "bert-bare"};
	struct cache *const cache = cache_new(CACHE_BYTES);
	for (size_t i = 0; i < view_count(); i++) {
		const struct view *const view = views[i];
		if (is_of_all_schemes(view))
			continue;
		struct arena a;
		struct scene scene;
		struct err err = {""};
		arena_init(&a);
		struct picture *const p = arena_calloc(&a, 1, sizeof *p);
		open_model(&scene, models[test_part % 2], &a);
		scene.view = view->name;
		if (!picture_make(&scene, NULL, false, BACKGROUND_LIGHT, cache, NULL, &a, p, &err))
			fail_msg("%s: %s: %s", models[test_part % 2], view->name, err.text);
		if (why_empty(&p->figure))
			fail_msg("%s: %s: %s", models[test_part % 2], view->name,
				 why_empty(&p->figure));
		arena_release(&a);
	}
	cache_free(cache);
}
