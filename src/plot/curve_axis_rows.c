/* curve_axis_rows.c: axes of values on cells, whose labels stand in rows: the limits follow from round
 * ticks that are whole rows apart, and not the other way round. */
#include <math.h>

#include "plot/curve_axis.h"

/* An axis: ticks at multiples of a step, `pitch` rows apart, the lowest row of the plot `below` rows from one of them. On a
 * logarithmic axis all of it is of exponents. */
struct trial {
	double step, lo, hi;
	int pitch;
	double first; /* the lowest tick, in steps */
	size_t n;     /* ticks */
	double cost;
};

/* The costs of an axis are parts of it that might be left empty instead: two ticks do not tell that it is even, labels in
 * all rows are a column of numbers, and an end without a number is to be guessed. */
static const double few_cost = 0.3, dense_cost = 0.15, open_cost = 0.04;
static const double rounding = 1e-9;

/* Returns the lowest end of an axis with this step and pitch that holds the range: that of the ends which lie whole rows from
 * a tick, if possible a tick, and not below zero for values above it; NAN: the axis is too short. */
static double lower_end(struct curve_range y, double row, double span, int pitch)
{
	static const double unseen = 1 / 16.; /* part of a row: a quarter of the smallest dot */
	const double near = unseen * row;
	double best = NAN;
	int best_cost = 3;
	for (double at = floor(y.lo / row + unseen); at * row + span >= y.hi - near; at--) {
		const bool tick = fmod(at, pitch) == 0, below = at < 0 && y.lo >= -near;
		const bool above = at * row + span > near && y.hi <= near;
		const int cost = (below || above) * 2 + !tick;
		if (cost < best_cost) {
			best_cost = cost;
			best = at;
		}
	}
	return best;
}

static struct trial try_axis(struct curve_range y, int rows, double step, int pitch, size_t most)
{
	struct trial t = {.step = step, .pitch = pitch, .cost = INFINITY};
	const double row = step / pitch, span = row * (rows - 1);
	const double low = lower_end(y, row, span, pitch);
	if (!isfinite(low))
		return t;
	t.lo = low * row;
	t.hi = t.lo + span;
	t.first = ceil(low / pitch - rounding);
	const double last = floor((low + rows - 1) / pitch + rounding);
	if (last - t.first < 1 || last - t.first + 1 > (double)most)
		return t;
	t.n = (size_t)(last - t.first) + 1;
	const double values = fmax(y.hi - y.lo, rounding * fmax(fabs(y.lo), fabs(y.hi)));
	const bool open = fmod(low, pitch) != 0;
	t.cost = span / values - 1 + (t.n < 3) * few_cost + (pitch == 1 && rows > 3) * dense_cost +
		 open * open_cost;
	return t;
}

/* Two ticks at the ends, for few rows, between which no row of ticks leaves the curves enough room. */
static struct trial try_ends(struct curve_range y, int rows, double unit)
{
	const double low = floor(y.lo / unit + rounding), high = ceil(y.hi / unit - rounding);
	return (struct trial){.step = (high - low) * unit,
			      .lo = low * unit,
			      .hi = high * unit,
			      .pitch = rows - 1,
			      .first = low / (high - low),
			      .n = 2,
			      .cost = (high - low) * unit / (y.hi - y.lo) - 1 + few_cost};
}

static bool is_better(const struct trial *t, const struct trial *best)
{
	return t->cost < best->cost - rounding;
}

/* Tries all pitches with a step; `cost` speaks against it. */
static void try_step(struct trial *best, struct curve_range y, int rows, double step, size_t most,
		     double cost)
{
	for (int pitch = 1; pitch < rows; pitch++) {
		struct trial t = try_axis(y, rows, step, pitch, most);
		t.cost += cost;
		if (is_better(&t, best))
			*best = t;
	}
}

/* The last steps are less usual: where zero is in the middle, others may leave much of the rows empty. */
static struct trial fit_linear(struct curve_range y, int rows, size_t most)
{
	static const double steps[] = {5, 2, 1, 4, 3, 2.5, 8, 6}, unusual_cost = 0.15;
	enum {
		FINER = 2,
		COARSER = 2,
		ENDS_ROWS = 5,
		STEPS = sizeof steps / sizeof *steps,
		USUAL = 3
	};
	struct trial best = {.cost = INFINITY};
	const int e = (int)floor(log10(y.hi - y.lo));
	for (int exponent = e + COARSER; exponent >= e - FINER; exponent--)
		for (size_t i = 0; i < STEPS; i++) {
			const double step = curve_axis_tens(steps[i], exponent);
			try_step(&best, y, rows, step, most, (i >= USUAL) * unusual_cost);
			const struct trial ends = try_ends(y, rows, step);
			if (rows <= ENDS_ROWS && exponent >= e && i < USUAL &&
			    is_better(&ends, &best))
				best = ends;
		}
	return best;
}

static struct trial fit_log(struct curve_range y, int rows, size_t most)
{
	static const double steps[] = {1, 2, 3, 4, 5, 10, 20, 50, 100, 200, 300};
	static const double lowest = -307, highest = 308;
	struct trial best = {.cost = INFINITY};
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		for (int pitch = 1; pitch < rows; pitch++) {
			const struct trial t = try_axis(y, rows, steps[i], pitch, most);
			if (t.lo >= lowest && t.hi <= highest && is_better(&t, &best))
				best = t;
		}
	return best;
}

/* Returns a tick: a multiple of a step is as round as the step. */
static double tick_of(const struct trial *t, double steps)
{
	const int exponent = (int)floor(log10(t->step) + rounding);
	const double of = t->step / curve_axis_tens(1, exponent) * steps;
	const double whole = round(of * 100) / 100;
	return fabs(of) < rounding
		       ? 0
		       : curve_axis_tens(fabs(of - whole) < 1e-6 ? whole : of, exponent);
}

/* Puts zero between two ticks of a linear axis if it has a row of its own: curves around it are read by its line. */
static void add_zero(struct curve_axis *axis, int rows)
{
	const double lo = axis->scale.lo, hi = axis->scale.hi;
	if (axis->n != 2 || !(lo < 0 && hi > 0) || !(axis->at[0] < 0 && axis->at[1] > 0))
		return;
	const double row = -lo / (hi - lo) * (rows - 1);
	if (fabs(row - round(row)) > rounding)
		return;
	axis->at[2] = axis->at[1];
	axis->at[1] = 0;
	axis->n = 3;
}

void curve_axis_fit_rows(struct curve_axis *axis, struct arena *a, const struct curves *k,
			 struct curve_range y, int rows, size_t most)
{
	enum { LEAST_ROWS = 2 };
	const struct curve_range limits = curve_axis_limits(k, y);
	const bool log = k->spread == CURVES_LOG;
	most = most < 3 ? 3 : most > AXIS_TICKS ? AXIS_TICKS : most;
	curve_axis_fit(axis, a, k, y, most, true);
	if (rows < LEAST_ROWS || axis->scale.mode == SCALE_SYMLOG ||
	    !isfinite(limits.hi - limits.lo))
		return;
	const struct curve_range exponents = {log10(limits.lo), log10(limits.hi)};
	const struct trial t =
		log ? fit_log(exponents, rows, most) : fit_linear(limits, rows, most);
	if (!isfinite(t.cost))
		return;
	axis->n = t.n;
	axis->scale.lo = log ? pow(10, t.lo) : t.lo;
	axis->scale.hi = log ? pow(10, t.hi) : t.hi;
	for (size_t i = 0; i < t.n; i++) {
		const double steps = t.first + (double)i;
		axis->at[i] =
			log ? curve_axis_tens(1, (int)lround(steps * t.step)) : tick_of(&t, steps);
	}
	if (!log)
		add_zero(axis, rows);
	axis->labels = scale_tick_labels(a, axis->at, axis->n, axis->scale.lo < 0);
	for (size_t i = 0; log && i < t.n; i++)
		axis->labels[i] = curve_axis_decade(a, (int)lround((t.first + (double)i) * t.step));
}
