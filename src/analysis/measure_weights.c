/* measure_weights.c: a model's sensitivity to order by the weights of its first layer, where what all
 * layers put out is too large to compute.
 *
 * W are the weights of all heads of layer 1. Equivariance: ‖P·W(X)·Pᵀ − W(P·X)‖ / ‖W(X)‖; invariance:
 * the same for the mean over the queries. */
#include <math.h>

#include "measure_in.h"

bool measure_weights_of(const struct measuring *m, const struct input *tokens, struct trace *trace,
			double *norm, struct err *err)
{
	const struct want want = {.kinds = WANT_WEIGHTS, .layer = 0, .head = -1};
	struct model_input in;
	built_input(&m->on->setup, &m->on->built, tokens, m->a, &in);
	if (!built_run(&m->on->built, &in, &want, m->cache, m->watch, m->a, trace, err))
		return false;
	double sum = 0;
	for (size_t h = 0; h < m->on->built.model.config.heads; h++) {
		const double own = mat_norm(trace->layers[0].heads[h].weights);
		sum += own * own;
	}
	*norm = sqrt(sum);
	return true;
}

/* Returns where each unit of `moved` stood in the original order. */
static size_t *sources(const struct measuring *m, const struct axis *moved)
{
	const size_t *const from =
		measure_units_by_place(&m->written.key, m->on->built.written.moving, m->a);
	size_t *const out = arena_calloc(m->a, moved->n + 1, sizeof *out);
	for (size_t i = 0; i < moved->n; i++)
		out[i] = moved->token[i] >= 0 ? from[moved->token[i]] : i;
	return out;
}

void measure_weights_compare(const struct measuring *m, const struct trace *moved,
			     double *equivariance, double *invariance)
{
	const size_t *const from = sources(m, &moved->key), n = moved->key.n;
	double off = 0, mean_off = 0, mean_norm = 0;
	for (size_t h = 0; h < m->on->built.model.config.heads; h++) {
		const struct mat x = m->written.layers[0].heads[h].weights,
				 y = moved->layers[0].heads[h].weights;
		for (size_t s = 0; s < n; s++) {
			double before = 0, after = 0;
			for (size_t t = 0; t < n; t++) {
				const double want = mat_row(x, from[t])[from[s]],
					     is = mat_row(y, t)[s];
				off += (is - want) * (is - want);
				before += want / (double)n;
				after += is / (double)n;
			}
			mean_off += (before - after) * (before - after);
			mean_norm += before * before;
		}
	}
	*equivariance = sqrt(off) / m->base_norm;
	*invariance = sqrt(mean_off / mean_norm);
}

double measure_weights_last_row(const struct measuring *m, const struct trace *moved)
{
	const size_t *const from = sources(m, &moved->key), n = moved->key.n;
	double off = 0, norm = 0;
	for (size_t h = 0; h < m->on->built.model.config.heads; h++) {
		const double *const x = mat_row(m->written.layers[0].heads[h].weights, n - 1),
				    *const y = mat_row(moved->layers[0].heads[h].weights, n - 1);
		for (size_t s = 0; s < n; s++) {
			off += (y[s] - x[from[s]]) * (y[s] - x[from[s]]);
			norm += x[from[s]] * x[from[s]];
		}
	}
	return sqrt(off / norm);
}
