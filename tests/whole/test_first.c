/* test_first.c: the first minute in the terminal program: what a start without anything opens, that no word there needs
 * an explanation, the keys that it offers one after the other, and that they are gone for good. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "help_cli.h"
#include "help_pty.h"
#include "help_tui.h"

static char home[PATH_MAX + 32];
static const char *const kept[] = {"posviz/scene", "posviz/first", "posviz/history"};

/* The next start is a first one. */
static void forget(void)
{
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		remove(kept[i]);
	rmdir("posviz");
}

static int enter(void **given)
{
	char here[PATH_MAX];
	cli_enter(given);
	if (!getcwd(here, sizeof here))
		return -1;
	snprintf(home, sizeof home, "XDG_STATE_HOME=%s", here);
	return 0;
}

static int leave(void **given)
{
	tui_teardown(given);
	forget();
	return cli_leave(given);
}

FIXTURE(enter, leave)

static const char invented[] = "invented, nothing";

static struct pty *open_at(int rows, int cols, const char *shell)
{
	const struct pty_look look = {
		.rows = rows, .cols = cols, .env = {home, "COLORTERM=truecolor"}, .shell = shell};
	return tui_start(&look);
}

static void has_no_hard_word(struct pty *p)
{
	static const char *const words[] = {"probe", "slate",  "night",	  "glow",  "sqrt",
					    "╵ 1/",  "‖",      "rank",	  "logit", "s−t",
					    "seed",  "masked", "Measured"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (pty_has(p, words[i]))
			PTY_FAIL(p, "%s is on the first screen", words[i]);
}

TEST(it_says_what_is_seen_in_plain_words_at_every_size)
{
	static const int sizes[][2] = {{38, 132}, {36, 120}, {30, 100}, {24, 80}, {20, 60}};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		forget();
		struct pty *const p = open_at(sizes[i][0], sizes[i][1], "\"$POSVIZ\"");
		PTY_EXPECT(p, pty_wait(p, "that is"));
		PTY_EXPECT(p, pty_wait(p, "Attention"));
		PTY_EXPECT(p, pty_settle(p));
		PTY_EXPECT(p, pty_has(p, "invented") && pty_has(p, "trained."));
		PTY_EXPECT(p, pty_has(p, "why this weight?") && pty_has(p, "t a tour"));
		PTY_EXPECT(p, pty_has(p, "t tour"));
		has_no_hard_word(p);
		tui_quit(p);
	}
}

static const struct tui_step way[] = {
	{"\r", "two words exchanged", "why this weight?"},
	{"3", "the same without positions", "two words exchanged"},
	{"4", "your own sentence", "the same without positions"},
};

TEST(three_keys_lead_on_and_then_the_hints_are_gone_for_good)
{
	struct pty *p = open_at(36, 120, "\"$POSVIZ\"");
	PTY_EXPECT(p, pty_wait(p, "why this weight?"));
	TUI_WALK(p, way);
	PTY_EXPECT(p, pty_wait(p, "roses of a row are alike"));
	pty_type(p, "1");
	PTY_EXPECT(p, pty_wait_gone(p, "your own sentence"));
	PTY_EXPECT(p, pty_wait(p, "Position bias"));
	PTY_EXPECT(p, pty_has(p, "Measured") || pty_has(p, "linear biases"));
	tui_quit(p);
	p = open_at(36, 120, "\"$POSVIZ\"");
	PTY_EXPECT(p, pty_wait(p, "rose₄") && pty_settle(p));
	PTY_EXPECT(p, !pty_has(p, invented) && !pty_has(p, "why this weight?"));
	tui_quit(p);
}

/* What Esc leads back to is what was left: the same panels, words and numbers above the line of keys. */
TEST(esc_from_the_second_step_shows_the_first_picture_as_it_was)
{
	static const struct {
		int rows, cols;
	} sizes[] = {{36, 120}, {24, 80}, {50, 200}};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct pty *const p = open_at(sizes[i].rows, sizes[i].cols, "\"$POSVIZ\"");
		char before[64][1024];
		int last = 0;
		PTY_EXPECT(p, pty_wait(p, "why this weight?") && pty_settle(p));
		while (last < sizes[i].rows && !strstr(pty_row(p, last), "why this weight?")) {
			snprintf(before[last], sizeof before[last], "%s", pty_row(p, last));
			last++;
		}
		TUI_WALK(p, ((const struct tui_step[]){way[0]}));
		pty_type(p, "\033");
		PTY_EXPECT(p, pty_wait(p, invented) && pty_settle(p));
		for (int row = 1; row < last; row++) /* the first has a time */
			if (strcmp(pty_row(p, row), before[row]) != 0)
				PTY_FAIL(p, "row %d was: %s", row, before[row]);
		PTY_EXPECT(p, pty_has(p, "two words exchanged"));
		tui_quit(p);
		forget();
	}
}

TEST(hints_wait_over_a_restart_and_esc_ends_them)
{
	struct pty *p = open_at(36, 120, "\"$POSVIZ\"");
	PTY_EXPECT(p, pty_wait(p, "why this weight?"));
	tui_quit(p);
	p = open_at(36, 120, "\"$POSVIZ\"");
	PTY_EXPECT(p, pty_wait(p, "why this weight?"));
	TUI_WALK(p, ((const struct tui_step[]){way[0]}));
	tui_quit(p);
	p = open_at(36, 120, "\"$POSVIZ\"");
	PTY_EXPECT(p, pty_wait(p, "two words exchanged"));
	pty_type(p, "1");
	PTY_EXPECT(p, pty_wait(p, "Position bias"));
	PTY_EXPECT(p, pty_has(p, "two words exchanged") && pty_has(p, invented));
	PTY_EXPECT(p, !pty_has(p, "The words alone"));
	pty_type(p, "\033"); /* which gives up what is being measured, if anything still is */
	PTY_EXPECT(p, pty_settle(p));
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait_gone(p, "two words exchanged"));
	tui_quit(p);
	p = open_at(36, 120, "\"$POSVIZ\"");
	PTY_EXPECT(p, pty_wait(p, "rose₄") && pty_settle(p));
	PTY_EXPECT(p, !pty_has(p, "two words exchanged"));
	tui_quit(p);
}

/* A sentence that would be false of another scene is not shown with it; the line waits. */
TEST(the_sentence_is_of_its_scene_alone)
{
	struct pty *const p = open_at(36, 120, "\"$POSVIZ\"");
	PTY_EXPECT(p, pty_wait(p, invented));
	pty_type(p, ":scheme rope\r");
	PTY_EXPECT(p, pty_wait(p, "Rotary position"));
	PTY_EXPECT(p, pty_wait_gone(p, "Words look back"));
	PTY_EXPECT(p, pty_has(p, "why this weight?"));
	pty_type(p, "2");
	PTY_EXPECT(p, pty_wait(p, "2 Terms") && pty_settle(p));
	PTY_EXPECT(p, !pty_has(p, "Words look back") && pty_has(p, "why this weight?"));
	pty_type(p, "uu");
	PTY_EXPECT(p, pty_wait(p, invented));
	PTY_EXPECT(p, tui_has_measured(p));
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait_gone(p, invented));
	pty_type(p, ":scheme rope\r");
	PTY_EXPECT(p, pty_wait(p, "Rotary position") && pty_settle(p));
	PTY_EXPECT(p, !pty_has(p, "Words look back") && !pty_has(p, "why this weight?"));
	tui_quit(p);
}

/* The step of the view Order exchanges two words; behind it they are as written, but for who has moved some. */
TEST(the_words_are_exchanged_for_their_step_alone)
{
	struct pty *const p = open_at(36, 120, "\"$POSVIZ\"");
	PTY_EXPECT(p, pty_wait(p, "why this weight?"));
	TUI_WALK(p, ((const struct tui_step[]){way[0], way[1]}));
	PTY_EXPECT(p, pty_wait(p, "order 1 9 3 4 5 6 7 8 2 10"));
	PTY_EXPECT(p, pty_wait(p, "is₁ and a₃ are exchanged") && pty_has(p, "2 of 10"));
	TUI_WALK(p, ((const struct tui_step[]){way[2]}));
	PTY_EXPECT(p, pty_wait_gone(p, "order 1 9 3"));
	tui_quit(p);
	forget();
	struct pty *const q = open_at(36, 120, "\"$POSVIZ\"");
	PTY_EXPECT(q, pty_wait(q, "why this weight?"));
	TUI_WALK(q, ((const struct tui_step[]){way[0], way[1]}));
	PTY_EXPECT(q, pty_wait(q, "order 1 9 3 4 5 6 7 8 2 10"));
	pty_type(q, ":order reverse\r");
	PTY_EXPECT(q, pty_wait(q, "order 10 9 8"));
	TUI_WALK(q, ((const struct tui_step[]){way[2]}));
	PTY_EXPECT(q, pty_settle(q) && pty_has(q, "order 10 9 8"));
	tui_quit(q);
}

TEST(it_says_which_axis_is_which_what_the_dots_are_and_where_more_is)
{
	static const int sizes[][2] = {{36, 120}, {24, 80}};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		forget();
		struct pty *const p = open_at(sizes[i][0], sizes[i][1], "\"$POSVIZ\"");
		PTY_EXPECT(p, pty_wait(p, "that is") && pty_wait(p, "Attention") && pty_settle(p));
		PTY_EXPECT(p, pty_has(p, "key→") && pty_has(p, "· later words: not seen"));
		PTY_EXPECT(p, i > 0 || pty_has(p, "query↓"));
		PTY_EXPECT(p, pty_has(p, ": −2.2") && pty_has(p, "less") && pty_has(p, "1: more"));
		tui_quit(p);
	}
}

TEST(whoever_says_what_to_show_gets_that_alone)
{
	static const char *const shells[] = {"\"$POSVIZ\" --fresh", "\"$POSVIZ\" --scheme t5",
					     "\"$POSVIZ\" --heads 2"};
	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
		forget();
		struct pty *const p = open_at(36, 120, shells[i]);
		PTY_EXPECT(p, pty_wait(p, "the₁") && pty_settle(p));
		PTY_EXPECT(p, !pty_has(p, invented) && !pty_has(p, "why this weight?"));
		tui_quit(p);
	}
}
