/* bench_schemes.c: every scheme and model of a name against `none`: how much longer it takes, beside how
 * many more operations it has. */
#include <stdio.h>

#include "bench.h"

struct size {
	size_t n, d, heads, few, more; /* few, more: rounds */
};

static const double goal = 1.2;

/* Few rounds show that a scheme is well below the goal; one that is not is measured again in more. */
static struct pair measure_scheme(struct layer *layer, struct layer *none, double most, size_t few,
				  size_t more)
{
	const struct pair p = measure_pair(layer_run, layer, layer_run, none, few);
	return p.ratio <= most ? p : measure_pair(layer_run, layer, layer_run, none, more);
}

static void compare_with(struct layer *none, const struct scheme *s, const struct size *size)
{
	struct layer layer;
	struct err err;
	if (!layer_open(&layer, s->id, size->n, size->d, size->heads))
		return;
	if (!layer_evaluate(&layer, &err)) {
		printf("%-14s %s\n", s->id, err.text);
		layer_close(&layer);
		return;
	}
	const double ops = layer.operations / none->operations;
	const struct pair p =
		measure_scheme(&layer, none, 0.95 * goal * ops, size->few, size->more);
	printf("%-14s %10.2f %8.2f %11.2f %9.2f", s->id, p.a, p.ratio, ops, p.ratio / ops);
	goal_at_most(p.ratio / ops, goal, "%s, n %zu", s->id, size->n);
	putchar('\n');
	layer_close(&layer);
}

static void compare_all(const struct size *size)
{
	struct layer none;
	printf("\nevery scheme against `none`, n %zu d %zu h %zu\n", size->n, size->d, size->heads);
	printf("%-14s %10s %8s %11s %9s\n", "scheme", "ms", "time x", "operations x", "time/ops");
	if (!layer_open(&none, "none", size->n, size->d, size->heads))
		return;
	layer_run(&none);
	for (size_t i = 0; i < scheme_count(); i++)
		compare_with(&none, scheme_at(i), size);
	layer_close(&none);
}

void bench_schemes(void)
{
	static const struct size sizes[] = {{64, 64, 4, 15, 61}, {512, 768, 12, 3, 9}};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		compare_all(&sizes[i]);
}
