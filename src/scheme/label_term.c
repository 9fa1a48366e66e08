/* label_term.c: see label_term.h. */
#include "scheme/label_term.h"

/* Returns whether there are few enough rows to multiply all of them. */
static bool is_small(const struct index *index)
{
	return index->count <= 2 * index->rows;
}

void label_term_query(struct head *head, const char *label, struct node *r, struct map map,
		      const struct index *index)
{
	struct tape *t = head->tape;
	struct node *q = head->q_raw;
	const double c = head_scale(head);
	if (is_small(index)) {
		struct node *all = tape_matmul(t, q, false, struct_tr_mapped(t, r, map), true, 1);
		head_add_indexed(head, label, TERM_UNIT_POSITION, all, index, GATHER_BY_ROW, c);
		return;
	}
	struct node *back = tape_matmul(t, q, false, map.w, true, c);
	struct node *term = tape_chosen_dots(t, back, NULL, r, index, 1);
	if (map.b)
		term = tape_accumulate(t, term, tape_matmul(t, q, false, map.b, true, c));
	head_add_term(head, label, TERM_UNIT_POSITION, term);
}

struct node *label_term_values(struct head *head, struct node *r, struct map map,
			       const struct index *index)
{
	struct tape *t = head->tape;
	if (is_small(index))
		return tape_matmul(t, tape_scatter(t, head->weights, index, false), false,
				   struct_tr_mapped(t, r, map), false, 1);
	struct node *mix = tape_chosen_mix(t, head->weights, r, index, 1);
	struct node *out = tape_matmul(t, mix, false, map.w, false, 1);
	if (!map.b)
		return out;
	struct node *sums = tape_row_sum(t, head->weights);
	return tape_accumulate(t, out, tape_matmul(t, sums, false, map.b, false, 1));
}
