/* profile_known.c: the profile of a scene, kept between pictures, to which each adds some windows. */
#include <pthread.h>
#include <string.h>

#include "posviz/math/machine.h"
#include "posviz/token/tokenizer.h"
#include "profile_run.h"

/* The profile that was shown last. Its windows are added by whoever holds the lock. */
static struct {
	pthread_mutex_t lock;
	struct arena arena;
	char *key; /* the setup and the sizes that it is of; NULL: there is none */
	struct setup setup;
	struct profile_run run;
	struct profile *profile;
	size_t windows;
	bool noise;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

enum { TEXT_LIMIT = 64 << 20 };

static const double patience = 0.4; /* seconds of windows for a picture, if it may be partial */

/* Returns the setup whose text is cut by the model's tokenizer, if it has one, whatever ids the scene
 * looks at. */
static struct setup setup_of(const struct scene *scene)
{
	struct setup s = scene->setup;
	if (setup_computes(&s) && *s.checkpoint && tokenizer_is_there(s.checkpoint)) {
		s.ids = "";
		s.tokens = TOKENS_MODEL;
	}
	s.order = "identity";
	s.position_ids = s.segments = "none";
	s.memory_tokens = 0;
	s.special = "none";
	return s;
}

static bool open_run(const struct scene *s, struct err *err)
{
	struct profile_of of = {
		.setup = &kept.setup,
		.length = profile_length(s->window_length, setup_computes(&kept.setup))};
	if (*s->setup.file) {
		of.text = s->setup.file;
		if (!setup_text(&s->setup, TEXT_LIMIT, &kept.arena, &of.words, &of.len, err))
			return false;
	}
	return profile_open(&of, &kept.arena, &kept.run, err);
}

/* Opens the scene's profile, unless it is the one that is kept. */
static bool take(const struct scene *scene, struct arena *a, struct err *err)
{
	struct setup setup = setup_of(scene);
	const char *const identity = setup_identity(&setup, false, a);
	const char *const key =
		arena_printf(a, "%ld %s", scene->window_length, identity ? identity : "");
	if (kept.key && identity && strcmp(kept.key, key) == 0)
		return true;
	arena_release(&kept.arena);
	kept.key = NULL;
	kept.setup = setup;
	kept.windows = 0;
	kept.noise = false;
	if (!open_run(scene, err))
		return false;
	kept.profile = profile_new(&kept.run.sizes, &kept.arena);
	kept.key = arena_strdup(&kept.arena, key);
	return true;
}

/* Adds windows, all of them if the picture must be whole, and behind them the noise heads. */
static bool add_windows(size_t most, bool partial, struct cache *cache, struct watch *watch,
			struct err *err)
{
	const double until = machine_seconds() + patience;
	const size_t first = kept.windows;
	watch_expect(watch, most > first ? profile_heads_to_run(&kept.run, first, most) : 0);
	while (kept.windows < most) {
		if (!profile_step(&kept.run, kept.profile, kept.windows, cache, watch, err))
			return false;
		kept.windows++;
		if (partial && machine_seconds() > until)
			return true;
	}
	kept.noise |= !partial || first >= most;
	return true;
}

static void copy(size_t most, struct arena *a, struct profile_known *out)
{
	const struct profile_sizes *const z = &kept.run.sizes;
	const size_t cells = z->layers * z->heads;
	out->run = kept.run;
	out->run.source = NULL;
	if (kept.run.rates.at)
		out->run.rates = mat_copy(a, kept.run.rates);
	out->windows = kept.windows;
	out->noise = kept.noise;
	out->heads = profile_results(kept.profile, kept.noise, a);
	out->pairs = arena_calloc(a, cells, sizeof *out->pairs);
	for (size_t i = 0; i < cells; i++)
		out->pairs[i] = profile_pairs(kept.profile, i / z->heads, i % z->heads, a);
	out->to_come = (most > kept.windows ? most - kept.windows : 0) + !kept.noise;
}

void profile_of_scene(const struct scene *scene, bool partial, struct cache *cache,
		      struct watch *watch, struct arena *a, struct profile_known *out)
{
	struct err err = {""};
	*out = (struct profile_known){0};
	pthread_mutex_lock(&kept.lock);
	const bool ok = take(scene, a, &err);
	const size_t most = ok ? profile_windows(&kept.run, scene->windows) : 0;
	if (ok && add_windows(most, partial, cache, watch, &err))
		copy(most, a, out);
	else
		out->why = *err.text ? arena_strdup(a, err.text) : "it was not computed";
	pthread_mutex_unlock(&kept.lock);
}
