/* test_app_history.c: what can be taken back and done again, what is one step, and what goes with the words
 * it was of. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_app.h"

FIXTURE(help_app_open, help_app_close)

TEST(undo_and_redo_walk_through_changes)
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
TEST(looks_are_changes_too)
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

TEST(a_series_that_comes_back_is_no_change)
{
	struct app *const app = *state;
	help_app_run(app, "heads 2");
	help_app_run(app, "scale next");
	help_app_run(app, "scale prev");
	assert_int_equal(app->n_undo, 1);
	help_app_run(app, "undo");
	assert_int_equal(app->scene.setup.heads, 4);
}

TEST(repeated_steps_are_one_entry)
{
	struct app *const app = *state;
	help_app_run(app, "scheme rope");
	help_app_run(app, "param base 1000");
	for (int i = 0; i < 5; i++)
		help_app_run(app, "param-step +1");
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

TEST(what_was_taken_back_is_said)
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

/* What counts units is put aside with other words, and it is said; what fits stays. */
TEST(what_was_counted_goes_with_its_words)
{
	struct app *app = *state;
	static const struct {
		const char *set, *sentence, *said;
	} rows[] = {
		{"position-ids 0 1 2 0", "a b c", "the position ids did not fit"},
		{"segments 1 0 0 1", "a b c", "the segments did not fit"},
		{"memory-tokens 2", "a b", "the memory did not fit"},
		{"position-ids 0 1 2 0", "d e f g", ""},
		{"position-ids start:3", "a b c", ""},
		{"memory-tokens 2", "a b c", ""},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene before;
		scene_init(&app->scene);
		help_app_run(app, "sentence a b c d");
		before = app->scene;
		help_app_run(app, rows[i].set);
		assert_false(setup_equal(&before.setup, &app->scene.setup));
		app->message[0] = '\0';
		char line[64];
		snprintf(line, sizeof line, "sentence %s", rows[i].sentence);
		help_app_run(app, line);
		assert_non_null(strstr(app->message, rows[i].said));
		before.setup.sentence = app->scene.setup.sentence;
		assert_int_equal(setup_equal(&before.setup, &app->scene.setup), *rows[i].said != 0);
		help_app_run(app, "undo");
		assert_string_equal(app->scene.setup.sentence, "a b c d");
		before.setup.sentence = app->scene.setup.sentence;
		assert_false(setup_equal(&before.setup, &app->scene.setup));
	}
	scene_init(&app->scene);
	help_app_run(app, "sentence a b c d");
	help_app_refuse(app, "position-ids 0 1 2", "3 numbers for 4 tokens");
	help_app_refuse(app, "segments 0", "1 number for 4 tokens");
	help_app_refuse(app, "memory-tokens 4", "4 of 4 tokens leave none");
	help_app_run(app, "order 4 3 2 1");
	help_app_run(app, "memory-tokens 1");
	assert_string_equal(app->scene.setup.order, "identity"); /* there are three to move */
	help_app_run(app, "order 3 1 2");
	help_app_refuse(app, "order 4 3 2 1", "order");
}
