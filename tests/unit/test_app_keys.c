/* test_app_keys.c: keys of the user's own, and settings: what is no part of a scene. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_app.h"
#include "posviz/picture/picture.h"
#include "posviz/plot/canvas.h"

FIXTURE(help_app_open, help_app_close)

struct wrong {
	const char *line, *part;
};

static void refuse_all(struct app *app, const struct wrong *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned reactions;
		struct err err = {0};
		const size_t keys = app->keymap.n;
		const struct settings before = app->settings;
		if (app_command(app, rows[i].line, &reactions, &err))
			fail_msg("\"%s\" was taken", rows[i].line);
		if (!strstr(err.text, rows[i].part))
			fail_msg("\"%s\": \"%s\" does not say \"%s\"", rows[i].line, err.text,
				 rows[i].part);
		assert_null(strchr(err.text, '\x1b'));
		assert_null(strchr(err.text, '\n'));
		assert_int_equal(app->keymap.n, keys);
		assert_memory_equal(&app->settings, &before, sizeof before);
	}
}

/* The command of a key in a pane of a view, "" when it does nothing. */
static const char *means(const struct app *app, const char *pane, const char *view, const char *key)
{
	const char *const contexts[] = {pane, view, "", NULL};
	const struct binding *const b = keymap_find(app, contexts, key);
	return b ? b->command : "";
}

TEST(a_key_of_ones_own_goes_before_the_table)
{
	struct app *const app = *state;
	assert_string_equal(means(app, "matrix", "explore", "j"), "cursor down");
	help_app_run(app, "bind j scheme-next");
	assert_string_equal(means(app, "matrix", "explore", "j"), "scheme-next");
	assert_string_equal(means(app, "card", "explore", "j"), "param-next");
	help_app_run(app, "bind all j scheme-prev");
	assert_int_equal(app->keymap.n, 1);
	assert_string_equal(means(app, "matrix", "explore", "j"), "scheme-prev");
	help_app_run(app, "bind card j heads 8");
	assert_string_equal(means(app, "card", "explore", "j"), "heads 8");
	help_app_run(app, "bind explore j heads 2");
	assert_string_equal(means(app, "matrix", "explore", "j"), "heads 2");
	assert_string_equal(means(app, "matrix", "terms", "j"), "scheme-prev");
	help_app_run(app, "bind f5 undo");
	assert_string_equal(means(app, "", "", "F5"), "undo");
	help_app_run(app, "bind ctrl-N scheme-next");
	assert_string_equal(means(app, "", "", "Ctrl-n"), "scheme-next");
	help_app_run(app, "bind ö scheme-next");
	assert_string_equal(means(app, "", "", "ö"), "scheme-next");
	help_app_run(app, "bind # reset");
	assert_string_equal(means(app, "", "", "#"), "reset");
	help_app_run(app, "bind x sentence  a  b");
	assert_string_equal(means(app, "", "", "x"), "sentence  a  b");
}

TEST(a_key_can_be_taken_away)
{
	struct app *const app = *state;
	help_app_run(app, "unbind q");
	assert_string_equal(means(app, "matrix", "explore", "q"), "");
	const char *const permute[] = {"permute", NULL};
	assert_string_equal(keymap_find(app, permute, "q")->command, "back");
	help_app_run(app, "bind q quit");
	assert_string_equal(means(app, "matrix", "explore", "q"), "quit");
	/* Of a pane alone: what it means everywhere does not come through. */
	help_app_run(app, "unbind card j");
	assert_string_equal(means(app, "card", "explore", "j"), "");
	assert_string_equal(means(app, "matrix", "explore", "j"), "cursor down");
	help_app_run(app, "bind F9 undo");
	help_app_run(app, "bind F8 redo");
	help_app_run(app, "unbind F9");
	assert_string_equal(means(app, "", "", "F9"), "");
	assert_string_equal(means(app, "", "", "F8"), "redo");
}

TEST(wrong_keys_are_refused)
{
	static const struct wrong rows[] = {
		{"bind", "bind [CONTEXT] KEY COMMAND"},
		{"bind x", "give a command for x"},
		{"bind matrix", "give [CONTEXT] KEY COMMAND"},
		{"bind matrix x", "give a command"},
		{"bind x udno", "did you mean \"undo\""},
		{"bind matrx x undo", "did you mean \"matrix\""},
		{"bind matrix Pgup2 undo", "did you mean \"PgUp\""},
		{"bind matrix matrix undo", "no key \"matrix\""},
		{"bind \xc2\x85 undo", "no key \"\\x85\""},
		{"bind \xcc\x81 undo", "no key"},
		{"bind \xff undo", "no key \"\\xFF\""},
		{"bind \x01 undo", "no key \"\\x01\""},
		{"bind Ctrl-c undo", "cannot be bound"},
		{"bind permute Ctrl-z undo", "cannot be bound"},
		{"bind Ctrl-i undo", "Tab"},
		{"bind Ctrl-m undo", "Enter"},
		{"bind permute Esc undo", "way out of permute"},
		{"unbind find Esc", "way out of find"},
		{"unbind Ctrl-c", "cannot be bound"},
		{"unbind", "give [CONTEXT] KEY"},
		{"unbind F12", "not bound everywhere"},
		{"unbind matrix q", "not bound in matrix"},
		{"unbind q quit", "too much"},
		{"unbind nokey-at-all", "a key is a character"},
	};
	refuse_all(*state, rows, sizeof rows / sizeof *rows);
}

static size_t rows_of(const struct app *app)
{
	size_t n = 0;
	while (keymap_row(app, n))
		n++;
	return n;
}

/* What help and footer print is what the keys do. */
TEST(the_rows_are_what_is_in_force)
{
	struct app *const app = *state;
	const size_t n = rows_of(app);
	help_app_run(app, "bind F9 undo");
	assert_int_equal(rows_of(app), n + 1);
	const struct binding *const last = keymap_row(app, n);
	assert_string_equal(last->key, "F9");
	assert_string_equal(last->note, "take back");
	assert_string_equal(last->footer, "undo");
	help_app_run(app, "bind F7 sentence \"a \x1b\"");
	assert_null(strchr(keymap_row(app, n + 1)->note, '\x1b'));
	assert_null(keymap_row(app, n + 1)->footer);
	help_app_run(app, "unbind F9");
	help_app_run(app, "unbind ?");
	assert_int_equal(rows_of(app), n);
	for (size_t i = 0; i < n; i++)
		assert_false(*keymap_row(app, i)->context == '\0' &&
			     strcmp(keymap_row(app, i)->key, "?") == 0);
	for (int i = 0; i < 60; i++) { /* more than the list begins with */
		char line[32];
		snprintf(line, sizeof line, "bind matrix %c undo", 'A' + i);
		help_app_run(app, line);
	}
	assert_string_equal(means(app, "matrix", "", "A"), "undo");
	assert_string_equal(means(app, "matrix", "", "|"), "undo");
}

/* ---- settings ---------------------------------------------------------------------------- */

TEST(settings_are_commands)
{
	struct app *const app = *state;
	const struct scene before = app->scene;
	static const struct {
		const char *line;
		size_t offset;
		int value;
	} rows[] = {
#define AT(member) offsetof(struct settings, member)
		{"color 256", AT(color), 1 + TIER_256},
		{"color direct", AT(color), 1 + TIER_DIRECT},
		{"color mono", AT(color), 1 + TIER_MONO},
		{"color truecolor", AT(color), 1 + TIER_DIRECT},
		{"color 8", AT(color), 1 + TIER_8},
		{"color 24bit", AT(color), 1 + TIER_DIRECT},
		{"color next", AT(color), 0},
		{"color prev", AT(color), 1 + TIER_DIRECT},
		{"color auto", AT(color), 0},
		{"glyphs ascii", AT(glyphs), GLYPHS_ASCII},
		{"glyphs next", AT(glyphs), GLYPHS_AUTO},
		{"glyphs quadrants", AT(glyphs), GLYPHS_QUADRANTS},
		{"mouse off", AT(mouse), 0},
		{"mouse", AT(mouse), 1},
		{"mouse next", AT(mouse), 0},
		{"contrast on", AT(contrast), 1},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const unsigned reactions = help_app_run(app, rows[i].line);
		const char *const at = (const char *)&app->settings + rows[i].offset;
		const bool is_bool = rows[i].offset >= AT(mouse);
		const int value = is_bool ? *(const bool *)at : *(const int *)(const void *)at;
		if (value != rows[i].value)
			fail_msg("%s: %d", rows[i].line, value);
		assert_int_equal(reactions, REACT_TERMINAL);
		assert_true(strlen(app->message) > 0 && !app->message_is_error);
	}
	assert_true(scene_equal(&before, &app->scene));
	assert_int_equal(app->n_undo, 0);
#undef AT
}

TEST(wrong_settings_are_refused)
{
	static const struct wrong rows[] = {
		{"color", "give auto|mono|8"},
		{"color blue", "none of auto|mono"},
		{"glyphs", "give auto|braille"},
		{"glyphs asci", "did you mean \"ascii\""},
		{"glyphs truecolor", "none of"},
		{"mouse maybe", "neither on nor off"},
		{"contrst", "did you mean \"contrast\""},
	};
	refuse_all(*state, rows, sizeof rows / sizeof *rows);
}

/* Nine keys are kept for views; only those of views that exist have words. */
TEST(keys_of_views_to_come_are_not_listed)
{
	struct app *const app = *state;
	size_t views_listed = 0;
	const size_t n = view_count();
	const struct binding *b;
	for (size_t i = 0; (b = keymap_row(app, i)) != NULL; i++)
		views_listed += strncmp(b->command, "view ", 5) == 0 && b->command[5] <= '9';
	assert_int_equal(views_listed, 2 * (n < 9 ? n : 9)); /* everywhere, and in their menu */
}

TEST(bindings_are_lines_and_back)
{
	static const char *const lines[] = {"bind F2 colormap next", "bind matrix x why",
					    "unbind Z", "unbind terms T",
					    "bind Ctrl-n param base 500"};
	struct arena a;
	arena_init(&a);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct binding b;
		assert_true(keymap_read(lines[i], &b));
		assert_string_equal(keymap_line(&b, &a), lines[i]);
	}
	struct binding b;
	assert_false(keymap_read("heads 2", &b));
	assert_false(keymap_read("bind", &b));
	assert_false(keymap_read("bind Nokey causal", &b));
	arena_release(&a);
}

/* The key that turns the grid always shows something else. */
TEST(the_grid_turns_to_what_is_not_seen)
{
	struct app *const app = *state;
	help_app_run(app, "grid next"); /* all of it is seen by means */
	assert_int_equal(app->scene.grid, GRID_CELLS);
	help_app_run(app, "grid next");
	assert_int_equal(app->scene.grid, GRID_FIT);
	help_app_run(app, "grid auto");
	app->shown.rows = app->shown.cols = 600;
	app->shown.page_rows = app->shown.page_cols = 30; /* a window of it */
	help_app_run(app, "grid next");
	assert_int_equal(app->scene.grid, GRID_FIT);
}
