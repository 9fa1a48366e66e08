/* test_tui_hang.c: words of a tree and edges of a graph moved with keys. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "help_cli.h"
#include "help_pty.h"
#include "help_tui.h"

static int enter(void **state)
{
	(void)state;
	return 0;
}

FIXTURE(enter, tui_teardown)

#define LEFT  "\033OD"
#define RIGHT "\033OC"

TEST(an_edge_goes_from_node_to_node)
{
	static const struct pty_look look = {
		.rows = 36,
		.cols = 160,
		.args = {"--scheme", "graformer", "--graph", "a -> b; b -> c; d -> a"}};
	struct pty *const p = tui_ready(&look);
	PTY_EXPECT(p, pty_wait(p, "H edges"));
	pty_type(p, "H");
	PTY_EXPECT(p, pty_wait(p, "edge 1 of 3: a -> b"));
	PTY_EXPECT(p, !pty_has(p, "0 root"));
	/* To the first edge's other end, which is lifted: b, then c, then d. */
	pty_type(p, RIGHT " " RIGHT);
	PTY_EXPECT(p, pty_wait(p, "edge 1 of 3: a -> c"));
	PTY_EXPECT(p, pty_wait(p, "[c]"));
	pty_type(p, RIGHT);
	PTY_EXPECT(p, pty_wait(p, "edge 1 of 3: a -> d"));
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait(p, "edge 1 of 3: a -> b"));
	/* d -> a cannot end at d. */
	pty_type(p, RIGHT RIGHT RIGHT RIGHT " " RIGHT RIGHT);
	PTY_EXPECT(p, pty_wait(p, "edge 3 of 3: d -> c"));
	pty_type(p, RIGHT);
	PTY_EXPECT(p, pty_wait(p, "edge 3 from d to itself is a loop"));
	pty_type(p, " 0");
	PTY_EXPECT(p, pty_wait(p, "an edge of a graph has two nodes"));
	pty_type(p, "qu");
	PTY_EXPECT(p, pty_wait_gone(p, "edge 3 of 3"));
	pty_type(p, "H" RIGHT RIGHT RIGHT RIGHT RIGHT);
	PTY_EXPECT(p, pty_wait(p, "edge 3 of 3: d -> a"));
	pty_type(p, "q");
	tui_quit(p);
}

TEST(a_word_goes_from_head_to_head)
{
	static const struct pty_look look = {
		.rows = 36,
		.cols = 160,
		.args = {"--scheme", "tpe", "--sentence", "x y z", "--governors", "0 1 2"}};
	struct pty *const p = tui_ready(&look);
	PTY_EXPECT(p, pty_wait(p, "H heads"));
	pty_type(p, "H" RIGHT RIGHT);
	PTY_EXPECT(p, pty_wait(p, "on y"));
	pty_type(p, " " LEFT);
	PTY_EXPECT(p, pty_wait(p, "on x"));
	pty_type(p, " 0");
	PTY_EXPECT(p, pty_wait(p, "a root"));
	pty_type(p, "q");
	tui_quit(p);
}

/* Words below a lifted one are passed over: x on z, behind y, which hangs on x. */
TEST(a_word_goes_over_those_below_it)
{
	static const struct pty_look look = {
		.rows = 36,
		.cols = 160,
		.args = {"--scheme", "tpe", "--sentence", "x y z", "--governors", "0 1 0"}};
	struct pty *const p = tui_ready(&look);
	PTY_EXPECT(p, pty_wait(p, "H heads"));
	pty_type(p, "H ");
	PTY_EXPECT(p, pty_wait(p, "[x]"));
	pty_type(p, RIGHT);
	PTY_EXPECT(p, pty_wait(p, "on z"));
	pty_type(p, " q");
	tui_quit(p);
}

/* Where there is no structure the footer has no key for one. */
TEST(a_plain_sentence_has_no_such_key)
{
	static const struct pty_look look = {.rows = 36, .cols = 240};
	struct pty *const p = tui_ready(&look);
	PTY_EXPECT(p, pty_wait(p, "permute"));
	PTY_EXPECT(p, !pty_has(p, "H heads") && !pty_has(p, "H edges"));
	tui_quit(p);
}

/* Queries of a matrix with keys of its own are not moved, and its names are there to be edited. */
TEST(queries_of_a_rectangle_stay_and_can_be_named)
{
	static const char rectangle[] = ",the,cat,.\nle,0.1,0.3,0.6\nchat,0.4,0.5,0.1\n";
	char path[] = "/tmp/posviz-hang-XXXXXX.csv", expression[64];
	const int fd = mkstemps(path, 4);
	assert_true(fd >= 0 && write(fd, rectangle, strlen(rectangle)) > 0 && close(fd) == 0);
	snprintf(expression, sizeof expression, "matrix(from=%s)", path);
	const struct pty_look look = {.rows = 36, .cols = 160, .args = {"--scheme", expression}};
	struct pty *const p = tui_ready(&look);
	PTY_EXPECT(p, pty_wait(p, "chat"));
	pty_type(p, "p");
	PTY_EXPECT(p, pty_wait(p, "queries stay as they are in their file"));
	pty_type(p, "e");
	PTY_EXPECT(p, pty_wait(p, "sentence le chat"));
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait(p, "q quit"));
	pty_type(p, "H");
	PTY_EXPECT(p, pty_wait(p, "queries stay as they are in their file"));
	tui_quit(p);
	remove(path);
}
