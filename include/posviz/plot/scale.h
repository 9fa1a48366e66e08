/* scale.h: from values to [0, 1] of a colour map, and round ticks.
 *
 * Limits are never changed silently: a scale says its mode, and the bar shows its limits. */
#ifndef POSVIZ_SCALE_H
#define POSVIZ_SCALE_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"

enum scale_mode {
	SCALE_LINEAR,
	SCALE_SQRT,   /* sign(x)·sqrt|x|: small values become visible */
	SCALE_SYMLOG, /* as wide a step for each decade beyond ±linear as for all up to it */
	SCALE_MODES
};
extern const char *const scale_mode_names[SCALE_MODES]; /* linear sqrt symlog */

struct scale {
	double lo, hi; /* lo <= hi, finite; equal limits are widened when used */
	enum scale_mode mode;
	bool diverging; /* lo == -hi, zero is the middle */
	bool locked;	/* the limits are the user's, shared with other panels: values may clip */
	int half; /* of a diverging scale: -1 or 1 when no value is on the other side, else 0 */
	double linear; /* of SCALE_SYMLOG; 0: a thousandth of the larger limit */
};

/* A scale around data in [lo, hi]: symmetric about zero when diverging, from 0 when the data is
 * one-signed and sequential. `unit` makes it exactly 0..1 (weights). */
struct scale scale_fit(double lo, double hi, enum scale_mode mode, bool diverging, bool unit);

/* The limits as used: those of the scale, or a range around them when they are equal. */
void scale_limits(const struct scale *s, double *lo, double *hi);

/* The part of [0, 1] that values are in: one half of a diverging scale, or all; and its limits. A bar
 * shows this part. */
void scale_part(const struct scale *s, double *from, double *to);
void scale_part_limits(const struct scale *s, double *lo, double *hi);

/* How values lie between zero and the largest: what chooses a mode and SCALE_SYMLOG's `linear`. Of
 * those that are not zero; all 0 when there are none. */
struct scale_sizes {
	double most, least, median, quartile; /* of |x|; the lower quartile */
};
struct scale_sizes scale_sizes(double *sizes, size_t n); /* reorders */
/* A few large values hide the rest of the signed ones: a root when the median is under 0.15 of the
 * largest; decades only where the root would hide it as well, under 0.001, and they span three of them:
 * they make changes of a thousandth as dark as those that matter. */
enum scale_mode scale_mode_for(const struct scale_sizes *sizes);

/* Place of a finite value in [0, 1]; *clipped (may be NULL) says it lay outside the limits. */
double scale_at(const struct scale *s, double value, bool *clipped);

/* 2 to `most` (>= 2) round ticks inside [lo, hi], ascending, into at[most]; returns their number.
 * 0 is a tick when it lies inside. One tick when the limits are equal. */
size_t scale_ticks(double lo, double hi, size_t most, double *at);
/* The same, whole numbers only (distances, positions). */
size_t scale_ticks_integer(double lo, double hi, size_t most, double *at);

/* Ticks for the colour bar of `s`, within the part that it shows: round values, for SCALE_SYMLOG powers
 * of ten; at most `most` >= 3. */
size_t scale_bar_ticks(const struct scale *s, size_t most, double *at);

/* Labels with just the decimals the ticks need, the same number for all but zero: "−1.0" "0" "+1.0"
 * `with_plus`, "0" "0.25" "1.00" otherwise; "2e−5" where decimals would be
 * many. out[n] from `a`. */
const char **scale_tick_labels(struct arena *a, const double *at, size_t n, bool with_plus);

#endif
