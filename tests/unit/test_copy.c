/* test_copy.c: what goes to the clipboard, and what is said where there is none. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "help_frame.h"
#include "posviz/scheme/scheme.h"
#include "tui/clipboard.h"

FIXTURE(help_begin, help_end)

/* RFC 4648, section 10, and bytes with the highest bit. */
TEST(base64_is_that_of_the_standard)
{
	static const char *const rows[][2] = {
		{"", ""},
		{"f", "Zg=="},
		{"fo", "Zm8="},
		{"foo", "Zm9v"},
		{"foob", "Zm9vYg=="},
		{"fooba", "Zm9vYmE="},
		{"foobar", "Zm9vYmFy"},
		{"\xC2\xB7\xFF", "wrf/"},
		{">>>???", "Pj4+Pz8/"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(clipboard_base64(rows[i][0], strlen(rows[i][0]), &help_arena),
				    rows[i][1]);
}

TEST(terminals_without_a_clipboard_are_known)
{
	static const char *const without[] = {"linux", "linux-16color", "dumb", "vt100", "vt220-w",
					      "ansi",  "unknown",	"",	"cons25"};
	static const char *const with[] = {"xterm",	"xterm-256color",  "tmux-256color",
					   "foot",	"screen-256color", "vte-256color",
					   "alacritty", "linuxish"};
	for (size_t i = 0; i < sizeof without / sizeof *without; i++)
		if (clipboard_possible(without[i]))
			fail_msg("%s", without[i]);
	for (size_t i = 0; i < sizeof with / sizeof *with; i++)
		if (!clipboard_possible(with[i]))
			fail_msg("%s", with[i]);
}

/* The text that a command asks for. */
static const char *copied(struct tui *t, const char *line)
{
	unsigned reactions;
	struct err err = {""};
	t->app->request = REQUEST_NONE;
	t->app->shown.picture = &t->picture->picture;
	if (!app_command(t->app, line, &reactions, &err))
		return arena_strdup(&help_arena, err.text);
	assert_int_equal(t->app->request, REQUEST_CLIPBOARD);
	return t->app->request_text;
}

/* ALiBi's head 1 of 4 falls by 2^−2 each step (Press et al. 2022): from "d" at 4 to "a" at 1 it is −0.75. */
TEST(a_cell_is_copied_with_its_numbers)
{
	struct tui *const t =
		help_tui(&help_arena, "alibi", "view explore\nsentence a b c d\nrow 4\ncol 1\n",
			 BACKGROUND_DARK);
	const char *const text = copied(t, "copy cell");
	assert_non_null(strstr(
		text,
		"query d (4), key a (1), bias with all tokens equal, probe ones -0.75, weight 0."));
	assert_non_null(strstr(text, ", logit "));
	assert_non_null(strstr(text, "; alibi, head 1, layer 1; a b c d"));
	assert_null(strchr(text, '\n'));
	help_tui_done(t);
}

TEST(a_masked_cell_is_copied_as_that)
{
	struct tui *const t =
		help_tui(&help_arena, "rope+causal",
			 "view explore\nsentence a b c d\nrow 1\ncol 3\n", BACKGROUND_DARK);
	assert_non_null(strstr(copied(t, "copy cell"), "weight masked"));
	t->app->scene.row = 0;
	assert_non_null(strstr(copied(t, "copy cell"), "there is no cell here"));
	help_tui_done(t);
}

/* The command is the one that a full caption prints, and reads back as the scene. */
TEST(the_command_and_the_papers_are_copied)
{
	struct tui *const t = help_tui(&help_arena, "t5(buckets=16)+rope+causal",
				       "view terms\nsentence it's here\n", BACKGROUND_DARK);
	const char *const command = copied(t, "copy command");
	assert_true(strncmp(command, "posviz render 't5(buckets=16)+rope+causal' --sentence ",
			    54) == 0);
	assert_non_null(strstr(command, "'it'\\''s here'"));
	assert_non_null(strstr(command, "--view terms"));
	const char *const papers = copied(t, "copy bibtex");
	assert_non_null(strstr(papers, "@"));
	assert_non_null(strstr(papers, "Raffel"));
	assert_non_null(strstr(papers, "RoFormer"));
	assert_non_null(strstr(copied(t, "copy cells"), "give [cell|command|bibtex]"));
	help_tui_done(t);
}

static void press(struct tui *t, const char *name)
{
	struct key key = {0};
	snprintf(key.name, sizeof key.name, "%s", name);
	if (strlen(name) == 1)
		snprintf(key.text, sizeof key.text, "%s", name);
	tui_key(t, &key);
	help_frame(t, (struct help_look){100, 30, TIER_MONO, false});
}

/* y waits for one key; the footer shows the choices at every size. */
TEST(the_key_in_front_offers_its_rows)
{
	struct tui *const t = help_tui(&help_arena, "t5", "view explore\n", BACKGROUND_DARK);
	press(t, "y");
	assert_int_equal(t->mode, MODE_COPY);
	for (int i = 0; i < HELP_SCREENS; i++) {
		const int *const size = help_screens[i];
		const char *const text = help_screen(
			help_frame(t, (struct help_look){size[0], size[1], TIER_MONO, i % 2}));
		assert_non_null(strstr(text, "c cell  m command  b BibTeX  Esc back"));
	}
	press(t, "x");
	assert_int_equal(t->mode, MODE_LOOK);
	assert_string_equal(
		t->app->message,
		"nothing was copied: x is none of c cell, m command, b BibTeX, Esc back");
	press(t, "y");
	press(t, "Esc");
	assert_int_equal(t->mode, MODE_LOOK);
	assert_string_equal(t->app->message, "");
	help_tui_done(t);
}

TEST(a_console_says_how_to_get_it_otherwise)
{
	static const char *const rows[][2] = {
		{"m", "instead: :caption full writes it under a picture"},
		{"b", "instead: posviz show 't5' --format bibtex"},
		{"c", "instead: posviz --plain --scheme t5"},
	};
	struct tui *const t = help_tui(&help_arena, "t5", "view explore\n", BACKGROUND_DARK);
	t->app->shown.picture = &t->picture->picture;
	setenv("TERM", "linux", 1);
	for (size_t i = 0; i < 3; i++) {
		press(t, "y");
		press(t, rows[i][0]);
		assert_int_equal(t->mode, MODE_LOOK);
		assert_true(t->app->message_is_error);
		if (!strstr(t->app->message, "the terminal \"linux\" has no clipboard; ") ||
		    !strstr(t->app->message, rows[i][1]))
			fail_msg("%s", t->app->message);
	}
	help_tui_done(t);
}
