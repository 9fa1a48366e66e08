/* test_learning.c: what trained models can and cannot do, with thresholds from measurements over five
 * seeds and from theorems about the model: a few with a short training, all with the usual one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "help_arena.h"
#include "posviz/format/tensor.h"
#include "posviz/learn/runs.h"
#include "posviz/math/machine.h"
#include "test.h"

FIXTURE(open_arena, close_arena)

enum { LETTERS = 16, TIMES = 4 };

/* Trains, and tests at 1, 2, 4 and 8 times the longest trained length. */
static void learn(const struct learn_options *o, struct accuracy out[TIMES])
{
	struct learner *l;
	struct err err = {""};
	if (!learner_new(&l, o, &err) || !learner_train(l, l->o.steps, NULL, &err))
		fail_msg("%s on %s: %s", o->scheme, o->task, err.text);
	for (size_t k = 0; k < TIMES; k++)
		if (!learner_test(l, (size_t)LETTERS << k, &arena, &out[k], NULL, &err))
			fail_msg("%s on %s: %s", o->scheme, o->task, err.text);
	learner_free(l);
}

static struct learn_options short_training(const char *scheme)
{
	struct learn_options o;
	learn_defaults(&o);
	o.scheme = scheme;
	o.steps = 150;
	return o;
}

static void within(const struct learn_options *o, double is, double least, double most, size_t n)
{
	if (!(is >= least && is <= most))
		fail_msg("%s on %s, %zu layers, seed %llu: %.3f at %zu, not within %.3f to %.3f",
			 o->scheme, o->task, o->layers, (unsigned long long)o->seed, is, n, least,
			 most);
}

TEST(without_position_the_floor_is_reached_and_not_passed)
{
	static const char *const schemes[] = {"none", "causal"};
	for (size_t i = 0; i < 2; i++) {
		const struct learn_options o = short_training(schemes[i]);
		struct accuracy of[TIMES];
		learn(&o, of);
		for (size_t k = 0; k < TIMES; k++)
			within(&o, of[k].right, of[k].floor - 0.05, of[k].floor + 0.04, of[k].n);
	}
}

TEST(clipped_distances_keep_lengths_never_seen)
{
	const struct learn_options o = short_training("shaw(clip=8)");
	struct accuracy of[TIMES];
	learn(&o, of);
	for (size_t k = 0; k < TIMES; k++)
		within(&o, of[k].right, 0.97, 1, of[k].n);
}

TEST(shuffled_answers_are_not_learned)
{
	struct learn_options o = short_training("shaw(clip=8)");
	struct accuracy of[TIMES];
	o.shuffled = true;
	learn(&o, of);
	for (size_t k = 0; k < TIMES; k++)
		within(&o, of[k].right, 0, of[k].floor + 0.04, of[k].n);
}

/* What is claimed at 1, 2, 4 and 8 times the length; 0 to 1: nothing. */
struct limit {
	double least, most;
};
struct expected {
	const char *scheme, *task;
	size_t layers;
	struct limit at[TIMES];
	bool above_floor; /* the limits are distances from the floor */
};
#define ANY          \
	{            \
		0, 1 \
	}
#define FLOOR(by)      \
	{              \
		-1, by \
	}
static const struct expected claims[] = {
	{"none", "order", 1, {{.5, .5}, {.5, .5}, {.5, .5}, {.5, .5}}, false},
	{"causal", "order", 1, {{.5, .5}, {.5, .5}, {.5, .5}, {.5, .5}}, false},
	{"none", "shift", 1, {FLOOR(.04), FLOOR(.04), FLOOR(.04), FLOOR(.04)}, true},
	{"none", "reverse", 1, {FLOOR(.04), FLOOR(.04), FLOOR(.04), FLOOR(.04)}, true},
	{"none", "first", 1, {FLOOR(.08), FLOOR(.08), FLOOR(.08), FLOOR(.08)}, true},
	{"causal", "shift", 1, {FLOOR(.04), FLOOR(.04), FLOOR(.04), FLOOR(.04)}, true},
	{"none", "find", 1, {{.97, 1}, ANY, ANY, {.97, 1}}, false},
	{"causal", "find", 1, {{.97, 1}, ANY, ANY, {.97, 1}}, false},
	{"learned", "find", 1, {{.97, 1}, ANY, ANY, {.97, 1}}, false},
	{"shaw(clip=8)", "find", 1, {{.97, 1}, ANY, ANY, {.97, 1}}, false},
	{"rope", "find", 1, {{.97, 1}, ANY, ANY, ANY}, false},
	{"causal", "order", 2, {ANY, ANY, ANY, {.97, 1}}, false},
	{"causal", "first", 2, {ANY, ANY, ANY, {.97, 1}}, false},
	{"shaw(clip=8)", "shift", 1, {{.97, 1}, {.97, 1}, {.97, 1}, {.97, 1}}, false},
	{"kerple_log", "shift", 1, {{.97, 1}, {.97, 1}, {.97, 1}, {.97, 1}}, false},
	/* (15 + (n - 16)·floor(n))/(n - 1): right where it was trained, the floor elsewhere */
	{"learned", "shift", 1, {{.97, 1}, {.55, .65}, {.33, .43}, {.22, .32}}, false},
	{"sinusoidal", "shift", 1, {{.97, 1}, {0, .75}, ANY, {0, .40}}, false},
	{"rope", "shift", 1, {{.97, 1}, ANY, ANY, {0, .80}}, false},
	{"alibi", "shift", 1, {{.85, .96}, ANY, ANY, {.60, 1}}, false},
	{"alibi(causal=off)", "shift", 1, {{0, .62}, ANY, ANY, ANY}, false},
	{"alibi", "order", 1, {ANY, ANY, {.80, 1}, ANY}, false},
	{"kerple_log", "order", 1, {ANY, ANY, {.80, 1}, ANY}, false},
	{"sinusoidal", "order", 1, {ANY, ANY, {0, .70}, ANY}, false},
	{"rope", "order", 1, {ANY, ANY, {0, .70}, ANY}, false},
	{"alibi", "first", 1, {FLOOR(.08), FLOOR(.08), FLOOR(.08), FLOOR(.08)}, true},
	{"kerple_log", "first", 1, {FLOOR(.08), FLOOR(.08), FLOOR(.08), FLOOR(.08)}, true},
	{"alibi", "nearest", 1, {ANY, ANY, ANY, {.93, 1}}, false},
	{"kerple_log", "nearest", 1, {ANY, ANY, ANY, {.93, 1}}, false},
	{"cope", "nearest", 1, {ANY, ANY, ANY, {.93, 1}}, false},
	{"fire", "nearest", 1, {ANY, ANY, ANY, {.93, 1}}, false},
	{"sinusoidal", "nearest", 1, {ANY, ANY, ANY, {0, .50}}, false},
	{"learned", "nearest", 1, {ANY, ANY, ANY, {0, .50}}, false},
	{"learned", "first", 1, {ANY, ANY, ANY, {.93, 1}}, false},
	{"sinusoidal", "first", 1, {ANY, ANY, ANY, {0, .45}}, false},
	{"rope", "first", 1, {ANY, ANY, ANY, {0, .45}}, false},
	{"t5", "shift", 1, {ANY, ANY, ANY, {0, .45}}, false},
	{"t5(buckets=16,max_distance=12)", "shift", 1, {ANY, ANY, {.80, 1}, ANY}, false},
	{"rand_pe(l_max=128)", "order", 1, {ANY, ANY, ANY, {.93, 1}}, false},
	{"rand_pe(l_max=128)", "shift", 1, {{0, .90}, ANY, ANY, ANY}, false},
	{"shaw(clip=8)", "dist", 1, {ANY, ANY, ANY, {.95, 1}}, false},
	{"learned", "dist", 1, {ANY, ANY, ANY, {0, .45}}, false},
	{"sinusoidal", "dist", 1, {ANY, ANY, ANY, {0, .45}}, false},
	{"learned+causal", "order", 2, {ANY, ANY, ANY, {.93, 1}}, false},
	{"sinusoidal+causal", "order", 2, {ANY, ANY, ANY, {.93, 1}}, false},
	{"learned+causal", "first", 2, {ANY, ANY, ANY, {.93, 1}}, false},
	{"sinusoidal+causal", "first", 2, {ANY, ANY, ANY, {.93, 1}}, false},
	{"learned", "reverse", 1, {{.95, 1}, {0, .25}, ANY, ANY}, false},
	{"sinusoidal", "reverse", 1, {{.95, 1}, {0, .25}, ANY, ANY}, false},
	{"shaw(clip=8)", "reverse", 1, {{0, .45}, ANY, ANY, ANY}, false},
	{"rope", "reverse", 1, {{0, .45}, ANY, ANY, ANY}, false},
	{"t5(buckets=16,max_distance=12)", "reverse", 1, {{0, .45}, ANY, ANY, ANY}, false},
	{"learned", "parity", 1, {{.97, 1}, {.71, .79}, {.585, .665}, {.5225, .6025}}, false},
	{"t5(buckets=16,max_distance=12)",
	 "parity",
	 1,
	 {{.48, .52}, {.48, .52}, {.48, .52}, {.48, .52}},
	 false},
	{"none", "parity", 1, {{.48, .52}, {.48, .52}, {.48, .52}, {.48, .52}}, false},
};

/* ---- results that are kept ------------------------------------------------------------------- */

static struct learn_results kept_results(void)
{
	struct learn_results kept;
	struct err err = {""};
	learn_results_init(&kept, &arena);
	if (!learn_results_kept(&kept, &err))
		fail_msg("%s", err.text);
	assert_true(kept.n > 50);
	return kept;
}

/* Trains a kept run again: on the kernels that it was kept from, which its machine names, to the last digits that are
 * written, on others as another seed would do on tasks that no luck decides. */
static void run_again(const struct learn_result *was)
{
	struct learn_result is;
	struct err err = {""};
	char machine[200];
	machine_describe(machine, sizeof machine);
	const bool same = strcmp(machine, was->machine) == 0;
	if (!learn_run(&was->o, NULL, &arena, &is, NULL, &err) || is.absent)
		fail_msg("%s: %s", was->line, is.absent ? is.absent : err.text);
	assert_string_equal(is.line, was->line);
	for (size_t k = 0; k < LEARN_LENGTHS; k++) {
		const double off = fabs(is.at[k].right - was->at[k].right);
		const bool close = off <= (same ? 1e-12 : 0.2);
		if (!close || !(fabs(is.at[k].floor - was->at[k].floor) < 1e-12))
			fail_msg("%s: %.4f at %zu, kept is %.4f (floor %.4f, kept %.4f)", was->line,
				 is.at[k].right, is.at[k].n, was->at[k].right, is.at[k].floor,
				 was->at[k].floor);
	}
}

TEST(a_kept_result_is_that_of_its_training)
{
	const struct learn_results kept = kept_results();
	run_again(&kept.at[0]);
}

TEST_THAT_LASTS(kept_results_are_those_of_their_trainings, 8)
{
	const struct learn_results kept = kept_results();
	for (size_t i = test_part; i < kept.n; i += test_parts)
		run_again(&kept.at[i]);
}

/* The model that the program has: what learned its table of positions, on the same kernels to the last bit. */
TEST_THAT_LASTS(trained_model_is_that_of_its_command, 1)
{
	struct learner *l;
	struct learn_options o;
	struct err err = {""};
	struct tensor_set set;
	char machine[200];
	const struct learn_results kept = kept_results();
	learn_defaults(&o);
	o.scheme = "t5(buckets=16,max_distance=12)";
	o.task = "shift";
	const struct learn_result *const was = learn_results_find(&kept, learn_line(&o, &arena));
	assert_non_null(was);
	machine_describe(machine, sizeof machine);
	const double least = strcmp(machine, was->machine) == 0 ? 1e-12 : 0.5;
	tensor_set_init(&set, &arena);
	if (!tensor_read_file(&set, "@trained", &err) || !learner_new(&l, &o, &err) ||
	    !learner_train(l, l->o.steps, NULL, &err))
		fail_msg("%s", err.text);
	const struct tensor *const there = tensor_find(&set, "positions.t5.bias_table");
	assert_non_null(there);
	const struct tensor *const table = tensor_load(&set, there, &arena, &err);
	assert_non_null(table);
	size_t compared = 0;
	for (size_t i = 0; i < l->n_learned; i++)
		for (size_t k = 0; strcmp(l->learned[i].name, "t5.bias_table") == 0 && k < 64;
		     k++) {
			assert_within(l->learned[i].at.at[k], table->at[k], least);
			compared++;
		}
	assert_int_equal(compared, 64);
	learner_free(l);
}

/* Claims are of the mean of three seeds. */
TEST_THAT_LASTS(claims_hold_over_seeds, 28)
{
	enum {
		SEEDS = 5
	}; /* of a start in five, one reaches 128 tokens with .84 where the others have .97 and more */
	for (size_t i = test_part; i < sizeof claims / sizeof *claims; i += test_parts) {
		const struct expected *const c = &claims[i];
		struct learn_options o;
		double mean[TIMES] = {0};
		struct accuracy of[TIMES];
		learn_defaults(&o);
		o.scheme = c->scheme;
		o.task = c->task;
		o.layers = c->layers;
		for (o.seed = 1; o.seed <= SEEDS; o.seed++) {
			learn(&o, of);
			for (size_t k = 0; k < TIMES; k++)
				mean[k] += of[k].right / SEEDS;
		}
		for (size_t k = 0; k < TIMES; k++) {
			const double from = c->above_floor ? of[k].floor : 0;
			within(&o, mean[k], from + c->at[k].least - 1e-12,
			       from + c->at[k].most + 1e-12, of[k].n);
		}
	}
}
