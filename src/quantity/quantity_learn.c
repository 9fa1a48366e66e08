/* quantity_learn.c: numbers of a training of the scene's expression, on the task and with the steps, layers and seed that
 * it names: accuracies at a length, their floor, the loss. */
#include "posviz/learn/runs.h"
#include "quantity_in.h"

/* Gets the whole training. False with `out` set, or an error: there is none. */
static bool run_of(const struct asking *ask, struct learn_result *run, struct quantity_value *out,
		   struct err *err)
{
	const struct scene *const scene = runs_scene(ask->q);
	const char *expression;
	struct learn_options o;
	if (!runs_expression(ask->q, ask->of->of ? ask->of->of : 1, &expression, err))
		return false;
	learn_of_scene(scene, expression, &o);
	if (!learn_run_known(&o, runs_watch(ask->q), ask->a, run, err))
		return false;
	if (run->absent)
		answer_absent(out, run->absent);
	return true;
}

/* Gets the test at the length that is asked for; of no length, with `out` set: there is no training. */
static bool test_of(const struct asking *ask, const struct accuracy **at,
		    struct quantity_value *out, struct err *err)
{
	static const struct accuracy none = {0};
	struct learn_result *const run = arena_calloc(ask->a, 1, sizeof *run);
	*at = NULL;
	if (!run_of(ask, run, out, err))
		return false;
	if (run->absent) {
		*at = &none;
		return true;
	}
	for (size_t k = 0; k < LEARN_LENGTHS; k++)
		if (run->at[k].n == (size_t)ask->of->number)
			*at = &run->at[k];
	return *at ||
	       err_set(err, "tested are lengths of %zu, %zu, %zu and %zu tokens; %ld is none",
		       run->at[0].n, run->at[1].n, run->at[2].n, run->at[3].n, ask->of->number);
}

bool find_accuracy(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	const struct accuracy *at;
	if (!test_of(ask, &at, out, err))
		return false;
	if (at->n == 0)
		return true;
	return at->absent ? answer_absent(out, at->absent) : answer_number(out, at->right);
}

bool find_floor(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	const struct accuracy *at;
	if (!test_of(ask, &at, out, err))
		return false;
	return at->n == 0 || answer_number(out, at->floor);
}

bool find_loss(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	struct learn_result run;
	if (!run_of(ask, &run, out, err))
		return false;
	return run.absent || answer_number(out, run.loss);
}
