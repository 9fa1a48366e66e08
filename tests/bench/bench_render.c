/* bench_render.c: pages of long inputs: the processor's time of the whole program. */
#include <stdio.h>

#include "bench.h"

static void render(const char *expression, size_t n, const char *d, const char *heads, double goal)
{
	struct arena a;
	struct spent spent;
	arena_init(&a);
	printf("%-14s %5zu %5s %3s", expression, n, d, heads);
	if (!spend((const char *const[]){program_path(), "render", expression, "-s",
					 sentence_of(&a, n), "--d-model", d, "--heads", heads,
					 "--format", "png", "-o", "/dev/null", "--force", NULL},
		   &spent)) {
		printf("  failed\n");
	} else {
		printf(" %10.0f %10.0f", spent.cpu_ms, spent.ms);
		goal_at_most(spent.cpu_ms, goal, "render %s of %zu tokens, CPU ms", expression, n);
		putchar('\n');
	}
	arena_release(&a);
}

void bench_render(void)
{
	printf("\n`posviz render` of long inputs, measures included; ms\n");
	printf("%-14s %5s %5s %3s %10s %10s\n", "scheme", "n", "d", "h", "CPU", "wall");
	render("rope+causal", 1000, "768", "12", 3000);
	render("rope+causal", 4096, "64", "4", 10000);
}
