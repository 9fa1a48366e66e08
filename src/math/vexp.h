/* vexp.h: functions over arrays and the softmax of a row, built for several instruction sets.
 *
 * vexp.c is compiled once for each of those listed; vexp_fitting picks the widest that this
 * processor (or valgrind's idea of it) can run. */
#ifndef MATH_VEXP_H
#define MATH_VEXP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/math/mat.h"

enum vec_function {
	VEC_EXP,
	VEC_TANH,
	VEC_ERF,
	VEC_LOG,
	VEC_SIN,
	VEC_COS,
	VEC_LOG1P_EXP, /* log(1 + exp(-|x|)) */
	VEC_COUNT
};

/* out [rows, cols] = alpha · a [rows, inner] · b [inner, cols] + beta · out, where the entries of a and
 * b lie as far apart as their steps say, and those of a row of `out` side by side. */
struct small_product {
	double *out;
	const double *a, *b;
	size_t rows, inner, cols, out_row, a_row, a_col, b_row, b_col;
	double alpha, beta;
};
enum { SMALL_INNER = 256 }; /* at most */

struct vexp {
	const char *name;
	void (*apply[VEC_COUNT])(double *out, const double *in, size_t n); /* out may be in */
	/* Computes softmax of one row over the entries that are allowed (NULL: all) and not
	 * -inf; returns whether all allowed entries were finite. */
	bool (*softmax_row)(double *out, const double *in, const uint8_t *allowed, size_t n);
	bool (*finite_row)(const double *in, size_t n);
	double (*dot)(const double *x, const double *y, size_t n);
	double (*triple)(const double *x, const double *y, const double *z, size_t n);
	void (*add_row)(double *to, double by, const double *x, size_t n); /* to += by · x */
	void (*gru)(double *out, const struct gru_inputs *of, size_t n);
	void (*multiply)(const struct small_product *p); /* product.c */
	double small; /* multiplications of a product, up to which BLAS is slower */
};

/* The builds of vexp.c, the plainest first; ends with NULL. Besides "base" there are "avx2" and
 * "avx512" where the compiler knows them (VEXP_X86). */
extern const struct vexp *const vexp_built[];

const struct vexp *vexp_fitting(void);

/* Applies the function to n elements. Exact to 4 ulp; exp and functions made of it are 0 below
 * 1e-304. `out` may be `in`. */
void vexp_apply(enum vec_function f, double *out, const double *in, size_t n);

/* Works like mat_softmax with a mask of rows * cols bytes, 0 for forbidden; NULL allows all.
 * Returns whether all allowed entries are finite. */
bool vexp_softmax(struct mat out, struct mat m, const uint8_t *allowed);

#endif
