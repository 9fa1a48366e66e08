/* mat.h: matrices as views, and the BLAS and LAPACK under them.
 *
 * Everything is double and row-major. A view {rows, cols, stride, at} is passed by value; slices
 * share their data, so a head is a slice of columns and costs nothing. */
#ifndef POSVIZ_MAT_H
#define POSVIZ_MAT_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/base/rng.h"

struct mat {
	size_t rows, cols, stride; /* element (r, c) is at[r * stride + c] */
	double *at;		   /* NULL: no matrix */
};

static inline double *mat_row(struct mat m, size_t r)
{
	return m.at + r * m.stride;
}

struct mat mat_new(struct arena *a, size_t rows, size_t cols);	/* not initialised */
struct mat mat_zero(struct arena *a, size_t rows, size_t cols); /* all 0 */
struct mat mat_view(double *at, size_t rows, size_t cols);	/* of contiguous data */
struct mat mat_copy(struct arena *a, struct mat m);		/* contiguous */
struct mat mat_cols(struct mat m, size_t first, size_t count);
struct mat mat_rows(struct mat m, size_t first, size_t count);
struct mat mat_transpose(struct arena *a, struct mat m);
struct mat mat_eye(struct arena *a, size_t n);
void mat_fill(struct mat m, double value);
void mat_fill_normal(struct mat m, double sd, struct rng *rng);
void mat_set(struct mat out, struct mat m); /* copies; equal shapes */

/* out = alpha · op(a) · op(b) + beta · out, op transposes when the flag is set. Shapes must agree.
 * The one dgemm of the program. */
void mat_mul(struct mat out, double alpha, struct mat a, bool ta, struct mat b, bool tb,
	     double beta);

/* b becomes the x of op(T)·x = b: T has ones on its diagonal, l's entries below it and 0 above, and
 * what l holds there is not read; op transposes when the flag is set. */
void mat_solve_unit_lower(struct mat b, struct mat l, bool transposed);

/* Each row becomes softmax over the entries that are not -inf; a row without any becomes zero.
 * NaN stays NaN. In place when out is m. Rows are shared among the pool when there are many. */
void mat_softmax(struct mat out, struct mat m);

/* Elementwise exp of n elements, vectorised for this CPU; exact to 4 ulp, and 0 where it would be under
 * 1e-304 (the library is ten times slower there). In place allowed. */
void vec_exp(double *out, const double *in, size_t n);

/* The n cells of a GRU: of i = x + y, what the gates get of the inputs, and c = from_h + bias, what they get
 * of h, gate after gate, [3 n]:
 *   r, z = σ(i + c),  n = tanh(i_n + r∘c_n),  out = n + z∘(h - n).
 * `out` is none of them. */
struct gru_inputs {
	const double *x, *y, *from_h, *bias;
	const double *h; /* [n] */
};
void vec_gru(double *out, const struct gru_inputs *of, size_t n);

bool mat_is_finite(struct mat m);		     /* neither NaN nor infinite anywhere */
double mat_norm(struct mat m);			     /* Frobenius */
double mat_max_abs_diff(struct mat a, struct mat b); /* NaN against a number is +inf */
/* Smallest and largest finite entry; false when there is none. */
bool mat_range(struct mat m, double *lo, double *hi);

/* Singular values, descending, into values[min(rows, cols)] (LAPACK dgesdd). `a` is scratch. */
bool mat_singular_values(struct mat m, double *values, struct arena *a, struct err *err);

/* R of m = Q·R, where QᵀQ = I and R is 0 below its diagonal, into out[m.cols, m.cols]; m has no fewer rows than
 * columns (LAPACK dgelqf). Of two products of such matrices A·Bᵀ has the singular values of R_A·R_Bᵀ. `a` is
 * scratch. */
bool mat_triangle(struct mat m, struct mat out, struct arena *a, struct err *err);

/* The x of least norm among those for which ‖a·x − b‖ is least, into x[a.cols, b.cols]; singular values of a
 * below 2⁻⁵²·max(rows, cols) of the largest count as 0 (LAPACK dgelsd). `arena` is scratch. */
bool mat_least_squares(struct mat a, struct mat b, struct mat x, struct arena *arena,
		       struct err *err);
/* Each row of b becomes the x of a·x = b, of a symmetric positive definite a, of which the lower triangle is read
 * and lost (LAPACK dposv). False: it is not positive definite. */
bool mat_solve_positive(struct mat a, struct mat b, struct err *err);

/* Eigenvalues ascending into values[n], eigenvectors as rows of `vectors` (n x n) of the symmetric
 * m (LAPACK dsyevd). They are the same on every machine: each vector's entry of largest magnitude is positive, and
 * of several vectors of one value (within 1e-9 of the largest) the first is the projection of an axis on their
 * space, of the axis that is nearest to it, the next that of the axis nearest to what is left, and so on. */
bool mat_eigen_symmetric(struct mat m, double *values, struct mat vectors, struct arena *a,
			 struct err *err);
/* The same, where but the last `wanted` vectors are looked at: the others may be any basis of their spaces. */
bool mat_eigen_largest(struct mat m, size_t wanted, double *values, struct mat vectors,
		       struct arena *a, struct err *err);

#endif
