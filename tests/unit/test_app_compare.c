/* test_app_compare.c: which expressions are compared: pinned, exchanged, taken away, and what of them is
 * shown. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_app.h"
#include "posviz/picture/picture.h"

FIXTURE(help_app_open, help_app_close)

static void expect(const struct app *app, const char *scheme, const char *compare)
{
	assert_string_equal(app->scene.setup.scheme, scheme);
	assert_string_equal(app->scene.setup.compare, compare);
}

static void expect_said(const struct app *app, const char *part)
{
	if (!strstr(app->message, part))
		fail_msg("\"%s\" does not say \"%s\"", app->message, part);
}

TEST(a_pinned_scheme_stays_while_another_is_chosen)
{
	struct app *const app = *state;
	help_app_run(app, "scheme rope+causal");
	assert_true(help_app_run(app, "pin") & REACT_COMPUTE);
	assert_string_equal(app->scene.view, "compare");
	expect(app, "rope+causal", "rope+causal");
	expect_said(app, "rope+causal is pinned as 2; choose another with / or J K");
	help_app_run(app, "pin");
	expect(app, "rope+causal", "rope+causal");
	expect_said(app, "already, as 2");
	help_app_run(app, "pick alibi");
	expect(app, "alibi+causal", "rope+causal");
	help_app_run(app, "pin");
	expect_said(app, "as 3");
	help_app_run(app, "pick t5");
	help_app_run(app, "pin");
	help_app_run(app, "add shaw");
	expect(app, "t5+causal+shaw", "rope+causal; alibi+causal; t5+causal");
	help_app_refuse(app, "pin", "4 are compared already");
	help_app_refuse(app, "pin rope", "takes no argument");
	for (int i = 0; i < 6; i++)
		help_app_run(app, "undo");
	expect(app, "rope+causal", "none");
	assert_string_equal(app->scene.view, "explore");
	for (int i = 0; i < 6; i++)
		help_app_run(app, "redo");
	expect(app, "t5+causal+shaw", "rope+causal; alibi+causal; t5+causal");
}

/* With nothing left to compare the view before Compare comes back, for in Compare the scheme would stand
 * beside one that nobody chose. */
TEST(the_last_pin_leads_back)
{
	static const struct {
		const char *from, *to, *unpin, *back;
	} rows[] = {{"order", "pin", "unpin", "order"},
		    {"terms", "pin", "unpin all", "terms"},
		    {"heads", "view compare", "unpin", "heads"},
		    {"why", "view compare", "unpin", "explore"}};
	struct app *const app = *state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		help_app_run(app, "scheme t5");
		help_app_run(app, "compare none");
		char line[32];
		snprintf(line, sizeof line, "view %s", rows[i].from);
		help_app_run(app, line);
		help_app_run(app, rows[i].to);
		help_app_run(app, "compare rope; shaw");
		help_app_run(app, "scheme alibi");
		if (strcmp(rows[i].unpin, "unpin all") != 0) {
			help_app_run(app, "unpin");
			assert_string_equal(app->scene.view, "compare");
		}
		help_app_run(app, rows[i].unpin);
		assert_string_equal(app->scene.view, rows[i].back);
		assert_string_equal(app->message, "nothing is pinned any more: alibi alone");
		expect(app, "alibi", "none");
	}
	/* Elsewhere one stays where one is; a step back undoes both. */
	help_app_run(app, "compare rope");
	help_app_run(app, "view table");
	help_app_run(app, "unpin");
	assert_string_equal(app->scene.view, "table");
	help_app_run(app, "compare rope");
	help_app_run(app, "view compare");
	help_app_run(app, "unpin");
	help_app_run(app, "undo");
	assert_string_equal(app->scene.view, "compare");
	expect(app, "alibi", "rope");
}

TEST(those_compared_change_by_number)
{
	static const struct {
		const char *before, *line, *scheme, *after, *says;
	} rows[] = {
		{"rope; t5; shaw", "unpin", "alibi", "rope; t5", "shaw is not compared"},
		{"rope; t5; shaw", "unpin 2", "alibi", "t5; shaw", "rope is not"},
		{"rope; t5; shaw", "unpin 4", "alibi", "rope; t5", "shaw is not"},
		{"rope; t5; shaw", "unpin all", "alibi", "none", "nothing is pinned"},
		{"rope", "unpin", "alibi", "none", "nothing is pinned"},
		{"rope", "front", "rope", "alibi", "rope is 1 now, it was 2; + - a d c change it"},
		{"rope; t5", "front 3", "t5", "rope; alibi", "it was 3"},
		{"rope; t5; none", "front 4", "none", "rope; t5; alibi", "none is 1"},
		/* The scheme called none, and nothing to compare with. */
		{"none()", "front", "none", "alibi", "none is 1"},
		{"rope; none", "unpin 2", "alibi", "none()", "rope is not"},
		{"none", "compare t5(buckets=16) ; rope", "alibi", "t5(buckets=16); rope",
		 "view compare"},
		{"rope", "compare none", "alibi", "none", ""},
	};
	struct app *const app = *state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char line[128];
		help_app_run(app, "scheme alibi");
		snprintf(line, sizeof line, "compare %s", rows[i].before);
		help_app_run(app, line);
		app->message[0] = '\0';
		help_app_run(app, rows[i].line);
		if (strcmp(app->scene.setup.scheme, rows[i].scheme) != 0 ||
		    strcmp(app->scene.setup.compare, rows[i].after) != 0)
			fail_msg("%s: %s | %s", rows[i].line, app->scene.setup.scheme,
				 app->scene.setup.compare);
		expect_said(app, rows[i].says);
	}
}

TEST(the_scheme_without_position_can_be_compared)
{
	struct app *const app = *state;
	const char *all[COMPARE_MAX];
	struct arena a;
	arena_init(&a);
	help_app_run(app, "scheme none");
	help_app_run(app, "pin");
	help_app_run(app, "pick rope");
	assert_int_equal(scene_compared(&app->scene.setup, &a, all), 2);
	assert_string_equal(all[0], "rope");
	assert_string_equal(all[1], "none");
	struct scene read;
	struct err err = {0};
	assert_true(scene_parse(&read, scene_print(&app->scene, &a), &err));
	assert_true(scene_equal(&read, &app->scene));
	arena_release(&a);
}

TEST(wrong_numbers_and_expressions_are_refused)
{
	static const struct {
		const char *line, *says;
	} rows[] = {
		{"unpin 1", "from 2 to 3"},
		{"unpin 4", "from 2 to 3"},
		{"front 1", "from 2 to 3"},
		{"front x", "front: "},
		{"pair 1-4", "there is no 4; 3 expressions are compared"},
		{"pair 4-5", "pair"},
		{"pair", "give A-B|next|prev"},
		{"compare rope; ropee", "did you mean \"rope\""},
		{"compare rope; rope; rope; rope", "at most 3"},
		{"compare", "give EXPR; @ SENTENCE"},
		{"reach 9", "from 0 to 8"},
	};
	struct app *const app = *state;
	help_app_refuse(app, "unpin", "nothing is pinned");
	help_app_refuse(app, "front", "nothing is pinned");
	help_app_run(app, "compare rope");
	help_app_refuse(app, "unpin 3", "unpin: there is number 2 alone");
	help_app_run(app, "compare rope; t5");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		help_app_refuse(app, rows[i].line, rows[i].says);
}

TEST(only_pairs_that_exist_are_gone_through)
{
	static const char *const of_three[] = {"1-3", "2-3", "1-2"}, *const of_four[] = {
									     "3-4", "2-4", "2-3",
									     "1-4", "1-3", "1-2"};
	struct app *const app = *state;
	help_app_run(app, "pair next");
	assert_int_equal(app->scene.pair, 0);
	expect_said(app, "the only pair");
	help_app_run(app, "compare rope; t5");
	for (size_t i = 0; i < 3; i++) {
		assert_false(help_app_run(app, "pair next") & REACT_COMPUTE);
		assert_string_equal(pair_names[app->scene.pair], of_three[i]);
	}
	expect_said(app, "difference 1-2: rope+causal and rope");
	help_app_run(app, "compare rope; t5; shaw");
	for (size_t i = 0; i < 6; i++) {
		help_app_run(app, "pair prev");
		assert_string_equal(pair_names[app->scene.pair], of_four[i]);
	}
	/* The other way round it is the same pair. */
	help_app_run(app, "pair 3-1");
	assert_string_equal(pair_names[app->scene.pair], "1-3");
	assert_string_equal(app_pair_name("2-1"), "1-2");
	assert_string_equal(app_pair_name("1-1"), "1-1");
	/* What one of the pair goes with goes too. */
	help_app_run(app, "pair 1-4");
	help_app_run(app, "unpin 2");
	assert_string_equal(pair_names[app->scene.pair], "1-2");
	help_app_run(app, "undo");
	assert_string_equal(pair_names[app->scene.pair], "1-4");
}

TEST(reach_doubles_and_returns)
{
	static const long steps[] = {2, 4, 8, 0, 2};
	struct app *const app = *state;
	help_app_run(app, "t-max 64");
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		help_app_run(app, "reach next");
		assert_int_equal(app->scene.reach, steps[i]);
	}
	expect_said(app, "2 times t-max, 128");
	help_app_run(app, "reach prev");
	expect_said(app, "as far as the tokens");
	help_app_run(app, "reach 3");
	help_app_run(app, "reach next");
	assert_int_equal(app->scene.reach, 4);
}

/* With a picture the focus says which is meant, and what the view chose itself can be taken over. */
TEST(the_matrix_with_the_focus_is_meant)
{
	struct app *const app = *state;
	struct picture *const p = calloc(1, sizeof *p);
	const struct scene scene = app->scene;
	help_app_run(app, "scheme alibi");
	help_app_run(app, "compare rope; t5; shaw");
	help_app_run(app, "view compare");
	p->n_compared = 4;
	app->shown = (struct shown){.scene = &scene, .picture = p};
	app->pane = 3;
	assert_string_equal(app_focused(app).setup.scheme, "t5");
	assert_string_equal(app_focused(app).setup.compare, "rope; t5; shaw");
	help_app_run(app, "front");
	expect(app, "t5", "rope; alibi; shaw");
	help_app_run(app, "front");
	expect(app, "alibi", "rope; t5; shaw");
	help_app_run(app, "unpin");
	expect(app, "alibi", "rope; shaw");
	app->pane = 0; /* the difference */
	assert_string_equal(app_focused(app).setup.scheme, "alibi");
	help_app_run(app, "unpin");
	expect(app, "alibi", "rope");
	app->pane = 5; /* the curves */
	help_app_run(app, "front");
	expect(app, "rope", "alibi");
	help_app_run(app, "compare none");
	/* The picture may come later than the next key. */
	struct scene before = app->scene;
	before.setup.compare = "alibi";
	app->shown.scene = &before;
	app->pane = 0;
	help_app_refuse(app, "unpin", "nothing is pinned any more");
	app->pane = 5;
	const struct scene alone = app->scene;
	p->n_compared = 2;
	p->compared[0].expression = "rope";
	p->compared[1].expression = "sinusoidal";
	app->shown.scene = &alone;
	help_app_refuse(app, "unpin", "nothing is pinned");
	help_app_run(app, "front");
	expect(app, "sinusoidal", "rope");
	free(p);
}

/* ---- inputs -------------------------------------------------------------------------------- */

TEST(a_kept_input_stays_while_another_is_typed)
{
	struct app *const app = *state;
	help_app_run(app, "scheme sinusoidal");
	help_app_run(app, "sentence dog bites man");
	assert_true(help_app_run(app, "pin-input") & REACT_COMPUTE);
	assert_string_equal(app->scene.view, "compare");
	expect(app, "sinusoidal", "@ dog bites man");
	expect_said(app, "this input is kept as 2; e edits 1, p moves its words");
	help_app_run(app, "pin-input");
	expect_said(app, "kept already, as 2");
	help_app_run(app, "sentence man bites dog");
	help_app_run(app, "order reverse");
	help_app_run(app, "pin-input");
	expect(app, "sinusoidal", "@ dog bites man; @ man bites dog @order reverse");
	/* The scheme is that which is looked at, whatever it is. */
	help_app_run(app, "pick rope");
	expect(app, "rope", "@ dog bites man; @ man bites dog @order reverse");
	help_app_run(app, "pin");
	help_app_run(app, "sentence x");
	help_app_refuse(app, "pin-input", "4 are compared already");
	help_app_run(app, "unpin 2");
	expect(app, "rope", "@ man bites dog @order reverse; rope");
	for (int i = 0; i < 8; i++)
		help_app_run(app, "undo");
	expect(app, "sinusoidal", "none");
	assert_string_equal(app->scene.setup.sentence, "dog bites man");
	for (int i = 0; i < 8; i++)
		help_app_run(app, "redo");
	expect(app, "rope", "@ man bites dog @order reverse; rope");
}

TEST(an_input_comes_to_the_front)
{
	static const struct {
		const char *before, *line, *scheme, *sentence, *order, *after;
	} rows[] = {
		{"@ x y", "front", "alibi", "x y", "identity", "@ a b c @order 2 1 3"},
		{"rope @ x y; t5", "front 2", "rope", "x y", "identity",
		 "alibi @ a b c @order 2 1 3; t5 @ a b c @order 2 1 3"},
		{"@order reverse; t5", "front", "alibi", "a b c", "reverse",
		 "@order 2 1 3; t5 @order 2 1 3"},
		{"@order reverse; @ x y", "front 3", "alibi", "x y", "identity",
		 "@ a b c @order reverse; @ a b c @order 2 1 3"},
		{"rope; @ x y", "front 2", "rope", "a b c", "2 1 3", "alibi; @ x y"},
	};
	struct app *const app = *state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char line[64];
		help_app_run(app, "scheme alibi");
		help_app_run(app, "sentence a b c");
		help_app_run(app, "order 2 1 3");
		snprintf(line, sizeof line, "compare %s", rows[i].before);
		help_app_run(app, line);
		help_app_run(app, rows[i].line);
		expect(app, rows[i].scheme, rows[i].after);
		assert_string_equal(app->scene.setup.sentence, rows[i].sentence);
		assert_string_equal(app->scene.setup.order, rows[i].order);
	}
}

TEST(inputs_that_cannot_be_are_refused)
{
	struct app *const app = *state;
	help_app_run(app, "sentence a b c");
	help_app_refuse(app, "compare rope; @order 2 1", "compare: @order 2 1: order: ");
	help_app_refuse(app, "compare @order 2 1", "every number from 1 to 3");
	help_app_refuse(app, "compare @ x y @order 1 2 3", "compare: @ x y @order 1 2 3: order: ");
	help_app_refuse(app, "compare @file no-such-file", "compare: @file no-such-file: ");
	help_app_refuse(app, "compare sinusoidal @", "no sentence stands behind @");
	help_app_refuse(app, "pin-input x", "takes no argument");
	help_app_run(app, "compare @ \"a; b\" @order reverse");
	expect(app, "rope+causal", "@ \"a; b\" @order reverse");
	help_app_run(app, "tree (S (A a) (B b))");
	help_app_refuse(app, "compare @ x y", "it has words of its own, and a tree is given");
	/* A tree is kept as it is given, and whatever is typed stands beside it. */
	help_app_run(app, "compare none");
	help_app_run(app, "pin-input");
	help_app_run(app, "sentence b a");
	expect(app, "rope+causal", "@tree (S (A a) (B b))");
}

/* What is looked at of a pane with the focus is of its input, on the same two words; and back. */
TEST(why_is_asked_of_the_input_with_the_focus)
{
	struct app *const app = *state;
	struct picture *const p = calloc(1, sizeof *p);
	struct err err = {""};
	struct arena a;
	arena_init(&a);
	help_app_run(app, "scheme sinusoidal");
	help_app_run(app, "sentence dog bites man");
	help_app_run(app, "compare @ the man bites dog");
	help_app_run(app, "view compare");
	help_app_run(app, "cursor 1 2");
	const struct scene scene = app->scene;
	if (!picture_make(&scene, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &a, p, &err))
		fail_msg("%s", err.text);
	app->shown = (struct shown){.scene = &scene, .picture = p};
	app->pane = 2;
	help_app_run(app, "why");
	assert_string_equal(app->scene.setup.sentence, "the man bites dog");
	assert_true(app->scene.row == 4 && app->scene.col == 3);
	help_app_run(app, "heads 2");
	help_app_run(app, "why");
	assert_string_equal(app->scene.view, "compare");
	assert_string_equal(app->scene.setup.sentence, "dog bites man");
	assert_true(app->scene.row == 1 && app->scene.col == 2);
	assert_int_equal(app->scene.setup.heads, 2);
	expect(app, "sinusoidal", "@ the man bites dog");
	free(p);
	arena_release(&a);
}

/* ---- typing -------------------------------------------------------------------------------- */

static bool offers(const struct app *app, const char *line, const char *wanted)
{
	struct arena a;
	size_t n;
	bool found = false;
	arena_init(&a);
	const char **const all = help_app_completions(app, line, &a, &n);
	for (size_t i = 0; i < n; i++)
		found |= strcmp(all[i], wanted) == 0;
	arena_release(&a);
	return found;
}

TEST(lists_of_expressions_are_completed)
{
	static const struct {
		const char *line, *becomes;
		bool yes;
	} rows[] = {
		{"compare ro", "compare rope", true},
		{"compare no", "compare none", true},
		{"compare rope; ali", "compare rope; alibi", true},
		{"compare rope;ali", "compare rope;alibi", true},
		{"compare rope; t5+cau", "compare rope; t5+causal", true},
		{"compare rope @o", "compare rope @order", true},
		{"compare @order re", "compare @order reverse", true},
		{"compare @ ro", "compare @ rope", false},
		{"compare @ a; ro", "compare @ a; rope", true},
		{"unpin ", "unpin 3", true},
		{"unpin ", "unpin 4", false},
		{"unpin a", "unpin all", true},
		{"front ", "front 2", true},
		{"pair ", "pair 2-3", true},
		{"pair 1", "pair 1-4", false},
		{"reach n", "reach next", true},
		{"help Pg", "help PgUp", true},
	};
	struct app *const app = *state;
	help_app_run(app, "compare rope; t5");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (offers(app, rows[i].line, rows[i].becomes) != rows[i].yes)
			fail_msg("%s: %s", rows[i].line, rows[i].becomes);
}

/* Of a key the name that was typed: what it does depends on the pane. */
TEST(help_is_asked_of_a_key)
{
	struct app *const app = *state;
	help_app_run(app, "help pgup");
	assert_int_equal(app->request, REQUEST_HELP);
	assert_string_equal(app->request_text, "pgup");
	help_app_run(app, "help");
	assert_null(app->request_text);
	help_app_refuse(app, "help Entr", "did you mean \"Enter\"");
}
