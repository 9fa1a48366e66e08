/* recurrent.c: see recurrent.h. The contribution of all token vectors to the gates is one
 * product; only the state's part is computed step by step. */
#include "scheme/recurrent.h"

#include "scheme/reading.h"

/* ---- the network ---- */

/* Computes, with i and c = from_h of as many rows as h:
 * r, z = σ(i + c), n = tanh(i_n + r∘c_n), h' = n + z∘(h - n) */
static struct node *gru_of_operators(struct tape *t, struct node *in, struct node *from_h,
				     struct node *h)
{
	const size_t n = h->v.rows, m = h->v.cols;
	struct node *both = tape_sigmoid(
		t, tape_accumulate(t, tape_slice(t, from_h, 0, n, GRU_RESET * m, 2 * m),
				   tape_slice(t, in, 0, in->v.rows, GRU_RESET * m, 2 * m)));
	struct node *r = tape_slice(t, both, 0, n, GRU_RESET * m, m);
	struct node *z = tape_slice(t, both, 0, n, GRU_UPDATE * m, m);
	struct node *kept = tape_mul(t, tape_slice(t, from_h, 0, n, GRU_CANDIDATE * m, m), r);
	struct node *from_x = tape_slice(t, in, 0, in->v.rows, GRU_CANDIDATE * m, m);
	struct node *candidate = tape_tanh(t, tape_accumulate(t, kept, from_x));
	struct node *back = tape_mul(t, tape_sub(t, h, candidate), z);
	return tape_accumulate(t, back, candidate);
}

static struct node *chosen_nodes(struct tape *t, struct chosen_rows of, size_t n)
{
	return of.row ? tape_gather_rows(t, of.at, of.row, n) : of.at;
}

static const double *chosen_row(struct chosen_rows of, size_t i)
{
	return mat_row(of.at->v, of.row ? (size_t)of.row[i] : i);
}

static struct node *gru_of_rows(struct tape *t, const struct gru_step *of, size_t n)
{
	const size_t m = of->h.at->v.cols;
	const struct mat v = mat_new(t->arena, n, m), zero = mat_zero(t->arena, 1, GRU_GATES * m);
	for (size_t i = 0; i < n; i++) {
		const struct gru_inputs in = {.x = chosen_row(of->x, i),
					      .y = of->y.at ? chosen_row(of->y, i) : zero.at,
					      .from_h = chosen_row(of->from_h, i),
					      .bias = of->bias ? of->bias->v.at : zero.at,
					      .h = chosen_row(of->h, i)};
		vec_gru(mat_row(v, i), &in, m);
	}
	tape_count(t, OP_SIGMOID, 2 * (double)(n * m));
	tape_count(t, OP_TANH, (double)(n * m));
	tape_count(t, OP_MUL, 3 * (double)(n * m));
	return tape_const(t, v);
}

struct node *recurrent_gru(struct tape *t, const struct gru_step *of, size_t n)
{
	if (!t->recording)
		return gru_of_rows(t, of, n);
	struct node *in = chosen_nodes(t, of->x, n), *from_h = chosen_nodes(t, of->from_h, n);
	if (of->y.at)
		in = tape_add(t, in, chosen_nodes(t, of->y, n));
	if (of->bias)
		from_h = tape_add(t, from_h, of->bias);
	return gru_of_operators(t, in, from_h, chosen_nodes(t, of->h, n));
}

static struct node *leaf(struct run *run, const struct member *m, const char *base, bool back)
{
	return run_leaf(run, m, back ? arena_printf(run->arena, "%s_reverse", base) : base);
}

/* Returns the states of one direction, in the order of rows. */
static struct node *direction(struct run *run, const struct member *m,
			      const struct recurrent_net *net, struct node *x, bool back,
			      struct err *err)
{
	struct tape *t = run->tape;
	struct reading r;
	if (!reading_of_text(run, m, back, &r, err))
		return NULL;
	struct node *input = tape_matmul(t, reading_take(t, &r, x), false,
					 leaf(run, m, "weight_ih", back), true, 1);
	const struct recurrent one = {
		.input = tape_accumulate(t, input, leaf(run, m, net->bias_ih, back)),
		.weight = leaf(run, m, "weight_hh", back),
		.bias = net->bias_hh ? leaf(run, m, net->bias_hh, back) : NULL,
		.width = net->width,
	};
	struct node *states = unroll(t, run->n, net->width, NULL, net->step, &one, NULL);
	return reading_put_back(t, &r, states);
}

struct node *recurrent_states(struct run *run, const struct member *m,
			      const struct recurrent_net *net, struct err *err)
{
	struct node *x = run_sum_parts(run, &run->x), *parts[2];
	for (size_t i = 0; i < net->directions; i++) {
		parts[i] = direction(run, m, net, x, i == 1, err);
		if (!parts[i])
			return NULL;
	}
	return tape_concat_cols(run->tape, parts, net->directions);
}

/* ---- the demonstration ---- */

/* tanh of three times a state of ±1 is almost ±1 again. */
static const double strong = 3;

struct positions_block {
	size_t ring, end; /* columns ring..end-1 are the ring */
};

static struct positions_block block_of(size_t column, size_t width, size_t dk)
{
	const size_t start = column / dk * dk;
	const size_t size = width - start < dk ? width - start : dk;
	return (struct positions_block){.ring = start + size - size / 2, .end = start + size};
}

bool recurrent_is_latch(size_t column, size_t width, size_t dk)
{
	return column < block_of(column, width, dk).ring;
}

void recurrent_demo_hidden(struct mat at, size_t dk, bool latches)
{
	for (size_t j = 0; j < at.rows; j++) {
		const struct positions_block b = block_of(j, at.rows, dk);
		if (j > b.ring)
			mat_row(at, j)[j - 1] = strong;
		else if (j == b.ring)
			mat_row(at, j)[b.end - 1] = -strong;
		else if (latches)
			mat_row(at, j)[j] = strong * (double)(j % 4) / 2;
	}
}

/* A latch reads the token vector's column at the same index. */
void recurrent_demo_input(struct mat at, size_t dk)
{
	for (size_t j = 0; j < at.rows; j++)
		if (recurrent_is_latch(j, at.rows, dk))
			mat_row(at, j)[j * (at.cols / at.rows)] = strong;
}

void recurrent_demo_bias(double *at, size_t width, size_t dk)
{
	for (size_t j = 0; j < width; j++) {
		const size_t ring = block_of(j, width, dk).ring;
		at[j] = j < ring ? 0 : j == ring ? 1 : -1;
	}
}
