/* known.c: trainings that views have shown, kept between pictures, to which each adds some steps. */
#include "posviz/learn/known.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "posviz/learn/runs.h"
#include "posviz/math/machine.h"
#include "train_in.h"

/* The test of a moment. */
struct tested {
	bool done;
	struct accuracy at[LEARN_LENGTHS];
	double *by_place;
};

enum { KEPT = 4 };

/* The trainings that were shown last; whoever holds the lock trains on. */
static struct {
	pthread_mutex_t lock;
	struct kept {
		struct arena arena;
		char *line; /* NULL: there is none */
		struct learner *l;
		struct tested *tested; /* [moments] */
		size_t used;	       /* the larger, the later */
	} at[KEPT];
	size_t uses;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Seconds of steps for a picture that may be partial. */
static const double patience = 0.2;

static void drop(struct kept *k)
{
	learner_free(k->l);
	arena_release(&k->arena);
	*k = (struct kept){0};
}

/* Returns the training of these options, or a new one in place of the oldest. */
static struct kept *take(const struct learn_options *o, struct arena *a, struct err *err)
{
	const char *const line = learn_line(o, a);
	struct kept *oldest = &all.at[0];
	for (size_t i = 0; i < KEPT; i++) {
		struct kept *const k = &all.at[i];
		if (k->line && strcmp(k->line, line) == 0) {
			k->used = ++all.uses;
			return k;
		}
		oldest = k->used < oldest->used ? k : oldest;
	}
	drop(oldest);
	if (!learner_new(&oldest->l, o, err))
		return NULL;
	arena_init(&oldest->arena);
	oldest->line = arena_strdup(&oldest->arena, line);
	oldest->tested = arena_calloc(&oldest->arena, oldest->l->o.steps / LEARN_MOMENT + 2,
				      sizeof *oldest->tested);
	oldest->used = ++all.uses;
	return oldest;
}

static bool train(struct learner *l, bool partial, struct watch *watch, struct err *err)
{
	const double until = machine_seconds() + patience;
	const size_t steps = l->o.steps;
	watch_expect(watch, steps - l->step);
	do {
		const size_t next = l->step - l->step % LEARN_MOMENT + LEARN_MOMENT;
		if (!learner_train(l, next < steps ? next : steps, watch, err))
			return false;
	} while (l->step < steps && !(partial && machine_seconds() > until));
	return true;
}

/* Returns the last kept moment up to this step; the end is kept too. */
static size_t moment_at(const struct learner *l, size_t step)
{
	return step >= l->step ? l->step : step - step % LEARN_MOMENT;
}

static bool test(struct kept *k, size_t moment, struct watch *watch, struct arena *a,
		 struct learn_known *out, struct err *err)
{
	struct learner *const l = k->l;
	const bool end = moment == l->o.steps;
	struct tested *const t =
		&k->tested[end ? l->o.steps / LEARN_MOMENT + 1 : moment / LEARN_MOMENT];
	const size_t longest = l->task.longest << (LEARN_LENGTHS - 1);
	if (!t->by_place)
		t->by_place = arena_calloc(&k->arena, longest, sizeof *t->by_place);
	for (size_t i = 0; i < LEARN_LENGTHS && !t->done; i++) {
		const bool last = i == LEARN_LENGTHS - 1;
		if (!learner_test_places(l, l->task.longest << i, a, &t->at[i],
					 last ? t->by_place : NULL, watch, err))
			return false;
		if (t->at[i].absent)
			t->at[i].absent = arena_strdup(&k->arena, t->at[i].absent);
	}
	t->done = true;
	double *const by_place = arena_calloc(a, longest, sizeof *by_place);
	memcpy(by_place, t->by_place, longest * sizeof *by_place);
	memcpy(out->at, t->at, sizeof t->at);
	out->by_place = by_place;
	out->tested = true;
	return true;
}

/* Looks at the head that has most weight on the right keys at the last step, at three moments. */
static bool look(struct learner *l, struct arena *a, struct learn_known *out, struct err *err)
{
	struct learn_look last = {0};
	learner_show(l, l->step);
	if (!learner_look(l, true, a, &last, err))
		return false;
	out->middle = out->moment / 2 - out->moment / 2 % LEARN_MOMENT;
	struct learn_look *const looks[] = {&out->start, &out->look_middle, &out->now};
	const size_t steps[] = {0, out->middle, out->moment};
	for (size_t i = 0; i < 3; i++) {
		looks[i]->layer = last.layer;
		looks[i]->head = last.head;
		learner_show(l, steps[i]);
		if (!learner_look(l, false, a, looks[i], err))
			return false;
	}
	return true;
}

static void describe(const struct learner *l, struct arena *a, struct learn_known *out)
{
	double *const loss = arena_calloc(a, l->step + 1, sizeof *loss);
	memcpy(loss, l->loss, l->step * sizeof *loss);
	out->o = l->o;
	out->o.scheme = arena_strdup(a, l->o.scheme);
	out->o.task = arena_strdup(a, l->o.task);
	out->sentence = l->task.row ? l->task.row->sentence : NULL;
	out->asked = l->task.row ? l->task.row->asked : NULL;
	out->says = learner_says(l, a);
	out->mask = learner_causal(l) ? ", by tokens up to it" : "";
	out->longest = l->task.longest;
	out->done = l->step;
	out->loss = loss;
	out->floor_loss = task_floor_loss(&l->task, learner_causal(l) ? SIGHT_PREFIX : SIGHT_WHOLE);
}

static bool known(const struct learn_options *o, size_t moment, bool partial, struct watch *watch,
		  struct arena *a, struct learn_known *out, struct err *err)
{
	struct kept *const k = take(o, a, err);
	if (!k || !train(k->l, partial, watch, err))
		return false;
	struct learner *const l = k->l;
	describe(l, a, out);
	out->moment = moment_at(l, moment);
	if (!look(l, a, out, err))
		return false;
	const bool whole = l->step == l->o.steps;
	const bool ok = !whole || test(k, out->moment, watch, a, out, err);
	out->to_come = whole ? 0 : (l->o.steps - l->step) / LEARN_MOMENT + 1;
	return ok;
}

void learn_known_of(const struct learn_options *o, size_t moment, bool partial, struct watch *watch,
		    struct arena *a, struct learn_known *out)
{
	struct err err = {""};
	*out = (struct learn_known){0};
	pthread_mutex_lock(&all.lock);
	if (!known(o, moment, partial, watch, a, out, &err))
		out->why = *err.text ? arena_strdup(a, err.text) : "it was not computed";
	pthread_mutex_unlock(&all.lock);
}
