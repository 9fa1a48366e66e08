/* grid.c: runs of several schemes on several tasks, one after the other, and their groups. */
#include "posviz/learn/grid.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "learn_in.h"
#include "posviz/math/machine.h"

/* The run that is being made, and what runs took. */
struct making {
	struct learner *l;
	struct arena arena;
	char *line; /* of the run; NULL: there is none */
	double seconds;
	size_t steps;
};

/* That of partial pictures, between which it stays. A whole picture has its own, so that neither waits for the
 * other for long. */
static struct {
	pthread_mutex_t lock;
	struct making run;
} shown = {.lock = PTHREAD_MUTEX_INITIALIZER};

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

static void leave(struct making *m)
{
	learner_free(m->l);
	m->l = NULL;
	if (m->line)
		arena_release(&m->arena);
	m->line = NULL;
}

/* Begins a run, or goes on with it; false: it cannot be made, or was cancelled. */
static bool train(struct making *m, const struct learn_options *o, const char *line, double until,
		  struct watch *watch, struct err *err)
{
	if (!m->line || strcmp(m->line, line) != 0) {
		leave(m);
		if (!learner_new(&m->l, o, err))
			return false;
		arena_init(&m->arena);
		m->line = arena_strdup(&m->arena, line);
	}
	struct learner *const l = m->l;
	do {
		const size_t next = l->step + LEARN_MOMENT, before = l->step;
		const bool ok = learner_train(l, next < o->steps ? next : o->steps, watch, err);
		m->steps += l->step - before;
		if (!ok)
			return false;
	} while (l->step < o->steps && machine_seconds() < until);
	return true;
}

/* Returns whether the run is at its end; its result is then known. */
static bool go_on(struct making *m, const struct learn_options *o, double until,
		  struct watch *watch, struct arena *a, struct learn_result *out)
{
	struct err err = {""};
	const char *const line = learn_line(o, a);
	const double begun = machine_seconds();
	const bool ok = train(m, o, line, until, watch, &err);
	bool done = false;
	if (!ok || m->l->step == o->steps)
		done = learn_run_end(ok ? m->l : NULL, o, err.text, watch, a, out);
	m->seconds += machine_seconds() - begun;
	if (done) {
		learn_run_keep(out);
		leave(m);
	}
	return done;
}

/* The results of all runs: those that are known, and those that there is time for. */
struct filling {
	struct learn_result *run;
	bool *known;
	size_t n, steps; /* steps: of the runs that are not known */
};

static void fill(const struct learn_grid_of *of, struct making *m, double until,
		 struct watch *watch, struct arena *a, struct filling *f)
{
	for (size_t i = 0; i < f->n && machine_seconds() < until; i++) {
		const struct learn_options o = run_at(of, i);
		if (f->known[i])
			continue;
		f->known[i] = learn_run_is_known(&o, true, a, &f->run[i]) ||
			      go_on(m, &o, until, watch, a, &f->run[i]);
		if (!f->known[i])
			break;
		f->steps -= o.steps;
	}
}

/* Returns the seconds that the rest will take, by what the runs before took. */
static double seconds_left(const struct making *m, size_t steps)
{
	const size_t begun = m->l && m->l->step < steps ? m->l->step : 0;
	return m->steps ? m->seconds / (double)m->steps * (double)(steps - begun) : NAN;
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

static struct filling known_of(const struct learn_grid_of *of, struct arena *a)
{
	struct filling f = {.n = of->schemes * of->tasks * of->seeds};
	f.run = arena_calloc(a, f.n + 1, sizeof *f.run);
	f.known = arena_calloc(a, f.n + 1, sizeof *f.known);
	for (size_t i = 0; i < f.n; i++) {
		const struct learn_options o = run_at(of, i);
		f.known[i] = learn_run_is_known(&o, true, a, &f.run[i]);
		f.steps += f.known[i] ? 0 : o.steps;
	}
	return f;
}

void learn_grid_train(const struct learn_grid_of *of, bool partial, struct watch *watch,
		      struct arena *a, struct learn_grid *out)
{
	struct filling f = known_of(of, a);
	struct making own = {0};
	*out = (struct learn_grid){.of = *of, .runs = f.n, .seconds = NAN};
	if (partial) {
		pthread_mutex_lock(&shown.lock);
		fill(of, &shown.run, machine_seconds() + patience, watch, a, &f);
		out->seconds = seconds_left(&shown.run, f.steps);
		pthread_mutex_unlock(&shown.lock);
	} else {
		watch_expect(watch, f.steps);
		fill(of, &own, INFINITY, watch, a, &f);
		leave(&own);
	}
	for (size_t i = 0; i < f.n; i++)
		out->done += f.known[i];
	out->at = groups_of(of, f.run, f.known, a);
}
