/* dape.c: data-adaptive positions (Zheng et al. 2024): a small network over the heads of each pair.
 *
 *   A' = A + B + f([A; B]),  f = W_2 LeakyReLU(W_1 · + b_1) + b_2 of the 2h numbers of a pair
 *
 * A is c q·k of all heads, B a bias of theirs. Everything stands heads by pairs: a row is one head's
 * matrix laid out flat, so f is two products and nothing is interleaved. When nothing is recorded
 * this goes block by block of query rows; a matrix of [width, n²] never exists. */
#include "posviz/scheme.h"
#include "posviz/stage.h"

#include <math.h>
#include <string.h>

#include "posviz/machine.h"
#include "scheme/alibi.h"
#include "scheme/leaves.h"
#include "scheme/mask.h"

/* Pairs in a block: its matrices stay in the second-level cache. */
enum { BLOCK_PAIRS = 2048 };

static const double slope_below_0 = 0.01;

enum base { BASE_ALIBI };
static const char *const base_names[] = {"alibi", NULL};

struct dape {
	int base;
	long width;
	bool causal;
};

/* ---- the base bias ---- */

struct base_bias {
	const double *position; /* [n] */
	const double *slope;	/* [h] */
	bool causal;
};

struct dape_state {
	struct base_bias base;
	struct node *w1, *b1; /* [2h, width], [1, width] */
	struct node *w2, *b2; /* [width, h], [1, h] */
};

/* ALiBi as the authors feed it in: 0 above the diagonal, where the mask forbids. */
static double distance(const struct base_bias *base, size_t t, size_t s)
{
	const double r = base->position[t] - base->position[s];
	return base->causal ? fmax(r, 0) : fabs(r);
}

/* B of all heads for `rows` queries from `first`: out [h, rows * n], row i flat. */
static void fill_base(struct mat out, const struct base_bias *base, size_t first, size_t rows,
		      size_t n)
{
	/* Distances wait in the row that is filled last. */
	double *steps = mat_row(out, out.rows - 1);
	for (size_t t = 0; t < rows; t++)
		for (size_t s = 0; s < n; s++)
			steps[t * n + s] = distance(base, first + t, s);
	for (size_t i = 0; i < out.rows; i++) {
		double *row = mat_row(out, i);
		for (size_t k = 0; k < rows * n; k++)
			row[k] = -base->slope[i] * steps[k];
	}
}

/* ---- looking: block by block ---- */

struct buffers {
	struct mat in;	   /* [2h, pairs]: A, then B */
	struct mat hidden; /* [width, pairs] */
	struct mat out;	   /* [h, pairs] */
};

struct mixing {
	struct run *run;
	const struct member *member;
	const struct dape_state *state;
	size_t block;		  /* query rows in a block */
	struct buffers *worker;	  /* [threads] */
	struct mat *bias, *mixed; /* [h], at NULL: add to the logits instead */
};

static void gather_pairs(const struct mixing *x, struct mat in, size_t first, size_t rows)
{
	const size_t h = x->run->model->config.heads, n = x->run->n;
	for (size_t i = 0; i < h; i++)
		mat_set(mat_view(mat_row(in, i), rows, n),
			mat_rows(x->run->heads[i].logits->v, first, rows));
	fill_base(mat_rows(in, h, h), &x->state->base, first, rows, n);
}

/* The larger of v and slope·v is LeakyReLU; its sign is anybody's guess, so no branch on it. */
static void add_column_and_relu(struct mat m, const double *column)
{
	for (size_t j = 0; j < m.rows; j++) {
		double *row = mat_row(m, j);
		const double shift = column[j];
		for (size_t i = 0; i < m.cols; i++) {
			const double v = row[i] + shift, low = slope_below_0 * v;
			row[i] = v > low ? v : low;
		}
	}
}

/* logits += B + f + b_2, or the two terms apart */
static void give_head(const struct mixing *x, size_t i, const struct buffers *b, size_t first,
		      size_t rows)
{
	const size_t h = x->run->model->config.heads, n = x->run->n;
	const double shift = x->state->b2->v.at[i];
	const double *base = mat_row(b->in, h + i), *f = mat_row(b->out, i);
	const bool apart = x->bias[i].at != NULL;
	for (size_t r = first; r < first + rows; r++, base += n, f += n) {
		double *to = mat_row(apart ? x->mixed[i] : x->run->heads[i].logits->v, r);
		if (apart)
			memcpy(mat_row(x->bias[i], r), base, n * sizeof *base);
		for (size_t s = 0; s < n; s++)
			to[s] = apart ? f[s] + shift : to[s] + base[s] + f[s] + shift;
	}
}

static struct mat columns(struct mat m, size_t cols)
{
	return mat_view(m.at, m.rows, cols);
}

static void mix_block(void *context, size_t i, size_t worker)
{
	const struct mixing *x = context;
	if (run_cancelled(x->run))
		return;
	const size_t n = x->run->n, first = i * x->block;
	const size_t rows = n - first < x->block ? n - first : x->block;
	/* The last block is narrower, and its matrices without gaps all the same. */
	const struct buffers *all = &x->worker[worker];
	const struct buffers b = {columns(all->in, rows * n), columns(all->hidden, rows * n),
				  columns(all->out, rows * n)};
	gather_pairs(x, b.in, first, rows);
	mat_mul(b.hidden, 1, x->state->w1->v, true, b.in, false, 0);
	add_column_and_relu(b.hidden, x->state->b1->v.at);
	mat_mul(b.out, 1, x->state->w2->v, true, b.hidden, false, 0);
	for (size_t head = 0; head < x->run->model->config.heads; head++)
		if (member_on_head(x->member, head))
			give_head(x, head, &b, first, rows);
}

static void open_buffers(struct mixing *x)
{
	struct arena *a = x->run->tape->arena;
	const size_t h = x->run->model->config.heads, pairs = x->block * x->run->n;
	x->worker = arena_calloc(a, machine_threads(), sizeof *x->worker);
	for (size_t i = 0; i < machine_threads(); i++)
		x->worker[i] = (struct buffers){mat_new(a, 2 * h, pairs),
						mat_new(a, x->state->w1->v.cols, pairs),
						mat_new(a, h, pairs)};
	x->bias = arena_calloc(a, h, sizeof *x->bias);
	x->mixed = arena_calloc(a, h, sizeof *x->mixed);
	for (size_t i = 0; i < h; i++)
		if (x->run->heads[i].split) {
			x->bias[i] = mat_new(a, x->run->n, x->run->n);
			x->mixed[i] = mat_new(a, x->run->n, x->run->n);
		}
}

/* What the blocks cost, as the tape counts it. */
static double operations(const struct mixing *x)
{
	const double h = (double)x->run->model->config.heads, width = (double)x->state->w1->v.cols;
	const double pairs = (double)x->run->n * (double)x->run->n;
	const double products = 2 * width * 3 * h + tape_ops[OP_MATMUL].cost * (width + h);
	const double moves = tape_ops[OP_CONCAT_ROWS].cost * 2 * h + tape_ops[OP_ADD].cost * 2 * h +
			     (tape_ops[OP_ADD].cost + tape_ops[OP_LEAKY_RELU].cost) * width;
	return pairs * (products + moves);
}

static void add_terms(struct run *run, const struct mixing *x)
{
	for (size_t i = 0; i < run->model->config.heads; i++) {
		struct head *head = &run->heads[i];
		if (!head->split || !member_on_head(x->member, i))
			continue;
		head_add_term(head, "base bias", TERM_POSITION, tape_const(run->tape, x->bias[i]));
		head_add_term(head, "f(A, B)", TERM_OTHER, tape_const(run->tape, x->mixed[i]));
	}
}

static bool mix_by_blocks(struct run *run, struct mixing *x, struct err *err)
{
	const size_t n = run->n;
	x->block = BLOCK_PAIRS / n ? BLOCK_PAIRS / n : 1;
	open_buffers(x);
	machine_blas_single(true);
	machine_parallel((n + x->block - 1) / x->block, mix_block, x);
	machine_blas_single(false);
	if (run_cancelled(run))
		return err_set(err, "cancelled");
	run->tape->operations += operations(x);
	add_terms(run, x);
	return true;
}

/* ---- learning: the same as nodes ---- */

static struct node *column(struct tape *t, struct node *row)
{
	return tape_reshape(t, row, row->v.cols, 1);
}

static void mix_as_nodes(struct run *run, const struct member *m, const struct dape_state *state)
{
	struct tape *t = run->tape;
	const size_t h = run->model->config.heads, n = run->n;
	struct node **rows = arena_calloc(t->arena, 2 * h, sizeof *rows);
	const struct mat bias = mat_new(t->arena, h, n * n);
	fill_base(bias, &state->base, 0, n, n);
	for (size_t i = 0; i < h; i++) {
		rows[i] = tape_reshape(t, run->heads[i].logits, 1, n * n);
		rows[h + i] = tape_const(t, mat_rows(bias, i, 1));
	}
	struct node *in = tape_concat_rows(t, rows, 2 * h);
	struct node *hidden = tape_matmul(t, state->w1, true, in, false, 1);
	hidden = tape_add(t, hidden, column(t, state->b1));
	hidden = tape_leaky_relu(t, hidden, slope_below_0);
	struct node *out = tape_matmul(t, state->w2, true, hidden, false, 1);
	out = tape_add(t, out, column(t, state->b2));
	for (size_t i = 0; i < h; i++) {
		if (!member_on_head(m, i))
			continue;
		struct node *f = tape_slice(t, out, i, 1, 0, n * n);
		head_add_term(&run->heads[i], "base bias", TERM_POSITION,
			      tape_reshape(t, rows[h + i], n, n));
		head_add_term(&run->heads[i], "f(A, B)", TERM_OTHER, tape_reshape(t, f, n, n));
	}
}

/* ---- hooks ---- */

static bool dape_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct dape_state *state = run_state(run, m, sizeof *state);
	double *slope = arena_calloc(run->arena, run->model->config.heads, sizeof *slope);
	alibi_slopes(slope, run->model->config.heads);
	const struct dape *p = m->param;
	state->base = (struct base_bias){run_column(run, m, err), slope, p->causal};
	state->w1 = run_leaf(run, m, "w1");
	state->b1 = run_leaf(run, m, "b1");
	state->w2 = run_leaf(run, m, "w2");
	state->b2 = run_leaf(run, m, "b2");
	return state->base.position != NULL;
}

static bool dape_adjust_heads(struct run *run, const struct member *m, struct err *err)
{
	const struct dape_state *state = head_state(&run->heads[0], m);
	if (run->tape->recording) {
		mix_as_nodes(run, m, state);
		return true;
	}
	struct mixing x = {.run = run, .member = m, .state = state};
	return mix_by_blocks(run, &x, err);
}

/* ---- descriptor ---- */

static const struct param dape_params[] = {
	CHOICE_PARAM(struct dape, base, BASE_ALIBI, base_names, "the bias that the network adapts"),
	RATIO_PARAM(struct dape, width, 32, 1, 512, 2, "hidden numbers of the network"),
	SWITCH_PARAM(struct dape, causal, true,
		     "on: brings the causal mask; off: both directions, distance |t−s|"),
	{0},
};

static const struct leaf_row dape_leaves[] = {
	{"w1", "2 h, width", "from the logits and biases of all heads to the hidden layer",
	 .by_layer = EACH_LAYER, .demo = {FILL_NORMAL, .formula = "1 / sqrt(2 h)"},
	 .paper = LINEAR_INIT("2 h")},
	{"b1", "1, width", "added in the hidden layer", .spare = true, .by_layer = EACH_LAYER,
	 .demo = {FILL_CONSTANT}, .paper = LINEAR_INIT("2 h")},
	{"w2", "width, h", "from the hidden layer to what each head gets added",
	 .by_layer = EACH_LAYER, .demo = {FILL_NORMAL, .formula = "1 / sqrt(width)"},
	 .paper = LINEAR_INIT("width")},
	{"b2", "1, h", "added to that", .spare = true, .by_layer = EACH_LAYER,
	 .demo = {FILL_CONSTANT}, .paper = LINEAR_INIT("width")},
	{0},
};

const struct scheme scheme_dape[] = {
	{
		.id = "dape",
		.aliases = "data-adaptive",
		.title = "Data-adaptive positional encoding",
		.formula = "A' = A + B + f([A; B]),  A = q·k / √d_h of all heads, B their ALiBi",
		.authors = "Zheng et al.",
		.cite = "Zheng et al.: DAPE: data-adaptive positional encoding for length "
			"extrapolation. NeurIPS 2024",
		.recipe = "term.base bias[t,s] = -slope d, d = max(t - s, 0) with causal=on, |t - "
			  "s| without, slope = " ALIBI_SLOPES "; term.f(A, B)[t,s] = column H of "
			  "leaky relu([A, B] @ w1 + b1) @ w2 + b2, with 0.01 below 0, A the sums "
			  "of the other terms and B the base biases of all heads at t and s, of "
			  "param.dape.NAME.L",
		.about = "A small network looks at the logits and the biases of all heads for a "
			 "pair of tokens and corrects the bias, so that it depends on what is "
			 "attended.",
		.year = 2024,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = dape_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_CAUSAL |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "chuanyang-Zheng/DAPE 51cf9bd, AliBi_DAPE",
		.demo_note = "w1, w2 drawn with variance 1/inputs, b1 = b2 = 0: a network that "
			     "mixes the heads at random",
		.params = dape_params,
		.param_size = sizeof(struct dape),
		.hooks = {.declare = leaves_declare,
			  .prepare = dape_prepare,
			  .mask = mask_causal,
			  .adjust_heads = dape_adjust_heads},
	},
	{0},
};
