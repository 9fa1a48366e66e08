/* test_err.c: messages, and the ways out. */
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "posviz/base/cleanup.h"
#include "posviz/base/err.h"
#include "posviz/base/text.h"

TEST(set_formats_and_returns_false)
{
	struct err err = {0};
	assert_false(err_set(&err, "%s is %d", "it", 3));
	assert_string_equal(err.text, "it is 3");
	assert_false(err_set(NULL, "nobody listens"));
	assert_false(err_prefix(NULL, "nobody "));
}

TEST(prefix_goes_in_front)
{
	struct err err = {0};
	err_set(&err, "wrong");
	assert_false(err_prefix(&err, "%s:%d: ", "f", 3));
	assert_string_equal(err.text, "f:3: wrong");
}

TEST(arguments_may_be_the_message)
{
	struct err err = {0};
	err_set(&err, "inner");
	err_set(&err, "outer (%s)", err.text);
	assert_string_equal(err.text, "outer (inner)");
}

TEST(long_messages_end_with_a_whole_character)
{
	char text[800];
	for (size_t shift = 0; shift < 4; shift++) {
		memset(text, 'x', shift);
		for (size_t i = shift; i + 4 < sizeof text; i += 4)
			memcpy(text + i, "\xF0\x9F\x98\x80", 5);
		struct err err = {0};
		err_set(&err, "%s", text);
		assert_true(strlen(err.text) > sizeof err.text - 6);
		assert_true(text_valid(err.text, strlen(err.text)));
		err_prefix(&err, "a");
		assert_true(text_valid(err.text, strlen(err.text)));
	}
}

static void restore(void)
{
	if (write(STDERR_FILENO, "restored ", 9) != 9)
		_exit(99);
}

/* A restore function that fails itself must not be called again. */
static void restore_that_dies(void)
{
	die("again");
}

static void run_die(void)
{
	cleanup_restore(restore);
	die("no %s", "memory");
}

static void run_bug(void)
{
	cleanup_restore(restore);
	BUG_IF(1 + 1 == 2);
}

static void run_die_twice(void)
{
	cleanup_restore(restore_that_dies);
	die("first");
}

static int deeper(int calls)
{
	volatile char here[4096];
	here[0] = (char)calls;
	return calls == 0 ? 0 : deeper(calls - 1) + here[0];
}

static void run_overflow(void)
{
	const struct rlimit no_core = {0, 0}, small = {1 << 20, 1 << 20};
	setrlimit(RLIMIT_CORE, &no_core);
	setrlimit(RLIMIT_STACK, &small);
	signal(SIGSEGV, SIG_DFL);
	cleanup_restore(restore);
	cleanup_catch(NULL);
	_exit(deeper(1 << 20));
}

/* The standard error of `run` in a child, and its wait status. */
static int output_of(void (*run)(void), char *out, size_t size)
{
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	const pid_t pid = fork();
	if (pid == 0) {
		signal(SIGABRT, SIG_DFL);
		dup2(ends[1], STDERR_FILENO);
		run();
		_exit(0);
	}
	close(ends[1]);
	size_t len = 0;
	for (ssize_t n = 1; n > 0 && len + 1 < size; len += (size_t)n) {
		n = read(ends[0], out + len, size - 1 - len);
		assert_true(n >= 0);
	}
	out[len] = '\0';
	close(ends[0]);
	int status = 0;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

TEST(die_restores_the_terminal_and_exits_with_2)
{
	char out[256];
	const int status = output_of(run_die, out, sizeof out);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 2);
	assert_string_equal(out, "restored posviz: no memory\n");
}

TEST(bug_restores_the_terminal_and_aborts)
{
	char out[256];
	const int status = output_of(run_bug, out, sizeof out);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
	assert_memory_equal(out, "restored posviz: bug at ", 24);
	assert_non_null(strstr(out, "test_err.c:"));
	assert_non_null(strstr(out, "1 + 1 == 2"));
}

TEST(restore_is_called_once)
{
	char out[256];
	const int status = output_of(run_die_twice, out, sizeof out);
	assert_int_equal(WEXITSTATUS(status), 2);
	assert_string_equal(out, "posviz: again\n");
}

/* Then the handler has no stack but its own. */
TEST(overflow_of_the_stack_restores_the_terminal)
{
	char out[256];
#if defined(__SANITIZE_ADDRESS__)
	skip(); /* it reports the overflow itself */
#endif
	const int status = output_of(run_overflow, out, sizeof out);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGSEGV);
	assert_string_equal(out, "restored ");
}
