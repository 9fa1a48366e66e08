/* canvas_digits.c: numbers in the cells of a heatmap: with how many decimals, and where.
 *
 * All of one panel have the same decimals, which follow from the limits of its scale; panels that share
 * a scale look alike. They stand in the cells where all have room with air around them, else in none:
 * what has to be made out is no help. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot/canvas_map.h"

/* Below it a number is what is left of 0. */
static const double rounding = 1e-12;

struct digits canvas_digits(const struct heatmap *h)
{
	double lo, hi;
	scale_part_limits(&h->scale, &lo, &hi);
	const double most = fmax(fabs(lo), fabs(hi));
	const int decimals = most < 0.0995 ? 3 : most < 9.995 ? 2 : most < 99.95 ? 1 : 0;
	char whole[400];
	snprintf(whole, sizeof whole, "%.*f", decimals, most);
	const int zero = most < 1 && decimals > 0; /* ".31" */
	return (struct digits){decimals, (lo < 0) + (int)strlen(whole) - zero,
			       most >= 0.005 || most <= rounding};
}

int canvas_digit_cols(const struct canvas *c, const struct heatmap *h)
{
	enum { LEAST = 6 };
	const struct digits d = canvas_digits(h);
	return c->presenter || d.cols + 2 > LEAST ? d.cols + (c->presenter ? 1 : 2) : LEAST;
}

bool canvas_has_digits(const struct canvas *c, const struct heatmap *h,
		       const struct heatmap_view *v)
{
	const int rows2 = canvas_shaded(c) ? 4 : 2; /* a shade keeps a row for itself */
	return h->integers || (v->block == 1 && canvas_digits(h).telling &&
			       v->cell_rows2 >= rows2 && v->cell_cols >= canvas_digit_cols(c, h));
}
