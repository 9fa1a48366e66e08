/* bench_wide.c: each view of a scheme as somebody waits for it: the first picture, the longest that follows, and
 * all that it shows, on the scene that the program begins with and on one of a model of base size. */
#include <stdio.h>

#include "bench.h"
#include "posviz/picture/picture.h"
#include "posviz/view/view.h"

/* A part is what the program adds to a table or a map before it draws again. */
enum { PARTS = 2000, PART = 8 };

static const struct size {
	const char *name;
	size_t tokens; /* 0: the scene as the program begins with it */
	long d, heads;
	double first, all; /* goals in ms */
} sizes[] = {{"as it begins", 0, 0, 0, 300, 2000},
	     {"1000 tokens, d 768, 12 heads", 1000, 768, 12, 1000, 10000}};

struct waited {
	double first, worst, all;
};

/* Makes one picture; its measures come after the last. False: it said why. */
static bool make_part(const struct scene *scene, size_t most, struct cache *cache, size_t *left)
{
	struct arena a;
	struct picture p = {0};
	struct err err = {""};
	arena_init(&a);
	const bool ok = setup_build(&scene->setup, &a, &p.built, &err) &&
			picture_compute_part(scene, most, cache, NULL, &a, &p, &err) &&
			picture_redraw(scene, NULL, false, BACKGROUND_DARK, &a, &p, &err) &&
			(p.unmeasured > 0 ||
			 picture_measured(scene, BACKGROUND_DARK, cache, NULL, &a, &p, &err));
	if (!ok)
		printf("%s\n", err.text);
	*left = ok ? p.unmeasured : 0;
	arena_release(&a);
	return ok;
}

static bool wait_for(const struct scene *scene, struct waited *out)
{
	struct cache *const cache = cache_new(CACHE_BYTES);
	size_t left = 1;
	bool ok = true;
	*out = (struct waited){0};
	for (size_t part = 0; ok && part < PARTS && left > 0; part++) {
		const double before = now_ms();
		ok = make_part(scene, part ? PART : 0, cache, &left);
		const double took = now_ms() - before;
		out->first = part == 0 ? took : out->first;
		out->worst = took > out->worst ? took : out->worst;
		out->all += took;
	}
	cache_free(cache);
	return ok;
}

static void bench_size(const struct size *size, const struct view *view, const char *scheme)
{
	struct arena a;
	struct scene scene;
	struct waited waited;
	arena_init(&a);
	scene_init(&scene);
	if (size->tokens > 0)
		scene_for(&scene, &a, size->tokens, size->d, size->heads);
	scene.setup.scheme = scene_intern(scheme);
	scene.view = scene_intern(view->name);
	if (wait_for(&scene, &waited)) {
		printf("%-10s %-8s %9.0f %9.0f %9.0f", view->name, scheme, waited.first,
		       waited.worst, waited.all);
		goal_at_most(waited.first, size->first, "first of %s of %s, %s", view->name, scheme,
			     size->name);
		goal_at_most(waited.all, size->all, "all of %s of %s, %s", view->name, scheme,
			     size->name);
		printf("\n");
	}
	arena_release(&a);
}

void bench_wide(void)
{
	static const char *const schemes[] = {"rope", "t5", "shaw"};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		printf("\nviews of the scene %s: ms to the first picture, of the longest, to all\n",
		       sizes[i].name);
		for (const struct view *const *at = views, *v; (v = *at) != NULL; at++)
			for (size_t k = 0; !v->own && k < sizeof schemes / sizeof *schemes; k++)
				bench_size(&sizes[i], v, schemes[k]);
	}
}
