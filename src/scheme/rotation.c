/* rotation.c: see rotation.h. Angles are products in double, never sums: long inputs keep their
 * digits. */
#include "scheme/rotation.h"

#include <math.h>

#include "posviz/scheme/reach.h"

bool rotation_has_pairs(struct model *model, const struct member *m, struct err *err)
{
	const size_t given = model->config.head_dim;
	if (given % 2 != 0)
		return err_set(err,
			       "head-dim: %s rotates pairs of components, and %zu is odd; head-dim "
			       "%zu would be right",
			       m->text, given, given + 1);
	return model->dk >= 2 ||
	       err_set(err,
		       "%s rotates pairs of columns, but a head has only %zu; take fewer heads",
		       m->text, model->dk);
}

double rotation_rate(double base, size_t i, size_t width)
{
	return pow(base, -2 * (double)i / (double)width);
}

void rotation_fill(struct mat cosine, struct mat sine, const double *positions, const double *rate)
{
	for (size_t t = 0; t < cosine.rows; t++)
		for (size_t i = 0; i < cosine.cols; i++) {
			const double angle = positions[t] * rate[i];
			mat_row(cosine, t)[i] = cos(angle);
			mat_row(sine, t)[i] = sin(angle);
		}
}

bool rotation_fits(const struct head *head, const struct member *m, size_t columns, struct err *err)
{
	const size_t left = head->q->v.cols;
	return left >= columns ||
	       err_set(err, "%s rotates %zu columns, but %s leaves only %zu of a head", m->name,
		       columns, head->widened_by ? head->widened_by->name : "the model", left);
}

bool rotation_turn(struct head *head, const struct member *m, const struct rotation *by, bool half,
		   struct err *err)
{
	if (!rotation_fits(head, m, 2 * by->q_cos.cols, err))
		return false;
	head->q = tape_rotate(head->tape, head->q, by->q_cos, by->q_sin, half);
	head->k = tape_rotate(head->tape, head->k, by->k_cos, by->k_sin, half);
	return true;
}

/* (a, b) -> (a cos - b sin, a sin + b cos); columns beyond 2·half stay. Angles are learned, so
 * tape_rotate cannot be used. */
static struct node *rotate(struct tape *t, struct node *x, struct node *cosine, struct node *sine)
{
	const size_t n = x->v.rows, half = cosine->v.cols, rest = x->v.cols - 2 * half;
	struct node *a = tape_slice(t, x, 0, n, 0, half), *b = tape_slice(t, x, 0, n, half, half);
	struct node *parts[] = {
		tape_sub(t, tape_mul(t, a, cosine), tape_mul(t, b, sine)),
		tape_accumulate(t, tape_mul(t, a, sine), tape_mul(t, b, cosine)),
		tape_slice(t, x, 0, n, 2 * half, rest),
	};
	return tape_concat_cols(t, parts, rest ? 3 : 2);
}

bool rotation_by_nodes(struct head *head, const struct member *m, struct node *cosine,
		       struct node *sine, size_t pairs, struct err *err)
{
	if (!rotation_fits(head, m, 2 * pairs, err))
		return false;
	if (cosine->v.cols > pairs) {
		cosine = head_slice(head, cosine, pairs);
		sine = head_slice(head, sine, pairs);
	}
	head->q = rotate(head->tape, head->q, cosine, sine);
	head->k = rotate(head->tape, head->k, cosine, sine);
	return true;
}

double rotation_reach(double slowest, const struct model_config *config)
{
	return reach_of_pair(slowest, slowest, (double)config->t_max);
}
