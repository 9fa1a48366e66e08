/* differences.c: see differences.h.
 *
 * If whole positions are close together the table has every difference from the least to the
 * greatest. Otherwise the differences are sorted: if positions are fractional there are still
 * few distinct ones. */
#include "scheme/differences.h"

#include "scheme/encoding.h"

#include <math.h>
#include <stdlib.h>

struct column_pairs {
	const double *position;
	bool absolute;
	struct mat at;
};

static double difference(const struct column_pairs *k, size_t t, size_t s)
{
	const double by = k->position[s] - k->position[t];
	return k->absolute ? fabs(by) : by;
}

/* ---- whole positions ---- */

static bool init_whole(struct differences *d, struct run *run, const struct member *m,
		       const struct encoding *e, struct err *err)
{
	d->at = mat_new(run->arena, encoding_rows(e), 1);
	for (size_t i = 0; i < d->at.rows; i++)
		d->at.at[i] = (double)(e->least + (long)i);
	d->index = encoding_index(run, m, e, err);
	return d->index != NULL;
}

/* ---- any positions ---- */

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

static long sorted_entry(const void *context, size_t t, size_t s)
{
	const struct column_pairs *k = context;
	const double by = difference(k, t, s);
	const double *found = bsearch(&by, k->at.at, k->at.rows, sizeof by, by_size);
	BUG_IF(!found);
	return found - k->at.at;
}

static void sort_differences(struct column_pairs *k, struct arena *a, size_t n)
{
	struct arena scratch;
	arena_init(&scratch);
	double *all = arena_alloc(&scratch, n * n * sizeof *all);
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++)
			all[t * n + s] = difference(k, t, s);
	qsort(all, n * n, sizeof *all, by_size);
	size_t count = 0;
	for (size_t i = 0; i < n * n; i++)
		if (count == 0 || all[i] > all[count - 1])
			all[count++] = all[i];
	k->at = mat_copy(a, mat_view(all, count, 1));
	arena_release(&scratch);
}

static bool init_sorted(struct differences *d, struct run *run, const struct member *m,
			struct column_pairs *k, const char *name, struct err *err)
{
	sort_differences(k, run->arena, run->n);
	d->at = k->at;
	d->index = run_index_places(run, m, name, k->at.rows, sorted_entry, k, err);
	return d->index != NULL;
}

static bool all_finite(const double *position, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isfinite(position[i]))
			return false;
	return true;
}

bool differences_init(struct differences *d, struct run *run, const struct member *m, bool absolute,
		      struct err *err)
{
	struct column_pairs k = {.position = run_column(run, m, err), .absolute = absolute};
	if (!k.position)
		return false;
	long lo, hi = 0;
	const bool whole = run_delta_range(run, m, &lo, &hi, NULL);
	/* If gaps are longer than the input, most of a table of all differences would never be
	 * read. */
	const struct encoding e = absolute ? encoding_apart(hi) : encoding_signed(false, hi);
	if (whole && (size_t)hi <= 4 * run->n)
		return init_whole(d, run, m, &e, err);
	if (!all_finite(k.position, run->n))
		return err_set(err, "%s needs finite positions in column %s", m->text, m->pos);
	return init_sorted(d, run, m, &k, "difference", err);
}

bool differences_of(struct differences *d, struct run *run, const struct member *m,
		    const double *position, const char *name, struct err *err)
{
	struct column_pairs k = {.position = position};
	return init_sorted(d, run, m, &k, name, err);
}

struct node *differences_row(struct tape *t, const struct differences *d)
{
	return tape_const(t, mat_view(d->at.at, 1, d->at.rows));
}

/* ---- networks ---- */

enum { BLOCK_ROWS = 2048 };

struct node *differences_apply(struct tape *t, struct mat x, size_t width,
			       struct node *(*network)(const void *context, struct tape *t,
						       struct node *x),
			       const void *context)
{
	if (t->recording || x.rows <= BLOCK_ROWS)
		return network(context, t, tape_const(t, x));
	const struct mat out = mat_new(t->arena, x.rows, width);
	for (size_t r = 0; r < x.rows; r += BLOCK_ROWS) {
		const struct arena_mark mark = arena_mark(t->arena);
		const size_t rows = x.rows - r < BLOCK_ROWS ? x.rows - r : BLOCK_ROWS;
		const struct node *y = network(context, t, tape_const(t, mat_rows(x, r, rows)));
		mat_set(mat_rows(out, r, rows), y->v);
		arena_rewind(t->arena, mark);
	}
	return tape_const(t, out);
}
