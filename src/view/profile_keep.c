/* profile_keep.c: the profile behind the view: it is kept between pictures, and each picture adds some windows. */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "posviz/math/machine.h"
#include "posviz/token/tokenizer.h"
#include "profile_in.h"

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
static struct setup setup_of(const struct view_data *d)
{
	struct setup s = d->scene->setup;
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

static bool open_run(const struct view_data *d, struct err *err)
{
	const struct scene *const s = d->scene;
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
static bool take(const struct view_data *d, struct arena *a, struct err *err)
{
	struct setup setup = setup_of(d);
	const char *const identity = setup_identity(&setup, false, a);
	const char *const key = arena_printf(a, "%ld %s", d->scene->window_length,
					     identity ? identity : "");
	if (kept.key && identity && strcmp(kept.key, key) == 0)
		return true;
	arena_release(&kept.arena);
	kept.key = NULL;
	kept.setup = setup;
	kept.windows = 0;
	kept.noise = false;
	if (!open_run(d, err))
		return false;
	kept.profile = profile_new(&kept.run.sizes, &kept.arena);
	kept.key = arena_strdup(&kept.arena, key);
	return true;
}

/* Adds windows, all of them if the picture must be whole, and behind them the noise heads. */
static bool add_windows(const struct view_data *d, size_t most, struct err *err)
{
	const double until = machine_seconds() + patience;
	const bool partial = d->most != SIZE_MAX;
	const size_t first = kept.windows;
	watch_expect(d->watch, most > first ? profile_heads_to_run(&kept.run, first, most) : 0);
	while (kept.windows < most) {
		if (!profile_step(&kept.run, kept.profile, kept.windows, d->cache, d->watch, err))
			return false;
		kept.windows++;
		if (partial && machine_seconds() > until)
			return true;
	}
	kept.noise |= !partial || first >= most;
	return true;
}

static void copy(size_t most, struct arena *a, struct shown_profile *out)
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

const void *profile_keep(const struct view_data *d, struct arena *a)
{
	struct shown_profile *const out = arena_calloc(a, 1, sizeof *out);
	struct err err = {""};
	pthread_mutex_lock(&kept.lock);
	const bool ok = take(d, a, &err);
	const size_t most = profile_windows(d->scene->windows, kept.run.trained);
	if (ok && add_windows(d, most, &err))
		copy(most, a, out);
	else
		out->why = *err.text ? arena_strdup(a, err.text) : "it was not computed";
	pthread_mutex_unlock(&kept.lock);
	return out;
}

size_t profile_to_come(const void *of)
{
	const struct shown_profile *const k = of;
	return k->to_come;
}

/* ---- numbers for dumps ------------------------------------------------------------------------- */

void profile_numbers(const struct view_data *d, struct arena *a, struct numbers *out)
{
	const struct shown_profile *const k = d->kept;
	if (k->why) {
		numbers_say(out, "profile.windows", NAN, arena_printf(a, "n/a: %s", k->why), NULL);
		return;
	}
	const struct profile_sizes *const z = &k->run.sizes;
	const size_t cells = z->layers * z->heads, m = 2 * z->n - 1;
	const struct profile_head *const h = &k->heads[view_layer(d) % z->layers * z->heads +
							view_head(d) % z->heads];
	const struct mat score = mat_new(a, cells, PROFILE_SCORES), kernel = mat_new(a, cells, m);
	const struct mat shares = mat_new(a, cells, 3);
	for (size_t i = 0; i < cells; i++) {
		const struct profile_head *const of = &k->heads[i];
		memcpy(mat_row(kernel, i), of->kernel, m * sizeof(double));
		memcpy(mat_row(score, i), of->score, sizeof of->score);
		memcpy(mat_row(shares, i), (double[]){of->distance, of->key, of->content},
		       3 * sizeof(double));
	}
	numbers_say(out, "profile.windows", (double)k->windows, arena_printf(a, "%zu", k->windows),
		    profile_made(&k->run, k->windows, a));
	numbers_say(out, "profile.distance", h->distance,
		    arena_printf(a, "%.1f %%", 100 * h->distance),
		    "of the variance of this head's logits within rows, by distance");
	numbers_say(out, "profile.key", h->key, arena_printf(a, "%.1f %%", 100 * h->key),
		    "by the key's position beyond that");
	for (size_t i = 0; i < PROFILE_SCORES; i++)
		if (!isnan(h->score[i]))
			numbers_say(out, arena_printf(a, "profile.%s", profile_scores[i].name),
				    h->score[i], arena_printf(a, "%.3f", h->score[i]),
				    profile_scores[i].means);
	numbers_add(out, "profile.kernels", kernel);
	numbers_add(out, "profile.scores", score);
	numbers_add(out, "profile.shares", shares);
}
