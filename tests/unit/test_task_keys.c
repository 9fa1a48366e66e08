/* test_task_keys.c: the keys that answers depend on, and the loss without position. */
#include <math.h>

#include "help_arena.h"
#include "posviz/learn/task.h"
#include "test.h"

FIXTURE(open_arena, close_arena)

/* Keys: shift reads the letter before, x[t-2] the one before that, first the first, reverse the mirrored one. */
TEST(keys_that_answers_depend_on)
{
	static const struct {
		const char *task;
		size_t t, s, asked;
	} cases[] = {{"shift", 5, 4, 15},
		     {"x[t-2]", 5, 3, 14},
		     {"first", 5, 0, 15},
		     {"reverse", 5, 10, 16},
		     {"t mod 3", 5, 16, 0}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct task task;
		struct example *e;
		size_t n, asked = 0;
		uint8_t right[16 * 16];
		struct err err = {""};
		assert_true(task_open(&task, cases[i].task, &arena, &err));
		assert_true(task_test(&task, 16, 1, &arena, &e, &n, &err));
		assert_true(task_keys(&task, e, right, &arena, &err));
		for (size_t k = 0; k < sizeof right; k++)
			asked += right[k];
		assert_int_equal(asked, cases[i].asked);
		for (size_t s = 0; s < 16; s++)
			assert_int_equal(right[cases[i].t * 16 + s], s == cases[i].s);
	}
}

/* Expected entropies, counted over all multisets of n letters of 8 with Python's fractions: n = 15, and
 * means over the lengths 8 to 16. */
TEST(loss_without_position)
{
	static const struct {
		const char *task;
		enum sight sight;
		double loss;
	} cases[] = {{"shift", SIGHT_WHOLE, 1.678117078302},
		     {"first", SIGHT_PREFIX, 1.198117265939},
		     {"reverse", SIGHT_WHOLE, 1.807191017200},
		     {"order", SIGHT_PREFIX, 0.693147180560},
		     {"find", SIGHT_WHOLE, 0}};
	struct task task;
	struct err err = {""};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_true(task_open(&task, cases[i].task, &arena, &err));
		assert_within(task_floor_loss(&task, cases[i].sight), cases[i].loss, 1e-9);
	}
	assert_true(task_open(&task, "dist", &arena, &err));
	assert_true(isnan(task_floor_loss(&task, SIGHT_WHOLE)));
}
