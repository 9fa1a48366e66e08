/* bench_figure.c: the default page of four panels at 1920x1080 from exec to exit, beside matplotlib's same
 * figure. */
#include <stdio.h>
#include <unistd.h>

#include "bench.h"

static const char *const ours[] = {NULL,	"render",   "t5",  "--size",  "1920x1080", "-o",
				   "/dev/null", "--format", "png", "--force", NULL};

static void run_ours(void *failed)
{
	const char *argv[sizeof ours / sizeof *ours];
	struct spent spent;
	for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
		argv[i] = i == 0 ? program_path() : ours[i];
	*(bool *)failed |= !spend(argv, &spent);
}

static void run_theirs(void *failed)
{
	struct spent spent;
	*(bool *)failed |=
		!spend((const char *const[]){python_path(), "tests/bench/matplotlib_page.py",
					     "/dev/null", NULL},
		       &spent);
}

void bench_figure(void)
{
	bool failed = false;
	printf("\nthe default page at 1920x1080 as PNG, from exec to exit, beside matplotlib's\n");
	if (!python_has("matplotlib"))
		return;
	const struct pair p = measure_pair(run_theirs, &failed, run_ours, &failed, 21);
	if (failed) {
		printf("one of them failed\n");
		return;
	}
	printf("matplotlib %.0f ms, posviz %.0f ms: %.1f x", p.a, p.b, p.ratio);
	goal_at_least(p.ratio, 16, "the default page, times faster than matplotlib");
	putchar('\n');
}
