/* progress.c: a bar with the time left, for work that takes more than a second.
 *
 * On standard error and only when that is a terminal; the line is wiped when the work is done, so
 * nothing of it stays. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/cli.h"
#include "posviz/machine.h"
#include "posviz/tensor.h"

enum { BAR = 24 };

struct bar {
	double started, told;
	int width; /* of what stands there; 0: nothing does */
};

/* `of`: how much, "" for nothing. */
static void draw(struct bar *p, const char *what, double done, const char *of)
{
	const double t = machine_seconds();
	if (t - p->started < 1 || t - p->told < 0.1)
		return;
	p->told = t;
	char cells[BAR + 1];
	for (int i = 0; i < BAR; i++)
		cells[i] = i < (int)(done * BAR) ? '#' : '.';
	cells[BAR] = '\0';
	const double left = done > 0 ? (t - p->started) * (1 - done) / done : 0;
	const int width = fprintf(stderr, "\r%s [%s] %3.0f %%%s, %.0f s left ", what, cells,
				  100 * done, of, ceil(left));
	fflush(stderr);
	p->width = width > p->width ? width : p->width;
}

static void wipe(const struct bar *p)
{
	if (p->width > 0)
		fprintf(stderr, "\r%*s\r", p->width, "");
}

static void tell_measured(void *context, double done)
{
	draw(context, "measuring", done, "");
}

const struct measures *cli_measure(struct cli *c, const struct built *b, struct cache *cache,
				   struct err *err)
{
	struct measures *const out = arena_calloc(&c->arena, 1, sizeof *out);
	struct bar bar = {.started = machine_seconds()};
	const struct progress progress = {.tell = tell_measured, .context = &bar};
	const bool seen = isatty(STDERR_FILENO);
	const bool ok = analysis_measure_built(&c->scene.setup, b, cache, NULL,
					       seen ? &progress : NULL, out, err);
	wipe(&bar);
	return ok ? out : NULL;
}

static void tell_written(void *context, double done, size_t bytes)
{
	char of[64];
	snprintf(of, sizeof of, " of about %.0f MB", (double)bytes / done / 1e6);
	draw(context, "writing", done, of);
}

bool cli_numbers(struct write_job *job, struct err *err)
{
	struct bar bar = {.started = machine_seconds()};
	const struct tensor_progress progress = {.tell = tell_written, .context = &bar};
	job->progress = isatty(STDERR_FILENO) ? &progress : NULL;
	const bool ok = write_bytes(job, err);
	job->progress = NULL;
	wipe(&bar);
	return ok;
}
