/* test_large_model.c: pictures of a model as large as real ones take what they show, not what the model
 * would hold. */
#include <string.h>

#include "test.h"
#include "posviz/analysis/analysis.h"
#include "posviz/analysis/cost.h"
#include "posviz/picture/picture.h"
#include "posviz/scene/scene.h"

static void large(struct scene *s, const char *scheme, const char *view)
{
	scene_init(s);
	s->setup.scheme = scene_intern(scheme);
	s->view = scene_intern(view);
	s->setup.d_model = 4096;
	s->setup.heads = s->setup.layers = 32;
	s->setup.memory = 200e6;
}

/* The whole model has 6.4 thousand million weights. */
TEST(a_picture_of_the_first_layer_fits_into_200_mb)
{
	static const struct {
		const char *scheme, *view;
	} rows[] = {{"rope", "explore"},       {"rope", "vectors"},	  {"rope", "clocks"},
		    {"rope", "lengths"},       {"rope", "terms"},	  {"rope", "why"},
		    {"alibi+rope", "explore"}, {"sinusoidal", "vectors"}, {"da", "explore"},
		    {"learned", "explore"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a;
		struct scene s;
		struct picture p = {0};
		struct err err = {""};
		arena_init(&a);
		large(&s, rows[i].scheme, rows[i].view);
		if (!picture_make(&s, NULL, false, BACKGROUND_DARK, NULL, NULL, &a, &p, &err))
			fail_msg("%s of %s: %s", rows[i].view, rows[i].scheme, err.text);
		assert_true(a.peak < 100000000);
		arena_release(&a);
	}
}

/* Returns the position vectors of four tokens, as the model adds them, in an arena. */
static struct mat position_vectors(const char *scheme, long t_max, long d, int init,
				   struct arena *a, size_t *peak)
{
	const struct want want = {.kinds = WANT_POSITION | WANT_WEIGHTS, .head = -1};
	struct scene s;
	struct built *const b = arena_alloc(a, sizeof *b);
	struct trace trace;
	struct err err = {""};
	scene_init(&s);
	s.setup.scheme = scene_intern(scheme);
	s.setup.sentence = scene_intern("a b c d");
	s.setup.t_max = t_max;
	s.setup.d_model = d;
	s.setup.init = init;
	if (!evaluate(&s.setup, &want, NULL, NULL, a, b, &trace, &err))
		fail_msg("%s of %ld: %s", scheme, t_max, err.text);
	*peak = a->peak;
	/* What is read first and what is read as a whole are the same numbers. */
	if (t_max <= 8192 && b->model.n_leaves > 0) {
		const struct leaf *const leaf = &b->model.leaves[0];
		const struct mat first = mat_copy(a, model_leaf_first(&b->model, leaf, 4));
		const struct mat all = model_leaf_at(&b->model, leaf);
		assert_true(mat_max_abs_diff(first, mat_rows(all, 0, 4)) <= 0);
		assert_int_equal(all.rows, t_max);
	}
	return trace.layers[0].heads[0].weights;
}

/* Two million rows cost what the four that are read cost, and these are the rows of a small table. */
TEST(tables_of_positions_are_made_as_far_as_they_are_read)
{
	static const char *const schemes[] = {"learned", "multiplicative"};
	for (size_t i = 0; i < 2; i++)
		for (int init = 0; init < INIT_COUNT; init++) {
			struct arena a;
			size_t small, large;
			arena_init(&a);
			const struct mat few =
				position_vectors(schemes[i], 512, 64, init, &a, &small);
			const struct mat some =
				position_vectors(schemes[i], 8192, 64, init, &a, &large);
			const size_t before = a.used;
			const struct mat many =
				position_vectors(schemes[i], 2000000, 64, init, &a, &large);
			assert_true(mat_max_abs_diff(few, some) <= 0);
			assert_true(mat_max_abs_diff(few, many) <= 0);
			assert_true(a.used - before < 4000000);
			arena_release(&a);
			arena_init(&a);
			position_vectors(schemes[i], 131072, 4096, init, &a, &large);
			assert_true(large < 50000000);
			arena_release(&a);
		}
}

/* What the memory does not hold is refused with what it needs: all layers, with their blocks. */
TEST(all_layers_of_it_are_refused)
{
	struct arena a;
	struct scene s;
	struct picture p = {0};
	struct err err = {""};
	arena_init(&a);
	large(&s, "rope", "explore");
	s.layer = 32;
	assert_false(picture_make(&s, NULL, false, BACKGROUND_DARK, NULL, NULL, &a, &p, &err));
	assert_non_null(strstr(err.text, "above the limit of 200 MB"));
	arena_release(&a);
}

/* The measure with random projections is left out where these are 50 million numbers; without them it is
 * made. */
TEST(a_picture_does_not_wait_for_millions_of_weights)
{
	for (int i = 0; i < 2; i++) {
		struct arena a;
		struct scene s;
		struct measures m = {0};
		struct err err = {""};
		const struct measure_request r = {.kinds = MEASURED_SHIFT_RANDOM | MEASURED_SHIFT};
		arena_init(&a);
		large(&s, "rope", "explore");
		s.setup.layers = 1;
		s.setup.d_model = i ? 128 : 4096;
		if (!analysis_measure(&s.setup, &r, &m, &err))
			fail_msg("%s", err.text);
		assert_true(m.shift.there);
		assert_int_equal(m.shift_random.there, i);
		if (i == 0)
			assert_string_equal(m.shift_random.why, "n/a: too many weights to draw");
		arena_release(&a);
	}
}

/* A t-max of a million costs a scheme without tables nothing. */
TEST(a_long_training_costs_nothing)
{
	static const char *const schemes[] = {"rope",	    "alibi", "t5",
					      "sinusoidal", "shaw",  "rope_yarn"};
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
		struct arena a;
		struct scene s;
		struct picture p = {0};
		struct err err = {""};
		arena_init(&a);
		large(&s, schemes[i], "explore");
		s.setup.d_model = 64;
		s.setup.heads = s.setup.layers = 2;
		s.setup.t_max = 1 << 20;
		s.setup.memory = 10e6;
		if (!picture_make(&s, NULL, false, BACKGROUND_DARK, NULL, NULL, &a, &p, &err))
			fail_msg("%s: %s", schemes[i], err.text);
		assert_true(a.peak < 10000000);
		arena_release(&a);
	}
}

/* Weights that earlier measures left in the cache are memory that a later one does not have: it is left out, and
 * the picture stays. */
TEST(what_is_cached_leaves_a_measure_out_and_no_picture)
{
	struct arena a;
	struct scene s;
	struct measures m = {0};
	struct err err = {""};
	struct cache *const cache = cache_new(CACHE_BYTES);
	const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	const struct measure_request r = {.kinds = MEASURED_OWN_ORDER | MEASURED_ORDER,
					  .cache = cache};
	arena_init(&a);
	scene_init(&s);
	s.setup.d_model = 256;
	s.setup.heads = 8;
	s.setup.order = scene_intern("reverse");
	struct built *const b = arena_calloc(&a, 1, sizeof *b);
	assert_true(setup_build(&s.setup, &a, b, &err));
	s.setup.memory = 1.1 * (double)model_estimate(&b->model, &b->model_input, &want);
	if (!analysis_measure(&s.setup, &r, &m, &err))
		fail_msg("%s", err.text);
	assert_false(m.own_order.there);
	assert_string_equal(m.own_order.why, "n/a: above the limit of memory");
	cache_free(cache);
	arena_release(&a);
}

/* The cost of a pass has weights of its own: those that memory does not allow are refused before any
 * is drawn. */
TEST(weights_of_a_timed_pass_are_counted_before_they_are_drawn)
{
	static const char *const expressions[] = {"none"};
	static const struct cost_own own = {.text = true, .d_model = true, .heads = true};
	struct arena a;
	struct scene s;
	struct cost c;
	struct err err = {""};
	arena_init(&a);
	assert_true(scene_parse(
		&s, "sentence a b c\nd-model 512\nheads 2\nmemory 10000000\nff 4096\n", &err));
	const struct setup setup = cost_setup(&s.setup, own);
	const struct cost_request r = {.setup = &setup,
				       .expressions = expressions,
				       .n = 1,
				       .most = SIZE_MAX,
				       .untimed = true};
	assert_false(cost_measure(&r, &a, &c, &err));
	assert_non_null(strstr(err.text, "cost: weights for d-model 512, 2 heads of 256 and ff "
					 "4096 take about 42 MB, above the limit of 10 MB"));
	assert_true(a.peak < 10000000);
	arena_release(&a);
}
