/* test_numbers.c: a list of named numbers. */
#include <math.h>

#include "test.h"
#include "posviz/math/numbers.h"

TEST(numbers_grow_and_are_copies)
{
	struct arena a;
	struct numbers all;
	double at[2] = {1, 2};
	arena_init(&a);
	numbers_init(&all, &a);
	for (int i = 0; i < 100; i++)
		numbers_add(&all, arena_printf(&a, "x.%d", i), mat_view(at, 1, 2));
	at[0] = 9;
	assert_int_equal(all.n, 100);
	assert_string_equal(all.at[0].name, "x.0");
	assert_string_equal(all.at[99].name, "x.99");
	assert_true(all.at[0].at.at[0] == 1 && all.at[99].at.at[1] == 2);
	arena_release(&a);
}

TEST(numbers_that_are_not_there_keep_their_reason)
{
	struct arena a;
	struct numbers all;
	arena_init(&a);
	numbers_init(&all, &a);
	numbers_add(&all, "x.none", (struct mat){0});
	numbers_say(&all, "x.ratio", NAN, "n/a: one token", "a ratio");
	numbers_say(&all, "x.sum", 3, "3", NULL);
	assert_int_equal(all.n, 2);
	assert_null(all.at[0].at.at);
	assert_string_equal(all.at[0].says, "n/a: one token");
	assert_true(all.at[1].at.at[0] == 3);
	arena_release(&a);
}
