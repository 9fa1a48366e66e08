/* scheme_curve.c: the curve of one scheme for a list of all: what the view Explore shows of it in the
 * first scene, in as many values as a few cells have room for.
 *
 * It hangs on nothing that the user looks at but the seed, so that schemes can be compared down the list,
 * and each is computed once. Of the nine tokens of the first sentence every place off the middle has two
 * distances. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/view/run.h"
#include "view_in.h"

enum { PLACES = SCHEME_CURVE_PLACES, MIDDLE = PLACES / 2 };

/* Below it a bias is rounding: logits are of the size of 1. */
static const double least = 1e-9;

/* Which place a number of lo..hi belongs to. */
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

/* Places between two numbers that follow each other are joined by what lies between them. */
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

/* Means over the numbers of each place; pairs that are all masked do not count. */
static void reduce(const struct distances *by, const double *mean, struct scheme_curve *out)
{
	double sum[PLACES] = {0}, n[PLACES] = {0};
	bool empty[PLACES];
	memset(empty, true, sizeof empty);
	for (size_t i = 0; i < by->n; i++) {
		const int at = place_of(by->lo + (long)i, by->lo, by->hi);
		/* No pair may have a number of a structure: that says nothing of a mask. */
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
	/* Nothing but the numbers is kept: it would crowd out what is looked at. */
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
