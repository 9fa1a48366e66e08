/* curves.c: the scale on which the values of curves are spread, and the limits of their x. */
#include <math.h>

#include "posviz/math/select.h"
#include "view_in.h"

/* A curve flattens the others if its range is more than this many times the median range. */
static const double flattening = 20;

struct span {
	double range, most; /* maximum minus minimum; the largest |value| */
};

static struct span span_of(const struct series *s)
{
	double lo = INFINITY, hi = -INFINITY;
	for (size_t i = 0; i < s->n; i++) {
		if (!isfinite(s->y[i]))
			continue;
		lo = fmin(lo, s->y[i]);
		hi = fmax(hi, s->y[i]);
	}
	return lo <= hi ? (struct span){hi - lo, fmax(fabs(lo), fabs(hi))} : (struct span){0, 0};
}

/* Returns the median, the smaller one of two; *largest is the maximum. */
static double middle(double *sizes, size_t n, double *largest)
{
	*largest = n > 0 ? select_at(sizes, n, n - 1) : 0;
	return n > 0 ? select_at(sizes, n, (n - 1) / 2) : 0;
}

/* Returns a power of ten about as large as the median curve: smaller values are spread linearly. */
static double linear_for(double most)
{
	static const double share = 0.3;
	return most > 0 ? pow(10, ceil(log10(most) - share)) : 1;
}

void view_curves(const struct view_data *d, struct arena *a, struct curves *k)
{
	double *const sizes = arena_calloc(a, 2 * k->n + 1, sizeof *sizes);
	double *const ranges = sizes + k->n, most, widest;
	for (size_t i = 0; i < k->n; i++) {
		const struct span span = span_of(&k->series[i]);
		sizes[i] = span.most;
		ranges[i] = span.range;
	}
	const double range = middle(ranges, k->n, &widest);
	k->linear = linear_for(middle(sizes, k->n, &most));
	const bool flattens = range > 0 && widest > flattening * range;
	switch ((enum curve_scale)d->scene->curve_scale) {
	case CURVE_SCALE_LINEAR:
	case CURVE_SCALE_COUNT:
		k->spread = CURVES_LINEAR;
		break;
	case CURVE_SCALE_SYMLOG:
		k->spread = CURVES_SYMLOG;
		break;
	case CURVE_SCALE_OWN:
		k->spread = CURVES_OWN;
		break;
	case CURVE_SCALE_AUTO:
		k->spread = flattens ? CURVES_SYMLOG : CURVES_LINEAR;
		break;
	}
	k->colormap = view_colormap(d, true);
}

const char *view_curve_ends(const struct curves *k, struct arena *a)
{
	double ends[] = {INFINITY, -INFINITY};
	for (size_t i = 0; i < k->n; i++) {
		for (size_t p = 0; p < k->series[i].n; p++) {
			if (!isfinite(k->series[i].y[p]))
				continue;
			ends[0] = fmin(ends[0], k->series[i].x[p]);
			ends[1] = fmax(ends[1], k->series[i].x[p]);
		}
	}
	if (!(ends[0] <= ends[1]))
		return "";
	const char **const labels = scale_tick_labels(a, ends, 2, ends[0] < 0);
	return arena_printf(a, "%s … %s", labels[0], labels[1]);
}
