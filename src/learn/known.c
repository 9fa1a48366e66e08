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

/* KEPT trainings: a view compares LEARN_SHOWN of them, and the others were shown before. */
enum { KEPT = 8, SEEDS = 9 };

/* A training with another seed, whose accuracies are one point of the interval. */
struct other {
	struct learner *l; /* while it is trained */
	bool done;
	double right[LEARN_LENGTHS]; /* NaN: it could not be tested */
};

/* The trainings that were shown last; whoever holds the lock trains on. */
static struct {
	pthread_mutex_t lock;
	struct kept {
		struct arena arena;
		char *line; /* NULL: there is none */
		struct learner *l;
		struct tested *tested;	 /* [moments] */
		struct learn_look *look; /* [moments] of the trained model; n == 0: not yet */
		struct other other[SEEDS];
		size_t used; /* the larger, the later */
	} at[KEPT];
	size_t uses;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Seconds of steps for a picture that may be partial. */
static const double patience = 0.2;

static void drop(struct kept *k)
{
	for (size_t i = 0; i < SEEDS; i++)
		learner_free(k->other[i].l);
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
	const size_t moments = oldest->l->o.steps / LEARN_MOMENT + 2;
	oldest->tested = arena_calloc(&oldest->arena, moments, sizeof *oldest->tested);
	oldest->look = arena_calloc(&oldest->arena, moments, sizeof *oldest->look);
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

/* Returns the place of a moment among those kept. */
static size_t moment_index(const struct learner *l, size_t moment)
{
	return moment == l->o.steps ? l->o.steps / LEARN_MOMENT + 1 : moment / LEARN_MOMENT;
}

static bool test(struct kept *k, size_t moment, struct watch *watch, struct arena *a,
		 struct learn_known *out, struct err *err)
{
	struct learner *const l = k->l;
	struct tested *const t = &k->tested[moment_index(l, moment)];
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

static const char *const *copy_names(struct arena *a, const char *const *names, size_t n)
{
	const char **const out = arena_calloc(a, n + 1, sizeof *out);
	for (size_t i = 0; i < n; i++)
		out[i] = arena_strdup(a, names[i]);
	return out;
}

static void *copy(struct arena *a, const void *from, size_t bytes)
{
	return memcpy(arena_alloc(a, bytes + 1), from, bytes);
}

/* A picture may outlive the training that it is of. */
static struct learn_look copy_look(struct arena *a, const struct learn_look *from)
{
	struct learn_look out = *from;
	const size_t cells = from->weights.rows * from->weights.cols;
	out.weights = mat_copy(a, from->weights);
	out.query = copy_names(a, from->query, from->weights.rows);
	out.key = copy_names(a, from->key, from->weights.cols);
	out.allowed = copy(a, from->allowed, cells);
	out.right = copy(a, from->right, cells);
	out.by_distance = copy(a, from->by_distance, (2 * from->n - 1) * sizeof *from->by_distance);
	return out;
}

/* Looks at a head at a moment, of a whole training once; at the head with most weight on the right keys
 * if `choose`. */
static bool look_at(struct kept *k, size_t moment, bool choose, struct arena *a,
		    struct learn_look *out, struct err *err)
{
	struct learner *const l = k->l;
	const bool whole = l->step == l->o.steps;
	struct learn_look *const known = &k->look[moment_index(l, moment)];
	if (whole && known->n > 0) {
		*out = copy_look(a, known);
		return true;
	}
	learner_show(l, moment);
	if (!learner_look(l, choose, whole ? &k->arena : a, out, err))
		return false;
	if (whole) {
		*known = *out;
		*out = copy_look(a, known);
	}
	return true;
}

/* Looks at the head that has most weight on the right keys at the last step, at three moments. */
static bool look(struct kept *k, struct arena *a, struct learn_known *out, struct err *err)
{
	struct learn_look last = {0};
	if (!look_at(k, k->l->step, true, a, &last, err))
		return false;
	out->middle = out->moment / 2 - out->moment / 2 % LEARN_MOMENT;
	struct learn_look *const looks[] = {&out->start, &out->look_middle, &out->now};
	const size_t steps[] = {0, out->middle, out->moment};
	for (size_t i = 0; i < 3; i++) {
		looks[i]->layer = last.layer;
		looks[i]->head = last.head;
		if (!look_at(k, steps[i], false, a, looks[i], err))
			return false;
	}
	learner_show(k->l, out->moment); /* for the test */
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
	if (!look(k, a, out, err))
		return false;
	const bool whole = l->step == l->o.steps;
	const bool ok = !whole || test(k, out->moment, watch, a, out, err);
	out->to_come = whole ? 0 : (l->o.steps - l->step) / LEARN_MOMENT + 1;
	return ok;
}

/* ---- seeds --------------------------------------------------------------------------------------- */

/* Trains the next seed on; a seed that cannot be trained has no accuracies. False: there is no time left, or
 * it was cancelled. */
static bool train_other(struct kept *k, size_t i, bool partial, struct watch *watch)
{
	struct other *const at = &k->other[i];
	struct learn_options o = k->l->o;
	struct accuracy of[LEARN_LENGTHS] = {{0}};
	struct err err = {""};
	struct arena a;
	o.seed += i;
	bool ok = (at->l || learner_new(&at->l, &o, &err)) && train(at->l, partial, watch, &err);
	if ((ok && at->l->step < o.steps) || watch_cancelled(watch))
		return false;
	arena_init(&a);
	for (size_t n = 0; n < LEARN_LENGTHS; n++) {
		ok = ok && learner_test(at->l, at->l->task.longest << n, &a, &of[n], watch, &err);
		at->right[n] = ok ? of[n].right : NAN;
	}
	arena_release(&a);
	if (watch_cancelled(watch))
		return false;
	learner_free(at->l);
	at->l = NULL;
	return at->done = true;
}

static void add_seed(struct learn_seeds *out, const double *right)
{
	if (isnan(right[0]) && out->n > 0) /* a seed that could not be trained */
		return;
	const double n = (double)++out->n;
	for (size_t i = 0; i < LEARN_LENGTHS; i++) {
		struct spread *const s = &out->at[i];
		s->mean += (right[i] - s->mean) / n;
		s->least = n > 1 ? fmin(s->least, right[i]) : right[i];
		s->most = n > 1 ? fmax(s->most, right[i]) : right[i];
	}
}

static void seeds_of(struct kept *k, size_t seeds, bool partial, struct watch *watch,
		     struct learn_seeds *out)
{
	const struct tested *const first = &k->tested[moment_index(k->l, k->l->o.steps)];
	const size_t most = seeds < SEEDS ? seeds : SEEDS;
	double right[LEARN_LENGTHS];
	for (size_t i = 0; i < LEARN_LENGTHS; i++) {
		right[i] = first->at[i].right;
		out->at[i].floor = first->at[i].floor;
		out->at[i].absent = NULL;
	}
	size_t known = 1;
	while (known < most && k->other[known].done)
		known++;
	bool more = known < most && train_other(k, known, partial, watch);
	while (more && !partial && ++known < most)
		more = k->other[known].done || train_other(k, known, partial, watch);
	add_seed(out, right);
	for (size_t i = 1; i < most; i++)
		if (k->other[i].done)
			add_seed(out, k->other[i].right);
	const size_t each = k->l->o.steps / LEARN_MOMENT + 1;
	for (size_t i = 1; i < most; i++)
		if (!k->other[i].done)
			out->to_come +=
				each - (k->other[i].l ? k->other[i].l->step / LEARN_MOMENT : 0);
}

void learn_seeds_of(const struct learn_options *o, size_t seeds, bool partial, struct watch *watch,
		    struct arena *a, struct learn_seeds *out)
{
	struct err err = {""};
	*out = (struct learn_seeds){0};
	pthread_mutex_lock(&all.lock);
	struct kept *const k = take(o, a, &err);
	if (k && k->l->step == k->l->o.steps && k->tested[moment_index(k->l, k->l->step)].done)
		seeds_of(k, seeds, partial, watch, out);
	pthread_mutex_unlock(&all.lock);
}

bool learn_known_whole(const struct learn_options *o)
{
	struct arena a;
	bool whole = false;
	arena_init(&a);
	const char *const line = learn_line(o, &a);
	pthread_mutex_lock(&all.lock);
	for (size_t i = 0; i < KEPT; i++) {
		const struct kept *const k = &all.at[i];
		whole |= k->line && strcmp(k->line, line) == 0 && k->l->step == k->l->o.steps;
	}
	pthread_mutex_unlock(&all.lock);
	arena_release(&a);
	return whole;
}

bool learn_first_steps(const struct learn_options *o, size_t steps, struct arena *a,
		       struct mat *loss, struct mat *numbers, struct err *err)
{
	struct learner *l;
	if (!learner_new(&l, o, err))
		return false;
	const size_t n = steps < l->o.steps ? steps : l->o.steps;
	const bool ok = learner_train(l, n, NULL, err);
	if (ok) {
		*loss = mat_copy(a, mat_view(l->loss, 1, n));
		*numbers = mat_copy(a, mat_view(l->theta, 1, l->n));
	}
	learner_free(l);
	return ok;
}

bool learn_known_keep(const struct learn_options *o, size_t moment, const char *folder,
		      struct watch *watch, struct err *err)
{
	struct arena a;
	arena_init(&a);
	pthread_mutex_lock(&all.lock);
	struct kept *const k = take(o, &a, err);
	const bool ok = k && train(k->l, false, watch, err);
	if (ok)
		learner_show(k->l, moment_at(k->l, moment));
	const bool kept = ok && learner_keep_as(k->l, moment_at(k->l, moment), folder, true, err);
	pthread_mutex_unlock(&all.lock);
	arena_release(&a);
	return kept;
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
