/* forget.c: see forget.h. */
#include "scheme/forget.h"

#include <math.h>

#include "scheme/reading.h"

/* The part forgotten per step is geometric over the heads, from 0.3 to 0.02. */
static void make_rates(struct mat at, const struct leaf_maker *of)
{
	static const double most = 0.3, least = 0.02;
	const size_t h = of->model->config.heads;
	for (size_t i = 0; i < at.cols; i++) {
		const double share = h > 1 ? (double)(i % h) / (double)(h - 1) : 0;
		const double lost = most * pow(least / most, share);
		at.at[i] = log((1 - lost) / lost);
	}
}

bool forget_declare(struct model *model, const struct member *m, bool open, bool both,
		    struct err *err)
{
	const size_t d = model->config.d, gates = model->config.heads * (both ? 2 : 1);
	/* w_f of a vector of ones is 0: so the probe shows b_f alone. */
	const struct leaf_init words = {.fill = FILL_BALANCED, .value = sqrt(2 / (double)d)};
	const struct leaf_init rates = {.make = make_rates};
	const struct leaf_init linear = {.fill = FILL_UNIFORM, .value = 1 / sqrt((double)d)};
	const struct leaf_init five = {.fill = FILL_CONSTANT, .value = 5};
	return model_leaf(model, m, "w_f", d, gates, true, words, linear, err) &&
	       model_leaf(model, m, "b_f", 1, gates, true, rates, open ? five : linear, err);
}

struct node *forget_sums(struct run *run, const struct member *m, double sign, struct err *err)
{
	struct tape *t = run->tape;
	struct reading r;
	if (!reading_of_text(run, m, false, &r, err))
		return NULL;
	struct node *x = run_sum_parts(run, &run->x);
	struct node *open = tape_matmul(t, x, false, run_leaf(run, m, "w_f"), false, 1);
	open = tape_add(t, open, run_leaf(run, m, "b_f"));
	open = tape_log_sigmoid(t, sign < 0 ? tape_scale(t, open, sign) : open);
	struct node *read = tape_transpose(t, reading_take(t, &r, open));
	struct node *sums = tape_transpose(t, tape_prefix_sum(t, read));
	const int32_t *last = reading_shared(run, &r, run_order(run, m, err), true);
	return tape_gather_rows(t, sums, last, r.n);
}

struct node *forget_gains(struct head *head, struct node *sums)
{
	struct node *f = head_slice(head, sums, 1);
	return tape_pair_sums(head->tape, f, tape_scale(head->tape, f, -1), 1);
}
