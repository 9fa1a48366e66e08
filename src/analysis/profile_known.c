/* profile_known.c: the profile of a scene, kept between pictures, to which each adds some windows. */
#include <pthread.h>
#include <string.h>

#include "posviz/analysis/profile_columns.h"
#include "posviz/math/machine.h"
#include "posviz/scene/beside.h"
#include "posviz/scene/model_open.h"
#include "posviz/token/tokenizer.h"
#include "profile_run.h"

/* The profiles that were shown last: of a scene, and of what it is compared with. Their windows are added by whoever
 * holds the lock. */
struct kept {
	struct arena arena;
	char *key; /* the setup and the sizes that it is of; NULL: there is none */
	struct setup setup;
	struct profile_run run;
	struct profile *profile;
	size_t windows;
	bool noise, own;
	bool half; /* of the last window only the first part is there */
};

enum { KEPT = 2 };

static struct {
	pthread_mutex_t lock;
	struct kept at[KEPT];
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

enum { TEXT_LIMIT = 64 << 20 };

static const double patience = 0.4; /* seconds of windows for a picture, if it may be partial */

/* Returns the setup whose text is cut by the model's tokenizer, if it has one, whatever ids the scene
 * looks at. */
static struct setup setup_of(const struct setup *from)
{
	struct setup s = *from;
	if (setup_computes(&s) && *s.checkpoint && tokenizer_is_there(s.checkpoint)) {
		s.ids = "";
		s.tokens = TOKENS_MODEL;
	}
	s.order = "identity";
	s.position_ids = s.segments = "none";
	s.memory_tokens = 0;
	s.special = s.compare = "none";
	return s;
}

static bool open_run(struct kept *k, const struct scene *s, struct err *err)
{
	struct profile_of of = {
		.setup = &k->setup,
		.length = profile_length(s->window_length, setup_computes(&k->setup))};
	if (*s->setup.file) {
		of.text = s->setup.file;
		if (!setup_text(&s->setup, TEXT_LIMIT, &k->arena, &of.words, &of.len, err))
			return false;
	}
	return profile_open(&of, &k->arena, &k->run, err);
}

/* Opens the profile of a setup, unless it is the one that is kept. */
static bool take(struct kept *k, const struct scene *scene, const struct setup *of, struct arena *a,
		 struct err *err)
{
	struct setup setup = setup_of(of);
	const char *const identity = setup_identity(&setup, false, a);
	const char *const key =
		arena_printf(a, "%ld %s", scene->window_length, identity ? identity : "");
	if (k->key && identity && strcmp(k->key, key) == 0)
		return true;
	arena_release(&k->arena);
	k->key = NULL;
	k->setup = setup;
	k->windows = 0;
	k->noise = k->own = k->half = false;
	if (!open_run(k, scene, err))
		return false;
	k->profile = profile_new(&k->run.sizes, &k->arena);
	k->key = arena_strdup(&k->arena, key);
	return true;
}

/* Adds windows, all of them if the picture must be whole, and behind them the noise heads. */
static bool add_windows(struct kept *k, size_t most, bool partial, struct cache *cache,
			struct watch *watch, struct err *err)
{
	const double until = machine_seconds() + patience;
	const size_t first = k->windows;
	watch_expect(watch, (most > first ? profile_heads_to_run(&k->run, first, most) : 0) +
				    (k->own ? 0 : profile_heads_of_own(&k->run)));
	if (k->half && !profile_step_part(&k->run, k->profile, k->windows - 1, PROFILE_MORE, cache,
					  watch, err))
		return false;
	k->half = false;
	/* The first picture comes after one run. */
	if (partial && first == 0 && k->windows < most) {
		k->half =
			profile_step_part(&k->run, k->profile, 0, PROFILE_TEXT, cache, watch, err);
		k->windows += k->half;
		return k->half;
	}
	while (k->windows < most) {
		if (!profile_step(&k->run, k->profile, k->windows, cache, watch, err))
			return false;
		k->windows++;
		if (partial && machine_seconds() > until)
			return true;
	}
	if (!k->own && !profile_find_own(&k->run, k->profile, cache, watch, err))
		return false;
	k->own = true;
	k->noise |= !partial || first >= most;
	return true;
}

static void copy(const struct kept *k, size_t most, struct arena *a, struct profile_known *out)
{
	out->run = k->run;
	out->run.source = NULL;
	if (k->run.rates.at)
		out->run.rates = mat_copy(a, k->run.rates);
	out->windows = k->windows;
	out->noise = k->noise;
	out->heads = profile_results(k->profile, k->noise, a);
	out->shown = out->heads;
	out->own_why = k->own ? k->run.own_why : NULL;
	out->to_come = (most > k->windows ? most - k->windows : 0) + k->half + !k->noise;
}

static bool add_one(struct kept *k, const struct scene *scene, bool partial, struct cache *cache,
		    struct watch *watch, struct arena *a, struct profile_known *out,
		    struct err *err)
{
	const size_t most = profile_windows(&k->run, scene->windows);
	if (!add_windows(k, most, partial, cache, watch, err))
		return false;
	copy(k, most, a, out);
	return true;
}

static const char *name_of(const struct setup *s, struct arena *a)
{
	const char *const model = setup_model_name(s, a);
	return model ? model : expr_brief(s->scheme, a);
}

/* Adds what the scene is compared with: the first of the list. */
static bool compare(const struct scene *scene, bool partial, struct cache *cache,
		    struct watch *watch, struct arena *a, struct profile_known *out,
		    struct err *err)
{
	struct setup setup;
	struct profile_known *const other = arena_calloc(a, 1, sizeof *other);
	struct kept *const k = &all.at[1];
	if (!setup_of_compared(&scene->setup, 2, a, &setup, err))
		return false;
	out->name = name_of(&scene->setup, a);
	out->other_name = name_of(&setup, a);
	if (!take(k, scene, &setup, a, err) ||
	    !profile_comparable(&out->run.sizes, &k->run.sizes, out->name, out->other_name, err) ||
	    !add_one(k, scene, partial, cache, watch, a, other, err))
		return false;
	out->other = other;
	out->to_come += other->to_come;
	out->shown = profile_differences(all.at[0].profile, out->heads, other->heads, a);
	return true;
}

void profile_of_scene(const struct scene *scene, bool partial, struct cache *cache,
		      struct watch *watch, struct arena *a, struct profile_known *out)
{
	struct err err = {""};
	*out = (struct profile_known){0};
	pthread_mutex_lock(&all.lock);
	const bool ok = take(&all.at[0], scene, &scene->setup, a, &err) &&
			add_one(&all.at[0], scene, partial, cache, watch, a, out, &err);
	struct err why = {""};
	if (ok && strcmp(scene->setup.compare, "none") != 0 &&
	    !compare(scene, partial, cache, watch, a, out, &why))
		out->other_why = arena_strdup(a, why.text);
	if (!ok)
		*out = (struct profile_known){.why = *err.text ? arena_strdup(a, err.text)
							       : "it was not computed"};
	pthread_mutex_unlock(&all.lock);
}
