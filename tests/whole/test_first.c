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
	{"\r", "the words in another order", "why this weight?"},
	{"3", "the same without positions", "the words in another order"},
	{"4", "your own sentence", "the same without positions"},
};

TEST(three_keys_lead_on_and_then_the_hints_are_gone_for_good)
{
	struct pty *p = open_at(36, 120, "\"$POSVIZ\"");
	PTY_EXPECT(p, pty_wait(p, "why this weight?"));
	TUI_WALK(p, way);
	PTY_EXPECT(p, pty_has(p, "roses of a row are alike"));
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
	PTY_EXPECT(p, pty_wait(p, "the words in another order"));
	pty_type(p, "1");
	PTY_EXPECT(p, pty_wait(p, "Position bias"));
	PTY_EXPECT(p, pty_has(p, "the words in another order") && !pty_has(p, invented));
	PTY_EXPECT(p, tui_has_measured(p)); /* Esc gives that up first */
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait_gone(p, "the words in another order"));
	tui_quit(p);
	p = open_at(36, 120, "\"$POSVIZ\"");
	PTY_EXPECT(p, pty_wait(p, "rose₄") && pty_settle(p));
	PTY_EXPECT(p, !pty_has(p, "the words in another order"));
	tui_quit(p);
}

/* A sentence that would be false of another scene goes with the first change; the line waits. */
TEST(the_sentence_goes_with_its_scene)
{
	struct pty *const p = open_at(36, 120, "\"$POSVIZ\"");
	PTY_EXPECT(p, pty_wait(p, invented));
	pty_type(p, ":scheme rope\r");
	PTY_EXPECT(p, pty_wait_gone(p, invented));
	PTY_EXPECT(p, pty_wait(p, "Rotary position"));
	PTY_EXPECT(p, pty_has(p, "why this weight?") && pty_has(p, "constant input"));
	tui_quit(p);
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
