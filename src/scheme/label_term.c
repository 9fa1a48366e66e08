/* label_term.c: see label_term.h. */
#include "scheme/label_term.h"

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
	struct node *term = tape_chosen_dots(t, q, NULL, table, index, 1);
	head_add_term(head, label, TERM_UNIT_POSITION, tape_scale(t, term, c));
}

struct node *label_term_values(struct head *head, struct node *table, const struct index *index)
{
	struct tape *t = head->tape;
	if (!is_small(index))
		return tape_chosen_mix(t, head->weights, table, index, 1);
	return tape_matmul(t, tape_scatter(t, head->weights, index, false), false, table, false, 1);
}
