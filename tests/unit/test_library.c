/* test_library.c: functions of libraries that are loaded late. */
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "posviz/base/library.h"

static struct library numbers = {"compute", {"libno-such-file.so", "libm.so.6"}, {NULL}};
static struct library nothing = {"fail", {"libno-such-file.so"}, {NULL}};

#define far_cos LIBRARY_CALL(numbers, cos)

/* The first file is not there, the second has it. */
TEST(a_function_is_in_the_first_file_that_has_it)
{
	for (int i = 0; i < 3; i++)
		assert_true(far_cos(i) == cos(i));
	assert_null(numbers.opened[0]);
	assert_non_null(numbers.opened[1]);
}

/* Returns what is said before the program ends. */
static void find_in_child(struct library *library, const char *function, char *said, size_t size)
{
	int ends[2], status = 0;
	assert_int_equal(pipe(ends), 0);
	const pid_t pid = fork();
	if (pid == 0) {
		dup2(ends[1], STDERR_FILENO);
		library_find(library, function);
		_exit(0);
	}
	close(ends[1]);
	const ssize_t n = read(ends[0], said, size - 1);
	said[n > 0 ? n : 0] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 2);
}

TEST(what_is_missing_is_named)
{
	char said[512];
	find_in_child(&nothing, "cos", said, sizeof said);
	assert_non_null(strstr(
		said,
		"libno-such-file.so is needed to fail, and cannot be loaded: libno-such-file.so: "));
	find_in_child(&numbers, "no_such_function", said, sizeof said);
	assert_non_null(strstr(said, "no_such_function"));
}
