/* test_tui_loop.c: what goes on beside the keys: files written meanwhile, computations given up, stops
 * and starts, and nothing at all while nothing happens. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "help_tui.h"
#include "posviz/format/file.h"

FIXTURE(NULL, tui_teardown)

static const struct pty_look usual = {.rows = 36, .cols = 120};

static bool file_there(const char *dir, const char *name)
{
	char path[256];
	snprintf(path, sizeof path, "%s/%s", dir, name);
	return file_exists(path);
}

/* ---- idle -------------------------------------------------------------------------------- */

/* Looked at about every 50 ms: ten times in a row it has taken no time. */
static bool is_idle(struct pty *p, const void *context)
{
	static long last;
	int *const still = *(int *const *)context;
	const long now = pty_ticks(p);
	*still = now == last ? *still + 1 : 0;
	last = now;
	return *still >= 10;
}

TEST(nothing_runs_while_nothing_happens)
{
	int still = 0;
	int *const counter = &still;
	struct pty *const p = tui_ready(&usual);
	PTY_EXPECT(p, pty_until(p, is_idle, &counter));
	const size_t before = p->raw_len;
	still = 0;
	PTY_EXPECT(p, pty_until(p, is_idle, &counter));
	assert_int_equal(p->raw_len, before);
	tui_quit(p);
}

/* Keys that wait are all taken before anything is drawn for them. */
TEST(keys_typed_ahead_are_one_frame)
{
	char keys[1024];
	struct pty *const p = tui_ready(&usual);
	const size_t before = p->raw_len;
	for (size_t i = 0; i < sizeof keys - 1; i++)
		keys[i] = i % 2 ? 'l' : 'h';
	keys[sizeof keys - 1] = '\0';
	pty_type(p, keys);
	pty_type(p, "g");
	PTY_EXPECT(p, pty_wait(p, "the₁ → "));
	assert_true(p->raw_len - before < 60000); /* a frame for each would be ten times that */
	tui_quit(p);
}

/* ---- files ------------------------------------------------------------------------------- */

TEST(files_are_written_meanwhile)
{
	static const char *const names[] = {"posviz-001.png", "posviz-002.png", "posviz-003.png"};
	struct pty_look look = usual;
	look.dir = tui_directory();
	struct pty *const p = tui_ready(&look);
	pty_type(p, "sss");
	PTY_EXPECT(p, pty_wait(p, "wrote posviz-003.png"));
	for (size_t i = 0; i < 3; i++)
		assert_true(file_there(look.dir, names[i]));
	assert_false(file_there(look.dir, "posviz-004.png"));
	pty_type(p, ":save x.svg\r");
	PTY_EXPECT(p, pty_wait(p, "wrote x.svg"));
	assert_true(file_there(look.dir, "x.svg"));
	pty_type(p, ":save x.svg\r");
	PTY_EXPECT(p, pty_wait(p, "error"));
	pty_type(p, "\033");
	char path[4200];
	snprintf(path, sizeof path, "%s/script.txt", look.dir);
	FILE *const f = fopen(path, "w");
	assert_non_null(f);
	fputs("save one.svg\nscheme t5\nsave two.csv\n", f);
	fclose(f);
	pty_type(p, ":open script.txt\r");
	PTY_EXPECT(p, pty_wait(p, "wrote two.csv"));
	assert_true(file_there(look.dir, "one.svg"));
	tui_quit(p);
}

/* It is left when they are there, and what they are called is said. */
TEST(leaving_waits_for_files)
{
	struct pty_look look = usual;
	look.dir = tui_directory();
	struct pty *const p = tui_ready(&look);
	pty_type(p, "ssq");
	assert_int_equal(pty_exit(p), 0);
	assert_true(pty_restored(p));
	assert_true(file_there(look.dir, "posviz-001.png"));
	assert_true(file_there(look.dir, "posviz-002.png"));
	assert_non_null(strstr(p->raw, "wrote posviz-002.png"));
}

/* Twice Ctrl-C gives them up, and leaves no piece behind. */
TEST(leaving_twice_does_not)
{
	struct pty_look look = usual;
	look.dir = tui_directory();
	struct pty *const p = tui_ready(&look);
	pty_type(p, "ssssssss\003\003");
	assert_int_equal(pty_exit(p), 0);
	assert_true(pty_restored(p));
	assert_int_equal(rmdir(look.dir) == 0 || file_there(look.dir, "posviz-001.png"), 1);
}

TEST(a_file_that_cannot_be_written_is_said)
{
	struct pty_look look = usual;
	look.dir = tui_directory();
	look.shell = "ulimit -f 1; exec \"$POSVIZ\" --fresh";
	struct pty *const p = tui_ready(&look);
	pty_type(p, "s");
	PTY_EXPECT(p, pty_wait(p, "larger than the system allows"));
	pty_type(p, "q");
	assert_int_equal(pty_exit(p), 0);
	assert_false(file_there(look.dir, "posviz-001.png"));
}

/* ---- long computations ------------------------------------------------------------------- */

/* Enough tokens to compute for seconds. */
static void make_long_text(const char *dir, char *path, size_t size)
{
	snprintf(path, size, "%s/long.txt", dir);
	FILE *const f = fopen(path, "w");
	assert_non_null(f);
	for (int i = 0; i < 3000; i++)
		fprintf(f, "w%d ", i % 97);
	fclose(f);
}

TEST(escape_gives_a_computation_up)
{
	struct pty_look look = usual;
	char path[128], line[256];
	look.dir = tui_directory();
	make_long_text(look.dir, path, sizeof path);
	struct pty *const p = tui_ready(&look);
	snprintf(line, sizeof line, ":d-model 768\r:heads 12\r:layer 2\r:file %s\r", path);
	pty_type(p, line);
	PTY_EXPECT(p, pty_wait(p, "computing"));
	PTY_EXPECT(p, pty_wait(p, "s left   Esc gives it up"));
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait(p, "cancelled: the picture is of the scene before"));
	PTY_EXPECT(p, pty_wait_row(p, 0, "cancelled"));
	PTY_EXPECT(p, pty_has(p, "asleep"));
	pty_type(p, "u");
	PTY_EXPECT(p, pty_wait_gone(p, "cancelled"));
	PTY_EXPECT(p, tui_has_measured(p));
	tui_quit(p);
}

/* With a picture or without one: an error ends the computing. */
TEST(an_error_ends_the_computing)
{
	static const char wrong[] = "graphbert(target=99)", word[] = "there is no token 99";
	struct pty_look look = usual;
	look.args[0] = "-c";
	look.args[1] = "scheme graphbert(target=99)";
	struct pty *p = tui_start(&look);
	PTY_EXPECT(p, pty_wait(p, word));
	PTY_EXPECT(p, pty_wait_row(p, 0, wrong));
	PTY_EXPECT(p, pty_wait_gone(p, "computing"));
	PTY_EXPECT(p, pty_has(p, "This cannot be computed"));
	pty_type(p, ":scheme rope\r");
	PTY_EXPECT(p, tui_has_measured(p));
	PTY_EXPECT(p, pty_wait_row(p, 0, " ms"));
	pty_type(p, ":scheme graphbert(target=99)\r");
	PTY_EXPECT(p, pty_wait(p, word));
	PTY_EXPECT(p, pty_wait_row(p, 0, " ms"));
	PTY_EXPECT(p, pty_wait_gone(p, "computing"));
	pty_type(p, ":layers 2\r:scheme rope\r");
	PTY_EXPECT(p, pty_wait_gone(p, word));
	tui_quit(p);
}

/* Where a picture would be the message stands in the middle of it, whole, at every size. */
TEST(why_there_is_no_picture_stands_in_the_middle)
{
	static const int sizes[][2] = {{36, 120}, {24, 80}, {20, 60}};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const struct pty_look look = {.rows = sizes[i][0],
					      .cols = sizes[i][1],
					      .args = {"-c", "scheme graphbert(target=99)"}};
		int title, first, last, left;
		struct pty *const p = tui_start(&look);
		PTY_EXPECT(p, pty_wait(p, "This cannot be computed"));
		PTY_EXPECT(p, pty_settle(p));
		PTY_EXPECT(p, pty_find(p, "This cannot be computed", &title, &left));
		PTY_EXPECT(p, pty_find(p, "there is no token 99", &first, &left));
		PTY_EXPECT(p, pty_find(p, "starts anew", &last, &left));
		PTY_EXPECT(p, title < first && first <= last);
		/* Of the figure, which has a few lines above and one below. */
		PTY_EXPECT(p, abs((first + last) / 2 - look.rows / 2) <= 3);
		tui_quit(p);
	}
}

/* A key that would change nothing is not offered: c, of a scheme that is defined with its causal mask. */
TEST(the_footer_offers_no_key_that_means_nothing)
{
	static const struct pty_look look = {.rows = 36, .cols = 240};
	struct pty *const p = tui_ready(&look);
	PTY_EXPECT(p, pty_wait(p, "c causal"));
	pty_type(p, ":scheme music\r");
	PTY_EXPECT(p, pty_wait_gone(p, "c causal"));
	PTY_EXPECT(p, pty_wait(p, "q quit"));
	pty_type(p, "c");
	PTY_EXPECT(p, pty_wait(p, "music is defined with its causal mask"));
	pty_type(p, ":scheme rope\r");
	PTY_EXPECT(p, pty_wait(p, "c causal"));
	tui_quit(p);
}

TEST(leaving_does_not_wait_for_a_computation)
{
	struct pty_look look = usual;
	char path[128], line[256];
	look.dir = tui_directory();
	make_long_text(look.dir, path, sizeof path);
	struct pty *const p = tui_ready(&look);
	snprintf(line, sizeof line, ":layers 24\r:file %s\r", path);
	pty_type(p, line);
	PTY_EXPECT(p, pty_wait(p, "computing"));
	tui_quit(p);
}

/* ---- stops ------------------------------------------------------------------------------- */

struct count {
	const char *bytes;
	int times;
};

static bool has_sent_times(struct pty *p, const void *context)
{
	const struct count *const c = context;
	int n = 0;
	for (const char *at = p->raw; at && (at = strstr(at, c->bytes)) != NULL; at++)
		n++;
	return n >= c->times;
}

/* A stop that was not asked for: nothing could be said before it. */
TEST(it_comes_back_from_a_stop_by_force)
{
	const struct count mouse = {"\033[?1002h\033[?1006h", 2}, screen = {"\033[?1049h", 2};
	struct pty *const p = tui_ready(&usual);
	kill(p->pid, SIGSTOP);
	pty_resize(p, 30, 100);
	kill(p->pid, SIGCONT);
	PTY_EXPECT(p, pty_until(p, has_sent_times, &mouse));
	PTY_EXPECT(p, pty_until(p, has_sent_times, &screen));
	PTY_EXPECT(p, pty_wait_row(p, 29, "? help"));
	tui_quit(p);
}
