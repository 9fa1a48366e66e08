/* vexp.h: the exponential kernels, built for several instruction sets.
 *
 * vexp.c is compiled once for each of those listed; vexp_fitting picks the widest that this
 * processor (or valgrind's idea of it) can run. */
#ifndef MATH_VEXP_H
#define MATH_VEXP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/mat.h"

struct vexp {
	const char *name;
	void (*exp)(double *out, const double *in, size_t n);
	void (*tanh)(double *out, const double *in, size_t n);
	void (*softplus)(double *out, const double *in, size_t n);
	/* One row of softmax over the entries that are allowed (NULL: all) and not -inf; whether all
	 * those that are allowed were finite. */
	bool (*softmax_row)(double *out, const double *in, const uint8_t *allowed, size_t n);
	bool (*finite_row)(const double *in, size_t n);
	void (*gru)(double *out, const struct gru_inputs *of, size_t n);
};

/* Those that were built, the plainest first; ends with NULL. Beside "base" there are "avx2" and "avx512"
 * where the compiler knows them (VEXP_X86). */
extern const struct vexp *const vexp_built[];

const struct vexp *vexp_fitting(void);

/* mat_softmax with a mask of rows * cols bytes, 0 for forbidden; NULL allows all. Whether all that was
 * allowed is finite. */
bool vexp_softmax(struct mat out, struct mat m, const uint8_t *allowed);

#endif
