/* fope_mix.c: see fope_mix.h. */
#include "scheme/fope_mix.h"

#include <math.h>

#include "posviz/base/rng.h"
#include "scheme/rotation.h"

size_t fope_kept(const struct fope *p, size_t pairs, size_t t_max)
{
	const double length = p->length ? (double)p->length : (double)t_max;
	size_t kept = 0;
	while (kept < pairs && rotation_rate(p->base, kept, 2 * pairs) >= 2 * M_PI / length)
		kept++;
	return kept;
}

struct fope_mix fope_mix_of(struct run *run, const struct fope *p)
{
	struct fope_mix mix = {.all = run->model->dk / 2};
	mix.kept = fope_kept(p, mix.all, run->model->config.t_max);
	const size_t most = (size_t)floor(p->share * (double)mix.all + 1e-9);
	mix.pairs = mix.kept < most ? mix.kept : most;
	mix.rate = arena_calloc(run->arena, mix.kept + 1, sizeof *mix.rate);
	for (size_t i = 0; i < mix.kept; i++)
		mix.rate[i] = rotation_rate(p->base, i, 2 * mix.all);
	return mix;
}

/* Xavier's normal distribution uses the fans that torch sees in [h,D',M]. */
void fope_mix_draw(struct mat at, struct run *run, const struct member *m, const char *name,
		   size_t head, const struct fope_mix *mix)
{
	const struct fope *p = m->param;
	const struct model *model = run->model;
	const double fans = (double)mix->pairs * (double)(mix->kept + model->config.heads);
	const size_t step = (mix->kept + mix->pairs - 1) / mix->pairs;
	struct rng rng;
	rng_init_name(&rng, model->config.seed,
		      arena_printf(run->arena, "%s.%s.%zu.%zu", m->name, name, run->layer, head));
	mat_fill_normal(at, p->gain * sqrt(2 / fans), &rng);
	for (size_t i = 0; i < mix->pairs && i * step < mix->kept; i++)
		mat_row(at, i * step)[i] += 1;
	for (size_t i = 0; i < mix->pairs && p->normalise; i++) {
		double sum = 0;
		for (size_t j = 0; j < mix->kept; j++)
			sum += mat_row(at, j)[i];
		for (size_t j = 0; j < mix->kept; j++)
			mat_row(at, j)[i] /= sum;
	}
}
