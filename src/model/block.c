/* block.c: the rest of a layer around its attention, in all forms that trained models have.
 *
 * Survey eq. 1 is ORDER_POST: O = LayerNorm(M + X), Z = LayerNorm(O + F(O)). A norm in front of the
 * projections acts on a sum of parts. So that content and position stay apart, each part is
 * divided by the deviation of the sum, as it is; the parts then sum to the norm of the sum. */
#include <math.h>
#include <string.h>

#include "model_in.h"

/* ---- norms --------------------------------------------------------------------------------- */

static bool is_rms(const struct run *run)
{
	const enum norm_kind norm = run->model->config.block.norm;
	return norm == NORM_RMS || norm == NORM_RMS_PLUS_ONE;
}

static struct node *weighted(struct run *run, struct node *x, enum weight scale)
{
	struct node *const weight = weight_node(run, run->layer, scale);
	return weight ? tape_mul(run->tape, x, weight) : x;
}

struct node *block_norm(struct run *run, struct node *x, enum weight scale, enum weight shift)
{
	struct tape *const t = run->tape;
	const double eps = run->model->config.norm_eps;
	struct node *const out = weighted(run,
					  is_rms(run) ? tape_mul(t, x, tape_inverse_rms(t, x, eps))
						      : tape_layer_norm(t, x, eps),
					  scale);
	struct node *const bias = weight_node(run, run->layer, shift);
	return bias ? tape_accumulate(t, out, bias) : out;
}

static double row_mean(const double *row, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += row[i];
	return sum / (double)n;
}

/* Returns 1/√(var + ε) of each row of the sum, or 1/√(mean square + ε). */
static double *deviations(struct run *run, struct mat sum)
{
	double *const out = arena_calloc(run->arena, sum.rows + 1, sizeof *out);
	for (size_t r = 0; r < sum.rows; r++) {
		const double *const row = mat_row(sum, r);
		const double mean = is_rms(run) ? 0 : row_mean(row, sum.cols);
		double squares = 0;
		for (size_t i = 0; i < sum.cols; i++)
			squares += (row[i] - mean) * (row[i] - mean);
		out[r] = 1 / sqrt(squares / (double)sum.cols + run->model->config.norm_eps);
	}
	return out;
}

static struct node *frozen_norm(struct run *run, struct mat part, const double *by,
				enum weight scale)
{
	const struct mat out = mat_new(run->arena, part.rows, part.cols);
	for (size_t r = 0; r < part.rows; r++) {
		const double *const row = mat_row(part, r);
		const double mean = is_rms(run) ? 0 : row_mean(row, part.cols);
		for (size_t i = 0; i < part.cols; i++)
			mat_row(out, r)[i] = (row[i] - mean) * by[r];
	}
	return weighted(run, tape_const(run->tape, out), scale);
}

/* Returns the bias of a norm as a part with a row for each token. */
static struct node *spread_bias(struct run *run, struct node *bias, size_t rows)
{
	return tape_matmul(run->tape, tape_ones(run->tape, rows, 1), false, bias, false, 1);
}

void block_norm_parts(struct run *run, struct parts *x, enum weight scale, enum weight shift)
{
	struct node *const sum = run_sum_parts(run, x);
	if (x->n == 1 || run->tape->recording) {
		x->at[0].at = block_norm(run, sum, scale, shift);
		x->n = 1;
		return;
	}
	struct node *const bias = weight_node(run, run->layer, shift);
	const double *const by = deviations(run, sum->v);
	bool taken = bias == NULL;
	for (size_t i = 0; i < x->n; i++) {
		struct part *const part = &x->at[i];
		part->at = frozen_norm(run, part->at->v, by, scale);
		if (taken || strcmp(part->label, "bias") != 0)
			continue;
		part->at = tape_add(run->tape, part->at, bias);
		taken = true;
	}
	if (!taken)
		parts_add(x, "bias", spread_bias(run, bias, sum->v.rows));
}

/* The bias of a norm or a projection is a part of its own. */
static struct part *bias_part(struct parts *x)
{
	for (size_t i = 0; i < x->n; i++)
		if (strcmp(x->at[i].label, "bias") == 0)
			return &x->at[i];
	return NULL;
}

static void project_parts(struct run *run, struct parts *x)
{
	struct node *const bias = weight_node(run, run->layer, B_PROJECT);
	struct part *const to = x->n > 1 ? bias_part(x) : &x->at[0];
	const size_t rows = x->at[0].at->v.rows;
	for (size_t i = 0; i < x->n; i++)
		x->at[i].at = weight_product(run, x->at[i].at, W_PROJECT);
	if (bias && to)
		to->at = tape_add(run->tape, to->at, bias);
	else if (bias)
		parts_add(x, "bias", spread_bias(run, bias, rows));
}

void block_embedding(struct run *run, struct parts *x)
{
	const struct model_config *const c = &run->model->config;
	for (size_t i = 0; i < x->n && c->embed_width > 0; i++)
		x->at[i].at = tape_slice(run->tape, x->at[i].at, 0, x->at[i].at->v.rows, 0,
					 c->embed_width);
	if (c->block.embed_norm)
		block_norm_parts(run, x, EMBED_WEIGHT, EMBED_BIAS);
	if (c->embed_width > 0)
		project_parts(run, x);
}

bool block_reads_normed(const struct run *run)
{
	const struct block *const b = &run->model->config.block;
	return b->order != ORDER_POST && b->order != ORDER_AFTER &&
	       !(b->bare_first && run->layer == 0);
}

void block_norm_input(struct run *run, struct parts *x)
{
	struct aside aside;
	if (!block_reads_normed(run))
		return;
	weights_aside(run, &aside);
	block_norm_parts(run, x, LN1_WEIGHT, LN1_BIAS);
	weights_back(run, &aside);
}

/* ---- the feed-forward part ------------------------------------------------------------------- */

/* x ∘ σ(2k (x + 0.044715 x³)), which is x/2 (1 + tanh(k (x + 0.044715 x³))). */
static struct node *gelu_of(struct tape *t, struct node *x, double k)
{
	struct node *const cube = tape_mul(t, tape_mul(t, x, x), x);
	struct node *const inner = tape_add(t, x, tape_scale(t, cube, 0.044715));
	return tape_mul(t, x, tape_sigmoid(t, tape_scale(t, inner, 2 * k)));
}

struct node *block_activated(struct run *run, struct node *x)
{
	static const double root_two_over_pi = 0.79788456080286535588;
	struct tape *const t = run->tape;
	switch (run->model->config.activation) {
	case ACT_RELU:
		return tape_unary(t, OP_RELU, x, true);
	case ACT_GELU:
		return tape_unary(t, OP_GELU, x, true);
	case ACT_SILU:
		return tape_unary(t, OP_SILU, x, true);
	case ACT_GELU_TANH:
		return gelu_of(t, x, root_two_over_pi);
	case ACT_GELU_BLOOM:
		return gelu_of(t, x, 0.79788456);
	case ACT_GELU_FAST:
		return gelu_of(t, x, 0.7978845608);
	case ACT_GELU_QUICK:
		return tape_mul(t, x, tape_sigmoid(t, tape_scale(t, x, 1.702)));
	case ACT_COUNT:
		break;
	}
	BUG("activation %d", (int)run->model->config.activation);
}

struct node *block_linear(struct run *run, struct node *x, enum weight w, enum weight b)
{
	struct node *const bias = weight_node(run, run->layer, b);
	struct node *const out = weight_product(run, x, w);
	return bias ? tape_accumulate(run->tape, out, bias) : out;
}

static struct node *make_forward(struct run *run, struct node *x)
{
	const struct model *const model = run->model;
	for (size_t i = 0; i < model->n_members; i++) {
		const struct member *const m = &model->members[i];
		if (m->hooks->feed_forward && member_on(m, run->layer))
			return m->hooks->feed_forward(run, m, x);
	}
	if (experts_are_in(run))
		return experts_feed(run, x);
	struct node *hidden = block_linear(run, x, W_FF1, B_FF1);
	if (model->config.block.gated)
		hidden = tape_mul(run->tape,
				  block_activated(run, block_linear(run, x, W_GATE, B_GATE)),
				  hidden);
	else
		hidden = block_activated(run, hidden);
	return block_linear(run, hidden, W_FF2, B_FF2);
}

static bool is_carried(const struct run *run)
{
	const struct model *const model = run->model;
	for (size_t i = 0; i < model->n_members; i++)
		if (model->members[i].hooks->carry && member_on(&model->members[i], run->layer))
			return true;
	return false;
}

/* Keeps the result for members that carry a state: the sum behind it is computed in place. */
static struct node *feed_forward(struct run *run, struct node *x)
{
	struct node *const out = make_forward(run, x);
	if (is_carried(run))
		run->fed = run->tape->recording
				   ? out
				   : tape_const(run->tape, mat_copy(run->arena, out->v));
	return out;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static struct node *plus(struct run *run, struct node *x, struct node *residual)
{
	return residual ? tape_accumulate(run->tape, x, residual) : x;
}

static struct node *post(struct run *run, struct node *m, struct node *residual)
{
	struct node *const o = block_norm(run, plus(run, m, residual), LN1_WEIGHT, LN1_BIAS);
	return block_norm(run, tape_accumulate(run->tape, o, feed_forward(run, o)), LN2_WEIGHT,
			  LN2_BIAS);
}

static struct node *pre(struct run *run, struct node *m, struct node *residual)
{
	struct node *const o = plus(run, m, residual);
	struct node *const y = block_norm(run, o, LN2_WEIGHT, LN2_BIAS);
	const bool normed = run->model->config.block.normed_residual;
	return plus(run, feed_forward(run, y), normed ? y : o);
}

static struct node *sandwich(struct run *run, struct node *m, struct node *residual)
{
	struct node *const o = plus(run, block_norm(run, m, LN3_WEIGHT, LN3_BIAS), residual);
	struct node *const f = feed_forward(run, block_norm(run, o, LN2_WEIGHT, LN2_BIAS));
	return plus(run, block_norm(run, f, LN4_WEIGHT, LN4_BIAS), o);
}

static struct node *after(struct run *run, struct node *m, struct node *residual)
{
	struct node *const o = plus(run, block_norm(run, m, LN1_WEIGHT, LN1_BIAS), residual);
	return plus(run, block_norm(run, feed_forward(run, o), LN2_WEIGHT, LN2_BIAS), o);
}

/* Both parts read the input of the layer. */
static struct node *parallel(struct run *run, struct node *m, struct node *residual)
{
	const bool apart = run->model->config.block.apart;
	struct node *const x = run_sum_parts(run, &run->x);
	struct node *const y = apart ? block_norm(run, x, LN2_WEIGHT, LN2_BIAS)
				     : block_norm(run, x, LN1_WEIGHT, LN1_BIAS);
	return plus(run, plus(run, feed_forward(run, y), m), residual);
}

/* Returns what the attention writes. */
static struct node *written(struct run *run, struct node *context)
{
	struct node *const m =
		weight_is_there(run, W_O) ? weight_product(run, context, W_O) : context;
	struct node *const bias = weight_node(run, run->layer, B_O);
	return bias ? tape_accumulate(run->tape, m, bias) : m;
}

struct node *block_attended(struct run *run, struct node *context)
{
	struct node *const sum = plus(run, written(run, context), run->residual);
	switch (run->model->config.block.order) {
	case ORDER_POST:
		return block_norm(run, sum, LN1_WEIGHT, LN1_BIAS);
	case ORDER_PRE:
		return sum;
	default:
		BUG("order %d", (int)run->model->config.block.order);
	}
}

struct node *run_block(struct run *run, struct node *context, struct node *residual)
{
	struct node *const m = written(run, context);
	switch (run->model->config.block.order) {
	case ORDER_POST:
		return post(run, m, residual);
	case ORDER_PRE:
		return pre(run, m, residual);
	case ORDER_SANDWICH:
		return sandwich(run, m, residual);
	case ORDER_AFTER:
		return after(run, m, residual);
	case ORDER_PARALLEL:
		return parallel(run, m, residual);
	}
	BUG("order %d", (int)run->model->config.block.order);
}

struct node *block_output(struct run *run, struct node *context)
{
	struct aside aside;
	const bool forgets = weights_aside(run, &aside);
	struct node *const out = run_block(run, context, run->residual);
	weights_back(run, &aside);
	if (forgets && run->fed)
		run->fed = tape_const(run->tape, run->fed->v);
	return forgets ? tape_const(run->tape, mat_copy(run->arena, out->v)) : out;
}
