/* reading.c: see reading.h. */
#include "scheme/reading.h"

#include <stdlib.h>

struct placed {
	double position;
	int32_t row;
};

/* Equal positions keep the order of rows, so the order is the same on every machine. */
static int compare_placed(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;
	if (x->position < y->position || x->position > y->position)
		return x->position < y->position ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

static bool read_by(struct run *run, const double *at, bool backwards, struct reading *out)
{
	if (at == NULL)
		return false;
	const size_t n = run->n;
	struct placed *sorted = arena_alloc(run->arena, n * sizeof *sorted);
	int32_t *order = arena_alloc(run->arena, n * sizeof *order);
	int32_t *place = arena_alloc(run->arena, n * sizeof *place);
	for (size_t t = 0; t < n; t++)
		sorted[t] = (struct placed){at[t], (int32_t)t};
	qsort(sorted, n, sizeof *sorted, compare_placed);
	bool plain = true;
	for (size_t i = 0; i < n; i++) {
		order[i] = sorted[backwards ? n - 1 - i : i].row;
		place[order[i]] = (int32_t)i;
		plain &= order[i] == (int32_t)i;
	}
	*out = (struct reading){.n = n, .order = order, .place = place, .plain = plain};
	return true;
}

bool reading_of(struct run *run, const struct member *m, bool backwards, struct reading *out,
		struct err *err)
{
	return read_by(run, run_column(run, m, err), backwards, out);
}

bool reading_of_text(struct run *run, const struct member *m, bool backwards, struct reading *out,
		     struct err *err)
{
	return read_by(run, run_order(run, m, err), backwards, out);
}

struct node *reading_take(struct tape *t, const struct reading *r, struct node *x)
{
	return r->plain ? x : tape_gather_rows(t, x, r->order, r->n);
}

struct node *reading_put_back(struct tape *t, const struct reading *r, struct node *x)
{
	return r->plain ? x : tape_gather_rows(t, x, r->place, r->n);
}
