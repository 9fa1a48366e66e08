/* bench_views.c: what each view that analyses takes at 512 tokens, from the scene to its numbers, and anew when
 * the cell moves. */
#include <stdio.h>

#include "bench.h"
#include "posviz/math/machine.h"
#include "posviz/picture/picture.h"

enum { ROUNDS = 5, TOKENS = 512 };

/* A view of one matrix; one with singular values, or least squares by them; one of 64 sentences in three models. */
static const struct {
	const char *view;
	double goal; /* ms */
} rows[] = {
	{"split", 100}, {"metrics", 300},   {"vectors", 300}, {"clocks", 100},
	{"rank", 300},	{"gradients", 100}, {"layers", 1000}, {"values", 100},
};
static const char *const schemes[] = {"sinusoidal", "learned", "rope", "t5", "shaw"};

static bool time_of(const struct scene *scene, double *all, double *again, double *run)
{
	struct arena a;
	struct picture picture = {0};
	struct trace trace;
	struct err err = {""};
	arena_init(&a);
	const double t0 = now_ms();
	bool ok = picture_make(scene, NULL, false, BACKGROUND_DARK, NULL, NULL, &a, &picture, &err);
	const double t1 = now_ms();
	ok = ok && picture_redraw(scene, NULL, false, BACKGROUND_DARK, &a, &picture, &err);
	const double t2 = now_ms();
	const struct want want = {.kinds = view_of(scene)->wants(scene)};
	ok = ok && built_run(&picture.built, &picture.built.model_input, &want, NULL, NULL, &a,
			     &trace, &err);
	*run = now_ms() - t2;
	*all = t1 - t0;
	*again = t2 - t1;
	if (!ok)
		printf("%s\n", err.text);
	arena_release(&a);
	return ok;
}

static void bench_view(const char *view, const char *scheme, double goal)
{
	struct arena a;
	struct scene scene;
	double all[ROUNDS], again[ROUNDS], run[ROUNDS];
	size_t n = 0;
	arena_init(&a);
	scene_for(&scene, &a, TOKENS, 64, 4);
	scene.setup.scheme = scene_intern(scheme);
	scene.view = scene_intern(view);
	while (n < ROUNDS && time_of(&scene, &all[n], &again[n], &run[n]))
		n++;
	const double took = median(all, n), once = median(run, n);
	printf("%-10s %-12s %9.1f %9.1f %9.1f", view, scheme, took, took / once, median(again, n));
	goal_at_most(took, goal, "view %s of %s, n %d", view, scheme, TOKENS);
	printf("\n");
	arena_release(&a);
}

/* Of one that fills while it is looked at: the first picture, the next one, and all of it, on the sentence that a
 * scene begins with. */
static void bench_filling(const char *view, const char *scheme)
{
	enum { PARTS = 1000, PART = 8, FIRST = 300 };
	struct cache *const cache = cache_new(CACHE_BYTES);
	struct scene scene;
	size_t parts = 0, left = 1;
	double first = 0, worst = 0, all = 0;
	scene_init(&scene);
	scene.setup.scheme = scene_intern(scheme);
	scene.view = scene_intern(view);
	for (; parts < PARTS && left > 0; parts++) {
		struct arena a;
		struct picture p = {0};
		struct err err = {""};
		arena_init(&a);
		const double t0 = now_ms();
		if (!setup_build(&scene.setup, &a, &p.built, &err) ||
		    !picture_compute_part(&scene, parts ? PART : 0, cache, NULL, &a, &p, &err) ||
		    !picture_redraw(&scene, NULL, false, BACKGROUND_DARK, &a, &p, &err))
			printf("%s\n", err.text);
		const double took = now_ms() - t0;
		first = parts == 0 ? took : first;
		worst = took > worst ? took : worst;
		all += took;
		left = p.unmeasured;
		arena_release(&a);
	}
	printf("%-10s %-12s %9.1f %9.1f %9.1f", view, scheme, first, worst, all);
	goal_at_most(first, FIRST, "the first picture of the view %s of %s", view, scheme);
	printf("\n");
	cache_free(cache);
}

/* A picture of the first layer takes nothing of the others, and of the weights only what it reads: a model of
 * d 4096, 32 heads and 32 layers beside the one that a scene begins with, on the same sentence. */
static void bench_large(const char *view, const char *scheme)
{
	enum { MS = 300, MB = 200 };
	double took[2][ROUNDS];
	size_t used = 0;
	for (int large = 0; large < 2; large++)
		for (size_t i = 0; i < ROUNDS; i++) {
			struct arena a;
			struct scene scene;
			struct picture p = {0};
			struct err err = {""};
			arena_init(&a);
			scene_init(&scene);
			scene.setup.scheme = scene_intern(scheme);
			scene.view = scene_intern(view);
			if (large) {
				scene.setup.d_model = 4096;
				scene.setup.heads = scene.setup.layers = 32;
			}
			const double t0 = now_ms();
			if (!picture_make(&scene, NULL, false, BACKGROUND_DARK, NULL, NULL, &a, &p,
					  &err))
				printf("%s\n", err.text);
			took[large][i] = now_ms() - t0;
			used = a.peak;
			arena_release(&a);
		}
	const double wide = median(took[1], ROUNDS), usual = median(took[0], ROUNDS);
	printf("%-10s %-12s %9.1f %9.1f %9.1f", view, scheme, wide, wide / usual,
	       (double)used / 1e6);
	goal_at_most(wide, MS, "view %s of %s, d 4096, 32 heads, 32 layers", view, scheme);
	goal_at_most((double)used / 1e6, MB, "memory of the view %s of %s at that size", view,
		     scheme);
	printf("\n");
}

void bench_views(void)
{
	static const char *const filling[] = {"map", "lengths", "table"};
	printf("\nviews at %d tokens, d 64, 4 heads: ms, times one evaluation of what it wants, ms "
	       "when the cell moves\n",
	       TOKENS);
	printf("%-10s %-12s %9s %9s %9s\n", "view", "scheme", "ms", "runs", "redraw");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++)
			bench_view(rows[i].view, schemes[k], rows[i].goal);
	static const char *const large[] = {"vectors", "clocks", "explore"};
	printf("\nviews of d 4096, 32 heads, 32 layers: ms, times those of d 64, 4 heads, 2 layers, MB\n");
	for (size_t i = 0; i < sizeof large / sizeof *large; i++)
		bench_large(large[i], "rope");
	printf("\nviews that fill, at first: ms, the longest part, all of it\n");
	for (size_t i = 0; i < sizeof filling / sizeof *filling; i++)
		for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++)
			bench_filling(filling[i], schemes[k]);
}
