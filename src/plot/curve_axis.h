/* curve_axis.h: the axis of values beside curves, the same for cells and pages: its limits, its ticks,
 * and how values are spread between them. */
#ifndef POSVIZ_CURVE_AXIS_H
#define POSVIZ_CURVE_AXIS_H

#include "posviz/plot/figure.h"

struct curve_range {
	double lo, hi;
};

enum { AXIS_TICKS = 8 };
struct curve_axis {
	struct scale scale; /* linear or symlog, from the lower end to the upper one */
	bool log;	    /* by decades instead; both ends are above zero */
	double at[AXIS_TICKS];
	size_t n;
	const char **labels; /* [n], with the same number of decimals */
};

/* Limits of the finite points of n series, their bands with them where `bands`; false: there is none. */
bool curve_ranges(const struct series *series, size_t n, bool bands, struct curve_range *x,
		  struct curve_range *y);

/* Widens those of x to what the curves ask for. */
void curve_reach(const struct curves *k, struct curve_range *x);
/* Where x is between the ends of these limits: 0 to 1; and what is there. */
double curve_x_at(const struct curves *k, struct curve_range x, double at);
double curve_x_of(const struct curves *k, struct curve_range x, double at);
/* At most so many round ticks below curves, as their x is counted. */
size_t curve_x_ticks(const struct curves *k, struct curve_range x, size_t most, double *at);
/* The name of the place at x; NULL: it has none. */
const char *curve_place(const struct curves *k, double x);
/* What stands at such places: their names, or numbers. */
const char **curve_x_labels(struct arena *a, const struct curves *k, const double *at, size_t n,
			    bool plus);
/* A value that is said beside a point: of places as they were measured, else all of it where that is short, or so that
 * those that are pointed out have two decimals, or what they need not to be zero. */
const char *curve_value(struct arena *a, const struct curves *k, double y);

/* Of rows of colours: their scale, and what their values are divided by for it. Rows with limits of their
 * own show parts of their largest |value|, which their names say: "head 1 ±3.2". */
struct scale curve_row_scale(const struct curves *k, struct curve_range y);
double curve_row_unit(const struct curves *k, const struct series *s);
const char *curve_row_name(struct arena *a, const struct curves *k, const struct series *s,
			   const char *name, bool ascii);

/* For these limits and the levels of the curves, with 2 to `most` ticks, round ones; the ends are ticks, unless that would leave much of the axis
 * empty. `plus`: positive numbers have their sign where there are negative ones. */
void curve_axis_fit(struct curve_axis *axis, struct arena *a, const struct curves *k,
		    struct curve_range y, size_t most, bool plus);

/* Where a finite value is: 0 at the lower end, 1 at the upper one. */
double curve_axis_at(const struct curve_axis *axis, double y);

#endif
