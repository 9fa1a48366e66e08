/* help_pty_wait.c: observes the activity of a program on a terminal, and waits for its end. */
#include "help_pty.h"

#include <dirent.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- activity -------------------------------------------------------------------------------- */

/* Returns how many milliseconds the drawing thread waits for a key or a result, or -1 for no limit:
 * then no frame is due and no sequence is open. UNKNOWN if this cannot be found out. */
static int waits_ms(pid_t pid)
{
	enum { UNKNOWN = INT_MAX };
	char path[64];
	long number = -1;
	unsigned long third = 0;
	snprintf(path, sizeof path, "/proc/%d/syscall", (int)pid);
	FILE *const f = fopen(path, "r");
	const bool read = f && fscanf(f, "%ld %*x %*x %lx", &number, &third) == 2;
	if (f)
		fclose(f);
#ifdef SYS_poll
	return read && number == SYS_poll ? (int)third : UNKNOWN;
#else
	return read && number == SYS_ppoll && third == 0 ? -1 : UNKNOWN;
#endif
}

bool pty_all_sleep(pid_t pid, double *work)
{
	char path[128], line[512];
	bool asleep = true;
	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	DIR *const dir = opendir(path);
	*work = 0;
	for (struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
		double ran = 0;
		snprintf(path, sizeof path, "/proc/%d/task/%.20s/stat", (int)pid, e->d_name);
		FILE *const stat = e->d_name[0] == '.' ? NULL : fopen(path, "r");
		if (!stat)
			continue;
		const char *const name_end =
			fgets(line, sizeof line, stat) ? strrchr(line, ')') : NULL;
		asleep = asleep && name_end && name_end[2] == 'S';
		fclose(stat);
		snprintf(path, sizeof path, "/proc/%d/task/%.20s/schedstat", (int)pid, e->d_name);
		FILE *const times = fopen(path, "r");
		if (times && fscanf(times, "%lf", &ran) == 1)
			*work += ran;
		if (times)
			fclose(times);
	}
	if (dir)
		closedir(dir);
	return dir && asleep;
}

/* Returns the longest time in seconds. Sanitizers make the program slow and set TEST_PATIENCE; runs
 * of small wrong changes may lower it, because many of them leave nothing to wait for. */
time_t pty_patience(void)
{
	const char *const times = getenv("TEST_PATIENCE");
	return (time_t)(PTY_SECONDS * (times ? strtod(times, NULL) : 1));
}

/* ---- waiting ----------------------------------------------------------------------------- */

/* Returns whether the drawing thread runs. */
static bool draws(const struct pty *p)
{
	char path[64], line[512];
	snprintf(path, sizeof path, "/proc/%d/stat", (int)p->pid);
	FILE *const f = fopen(path, "r");
	const char *const name_end = f && fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
	const bool runs = name_end && (name_end[2] == 'R' || name_end[2] == 'D');
	if (f)
		fclose(f);
	return runs;
}

/* Reads a frame, which comes in pieces. It is complete if its writer sleeps although nothing is
 * left to read: then it does not wait to write more. */
static void pump_frame(struct pty *p, time_t end)
{
	enum { QUIET = 3 };
	for (int quiet = 0; quiet < QUIET && !p->closed && time(NULL) <= end;) {
		const bool drawing = draws(p);
		quiet = pty_pump(p, 1) || drawing ? 0 : quiet + 1;
	}
}

typedef bool condition(struct pty *p, const void *context);

static bool until(struct pty *p, condition *done, const void *context, bool whole)
{
	const time_t end = time(NULL) + pty_patience();
	for (;;) {
		if (done(p, context)) {
			if (whole)
				pump_frame(p, end);
			if (!whole || done(p, context))
				return true;
		}
		if (time(NULL) > end || p->closed)
			return done(p, context);
		pty_pump(p, 50);
	}
}

bool pty_until(struct pty *p, bool (*done)(struct pty *p, const void *context), const void *context)
{
	return until(p, done, context, true);
}

/* Adds a look. Suppose two consecutive looks find all threads asleep, without a nanosecond of work
 * between them. Then each thread slept from its turn in the first look to its turn in the second,
 * so there was a time at which all slept, and no thread could wake another. One look is not enough:
 * a thread seen asleep may be woken by another that is seen asleep a moment later. */
bool pty_rest_look(struct pty_rest *r, bool asleep, double work)
{
	r->looks = !asleep						    ? 0
		   : r->looks > 0 && !(work > r->work) && !(work < r->work) ? r->looks + 1
									    : 1;
	r->work = work;
	return r->looks >= 2;
}

/* The program is idle when all its threads sleep, the last bytes are read and no frame is due. It
 * waits at most for the picture of a change (14 ms), the terminal (12 ms), the rest of a sequence
 * (10 ms) or a slow frame before it (33 ms). It must have worked since the last keys. If its
 * waiting time cannot be found out, the looks continue for longer than such a wait. */
bool pty_settle(struct pty *p)
{
	enum { QUIET = 10, STEP_MS = 5, SOON_MS = QUIET * STEP_MS };
	const time_t end = time(NULL) + 4 * pty_patience(); /* it may have much to compute */
	struct pty_rest rest = {0};
	while (!p->closed && time(NULL) <= end) {
		double work;
		const bool came = pty_pump(p, STEP_MS);
		const bool asleep = pty_all_sleep(p->pid, &work) && !came;
		if (!pty_rest_look(&rest, asleep, work))
			continue;
		const int ms = waits_ms(p->pid);
		if ((ms < 0 && work > p->work_before) ||
		    (rest.looks >= QUIET && (ms < 0 || ms > SOON_MS)))
			return true;
	}
	return false;
}

static bool is_there(struct pty *p, const void *part)
{
	return pty_has(p, part);
}

static bool is_gone(struct pty *p, const void *part)
{
	return !pty_has(p, part);
}

struct in_row {
	int row;
	const char *part;
};

static bool is_in_row(struct pty *p, const void *context)
{
	const struct in_row *const at = context;
	return strstr(pty_row(p, at->row), at->part) != NULL;
}

bool pty_wait(struct pty *p, const char *part)
{
	return pty_until(p, is_there, part);
}

bool pty_glimpse(struct pty *p, const char *part)
{
	return until(p, is_there, part, false);
}

bool pty_wait_gone(struct pty *p, const char *part)
{
	return pty_until(p, is_gone, part);
}

bool pty_wait_row(struct pty *p, int row, const char *part)
{
	const struct in_row at = {row, part};
	return pty_until(p, is_in_row, &at);
}

long pty_ticks(const struct pty *p)
{
	char path[64], line[1024];
	snprintf(path, sizeof path, "/proc/%d/stat", (int)p->pid);
	FILE *const f = fopen(path, "r");
	const bool read = f && fgets(line, sizeof line, f);
	if (f)
		fclose(f);
	const char *const at = read ? strrchr(line, ')') : NULL;
	unsigned long user, kernel;
	if (!at || sscanf(at + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
			  &kernel) != 2)
		return -1;
	return (long)(user + kernel);
}

int pty_exit(struct pty *p)
{
	const time_t end = time(NULL) + pty_patience();
	int status;
	while (waitpid(p->pid, &status, WNOHANG) == 0) {
		if (time(NULL) > end)
			return -1;
		if (p->closed)
			usleep(1000);
		else
			pty_pump(p, 20);
	}
	p->pid = 0;
	/* Reads the last output, which comes late on a busy machine and ends when no process can
	 * write any more. */
	for (const time_t last = time(NULL) + 3; !p->closed && time(NULL) <= last;)
		pty_pump(p, 20);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool pty_restored(const struct pty *p)
{
	struct termios now;
	if (tcgetattr(p->fd, &now) != 0)
		return false;
	const bool modes = now.c_lflag == p->before.c_lflag && now.c_iflag == p->before.c_iflag &&
			   now.c_oflag == p->before.c_oflag;
	return modes && !p->alternate;
}
