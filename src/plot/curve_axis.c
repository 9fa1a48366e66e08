/* curve_axis.c: limits and round ticks of the axes of curves. */
#include "plot/curve_axis.h"

#include <math.h>
#include <stdlib.h>

#include "posviz/base/num.h"

static void widen(struct curve_range *r, double value)
{
	if (!isfinite(value))
		return;
	r->lo = fmin(r->lo, value);
	r->hi = fmax(r->hi, value);
}

static void widen_by(const struct series *s, bool bands, struct curve_range *x,
		     struct curve_range *y)
{
	for (size_t k = 0; k < s->n; k++) {
		if (!isfinite(s->y[k]) || !isfinite(s->x[k]))
			continue;
		widen(x, s->x[k]);
		widen(y, s->y[k]);
		if (bands && s->lo && s->hi) {
			widen(y, s->lo[k]);
			widen(y, s->hi[k]);
		}
	}
}

bool curve_ranges(const struct series *series, size_t n, bool bands, struct curve_range *x,
		  struct curve_range *y)
{
	*x = *y = (struct curve_range){INFINITY, -INFINITY};
	for (size_t i = 0; i < n; i++) {
		widen_by(&series[i], bands, x, y);
		if (series[i].before)
			widen_by(series[i].before, false, x, y);
	}
	const bool any = x->lo <= x->hi;
	if (!(x->lo < x->hi)) { /* a single x is in the middle */
		x->lo -= 1;
		x->hi += 1;
	}
	return any;
}

void curve_reach(const struct curves *k, struct curve_range *x)
{
	if (k->x_to > 0)
		x->hi = fmax(x->hi, k->x_to);
	if (k->apart) { /* half a category beside the first and the last */
		x->lo -= 0.5;
		x->hi += 0.5;
	}
}

/* The limits of a single x may go down to zero, so the axis is then linear. */
static bool by_doublings(const struct curves *k, struct curve_range x)
{
	return k->log_x && x.lo > 0;
}

double curve_x_at(const struct curves *k, struct curve_range x, double at)
{
	if (by_doublings(k, x))
		return log2(at / x.lo) / log2(x.hi / x.lo);
	return (at - x.lo) / (x.hi - x.lo);
}

double curve_x_of(const struct curves *k, struct curve_range x, double at)
{
	if (by_doublings(k, x))
		return x.lo * exp2(at * log2(x.hi / x.lo));
	return x.lo + at * (x.hi - x.lo);
}

/* Ticks are powers of two, down from the last, each of them or every k-th. */
static size_t ticks_doubled(struct curve_range x, size_t most, double *at)
{
	static const double rounding = 1e-9;
	const double first = ceil(log2(x.lo) - rounding), last = floor(log2(x.hi) + rounding);
	if (!(first < last))
		return scale_ticks_integer(x.lo, x.hi, most, at);
	const double step = fmax(1, ceil((last - first) / (double)(most > 1 ? most - 1 : 1)));
	const size_t n = (size_t)((last - first) / step + rounding) + 1;
	for (size_t i = 0; i < n; i++)
		at[i] = exp2(last - (double)(n - 1 - i) * step);
	return n;
}

/* Ticks are the named points, each of them or every k-th, with the last among them. */
static size_t ticks_of_places(const struct curves *k, size_t most, double *at)
{
	const size_t parts = most > 2 ? most - 1 : 1, n = k->n_places;
	const size_t step = n > 1 ? (n - 2) / parts + 1 : 1, first = (n - 1) % step;
	size_t found = 0;
	for (size_t i = first; i < n; i += step)
		at[found++] = k->places[i].x;
	return found;
}

/* Finds the smallest step of which at most `most` ticks lead from end to end of an axis of integers, as its multiples or
 * from 1 on; returns their number, 0: there are fewer than three. */
static size_t ticks_from_end_to_end(struct curve_range x, size_t most, double *at)
{
	static const int steps[] = {1, 2, 3, 4, 5, 6, 8, 10};
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		const double parts = (x.hi - x.lo) / steps[i];
		if (parts < 2 || parts + 1 > (double)most)
			continue;
		if (parts != floor(parts) || (x.lo != 1 && fmod(x.lo, steps[i]) != 0))
			continue;
		for (size_t k = 0; k <= (size_t)parts; k++)
			at[k] = x.lo + (double)k * steps[i];
		return (size_t)parts + 1;
	}
	return 0;
}

/* Ticks of integers are round, or as many less one from end to end; two are the ends. */
static size_t ticks_of_integers(struct curve_range x, size_t most, double *at)
{
	const size_t n = scale_ticks_integer(x.lo, x.hi, most, at);
	const bool whole = x.lo == floor(x.lo) && x.hi == floor(x.hi);
	if (!whole || n == 0 || (at[0] == x.lo && at[n - 1] == x.hi && n > 2))
		return n;
	double ends[AXIS_TICKS];
	const size_t found = most <= AXIS_TICKS ? ticks_from_end_to_end(x, most, ends) : 0;
	if (found == 0 && n == 2) {
		at[0] = x.lo;
		at[1] = x.hi;
	}
	if (found == 0 || found + 1 < n)
		return n;
	for (size_t i = 0; i < found; i++)
		at[i] = ends[i];
	return found;
}

size_t curve_x_ticks(const struct curves *k, struct curve_range x, size_t most, double *at)
{
	if (k->n_places > 0)
		return ticks_of_places(k, most, at);
	if (by_doublings(k, x))
		return ticks_doubled(x, most, at);
	return k->integer_x ? ticks_of_integers(x, most, at) : scale_ticks(x.lo, x.hi, most, at);
}

const char *curve_place(const struct curves *k, double x)
{
	for (size_t i = 0; i < k->n_places; i++)
		if (fabs(k->places[i].x - x) < 1e-9)
			return k->places[i].name;
	return NULL;
}

const char **curve_x_labels(struct arena *a, const struct curves *k, const double *at, size_t n,
			    bool plus)
{
	const char **const out = scale_tick_labels(a, at, n, plus);
	for (size_t i = 0; i < n; i++) {
		const char *const name = curve_place(k, at[i]);
		out[i] = name ? name : out[i];
	}
	return out;
}

/* ---- values beside points ------------------------------------------------------------------------ */

static bool has_decimals(double y, int decimals)
{
	const double parts = fabs(y) * pow(10, decimals);
	return fabs(parts - round(parts)) < 1e-9 * fmax(1, parts);
}

/* Returns the decimals with which the points were printed. */
static int decimals_of_points(const struct curves *k)
{
	enum { MOST = 3 };
	int decimals = 0;
	for (size_t i = 0; i < k->n; i++)
		for (size_t j = 0; j < k->series[i].n; j++)
			while (decimals < MOST && isfinite(k->series[i].y[j]) &&
			       !has_decimals(k->series[i].y[j], decimals))
				decimals++;
	return decimals;
}

/* Returns two decimals, more if the smallest value would be shown as zero, none if all values are
 * whole. */
static int decimals_of_pointed(const struct curves *k)
{
	enum { USUAL = 2, MOST = 4 };
	double y, least = INFINITY;
	bool whole = true;
	for (size_t i = 0; i < k->n; i++)
		for (size_t j = 0; j < k->n_pointed; j++) {
			if (!curves_height(&k->series[i], k->pointed[j], &y))
				continue;
			whole = whole && has_decimals(y, 0);
			least = y == 0 ? least : fmin(least, fabs(y));
		}
	int decimals = USUAL;
	while (decimals < MOST && isfinite(least) && least * pow(10, decimals) < 0.5)
		decimals++;
	return whole ? 0 : decimals;
}

const char *curve_value(struct arena *a, const struct curves *k, double y)
{
	enum { EXACT = 4 };
	const bool measured = k->n_places > 0;
	enum { DIGITS = 3 };
	char text[32];
	if (k->apart && !measured)
		return arena_strdup(a, num_show(text, sizeof text, y, DIGITS));
	int decimals = measured ? decimals_of_points(k) : decimals_of_pointed(k);
	for (double size = fabs(y); !measured && decimals > 0 && size >= 10; size /= 10)
		decimals--;
	for (int exact = 0; !measured && exact <= EXACT; exact++)
		if (has_decimals(y, exact)) {
			decimals = exact;
			break;
		}
	return heatmap_number(a, y, decimals, false);
}

static struct curve_range with_levels(const struct curves *k, struct curve_range y)
{
	for (size_t i = 0; i < k->n_levels; i++)
		widen(&y, k->levels[i].y);
	return y;
}

static double most_of(const struct series *s)
{
	double most = 0;
	for (size_t i = 0; i < s->n; i++)
		most = isfinite(s->y[i]) ? fmax(most, fabs(s->y[i])) : most;
	return most;
}

static struct curve_range with_unit(const struct curves *k, struct curve_range y)
{
	return k->unit ? (struct curve_range){fmin(y.lo, 0), fmax(y.hi, 1)} : y;
}

struct scale curve_row_scale(const struct curves *k, struct curve_range values)
{
	const struct curve_range y = with_unit(k, values);
	const bool own = k->spread == CURVES_OWN;
	struct scale scale = own ? scale_fit(-1, 1, SCALE_LINEAR, true, false)
				 : scale_fit(y.lo, y.hi, SCALE_LINEAR, true, false);
	if (k->spread == CURVES_SYMLOG) {
		scale.mode = SCALE_SYMLOG;
		scale.linear = k->linear;
	}
	if (k->spread == CURVES_LOG && y.lo > 0) {
		scale.mode = SCALE_SYMLOG;
		scale.linear = y.lo;
	}
	scale.half = y.lo >= 0 && y.hi > 0 ? 1 : y.hi <= 0 && y.lo < 0 ? -1 : 0;
	return scale;
}

double curve_row_unit(const struct curves *k, const struct series *s)
{
	const double most = k->spread == CURVES_OWN ? most_of(s) : 1;
	return most > 0 ? most : 1;
}

const char *curve_row_name(struct arena *a, const struct curves *k, const struct series *s,
			   const char *name, bool ascii)
{
	char most[32];
	if (k->spread != CURVES_OWN)
		return name;
	return arena_printf(a, "%s %s%s", name, ascii ? "+-" : "±",
			    num_show(most, sizeof most, most_of(s), 2));
}

/* Adds room around a single value, or around values that are equal up to rounding. */
static struct curve_range opened(struct curve_range r)
{
	static const double least = 1e-290;
	const double most = fmax(fabs(r.lo), fabs(r.hi)), room = most < least ? 1 : most / 2;
	if (r.hi - r.lo > fmax(1e-12 * most, least))
		return r;
	return (struct curve_range){r.lo - room, r.hi + room};
}

double curve_axis_tens(double of, int exponent)
{
	return exponent < 0 ? of / pow(10, -exponent) : of * pow(10, exponent);
}

/* Uses the finest step of 1, 2 or 5 times a power of ten of which at most `most` multiples enclose
 * the range. Ticks go from the last multiple below the range to the first above it. */
static void enclose(struct curve_axis *axis, struct curve_range y, size_t most)
{
	static const double steps[] = {1, 2, 5};
	for (int e = (int)floor(log10((y.hi - y.lo) / (double)most)) * 3;; e++) {
		const int exponent = (int)floor(e / 3.0);
		const double step = steps[e - 3 * exponent];
		/* A multiple up to rounding counts as one. */
		const double first = floor(y.lo / curve_axis_tens(step, exponent) + 1e-9);
		const double last = ceil(y.hi / curve_axis_tens(step, exponent) - 1e-9);
		if (last - first + 1 > (double)most)
			continue;
		for (double i = first; i <= last; i++)
			axis->at[axis->n++] = i == 0 ? 0 : curve_axis_tens(i * step, exponent);
		return;
	}
}

/* If an end is farther beyond the data than this part of a step, the axis ends a little (`air`)
 * behind the data instead. */
static const double most_empty = 0.4, air = 0.04;

/* Encloses the range by at most so many ticks, and leaves out those at its ends with too much empty
 * room before them, as long as two remain. Tells if no such room is left. */
static bool fit_trimmed(struct curve_axis *axis, struct curve_range y, size_t most)
{
	axis->n = 0;
	enclose(axis, y, most);
	const double step = axis->at[1] - axis->at[0], room = air * (y.hi - y.lo);
	axis->scale.lo = axis->at[0];
	axis->scale.hi = axis->at[axis->n - 1];
	if (axis->n > 2 && axis->scale.hi - y.hi > most_empty * step) {
		axis->n--;
		axis->scale.hi = y.hi + room;
	}
	if (axis->n > 2 && y.lo - axis->scale.lo > most_empty * step) {
		axis->n--;
		for (size_t i = 0; i < axis->n; i++)
			axis->at[i] = axis->at[i + 1];
		axis->scale.lo = y.lo - room;
	}
	return y.lo - axis->scale.lo <= most_empty * step &&
	       axis->scale.hi - y.hi <= most_empty * step;
}

/* Fits a linear axis. A few coarse ticks may leave much of the axis empty; then finer ticks, without
 * those at the ends, give the curves more of it. */
static void fit_linear(struct curve_axis *axis, struct curve_range y, size_t most)
{
	for (size_t more = most; more <= most + 2 && more <= AXIS_TICKS; more++)
		if (fit_trimmed(axis, y, more) && axis->n <= most)
			return;
	fit_trimmed(axis, y, most);
}

/* Ticks are zero and powers of ten, as many as `most` allows. scale_bar_ticks counts both sides of
 * zero, so it is asked for more. */
static void fit_symlog(struct curve_axis *axis, size_t most)
{
	double at[2 * AXIS_TICKS] = {0};
	axis->scale.mode = SCALE_SYMLOG;
	axis->n = most + 1;
	for (size_t asked = 2 * AXIS_TICKS; asked >= 3 && axis->n > most; asked--)
		axis->n = scale_bar_ticks(&axis->scale, asked, at);
	for (size_t i = 0; i < axis->n; i++)
		axis->at[i] = at[i];
}

const char *curve_axis_decade(struct arena *a, int exponent)
{
	enum { PLAIN = 4 };
	if (exponent < -PLAIN || exponent > PLAIN)
		return arena_printf(a, "1e%s%d", exponent < 0 ? "−" : "", abs(exponent));
	return arena_printf(a, "%.*f", exponent < 0 ? -exponent : 0, curve_axis_tens(1, exponent));
}

/* The axis has whole decades, with a tick at each of them or at every k-th; a single decade is
 * widened to two. */
static void fit_log(struct curve_axis *axis, struct curve_range y, size_t most, struct arena *a)
{
	static const double rounding = 1e-9;
	double first = floor(log10(y.lo) + rounding), last = ceil(log10(y.hi) - rounding);
	if (last <= first)
		last = first + 1;
	const double step = ceil((last - first) / (double)(most - 1));
	axis->log = true;
	for (double e = last; e >= first - rounding && axis->n < most; e -= step)
		axis->n++;
	for (size_t i = 0; i < axis->n; i++)
		axis->at[axis->n - 1 - i] = curve_axis_tens(1, (int)(last - (double)i * step));
	const double first_of = last - (double)(axis->n - 1) * step;
	axis->scale.lo = curve_axis_tens(1, (int)first);
	axis->scale.hi = curve_axis_tens(1, (int)last);
	axis->labels = arena_calloc(a, axis->n, sizeof *axis->labels);
	for (size_t i = 0; i < axis->n; i++)
		axis->labels[i] = curve_axis_decade(a, (int)(first_of + (double)i * step));
}

struct curve_range curve_axis_limits(const struct curves *k, struct curve_range y)
{
	static const double least = 1e-300;
	y = with_levels(k, y);
	if (k->spread != CURVES_LOG)
		return opened(with_unit(k, y));
	y.hi = fmax(y.hi, least);
	return (struct curve_range){fmin(fmax(y.lo, least), y.hi), y.hi};
}

void curve_axis_fit(struct curve_axis *axis, struct arena *a, const struct curves *k,
		    struct curve_range y, size_t most, bool plus)
{
	y = curve_axis_limits(k, y);
	most = most < 3 ? 3 : most > AXIS_TICKS ? AXIS_TICKS : most;
	if (k->spread == CURVES_LOG) {
		*axis = (struct curve_axis){0};
		fit_log(axis, y, most, a);
		return;
	}
	*axis = (struct curve_axis){.scale = {.lo = y.lo, .hi = y.hi, .linear = k->linear}};
	if (k->spread == CURVES_SYMLOG && fmax(-y.lo, y.hi) > k->linear)
		fit_symlog(axis, most);
	else if (isfinite(y.hi - y.lo))
		fit_linear(axis, y, most);
	else
		axis->n = scale_ticks(y.lo, y.hi, most, axis->at);
	axis->labels = scale_tick_labels(a, axis->at, axis->n, plus && axis->scale.lo < 0);
}

double curve_axis_at(const struct curve_axis *axis, double y)
{
	if (!axis->log)
		return scale_at(&axis->scale, y, NULL);
	const double lo = log10(axis->scale.lo), hi = log10(axis->scale.hi);
	return fmin(1, fmax(0, (log10(fmax(y, axis->scale.lo)) - lo) / (hi - lo)));
}
