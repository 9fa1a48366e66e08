/* scale.h: scales from values to [0, 1] of a colour map, and round ticks.
 *
 * Limits are never changed silently: a scale names its mode, and the bar shows its limits. */
#ifndef POSVIZ_SCALE_H
#define POSVIZ_SCALE_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"

enum scale_mode {
	SCALE_LINEAR,
	SCALE_SQRT, /* sign(x)·sqrt|x|, which makes small values visible */
	/* each decade beyond ±linear is as wide as the range from 0 to linear */
	SCALE_SYMLOG,
	SCALE_MODES
};
extern const char *const scale_mode_names[SCALE_MODES]; /* linear sqrt symlog */

struct scale {
	double lo, hi; /* lo <= hi, finite; equal limits are widened on use */
	enum scale_mode mode;
	bool diverging; /* lo == -hi, and zero is in the middle */
	/* the user chose the limits, common to several panels: values may be clipped */
	bool locked;
	/* The share of the values that are above hi and have its colour: of many small values a few large ones
	 * would leave no colours to the rest. 0: none. */
	double above;
	/* of a diverging scale: -1 or 1 if all values are on that side, else 0 */
	int half;
	/* linear range of SCALE_SYMLOG; 0: a thousandth of the larger limit */
	double linear;
};

/* Returns a scale for data in [lo, hi]: symmetric about zero if diverging; from 0 if sequential and
 * all data have one sign. `unit` makes it exactly 0..1 (weights). */
struct scale scale_fit(double lo, double hi, enum scale_mode mode, bool diverging, bool unit);

/* Returns ", 1 % above", or "" if no value is above hi. */
const char *scale_above(const struct scale *s, struct arena *a);

/* Returns the limits in use: those of the scale, or a range around them if they are equal. */
void scale_limits(const struct scale *s, double *lo, double *hi);

/* The part of [0, 1] that values can have: one half of a diverging scale, or all of it; and the
 * limits of that part. A colour bar shows this part. */
void scale_part(const struct scale *s, double *from, double *to);
void scale_part_limits(const struct scale *s, double *lo, double *hi);

/* The distribution of |x| over the values x ≠ 0, from which the mode and the `linear` of
 * SCALE_SYMLOG are chosen; all 0 if there are none. */
struct scale_sizes {
	double most, least, median, quartile; /* quartile: the lower one */
};
struct scale_sizes scale_sizes(double *sizes, size_t n); /* reorders `sizes` */
/* Chooses the mode for signed values. A root if a few large values hide the rest, that is if the
 * median is under 0.15 of the largest. Decades only if the root would hide the rest as well, that
 * is under 0.001, and if the values span three decades: decades make changes of a thousandth as
 * dark as those that matter. */
enum scale_mode scale_mode_for(const struct scale_sizes *sizes);

/* Returns the position in [0, 1] of a finite value; *clipped (may be NULL) tells if it was outside
 * the limits. */
double scale_at(const struct scale *s, double value, bool *clipped);

/* Stores 2 to `most` (>= 2) round ticks inside [lo, hi] in at[most], ascending, and returns their
 * number. 0 is a tick if it is inside. Equal limits give one tick. */
size_t scale_ticks(double lo, double hi, size_t most, double *at);
/* The same with whole numbers only (distances, positions). */
size_t scale_ticks_integer(double lo, double hi, size_t most, double *at);

/* Ticks for the colour bar of `s`, within the part that it shows: round values, or powers of ten
 * for SCALE_SYMLOG; at most `most` >= 3. */
size_t scale_bar_ticks(const struct scale *s, size_t most, double *at);

/* Returns labels with just the decimals that the ticks need, the same number for all but zero:
 * "−1.0" "0" "+1.0" if `with_plus`, else "0" "0.25" "1.00"; "2e−5" where decimals would be many.
 * out[n] is allocated from `a`. */
const char **scale_tick_labels(struct arena *a, const double *at, size_t n, bool with_plus);

#endif
