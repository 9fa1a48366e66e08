/* compare.c: the distance between two matrices of the same shape: one number, and its location.
 *
 * Each kind of matrix has the distance that matters for attention: scores are measured from the
 * mean of their row, since softmax ignores it; weights are distributions, and half the sum of |a
 * − b| is the weight that has to move from some keys to others. */
#include <math.h>

#include "posviz/analysis/analysis.h"

static bool allows(const uint8_t *mask, size_t at)
{
	return !mask || mask[at];
}

static void check_shapes(struct mat a, struct mat b)
{
	BUG_IF(a.rows != b.rows || a.cols != b.cols);
}

static void count_cells(size_t n, const uint8_t *a, const uint8_t *b, struct apart *out)
{
	for (size_t i = 0; i < n; i++) {
		out->both += allows(a, i) && allows(b, i);
		out->one += allows(a, i) != allows(b, i);
	}
}

static void note_most(struct apart *out, double change, size_t row, size_t col)
{
	if (!(fabs(change) > out->most))
		return;
	out->most = fabs(change);
	out->row = row;
	out->col = col;
}

/* Returns the sum of the squares of a row's differences about their mean. */
static double row_squares(struct mat a, const uint8_t *mask_a, struct mat b, const uint8_t *mask_b,
			  size_t t, struct apart *out)
{
	double sum = 0, squares = 0;
	size_t n = 0;
	for (size_t s = 0; s < a.cols; s++) {
		if (!allows(mask_a, t * a.cols + s) || !allows(mask_b, t * a.cols + s))
			continue;
		const double change = mat_row(a, t)[s] - mat_row(b, t)[s];
		note_most(out, change, t, s);
		sum += change;
		n++;
	}
	for (size_t s = 0; s < a.cols && n > 0; s++) {
		if (!allows(mask_a, t * a.cols + s) || !allows(mask_b, t * a.cols + s))
			continue;
		const double off = mat_row(a, t)[s] - mat_row(b, t)[s] - sum / (double)n;
		squares += off * off;
	}
	return squares;
}

void apart_scores(struct mat a, const uint8_t *mask_a, struct mat b, const uint8_t *mask_b,
		  struct apart *out)
{
	check_shapes(a, b);
	*out = (struct apart){0};
	count_cells(a.rows * a.cols, mask_a, mask_b, out);
	double squares = 0;
	for (size_t t = 0; t < a.rows; t++)
		squares += row_squares(a, mask_a, b, mask_b, t, out);
	out->distance = out->both > 0 ? sqrt(squares / (double)out->both) : 0;
}

/* Computes half the sum of a row's |a − b| over the keys that both allow. If one matrix allows
 * more, each row is renormalised over the common keys: these are the weights of a softmax under
 * both masks. False: one matrix gives these keys no weight. */
static bool row_variation(struct mat a, const uint8_t *mask_a, struct mat b, const uint8_t *mask_b,
			  size_t t, struct apart *out, double *row)
{
	const double *const x = mat_row(a, t), *const y = mat_row(b, t);
	double of_a = 0, of_b = 0;
	bool differ = false;
	for (size_t s = 0; s < a.cols; s++) {
		const bool in_a = allows(mask_a, t * a.cols + s);
		const bool in_b = allows(mask_b, t * a.cols + s);
		differ |= in_a != in_b;
		of_a += in_a && in_b ? x[s] : 0;
		of_b += in_a && in_b ? y[s] : 0;
	}
	if (differ && !(of_a > 0 && of_b > 0))
		return false;
	*row = 0;
	for (size_t s = 0; s < a.cols; s++) {
		if (!allows(mask_a, t * a.cols + s) || !allows(mask_b, t * a.cols + s))
			continue;
		note_most(out, x[s] - y[s], t, s);
		*row += fabs(differ ? x[s] / of_a - y[s] / of_b : x[s] - y[s]) / 2;
	}
	return true;
}

void apart_weights(struct mat a, const uint8_t *mask_a, struct mat b, const uint8_t *mask_b,
		   struct apart *out)
{
	check_shapes(a, b);
	*out = (struct apart){0};
	count_cells(a.rows * a.cols, mask_a, mask_b, out);
	double sum = 0;
	size_t n = 0;
	for (size_t t = 0; t < a.rows; t++) {
		double row;
		if (!row_variation(a, mask_a, b, mask_b, t, out, &row))
			continue;
		sum += row;
		n++;
		if (row > out->most_of_row) {
			out->most_of_row = row;
			out->worst = t;
		}
	}
	out->distance = n > 0 ? sum / (double)n : 0;
}

void apart_masks(size_t rows, size_t cols, const uint8_t *a, const uint8_t *b, struct apart *out)
{
	*out = (struct apart){0};
	count_cells(rows * cols, a, b, out);
	out->distance = rows * cols > 0 ? (double)out->one / (double)(rows * cols) : 0;
}
