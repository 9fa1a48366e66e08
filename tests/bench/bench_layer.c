/* bench_layer.c: layer `none` against its matrix products called bare. */
#include <stdio.h>

#include "bench.h"
#include "posviz/base/rng.h"
#include "posviz/math/mat.h"

struct bare {
	struct arena arena;
	size_t n, d, heads;
	struct mat x, w, w1, w2, q, k, v, a, m, f;
};

static void bare_open(struct bare *b, size_t n, size_t d, size_t heads)
{
	*b = (struct bare){.n = n, .d = d, .heads = heads};
	arena_init(&b->arena);
	struct rng rng;
	rng_init(&rng, 1);
	struct {
		struct mat *m;
		size_t rows, cols;
	} all[] = {{&b->x, n, d}, {&b->w, d, d},    {&b->w1, d, 4 * d}, {&b->w2, 4 * d, d},
		   {&b->q, n, d}, {&b->k, n, d},    {&b->v, n, d},	{&b->a, n, n},
		   {&b->m, n, d}, {&b->f, n, 4 * d}};
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		*all[i].m = mat_new(&b->arena, all[i].rows, all[i].cols);
		mat_fill_normal(*all[i].m, 0.05, &rng);
	}
}

static void bare_run(void *context)
{
	const struct bare *b = context;
	const size_t dk = b->d / b->heads;
	mat_mul(b->q, 1, b->x, false, b->w, false, 0);
	mat_mul(b->k, 1, b->x, false, b->w, false, 0);
	mat_mul(b->v, 1, b->x, false, b->w, false, 0);
	for (size_t h = 0; h < b->heads; h++) {
		mat_mul(b->a, 1, mat_cols(b->q, h * dk, dk), false, mat_cols(b->k, h * dk, dk),
			true, 0);
		mat_mul(mat_cols(b->m, h * dk, dk), 1, b->a, false, mat_cols(b->v, h * dk, dk),
			false, 0);
	}
	mat_mul(b->f, 1, b->m, false, b->w1, false, 0);
	mat_mul(b->m, 1, b->f, false, b->w2, false, 0);
}

void bench_layer(void)
{
	static const struct {
		size_t n, d, heads, rounds;
		double goal;
	} rows[] = {{64, 64, 4, 101, 1.5}, {512, 768, 12, 15, 1.15}, {2048, 768, 12, 5, 1.15}};
	printf("\nlayer `none` against its matrix products called bare\n");
	printf("%6s %5s %3s %10s %10s %7s\n", "n", "d", "h", "none ms", "bare ms", "ratio");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct layer layer;
		struct bare bare;
		if (!layer_open(&layer, "none", rows[i].n, rows[i].d, rows[i].heads))
			return;
		bare_open(&bare, rows[i].n, rows[i].d, rows[i].heads);
		const struct pair p =
			measure_pair(layer_run, &layer, bare_run, &bare, rows[i].rounds);
		printf("%6zu %5zu %3zu %10.2f %10.2f %7.2f", rows[i].n, rows[i].d, rows[i].heads,
		       p.a, p.b, p.ratio);
		goal_at_most(p.ratio, rows[i].goal, "layer none, n %zu", rows[i].n);
		putchar('\n');
		layer_close(&layer);
		arena_release(&bare.arena);
	}
}
