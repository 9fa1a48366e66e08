/* test_raster_fonts.c: what the libraries of a page say becomes a line of ours, or nothing. */

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "posviz/plot/raster.h"

static void without_memory(void)
{
	raster_fonts_trouble();
	g_error("failed to allocate %d bytes", 5);
}

static void without_configuration(void)
{
	setenv("FONTCONFIG_FILE", "/dev/null", 1);
	const bool told = strstr(raster_fonts_trouble(), "\"/dev/null\", line 1") != NULL;
	if (write(STDERR_FILENO, "after", 5) != 5)
		_exit(99);
	_exit(told ? 0 : 1);
}

/* Runs it in a child; its exit status, and what it wrote on standard error. */
static int status_of(void (*run)(void), char *out, size_t size)
{
	int ends[2], status = 0;
	assert_int_equal(pipe(ends), 0);
	fflush(NULL);
	const pid_t pid = fork();
	if (pid == 0) {
		dup2(ends[1], STDERR_FILENO);
		run();
		_exit(98);
	}
	close(ends[1]);
	const ssize_t n = read(ends[0], out, size - 1);
	out[n > 0 ? n : 0] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

TEST(no_memory_is_one_line)
{
	char out[512];
	assert_int_equal(status_of(without_memory, out, sizeof out), 2);
	assert_string_equal(out, "posviz: GLib: failed to allocate 5 bytes\n");
}

/* Standard error is as it was, and has nothing of Fontconfig's. */
TEST(no_configuration_is_kept_to_be_told)
{
	char out[512];
	assert_int_equal(status_of(without_configuration, out, sizeof out), 0);
	assert_string_equal(out, "after");
}
