/* progress.c: a bar with the time left, for work that takes more than a second.
 *
 * On standard error and only when that is a terminal; the line is wiped when the work is done, so
 * nothing of it stays. */
#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

enum { BAR = 24 };

struct bar {
	double started, told;
	bool shown;
};

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void tell(void *context, double done)
{
	struct bar *p = context;
	const double t = now();
	if (t - p->started < 1 || t - p->told < 0.1)
		return;
	p->told = t;
	char cells[BAR + 1];
	for (int i = 0; i < BAR; i++)
		cells[i] = i < (int)(done * BAR) ? '#' : '.';
	cells[BAR] = '\0';
	const double left = done > 0 ? (t - p->started) * (1 - done) / done : 0;
	fprintf(stderr, "\rmeasuring [%s] %3.0f %%, %.0f s left ", cells, 100 * done, ceil(left));
	fflush(stderr);
	p->shown = true;
}

bool cli_measure(const struct setup *setup, struct cache *cache, struct measures *out,
		 struct err *err)
{
	struct bar bar = {.started = now()};
	const struct progress progress = {.tell = tell, .context = &bar};
	const bool seen = isatty(STDERR_FILENO);
	const bool ok = analysis_measure(setup, cache, NULL, seen ? &progress : NULL, out, err);
	if (bar.shown)
		fprintf(stderr, "\r%*s\r", BAR + 34, "");
	return ok;
}
