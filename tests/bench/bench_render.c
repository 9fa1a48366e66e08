/* bench_render.c: pages of long inputs: the whole program, from exec to exit; and all figures of the papers. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

/* What a goal is about: the time that passes, or that of all processors. */
enum clock { WALL, PROCESSOR };

static void render(const char *expression, size_t n, const char *d, const char *heads,
		   enum clock clock, double goal)
{
	enum { ROUNDS = 5 };
	double wall[ROUNDS], processor[ROUNDS];
	const size_t rounds = n > 1000 ? 1 : ROUNDS;
	struct arena a;
	struct spent spent;
	arena_init(&a);
	printf("%-14s %5zu %5s %3s", expression, n, d, heads);
	for (size_t i = 0; i < rounds; i++) {
		if (!spend((const char *const[]){program_path(), "render", expression, "-s",
						 sentence_of(&a, n), "--d-model", d, "--heads",
						 heads, "--format", "png", "-o", "/dev/null",
						 "--force", NULL},
			   &spent)) {
			printf("  failed\n");
			arena_release(&a);
			return;
		}
		wall[i] = spent.ms;
		processor[i] = spent.cpu_ms;
	}
	const double ms = median(wall, rounds), work = median(processor, rounds);
	printf(" %10.0f %10.0f", work, ms);
	goal_at_most(clock == WALL ? ms : work, goal, "render %s of %zu tokens, d %s, ms%s",
		     expression, n, d, clock == WALL ? "" : " of processors");
	putchar('\n');
	arena_release(&a);
}

static void draw_figures(void)
{
	struct spent spent;
	char folder[] = "/tmp/figures-XXXXXX";
	if (!mkdtemp(folder))
		return;
	const bool ok = spend((const char *const[]){program_path(), "figure", "--all", "-o", folder,
						    "--force", NULL},
			      &spent);
	printf("all figures of the papers: ");
	if (ok) {
		printf("%.1f s, processors %.1f s", spent.ms / 1e3, spent.cpu_ms / 1e3);
		goal_at_most(spent.ms / 1e3, 15, "all figures of the papers, s");
	} else {
		printf("failed");
	}
	putchar('\n');
	spend((const char *const[]){"/bin/rm", "-r", folder, NULL}, &spent);
}

void bench_render(void)
{
	printf("\n`posviz render` of long inputs, measures included; ms\n");
	printf("%-14s %5s %5s %3s %10s %10s\n", "scheme", "n", "d", "h", "CPU", "wall");
	render("rope+causal", 512, "64", "4", WALL, 150);
	render("rope+causal", 1000, "768", "12", WALL, 2500);
	render("rope+causal", 4096, "64", "4", PROCESSOR, 4000);
	draw_figures();
}
