/* range.c: the smallest and the largest number of a matrix. */
#include <math.h>

#include "posviz/math/mat.h"

enum { LANES = 8 };
struct lanes {
	double lo[LANES], hi[LANES];
};

/* Lowers l->lo and raises l->hi to the numbers of a row, each LANES-th of which has limits of its own, so
 * that several are compared at once. NaN are not compared. */
static void add_row(const double *row, size_t n, struct lanes *l)
{
	struct lanes own = *l;
	size_t c = 0;
	for (; c + LANES <= n; c += LANES)
		for (size_t i = 0; i < LANES; i++) {
			own.lo[i] = row[c + i] < own.lo[i] ? row[c + i] : own.lo[i];
			own.hi[i] = row[c + i] > own.hi[i] ? row[c + i] : own.hi[i];
		}
	for (; c < n; c++) {
		own.lo[0] = row[c] < own.lo[0] ? row[c] : own.lo[0];
		own.hi[0] = row[c] > own.hi[0] ? row[c] : own.hi[0];
	}
	*l = own;
}

/* Finds the limits of all numbers. False: one of them is infinite. */
static bool range_of_all(struct mat m, double *lo, double *hi)
{
	struct lanes l;
	for (size_t i = 0; i < LANES; i++) {
		l.lo[i] = INFINITY;
		l.hi[i] = -INFINITY;
	}
	for (size_t r = 0; r < m.rows; r++)
		add_row(mat_row(m, r), m.cols, &l);
	*lo = INFINITY;
	*hi = -INFINITY;
	for (size_t i = 0; i < LANES; i++) {
		*lo = fmin(*lo, l.lo[i]);
		*hi = fmax(*hi, l.hi[i]);
	}
	return *lo > -INFINITY && *hi < INFINITY;
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
	if (!allowed && range_of_all(m, lo, hi))
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
