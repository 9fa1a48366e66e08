/* convoluted.c: see convoluted.h. */
#include "scheme/convoluted.h"

#include "posviz/math/machine.h"

/* ---- leaves ---- */

void convoluted_taus(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	for (size_t i = 0; i < at.cols; i++)
		at.at[i] = i % 2 ? 2 : 0.5;
}

void convoluted_kernel(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	const size_t w = at.rows, middle = (w - 1) / 2;
	for (size_t i = 0; i < w; i++)
		for (size_t j = 0; j < at.cols; j++)
			mat_row(at, i)[j] =
				0.5 / (double)(w * w) + (i == middle && j % w == middle ? 0.5 : 0);
}

enum share convoluted_share(const struct member *m)
{
	const struct convoluted *p = m->param;
	return (enum share)p->share;
}

bool convoluted_fill(struct run *run, const struct member *m, struct convoluted_state *state,
		     struct err *err)
{
	const struct convoluted *p = m->param;
	if (!inject_fill(run, m, &state->numbers, err))
		return false;
	if (p->temperature) {
		state->tau_q = run_leaf(run, m, "tau_q");
		state->tau_k = run_leaf(run, m, "tau_k");
		state->tau_v = run_leaf(run, m, "tau_v");
	}
	if (p->conv == 0)
		return true;
	state->weight = run_leaf(run, m, "conv_weight");
	state->bias = run_leaf(run, m, "conv_bias");
	return reading_of_text(run, m, false, &state->reading, err);
}

/* ---- temperatures ---- */

bool convoluted_qk(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct convoluted_state *state = head_state(head, m);
	if (state->tau_q) {
		head->q = tape_mul(head->tape, head->q, head_slice(head, state->tau_q, 1));
		head->k = tape_mul(head->tape, head->k, head_slice(head, state->tau_k, 1));
	}
	return true;
}

bool convoluted_adds(const struct member *m)
{
	const struct convoluted *p = m->param;
	return !p->temperature;
}

bool convoluted_only_terms(const struct member *m)
{
	const struct convoluted *p = m->param;
	return !p->temperature && p->conv == 0;
}

/* ---- the convolution ---- */

/* Pads x with `before` rows of zeros in front and `after` at the end. */
static struct node *framed(struct tape *t, struct node *x, size_t before, size_t after)
{
	const size_t cols = x->v.cols;
	struct node *const rows[] = {tape_const(t, mat_zero(t->arena, before, cols)), x,
				     tape_const(t, mat_zero(t->arena, after, cols))};
	return tape_concat_rows(t, rows, 3);
}

/* Computes W from the weights [n,n], in the order of the column: in between as [s, t],
 * transposed at both ends. */
static struct node *convolved(struct head *head, const struct convoluted_state *state)
{
	struct tape *t = head->tape;
	const struct reading *r = &state->reading;
	const size_t n = r->n, w = state->weight->v.rows, before = (w - 1) / 2, after = w / 2;
	struct node *at = framed(t, reading_take(t, r, head->weights), before, after);
	at = framed(t, reading_take(t, r, tape_transpose(t, at)), before, after);
	struct node *kernel = head_slice(head, state->weight, w);
	struct node *sum = NULL;
	for (size_t i = 0; i < w; i++)
		for (size_t j = 0; j < w; j++) {
			struct node *term = tape_mul(t, tape_slice(t, at, j, n, i, n),
						     tape_slice(t, kernel, i, 1, j, 1));
			sum = sum ? tape_accumulate(t, sum, term) : term;
		}
	sum = tape_relu(t, tape_add(t, sum, head_slice(head, state->bias, 1)));
	sum = tape_transpose(t, reading_put_back(t, r, sum));
	return reading_put_back(t, r, sum);
}

bool convoluted_values(struct head *head, const struct member *m, struct err *err)
{
	const struct convoluted_state *state = head_state(head, m);
	struct tape *t = head->tape;
	if (state->weight && !head_needs_one_plane(head, m, "set conv=0", err))
		return false;
	if (state->weight) { /* replaces the weights' part; terms of other members stay */
		struct node *more = tape_sub(t, convolved(head, state), head->weights);
		const struct from_keys from = {.vectors = head->v, .by = more};
		head_add_values(head, "convolution", tape_matmul(t, more, false, head->v, false, 1),
				&from);
	}
	if (state->tau_v && head->context)
		head->context = tape_mul(t, head->context, head_slice(head, state->tau_v, 1));
	return true;
}

/* Returns the memory for a term for each number of the kernel, and a few images. */
double convoluted_memory(const struct model *model, const struct member *m,
			 const struct model_input *in, unsigned kinds)
{
	(void)kinds;
	const struct convoluted *p = m->param;
	const double n = (double)in->axis.n + (double)p->conv;
	const size_t threads = machine_threads(), heads = model->config.heads;
	const double matrices = (double)(p->conv * p->conv) + 8;
	return p->conv ? matrices * 8 * n * n * (double)(threads < heads ? threads : heads) : 0;
}
