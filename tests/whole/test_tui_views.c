/* test_tui_views.c: choosing a view, what is said of each, and the presenter's look. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "help_tui.h"

FIXTURE(NULL, tui_teardown)

#define DOWN "\033OB"
#define F5   "\033[15~"

static const struct pty_look usual = {.rows = 36, .cols = 120};

/* ---- choosing ---------------------------------------------------------------------------- */

TEST(views_are_chosen_by_menu_and_number)
{
	static const struct tui_step steps[] = {
		{"v", "┌─ Views", NULL},
		{DOWN "\r", "Content after", "┌─ Views"},
		{"v", "┌─ Views", NULL},
		{"3", "┌─ Difference", "┌─ Views"},
		{"1", "Position bias", NULL},
		{"v", "┌─ Views", NULL},
		{"\033", NULL, "┌─ Views"},
		{"v", "┌─ Views", NULL},
		{"ter", "Views: ", "Heads "},
		{"\r", "Content after", "┌─ Views"},
		{":he", "Tab completes", "Esc shows all"},
		{"\033", NULL, "Tab completes"},
	};
	struct pty *const p = tui_ready(&usual);
	TUI_WALK(p, steps);
	tui_quit(p);
}

TEST(the_title_names_the_present_view_at_every_width)
{
	static const int cols[] = {300, 120, 80, 60, 40, 30};
	static const char *const names[] = {"3 Order", "3 Order", "3 Order",
					    "v Order", "v Order", "v Order"};
	for (size_t i = 0; i < sizeof cols / sizeof *cols; i++) {
		const struct pty_look look = {
			.rows = 24, .cols = cols[i], .args = {"--view", "order"}};
		struct pty *const p = tui_start(&look);
		if (!pty_wait_row(p, 0, names[i]) || (cols[i] >= 60 && !pty_wait_row(p, 0, "1 Ex")))
			PTY_FAIL(p, "%d columns", cols[i]);
		tui_quit(p);
	}
}

/* Whatever the width, the scheme's name is cut last. */
TEST(the_title_names_the_scheme_at_every_width)
{
	static const int cols[] = {120, 80, 60, 40, 24};
	static const char *const names[] = {"spr_rel(recurring=on,fuse=sum)+causal",
					    "spr_rel(…)+causal", "spr_rel(…)+causal",
					    "spr_rel(…)+causal", "spr_rel(…)+causal"};
	for (size_t i = 0; i < sizeof cols / sizeof *cols; i++) {
		const struct pty_look look = {
			.rows = 24,
			.cols = cols[i],
			.args = {"--view", "relation", "-c",
				 "scheme spr_rel(recurring=on,fuse=sum)+causal"}};
		struct pty *const p = tui_start(&look);
		if (!pty_wait_row(p, 0, names[i]))
			PTY_FAIL(p, "%d columns", cols[i]);
		tui_quit(p);
	}
}

/* ---- words ------------------------------------------------------------------------------- */

TEST(help_begins_with_the_view)
{
	static const struct tui_step steps[] = {
		{"?", "Explore: ", NULL}, {"\033", NULL, "Explore: "}, {"2", "Content after", NULL},
		{"?", "Terms: ", NULL},	  {"\033", NULL, "Terms: "},
	};
	struct pty *const p = tui_ready(&usual);
	TUI_WALK(p, steps);
	tui_quit(p);
}

TEST(bound_keys_are_in_help_and_work)
{
	struct pty_look look = usual;
	look.args[0] = "-c";
	look.args[1] = "bind F9 heads 2";
	look.args[2] = "-c";
	look.args[3] = "unbind M";
	struct pty *const p = tui_ready(&look);
	pty_type(p, "?/heads 2\r");
	PTY_EXPECT(p, pty_wait(p, "found 1 of "));
	PTY_EXPECT(p, pty_wait(p, "F9 "));
	pty_type(p, "\033\033\033[20~");
	PTY_EXPECT(p, pty_wait(p, "head 1 of 2"));
	tui_quit(p);
}

/* Every term has its value, and a cell knows where its tokens came from. */
TEST(the_cell_line_names_every_value)
{
	struct pty_look look = {.rows = 50, .cols = 200};
	look.args[0] = "--scheme";
	look.args[1] = "txl";
	look.args[2] = "--view";
	look.args[3] = "terms";
	struct pty *const p = tui_start(&look);
	PTY_EXPECT(p, pty_wait(p, "unit–unit "));
	PTY_EXPECT(p, pty_wait(p, "sum "));
	pty_type(p, ":view order\r:order reverse\r");
	PTY_EXPECT(p, pty_wait(p, " was "));
	PTY_EXPECT(p, pty_wait(p, "difference "));
	PTY_EXPECT(p, pty_wait(p, "order 9 8 7 6 5 4 3 2 1"));
	tui_quit(p);
}

/* A whole number of a relation means one thing in this cell, and the line follows the cursor. */
TEST(the_cell_line_says_what_a_relation_means)
{
	const struct pty_look look = {.rows = 36,
				      .cols = 120,
				      .args = {"--scheme", "spr_rel", "--conllu", "@dep2", "--view",
					       "relation", "-c", "row 9", "-c", "col 3"}};
	struct pty *const p = tui_start(&look);
	PTY_EXPECT(
		p,
		pty_wait(
			p,
			"number per pair 2  off the path: . is to the right of cat, depths 1 + 1"));
	pty_type(p, ":row 1\r:col 4\r");
	PTY_EXPECT(p, pty_wait(p, "number per pair 2  The is 2 below chased on one path"));
	pty_type(p, "\r");
	PTY_EXPECT(p, pty_wait(p, "rel(t,s) 2 The is 2 below chased on one path"));
	pty_type(p, "\033:scheme spr_abs\r");
	PTY_EXPECT(p, pty_wait(p, "number per token The: 2 below the root; chased: a root"));
	tui_quit(p);
}

/* ---- the presenter ----------------------------------------------------------------------- */

TEST(the_presenter_sees_one_pane_and_its_value)
{
	struct pty *const p = tui_ready(&usual);
	pty_type(p, F5);
	PTY_EXPECT(p, pty_wait_gone(p, "Schemes"));
	PTY_EXPECT(p, pty_wait_row(p, 0, "Rotary position embedding"));
	PTY_EXPECT(p, pty_wait(p, "Position bias") && pty_wait(p, "chased → cat"));
	PTY_EXPECT(p, pty_wait_row(p, p->rows - 1, "q leaves the presenter"));
	pty_type(p, "\t");
	PTY_EXPECT(p, pty_wait(p, "Attention weights"));
	PTY_EXPECT(p, pty_wait_row(p, p->rows - 1, "more attention"));
	PTY_EXPECT(p, pty_wait_gone(p, "? help"));
	pty_type(p, "q"); /* first the presenter, then the program */
	PTY_EXPECT(p, pty_wait(p, "Schemes"));
	pty_type(p, F5);
	PTY_EXPECT(p, pty_wait_gone(p, "Schemes"));
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait(p, "Schemes"));
	tui_quit(p);
}

/* ---- settings ---------------------------------------------------------------------------- */

static bool has_rgb(struct pty *p, const void *wanted)
{
	bool found = false;
	for (int row = 0; row < p->rows && !found; row++) {
		for (int col = 0; col < p->cols && !found; col++) {
			VTermColor bg = pty_cell(p, row, col).bg;
			found = VTERM_COLOR_IS_RGB(&bg) && !VTERM_COLOR_IS_DEFAULT_BG(&bg);
		}
	}
	return found == *(const bool *)wanted;
}

TEST(settings_change_the_screen_at_once)
{
	const bool yes = true, no = false;
	struct pty *const p = tui_ready(&usual);
	pty_type(p, ":color direct\r");
	PTY_EXPECT(p, pty_until(p, has_rgb, &yes));
	PTY_EXPECT(p, pty_wait(p, "┌─ Position bias"));
	pty_type(p, ":color mono\r");
	PTY_EXPECT(p, pty_until(p, has_rgb, &no));
	pty_type(p, ":glyphs ascii\r");
	PTY_EXPECT(p, pty_wait(p, "+- Position bias"));
	pty_type(p, ":glyphs auto\r");
	PTY_EXPECT(p, pty_wait(p, "┌─ Position bias"));
	pty_type(p, ".");
	PTY_EXPECT(p, pty_wait(p, "head 2 of 4"));
	tui_quit(p);
}

/* What a mask hides is still a number, where the scheme has one there. */
TEST(the_bias_of_a_masked_pair_can_be_asked_for)
{
	static const struct tui_step steps[] = {
		{":cursor 2 5\r", "bias masked, else −", NULL},
		{":scheme alibi\r", "bias masked", "masked, else"},
		{":cursor 5 2\r", "bias −", "masked of"},
	};
	struct pty *const p = tui_ready(&usual);
	TUI_WALK(p, steps);
	tui_quit(p);
}
