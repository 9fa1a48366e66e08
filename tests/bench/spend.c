/* spend.c: other programs, what they take and what they say. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

enum { WORDS_MAX = 24 };

static double ms_of(struct timeval t)
{
	return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}

/* Until its end; more than there is room for is read and forgotten. */
static void read_said(int from, char *said, size_t size)
{
	char rest[256];
	size_t len = 0;
	for (ssize_t got; (got = read(from, rest, sizeof rest)) > 0;)
		for (ssize_t i = 0; i < got && len + 1 < size; i++)
			said[len++] = rest[i];
	said[len] = '\0';
}

/* Words of its own, for exec may change them. */
static void exec_copy(const char *const argv[])
{
	char *words[WORDS_MAX] = {0};
	for (size_t i = 0; argv[i] && i + 1 < WORDS_MAX; i++)
		words[i] = strdup(argv[i]);
	execvp(words[0], words);
	_exit(127);
}

bool spend(const char *const argv[], struct spent *out)
{
	int ends[2], status;
	struct rusage used;
	if (pipe(ends) != 0)
		return false;
	fflush(stdout);
	const double start = now_ms();
	const pid_t child = fork();
	if (child == 0) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		exec_copy(argv);
	}
	close(ends[1]);
	read_said(ends[0], out->said, sizeof out->said);
	close(ends[0]);
	if (child < 0 || wait4(child, &status, 0, &used) != child)
		return false;
	out->ms = now_ms() - start;
	out->cpu_ms = ms_of(used.ru_utime) + ms_of(used.ru_stime);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool spend_alone(const char *name, const char *first, const char *second, struct spent *out)
{
	return spend((const char *const[]){"/proc/self/exe", "alone", name, first, second, NULL},
		     out);
}

const char *program_path(void)
{
	const char *path = getenv("POSVIZ");
	return path ? path : "posviz";
}

const char *python_path(void)
{
	return "/usr/bin/python3";
}

bool python_has(const char *module)
{
	char line[80];
	struct spent spent;
	snprintf(line, sizeof line, "import importlib.util as u; exit(not u.find_spec('%s'))",
		 module);
	if (spend((const char *const[]){python_path(), "-c", line, NULL}, &spent))
		return true;
	printf("left out: %s has no %s; make bench-deps installs it on Debian\n", python_path(),
	       module);
	return false;
}
