/* curve_axis.h: the axis of values beside curves, the same for cells and pages: its limits, its
 * ticks, and the position of a value between them. */
#ifndef POSVIZ_CURVE_AXIS_H
#define POSVIZ_CURVE_AXIS_H

#include "posviz/plot/figure.h"

struct curve_range {
	double lo, hi;
};

enum { AXIS_TICKS = 8 };
struct curve_axis {
	struct scale scale; /* linear or symlog, from the lower end to the upper one */
	bool log;	    /* logarithmic instead; both ends are above zero */
	double at[AXIS_TICKS];
	size_t n;
	const char **labels; /* [n], with the same number of decimals */
};

/* Computes the limits of the finite points of n series, with `bands` also those of their bands;
 * false: there are no points. */
bool curve_ranges(const struct series *series, size_t n, bool bands, struct curve_range *x,
		  struct curve_range *y);

/* Widens the limits of x to those that the curves ask for, and around categories. */
void curve_reach(const struct curves *k, struct curve_range *x);
/* Returns the position, 0 to 1, of x between these limits; and the x of a position. */
double curve_x_at(const struct curves *k, struct curve_range x, double at);
double curve_x_of(const struct curves *k, struct curve_range x, double at);
/* Stores at most `most` round ticks of the x axis, and returns their number. */
size_t curve_x_ticks(const struct curves *k, struct curve_range x, size_t most, double *at);
/* Returns the name of the point at x; NULL: it has none. */
const char *curve_place(const struct curves *k, double x);
/* Returns the labels of ticks: the names of points, or numbers. */
const char **curve_x_labels(struct arena *a, const struct curves *k, const double *at, size_t n,
			    bool plus);
/* Returns a value that is printed beside a point. Values of named points have the decimals with
 * which they were measured. Others are exact if that is short, else they have two decimals, or as
 * many as they need not to be shown as zero. */
const char *curve_value(struct arena *a, const struct curves *k, double y);

/* Rows of colours: their scale, and the divisor of a row's values before it. Rows with their own
 * limits show fractions of their largest |value|, which their names contain: "head 1 ±3.2". */
struct scale curve_row_scale(const struct curves *k, struct curve_range y);
double curve_row_unit(const struct curves *k, const struct series *s);
const char *curve_row_name(struct arena *a, const struct curves *k, const struct series *s,
			   const char *name, bool ascii);

/* Fits the axis to these limits and to the levels of the curves, with 2 to `most` round ticks. Its
 * ends are ticks unless that would leave much of it empty. `plus`: positive numbers have a sign if
 * there are negative ones. */
void curve_axis_fit(struct curve_axis *axis, struct arena *a, const struct curves *k,
		    struct curve_range y, size_t most, bool plus);

/* Fits the axis of a plot on cells, so that its ticks stand in the middles of rows, equally many rows apart; of the limits
 * between which this is so, those that leave the curves the most of `rows` rows, and at most `most` ticks (where there
 * are three rows or more). An axis that is linear about zero and logarithmic beyond is fitted as above. */
void curve_axis_fit_rows(struct curve_axis *axis, struct arena *a, const struct curves *k,
			 struct curve_range y, int rows, size_t most);

/* Returns the limits of values and levels; a single value has room around it. */
struct curve_range curve_axis_limits(const struct curves *k, struct curve_range y);
/* Returns of·10^exponent, without the rounding error of a negative power. */
double curve_axis_tens(double of, int exponent);
/* Returns "0.01", "1", "1000", "1e−10". */
const char *curve_axis_decade(struct arena *a, int exponent);

/* Returns the position of a finite value: 0 at the lower end, 1 at the upper one. */
double curve_axis_at(const struct curve_axis *axis, double y);

#endif
