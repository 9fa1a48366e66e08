/* tape_gather.c: reading tables through indices, and its transpose, adding into tables.
 *
 * Element (t, s) meets table entry [r][index[t][s]], where r is t, s or 0. Both directions run over
 * one row of the index at a time; `step` is how far the table advances from one s to the next: its
 * stride when r = s, otherwise nothing. When r = s neighbouring rows t read neighbouring entries
 * (relative positions do), so the work goes by tiles in which these are still in the cache. */
#include <math.h>
#include <string.h>

#include "posviz/math/rows.h"
#include "math/tape_op.h"

/* Tiles have few columns, because the table's rows are often a power of two apart and share a
 * set of the cache. */
enum { TILE_ROWS = 64, TILE_COLS = 8 };

/* A transfer between the table and a matrix of the index's shape. */
struct transfer {
	struct mat table, m;
	const struct index *index;
	enum gather how;
	double scale;
	bool add; /* when reading: add to the content of m */
};

/* The part of the index with rows t..t+rows-1 and columns s..s+cols-1. */
struct block {
	size_t t, rows, s, cols;
};

static void out_of_range(int32_t i, size_t count)
{
	BUG("index %d outside of -1..%zu", (int)i, count - 1);
}

/* table_at returns the table's entry for (t, s) = (t, 0), table_step the distance to the entry
 * for s + 1. */
static double *table_at(const struct transfer *k, size_t t)
{
	return k->how == GATHER_BY_ROW ? mat_row(k->table, t) : k->table.at;
}

static size_t table_step(const struct transfer *k)
{
	return k->how == GATHER_BY_COL ? k->table.stride : 0;
}

/* Returns entry i of the table, or 0 for -1. */
static inline double entry_or_zero(const double *table, int32_t i)
{
	const uint64_t some = ~(uint64_t)((int64_t)i >> 63); /* all ones, or 0 for -1 */
	return tape_mask(some, table[(uint64_t)i & some]);
}

/* Returns whether an index is -1. An index outside of -1..count-1 is a bug. */
static bool has_missing(const int32_t *index, size_t n, size_t count)
{
	int32_t least = 0, most = 0;
#pragma omp simd reduction(min : least) reduction(max : most)
	for (size_t i = 0; i < n; i++) {
		least = index[i] < least ? index[i] : least;
		most = index[i] > most ? index[i] : most;
	}
	if (least < -1 || (size_t)most >= count)
		out_of_range(least < -1 ? least : most, count);
	return least < 0;
}

/* Reads for the rows and columns of a block: m [+]= scale · table[index]. */
static inline void read_block_as(const struct transfer *k, struct block b, bool add)
{
	const struct index *x = k->index;
	const size_t step = table_step(k);
	const double scale = k->scale;
	for (size_t t = b.t; t < b.t + b.rows; t++) {
		const double *restrict table = table_at(k, t) + b.s * step;
		const int32_t *restrict index = x->at + t * x->cols + b.s;
		double *restrict out = mat_row(k->m, t) + b.s;
		if (has_missing(index, b.cols, x->count)) {
			for (size_t u = 0; u < b.cols; u++) {
				const double value =
					scale * entry_or_zero(table + u * step, index[u]);
				out[u] = add ? out[u] + value : value;
			}
		} else {
			for (size_t u = 0; u < b.cols; u++) {
				const double value = scale * table[u * step + (size_t)index[u]];
				out[u] = add ? out[u] + value : value;
			}
		}
	}
}

static void read_block(const struct transfer *k, struct block b)
{
	if (k->add)
		read_block_as(k, b, true);
	else
		read_block_as(k, b, false);
}

/* table[index] += scale · m */
static void write_block(const struct transfer *k, struct block b)
{
	const struct index *x = k->index;
	const size_t step = table_step(k);
	for (size_t t = b.t; t < b.t + b.rows; t++) {
		double *table = table_at(k, t) + b.s * step;
		const int32_t *index = x->at + t * x->cols + b.s;
		const double *from = mat_row(k->m, t) + b.s;
		for (size_t u = 0; u < b.cols; u++) {
			const int32_t i = index[u];
			if ((uint32_t)i + 1 > x->count)
				out_of_range(i, x->count);
			if (i >= 0)
				table[u * step + (size_t)i] += k->scale * from[u];
		}
	}
}

static size_t min_size(size_t n, size_t most)
{
	return n < most ? n : most;
}

/* Does the work for a block of the index, cut into tiles where that helps the cache. */
static void each_tile(const struct transfer *k, struct block all,
		      void (*work)(const struct transfer *, struct block))
{
	if (k->how != GATHER_BY_COL) {
		work(k, all);
		return;
	}
	for (size_t t = 0; t < all.rows; t += TILE_ROWS)
		for (size_t s = 0; s < all.cols; s += TILE_COLS)
			work(k, (struct block){all.t + t, min_size(all.rows - t, TILE_ROWS),
					       all.s + s, min_size(all.cols - s, TILE_COLS)});
}

static void check_transfer(const struct transfer *k)
{
	const struct index *x = k->index;
	const size_t rows = k->how == GATHER_BY_ROW   ? x->rows
			    : k->how == GATHER_BY_COL ? x->cols
						      : 1;
	if (k->table.rows != rows || k->table.cols != x->count || x->count == 0 ||
	    k->m.rows != x->rows || k->m.cols != x->cols)
		BUG("table %zu x %zu, index %zu x %zu into %zu, matrix %zu x %zu", k->table.rows,
		    k->table.cols, x->rows, x->cols, x->count, k->m.rows, k->m.cols);
}

static void read_rows(void *context, size_t first, size_t count)
{
	const struct transfer *k = context;
	each_tile(k, (struct block){first, count, 0, k->index->cols}, read_block);
}

/* m [+]= scale · table[index] */
static void read_table(struct transfer k)
{
	check_transfer(&k);
	rows_parallel(k.index->rows, k.index->cols, read_rows, &k);
}

static void write_rows(void *context, size_t first, size_t count)
{
	const struct transfer *k = context;
	each_tile(k, (struct block){first, count, 0, k->index->cols}, write_block);
}

static void write_cols(void *context, size_t first, size_t count)
{
	const struct transfer *k = context;
	each_tile(k, (struct block){0, k->index->rows, first, count}, write_block);
}

/* table[index] += scale · m. Threads share the table's rows; each row belongs to one thread. */
static void write_table(struct transfer k)
{
	check_transfer(&k);
	if (k.how == GATHER_BY_ROW)
		rows_parallel(k.index->rows, k.index->cols, write_rows, &k);
	else if (k.how == GATHER_BY_COL)
		rows_parallel(k.index->cols, k.index->rows, write_cols, &k);
	else
		write_rows(&k, 0, k.index->rows);
}

/* out[t][s] = table[r][index[t][s]] */
struct node *tape_gather(struct tape *t, struct node *table, const struct index *index,
			 enum gather how)
{
	const struct mat v = mat_new(t->arena, index->rows, index->cols);
	read_table((struct transfer){table->v, v, index, how, 1, false});
	struct node *n = tape_node(t, OP_GATHER, v, tape_size(v), table, NULL);
	if (n->wants) {
		n->p[0] = how;
		n->index = index;
	}
	return n;
}

void tape_gather_back(struct node *n)
{
	const enum gather how = (enum gather)n->p[0];
	write_table((struct transfer){n->in[0]->g, n->g, n->index, how, 1, true});
}

struct node *tape_accumulate_gather(struct tape *t, struct node *acc, struct node *table,
				    const struct index *index, enum gather how, double scale)
{
	if (t->recording) {
		struct node *bias = tape_gather(t, table, index, how);
		return tape_add(t, acc, scale == 1 ? bias : tape_scale(t, bias, scale));
	}
	read_table((struct transfer){table->v, acc->v, index, how, scale, true});
	tape_count(t, OP_GATHER, tape_size(acc->v));
	t->multiply_adds += tape_size(acc->v);
	return acc;
}

/* out[r][i] = sum of a[t][s] over index[t][s] == i, where r = t, or s when transposed */
struct node *tape_scatter(struct tape *t, struct node *a, const struct index *index,
			  bool transposed)
{
	const enum gather how = transposed ? GATHER_BY_COL : GATHER_BY_ROW;
	const size_t rows = transposed ? index->cols : index->rows;
	const struct mat v = mat_zero(t->arena, rows, index->count);
	write_table((struct transfer){v, a->v, index, how, 1, true});
	struct node *n = tape_node(t, OP_SCATTER, v, tape_size(a->v), a, NULL);
	if (n->wants) {
		n->p[0] = how;
		n->index = index;
	}
	return n;
}

void tape_scatter_back(struct node *n)
{
	const enum gather how = (enum gather)n->p[0];
	read_table((struct transfer){n->g, n->in[0]->g, n->index, how, 1, true});
}

static const struct index *keep_rows(struct arena *a, const int32_t *rows, size_t n, size_t count)
{
	struct index *index = arena_calloc(a, 1, sizeof(*index));
	int32_t *copy = arena_calloc(a, n ? n : 1, sizeof(*copy));
	if (n)
		memcpy(copy, rows, n * sizeof(*copy));
	*index = (struct index){1, n, count, copy};
	return index;
}

/* table [count,c], rows [n] -> [n,c] */
struct node *tape_gather_rows(struct tape *t, struct node *table, const int32_t *rows, size_t n)
{
	const struct mat v = mat_new(t->arena, n, table->v.cols);
	for (size_t i = 0; i < n; i++) {
		BUG_IF(rows[i] < 0 || (size_t)rows[i] >= table->v.rows);
		mat_set(mat_rows(v, i, 1), mat_rows(table->v, (size_t)rows[i], 1));
	}
	struct node *node = tape_node(t, OP_GATHER_ROWS, v, tape_size(v), table, NULL);
	if (node->wants)
		node->index = keep_rows(t->arena, rows, n, table->v.rows);
	return node;
}

void tape_gather_rows_back(struct node *n)
{
	for (size_t i = 0; i < n->v.rows; i++)
		tape_add_to(mat_rows(n->in[0]->g, (size_t)n->index->at[i], 1), mat_rows(n->g, i, 1),
			    1);
}

/* The two columns around a real position and the weights for interpolation; both columns are the
 * last one if the position is there. */
struct between {
	size_t left, right;
	double weight; /* weight of the right column */
	bool clamped;  /* the position was outside, so the result does not depend on it */
};

static struct between between(double position, size_t cols)
{
	const double last = (double)(cols - 1);
	const double p = position > 0 ? position < last ? position : last : 0;
	const size_t left = (size_t)p;
	return (struct between){left, left + 1 < cols ? left + 1 : left, p - (double)left,
				position < 0 || position > last};
}

/* out[t][s] = (1 - w) table[t][left] + w table[t][right] */
struct node *tape_gather_interp(struct tape *t, struct node *table, struct node *position)
{
	const struct mat x = position->v;
	BUG_IF(table->v.rows != x.rows || table->v.cols == 0);
	const struct mat v = mat_new(t->arena, x.rows, x.cols);
	for (size_t r = 0; r < x.rows; r++) {
		const double *from = mat_row(table->v, r), *p = mat_row(x, r);
		for (size_t c = 0; c < x.cols; c++) {
			const struct between b = between(p[c], table->v.cols);
			const double value =
				from[b.left] + b.weight * (from[b.right] - from[b.left]);
			mat_row(v, r)[c] = isnan(p[c]) ? NAN : value;
		}
	}
	return tape_node(t, OP_GATHER_INTERP, v, tape_size(v), table, position);
}

/* dtable[left] += (1 - w) dy, dtable[right] += w dy, dp = (table[right] - table[left]) dy */
void tape_gather_interp_back(struct node *n)
{
	const struct node *table = n->in[0], *position = n->in[1];
	for (size_t r = 0; r < n->v.rows; r++) {
		const double *from = mat_row(table->v, r), *g = mat_row(n->g, r);
		for (size_t c = 0; c < n->v.cols; c++) {
			const struct between b = between(mat_row(position->v, r)[c], table->v.cols);
			if (table->wants) {
				mat_row(table->g, r)[b.left] += (1 - b.weight) * g[c];
				mat_row(table->g, r)[b.right] += b.weight * g[c];
			}
			if (position->wants && !b.clamped)
				mat_row(position->g, r)[c] += (from[b.right] - from[b.left]) * g[c];
		}
	}
}
