/* test_learn.c: training: its gradient against differences, its steps against NumPy
 * (tests/data/python/learn_steps.py), its independence of threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "help_arena.h"
#include "help_files.h"
#include "learn/train_in.h"
#include "posviz/family/family.h"
#include "posviz/math/machine.h"
#include "posviz/scene/model_open.h"
#include "test.h"

FIXTURE(open_folder, close_folder)

static struct learner *learner_of(const struct learn_options *o)
{
	struct learner *l;
	struct err err = {""};
	if (!learner_new(&l, o, &err))
		fail_msg("%s on %s: %s", o->scheme, o->task, err.text);
	return l;
}

static struct learn_options small(const char *scheme)
{
	struct learn_options o;
	learn_defaults(&o);
	o.scheme = scheme;
	o.d = 8;
	o.heads = 2;
	o.ff = 16;
	o.steps = 20;
	return o;
}

static void trains(struct learner *l, size_t step)
{
	struct err err = {""};
	if (!learner_train(l, step, NULL, &err))
		fail_msg("%s", err.text);
}

static double loss_at(struct learner *l, double *unused)
{
	double loss;
	struct err err = {""};
	if (!learner_gradient(l, 3, &loss, unused, &err))
		fail_msg("%s", err.text);
	return loss;
}

/* The slope of the loss along the numbers of one matrix, by two step sizes. */
static double slope(struct learner *l, double *at, const double *along, size_t n, double *unused)
{
	static const double h = 2e-5;
	double by[2];
	for (size_t k = 0; k < 2; k++) {
		double loss[2];
		for (size_t side = 0; side < 2; side++) {
			const double move = (side ? 1 : -1) * h * (double)(k + 1);
			for (size_t i = 0; i < n; i++)
				at[i] += move * along[i];
			loss[side] = loss_at(l, unused);
			for (size_t i = 0; i < n; i++)
				at[i] -= move * along[i];
		}
		by[k] = (loss[1] - loss[0]) / (2 * h * (double)(k + 1));
	}
	return (4 * by[0] - by[1]) / 3;
}

/* Each matrix that learns is moved along a direction of its own, after some steps, so that no number is
 * at its start any more; GELU has no kink that a difference could meet. */
static void check_gradient(const char *scheme, const char *task, size_t layers)
{
	struct learn_options o = small(scheme);
	o.task = task;
	o.d = 16;
	o.activation = ACT_GELU;
	o.layers = layers;
	struct learner *const l = learner_of(&o);
	double *const g = arena_calloc(&arena, l->n, sizeof *g);
	double *const unused = arena_calloc(&arena, l->n, sizeof *unused);
	double loss;
	struct err err = {""};
	trains(l, 3);
	assert_true(learner_gradient(l, 3, &loss, g, &err));
	const double norm = mat_norm(mat_view(g, 1, l->n));
	assert_true(norm > 1e-3);
	for (size_t i = 0; i < l->n_learned; i++) {
		const struct learned *const of = &l->learned[i];
		const size_t n = of->at.rows * of->at.cols;
		const size_t first = of->frozen ? 0 : (size_t)(of->at.at - l->theta);
		double *const along = arena_calloc(&arena, n, sizeof *along);
		double is = 0;
		struct rng rng;
		if (of->frozen)
			continue;
		rng_init_name(&rng, 5, of->name);
		mat_fill_normal(mat_view(along, 1, n), 1 / sqrt((double)n), &rng);
		for (size_t k = 0; k < n; k++)
			is += along[k] * g[first + k];
		const double wanted = slope(l, of->at.at, along, n, unused);
		if (!(fabs(is - wanted) <= 1e-6 * norm))
			fail_msg("%s on %s: %s: the gradient says %.12g, differences %.12g", scheme,
				 task, of->name, is, wanted);
	}
	learner_free(l);
}

/* Leaves that are added to token vectors, to logits, to keys and values; read by gathers, products,
 * networks; multiply; give weights without softmax; are shared by layers or not. */
TEST_IN_PARTS(gradient_of_the_loss_is_that_of_differences, 4)
{
	static const struct {
		const char *scheme, *task;
		size_t layers;
	} rows[] = {
		{"none", "shift", 1},
		{"learned", "first", 1},
		{"shaw(clip=3)", "dist", 2},
		{"t5(buckets=8,max_distance=6)", "order", 2},
		{"kerple_log", "nearest", 1},
		{"fire", "shift", 1},
		{"cope", "shift", 1},
		{"txl", "find", 1},
		{"tupe_a", "shift", 2},
		{"deberta", "shift", 1},
		{"gru", "parity", 1},
		{"dpb", "shift", 1},
		{"dape", "shift", 1},
		{"rand_pe(l_max=128)+learned", "majority", 1},
		{"da", "shift", 1},
		{"0.5*shaw(clip=2)", "reverse", 1},
		{"rope", "x[t-2]", 2},
		{"diet_rel", "shift", 1},
		{"liere(grid=4)", "shift", 1},
	};
	for (size_t i = test_part; i < sizeof rows / sizeof *rows; i += test_parts)
		check_gradient(rows[i].scheme, rows[i].task, rows[i].layers);
}

/* Computes the loss of a step, each sentence on a tape of its own, and adds its gradient. */
static double loss_alone(const struct learner *l, size_t step, double *gradient)
{
	double sum = 0;
	struct err err = {""};
	for (size_t i = 0; i < LEARN_BATCH; i++) {
		struct example e;
		struct taped t;
		struct run *run;
		const int32_t *target;
		assert_true(task_train(&l->task, l->o.seed, step, i, &arena, &e, &err));
		taped_begin(l, l->b, true, &arena, &t);
		struct node *const logits =
			taped_run(l, l->b, &t, &e, learner_draw(l, step, i), &target, &run, &err);
		assert_non_null(logits);
		struct node *const loss = tape_cross_entropy(&t.tape, logits, target);
		tape_backward(&t.tape, loss, NULL);
		sum += loss->v.at[0] / LEARN_BATCH;
		for (size_t k = 0; k < l->n_learned; k++) {
			const size_t first = l->private->place[k].first;
			const struct mat g = t.of[k]->g;
			for (size_t j = 0; first != SIZE_MAX && j < g.rows * g.cols; j++)
				gradient[first + j] += g.at[j] / LEARN_BATCH;
		}
	}
	return sum;
}

/* What follows from parameters and lengths is made once for all sentences of a tape, also if they begin
 * at different positions, as with the column "remaining". */
TEST(what_sentences_share_is_that_of_each_alone)
{
	static const char *const schemes[] = {"floater(steps=1)",
					      "floater(steps=1,pos=remaining)",
					      "rand_pe(l_max=24)+floater(steps=1)",
					      "spe_conv(kernel=12)",
					      "rand_pe(l_max=48)+spe_conv(kernel=48)",
					      "liere",
					      "struct_tr(labels=1,d_r=4)",
					      "graph_tr(labels=1,longest=4,width=2)"};
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
		const struct learn_options o = small(schemes[i]);
		struct learner *const l = learner_of(&o);
		struct err err = {""};
		double loss;
		trains(l, 2);
		double *const together = arena_calloc(&arena, l->n, sizeof(double));
		double *const apart = arena_calloc(&arena, l->n, sizeof(double));
		assert_true(learner_gradient(l, 2, &loss, together, &err));
		const double alone = loss_alone(l, 2, apart);
		const double off =
			mat_max_abs_diff(mat_view(together, 1, l->n), mat_view(apart, 1, l->n));
		if (!(fabs(loss - alone) < 1e-12) || !(off < 1e-11))
			fail_msg("%s: loss off by %g, gradient by %g", schemes[i], loss - alone,
				 off);
		learner_free(l);
	}
}

/* ---- NumPy ---------------------------------------------------------------------------------- */

/* The start of learn_steps.py. */
static void start_as_numpy(struct learner *l)
{
	for (size_t i = 0; i < l->n_learned; i++) {
		const struct learned *const of = &l->learned[i];
		const bool positive = strncmp(of->name, "kerple", strlen("kerple")) == 0;
		double phase = 0;
		for (const char *c = of->name; *c; c++)
			phase += (unsigned char)*c;
		for (size_t k = 0; k < of->at.rows * of->at.cols; k++)
			of->at.at[k] =
				0.4 * sin(0.9 + 1.3 * (double)k + 0.37 * phase) + 0.6 * positive;
	}
}

static const struct learned *find(const struct learner *l, const char *name)
{
	for (size_t i = 0; i < l->n_learned; i++)
		if (strcmp(l->learned[i].name, name) == 0)
			return &l->learned[i];
	fail_msg("%s: no matrix %s", l->o.scheme, name);
	return NULL;
}

static void check_sums(const struct learner *l, const char *name, double sum, double squares)
{
	const struct learned *const of = find(l, name);
	double is = 0, square = 0;
	for (size_t i = 0; i < of->at.rows * of->at.cols; i++) {
		is += cos((double)i) * of->at.at[i];
		square += of->at.at[i] * of->at.at[i];
	}
	assert_within(is, sum, 1e-9);
	assert_within(square, squares, 1e-9);
}

TEST(steps_are_those_of_numpy)
{
	struct learner *l = NULL;
	char path[4096], line[512];
	size_t losses = 0, sums = 0;
	snprintf(path, sizeof path, "%s/learn_steps.txt", test_data);
	FILE *const f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof line, f)) {
		char scheme[80], name[80];
		size_t step;
		double x, y;
		if (sscanf(line, "loss %79s %zu %lf", scheme, &step, &x) == 3) {
			if (step == 1) {
				const struct learn_options o = small(arena_strdup(&arena, scheme));
				learner_free(l);
				l = learner_of(&o);
				start_as_numpy(l);
			}
			trains(l, step);
			assert_within(l->loss[step - 1], x, 1e-9);
			losses++;
		} else if (sscanf(line, "sum %79s %zu %79s %lf %lf", scheme, &step, name, &x, &y) ==
			   5) {
			assert_int_equal(l->step, step);
			check_sums(l, name, x, y);
			sums++;
		} else {
			fail_msg("%s", line);
		}
	}
	fclose(f);
	learner_free(l);
	assert_int_equal(losses, 8 * 20);
	assert_int_equal(sums, 8 * 7 * 2 + 2 * (1 + 1 + 2 + 2));
}

/* ---- what a training depends on ------------------------------------------------------------- */

static void train_alone(void *context, size_t i, size_t worker)
{
	struct learner *const *const l = context;
	(void)worker;
	struct err err = {""};
	if (i == 0)
		assert_true(learner_train(*l, 20, NULL, &err));
}

/* Inside of a body of the pool everything runs on one thread. */
TEST(numbers_do_not_depend_on_threads)
{
	static const char *const schemes[] = {"shaw(clip=3)", "fire", "rand_pe(l_max=128)"};
	for (size_t i = 0; i < 3; i++) {
		const struct learn_options o = small(schemes[i]);
		struct learner *together = learner_of(&o), *alone = learner_of(&o);
		trains(together, 20);
		machine_parallel(2, train_alone, &alone);
		assert_memory_equal(together->theta, alone->theta, together->n * sizeof(double));
		learner_free(together);
		learner_free(alone);
	}
}

TEST(training_stops_and_goes_on)
{
	const struct learn_options o = small("t5");
	struct learner *const whole = learner_of(&o), *const parts = learner_of(&o);
	struct watch watch;
	struct err err = {""};
	trains(whole, 20);
	watch_begin(&watch);
	watch_cancel(&watch);
	trains(parts, 7);
	assert_false(learner_train(parts, 20, &watch, &err));
	assert_string_equal(err.text, "cancelled");
	trains(parts, 12);
	learner_show(parts, 10);
	assert_memory_equal(parts->theta, whole->moment[1], whole->n * sizeof(double));
	learner_show(parts, 0);
	learner_show(parts, 12);
	trains(parts, 20);
	assert_memory_equal(parts->theta, whole->theta, whole->n * sizeof(double));
	learner_free(whole);
	learner_free(parts);
}

/* Rows beyond the trained length have no gradient and stay bit for bit; frozen leaves stay whole. */
TEST(what_is_not_met_stays)
{
	const struct learn_options o = small("learned");
	struct learner *const l = learner_of(&o);
	const struct mat p = find(l, "learned.p")->at, was = mat_copy(&arena, p);
	assert_int_equal(p.rows, 128);
	trains(l, 20);
	assert_memory_equal(mat_row(p, 16), mat_row(was, 16),
			    (p.rows - 16) * p.cols * sizeof(double));
	for (size_t t = 0; t < 16; t++)
		assert_true(memcmp(mat_row(p, t), mat_row(was, t), p.cols * sizeof(double)) != 0);
	learner_free(l);

	const struct learn_options frozen = small("learned(frozen=on)");
	struct learner *const f = learner_of(&frozen);
	const struct mat q = find(f, "learned.p")->at, stays = mat_copy(&arena, q);
	trains(f, 20);
	assert_memory_equal(q.at, stays.at, q.rows * q.cols * sizeof(double));
	learner_free(f);
}

/* Keys of tener are the token vectors: W_k is the identity, and what was drawn in its place stays. */
TEST(keys_that_are_token_vectors_do_not_learn)
{
	const struct learn_options o = small("tener");
	struct learner *const l = learner_of(&o);
	const struct mat k = find(l, "layer.0.w_k")->at, drawn = mat_copy(&arena, k);
	trains(l, 10);
	assert_memory_equal(k.at, drawn.at, k.rows * k.cols * sizeof(double));
	learner_free(l);
}

TEST(only_positions_learn_if_asked)
{
	struct learn_options o = small("t5");
	o.positions_only = true;
	struct learner *const l = learner_of(&o);
	const struct mat w = find(l, "layer.0.w_q")->at, was = mat_copy(&arena, w);
	const struct mat b = find(l, "t5.bias_table")->at, drawn = mat_copy(&arena, b);
	assert_int_equal(l->n, b.rows * b.cols);
	trains(l, 5);
	assert_memory_equal(w.at, was.at, w.rows * w.cols * sizeof(double));
	assert_true(memcmp(b.at, drawn.at, b.rows * b.cols * sizeof(double)) != 0);
	learner_free(l);
}

/* A model that is blind to order gives a sentence and its twin the same answer. */
TEST(blind_models_are_right_in_one_of_each_pair)
{
	static const char *const schemes[] = {"none", "causal"};
	for (size_t i = 0; i < 2; i++) {
		struct learn_options o = small(schemes[i]);
		o.task = "order";
		struct learner *const l = learner_of(&o);
		assert_int_equal(learner_causal(l), i);
		trains(l, 10);
		for (size_t n = 16; n <= 32; n *= 2) {
			struct accuracy of;
			struct err err = {""};
			assert_true(learner_test(l, n, &arena, &of, NULL, &err));
			assert_within(of.right, 0.5, 1e-12);
			assert_int_equal(of.sentences, 128);
		}
		learner_free(l);
	}
}

static const char *refused(const struct learn_options *o)
{
	static struct err err;
	struct learner *l;
	err = (struct err){""};
	assert_false(learner_new(&l, o, &err));
	return err.text;
}

TEST(what_cannot_be_learned_is_refused)
{
	struct learn_options o = small("alibi");
	o.task = "reverse";
	assert_non_null(strstr(refused(&o), "hides later tokens"));
	o = small("none");
	o.positions_only = true;
	assert_non_null(strstr(refused(&o), "nothing to learn in its positions"));
	o = small("none");
	o.task = "nearest";
	assert_non_null(strstr(refused(&o), "16 different words, more than the 8"));
	assert_non_null(strstr(refused(&o), "d-model 16 would be right"));
	o = small("rope");
	o.test_as = "learned";
	assert_non_null(strstr(refused(&o), "test-as: learned has a learned learned.p"));
}

TEST(rates_that_diverge_stop)
{
	struct learn_options o = small("none");
	struct err err = {""};
	o.rate = 1e300;
	struct learner *const l = learner_of(&o);
	assert_false(learner_train(l, 20, NULL, &err));
	assert_non_null(strstr(err.text, "none on shift: step 2"));
	assert_non_null(strstr(err.text, "a rate below 1e+300 would be right"));
	learner_free(l);
}

/* A bounded scheme is tested as far as it has positions, and then says why not further. */
TEST(lengths_beyond_a_bound_say_why)
{
	const struct learn_options o = small("shaw_abs");
	struct learner *const l = learner_of(&o);
	struct accuracy of;
	struct err err = {""};
	assert_true(learner_test(l, 64, &arena, &of, NULL, &err));
	assert_null(of.absent);
	assert_true(learner_test(l, 128, &arena, &of, NULL, &err));
	assert_true(isnan(of.right));
	assert_non_null(strstr(of.absent, "64"));
	learner_free(l);
}

/* ---- as a model ------------------------------------------------------------------------------- */

/* Opens a kept model as the program does, on the sentence that its configuration has. */
static void open_kept(const char *folder, struct scene *scene)
{
	struct known *const k = arena_calloc(&arena, 1, sizeof *k);
	const char *said;
	struct err err = {""};
	scene_init(scene);
	if (!family_read(folder, &arena, k, &err) ||
	    !scene_open_model(scene, folder, k, &arena, &said, &err))
		fail_msg("%s", err.text);
	assert_int_equal(known_wrong(k), 0);
	said = scene_take_tokenizer(scene, folder, &arena);
	assert_int_equal(scene->setup.tokens, TOKENS_MODEL);
}

/* The outputs of the layers are those of the training's own run, with the positions, the projections, the
 * feed-forward part and the token vectors of the files. tener's keys are the token vectors. */
TEST(kept_model_computes_what_was_trained)
{
	static const char *const schemes[] = {"shaw(clip=3)", "tener", "learned+causal", "gru",
					      "t5"};
	static const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
		struct learn_options o = small(schemes[i]);
		struct err err = {""};
		struct example *e;
		struct scene *const scene = arena_calloc(&arena, 1, sizeof *scene);
		struct built *const b = arena_calloc(&arena, 1, sizeof *b);
		const char *const folder = arena_printf(&arena, "kept%zu", i);
		struct trace trace;
		struct taped t;
		struct run *run;
		const int32_t *target;
		size_t n;
		o.layers = 1 + i % 2;
		struct learner *const l = learner_of(&o);
		trains(l, 10);
		if (!learner_keep(l, folder, false, &err))
			fail_msg("%s", err.text);
		assert_false(learner_keep(l, folder, false, &err));
		open_kept(folder, scene);
		if (!evaluate(&scene->setup, &want, NULL, NULL, &arena, b, &trace, &err))
			fail_msg("%s: %s", o.scheme, err.text);
		assert_true(task_test(&l->task, 16, 1, &arena, &e, &n, &err));
		taped_begin(l, l->b, false, &arena, &t);
		assert_non_null(taped_run(l, l->b, &t, e, 0, &target, &run, &err));
		assert_true(mat_max_abs_diff(trace.last, run_output_node(run)->v) < 1e-12);
		learner_free(l);
	}
}
