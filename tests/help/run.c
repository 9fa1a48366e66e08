/* run.c: runs the registered tests, each in a process of its own. One more test runs at once than
 * there are processors, because some tests wait. The output of a test is printed when it fails.
 *
 *	run [-j JOBS] [-l] [-x] [--lasting] [TEXT ...]
 *
 * runs, or lists (-l), the tests whose "file: name" contains one of the texts; -x: stops at the
 * first failure. TEST_LIMIT: the longest time of a test in seconds (300); TEST_TIMES: prints the
 * time of each test, and the processor time; TEST_TOGETHER: how many short tests of a file one
 * process runs (1), because under sanitizers a process costs more than a short test. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test.h"
#include "posviz/math/machine.h"

enum { MAX_JOBS = 256, MAX_TOGETHER = 64 };

static struct test *tests;
static struct fixture *fixtures;
static struct test_program *programs;
size_t test_part, test_parts = 1;
char test_data[PATH_MAX];

/* Returns the number of parts into which the table is divided. */
static size_t parts_of(const struct test *t)
{
	return t->of ? t->of : t->parts;
}

void test_add(struct test *test)
{
	test->next = tests;
	tests = test;
}

void fixture_add(struct fixture *fixture)
{
	fixture->next = fixtures;
	fixtures = fixture;
}

void test_program_add(struct test_program *program)
{
	program->next = programs;
	programs = program;
}

/* ---- one test -------------------------------------------------------------------------------- */

static const struct fixture *fixture_of(const struct test *t)
{
	const struct fixture *f = fixtures;
	while (f && strcmp(f->file, t->file) != 0)
		f = f->next;
	return f;
}

/* Runs the tests of a process; returns how many failed. */
static int run_here(const struct test *t, size_t part)
{
	const struct fixture *f = fixture_of(t);
	int failed = 0;
	test_part = part;
	test_parts = parts_of(t);
	while (t) {
		struct CMUnitTest all[MAX_TOGETHER] = {0}; /* entries without a name are not run */
		size_t n = 0;
		do {
			all[n++] = (struct CMUnitTest){t->name, t->run, t->open, t->close, NULL};
			t = t->with;
		} while (t && n < MAX_TOGETHER && f && f->once);
		failed += cmocka_run_group_tests_name(all->name, all, f ? f->open : NULL,
						      f ? f->close : NULL);
	}
	return failed;
}

/* ---- a job ----------------------------------------------------------------------------------- */

struct job {
	const struct test *test;
	size_t part;
	pid_t pid; /* 0: the job is free */
	FILE *said;
	double since;
};

struct count {
	size_t run, failed, skipped;
	double slowest, busy;
	const struct test *slow;
};

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns the module of a test file, "arena" for "tests/unit/test_arena.c". */
static const char *stem(const char *file, char *out, size_t size)
{
	const char *slash = strrchr(file, '/');
	slash = slash ? slash + 1 : file;
	snprintf(out, size, "%s", strncmp(slash, "test_", 5) == 0 ? slash + 5 : slash);
	out[strcspn(out, ".")] = '\0';
	return out;
}

static void print_name(const struct test *t, size_t part)
{
	char file[64];
	printf("%s: %s", stem(t->file, file, sizeof file), t->name);
	if (parts_of(t) > 1)
		printf(" %zu/%zu", part + 1, parts_of(t));
}

static sigset_t mask_outside; /* the mask before SIGCHLD was blocked, which children restore */

static bool start(struct job *job, const struct test *t, size_t part)
{
	*job = (struct job){t, part, 0, tmpfile(), now()};
	if (!job->said)
		return false;
	fflush(stdout);
	job->pid = fork();
	if (job->pid == 0) {
		sigprocmask(SIG_SETMASK, &mask_outside, NULL);
		dup2(fileno(job->said), STDOUT_FILENO);
		dup2(fileno(job->said), STDERR_FILENO);
		exit(run_here(t, part) != 0);
	}
	return job->pid > 0;
}

/* Reads the output of a test; returns whether the test says that it was skipped. */
static bool read_said(FILE *said, bool shown)
{
	char line[4096];
	bool skipped = false;
	rewind(said);
	while (fgets(line, sizeof line, said)) {
		skipped = skipped || strncmp(line, "[  SKIPPED ]", 12) == 0;
		if (shown)
			fputs(line, stdout);
	}
	return skipped;
}

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static void end(struct job *job, int status, const struct rusage *used, struct count *count)
{
	const bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
	const double seconds = now() - job->since;
	const double busy = seconds_of(used->ru_utime) + seconds_of(used->ru_stime);
	count->busy += busy;
	if (!good) {
		fputs("FAILED ", stdout);
		print_name(job->test, job->part);
		if (WIFSIGNALED(status))
			printf(" (signal %d)", WTERMSIG(status));
		putchar('\n');
	}
	count->skipped += read_said(job->said, !good);
	for (const struct test *t = job->test; t; t = t->with)
		count->run++;
	count->failed += !good;
	if (seconds > count->slowest) {
		count->slowest = seconds;
		count->slow = job->test;
	}
	if (getenv("TEST_TIMES")) {
		printf("%8.2f %8.2f ", seconds, busy);
		print_name(job->test, job->part);
		putchar('\n');
	}
	fclose(job->said);
	job->pid = 0;
}

/* ---- all tests ------------------------------------------------------------------------------- */

struct choice {
	size_t jobs;
	bool list, lasting, first; /* first: stop at the first failure */
	char **texts;		   /* ends with NULL */
	double limit;		   /* longest duration of a test, in seconds */
	size_t together;	   /* short tests of a file that one process runs */
};

/* Waits until one of the jobs is done; ends a test that exceeds the limit. */
static void wait_for_one(struct job *jobs, size_t n, double limit, struct count *count)
{
	static const struct timespec second = {1, 0};
	sigset_t child;
	struct rusage used;
	int status;
	pid_t pid;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	while ((pid = wait4(-1, &status, WNOHANG, &used)) == 0) {
		sigtimedwait(&child, NULL, &second);
		for (size_t i = 0; i < n; i++)
			if (jobs[i].pid > 0 && now() - jobs[i].since > limit) {
				printf("more than %g s: ", limit);
				print_name(jobs[i].test, jobs[i].part);
				putchar('\n');
				kill(jobs[i].pid, SIGKILL);
			}
	}
	for (size_t i = 0; i < n; i++)
		if (jobs[i].pid == pid)
			end(&jobs[i], status, &used, count);
}

static bool is_chosen(const struct test *t, const struct choice *choice)
{
	char file[64], name[256];
	if (t->lasts && !choice->lasting)
		return false;
	snprintf(name, sizeof name, "%s: %s", stem(t->file, file, sizeof file), t->name);
	for (char **text = choice->texts; *text; text++)
		if (strstr(name, *text))
			return true;
	return !*choice->texts;
}

static size_t length(const struct test *t)
{
	return t->parts + t->of;
}

/* Sorts by length, tables in parts and other long tests first; the others by their files and lines,
 * because the list begins with the last registered test. */
static int in_order(const void *a, const void *b)
{
	const struct test *x = *(struct test *const *)a, *y = *(struct test *const *)b;
	if (length(x) != length(y))
		return length(x) > length(y) ? -1 : 1;
	const int file = strcmp(x->file, y->file);
	return file ? file : x->line - y->line;
}

/* Joins tests that share a fixture to the first of them, and up to `together` short ones of a file. */
static void join(struct test **all, size_t together)
{
	struct test **to = all, *last = NULL;
	size_t joined = 0;
	for (; *all; all++) {
		const struct fixture *f = fixture_of(*all);
		const bool shared = last && f && f->once && fixture_of(last) == f;
		const bool short_ones = last && strcmp(last->file, (*all)->file) == 0 &&
					length(last) == 1 && length(*all) == 1;
		if (shared || (short_ones && joined < together)) {
			last->with = *all;
			joined++;
		} else {
			*to++ = *all;
			joined = 1;
		}
		last = *all;
	}
	*to = NULL;
}

/* Returns the chosen tests, ending with NULL; the caller frees the list. */
static struct test **choose(const struct choice *choice)
{
	size_t n = 0;
	for (struct test *t = tests; t; t = t->next)
		n += is_chosen(t, choice);
	struct test **all = calloc(n + 1, sizeof *all);
	if (!all)
		return NULL;
	n = 0;
	for (struct test *t = tests; t; t = t->next)
		if (is_chosen(t, choice))
			all[n++] = t;
	qsort(all, n, sizeof *all, in_order);
	join(all, choice->together);
	return all;
}

static size_t run_all(struct test *const *all, const struct choice *choice, struct count *count)
{
	struct job jobs[MAX_JOBS] = {0};
	size_t running = 0;
	for (; *all && !(choice->first && count->failed); all++)
		for (size_t part = 0; part < (choice->lasting ? parts_of(*all) : (*all)->parts);
		     part++) {
			size_t free = 0;
			if (running == choice->jobs) {
				wait_for_one(jobs, choice->jobs, choice->limit, count);
				running--;
			}
			while (jobs[free].pid > 0)
				free++;
			if (!start(&jobs[free], *all, part)) {
				perror("a test cannot be started");
				exit(1);
			}
			running++;
		}
	for (; running > 0; running--)
		wait_for_one(jobs, choice->jobs, choice->limit, count);
	return count->failed;
}

static void sum_up(const struct count *count, double seconds)
{
	printf("%zu tests, %zu failed, %zu skipped, in %.0f s (processor %.0f s)", count->run,
	       count->failed, count->skipped, seconds, count->busy);
	if (count->slow) {
		printf("; the longest, %.1f s: ", count->slowest);
		print_name(count->slow, 0);
	}
	putchar('\n');
}

static int run_program(char **argv)
{
	for (const struct test_program *p = programs; p; p = p->next)
		if (strcmp(p->name, argv[2]) == 0)
			return p->run(argv);
	return 2;
}

static bool read_choice(int argc, char **argv, struct choice *choice)
{
	static const struct option options[] = {{"lasting", no_argument, NULL, 'L'}, {0}};
	const char *limit = getenv("TEST_LIMIT"), *together = getenv("TEST_TOGETHER");
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);
	const size_t jobs = processors > 0 ? (size_t)processors + 1 : 2;
	*choice = (struct choice){.jobs = jobs < MAX_JOBS ? jobs : MAX_JOBS,
				  .limit = limit ? strtod(limit, NULL) : 300,
				  .together = together ? strtoul(together, NULL, 10) : 1};
	for (int c; (c = getopt_long(argc, argv, "j:lx", options, NULL)) != -1;)
		switch (c) {
		case 'j':
			choice->jobs = strtoul(optarg, NULL, 10);
			break;
		case 'l':
			choice->list = true;
			break;
		case 'x':
			choice->first = true;
			break;
		case 'L':
			choice->lasting = true;
			break;
		default:
			return false;
		}
	choice->texts = argv + optind;
	return choice->jobs > 0 && choice->jobs <= MAX_JOBS;
}

void test_within(double is, double wanted, double by, const char *file, int line)
{
	if (fabs(is - wanted) <= by)
		return;
	print_error("%.17g is not %.17g\n", is, wanted);
	_fail(file, line);
}

int main(int argc, char **argv)
{
	struct choice choice;
	struct count count = {0};
	sigset_t child;
	if (argc == 3 && strcmp(argv[1], "--program") == 0)
		return run_program(argv);
	machine_choose_kernels();
	/* No file of the user who runs the tests is read, and none is left behind. */
	setenv("XDG_STATE_HOME", "/dev/null", 1);
	setenv("XDG_CONFIG_HOME", "/dev/null", 1);
	if (!realpath("tests/data", test_data)) {
		perror("tests/data");
		return 2;
	}
	if (!read_choice(argc, argv, &choice)) {
		fprintf(stderr, "usage: %s [-j JOBS (1 to %d)] [-l] [-x] [--lasting] [TEXT ...]\n",
			argv[0], MAX_JOBS);
		return 2;
	}
	struct test **all = choose(&choice);
	if (!all || !*all) {
		fputs("no such test\n", stderr);
		return 2;
	}
	for (struct test *const *head = all; choice.list && *head; head++)
		for (const struct test *t = *head; t; t = t->with) {
			print_name(t, 0);
			putchar('\n');
		}
	if (choice.list)
		return 0;
	const double begin = now();
	setvbuf(stdout, NULL, _IOLBF, 0);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &mask_outside);
	run_all(all, &choice, &count);
	sum_up(&count, now() - begin);
	free(all);
	return count.failed != 0;
}
