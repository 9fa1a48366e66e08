/* reading.c: see reading.h. */
#include "scheme/reading.h"

#include <stdlib.h>
#include <string.h>

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

/* ---- sums over the keys ---------------------------------------------------------------------- */

const int32_t *reading_shared(struct run *run, const struct reading *r, const double *position,
			      bool last)
{
	int32_t *out = arena_alloc(run->arena, r->n * sizeof *out);
	for (size_t k = 0; k < r->n; k++) {
		const size_t i = last ? r->n - 1 - k : k;
		const int32_t unit = r->order[i];
		const int32_t before = k > 0 ? r->order[last ? i + 1 : i - 1] : unit;
		const bool shares = k > 0 && !(position[unit] < position[before]) &&
				    !(position[unit] > position[before]);
		out[unit] = shares ? out[before] : (int32_t)i;
	}
	return out;
}

static long column_of(const void *columns, size_t t, size_t s)
{
	(void)t;
	return ((const int32_t *)columns)[s];
}

bool reading_sums_init(struct reading_sums *sums, struct run *run, const struct member *m,
		       bool shared, struct err *err)
{
	struct reading r;
	if (!reading_of_text(run, m, false, &r, err))
		return false;
	const int32_t *place =
		shared ? reading_shared(run, &r, run_order(run, m, err), false) : r.place;
	if (r.plain && memcmp(place, r.place, r.n * sizeof *place) == 0)
		return true;
	sums->sort = run_index_places(run, m, "sort", r.n, column_of, r.order, err);
	sums->rank = run_index_places(run, m, "rank", r.n, column_of, place, err);
	return sums->sort != NULL && sums->rank != NULL;
}

struct node *reading_sum_from(struct head *head, const struct reading_sums *sums, struct node *x)
{
	struct tape *const t = head->tape;
	if (sums->sort == NULL)
		return tape_suffix_sum(t, x);
	const struct index *const sort = head_rows_of_index(head, sums->sort);
	const struct index *const rank = head_rows_of_index(head, sums->rank);
	struct node *sorted = tape_gather(t, x, sort, GATHER_BY_ROW);
	return tape_gather(t, tape_suffix_sum(t, sorted), rank, GATHER_BY_ROW);
}
