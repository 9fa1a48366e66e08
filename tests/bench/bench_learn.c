/* bench_learn.c: whole trainings of the usual size, without a test, in seconds on all processors; and a
 * step of training of every scheme beside one of `none`, in the processor's time. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "posviz/learn/learn.h"
#include "posviz/math/machine.h"

/* Seconds of the trainings that a picture waits for; steps of `none` that one of any scheme may take. */
static const double goal = 1, goal_ratio = 7;
enum { WARM = 3, STEPS_TIMED = 12, TURNS = 3 };

static void train_once(const char *scheme)
{
	struct learn_options o;
	struct learner *l;
	struct err err = {""};
	learn_defaults(&o);
	o.scheme = scheme;
	if (!learner_new(&l, &o, &err)) {
		printf("%-20s %s\n", scheme, err.text);
		return;
	}
	const double began = machine_seconds(), spent = machine_processor_seconds();
	const bool ok = learner_train(l, l->o.steps, NULL, &err);
	const double seconds = machine_seconds() - began;
	printf("%-20s %6.2f s  processor %5.2f s  loss %.3f", scheme, seconds,
	       machine_processor_seconds() - spent, ok ? l->loss[l->o.steps - 1] : 0);
	goal_at_most(seconds, goal, "a training of %s takes %.2f s", scheme, seconds);
	printf("\n");
	learner_free(l);
}

/* ---- every scheme --------------------------------------------------------------------------- */

/* Milliseconds of the processor for one step, the least of some turns; 0, after it said why: it does not
 * learn. The sentences are those of `none`. */
static double step_ms(const char *scheme)
{
	struct learn_options o;
	struct learner *l;
	struct err err = {""};
	double least = 0;
	learn_defaults(&o);
	o.scheme = scheme;
	bool ok = learner_new(&l, &o, &err);
	if (ok) {
		ok = learner_train(l, WARM, NULL, &err);
		for (size_t i = 0; i < TURNS && ok; i++) {
			const double began = machine_processor_seconds();
			ok = learner_train(l, l->step + STEPS_TIMED, NULL, &err);
			const double ms = (machine_processor_seconds() - began) * 1e3 / STEPS_TIMED;
			least = i == 0 || ms < least ? ms : least;
		}
		learner_free(l);
	}
	if (!ok)
		printf("%-20s does not learn: %s\n", scheme, err.text);
	return ok ? least : 0;
}

struct cost {
	const char *scheme;
	double ms, ratio;
};

static int slowest_first(const void *x, const void *y)
{
	const struct cost *const p = x, *const q = y;
	return (p->ratio < q->ratio) - (p->ratio > q->ratio);
}

static void every_scheme(void)
{
	struct cost *const of = calloc(scheme_count(), sizeof *of);
	size_t n = 0;
	printf("\na step of training, every scheme beside `none`, the slowest first\n");
	printf("%-20s %8s %8s\n", "scheme", "ms", "time x");
	for (size_t i = 0; i < scheme_count() && of; i++) {
		const char *const scheme = scheme_at(i)->id;
		const double none = step_ms("none"), ms = none > 0 ? step_ms(scheme) : 0;
		if (ms > 0)
			of[n++] = (struct cost){scheme, ms, ms / none};
	}
	if (n > 0)
		qsort(of, n, sizeof *of, slowest_first);
	for (size_t i = 0; i < n; i++) {
		printf("%-20s %8.2f %8.2f", of[i].scheme, of[i].ms, of[i].ratio);
		goal_at_most(of[i].ratio, goal_ratio, "a step of %s beside none", of[i].scheme);
		printf("\n");
	}
	free(of);
}

void bench_learn(void)
{
	static const char *const schemes[] = {"none", "shaw(clip=8)", "rope", "alibi"};
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
		train_once(schemes[i]);
	every_scheme();
}
