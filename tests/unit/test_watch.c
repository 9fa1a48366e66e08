/* test_watch.c: work that is watched: asked to stop, and how far it is. */
#include <math.h>

#include "help_arena.h"
#include "help_setup.h"
#include "posviz/base/watch.h"
#include "posviz/model/model.h"
#include "test.h"

static void expect_part(const struct watch *w, double part)
{
	assert_true(fabs(watch_part(w) - part) < 1e-15);
}

TEST(a_watch_counts_what_is_done_of_what_is_expected)
{
	struct watch w = {0};
	expect_part(NULL, 0);
	expect_part(&w, 0);
	watch_expect(&w, 8);
	expect_part(&w, 0);
	watch_did(&w, 2);
	expect_part(&w, 0.25);
	watch_expect(&w, 6); /* these are among the eight */
	expect_part(&w, 0.25);
	watch_expect(&w, 14);
	expect_part(&w, 2. / 16);
	watch_did(&w, 20);
	expect_part(&w, 1);
	watch_cancel(&w);
	assert_true(watch_cancelled(&w));
	watch_begin(&w);
	assert_false(watch_cancelled(&w) || watch_cancelled(NULL));
	expect_part(&w, 0);
}

/* Of whatever is wanted, also of members that mix the heads or give no logits. */
TEST_WITH(a_run_does_as_much_as_it_said, open_folder, close_folder)
{
	static const char *const schemes[] = {"none", "rope", "synth_dense", "dape", "universal"};
	static const struct want wants[] = {
		{.kinds = WANT_OUTPUT, .layer = -1, .head = -1},
		{.kinds = WANT_WEIGHTS, .layer = 0, .head = 1},
		{.kinds = WANT_LOGITS | WANT_BIAS, .layer = 1, .head = -1},
		{.kinds = WANT_RELATION, .layer = 0, .head = 0},
	};
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
		struct scene s = help_scene_read("layers 3");
		struct built b; /* points into itself */
		struct err err;
		help_set(&s, "scheme", schemes[i]);
		assert_true(setup_build(&s.setup, &arena, &b, &err));
		for (size_t k = 0; k < sizeof wants / sizeof *wants; k++) {
			const size_t heads = model_heads_to_run(&b.model, &wants[k]);
			struct watch w = {0};
			struct trace trace;
			watch_expect(&w, 2 * heads);
			for (size_t run = 1; run <= 2; run++) {
				if (!built_run(&b, &b.model_input, &wants[k], NULL, &w, &arena,
					       &trace, &err))
					fail_msg("%s: %s", schemes[i], err.text);
				assert_int_equal(atomic_load(&w.done), run * heads);
			}
			expect_part(&w, heads > 0); /* a relation is there before any head */
		}
	}
}
