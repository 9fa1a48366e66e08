/* test_app.c: commands, history, keys, snapshots: the program without a terminal. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "help_app.h"
#include "posviz/app/snapshot.h"
#include "posviz/app/worker.h"
#include "posviz/view/view.h"

static void expect_scheme(const struct app *app, const char *expected)
{
	assert_string_equal(app->scene.setup.scheme, expected);
}

/* ---- the table --------------------------------------------------------------------------- */

TEST(every_command_runs_or_says_why)
{
	static const char *const args[] = {"",	 "1",	     "2 1",   "next", "rope",
					   "+1", "base 500", "\x1b[", "%s"};
	for (const struct command *c = commands; c->name; c++) {
		assert_true(strlen(c->help) > 3);
		assert_true(strlen(c->group) > 0);
		for (size_t i = 0; i < sizeof args / sizeof *args; i++) {
			struct app app;
			struct err err = {0};
			unsigned reactions;
			char line[128];
			snprintf(line, sizeof line, "%s %s", c->name, args[i]);
			if (strcmp(c->group, "file") == 0)
				continue; /* test_app_files.c */
			app_init(&app);
			const struct scene before = app.scene;
			if (!app_command(&app, line, &reactions, &err)) {
				assert_true(scene_equal(&before, &app.scene));
				assert_true(strlen(err.text) > 5);
				assert_int_not_equal(err.text[strlen(err.text) - 1], '.');
				assert_null(strchr(err.text, '\x1b'));
			}
			app_release(&app);
		}
	}
}

TEST(every_binding_is_a_command_that_runs)
{
	for (const struct binding *b = bindings; b->key; b++) {
		struct app app;
		struct err err = {0};
		unsigned reactions;
		assert_true(strlen(b->note) > 0);
		if (strcmp(b->command, "snapshot") == 0)
			continue; /* test_app_files.c */
		app_init(&app);
		if (!app_command(&app, b->command, &reactions, &err) &&
		    strstr(err.text, "no command"))
			fail_msg("%s: %s", b->key, err.text);
		app_release(&app);
	}
}

TEST(a_key_is_bound_once_in_a_context)
{
	for (const struct binding *b = bindings; b->key; b++)
		for (const struct binding *other = b + 1; other->key; other++)
			if (strcmp(b->key, other->key) == 0 &&
			    strcmp(b->context, other->context) == 0)
				fail_msg("%s in \"%s\"", b->key, b->context);
	static const char *const matrix[] = {"matrix", "", NULL}, *const permute[] = {"permute",
										      NULL};
	struct app app = {0};
	assert_string_equal(keymap_find(&app, matrix, "Enter")->command, "why");
	assert_string_equal(keymap_find(&app, matrix, "q")->command, "quit");
	assert_null(keymap_find(&app, permute, "J"));
	assert_null(keymap_find(&app, matrix, "nothing"));
}

/* The keys that are promised (but Space, which is a tour's and a view's). */
TEST(the_promised_keys_are_bound)
{
	static const char *const keys[] = {
		"?",	 ":",	   "q",		"Esc",	     "Ctrl-c", "Ctrl-z", "Ctrl-l", "Up",
		"Down",	 "Left",   "Right",	"h",	     "j",      "k",	 "l",	   "g",
		"G",	 "Home",   "End",	"PgUp",	     "PgDn",   "Tab",	 "/",	   "J",
		"K",	 "[",	   "]",		",",	     ".",      ";",	 "'",	   "<",
		">",	 "m",	   "a",		"d",	     "c",      "e",	 "p",	   "+",
		"-",	 "=",	   "i",		"w",	     "M",      "L",	 "z",	   "s",
		"u",	 "Ctrl-r", "Shift-Tab", "Backspace", "v",      "1",	 "2",	   "3",
		"4",	 "5",	   "6",		"7",	     "8",      "9",	 "n",	   "N",
		"x",	 "S",	   "O",		"F1",	     "F5",     "Z",	 "Ctrl-d", "Ctrl-u",
		"Enter", "C",	   "t"};
	static const char *const matrix[] = {"matrix", "", NULL};
	const struct app app = {0};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (!keymap_find(&app, matrix, keys[i]))
			fail_msg("%s is not bound", keys[i]);
	static const char *const terms[] = {"matrix", "terms", "", NULL};
	assert_string_equal(keymap_find(&app, terms, "Space")->command, "term");
	assert_null(keymap_find(&app, matrix, "Space"));
}

TEST_WITH(unknown_commands_get_a_suggestion, help_app_open, help_app_close)
{
	struct app *const app = *state;
	help_app_refuse(app, "q", "did you mean \"quit\""); /* alone in beginning so */
	help_app_refuse(app, "shufle", "did you mean \"shuffle\"");
	help_app_refuse(app, "haeds 4", "did you mean \"heads\"");
	help_app_refuse(app, "pick ropee", "rope");
	help_app_refuse(app, "undo twice", "takes no argument");
	assert_int_equal(help_app_run(app, ""), 0);
	assert_int_equal(help_app_run(app, "# a remark"), 0);
}

/* ---- fields ------------------------------------------------------------------------------ */

TEST_WITH(fields_are_commands, help_app_open, help_app_close)
{
	struct app *const app = *state;
	assert_true(help_app_run(app, "heads 8") & REACT_COMPUTE);
	assert_int_equal(app->scene.setup.heads, 8);
	help_app_run(app, "heads next");
	assert_int_equal(app->scene.setup.heads, 9);
	help_app_run(app, "proj next");
	assert_int_equal(app->scene.setup.proj, PROJ_TIED);
	assert_string_equal(app->message, "proj: tied");
	help_app_run(app, "proj prev");
	help_app_run(app, "proj prev");
	assert_int_equal(app->scene.setup.proj, PROJ_COUNT - 1);
	help_app_run(app, "sentence a b c");
	assert_string_equal(app->scene.setup.sentence, "a b c");
	help_app_run(app, "sentence next");
	assert_string_equal(app->scene.setup.sentence, "next");
	help_app_run(app, "sentence \" a \\\"b\\\" \\\\n \\n\"");
	assert_string_equal(app->scene.setup.sentence, " a \"b\" \\n \n");
	help_app_refuse(app, "sentence \"a", "not closed");
	help_app_refuse(app, "heads 0", "heads");
	help_app_refuse(app, "heads", "give N");
	const long most = (long)field_find("heads")->type.max;
	char range[32];
	snprintf(range, sizeof range, "heads is from 1 to %ld", most);
	app->scene.setup.heads = most;
	help_app_refuse(app, "heads next", range);
	assert_int_equal(app->scene.setup.heads, most);
	const unsigned figure = help_app_run(app, "scale sqrt");
	assert_true(figure & REACT_FIGURE && !(figure & REACT_COMPUTE));
	assert_true(help_app_run(app, "caption full") & REACT_FIGURE);
	assert_int_equal(app->scene.caption, CAPTION_FULL);
}

/* A switch without a word is turned, and the terminal hears of it. */
TEST_WITH(settings_are_commands, help_app_open, help_app_close)
{
	struct app *const app = *state;
	const bool first = app->settings.mouse;
	for (int i = 1; i <= 3; i++) {
		assert_true(help_app_run(app, "mouse") & REACT_TERMINAL);
		assert_int_equal(app->settings.mouse, first ^ (i % 2 == 1));
	}
	help_app_run(app, "mouse on");
	assert_true(app->settings.mouse);
	assert_string_equal(app->message, "mouse: on");
}

/* What scene_print writes is command lines: they rebuild the scene. */
TEST_WITH(printed_scenes_run_as_commands, help_app_open, help_app_close)
{
	struct app *const app = *state;
	help_app_run(app, "sentence \"x \\n  y\"");
	help_app_run(app, "scheme alibi");
	help_app_run(app, "cursor 2 1");
	help_app_run(app, "heads 8");
	struct app other;
	struct arena a;
	arena_init(&a);
	app_init(&other);
	char *text = arena_strdup(&a, scene_print(&app->scene, &a));
	for (char *line; (line = strsep(&text, "\n")) != NULL;)
		help_app_run(&other, line);
	assert_true(scene_equal(&app->scene, &other.scene));
	app_release(&other);
	arena_release(&a);
}

TEST_WITH(an_order_that_no_longer_fits_is_given_up, help_app_open, help_app_close)
{
	struct app *const app = *state;
	help_app_run(app, "sentence a b c");
	help_app_run(app, "order 2 3 1");
	help_app_run(app, "sentence x y z");
	assert_string_equal(app->scene.setup.order, "2 3 1");
	help_app_run(app, "sentence x y z w");
	assert_string_equal(app->scene.setup.order, "identity");
	assert_true(strstr(app->message, "order") != NULL);
	help_app_run(app, "order reverse");
	help_app_run(app, "sentence x y");
	assert_string_equal(app->scene.setup.order, "reverse");
}

/* ---- schemes ----------------------------------------------------------------------------- */

TEST_WITH(picking_keeps_masks, help_app_open, help_app_close)
{
	static const struct {
		const char *scheme, *line, *expected;
	} cases[] = {
		{"rope+causal", "pick sinusoidal", "sinusoidal+causal"},
		{"sinusoidal+shaw+causal", "pick rope", "rope+causal"},
		{"causal+rope", "pick none", "none+causal"},
		{"rope", "pick causal", "rope+causal"},
		{"rope+causal", "pick causal", "rope"},
		{"causal", "pick causal", "none"},
		{"rope(base=500)", "pick rope", "rope"},
		{"none", "add rope+causal", "rope+causal"},
		{"none", "add causal", "none+causal"},
		{"none+causal", "add rope", "causal+rope"},
		{"causal+none", "add rope", "causal+rope"},
		{"none+rope+causal", "remove 1", "rope+causal"},
		{"rope+causal", "remove", "rope"},
		{"rope", "remove", "none"},
	};
	struct app *const app = *state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char line[128];
		snprintf(line, sizeof line, "scheme %s", cases[i].scheme);
		help_app_run(app, line);
		help_app_run(app, cases[i].line);
		expect_scheme(app, cases[i].expected);
	}
	help_app_refuse(app, "remove", "nothing");
	help_app_run(app, "scheme rope+causal");
	help_app_refuse(app, "remove 3", "from 1 to 2");
	help_app_refuse(app, "add nosuch", "nosuch");
}

TEST_WITH(menus_show_what_is_listed, help_app_open, help_app_close)
{
	struct app *const app = *state;
	struct arena a;
	size_t n;
	arena_init(&a);
	help_app_run(app, "listed causal t5 rpr t5");
	assert_string_equal(app->scene.listed, "causal t5 shaw");
	const struct menu_item *const items = menu_items(&app->scene, &a, &n);
	assert_int_equal(n, 3);
	assert_string_equal(items[0].scheme->id, "shaw"); /* the menu's order */
	help_app_run(app, "scheme-next");
	help_app_run(app, "scheme-next");
	assert_string_equal(app->scene.setup.scheme, "t5+causal");
	help_app_run(app, "listed causal");
	help_app_refuse(app, "scheme-next", "listed all shows every one");
	help_app_refuse(app, "listed rope shawl", "no scheme");
	help_app_refuse(app, "listed all rope", "no scheme");
	help_app_run(app, "listed all");
	menu_items(&app->scene, &a, &n);
	assert_int_equal(n, scheme_count());
	arena_release(&a);
}

TEST_WITH(the_menu_goes_round_and_leaves_no_mask_behind, help_app_open, help_app_close)
{
	struct app *const app = *state;
	struct arena a;
	size_t n, masks = 0;
	arena_init(&a);
	const struct menu_item *const items = menu_items(NULL, &a, &n);
	assert_int_equal(n, scheme_count());
	for (size_t i = 0; i < n; i++)
		masks += (items[i].scheme->flags & SCHEME_BESIDE) != 0;
	help_app_run(app, "scheme rope+causal");
	for (size_t i = 0; i < n - masks; i++) {
		help_app_run(app, "scheme-next");
		assert_true(strstr(app->scene.setup.scheme, "causal") != NULL);
	}
	expect_scheme(app, "rope+causal");
	help_app_run(app, "scheme-next");
	help_app_run(app, "scheme-prev");
	expect_scheme(app, "rope+causal");
	assert_string_equal(menu_current(&app->scene)->id, "rope");
	arena_release(&a);
}

static bool is_causal(const char *text)
{
	struct arena a;
	struct expr e;
	struct err err;
	arena_init(&a);
	assert_true(expr_parse(&e, text, &a, &err));
	const bool causal = expr_is_causal(&e);
	arena_release(&a);
	return causal;
}

TEST_WITH(causal_goes_on_and_off, help_app_open, help_app_close)
{
	static const char *const schemes[] = {"rope",	      "rope+causal", "alibi",
					      "alibi+causal", "none",	     "causal",
					      "t5",	      "gauss",	     "sinusoidal+t5"};
	struct app *const app = *state;
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
		char line[128];
		snprintf(line, sizeof line, "scheme %s", schemes[i]);
		help_app_run(app, line);
		const bool was = is_causal(app->scene.setup.scheme);
		help_app_run(app, "causal");
		if (is_causal(app->scene.setup.scheme) == was)
			fail_msg("%s: %s", schemes[i], app->scene.setup.scheme);
		help_app_run(app, "causal");
		assert_int_equal(is_causal(app->scene.setup.scheme), was);
	}
}

/* Off leaves no mask, on is what +causal says, and pressed again the same two come back. */
TEST_WITH(causal_has_two_states, help_app_open, help_app_close)
{
	static const struct {
		const char *from, *off, *on;
	} rows[] = {
		{"rope+causal", "rope", "rope+causal"},
		{"alibi", "alibi(causal=off)", "alibi+causal"},
		{"alibi+causal", "alibi(causal=off)", "alibi+causal"},
		{"t5(causal=on)", "t5", "t5+causal"},
		{"window(causal=on)", "window", "window+causal"},
		{"rope(heads=1-2)+alibi(heads=3-4)", "rope(heads=1-2)+alibi(causal=off,heads=3-4)",
		 "rope(heads=1-2)+alibi(heads=3-4)+causal"},
		{"rope+causal(heads=1)", "rope", "rope+causal"},
	};
	struct app *const app = *state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char line[128];
		snprintf(line, sizeof line, "scheme %s", rows[i].from);
		help_app_run(app, line);
		for (size_t k = 0; k < 2; k++) {
			help_app_run(app, "causal");
			expect_scheme(app, rows[i].off);
			help_app_run(app, "causal");
			expect_scheme(app, rows[i].on);
		}
	}
	help_app_run(app, "scheme cope");
	help_app_refuse(app, "causal", "cope is defined with its causal mask");
}

TEST_WITH(a_member_is_chosen_by_head_or_by_number, help_app_open, help_app_close)
{
	struct app *const app = *state;
	struct arena a;
	arena_init(&a);
	help_app_run(app, "scheme rope(heads=1-2)+alibi(heads=3-4)+causal");
	assert_string_equal(app_param_text(app, &a), "layout interleaved");
	help_app_run(app, "head 3");
	assert_string_equal(app_param_text(app, &a), "causal on");
	help_app_run(app, "param factor 2");
	expect_scheme(app, "rope(heads=1-2)+alibi(factor=2,heads=3-4)+causal");
	help_app_refuse(app, "param base 3",
			"alibi has no parameter \"base\"; rope has it: member 1");
	help_app_run(app, "member next");
	assert_int_equal(app->scene.member, 3);
	help_app_run(app, "member next");
	help_app_run(app, "param base 3");
	expect_scheme(app, "rope(base=3,heads=1-2)+alibi(factor=2,heads=3-4)+causal");
	help_app_refuse(app, "member 4", "member: ");
	help_app_run(app, "pick sinusoidal");
	assert_int_equal(app->scene.member, 0);
	arena_release(&a);
}

TEST_WITH(parameters_step_and_return, help_app_open, help_app_close)
{
	struct app *const app = *state;
	struct arena a;
	arena_init(&a);
	help_app_run(app, "scheme rope+causal");
	help_app_run(app, "param base 500");
	expect_scheme(app, "rope(base=500)+causal");
	assert_string_equal(app_param_text(app, &a), "base 500");
	help_app_run(app, "param-step +1");
	assert_string_not_equal(app->scene.setup.scheme, "rope(base=500)+causal");
	help_app_run(app, "step -1"); /* as it was called */
	expect_scheme(app, "rope(base=500)+causal");
	help_app_run(app, "reset-param");
	expect_scheme(app, "rope+causal");
	const size_t chosen = app->param;
	help_app_run(app, "param-next");
	assert_int_not_equal(app->param, chosen);
	help_app_run(app, "param-prev");
	assert_int_equal(app->param, chosen);
	help_app_refuse(app, "param nosuch 1", "nosuch");
	help_app_refuse(app, "param base x", "base");
	help_app_refuse(app, "param-step 2", "give");
	help_app_run(app, "scheme none");
	assert_null(app_param_text(app, &a));
	help_app_refuse(app, "step +1", "no parameters");
	arena_release(&a);
}

/* ---- order ------------------------------------------------------------------------------- */

TEST_WITH(tokens_move, help_app_open, help_app_close)
{
	static const struct {
		const char *order, *line, *expected;
	} cases[] = {
		{"identity", "move 1 3", "2 3 1 4"},   {"identity", "move 4 2", "1 4 2 3"},
		{"2 3 1 4", "move 3 1", "identity"},   {"identity", "swap 1 4", "4 2 3 1"},
		{"identity", "reverse", "4 3 2 1"},    {"reverse", "reverse", "identity"},
		{"2 1 4 3", "restore", "identity"},    {"identity", "shuffle 7", "shuffle:7"},
		{"shuffle:7", "shuffle", "shuffle:8"}, {"identity", "shuffle", "shuffle:0"},
		{"identity", "move 2 2", "identity"},
	};
	struct app *const app = *state;
	help_app_run(app, "sentence a b c d");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char line[128];
		snprintf(line, sizeof line, "order %s", cases[i].order);
		help_app_run(app, line);
		help_app_run(app, cases[i].line);
		assert_string_equal(app->scene.setup.order, cases[i].expected);
	}
	help_app_refuse(app, "move 1 5", "position");
	help_app_refuse(app, "move 1", "FROM TO");
	help_app_refuse(app, "order 2 1", "3 is missing");
	help_app_refuse(app, "order 1 1 2 3", "1 appears twice");
	help_app_refuse(app, "order backwards", "identity, reverse");
	help_app_refuse(app, "file there-is-none.txt", "no such file");
	help_app_refuse(app, "sentence \"\"", "the sentence is empty");
	help_app_run(app, "file LICENSE");
	help_app_run(app, "sentence a b c d");
	assert_string_equal(app->scene.setup.file, "");
	help_app_refuse(app, "swap x y", "position");
}

/* ---- looking ----------------------------------------------------------------------------- */

TEST_WITH(the_cursor_stays_inside, help_app_open, help_app_close)
{
	struct app *const app = *state;
	app->shown.rows = 5;
	app->shown.cols = 3;
	help_app_run(app, "cursor 3 2");
	static const struct {
		const char *line;
		long row, col;
	} cases[] = {
		{"cursor up", 2, 2},	 {"cursor left", 2, 1},	     {"cursor left", 2, 1},
		{"cursor bottom", 5, 1}, {"cursor down", 5, 1},	     {"cursor last", 5, 3},
		{"cursor right", 5, 3},	 {"cursor page-up", 1, 3},   {"cursor page-down", 5, 3},
		{"cursor top", 1, 3},	 {"cursor first", 1, 1},     {"cursor off", 0, 0},
		{"cursor down", 1, 1},	 {"cursor half-down", 5, 1}, {"cursor half-up", 1, 1}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const unsigned reactions = help_app_run(app, cases[i].line);
		assert_false(reactions & REACT_COMPUTE);
		assert_int_equal(app->scene.row, cases[i].row);
		assert_int_equal(app->scene.col, cases[i].col);
	}
	app->shown.rows = 100; /* a page is what is seen of it */
	app->shown.page_rows = 30;
	help_app_run(app, "cursor page-down");
	assert_int_equal(app->scene.row, 31);
	help_app_run(app, "cursor half-down");
	assert_int_equal(app->scene.row, 46);
	help_app_run(app, "cursor half-up");
	assert_int_equal(app->scene.row, 31);
	app->shown.page_rows = 1;
	help_app_run(app, "cursor half-up");
	assert_int_equal(app->scene.row, 30);
	app->shown.rows = 5;
	app->shown.page_rows = 0;
	help_app_refuse(app, "cursor 6 1", "row");
	help_app_refuse(app, "cursor 1 4", "column");
	help_app_refuse(app, "cursor sideways", "give");
}

TEST_WITH(heads_and_matrices_go_round, help_app_open, help_app_close)
{
	struct app *const app = *state;
	help_app_run(app, "heads 4");
	/* Behind the last comes the mean of all. */
	assert_true(help_app_run(app, "head prev") & REACT_COMPUTE);
	assert_int_equal(app->scene.head, SCENE_MEAN);
	help_app_run(app, "head prev");
	assert_int_equal(app->scene.head, 4);
	help_app_run(app, "head next");
	help_app_run(app, "head next");
	assert_int_equal(app->scene.head, 1);
	help_app_run(app, "layers 2");
	help_app_run(app, "layer mean");
	assert_int_equal(app->scene.layer, SCENE_MEAN);
	assert_non_null(strstr(scene_print(&app->scene, &app->arena), "layer mean\n"));
	help_app_run(app, "layer next");
	assert_int_equal(app->scene.layer, 1);
	help_app_refuse(app, "head middle", "whole number");
	help_app_refuse(app, "head 5", "head");
	help_app_run(app, "head 4");
	help_app_run(app, "heads 2");
	assert_int_equal(app->scene.head, 2);
	for (int i = 0; i < MATRIX_COUNT - 1; i++) {
		help_app_run(app, "matrix next");
		assert_int_not_equal(app->scene.matrix, MATRIX_BIAS);
	}
	assert_int_equal(app->scene.matrix, MATRIX_WEIGHTS);
	help_app_run(app, "probe next");
	assert_string_equal(app->scene.setup.probe, "off");
	help_app_run(app, "probe next");
	assert_string_equal(app->scene.setup.probe, "ones");
	help_app_run(app, "colormap next");
	assert_string_not_equal(app->scene.colormap, "auto");
	help_app_run(app, "colormap prev");
	assert_string_equal(app->scene.colormap, "auto");
	help_app_refuse(app, "colormap nosuch", "colour map");
	app->shown.lo = -3;
	app->shown.hi = 3;
	help_app_run(app, "lock");
	assert_true(app->scene.lock && app->scene.lock_lo < -2.9 && app->scene.lock_hi > 2.9);
}

/* ---- completion -------------------------------------------------------------------------- */

/* ---- weights, and numbers of a formula ---- */

static void expect_param(const struct app *app, const char *text)
{
	struct arena a;
	arena_init(&a);
	assert_string_equal(app_param_text(app, &a), text);
	arena_release(&a);
}

TEST_WITH(weights_are_moved_like_parameters, help_app_open, help_app_close)
{
	struct app *const app = *state;
	help_app_run(app, "scheme 0.5*t5+0.5*alibi");
	expect_param(app, "weight 0.5");
	help_app_run(app, "param-step +1");
	help_app_run(app, "param-step +1");
	expect_scheme(app, "0.7*t5+0.5*alibi");
	help_app_run(app, "undo"); /* of both steps */
	expect_scheme(app, "0.5*t5+0.5*alibi");
	help_app_run(app, "member next");
	for (size_t i = 0; i < 7; i++)
		help_app_run(app, "param-step -1");
	expect_scheme(app, "0.5*t5+-0.2*alibi");
	help_app_run(app, "param-next");
	expect_param(app, "causal on");
	help_app_run(app, "param-prev");
	expect_param(app, "weight -0.2");
	help_app_run(app, "value 3");
	expect_scheme(app, "0.5*t5+3*alibi");
	help_app_run(app, "reset-param");
	expect_scheme(app, "0.5*t5+alibi");
	expect_param(app, "weight 1");
	help_app_run(app, "param-step +1");
	expect_scheme(app, "0.5*t5+1.1*alibi");
	help_app_refuse(app, "param weight nan", "weight");
	help_app_refuse(app, "param weight 1e7", "out of range");
}

TEST_WITH(a_weight_is_listed_where_it_can_be, help_app_open, help_app_close)
{
	struct app *const app = *state;
	const char *all[APP_PARAMS];
	struct arena a;
	arena_init(&a);
	help_app_run(app, "scheme alibi+causal");
	assert_int_equal(app_params(app, &a, all, APP_PARAMS), 4);
	help_app_run(app, "scheme alibi+rope");
	assert_int_equal(app_params(app, &a, all, APP_PARAMS), 5);
	assert_string_equal(all[4], "weight 1");
	expect_param(app, "causal on"); /* without a weight the first is the obvious one */
	help_app_run(app, "member next");
	const size_t n = app_params(app, &a, all, APP_PARAMS);
	for (size_t i = 0; i < n; i++)
		assert_null(strstr(all[i], "weight"));
	help_app_refuse(app, "param weight 0.5", "rope rotates or changes queries and keys");
	/* One alone that has just come to 1 stays, so that the next step is one of it. */
	help_app_run(app, "scheme 0.9*alibi");
	help_app_run(app, "member 0");
	help_app_run(app, "param-step +1");
	expect_scheme(app, "alibi");
	expect_param(app, "weight 1");
	help_app_run(app, "param-step +1");
	expect_scheme(app, "1.1*alibi");
	/* kerple_power has a parameter of that name: its values are words. */
	help_app_run(app, "scheme 0.5*kerple_power");
	help_app_run(app, "param weight 0.25");
	expect_scheme(app, "0.25*kerple_power");
	help_app_refuse(app, "param weight a", "kerple_power changes logits");
	help_app_run(app, "param weight 1");
	help_app_run(app, "param weight a");
	expect_scheme(app, "kerple_power(weight=a)");
	arena_release(&a);
}

TEST_WITH(numbers_of_a_formula_are_moved_like_parameters, help_app_open, help_app_close)
{
	struct app *const app = *state;
	const char *all[APP_PARAMS];
	struct arena a;
	arena_init(&a);
	help_app_run(app, "scheme formula(b=-a*abs(s-t)^p,a=0.1)");
	assert_int_equal(app_params(app, &a, all, APP_PARAMS), 4);
	assert_string_equal(all[0], "b -a*abs(s-t)^p");
	assert_string_equal(all[3], "p 1");
	expect_param(app, "a 0.1");
	static const char *const up[] = {"0.12", "0.15", "0.2", "0.25", "0.3", "0.4",
					 "0.5",	 "0.6",	 "0.8", "1",	"1.2"};
	for (size_t i = 0; i < sizeof up / sizeof *up; i++) {
		help_app_run(app, "param-step +1");
		expect_param(app, arena_printf(&a, "a %s", up[i]));
	}
	for (size_t i = sizeof up / sizeof *up - 1; i-- > 0;) {
		help_app_run(app, "param-step -1");
		expect_param(app, arena_printf(&a, "a %s", up[i]));
	}
	help_app_run(app, "undo");
	expect_scheme(app, "formula(b=-a*abs(s-t)^p,a=0.1)");
	/* between two of the series; below 0, where more is towards it; from 0 */
	help_app_run(app, "param a 0.13");
	help_app_run(app, "param-step -1");
	expect_param(app, "a 0.12");
	help_app_run(app, "param a -0.13");
	help_app_run(app, "param-step +1");
	expect_param(app, "a -0.12");
	help_app_run(app, "param-step -1");
	expect_param(app, "a -0.15");
	help_app_run(app, "param a 0");
	help_app_run(app, "param-step -1");
	expect_scheme(app, "formula(b=-a*abs(s-t)^p,a=-0.1)");
	help_app_run(app, "param a 1e-9");
	help_app_refuse(app, "param-step -1", "a is 1e-9, the least that it can be; + goes back");
	help_app_run(app, "param a 1e6");
	help_app_refuse(app, "param-step +1", "a is 1000000, the most that it can be; - goes back");
	/* A letter that is no more in b goes with it; one that is not there cannot be given. */
	help_app_run(app, "param b -p*abs(s-t)");
	expect_scheme(app, "formula(b=-p*abs(s-t))");
	help_app_refuse(app, "param a 2", "a is given, and no a is in b");
	help_app_refuse(app, "scheme formula(b=t,k=2)", "k is given, and no k is in b");
	/* the same by a name of one's own */
	help_app_run(app, "define slope formula(b=-m*abs(s-t),m=0.5)");
	help_app_run(app, "scheme 0.5*slope");
	help_app_run(app, "param m 0.25");
	help_app_run(app, "param-step +1");
	expect_scheme(app, "0.5*formula(b=-m*abs(s-t),m=0.3)");
	help_app_run(app, "undefine slope");
	arena_release(&a);
}

static bool completes(const struct app *app, const char *line, const char *expected)
{
	struct arena a;
	size_t n;
	bool there = false;
	arena_init(&a);
	const char *const *const all = help_app_completions(app, line, &a, &n);
	for (size_t i = 0; i < n && !there; i++)
		there = strcmp(all[i], expected) == 0;
	arena_release(&a);
	return there;
}

static bool is_first(const struct app *app, const char *line, const char *expected)
{
	struct arena a;
	arena_init(&a);
	size_t n;
	const char *const *const all = help_app_completions(app, line, &a, &n);
	const bool is = n > 0 && strcmp(all[0], expected) == 0;
	arena_release(&a);
	return is;
}

TEST_WITH(lines_complete, help_app_open, help_app_close)
{
	struct app *const app = *state;
	assert_true(completes(app, "shu", "shuffle"));
	assert_true(is_first(app, "sch", "scheme")); /* before scheme-next */
	assert_true(completes(app, "sent", "sentence"));
	assert_true(completes(app, "pick ro", "pick rope"));
	assert_true(completes(app, "scheme rope+cau", "scheme rope+causal"));
	assert_true(completes(app, "scheme 0.5*ali", "scheme 0.5*alibi"));
	assert_true(completes(app, "scheme rope+0.5*ali", "scheme rope+0.5*alibi"));
	assert_false(completes(app, "scheme 0.5*ro", "scheme 0.5*rope")); /* it takes no weight */
	assert_true(completes(app, "scheme 0.5*t5+ro", "scheme 0.5*t5+rope"));
	assert_true(completes(app, "scheme 0.5*t5(bu", "scheme 0.5*t5(buckets="));
	assert_true(completes(app, "proj ra", "proj random"));
	assert_true(completes(app, "caption f", "caption full"));
	assert_true(completes(app, "param b", "param base"));
	assert_true(completes(app, "colormap vir", "colormap viridis"));
	assert_true(completes(app, "gly", "glyphs"));
	assert_true(completes(app, "glyphs a", "glyphs ascii"));
	assert_true(completes(app, "mouse o", "mouse off"));
	assert_true(completes(app, "view ", "view explore"));
	assert_true(completes(app, "grid c", "grid cells"));
	assert_true(completes(app, "cursor half", "cursor half-down"));
	assert_true(completes(app, "bind mat", "bind matrix"));
	assert_true(completes(app, "bind F", "bind F5"));
	assert_true(completes(app, "bind matrix Ctrl-n", "bind matrix Ctrl-n"));
	assert_true(completes(app, "bind matrix Ctrl-n sch", "bind matrix Ctrl-n scheme-next"));
	assert_true(completes(app, "bind x proj ra", "bind x proj random"));
	assert_true(completes(app, "unbind PgU", "unbind PgUp"));
	assert_false(completes(app, "bind ", "bind Ctrl-c"));
	assert_false(completes(app, "unbind x un", "unbind x undo"));
	assert_false(completes(app, "zzz", "zoom"));
	assert_false(completes(app, "undo ", "undo x"));
}

/* ---- worker and snapshots ---------------------------------------------------------------- */

/* Waits for a result of a kind; fails after half a minute. */
static struct result *await(struct worker *w, enum result_kind kind)
{
	for (int i = 0; i < 30000; i++) {
		struct result *const r = worker_take(w, kind);
		if (r)
			return r;
		usleep(1000);
	}
	fail_msg("no result of kind %d", (int)kind);
	return NULL;
}

TEST_WITH(the_worker_hands_over_the_newest_scene, help_app_open, help_app_close)
{
	struct app *const app = *state;
	struct worker *const w = worker_new();
	for (int i = 1; i <= 40; i++) {
		char line[32];
		snprintf(line, sizeof line, "seed %d", i);
		help_app_run(app, line);
		worker_submit(w, &app->scene);
	}
	struct result *r = NULL;
	do
		r = await(w, RESULT_PICTURE);
	while (r->scene.setup.seed != 40);
	assert_true(r->ok);
	assert_int_equal(r->picture.trace.query.n, 9);
	/* Measures are made when they are asked for, the first ones first. */
	struct result *m;
	worker_submit_measures(w, &app->scene, MEASURED_ALL, MEASURED_SHIFT_RANDOM);
	do {
		m = await(w, RESULT_MEASURES);
		assert_true(m->ok && m->scene.setup.seed == 40);
		assert_true(m->measures.known & MEASURED_SHIFT_RANDOM);
	} while (m->measures.known != MEASURED_ALL);
	assert_true(m->measures.equivariance.there);
	/* A failure does not take away what is looked at. */
	help_app_run(app, "heads 5");
	worker_submit(w, &app->scene);
	const struct result *const failed = await(w, RESULT_PICTURE);
	assert_false(failed->ok);
	assert_true(strstr(failed->err.text, "heads") != NULL);
	assert_int_equal(r->scene.setup.seed, 40);
	assert_int_equal(r->picture.trace.query.n, 9);
	worker_free(w);
}

/* Of the 2×2 matrix [1 −2; ~ 3] with ~ masked: min −2, max 3, norm √14. */
TEST(matrices_are_told_by_their_numbers)
{
	double values[] = {1, -2, 100, 3};
	const uint8_t masked[] = {0, 0, 1, 0};
	struct figure f = {.n = 1};
	struct arena a;
	arena_init(&a);
	f.panels[0] = (struct panel){.kind = PANEL_HEATMAP, .title = "A"};
	f.panels[0].heatmap.values = mat_view(values, 2, 2);
	f.panels[0].heatmap.masked = masked;
	const char *const text = snapshot_matrices(&f, &a);
	assert_true(strstr(text, "\"min\":-2") != NULL);
	assert_true(strstr(text, "\"max\":3") != NULL);
	assert_true(strstr(text, "\"norm\":3.74165738677394") != NULL);
	values[2] = 7; /* a masked entry counts for nothing */
	assert_string_equal(snapshot_matrices(&f, &a), text);
	values[0] = 1.5;
	assert_string_not_equal(snapshot_matrices(&f, &a), text);
	arena_release(&a);
}

/* ---- why ------------------------------------------------------------------------------------------ */

/* There and back: to the view, the pane and the expression that it came from. */
TEST(why_goes_back_to_where_it_was_opened)
{
	struct app app;
	app_init(&app);
	help_app_run(&app, "scheme t5");
	help_app_run(&app, "view terms");
	app.pane = 2;
	help_app_run(&app, "why");
	assert_string_equal(app.scene.view, "why");
	assert_int_equal(app.pane, 0);
	help_app_run(&app, "cursor 3 4");
	help_app_run(&app, "why");
	assert_string_equal(app.scene.view, "terms");
	assert_int_equal(app.pane, 2);
	assert_string_equal(app.scene.setup.scheme, "t5");
	assert_int_equal(app.scene.row, 3);
	/* Another scheme chosen meanwhile is the user's. */
	help_app_run(&app, "why");
	help_app_run(&app, "scheme rope");
	help_app_run(&app, "why");
	assert_string_equal(app.scene.view, "terms");
	assert_string_equal(app.scene.setup.scheme, "rope");
	help_app_run(&app, "why");
	help_app_run(&app, "view order");
	/* Who came by its number goes to the first view; undo takes it back. */
	help_app_run(&app, "view why");
	help_app_run(&app, "why");
	assert_string_equal(app.scene.view, "explore");
	help_app_run(&app, "undo");
	assert_string_equal(app.scene.view, "why");
	help_app_run(&app, "view table");
	help_app_refuse(&app, "why", "no cell");
	app_release(&app);
}
