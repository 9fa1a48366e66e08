/* product.c: products of small matrices, for which BLAS takes longer to prepare than to multiply.
 *
 * Compiled like vexp.c, several times on x86-64. The result is made in tiles of a few rows and one or
 * two vectors of columns, which stay in registers while the inner index runs. Each entry is a sum in
 * the order of that index, so it does not depend on where in the product it lies. */
#include <string.h>

#include "math/vexp.h"

#if defined(__AVX512F__)
enum { WIDTH = 8, ROWS = 8 };
#elif defined(__AVX__)
enum { WIDTH = 4, ROWS = 4 };
#else
enum { WIDTH = 2, ROWS = 4 };
#endif
enum { VECTORS = 2, PANEL = VECTORS * WIDTH, LINE = 8 }; /* LINE: numbers in a line of the cache */

#define INLINE __attribute__((always_inline)) static inline void

typedef double vector __attribute__((vector_size(WIDTH * sizeof(double))));

/* Columns of the second factor, as many as a tile has. */
struct panel {
	const double *at;
	size_t stride, first, cols;
};

/* Returns the panel from a column on: where it lies, or packed into `room` with zeros behind it. */
static struct panel panel_at(const struct small_product *p, size_t first, double *room)
{
	const size_t left = p->cols - first, cols = left < PANEL ? left : PANEL;
	const double *const from = p->b + first * p->b_col;
	if (p->b_col == 1 && (cols == PANEL || cols == WIDTH))
		return (struct panel){from, p->b_row, first, cols};
	for (size_t k = 0; cols < PANEL && k < p->inner; k++)
		memset(room + k * PANEL + cols, 0, (PANEL - cols) * sizeof *room);
	/* A line of the cache is read whole: columns a power of two apart displace each other's. */
	for (size_t k = 0; k < p->inner; k += LINE) {
		const size_t end = k + LINE < p->inner ? k + LINE : p->inner;
		for (size_t c = 0; c < cols; c++)
			for (size_t i = k; i < end; i++)
				room[i * PANEL + c] = from[i * p->b_row + c * p->b_col];
	}
	return (struct panel){room, PANEL, first, cols};
}

static inline vector scaled(const struct small_product *p, vector sum, vector old)
{
	return p->beta != 0 ? p->alpha * sum + p->beta * old : p->alpha * sum;
}

/* Copies fewer numbers than a vector has, in pieces whose sizes are constants. */
static inline void copy_some(double *to, const double *from, size_t n)
{
	size_t at = 0;
#pragma GCC unroll 4
	for (size_t piece = WIDTH / 2; piece > 0; piece /= 2)
		if (n & piece) {
			memcpy(to + at, from + at, piece * sizeof(double));
			at += piece;
		}
}

/* Sets n numbers of a row; `out` is not read if beta is 0. */
static inline void store(const struct small_product *p, double *out, vector sum, size_t n)
{
	vector old = {0};
	double part[WIDTH] = {0};
	if (n >= WIDTH) {
		if (p->beta != 0)
			memcpy(&old, out, sizeof old);
		sum = scaled(p, sum, old);
		memcpy(out, &sum, sizeof sum);
		return;
	}
	if (p->beta != 0)
		copy_some(part, out, n);
	memcpy(&old, part, sizeof old);
	sum = scaled(p, sum, old);
	memcpy(part, &sum, sizeof part);
	copy_some(out, part, n);
}

/* `rows` and `vectors` are constants where it is called, so that the sums are registers. */
INLINE tile(const struct small_product *p, const struct panel *b, size_t row, size_t rows,
	    size_t vectors)
{
	const double *const a = p->a + row * p->a_row, *x_at = b->at;
	const size_t a_row = p->a_row, a_col = p->a_col;
	vector sum[ROWS][VECTORS] = {0};
	for (size_t k = 0; k < p->inner; k++, x_at += b->stride) {
		vector x[VECTORS];
#pragma GCC unroll 2
		for (size_t v = 0; v < vectors; v++)
			memcpy(&x[v], x_at + v * WIDTH, sizeof(vector));
#pragma GCC unroll 8
		for (size_t r = 0; r < rows; r++) {
			const double y = a[r * a_row + k * a_col];
#pragma GCC unroll 2
			for (size_t v = 0; v < vectors; v++)
				sum[r][v] += y * x[v];
		}
	}
#pragma GCC unroll 8
	for (size_t r = 0; r < rows; r++) {
		double *const out = p->out + (row + r) * p->out_row + b->first;
#pragma GCC unroll 2
		for (size_t v = 0; v < vectors; v++) {
			const size_t at = v * WIDTH;
			store(p, out + at, sum[r][v], b->cols - at);
		}
	}
}

INLINE all_rows(const struct small_product *p, const struct panel *b, size_t vectors)
{
	size_t row = 0;
	for (; row + ROWS <= p->rows; row += ROWS)
		tile(p, b, row, ROWS, vectors);
	if (ROWS > 4 && row + 4 <= p->rows) {
		tile(p, b, row, 4, vectors);
		row += 4;
	}
	if (row + 2 <= p->rows) {
		tile(p, b, row, 2, vectors);
		row += 2;
	}
	if (row < p->rows)
		tile(p, b, row, 1, vectors);
}

void PRODUCT(const struct small_product *p);

void PRODUCT(const struct small_product *p)
{
	double room[SMALL_INNER * PANEL];
	for (size_t first = 0; first < p->cols; first += PANEL) {
		const struct panel b = panel_at(p, first, room);
		if (b.cols > WIDTH)
			all_rows(p, &b, 2);
		else
			all_rows(p, &b, 1);
	}
}
