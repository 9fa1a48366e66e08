/* help_mat.c: see help_mat.h. */
#include "help_mat.h"

#include <math.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/base/rng.h"

struct mat help_normal(size_t rows, size_t cols, uint64_t seed)
{
	struct rng rng;
	rng_init(&rng, seed);
	const struct mat m = mat_new(&arena, rows, cols);
	mat_fill_normal(m, 1, &rng);
	return m;
}

struct mat help_tensor_named(const struct tensor_set *set, const char *name)
{
	const struct tensor *const t = tensor_find(set, name);
	if (!t)
		fail_msg("no tensor %s", name);
	return tensor_mat(t);
}

void help_normalise(struct mat m, double eps)
{
	for (size_t i = 0; i < m.rows; i++) {
		double *row = mat_row(m, i), mean = 0, variance = 0;
		for (size_t j = 0; j < m.cols; j++)
			mean += row[j] / (double)m.cols;
		for (size_t j = 0; j < m.cols; j++)
			variance += (row[j] - mean) * (row[j] - mean) / (double)m.cols;
		for (size_t j = 0; j < m.cols; j++)
			row[j] = (row[j] - mean) / sqrt(variance + eps);
	}
}
