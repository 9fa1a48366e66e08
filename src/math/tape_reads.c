/* tape_reads.c: the rows and columns of a recorded leaf that affect chosen results, found by a walk
 * from the results back to the leaf.
 *
 * An area is a set of rows times a set of columns. Look-ups, slices, transposes, products and
 * elementwise functions pass areas on exactly; every other operator counts as reading its
 * operands whole. So an area may be too large, but never too small. */
#include <stdlib.h>
#include <string.h>

#include "math/tape_op.h"

struct area {
	const struct node *of;
	bool *rows, *cols; /* NULL: nothing of it is read */
};

struct walk {
	struct arena *a;
	struct area *areas; /* sorted by the address of the node */
	size_t n;
};

static int by_address(const void *x, const void *y)
{
	const uintptr_t a = (uintptr_t)((const struct area *)x)->of;
	const uintptr_t b = (uintptr_t)((const struct area *)y)->of;
	return (a > b) - (a < b);
}

/* Returns the node's area, with arrays to mark; NULL: the node is not recorded. */
static struct area *area_of(const struct walk *w, const struct node *node)
{
	const struct area key = {.of = node};
	struct area *const out =
		node ? bsearch(&key, w->areas, w->n, sizeof *w->areas, by_address) : NULL;
	if (out && !out->rows) {
		out->rows = arena_calloc(w->a, node->v.rows + 1, sizeof *out->rows);
		out->cols = arena_calloc(w->a, node->v.cols + 1, sizeof *out->cols);
	}
	return out;
}

/* Marks the rows (or columns) of an operand for those of the result; an operand with a single
 * one is read by all. */
static void mark_side(bool *to, size_t to_n, const bool *from, size_t from_n)
{
	if (!from || (to_n != from_n && to_n != 1)) {
		for (size_t i = 0; i < to_n; i++)
			to[i] = true;
		return;
	}
	for (size_t i = 0; i < from_n; i++)
		to[to_n == from_n ? i : 0] |= from[i];
}

/* Marks an area of a node. `rows` and `cols` belong to a matrix of this shape; NULL: all. */
static void mark(const struct walk *w, const struct node *to, struct mat shape, const bool *rows,
		 const bool *cols)
{
	struct area *const area = area_of(w, to);
	if (!area)
		return;
	mark_side(area->rows, to->v.rows, rows, shape.rows);
	mark_side(area->cols, to->v.cols, cols, shape.cols);
}

static void mark_whole(const struct walk *w, const struct node *to)
{
	if (to)
		mark(w, to, to->v, NULL, NULL);
}

static void walk_product(const struct walk *w, const struct node *n, const struct area *of)
{
	const struct node *const a = n->in[0], *const b = n->in[1];
	const bool ta = n->p[1] != 0, tb = n->p[2] != 0;
	mark(w, a,
	     ta ? (struct mat){.rows = a->v.rows, .cols = n->v.rows}
		: (struct mat){.rows = n->v.rows, .cols = a->v.cols},
	     ta ? NULL : of->rows, ta ? of->rows : NULL);
	mark(w, b,
	     tb ? (struct mat){.rows = n->v.cols, .cols = b->v.cols}
		: (struct mat){.rows = b->v.rows, .cols = n->v.cols},
	     tb ? of->cols : NULL, tb ? NULL : of->cols);
}

static void walk_gather_rows(const struct walk *w, const struct node *n, const struct area *of)
{
	struct area *const to = area_of(w, n->in[0]);
	for (size_t i = 0; i < n->v.rows; i++)
		to->rows[n->index->at[i]] |= of->rows[i];
	mark_side(to->cols, n->v.cols, of->cols, n->v.cols);
}

static void walk_gather(const struct walk *w, const struct node *n, const struct area *of)
{
	struct area *const to = area_of(w, n->in[0]);
	const enum gather how = (enum gather)n->p[0];
	for (size_t t = 0; t < n->v.rows; t++)
		for (size_t s = 0; s < n->v.cols && of->rows[t]; s++) {
			const int32_t i = n->index->at[t * n->v.cols + s];
			if (!of->cols[s] || i < 0)
				continue;
			to->cols[i] = true;
			to->rows[how == GATHER_BY_ROW ? t : how == GATHER_BY_COL ? s : 0] = true;
		}
}

static void walk_slice(const struct walk *w, const struct node *n, const struct area *of)
{
	struct area *const to = area_of(w, n->in[0]);
	mark_side(to->rows + (size_t)n->p[0], n->v.rows, of->rows, n->v.rows);
	mark_side(to->cols + (size_t)n->p[1], n->v.cols, of->cols, n->v.cols);
}

/* Marks the taps of the kernel that meet a row that is read: tap j is rows j·in.. and meets row
 * t + j - (width - 1)/2. */
static void walk_conv1d(const struct walk *w, const struct node *n, const struct area *of)
{
	const struct node *const a = n->in[0];
	struct area *const kernel = area_of(w, n->in[1]);
	const size_t in = a->v.cols, width = n->in[1]->v.rows / in, before = (width - 1) / 2;
	mark_whole(w, a);
	for (size_t j = 0; kernel && j < width; j++)
		for (size_t t = 0; t < n->v.rows; t++)
			if (of->rows[t] && t + j >= before && t + j - before < a->v.rows)
				mark_side(kernel->rows + j * in, in, NULL, 0);
	if (kernel)
		mark_side(kernel->cols, n->v.cols, of->cols, n->v.cols);
}

static void walk_concat(const struct walk *w, const struct node *n, const struct area *of)
{
	size_t parts, at = 0;
	struct node *const *const part = tape_concat_parts(n, &parts);
	const bool cols = n->op == OP_CONCAT_COLS;
	for (size_t i = 0; i < parts; i++) {
		mark(w, part[i], part[i]->v, cols ? of->rows : of->rows + at,
		     cols ? of->cols + at : of->cols);
		at += cols ? part[i]->v.cols : part[i]->v.rows;
	}
}

static bool is_read(const struct area *of, const struct node *n)
{
	bool rows = false, cols = false;
	for (size_t i = 0; of->rows && i < n->v.rows; i++)
		rows |= of->rows[i];
	for (size_t i = 0; of->rows && i < n->v.cols; i++)
		cols |= of->cols[i];
	return rows && cols;
}

static void walk_node(const struct walk *w, const struct node *n, const struct area *of)
{
	switch (n->op) {
	case OP_MATMUL:
		walk_product(w, n, of);
		return;
	case OP_GATHER_ROWS:
		walk_gather_rows(w, n, of);
		return;
	case OP_GATHER:
		walk_gather(w, n, of);
		return;
	case OP_SLICE:
		walk_slice(w, n, of);
		return;
	case OP_CONV1D:
		walk_conv1d(w, n, of);
		return;
	case OP_TRANSPOSE:
		mark(w, n->in[0], n->in[0]->v, of->cols, of->rows);
		return;
	case OP_CONCAT_COLS:
	case OP_CONCAT_ROWS:
		walk_concat(w, n, of);
		return;
	case OP_ADD:
	case OP_SUB:
	case OP_MUL:
	case OP_SCALE:
		mark(w, n->in[0], n->v, of->rows, of->cols);
		if (n->in[1])
			mark(w, n->in[1], n->v, of->rows, of->cols);
		return;
	default:
		if (n->op >= OP_RELU && n->op <= OP_CLIP)
			mark(w, n->in[0], n->v, of->rows, of->cols);
		else
			for (size_t i = 0; i < 3; i++)
				mark_whole(w, n->in[i]);
	}
}

void tape_reads(const struct tape *t, struct node *const *results, size_t n, struct arena *scratch,
		struct tape_read *of, size_t n_of)
{
	struct walk w = {.a = scratch};
	for (const struct node *at = t->last; at; at = at->previous)
		w.n++;
	w.areas = arena_calloc(scratch, w.n + 1, sizeof *w.areas);
	size_t i = 0;
	for (const struct node *at = t->last; at; at = at->previous)
		w.areas[i++].of = at;
	if (w.n > 0)
		qsort(w.areas, w.n, sizeof *w.areas, by_address);
	for (i = 0; i < n; i++)
		mark_whole(&w, results[i]);
	/* The walk goes from the newest node, so that the area of a node is complete when it is
	 * reached. */
	for (const struct node *at = t->last; at; at = at->previous) {
		const struct area *const area = area_of(&w, at);
		if (is_read(area, at))
			walk_node(&w, at, area);
	}
	for (i = 0; i < n_of; i++) {
		const struct area *const area = area_of(&w, of[i].of);
		of[i].rows = area ? area->rows : NULL;
		of[i].cols = area ? area->cols : NULL;
	}
}
