/* scheme_curve.c: the small curve of a scheme in a list of all schemes: the curve of the view
 * Explore in the first scene, reduced to as many values as a few cells can show.
 *
 * It depends on the scheme and the seed only, and not on the user's scene, so that schemes can
 * be compared in the list and each curve is computed once. The first sentence has nine tokens,
 * so each value except the middle one covers two distances. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/view/run.h"
#include "view_in.h"

enum { PLACES = SCHEME_CURVE_PLACES, MIDDLE = PLACES / 2 };

/* A smaller bias is rounding: logits have a size of about 1. */
static const double least = 1e-9;

/* Returns the index of the value that covers a number of lo..hi. */
static int place_of(long number, long lo, long hi)
{
	if (lo == hi)
		return MIDDLE;
	if (lo >= 0)
		return (int)lround((double)(number - lo) * (PLACES - 1) / (double)(hi - lo));
	const long most = hi > -lo ? hi : -lo;
	const int away = (int)((labs(number) * MIDDLE + most - 1) / most);
	return number < 0 ? MIDDLE - away : MIDDLE + away;
}

/* Interpolates values that no number has between neighbouring ones. */
static void fill_gaps(double *at, const bool *empty)
{
	for (int i = 1, before = 0; i < PLACES; i++) {
		if (empty[i])
			continue;
		for (int k = before + 1; k < i; k++)
			at[k] = at[before] + (at[i] - at[before]) * (k - before) / (i - before);
		before = i;
	}
}

/* Averages the numbers that each value covers; a number whose pairs are all masked does not
 * count. */
static void reduce(const struct distances *by, const double *mean, struct scheme_curve *out)
{
	double sum[PLACES] = {0}, n[PLACES] = {0};
	bool empty[PLACES];
	memset(empty, true, sizeof empty);
	for (size_t i = 0; i < by->n; i++) {
		const int at = place_of(by->lo + (long)i, by->lo, by->hi);
		/* A number of a structure may occur in no pair: the gap does not mean that pairs
		 * are masked. */
		empty[at] &= by->number && !isfinite(mean[i]);
		sum[at] += isfinite(mean[i]) ? mean[i] : 0;
		n[at] += isfinite(mean[i]);
	}
	for (int i = 0; i < PLACES; i++)
		out->at[i] = n[i] > 0 ? sum[i] / n[i] : NAN;
	fill_gaps(out->at, empty);
	double most = 0;
	for (int i = 0; i < PLACES; i++)
		most = isfinite(out->at[i]) ? fmax(most, fabs(out->at[i])) : most;
	for (int i = 0; i < PLACES; i++)
		out->at[i] = most < least && isfinite(out->at[i]) ? 0 : out->at[i];
}

static bool compute(const struct scene *scene, struct watch *watch, struct scheme_curve *out)
{
	struct arena a;
	struct picture p;
	struct err err;
	memset(&p, 0, sizeof p);
	arena_init(&a);
	/* Results of the run are not stored: they would crowd the shown ones out of the cache. */
	const struct job job = {.scene = scene, .view = &view_explore, .watch = watch, .a = &a};
	const bool ok =
		setup_build(&scene->setup, &a, &p.built, &err) && view_compute(&job, &p, &err);
	const struct distances *const by = &p.by_distance;
	if (ok && !p.trace.bias_absent && by->n > 0)
		reduce(by, by->mean + by->heads * by->n, out);
	arena_release(&a);
	return ok || !watch_cancelled(watch);
}

bool view_scheme_curve(const struct scheme *s, uint64_t seed, struct cache *cache,
		       struct watch *watch, struct scheme_curve *out)
{
	struct arena a;
	struct scene scene;
	scene_init(&scene);
	scene.setup.scheme = s->flags & SCHEME_YOURS && s->expression ? s->expression : s->id;
	scene.setup.seed = seed;
	scene.head = SCENE_MEAN;
	arena_init(&a);
	const char *const key = arena_printf(&a, "curve %s seed %llu", scene.setup.scheme,
					     (unsigned long long)seed);
	bool ok = cache_recall(cache, key, out->at, PLACES);
	if (!ok) {
		for (int i = 0; i < PLACES; i++)
			out->at[i] = NAN;
		ok = compute(&scene, watch, out);
		if (ok)
			cache_remember(cache, key, out->at, PLACES);
	}
	arena_release(&a);
	return ok;
}
