/* kept_runs.c: results of runs that are known already: those of the program, assets/learned/runs.json, and those of this
 * process. */
#include <pthread.h>
#include <string.h>

#include "posviz/base/asset.h"
#include "posviz/learn/runs.h"

static const char asset_path[] = "learned/runs.json";

static struct {
	pthread_mutex_t lock;
	struct arena arena;
	struct learn_results results;
	bool open;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool learn_results_kept(struct learn_results *r, struct err *err)
{
	const struct asset *const asset = asset_find(asset_path);
	bool is_results = false;
	return asset &&
	       learn_results_parse(r, asset->begin, (size_t)(asset->end - asset->begin), asset_path,
				   &is_results, err) &&
	       is_results;
}

static void begin(void)
{
	struct err err = {""};
	if (all.open)
		return;
	arena_init(&all.arena);
	learn_results_init(&all.results, &all.arena);
	if (!learn_results_kept(&all.results, &err))
		BUG("%s: %s", asset_path, err.text);
	all.open = true;
}

/* Copies a result; its texts then lie in `a`. */
static void copy(const struct learn_result *from, struct arena *a, struct learn_result *out)
{
	*out = *from;
	const char **const texts[] = {&out->o.scheme, &out->o.task, &out->o.test_as, &out->line,
				      &out->absent,   &out->says,   &out->machine};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (*texts[i])
			*texts[i] = arena_strdup(a, *texts[i]);
	for (size_t k = 0; k < LEARN_LENGTHS; k++)
		if (out->at[k].absent)
			out->at[k].absent = arena_strdup(a, out->at[k].absent);
}

static bool known(const char *line, struct arena *a, struct learn_result *out)
{
	pthread_mutex_lock(&all.lock);
	begin();
	const struct learn_result *const found = learn_results_find(&all.results, line);
	if (found)
		copy(found, a, out);
	pthread_mutex_unlock(&all.lock);
	return found != NULL;
}

static void keep(const struct learn_result *result)
{
	struct learn_result own;
	pthread_mutex_lock(&all.lock);
	copy(result, &all.arena, &own);
	learn_results_add(&all.results, &own);
	pthread_mutex_unlock(&all.lock);
}

bool learn_run_known(const struct learn_options *o, struct watch *watch, struct arena *a,
		     struct learn_result *out, struct err *err)
{
	if (known(learn_line(o, a), a, out))
		return true;
	if (!learn_run(o, watch, a, out, NULL, err))
		return false;
	keep(out);
	return true;
}

void learn_of_scene(const struct scene *scene, const char *expression, struct learn_options *out)
{
	learn_defaults(out);
	out->scheme = expression;
	out->task = scene->train_task;
	out->steps = (size_t)scene->train_steps;
	out->layers = (size_t)scene->train_layers;
	out->seed = scene->train_seed;
	learn_complete(out);
}
