/* help_context.c: see help_context.h. */
#include "help_context.h"

#include <string.h>
#include <math.h>

#include "test.h"

struct mat help_term(const struct trace *trace, size_t layer, size_t head, size_t i)
{
	assert_true(trace->layers[layer].heads[head].n_terms > i);
	return trace->layers[layer].heads[head].terms[i].at;
}

void help_with_parts(struct help_run *r)
{
	r->want.kinds |= WANT_TERMS | WANT_QKV | WANT_INPUT | WANT_CONTEXT;
}

void help_random_leaves(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		struct rng rng;
		const struct mat at = model->leaves[i].at;
		rng_init_name(&rng, 3, model->leaves[i].name);
		mat_fill_normal(at, 1 / sqrt((double)at.rows), &rng);
	}
}

void help_is_reversed(const char *forward, const char *backward)
{
	static const size_t reversed[] = {6, 5, 4, 3, 2, 1, 0};
	struct help_run r;
	help_run_must_open(&r, forward, 7, 0, NULL);
	const struct trace *there = help_changed(&r, forward, help_random_leaves);
	help_permute(&r, reversed);
	const struct trace *back = help_changed(&r, backward, help_random_leaves);
	for (size_t t = 0; t < 7; t++)
		assert_true(mat_max_abs_diff(mat_rows(there->layers[1].output, t, 1),
					     mat_rows(back->layers[1].output, 6 - t, 1)) < 1e-10);
	help_run_close(&r);
}

/* A gate passes e^-m if its logit is -ln(e^m - 1); m: the slopes of Press et al. for 4 heads. */
void help_slopes_of_alibi(struct model *model)
{
	static const double slopes[] = {.25, .0625, .015625, .00390625};
	help_zero_leaves(model);
	for (size_t i = 0; i < model->n_leaves; i++)
		for (size_t h = 0; h < 4 && strcmp(model->leaves[i].base, "b_f") == 0; h++)
			model->leaves[i].at.at[h] = -log(expm1(slopes[h]));
}
