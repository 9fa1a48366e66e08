/* canvas_values.c: the values behind the cells of a heatmap: single values, or one for each block.
 *
 * The value of a block is its mean without masked values; a block with only masked values is
 * masked. A value that is not finite is an alarm, which no mean hides. Integers of a relation are
 * labels, which have no mean: the one in the middle of its block represents it, or the cursor's in
 * its own block.
 *
 * A matrix of more than MOST_SIDE rows or columns is added up in two steps: blocks whose side is a
 * power of two, kept in heatmap.sums as long as the values are unchanged, and the shown blocks as
 * whole multiples of these. So with kept sums no drawing reads more than MOST_SIDE² numbers, and a
 * picture is the same with and without them. */
#include <math.h>
#include <string.h>

#include "plot/canvas_map.h"

enum { MOST_SIDE = 512 };

struct total {
	double sum;
	size_t n;
	bool alarm;
};

size_t canvas_shown(size_t n, size_t block)
{
	return (n + block - 1) / block;
}

size_t canvas_sums_side(size_t rows, size_t cols)
{
	const size_t n = rows > cols ? rows : cols;
	size_t side = 1;
	while (canvas_shown(n, side) > MOST_SIDE)
		side *= 2;
	return side;
}

static const uint8_t *mask_row(const struct heatmap *h, size_t row)
{
	return h->masked != NULL ? h->masked + row * h->values.cols : NULL;
}

bool canvas_any_masked(const struct heatmap *h)
{
	if (h->masked == NULL || h->sums != NULL)
		return h->masked != NULL && h->sums->any_masked;
	const size_t n = h->values.rows * h->values.cols;
	size_t i = 0;
	while (i < n && h->masked[i] == HEATMAP_OPEN)
		i++;
	return i < n;
}

static void add(struct total *t, double x)
{
	const bool finite = isfinite(x);
	t->alarm = t->alarm || !finite;
	t->n += finite;
	t->sum += finite ? x : 0;
}

/* Adds x[0..n) except masked values. */
static void add_span(struct total *t, const double *x, const uint8_t *masked, size_t n)
{
	double sum = 0;
	for (size_t i = 0; masked == NULL && i < n; i++)
		sum += x[i];
	if (masked == NULL && isfinite(sum)) { /* then all values are finite */
		t->sum += sum;
		t->n += n;
		return;
	}
	for (size_t i = 0; i < n; i++)
		if (masked == NULL || !masked[i])
			add(t, x[i]);
}

/* Computes totals over blocks of `side` values, those of row i of blocks into t[cols]. */
static void total_row(const struct heatmap *h, size_t side, size_t i, struct total *t)
{
	const struct mat m = h->values;
	const size_t end = (i + 1) * side < m.rows ? (i + 1) * side : m.rows;
	memset(t, 0, canvas_shown(m.cols, side) * sizeof *t);
	for (size_t r = i * side; r < end; r++) {
		const double *const x = mat_row(m, r);
		const uint8_t *const masked = mask_row(h, r);
		for (size_t s = 0, j = 0; s < m.cols; s += side, j++)
			add_span(&t[j], x + s, masked != NULL ? masked + s : NULL,
				 s + side < m.cols ? side : m.cols - s);
	}
}

const struct heatmap_sums *canvas_sums(struct arena *a, const struct heatmap *h)
{
	const struct mat m = h->values;
	const size_t side = canvas_sums_side(m.rows, m.cols);
	if (side == 1)
		return NULL;
	const size_t rows = canvas_shown(m.rows, side), cols = canvas_shown(m.cols, side);
	struct heatmap_sums *const out = arena_calloc(a, 1, sizeof *out);
	double *const sum = arena_calloc(a, rows * cols, sizeof *sum);
	uint32_t *const count = arena_calloc(a, rows * cols, sizeof *count);
	*out = (struct heatmap_sums){side, rows, cols, sum, count, false};
	struct total *const t = arena_calloc(a, cols, sizeof *t);
	size_t counted = 0;
	for (size_t i = 0; i < rows; i++) {
		total_row(h, side, i, t);
		for (size_t j = 0; j < cols; j++) {
			sum[i * cols + j] = t[j].sum;
			count[i * cols + j] = t[j].alarm ? HEATMAP_ALARM : (uint32_t)t[j].n;
			counted += t[j].n;
		}
	}
	struct heatmap plain = *h;
	plain.sums = NULL;
	out->any_masked = counted < m.rows * m.cols && canvas_any_masked(&plain);
	return out;
}

/* Adds row i of the sums to the totals of blocks k sums wide. */
static void gather(const struct heatmap_sums *s, size_t i, size_t k, struct total *t)
{
	const double *const sum = s->sum + i * s->cols;
	const uint32_t *const count = s->count + i * s->cols;
	for (size_t j = 0; j < s->cols; j++) {
		const bool alarm = count[j] == HEATMAP_ALARM;
		struct total *const to = &t[j / k];
		to->sum += sum[j];
		to->n += alarm ? 0 : count[j];
		to->alarm = to->alarm || alarm;
	}
}

static struct value mean(struct total t)
{
	if (t.alarm)
		return (struct value){.mark = MARK_NAN};
	if (t.n == 0)
		return (struct value){.mark = MARK_MASKED, .mask = HEATMAP_MASKED};
	return (struct value){.mark = MARK_VALUE, .number = t.sum / (double)t.n};
}

static void fill_means(struct arena *a, const struct heatmap *h, size_t block, size_t rows,
		       size_t cols, struct value *out)
{
	const struct heatmap_sums *const sums = h->sums != NULL ? h->sums : canvas_sums(a, h);
	const size_t k = sums != NULL ? block / sums->side : block;
	struct total *const t = arena_calloc(a, cols, sizeof *t);
	for (size_t i = 0; i < rows; i++) {
		memset(t, 0, cols * sizeof *t);
		for (size_t r = i * k; sums != NULL && r < (i + 1) * k && r < sums->rows; r++)
			gather(sums, r, k, t);
		if (sums == NULL)
			total_row(h, block, i, t);
		for (size_t j = 0; j < cols; j++)
			out[i * cols + j] = mean(t[j]);
	}
}

double canvas_most_mean(struct arena *a, const struct heatmap *h, size_t across)
{
	const struct mat m = h->values;
	const size_t side = canvas_sums_side(m.rows, m.cols), n = m.rows > m.cols ? m.rows : m.cols;
	const size_t block = canvas_shown(canvas_shown(n, across), side) * side;
	const size_t rows = canvas_shown(m.rows, block), cols = canvas_shown(m.cols, block);
	struct value *const v = arena_calloc(a, rows * cols, sizeof *v);
	double most = 0;
	fill_means(a, h, block, rows, cols, v);
	for (size_t i = 0; i < rows * cols; i++)
		most = v[i].mark == MARK_VALUE ? fmax(most, fabs(v[i].number)) : most;
	return most;
}

static struct value single(const struct heatmap *h, size_t row, size_t col)
{
	const uint8_t *const masked = mask_row(h, row);
	const double x = mat_row(h->values, row)[col];
	struct total t = {0};
	if (masked != NULL && masked[col])
		return (struct value){.mark = MARK_MASKED, .mask = (enum heatmap_mask)masked[col]};
	add(&t, x);
	if (t.n > 0 && heatmap_name(h, x) != NULL)
		return (struct value){.mark = MARK_NAME, .number = x};
	return mean(t);
}

/* Returns the index that represents block i of the blocks that begin at `first`. */
static size_t chosen(size_t first, size_t i, size_t block, size_t n, bool has_cursor, size_t cursor)
{
	const size_t from = first + i * block;
	const size_t end = from + block < n ? from + block : n;
	return has_cursor && cursor >= from && cursor < end ? cursor : from + (end - 1 - from) / 2;
}

const struct value *canvas_values(struct arena *a, const struct heatmap *h,
				  const struct heatmap_view *v)
{
	const size_t rows = canvas_shown(v->rows, v->block), cols = canvas_shown(v->cols, v->block);
	struct value *const out = arena_calloc(a, rows * cols, sizeof *out);
	if (v->averaged && v->block > 1 && !h->integers) {
		fill_means(a, h, v->block, rows, cols, out);
		return out;
	}
	for (size_t i = 0; i < rows; i++) {
		const size_t row =
			chosen(v->first_row, i, v->block, h->values.rows, h->has_cursor, h->row);
		for (size_t j = 0; j < cols; j++)
			out[i * cols + j] = single(h, row,
						   chosen(v->first_col, j, v->block, h->values.cols,
							  h->has_cursor, h->col));
	}
	return out;
}
