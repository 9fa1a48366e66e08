/* test_menu.c: what a line that is typed may become: in which order, and as a menu on the screen. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_app.h"
#include "help_canvas.h"
#include "help_frame.h"

FIXTURE(help_begin, help_end)

static const char *joined(const struct app *app, const char *line)
{
	size_t n;
	const char *out = "";
	const struct completion *const menu = app_menu(app, line, &help_arena, &n);
	for (size_t i = 0; i < n; i++)
		out = arena_printf(&help_arena, "%s%s%s", out, i ? " " : "", menu[i].text);
	return out;
}

/* First what begins so, then words that do, then initials; letters alone where there is none of these. */
TEST(names_are_found_by_parts_the_surest_first)
{
	static const struct {
		const char *line, *begins; /* of what is offered, in order */
	} rows[] = {
		{"scheme-n", "scheme-next"},
		{"he", "head heads heads-of help"},
		{"next", "scheme-next param-next find-next"}, /* words of names */
		{"row", "row pick-row pin-row"},	      /* also where one begins so */
		{"fn", "find-next"},			      /* initials */
		{"ps", "param-step"},
		{"snpsht", "snapshot"}, /* letters */
		{"colormap vrd", "viridis"},
		{"view ex", "explore"},
		{"view lor", "explore"},
		{"scheme rope+ali", "alibi"},
		{"scheme rope+lgcp", "log_cpb"},
		{"theme da", "dark"},
		{"help prefix", "prefix"},
	};
	struct app app;
	app_init(&app);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *const got = joined(&app, rows[i].line);
		if (strncmp(got, rows[i].begins, strlen(rows[i].begins)) != 0)
			fail_msg("\"%s\": %s", rows[i].line, got);
	}
	/* Who knows no name finds it by what it does. */
	assert_non_null(strstr(joined(&app, "clipboard"), "copy"));
	/* What is exact comes before everything, each name once. */
	assert_int_equal(strncmp(joined(&app, "head"), "head ", 5), 0);
	assert_string_equal(joined(&app, "qqqq"), "");
	app_release(&app);
}

TEST(each_candidate_says_what_it_is)
{
	struct app app;
	size_t n;
	app_init(&app);
	const struct completion *menu = app_menu(&app, "scheme-n", &help_arena, &n);
	assert_string_equal(menu[0].line, "scheme-next");
	assert_string_equal(menu[0].note, "the next scheme of the menu");
	menu = app_menu(&app, "scheme rope+t5", &help_arena, &n);
	assert_string_equal(menu[0].line, "scheme rope+t5");
	assert_string_equal(menu[0].text, "t5");
	assert_string_equal(menu[0].note, "Bucketed relative bias");
	/* The key S opens this line: the formats, with the scheme's name. */
	menu = app_menu(&app, "save ", &help_arena, &n);
	assert_string_equal(menu[0].text, "rope.png");
	for (size_t i = 0; i < n && strncmp(menu[i].text, "rope.", 5) == 0; i++)
		if (!*menu[i].note && !strstr(menu[i].text, ".tex"))
			fail_msg("nothing says what %s is", menu[i].text);
	app_release(&app);
}

/* A guess is never run: the line stays and names what may have been meant. */
TEST(enter_runs_what_is_typed_and_no_guess)
{
	static const char *const rows[][2] = {
		{"rp", "no command \"rp\"; did you mean \"reset-param\"?"},
		{"snpsht", "no command \"snpsht\""},
		{"heds 2", "did you mean \"heads\"?"},
		{"clipboard", "no command \"clipboard\"; \"help\" shows"}, /* of a meaning alone */
	};
	struct app app;
	app_init(&app);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		unsigned reactions;
		struct err err = {""};
		assert_false(app_command(&app, rows[i][0], &reactions, &err));
		if (!strstr(err.text, rows[i][1]))
			fail_msg("%s: %s", rows[i][0], err.text);
	}
	app_release(&app);
}

/* ---- on the screen --------------------------------------------------------------------------- */

static const char *screen(struct tui *t, int cols, int rows)
{
	return help_screen(help_frame(t, (struct help_look){cols, rows, TIER_MONO, false}));
}

static void type(struct tui *t, const char *name)
{
	struct key key = {0};
	snprintf(key.name, sizeof key.name, "%s", name);
	if (strlen(name) == 1)
		snprintf(key.text, sizeof key.text, "%s", name);
	tui_key(t, &key);
}

TEST(a_menu_stands_over_the_line_at_every_size)
{
	struct tui *const t = help_tui(&help_arena, "t5", "view explore\n", BACKGROUND_DARK);
	prompt_open(t, MODE_COMMAND, "");
	assert_null(strstr(screen(t, 80, 24), "the next scheme of the menu"));
	prompt_open(t, MODE_COMMAND, "scheme-");
	for (int i = 0; i < HELP_SCREENS; i++) {
		const char *const text = screen(t, help_screens[i][0], help_screens[i][1]);
		if (!strstr(text, "scheme-next  the next sch") ||
		    !strstr(text, "scheme-prev  the previous") || !strstr(text, ":scheme-"))
			fail_msg("%s", text);
	}
	/* Tab takes them in turn, and then what was typed; Enter runs what stands there. */
	static const char *const lines[] = {"scheme-next", "scheme-prev", "scheme-", "scheme-next"};
	for (size_t i = 0; i < 4; i++) {
		type(t, "Tab");
		screen(t, 80, 24);
		assert_string_equal(t->prompt.text, lines[i]);
	}
	help_tui_done(t);
}

/* Of many candidates those around the chosen one are in sight. */
TEST(a_long_menu_scrolls)
{
	struct tui *const t = help_tui(&help_arena, "t5", "view explore\n", BACKGROUND_DARK);
	prompt_open(t, MODE_COMMAND, "scheme ");
	assert_non_null(strstr(screen(t, 80, 24), "1–10 of "));
	type(t, "Shift-Tab");
	const char *const last = arena_printf(&help_arena, " %zu ", t->prompt.n_menu);
	const char *const text = screen(t, 80, 24);
	assert_non_null(
		strstr(text, arena_printf(&help_arena, "–%zu of%s", t->prompt.n_menu, last)));
	assert_non_null(strstr(text, t->prompt.menu[t->prompt.n_menu - 1].text));
	assert_null(strstr(text, "1–10 of "));
	/* A click takes one. */
	prompt_choose(t, 2);
	assert_string_equal(t->prompt.text,
			    arena_printf(&help_arena, "scheme %s", t->prompt.menu[2].text));
	help_tui_done(t);
}
