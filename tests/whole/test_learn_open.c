/* test_learn_open.c: the trained model out of the view Learn in the other views, and back. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "help_app.h"
#include "help_cli.h"
#include "posviz/app/snapshot.h"
#include "posviz/format/file.h"
#include "posviz/format/folder.h"
#include "posviz/learn/known.h"
#include "posviz/picture/picture.h"
#include "test.h"

/* Each test has a directory of states of its own: two that keep the same model at once would change it under each
 * other's eyes. */
static int open_here(void **state)
{
	char here[4096];
	if (cli_enter(state) != 0 || !getcwd(here, sizeof here) ||
	    setenv("XDG_STATE_HOME", here, 1) != 0)
		return -1;
	return help_app_open(state);
}

static int close_here(void **state)
{
	return help_app_close(state) + cli_leave(state);
}

FIXTURE(open_here, close_here)

static void begin(struct app *app)
{
	help_app_run(app, "pick t5");
	help_app_run(app, "view learn");
	help_app_run(app, "train-steps 20");
	help_app_run(app, "moment 10");
}

static void make(const struct app *app, struct arena *a, struct picture *p)
{
	struct err err = {""};
	if (!picture_make(&app->scene, NULL, false, BACKGROUND_LIGHT, NULL, NULL, a, p, &err))
		fail_msg("%s", err.text);
}

/* The weights of the view Explore are those of the view Learn, on its sentence. */
TEST(the_model_of_a_moment_is_that_of_learn)
{
	struct app *const app = *state;
	struct arena a;
	struct learn_known k;
	struct learn_options o;
	char head[40];
	arena_init(&a);
	begin(app);
	learn_of_scene(&app->scene, app->scene.setup.scheme, &o);
	learn_known_of(&o, 10, false, NULL, &a, &k);
	help_app_run(app, "trained");
	assert_string_equal(app->scene.view, "explore");
	assert_non_null(strstr(app->message, "trained on shift, 10 of 20 steps, seed 1"));
	snprintf(head, sizeof head, "head %zu", k.now.head + 1);
	help_app_run(app, head);
	struct picture *const p = arena_calloc(&a, 1, sizeof *p);
	make(app, &a, p);
	const struct mat w = view_shown(&app->scene, 4, &p->trace, &a)->weights;
	assert_int_equal(w.rows, k.now.weights.rows);
	assert_int_equal(w.cols, k.now.weights.cols);
	for (size_t i = 0; i < w.rows * w.cols; i++)
		assert_within(w.at[i], k.now.weights.at[i], 1e-12);
	if (!strstr(p->figure.caption, "t5+causal-shift-10-of-20-steps-seed-1"))
		fail_msg("%s", p->figure.caption);
	arena_release(&a);
}

/* The other views open it, and the way back leads to the same moment. */
TEST(views_open_the_trained_model_and_come_back)
{
	static const char *const names[] = {"vectors", "rank",	 "split",  "terms",
					    "order",   "values", "metrics"};
	struct app *const app = *state;
	begin(app);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct arena a;
		char line[40];
		arena_init(&a);
		struct picture *const p = arena_calloc(&a, 1, sizeof *p);
		snprintf(line, sizeof line, "trained %s", names[i]);
		help_app_run(app, line);
		assert_string_equal(app->scene.view, names[i]);
		make(app, &a, p);
		help_app_run(app, "trained");
		assert_string_equal(app->scene.view, "learn");
		assert_int_equal(app->scene.moment, 10);
		assert_string_equal(app->scene.setup.checkpoint, "");
		arena_release(&a);
	}
}

/* Sentences of training have up to 16 letters: of a table of positions the first 16 rows are met; of 32 buckets up to
 * distance 128 those of distances up to 15, ten at the left with that of 0, nine at the right (Raffel et al. 2020). */
TEST(rows_that_no_sentence_had_are_said)
{
	static const struct {
		const char *scheme, *says;
		size_t masked;
	} cases[] = {
		{"learned", "112 of 128 rows were never trained", 112},
		{"t5(buckets=32,max_distance=128)", "13 of 32 rows were never trained", 13},
		{"t5(buckets=16,max_distance=12)", NULL, 1},
	};
	struct app *const app = *state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena a;
		char line[100];
		size_t masked = 0;
		arena_init(&a);
		struct picture *const p = arena_calloc(&a, 1, sizeof *p);
		snprintf(line, sizeof line, "scheme %s", cases[i].scheme);
		help_app_run(app, line);
		help_app_run(app, "view learn");
		help_app_run(app, "train-steps 20");
		help_app_run(app, "trained vectors");
		make(app, &a, p);
		const struct heatmap *const h = &p->figure.panels[0].heatmap;
		for (size_t r = 0; h->masked && r < h->values.rows; r++)
			masked += h->masked[r * h->values.cols] != 0;
		assert_int_equal(masked, cases[i].masked);
		if (cases[i].says && !strstr(p->figure.finding, cases[i].says))
			fail_msg("%s", p->figure.finding);
		if (i == 0)
			assert_true(!h->masked[15 * h->values.cols] &&
				    h->masked[16 * h->values.cols]);
		help_app_run(app, "trained");
		arena_release(&a);
	}
}

TEST(there_is_no_way_where_nothing_is_trained)
{
	struct app *const app = *state;
	help_app_refuse(app, "trained", "the view Learn has a training");
	begin(app);
	help_app_refuse(app, "trained nearby", "nearby");
	help_app_run(app, "moment last");
	help_app_run(app, "moment 20");
	help_app_refuse(app, "moment 21", "there is no step 21; 0 to 20 would be right, or last");
	help_app_refuse(app, "train-task nearby", "there is no \"nearby\"; tasks are shift");
	help_app_run(app, "pick alibi");
	help_app_run(app, "train-task reverse");
	help_app_refuse(app, "trained", "trained: the answers of reverse lie behind");
}

/* ---- pictures of a training ----------------------------------------------------------------------- */

/* Returns how many rows differ; *n: of how many, *left: those that are not compared. */
static size_t wrong(const struct export_text *texts, size_t n_texts, struct arena *a, size_t *n,
		    size_t *left)
{
	static uint8_t pixels[12];
	const struct image image = {2, 2, pixels};
	struct scene scene;
	struct verification *rows;
	struct err err = {""};
	const char *version;
	char *data;
	size_t len, out = 0;
	assert_true(export_png(&image, 96, texts, n_texts, a, &data, &len, NULL));
	if (!snapshot_verify(data, len, NULL, a, 1e9, &scene, &rows, n, &version, &err))
		fail_msg("%s", err.text);
	*left = 0;
	for (size_t i = 0; i < *n; i++) {
		out += !rows[i].ok;
		*left += rows[i].ok && rows[i].trouble;
	}
	return out;
}

static struct export_text *text_of(struct export_text *texts, size_t n, const char *keyword)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(texts[i].keyword, keyword) == 0)
			return &texts[i];
	fail_msg("no %s", keyword);
	return NULL;
}

/* Another seed's numbers, as if the same training had gone another way. */
static const char *of_seed(const struct app *app, long seed, struct arena *a)
{
	struct scene scene = app->scene;
	scene.train_seed = (uint64_t)seed;
	return snapshot_learned(&scene, a);
}

/* The whole run on the same kernel, the first steps on any. */
TEST(a_picture_of_a_training_is_verified)
{
	struct app *const app = *state;
	struct arena a;
	struct export_text texts[SNAPSHOT_TEXTS];
	size_t rows, left;
	arena_init(&a);
	begin(app);
	help_app_run(app, "train-steps 30");
	help_app_run(app, "moment last");
	struct picture *const p = arena_calloc(&a, 1, sizeof *p);
	make(app, &a, p);
	const size_t n = snapshot_texts(&app->scene, &p->figure, NULL, &a, texts);
	assert_int_equal(wrong(texts, n, &a, &rows, &left), 0);
	assert_int_equal(left, 0);
	assert_true(rows > 2);
	struct export_text *const matrices = text_of(texts, n, SNAPSHOT_MATRICES);
	struct export_text *const kernel = text_of(texts, n, SNAPSHOT_KERNEL);
	struct export_text *const learned = text_of(texts, n, SNAPSHOT_LEARNED);
	const char *const was = matrices->text;
	matrices->text = arena_strdup(&a, was);
	memcpy(strstr(matrices->text, "\"norm\":") + 7, "9", 1);
	assert_int_equal(wrong(texts, n, &a, &rows, &left), 1);
	kernel->text = "another";
	assert_int_equal(wrong(texts, n, &a, &rows, &left), 0);
	assert_int_equal(left, rows - 2);
	learned->text = of_seed(app, 2, &a);
	assert_int_equal(wrong(texts, n, &a, &rows, &left), 2);
	arena_release(&a);
}

TEST(seeds_follow_each_other)
{
	struct app *const app = *state;
	begin(app);
	help_app_run(app, "train-seed next");
	assert_int_equal(app->scene.train_seed, 2);
	help_app_run(app, "train-seed prev");
	help_app_run(app, "train-seed prev");
	assert_int_equal(app->scene.train_seed, 0);
	help_app_refuse(app, "train-seed prev", "the end of its range");
	help_app_run(app, "train-seed 18446744073709551615");
	help_app_refuse(app, "train-seed next", "the end of its range");
	help_app_refuse(app, "train-seed -1", "train-seed: ");
}

/* Pinning stays in the view, and taking away too. */
TEST(schemes_are_kept_beside_in_learn)
{
	struct app *const app = *state;
	begin(app);
	help_app_run(app, "pin");
	assert_string_equal(app->scene.view, "learn");
	help_app_run(app, "pick alibi");
	assert_string_equal(app->scene.setup.compare, "t5+causal");
	help_app_run(app, "unpin");
	assert_string_equal(app->scene.view, "learn");
	assert_string_equal(app->scene.setup.compare, "none");
}

/* The key of the grid starts it and leads back; lengths do not run out of it. */
TEST(the_grid_is_a_state_of_learn)
{
	struct app *const app = *state;
	begin(app);
	help_app_run(app, "train-grid");
	assert_int_equal(app->scene.train_grid, 4);
	help_app_refuse(app, "train-grid prev", "the grid of one scheme has all lengths");
	help_app_refuse(app, "trained", "the grid has many trainings");
	help_app_refuse(app, "train-task next", "the grid has several tasks");
	help_app_run(app, "compare alibi");
	help_app_refuse(app, "train-grid next", "8x is the longest length");
	help_app_run(app, "train-grid prev");
	assert_int_equal(app->scene.train_grid, 3);
	help_app_run(app, "train-grid 1x");
	help_app_refuse(app, "train-grid prev", "1x is the shortest length");
	help_app_run(app, "train-grid");
	assert_int_equal(app->scene.train_grid, 0);
}

enum { BEFORE = 40, KEPT = 32 };

/* Sets the time of the last change of a directory and of all files of a model in it to two days ago. */
static void age(const char *dir)
{
	static const char *const names[] = {"", "/config.json", "/model.safetensors",
					    "/tokenizer.json"};
	const struct timespec at = {time(NULL) - 2 * 24 * 60 * 60, 0}, times[2] = {at, at};
	char path[600];
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(path, sizeof path, "%s%s", dir, names[i]);
		utimensat(AT_FDCWD, path, times,
			  0); /* of another's model only the directory is there */
	}
}

static const char *other_model(int i, char *path, size_t size)
{
	snprintf(path, size, "posviz/trained/%08x/model", i);
	return path;
}

static size_t count_others(void)
{
	char path[64];
	size_t left = 0;
	for (int i = 0; i < BEFORE; i++)
		left += file_exists(other_model(i, path, sizeof path));
	return left;
}

/* The newest of the trained models that were opened stay, and so do those of the last day. */
TEST(old_trained_models_are_removed)
{
	struct app *const app = *state;
	char path[64];
	for (int i = 0; i < BEFORE; i++) {
		assert_true(file_make_dirs(other_model(i, path, sizeof path), NULL));
		if (i > 0)
			age(path);
	}
	begin(app);
	help_app_run(app, "trained");
	assert_true(file_exists(app->scene.setup.checkpoint));
	assert_int_equal(count_others(), KEPT - 1);
	assert_true(file_exists(other_model(0, path, sizeof path)));
	for (int i = 0; i < BEFORE; i++) {
		assert_true(file_make_dirs(other_model(i, path, sizeof path), NULL));
		assert_int_equal(utimensat(AT_FDCWD, path, NULL, 0), 0);
	}
	help_app_run(app, "trained");
	help_app_run(app, "trained");
	assert_int_equal(count_others(), BEFORE);
}

/* A model that a session has open stays, however old it is and however many are newer. */
TEST(an_open_trained_model_stays)
{
	struct app *const app = *state;
	char path[64];
	begin(app);
	help_app_run(app, "trained");
	const char *const dir = app->scene.setup.checkpoint;
	age(dir);
	for (int i = 0; i < BEFORE; i++)
		assert_true(file_make_dirs(other_model(i, path, sizeof path), NULL));
	const pid_t other = fork();
	if (other == 0) {
		folder_keep_newest("posviz/trained", 1, KEPT, 0);
		_exit(0);
	}
	assert_int_equal(waitpid(other, NULL, 0), other);
	assert_int_equal(count_others(), KEPT);
	assert_true(file_exists(dir));
	help_app_run(app, "view heads");
}
