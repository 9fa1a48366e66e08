/* places.c: see places.h. A sentence is usually in order, and then nothing is copied. */
#include "scheme/places.h"

bool places_init(struct places *places, struct run *run, const struct member *m, size_t limit,
		 struct err *err)
{
	*places = (struct places){run_rows(run, m, limit, err), run->n, true};
	for (size_t t = 0; places->at && t < run->n; t++)
		places->in_order &= places->at[t] == (int32_t)t;
	return places->at != NULL;
}

static struct node *rows_of(struct tape *t, struct node *table, const struct places *places)
{
	return places->in_order ? tape_slice(t, table, 0, places->n, 0, table->v.cols)
				: tape_gather_rows(t, table, places->at, places->n);
}

struct node *places_cols(struct tape *t, struct node *table, const struct places *places)
{
	if (places->in_order)
		return tape_slice(t, table, 0, table->v.rows, 0, places->n);
	struct node *rows = tape_gather_rows(t, tape_transpose(t, table), places->at, places->n);
	return tape_transpose(t, rows);
}

struct node *places_pairs(struct tape *t, struct node *table, const struct places *places)
{
	return places_cols(t, rows_of(t, table, places), places);
}
