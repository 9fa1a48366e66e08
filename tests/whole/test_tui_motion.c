/* test_tui_motion.c: what moves by itself: tokens that walk, dials that turn; keys that end it; a terminal that does not
 * read. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "help_tui.h"
#include "posviz/math/machine.h"

FIXTURE(NULL, tui_teardown)

static const struct pty_look usual = {.rows = 36, .cols = 120};

static void begin_turn(struct pty *p)
{
	pty_type(p, ":view vectors\r:cursor 3 2\r");
	PTY_EXPECT(p, pty_wait(p, "that → cat"));
	pty_type(p, "D");
	PTY_EXPECT(p, pty_wait(p, "┌─ Clocks"));
	PTY_EXPECT(p, pty_settle(p));
	pty_type(p, " ");
}

/* ---- dials that turn --------------------------------------------------------------------------------------- */

/* From the query on, to the last place and back through the first to where it was. */
TEST(dials_turn_through_all_places)
{
	static const char *const cells[] = {"that → that", "that → asleep", "that → dog",
					    "that → the₁", "that → cat"};
	struct pty *const p = tui_ready(&usual);
	begin_turn(p);
	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
		PTY_EXPECT(p, pty_wait_row(p, 34, cells[i]));
	PTY_EXPECT(p, pty_settle(p));
	PTY_EXPECT(p, pty_wait_row(p, 34, "that → cat"));
	pty_type(p, "u"); /* nothing that could be taken back but the view */
	PTY_EXPECT(p, pty_wait_gone(p, "┌─ Clocks"));
	tui_quit(p);
}

/* Space and Esc end it and do nothing else; any other key ends it and does what it does. */
TEST(one_key_ends_it)
{
	struct pty *const p = tui_ready(&usual);
	begin_turn(p);
	PTY_EXPECT(p, pty_wait_row(p, 34, "that → the₂"));
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait_row(p, 34, "that → cat"));
	PTY_EXPECT(p, pty_settle(p));
	PTY_EXPECT(p, pty_has(p, "┌─ Clocks"));
	pty_type(p, "T");
	PTY_EXPECT(p, pty_wait_row(p, 34, "that → dog"));
	pty_type(p, " ");
	PTY_EXPECT(p, pty_wait_row(p, 34, "that → cat"));
	pty_type(p, " ");
	PTY_EXPECT(p, pty_wait_row(p, 34, "that → dog"));
	pty_type(p, "l");
	PTY_EXPECT(p, pty_wait_row(p, 34, "that → that"));
	PTY_EXPECT(p, pty_settle(p));
	PTY_EXPECT(p, pty_wait_row(p, 34, "that → that"));
	tui_quit(p);
}

TEST(turning_is_of_dials_and_of_motion)
{
	struct pty *const p = tui_ready(&usual);
	pty_type(p, ":turn\r");
	PTY_EXPECT(p, pty_wait(p, "the view Clocks has dials"));
	pty_type(p, ":motion off\r");
	begin_turn(p);
	PTY_EXPECT(p, pty_wait(p, "motion is off; :motion on lets the dials rotate"));
	tui_quit(p);
}

/* ---- a training that runs ------------------------------------------------------------------------------------ */

/* From the first step to the last; the key stops it at the step that is shown. */
TEST(a_training_runs_and_stops)
{
#ifdef __SANITIZE_THREAD__
	skip(); /* its pictures take longer than the training runs, which is then over before a key can stop it */
#endif
	struct pty *const p = tui_ready(&usual);
	pty_type(p, ":train-seeds 1\r:train-steps 100\r:view learn\r");
	PTY_EXPECT(p, pty_wait(p, "trained on shift, 100 steps"));
	PTY_EXPECT(p, pty_wait(p, "never trained so long"));
	pty_type(p, " ");
	PTY_EXPECT(p, pty_wait(p, "shift, 0 of 100 steps"));
	pty_type(p, " ");
	PTY_EXPECT(p, pty_settle(p));
	PTY_EXPECT(p, pty_has(p, " of 100 steps"));
	pty_type(p, " ");
	PTY_EXPECT(p, pty_wait(p, "trained on shift, 100 steps"));
	pty_type(p, ":view explore\r:play\r");
	PTY_EXPECT(p, pty_wait(p, "the view Learn has a training"));
	tui_quit(p);
}

/* ---- tokens that walk ---------------------------------------------------------------------------------------- */

/* The row of the words above matrices, below two of a sentence. */
enum { HEAD_ROW = 4 };

struct seen {
	const char *last;
	int row;
	size_t changes;
	char before[256];
};

/* Counts what a row says, of the orders at the bottom or of the words above the second matrix, until the last of it. */
static bool count_changes(struct pty *p, const void *context)
{
	struct seen *const s = *(struct seen *const *)context;
	const char *const at = strstr(pty_row(p, s->row), s->row == HEAD_ROW ? "││" : "order ");
	if (at && strncmp(at, s->before, sizeof s->before - 1) != 0) {
		snprintf(s->before, sizeof s->before, "%s", at);
		s->changes++;
	}
	return at && strstr(at, s->last) != NULL;
}

static size_t changes_until(struct pty *p, int row, const char *last)
{
	struct seen seen = {.last = last, .row = row}, *const at = &seen;
	PTY_EXPECT(p, pty_until(p, count_changes, &at));
	return seen.changes;
}

static size_t orders_until(struct pty *p, const char *last)
{
	return changes_until(p, 35, last);
}

/* The whole screen of each is of that order: its matrix, the row of tokens, and the numbers. */
TEST(tokens_walk_and_are_one_entry)
{
	struct pty *const p = tui_ready(&usual);
	pty_type(p, "pR");
	assert_true(orders_until(p, "order 9 8 7 6 5 4 3 2 1") > 2);
	PTY_EXPECT(p, tui_has_measured(p));
	pty_type(p, "u");
	PTY_EXPECT(p, pty_wait(p, "taken back: order identity"));
	PTY_EXPECT(p, pty_wait_row(p, 34, "the₁  cat  that  the₂  dog  chased  fell"));
	pty_type(p, "q");
	tui_quit(p);
}

/* Keys typed ahead find it at its end, none is lost: the first token is lifted and stands at place 2. */
TEST(a_walk_takes_no_key_away)
{
	struct pty *const p = tui_ready(&usual);
	pty_type(p, "pR l");
	PTY_EXPECT(p, pty_wait(p, "order 8 9 7 6 5 4 3 2 1"));
	pty_type(p, " q");
	PTY_EXPECT(p, pty_wait_gone(p, "lift, drop"));
	tui_quit(p);
}

TEST(without_motion_the_order_is_there_at_once)
{
	struct pty_look look = usual;
	look.args[0] = "--motion";
	look.args[1] = "off";
	struct pty *const p = tui_ready(&look);
	pty_type(p, "pR");
	assert_int_equal(orders_until(p, "order 9 8 7 6 5 4 3 2 1"), 1);
	pty_type(p, "q");
	tui_quit(p);
}

/* A neighbour that changes places, and what is more than a dozen and a half. */
TEST(what_is_near_or_many_does_not_walk)
{
	struct pty_look look = usual;
	struct pty *p = tui_ready(&look);
	pty_type(p, ":move 1 2\r");
	assert_int_equal(orders_until(p, "order 2 1 3"), 1);
	look.args[0] = "-s";
	look.args[1] = "a b c d e f g h i j k l m n o p q";
	p = tui_ready(&look);
	pty_type(p, ":reverse\r");
	/* The list and the matrix may come apart; a walk would show most of seventeen. */
	assert_true(changes_until(p, HEAD_ROW, "q p o n m l k j") <= 4);
	tui_quit(p);
}

/* ---- a terminal that does not read ------------------------------------------------------------------------- */

/* Bytes that wait for the terminal, which is not read meanwhile. */
static size_t waiting_after(struct pty *p, double seconds)
{
	const size_t before = p->written;
	for (const double end = machine_seconds() + seconds; machine_seconds() < end;)
		usleep(20000);
	while (pty_pump(p, 30) && p->written - before < PTY_RAW)
		;
	return p->written - before;
}

/* What it has not taken it is not sent more of: of the 13 frames in this time the first alone, and once it reads again
 * the last comes. */
TEST(a_terminal_that_does_not_read_gets_no_more_frames)
{
	enum { FRAME = 6000 };
	struct pty *const p = tui_ready(&usual);
	begin_turn(p);
	const size_t waiting = waiting_after(p, 1.2);
	if (waiting == 0 || waiting > 2 * FRAME)
		PTY_FAIL(p, "%zu bytes wait", waiting);
	PTY_EXPECT(p, pty_wait_row(p, 34, "that → cat"));
	PTY_EXPECT(p, pty_settle(p));
	PTY_EXPECT(p, pty_wait_row(p, 34, "that → cat"));
	tui_quit(p);
}

/* One that answers no question gets frames all the same, as the clock has them. */
TEST(a_terminal_that_does_not_answer_sees_it_too)
{
	static const struct pty_answers silent = {0};
	struct pty_look look = usual;
	look.answers = &silent;
	struct pty *const p = tui_ready(&look);
	begin_turn(p);
	PTY_EXPECT(p, pty_wait_row(p, 34, "that → dog"));
	PTY_EXPECT(p, pty_wait_row(p, 34, "that → cat"));
	tui_quit(p);
}
