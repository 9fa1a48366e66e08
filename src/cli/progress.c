/* progress.c: a bar with the time left, for work that takes more than a second.
 *
 * It is drawn on standard error, only if that is a terminal, by a thread of its own, and erased
 * when the work is done. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "posviz/base/cleanup.h"
#include "posviz/format/tensor.h"
#include "posviz/math/machine.h"

enum { BAR = 24, TICK_MS = 100 };

static struct {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t end;
	bool drawn, ended;
	struct watch watch;
	double began;
	double written; /* the written share of a file; 0: nothing is written yet */
	size_t bytes;
	int width; /* of the text now shown; 0: none is */
} bar = {.lock = PTHREAD_MUTEX_INITIALIZER, .end = PTHREAD_COND_INITIALIZER};

static void draw(void)
{
	const double seconds = machine_seconds() - bar.began;
	const double part = bar.written > 0 ? bar.written : watch_part(&bar.watch);
	char cells[BAR + 1], of[64] = "", left[64] = "";
	if (seconds < 1)
		return;
	for (int i = 0; i < BAR; i++)
		cells[i] = i < (int)(part * BAR) ? '#' : '.';
	cells[BAR] = '\0';
	if (bar.written > 0)
		snprintf(of, sizeof of, " of about %.0f MB", (double)bar.bytes / part / 1e6);
	if (part > 0)
		snprintf(left, sizeof left, ", %.0f s left", ceil(seconds * (1 - part) / part));
	const int width =
		fprintf(stderr, "\r%s [%s] %3.0f %%%s%s ",
			bar.written > 0 ? "writing" : "computing", cells, 100 * part, of, left);
	fflush(stderr);
	bar.width = width > bar.width ? width : bar.width;
}

static void *draw_now_and_then(void *context)
{
	(void)context;
	cleanup_thread();
	pthread_mutex_lock(&bar.lock);
	while (!bar.ended) {
		struct timespec then;
		clock_gettime(CLOCK_REALTIME, &then);
		then.tv_nsec += TICK_MS * 1000000L;
		then.tv_sec += then.tv_nsec / 1000000000L;
		then.tv_nsec %= 1000000000L;
		pthread_cond_timedwait(&bar.end, &bar.lock, &then);
		if (!bar.ended)
			draw();
	}
	pthread_mutex_unlock(&bar.lock);
	return NULL;
}

struct watch *progress_begin(void)
{
	watch_begin(&bar.watch);
	watch_time(&bar.watch, machine_processor_seconds);
	bar.began = machine_seconds();
	bar.ended = false;
	bar.written = 0;
	bar.drawn = isatty(STDERR_FILENO) &&
		    pthread_create(&bar.thread, NULL, draw_now_and_then, NULL) == 0;
	return &bar.watch;
}

void progress_end(void)
{
	if (!bar.drawn)
		return;
	pthread_mutex_lock(&bar.lock);
	bar.ended = true;
	pthread_cond_signal(&bar.end);
	pthread_mutex_unlock(&bar.lock);
	pthread_join(bar.thread, NULL);
	if (bar.width > 0)
		fprintf(stderr, "\r%*s\r", bar.width, "");
	bar.drawn = false;
	bar.width = 0;
}

static void tell_written(void *context, double done, size_t bytes)
{
	(void)context;
	pthread_mutex_lock(&bar.lock);
	if (bar.written <= 0) /* writing is another kind of work, with its own time */
		bar.began = machine_seconds() - (bar.width > 0 ? 1 : 0);
	bar.written = done;
	bar.bytes = bytes;
	pthread_mutex_unlock(&bar.lock);
}

bool cli_bytes(struct write_job *job, struct err *err)
{
	static const struct tensor_progress progress = {.tell = tell_written};
	job->watch = progress_begin();
	job->progress = bar.drawn ? &progress : NULL;
	const bool ok = write_bytes(job, err);
	job->progress = NULL;
	job->watch = NULL;
	progress_end();
	return ok;
}
