/* rope_precision.h: rotations as programs compute them in types of few digits. */
#ifndef SCHEME_ROPE_PRECISION_H
#define SCHEME_ROPE_PRECISION_H

#include "scheme/rope.h"

/* Returns the number of the type nearest to x; halves go to the even one. ±inf beyond its range. */
double precision_round(int precision, double x);

/* The cosine and the sine of position · theta, rounded where p says so. */
struct wave {
	double cosine, sine;
};
struct wave precision_wave(const struct rope *p, double position, double theta);

/* Refuses a choice of what is rounded if nothing is. */
bool precision_check(const struct rope *p, struct err *err);

/* Notes from which position on two neighbours have the same rotation; an error if a position is
 * beyond the range of the type. */
bool precision_note(struct run *run, const struct member *m, const double *position, struct mat cos,
		    struct mat sin, struct err *err);

#endif
