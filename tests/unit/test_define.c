/* test_define.c: names of the user's own: what they stand for, where they are known, and that they
 * are kept. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_app.h"
#include "help_cli.h"

static struct arena arena;

static void forget_all(void)
{
	const struct scheme *s;
	while ((s = define_at(0)) != NULL)
		assert_true(define_remove(s->id, NULL));
}

static int open_app(void **state)
{
	arena_init(&arena);
	return help_app_open(state);
}

static int close_app(void **state)
{
	forget_all();
	arena_release(&arena);
	return help_app_close(state);
}

static const char *canonical(const char *text)
{
	struct expr e;
	struct err err = {""};
	if (!expr_parse(&e, text, &arena, &err))
		fail_msg("%s: %s", text, err.text);
	return expr_print(&e, &arena);
}

static void refused(const char *name, const char *expression, const char *part)
{
	struct err err = {""};
	if (define_set(name, expression, &err))
		fail_msg("%s was defined", name);
	if (!strstr(err.text, part))
		fail_msg("%s: %s", name, err.text);
}

TEST_WITH(a_name_stands_for_its_members, open_app, close_app)
{
	assert_true(define_set("wave", " formula( b = sin(s-t) ) + causal", NULL));
	assert_string_equal(canonical("wave"), "formula(b=sin(s-t))+causal");
	assert_string_equal(canonical("rope+wave()+none"), "rope+formula(b=sin(s-t))+causal+none");
	assert_string_equal(canonical("WAVE"), "formula(b=sin(s-t))+causal");
	/* of itself: what it stood for */
	assert_true(define_set("wave", "wave+rope", NULL));
	assert_string_equal(canonical("wave"), "formula(b=sin(s-t))+causal+rope");
	assert_null(define_at(1));
	assert_true(define_remove("wave", NULL));
	struct expr e;
	struct err err = {""};
	assert_false(expr_parse(&e, "wave", &arena, &err));
	assert_non_null(strstr(err.text, "no scheme \"wave\""));
}

/* What was defined by it stays when a name goes. */
TEST_WITH(definitions_do_not_hang_on_each_other, open_app, close_app)
{
	assert_true(define_set("one", "rope", NULL));
	assert_true(define_set("two", "one+causal", NULL));
	assert_true(define_set("one", "alibi", NULL));
	assert_string_equal(canonical("two"), "rope+causal");
	assert_true(define_remove("one", NULL));
	assert_string_equal(canonical("two"), "rope+causal");
	assert_string_equal(define_at(0)->id, "two");
}

TEST_WITH(wrong_names_are_refused, open_app, close_app)
{
	refused("rope", "alibi", "\"rope\" is a scheme's name already");
	refused("Rotary", "alibi", "is a scheme's name already");
	refused("2x", "alibi", "\"2x\" cannot be a name: a letter");
	refused("a+b", "alibi", "cannot be a name");
	refused("a(b", "alibi", "cannot be a name");
	refused("", "alibi", "cannot be a name");
	refused("\x1b[2J", "alibi", "\"\\x1B[2J\" cannot be a name");
	refused("w234567890123456789012345678901234567890", "alibi", "too long");
	refused("wave", "ropee", "no scheme \"ropee\"; did you mean \"rope\"?");
	refused("wave", "wave", "no scheme \"wave\"");
	refused("wave", "rope+formula(b=cso(t))", "column 16");
	assert_null(define_at(0));
}

TEST_WITH(errors_know_the_names, open_app, close_app)
{
	struct expr e;
	struct err err = {""};
	assert_true(define_set("mywave", "rope", NULL));
	assert_false(expr_parse(&e, "mywvae", &arena, &err));
	assert_string_equal(err.text, "no scheme \"mywvae\"; did you mean \"mywave\"?");
	assert_false(expr_parse(&e, "rope+mywvae", &arena, &err));
	assert_non_null(strstr(err.text, "rope+mywvae: column 6: no scheme"));
	assert_false(expr_parse(&e, "mywave(base=1)", &arena, &err));
	assert_non_null(strstr(err.text, "column 8: mywave stands for rope and takes no arg"));
	assert_false(define_remove("mywvae", &err));
	assert_non_null(strstr(err.text, "is no name of yours; did you mean \"mywave\"?"));
	char many[256] = "mywave";
	assert_true(define_set("mywave", "rope+none+none+none", NULL));
	for (size_t i = 0; i < 3; i++)
		strcat(many, "+mywave");
	assert_true(expr_parse(&e, many, &arena, &err));
	assert_int_equal(e.n, MODEL_MAX_MEMBERS);
	strcat(many, "+mywave");
	assert_false(expr_parse(&e, many, &arena, &err));
	assert_non_null(strstr(err.text, "more than 16 members"));
}

/* ---- in the program ---- */

TEST_WITH(scenes_hold_what_it_stands_for, open_app, close_app)
{
	struct app *app = *state;
	help_app_run(app, "define wave formula(b=sin(s-t))+causal");
	assert_string_equal(app->message, "wave stands for formula(b=sin(s-t))+causal");
	help_app_run(app, "scheme wave");
	assert_string_equal(app->scene.setup.scheme, "formula(b=sin(s-t))+causal");
	help_app_run(app, "undefine wave");
	assert_string_equal(app->scene.setup.scheme, "formula(b=sin(s-t))+causal");
	help_app_refuse(app, "scheme wave", "no scheme \"wave\"");
	help_app_refuse(app, "define", "give NAME EXPRESSION");
	help_app_refuse(app, "define wave", "such as define wave rope+causal");
	help_app_refuse(app, "define rope alibi", "define: \"rope\" is a scheme's name already");
	help_app_refuse(app, "undefine", "give NAME");
	help_app_refuse(app, "undefine wave", "is no name of yours");
}

TEST_WITH(picking_it_keeps_masks_once, open_app, close_app)
{
	struct app *app = *state;
	help_app_run(app, "scheme rope+causal+window");
	help_app_run(app, "define wave formula(b=sin(s-t))+causal");
	help_app_run(app, "pick wave");
	assert_string_equal(app->scene.setup.scheme, "formula(b=sin(s-t))+causal+window");
	assert_ptr_equal(menu_chosen(&app->scene), define_find("wave", 4));
	assert_string_equal(menu_current(&app->scene)->id, "formula");
	help_app_run(app, "param b cos(s-t)");
	assert_string_equal(menu_chosen(&app->scene)->id, "formula");
}

TEST_WITH(the_menu_ends_with_yours, open_app, close_app)
{
	struct app *app = *state;
	size_t n, plain;
	menu_items(NULL, &arena, &plain);
	help_app_run(app, "define wave formula(b=sin(s-t))");
	help_app_run(app, "define soft rope+alibi");
	const struct menu_item *const items = menu_items(NULL, &arena, &n);
	assert_int_equal(n, plain + 2);
	assert_string_equal(items[n - 1].scheme->id, "soft");
	assert_string_equal(items[n - 2].scheme->id, "wave");
	for (size_t i = 1; i <= 2; i++)
		assert_string_equal(items[n - i].group, "Yours");
	/* and can be walked through */
	help_app_run(app, "pick formula");
	help_app_run(app, "scheme-next");
	while (strcmp(menu_chosen(&app->scene)->id, "wave") != 0)
		help_app_run(app, "scheme-next");
	help_app_run(app, "scheme-next");
	assert_string_equal(menu_chosen(&app->scene)->id, "soft");
	help_app_run(app, "scheme-next");
	assert_ptr_equal(menu_chosen(&app->scene), items[0].scheme);
	help_app_run(app, "scheme-prev");
	assert_string_equal(menu_chosen(&app->scene)->id, "soft");
}

static bool offers(const struct app *app, const char *line, const char *want)
{
	size_t n;
	const char **const all = help_app_completions(app, line, &arena, &n);
	for (size_t i = 0; i < n; i++)
		if (strcmp(all[i], want) == 0)
			return true;
	return false;
}

TEST_WITH(completion_knows_the_names, open_app, close_app)
{
	struct app *app = *state;
	help_app_run(app, "define mywave rope");
	assert_true(offers(app, "scheme my", "scheme mywave"));
	assert_true(offers(app, "scheme alibi+my", "scheme alibi+mywave"));
	assert_true(offers(app, "pick my", "pick mywave"));
	assert_true(offers(app, "undefine ", "undefine mywave"));
	assert_true(offers(app, "define x ali", "define x alibi"));
}

TEST_WITH(completion_knows_parameters_in_brackets, open_app, close_app)
{
	static const struct {
		const char *line, *want;
		bool yes;
	} rows[] = {
		{"scheme rope(", "scheme rope(base=", true},
		{"scheme rope(b", "scheme rope(base=", true},
		{"scheme rope(l", "scheme rope(layers=", true},
		{"scheme alibi+rope(base=5,lay", "scheme alibi+rope(base=5,layout=", true},
		{"scheme rope(layout=h", "scheme rope(layout=half", true},
		{"scheme rope(rotary_value=", "scheme rope(rotary_value=on", true},
		{"compare t5; rope(layout=", "compare t5; rope(layout=interleaved", true},
		{"define mine rope(b", "define mine rope(base=", true},
		{"scheme rope(base=5)+al", "scheme rope(base=5)+alibi", true},
		{"scheme rope(layers=[1,2],ba", "scheme rope(layers=[1,2],base=", true},
		{"scheme formula(b=abs(s-t)+al", "scheme formula(b=abs(s-t)+alibi", false},
		{"scheme nosuch(b", "scheme nosuch(base=", false},
		{"param layout h", "param layout half", true},
		{"value h", "value half", true},
	};
	struct app *const app = *state;
	help_app_run(app, "scheme rope");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (offers(app, rows[i].line, rows[i].want) != rows[i].yes)
			fail_msg("\"%s\": \"%s\"", rows[i].line, rows[i].want);
}

TEST_WITH(a_value_is_typed_or_edited, open_app, close_app)
{
	struct app *const app = *state;
	help_app_run(app, "scheme formula(b=-abs(s-t))");
	help_app_refuse(app, "param-step +1", "\"value\" types one");
	help_app_run(app, "value sin(s - t)");
	assert_string_equal(app->scene.setup.scheme, "formula(b=sin(s - t))");
	help_app_run(app, "value");
	assert_int_equal(app->request, REQUEST_COMMAND);
	assert_string_equal(app->request_text, "param b sin(s - t)");
	help_app_run(app, app->request_text);
	assert_string_equal(app->scene.setup.scheme, "formula(b=sin(s - t))");
	help_app_refuse(app, "value sin(", "b");
	help_app_run(app, "scheme none");
	help_app_refuse(app, "value 3", "none has no parameters");
}

/* ---- kept in the configuration ---- */

TEST_WITH(lines_of_the_configuration_read_back, open_app, close_app)
{
	const char *name, *expression;
	assert_true(define_set("wave", "formula(b=sin(s-t))", NULL));
	const char *const line = definition_line(define_at(0), &arena);
	assert_string_equal(line, "define wave formula(b=sin(s-t))");
	assert_true(definition_read(line, &arena, &name, &expression));
	assert_string_equal(name, "wave");
	assert_string_equal(expression, "formula(b=sin(s-t))");
	assert_true(definition_read(" undefine wave", &arena, &name, &expression));
	assert_null(expression);
	assert_false(definition_read("bind x undo", &arena, &name, &expression));
	assert_false(definition_read("define wave ropee", &arena, &name, &expression));
	/* A configuration is read from anywhere. */
	assert_true(define_set("wave", "matrix(from=own.csv)+causal", NULL));
	const char *const file = definition_line(define_at(0), &arena);
	assert_true(strncmp(file, "define wave matrix(from=", 24) == 0);
	assert_non_null(strstr(file, "/own.csv)+causal"));
	assert_true(definition_read(file, &arena, &name, &expression));
	assert_string_equal(expression, file + strlen("define wave "));
}

#define CONFIG "XDG_CONFIG_HOME=/dev/null"

TEST_WITH(sub_commands_know_the_names_of_the_configuration, cli_enter, cli_leave)
{
	static const char config[] = "define wave formula(b=sin(s-t))\n"
				     "color 256\n"
				     "define rope alibi\n"
				     "define mine wave+causal\n";
	struct cli_result r;
	cli_write("config", config, strlen(config));
	cli_run(&r, &(struct cli_case){.args = {"check", "mine", "--config", "config"}});
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.out, "formula(b=sin(s-t))+causal\n"));
	assert_non_null(strstr(r.err, "config:3: define: \"rope\" is a scheme's name already"));
	cli_done(&r);
	cli_run(&r, &(struct cli_case){.args = {"list", "schemes", "--config", "config"}});
	assert_non_null(strstr(r.out, "Yours: formula(b=sin(s-t))+causal"));
	cli_done(&r);
	cli_run(&r, &(struct cli_case){.args = {"check", "mien", "--config", "config"}});
	assert_int_equal(r.code, 2);
	assert_non_null(strstr(r.err, "no scheme \"mien\"; did you mean \"mine\"?"));
	cli_done(&r);
	cli_run(&r, &(struct cli_case){.args = {"check", "mine", "-c", "define mine alibi"},
				       .environment = {CONFIG}});
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.out, "alibi\n"));
	cli_done(&r);
	cli_run(&r, &(struct cli_case){.args = {"check", "mine"}, .environment = {CONFIG}});
	assert_int_equal(r.code, 2);
	cli_done(&r);
}
