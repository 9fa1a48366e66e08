/* tape_triple.c: the scalar product of three vectors, the third one chosen by an index.
 *
 *   out[t][s] = Σ_j a[t][j] b[s][j] table[index[t][s]][j]
 *
 * Written as products of matrices this would need a matrix of [rows · cols, width]; here nothing
 * is stored for an element. */
#include "posviz/math/rows.h"
#include "math/tape_op.h"
#include "math/vexp.h"

struct triple {
	struct mat a, b, table, out;
	const struct index *index;
};

/* Returns the table's row for (t, s); NULL for -1. */
static const double *table_row(const struct triple *k, size_t t, size_t s)
{
	const int32_t i = k->index->at[t * k->index->cols + s];
	if ((uint32_t)i + 1 > k->index->count)
		BUG("index %d outside of -1..%zu", (int)i, k->index->count - 1);
	return i < 0 ? NULL : mat_row(k->table, (size_t)i);
}

static void triple_rows(void *context, size_t first, size_t count)
{
	const struct triple *k = context;
	const struct vexp *sums = vexp_fitting();
	for (size_t t = first; t < first + count; t++) {
		const double *a = mat_row(k->a, t);
		for (size_t s = 0; s < k->out.cols; s++) {
			const double *z = table_row(k, t, s);
			mat_row(k->out, t)[s] =
				z ? sums->triple(a, mat_row(k->b, s), z, k->a.cols) : 0;
		}
	}
}

/* Copies a matrix with gaps: rows that are a power of two apart share few sets of the cache. */
static struct mat without_gaps(struct arena *a, struct mat m)
{
	return m.stride == m.cols ? m : mat_copy(a, m);
}

struct node *tape_triple(struct tape *t, struct node *a, struct node *b, struct node *table,
			 const struct index *index)
{
	const struct mat v = mat_new(t->arena, a->v.rows, b->v.rows);
	BUG_IF(a->v.cols != b->v.cols || a->v.cols != table->v.cols);
	BUG_IF(index->rows != v.rows || index->cols != v.cols || index->count != table->v.rows);
	struct triple k = {a->v, without_gaps(t->arena, b->v), without_gaps(t->arena, table->v), v,
			   index};
	rows_parallel(v.rows, rows_products(v.cols * a->v.cols), triple_rows, &k);
	const bool wants = tape_wants(a) || tape_wants(b) || tape_wants(table);
	struct node *n = tape_node_of_size(t, sizeof *n, OP_TRIPLE, v,
					   tape_size(v) * (double)a->v.cols, wants);
	if (n->wants) {
		n->in[0] = a;
		n->in[1] = b;
		n->in[2] = table;
		n->index = index;
	}
	return n;
}

/* to += by · x ∘ y */
static void add_product(double *to, double by, const double *x, const double *y, size_t n)
{
	for (size_t j = 0; j < n; j++)
		to[j] += by * x[j] * y[j];
}

/* da[t] += dy b[s] ∘ z, db[s] += dy a[t] ∘ z, dz += dy a[t] ∘ b[s] */
void tape_triple_back(struct node *n)
{
	const struct node *a = n->in[0], *b = n->in[1], *table = n->in[2];
	const struct triple k = {a->v, b->v, table->v, n->v, n->index};
	const size_t w = a->v.cols;
	for (size_t t = 0; t < n->v.rows; t++) {
		for (size_t s = 0; s < n->v.cols; s++) {
			const double *z = table_row(&k, t, s), dy = mat_row(n->g, t)[s];
			if (!z)
				continue;
			const double *x = mat_row(a->v, t), *y = mat_row(b->v, s);
			const size_t i = (size_t)n->index->at[t * n->v.cols + s];
			if (a->wants)
				add_product(mat_row(a->g, t), dy, y, z, w);
			if (b->wants)
				add_product(mat_row(b->g, s), dy, x, z, w);
			if (table->wants)
				add_product(mat_row(table->g, i), dy, x, y, w);
		}
	}
}
