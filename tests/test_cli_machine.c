/* test_cli_machine.c: the program where the machine interferes: it is ended, or given too little. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "help_cli.h"

/* ---- signals ----------------------------------------------------------------------------------- */

/* A line of /proc/PID/status as a mask; bit 0 is signal 1. */
static unsigned long long mask_of(pid_t pid, const char *line)
{
	char path[64], text[256];
	unsigned long long mask = 0;
	snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
	FILE *const f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(text, sizeof text, f))
		if (strncmp(text, line, strlen(line)) == 0)
			mask = strtoull(text + strlen(line), NULL, 16);
	fclose(f);
	return mask;
}

/* Every signal that would end it is caught before it begins to work: what ending_catch does then is in
 * test_file.c. It waits for a sentence here. */
static void no_signal_finds_the_program_unready(void **state)
{
	(void)state;
	const int numbers[] = {SIGHUP,	SIGINT,	   SIGQUIT, SIGTERM, SIGALRM, SIGUSR1,	SIGUSR2,
			       SIGPIPE, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGRTMIN, SIGSEGV};
	int status = 0;
	assert_int_equal(mkfifo("sentence", 0600), 0);
	fflush(NULL);
	const pid_t pid = fork();
	if (pid == 0) {
		execl(getenv("POSVIZ"), "posviz", "render", "rope", "--file", "sentence", "-o",
		      "x.png", (char *)NULL);
		_exit(121);
	}
	const int fd = open("sentence", O_WRONLY); /* when it opens it too */
	assert_true(fd >= 0);
	const unsigned long long caught = mask_of(pid, "SigCgt:");
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (!(caught >> (numbers[i] - 1) & 1))
			fail_msg("signal %d is not caught", numbers[i]);
	kill(pid, SIGTERM);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	close(fd);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGTERM);
	cli_remove("sentence");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_signal_finds_the_program_unready),
	};
	return cmocka_run_group_tests(tests, cli_enter, cli_leave);
}
