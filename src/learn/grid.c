/* grid.c: runs of several schemes on several tasks, one after the other, and their groups. */
#include "posviz/learn/grid.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "learn_in.h"
#include "posviz/math/machine.h"

/* The run that is being made, and what runs took in this process. */
static struct {
	pthread_mutex_t lock;
	struct learner *l;
	struct arena arena;
	char *line; /* of the run; NULL: there is none */
	double seconds;
	size_t steps;
} now = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Seconds of training for a picture that may be partial. */
static const double patience = 0.2;

const char *const *learn_grid_tasks(const char *task, struct arena *a, size_t *n)
{
	static const char *const usual[] = {"shift", "order", "first", "nearest", "dist", "find"};
	const size_t n_usual = sizeof usual / sizeof *usual;
	const char **const out = arena_calloc(a, n_usual + 1, sizeof *out);
	bool there = false;
	for (size_t i = 0; i < n_usual; i++) {
		out[i] = usual[i];
		there |= strcmp(usual[i], task) == 0;
	}
	out[n_usual] = task;
	*n = n_usual + !there;
	return out;
}

/* The options of run i: all cells with the first seed, then with the next. */
static struct learn_options run_at(const struct learn_grid_of *of, size_t i)
{
	const size_t cells = of->schemes * of->tasks, cell = i % cells;
	struct learn_options o = of->scheme[cell / of->tasks];
	o.task = of->task[cell % of->tasks];
	o.seed += i / cells;
	learn_complete(&o);
	return o;
}

static void leave(void)
{
	learner_free(now.l);
	now.l = NULL;
	if (now.line)
		arena_release(&now.arena);
	now.line = NULL;
}

/* Begins a run, or goes on with it; false: it cannot be made, or was cancelled. */
static bool train(const struct learn_options *o, const char *line, double until,
		  struct watch *watch, struct err *err)
{
	if (!now.line || strcmp(now.line, line) != 0) {
		leave();
		if (!learner_new(&now.l, o, err))
			return false;
		arena_init(&now.arena);
		now.line = arena_strdup(&now.arena, line);
	}
	struct learner *const l = now.l;
	do {
		const size_t next = l->step + LEARN_MOMENT, before = l->step;
		const bool ok = learner_train(l, next < o->steps ? next : o->steps, watch, err);
		now.steps += l->step - before;
		if (!ok)
			return false;
	} while (l->step < o->steps && machine_seconds() < until);
	return true;
}

/* Returns whether the run is at its end; its result is then known. */
static bool go_on(const struct learn_options *o, double until, struct watch *watch, struct arena *a,
		  struct learn_result *out)
{
	struct err err = {""};
	const char *const line = learn_line(o, a);
	const double begun = machine_seconds();
	const bool ok = train(o, line, until, watch, &err);
	const bool whole = !ok || now.l->step == o->steps;
	bool done = false;
	if (whole && !watch_cancelled(watch))
		done = learn_run_end(ok ? now.l : NULL, o, err.text, watch, a, out);
	now.seconds += machine_seconds() - begun;
	if (done) {
		learn_run_keep(out);
		leave();
	}
	return done;
}

/* The groups of the cells, each of the seeds that are known. */
static const struct learn_group *groups_of(const struct learn_grid_of *of,
					   const struct learn_result *run, const bool *known,
					   struct arena *a)
{
	const size_t cells = of->schemes * of->tasks;
	struct learn_group *const out = arena_calloc(a, cells + 1, sizeof *out);
	for (size_t c = 0; c < cells; c++) {
		struct learn_results of_cell;
		struct learn_group *group;
		learn_results_init(&of_cell, a);
		for (size_t s = 0; s < of->seeds; s++)
			if (known[s * cells + c])
				learn_results_add(&of_cell, &run[s * cells + c]);
		if (learn_groups(&of_cell, a, &group) > 0)
			out[c] = group[0];
	}
	return out;
}

void learn_grid_train(const struct learn_grid_of *of, bool partial, struct watch *watch,
		      struct arena *a, struct learn_grid *out)
{
	const double until = partial ? machine_seconds() + patience : INFINITY;
	const size_t n = of->schemes * of->tasks * of->seeds;
	struct learn_result *const run = arena_calloc(a, n + 1, sizeof *run);
	bool *const known = arena_calloc(a, n + 1, sizeof *known);
	size_t steps = 0;
	*out = (struct learn_grid){.of = *of, .runs = n, .seconds = NAN};
	for (size_t i = 0; i < n; i++) {
		const struct learn_options o = run_at(of, i);
		known[i] = learn_run_is_known(&o, true, a, &run[i]);
		steps += known[i] ? 0 : o.steps;
	}
	if (!partial)
		watch_expect(watch, steps);
	pthread_mutex_lock(&now.lock);
	for (size_t i = 0; i < n && machine_seconds() < until; i++) {
		const struct learn_options o = run_at(of, i);
		if (known[i])
			continue;
		known[i] = go_on(&o, until, watch, a, &run[i]);
		if (!known[i])
			break;
		steps -= o.steps;
	}
	steps -= now.l && now.l->step < steps ? now.l->step : 0;
	out->seconds = now.steps ? now.seconds / (double)now.steps * (double)steps : NAN;
	pthread_mutex_unlock(&now.lock);
	for (size_t i = 0; i < n; i++)
		out->done += known[i];
	out->at = groups_of(of, run, known, a);
}
