/* global_rows.c: see global_rows.h. */
#include "scheme/global_rows.h"

#include <math.h>

void global_rows_queries(struct mat at, const struct leaf_maker *of)
{
	mat_fill_normal(at, of->model->gain * (1 / sqrt((double)at.rows)), of->rng);
}

static struct node *projected(struct run *run, const struct member *m, const struct parts *x,
			      const char *weight)
{
	return tape_matmul(run->tape, run_sum_parts(run, x), false, run_leaf(run, m, weight), false,
			   1);
}

void global_rows_init(struct global_rows *state, struct run *run, const struct member *m,
		      const bool *global)
{
	state->rows = arena_calloc(run->arena, run->n, sizeof *state->rows);
	for (size_t t = 0; t < run->n; t++)
		if (global[t])
			state->rows[state->g++] = (int32_t)t;
	if (state->g == 0)
		return;
	const struct mat spread = mat_zero(run->arena, run->n, state->g);
	for (size_t j = 0; j < state->g; j++)
		mat_row(spread, (size_t)state->rows[j])[j] = 1;
	state->spread = tape_const(run->tape, spread);
	state->q = tape_gather_rows(run->tape, projected(run, m, &run->xq, "w_qg"), state->rows,
				    state->g);
	state->k = projected(run, m, &run->xk, "w_kg");
	state->v = projected(run, m, &run->xv, "w_vg");
}

/* Replaces q·k by their own product, [g,n] placed in [n,n]. */
bool global_rows_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct global_rows *state = head_state(head, m);
	struct tape *t = head->tape;
	const size_t dk = head->run->model->dk;
	const double c = head_scale(head);
	if (state->g == 0)
		return true;
	struct node *own = tape_matmul(t, head_slice(head, state->q, dk), false,
				       head_slice(head, state->k, dk), true, c);
	struct node *plain = tape_matmul(t, tape_gather_rows(t, head->q, state->rows, state->g),
					 false, head->k, true, c);
	struct node *change = tape_sub(t, own, plain);
	head_add_term(head, "global", TERM_OTHER,
		      tape_matmul(t, state->spread, false, change, false, 1));
	return true;
}

/* Returns the row s for the pairs of the global queries, -1 for the others. */
static const int32_t *keys_of(struct head *head, const struct global_rows *state)
{
	const size_t n = head->run->n, keys = head->weights->v.cols;
	int32_t *const row = arena_alloc(head->tape->arena, n * keys * sizeof *row);
	for (size_t i = 0; i < n * keys; i++)
		row[i] = -1;
	for (size_t j = 0; j < state->g; j++)
		for (size_t s = 0; s < keys; s++)
			row[(size_t)state->rows[j] * keys + s] = (int32_t)s;
	return row;
}

bool global_rows_values(struct head *head, const struct member *m, struct err *err)
{
	const struct global_rows *state = head_state(head, m);
	struct tape *t = head->tape;
	if (state->g == 0)
		return true;
	if (!head_needs_one_plane(head, m, "set projections=off", err))
		return false;
	struct node *v = tape_sub(t, head_slice(head, state->v, head->run->model->dv), head->v);
	struct node *weights = tape_gather_rows(t, head->weights, state->rows, state->g);
	struct node *change = tape_matmul(t, weights, false, v, false, 1);
	const struct from_keys from = {.vectors = v,
				       .row = head->parted ? keys_of(head, state) : NULL};
	head_add_values(head, "global", tape_matmul(t, state->spread, false, change, false, 1),
			&from);
	return true;
}
