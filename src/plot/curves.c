/* curves.c: running means of curves that oscillate faster than a plot can show.
 *
 * Whether a curve is smoothed depends on itself alone: a smooth one stays unchanged. At distance 0,
 * where a bias has its peak or its kink, and at the ends, nothing is rounded or bent: windows
 * shrink towards them, equally on both sides, so that the mean of a straight line is the line. */
#include <math.h>

#include "posviz/plot/curves.h"

/* Turning points that are fewer than TURN columns apart cannot be followed with the eye; after
 * means over WIDTH columns they are far enough apart. */
enum { TURN = 3, WIDTH = 6 };
/* A change of less than this part of the curve's range is not counted as a turn, because a small
 * plot does not show it. */
static const double seen = 1 / 32.;

/* Counts how often the curve turns round and then moves further than `seen` in the new
 * direction. */
static size_t turns_of(const struct series *s)
{
	size_t turns = 0;
	double lo = INFINITY, hi = -INFINITY, from = NAN, way = 0;
	for (size_t i = 0; i < s->n; i++) {
		lo = isfinite(s->y[i]) ? fmin(lo, s->y[i]) : lo;
		hi = isfinite(s->y[i]) ? fmax(hi, s->y[i]) : hi;
	}
	/* `from` is the last extreme value: it follows the curve and stays where that turns
	 * round. */
	for (size_t i = 0; i < s->n; i++) {
		const double step = s->y[i] - from;
		if (isfinite(step) && step * way <= 0 && !(fabs(step) > seen * (hi - lo)))
			continue;
		turns += isfinite(step) && step * way < 0;
		way = isfinite(step) ? step : 0;
		from = s->y[i];
	}
	return turns;
}

/* Computes the means of a part of the curve without gaps; the windows stay within it. */
static void mean_run(const double *y, size_t from, size_t to, size_t half, double *out)
{
	double sum = 0;
	size_t lo = from, hi = from; /* the sum is over lo..hi-1 */
	for (size_t i = from; i <= to; i++) {
		const size_t edge = i - from < to - i ? i - from : to - i,
			     h = edge < half ? edge : half;
		while (hi <= i + h)
			sum += y[hi++];
		while (lo > i - h)
			sum += y[--lo];
		while (lo < i - h)
			sum -= y[lo++];
		while (hi > i + h + 1)
			sum -= y[--hi];
		out[i] = sum / (double)(hi - lo);
	}
}

static void mean_all(const struct series *s, const double *y, size_t half, double *out)
{
	for (size_t from = 0; from < s->n; from++) {
		out[from] = y[from];
		size_t to = from;
		if (!isfinite(y[from]))
			continue;
		while (to + 1 < s->n && isfinite(y[to + 1]) && (to == from || fabs(s->x[to]) > 0))
			to++;
		mean_run(y, from, to, half, out);
		/* The point at x = 0 ends one part and begins the next. */
		from = to > from && !(fabs(s->x[to]) > 0) ? to - 1 : to;
	}
}

/* Finds the smallest and the largest of the values at most `half` indices away. */
static void find_edges(const struct series *s, size_t half, double *lo, double *hi)
{
	for (size_t i = 0; i < s->n; i++) {
		lo[i] = hi[i] = s->y[i];
		for (size_t k = i < half ? 0 : i - half; k < s->n && k <= i + half; k++) {
			lo[i] = fmin(lo[i], s->lo ? s->lo[k] : s->y[k]);
			hi[i] = fmax(hi[i], s->hi ? s->hi[k] : s->y[k]);
		}
	}
}

static void smooth(struct arena *a, size_t half, bool edges, struct series *s)
{
	double *once = arena_calloc(a, s->n + 1, sizeof *once);
	double *twice = arena_calloc(a, s->n + 1, sizeof *twice);
	mean_all(s, s->y, half, once);
	mean_all(s, once, half, twice);
	double *lo = NULL, *hi = NULL;
	if (edges) {
		lo = arena_calloc(a, s->n + 1, sizeof *lo);
		hi = arena_calloc(a, s->n + 1, sizeof *hi);
		find_edges(s, half, lo, hi);
	}
	s->y = twice;
	s->lo = lo;
	s->hi = hi;
	s->mean_of = 2 * half + 1;
}

/* Puts the least and the largest value back where they were. */
static void keep_extremes(const struct series *from, struct series *s, struct arena *a)
{
	size_t least = SIZE_MAX, most = SIZE_MAX;
	double *const y = arena_calloc(a, s->n + 1, sizeof *y);
	for (size_t i = 0; i < s->n; i++) {
		y[i] = s->y[i];
		if (!isfinite(from->y[i]))
			continue;
		least = least == SIZE_MAX || from->y[i] < from->y[least] ? i : least;
		most = most == SIZE_MAX || from->y[i] > from->y[most] ? i : most;
	}
	if (least != SIZE_MAX) {
		y[least] = from->y[least];
		y[most] = from->y[most];
	}
	s->y = y;
}

size_t curves_smooth(struct arena *a, const struct curves *c, size_t columns, struct curves *out)
{
	struct series *series = arena_calloc(a, c->n + 1, sizeof *series);
	size_t longest = 0, mean_of = 0;
	*out = *c;
	for (size_t i = 0; i < c->n; i++)
		longest = c->series[i].n > longest ? c->series[i].n : longest;
	/* Two means in turn, each over half the window, have smoother results than one. */
	const size_t half = columns > 0 ? (longest * WIDTH / columns + 3) / 4 : 0;
	for (size_t i = 0; i < c->n; i++) {
		series[i] = c->series[i];
		if (half == 0 || longest <= columns || turns_of(&series[i]) <= columns / TURN)
			continue;
		smooth(a, half, c->n == 1 || series[i].active, &series[i]);
		if (c->extremes)
			keep_extremes(&c->series[i], &series[i], a);
		if (series[i].before) {
			struct series *const before = arena_calloc(a, 1, sizeof *before);
			*before = *series[i].before;
			smooth(a, half, false, before);
			series[i].before = before;
		}
		mean_of = 2 * half + 1;
	}
	out->series = series;
	return mean_of;
}

bool curves_height(const struct series *s, double x, double *y)
{
	for (size_t i = 0; i < s->n; i++) {
		if (!(s->x[i] >= x))
			continue;
		*y = s->y[i];
		if (s->x[i] > x) {
			if (i == 0)
				return false;
			const double f = (x - s->x[i - 1]) / (s->x[i] - s->x[i - 1]);
			*y = s->y[i - 1] + f * (s->y[i] - s->y[i - 1]);
		}
		return isfinite(*y);
	}
	return false;
}
