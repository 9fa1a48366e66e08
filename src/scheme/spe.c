/* spe.c: see spe.h. */
#include "scheme/spe.h"

#include <math.h>
#include <stdio.h>

/* √σ(x) = exp(log σ(x) / 2), which has a derivative everywhere. */
static struct node *root_sigmoid(struct tape *t, struct node *x)
{
	return tape_exp(t, tape_scale(t, tape_log_sigmoid(t, x), 0.5));
}

struct spe_gate spe_gate_of(struct head *head, struct node *leaf)
{
	struct tape *t = head->tape;
	if (!leaf)
		return (struct spe_gate){0};
	struct node *x = tape_slice(t, leaf, head->index, 1, 0, leaf->v.cols);
	return (struct spe_gate){root_sigmoid(t, x), root_sigmoid(t, tape_scale(t, x, -1))};
}

bool spe_declare_gate(struct model *model, const struct member *m, bool gated, struct err *err)
{
	static const struct leaf_init demo = {.fill = FILL_CONSTANT, .value = -2};
	static const struct leaf_init paper = {.fill = FILL_NORMAL, .value = 1};
	return !gated ||
	       model_leaf(model, m, "gate", model->config.heads, model->dk, true, demo, paper, err);
}

struct mat spe_noise(struct arena *a, const struct run *run, const struct member *m, size_t head,
		     size_t feature, size_t rows, size_t cols)
{
	char name[96];
	snprintf(name, sizeof name, "%s noise %zu %zu", m->name, head, feature);
	struct rng rng;
	rng_init_name(&rng, run->model->config.seed, name);
	const struct mat z = mat_new(a, rows, cols);
	mat_fill_normal(z, 1, &rng);
	return z;
}
