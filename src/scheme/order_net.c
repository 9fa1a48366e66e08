/* order_net.c: see order_net.h. */
#include "scheme/order_net.h"

#include <math.h>
#include <string.h>

#include "scheme/lstm.h"
#include "scheme/unroll.h"

static struct mat leaf_of(struct run *run, const struct member *m, const char *base)
{
	return run_leaf(run, m, base)->v;
}

/* Returns a leaf as a node of a tape that records nothing. */
static struct node *leaf_node(struct run *run, struct tape *t, const struct member *m,
			      const char *base)
{
	return tape_const(t, leaf_of(run, m, base));
}

static struct node *affine(struct tape *t, struct node *x, struct node *w, struct node *b)
{
	return tape_accumulate(t, tape_matmul(t, x, false, w, false, 1), b);
}

/* ---- classifier ------------------------------------------------------------------------------ */

/* The authors' variant of LayerNorm: γ (x - mean) / (deviation + 10⁻⁶) + β, with the sample
 * deviation. */
static void normalise(struct mat x, struct mat gamma, struct mat beta)
{
	const double n = (double)x.cols;
	for (size_t r = 0; r < x.rows; r++) {
		double *row = mat_row(x, r), mean = 0, square = 0;
		for (size_t j = 0; j < x.cols; j++)
			mean += row[j] / n;
		for (size_t j = 0; j < x.cols; j++)
			square += (row[j] - mean) * (row[j] - mean);
		const double deviation = sqrt(square / fmax(1, n - 1));
		for (size_t j = 0; j < x.cols; j++)
			row[j] = gamma.at[j] * (row[j] - mean) / (deviation + 1e-6) + beta.at[j];
	}
}

/* Returns LayerNorm(x + ReLU(x W_1 + b_1) W_2 + b_2) W_c + b_c: rows of x are differences of two
 * states. */
static struct mat class_logits(struct run *run, struct tape *t, const struct member *m,
			       struct mat pairs)
{
	struct node *x = tape_const(t, pairs);
	struct node *hidden = tape_relu(
		t, affine(t, x, leaf_node(run, t, m, "fc1"), leaf_node(run, t, m, "fc1_bias")));
	struct node *out =
		affine(t, hidden, leaf_node(run, t, m, "fc2"), leaf_node(run, t, m, "fc2_bias"));
	struct node *sum = tape_add(t, x, out);
	normalise(sum->v, leaf_of(run, m, "norm"), leaf_of(run, m, "norm_bias"));
	return affine(t, sum, leaf_node(run, t, m, "classes"), leaf_node(run, t, m, "classes_bias"))
		->v;
}

/* Returns the class with the greatest logit, the first of equal ones. */
static int32_t greatest_class(const double *logits, size_t clip)
{
	size_t best = 0;
	for (size_t c = 1; c < 2 * clip; c++)
		if (logits[c] > logits[best])
			best = c;
	return order_place(best, clip);
}

/* Class c of one direction is class 2·clip-1-c of the other. */
void order_say(int32_t *at, size_t n, size_t i, size_t j, double *there, double *back, long clip)
{
	for (long c = 0; c < 2 * clip; c++)
		there[c] = back[2 * clip - 1 - c] += there[c];
	at[i * n + j] = greatest_class(there, (size_t)clip);
	at[j * n + i] = greatest_class(back, (size_t)clip);
}

/* Computes the differences of state i and all later ones, in both directions: [2k,d], those of i
 * first. */
static struct mat differences_of(struct arena *a, struct mat x, size_t i)
{
	const size_t k = x.rows - 1 - i;
	const struct mat out = mat_new(a, 2 * k, x.cols);
	for (size_t j = 0; j < k; j++)
		for (size_t c = 0; c < x.cols; c++) {
			const double by = mat_row(x, i)[c] - mat_row(x, i + 1 + j)[c];
			mat_row(out, j)[c] = by;
			mat_row(out, k + j)[c] = -by;
		}
	return out;
}

int32_t *order_classifier_run(struct run *run, const struct member *m, long clip, struct mat x,
			      struct err *err)
{
	const size_t n = x.rows;
	int32_t *at = arena_calloc(run->arena, n * n + 1, sizeof *at);
	struct arena scratch;
	bool going = true;
	arena_init(&scratch);
	for (size_t i = 0; i + 1 < n && going; i++) {
		struct tape t;
		tape_init(&t, &scratch, false);
		const struct mat pairs = differences_of(&scratch, x, i);
		const struct mat logits = class_logits(run, &t, m, pairs);
		for (size_t j = i + 1; j < n; j++)
			order_say(at, n, i, j, mat_row(logits, j - i - 1),
				  mat_row(logits, n - 1 - i + j - i - 1), clip);
		tape_count_all(run->tape, &t);
		arena_clear(&scratch);
		going = !run_cancelled(run);
	}
	arena_release(&scratch);
	if (!going)
		err_set(err, "cancelled");
	return going ? at : NULL;
}

/* ---- pointer: reading ------------------------------------------------------------------------ */

struct reader {
	struct run *run;
	struct mat input;  /* [n, 4f]: W_i x + b_i + b_h of every state */
	struct mat weight; /* [4f, f]: W_h */
	struct mat cell;   /* [1,f]: the cells after the last step, beside the states */
};

static bool reader_cancelled(const void *context)
{
	return run_cancelled(((const struct reader *)context)->run);
}

static void read_step(struct tape *t, const void *context, size_t at,
		      struct node *state[UNROLL_STATES])
{
	const struct reader *k = context;
	struct node *from_h = tape_matmul(t, state[0], false, tape_const(t, k->weight), true, 1);
	lstm_cell(t, tape_add(t, from_h, tape_const(t, mat_rows(k->input, at, 1))), state);
	mat_set(k->cell, state[1]->v);
}

/* Computes the states of one layer [n,f], and its last cells; NULL: cancelled. */
static struct node *read_layer(struct run *run, struct tape *t, const struct member *m,
			       size_t layer, struct node *x, struct mat cell)
{
	struct arena *a = t->arena;
	struct node *bias =
		tape_add(t, leaf_node(run, t, m, order_encoder_leaf(a, "bias_ih", layer)),
			 leaf_node(run, t, m, order_encoder_leaf(a, "bias_hh", layer)));
	struct node *weight = leaf_node(run, t, m, order_encoder_leaf(a, "ih", layer));
	struct node *input = tape_accumulate(t, tape_matmul(t, x, false, weight, true, 1), bias);
	const struct reader k = {.run = run,
				 .input = input->v,
				 .weight = leaf_of(run, m, order_encoder_leaf(a, "hh", layer)),
				 .cell = cell};
	return unroll(t, x->v.rows, cell.cols, NULL, read_step, &k, reader_cancelled);
}

/* ---- pointer: pointing ----------------------------------------------------------------------- */

struct pointing {
	struct run *run;
	const struct member *m;
	bool tanh;
	struct mat x, keys; /* [n,d], [n,f] */
	uint8_t *free;	    /* [n] not yet pointed to */
	size_t *chosen;	    /* [n] by step */
};

static bool pointing_cancelled(const void *context)
{
	return run_cancelled(((const struct pointing *)context)->run);
}

static size_t first_greatest(const double *score, const uint8_t *free, size_t n)
{
	size_t best = n;
	for (size_t i = 0; i < n; i++)
		if (free[i] && (best == n || score[i] > score[best]))
			best = i;
	return best;
}

/* A step: h, c from the state chosen last; scores v·(h W_q + b_q + keys), which without tanh
 * differ only by the keys; then h' = tanh([weights·keys, h] W_o + b_o). */
static void point_step(struct tape *t, const void *context, size_t at,
		       struct node *state[UNROLL_STATES])
{
	const struct pointing *k = context;
	struct run *run = k->run;
	const struct member *m = k->m;
	struct node *x = at == 0 ? leaf_node(run, t, m, "start")
				 : tape_const(t, mat_rows(k->x, k->chosen[at - 1], 1));
	struct node *from_x = tape_matmul(t, x, false, leaf_node(run, t, m, "decoder_ih"), true, 1);
	struct node *from_h =
		tape_matmul(t, state[0], false, leaf_node(run, t, m, "decoder_hh"), true, 1);
	struct node *bias = tape_add(t, leaf_node(run, t, m, "decoder_bias_ih"),
				     leaf_node(run, t, m, "decoder_bias_hh"));
	lstm_cell(t, tape_add(t, tape_add(t, from_x, from_h), bias), state);

	struct node *keys = tape_const(t, k->keys);
	struct node *query = affine(t, state[0], leaf_node(run, t, m, "query"),
				    leaf_node(run, t, m, "query_bias"));
	struct node *both = tape_add(t, keys, query);
	both = k->tanh ? tape_tanh(t, both) : both;
	struct node *score = tape_transpose(
		t, tape_matmul(t, both, false, leaf_node(run, t, m, "score"), false, 1));
	struct node *weights = tape_softmax(t, score, k->free, false);
	struct node *seen[] = {tape_matmul(t, weights, false, keys, false, 1), state[0]};
	state[0] = tape_tanh(t, affine(t, tape_concat_cols(t, seen, 2), leaf_node(run, t, m, "out"),
				       leaf_node(run, t, m, "out_bias")));

	k->chosen[at] = first_greatest(score->v.at, k->free, k->keys.rows);
	k->free[k->chosen[at]] = 0;
}

static bool point(struct run *run, struct tape *t, const struct member *m, long depth,
		  bool with_tanh, struct mat x, size_t *rank)
{
	const size_t n = x.rows, f = run->model->config.ff;
	struct node *states = tape_const(t, x);
	const struct mat cell = mat_zero(t->arena, 1, f);
	for (size_t l = 0; l < (size_t)depth; l++)
		if (!(states = read_layer(run, t, m, l, states, cell)))
			return false;
	struct node *keys =
		affine(t, states, leaf_node(run, t, m, "key"), leaf_node(run, t, m, "key_bias"));
	struct pointing k = {.run = run,
			     .m = m,
			     .tanh = with_tanh,
			     .x = x,
			     .keys = keys->v,
			     .free = arena_alloc(t->arena, n),
			     .chosen = arena_calloc(t->arena, n, sizeof *k.chosen)};
	memset(k.free, 1, n);
	struct node *start[UNROLL_STATES] = {tape_const(t, mat_rows(states->v, n - 1, 1)),
					     tape_const(t, cell)};
	if (!unroll(t, n, f, start, point_step, &k, pointing_cancelled))
		return false;
	for (size_t i = 0; i < n; i++)
		rank[k.chosen[i]] = i;
	return true;
}

bool order_pointer_run(struct run *run, const struct member *m, long depth, bool with_tanh,
		       struct mat x, size_t *rank, struct err *err)
{
	struct arena scratch;
	struct tape t;
	arena_init(&scratch);
	tape_init(&t, &scratch, false);
	const bool ok = x.rows == 0 || point(run, &t, m, depth, with_tanh, x, rank);
	tape_count_all(run->tape, &t);
	arena_release(&scratch);
	return ok || err_set(err, "cancelled");
}
