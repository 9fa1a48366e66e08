/* test_app_view.c: choosing a view, and the terms of its sum. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_app.h"
#include "help_view.h"
#include "posviz/picture/picture.h"

FIXTURE(help_app_open, help_app_close)

/* ---- views ------------------------------------------------------------------------------- */

TEST(views_are_chosen_by_name_number_and_step)
{
	struct app *const app = *state;
	const size_t n = view_count();
	for (size_t i = n; i-- > 0;) {
		char line[64];
		snprintf(line, sizeof line, "view %zu", i + 1);
		help_app_run(app, line);
		assert_string_equal(app->scene.view, views[i]->name);
		snprintf(line, sizeof line, "view %s", views[i]->name);
		assert_int_equal(help_app_run(app, line), 0);
	}
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(app->scene.view, views[i]->name);
		help_app_run(app, "view next");
	}
	assert_string_equal(app->scene.view, views[0]->name);
	help_app_run(app, "view prev");
	assert_string_equal(app->scene.view, views[n - 1]->name);
	help_app_refuse(app, "view", "give NAME|N");
	help_app_refuse(app, "view 0", "1 explore");
	help_app_refuse(app, "view 99", "1 explore");
	help_app_refuse(app, "view exlore", "did you mean \"explore\"");
	help_app_refuse(app, "view \x1b[m", "no view");
}

/* Rows of the table are schemes: it opens on the one that is looked at, wherever the cell was. */
TEST(the_table_opens_on_the_scheme)
{
	struct app *const app = *state;
	help_app_run(app, "cursor 3 2");
	help_app_run(app, "view table");
	assert_int_equal(app->scene.row, 0);
	help_app_run(app, "view explore");
	assert_int_equal(app->scene.row, 1);
}

/* Another view has other panes and wants other numbers, and is one step back. */
TEST(a_view_is_a_change)
{
	struct app *const app = *state;
	if (view_count() < 2)
		skip();
	app->pane = 2;
	assert_int_equal(help_app_run(app, "view 2"), REACT_LAYOUT | REACT_COMPUTE);
	assert_int_equal(app->pane, 0);
	help_app_run(app, "heads 2");
	help_app_run(app, "undo");
	assert_string_equal(app->scene.view, views[1]->name);
	assert_true(help_app_run(app, "undo") & REACT_LAYOUT);
	assert_string_equal(app->scene.view, views[0]->name);
	help_app_refuse(app, "undo", "nothing");
}

TEST(numbers_differ_only_by_what_is_computed)
{
	static const struct {
		const char *line;
		bool same;
	} rows[] = {
		{"colormap cividis", true}, {"terms-off position", true}, {"grid fit", true},
		{"scale sqrt", true},	    {"cursor 1 1", true},	  {"lock on", true},
		{"theme light", true},	    {"matrix logits", false},	  {"head 2", false},
		{"layer 2", false},	    {"heads 8", false},		  {"order reverse", false},
	};
	struct app *const app = *state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct scene before = app->scene;
		const unsigned reactions = help_app_run(app, rows[i].line);
		if (app_same_numbers(&before, &app->scene) != rows[i].same ||
		    ((reactions & REACT_COMPUTE) == 0) != rows[i].same)
			fail_msg("%s", rows[i].line);
	}
}

/* ---- terms ------------------------------------------------------------------------------- */

/* Survey eq. 4: an added position splits the product into four terms. */
TEST(terms_go_off_and_on)
{
	static const struct {
		const char *line, *off;
	} rows[] = {
		{"term 1", "unit–unit"},
		{"term 4", "unit–unit;position–position"},
		{"term unit-position", "unit–unit;unit–position;position–position"},
		{"term unit–unit", "unit–position;position–position"},
		{"term \"unit–position\"", "position–position"},
		{"term all", "none"},
		{"term all", "none"},
		{"term 2", "unit–position"},
		{"term 2", "none"},
	};
	struct app *const app = *state;
	help_app_run(app, "sentence a b c");
	help_app_run(app, "scheme sinusoidal");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_false(help_app_run(app, rows[i].line) & REACT_COMPUTE);
		if (strcmp(app->scene.terms_off, rows[i].off) != 0)
			fail_msg("%s: %s", rows[i].line, app->scene.terms_off);
		assert_true(strlen(app->message) > 0);
	}
	help_app_run(app, "undo");
	assert_string_equal(app->scene.terms_off, "unit–position");
	help_app_refuse(app, "term", "Tab goes to one of 1 unit–unit, 2 unit–position");
	help_app_refuse(app, "term 5", "there is 1 unit–unit");
	help_app_refuse(app, "term unit", "there is no term \"unit\"");
	app->shown.term = "position–unit";
	help_app_run(app, "term");
	assert_string_equal(app->scene.terms_off, "unit–position;position–unit");
	assert_string_equal(app->message, "position–unit: off");
	/* What another scheme knows by name stays. */
	help_app_run(app, "terms-off distance;unit–position");
	help_app_run(app, "term 1");
	assert_string_equal(app->scene.terms_off, "unit–unit;unit–position;distance");
}

/* "query–K^r" is "query–Kʳ" on the screen: so it is called, and so it can be typed. */
TEST(terms_are_called_as_on_the_screen)
{
	struct app *const app = *state;
	help_app_run(app, "scheme deberta");
	help_app_run(app, "term query-Kʳ");
	assert_string_equal(app->message, "query–Kʳ: off");
	assert_string_equal(app->scene.terms_off, "query–K^r");
	help_app_run(app, "term query-K^r");
	assert_string_equal(app->message, "query–Kʳ: on");
}

/* Steps begin at the head that the view has chosen itself, and Enter opens that one. */
TEST(heads_are_walked_from_the_shown_one)
{
	static const char lines[] = "view profile\nwindows 3\nwindow-length 12\n";
	static const struct {
		const char *command;
		long layer, head;
	} steps[] = {
		{"walk right", 1, 1}, {"head next", 2, 2}, {"head 1", 1, 1}, {"open-head", 2, 1}};
	struct app *const app = *state;
	struct arena a;
	arena_init(&a);
	const struct scene scene = help_scene("alibi+causal", lines);
	const struct picture *const p = help_picture(&a, "alibi+causal", lines);
	assert_string_equal(p->figure.panels[1].title, "Head 2·1: logit by distance");
	assert_string_equal(p->figure.panels[0].table.cells[p->figure.panels[0].table.cols], "1·1");
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		app->scene = scene;
		app->shown.picture = p;
		app->shown.scene = &scene;
		help_app_run(app, steps[i].command);
		assert_true(app->scene.chose_head);
		assert_int_equal(app->scene.layer, steps[i].layer);
		assert_int_equal(app->scene.head, steps[i].head);
	}
	app->shown.picture = NULL;
	app->shown.scene = NULL;
	arena_release(&a);
}

/* With a picture its terms count, whatever the next scene will be. */
TEST(terms_are_those_on_the_screen)
{
	struct app *const app = *state;
	struct trace_head head = {.terms = {{.label = "b–key"}, {.label = "f(A, B)"}},
				  .n_terms = 2};
	struct trace_layer layer = {.heads = &head};
	struct picture *const p = calloc(1, sizeof *p);
	const struct scene scene = app->scene;
	p->trace.layers = &layer;
	p->trace.n_layers = 1;
	p->built.model.config.heads = 1;
	app->shown.picture = p;
	app->shown.scene = &scene;
	help_app_run(app, "head 3"); /* is being computed */
	help_app_run(app, "term f(A, B)");
	assert_string_equal(app->scene.terms_off, "f(A, B)");
	help_app_run(app, "term 1");
	assert_string_equal(app->scene.terms_off, "b–key;f(A, B)");
	struct arena a;
	arena_init(&a);
	size_t n;
	assert_string_equal(help_app_completions(app, "term b-", &a, &n)[0], "term b–key");
	assert_string_equal(help_app_completions(app, "term f(A, ", &a, &n)[0], "term f(A, B)");
	arena_release(&a);
	head.n_terms = 0;
	help_app_refuse(app, "term 1", "view terms shows them");
	app->shown.picture = NULL;
	app->background = true;
	help_app_refuse(app, "term 1", "view terms shows them");
	free(p);
}

/* ---- tokens by their words ---------------------------------------------------------------------- */

TEST_WITH(the_cursor_goes_to_tokens_by_their_words, help_app_open, help_app_close)
{
	struct app *const app = *state;
	help_app_run(app, "sentence \"the cat that the dog chased , don't\"");
	static const struct {
		const char *line;
		long row, col;
	} cases[] = {{"cursor 'dog' 'cat'", 5, 2},
		     {"cursor 'the'#2 'the'#1", 4, 1},
		     {"cursor 3 'the'#2", 3, 4},
		     {"cursor 'that'#1 1", 3, 1},
		     {"cursor ',' 'chased'", 7, 6}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		help_app_run(app, cases[i].line);
		assert_int_equal(app->scene.row, cases[i].row);
		assert_int_equal(app->scene.col, cases[i].col);
	}
	/* The number is that of the sentence as it was written, wherever the token went. */
	help_app_run(app, "reverse");
	help_app_run(app, "cursor 'the'#2 'the'#1");
	assert_true(app->scene.row < app->scene.col);
	const long second = app->scene.row;
	help_app_run(app, "restore");
	help_app_run(app, "cursor 'the'#2 1");
	assert_true(second != app->scene.row && app->scene.row == 4);
	help_app_refuse(app, "cursor 'the' 1", "'the'#1 to 'the'#2");
	help_app_refuse(app, "cursor 'the'#3 1", "no #3");
	help_app_refuse(app, "cursor 'the'#0 1", "number behind #");
	help_app_refuse(app, "cursor 'dog'#2 1", "no #2");
	help_app_refuse(app, "cursor 1 'chsed'", "did you mean 'chased'");
	help_app_refuse(app, "cursor 1 'zebra'", "no token 'zebra' in this sentence");
	help_app_refuse(app, "cursor 'dog 1", "quotation marks");
	help_app_refuse(app, "cursor 'dog'", "column");
	help_app_refuse(app, "cursor 'dog' 'cat' 3", "give");
}

/* Sizes of heads that do not fit are refused, so that they do not stand before the next error. */
TEST(sizes_of_heads_that_do_not_fit_are_not_kept)
{
	static const char *const lines[] = {"kv-heads 3", "head-dim 20000", "value-dim 20000"};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct app app;
		struct err err = {""};
		unsigned reactions;
		app_init(&app);
		const struct scene before = app.scene;
		assert_false(app_command(&app, lines[i], &reactions, &err));
		assert_non_null(strstr(err.text, "would be right"));
		assert_true(scene_equal(&before, &app.scene));
		assert_true(app_command(&app, "kv-heads 2", &reactions, &err));
		assert_true(app_command(&app, "heads 8", &reactions, &err));
		assert_true(app_command(&app, "kv-heads 4", &reactions, &err));
		app_release(&app);
	}
}

/* A head is opened on the sentence; back it is the same head in the view and the pane where it was. */
TEST(a_head_is_opened_and_left)
{
	struct app *const app = *state;
	help_app_refuse(app, "leave-head", "no head was opened");
	help_app_refuse(app, "walk left", "view profile has the heads");
	help_app_run(app, "view profile");
	help_app_run(app, "layer 2");
	help_app_run(app, "head 3");
	help_app_refuse(app, "walk aside", "walk");
	app->pane = 2;
	help_app_run(app, "open-head");
	assert_string_equal(app->scene.view, "explore");
	help_app_run(app, "leave-head");
	assert_string_equal(app->scene.view, "profile");
	assert_int_equal(app->pane, 2);
	assert_int_equal(app->scene.layer, 2);
	assert_int_equal(app->scene.head, 3);
	help_app_refuse(app, "leave-head", "no head was opened");
	help_app_run(app, "open-head");
	help_app_run(app, "view terms");
	help_app_refuse(app, "leave-head", "no head was opened");
}
