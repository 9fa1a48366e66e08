/* label_rows.c: see label_rows.h. */
#include "scheme/label_rows.h"

#include <string.h>

#include "posviz/math/machine.h"

/* The size of a piece, so that its data stays in the cache. */
enum { PIECE = 64 };

struct job {
	const struct label_rows *rows;
	size_t first, n;
	label_piece *make;
	const void *context;
	struct arena *scratch; /* [threads] */
	struct tape *counts;   /* [threads]; only their counts are used */
};

static void put_rows(const struct label_rows *rows, size_t first, struct mat made)
{
	if (!rows->place)
		mat_set(mat_rows(rows->all, first, made.rows), made);
	for (size_t i = 0; rows->place && i < made.rows; i++)
		memcpy(mat_row(rows->all, (size_t)rows->place[first + i]), mat_row(made, i),
		       made.cols * sizeof(double));
}

static void make_piece(void *context, size_t i, size_t worker)
{
	struct job *j = context;
	const size_t at = i * PIECE, n = j->n - at < PIECE ? j->n - at : PIECE;
	struct arena *scratch = &j->scratch[worker];
	struct tape own;
	if (run_cancelled(j->rows->run))
		return;
	tape_init(&own, scratch, false);
	const struct node *made = j->make(&own, j->context, j->first + at, n);
	put_rows(j->rows, j->first + at, made->v);
	tape_count_all(&j->counts[worker], &own);
	arena_clear(scratch);
}

static void make_pieces(struct job *j, struct arena *a)
{
	const size_t threads = machine_threads();
	j->scratch = arena_calloc(a, threads, sizeof *j->scratch);
	j->counts = arena_calloc(a, threads, sizeof *j->counts);
	for (size_t i = 0; i < threads; i++)
		arena_init(&j->scratch[i]);
	machine_parallel((j->n + PIECE - 1) / PIECE, make_piece, j);
	for (size_t i = 0; i < threads; i++) {
		arena_release(&j->scratch[i]);
		tape_count_all(j->rows->run->tape, &j->counts[i]);
	}
}

struct label_rows label_rows_begin(struct run *run, struct mat all)
{
	return (struct label_rows){.run = run, .all = all};
}

struct node *label_rows_add(struct label_rows *rows, size_t n, label_piece *make,
			    const void *context)
{
	struct tape *t = rows->run->tape;
	const size_t first = rows->filled;
	rows->filled += n;
	BUG_IF(t->recording && rows->n_parts == LABEL_ROWS_PARTS);
	if (t->recording)
		return rows->parts[rows->n_parts++] = make(t, context, first, n);
	struct job job = {.rows = rows, .first = first, .n = n, .make = make, .context = context};
	make_pieces(&job, rows->run->arena);
	return tape_const(t, mat_rows(rows->all, first, n));
}

static struct node *in_their_places(struct tape *t, struct node *made, const int32_t *place)
{
	const size_t n = made->v.rows;
	int32_t *from = arena_alloc(t->arena, n * sizeof *from);
	for (size_t i = 0; i < n; i++)
		from[place[i]] = (int32_t)i;
	return tape_gather_rows(t, made, from, n);
}

struct node *label_rows_end(struct label_rows *rows, struct err *err)
{
	struct tape *t = rows->run->tape;
	BUG_IF(rows->place && rows->n_parts > 1);
	if (t->recording && rows->place)
		return in_their_places(t, rows->parts[0], rows->place);
	if (t->recording)
		return tape_concat_rows(t, rows->parts, rows->n_parts);
	if (!run_cancelled(rows->run))
		return tape_const(t, rows->all);
	err_set(err, "cancelled");
	return NULL;
}
