/* test_two_models.c: one model after another, and beside another. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/app/app.h"
#include "posviz/format/tensor_file.h"
#include "posviz/math/mat.h"
#include "posviz/picture/picture.h"
#include "posviz/scene/beside.h"
#include "posviz/scene/model_open.h"

FIXTURE(open_arena, close_arena)

static const char *path_of(const char *model)
{
	return arena_printf(&arena, "%s/models/%s", test_data, model);
}

static void open_model(struct scene *scene, const char *model)
{
	struct err err = {""};
	const char *said;
	if (!app_model(scene, model, &arena, &said, &err))
		fail_msg("%s", err.text);
}

/* A model is opened as it is in a new scene, whatever was opened before: its tables, its ids, its sizes. */
TEST(nothing_of_the_model_before_is_left)
{
	static const char *const models[] = {"gpt2", "llama3", "t5-encoder", "configs/llama2.json",
					     "gguf/qwen3-bf16.gguf"};
	enum { N = sizeof models / sizeof *models };
	for (size_t i = 0; i < N; i++)
		for (size_t k = 0; k < N; k++) {
			struct scene after, alone;
			scene_init(&after);
			scene_init(&alone);
			open_model(&after, path_of(models[i]));
			assert_true(
				scene_set(&after, field_find("ids"), i == k ? "" : "1 2 3", NULL));
			open_model(&after, path_of(models[k]));
			open_model(&alone, path_of(models[k]));
			assert_string_equal(scene_print(&after, &arena),
					    scene_print(&alone, &arena));
		}
}

/* A released model by its name has no files. */
TEST(a_model_by_name_has_nothing_of_files)
{
	struct scene after, alone;
	scene_init(&after);
	scene_init(&alone);
	open_model(&after, path_of("gpt2"));
	open_model(&after, "llama3.1-8b");
	open_model(&alone, "llama3.1-8b");
	assert_string_equal(scene_print(&after, &arena), scene_print(&alone, &arena));
}

/* ---- beside each other ----------------------------------------------------------------------- */

static void set(struct scene *s, const char *field, const char *value)
{
	struct err err = {""};
	if (!scene_set(s, field_find(field), value, &err))
		fail_msg("%s: %s", field, err.text);
}

/* Returns a scene of one model with a second one compared, as the command has it. */
static void open_both(struct scene *s, const char *first, const char *second)
{
	struct err err = {""};
	const char *list;
	scene_init(s);
	open_model(s, path_of(first));
	if (!app_models_in("compare", path_of(second), &arena, &list, &err))
		fail_msg("%s", err.text);
	set(s, "compare", list);
}

static const struct leaf *given_leaf(const struct built *b, const char *base)
{
	for (size_t i = 0; i < b->model.n_leaves; i++)
		if (strcmp(b->model.leaves[i].base, base) == 0)
			return &b->model.leaves[i];
	return NULL;
}

/* Returns the bias of the first head of a scene's own expression. */
static struct mat bias_of(const struct setup *setup)
{
	struct built *const b = arena_calloc(&arena, 1, sizeof *b);
	struct trace *const trace = arena_calloc(&arena, 1, sizeof *trace);
	struct err err = {""};
	const struct want want = {.kinds = WANT_BIAS, .layer = 0, .head = 0};
	if (!evaluate(setup, &want, NULL, NULL, &arena, b, trace, &err))
		fail_msg("%s", err.text);
	return trace->layers[0].heads[0].bias;
}

static void expect_same(struct mat x, struct mat y)
{
	assert_true(x.rows == y.rows && x.cols == y.cols && x.rows > 0);
	for (size_t i = 0; i < x.rows; i++)
		for (size_t j = 0; j < x.cols; j++)
			assert_true(mat_row(x, i)[j] == mat_row(y, i)[j]);
}

/* Each has the sizes and the numbers that it has alone, though they differ in both. */
TEST(both_models_read_their_own_files)
{
	static const char *const models[][2] = {{"gpt2", "bert-bare"},
						{"bert-bare", "gpt2"},
						{"t5-encoder", "bloom"},
						{"llama3", "t5-encoder"}};
	for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
		struct scene both;
		open_both(&both, models[i][0], models[i][1]);
		for (size_t k = 0; k < 2; k++) {
			struct scene alone;
			struct setup setup;
			struct err err = {""};
			scene_init(&alone);
			open_model(&alone, path_of(models[i][k]));
			if (!setup_of_compared(&both.setup, k + 1, &arena, &setup, &err))
				fail_msg("%s", err.text);
			/* Beside one without a tokenizer the other has words, too. */
			alone.setup.tokens = setup.tokens;
			assert_int_equal(setup.d_model, alone.setup.d_model);
			assert_int_equal(setup.heads, alone.setup.heads);
			assert_string_equal(setup.params, alone.setup.params);
			expect_same(bias_of(&setup), bias_of(&alone.setup));
		}
	}
}

/* The second one in front has the first behind it, and back. */
TEST(the_second_comes_to_the_front_and_back)
{
	struct scene both;
	struct setup second, first;
	struct err err = {""};
	open_both(&both, "gpt2", "bert-bare");
	assert_true(setup_of_compared(&both.setup, 2, &arena, &second, &err));
	assert_string_equal(second.checkpoint, path_of("bert-bare"));
	assert_true(setup_of_compared(&second, 2, &arena, &first, &err));
	assert_string_equal(first.checkpoint, path_of("gpt2"));
	assert_string_equal(first.compare, both.setup.compare);
	expect_same(bias_of(&first), bias_of(&both.setup));
}

static struct picture *picture_of(struct scene *s, const char *view)
{
	struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
	struct err err = {""};
	set(s, "view", view);
	if (!picture_make(s, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, p, &err))
		fail_msg("%s: %s", view, err.text);
	return p;
}

/* The views of several expressions name both, and read both. */
TEST(views_show_both)
{
	struct scene s;
	open_both(&s, "gpt2", "bert-bare");
	const struct picture *p = picture_of(&s, "compare");
	assert_int_equal(p->n_compared, 2);
	assert_string_equal(p->compared[0].name, "gpt2");
	assert_string_equal(p->compared[1].name, "bert-bare");
	for (size_t i = 0; i < 2; i++)
		assert_non_null(given_leaf(p->compared[i].built, "p")->tensor);
	assert_non_null(strstr(p->figure.caption, "p from gpt2"));
	assert_non_null(strstr(p->figure.caption, "p from bert-bare"));
	p = picture_of(&s, "lengths");
	assert_int_equal(p->n_laid, 2);
	assert_string_equal(p->laid[0].name, "gpt2");
	assert_string_equal(p->laid[1].name, "bert-bare");
	assert_non_null(given_leaf(p->laid[1].built, "p")->tensor);
	assert_int_equal(p->laid[1].built->model.config.d, 36);
}

/* A model beside a scheme: the scheme is computed in the model's sizes. */
TEST(a_model_stands_beside_a_scheme)
{
	struct scene s;
	scene_init(&s);
	open_model(&s, path_of("gpt2"));
	set(&s, "compare", "alibi+causal");
	const struct picture *const p = picture_of(&s, "compare");
	assert_string_equal(p->compared[0].name, "gpt2");
	assert_int_equal(p->compared[1].built->model.config.d, 48);
}

/* A model beside itself on other words. */
TEST(a_model_may_have_words_of_its_own)
{
	struct scene s;
	struct setup setup;
	struct err err = {""};
	const char *list;
	scene_init(&s);
	open_model(&s, path_of("gpt2"));
	const char *const entry = arena_printf(&arena, "%s @ man bites dog", path_of("bert-bare"));
	if (!app_models_in("compare", entry, &arena, &list, &err))
		fail_msg("%s", err.text);
	set(&s, "compare", list);
	if (!setup_of_compared(&s.setup, 2, &arena, &setup, &err))
		fail_msg("%s", err.text);
	assert_string_equal(setup.sentence, "man bites dog");
	assert_string_equal(setup.checkpoint, path_of("bert-bare"));
}

TEST(mistakes_in_models_are_said)
{
	static const char *const rows[][2] = {{"rope @model", "no path stands behind @model"},
					      {"rope @model a @model b", "@model is given twice"},
					      {"rope @modle a", "did you mean @model"}};
	struct scene s;
	struct setup setup;
	struct err err = {""};
	scene_init(&s);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_false(scene_set(&s, field_find("compare"), rows[i][0], &err));
		if (!strstr(err.text, rows[i][1]))
			fail_msg("%s: %s", rows[i][0], err.text);
	}
	set(&s, "compare", "rope @model /nowhere/at/all");
	assert_false(setup_of_compared(&s.setup, 2, &arena, &setup, &err));
	assert_non_null(strstr(err.text, "/nowhere/at/all"));
}

/* ---- names ----------------------------------------------------------------------------------- */

/* A picture of an opened model names it, one of another scheme in its sizes does not. */
TEST(titles_name_the_model)
{
	static const char *const models[][2] = {
		{"gpt2", "gpt2 · Learned absolute position embedding"},
		{"configs/t5-base.json", "t5-base · Bucketed relative bias"},
		{"gguf/gpt2-f16.gguf", "gpt2-f16 · Learned absolute position embedding"}};
	struct scene s;
	for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
		scene_init(&s);
		open_model(&s, path_of(models[i][0]));
		assert_string_equal(picture_of(&s, "explore")->figure.title, models[i][1]);
	}
	set(&s, "scheme", "alibi");
	assert_null(strstr(picture_of(&s, "explore")->figure.title, "gpt2"));
	scene_init(&s);
	assert_null(strstr(picture_of(&s, "explore")->figure.title, "·"));
}

/* Caches and working directories name models by their folders. */
TEST(names_are_found_in_paths)
{
	static const char *const rows[][2] = {
		{"/a/llama-3-8b", "llama-3-8b"},
		{"/a/llama-3-8b/", "llama-3-8b"},
		{"/a/llama-3-8b/config.json", "llama-3-8b"},
		{"/a/x.gguf", "x"},
		{"/hub/models--org--qwen2-7b/snapshots/0123456789abcdef0123456789abcdef01234567",
		 "qwen2-7b"},
		{"config.json", "config"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(model_name(rows[i][0], &arena), rows[i][1]);
}

/* Compares what is shown with the first rows of a table of the model's file. */
static void expect_table(const struct panel *panel, const char *model, const char *name)
{
	struct err err = {""};
	const struct tensor_file *const f = tensor_file_open_in(&arena, path_of(model), &err);
	const struct tensor_entry *const e = f ? tensor_file_find(f, name) : NULL;
	const struct mat m = panel->heatmap.values;
	assert_non_null(e);
	assert_int_equal(m.cols, tensor_entry_cols(e));
	double *const row = arena_calloc(&arena, m.cols, sizeof *row);
	for (size_t t = 0; t < m.rows; t++) {
		assert_true(tensor_file_rows(f, e, t, 1, row, &err));
		for (size_t i = 0; i < m.cols; i++)
			assert_true(fabs(mat_row(m, t)[i] - row[i]) < 1e-12);
	}
}

/* The view Vectors shows the tables of both models, each from its file; the words are the same, so that the
 * models alone are named. */
TEST(vectors_of_two_models_are_of_their_files)
{
	struct scene s;
	struct err err = {""};
	struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
	open_both(&s, "gpt2", "bert-bare");
	set(&s, "tokens", "words");
	set(&s, "view", "vectors");
	if (!picture_make(&s, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, p, &err))
		fail_msg("%s", err.text);
	assert_int_equal(p->figure.n, 6);
	assert_string_equal(p->figure.title, "gpt2 · bert-bare");
	expect_table(&p->figure.panels[0], "gpt2", "wpe.weight");
	expect_table(&p->figure.panels[3], "bert-bare", "embeddings.position_embeddings.weight");
}

/* What stands beside the expressions in the text, a mask of packed texts, is in their names. */
TEST(names_have_the_mask_of_packed_texts)
{
	struct scene s;
	struct err err = {""};
	struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
	scene_init(&s);
	set(&s, "sentence", "a b ||| c d");
	set(&s, "scheme", "rope");
	set(&s, "compare", "alibi");
	set(&s, "pack", "on");
	set(&s, "view", "compare");
	if (!picture_make(&s, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, p, &err))
		fail_msg("%s", err.text);
	assert_string_equal(p->figure.title, "rope+pack · alibi+pack");
}
