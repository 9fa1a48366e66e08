/* broken_line.c: see broken_line.h. */
#include "scheme/broken_line.h"

#include <math.h>
#include <stdlib.h>

struct node *broken_line_network(const void *context, struct tape *t, struct node *x)
{
	const struct broken_line *f = context;
	struct node *hidden = tape_matmul(t, x, false, f->w1, false, 1);
	hidden = tape_relu(t, tape_accumulate(t, hidden, f->b1));
	struct node *out = tape_matmul(t, hidden, false, f->w2, false, 1);
	return tape_accumulate(t, out, f->b2);
}

struct corners {
	double at[BROKEN_LINE_CORNERS]; /* ascending */
	size_t n;
};

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

/* Finds the zeros of the hidden numbers: w1 x + b1 = 0. */
static struct corners find_corners(const struct broken_line *f)
{
	struct corners c = {.n = 0};
	const double *w1 = f->w1->v.at, *b1 = f->b1->v.at;
	for (size_t k = 0; k < f->w1->v.cols; k++) {
		const double at = -b1[k] / w1[k];
		if (isfinite(at))
			c.at[c.n++] = at;
	}
	qsort(c.at, c.n, sizeof *c.at, by_size);
	return c;
}

/* Returns how many corners are below x. */
static size_t piece_of(const struct corners *c, double x)
{
	const double *base = c->at;
	size_t n = c->n;
	while (n > 0) {
		const size_t half = n / 2;
		const bool right = base[half] < x;
		base = right ? base + half + 1 : base;
		n = right ? n - half - 1 : half;
	}
	return (size_t)(base - c->at);
}

static double middle(const struct corners *c, size_t piece)
{
	if (c->n == 0)
		return 0;
	if (piece == 0)
		return c->at[0] - 1 - fabs(c->at[0]);
	if (piece == c->n)
		return c->at[c->n - 1] + 1 + fabs(c->at[c->n - 1]);
	return c->at[piece - 1] / 2 + c->at[piece] / 2;
}

/* Computes slope and height of every piece, from the hidden numbers that are positive there. */
static void prepare_pieces(struct run *run, struct broken_line *f, const struct corners *c)
{
	struct tape *t = run->tape;
	const size_t width = f->w1->v.cols;
	const struct mat works = mat_zero(run->arena, c->n + 1, width);
	for (size_t i = 0; i <= c->n; i++)
		for (size_t k = 0; k < width; k++)
			mat_row(works, i)[k] = f->w1->v.at[k] * middle(c, i) + f->b1->v.at[k] > 0;
	struct node *on = tape_const(t, works);
	struct node *slope = tape_matmul(t, tape_mul(t, on, f->w1), false, f->w2, false, 1);
	struct node *height = tape_matmul(t, tape_mul(t, on, f->b1), false, f->w2, false, 1);
	f->slope = tape_transpose(t, slope);
	f->height = tape_transpose(t, tape_add(t, height, f->b2));
}

static void find_pieces(struct run *run, struct broken_line *f, const struct corners *c)
{
	const size_t n = run->n;
	int32_t *at = arena_alloc(run->arena, n * n * sizeof *at);
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++)
			at[t * n + s] = (int32_t)piece_of(c, mat_row(f->x->v, t)[s]);
	f->piece = arena_alloc(run->arena, sizeof *f->piece);
	*f->piece = (struct index){.rows = n, .cols = n, .count = c->n + 1, .at = at};
	run->tape->operations += (double)(n * n) * (1 + log2(1 + (double)c->n));
}

void broken_line_read(struct run *run, struct broken_line *f, struct node *x)
{
	f->x = x;
	const struct corners corners = find_corners(f);
	prepare_pieces(run, f, &corners);
	find_pieces(run, f, &corners);
}

struct node *broken_line_of(struct head *head, const struct broken_line *f)
{
	struct tape *t = head->tape;
	const size_t pieces = f->piece->count;
	struct node *slope = tape_slice(t, f->slope, head->index, 1, 0, pieces);
	struct node *height = tape_slice(t, f->height, head->index, 1, 0, pieces);
	struct node *out = tape_mul(t, tape_gather(t, slope, f->piece, GATHER_SHARED), f->x);
	return tape_accumulate_gather(t, out, height, f->piece, GATHER_SHARED, 1);
}
