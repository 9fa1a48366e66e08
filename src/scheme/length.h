/* length.h: sinusoids of positions that use the length (Takase and Okazaki 2019): the member's
 * parameter, else the one requested of a decoder, else that of the input. */
#ifndef SCHEME_LENGTH_H
#define SCHEME_LENGTH_H

#include "scheme/sinusoid.h"

/* The first parameters of schemes that use it. */
struct length {
	struct sinusoid_param sinusoid; /* base is used only for the difference */
	long length;
	int count; /* of the difference, enum length_count */
};

enum length_count { LENGTH_FORMULA, LENGTH_CODE };

#define LENGTH_PARAM                                      \
	NUMBER_PARAM(struct length, length, 0, 0, 1e6, 1, \
		     "l, the length; 0: the one asked for (--length), else the input's")

double length_wanted(const struct run *run, const struct length *p);

/* Return [n,d] of m's column t: angles (l - t) B^(-2i/d) (survey eq. 32), and t l^(-2i/d) (eq.
 * 33). */
struct node *length_difference(struct run *run, const struct member *m, double l, struct err *err);
struct node *length_ratio(struct run *run, const struct member *m, double l, struct err *err);

/* Adds the table that `build` makes for the requested length. */
bool length_add(struct run *run, const struct member *m,
		struct node *(*build)(struct run *run, const struct member *m, struct err *err),
		struct err *err);

#endif
