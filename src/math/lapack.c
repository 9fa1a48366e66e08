/* lapack.c: singular values, least squares, and symmetric eigenvectors.
 *
 * LAPACK is Fortran: column-major, everything by address, lengths of text as hidden last
 * arguments. A row-major matrix is its own transpose there. That changes neither singular values
 * nor a symmetric matrix, and the columns it returns are our rows, so these are never
 * transposed. */
#include <limits.h>
#include <math.h>

#include "posviz/math/mat.h"

extern void dgesdd_(const char *jobz, const int *m, const int *n, double *a, const int *lda,
		    double *s, double *u, const int *ldu, double *vt, const int *ldvt, double *work,
		    const int *lwork, int *iwork, int *info, size_t jobz_len);

extern void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda,
		    double *w, double *work, const int *lwork, int *iwork, const int *liwork,
		    int *info, size_t jobz_len, size_t uplo_len);

extern void dgelqf_(const int *m, const int *n, double *a, const int *lda, double *tau,
		    double *work, const int *lwork, int *info);

extern void dgelsd_(const int *m, const int *n, const int *nrhs, double *a, const int *lda,
		    double *b, const int *ldb, double *s, const double *rcond, int *rank,
		    double *work, const int *lwork, int *iwork, int *info);

extern void dposv_(const char *uplo, const int *n, const int *nrhs, double *a, const int *lda,
		   double *b, const int *ldb, int *info, size_t uplo_len);

static int lapack_int(size_t n)
{
	if (n > INT_MAX)
		BUG("%zu is too large for LAPACK", n);
	return (int)n;
}

/* Answers to a workspace query are sizes stored in doubles. */
static int work_size(double answer)
{
	if (!(answer >= 0 && answer <= INT_MAX))
		BUG("LAPACK asks for %g numbers of workspace", answer);
	return answer < 1 ? 1 : (int)answer;
}

static void *new_ints(struct arena *a, size_t n)
{
	return arena_calloc(a, n, sizeof(int));
}

/* LAPACK may loop or return nonsense for NaN and infinities. */
static bool check_finite(struct mat m, const char *what, struct err *err)
{
	for (size_t r = 0; r < m.rows; r++)
		for (size_t c = 0; c < m.cols; c++)
			if (!isfinite(mat_row(m, r)[c]))
				return err_set(err,
					       "%s need finite numbers, but row %zu, column %zu is "
					       "%g",
					       what, r + 1, c + 1, mat_row(m, r)[c]);
	return true;
}

static bool check_info(int info, const char *what, struct err *err)
{
	if (info < 0)
		BUG("LAPACK rejects argument %d", -info);
	return info == 0 || err_set(err, "the %s of this matrix do not converge", what);
}

bool mat_singular_values(struct mat m, double *values, struct arena *a, struct err *err)
{
	if (!m.rows || !m.cols)
		return true;
	if (!check_finite(m, "singular values", err))
		return false;
	const struct mat copy = mat_copy(a, m); /* dgesdd destroys its input */
	const int rows = lapack_int(m.cols), cols = lapack_int(m.rows), one = 1, query = -1;
	int info = 0, *iwork = new_ints(a, 8 * (m.rows < m.cols ? m.rows : m.cols));
	double size = 0, none = 0;
	dgesdd_("N", &rows, &cols, copy.at, &rows, values, &none, &one, &none, &one, &size, &query,
		iwork, &info, 1);
	if (!check_info(info, "singular values", err))
		return false;
	const int lwork = work_size(size);
	double *work = mat_new(a, 1, (size_t)lwork).at;
	dgesdd_("N", &rows, &cols, copy.at, &rows, values, &none, &one, &none, &one, work, &lwork,
		iwork, &info, 1);
	return check_info(info, "singular values", err);
}

/* LAPACK sees our m as mᵀ = L·Qᵀ, and its L, read by rows, is our R. */
bool mat_triangle(struct mat m, struct mat out, struct arena *a, struct err *err)
{
	BUG_IF(m.cols > m.rows || out.rows != m.cols || out.cols != m.cols);
	if (!m.cols)
		return true;
	if (!check_finite(m, "triangles", err))
		return false;
	const struct mat copy = mat_copy(a, m), scale = mat_new(a, 1, m.cols);
	const int rows = lapack_int(m.cols), cols = lapack_int(m.rows), query = -1;
	double size = 0;
	int info = 0;
	dgelqf_(&rows, &cols, copy.at, &rows, scale.at, &size, &query, &info);
	const int lwork = work_size(size);
	double *const work = mat_new(a, 1, (size_t)lwork).at;
	dgelqf_(&rows, &cols, copy.at, &rows, scale.at, work, &lwork, &info);
	for (size_t r = 0; r < out.rows; r++)
		for (size_t c = 0; c < out.cols; c++)
			mat_row(out, r)[c] = c < r ? 0 : mat_row(copy, r)[c];
	return check_info(info, "triangle", err);
}

/* Copies m column by column, as LAPACK reads it. */
static double *copy_by_columns(struct arena *arena, struct mat m, size_t rows)
{
	double *const out = arena_calloc(arena, rows * m.cols + 1, sizeof *out);
	for (size_t r = 0; r < m.rows; r++)
		for (size_t c = 0; c < m.cols; c++)
			out[c * rows + r] = mat_row(m, r)[c];
	return out;
}

bool mat_least_squares(struct mat a, struct mat b, struct mat x, struct arena *arena,
		       struct err *err)
{
	const size_t tall = a.rows > a.cols ? a.rows : a.cols;
	if (!check_finite(a, "least squares", err) || !check_finite(b, "least squares", err))
		return false;
	double *const at = copy_by_columns(arena, a, a.rows), *const right = copy_by_columns(
								      arena, b, tall);
	double *const values = mat_new(arena, 1, tall).at;
	const int rows = lapack_int(a.rows), cols = lapack_int(a.cols), of = lapack_int(b.cols),
		  ld = lapack_int(tall), query = -1;
	const double least = 0x1p-52 * (double)tall;
	double size = 0;
	int rank = 0, info = 0, ints = 0;
	dgelsd_(&rows, &cols, &of, at, &rows, right, &ld, values, &least, &rank, &size, &query,
		&ints, &info);
	if (!check_info(info, "singular values", err))
		return false;
	const int lwork = work_size(size);
	double *const work = mat_new(arena, 1, (size_t)lwork).at;
	int *const iwork = new_ints(arena, (size_t)ints + 1);
	dgelsd_(&rows, &cols, &of, at, &rows, right, &ld, values, &least, &rank, work, &lwork,
		iwork, &info);
	for (size_t r = 0; r < x.rows; r++)
		for (size_t c = 0; c < x.cols; c++)
			mat_row(x, r)[c] = right[c * tall + r];
	return check_info(info, "singular values", err);
}

bool mat_solve_positive(struct mat a, struct mat b, struct err *err)
{
	BUG_IF(b.cols != a.rows);
	/* LAPACK's columns are our rows: our lower triangle is its upper one. */
	const int n = lapack_int(a.rows), ld = lapack_int(a.stride), rows = lapack_int(b.rows),
		  ldb = lapack_int(b.stride);
	int info = 0;
	dposv_("U", &n, &rows, a.at, &ld, b.at, &ldb, &info, 1);
	if (info < 0)
		BUG("LAPACK rejects argument %d", -info);
	return info == 0 || err_set(err, "the matrix is not positive definite");
}

/* An eigenvector is determined up to its sign. Among the entries that are largest up to rounding
 * the first decides, so that (1, -1)/sqrt 2 is the same on every machine. */
static void fix_sign(double *v, size_t n)
{
	double largest = 0;
	for (size_t i = 0; i < n; i++)
		largest = fmax(largest, fabs(v[i]));
	size_t i = 0;
	while (i + 1 < n && fabs(v[i]) < largest * (1 - 1e-9))
		i++;
	if (v[i] > 0)
		return;
	for (size_t k = 0; k < n; k++)
		v[k] = -v[k];
}

static double column_length(struct mat m, size_t i)
{
	double square = 0;
	for (size_t k = 0; k < m.rows; k++)
		square += mat_row(m, k)[i] * mat_row(m, k)[i];
	return sqrt(square);
}

/* Writes the vector whose coordinates in `basis` are column `at` of `left`, normalised, and
 * removes its direction from all columns of `left`. */
static void take_direction(struct mat basis, struct mat left, size_t at, double length, double *out,
			   struct arena *a)
{
	const size_t m = basis.rows, n = basis.cols;
	double *const unit = mat_new(a, 1, m).at;
	for (size_t k = 0; k < m; k++)
		unit[k] = mat_row(left, k)[at] / length;
	for (size_t i = 0; i < n; i++) {
		double sum = 0, along = 0;
		for (size_t k = 0; k < m; k++) {
			sum += unit[k] * mat_row(basis, k)[i];
			along += unit[k] * mat_row(left, k)[i];
		}
		out[i] = sum;
		for (size_t k = 0; k < m; k++)
			mat_row(left, k)[i] -= along * unit[k];
	}
}

/* Replaces an arbitrary basis of an eigenspace by a fixed one. If an eigenvalue has several
 * eigenvectors, LAPACK gives any basis of their space, and which one depends on the machine. P,
 * the projection on the space, does not: the new rows of v [m, n] are the longest columns of P,
 * one after another, the first among equal ones, each without its components along the earlier
 * ones. In coordinates of the given basis, P e_i is column i. */
static void fix_basis(struct mat v, struct arena *a)
{
	const size_t m = v.rows, n = v.cols;
	const struct mat basis = mat_copy(a, v), left = mat_copy(a, v);
	for (size_t row = 0; row < m; row++) {
		size_t at = 0;
		double most = 0;
		for (size_t i = 0; i < n; i++) {
			const double length = column_length(left, i);
			if (length > most * (1 + 1e-9)) {
				most = length;
				at = i;
			}
		}
		take_direction(basis, left, at, most, mat_row(v, row), a);
	}
}

/* Fixes the bases of all eigenspaces that reach into the last `wanted` vectors. Eigenvalues that
 * are equal up to rounding count as one. The time grows with the square of a space's dimension. */
static void fix_bases(const double *values, struct mat vectors, size_t wanted, struct arena *a)
{
	const size_t n = vectors.rows;
	const double same = 1e-9 * fmax(fabs(values[0]), fabs(values[n - 1]));
	for (size_t from = 0, to; from < n; from = to) {
		for (to = from + 1; to < n && values[to] - values[to - 1] <= same;)
			to++;
		if (to > from + 1 && to + wanted > n)
			fix_basis(mat_rows(vectors, from, to - from), a);
	}
}

bool mat_eigen_symmetric(struct mat m, double *values, struct mat vectors, struct arena *a,
			 struct err *err)
{
	return mat_eigen_largest(m, m.rows, values, vectors, a, err);
}

bool mat_eigen_largest(struct mat m, size_t wanted, double *values, struct mat vectors,
		       struct arena *a, struct err *err)
{
	BUG_IF(m.rows != m.cols || vectors.rows != m.rows || vectors.cols != m.cols);
	if (!m.rows)
		return true;
	if (!check_finite(m, "eigenvalues", err))
		return false;
	const struct mat copy = mat_copy(a, m); /* dsyevd replaces it by the eigenvectors */
	const int n = lapack_int(m.rows), query = -1;
	int info = 0, liwork = 0;
	double size = 0;
	dsyevd_("V", "L", &n, copy.at, &n, values, &size, &query, &liwork, &query, &info, 1, 1);
	if (!check_info(info, "eigenvalues", err))
		return false;
	const int lwork = work_size(size);
	double *work = mat_new(a, 1, (size_t)lwork).at;
	int *iwork = new_ints(a, (size_t)liwork);
	dsyevd_("V", "L", &n, copy.at, &n, values, work, &lwork, iwork, &liwork, &info, 1, 1);
	if (!check_info(info, "eigenvalues", err))
		return false;
	fix_bases(values, copy, wanted, a);
	for (size_t i = 0; i < m.rows; i++)
		fix_sign(mat_row(copy, i), m.cols);
	mat_set(vectors, copy);
	return true;
}
