/* draw.c: see draw.h. */
#include "scheme/draw.h"

struct rng draw_of(const struct run *run, const struct member *m, long draw, const char *what)
{
	struct rng rng;
	rng_init_name(&rng, (draw > 0 ? (uint64_t)draw : run->model->config.seed) + run->in->draw,
		      arena_printf(run->arena, "%s %s", m->name, what));
	return rng;
}
