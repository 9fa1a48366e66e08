/* test_cli_machine.c: the program where the machine interferes: it is ended, or given too little. */

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "help_cli.h"
#include "help_signals.h"
#include "posviz/scheme/scheme.h"

FIXTURE(cli_enter, cli_leave)

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

/* Every signal that would end it is caught before it begins to work: what cleanup_catch does then is in
 * test_file.c. It waits for a sentence here. */
TEST(no_signal_finds_the_program_unready)
{
	const int numbers[] = {SIGHUP,	SIGINT,	   SIGQUIT, SIGTERM, SIGALRM, SIGUSR1,	SIGUSR2,
			       SIGPIPE, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGRTMIN, SIGSEGV};
	int status = 0;
	assert_int_equal(mkfifo("sentence", 0600), 0);
	fflush(NULL);
	const pid_t pid = fork();
	if (pid == 0) {
		signals_as_usual();
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

/* ---- fonts ------------------------------------------------------------------------------------- */

static const char no_fonts[] = "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">"
			       "<fontconfig></fontconfig>";

/* Fontconfig would have its own say on standard error. */
TEST(fonts_in_disorder_are_one_line)
{
	static const struct {
		const char *environment, *format, *says;
		int code;
	} rows[] = {
		{"FONTCONFIG_FILE=/dev/null", "png",
		 "warning: fonts: Fontconfig takes its built-in configuration, because of this in "
		 "its own: \"/dev/null\", line 1",
		 0},
		{"FONTCONFIG_FILE=/nowhere", "svg",
		 "warning: fonts: Fontconfig takes its built-in configuration", 0},
		{"FONTCONFIG_FILE=/dev/null", "txt", "", 0},
		{"FONTCONFIG_FILE=fonts.conf", "png",
		 "no font can be found: install one, for example the package fonts-dejavu-core", 2},
	};
	cli_write("fonts.conf", no_fonts, strlen(no_fonts));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_result r;
		char here[PATH_MAX], environment[PATH_MAX + 32];
		assert_non_null(getcwd(here, sizeof here));
		snprintf(environment, sizeof environment, "FONTCONFIG_FILE=%s/fonts.conf", here);
		cli_run(&r,
			&(struct cli_case){
				.args = {"render", "rope", "--format", rows[i].format},
				.environment = {rows[i].code ? environment : rows[i].environment}});
		const char *const end = strchr(r.err, '\n');
		if (r.code != rows[i].code || !strstr(r.err, rows[i].says) ||
		    (end && end[1] != '\0') || (*rows[i].says == '\0') != (r.err_len == 0))
			fail_msg("%s: exit %d: %s", rows[i].environment, r.code, r.err);
		cli_done(&r);
	}
	cli_remove("fonts.conf");
}

/* Whether the libraries that draw pages were loaded; the loader of glibc tells. */
static bool draws(const char *const *args)
{
	struct cli_result r;
	struct cli_case c = {.environment = {"LD_DEBUG=files"}};
	for (size_t i = 0; args[i]; i++)
		c.args[i] = args[i];
	cli_run(&r, &c);
	const bool loaded = strstr(r.err, "libpangocairo") != NULL;
	assert_int_equal(r.code, 0);
	if (!strstr(r.err, "calling init")) /* of another system, or in a setting of its own */
		skip();
	cli_done(&r);
	return loaded;
}

TEST(libraries_of_pages_are_loaded_for_pages)
{
	assert_false(draws((const char *const[]){"render", "rope", "--plain", NULL}));
	assert_false(draws((const char *const[]){"render", "rope", "--format", "txt", NULL}));
	assert_false(draws((const char *const[]){"list", "schemes", NULL}));
	assert_true(draws((const char *const[]){"render", "rope", "--format", "svg", NULL}));
}

/* ---- memory ------------------------------------------------------------------------------------ */

/* Whatever is allowed, it ends: with a result, or with a line that says what is needed; and what goes
 * with some memory goes with more. */
TEST(too_little_memory_is_told)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	skip(); /* they need terabytes of addresses */
#endif
	static const char *const commands[][4] = {{"list", "table"},
						  {"render", "rope", "--format=txt"},
						  {"render", "rope", "--format=png"},
						  {"render", "rope", "--format=svg"},
						  {"check", "rope"}};
	static const char *const threads[] = {"OPENBLAS_NUM_THREADS=2", "OPENBLAS_NUM_THREADS=1"};
	static const long sizes[] = {100, 150, 200, 300, 600};
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
			struct cli_result r;
			struct cli_case c = {.environment = {threads[(i + k) % 2]},
					     .memory_limit = sizes[k]};
			memcpy(c.args, commands[i], sizeof commands[i]);
			cli_run(&r, &c);
			const bool enough = sizes[k] >= 600;
			const bool told = strncmp(r.err, "posviz: too little memory: ", 27) == 0 &&
					  strchr(r.err, '\n') == r.err + r.err_len - 1;
			if (enough ? r.code != 0 || r.err_len != 0 : r.code != 2 || !told)
				fail_msg("%s %s with %ld MB: exit %d: %s", commands[i][0],
					 commands[i][1], sizes[k], r.code, r.err);
			cli_done(&r);
		}
	/* What computes nothing needs little. */
	cli_good(&(struct cli_case){.args = {"list", "schemes"}, .memory_limit = 120});
	cli_good(&(struct cli_case){.args = {"render", "--help"}, .memory_limit = 120});
}

/* ---- open files -------------------------------------------------------------------------------- */

static void assert_opens_or_tells(const char *const *args, long limit)
{
	bool needs_fonts = false;
	struct cli_result r;
	struct cli_case c = {.environment = {"OPENBLAS_NUM_THREADS=2"}, .open_limit = limit};
	for (size_t i = 0; args[i]; i++)
		needs_fonts = strcmp(c.args[i] = args[i], "x.txt") != 0;
	cli_run(&r, &c);
	const bool told = strstr(r.err, "too many open files, at most ") &&
			  strstr(r.err, " (ulimit -n), 64 would do\n") &&
			  strchr(r.err, '\n') == r.err + r.err_len - 1;
	const size_t files = cli_files();
	if (limit >= 64 ? r.code != 0 || r.err_len != 0 || files != 1
			: r.code != 0 && (r.code != 2 || !told || files != 0))
		fail_msg("%s with %ld open files: exit %d, %zu files: %s", args[0], limit, r.code,
			 files, r.err);
	assert_true(r.code == 2 || limit > 4 || !needs_fonts);
	cli_done(&r);
	remove("x.png");
	remove("x.pdf");
	remove("x.txt");
}

/* A picture is whole, or a line names the limit: Fontconfig says nothing of its own, and takes no other font. */
TEST(too_few_open_files_are_told)
{
	static const char *const commands[][6] = {
		{"render", "rope", "-o", "x.png"},   {"sheet", "rope", "t5", "-o", "x.pdf"},
		{"quiz", "--seed=7", "-o", "x.pdf"}, {"figure", "survey-6", "-o", "x.png"},
		{"render", "rope", "-o", "x.txt"},
	};
	static const long limits[] = {4, 5, 6, 8, 10, 11, 12, 64};
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
			assert_opens_or_tells(commands[i], limits[k]);
}

/* ---- kernels of OpenBLAS ------------------------------------------------------------------------- */

/* The weights of a scheme on its sample, but for orders, which are for another sentence; as they are with this in the environment. An npy is ten bytes, of which
 * the last two say how long the header is, the header, and the numbers. */
static size_t weights_with(const struct scheme *s, const char *environment, double *out,
			   size_t most)
{
	const bool fits = s->sample && strncmp(s->sample, "reorder ", 8) != 0;
	struct cli_result r;
	cli_run(&r, &(struct cli_case){.args = {"dump", s->id, "--matrix", "weights", "-c",
						fits ? s->sample : "seed 0", "-o", "-", "--format",
						"npy"},
				       .environment = {environment}});
	if (r.code != 0)
		fail_msg("%s: %s", s->id, r.err);
	const unsigned char *const length = (const unsigned char *)r.out + 8;
	const size_t head = 10 + length[0] + 256u * length[1], n = (r.out_len - head) / sizeof *out;
	assert_true(n <= most);
	memcpy(out, r.out + head, n * sizeof *out);
	cli_done(&r);
	return n;
}

/* A picture is the same wherever it is made. */
TEST_SAMPLED(numbers_do_not_hang_on_the_machine, 1, 3)
{
	enum { MOST = 10000 };
	static double one[MOST], two[MOST];
	for (size_t i = test_part; i < scheme_count(); i += test_parts) {
		const struct scheme *const s = scheme_at(i);
		const size_t n = weights_with(s, "OPENBLAS_CORETYPE=Prescott", one, MOST);
		assert_true(n >= 16);
		assert_int_equal(weights_with(s, NULL, two, MOST), n);
		for (size_t k = 0; k < n; k++)
			if (fabs(one[k] - two[k]) > 1e-10)
				fail_msg("%s: %.17g and %.17g", s->id, one[k], two[k]);
	}
}

/* To the last bit the same, however many share the work. */
TEST_SAMPLED(numbers_do_not_hang_on_threads, 1, 3)
{
	static const char *const expressions[] = {
		"none",	      "t5",	   "rope+causal", "shaw",      "deberta", "txl",
		"gru+causal", "cope",	   "stickbreak",  "path",      "fire",	  "tupe_r",
		"dape",	      "struct_tr", "graph_tr",	  "synth_mix", "complex", "spe_conv"};
	char words[2048] = "";
	for (int i = 0; i < 150; i++)
		strcat(words, i % 3 ? "is " : i % 7 ? "it " : "this ");
	for (size_t i = test_part; i < sizeof expressions / sizeof *expressions; i += test_parts) {
		struct cli_result one, two;
		struct cli_case c = {.args = {"dump", expressions[i], "--layers", "2", "--d-model",
					      "128", "--ff", "512", "--format", "safetensors", "-s",
					      words, "-o", "-"}};
		c.environment[0] = "OPENBLAS_NUM_THREADS=1";
		cli_run(&one, &c);
		c.environment[0] = "OPENBLAS_NUM_THREADS=2";
		cli_run(&two, &c);
		assert_int_equal(one.code, 0);
		assert_int_equal(two.code, 0);
		assert_int_equal(one.out_len, two.out_len);
		assert_true(one.out_len > (size_t)2 * 4 * 150 * 150 * sizeof(double));
		if (memcmp(one.out, two.out, one.out_len) != 0)
			fail_msg("%s: other numbers with two threads", expressions[i]);
		cli_done(&one);
		cli_done(&two);
	}
}

/* ---- much to write ----------------------------------------------------------------------------- */

/* On a terminal how far it is, and everywhere how much it was. */
TEST(much_is_told)
{
	static const char *const much[] = {"dump", "rope", "--layers", "2",  "--heads", "4",
					   "-s",   "",	   "--format", NULL, "-o",	"-"};
	static const struct {
		const char *format, *says;
	} rows[] = {{"json", " MB of json; safetensors holds the same in less\n"},
		    {"safetensors", ""},
		    {"csv", ""}};
	char words[1024] = "";
	for (int i = 0; i < 130; i++)
		strcat(words, i % 2 ? "is " : "it ");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_result r;
		struct cli_case c = {.environment = {NULL}};
		memcpy(c.args, much, sizeof much);
		c.args[7] = words;
		c.args[9] = rows[i].format;
		cli_run(&r, &c);
		assert_int_equal(r.code, 0);
		const bool told = r.out_len >= 10000000;
		assert_int_equal(told, *rows[i].says != '\0');
		char size[128] = "";
		if (told)
			snprintf(size, sizeof size, "posviz: wrote %.0f%s", (double)r.out_len / 1e6,
				 rows[i].says);
		assert_string_equal(r.err, size);
		cli_done(&r);
	}
}
