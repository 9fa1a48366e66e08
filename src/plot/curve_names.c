/* curve_names.c: see curve_names.h. */
#include "plot/curve_names.h"

#include <math.h>
#include <string.h>

bool curve_end(const struct series *s, double *x, double *y)
{
	for (size_t k = s->n; k-- > 0;) {
		if (!isfinite(s->y[k]))
			continue;
		*x = s->x[k];
		*y = s->y[k];
		return true;
	}
	return false;
}

/* Tells if a ends below b, or, if both end together, runs below it before. */
static bool ends_below(const struct series *a, const struct series *b, double same)
{
	double x, end_a, end_b;
	if (!curve_end(a, &x, &end_a) || !curve_end(b, &x, &end_b))
		return false;
	if (fabs(end_a - end_b) > same)
		return end_a < end_b;
	for (size_t k = a->n; k-- > 0;)
		if (isfinite(a->y[k]) && curves_height(b, a->x[k], &end_b) &&
		    fabs(a->y[k] - end_b) > same)
			return a->y[k] < end_b;
	return false;
}

size_t curve_names_order(const struct series *series, const char *const *names, size_t n,
			 double same, size_t *order)
{
	size_t found = 0;
	for (size_t i = 0; i < n; i++) {
		double x, y;
		if (names[i][0] == '\0' || !curve_end(&series[i], &x, &y))
			continue;
		size_t k = found++;
		for (; k > 0 && ends_below(&series[order[k - 1]], &series[i], same); k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
	return found;
}

static bool is_same_height(const struct curve_axis *axis, double a, double b, double part)
{
	if (isnan(a) || isnan(b))
		return isnan(a) && isnan(b);
	return fabs(curve_axis_at(axis, a) - curve_axis_at(axis, b)) <= part;
}

static bool coincide(const struct curve_axis *axis, const struct series *a, const struct series *b,
		     double part)
{
	bool same = a->n == b->n && a->n > 0;
	for (size_t k = 0; same && k < a->n; k++)
		same = fabs(a->x[k] - b->x[k]) < 1e-12 &&
		       is_same_height(axis, a->y[k], b->y[k], part);
	return same;
}

void curve_names_same(const struct curve_axis *axis, const struct series *series, size_t n,
		      double part, size_t *as)
{
	for (int active = 1; active >= 0; active--)
		for (size_t i = 0; i < n; i++) {
			if (series[i].active != (active == 1))
				continue;
			as[i] = i;
			/* The active ones have been found before. */
			for (size_t j = 0; as[i] == i && j < n; j++) {
				const bool known =
					series[j].active == (active == 1) ? j < i : !active;
				if (known && as[j] == j &&
				    coincide(axis, &series[i], &series[j], part))
					as[i] = j;
			}
		}
}

void curve_names_group(const size_t *as, size_t n, size_t *order)
{
	enum { MOST = 16 };
	size_t old[MOST], to = 0;
	if (n > MOST)
		return;
	memcpy(old, order, n * sizeof *old);
	for (size_t k = 0; k < n; k++) {
		bool follows = false;
		for (size_t j = 0; j < n; j++)
			follows |= old[j] == as[old[k]] && j != k;
		if (follows)
			continue;
		order[to++] = old[k];
		for (size_t j = 0; j < n; j++)
			if (j != k && as[old[j]] == old[k])
				order[to++] = old[j];
	}
}

void curve_names_part(double *y, size_t n, double line, double lo, double hi)
{
	for (int i = 0; i < 64; i++) {
		for (size_t k = 1; k < n; k++) {
			const double lack = line - (y[k] - y[k - 1]);
			if (lack <= 0)
				continue;
			y[k - 1] -= lack / 2;
			y[k] += lack / 2;
		}
	}
	for (size_t k = 0; k < n; k++)
		y[k] = fmax(y[k], k == 0 ? lo : y[k - 1] + line);
	for (size_t k = n; k-- > 0;)
		y[k] = fmin(y[k], k + 1 == n ? hi : y[k + 1] - line);
}
