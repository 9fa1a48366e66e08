/* bench_schemes.c: every scheme and model of a name against `none`: how much longer it takes, beside how
 * many more operations it has. */
#include <stdio.h>

#include "bench.h"

static void compare_with(struct layer *none, const struct scheme *s, size_t n, size_t d,
			 size_t heads, size_t rounds)
{
	struct layer layer;
	struct err err;
	if (!layer_open(&layer, s->id, n, d, heads))
		return;
	if (!layer_evaluate(&layer, &err)) {
		printf("%-14s %s\n", s->id, err.text);
		layer_close(&layer);
		return;
	}
	const struct pair p = measure_pair(layer_run, &layer, layer_run, none, rounds);
	const double ops = layer.operations / none->operations;
	printf("%-14s %10.2f %8.2f %11.2f %9.2f", s->id, p.a, p.ratio, ops, p.ratio / ops);
	goal_at_most(p.ratio / ops, 1.2, "%s, n %zu", s->id, n);
	putchar('\n');
	layer_close(&layer);
}

static void compare_all(size_t n, size_t d, size_t heads, size_t rounds)
{
	struct layer none;
	printf("\nevery scheme against `none`, n %zu d %zu h %zu\n", n, d, heads);
	printf("%-14s %10s %8s %11s %9s\n", "scheme", "ms", "time x", "operations x", "time/ops");
	if (!layer_open(&none, "none", n, d, heads))
		return;
	layer_run(&none);
	for (size_t i = 0; i < scheme_count(); i++)
		compare_with(&none, scheme_at(i), n, d, heads, rounds);
	layer_close(&none);
}

void bench_schemes(void)
{
	compare_all(64, 64, 4, 31);
	compare_all(512, 768, 12, 5);
}
