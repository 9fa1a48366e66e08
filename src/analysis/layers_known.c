/* layers_known.c: the steps that were done for the picture of before, to which the next one adds some. */
#include <pthread.h>
#include <string.h>

#include "layers_in.h"
#include "posviz/math/machine.h"
#include "posviz/model/cache.h"

static const double patience = 0.1; /* seconds of steps for a picture, after the first one */

/* The steps measured of the setup that was shown last. */
static struct {
	pthread_mutex_t lock;
	struct arena arena;
	char *key; /* the setup; NULL: there is none */
	struct layers layers;
	struct layers_so_far so_far;
	size_t step; /* the next one */
	struct cache
		*cache; /* of its own until the last step is done, or one was cancelled; or NULL */
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void end_cache(void)
{
	if (kept.cache)
		cache_free(kept.cache);
	kept.cache = NULL;
}

/* Begins anew unless it is the setup that is kept. */
static void take(const char *key)
{
	if (kept.key && strcmp(kept.key, key) == 0)
		return;
	end_cache();
	arena_release(&kept.arena);
	kept.key = arena_strdup(&kept.arena, key);
	kept.step = 0;
}

/* Does a step in a copy: one that is cancelled leaves nothing. */
static bool add_step(const struct layers_work *w)
{
	struct layers_so_far so_far = kept.so_far;
	struct layers next = kept.layers;
	const bool ok = layers_step(w, kept.step, false, &so_far, &kept.arena, &next);
	if (watch_cancelled(w->of.watch))
		return false;
	kept.layers = next;
	kept.so_far = so_far;
	kept.step = ok ? kept.step + 1 : STEPS;
	return ok;
}

/* Adds the first step, or as many as there is time for. */
static void add_steps(const struct layers_of *of)
{
	struct layers_of own = *of;
	struct layers_work w;
	struct layers names;
	struct arena scratch;
	const bool first = kept.step == 0;
	const double until = machine_seconds() + patience;
	if (!kept.cache)
		kept.cache = layers_cache(of);
	own.cache = kept.cache ? kept.cache : of->cache;
	arena_init(&scratch);
	bool ok = layers_open(&own, &scratch, &w, first ? &kept.arena : &scratch,
			      first ? &kept.layers : &names);
	if (!ok)
		kept.step = STEPS;
	for (size_t step = kept.step; ok && step < (first ? 1 : STEPS); step++)
		watch_expect(of->watch, layers_heads(&w, step, &kept.layers));
	do {
		ok = ok && add_step(&w);
	} while (ok && !first && kept.step < STEPS && machine_seconds() < until);
	arena_release(&scratch);
	if (!ok || kept.step == STEPS)
		end_cache();
}

static const char *copied(const char *text, struct arena *a)
{
	return text ? arena_strdup(a, text) : NULL;
}

static void copy_way(struct layers_way *way, struct arena *a)
{
	way->label = copied(way->label, a);
	way->says = copied(way->says, a);
	way->why = copied(way->why, a);
}

/* Copies what is kept, as the next picture adds to it. */
static void copy(struct arena *a, struct layers *out)
{
	*out = kept.layers;
	for (size_t i = 0; i < LAYERS_WAYS; i++)
		copy_way(&out->ways[i], a);
	copy_way(&out->shuffled, a);
	out->no_position = copied(out->no_position, a);
	out->no_order = copied(out->no_order, a);
	out->column = copied(out->column, a);
	out->why = copied(out->why, a);
	if (out->cosine.at)
		out->cosine = mat_copy(a, out->cosine);
}

void layers_measure_more(const struct layers_of *of, struct arena *a, struct layers *out)
{
	const char *const key = setup_identity(of->setup, false, a);
	if (!key) {
		layers_measure(of, a, out);
		return;
	}
	pthread_mutex_lock(&kept.lock);
	take(key);
	if (kept.step < STEPS)
		add_steps(of);
	copy(a, out);
	if (watch_cancelled(of->watch))
		out->why = "cancelled";
	pthread_mutex_unlock(&kept.lock);
}
