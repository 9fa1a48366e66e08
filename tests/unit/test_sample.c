/* test_sample.c: rows of a large matrix: all of a small one, and of a large one any as likely as others. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "posviz/analysis/sample.h"

TEST(sample_of_few_rows_is_all_of_them)
{
	struct arena a;
	arena_init(&a);
	const struct row_sample s = sample_rows(7, 7, 3, &a);
	assert_int_equal(s.n, 7);
	for (size_t i = 0; i < 7; i++)
		assert_int_equal(s.at[i], i);
	assert_null(sample_show(&s, &a));
	assert_int_equal(sample_rows(0, 7, 3, &a).n, 0);
	arena_release(&a);
}

TEST(sample_is_ascending_and_hangs_on_the_seed)
{
	struct arena a;
	arena_init(&a);
	const struct row_sample one = sample_rows(1000, 512, 0, &a),
				again = sample_rows(1000, 512, 0, &a),
				other = sample_rows(1000, 512, 1, &a);
	assert_int_equal(one.n, 512);
	for (size_t i = 1; i < one.n; i++)
		assert_true(one.at[i] > one.at[i - 1] && one.at[i] < 1000);
	assert_memory_equal(one.at, again.at, one.n * sizeof *one.at);
	assert_memory_not_equal(one.at, other.at, one.n * sizeof *one.at);
	assert_string_equal(sample_show(&one, &a), "512 of 1000 rows, seed 0");
	arena_release(&a);
}

/* Of 10 rows 3: each in 3 of 10 samples, within five standard deviations of 4000 draws. */
TEST(sample_takes_each_row_as_often)
{
	struct arena a;
	size_t count[10] = {0};
	enum { DRAWS = 4000 };
	arena_init(&a);
	for (uint64_t seed = 0; seed < DRAWS; seed++) {
		const struct row_sample s = sample_rows(10, 3, seed, &a);
		for (size_t i = 0; i < s.n; i++)
			count[s.at[i]]++;
	}
	for (size_t i = 0; i < 10; i++)
		assert_true(fabs((double)count[i] - 0.3 * DRAWS) < 5 * sqrt(DRAWS * 0.3 * 0.7));
	arena_release(&a);
}
