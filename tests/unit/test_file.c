/* test_file.c: files are read within a limit, and written whole or not at all. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "posviz/base/cleanup.h"
#include "posviz/format/file.h"

enum { LIMIT = 1 << 20 };

/* The C library's is never reached from this program: all bytes of the new file are written here, and it
 * has not got its name. */
static int signal_at_sync;
static atomic_size_t synced; /* times */

int fsync(int fd)
{
	(void)fd;
	synced++;
	if (signal_at_sync)
		raise(signal_at_sync);
	return 0;
}

/* Every test runs in a directory of its own. */
struct place {
	struct arena arena;
	char dir[64];
	int before;
};

static int setup(void **state)
{
	struct place *p = calloc(1, sizeof *p);
	arena_init(&p->arena);
	p->before = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	strcpy(p->dir, "/tmp/test-file-XXXXXX");
	if (mkdtemp(p->dir) == NULL || chdir(p->dir) != 0)
		return -1;
	*state = p;
	return 0;
}

static int teardown(void **state)
{
	struct place *p = *state;
	char command[128];
	snprintf(command, sizeof command, "rm -rf %s", p->dir);
	const int failed = fchdir(p->before) != 0 || system(command) != 0;
	close(p->before);
	arena_release(&p->arena);
	free(p);
	return failed;
}

FIXTURE(setup, teardown)

static void expect_content(struct place *p, const char *path, const char *text)
{
	char *data = NULL;
	size_t len = 0;
	struct err err = {0};
	if (!file_read(path, LIMIT, &p->arena, &data, &len, &err))
		fail_msg("%s", err.text);
	assert_int_equal(len, strlen(text));
	assert_string_equal(data, text);
}

static int entries_here(void)
{
	int n = 0;
	DIR *dir = opendir(".");
	assert_non_null(dir);
	while (readdir(dir) != NULL)
		n++;
	closedir(dir);
	return n - 2;
}

TEST(written_text_is_read_back)
{
	struct err err = {0};
	assert_true(file_write("a", "hello", 5, false, &err));
	expect_content(*state, "a", "hello");
	assert_true(file_write("empty", "", 0, false, &err));
	expect_content(*state, "empty", "");
	assert_int_equal(entries_here(), 2);
}

/* Whoever asked may have no command line: what would overwrite it is said by the caller. */
TEST(existing_file_needs_force)
{
	struct err err = {0};
	assert_true(file_write("a", "old", 3, false, &err));
	assert_true(synced > 0);
	synced = 0;
	assert_false(file_write("a", "new", 3, false, &err));
	assert_int_equal(synced, 0); /* nothing was written for it */
	assert_non_null(strstr(err.text, "\"a\""));
	assert_null(strstr(err.text, "--force"));
	expect_content(*state, "a", "old");
	assert_true(file_write("a", "new", 3, true, &err));
	expect_content(*state, "a", "new");
	assert_int_equal(entries_here(), 1);
}

/* ---- never over an existing file, whatever the file system knows ------------------------------ */

enum { WRITERS = 8 };

/* From here on these calls fail as where they are not known. x86-64 and others alike: the numbers
 * are this machine's. */
static bool forbid(const int *calls, size_t n)
{
	struct sock_filter code[2 * 8 + 2];
	size_t at = 0;
	code[at++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
						  offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < n; i++) {
		code[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
							  (unsigned)calls[i], 0, 1);
		code[at++] =
			(struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
	}
	code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	const struct sock_fprog program = {(unsigned short)at, code};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* In a child: waits until all are there, then writes. Exit code 0: it was the first, 1: it was
 * refused, 77: the kernel does not let us forbid. */
static void race(size_t without, int begin)
{
	static const int calls[] = {
		SYS_renameat2,
		SYS_linkat,
#ifdef SYS_link
		SYS_link,
#endif
	};
	const size_t n = without == 0 ? 0 : without == 1 ? 1 : sizeof calls / sizeof *calls;
	char byte, text[2000];
	struct err err = {0};
	memset(text, 'a' + (int)(getpid() % 26), sizeof text);
	if (n > 0 && !forbid(calls, n))
		_exit(77);
	if (read(begin, &byte, 1) != 0)
		_exit(3);
	if (file_write("one", text, sizeof text, false, &err))
		_exit(0);
	_exit(strstr(err.text, "exists already") ? 1 : 4);
}

TEST(first_of_many_writers_wins)
{
	struct place *p = *state;
	for (size_t without = 0; without < 3; without++) {
		pid_t pids[WRITERS];
		int ends[2], won = 0, skipped = 0;
		assert_int_equal(pipe(ends), 0);
		for (size_t i = 0; i < WRITERS; i++) {
			pids[i] = fork();
			if (pids[i] == 0) {
				close(ends[1]);
				race(without, ends[0]);
			}
		}
		close(ends[0]);
		close(ends[1]);
		for (size_t i = 0; i < WRITERS; i++) {
			int status = 0;
			assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
			assert_true(WIFEXITED(status));
			won += WEXITSTATUS(status) == 0;
			skipped += WEXITSTATUS(status) == 77;
			assert_true(WEXITSTATUS(status) < 2 || WEXITSTATUS(status) == 77);
		}
		if (skipped == WRITERS)
			continue;
		char *data;
		size_t len;
		assert_int_equal(won, 1);
		assert_true(file_read("one", LIMIT, &p->arena, &data, &len, NULL));
		assert_int_equal(len, 2000);
		for (size_t i = 1; i < len; i++)
			assert_int_equal(data[i], data[0]);
		assert_int_equal(entries_here(), 1);
		assert_int_equal(unlink("one"), 0);
	}
}

TEST(mode_follows_the_umask_or_the_old_file)
{
	struct stat st;
	const mode_t before = umask(027);
	const bool made = file_write("a", "x", 1, false, NULL);
	umask(before);
	assert_true(made);
	assert_int_equal(stat("a", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	assert_int_equal(chmod("a", 0600), 0);
	assert_true(file_write("a", "y", 1, true, NULL));
	assert_int_equal(stat("a", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
}

TEST(link_stays_and_its_target_is_replaced)
{
	struct stat st;
	assert_int_equal(mkdir("sub", 0700), 0);
	assert_true(file_write("sub/target", "old", 3, false, NULL));
	assert_int_equal(symlink("sub/target", "link"), 0);
	assert_true(file_write("link", "new", 3, true, NULL));
	assert_int_equal(lstat("link", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	expect_content(*state, "sub/target", "new");
}

TEST(write_errors_are_one_clear_line)
{
	static const struct {
		const char *path, *why;
	} rows[] = {
		{"none/a", "cannot write \"none/a\": its directory does not exist"},
		{"dir", "cannot write \"dir\": it is a directory"},
		{"file/a", "cannot write \"file/a\": part of the path is not a directory"},
		{"dangling", "cannot write \"dangling\": it is a link that leads nowhere"},
		{"", "cannot write \"\": the name is empty"},
		{"/dev/full", "cannot write \"/dev/full\": the disk is full"},
	};
	assert_int_equal(mkdir("dir", 0700), 0);
	assert_true(file_write("file", "x", 1, false, NULL));
	assert_int_equal(symlink("nowhere", "dangling"), 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct err err = {0};
		assert_false(file_write(rows[i].path, "text", 4, true, &err));
		assert_string_equal(err.text, rows[i].why);
	}
	assert_int_equal(entries_here(), 3);
}

/* In a child, because the limit stays. Exit code 0: as it should be. */
static void write_over_the_limit(void)
{
	const struct rlimit limit = {1000, 1000};
	static char data[5000];
	struct err err = {0};
	if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
		_exit(3);
	if (file_write("a", data, sizeof data, true, &err))
		_exit(4);
	if (strcmp(err.text, "cannot write \"a\": the file would be larger than the system allows"))
		_exit(5);
	_exit(0);
}

TEST(too_large_for_the_system_leaves_no_trace)
{
	assert_true(file_write("a", "old", 3, false, NULL));
	const pid_t pid = fork();
	if (pid == 0)
		write_over_the_limit();
	int status = 0;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	expect_content(*state, "a", "old");
	assert_int_equal(entries_here(), 1);
}

TEST(pipe_is_written_directly)
{
	struct place *p = *state;
	assert_int_equal(mkfifo("fifo", 0600), 0);
	const int end = open("fifo", O_RDWR | O_CLOEXEC);
	assert_true(end >= 0);
	assert_true(file_write("fifo", "through", 7, false, NULL));
	char text[8] = {0};
	assert_int_equal(read(end, text, 7), 7);
	close(end);
	assert_string_equal(text, "through");
	struct stat st;
	assert_int_equal(stat("fifo", &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
	assert_non_null(p);
}

TEST(minus_is_standard_input_and_output)
{
	struct place *p = *state;
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	const int in = dup(STDIN_FILENO), out = dup(STDOUT_FILENO);
	fflush(stdout);
	dup2(ends[0], STDIN_FILENO);
	dup2(ends[1], STDOUT_FILENO);
	const bool written = file_write("-", "hello", 5, false, NULL);
	dup2(out, STDOUT_FILENO);
	close(ends[1]);
	char *data = NULL;
	size_t len = 0;
	const bool read = file_read("-", LIMIT, &p->arena, &data, &len, NULL);
	dup2(in, STDIN_FILENO);
	close(ends[0]);
	close(in);
	close(out);
	assert_true(written);
	assert_true(read);
	assert_string_equal(data, "hello");
}

TEST(read_errors_are_one_clear_line)
{
	struct place *p = *state;
	static const struct {
		const char *path, *why;
	} rows[] = {
		{"none", "cannot read \"none\": there is no such file or directory"},
		{".", "cannot read \".\": it is a directory"},
		{"file/a", "cannot read \"file/a\": part of the path is not a directory"},
		{"file", "\"file\" is too large, at most 3 bytes are read"},
		{"/dev/zero", "\"/dev/zero\" is too large, at most 3 bytes are read"},
		{"a\nb", "cannot read \"a\\nb\": there is no such file or directory"},
	};
	assert_true(file_write("file", "four", 4, false, NULL));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct err err = {0};
		char *data = NULL;
		size_t len = 0;
		assert_false(file_read(rows[i].path, 3, &p->arena, &data, &len, &err));
		assert_string_equal(err.text, rows[i].why);
	}
}

TEST(the_limit_of_open_files_is_told)
{
	struct place *p = *state;
	struct err err = {0};
	struct rlimit limit;
	char *data = NULL;
	size_t len = 0;
	assert_true(file_write("file", "x", 1, false, NULL));
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	const rlim_t before = limit.rlim_cur; /* what ends a test opens files too */
	limit.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_false(file_read("file", LIMIT, &p->arena, &data, &len, &err));
	assert_string_equal(err.text, "cannot read \"file\": too many files are open, ulimit -n "
				      "says how many may be");
	assert_false(file_write("new", "x", 1, false, &err));
	assert_string_equal(err.text, "cannot write \"new\": too many files are open, ulimit -n "
				      "says how many may be");
	limit.rlim_cur = before;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_false(file_exists("new"));
}

TEST(forbidden_file_is_an_error)
{
	struct place *p = *state;
	if (geteuid() == 0)
		skip();
	assert_true(file_write("file", "x", 1, false, NULL));
	assert_int_equal(chmod("file", 0), 0);
	struct err err = {0};
	char *data = NULL;
	size_t len = 0;
	assert_false(file_read("file", LIMIT, &p->arena, &data, &len, &err));
	assert_string_equal(err.text, "cannot read \"file\": permission denied");
}

/* Longer than the first buffer, and of unknown length. */
TEST(long_pipe_is_read_whole)
{
	struct place *p = *state;
	enum { LEN = 300000 };
	char *text = arena_alloc(&p->arena, LEN);
	for (size_t i = 0; i < LEN; i++)
		text[i] = (char)('a' + i % 23);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	const pid_t pid = fork();
	if (pid == 0)
		_exit(file_write("fifo", text, LEN, false, NULL) ? 0 : 1);
	char *data = NULL;
	size_t len = 0;
	assert_true(file_read("fifo", LEN, &p->arena, &data, &len, NULL));
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(len, LEN);
	assert_memory_equal(data, text, LEN);
	assert_int_equal(data[LEN], '\0');
}

/* Whoever holds the other end of a pipe may have made it non-blocking for all. A child moves more than
 * the pipe holds, from or to it, and the parent takes its time with the first bytes. */
static int moved_by_child(int (*child)(void), int fd, char *data, size_t len, bool taken)
{
	int ends[2], status = -1;
	const int theirs = taken ? 1 : 0;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(fcntl(ends[theirs], F_SETFL, O_NONBLOCK), 0);
	const pid_t pid = fork();
	if (pid == 0) {
		dup2(ends[theirs], fd);
		close(ends[1 - theirs]);
		_exit(child());
	}
	close(ends[theirs]);
	usleep(20000); /* it meets the pipe full, or empty; what is moved does not hang on that */
	for (size_t at = 0; at < len;) {
		const ssize_t n = taken ? read(ends[0], data + at, len - at)
					: write(ends[1], data + at, len - at);
		if (n <= 0)
			break;
		at += (size_t)n;
	}
	close(ends[1 - theirs]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

enum { MOVED = 300000 };
static char moved[MOVED];

static int write_moved(void)
{
	for (size_t i = 0; i < MOVED; i++)
		moved[i] = (char)('a' + i % 23);
	return file_write("-", moved, MOVED, false, NULL) ? 0 : 1;
}

static int read_moved(void)
{
	struct arena a;
	char *data;
	size_t len;
	arena_init(&a);
	const bool same = file_read("-", MOVED, &a, &data, &len, NULL) && len == MOVED &&
			  memcmp(data, moved, MOVED) == 0;
	arena_release(&a);
	return same ? 0 : 1;
}

TEST(non_blocking_pipe_is_waited_for)
{
	assert_int_equal(moved_by_child(write_moved, STDOUT_FILENO, moved, MOVED, true), 0);
	for (size_t i = 0; i < MOVED; i++)
		assert_int_equal(moved[i], 'a' + i % 23);
	assert_int_equal(moved_by_child(read_moved, STDIN_FILENO, moved, MOVED, false), 0);
}

/* Valgrind lets no program die of SIGSTKFLT and SIGRTMAX. */
static bool ends_a_program(int number)
{
	int status = 0;
	fflush(NULL);
	const pid_t pid = fork();
	if (pid == 0) {
		const struct rlimit no_core = {0, 0};
		setrlimit(RLIMIT_CORE, &no_core);
		signal(number, SIG_DFL);
		raise(number);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status);
}

/* A child is hit by the signal while it writes; whether the target was there before. */
static void hit_while_writing(int number, const char *name)
{
	int status = 0;
	fflush(NULL);
	const pid_t pid = fork();
	if (pid == 0) {
		const struct rlimit no_core = {0, 0};
		setrlimit(RLIMIT_CORE, &no_core);
		signal(number, SIG_DFL); /* cmocka has handlers of its own */
		signal_at_sync = number;
		cleanup_catch(NULL);
		_exit(file_write(name, "new", 3, true, NULL) ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (!WIFSIGNALED(status) || WTERMSIG(status) != number)
		fail_msg("signal %d: status %x", number, (unsigned)status);
}

TEST(no_signal_leaves_half_a_file)
{
	struct place *p = *state;
	const int numbers[] = {SIGHUP,	SIGINT,	   SIGQUIT, SIGTERM,  SIGALRM,	SIGUSR1,
			       SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU,  SIGPIPE,	SIGIO,
			       SIGPWR,	SIGSTKFLT, SIGXFSZ, SIGRTMIN, SIGRTMAX, SIGSEGV,
			       SIGBUS,	SIGFPE,	   SIGILL,  SIGABRT,  SIGTRAP,	SIGSYS};
	assert_true(file_write("old", "old", 3, false, NULL));
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		if ((numbers[i] == SIGSTKFLT || numbers[i] == SIGRTMAX) &&
		    !ends_a_program(numbers[i]))
			continue;
		hit_while_writing(numbers[i], "new");
		hit_while_writing(numbers[i], "old");
		expect_content(p, "old", "old");
		if (entries_here() != 1)
			fail_msg("signal %d leaves %d files", numbers[i], entries_here());
	}
}

/* What was told to be ignored is: the file is written whole. */
TEST(ignored_signal_stays_ignored)
{
	int status = 0;
	fflush(NULL);
	const pid_t pid = fork();
	if (pid == 0) {
		signal(SIGHUP, SIG_IGN);
		signal_at_sync = SIGHUP;
		cleanup_catch(NULL);
		_exit(file_write("a", "new", 3, false, NULL) ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	expect_content(*state, "a", "new");
}

TEST(directories_are_made_with_their_parents)
{
	struct err err = {0};
	struct stat st;
	assert_true(file_make_dirs("a/b//c/", &err));
	assert_true(file_make_dirs("a/b/c", &err));
	assert_int_equal(stat("a/b/c", &st), 0);
	assert_true(S_ISDIR(st.st_mode));
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_true(file_make_dirs("/tmp", &err));
	assert_true(file_write("file", "x", 1, false, NULL));
	assert_false(file_make_dirs("file", &err));
	assert_string_equal(err.text, "cannot make \"file\": it is a file");
	assert_false(file_make_dirs("file/sub", &err));
	assert_false(file_make_dirs("", &err));
	assert_true(file_exists("file"));
	assert_false(file_exists("none"));
}

/* ---- several that belong together ---------------------------------------------------------------- */

TEST(one_file_is_known_by_any_name)
{
	static const struct {
		const char *path, *other;
		bool same;
	} rows[] = {
		{"q.pdf", "./q.pdf", true},
		{"q.pdf", "sub/../q.pdf", true},
		{"new.pdf", "./new.pdf", true},
		{"new.pdf", "sub/../new.pdf", true},
		{"q.pdf", "link.pdf", true},
		{"q.pdf", "hard.pdf", true},
		{"into/new.pdf", "sub/new.pdf", true},
		{"q.pdf", "new.pdf", false},
		{"new.pdf", "sub/new.pdf", false},
		{"nowhere/q.pdf", "q.pdf", false},
		{"new.pdf", "newer.pdf", false},
		{"-", "-", true},
		{"-", "q.pdf", false},
	};
	struct err err = {0};
	assert_true(file_write("q.pdf", "old", 3, false, &err));
	assert_true(mkdir("sub", 0700) == 0 && symlink("sub", "into") == 0 &&
		    symlink("q.pdf", "link.pdf") == 0 && link("q.pdf", "hard.pdf") == 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (file_same(rows[i].path, rows[i].other) != rows[i].same ||
		    file_same(rows[i].other, rows[i].path) != rows[i].same)
			fail_msg("%s and %s", rows[i].path, rows[i].other);
}

TEST(a_batch_is_written_whole)
{
	struct err err = {0};
	struct file_batch *const b = file_batch_new();
	assert_true(file_write("old", "before", 6, false, &err));
	for (int i = 0; i < 20; i++) {
		char name[16];
		snprintf(name, sizeof name, "f%d", i);
		assert_true(file_batch_add(b, name, name, strlen(name), false, &err));
		assert_false(access(name, F_OK) == 0); /* not yet */
	}
	assert_true(file_batch_add(b, "old", "after", 5, true, &err));
	expect_content(*state, "old", "before");
	assert_true(file_batch_write(b, &err));
	file_batch_free(b);
	expect_content(*state, "f0", "f0");
	expect_content(*state, "f19", "f19");
	expect_content(*state, "old", "after");
	assert_int_equal(entries_here(), 21); /* nothing is left beside them */
}

/* The second cannot be written, or cannot get its name: the first is as it was. */
TEST(a_batch_is_written_whole_or_not_at_all)
{
	struct err err = {0};
	assert_true(file_write("old", "before", 6, false, &err));
	for (int late = 0; late < 2; late++) {
		struct file_batch *const b = file_batch_new();
		assert_true(file_batch_add(b, late ? "second" : "first", "x", 1, false, &err));
		assert_true(file_batch_add(b, "old", "after", 5, true, &err));
		if (late) {
			assert_true(file_batch_add(b, "third", "y", 1, false, &err));
			/* Somebody takes a name meanwhile. */
			assert_true(file_write("second", "theirs", 6, false, &err));
			assert_false(file_batch_write(b, &err));
			assert_non_null(strstr(err.text, "\"second\" exists already"));
		} else {
			assert_false(file_batch_add(b, "nowhere/x", "y", 1, false, &err));
		}
		file_batch_free(b);
		expect_content(*state, "old", "before");
	}
	expect_content(*state, "second", "theirs");
	assert_int_equal(entries_here(), 2);
}

TEST(a_batch_has_no_file_twice)
{
	struct err err = {0};
	struct file_batch *const b = file_batch_new();
	assert_true(file_batch_add(b, "a", "1", 1, true, &err));
	assert_false(file_batch_add(b, "./a", "2", 1, true, &err));
	assert_non_null(strstr(err.text, "\"a\" and \"./a\" are one file"));
	file_batch_free(b);
	assert_int_equal(entries_here(), 0);
}

/* ---- a file that others may change ----------------------------------------------------------------- */

TEST(an_update_leaves_what_others_changed)
{
	const struct file_text was = {"ours", 4};
	struct err err = {0};
	bool other;
	assert_true(file_update("f", NULL, false, "ours", 4, &other, &err)); /* new */
	assert_true(file_update("f", &was, false, "more", 4, &other, &err) && !other);
	expect_content(*state, "f", "more");
	assert_false(file_update("f", &was, false, "again", 5, &other, &err)); /* same length */
	assert_true(other);
	assert_false(file_update("f", NULL, false, "again", 5, &other, &err)); /* it was none */
	expect_content(*state, "f", "more");
	assert_true(file_update("f", NULL, true, "over", 4, &other, &err));
	expect_content(*state, "f", "over");
	assert_true(rename("f", "g") == 0 && symlink("g", "f") == 0);
	assert_false(
		file_update("f", &(struct file_text){"over", 4}, false, "x", 1, &other, &err) ||
		!other);
	assert_false(file_update("f", NULL, true, "x", 1, &other, &err) || !other);
	expect_content(*state, "g", "over");
	assert_int_equal(entries_here(), 2);
}
