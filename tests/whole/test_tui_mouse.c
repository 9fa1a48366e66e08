/* test_tui_mouse.c: clicks, wheel and drags as a terminal reports them. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_tui.h"
#include "posviz/base/text.h"

FIXTURE(NULL, tui_teardown)

static const struct pty_look usual = {.rows = 36, .cols = 120};
static const struct pty_look wide = {.rows = 36, .cols = 240};
static const char on[] = "\033[?1002h\033[?1006h", off[] = "\033[?1006l\033[?1002l";

enum { WHEEL_UP = 64, WHEEL_DOWN = 65, SHIFT = 4, MOVING = 32 };

static bool clicked(struct pty *p, const char *where, const char *then)
{
	return pty_click_on(p, where) && pty_wait(p, then);
}

/* The row and column of the cursor's signs in the first heatmap. */
static void find_cell(struct pty *p, int *row, int *col)
{
	PTY_EXPECT(p, pty_find(p, "[  ]", row, col) || pty_find(p, "┌──┐", row, col));
}

/* ---- clicks ------------------------------------------------------------------------------ */

TEST(a_click_chooses_what_is_there)
{
	static const struct {
		const char *where, *then;
	} clicks[] = {
		/* Each stands where it stood before the click in front of it. */
		{"⏎ why", "Why this cell?"},
		{"Esc back", "Position bias"},
		{"dufter_rel", "dufter_rel+causal"}, /* a scheme of the list */
		{"2 Terms", "Sum"},		     /* a view */
		{"1 Explore", "Position bias"},
		{"? help", "┌─ Keys"}, /* a hint */
		{" posviz ", "Position bias"},
		{"/ find", "found"},		       /* the border's hint */
		{"Bias by distance", "Position bias"}, /* anywhere else: leaves the search */
		{"m matrix", "┌─ Mask"},
	};
	struct pty *const p = tui_ready(&usual);
	for (size_t i = 0; i < sizeof clicks / sizeof *clicks; i++)
		if (!clicked(p, clicks[i].where, clicks[i].then))
			PTY_FAIL(p, "a click on \"%s\" brings no \"%s\"", clicks[i].where,
				 clicks[i].then);
	tui_quit(p);
}

/* Heads of a figure of a paper are none of the scene's. */
TEST(a_click_on_what_cannot_be_chosen_does_no_harm)
{
	struct pty *const p = tui_ready(&usual);
	pty_type(p, ":view figures\r");
	PTY_EXPECT(p, pty_wait(p, "What is shown"));
	pty_type(p, ":figure slopes\r");
	PTY_EXPECT(p, pty_wait(p, "m = 1/4"));
	if (!clicked(p, "m = 1/4", "m = 1/4"))
		PTY_FAIL(p, "a click takes the heads away");
	PTY_EXPECT(p, !pty_find(p, "the arrows choose one", &(int){0}, &(int){0}));
	PTY_EXPECT(p, clicked(p, "1 Explore", "Position bias"));
	tui_quit(p);
}

TEST(a_click_on_a_cell_moves_the_cursor)
{
	struct pty *const p = tui_ready(&usual);
	int row, col;
	find_cell(p, &row, &col);
	PTY_EXPECT(p, pty_wait(p, "6,2"));
	pty_click(p, row - 2, col + 5); /* a row up, a column to the right */
	PTY_EXPECT(p, pty_wait(p, "5,3"));
	/* A label chooses its row, another its column. */
	int label_row, label_col;
	pty_click(p, row, col - 8); /* "chased", left of its first cell */
	PTY_EXPECT(p, pty_wait(p, "6,3"));
	PTY_EXPECT(p, pty_find(p, "dog", &label_row, &label_col)); /* above the others */
	pty_click(p, label_row, label_col + 1);
	PTY_EXPECT(p, pty_wait(p, "6,5"));
	PTY_EXPECT(p, pty_find(p, "asleep", &label_row, &label_col)); /* in the upper line */
	pty_click(p, label_row, label_col + 3);
	PTY_EXPECT(p, pty_wait(p, "chased → asleep"));
	tui_quit(p);
}

/* The tokens of a matrix may stand in another order than the scene's. */
TEST(a_click_means_the_token_that_it_hits)
{
	struct pty_look look = usual;
	look.args[0] = "--view=order";
	look.args[1] = "--order=reverse";
	struct pty *const p = tui_ready(&look);
	int row, col;
	PTY_EXPECT(p, pty_wait(p, " → "));
	PTY_EXPECT(p, pty_find(p, "A(X) as written", &row, &col));
	pty_click(p, row + 5, col + 4); /* its second row */
	PTY_EXPECT(p, pty_wait(p, "cat → "));
	PTY_EXPECT(p, pty_wait(p, " 8,"));
	tui_quit(p);
}

TEST(a_parameter_is_chosen_and_stepped)
{
	struct pty *const p = tui_ready(&usual);
	int row, col;
	PTY_EXPECT(p, pty_find(p, "Rotary position", &row, &col));
	pty_click(p, row + 1, col); /* the card has the focus, and its parameters are shown */
	PTY_EXPECT(p, pty_wait(p, "parameter layout"));
	PTY_EXPECT(p, pty_find(p, "base 10000", &row, &col));
	pty_click(p, row, col + 2);
	PTY_EXPECT(p, pty_wait(p, "+- base 10000"));
	pty_mouse(p, WHEEL_UP, row, col, 'M');
	PTY_EXPECT(p, pty_wait(p, "rope(base="));
	pty_mouse(p, WHEEL_DOWN, row, col, 'M');
	PTY_EXPECT(p, pty_wait(p, " rope+causal"));
	tui_quit(p);
}

TEST(a_click_in_a_prompt_puts_the_cursor)
{
	struct pty *const p = tui_ready(&usual);
	int row, col;
	pty_type(p, ":heads 8x2");
	PTY_EXPECT(p, pty_wait(p, ":heads 8x2"));
	PTY_EXPECT(p, pty_find(p, "x2", &row, &col));
	pty_click(p, row, col + 1);
	pty_type(p, "\177\033OC\177\r"); /* both letters before it, and what was under it */
	PTY_EXPECT(p, pty_wait(p, "head 1 of 8"));
	tui_quit(p);
}

/* The line may be shorter by then than when it was drawn: all of it comes in one piece. */
TEST(a_click_behind_a_line_that_shrank_is_at_its_end)
{
	struct pty *const p = tui_ready(&usual);
	int row, col;
	char bytes[80];
	pty_type(p, ":abcdefghijklmnop");
	PTY_EXPECT(p, pty_wait(p, ":abcdefghijklmnop"));
	PTY_EXPECT(p, pty_find(p, "op", &row, &col));
	snprintf(bytes, sizeof bytes, "\025\033[<0;%d;%dM\033[<0;%d;%dmheads 8\r", col + 1, row + 1,
		 col + 1, row + 1);
	pty_type(p, bytes);
	PTY_EXPECT(p, pty_wait(p, "head 1 of 8"));
	tui_quit(p);
}

/* ---- wheel ------------------------------------------------------------------------------- */

TEST(the_wheel_scrolls_what_it_is_over)
{
	struct pty *const p = tui_ready(&usual);
	int row, col;
	find_cell(p, &row, &col);
	pty_mouse(p, WHEEL_UP, row, col, 'M');
	PTY_EXPECT(p, pty_wait(p, "5,2"));
	pty_mouse(p, WHEEL_DOWN | SHIFT, row, col, 'M');
	PTY_EXPECT(p, pty_wait(p, "5,3"));
	pty_mouse(p, 66, row, col, 'M'); /* to the left */
	PTY_EXPECT(p, pty_wait(p, "5,2"));
	PTY_EXPECT(p, pty_find(p, "┌─ Schemes", &row, &col));
	pty_mouse(p, WHEEL_DOWN, row + 3, col + 4, 'M');
	PTY_EXPECT(p, pty_wait_gone(p, " rope+causal"));
	pty_mouse(p, WHEEL_UP, row + 3, col + 4, 'M');
	PTY_EXPECT(p, pty_wait(p, "rope+causal"));
	pty_type(p, "?99\t\t\t\t\t\t"); /* a topic that is longer than the screen */
	PTY_EXPECT(p, pty_wait(p, "1–"));
	pty_mouse(p, WHEEL_DOWN, 10, 60, 'M');
	PTY_EXPECT(p, pty_wait(p, "2–"));
	pty_type(p, "\033");
	tui_quit(p);
}

/* ---- drags ------------------------------------------------------------------------------- */

/* Presses at one place of a row and moves to another, without letting go. */
static void drag(struct pty *p, int row, int from, int to)
{
	pty_mouse(p, 0, row, from, 'M');
	for (int col = from; col != to; col += to > from ? 1 : -1)
		pty_mouse(p, MOVING, row, col, 'M');
	pty_mouse(p, MOVING, row, to, 'M');
}

TEST(a_dragged_token_moves)
{
	struct pty *const p = tui_ready(&wide);
	int row, col, dog;
	pty_type(p, "p");
	PTY_EXPECT(p, pty_wait(p, "the₁  cat  that  the₂  dog"));
	PTY_EXPECT(p, pty_find(p, "the₁  cat  that  the₂  dog", &row, &col));
	dog = col + (int)text_width("the₁  cat  that  the₂  ");
	drag(p, row, dog, col + 7); /* to the second place */
	PTY_EXPECT(p, pty_wait(p, "the₁ [dog] cat  that  the₂"));
	pty_mouse(p, 0, row, col + 7, 'm');
	PTY_EXPECT(p, pty_wait(p, "the₁  dog  cat  that  the₂"));
	pty_type(p, "p");
	PTY_EXPECT(p, pty_wait(p, "order 1 5 2 3 4"));
	pty_type(p, "u"); /* one step */
	PTY_EXPECT(p, pty_wait_gone(p, "order 1 5"));
	tui_quit(p);
}

TEST(escape_takes_a_drag_back)
{
	struct pty *const p = tui_ready(&usual);
	int row, col;
	pty_type(p, "p");
	PTY_EXPECT(p, pty_wait(p, "the₁  cat  that  the₂  dog"));
	PTY_EXPECT(p, pty_find(p, "the₁  cat  that  the₂  dog", &row, &col));
	drag(p, row, col, col + 12);
	PTY_EXPECT(p, pty_wait(p, "cat  that [the₁] the₂"));
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait(p, "the₁  cat  that  the₂"));
	pty_mouse(p, 0, row, col + 9, 'm');
	pty_type(p, "pu");
	PTY_EXPECT(p, pty_wait(p, "nothing to take back"));
	tui_quit(p);
}

TEST(labels_of_an_axis_are_dragged_too)
{
	struct pty *const p = tui_ready(&usual);
	int row, col;
	PTY_EXPECT(p, pty_find(p, "cat", &row, &col)); /* above the columns */
	drag(p, row, col + 1, col + 5);
	PTY_EXPECT(p, pty_wait(p, "chased → that 6,2  was 6,3"));
	pty_mouse(p, 0, row, col + 5, 'm');
	pty_type(p, "u");
	PTY_EXPECT(p, pty_wait_gone(p, "was 6,3"));
	tui_quit(p);
}

/* Both places count the virtual node of a graph, which stays before all others. */
TEST(places_as_written_count_what_is_before_the_tokens)
{
	static const struct pty_look look = {.rows = 24,
					     .cols = 80,
					     .args = {"graphormer", "--graph", "@amr2", "--order",
						      "reverse", "--view", "order"}};
	struct pty *const p = tui_ready(&look);
	PTY_EXPECT(p, pty_wait(p, "3 → self 6,2  was 6,10"));
	tui_quit(p);
}

/* ---- robustness -------------------------------------------------------------------------- */

static bool has_sent(struct pty *p, const void *bytes)
{
	return p->raw && strstr(p->raw, bytes) != NULL;
}

TEST(garbage_does_no_harm)
{
	static const char *const garbage[] = {
		"\033[<0;0;0M",
		"\033[<0;99999999999999999999;1M",
		"\033[<;;M",
		"\033[<0;5M",
		"\033[<0;5;5;5M",
		"\033[<999;5;5M",
		"\033[<0;30000;30000M",
		"\033[<0;30000;30000m",
		"\033[<1;5;5M\033[<2;5;5M",
		"\033[<35;5;5M",
		"\033[<64;400;400M",
		"\033[M !!",
		"\033[<0;12",
		"\377\376\303",
		"\033[<0;1234567890123456789012345678901234567890;1M",
	};
	struct pty *const p = tui_ready(&usual);
	for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++)
		pty_type(p, garbage[i]);
	pty_type(p, "\033\033:heads 2\r");
	PTY_EXPECT(p, pty_wait(p, "head 1 of 2"));
	PTY_EXPECT(p, pty_has(p, "rope+causal"));
	tui_quit(p);
}

TEST(a_click_beyond_column_223_hits)
{
	const struct pty_look look = {.rows = 40, .cols = 300};
	struct pty *const p = tui_ready(&look);
	int row, col;
	PTY_EXPECT(p, pty_find(p, "q quit", &row, &col));
	PTY_EXPECT(p, pty_find(p, "Attention weights", &row, &col));
	pty_click(p, row, 280);
	pty_type(p, "z");
	PTY_EXPECT(p, pty_wait_gone(p, "Position bias"));
	tui_quit(p);
}

TEST(it_can_be_turned_off)
{
	struct pty *const p = tui_ready(&usual);
	assert_true(has_sent(p, on));
	assert_false(has_sent(p, off));
	pty_type(p, ":mouse off\r");
	PTY_EXPECT(p, pty_until(p, has_sent, off));
	PTY_EXPECT(p, pty_click_on(p, "huang4"));
	pty_type(p, ".");
	PTY_EXPECT(p, pty_wait(p, "head 2 of 4"));
	PTY_EXPECT(p, pty_has(p, "rope+causal"));
	pty_type(p, ":mouse on\r");
	PTY_EXPECT(p, pty_wait(p, "mouse: on"));
	PTY_EXPECT(p, clicked(p, "huang4", "huang4+causal"));
	tui_quit(p);
	assert_true(strstr(strstr(p->raw, off) + 1, off) != NULL); /* and off at the end */
}

TEST(off_from_the_start_it_sends_nothing)
{
	struct pty_look look = usual;
	look.args[0] = "-c";
	look.args[1] = "mouse off";
	struct pty *const p = tui_ready(&look);
	assert_null(strstr(p->raw, "?1002"));
	assert_null(strstr(p->raw, "?1006"));
	tui_quit(p);
	assert_null(strstr(p->raw, "?1002"));
}

TEST(it_is_the_terminals_while_stopped)
{
	const bool yes = true, no = false;
	struct pty_look look = usual;
	look.shell = "set -m; \"$POSVIZ\" --fresh; echo STOPPED; read x; fg";
	struct pty *const p = tui_ready(&look);
	pty_type(p, "\032");
	PTY_EXPECT(p, pty_wait(p, "STOPPED"));
	PTY_EXPECT(p, pty_until(p, tui_canonical, &yes));
	assert_true(has_sent(p, off));
	const size_t before = p->raw_len;
	pty_type(p, "\n");
	PTY_EXPECT(p, pty_wait(p, "Position bias"));
	PTY_EXPECT(p, pty_until(p, tui_canonical, &no));
	assert_non_null(strstr(p->raw + before, on));
	PTY_EXPECT(p, clicked(p, "huang4", "huang4+causal"));
	pty_type(p, "q");
	assert_int_equal(pty_exit(p), 0);
}

TEST(a_crash_turns_it_off)
{
	struct pty_look look = usual;
	look.env[0] = PTY_OWN_CRASHES;
	struct pty *const p = tui_ready(&look);
	kill(p->pid, SIGSEGV);
	assert_int_equal(pty_exit(p), 128 + SIGSEGV);
	assert_true(pty_restored(p));
	assert_non_null(strstr(p->raw, "\033[?1002l\033[?1006l"));
}
