/* mat.c: matrices as views, and the one matrix product, which is divided into blocks when it is
 * large. */
#include "posviz/math/mat.h"

#include <cblas.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "math/vexp.h"
#include "posviz/math/machine.h"

enum {
	DRAWN = 256,	      /* numbers computed at once */
	TILE = 8,	      /* a cache line; rows a power of two apart share a set of the cache */
	SHARED = 1 << 22,     /* multiplications; with fewer, waking the pool takes too long */
	SHARED_ROW = 1 << 20, /* multiplications of a single row, which waits for memory */
	ROWS = 256,	      /* rows in a block, at most */
	COLUMNS = 512,
	REGISTERS = 16, /* rows or columns that a BLAS kernel handles at once */
};

static size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t count_of(size_t rows, size_t cols)
{
	if (cols && rows > SIZE_MAX / sizeof(double) / cols)
		BUG("a matrix of %zu x %zu", rows, cols);
	return rows * cols;
}

struct mat mat_new(struct arena *a, size_t rows, size_t cols)
{
	const size_t count = count_of(rows, cols);
	return mat_view(arena_alloc(a, (count ? count : 1) * sizeof(double)), rows, cols);
}

struct mat mat_zero(struct arena *a, size_t rows, size_t cols)
{
	const size_t count = count_of(rows, cols);
	return mat_view(arena_calloc(a, count ? count : 1, sizeof(double)), rows, cols);
}

struct mat mat_view(double *at, size_t rows, size_t cols)
{
	return (struct mat){rows, cols, cols, at};
}

struct mat mat_copy(struct arena *a, struct mat m)
{
	const struct mat out = mat_new(a, m.rows, m.cols);
	mat_set(out, m);
	return out;
}

struct mat mat_cols(struct mat m, size_t first, size_t count)
{
	BUG_IF(first > m.cols || count > m.cols - first);
	return (struct mat){m.rows, count, m.stride, m.at + first};
}

struct mat mat_rows(struct mat m, size_t first, size_t count)
{
	BUG_IF(first > m.rows || count > m.rows - first);
	return (struct mat){count, m.cols, m.stride, mat_row(m, first)};
}

struct mat mat_transpose(struct arena *a, struct mat m)
{
	const struct mat out = mat_new(a, m.cols, m.rows);
	for (size_t r0 = 0; r0 < m.rows; r0 += TILE)
		for (size_t c0 = 0; c0 < m.cols; c0 += TILE)
			for (size_t r = r0; r < m.rows && r < r0 + TILE; r++)
				for (size_t c = c0; c < m.cols && c < c0 + TILE; c++)
					mat_row(out, c)[r] = mat_row(m, r)[c];
	return out;
}

struct mat mat_eye(struct arena *a, size_t n)
{
	const struct mat out = mat_zero(a, n, n);
	for (size_t i = 0; i < n; i++)
		mat_row(out, i)[i] = 1;
	return out;
}

void mat_fill(struct mat m, double value)
{
	for (size_t r = 0; r < m.rows; r++)
		for (size_t c = 0; c < m.cols; c++)
			mat_row(m, r)[c] = value;
}

/* Gives the same numbers as successive calls of rng_normal. */
static void fill_normal(double *out, size_t n, double sd, struct rng *rng)
{
	double angle[DRAWN];
	for (size_t i = 0; i < n; i++) {
		out[i] = 1 - rng_uniform(rng); /* never 0 */
		angle[i] = 2 * M_PI * rng_uniform(rng);
	}
	vexp_apply(VEC_LOG, out, out, n);
	vexp_apply(VEC_COS, angle, angle, n);
	for (size_t i = 0; i < n; i++)
		out[i] = sd * (sqrt(-2 * out[i]) * angle[i]);
}

void mat_fill_normal(struct mat m, double sd, struct rng *rng)
{
	for (size_t r = 0; r < m.rows; r++)
		for (size_t c = 0; c < m.cols; c += DRAWN)
			fill_normal(mat_row(m, r) + c, min_size(m.cols - c, DRAWN), sd, rng);
}

void mat_set(struct mat out, struct mat m)
{
	BUG_IF(out.rows != m.rows || out.cols != m.cols);
	if (!m.cols || out.at == m.at)
		return;
	for (size_t r = 0; r < m.rows; r++)
		memcpy(mat_row(out, r), mat_row(m, r), m.cols * sizeof(double));
}

/* BLAS sizes are int. */
static blasint blas_int(size_t n)
{
	if (n > INT_MAX)
		BUG("%zu is too large for BLAS", n);
	return (blasint)n;
}

/* BLAS wants a leading dimension of at least 1 and of all columns, even where it is unused. */
static blasint leading_dimension(struct mat m)
{
	BUG_IF(m.rows > 1 && m.stride < m.cols);
	const size_t stride = m.stride < m.cols ? m.cols : m.stride;
	return blas_int(stride ? stride : 1);
}

struct product {
	struct mat out, a, b;
	double alpha, beta;
	bool ta, tb, by_rows;
	size_t blocks; /* of rows or of columns */
};

/* dgemm would copy b first, which takes longer than the product. */
static void multiply_row(const struct product *p)
{
	cblas_dgemv(CblasRowMajor, p->tb ? CblasNoTrans : CblasTrans, blas_int(p->b.rows),
		    blas_int(p->b.cols), p->alpha, p->b.at, leading_dimension(p->b), p->a.at,
		    p->ta ? leading_dimension(p->a) : 1, p->beta, p->out.at, 1);
}

static void multiply(const struct product *p)
{
	const size_t inner = p->ta ? p->a.rows : p->a.cols;
	if (p->out.rows == 1 && inner) {
		multiply_row(p);
		return;
	}
	cblas_dgemm(CblasRowMajor, p->ta ? CblasTrans : CblasNoTrans,
		    p->tb ? CblasTrans : CblasNoTrans, blas_int(p->out.rows), blas_int(p->out.cols),
		    blas_int(inner), p->alpha, p->a.at, leading_dimension(p->a), p->b.at,
		    leading_dimension(p->b), p->beta, p->out.at, leading_dimension(p->out));
}

/* Returns the start of block i of n. */
static size_t block_start(size_t n, size_t blocks, size_t i)
{
	return i == blocks ? n : n / REGISTERS * i / blocks * REGISTERS;
}

static void multiply_block(void *context, size_t i, size_t worker)
{
	(void)worker;
	struct product p = *(const struct product *)context;
	const size_t n = p.by_rows ? p.out.rows : p.out.cols;
	const size_t first = block_start(n, p.blocks, i),
		     count = block_start(n, p.blocks, i + 1) - first;
	p.out = p.by_rows ? mat_rows(p.out, first, count) : mat_cols(p.out, first, count);
	if (p.by_rows)
		p.a = p.ta ? mat_cols(p.a, first, count) : mat_rows(p.a, first, count);
	else
		p.b = p.tb ? mat_rows(p.b, first, count) : mat_cols(p.b, first, count);
	multiply(&p);
}

/* Returns a power of two, so that the blocks divide evenly among the threads. */
static size_t count_blocks(size_t n, size_t most)
{
	size_t blocks = 1;
	while (n > most * blocks)
		blocks *= 2;
	return blocks;
}

/* Divides a product into blocks of rows, unless these would be too few: each block packs all of
 * the other factor again, which costs less for the second factor. The last digits depend on
 * where a product is divided, so only its size decides, not the machine. */
static void choose_blocks(struct product *p)
{
	p->by_rows = p->out.rows >= p->out.cols || p->out.rows > ROWS;
	p->blocks =
		p->by_rows ? count_blocks(p->out.rows, ROWS) : count_blocks(p->out.cols, COLUMNS);
}

static struct small_product small(const struct product *p, size_t inner)
{
	return (struct small_product){.out = p->out.at,
				      .a = p->a.at,
				      .b = p->b.at,
				      .rows = p->out.rows,
				      .inner = inner,
				      .cols = p->out.cols,
				      .out_row = p->out.stride,
				      .a_row = p->ta ? 1 : p->a.stride,
				      .a_col = p->ta ? p->a.stride : 1,
				      .b_row = p->tb ? 1 : p->b.stride,
				      .b_col = p->tb ? p->b.stride : 1,
				      .alpha = p->alpha,
				      .beta = p->beta};
}

/* A product with a matrix whose rows are one: of that row once, or of a copy. */
static void multiply_repeated(struct mat out, double alpha, struct mat a, bool ta, struct mat b,
			      bool tb, double beta)
{
	struct arena scratch;
	arena_init(&scratch);
	if (ta || mat_repeats(b) || beta != 0) {
		mat_mul(out, alpha, mat_repeats(a) ? mat_copy(&scratch, a) : a, ta,
			mat_repeats(b) ? mat_copy(&scratch, b) : b, tb, beta);
	} else {
		const struct mat first = mat_rows(out, 0, 1);
		mat_mul(first, alpha, mat_rows(a, 0, 1), false, b, tb, 0);
		for (size_t r = 1; r < out.rows; r++)
			mat_set(mat_rows(out, r, 1), first);
	}
	arena_release(&scratch);
}

void mat_mul(struct mat out, double alpha, struct mat a, bool ta, struct mat b, bool tb,
	     double beta)
{
	const size_t inner = ta ? a.rows : a.cols;
	if (out.rows != (ta ? a.cols : a.rows) || out.cols != (tb ? b.rows : b.cols) ||
	    inner != (tb ? b.cols : b.rows))
		BUG("product of %zu x %zu%s and %zu x %zu%s into %zu x %zu", a.rows, a.cols,
		    ta ? "'" : "", b.rows, b.cols, tb ? "'" : "", out.rows, out.cols);
	if (!out.rows || !out.cols)
		return;
	if (mat_repeats(a) || mat_repeats(b)) {
		multiply_repeated(out, alpha, a, ta, b, tb, beta);
		return;
	}
	struct product p = {out, a, b, alpha, beta, ta, tb, false, 1};
	const double multiplications = (double)out.rows * (double)out.cols * (double)inner;
	const struct vexp *const kernel = vexp_fitting();
	/* The small product packs the columns of b, which pays for several rows. */
	const bool for_one = tb && out.rows == 1 && out.cols > 32;
	if (multiplications <= kernel->small && inner <= SMALL_INNER && !for_one) {
		const struct small_product of = small(&p, inner);
		kernel->multiply(&of);
		return;
	}
	if (multiplications >= (out.rows == 1 ? SHARED_ROW : SHARED))
		choose_blocks(&p);
	if (p.blocks > 1)
		machine_parallel(p.blocks, multiply_block, &p);
	else
		multiply(&p);
}

void mat_solve_unit_lower(struct mat b, struct mat l, bool transposed)
{
	if (l.rows != l.cols || l.rows != b.rows)
		BUG("a system of %zu x %zu for %zu rows", l.rows, l.cols, b.rows);
	if (!b.rows || !b.cols)
		return;
	cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, transposed ? CblasTrans : CblasNoTrans,
		    CblasUnit, blas_int(b.rows), blas_int(b.cols), 1, l.at, leading_dimension(l),
		    b.at, leading_dimension(b));
}

double mat_dot(struct mat a, struct mat b)
{
	double sum = 0;
	for (size_t r = 0; r < a.rows; r++)
		for (size_t c = 0; c < a.cols; c++)
			sum += mat_row(a, r)[c] * mat_row(b, r)[c];
	return sum;
}

double mat_norm(struct mat m)
{
	double sum = 0;
	for (size_t r = 0; r < m.rows; r++)
		for (size_t c = 0; c < m.cols; c++)
			sum += mat_row(m, r)[c] * mat_row(m, r)[c];
	return sqrt(sum);
}

static double difference(double x, double y)
{
	if (x == y || (isnan(x) && isnan(y)))
		return 0; /* equal infinities differ by 0 too */
	return isnan(x) || isnan(y) ? INFINITY : fabs(x - y);
}

double mat_max_abs_diff(struct mat a, struct mat b)
{
	BUG_IF(a.rows != b.rows || a.cols != b.cols);
	double max = 0;
	for (size_t r = 0; r < a.rows; r++)
		for (size_t c = 0; c < a.cols; c++)
			max = fmax(max, difference(mat_row(a, r)[c], mat_row(b, r)[c]));
	return max;
}
