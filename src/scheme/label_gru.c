/* label_gru.c: see label_gru.h.
 *
 * A path is its prefix and a label more, so each state of the first layer is one step from that of a path
 * a label shorter: forwards from the prefix's, backwards from that of the path without its first label.
 * The second layer reads what the first one says at each step, and so every path from its beginning. */
#include "scheme/label_gru.h"

#include <math.h>

#include "scheme/label_rows.h"
#include "scheme/recurrent.h"

enum { FORWARD, BACKWARD, DIRECTIONS };

static const struct gru_names {
	const char *weight_ih, *weight_hh, *bias_ih, *bias_hh;
} gru_names[LABEL_GRU_STACK][DIRECTIONS] = {
	{{"weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"},
	 {"weight_ih_l0_reverse", "weight_hh_l0_reverse", "bias_ih_l0_reverse",
	  "bias_hh_l0_reverse"}},
	{{"weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"},
	 {"weight_ih_l1_reverse", "weight_hh_l1_reverse", "bias_ih_l1_reverse",
	  "bias_hh_l1_reverse"}},
};

/* ---- leaves ---------------------------------------------------------------------------------- */

/* The candidate is tanh of the label's components in turn; gates do not look at it. */
static void make_input(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	const size_t width = at.rows / GRU_GATES;
	mat_fill(at, 0);
	for (size_t j = 0; j < width; j++)
		mat_row(at, GRU_CANDIDATE * width + j)[j % at.cols] = 1;
}

static bool declare_layer(struct model *model, const struct member *m, const struct label_gru *gru,
			  size_t layer, struct err *err)
{
	static const struct leaf_init input = {.make = make_input};
	static const struct leaf_init zero = {.fill = FILL_CONSTANT, .value = 0};
	const struct leaf_init paper = {.fill = FILL_UNIFORM,
					.value = 1 / sqrt((double)gru->hidden)};
	const size_t rows = GRU_GATES * gru->hidden, in = layer == 0 ? gru->in : 2 * gru->hidden;
	for (size_t i = 0; i < DIRECTIONS; i++) {
		const struct gru_names *name = &gru_names[layer][i];
		if (!model_leaf(model, m, name->weight_ih, rows, in, false, input, paper, err) ||
		    !model_leaf(model, m, name->weight_hh, rows, gru->hidden, false, zero, paper,
				err) ||
		    !model_leaf(model, m, name->bias_ih, 1, rows, false, zero, paper, err) ||
		    !model_leaf(model, m, name->bias_hh, 1, rows, false, zero, paper, err))
			return false;
	}
	return true;
}

bool label_gru_declare(struct model *model, const struct member *m, const struct label_gru *gru,
		       struct err *err)
{
	BUG_IF(gru->stack < 1 || gru->stack > LABEL_GRU_STACK);
	for (size_t layer = 0; layer < gru->stack; layer++)
		if (!declare_layer(model, m, gru, layer, err))
			return false;
	return true;
}

/* ---- a step ---------------------------------------------------------------------------------- */

struct cell { /* of a layer in one direction */
	struct node *weight_ih, *weight_hh, *bias_ih, *bias_hh;
	size_t width;
};

static struct cell cell_of(struct run *run, const struct member *m, const struct label_gru *gru,
			   size_t layer, size_t direction)
{
	const struct gru_names *name = &gru_names[layer][direction];
	return (struct cell){.weight_ih = run_leaf(run, m, name->weight_ih),
			     .weight_hh = run_leaf(run, m, name->weight_hh),
			     .bias_ih = run_leaf(run, m, name->bias_ih),
			     .bias_hh = run_leaf(run, m, name->bias_hh),
			     .width = gru->hidden};
}

/* What x gives the gates. */
static struct node *input_of(struct tape *t, const struct cell *c, struct node *x)
{
	return tape_add(t, tape_matmul(t, x, false, c->weight_ih, true, 1), c->bias_ih);
}

static struct node *step(struct tape *t, const struct cell *c, struct node *in, struct node *h)
{
	struct node *from_h = tape_matmul(t, h, false, c->weight_hh, true, 1);
	return recurrent_gru(t, in, tape_accumulate(t, from_h, c->bias_hh), h);
}

/* ---- reading --------------------------------------------------------------------------------- */

struct label_reader {
	struct run *run;
	const struct label_paths *paths;
	size_t stack;
	size_t length, base; /* of the paths that are read now, and which of them is row 0 */
	struct cell cell[LABEL_GRU_STACK][DIRECTIONS];
	struct node *inputs[DIRECTIONS]; /* of all labels to the first layer, [symbols, 3 m] */
	/* [paths, 2 m] of the first layer: of a length less, NULL before that of 1; or, for the second
	 * layer, of all. */
	struct node *states;
	struct mat room[2]; /* for two lengths, or for all and one */
};

static struct node *of_direction(struct tape *t, const struct label_reader *r, size_t direction)
{
	const size_t width = r->cell[0][direction].width;
	return tape_slice(t, r->states, 0, r->states->v.rows, direction * width, width);
}

static int32_t first_symbol(const struct label_paths *paths, const struct path *p)
{
	while (p->after >= 0)
		p = &paths->at[p->before];
	return p->last;
}

/* A step from the paths that are a label shorter to those of rows first .. first + n - 1. */
static struct node *next_states(struct tape *t, const struct label_reader *r, size_t direction,
				size_t first, size_t n)
{
	const struct cell *c = &r->cell[0][direction];
	const size_t shorter = r->paths->first[r->length - 1];
	int32_t *symbol = arena_alloc(t->arena, 2 * n * sizeof *symbol), *from = symbol + n;
	for (size_t i = 0; i < n; i++) {
		const struct path *p = &r->paths->at[r->base + first + i];
		symbol[i] = direction == FORWARD ? p->last : first_symbol(r->paths, p);
		from[i] = (direction == FORWARD ? p->before : p->after) - (int32_t)shorter;
	}
	struct node *in = tape_gather_rows(t, r->inputs[direction], symbol, n);
	struct node *h = r->states ? tape_gather_rows(t, of_direction(t, r, direction), from, n)
				   : tape_const(t, mat_zero(t->arena, n, c->width));
	return step(t, c, in, h);
}

static struct node *first_layer(struct tape *t, const void *context, size_t first, size_t n)
{
	struct node *both[] = {next_states(t, context, FORWARD, first, n),
			       next_states(t, context, BACKWARD, first, n)};
	return tape_concat_cols(t, both, DIRECTIONS);
}

/* What the first layer says at step `at`: forwards it has read the labels up to there, backwards
 * those from there on. */
static struct node *step_input(struct tape *t, const struct label_reader *r, size_t first, size_t n,
			       size_t at)
{
	int32_t *up_to = arena_alloc(t->arena, 2 * n * sizeof *up_to), *from = up_to + n;
	for (size_t i = 0; i < n; i++) {
		up_to[i] = from[i] = (int32_t)(r->base + first + i);
		for (size_t s = at + 1; s < r->length; s++)
			up_to[i] = r->paths->at[up_to[i]].before;
		for (size_t s = 0; s < at; s++)
			from[i] = r->paths->at[from[i]].after;
	}
	struct node *both[] = {tape_gather_rows(t, of_direction(t, r, FORWARD), up_to, n),
			       tape_gather_rows(t, of_direction(t, r, BACKWARD), from, n)};
	return tape_concat_cols(t, both, DIRECTIONS);
}

static struct node *second_layer(struct tape *t, const void *context, size_t first, size_t n)
{
	const struct label_reader *r = context;
	struct node *x[LABEL_PATH_LONGEST], *last[DIRECTIONS];
	for (size_t i = 0; i < r->length; i++)
		x[i] = step_input(t, r, first, n, i);
	for (size_t i = 0; i < DIRECTIONS; i++) {
		const struct cell *c = &r->cell[1][i];
		struct node *h = tape_const(t, mat_zero(t->arena, n, c->width));
		for (size_t s = 0; s < r->length; s++)
			h = step(t, c, input_of(t, c, x[i == FORWARD ? s : r->length - 1 - s]), h);
		last[i] = h;
	}
	return tape_concat_cols(t, last, DIRECTIONS);
}

/* ---- the reader ------------------------------------------------------------------------------ */

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

struct label_reader *label_reader_new(struct run *run, const struct member *m,
				      const struct label_gru *gru, struct node *labels,
				      const struct label_paths *paths, struct arena *a)
{
	struct label_reader *r = arena_calloc(a, 1, sizeof *r);
	*r = (struct label_reader){.run = run, .paths = paths, .stack = gru->stack};
	size_t most = 0;
	for (size_t length = 1; length <= LABEL_PATH_LONGEST; length++)
		most = larger(most, paths->first[length + 1] - paths->first[length]);
	r->room[0] = mat_new(a, r->stack == 2 ? paths->count : most, 2 * gru->hidden);
	r->room[1] = mat_new(a, most, 2 * gru->hidden);
	for (size_t i = 0; i < DIRECTIONS; i++) {
		for (size_t layer = 0; layer < gru->stack; layer++)
			r->cell[layer][i] = cell_of(run, m, gru, layer, i);
		r->inputs[i] = input_of(run->tape, &r->cell[0][i], labels);
	}
	return r;
}

/* Of all lengths, for the second layer. */
static struct node *whole_first_layer(struct label_reader *r, struct err *err)
{
	const struct label_paths *paths = r->paths;
	struct label_rows rows = label_rows_begin(r->run, r->room[0]);
	for (r->length = 1; rows.filled < paths->count; r->length++)
		r->states =
			label_rows_add(&rows, paths->first[r->length + 1] - paths->first[r->length],
				       first_layer, r);
	r->length = 0;
	return label_rows_end(&rows, err);
}

struct node *label_reader_next(struct label_reader *r, struct err *err)
{
	if (r->stack == 2 && r->length == 0 && !(r->states = whole_first_layer(r, err)))
		return NULL;
	r->base = r->paths->first[++r->length];
	const size_t n = r->paths->first[r->length + 1] - r->base;
	const struct mat room = r->room[r->stack == 2 ? 1 : r->length % 2];
	struct label_rows rows = label_rows_begin(r->run, mat_rows(room, 0, n));
	label_rows_add(&rows, n, r->stack == 2 ? second_layer : first_layer, r);
	struct node *states = label_rows_end(&rows, err);
	if (r->stack == 1)
		r->states = states;
	return states;
}
