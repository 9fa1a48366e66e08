/* scale.c: limits, the position of a value between them, and round ticks.
 *
 * Each mode is one monotone function f, and the position of x is (f(x) - f(lo)) / (f(hi) -
 * f(lo)). */
#include "posviz/plot/scale.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/base/err.h"
#include "posviz/math/select.h"

const char *const scale_mode_names[SCALE_MODES] = {
	[SCALE_LINEAR] = "linear",
	[SCALE_SQRT] = "sqrt",
	[SCALE_SYMLOG] = "symlog",
};

static const double usual_linear = 1e-3; /* relative to the larger limit */
static const double no_value = 1e-9;	 /* relative to the largest: smaller sizes count as zero */
static const double rounding =
	1e-12; /* relative to the larger limit: smaller values count as zero */

static const char *scale_side(const struct scale *s)
{
	return s->diverging ? "beyond" : "above";
}

const char *scale_above(const struct scale *s, struct arena *a)
{
	const double part = 100 * s->above;
	return !(s->above > 0) ? ""
	       : part < 0.5    ? arena_printf(a, ", <1 %% %s", scale_side(s))
			       : arena_printf(a, ", %.0f %% %s", part, scale_side(s));
}

struct scale scale_fit(double lo, double hi, enum scale_mode mode, bool diverging, bool unit)
{
	if (unit)
		return (struct scale){.lo = 0, .hi = 1, .mode = mode};
	if (!isfinite(lo) || !isfinite(hi) || lo > hi)
		lo = hi = 0;
	if (diverging) {
		const double most = fmax(fabs(lo), fabs(hi));
		return (struct scale){.lo = -most, .hi = most, .mode = mode, .diverging = true};
	}
	return (struct scale){.lo = fmin(lo, 0) == 0 ? 0 : lo, .hi = fmax(hi, 0), .mode = mode};
}

void scale_limits(const struct scale *s, double *lo, double *hi)
{
	*lo = s->lo;
	*hi = s->hi;
	if (s->lo < s->hi)
		return;
	if (s->lo == 0 && !s->diverging) {
		*hi = 1;
		return;
	}
	const double room = s->lo == 0 ? 1 : fabs(s->lo) / 2;
	*lo -= room;
	*hi += room;
}

static double most_of(const struct scale *s)
{
	double lo, hi;
	scale_limits(s, &lo, &hi);
	return fmax(fabs(lo), fabs(hi));
}

/* Returns the limit of the linear range of SCALE_SYMLOG. */
static double linear_of(const struct scale *s)
{
	return s->linear > 0 ? s->linear : usual_linear * most_of(s);
}

static double warp(enum scale_mode mode, double x, double linear)
{
	if (mode == SCALE_LINEAR || x == 0)
		return x;
	if (mode == SCALE_SQRT)
		return copysign(sqrt(fabs(x)), x);
	const double size = fabs(x) / linear;
	return copysign(size <= 1 ? size : 1 + log10(size), x);
}

void scale_part(const struct scale *s, double *from, double *to)
{
	*from = s->diverging && s->half > 0 ? 0.5 : 0;
	*to = s->diverging && s->half < 0 ? 0.5 : 1;
}

void scale_part_limits(const struct scale *s, double *lo, double *hi)
{
	scale_limits(s, lo, hi);
	if (s->diverging && s->half > 0)
		*lo = 0;
	if (s->diverging && s->half < 0)
		*hi = 0;
}

struct scale_sizes scale_sizes(double *sizes, size_t n)
{
	double most = 0, least = INFINITY;
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(sizes[i]));
	for (size_t i = 0; i < n; i++) {
		const double size = fabs(sizes[i]);
		if (size <= no_value * most)
			continue;
		sizes[kept++] = size;
		least = fmin(least, size);
	}
	if (kept == 0)
		return (struct scale_sizes){0};
	const double median = select_at(sizes, kept, kept / 2);
	return (struct scale_sizes){most, least, median, select_at(sizes, kept, kept / 4)};
}

enum scale_mode scale_mode_for(const struct scale_sizes *sizes)
{
	if (sizes->median < 0.001 * sizes->most && sizes->most >= 1000 * sizes->least)
		return SCALE_SYMLOG;
	return sizes->median < 0.15 * sizes->most ? SCALE_SQRT : SCALE_LINEAR;
}

double scale_at(const struct scale *s, double value, bool *clipped)
{
	BUG_IF(!isfinite(value));
	double lo, hi;
	scale_limits(s, &lo, &hi);
	if (clipped != NULL)
		*clipped = value < lo || value > hi;
	if (value <= lo)
		return 0;
	if (value >= hi)
		return 1;
	if (s->diverging && fabs(value) < rounding * most_of(s))
		value = 0; /* else the sign of a rounding error would choose between the two colours next to the middle */
	/* Halves are used, because hi - lo may overflow. */
	const double linear = linear_of(s);
	const double from = warp(s->mode, lo, linear) / 2, to = warp(s->mode, hi, linear) / 2;
	return (warp(s->mode, value, linear) / 2 - from) / (to - from);
}

/* Returns mantissa * 10^exponent, without the rounding error of a negative power. */
static double decimal(double mantissa, int exponent)
{
	return exponent < 0 ? mantissa / pow(10, -exponent) : mantissa * pow(10, exponent);
}

/* Stores the multiples of mantissa * 10^exponent in [lo, hi] if they are at most `most`, and
 * returns their number in any case. The slack accepts a limit that is a tick up to rounding. */
static double fill_ticks(double lo, double hi, double mantissa, int exponent, size_t most,
			 double *at)
{
	const double step = decimal(mantissa, exponent);
	const double first = ceil(lo / step - 1e-9), last = floor(hi / step + 1e-9);
	const double count = last - first + 1;
	if (count > (double)most)
		return count;
	for (size_t i = 0; (double)i < count; i++) {
		const double k = first + (double)i;
		at[i] = k == 0 ? 0 : fmin(fmax(decimal(k * mantissa, exponent), lo), hi);
	}
	return count < 0 ? 0 : count;
}

static size_t ticks_of(double lo, double hi, size_t most, double *at, const double *mantissas,
		       size_t n, int least)
{
	const int start = (int)floor(log10((hi - lo) / (double)most)) - 1;
	for (int e = start < least ? least : start; e <= DBL_MAX_10_EXP; e++) {
		for (size_t i = 0; i < n; i++) {
			const double count = fill_ticks(lo, hi, mantissas[i], e, most, at);
			if (count <= (double)most)
				return (size_t)count;
		}
	}
	return 0;
}

size_t scale_ticks(double lo, double hi, size_t most, double *at)
{
	static const double round[] = {1, 2, 5}, rougher[] = {1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9};
	BUG_IF(most < 2 || !isfinite(lo) || !isfinite(hi) || lo > hi);
	at[0] = lo;
	if (!(hi - lo > 4 * DBL_EPSILON * fmax(fabs(lo), fabs(hi))))
		return 1;
	if (isinf(hi - lo)) {
		at[0] = 0;
		at[1] = hi;
		return 2;
	}
	size_t n = ticks_of(lo, hi, most, at, round, 3, -DBL_MAX_10_EXP);
	if (n < 2)
		n = ticks_of(lo, hi, most, at, rougher, 11, -DBL_MAX_10_EXP);
	if (n >= 2)
		return n;
	at[0] = lo;
	at[1] = hi;
	return 2;
}

size_t scale_ticks_integer(double lo, double hi, size_t most, double *at)
{
	static const double round[] = {1, 2, 5};
	BUG_IF(most < 2 || !isfinite(lo) || !isfinite(hi) || lo > hi);
	const double first = ceil(lo), last = floor(hi);
	if (first > last)
		return 0;
	if (first < last) {
		const size_t n = ticks_of(first, last, most, at, round, 3, 0);
		if (n >= 2)
			return n;
	}
	at[0] = first;
	at[1] = last;
	return first < last ? 2 : 1;
}

/* Ticks are powers of ten from the limit down to the end of the linear range, zero, and their
 * negatives. */
static size_t power_ticks(double lo, double hi, double linear, size_t most, double *at)
{
	const int top = (int)floor(log10(fmax(fabs(lo), fabs(hi))) + 1e-9);
	const int least = (int)fmax(ceil(log10(linear) - 1e-9), top - 300);
	const int sides = (lo < 0) + (hi > 0);
	int skip = 1;
	while ((size_t)(sides * ((top - least) / skip + 1)) + 1 > most)
		skip++;
	size_t n = 0;
	for (int e = top; lo < 0 && e >= least; e -= skip)
		if (-decimal(1, e) >= lo && -decimal(1, e) <= hi)
			at[n++] = -decimal(1, e);
	if (lo <= 0 && hi >= 0)
		at[n++] = 0;
	for (int e = top - (top - least) / skip * skip; hi > 0 && e <= top; e += skip)
		if (decimal(1, e) >= lo && decimal(1, e) <= hi)
			at[n++] = decimal(1, e);
	return n;
}

size_t scale_bar_ticks(const struct scale *s, size_t most, double *at)
{
	double lo, hi;
	scale_part_limits(s, &lo, &hi);
	return s->mode == SCALE_SYMLOG ? power_ticks(lo, hi, linear_of(s), most, at)
				       : scale_ticks(lo, hi, most, at);
}

/* Returns the decimals that show `value` to within a millionth of `step`. */
static int decimals_of(double value, double step)
{
	for (int d = 0; d < 12; d++) {
		const double scaled = decimal(value, d);
		if (fabs(scaled - round(scaled)) <= 1e-6 * decimal(step, d) + 1e-12)
			return d;
	}
	return 12;
}

/* Returns printf's number with a true minus sign in front and in the exponent, and without zeros
 * before the exponent. */
static const char *typeset(struct arena *a, const char *number, bool plus)
{
	char out[64];
	size_t n = 0;
	if (plus && number[0] != '-')
		out[n++] = '+';
	for (const char *c = number; *c != '\0' && n + 4 < sizeof out; c++) {
		if (*c == '-') {
			memcpy(out + n, "\u2212", 3);
			n += 3;
		} else if (*c != '+') {
			out[n++] = *c;
		}
		if (*c == 'e') {
			const long exponent = strtol(c + 1, NULL, 10);
			n += (size_t)snprintf(out + n, sizeof out - n, "%s%ld",
					      exponent < 0 ? "\u2212" : "", labs(exponent));
			break;
		}
	}
	return arena_strndup(a, out, n);
}

const char **scale_tick_labels(struct arena *a, const double *at, size_t n, bool with_plus)
{
	const char **out = arena_calloc(a, n + 1, sizeof *out);
	double most = 0, step = INFINITY;
	for (size_t i = 0; i < n; i++) {
		most = fmax(most, fabs(at[i]));
		if (i > 0)
			step = fmin(step, fabs(at[i] - at[i - 1]));
	}
	if (!isfinite(step) || step == 0)
		step = most;
	int decimals = 0;
	for (size_t i = 0; i < n; i++) {
		const int d = decimals_of(at[i], step);
		decimals = d > decimals ? d : decimals;
	}
	const bool exponent = most >= 1e6 || decimals > 4;
	for (size_t i = 0; i < n; i++) {
		char number[64];
		if (at[i] == 0)
			snprintf(number, sizeof number, "0");
		else if (exponent)
			snprintf(number, sizeof number, "%.*e",
				 decimals_of(at[i] / pow(10, floor(log10(fabs(at[i])))), 1), at[i]);
		else
			snprintf(number, sizeof number, "%.*f", decimals, at[i]);
		out[i] = typeset(a, number, with_plus && at[i] > 0);
	}
	return out;
}
