/* bench_structures.c: schemes of trees and graphs on structures as large as are met; medians of evaluations
 * without a cache, each scheme in a process of its own for the peak of its memory. */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "posviz/base/rng.h"
#include "posviz/base/strbuf.h"
#include "posviz/scene/setup.h"

enum { NODES = 512, EDGES = 911, LABELS = 30 };

/* A connected graph, the labels on nearly all of its shortest paths different. */
static const char *large_graph(struct arena *a)
{
	struct strbuf text;
	struct rng rng;
	strbuf_init(&text, a);
	rng_init(&rng, 1);
	for (size_t i = 1; i <= EDGES; i++) {
		size_t from = i < NODES ? i : rng_below(&rng, NODES);
		size_t to = rng_below(&rng, i < NODES ? i : NODES);
		if (rng_below(&rng, 2)) {
			const size_t other = from;
			from = to;
			to = other;
		}
		strbuf_printf(&text, "n%zu n%zu r%zu\n", from, to, (size_t)rng_below(&rng, LABELS));
	}
	return text.at;
}

/* Governors of as many words. */
static const char *large_tree(struct arena *a)
{
	struct strbuf text;
	struct rng rng;
	strbuf_init(&text, a);
	rng_init(&rng, 1);
	strbuf_add(&text, "0");
	for (size_t i = 1; i < NODES; i++)
		strbuf_printf(&text, " %zu", 1 + (size_t)rng_below(&rng, i));
	return text.at;
}

static bool evaluate_once(const struct scene *scene, double *estimate)
{
	const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	struct arena a;
	struct err err;
	struct trace trace;
	arena_init(&a);
	struct built *b = arena_calloc(&a, 1, sizeof *b);
	const bool ok = evaluate(&scene->setup, &want, NULL, NULL, &a, b, &trace, &err);
	if (ok)
		*estimate = (double)model_estimate(&b->model, &b->model_input, &want) / 1e6;
	else
		printf("%s\n", err.text);
	arena_release(&a);
	return ok;
}

int structure_alone(char **argv)
{
	enum { ROUNDS = 3 };
	double wall[ROUNDS], work[ROUNDS], estimate;
	struct arena a;
	struct scene scene;
	arena_init(&a);
	scene_for(&scene, &a, NODES, 64, 4);
	scene.setup.scheme = scene_intern(argv[0]);
	if (strcmp(argv[1], "tree") == 0)
		scene.setup.governors = large_tree(&a);
	else
		scene.setup.graph = large_graph(&a);
	const double before = peak_mb(getpid());
	for (size_t i = 0; i < ROUNDS; i++) {
		const double w0 = now_ms(), c0 = (double)clock();
		if (!evaluate_once(&scene, &estimate))
			return 1;
		wall[i] = now_ms() - w0;
		work[i] = ((double)clock() - c0) * 1e3 / CLOCKS_PER_SEC;
	}
	arena_release(&a);
	printf("%g %g %g %g\n", median(wall, ROUNDS), median(work, ROUNDS),
	       peak_mb(getpid()) - before, estimate);
	return 0;
}

static void bench_structure(const char *expression, bool tree, double goal)
{
	struct spent spent;
	double wall, work, peak, estimate;
	printf("%-28s", expression);
	if (!spend_alone("structure", expression, tree ? "tree" : "graph", &spent) ||
	    sscanf(spent.said, "%lf %lf %lf %lf", &wall, &work, &peak, &estimate) != 4) {
		printf(" %s\n", spent.said);
		return;
	}
	printf(" %9.0f %9.0f %9.0f %9.0f", wall, work, peak, estimate);
	goal_at_most(wall, goal, "%s on %d nodes", expression, NODES);
	putchar('\n');
}

void bench_structures(void)
{
	static const char *const variants[] = {
		"graph_tr(tied=on)",	  "struct_tr(variant=feature)", "struct_tr(variant=sum)",
		"struct_tr(variant=avg)", "struct_tr(variant=cnn)",	"struct_tr(form=code)",
	};
	printf("\nan evaluation on %d nodes, %d edges, %d labels, nearly all paths different\n",
	       NODES, EDGES, LABELS);
	printf("%-28s %9s %9s %9s %9s\n", "scheme", "ms", "CPU ms", "peak MB", "estimate");
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *s = scheme_at(i);
		if (s->flags & (SCHEME_NEEDS_GRAPH | SCHEME_NEEDS_TREE))
			bench_structure(s->id, s->flags & SCHEME_NEEDS_TREE, 400);
	}
	for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
		bench_structure(variants[i], false, 400);
	bench_structure("graph_tr(stack=2)", false, 2000);
}
