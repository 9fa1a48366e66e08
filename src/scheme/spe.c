/* spe.c: see spe.h. */
#include "scheme/spe.h"

#include <stdio.h>

/* Computes √σ(x) = exp(log σ(x) / 2), which has a derivative everywhere. */
static struct node *root_sigmoid(struct tape *t, struct node *x)
{
	return tape_exp(t, tape_scale(t, tape_log_sigmoid(t, x), 0.5));
}

struct spe_gate spe_gate_of(struct head *head, struct node *leaf)
{
	struct tape *t = head->tape;
	if (!leaf)
		return (struct spe_gate){0};
	struct node *x = head_row(head, leaf);
	return (struct spe_gate){root_sigmoid(t, x), root_sigmoid(t, tape_scale(t, x, -1))};
}

struct mat spe_noise(struct arena *a, const struct run *run, const struct member *m, size_t head,
		     size_t feature, size_t rows, size_t cols)
{
	char name[96];
	snprintf(name, sizeof name, "%s noise %zu %zu", m->name, head, feature);
	struct rng rng;
	rng_init_name(&rng, run->model->config.seed + run->in->draw, name);
	const struct mat z = mat_new(a, rows, cols);
	mat_fill_normal(z, 1, &rng);
	return z;
}
