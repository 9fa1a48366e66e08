/* test_app_history.c: what can be taken back and done again, and what is one step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "help_app.h"

static void undo_and_redo_walk_through_changes(void **state)
{
	struct app *const app = *state;
	help_app_refuse(app, "undo", "nothing");
	help_app_run(app, "heads 2");
	help_app_run(app, "heads 8");
	help_app_run(app, "cursor 2 2");
	help_app_run(app, "undo");
	assert_int_equal(app->scene.setup.heads, 2);
	help_app_run(app, "undo");
	assert_int_equal(app->scene.setup.heads, 4);
	help_app_refuse(app, "undo", "nothing");
	help_app_run(app, "redo");
	help_app_run(app, "redo");
	assert_int_equal(app->scene.setup.heads, 8);
	help_app_refuse(app, "redo", "nothing");
	help_app_run(app, "undo");
	help_app_run(app, "layers 3");
	help_app_refuse(app, "redo", "nothing");
}

/* What changes the picture can be taken back: terms, grid, view, colours. */
static void looks_are_changes_too(void **state)
{
	struct app *const app = *state;
	help_app_run(app, "terms-off position");
	help_app_run(app, "grid cells");
	help_app_run(app, "view 1");
	help_app_run(app, "colormap cividis");
	help_app_run(app, "mouse off"); /* no part of a scene */
	assert_int_equal(app->n_undo, 3);
	help_app_run(app, "undo");
	assert_string_equal(app->scene.colormap, "auto");
	help_app_run(app, "undo");
	assert_int_equal(app->scene.grid, 0);
	assert_string_equal(app->scene.terms_off, "position");
	help_app_run(app, "undo");
	assert_string_equal(app->scene.terms_off, "none");
	assert_false(app->settings.mouse);
	help_app_run(app, "redo");
	assert_string_equal(app->scene.terms_off, "position");
	help_app_refuse(app, "heads 0", "heads");
	assert_int_equal(app->n_undo, 1);
}

static void a_series_that_comes_back_is_no_change(void **state)
{
	struct app *const app = *state;
	help_app_run(app, "heads 2");
	help_app_run(app, "scale next");
	help_app_run(app, "scale prev");
	assert_int_equal(app->n_undo, 1);
	help_app_run(app, "undo");
	assert_int_equal(app->scene.setup.heads, 4);
}

static void repeated_steps_are_one_entry(void **state)
{
	struct app *const app = *state;
	help_app_run(app, "scheme rope");
	help_app_run(app, "param base 1000");
	for (int i = 0; i < 5; i++)
		help_app_run(app, "step +1");
	help_app_run(app, "undo");
	assert_string_equal(app->scene.setup.scheme, "rope(base=1000)");
	help_app_run(app, "redo");
	help_app_run(app, "shuffle");
	help_app_run(app, "shuffle");
	help_app_run(app, "undo");
	assert_string_equal(app->scene.setup.order, "identity");
	for (int i = 0; i < 100; i++) { /* more than the stack begins with */
		char line[32];
		snprintf(line, sizeof line, "seed %d", i + 1);
		help_app_run(app, line);
	}
	for (int i = 0; i < 100; i++)
		help_app_run(app, "undo");
	assert_int_equal(app->scene.setup.seed, 0);
}

static void what_was_taken_back_is_said(void **state)
{
	struct app *const app = *state;
	help_app_run(app, "view terms");
	help_app_run(app, "heads 2");
	help_app_run(app, "undo");
	assert_string_equal(app->message, "taken back: heads 4");
	help_app_run(app, "undo");
	assert_string_equal(app->message, "taken back: view explore");
	assert_string_equal(app->scene.view, "explore");
	help_app_run(app, "redo");
	assert_string_equal(app->message, "done again: view terms");
	help_app_run(app, "cursor 3 2");
	help_app_run(app, "reset");
	assert_int_equal(app->scene.row, 3); /* the cell is where somebody looks */
	help_app_run(app, "heads 8");
	help_app_run(app, "sentence \"a b\"");
	help_app_run(app, "undo");
	assert_true(strstr(app->message, "sentence the cat that") != NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, help_app_open, help_app_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(undo_and_redo_walk_through_changes),    TEST(looks_are_changes_too),
		TEST(a_series_that_comes_back_is_no_change), TEST(repeated_steps_are_one_entry),
		TEST(what_was_taken_back_is_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
