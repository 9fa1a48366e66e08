/* test_tier.c: which colours and glyphs are chosen in which environment, and the reason given. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <curses.h>
#include <locale.h>
#include <unistd.h>

#include "test.h"
#include "posviz/tui/tui.h"
#include "posviz/tui/capability.h"
#include "tui/terminal.h"

enum { SET = 5 };

/* The environment as it is on a bare machine, then `set`. */
static void enter(const char *const *set, const char *locale)
{
	static const char *const names[] = {
		"TERM",		  "COLORTERM",	 "NO_COLOR", "CLICOLOR",  "TMUX",
		"CLICOLOR_FORCE", "FORCE_COLOR", "STY",	     "COLORFGBG", "SSH_CONNECTION"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		unsetenv(names[i]);
	for (; *set; set++) {
		char name[32];
		snprintf(name, sizeof name, "%.*s", (int)strcspn(*set, "="), *set);
		setenv(name, strchr(*set, '=') + 1, 1);
	}
	assert_non_null(setlocale(LC_ALL, locale));
}

static struct tui_tier choose(int color, int glyphs, enum theme theme)
{
	const struct settings settings = {.color = color, .glyphs = glyphs};
	struct tui_tier out;
	tui_choose(&settings, theme, &out);
	return out;
}

/* Whether the description is one that not every system has, and this one has not. */
static bool is_extra(const char *term)
{
	static const char *const extra[] = {"xterm-direct", "linux-16color", "vte-256color"};
	struct capability entry;
	for (size_t i = 0; term && i < sizeof extra / sizeof *extra; i++)
		if (strcmp(term, extra[i]) == 0 && !capability_read(term, &entry)) {
			print_message("no description of %s here (ncurses-term)\n", term);
			return true;
		}
	return false;
}

#define TERM_SAYS "TERM describes so many"
#define NONE	  "TERM describes none"
#define NO_MORE	  "more was asked for, but this is all that TERM describes"
#define IN_SCREEN "TERM describes so many, and GNU screen misreads 24-bit colours"
#define FIXED	  "TERM describes so many, and such a terminal has no 24-bit ones"
#define NOT_OWN	  "TERM describes so many; tmux-256color, tmux's own, has 24-bit ones"
#define IN_TMUX	  "tmux takes 24-bit colours, and sends on what the terminal has"

TEST(tier_follows_setting_environment_description)
{
	enum { AUTO, MONO = 1 + TIER_MONO, C8, C16, C256, DIRECT };
	static const struct {
		const char *set[SET];
		int color;
		enum tier tier;
		const char *why;
	} rows[] = {
		/* the description */
		{{"TERM=xterm-256color"}, AUTO, TIER_256, TERM_SAYS},
		{{"TERM=xterm"}, AUTO, TIER_8, TERM_SAYS},
		{{"TERM=linux"}, AUTO, TIER_8, TERM_SAYS},
		{{"TERM=linux-16color"}, AUTO, TIER_16, TERM_SAYS},
		{{"TERM=vt100"}, AUTO, TIER_MONO, NONE},
		{{"TERM=xterm-mono"}, AUTO, TIER_MONO, NONE},
		{{"TERM=dumb"}, AUTO, TIER_MONO, NONE},
		{{"TERM=xterm-direct"}, AUTO, TIER_DIRECT, TERM_SAYS},
		{{"TERM=screen-256color"}, AUTO, TIER_256, TERM_SAYS},
		{{"TERM=no-such-terminal"},
		 AUTO,
		 TIER_MONO,
		 "no description of this TERM is installed"},
		{{"TERM="}, AUTO, TIER_MONO, "TERM is not set"},
		{{NULL}, AUTO, TIER_MONO, "TERM is not set"},
		/* promises of the environment */
		{{"TERM=xterm-256color", "COLORTERM=truecolor"},
		 AUTO,
		 TIER_DIRECT,
		 "COLORTERM is truecolor"},
		{{"TERM=xterm", "COLORTERM=24bit"}, AUTO, TIER_DIRECT, "COLORTERM is 24bit"},
		{{"TERM=xterm-256color", "COLORTERM=yes"}, AUTO, TIER_256, TERM_SAYS},
		{{"TERM=vte-256color", "COLORTERM=truecolor"},
		 AUTO,
		 TIER_DIRECT,
		 "COLORTERM is truecolor"},
		{{"TERM=xterm-256color", "FORCE_COLOR=3"}, AUTO, TIER_DIRECT, "FORCE_COLOR is 3"},
		{{"TERM=xterm-mono", "COLORTERM=truecolor"}, AUTO, TIER_MONO, NONE},
		{{"TERM=vt100", "COLORTERM=truecolor"}, AUTO, TIER_MONO, NONE},
		{{"TERM=linux", "COLORTERM=truecolor"}, AUTO, TIER_8, FIXED},
		{{"TERM=xterm-256color", "SSH_CONNECTION=::1 1 ::1 22"}, AUTO, TIER_256, TERM_SAYS},
		/* multiplexers */
		{{"TERM=tmux-256color"}, AUTO, TIER_DIRECT, IN_TMUX},
		{{"TERM=screen-256color", "TMUX=/tmp/x,1,0"}, AUTO, TIER_DIRECT, IN_TMUX},
		{{"TERM=screen", "TMUX=/tmp/x,1,0"}, AUTO, TIER_DIRECT, IN_TMUX},
		{{"TERM=tmux-256color", "STY=1.x"}, AUTO, TIER_DIRECT, IN_TMUX},
		{{"TERM=xterm", "TMUX=/tmp/x,1,0"}, AUTO, TIER_8, NOT_OWN},
		{{"TERM=xterm-256color", "TMUX=/tmp/x,1,0"}, AUTO, TIER_256, NOT_OWN},
		{{"TERM=xterm-mono", "TMUX=/tmp/x,1,0"}, AUTO, TIER_MONO, NONE},
		{{"TERM=xterm", "TMUX=/tmp/x,1,0", "COLORTERM=truecolor"},
		 AUTO,
		 TIER_DIRECT,
		 "COLORTERM is truecolor"},
		{{"TERM=screen-256color", "STY=1.x", "TMUX=/tmp/x,1,0"}, AUTO, TIER_256, TERM_SAYS},
		{{"TERM=screen-256color", "STY=1.x", "COLORTERM=truecolor"},
		 AUTO,
		 TIER_256,
		 IN_SCREEN},
		{{"TERM=screen", "COLORTERM=truecolor"}, AUTO, TIER_8, IN_SCREEN},
		{{"TERM=xterm-256color", "STY=1.x", "COLORTERM=truecolor"},
		 AUTO,
		 TIER_256,
		 IN_SCREEN},
		/* no colours wanted */
		{{"TERM=xterm-256color", "NO_COLOR=1"}, AUTO, TIER_MONO, "NO_COLOR is set"},
		{{"TERM=xterm-256color", "NO_COLOR="}, AUTO, TIER_256, TERM_SAYS},
		{{"TERM=tmux-256color", "COLORTERM=truecolor", "NO_COLOR=0", "FORCE_COLOR=3"},
		 AUTO,
		 TIER_MONO,
		 "NO_COLOR is set"},
		{{"TERM=xterm-direct", "NO_COLOR=1"}, AUTO, TIER_MONO, "NO_COLOR is set"},
		{{"TERM=vt100", "NO_COLOR=1"}, AUTO, TIER_MONO, NONE},
		{{"TERM=xterm-256color", "CLICOLOR=0"}, AUTO, TIER_MONO, "CLICOLOR is 0"},
		{{"TERM=xterm-256color", "CLICOLOR=1"}, AUTO, TIER_256, TERM_SAYS},
		{{"TERM=xterm-256color", "CLICOLOR=0", "CLICOLOR_FORCE=1"},
		 AUTO,
		 TIER_256,
		 TERM_SAYS},
		{{"TERM=xterm-256color", "CLICOLOR=0", "CLICOLOR_FORCE=0"},
		 AUTO,
		 TIER_MONO,
		 "CLICOLOR is 0"},
		{{"TERM=xterm-256color", "FORCE_COLOR=0"}, AUTO, TIER_MONO, "FORCE_COLOR is 0"},
		/* the setting */
		{{"TERM=xterm-256color", "NO_COLOR=1"}, C256, TIER_256, "asked for"},
		{{"TERM=xterm-256color", "COLORTERM=truecolor"}, C16, TIER_16, "asked for"},
		{{"TERM=xterm-direct"}, C8, TIER_8, "asked for"},
		{{"TERM=xterm-direct"}, MONO, TIER_MONO, "asked for"},
		{{"TERM=xterm", "NO_COLOR=1"}, DIRECT, TIER_DIRECT, "asked for"},
		{{"TERM=vt100"}, DIRECT, TIER_DIRECT, "asked for"},
		{{"TERM=screen-256color", "STY=1.x"},
		 DIRECT,
		 TIER_DIRECT,
		 "asked for, though GNU screen misreads 24-bit colours"},
		{{"TERM=xterm"}, C256, TIER_8, NO_MORE},
		{{"TERM=vt100"}, C16, TIER_MONO, NO_MORE},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		enter(rows[i].set, "C.UTF-8");
		if (is_extra(getenv("TERM")))
			continue;
		const struct tui_tier got = choose(rows[i].color, GLYPHS_AUTO, THEME_AUTO);
		if (got.tier != rows[i].tier || strcmp(got.why_tier, rows[i].why) != 0)
			fail_msg("row %zu (%s): %s because \"%s\"", i,
				 rows[i].set[0] ? rows[i].set[0] : "nothing", tier_names[got.tier],
				 got.why_tier);
	}
}

TEST(glyphs_follow_setting_locale_console)
{
	static const struct {
		const char *term, *locale;
		int glyphs;
		bool ascii, quadrants;
		const char *why;
	} rows[] = {
		{"TERM=xterm", "C.UTF-8", GLYPHS_AUTO, false, false, "the locale is UTF-8"},
		{"TERM=xterm", "C", GLYPHS_AUTO, true, false, "the locale is not UTF-8"},
		{"TERM=xterm", "C.UTF-8", GLYPHS_ASCII, true, false, "asked for"},
		{"TERM=xterm", "C.UTF-8", GLYPHS_QUADRANTS, false, true, "asked for"},
		{"TERM=xterm", "C.UTF-8", GLYPHS_BRAILLE, false, false, "asked for"},
		{"TERM=xterm", "C", GLYPHS_BRAILLE, true, false,
		 "others were asked for, but the locale is not UTF-8"},
		{"TERM=xterm", "C", GLYPHS_ASCII, true, false, "asked for"},
		{"TERM=linux", "C.UTF-8", GLYPHS_AUTO, true, false,
		 "fonts of the Linux console lack braille and most blocks"},
		{"TERM=linux", "C.UTF-8", GLYPHS_QUADRANTS, false, true, "asked for"},
		{"TERM=linux", "C.UTF-8", GLYPHS_BRAILLE, false, false, "asked for"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		enter((const char *const[]){rows[i].term, NULL}, rows[i].locale);
		const struct tui_tier got = choose(0, rows[i].glyphs, THEME_AUTO);
		if (got.ascii != rows[i].ascii || got.quadrants != rows[i].quadrants ||
		    got.utf8 != (strcmp(rows[i].locale, "C") != 0) ||
		    strcmp(got.why_ascii, rows[i].why) != 0)
			fail_msg("row %zu: ascii %d, quadrants %d because \"%s\"", i, got.ascii,
				 got.quadrants, got.why_ascii);
	}
}

#define NOTHING "taken unless the terminal, which is asked, answers another"
#define TELLS	"COLORFGBG tells it"

TEST(background_follows_theme_and_colorfgbg)
{
	static const struct {
		const char *ground;
		enum theme theme;
		enum background background;
		const char *why;
	} rows[] = {
		{NULL, THEME_AUTO, BACKGROUND_DARK, NOTHING},
		{NULL, THEME_LIGHT, BACKGROUND_LIGHT, "asked for"},
		{"COLORFGBG=0;15", THEME_DARK, BACKGROUND_DARK, "asked for"},
		{"COLORFGBG=0;15", THEME_AUTO, BACKGROUND_LIGHT, TELLS},
		{"COLORFGBG=0;7", THEME_AUTO, BACKGROUND_LIGHT, TELLS},
		{"COLORFGBG=15;0", THEME_AUTO, BACKGROUND_DARK, TELLS},
		{"COLORFGBG=15;default;8", THEME_AUTO, BACKGROUND_DARK, TELLS},
		{"COLORFGBG=15;default", THEME_AUTO, BACKGROUND_DARK, NOTHING},
		{"COLORFGBG=0;15x", THEME_AUTO, BACKGROUND_DARK, NOTHING},
		{"COLORFGBG=0;99", THEME_AUTO, BACKGROUND_DARK, NOTHING},
		{"COLORFGBG=15", THEME_AUTO, BACKGROUND_DARK, NOTHING},
		{"COLORFGBG=", THEME_AUTO, BACKGROUND_DARK, NOTHING},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		enter((const char *const[]){"TERM=xterm", rows[i].ground, NULL}, "C.UTF-8");
		const struct tui_tier got = choose(0, GLYPHS_AUTO, rows[i].theme);
		if (got.background != rows[i].background ||
		    strcmp(got.why_background, rows[i].why) != 0)
			fail_msg("row %zu: background %d because \"%s\"", i, (int)got.background,
				 got.why_background);
	}
}

/* Where no description of 24-bit colours is installed there still is our own. */
TEST(embedded_descriptions_are_of_direct_colour)
{
	static const struct {
		const char *const *pieces;
		const char *term;
	} own[] = {{terminfo_direct, "TERM=posviz-direct"}, {terminfo_tmux, "TERM=posviz-tmux"}};
	for (size_t i = 0; i < 2; i++) {
		char all[16384] = "";
		for (size_t k = 0; own[i].pieces[k]; k++)
			strcat(all, own[i].pieces[k]);
		enter((const char *const[]){own[i].term, NULL}, "C.UTF-8");
		setenv("TERMINFO", all, 1);
		const struct tui_tier got = choose(0, GLYPHS_AUTO, THEME_AUTO);
		unsetenv("TERMINFO");
		assert_int_equal(got.tier, TIER_DIRECT);
		assert_string_equal(got.why_tier, TERM_SAYS);
	}
}

/* Settings may change while the screen is open: looking must not take curses' terminal away. */
TEST(entry_read_leaves_the_open_terminal_alone)
{
	struct capability entry;
	enter((const char *const[]){NULL}, "C.UTF-8");
	FILE *const out = fopen("/dev/null", "w"), *const in = fopen("/dev/null", "r");
	assert_true(out && in);
	SCREEN *const screen = newterm("xterm-256color", out, in);
	assert_non_null(screen);
	assert_true(capability_read("vt100", &entry));
	assert_int_equal(entry.colours, 0);
	assert_true(entry.moves);
	assert_false(entry.mouse || entry.paste || entry.direct);
	assert_false(capability_read("no-such-terminal", &entry));
	assert_int_equal(tigetnum("colors"), 256);
	mvaddstr(0, 0, "x");
	assert_int_equal(refresh(), OK);
	endwin();
	delscreen(screen);
	fclose(out);
	fclose(in);
	assert_true(capability_read("xterm", &entry));
	assert_true(entry.mouse && entry.paste && entry.colours == 8);
}
