/* range.c: the smallest and the largest number of a matrix. */
#include <math.h>

#include "posviz/math/mat.h"

/* Lowers *lo and raises *hi to the numbers of a row, of which NaN are not compared. */
static void add_row(const double *row, size_t n, double *lo, double *hi)
{
	double least = *lo, most = *hi;
#pragma omp simd reduction(min : least) reduction(max : most)
	for (size_t c = 0; c < n; c++) {
		least = row[c] < least ? row[c] : least;
		most = row[c] > most ? row[c] : most;
	}
	*lo = least;
	*hi = most;
}

static void add_finite(const double *row, const uint8_t *allowed, size_t n, double *lo, double *hi)
{
	for (size_t c = 0; c < n; c++) {
		if (!isfinite(row[c]) || (allowed && !allowed[c]))
			continue;
		*lo = row[c] < *lo ? row[c] : *lo;
		*hi = row[c] > *hi ? row[c] : *hi;
	}
}

bool mat_range_where(struct mat m, const uint8_t *allowed, double *lo, double *hi)
{
	bool finite = !allowed;
	*lo = INFINITY;
	*hi = -INFINITY;
	for (size_t r = 0; finite && r < m.rows; r++) {
		add_row(mat_row(m, r), m.cols, lo, hi);
		finite = *lo > -INFINITY && *hi < INFINITY;
	}
	if (finite)
		return *lo <= *hi;
	*lo = INFINITY;
	*hi = -INFINITY;
	for (size_t r = 0; r < m.rows; r++)
		add_finite(mat_row(m, r), allowed ? allowed + r * m.cols : NULL, m.cols, lo, hi);
	return *lo <= *hi;
}

bool mat_range(struct mat m, double *lo, double *hi)
{
	return mat_range_where(m, NULL, lo, hi);
}
