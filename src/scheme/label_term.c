/* label_term.c: see label_term.h. */
#include "scheme/label_term.h"

#include "scheme/unroll.h"

/* Rows that pay for products with all of them. */
static bool is_small(const struct index *index)
{
	return index->count <= 2 * index->rows;
}

void label_term_query(struct head *head, const char *label, struct node *table,
		      const struct index *index)
{
	struct tape *t = head->tape;
	struct node *q = head->q_raw;
	const double c = head_scale(head);
	if (is_small(index)) {
		head_add_indexed(head, label, TERM_UNIT_POSITION,
				 tape_matmul(t, q, false, table, true, 1), index, GATHER_BY_ROW, c);
		return;
	}
	struct node *ones = tape_ones(t, index->cols, q->v.cols);
	struct node *term = tape_triple(t, q, ones, table, index);
	head_add_term(head, label, TERM_UNIT_POSITION, tape_scale(t, term, c));
}

/* ---- values ---------------------------------------------------------------------------------- */

struct row_values {
	const struct run *run;
	struct node *weights, *table;
	const struct index *index;
};

/* Row t: the weights of t times the rows it reads. */
static void add_row(struct tape *t, const void *context, size_t at,
		    struct node *state[UNROLL_STATES])
{
	const struct row_values *v = context;
	const size_t n = v->index->cols;
	struct node *rows = tape_gather_rows(t, v->table, v->index->at + at * n, n);
	state[0] = tape_matmul(t, tape_slice(t, v->weights, at, 1, 0, n), false, rows, false, 1);
}

static bool cancelled(const void *context)
{
	const struct row_values *v = context;
	return run_cancelled(v->run);
}

struct node *label_term_values(struct head *head, struct node *table, const struct index *index)
{
	struct tape *t = head->tape;
	if (is_small(index))
		return tape_matmul(t, tape_scatter(t, head->weights, index, false), false, table,
				   false, 1);
	const struct row_values v = {head->run, head->weights, table, index};
	struct node *start[UNROLL_STATES] = {tape_const(t, mat_zero(t->arena, 1, table->v.cols)),
					     NULL};
	return unroll(t, index->rows, table->v.cols, start, add_row, &v, cancelled);
}
