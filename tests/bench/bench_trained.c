/* bench_trained.c: a trained model of base size: its first picture, another head and layer, a long text, a
 * pass beside its products called bare, how soon it is cancelled, its memory, and the profile of its heads. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"
#include "model.h"
#include "posviz/app/app.h"
#include "posviz/model/cache_bytes.h"
#include "posviz/picture/picture.h"

enum { SHORT = 32, LONG = 512, ROUNDS = 11, FEW = 3 };

/* What the program makes before it measures: the picture, without what its foot tells of other orders. */
static double picture_ms(const struct scene *scene, struct cache *cache, struct watch *watch)
{
	struct arena a;
	struct picture picture = {0};
	struct err err;
	arena_init(&a);
	const double start = now_ms();
	const bool ok = setup_build(&scene->setup, &a, &picture.built, &err) &&
			picture_compute(scene, cache, watch, &a, &picture, &err);
	const double took = now_ms() - start;
	if (!ok && !watch)
		printf("%s\n", err.text);
	arena_release(&a);
	return took;
}

static double first_ms(const struct scene *scene, size_t rounds)
{
	double ms[ROUNDS];
	for (size_t i = 0; i < rounds; i++) {
		struct cache *const cache = cache_new(CACHE_BYTES);
		ms[i] = picture_ms(scene, cache, NULL);
		cache_free(cache);
	}
	return median(ms, rounds);
}

static void bench_first(const char *path, size_t n, double goal, size_t rounds)
{
	struct arena a;
	struct scene scene;
	arena_init(&a);
	if (model_scene(&scene, &a, path, n)) {
		const double ms = first_ms(&scene, rounds);
		printf("first picture, n %-3zu  %8.1f ms", n, ms);
		goal_at_most(ms, goal, "trained, n %zu, first picture, ms", n);
		putchar('\n');
	}
	arena_release(&a);
}

/* Another head or another layer, after a picture of the last layer. */
static void bench_other(const char *path, bool layer, double goal)
{
	struct arena a;
	struct scene scene;
	double ms[ROUNDS];
	arena_init(&a);
	if (model_scene(&scene, &a, path, SHORT)) {
		struct cache *const cache = cache_new(CACHE_BYTES);
		picture_ms(&scene, cache, NULL);
		for (size_t i = 0; i < ROUNDS; i++) {
			*(layer ? &scene.layer : &scene.head) = 1 + (long)(i * 5 % MODEL_LAYERS);
			ms[i] = picture_ms(&scene, cache, NULL);
		}
		printf("another %-13s %8.1f ms", layer ? "layer" : "head", median(ms, ROUNDS));
		goal_at_most(median(ms, ROUNDS), goal, "trained, another %s, ms",
			     layer ? "layer" : "head");
		putchar('\n');
		cache_free(cache);
	}
	arena_release(&a);
}

/* ---- a pass beside the bare products ------------------------------------------------------------- */

static void bench_pass(const char *path)
{
	struct pass p;
	struct bare_model bare;
	if (!pass_open(&p, path, SHORT))
		return;
	if (bare_open(&bare, path, SHORT)) {
		const struct pair pair = measure_pair(pass_run, &p, bare_run, &bare, ROUNDS);
		printf("a pass, n %-3d         %8.1f ms, its products in single precision %.1f ms, "
		       "ratio %.2f",
		       SHORT, pair.a, pair.b, pair.ratio);
		goal_at_most(pair.ratio, 3.5, "trained, a pass beside bare products");
		putchar('\n');
		bare_close(&bare);
	}
	pass_close(&p);
}

/* ---- cancelled ----------------------------------------------------------------------------------- */

struct cancelled {
	const struct scene *scene;
	struct watch watch;
};

static void *make_picture(void *context)
{
	struct cancelled *const c = context;
	picture_ms(c->scene, NULL, &c->watch);
	return NULL;
}

static void bench_cancelled(const char *path)
{
	enum { APART_US = 60000 };
	struct arena a;
	struct scene scene;
	double ms[ROUNDS], worst = 0;
	arena_init(&a);
	if (!model_scene(&scene, &a, path, LONG))
		return;
	for (size_t i = 0; i < ROUNDS; i++) {
		struct cancelled c = {.scene = &scene};
		pthread_t thread;
		watch_begin(&c.watch);
		if (pthread_create(&thread, NULL, make_picture, &c) != 0)
			return;
		usleep((useconds_t)(i + 1) * APART_US);
		const double start = now_ms();
		watch_cancel(&c.watch);
		pthread_join(thread, NULL);
		ms[i] = now_ms() - start;
		worst = ms[i] > worst ? ms[i] : worst;
	}
	printf("cancelled, n %-3d      %8.1f ms, at most %.1f", LONG, median(ms, ROUNDS), worst);
	goal_at_most(median(ms, ROUNDS), 100, "trained, n %d, cancelled after, ms", LONG);
	putchar('\n');
	arena_release(&a);
}

/* ---- memory -------------------------------------------------------------------------------------- */

int trained_alone(char **argv)
{
	struct arena a;
	struct scene scene;
	arena_init(&a);
	const bool ok = model_scene(&scene, &a, argv[0], strtoul(argv[1], NULL, 10));
	if (ok)
		first_ms(&scene, 1);
	printf("%.1f\n", peak_mb(getpid()));
	arena_release(&a);
	return !ok;
}

static void bench_memory(const char *path, const char *n, double goal)
{
	struct spent spent;
	if (!spend_alone("trained", path, n, &spent))
		return;
	const double mb = strtod(spent.said, NULL);
	printf("memory, n %-3s         %8.0f MB", n, mb);
	goal_at_most(mb, goal, "trained, n %s, MB", n);
	putchar('\n');
}

/* ---- the profile of its heads -------------------------------------------------------------------- */

/* What a picture of the view Profile is made of: windows of a length, of the text that the program has. A profile
 * is kept from one picture to the next of the same length, which then only adds windows. */
struct profiled {
	const char *path;
	long length, windows;
	size_t most; /* SIZE_MAX: all windows at once */
	struct watch watch;
};

static void *make_profile(void *context)
{
	struct profiled *const c = context;
	struct cache *const cache = cache_new(CACHE_BYTES);
	struct arena a;
	struct scene scene;
	struct picture picture = {0};
	struct err err = {""};
	const char *said;
	arena_init(&a);
	scene_init(&scene);
	bool ok = app_configuration(&scene, c->path, &a, &said, &err);
	scene.windows = c->windows;
	scene.window_length = c->length;
	scene.view = scene_intern("profile");
	ok = ok && setup_build(&scene.setup, &a, &picture.built, &err) &&
	     picture_compute_part(&scene, c->most, cache, &c->watch, &a, &picture, &err);
	if (!ok && *err.text)
		printf("%s\n", err.text);
	arena_release(&a);
	cache_free(cache);
	return NULL;
}

static double profile_ms(const char *path, long length, long windows, size_t most)
{
	struct profiled c = {path, length, windows, most, {0}};
	watch_begin(&c.watch);
	const double start = now_ms();
	make_profile(&c);
	return now_ms() - start;
}

static double profile_cancelled_ms(const char *path, long length, size_t after_ms)
{
	struct profiled c = {path, length, 200, SIZE_MAX, {0}};
	pthread_t thread;
	watch_begin(&c.watch);
	if (pthread_create(&thread, NULL, make_profile, &c) != 0)
		return 0;
	usleep((useconds_t)(1000 * after_ms));
	const double start = now_ms();
	watch_cancel(&c.watch);
	pthread_join(thread, NULL);
	return now_ms() - start;
}

/* The time of 200 windows is that of two with all that comes once, and what each further one takes. */
static void bench_profile(const char *path)
{
	enum { LENGTH = 128, SOME = 2, MORE = 6, ALL = 200, APART_MS = 170 };
	double cancelled[ROUNDS];
	const double first = profile_ms(path, LENGTH - 1, ALL, 1);
	const double some = profile_ms(path, LENGTH, SOME, SIZE_MAX);
	const double each = profile_ms(path, LENGTH, MORE, SIZE_MAX) / (MORE - SOME);
	const double all = (some + each * (ALL - SOME)) / 1e3;
	printf("profile, first        %8.1f ms", first);
	goal_at_most(first, 2000, "trained, profile, first picture, ms");
	printf("\nprofile, a window     %8.1f ms: %d windows in %.0f s", each, ALL, all);
	goal_at_most(all, 240, "trained, profile of %d windows, s", ALL);
	for (size_t i = 0; i < ROUNDS; i++)
		cancelled[i] = profile_cancelled_ms(path, LENGTH - 2 - (long)i, (i + 1) * APART_MS);
	const double middle = median(cancelled, ROUNDS);
	printf("\nprofile, cancelled    %8.1f ms, at most %.1f", middle, cancelled[ROUNDS - 1]);
	goal_at_most(middle, 100, "trained, profile cancelled after, ms");
	putchar('\n');
}

void bench_trained(void)
{
	char path[64];
	printf("\na trained model: 12 layers, d 768, 12 heads, ff 3072, its file in memory; Explore at "
	       "layer 12\n");
	if (!model_make(path, sizeof path))
		return;
	bench_first(path, SHORT, 1000, ROUNDS);
	bench_other(path, false, 16);
	bench_other(path, true, 100);
	bench_first(path, LONG, 6000, FEW);
	bench_pass(path);
	bench_cancelled(path);
	bench_memory(path, "32", 300);
	bench_memory(path, "512", 800);
	bench_profile(path);
	model_remove(path);
}
