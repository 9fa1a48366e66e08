/* canvas_digits.c: numbers in the cells of a heatmap: how many decimals they have, and whether they
 * are shown.
 *
 * All numbers of a panel have the same decimals, which follow from the limits of its scale; panels
 * that share a scale look alike. Numbers are shown only if all of them have room with blanks
 * around, because crowded ones are hard to read. For a presenter they may have one decimal less
 * rather than be left out. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot/canvas_map.h"

/* Returns the columns of the widest value with `decimals` decimals, written ".31" instead of
 * "0.31". */
static int widest(double lo, double most, int decimals)
{
	char whole[400];
	snprintf(whole, sizeof whole, "%.*f", decimals, most);
	return (lo < 0) + (int)strlen(whole) - (decimals > 0 && whole[0] == '0');
}

struct digits canvas_digits(const struct heatmap *h, int room)
{
	double lo, hi;
	scale_part_limits(&h->scale, &lo, &hi);
	const double most = fmax(fabs(lo), fabs(hi));
	const int all = most < 0.0995 ? 3 : most < 9.995 ? 2 : most < 99.95 ? 1 : 0;
	const int less = all > 0 && widest(lo, most, all) > room;
	return (struct digits){all - less, widest(lo, most, all - less),
			       most >= 0.005 || !(most > 0)};
}

/* Returns the blank columns around a number. */
static int air(const struct canvas *c)
{
	return c->presenter ? 1 : 2;
}

int canvas_digit_cols(const struct canvas *c, const struct heatmap *h, bool less)
{
	enum { LEAST = 6 };
	const int cols = canvas_digits(h, less ? 0 : INT_MAX).cols + air(c);
	return c->presenter || cols > LEAST ? cols : LEAST;
}

int canvas_decimals(const struct canvas *c, const struct heatmap *h, int cell_cols)
{
	return canvas_digits(h, cell_cols - air(c)).decimals;
}

bool canvas_has_digits(const struct canvas *c, const struct heatmap *h,
		       const struct heatmap_view *v)
{
	const int rows2 = canvas_shaded(c) ? 4 : 2; /* the shade needs a row of its own */
	return h->integers ||
	       (!h->no_digits && v->block == 1 && canvas_digits(h, INT_MAX).telling &&
		v->cell_rows2 >= rows2 && v->cell_cols >= canvas_digit_cols(c, h, c->presenter));
}
