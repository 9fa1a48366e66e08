/* mat.h: matrices as views, and the BLAS and LAPACK under them.
 *
 * Everything is double and row-major. A view {rows, cols, stride, at} is passed by value; slices
 * share their data, so a head is a slice of columns and costs nothing. */
#ifndef POSVIZ_MAT_H
#define POSVIZ_MAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/base/rng.h"

struct mat {
	size_t rows, cols, stride; /* element (r, c) is at[r * stride + c] */
	double *at;		   /* NULL: no matrix */
};

/* Returns whether all rows are one, which has stride 0. Nobody writes to such a matrix. */
static inline bool mat_repeats(struct mat m)
{
	return m.stride == 0 && m.rows > 1;
}

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

/* Replaces b by the x of op(T)·x = b. T is unit lower triangular with the entries of l below its
 * diagonal; l's diagonal and upper part are not read. op transposes when the flag is set. */
void mat_solve_unit_lower(struct mat b, struct mat l, bool transposed);

/* out = e^A of a square matrix [g,g]; NaN if its norm is not finite. `room` is [2g,g]. */
enum { MAT_EXPONENTIAL_ROOM = 2 };
void mat_exponential(struct mat out, struct mat a, struct mat room);

/* Each row becomes softmax over the entries that are not -inf; a row without any becomes zero.
 * NaN stays NaN. In place when out is m. Rows are shared among the pool when there are many. */
void mat_softmax(struct mat out, struct mat m);

/* Elementwise exp of n elements, vectorised for this CPU; exact to 4 ulp, and 0 where the result
 * would be below 1e-304 (the library is ten times slower there). `out` may be `in`. */
void vec_exp(double *out, const double *in, size_t n);

/* Computes n cells of a GRU. Each array holds three gates one after another, [3 n]: i = x + y is
 * the inputs' part of the gates, c = from_h + bias that of the state h.
 *   r, z = σ(i + c),  n = tanh(i_n + r∘c_n),  out = n + z∘(h - n).
 * `out` must not overlap the inputs. */
struct gru_inputs {
	const double *x, *y, *from_h, *bias;
	const double *h; /* [n] */
};
void vec_gru(double *out, const struct gru_inputs *of, size_t n);

bool mat_is_finite(struct mat m);		     /* neither NaN nor infinite anywhere */
double mat_norm(struct mat m);			     /* Frobenius */
double mat_dot(struct mat a, struct mat b);	     /* Σ a∘b; equal shapes */
double mat_max_abs_diff(struct mat a, struct mat b); /* NaN against a number is +inf */
/* Smallest and largest finite entry, of all or of those that are allowed ([rows*cols], NULL: all);
 * false when there is none: then *lo > *hi. */
bool mat_range(struct mat m, double *lo, double *hi);
bool mat_range_where(struct mat m, const uint8_t *allowed, double *lo, double *hi);

/* Singular values, descending, into values[min(rows, cols)] (LAPACK dgesdd). `a` is scratch. */
bool mat_singular_values(struct mat m, double *values, struct arena *a, struct err *err);

/* Computes R of m = Q·R, where QᵀQ = I and R is 0 below its diagonal, into out[m.cols, m.cols];
 * m must have at least as many rows as columns (LAPACK dgelqf). If A and B are two such
 * matrices, A·Bᵀ has the singular values of R_A·R_Bᵀ. `a` is scratch. */
bool mat_triangle(struct mat m, struct mat out, struct arena *a, struct err *err);

/* Computes the x of least norm among those that minimise ‖a·x − b‖, into x[a.cols, b.cols];
 * singular values of a below 2⁻⁵²·max(rows, cols) of the largest count as 0 (LAPACK dgelsd).
 * `arena` is scratch. */
bool mat_least_squares(struct mat a, struct mat b, struct mat x, struct arena *arena,
		       struct err *err);
/* Replaces each row of b by the x of a·x = b. `a` is symmetric positive definite; only its lower
 * triangle is read, and it is overwritten (LAPACK dposv). False: it is not positive definite. */
bool mat_solve_positive(struct mat a, struct mat b, struct err *err);

/* Computes the eigenvalues, ascending, into values[n] and the eigenvectors as rows of `vectors`
 * (n x n) of the symmetric m (LAPACK dsyevd). They are the same on every machine: the entry of
 * largest magnitude of each vector is positive. If an eigenvalue has several vectors (values
 * within 1e-9 of the largest), the first is the projection on their eigenspace of the coordinate
 * axis nearest to it, the next that of the axis nearest to the remaining subspace, and so on. */
bool mat_eigen_symmetric(struct mat m, double *values, struct mat vectors, struct arena *a,
			 struct err *err);
/* Works like mat_eigen_symmetric, but fixes only the last `wanted` vectors: the others may be
 * any basis of their eigenspaces. */
bool mat_eigen_largest(struct mat m, size_t wanted, double *values, struct mat vectors,
		       struct arena *a, struct err *err);

#endif
