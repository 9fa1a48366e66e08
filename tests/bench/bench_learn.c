/* bench_learn.c: whole trainings of the usual size, without a test, beside the multiply-adds that they
 * are made of: seconds on all processors, and those of one processor. */
#include <stdio.h>

#include "bench.h"
#include "posviz/learn/learn.h"
#include "posviz/math/machine.h"

/* Seconds of the trainings that a picture waits for. */
static const double goal = 1;

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

void bench_learn(void)
{
	static const char *const schemes[] = {"none", "shaw(clip=8)", "rope", "alibi"};
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
		train_once(schemes[i]);
}
