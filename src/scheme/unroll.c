/* unroll.c: see unroll.h. */
#include "scheme/unroll.h"

static struct node *run_recorded(struct tape *tape, size_t n, struct node *state[UNROLL_STATES],
				 unroll_step *step, const void *context)
{
	struct node **rows = arena_calloc(tape->arena, n, sizeof(struct node *));
	for (size_t t = 0; t < n; t++) {
		step(tape, context, t, state);
		rows[t] = state[0];
	}
	return tape_concat_rows(tape, rows, n);
}

/* The states have memory of their own, into which each step's result is copied. */
static struct node *run_streamed(struct tape *tape, size_t n, struct node *state[UNROLL_STATES],
				 unroll_step *step, const void *context,
				 bool (*cancelled)(const void *context))
{
	struct arena scratch;
	arena_init(&scratch);
	const size_t rows = state[0]->v.rows;
	const struct mat out = mat_new(tape->arena, n * rows, state[0]->v.cols);
	struct mat kept[UNROLL_STATES] = {0};
	for (size_t i = 0; i < UNROLL_STATES; i++)
		if (state[i])
			kept[i] = mat_copy(tape->arena, state[i]->v);
	bool ok = true;
	for (size_t t = 0; t < n && ok; t++) {
		struct tape own;
		tape_init(&own, &scratch, false);
		for (size_t i = 0; i < UNROLL_STATES; i++)
			state[i] = kept[i].at ? tape_const(&own, kept[i]) : NULL;
		step(&own, context, t, state);
		for (size_t i = 0; i < UNROLL_STATES; i++)
			if (kept[i].at && state[i]->v.at != kept[i].at)
				mat_set(kept[i], state[i]->v);
		mat_set(mat_rows(out, t * rows, rows), kept[0]);
		tape_count_all(tape, &own);
		arena_clear(&scratch);
		ok = !cancelled || !cancelled(context);
	}
	arena_release(&scratch);
	return ok ? tape_const(tape, out) : NULL;
}

struct node *unroll(struct tape *tape, size_t n, size_t width,
		    struct node *const start[UNROLL_STATES], unroll_step *step, const void *context,
		    bool (*cancelled)(const void *context))
{
	struct node *state[UNROLL_STATES];
	for (size_t i = 0; i < UNROLL_STATES; i++)
		state[i] = start ? start[i] : tape_const(tape, mat_zero(tape->arena, 1, width));
	return tape->recording ? run_recorded(tape, n, state, step, context)
			       : run_streamed(tape, n, state, step, context, cancelled);
}
