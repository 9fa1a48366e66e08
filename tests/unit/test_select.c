/* test_select.c: a number at a place, against sorting. */
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "posviz/base/rng.h"
#include "posviz/math/select.h"

enum { MOST = 64 };

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Sorted, descending, all equal, few different ones, and any. */
static double number(size_t kind, size_t i, struct rng *rng)
{
	return kind == 0   ? (double)i
	       : kind == 1 ? -(double)i
	       : kind == 2 ? 7
	       : kind == 3 ? (double)rng_below(rng, 3)
			   : rng_normal(rng);
}

TEST(numbers_at_a_place_are_those_of_the_sorted_ones)
{
	struct rng rng;
	rng_init(&rng, 3);
	for (size_t n = 1; n <= MOST; n++)
		for (size_t k = 0; k < n; k++) {
			double numbers[MOST], sorted[MOST];
			for (size_t i = 0; i < n; i++)
				sorted[i] = numbers[i] = number((n + k) % 5, i, &rng);
			qsort(sorted, n, sizeof *sorted, ascending);
			const double found = select_at(numbers, n, k);
			assert_true(found <= sorted[k] && found >= sorted[k]);
			for (size_t i = 0; i < n; i++)
				assert_true(i < k ? numbers[i] <= found : numbers[i] >= found);
			qsort(numbers, n, sizeof *numbers, ascending);
			assert_memory_equal(numbers, sorted, n * sizeof *sorted);
		}
}
