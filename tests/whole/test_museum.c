/* test_museum.c: files as earlier versions wrote them. Each opens, verifies or is read, and says what it said: the
 * fields of its scene and numbers of it. tests/data/kept/README.md says how each was made.
 *
 * A field that a file does not name has the value that was the default when it was written, so each row names the
 * fields that a default of another day would change. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "help_app.h"
#include "help_cli.h"
#include "help_tensors.h"
#include "cli/cli.h"
#include "posviz/app/keymap.h"
#include "posviz/export/export.h"
#include "posviz/format/file.h"

/* Copies the kept files into the empty directory of the test: they are looked at where they can be written to. */
static int enter(void **state)
{
	char command[256];
	if (cli_enter(state) != 0)
		return -1;
	snprintf(command, sizeof command, "cp '%.200s'/kept/* .", test_data);
	return system(command);
}

static int leave(void **state)
{
	return system("rm -rf config state") ? -1 : cli_leave(state);
}

FIXTURE(enter, leave)

/* ---- scenes ------------------------------------------------------------------------------------ */

#define NINE  "sentence the cat that the dog chased fell asleep ."
#define SIZES "d-model 64", "heads 4", "layers 2", "seed 0", "content 2", "proj identity"

struct kept {
	const char *file;	/* or the step of a tour, "lesson.tour#2" */
	const char *fields[16]; /* "sentence dog bites man" */
	struct {
		size_t head, row, col; /* from 1, of the first layer */
		double weight;
	} numbers[3];
};

/* Weights as the program of the file computed them. */
static const struct kept kept[] = {
	{"explore.png",
	 {NINE, SIZES, "scheme t5(buckets=16)", "view explore", "head 3", "row 2", "col 5",
	  "compare none"},
	 {{3, 1, 1, 0.5436892912386125},
	  {3, 2, 5, 0.06654200721724966},
	  {3, 3, 2, 0.05154594233129242}}},
	{"terms.png",
	 {NINE, SIZES, "scheme rope+causal", "view terms", "theme dark", "head 1"},
	 {{1, 2, 1, 0.0689801157513857}, {1, 3, 2, 0.10095984226404771}, {1, 1, 2, 0}}},
	{"inputs.png",
	 {"sentence dog bites man", SIZES, "scheme rope", "compare @ man bites dog",
	  "view compare"},
	 {{1, 1, 2, 0.1424210732989581},
	  {1, 2, 1, 0.20207677148305744},
	  {1, 3, 3, 0.766128901504132}}},
	{"compare.png",
	 {NINE, SIZES, "scheme t5", "compare alibi+causal", "view compare", "row 3", "col 2",
	  "colormap magma"},
	 {{1, 1, 1, 0.9014519642998322},
	  {1, 2, 3, 0.05631465829479134},
	  {1, 3, 2, 0.03006512798437221}}},
	{"tree.png",
	 {"conllu @dep2", SIZES, "scheme spr_rel", "view relation", "pick 1"},
	 {{1, 1, 1, 0.6759231759027513},
	  {1, 2, 4, 0.06847197603128385},
	  {1, 3, 2, 0.06596160562138915}}},
	{"beat.png",
	 {NINE, SIZES, "scheme none", "view order", "order shuffle:2"},
	 {{1, 1, 1, 0.3743740684232599},
	  {1, 2, 4, 0.11953157783160515},
	  {1, 3, 2, 0.07016130414402075}}},
	{"step.png",
	 {NINE, SIZES, "scheme none", "view order", "order shuffle:2", "panel card"},
	 {{1, 1, 1, 0.3743740684232599},
	  {1, 2, 4, 0.11953157783160515},
	  {1, 3, 2, 0.07016130414402075}}},
	{"matrix.png",
	 {"sentence to be or not", SIZES, "view explore"},
	 {{1, 1, 4, 0.16598841670448178},
	  {1, 2, 1, 0.09294190047562068},
	  {4, 3, 2, 0.0281115280095346}}},
	{"own.posviz",
	 {"sentence to be or not", SIZES, "view explore"},
	 {{1, 1, 4, 0.16598841670448178},
	  {1, 2, 1, 0.09294190047562068},
	  {4, 3, 2, 0.0281115280095346}}},
	{"scene.posviz",
	 {"sentence the dog saw the cat", "d-model 16", "heads 2", "layers 2", "head 2",
	  "scheme rope(base=100)+alibi(causal=off,factor=0.5)", "matrix logits", "row 4", "col 2",
	  "probe off"},
	 {{2, 1, 2, 0.018920823347385277},
	  {2, 2, 5, 0.20438774628825593},
	  {2, 3, 4, 0.02559949348045827}}},
	{"recording.tour#7",
	 {"sentence a cat and a dog", SIZES, "scheme rope+causal", "compare t5", "view compare",
	  "head 2"},
	 {{2, 2, 1, 0.1776059891311464}, {2, 3, 2, 0.18706063125733852}, {2, 1, 2, 0}}},
	{"words.tour#1",
	 {"sentence the U.S. won 3.14", "tokens plain-words", SIZES, "scheme alibi+causal",
	  "view explore"},
	 {{1, 2, 1, 0.10200543946102039}, {1, 3, 2, 0.05397301169759437}, {1, 1, 2, 0}}},
	{"words.tour#4",
	 {"sentence it's 1,000 e.g. x", "tokens plain-words", SIZES, "scheme rope",
	  "order reverse"},
	 {{1, 1, 2, 0.047943200588278743},
	  {1, 2, 4, 0.380335193618807},
	  {1, 3, 2, 0.020758531416272437}}},
	{"quiz.tour#1",
	 {"sentence cats chase mice today", "seed 3", "scheme alibi(causal=off)", "view order",
	  "order reverse"},
	 {{1, 1, 2, 0.10059499908501443},
	  {1, 2, 1, 0.32659263035996017},
	  {1, 3, 4, 0.11356126704427957}}},
	{"lesson.tour#2",
	 {"sentence dog bites man", SIZES, "scheme alibi+causal", "view explore", "head 1"},
	 {{1, 2, 1, 0.1863478759036865}, {1, 3, 2, 0.10064372752162289}, {1, 1, 2, 0}}},
};

/* The end of the program's run, which must be good and say nothing on standard error. */
static void silent(const char *const *args, const char *says)
{
	struct cli_case c = {.args = {0}};
	struct cli_result r;
	for (size_t i = 0; args[i]; i++)
		c.args[i] = args[i];
	cli_run(&r, &c);
	if (r.code != 0 || *r.err || !strstr(r.out, says))
		fail_msg("%s %s: status %d, \"%s\" is not said: %s%s", args[0], args[1], r.code,
			 says, r.out, r.err);
	cli_done(&r);
}

#define SILENT(says, ...) silent((const char *const[]){__VA_ARGS__, NULL}, says)

static void check_fields(const char *name, const struct scene *scene, const char *const *fields)
{
	struct arena a;
	arena_init(&a);
	for (size_t i = 0; fields[i]; i++) {
		const size_t len = strcspn(fields[i], " ");
		const struct field *const f = field_find(arena_strndup(&a, fields[i], len));
		if (!f)
			fail_msg("%s: there is no field for \"%s\"", name, fields[i]);
		const char *const value = scene_get(scene, f, &a);
		if (strcmp(value, fields[i] + len + 1) != 0)
			fail_msg("%s: %s is \"%s\", not \"%s\"", name, f->name, value,
				 fields[i] + len + 1);
	}
	arena_release(&a);
}

static void check_numbers(const struct kept *k, const struct scene *scene)
{
	static const struct want weights = {.kinds = WANT_WEIGHTS, .layer = -1, .head = -1};
	struct arena a;
	struct built built;
	struct trace trace;
	struct err err;
	arena_init(&a);
	if (!evaluate(&scene->setup, &weights, NULL, NULL, &a, &built, &trace, &err))
		fail_msg("%s: %s", k->file, err.text);
	for (size_t i = 0; i < sizeof k->numbers / sizeof *k->numbers && k->numbers[i].head > 0;
	     i++) {
		const size_t h = k->numbers[i].head, t = k->numbers[i].row, s = k->numbers[i].col;
		const double is = mat_row(trace.layers[0].heads[h - 1].weights, t - 1)[s - 1];
		if (!(fabs(is - k->numbers[i].weight) <= 1e-12))
			fail_msg("%s: weight %zu %zu of head %zu is %.17g, not %.17g", k->file, t,
				 s, h, is, k->numbers[i].weight);
	}
	arena_release(&a);
}

/* Opens a file as `open` does, a step of a tour as `render` does. */
static void open_kept(struct app *app, const char *file)
{
	char line[64];
	if (strchr(file, '#'))
		SILENT("", "render", file, "-o", "step-of-tour.png", "--force");
	snprintf(line, sizeof line, "open %s", strchr(file, '#') ? "step-of-tour.png" : file);
	help_app_run(app, "reset");
	help_app_run(app, line);
}

TEST_WITH(scenes_say_what_they_said, help_app_open, help_app_close)
{
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
		struct app *const app = *state;
		open_kept(app, kept[i].file);
		check_fields(kept[i].file, &app->scene, kept[i].fields);
		check_numbers(&kept[i], &app->scene);
	}
}

static bool compares(const struct kept *k)
{
	for (size_t i = 0; k->fields[i]; i++)
		if (strncmp(k->fields[i], "compare ", 8) == 0 &&
		    strcmp(k->fields[i], "compare none") != 0)
			return true;
	return false;
}

/* show is of one scheme. */
TEST(scenes_are_drawn_and_told_of)
{
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
		SILENT("", "render", kept[i].file, "-o", "again.txt", "--force");
		if (!compares(&kept[i]))
			SILENT("", "show", kept[i].file);
	}
}

/* Every matrix of a picture is compared, under whatever name, and is the same. */
TEST(pictures_verify)
{
	static const struct {
		const char *file;
		size_t matrices;
	} rows[] = {
		{"explore.png", 2}, {"terms.png", 5}, {"inputs.png", 3}, {"compare.png", 3},
		{"tree.png", 1},    {"beat.png", 3},  {"step.png", 0},	 {"matrix.png", 1},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_result r;
		size_t same = 0;
		cli_run(&r, &(struct cli_case){.args = {"verify", rows[i].file}});
		for (const char *at = r.out; (at = strstr(at, " ok\n")) != NULL; at++)
			same++;
		if (r.code != 0 || same != (rows[i].matrices ? rows[i].matrices : 1))
			fail_msg("%s: status %d, %zu the same: %s%s", rows[i].file, r.code, same,
				 r.out, r.err);
		cli_done(&r);
	}
}

/* ---- pictures that say their command ----------------------------------------------------------- */

/* The command, from "posviz " at the end of `before` up to a character of `end`. */
static const char *command_of(const char *file, const char *before, const char *end,
			      struct arena *a)
{
	size_t len;
	char *const data = cli_read(file, a, &len);
	const size_t n = strlen(before);
	for (size_t i = 0; i + n < len; i++)
		if (memcmp(data + i, before, n) == 0) {
			const char *const name = strstr(before, "posviz ");
			const char *const at = data + i + (name - before);
			return arena_strndup(a, at, strcspn(at, end));
		}
	fail_msg("%s: \"%s\" is not in it", file, before);
	return NULL;
}

/* A picture, a page for LaTeX and a caption are made again by the command that they say, for a shell. */
TEST_WITH(commands_of_pictures_still_run, help_app_open, help_app_close)
{
	static const struct {
		const char *file, *before, *end, *fields[6];
	} rows[] = {
		{"bias.svg",
		 "<desc>posviz ",
		 "<",
		 {"scheme t5", "panel bias", "font-size 8pt", NINE, "head 1"}},
		{"curves.pdf",
		 "/Subject (posviz ",
		 ")",
		 {"scheme t5+causal", "panel curve", "compare alibi; rope+causal", NINE}},
		{"curves.caption.txt",
		 "\nposviz ",
		 "\n",
		 {"scheme t5+causal", "panel curve", "compare alibi; rope+causal", NINE}},
		{"bias.tex",
		 "% posviz ",
		 "\n",
		 {"scheme alibi", "panel bias", "sentence to be or not", "head 1"}},
	};
	struct arena a;
	arena_init(&a);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct app *const app = *state;
		const char *const command =
			command_of(rows[i].file, rows[i].before, rows[i].end, &a);
		const char *const line = arena_printf(&a, "\"$POSVIZ\" %s -o again.png --force",
						      command + strlen("posviz "));
		if (system(line) != 0)
			fail_msg("%s: %s", rows[i].file, line);
		help_app_run(app, "reset");
		help_app_run(app, "open again.png");
		check_fields(rows[i].file, &app->scene, rows[i].fields);
	}
	arena_release(&a);
}

TEST(a_sheet_says_its_command)
{
	struct export_text *texts;
	struct arena a;
	struct err err;
	size_t len, n;
	arena_init(&a);
	const char *const data = cli_read("sheet.png", &a, &len), *command = NULL;
	if (!export_png_read(data, len, &a, NULL, &texts, &n, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < n; i++)
		if (strcmp(texts[i].keyword, "Description") == 0)
			command = texts[i].text;
	assert_non_null(command);
	assert_memory_equal(command, "posviz ", 7);
	assert_int_equal(
		system(arena_printf(&a, "\"$POSVIZ\" %s -o again.png --force", command + 7)), 0);
	arena_release(&a);
}

/* ---- matrices that nobody can tell ------------------------------------------------------------- */

/* Rows from 0 to 1 that sum to less than 1 are asked about now, and rounded ones are weights; both were a bias. */
TEST_WITH(matrices_are_the_bias_that_they_were, help_app_open, help_app_close)
{
	static const struct kept rows[] = {
		{"short.png",
		 {"scheme matrix(from=/proc/self/cwd/short.csv,as=bias)"},
		 {{1, 1, 2, 0.09249954896526484}, {1, 4, 3, 0.04528917440404059}}},
		{"short.posviz",
		 {"scheme matrix(from=short.csv,as=bias)"},
		 {{1, 1, 2, 0.09249954896526484}, {1, 4, 3, 0.04528917440404059}}},
		{"short.tour#1",
		 {"sentence to be or not"},
		 {{1, 1, 2, 0.09249954896526484}, {1, 4, 3, 0.04528917440404059}}},
		{"rounded.png",
		 {"scheme matrix(from=/proc/self/cwd/rounded.csv,as=bias)"},
		 {{1, 1, 2, 0.0896117944047058}, {1, 4, 1, 0.17458288994521462}}},
		{"beside.png",
		 {"scheme alibi", "compare matrix(from=/proc/self/cwd/rounded.csv,as=bias)"},
		 {{0}}},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct app *const app = *state;
		struct cli_result r;
		char line[64];
		cli_run(&r, &(struct cli_case){.args = {"render", rows[i].file, "-o", "as-then.png",
							"--force"}});
		if (r.code != 0 || !strstr(r.err, "taken for a bias, as in earlier versions"))
			fail_msg("%s: status %d: %s", rows[i].file, r.code, r.err);
		cli_done(&r);
		help_app_run(app, "reset");
		snprintf(line, sizeof line, "open %s",
			 strchr(rows[i].file, '#') ? "as-then.png" : rows[i].file);
		help_app_run(app, line);
		check_fields(rows[i].file, &app->scene, rows[i].fields);
		check_numbers(&rows[i], &app->scene);
	}
	SILENT("1 of 1 expectations hold", "tour", "--check", "short.tour");
}

/* What was made since then says so, and the same file is what it was there. */
TEST_WITH(matrices_of_now_are_what_they_are_now, help_app_open, help_app_close)
{
	static const char *const fields[] = {"scheme matrix(from=/proc/self/cwd/rounded.csv)",
					     NULL};
	struct cli_result r;
	cli_good(&(struct cli_case){.args = {"render", "matrix(from=/proc/self/cwd/rounded.csv)",
					     "-s", "to be or not", "-o", "now.png"}});
	help_app_run(*state, "open now.png");
	check_fields("now.png", &((struct app *)*state)->scene, fields);
	cli_run(&r, &(struct cli_case){.args = {"render", "matrix(from=short.csv)", "-s",
						"to be or not", "-o", "asked.png"}});
	if (r.code != 2 || !strstr(r.err, "say which they are"))
		fail_msg("status %d: %s", r.code, r.err);
	cli_done(&r);
}

/* ---- dumps ------------------------------------------------------------------------------------- */

#define WORDS "-s", "to be or not"
#define SMALL "--heads", "2", "--d-model", "8"

/* The number at a row and column, from 1, of the matrix that `dump` makes of what it takes back. */
static void check_dump(const char *const *args, size_t row, size_t col, double is)
{
	struct cli_case c = {.args = {0}};
	struct tensor_set set;
	struct arena a;
	struct err err;
	size_t n = 0;
	for (; args[n]; n++)
		c.args[n] = args[n];
	c.args[n++] = "-o", c.args[n++] = "back.npy", c.args[n++] = "--force";
	cli_good(&c);
	arena_init(&a);
	tensor_set_init(&set, &a);
	if (!help_tensors(&set, "back.npy", &err))
		fail_msg("%s", err.text);
	const struct tensor *const t = cli_tensor(&set, "data");
	const double got = t->at[(row - 1) * t->shape[1] + col - 1];
	if (!(fabs(got - is) <= 1e-12))
		fail_msg("%s %s: %.17g, not %.17g", args[0], args[1], got, is);
	arena_release(&a);
}

/* Each option that takes tensors reads dumps, and makes of them the numbers that they were dumped with. */
TEST(dumps_are_taken_back)
{
	static const struct {
		const char *args[20];
		size_t row, col;
		double is;
	} rows[] = {
		{{"dump", "t5:buckets=8", WORDS, SMALL, "--matrix", "weights", "--head", "2",
		  "--params", "dump.json", "--map", "bias_table=param.t5.bias_table", "--units",
		  "dump.json:units"},
		 2,
		 3,
		 0.026594736091200177},
		{{"dump", "alibi+causal", WORDS, SMALL, "--matrix", "weights", "--head", "2",
		  "--units", "dump.safetensors:units"},
		 4,
		 2,
		 0.23415229161842205},
		{{"dump", "matrix:from=dump.json:layer.0.head.1.weights", WORDS, "--matrix",
		  "weights"},
		 2,
		 3,
		 0.026594736091200177},
		{{"dump", "--matrix-from", "dump.safetensors:layer.0.head.1.weights", WORDS,
		  "--matrix", "weights"},
		 4,
		 2,
		 0.23415229161842205},
		{{"dump", "--matrix-from", "weights.npy", WORDS, "--matrix", "weights"},
		 2,
		 3,
		 0.026594736091200177},
		{{"dump", "matrix:from=bias.csv", WORDS, "--matrix", "bias"},
		 2,
		 1,
		 1.6926657213920189},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		check_dump(rows[i].args, rows[i].row, rows[i].col, rows[i].is);
}

/* Programs of others read these names. */
TEST(dumps_name_what_they_named)
{
	static const struct {
		const char *file, *expression, *scene;
	} rows[] = {
		{"dump.safetensors", "alibi+causal",
		 "sentence to be or not\nscheme alibi+causal\nd-model 8\nheads 2\nlayers 1\n"},
		{"dump.json", "t5(buckets=8)",
		 "sentence to be or not\nscheme t5(buckets=8)\nd-model 8\nheads 2\nlayers 1\n"},
	};
	static const char *const names[] = {"units",
					    "layer.0.head.0.q",
					    "layer.0.head.1.logits",
					    "layer.0.head.1.weights",
					    "layer.0.output",
					    "bias.head.0"};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tensor_set kept_set, now;
		struct arena a;
		struct err err;
		arena_init(&a);
		tensor_set_init(&kept_set, &a);
		tensor_set_init(&now, &a);
		cli_write("of-dump.posviz", rows[i].scene, strlen(rows[i].scene));
		SILENT("", "dump", "of-dump.posviz", "-o", "now.safetensors", "--force",
		       "--numbers", "none");
		if (!help_tensors(&kept_set, rows[i].file, &err) ||
		    !help_tensors(&now, "now.safetensors", &err))
			fail_msg("%s", err.text);
		assert_string_equal(tensor_meta_find(&kept_set, "expression"), rows[i].expression);
		assert_string_equal(tensor_meta_find(&kept_set, "scene"), rows[i].scene);
		assert_string_equal(tensor_meta_find(&now, "expression"), rows[i].expression);
		for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
			const struct tensor *const x = cli_tensor(&kept_set, "%s", names[k]);
			const struct tensor *const y = cli_tensor(&now, "%s", names[k]);
			assert_true(x->dims == 2 && y->dims == 2 && x->shape[0] == y->shape[0] &&
				    x->shape[1] == y->shape[1]);
			for (size_t j = 0; j < x->shape[0] * x->shape[1]; j++)
				if (!(fabs(x->at[j] - y->at[j]) <= 1e-12))
					fail_msg("%s: %s, number %zu: %.17g, not %.17g",
						 rows[i].file, names[k], j, y->at[j], x->at[j]);
		}
		arena_release(&a);
	}
}

/* ---- tours and recordings ---------------------------------------------------------------------- */

TEST(tours_hold)
{
	SILENT("quiz.tour: 4 steps", "tour", "--check", "quiz.tour");
	SILENT("recording.tour: 11 steps", "tour", "--check", "recording.tour");
	SILENT("words.tour:6: its words are cut as earlier versions did", "tour", "--check",
	       "words.tour");
	SILENT("words.tour: 8 steps", "tour", "--check", "words.tour");
	SILENT("lesson.tour: 2 steps, 2 of 2 expectations hold", "tour", "--check", "lesson.tour");
	SILENT("lecture.tours: 13 steps, 2 of 2 expectations hold", "tour", "--check",
	       "lecture.tours");
}

/* ---- configuration and state ------------------------------------------------------------------- */

/* Puts the kept files where the terminal program looks for its own, and starts as it does. */
static struct cli *start(bool fresh)
{
	struct cli *const c = calloc(1, sizeof *c);
	struct arena a;
	struct err err;
	char here[PATH_MAX];
	assert_int_equal(
		system("mv config kept-config && mkdir -p config/posviz state/posviz &&"
		       " cp kept-config config/posviz/config && cp last-scene state/posviz/scene &&"
		       " cp history state/posviz/history"),
		0);
	assert_non_null(getcwd(here, sizeof here));
	arena_init(&a);
	setenv("XDG_CONFIG_HOME", arena_printf(&a, "%s/config", here), 1);
	setenv("XDG_STATE_HOME", arena_printf(&a, "%s/state", here), 1);
	arena_release(&a);
	arena_init(&c->arena);
	app_init(&c->app);
	c->sub = subcommand_find("");
	c->fresh = fresh;
	if (!state_start(c, &err))
		fail_msg("%s", err.text);
	return c;
}

static void stop(struct cli *c)
{
	app_release(&c->app);
	arena_release(&c->arena);
	free(c);
}

TEST(the_last_scene_comes_back)
{
	static const char *const fields[] = {"sentence a cat and a dog",
					     SIZES,
					     "scheme rope+causal",
					     "order 5 4 3 1 2",
					     "compare t5",
					     "view order",
					     "head 2",
					     "row 3",
					     "col 1",
					     "colormap magma",
					     NULL};
	static const struct kept numbers = {.file = "last-scene",
					    .numbers = {{2, 2, 1, 0.09761086408889263},
							{2, 3, 2, 0.17944675910874303},
							{2, 1, 2, 0}}};
	struct cli *const c = start(false);
	check_fields("last-scene", &c->app.scene, fields);
	check_numbers(&numbers, &c->app.scene);
	assert_true(file_exists("state/posviz/scene")); /* it is not set aside */
	assert_int_equal(c->app.n_history, 23);
	assert_string_equal(c->app.history[2], "cursor 3 1");
	assert_string_equal(c->app.history[22], "quit");
	stop(c);
}

static const char *key_of(const struct app *app, const char *key)
{
	static const char *const everywhere[] = {"", NULL};
	const struct binding *const b = keymap_find(app, everywhere, key);
	return b ? b->command : "no command";
}

TEST(configurations_hold)
{
	static const char *const settings[][2] = {{"color", "256"},
						  {"glyphs", "braille"},
						  {"mouse", "off"},
						  {"contrast", "on"},
						  {"motion", "off"}};
	struct cli *const c = start(true);
	struct app *const app = &c->app;
	assert_string_equal(app->message, ""); /* a line that is not understood is said here */
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		assert_string_equal(
			field_get(&app->settings, setting_find(settings[i][0]), &c->arena),
			settings[i][1]);
	check_fields("config", &app->scene, (const char *const[]){"colormap magma", NULL});
	assert_string_equal(key_of(app, "F6"), "view why");
	assert_string_equal(key_of(app, "W"), "matrix weights");
	/* Names of one's own, one of a file beside the configuration. */
	static const char *const other[] = {"scheme formula(b=-abs(s-t)/4)", NULL};
	help_app_run(app, "scheme ramp");
	check_fields("config", &app->scene, other);
	static const struct kept near = {.file = "near",
					 .numbers = {{1, 1, 4, 0.16598841670448178},
						     {1, 2, 1, 0.09294190047562068},
						     {4, 3, 2, 0.0281115280095346}}};
	help_app_run(app, "sentence to be or not");
	help_app_run(app, "scheme near");
	check_numbers(&near, &app->scene);
	stop(c);
	/* Other sub-commands read the names alone. */
	SILENT("formula(b=-abs(s-t)/4)", "show", "ramp", "--config", "kept-config", "--format",
	       "json");
}
