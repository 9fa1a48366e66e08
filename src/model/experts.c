/* experts.c: a mixture of experts in the place of the feed-forward part.
 *
 *   y_t = Σ_{e chosen for t} w_te F_e(x_t) + F_shared(x_t)
 *
 * A router scores all experts for each token, and the best are chosen. An expert is read when a
 * token has chosen it, and forgotten before the next one: all of them are larger than the memory. */
#include <math.h>
#include <string.h>

#include "model_in.h"

/* The experts of each token, the best first, and the weights of their outputs. */
struct choice {
	struct index index; /* [n, chosen] → expert */
	struct node *weights;
	struct node *inputs; /* [n, experts]: what multiplies an expert's input; NULL: nothing */
};

/* An expert's tokens; its outputs are rows of a table of all, from `first` on. */
struct share {
	int32_t *rows;
	size_t n, first;
};

bool experts_are_in(struct run *run)
{
	return run->model->config.block.experts.n > 0 && weight_is_there(run, W_ROUTER);
}

/* ---- choosing -------------------------------------------------------------------------------- */

/* Returns the index of the largest number that is not taken; the first of equal ones. */
static size_t best_of(const double *score, const bool *taken, size_t n)
{
	size_t best = n;
	for (size_t i = 0; i < n; i++)
		if (!taken[i] && (best == n || score[i] > score[best]))
			best = i;
	BUG_IF(best == n);
	return best;
}

/* Takes the experts of all groups but the best ones. */
static void keep_groups(const struct experts *x, const double *score, bool *taken, struct arena *a)
{
	const size_t size = x->n / x->groups;
	double *const group = arena_calloc(a, x->groups, sizeof *group);
	bool *const kept = arena_calloc(a, x->groups, sizeof *kept);
	for (size_t g = 0; g < x->groups; g++) {
		bool *const seen = arena_calloc(a, size, sizeof *seen);
		const double *const of = score + g * size;
		for (size_t i = 0; i < (x->by_two && size > 1 ? 2 : 1); i++) {
			const size_t best = best_of(of, seen, size);
			seen[best] = true;
			group[g] += of[best];
		}
	}
	for (size_t i = 0; i < x->groups_chosen; i++)
		kept[best_of(group, kept, x->groups)] = true;
	for (size_t e = 0; e < x->n; e++)
		taken[e] = !kept[e / size];
}

static void choose(const struct experts *x, struct mat score, struct arena *a, struct index *out)
{
	int32_t *const at = arena_calloc(a, score.rows * x->chosen, sizeof *at);
	for (size_t t = 0; t < score.rows; t++) {
		bool *const taken = arena_calloc(a, x->n, sizeof *taken);
		if (x->groups > 0)
			keep_groups(x, mat_row(score, t), taken, a);
		for (size_t s = 0; s < x->chosen; s++) {
			const size_t best = best_of(mat_row(score, t), taken, x->n);
			taken[best] = true;
			at[t * x->chosen + s] = (int32_t)best;
		}
	}
	*out = (struct index){.rows = score.rows, .cols = x->chosen, .count = x->n, .at = at};
}

/* Divides by the sum, if the model does, and multiplies. */
static struct node *scaled(const struct experts *x, struct tape *t, struct node *w)
{
	if (x->normed)
		w = tape_mul(t, w, tape_pow(t, tape_add_scalar(t, tape_row_sum(t, w), 1e-20), -1));
	return x->scaling > 0 ? tape_scale(t, w, x->scaling) : w;
}

static struct choice route(struct run *run, struct node *x, struct arena *a)
{
	const struct experts *const is = &run->model->config.block.experts;
	struct tape *const t = run->tape;
	struct choice c = {0};
	struct node *const logits = block_linear(run, x, W_ROUTER, B_ROUTER);
	struct node *const shift = weight_node(run, run->layer, ROUTER_SHIFT);
	struct node *const score = is->router == ROUTER_SOFTMAX
					   ? tape_softmax(t, logits, NULL, false)
				   : is->router == ROUTER_SIGMOID ? tape_sigmoid(t, logits)
								  : logits;
	choose(is, shift ? tape_add(t, score, shift)->v : score->v, a, &c.index);
	struct index *const kept = arena_alloc(a, sizeof *kept);
	*kept = c.index;
	if (is->router == ROUTER_INPUT) {
		c.inputs = tape_sigmoid(t, logits);
		c.weights = tape_ones(t, x->v.rows, is->chosen);
		return c;
	}
	struct node *const w = tape_gather(t, score, kept, GATHER_BY_ROW);
	c.weights =
		is->router == ROUTER_CHOSEN ? tape_softmax(t, w, NULL, false) : scaled(is, t, w);
	return c;
}

/* ---- one expert ------------------------------------------------------------------------------ */

/* An expert in a run, and the tape that computes it: one of its own, unless the run is recorded. */
struct expert {
	struct run *run;
	struct tape *tape;
	size_t index;
};

/* Returns a weight, [out, in], or a bias; NULL: the files have none, or it could not be read. */
static struct node *read(struct expert *e, enum weight which, size_t rows, size_t cols)
{
	struct run_private *const p = e->run->private;
	const struct weight_source *const s = e->run->model->given->source;
	const size_t layer = e->run->model->weights_of[e->run->layer];
	if (p->unread || !s->expert_has(s, layer, which))
		return NULL;
	const struct mat m = mat_new(e->tape->arena, rows, cols);
	p->unread = !s->expert_read(s, layer, e->index, which, m, &p->why_unread);
	return p->unread ? NULL : tape_const(e->tape, m);
}

static struct node *linear(struct expert *e, struct node *x, enum weight w, size_t width)
{
	struct node *const matrix = read(e, w, width, x->v.cols);
	struct node *const bias = matrix ? read(e, w + 1, 1, width) : NULL;
	if (!matrix)
		return tape_const(e->tape, mat_zero(e->tape->arena, x->v.rows, width));
	struct node *const out = tape_matmul(e->tape, x, false, matrix, true, 1);
	return bias ? tape_accumulate(e->tape, out, bias) : out;
}

/* (up + 1) ∘ g σ(1.702 g), within limits. */
static struct node *limited(struct tape *t, struct node *gate, struct node *up, double limit)
{
	gate = tape_clip(t, gate, -INFINITY, limit);
	up = tape_add_scalar(t, tape_clip(t, up, -limit, limit), 1);
	return tape_mul(t, up, tape_mul(t, gate, tape_sigmoid(t, tape_scale(t, gate, 1.702))));
}

static struct node *expert(struct expert *e, struct node *x)
{
	const struct model_config *const c = &e->run->model->config;
	const size_t width = c->block.experts.width;
	const double limit = c->block.experts.limit;
	struct tape *const serial = e->run->tape;
	struct node *const up = linear(e, x, W_FF1, width);
	struct node *const gate = linear(e, x, W_GATE, width);
	e->run->tape = e->tape;
	struct node *const hidden = limit > 0
					    ? limited(e->tape, gate, up, limit)
					    : tape_mul(e->tape, block_activated(e->run, gate), up);
	e->run->tape = serial;
	return linear(e, hidden, W_FF2, c->d);
}

/* Returns the expert's outputs for its tokens. */
static struct node *of_share(struct run *run, size_t index, struct node *x, const struct choice *c,
			     const struct share *share, struct arena *scratch)
{
	struct tape own;
	struct expert e = {run, run->tape, index};
	const struct arena_mark mark = arena_mark(scratch);
	if (!run->tape->recording) {
		tape_init(&own, scratch, false);
		e.tape = &own;
	}
	struct node *in = tape_gather_rows(e.tape, x, share->rows, share->n);
	if (c->inputs) {
		struct node *const by = tape_gather_rows(e.tape, c->inputs, share->rows, share->n);
		in = tape_mul(e.tape, in, tape_slice(e.tape, by, 0, share->n, index, 1));
	}
	struct node *const out = expert(&e, in);
	if (e.tape == run->tape)
		return out;
	tape_count_all(run->tape, &own);
	struct node *const kept = tape_const(run->tape, mat_copy(run->tape->arena, out->v));
	arena_rewind(scratch, mark);
	return kept;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static struct share *share_out(const struct experts *x, const struct index *chosen, struct arena *a)
{
	struct share *const shares = arena_calloc(a, x->n, sizeof *shares);
	size_t first = 0;
	for (size_t e = 0; e < x->n; e++)
		shares[e].rows = arena_calloc(a, chosen->rows, sizeof *shares[e].rows);
	for (size_t t = 0; t < chosen->rows; t++)
		for (size_t s = 0; s < chosen->cols; s++) {
			struct share *const to = &shares[chosen->at[t * chosen->cols + s]];
			to->rows[to->n++] = (int32_t)t;
		}
	for (size_t e = 0; e < x->n; e++) {
		shares[e].first = first;
		first += shares[e].n;
	}
	return shares;
}

/* Returns where the output of each token's experts stands in the table of all outputs. */
static struct index *table_rows(const struct index *chosen, const struct share *shares, size_t n,
				struct arena *a)
{
	int32_t *const at = arena_calloc(a, chosen->rows * chosen->cols, sizeof *at);
	size_t *const next = arena_calloc(a, n, sizeof *next);
	struct index *const out = arena_alloc(a, sizeof *out);
	for (size_t i = 0; i < chosen->rows * chosen->cols; i++) {
		const int32_t e = chosen->at[i];
		at[i] = (int32_t)(shares[e].first + next[e]++);
	}
	*out = (struct index){.rows = chosen->rows,
			      .cols = chosen->cols,
			      .count = chosen->rows * chosen->cols,
			      .at = at};
	return out;
}

/* The expert that all tokens have. */
static struct node *shared(struct run *run, struct node *x)
{
	struct tape *const t = run->tape;
	struct node *const gate = block_activated(run, weight_product(run, x, W_SHARED_GATE));
	struct node *const hidden = tape_mul(t, gate, weight_product(run, x, W_SHARED_UP));
	struct node *const out = weight_product(run, hidden, W_SHARED_DOWN);
	if (!weight_is_there(run, W_SHARED_SWITCH))
		return out;
	return tape_mul(t, out, tape_sigmoid(t, weight_product(run, x, W_SHARED_SWITCH)));
}

struct node *experts_feed(struct run *run, struct node *x)
{
	const struct experts *const is = &run->model->config.block.experts;
	struct arena *const a = run->tape->arena;
	struct arena scratch;
	arena_init(&scratch);
	const struct choice c = route(run, x, a);
	const struct share *const shares = share_out(is, &c.index, a);
	struct node **const outputs = arena_calloc(a, is->n, sizeof *outputs);
	size_t n = 0;
	for (size_t e = 0; e < is->n && !run->private->unread; e++) {
		if (run_cancelled(run))
			run->private->unread = !err_set(&run->private->why_unread, "cancelled");
		else if (shares[e].n > 0)
			outputs[n++] = of_share(run, e, x, &c, &shares[e], &scratch);
	}
	arena_release(&scratch);
	if (run->private->unread)
		return x;
	struct node *const table = tape_concat_rows(run->tape, outputs, n);
	struct node *const out = tape_chosen_mix(run->tape, c.weights, table,
						 table_rows(&c.index, shares, is->n, a), 1);
	return is->shared > 0 ? tape_accumulate(run->tape, out, shared(run, x)) : out;
}
