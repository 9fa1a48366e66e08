/* tape_chosen.c: attention over rows that an index chooses: scores of a row with its chosen rows,
 * and their weighted sum.
 *
 *   dots  out[t][p,s] = Σ_{j in p} a[t][j] table[index[t][s]][j]
 *   mix   out[t][j]   = Σ_s a[t][p,s] table[index[t][s]][j],  j in p
 *
 * The columns are divided into `parts` equal parts, the heads, each with its own scores. Each of
 * the two operators appears in the gradient of the other, and the chosen rows are read in place,
 * without a copy. */
#include "posviz/math/rows.h"
#include "math/tape_op.h"
#include "math/vexp.h"

struct chosen {
	struct mat wide;   /* a of dots, or the result of mix: [rows, parts · w] */
	struct mat scores; /* [rows, parts · chosen] */
	struct mat table;
	const struct index *index;
	const int32_t *row; /* the row of `wide` for each row of the index; NULL: the same row */
	size_t parts;
};

/* Returns the table's row for (t, s); NULL for -1. */
static double *chosen_row(const struct chosen *k, struct mat table, size_t t, size_t s)
{
	const int32_t i = k->index->at[t * k->index->cols + s];
	if ((uint32_t)i + 1 > k->index->count)
		BUG("index %d outside of -1..%zu", (int)i, k->index->count - 1);
	return i < 0 ? NULL : mat_row(table, (size_t)i);
}

static double *wide_row(const struct chosen *k, size_t t)
{
	return mat_row(k->wide, k->row ? (size_t)k->row[t] : t);
}

static size_t part_width(const struct chosen *k)
{
	return k->wide.cols / k->parts;
}

/* scores[t][p,s] += wide[t]·table[index[t][s]] in each part */
static void add_dots(void *context, size_t first, size_t count)
{
	const struct chosen *k = context;
	const size_t m = k->index->cols, w = part_width(k);
	const struct vexp *rows = vexp_fitting();
	for (size_t t = first; t < first + count; t++) {
		const double *x = wide_row(k, t);
		double *out = mat_row(k->scores, t);
		for (size_t s = 0; s < m; s++) {
			const double *y = chosen_row(k, k->table, t, s);
			for (size_t p = 0; y && p < k->parts; p++)
				out[p * m + s] += rows->dot(x + p * w, y + p * w, w);
		}
	}
}

/* wide[t] += Σ_s scores[t][p,s] table[index[t][s]] in each part */
static void add_mix(void *context, size_t first, size_t count)
{
	const struct chosen *k = context;
	const size_t m = k->index->cols, w = part_width(k);
	const struct vexp *rows = vexp_fitting();
	for (size_t t = first; t < first + count; t++) {
		const double *by = mat_row(k->scores, t);
		double *out = wide_row(k, t);
		for (size_t s = 0; s < m; s++) {
			const double *y = chosen_row(k, k->table, t, s);
			for (size_t p = 0; y && p < k->parts; p++)
				rows->add_row(out + p * w, by[p * m + s], y + p * w, w);
		}
	}
}

/* to[index[t][s]] += scores[t][p,s] wide[t] in each part; sequential, because several (t, s) may
 * add to the same row. */
static void add_back(const struct chosen *k, struct mat to)
{
	const size_t m = k->index->cols, w = part_width(k);
	const struct vexp *rows = vexp_fitting();
	for (size_t t = 0; t < k->index->rows; t++)
		for (size_t s = 0; s < m; s++) {
			double *y = chosen_row(k, to, t, s);
			for (size_t p = 0; y && p < k->parts; p++)
				rows->add_row(y + p * w, mat_row(k->scores, t)[p * m + s],
					      wide_row(k, t) + p * w, w);
		}
}

static void check(const struct chosen *k)
{
	BUG_IF(k->parts == 0 || k->wide.cols % k->parts || k->table.cols != k->wide.cols);
	BUG_IF(k->index->count != k->table.rows || k->scores.rows != k->index->rows);
	BUG_IF(k->scores.cols != k->parts * k->index->cols);
	for (size_t t = 0; k->row && t < k->index->rows; t++)
		BUG_IF(k->row[t] < 0 || (size_t)k->row[t] >= k->wide.rows);
}

/* The data of a node besides its operands. */
struct chosen_node {
	struct node node;
	const int32_t *row;
	size_t parts;
};

static struct node *chosen_node(struct tape *t, enum op op, struct mat v, const struct chosen *k,
				struct node *a, struct node *table)
{
	const double handled = tape_size(k->scores) * (double)part_width(k);
	const bool wants = tape_wants(a) || tape_wants(table);
	struct chosen_node *n =
		(void *)tape_node_of_size(t, sizeof(struct chosen_node), op, v, handled, wants);
	if (n->node.wants) {
		n->node.in[0] = a;
		n->node.in[1] = table;
		n->node.index = k->index;
		n->row = k->row;
		n->parts = k->parts;
	}
	return &n->node;
}

struct node *tape_chosen_dots(struct tape *t, struct node *a, const int32_t *row,
			      struct node *table, const struct index *index, size_t parts)
{
	struct chosen k = {a->v,     mat_zero(t->arena, index->rows, parts * index->cols),
			   table->v, index,
			   row,	     parts};
	check(&k);
	rows_parallel(index->rows, rows_products(index->cols * a->v.cols), add_dots, &k);
	return chosen_node(t, OP_CHOSEN_DOTS, k.scores, &k, a, table);
}

void tape_chosen_dots_back(struct node *n)
{
	const struct chosen_node *own = (const void *)n;
	const struct node *a = n->in[0], *table = n->in[1];
	struct chosen k = {a->g, n->g, table->v, n->index, own->row, own->parts};
	if (a->wants)
		add_mix(&k, 0, n->index->rows);
	k.wide = a->v;
	if (table->wants)
		add_back(&k, table->g);
}

struct node *tape_chosen_mix(struct tape *t, struct node *a, struct node *table,
			     const struct index *index, size_t parts)
{
	struct chosen k = {
		mat_zero(t->arena, index->rows, table->v.cols), a->v, table->v, index, NULL, parts};
	check(&k);
	rows_parallel(index->rows, rows_products(index->cols * table->v.cols), add_mix, &k);
	return chosen_node(t, OP_CHOSEN_MIX, k.wide, &k, a, table);
}

void tape_chosen_mix_back(struct node *n)
{
	const struct chosen_node *own = (const void *)n;
	const struct node *a = n->in[0], *table = n->in[1];
	struct chosen k = {n->g, a->g, table->v, n->index, NULL, own->parts};
	if (a->wants)
		add_dots(&k, 0, n->index->rows);
	k.scores = a->v;
	if (table->wants)
		add_back(&k, table->g);
}
