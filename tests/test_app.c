/* test_app.c: commands, history, keys, snapshots: the program without a terminal. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "posviz/app.h"
#include "posviz/export.h"
#include "posviz/file.h"
#include "posviz/snapshot.h"
#include "posviz/view.h"
#include "posviz/worker.h"

static int setup(void **state)
{
	struct app *const app = calloc(1, sizeof *app);
	app_init(app);
	*state = app;
	return 0;
}

static int teardown(void **state)
{
	app_release(*state);
	free(*state);
	return 0;
}

/* Runs a line that must work; the reactions. */
static unsigned run(struct app *app, const char *line)
{
	unsigned reactions = 0;
	struct err err = {0};
	if (!app_command(app, line, &reactions, &err))
		fail_msg("%s: %s", line, err.text);
	return reactions;
}

/* Runs a line that must not work, says why, and changes nothing. */
static void refuse(struct app *app, const char *line, const char *part)
{
	const struct scene before = app->scene;
	unsigned reactions;
	struct err err = {0};
	if (app_command(app, line, &reactions, &err))
		fail_msg("\"%s\" was taken", line);
	if (!strstr(err.text, part))
		fail_msg("\"%s\": \"%s\" does not say \"%s\"", line, err.text, part);
	assert_true(scene_equal(&before, &app->scene));
}

static void expect_scheme(const struct app *app, const char *expected)
{
	assert_string_equal(app->scene.setup.scheme, expected);
}

/* ---- the table --------------------------------------------------------------------------- */

static void every_command_runs_or_says_why(void **state)
{
	(void)state;
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
			if (strcmp(c->name, "snapshot") == 0)
				continue;
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

static void every_binding_is_a_command_that_runs(void **state)
{
	(void)state;
	for (const struct binding *b = bindings; b->key; b++) {
		struct app app;
		struct err err = {0};
		unsigned reactions;
		assert_true(strlen(b->note) > 0);
		if (strcmp(b->command, "snapshot") == 0)
			continue;
		app_init(&app);
		if (!app_command(&app, b->command, &reactions, &err) &&
		    strstr(err.text, "no command"))
			fail_msg("%s: %s", b->key, err.text);
		app_release(&app);
	}
}

static void a_key_is_bound_once_in_a_context(void **state)
{
	(void)state;
	for (const struct binding *b = bindings; b->key; b++)
		for (const struct binding *other = b + 1; other->key; other++)
			if (strcmp(b->key, other->key) == 0 &&
			    strcmp(b->context, other->context) == 0)
				fail_msg("%s in \"%s\"", b->key, b->context);
	assert_string_equal(binding_find("matrix", "Enter")->command, "why");
	assert_string_equal(binding_find("matrix", "q")->command, "quit");
	assert_null(binding_find("permute", "J"));
	assert_null(binding_find("", "nothing"));
}

/* The keys that are promised (not those of views to come). */
static void the_promised_keys_are_bound(void **state)
{
	(void)state;
	static const char *const keys[] = {
		"?",	":",	 "q",	 "Esc", "Ctrl-c", "Ctrl-z",    "Ctrl-l",   "Up", "Down",
		"Left", "Right", "h",	 "j",	"k",	  "l",	       "g",	   "G",	 "Home",
		"End",	"PgUp",	 "PgDn", "Tab", "/",	  "J",	       "K",	   "[",	 "]",
		",",	".",	 ";",	 "'",	"<",	  ">",	       "m",	   "a",	 "d",
		"c",	"e",	 "p",	 "+",	"-",	  "=",	       "i",	   "w",	 "M",
		"L",	"z",	 "s",	 "u",	"Ctrl-r", "Shift-Tab", "Backspace"};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (!binding_find("matrix", keys[i]))
			fail_msg("%s is not bound", keys[i]);
}

static void unknown_commands_get_a_suggestion(void **state)
{
	struct app *const app = *state;
	refuse(app, "shufle", "did you mean \"shuffle\"");
	refuse(app, "haeds 4", "did you mean \"heads\"");
	refuse(app, "pick ropee", "rope");
	refuse(app, "undo twice", "takes no argument");
	assert_int_equal(run(app, ""), 0);
	assert_int_equal(run(app, "# a remark"), 0);
}

/* ---- fields ------------------------------------------------------------------------------ */

static void fields_are_commands(void **state)
{
	struct app *const app = *state;
	assert_true(run(app, "heads 8") & REACT_COMPUTE);
	assert_int_equal(app->scene.setup.heads, 8);
	run(app, "heads next");
	assert_int_equal(app->scene.setup.heads, 9);
	run(app, "proj next");
	assert_int_equal(app->scene.setup.proj, PROJ_TIED);
	run(app, "proj prev");
	run(app, "proj prev");
	assert_int_equal(app->scene.setup.proj, PROJ_COUNT - 1);
	run(app, "sentence a b c");
	assert_string_equal(app->scene.setup.sentence, "a b c");
	run(app, "sentence next");
	assert_string_equal(app->scene.setup.sentence, "next");
	run(app, "sentence \" a \\\"b\\\" \\\\n \\n\"");
	assert_string_equal(app->scene.setup.sentence, " a \"b\" \\n \n");
	refuse(app, "sentence \"a", "not closed");
	refuse(app, "heads 0", "heads");
	refuse(app, "heads", "give N");
	const unsigned figure = run(app, "scale sqrt");
	assert_true(figure & REACT_FIGURE && !(figure & REACT_COMPUTE));
	assert_true(run(app, "full-caption") & REACT_FIGURE);
	assert_true(app->scene.full_caption);
}

/* What scene_print writes is command lines: they rebuild the scene. */
static void printed_scenes_run_as_commands(void **state)
{
	struct app *const app = *state;
	run(app, "sentence \"x \\n  y\"");
	run(app, "scheme alibi");
	run(app, "cursor 2 1");
	run(app, "heads 8");
	struct app other;
	struct arena a;
	arena_init(&a);
	app_init(&other);
	char *text = arena_strdup(&a, scene_print(&app->scene, &a));
	for (char *line; (line = strsep(&text, "\n")) != NULL;)
		run(&other, line);
	assert_true(scene_equal(&app->scene, &other.scene));
	app_release(&other);
	arena_release(&a);
}

static void an_order_that_no_longer_fits_is_given_up(void **state)
{
	struct app *const app = *state;
	run(app, "sentence a b c");
	run(app, "order 2 3 1");
	run(app, "sentence x y z");
	assert_string_equal(app->scene.setup.order, "2 3 1");
	run(app, "sentence x y z w");
	assert_string_equal(app->scene.setup.order, "identity");
	assert_true(strstr(app->message, "order") != NULL);
	run(app, "order reverse");
	run(app, "sentence x y");
	assert_string_equal(app->scene.setup.order, "reverse");
}

/* ---- schemes ----------------------------------------------------------------------------- */

static void picking_keeps_masks(void **state)
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
		{"none", "add rope+causal", "none+rope+causal"},
		{"none+rope+causal", "remove 1", "rope+causal"},
		{"rope+causal", "remove", "rope"},
		{"rope", "remove", "none"},
	};
	struct app *const app = *state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char line[128];
		snprintf(line, sizeof line, "scheme %s", cases[i].scheme);
		run(app, line);
		run(app, cases[i].line);
		expect_scheme(app, cases[i].expected);
	}
	refuse(app, "remove", "nothing");
	run(app, "scheme rope+causal");
	refuse(app, "remove 3", "from 1 to 2");
	refuse(app, "add nosuch", "nosuch");
}

static void the_menu_goes_round_and_leaves_no_mask_behind(void **state)
{
	struct app *const app = *state;
	struct arena a;
	size_t n, masks = 0;
	arena_init(&a);
	const struct menu_item *const items = menu_items(&a, &n);
	assert_int_equal(n, scheme_count());
	for (size_t i = 0; i < n; i++)
		masks += (items[i].scheme->flags & SCHEME_MASK) != 0;
	run(app, "scheme rope+causal");
	for (size_t i = 0; i < n - masks; i++) {
		run(app, "scheme-next");
		assert_true(strstr(app->scene.setup.scheme, "causal") != NULL);
	}
	expect_scheme(app, "rope+causal");
	run(app, "scheme-next");
	run(app, "scheme-prev");
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

static void causal_goes_on_and_off(void **state)
{
	static const char *const schemes[] = {"rope",	      "rope+causal", "alibi",
					      "alibi+causal", "none",	     "causal",
					      "t5",	      "gauss",	     "sinusoidal+t5"};
	struct app *const app = *state;
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
		char line[128];
		snprintf(line, sizeof line, "scheme %s", schemes[i]);
		run(app, line);
		const bool was = is_causal(app->scene.setup.scheme);
		run(app, "causal");
		if (is_causal(app->scene.setup.scheme) == was)
			fail_msg("%s: %s", schemes[i], app->scene.setup.scheme);
		run(app, "causal");
		assert_int_equal(is_causal(app->scene.setup.scheme), was);
	}
	run(app, "scheme rope");
	run(app, "causal");
	expect_scheme(app, "rope+causal");
	run(app, "causal");
	expect_scheme(app, "rope");
	run(app, "scheme alibi");
	run(app, "causal"); /* its own switch, not a member */
	assert_null(strstr(app->scene.setup.scheme, "+causal"));
}

static void parameters_step_and_return(void **state)
{
	struct app *const app = *state;
	struct arena a;
	arena_init(&a);
	run(app, "scheme rope+causal");
	run(app, "param base 500");
	expect_scheme(app, "rope(base=500)+causal");
	assert_string_equal(app_param_text(app, &a), "base 500");
	run(app, "step +1");
	assert_string_not_equal(app->scene.setup.scheme, "rope(base=500)+causal");
	run(app, "step -1");
	expect_scheme(app, "rope(base=500)+causal");
	run(app, "reset-param");
	expect_scheme(app, "rope+causal");
	const size_t chosen = app->param;
	assert_true(run(app, "param-next") & REACT_DRAW);
	assert_int_not_equal(app->param, chosen);
	run(app, "param-prev");
	assert_int_equal(app->param, chosen);
	refuse(app, "param nosuch 1", "nosuch");
	refuse(app, "param base x", "base");
	refuse(app, "step 2", "give");
	run(app, "scheme none");
	assert_null(app_param_text(app, &a));
	refuse(app, "step +1", "no parameters");
	arena_release(&a);
}

/* ---- order ------------------------------------------------------------------------------- */

static void tokens_move(void **state)
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
	run(app, "sentence a b c d");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char line[128];
		snprintf(line, sizeof line, "order %s", cases[i].order);
		run(app, line);
		run(app, cases[i].line);
		assert_string_equal(app->scene.setup.order, cases[i].expected);
	}
	refuse(app, "move 1 5", "place");
	refuse(app, "move 1", "FROM TO");
	refuse(app, "order 2 1", "3 is missing");
	refuse(app, "order 1 1 2 3", "1 appears twice");
	refuse(app, "order backwards", "identity, reverse");
	run(app, "file notes.txt");
	run(app, "sentence a b c d");
	assert_string_equal(app->scene.setup.file, "");
	refuse(app, "swap x y", "place");
}

/* ---- looking ----------------------------------------------------------------------------- */

static void the_cursor_stays_inside(void **state)
{
	struct app *const app = *state;
	app->shown.rows = 5;
	app->shown.cols = 3;
	run(app, "cursor 3 2");
	static const struct {
		const char *line;
		long row, col;
	} cases[] = {{"cursor up", 2, 2},     {"cursor left", 2, 1},	{"cursor left", 2, 1},
		     {"cursor bottom", 5, 1}, {"cursor down", 5, 1},	{"cursor last", 5, 3},
		     {"cursor right", 5, 3},  {"cursor page-up", 1, 3}, {"cursor page-down", 5, 3},
		     {"cursor top", 1, 3},    {"cursor first", 1, 1},	{"cursor off", 0, 0},
		     {"cursor down", 1, 1}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const unsigned reactions = run(app, cases[i].line);
		assert_false(reactions & REACT_COMPUTE);
		assert_int_equal(app->scene.row, cases[i].row);
		assert_int_equal(app->scene.col, cases[i].col);
	}
	refuse(app, "cursor 6 1", "row");
	refuse(app, "cursor 1 4", "column");
	refuse(app, "cursor sideways", "give");
}

static void heads_and_matrices_go_round(void **state)
{
	struct app *const app = *state;
	run(app, "heads 4");
	assert_true(run(app, "head prev") & REACT_COMPUTE);
	assert_int_equal(app->scene.head, 4);
	run(app, "head next");
	assert_int_equal(app->scene.head, 1);
	refuse(app, "head 5", "head");
	run(app, "head 4");
	run(app, "heads 2");
	assert_int_equal(app->scene.head, 2);
	for (int i = 0; i < MATRIX_COUNT - 1; i++) {
		run(app, "matrix next");
		assert_int_not_equal(app->scene.matrix, MATRIX_BIAS);
	}
	assert_int_equal(app->scene.matrix, MATRIX_WEIGHTS);
	run(app, "probe next");
	assert_string_equal(app->scene.setup.probe, "off");
	run(app, "probe next");
	assert_string_equal(app->scene.setup.probe, "ones");
	run(app, "colormap next");
	assert_string_not_equal(app->scene.colormap, "auto");
	run(app, "colormap prev");
	assert_string_equal(app->scene.colormap, "auto");
	refuse(app, "colormap nosuch", "colour map");
	app->shown.lo = -3;
	app->shown.hi = 3;
	run(app, "lock");
	assert_true(app->scene.lock && app->scene.lock_lo < -2.9 && app->scene.lock_hi > 2.9);
}

/* ---- history ----------------------------------------------------------------------------- */

static void undo_and_redo_walk_through_changes(void **state)
{
	struct app *const app = *state;
	refuse(app, "undo", "nothing");
	run(app, "heads 2");
	run(app, "heads 8");
	run(app, "cursor 2 2");
	run(app, "undo");
	assert_int_equal(app->scene.setup.heads, 2);
	run(app, "undo");
	assert_int_equal(app->scene.setup.heads, 4);
	refuse(app, "undo", "nothing");
	run(app, "redo");
	run(app, "redo");
	assert_int_equal(app->scene.setup.heads, 8);
	refuse(app, "redo", "nothing");
	run(app, "undo");
	run(app, "layers 3");
	refuse(app, "redo", "nothing");
}

static void repeated_steps_are_one_entry(void **state)
{
	struct app *const app = *state;
	run(app, "scheme rope");
	run(app, "param base 1000");
	for (int i = 0; i < 5; i++)
		run(app, "step +1");
	run(app, "undo");
	expect_scheme(app, "rope(base=1000)");
	run(app, "redo");
	run(app, "shuffle");
	run(app, "shuffle");
	run(app, "undo");
	assert_string_equal(app->scene.setup.order, "identity");
	for (int i = 0; i < 100; i++) { /* more than the stack begins with */
		char line[32];
		snprintf(line, sizeof line, "seed %d", i + 1);
		run(app, line);
	}
	for (int i = 0; i < 100; i++)
		run(app, "undo");
	assert_int_equal(app->scene.setup.seed, 0);
}

/* ---- completion -------------------------------------------------------------------------- */

static bool completes(const struct app *app, const char *line, const char *expected)
{
	struct arena a;
	const char *found;
	bool there = false;
	arena_init(&a);
	for (size_t i = 0; !there && (found = app_complete(app, line, i, &a)) != NULL; i++)
		there = strcmp(found, expected) == 0;
	arena_release(&a);
	return there;
}

static void lines_complete(void **state)
{
	struct app *const app = *state;
	assert_true(completes(app, "shu", "shuffle"));
	assert_true(completes(app, "sent", "sentence"));
	assert_true(completes(app, "pick ro", "pick rope"));
	assert_true(completes(app, "scheme rope+cau", "scheme rope+causal"));
	assert_true(completes(app, "proj ra", "proj random"));
	assert_true(completes(app, "full-caption o", "full-caption off"));
	assert_true(completes(app, "param b", "param base"));
	assert_true(completes(app, "colormap vir", "colormap viridis"));
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

static void the_worker_hands_over_the_newest_scene(void **state)
{
	struct app *const app = *state;
	struct worker *const w = worker_new(true);
	for (int i = 1; i <= 40; i++) {
		char line[32];
		snprintf(line, sizeof line, "seed %d", i);
		run(app, line);
		worker_submit(w, &app->scene);
	}
	struct result *r = NULL;
	do
		r = await(w, RESULT_PICTURE);
	while (r->scene.setup.seed != 40);
	assert_true(r->ok);
	assert_int_equal(r->picture.trace.query.n, 9);
	struct result *m;
	do
		m = await(w, RESULT_MEASURES);
	while (m->scene.setup.seed != 40);
	assert_true(m->ok && m->measures.equivariance.there);
	run(app, "cursor 6 2");
	worker_submit_why(w, &app->scene);
	assert_true(await(w, RESULT_WHY)->n_lines > 2);
	/* A failure does not take away what is looked at. */
	run(app, "heads 5");
	worker_submit(w, &app->scene);
	const struct result *const failed = await(w, RESULT_PICTURE);
	assert_false(failed->ok);
	assert_true(strstr(failed->err.text, "heads") != NULL);
	assert_int_equal(r->scene.setup.seed, 40);
	assert_int_equal(r->picture.trace.query.n, 9);
	worker_free(w);
}

static void snapshots_are_numbered_and_reopen(void **state)
{
	struct app *const app = *state;
	char dir[] = "/tmp/posviz-test-XXXXXX", old[4096];
	struct arena a;
	arena_init(&a);
	assert_non_null(getcwd(old, sizeof old));
	assert_non_null(mkdtemp(dir));
	assert_int_equal(chdir(dir), 0);
	run(app, "scheme alibi");
	run(app, "cursor 3 2");
	run(app, "snapshot");
	assert_true(strstr(app->message, "posviz-001.png") != NULL);
	run(app, "snapshot");
	assert_true(file_exists("posviz-002.png"));
	run(app, "snapshot other.png");
	refuse(app, "snapshot other.png", "another name");
	refuse(app, "snapshot other.svg", ".png");
	refuse(app, "snapshot other", ".png");
	char *data;
	size_t len;
	struct scene scene;
	struct err err;
	assert_true(file_read("posviz-001.png", 1 << 24, &a, &data, &len, &err));
	assert_true(snapshot_scene(data, len, &a, &scene, &err));
	assert_true(scene_equal(&scene, &app->scene));
	struct export_text *texts;
	size_t n;
	assert_true(export_png_read(data, len, &a, NULL, &texts, &n, &err));
	bool matrices = false;
	for (size_t i = 0; i < n; i++)
		matrices = matrices || (strcmp(texts[i].keyword, SNAPSHOT_MATRICES) == 0 &&
					strstr(texts[i].text, "projections"));
	assert_true(matrices);
	unlink("posviz-001.png");
	unlink("posviz-002.png");
	unlink("other.png");
	assert_int_equal(chdir(old), 0);
	rmdir(dir);
	arena_release(&a);
}

/* Of the 2×2 matrix [1 −2; ~ 3] with ~ masked: min −2, max 3, norm √14. */
static void matrices_are_told_by_their_numbers(void **state)
{
	(void)state;
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_command_runs_or_says_why),
		cmocka_unit_test(every_binding_is_a_command_that_runs),
		cmocka_unit_test(a_key_is_bound_once_in_a_context),
		cmocka_unit_test(the_promised_keys_are_bound),
		TEST(unknown_commands_get_a_suggestion),
		TEST(fields_are_commands),
		TEST(printed_scenes_run_as_commands),
		TEST(an_order_that_no_longer_fits_is_given_up),
		TEST(picking_keeps_masks),
		TEST(the_menu_goes_round_and_leaves_no_mask_behind),
		TEST(causal_goes_on_and_off),
		TEST(parameters_step_and_return),
		TEST(tokens_move),
		TEST(the_cursor_stays_inside),
		TEST(heads_and_matrices_go_round),
		TEST(undo_and_redo_walk_through_changes),
		TEST(repeated_steps_are_one_entry),
		TEST(lines_complete),
		TEST(the_worker_hands_over_the_newest_scene),
		TEST(snapshots_are_numbered_and_reopen),
		cmocka_unit_test(matrices_are_told_by_their_numbers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
