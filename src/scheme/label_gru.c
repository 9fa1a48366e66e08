/* label_gru.c: see label_gru.h.
 *
 * A path is its prefix and one more label, so each state of the first layer is one step from that
 * of a path with one label less: forwards from the prefix's, backwards from that of the path
 * without its first label. Paths that share the shorter one are adjacent, and its contribution to
 * the gates is computed once.
 *
 * The second layer reads the first layer's output at each step, and so every path from its
 * beginning. The input's contribution to its gates is the sum of two products: of the forward
 * state, which paths with the same prefix share, and of the backward state, which is computed
 * once for all short ends of paths. */
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

/* The candidate is tanh of the label's components in turn; the gates do not depend on it. */
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

struct cells { /* of a layer in one direction */
	struct node *weight_ih, *bias_ih, *bias_hh;
	/* weight_hh transposed, which is faster for products of few rows: [m, 3 m]. */
	struct node *from_h;
	size_t width;
};

static struct cells cells_of(struct run *run, const struct member *m, const struct label_gru *gru,
			     size_t layer, size_t direction)
{
	const struct gru_names *name = &gru_names[layer][direction];
	return (struct cells){.weight_ih = run_leaf(run, m, name->weight_ih),
			      .from_h =
				      tape_transpose(run->tape, run_leaf(run, m, name->weight_hh)),
			      .bias_ih = run_leaf(run, m, name->bias_ih),
			      .bias_hh = run_leaf(run, m, name->bias_hh),
			      .width = gru->hidden};
}

/* ---- reading paths -------------------------------------------------------------------------- */

struct label_reader {
	struct run *run;
	const struct label_paths *paths;
	size_t stack, width;
	size_t length, base; /* of the present paths, and the index of the one in row 0 */
	struct cells cells[LABEL_GRU_STACK][DIRECTIONS];
	struct node *inputs
		[DIRECTIONS];  /* contribution of all labels to the first layer, [symbols, 3 m] */
	int32_t *first_symbol; /* [paths] */
	int32_t *by_rest;      /* row numbers, sorted by the rest of the path */
	/* [paths, 2 m] of the first layer: of the paths with one label less, NULL before those
	 * of 1; or, for the second layer, of all. */
	struct node *states;
	/* The contribution of backward states of paths 0 .. ends - 1 to the second layer, [ends,
	 * 6 m]. */
	struct node *of_ends;
	size_t ends;
	/* The maps from each direction's states to the gates of both directions of the second
	 * layer, [m, 6 m]; and [1, 6 m]. */
	struct node *to_gates[DIRECTIONS], *gates_bias;
	struct mat room[2]; /* for even and odd lengths, or for all and one */
};

static struct node *of_direction(struct tape *t, const struct label_reader *r, size_t direction)
{
	return tape_slice(t, r->states, 0, r->states->v.rows, direction * r->width, r->width);
}

/* The distinct numbers of a list in which equal ones are adjacent. */
struct distinct {
	/* The n distinct numbers, and for each number of the list its index in `at`. */
	int32_t *at, *row;
	size_t n;
};

static struct distinct distinct_new(struct arena *a, size_t most)
{
	int32_t *at = arena_alloc(a, 2 * most * sizeof *at);
	return (struct distinct){.at = at, .row = at + most};
}

static void distinct_set(struct distinct *d, size_t i, int32_t number)
{
	if (d->n == 0 || d->at[d->n - 1] != number)
		d->at[d->n++] = number;
	d->row[i] = (int32_t)d->n - 1;
}

/* ---- the first layer ------------------------------------------------------------------------- */

static struct gru_step from_nothing(struct tape *t, const struct cells *c, size_t n)
{
	struct node *zeros = tape_const(t, mat_zero(t->arena, 1, GRU_GATES * c->width));
	const int32_t *row = arena_calloc(t->arena, n, sizeof *row);
	return (struct gru_step){.from_h = {zeros, row},
				 .bias = c->bias_hh,
				 .h = {tape_slice(t, zeros, 0, 1, 0, c->width), row}};
}

/* Computes the contribution of states to a step, for those of `all` that are chosen. */
static struct gru_step from_states(struct tape *t, const struct cells *c, struct node *all,
				   const struct distinct *chosen)
{
	struct node *h = tape_gather_rows(t, all, chosen->at, chosen->n);
	return (struct gru_step){
		.from_h = {tape_matmul(t, h, false, c->from_h, false, 1), chosen->row},
		.bias = c->bias_hh,
		.h = {h, chosen->row}};
}

/* Steps from the paths with one label less to n of the present ones. */
static struct node *next_states(struct tape *t, const struct label_reader *r, size_t direction,
				size_t first, size_t n)
{
	const struct cells *c = &r->cells[0][direction];
	const size_t shorter = r->paths->first[r->length - 1];
	int32_t *symbol = arena_alloc(t->arena, n * sizeof *symbol);
	struct distinct from = distinct_new(t->arena, n);
	for (size_t i = 0; i < n; i++) {
		const size_t path =
			r->base +
			(direction == FORWARD ? first + i : (size_t)r->by_rest[first + i]);
		const struct path *p = &r->paths->at[path];
		symbol[i] = direction == FORWARD ? p->last : r->first_symbol[path];
		distinct_set(&from, i,
			     (direction == FORWARD ? p->before : p->after) - (int32_t)shorter);
	}
	struct gru_step step = r->length == 1
				       ? from_nothing(t, c, n)
				       : from_states(t, c, of_direction(t, r, direction), &from);
	step.x = (struct chosen_rows){r->inputs[direction], symbol};
	return recurrent_gru(t, &step, n);
}

static struct node *forward(struct tape *t, const void *context, size_t first, size_t n)
{
	return next_states(t, context, FORWARD, first, n);
}

static struct node *backward(struct tape *t, const void *context, size_t first, size_t n)
{
	return next_states(t, context, BACKWARD, first, n);
}

/* Sorts the n paths by their rest after the first label, one of `shorter` paths. */
static void sort_by_rest(struct label_reader *r, size_t n, struct arena *a)
{
	const struct label_paths *paths = r->paths;
	const size_t from = paths->first[r->length - 1], shorter = r->base - from;
	size_t *next = arena_calloc(a, shorter + 2, sizeof *next);
	for (size_t i = 0; r->length > 1 && i < n; i++)
		next[(size_t)paths->at[r->base + i].after - from + 1]++;
	for (size_t i = 0; i < shorter; i++)
		next[i + 1] += next[i];
	for (size_t i = 0; i < n; i++)
		r->by_rest[r->length == 1 ? i
					  : next[(size_t)paths->at[r->base + i].after - from]++] =
			(int32_t)i;
}

static void take_length(struct label_reader *r, size_t length)
{
	r->length = length;
	r->base = r->paths->first[length];
}

static size_t of_length(const struct label_reader *r)
{
	return r->paths->first[r->length + 1] - r->base;
}

/* Computes the first layer's states after the paths of the present length, into `all`. */
static struct node *first_layer(struct label_reader *r, struct mat all, struct err *err)
{
	static label_piece *const makers[DIRECTIONS] = {forward, backward};
	struct tape *t = r->run->tape;
	struct node *side[DIRECTIONS];
	struct arena scratch;
	arena_init(&scratch);
	sort_by_rest(r, all.rows, &scratch);
	arena_release(&scratch);
	for (size_t i = 0; i < DIRECTIONS; i++) {
		struct label_rows rows =
			label_rows_begin(r->run, mat_cols(all, i * r->width, r->width));
		rows.place = i == BACKWARD ? r->by_rest : NULL;
		label_rows_add(&rows, all.rows, makers[i], r);
		side[i] = label_rows_end(&rows, err);
		if (!side[i])
			return NULL;
	}
	return t->recording ? tape_concat_cols(t, side, DIRECTIONS) : tape_const(t, all);
}

/* ---- the second layer ------------------------------------------------------------------------ */

/* The states of the first layer at each step of some paths: forwards it has read the labels up
 * to there, backwards those from there on. */
struct stops {
	struct distinct up_to[LABEL_PATH_LONGEST];
	int32_t *from[LABEL_PATH_LONGEST];
};

static void find_stops(const struct label_reader *r, struct arena *a, size_t first, size_t n,
		       struct stops *out)
{
	for (size_t s = 0; s < r->length; s++) {
		out->up_to[s] = distinct_new(a, n);
		out->from[s] = arena_alloc(a, n * sizeof(int32_t));
	}
	for (size_t i = 0; i < n; i++) {
		int32_t up_to = (int32_t)(r->base + first + i), from = up_to;
		for (size_t s = 0; s < r->length; s++) {
			distinct_set(&out->up_to[r->length - 1 - s], i, up_to);
			out->from[s][i] = from;
			up_to = r->paths->at[up_to].before;
			from = r->paths->at[from].after;
		}
	}
}

/* Computes the contribution of states of one direction to the gates of both directions. */
static struct node *gate_input(struct tape *t, const struct label_reader *r, size_t direction,
			       struct node *states)
{
	return tape_matmul(t, states, false, r->to_gates[direction], false, 1);
}

/* Determines the input at step s, of both directions. */
static void read_stop(struct tape *t, const struct label_reader *r, const struct stops *stops,
		      size_t s, size_t n, struct chosen_rows *x, struct chosen_rows *y)
{
	const struct distinct *up_to = &stops->up_to[s];
	struct node *before = tape_gather_rows(t, of_direction(t, r, FORWARD), up_to->at, up_to->n);
	before = tape_accumulate(t, gate_input(t, r, FORWARD, before), r->gates_bias);
	*x = (struct chosen_rows){before, up_to->row};
	if (r->paths->first[r->length - s] < r->ends) {
		*y = (struct chosen_rows){r->of_ends, stops->from[s]};
		return;
	}
	struct node *after = tape_gather_rows(t, of_direction(t, r, BACKWARD), stops->from[s], n);
	*y = (struct chosen_rows){gate_input(t, r, BACKWARD, after), NULL};
}

static struct chosen_rows gates_of(struct tape *t, size_t direction, struct chosen_rows both)
{
	const size_t wide = both.at->v.cols / DIRECTIONS;
	return (struct chosen_rows){
		tape_slice(t, both.at, 0, both.at->v.rows, direction * wide, wide), both.row};
}

static struct node *second_layer(struct tape *t, const void *context, size_t first, size_t n)
{
	const struct label_reader *r = context;
	struct chosen_rows x[LABEL_PATH_LONGEST], y[LABEL_PATH_LONGEST];
	struct node *last[DIRECTIONS];
	struct stops stops;
	find_stops(r, t->arena, first, n, &stops);
	for (size_t s = 0; s < r->length; s++)
		read_stop(t, r, &stops, s, n, &x[s], &y[s]);
	for (size_t i = 0; i < DIRECTIONS; i++) {
		const struct cells *c = &r->cells[1][i];
		struct gru_step step = from_nothing(t, c, n);
		for (size_t k = 0; k < r->length; k++) {
			const size_t s = i == FORWARD ? k : r->length - 1 - k;
			step.x = gates_of(t, i, x[s]);
			step.y = gates_of(t, i, y[s]);
			struct node *h = recurrent_gru(t, &step, n);
			step.h = (struct chosen_rows){h, NULL};
			if (k + 1 < r->length)
				step.from_h = (struct chosen_rows){
					tape_matmul(t, h, false, c->from_h, false, 1), NULL};
		}
		last[i] = step.h.at;
	}
	return tape_concat_cols(t, last, DIRECTIONS);
}

/* ---- the whole reader ----------------------------------------------------------------------- */

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static int32_t *first_symbols(const struct label_paths *paths, struct arena *a)
{
	int32_t *out = arena_alloc(a, paths->count * sizeof *out);
	for (size_t i = 0; i < paths->count; i++) {
		const struct path *p = &paths->at[i];
		out[i] = p->length == 1 ? p->last : out[p->before];
	}
	return out;
}

struct label_reader *label_reader_new(struct run *run, const struct member *m,
				      const struct label_gru *gru, struct node *labels,
				      const struct label_paths *paths, struct arena *a)
{
	struct tape *t = run->tape;
	struct label_reader *r = arena_calloc(a, 1, sizeof *r);
	*r = (struct label_reader){
		.run = run, .paths = paths, .stack = gru->stack, .width = gru->hidden};
	size_t of_parity[2] = {0};
	for (size_t length = 1; length <= LABEL_PATH_LONGEST; length++) {
		size_t *n = &of_parity[length % 2];
		*n = larger(*n, paths->first[length + 1] - paths->first[length]);
	}
	const size_t most = larger(of_parity[0], of_parity[1]);
	r->first_symbol = first_symbols(paths, a);
	r->by_rest = arena_alloc(a, most * sizeof *r->by_rest);
	r->room[0] = mat_new(a, r->stack == 2 ? paths->count : of_parity[0], 2 * gru->hidden);
	r->room[1] = mat_new(a, r->stack == 2 ? most : of_parity[1], 2 * gru->hidden);
	for (size_t i = 0; i < DIRECTIONS; i++) {
		for (size_t layer = 0; layer < gru->stack; layer++)
			r->cells[layer][i] = cells_of(run, m, gru, layer, i);
		const struct cells *c = &r->cells[0][i];
		r->inputs[i] = tape_add(t, tape_matmul(t, labels, false, c->weight_ih, true, 1),
					c->bias_ih);
	}
	return r;
}

/* Prepares the maps of the second layer's inputs, and their values for short ends: those with at
 * most half the longest path's labels and few in total. */
static void prepare_second_layer(struct label_reader *r)
{
	enum { FEW = 1 << 12 };
	const struct cells *c = r->cells[1];
	struct tape *t = r->run->tape;
	const size_t m = r->width;
	struct node *weight = tape_concat_rows(
		t, (struct node *[]){c[FORWARD].weight_ih, c[BACKWARD].weight_ih}, DIRECTIONS);
	for (size_t i = 0; i < DIRECTIONS; i++)
		r->to_gates[i] =
			tape_transpose(t, tape_slice(t, weight, 0, weight->v.rows, i * m, m));
	r->gates_bias = tape_concat_cols(
		t, (struct node *[]){c[FORWARD].bias_ih, c[BACKWARD].bias_ih}, DIRECTIONS);
	size_t longest = 1;
	while (r->paths->first[longest + 1] < r->paths->count)
		longest++;
	for (size_t k = 1; k <= (longest + 1) / 2 && r->paths->first[k + 1] <= FEW; k++)
		r->ends = r->paths->first[k + 1];
	struct node *states = tape_slice(t, of_direction(t, r, BACKWARD), 0, r->ends, 0, m);
	r->of_ends = gate_input(t, r, BACKWARD, states);
}

/* Computes the first layer for all lengths, for the second layer. */
static bool whole_first_layer(struct label_reader *r, struct err *err)
{
	struct tape *t = r->run->tape;
	struct node *parts[LABEL_PATH_LONGEST];
	for (size_t length = 1; r->paths->first[length] < r->paths->count; length++) {
		take_length(r, length);
		r->states = first_layer(r, mat_rows(r->room[0], r->base, of_length(r)), err);
		if (!r->states)
			return false;
		parts[length - 1] = r->states;
	}
	r->states =
		t->recording ? tape_concat_rows(t, parts, r->length) : tape_const(t, r->room[0]);
	r->length = 0;
	prepare_second_layer(r);
	return true;
}

struct node *label_reader_next(struct label_reader *r, struct err *err)
{
	if (r->stack == 2 && r->length == 0 && !whole_first_layer(r, err))
		return NULL;
	take_length(r, r->length + 1);
	const struct mat room =
		mat_rows(r->room[r->stack == 2 ? 1 : r->length % 2], 0, of_length(r));
	if (r->stack == 1)
		return r->states = first_layer(r, room, err);
	struct label_rows rows = label_rows_begin(r->run, room);
	label_rows_add(&rows, room.rows, second_layer, r);
	return label_rows_end(&rows, err);
}
