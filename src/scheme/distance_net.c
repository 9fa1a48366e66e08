/* distance_net.c: see distance_net.h. */
#include "scheme/distance_net.h"

#include <math.h>

#include "scheme/differences.h"

/* The names must outlive the model. */
static const char *const weight_names[] = {"w0", "w1", "w2", "w3", "w4", "w5", "w6"};
static const char *const bias_names[] = {"b0", "b1", "b2", "b3", "b4", "b5", "b6"};

/* ---- leaves ---------------------------------------------------------------------------------- */

static double rise(size_t hidden)
{
	return hidden % 2 == 0 ? 2 : -2;
}

double distance_net_rises(size_t hidden, double target)
{
	return -rise(hidden) * target;
}

static double make_first(const struct leaf_maker *of, size_t row, size_t j)
{
	(void)of, (void)row;
	return rise(j);
}

static void make_last(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	mat_fill(at, 0);
	for (size_t i = 0; i < at.cols; i++)
		for (size_t j = 2 * i; j < 2 * i + 2; j++)
			mat_row(at, j % at.rows)[i] -= 1.5;
}

bool distance_net_declare(struct model *model, const struct member *m,
			  const struct distance_net *net, struct leaf_init rises, struct err *err)
{
	static const struct leaf_init first = {.entry = make_first}, last = {.make = make_last};
	static const struct leaf_init pass = {.fill = FILL_DIAGONAL, .value = 1};
	static const struct leaf_init zero = {.fill = FILL_CONSTANT, .value = 0};
	for (size_t i = 0; i <= net->depth; i++) {
		const size_t in = i == 0 ? 1 : net->width;
		const size_t out = i == net->depth ? model->config.heads : net->width;
		const struct leaf_init paper = {.fill = FILL_UNIFORM,
						.value = 1 / sqrt((double)in)};
		const struct leaf_init demo = i == 0 ? first : i == net->depth ? last : pass;
		if (!model_leaf(model, m, weight_names[i], in, out, net->each_layer, demo, paper,
				err) ||
		    !model_leaf(model, m, bias_names[i], 1, out, net->each_layer,
				i == 0 ? rises : zero, paper, err))
			return false;
	}
	return true;
}

/* ---- the network
 * --------------------------------------------------------------------------------- */

struct layers {
	struct node *weight[DISTANCE_NET_DEPTH + 1], *bias[DISTANCE_NET_DEPTH + 1];
	size_t n;
};

static struct node *network(const void *context, struct tape *t, struct node *x)
{
	const struct layers *layers = context;
	for (size_t i = 0; i < layers->n; i++) {
		x = tape_matmul(t, x, false, layers->weight[i], false, 1);
		x = tape_accumulate(t, x, layers->bias[i]);
		if (i + 1 < layers->n)
			x = tape_silu(t, x);
	}
	return x;
}

struct node *distance_net_table(struct run *run, const struct member *m,
				const struct distance_net *net, struct mat x)
{
	const size_t h = run->model->config.heads;
	struct layers layers = {.n = net->depth + 1};
	for (size_t i = 0; i < layers.n; i++) {
		layers.weight[i] = run_leaf(run, m, weight_names[i]);
		layers.bias[i] = run_leaf(run, m, bias_names[i]);
	}
	return tape_transpose(run->tape, differences_apply(run->tape, x, h, network, &layers));
}
