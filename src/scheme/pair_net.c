/* pair_net.c: see pair_net.h.
 *
 * Matrices are laid out as heads by pairs: a row is one head's flattened matrix, so the network
 * is two products without rearranging. When nothing is recorded it goes block by block of query
 * rows; a matrix of [width, n²] never exists. */
#include "scheme/pair_net.h"

#include <math.h>
#include <string.h>

#include "posviz/math/machine.h"

/* The number of pairs in a block, whose matrices fit into the second-level cache. */
enum { BLOCK_PAIRS = 2048 };

static const double slope_below_0 = 0.01;

/* Returns the distance as the authors use it in ALiBi: 0 above the diagonal, where it is masked. */
static double distance(const struct pair_net *net, size_t t, size_t s)
{
	const double r = net->position[t] - net->position[s];
	return net->causal ? fmax(r, 0) : fabs(r);
}

/* Computes B of all heads for `rows` queries from `first`: out [h, rows * n], row i flattened. */
static void fill_base(struct mat out, const struct pair_net *net, size_t first, size_t rows,
		      size_t n)
{
	/* The row that is filled last holds the distances meanwhile. */
	double *steps = mat_row(out, out.rows - 1);
	for (size_t t = 0; t < rows; t++)
		for (size_t s = 0; s < n; s++)
			steps[t * n + s] = distance(net, first + t, s);
	for (size_t i = 0; i < out.rows; i++) {
		double *row = mat_row(out, i);
		for (size_t k = 0; k < rows * n; k++)
			row[k] = -net->slope[i] * steps[k];
	}
}

/* ---- viewing: block by block ---- */

struct buffers {
	struct mat in;	   /* [2h, pairs]: A, then B */
	struct mat hidden; /* [width, pairs] */
	struct mat out;	   /* [h, pairs] */
	/* With several taps: a copy of those for each tap, [2h K, pairs] and [width K, pairs]. */
	struct mat in_taps, hidden_taps;
};

struct mixing {
	struct run *run;
	const struct member *member;
	const struct pair_net *net;
	size_t block;		  /* number of query rows in a block */
	struct buffers *worker;	  /* [threads] */
	struct mat *bias, *mixed; /* [h], at NULL: added to the logits instead */
};

static void gather_pairs(const struct mixing *x, struct mat in, size_t first, size_t rows)
{
	const size_t h = x->run->model->config.heads, n = x->run->n;
	for (size_t i = 0; i < h; i++)
		mat_set(mat_view(mat_row(in, i), rows, n),
			mat_rows(x->run->heads[i].logits->v, first, rows));
	fill_base(mat_rows(in, h, h), x->net, first, rows, n);
}

/* LeakyReLU as the larger of v and slope·v: the sign is unpredictable, so a branch would be
 * slow. */
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

/* logits += B + f + b_2, or the two terms separately */
static void add_to_head(const struct mixing *x, size_t i, const struct buffers *b, size_t first,
			size_t rows)
{
	const size_t h = x->run->model->config.heads, n = x->run->n;
	const double shift = x->net->b2->v.at[i];
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

/* Copies m [channels, rows of n keys] for each tap: tap j of key s reads key s + j - K/2 of its row,
 * 0 beyond the ends. */
static void spread(struct mat out, struct mat m, size_t taps, size_t n)
{
	for (size_t j = 0; j < taps; j++)
		for (size_t c = 0; c < m.rows; c++) {
			const double *const from = mat_row(m, c);
			double *const to = mat_row(out, j * m.rows + c);
			for (size_t k = 0; k < m.cols; k++) {
				const size_t at = k % n + j; /* plus K/2 */
				const bool inside = at >= taps / 2 && at - taps / 2 < n;
				to[k] = inside ? from[k + j - taps / 2] : 0;
			}
		}
}

/* Sets the numbers of keys after the query to 0. */
static void forget_later(struct mat in, const struct pair_net *net, size_t first, size_t n)
{
	for (size_t c = 0; c < in.rows; c++)
		for (size_t k = 0; k < in.cols; k++)
			if (net->position[k % n] > net->position[first + k / n])
				mat_row(in, c)[k] = 0;
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
	/* The last block is narrower, but its matrices have no gaps either. */
	const struct buffers *all = &x->worker[worker];
	struct buffers b = {.in = columns(all->in, rows * n),
			    .hidden = columns(all->hidden, rows * n),
			    .out = columns(all->out, rows * n)};
	b.in_taps = b.in;
	b.hidden_taps = b.hidden;
	gather_pairs(x, b.in, first, rows);
	if (x->net->taps > 1) {
		b.in_taps = columns(all->in_taps, rows * n);
		b.hidden_taps = columns(all->hidden_taps, rows * n);
		if (x->net->causal)
			forget_later(b.in, x->net, first, n);
		spread(b.in_taps, b.in, x->net->taps, n);
	}
	mat_mul(b.hidden, 1, x->net->w1->v, true, b.in_taps, false, 0);
	add_column_and_relu(b.hidden, x->net->b1->v.at);
	if (x->net->taps > 1)
		spread(b.hidden_taps, b.hidden, x->net->taps, n);
	mat_mul(b.out, 1, x->net->w2->v, true, b.hidden_taps, false, 0);
	for (size_t head = 0; head < x->run->model->config.heads; head++)
		if (member_on_head(x->member, head))
			add_to_head(x, head, &b, first, rows);
}

static void open_buffers(struct mixing *x)
{
	struct arena *a = x->run->tape->arena;
	const size_t h = x->run->model->config.heads, pairs = x->block * x->run->n;
	const size_t width = x->net->w1->v.cols;
	x->worker = arena_calloc(a, machine_threads(), sizeof *x->worker);
	for (size_t i = 0; i < machine_threads(); i++)
		x->worker[i] = (struct buffers){.in = mat_new(a, 2 * h, pairs),
						.hidden = mat_new(a, width, pairs),
						.out = mat_new(a, h, pairs)};
	for (size_t i = 0; x->net->taps > 1 && i < machine_threads(); i++) {
		x->worker[i].in_taps = mat_new(a, 2 * h * x->net->taps, pairs);
		x->worker[i].hidden_taps = mat_new(a, width * x->net->taps, pairs);
	}
	x->bias = arena_calloc(a, h, sizeof *x->bias);
	x->mixed = arena_calloc(a, h, sizeof *x->mixed);
	for (size_t i = 0; i < h; i++)
		if (x->run->heads[i].split) {
			x->bias[i] = mat_new(a, x->run->n, x->run->n);
			x->mixed[i] = mat_new(a, x->run->n, x->run->n);
		}
}

/* Counts the operations of the blocks as the tape would. */
static void count_blocks(const struct mixing *x)
{
	struct tape *const t = x->run->tape;
	const double h = (double)x->run->model->config.heads, width = (double)x->net->w1->v.cols;
	const double pairs = (double)x->run->n * (double)x->run->n;
	tape_count_products(t, pairs * width * 3 * h * (double)x->net->taps);
	tape_count(t, OP_MATMUL, pairs * (width + h));
	tape_count(t, OP_CONCAT_ROWS, pairs * 2 * h * (double)x->net->taps);
	tape_count(t, OP_ADD, pairs * (2 * h + width));
	tape_count(t, OP_LEAKY_RELU, pairs * width);
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
	machine_parallel((n + x->block - 1) / x->block, mix_block, x);
	if (run_cancelled(run))
		return err_set(err, "cancelled");
	count_blocks(x);
	add_terms(run, x);
	return true;
}

/* ---- learning: the same with nodes ---- */

static struct node *column(struct tape *t, struct node *row)
{
	return tape_reshape(t, row, row->v.cols, 1);
}

/* 1 for keys up to the query, else 0. */
static struct node *up_to_query(struct tape *t, const struct pair_net *net, size_t n)
{
	const struct mat at = mat_new(t->arena, n, n);
	for (size_t i = 0; i < n * n; i++)
		at.at[i] = net->position[i % n] <= net->position[i / n];
	return tape_const(t, at);
}

/* Returns f of all heads for one query, [h, n]: two convolutions along the keys. */
static struct node *convolved(struct tape *t, const struct pair_net *net, struct node *const *all,
			      size_t n_all, size_t query)
{
	struct node **rows = arena_calloc(t->arena, n_all, sizeof *rows);
	for (size_t i = 0; i < n_all; i++)
		rows[i] = tape_slice(t, all[i], query, 1, 0, all[i]->v.cols);
	struct node *in = tape_transpose(t, tape_concat_rows(t, rows, n_all));
	struct node *hidden = tape_add(t, tape_conv1d(t, in, net->w1, net->taps), net->b1);
	hidden = tape_leaky_relu(t, hidden, slope_below_0);
	return tape_transpose(t, tape_add(t, tape_conv1d(t, hidden, net->w2, net->taps), net->b2));
}

static void convolve_as_nodes(struct run *run, const struct member *m, const struct pair_net *net)
{
	struct tape *t = run->tape;
	const size_t h = run->model->config.heads, n = run->n;
	struct node **all = arena_calloc(t->arena, 2 * h, sizeof *all);
	struct node **of_query = arena_calloc(t->arena, n, sizeof *of_query);
	const struct mat bias = mat_new(t->arena, h, n * n);
	struct node *const keep = net->causal ? up_to_query(t, net, n) : NULL;
	fill_base(bias, net, 0, n, n);
	for (size_t i = 0; i < h; i++) {
		struct node *const logits = run->heads[i].logits;
		all[i] = keep ? tape_mul(t, logits, keep) : logits;
		all[h + i] = tape_const(t, mat_view(mat_row(bias, i), n, n));
	}
	for (size_t query = 0; query < n; query++)
		of_query[query] = convolved(t, net, all, 2 * h, query);
	for (size_t i = 0; i < h; i++) {
		struct node **rows = arena_calloc(t->arena, n, sizeof *rows);
		for (size_t query = 0; query < n; query++)
			rows[query] = tape_slice(t, of_query[query], i, 1, 0, n);
		if (!member_on_head(m, i))
			continue;
		head_add_term(&run->heads[i], "base bias", TERM_POSITION, all[h + i]);
		head_add_term(&run->heads[i], "f(A, B)", TERM_OTHER, tape_concat_rows(t, rows, n));
	}
}

static void mix_as_nodes(struct run *run, const struct member *m, const struct pair_net *net)
{
	struct tape *t = run->tape;
	const size_t h = run->model->config.heads, n = run->n;
	struct node **rows = arena_calloc(t->arena, 2 * h, sizeof *rows);
	const struct mat bias = mat_new(t->arena, h, n * n);
	fill_base(bias, net, 0, n, n);
	for (size_t i = 0; i < h; i++) {
		rows[i] = tape_reshape(t, run->heads[i].logits, 1, n * n);
		rows[h + i] = tape_const(t, mat_rows(bias, i, 1));
	}
	struct node *in = tape_concat_rows(t, rows, 2 * h);
	struct node *hidden = tape_matmul(t, net->w1, true, in, false, 1);
	hidden = tape_add(t, hidden, column(t, net->b1));
	hidden = tape_leaky_relu(t, hidden, slope_below_0);
	struct node *out = tape_matmul(t, net->w2, true, hidden, false, 1);
	out = tape_add(t, out, column(t, net->b2));
	for (size_t i = 0; i < h; i++) {
		if (!member_on_head(m, i))
			continue;
		struct node *f = tape_slice(t, out, i, 1, 0, n * n);
		head_add_term(&run->heads[i], "base bias", TERM_POSITION,
			      tape_reshape(t, rows[h + i], n, n));
		head_add_term(&run->heads[i], "f(A, B)", TERM_OTHER, tape_reshape(t, f, n, n));
	}
}

bool pair_net_add(struct run *run, const struct member *m, const struct pair_net *net,
		  struct err *err)
{
	if (run->tape->recording) {
		(net->taps > 1 ? convolve_as_nodes : mix_as_nodes)(run, m, net);
		return true;
	}
	struct mixing x = {.run = run, .member = m, .net = net};
	return mix_by_blocks(run, &x, err);
}
