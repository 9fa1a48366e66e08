/* test_app_files.c: files that are opened, written and offered as one types. */

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "help_cli.h"
#include "help_app.h"
#include "help_tensors.h"
#include "help_view.h"
#include "posviz/app/snapshot.h"
#include "posviz/app/write.h"
#include "posviz/export/export.h"
#include "posviz/format/file.h"
#include "posviz/picture/picture.h"

FIXTURE(cli_enter, cli_leave)

static int setup(void **state)
{
	struct app *const app = calloc(1, sizeof *app);
	unsigned reactions;
	app_init(app);
	*state = app;
	return !app_command(app, "sentence a b c", &reactions, NULL) ||
	       !app_command(app, "d-model 16", &reactions, NULL);
}

/* Nothing is left behind. */
static int teardown(void **state)
{
	app_release(*state);
	free(*state);
	return cli_files() != 0;
}

static void refuse(struct app *app, const char *line, const char *part)
{
	const struct scene before = app->scene;
	const size_t files = cli_files();
	unsigned reactions;
	struct err err = {0};
	if (app_command(app, line, &reactions, &err))
		fail_msg("\"%s\" was taken", line);
	if (!strstr(err.text, part))
		fail_msg("\"%s\": \"%s\" does not say \"%s\"", line, err.text, part);
	assert_null(strchr(err.text, '\x1b'));
	assert_true(scene_equal(&before, &app->scene));
	assert_int_equal(cli_files(), files);
	assert_null(app->write);
}

/* ---- writing ----------------------------------------------------------------------------- */

TEST_WITH(every_format_is_written, setup, teardown)
{
	static const struct {
		const char *line, *file, *begin;
	} rows[] = {
		{"save x.png", "x.png", "\x89PNG"},
		{"save x.SVG", "x.SVG", "<?xml"},
		{"save x.pdf", "x.pdf", "%PDF"},
		{"save x.txt", "x.txt", ""},
		{"save x.ansi", "x.ansi", ""},
		{"save x.csv", "x.csv", ""},
		{"save x.npy", "x.npy", "\x93NUMPY"},
		{"export y.npy", "y.npy", "\x93NUMPY"},
		{"save x.json", "x.json", "{"},
		{"export x.safetensors", "x.safetensors", ""},
		{"snapshot y.png", "y.png", "\x89PNG"},
		{"save \"a \\x41 b.txt\"", "a A b.txt", ""},
	};
	struct app *const app = *state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a;
		size_t len;
		arena_init(&a);
		assert_false(help_app_run(app, rows[i].line) & REACT_WRITE);
		const char *const data = cli_read(rows[i].file, &a, &len);
		assert_true(len > 40);
		assert_memory_equal(data, rows[i].begin, strlen(rows[i].begin));
		const bool escapes = memchr(data, 0x1b, len) != NULL;
		if (strstr(rows[i].file, ".txt"))
			assert_true(!escapes && strstr(data, "██")); /* shades for values */
		if (strstr(rows[i].file, ".ansi"))
			assert_true(escapes);
		assert_true(strstr(app->message, "wrote ") == app->message);
		assert_true(strstr(app->message, " in /") != NULL);
		assert_int_equal(cli_files(), 1);
		cli_remove(rows[i].file);
		arena_release(&a);
	}
}

/* A page is white unless the scene says dark, whatever the terminal is. */
TEST_WITH(pages_are_white_unless_dark_is_said, setup, teardown)
{
	static const char *const themes[] = {"auto", "light", "dark"};
	struct app *const app = *state;
	for (size_t i = 0; i < 3; i++) {
		struct arena a;
		struct image page;
		size_t len;
		arena_init(&a);
		help_app_run(app, arena_printf(&a, "theme %s", themes[i]));
		help_app_run(app, "save page.png");
		const char *const data = cli_read("page.png", &a, &len);
		assert_true(export_png_read(data, len, &a, &page, NULL, NULL, NULL));
		assert_int_equal(page.rgb[0] == 255, i < 2);
		cli_remove("page.png");
		arena_release(&a);
	}
}

/* One matrix is that of the scene's head and layer, and the same as in the file of all. */
TEST_WITH(the_numbers_are_those_of_the_scene, setup, teardown)
{
	struct app *const app = *state;
	struct arena a;
	struct tensor_set all, one;
	struct err err;
	arena_init(&a);
	help_app_run(app, "head 2");
	help_app_run(app, "layer 2");
	help_app_run(app, "matrix logits");
	help_app_run(app, "export one.npy");
	help_app_run(app, "export all.safetensors");
	cli_tensors("all.safetensors", &a, &all);
	tensor_set_init(&one, &a);
	assert_true(help_tensors(&one, "one.npy", &err));
	const struct tensor *const logits = cli_tensor(&all, "layer.1.head.1.logits");
	assert_int_equal(one.tensors[0].shape[0], 3);
	for (size_t i = 0; i < 9; i++)
		assert_true(one.tensors[0].at[i] - logits->at[i] < 1e-12 &&
			    logits->at[i] - one.tensors[0].at[i] < 1e-12);
	help_app_run(app, "matrix bias");
	refuse(app, "export b.npy", "layer 1 would be right");
	help_app_run(app, "layer 1");
	help_app_run(app, "scheme gauss");
	refuse(app, "export b.npy", "has no bias");
	cli_remove("one.npy");
	cli_remove("all.safetensors");
	arena_release(&a);
}

/* Screen and command line write the same bytes. */
TEST_WITH(the_screen_writes_what_render_writes, setup, teardown)
{
	struct app *const app = *state;
	struct arena a;
	size_t len, other;
	arena_init(&a);
	help_app_run(app, "scheme alibi");
	help_app_run(app, "save one.svg");
	const struct cli_case c = {
		.args = {"render", "alibi", "-s", "a b c", "--d-model", "16", "-o", "two.svg"}};
	cli_good(&c);
	const char *const one = cli_read("one.svg", &a, &len);
	const char *const two = cli_read("two.svg", &a, &other);
	assert_int_equal(len, other);
	assert_memory_equal(one, two, len);
	cli_remove("one.svg");
	cli_remove("two.svg");
	arena_release(&a);
}

TEST_WITH(wrong_names_are_refused, setup, teardown)
{
	struct app *const app = *state;
	static const struct {
		const char *line, *part;
	} rows[] = {
		{"save", "give FILE; its ending"},
		{"save \"\"", "the name is empty"},
		{"save x", "needs an ending"},
		{"save x.", "needs an ending"},
		{"save a.png/x", "needs an ending"},
		{"save x.pgn", "did you mean .png"},
		{"save x.jpeg", "needs an ending"},
		{"save none/x.png", "its directory does not exist"},
		{"save there.png", "exists already; give another name"},
		{"save -", "needs an ending"},
		{"save \"x.png", "not closed"},
		{"save \x1b[31m.pgn", "\\x1B"},
		{"snapshot there.png", "another name"},
		{"snapshot x.svg", "ends in .png"},
		{"snapshot x", "needs an ending"},
		{"export x.png", "ends in .safetensors"},
		{"export none/x.csv", "does not exist"},
		{"open", "give FILE"},
		{"open -", "name a file"},
		{"open none", "no such file"},
	};
	cli_write("there.png", "x", 1);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		app->background = false;
		refuse(app, rows[i].line, rows[i].part);
		app->background = true;
		refuse(app, rows[i].line, rows[i].part);
	}
	cli_remove("there.png");
	if (geteuid() != 0) {
		app->background = false;
		assert_int_equal(mkdir("locked", 0500), 0);
		refuse(app, "save locked/x.npy", "permission denied");
		cli_remove("locked");
	}
}

TEST_WITH(in_the_background_only_the_name_is_checked, setup, teardown)
{
	struct app *const app = *state;
	static const struct {
		const char *line, *write;
	} rows[] = {
		{"snapshot", ""},	   {"snapshot x.png", "x.png"},
		{"save x.pdf", "x.pdf"},   {"export", "posviz-NNN.safetensors"},
		{"export x.csv", "x.csv"},
	};
	app->background = true;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		app->write = NULL;
		assert_true(help_app_run(app, rows[i].line) & REACT_WRITE);
		assert_string_equal(app->write, rows[i].write);
		assert_int_equal(cli_files(), 0);
	}
	app->write = NULL;
}

/* The sizes that a user may ask for, and what the picture says of itself when it is opened. */
TEST_OF(small_snapshots_are_written_and_reopen, setup, teardown, 1, 3, 0)
{
	static const char *const sizes[] = {"320x240", "300x200", "200x300", "320x200", "200x200"};
	struct app *const app = *state;
	help_app_run(app, "timing off");
	help_train_briefly(&app->scene);
	for (size_t i = 0; i < 5; i++) {
		for (const struct view *const *at = views, *v; (v = *at) != NULL; at++) {
			char line[64];
			if (v->table || (i + (size_t)(at - views)) % test_parts != test_part)
				continue;
			snprintf(line, sizeof line, "view %s", v->name);
			help_app_run(app, line);
			snprintf(line, sizeof line, "size %s", sizes[i]);
			help_app_run(app, line);
			help_app_run(app, "snapshot small.png");
			help_app_run(app, "size 1600x1000");
			help_app_run(app, "open small.png");
			snprintf(line, sizeof line, "%gx%g", app->scene.size.width,
				 app->scene.size.height);
			assert_string_equal(line, sizes[i]);
			assert_string_equal(app->scene.view, v->name);
			cli_remove("small.png");
		}
	}
	help_app_refuse(app, "size 199x240", "from 200 to 8000");
	assert_int_equal(cli_files(), 0);
}

TEST_WITH(snapshots_are_numbered_and_reopen, setup, teardown)
{
	struct app *const app = *state;
	struct arena a;
	char *data;
	size_t len;
	struct scene scene;
	struct err err;
	arena_init(&a);
	help_app_run(app, "scheme alibi");
	help_app_run(app, "cursor 3 2");
	help_app_run(app, "snapshot");
	assert_true(strstr(app->message, "posviz-001.png in /") != NULL);
	help_app_run(app, "snapshot");
	assert_true(file_exists("posviz-002.png"));
	help_app_run(app, "export");
	assert_true(file_exists("posviz-001.safetensors"));
	cli_write("fig-001.csv", "x", 1);
	help_app_run(app, "save fig-NNN.csv");
	assert_true(file_exists("fig-002.csv"));
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
	help_app_run(app, "scheme rope");
	assert_true(help_app_run(app, "open posviz-001.png") & REACT_COMPUTE);
	assert_true(scene_equal(&scene, &app->scene));
	help_app_run(app, "undo");
	assert_string_equal(app->scene.setup.scheme, "rope");
	static const char *const files[] = {"posviz-001.png", "posviz-002.png", "fig-001.csv",
					    "fig-002.csv", "posviz-001.safetensors"};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		cli_remove(files[i]);
	arena_release(&a);
}

/* ---- a race for numbers ------------------------------------------------------------------ */

enum { WRITERS = 4, EACH = 5 };

static void *write_some(void *context)
{
	const struct scene *const scene = context;
	for (size_t i = 0; i < EACH; i++) {
		struct arena a;
		const char *said;
		struct err err;
		arena_init(&a);
		const bool ok =
			write_scene(scene, "race-NNN.csv", NULL, NULL, NULL, &a, &said, &err);
		arena_release(&a);
		if (!ok)
			return (void *)(uintptr_t) "failed";
	}
	return NULL;
}

static pid_t start_program(void)
{
	const pid_t pid = fork();
	if (pid == 0) {
		const int null = open("/dev/null", O_WRONLY);
		const int said = open("said", O_WRONLY | O_CREAT | O_APPEND, 0600);
		if (dup2(null, STDOUT_FILENO) < 0 || dup2(said, STDERR_FILENO) < 0)
			_exit(120);
		execl(getenv("POSVIZ"), "posviz", "show", "rope", "-s", "a b c", "-c",
		      "save race-NNN.csv", "-c", "save race-NNN.csv", (char *)NULL);
		_exit(121);
	}
	return pid;
}

/* All files are there, none is cut, none was written twice. */
static void expect_numbered(size_t n)
{
	struct arena a;
	size_t len, first = 0;
	arena_init(&a);
	assert_int_equal(cli_files(), n);
	for (size_t i = 1; i <= n; i++) {
		char name[32];
		snprintf(name, sizeof name, "race-%03zu.csv", i);
		assert_true(file_exists(name));
		cli_read(name, &a, &len);
		first = i == 1 ? len : first;
		assert_true(len > 0);
		assert_int_equal(len, first);
		cli_remove(name);
	}
	arena_release(&a);
}

TEST_WITH(numbers_are_taken_once_by_threads, setup, teardown)
{
	struct app *const app = *state;
	pthread_t threads[WRITERS];
	for (size_t i = 0; i < WRITERS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, write_some, &app->scene), 0);
	for (size_t i = 0; i < WRITERS; i++) {
		void *failed;
		assert_int_equal(pthread_join(threads[i], &failed), 0);
		assert_null(failed);
	}
	expect_numbered((size_t)WRITERS * EACH);
}

TEST_WITH(numbers_are_taken_once_by_programs, setup, teardown)
{
	pid_t pids[WRITERS];
	struct arena a;
	size_t len;
	for (size_t i = 0; i < WRITERS; i++)
		pids[i] = start_program();
	for (size_t i = 0; i < WRITERS; i++) {
		int status = 0;
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 0);
	}
	arena_init(&a);
	assert_string_equal(cli_read("said", &a, &len), "");
	arena_release(&a);
	cli_remove("said");
	expect_numbered(2 * (size_t)WRITERS);
}

/* ---- opening ----------------------------------------------------------------------------- */

static void write_text(const char *name, const char *text)
{
	cli_write(name, text, strlen(text));
}

TEST_WITH(a_script_is_one_step, setup, teardown)
{
	struct app *const app = *state;
	write_text("s", "# mine\n\n  heads 2\nscheme alibi\r\nview explore\nmouse off\n");
	const unsigned reactions = help_app_run(app, "open s");
	assert_true(reactions & REACT_COMPUTE && reactions & REACT_TERMINAL);
	assert_int_equal(app->scene.setup.heads, 2);
	assert_string_equal(app->scene.setup.scheme, "alibi");
	assert_false(app->settings.mouse);
	help_app_run(app, "undo");
	assert_int_equal(app->scene.setup.heads, 4);
	assert_string_equal(app->scene.setup.scheme, "rope+causal");
	/* A line that is wrong takes back those before it. */
	write_text("bad", "heads 2\nmouse on\nheds 4\n");
	refuse(app, "open bad", "bad:3: no command \"heds\"");
	assert_false(app->settings.mouse);
	write_text("doubt", "order of words matters\n");
	refuse(app, "open doubt", "if it is a text: file doubt");
	/* Where no screen waits it writes at once. */
	write_text("w", "save w.csv\nheads 2\nsave w2.csv\n");
	assert_false(help_app_run(app, "open w") & REACT_WRITE);
	assert_true(file_exists("w.csv") && file_exists("w2.csv"));
	write_text("loop", "open loop\n");
	refuse(app, "open loop", "more than 8 deep");
	assert_int_equal(app->opening, 0);
	write_text("empty", "# nothing\n");
	help_app_run(app, "open empty");
	assert_string_equal(app->message, "ran empty");
	static const char *const files[] = {"s",     "bad",    "doubt", "w",
					    "w.csv", "w2.csv", "loop",	"empty"};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		cli_remove(files[i]);
}

TEST_WITH(other_texts_are_the_sentence, setup, teardown)
{
	struct app *const app = *state;
	write_text("a text.txt", "The cat chased\nthe dog .\n");
	assert_true(help_app_run(app, "open a text.txt") & REACT_COMPUTE);
	assert_string_equal(app->scene.setup.file, "a text.txt");
	help_app_run(app, "undo");
	assert_string_equal(app->scene.setup.file, "");
	cli_write("binary", "heads 2\0", 8);
	refuse(app, "open binary", "neither a picture of posviz nor a script or text");
	cli_write("latin", "\xe9t\xe9", 3);
	refuse(app, "open latin", "UTF-8");
	cli_write("cut.png", "\x89PNG\r\n\x1a\n", 8);
	refuse(app, "open cut.png", "cut.png: ");
	setenv("HOME", "/nowhere-at-all", 1);
	refuse(app, "open ~/x", "/nowhere-at-all/x");
	static const char *const files[] = {"a text.txt", "binary", "latin", "cut.png"};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		cli_remove(files[i]);
}

/* ---- completion -------------------------------------------------------------------------- */

static bool completes(const struct app *app, const char *line, const char *expected)
{
	struct arena a;
	size_t n;
	bool there = false;
	arena_init(&a);
	const char *const *const all = help_app_completions(app, line, &a, &n);
	for (size_t i = 0; i < n; i++)
		there = there || strcmp(all[i], expected) == 0;
	arena_release(&a);
	return there;
}

TEST_WITH(names_of_files_complete, setup, teardown)
{
	static const struct {
		const char *line, *expected;
		bool there;
	} rows[] = {
		{"open ", "open two words.txt", true},
		{"open two w", "open two words.txt", true},
		{"file two", "file two words.txt", true},
		{"weights tw", "weights two words.txt", true},
		{"open su", "open sub/", true},
		{"open sub/", "open sub/in.csv", true},
		{"open ", "open .hidden", false},
		{"open .h", "open .hidden", true},
		{"open ", "open \"line\\x0Aend\\x1B[31m\"", true},
		{"open line", "open \"line\\x0Aend\\x1B[31m\"", true},
		{"open \"line\\x0Ae", "open \"line\\x0Aend\\x1B[31m\"", true},
		{"open none/", "open none/", false},
		{"save ", "save sub/", true},
		{"save ", "save two words.txt", false},
		{"save fig", "save fig.png", true},
		{"save fig.s", "save fig.svg", true},
		{"save fig.s", "save fig.safetensors", true},
		{"save sub/a.p", "save sub/a.pdf", true},
		{"save fig.x", "save fig.png", false},
		{"export fig", "export fig.csv", true},
		{"export fig", "export fig.png", false},
		{"snapshot fig", "snapshot fig.png", true},
		{"snapshot fig", "snapshot fig.svg", false},
	};
	struct app *const app = *state;
	write_text("two words.txt", "x");
	write_text(".hidden", "x");
	write_text("line\nend\x1b[31m", "the text\n");
	assert_int_equal(mkdir("sub", 0700), 0);
	write_text("sub/in.csv", "x");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (completes(app, rows[i].line, rows[i].expected) != rows[i].there)
			fail_msg("\"%s\": \"%s\"", rows[i].line, rows[i].expected);
	/* What is offered names the file. */
	help_app_run(app, "open \"line\\x0Aend\\x1B[31m\"");
	assert_string_equal(app->scene.setup.file, "line\nend\x1b[31m");
	assert_null(strchr(app->message, '\x1b'));
	static const char *const files[] = {"sub/in.csv", "sub", "two words.txt", ".hidden",
					    "line\nend\x1b[31m"};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		assert_int_equal(remove(files[i]), 0);
}

/* Leaves before the sign, tensors of the file behind it. */
TEST_WITH(a_map_completes, setup, teardown)
{
	static const struct {
		const char *line, *expected;
		bool there;
	} rows[] = {
		{"map ", "map w_key=", true},
		{"map ", "map shaw.w_key.1=", true},
		{"map w_k", "map w_key=", true},
		{"map w_k", "map w_value=", false},
		{"map w_key=", "map w_key=my.keys", true},
		{"map w_key=my", "map w_key=my.keys", true},
		{"map w_key=my", "map w_key=b+c", false},
		{"map w_key=b+", "map w_key=b+c", true},
		{"map w_key=my.keys w_v", "map w_key=my.keys w_value=", true},
		{"map w_key=my.keys w_value=b", "map w_key=my.keys w_value=b+c", true},
	};
	struct app *const app = *state;
	write_text("own.json", "{\"tensors\": {\"my.keys\": {\"shape\": [1], \"data\": [1]}, "
			       "\"b+c\": {\"shape\": [1], \"data\": [1]}}}");
	help_app_run(app, "scheme shaw");
	assert_false(completes(app, "map w_key=", "map w_key=my.keys"));
	help_app_run(app, "params own.json");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (completes(app, rows[i].line, rows[i].expected) != rows[i].there)
			fail_msg("\"%s\": \"%s\"", rows[i].line, rows[i].expected);
	assert_int_equal(remove("own.json"), 0);
}

/* A picture of somebody else does not raise what the user allows. */
TEST_WITH(a_picture_does_not_raise_the_memory, setup, teardown)
{
	static const struct {
		const char *made, *mine;
		double expected;
	} rows[] = {
		{"memory 10T", "memory 1.5G", 1.5e9},
		{"memory 10T", "memory 4G", 4e9}, /* the user said so */
		{"memory 10T", "memory 1G", 1.5e9},
		{"memory 1G", "memory 4G", 1e9},
	};
	struct app *const app = *state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		help_app_run(app, rows[i].made);
		help_app_run(app, "save x.png");
		help_app_run(app, rows[i].mine);
		help_app_run(app, "open x.png");
		if (fabs(app->scene.setup.memory / rows[i].expected - 1) > 0.1)
			fail_msg("row %zu: %g", i, app->scene.setup.memory);
		const bool more = strstr(app->message, "asks for") != NULL;
		assert_int_equal(more, i < 3);
		cli_remove("x.png");
	}
}

/* The picture on the screen has the tokens already. */
TEST_WITH(moving_tokens_does_not_read_the_file_again, setup, teardown)
{
	struct app *const app = *state;
	struct picture *const picture = calloc(1, sizeof *picture);
	struct arena a;
	size_t *order, n;
	struct err err;
	arena_init(&a);
	cli_write("text.txt", "one two three", 13);
	help_app_run(app, "file text.txt");
	assert_true(app_order(app, &a, &order, &n, &picture->built.written, &err));
	const struct scene drawn = app->scene;
	app->shown.picture = picture;
	app->shown.scene = &drawn;
	cli_remove("text.txt");
	help_app_run(app, "move 1 3");
	assert_string_equal(app->scene.setup.order, "2 3 1");
	help_app_run(app, "reverse");
	assert_string_equal(app->scene.setup.order, "1 3 2");
	refuse(app, "file other.txt", "no such file");
	app->shown = (struct shown){0};
	arena_release(&a);
	free(picture);
}

/* On a screen nothing waits for files: each keeps the scene of its line. */
TEST_WITH(a_script_writes_in_the_background, setup, teardown)
{
	static const char script[] = "heads 2\nsave a.png\nheads 8\nsave b.csv\n";
	struct app *const app = *state;
	app->background = true;
	cli_write("s.txt", script, sizeof script - 1);
	assert_true(help_app_run(app, "open s.txt") & REACT_WRITE);
	assert_int_equal(cli_files(), 1);
	assert_int_equal(app->n_later, 2);
	assert_string_equal(app->later[0].path, "a.png");
	assert_int_equal(app->later[0].scene.setup.heads, 2);
	assert_string_equal(app->later[1].path, "b.csv");
	assert_int_equal(app->later[1].scene.setup.heads, 8);
	app->n_later = 0;
	static const char wrong[] = "save a.png\nheads 0\n";
	cli_write("w.txt", wrong, sizeof wrong - 1);
	refuse(app, "open w.txt", "heads");
	assert_int_equal(app->n_later, 0); /* all or nothing */
	char many[16 * (APP_WRITES + 2)] = "";
	for (int i = 0; i < APP_WRITES + 1; i++)
		snprintf(many + strlen(many), sizeof many - strlen(many), "save %c.csv\n", 'a' + i);
	cli_write("m.txt", many, strlen(many));
	help_app_run(app, "open m.txt"); /* one more than can wait */
	assert_int_equal(app->n_later, APP_WRITES);
	assert_int_equal(cli_files(), 4);
	cli_remove("i.csv");
	cli_remove("s.txt");
	cli_remove("w.txt");
	cli_remove("m.txt");
}
