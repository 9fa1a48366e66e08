/* test_posviz.c: the library as its users see it: what is listed, set, computed, written, and refused. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "help_arena.h"
#include "help_measure.h"
#include "posviz.h"
#include "posviz/analysis/analysis.h"
#include "posviz/format/file.h"

enum { SCENES = 16 };
static struct posviz_scene *scenes[SCENES]; /* of this test: they go when it ends */
static size_t n_scenes;

static int free_scenes(void **state)
{
	while (n_scenes > 0)
		posviz_scene_free(scenes[--n_scenes]);
	return close_arena(state);
}

FIXTURE(open_arena, free_scenes)

static struct posviz_scene *scene_of(const char *const *lines)
{
	struct posviz_error err;
	assert_true(n_scenes < SCENES);
	struct posviz_scene *const scene = scenes[n_scenes++] = posviz_scene_new();
	for (; *lines; lines++)
		if (!posviz_scene_command(scene, *lines, &err))
			fail_msg("%s: %s", *lines, err.text);
	return scene;
}

static struct posviz_scene *small(const char *scheme)
{
	return scene_of(
		(const char *[]){scheme, "sentence \"a b c\"", "heads 2", "layers 2", NULL});
}

static struct posviz_result *result_of(struct posviz_scene *scene)
{
	struct posviz_error err;
	struct posviz_result *const r = posviz_evaluate(scene, &err);
	if (!r)
		fail_msg("%s", err.text);
	return r;
}

TEST(schemes_are_listed_to_the_last)
{
	size_t n = 0, rope = 0;
	for (; posviz_scheme(n, POSVIZ_ID); n++)
		rope += strcmp(posviz_scheme(n, POSVIZ_ID), "rope") == 0 &&
			strcmp(posviz_scheme(n, POSVIZ_TITLE), "Rotary position embedding") == 0;
	assert_int_equal(n, posviz_scheme_count());
	assert_int_equal(rope, 1);
	assert_null(posviz_scheme(0, (enum posviz_fact)(POSVIZ_ABOUT + 1)));
}

TEST(a_scene_prints_what_makes_it_again)
{
	struct posviz_scene *const scene = scene_of((const char *[]){
		"scheme rope + causal", "d-model 32", "sentence \" a  b \"", "view terms", NULL});
	const char *const printed = arena_printf(&arena, "%s", posviz_scene_print(scene));
	const char *lines[8] = {NULL};
	size_t n = 0;
	for (char *line = strtok(arena_printf(&arena, "%s", printed), "\n"); line;
	     line = strtok(NULL, "\n"))
		lines[n++] = line;
	struct posviz_scene *const again = scene_of(lines);
	assert_string_equal(posviz_scene_print(again), printed);
	assert_string_equal(posviz_scene_get(again, "scheme"), "rope+causal");
	assert_string_equal(posviz_scene_get(again, "d-model"), "32");
	assert_null(posviz_scene_get(again, "nothing"));
}

TEST(what_is_wrong_is_one_line_and_changes_nothing)
{
	static const char *const rows[][2] = {
		{"scheme rop", "did you mean \"rope\""},
		{"d-modl 64", "did you mean \"d-model\""},
		{"heads 0", "heads"},
		{"view none", "there is no \"none\""},
		{"colormap none", "there is no"},
		{"sentence \"open", "quotes"},
		{"", "no field"},
	};
	struct posviz_scene *const scene = small("scheme rope");
	const char *const before = arena_printf(&arena, "%s", posviz_scene_print(scene));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct posviz_error err = {""};
		assert_false(posviz_scene_command(scene, rows[i][0], &err));
		if (!strstr(err.text, rows[i][1]) || strchr(err.text, '\n'))
			fail_msg("%s: %s", rows[i][0], err.text);
		assert_false(posviz_scene_command(scene, rows[i][0], NULL));
	}
	assert_string_equal(posviz_scene_print(scene), before);
}

TEST(a_tree_takes_the_place_of_a_graph)
{
	struct posviz_scene *const scene =
		scene_of((const char *[]){"graph @kg1", "tree (S (A a) (B b))", NULL});
	assert_string_equal(posviz_scene_get(scene, "graph"), "");
}

/* Slopes of two heads are 2^-4 and 2^-8 (Press et al. 2022, section 3). */
TEST(matrices_have_rows_of_queries)
{
	struct posviz_error err;
	struct posviz_matrix bias, weights, mask, output, logits;
	struct posviz_result *const r = result_of(small("scheme alibi+causal"));
	assert_int_equal(posviz_layers(r), 2);
	assert_int_equal(posviz_heads(r), 2);
	assert_string_equal(posviz_row_label(r, 0), "a");
	assert_string_equal(posviz_column_label(r, 2), "c");
	assert_null(posviz_row_label(r, 3));
	assert_true(posviz_matrix(r, POSVIZ_BIAS, 0, 1, &bias, &err));
	assert_true(bias.rows == 3 && bias.cols == 3);
	assert_true(fabs(bias.at[2 * 3 + 0] + 2.0 / 256) < 1e-15);
	assert_true(posviz_matrix(r, POSVIZ_MASK, 1, 0, &mask, &err));
	assert_true(mask.at[1] == 0 && mask.at[3] == 1);
	assert_true(posviz_matrix(r, POSVIZ_WEIGHTS, 1, 0, &weights, &err));
	assert_true(posviz_matrix(r, POSVIZ_LOGITS, 1, 0, &logits, &err));
	const double a = exp(logits.at[3]), b = exp(logits.at[4]);
	assert_true(weights.at[1] == 0);
	assert_true(fabs(weights.at[3] - a / (a + b)) < 1e-12);
	assert_true(posviz_matrix(r, POSVIZ_OUTPUT, 1, 9, &output, &err));
	assert_true(output.rows == 3 && output.cols == 64);
	posviz_result_free(r);
}

TEST(terms_add_up_to_the_logits)
{
	struct posviz_error err;
	struct posviz_matrix logits, term;
	const char *label;
	double sum[9] = {0};
	struct posviz_result *const r = result_of(small("scheme t5"));
	size_t n = 0;
	for (; posviz_term(r, 0, 1, n, &term, &label); n++)
		for (size_t i = 0; i < 9; i++)
			sum[i] += term.at[i];
	assert_int_equal(n, 2);
	assert_true(posviz_matrix(r, POSVIZ_LOGITS, 0, 1, &logits, &err));
	for (size_t i = 0; i < 9; i++)
		assert_true(fabs(sum[i] - logits.at[i]) < 1e-12);
	assert_false(posviz_term(r, 2, 0, 0, &term, &label));
	posviz_result_free(r);
}

TEST(a_matrix_that_is_not_there_is_an_error)
{
	static const struct {
		const char *scheme;
		enum posviz_kind kind;
		size_t layer, head;
		const char *why;
	} rows[] = {
		{"scheme rope", POSVIZ_WEIGHTS, 2, 0, "there are 2 and 2"},
		{"scheme rope", POSVIZ_WEIGHTS, 0, 2, "there are 2 and 2"},
		{"scheme rope", POSVIZ_BIAS, 1, 0, "layer 0"},
		{"scheme gauss", POSVIZ_BIAS, 0, 0, "do not come from queries and keys"},
		{"scheme gauss", POSVIZ_LOGITS, 0, 0, "the scheme has none"},
		{"scheme rope", (enum posviz_kind)(POSVIZ_OUTPUT + 1), 0, 0, "no kind 5"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct posviz_error err = {""};
		struct posviz_matrix m;
		struct posviz_result *const r = result_of(small(rows[i].scheme));
		assert_false(posviz_matrix(r, rows[i].kind, rows[i].layer, rows[i].head, &m, &err));
		if (!strstr(err.text, rows[i].why))
			fail_msg("%zu: %s", i, err.text);
		posviz_result_free(r);
	}
}

TEST(sizes_that_do_not_fit_are_refused_when_computing)
{
	struct posviz_error err;
	struct posviz_scene *const scene = scene_of((const char *[]){"heads 7", NULL});
	assert_null(posviz_evaluate(scene, &err));
	assert_non_null(strstr(err.text, "heads"));
}

TEST(measures_tell_order_and_leave_others_nan)
{
	enum { MORE = POSVIZ_INSERTION + 2 };
	double none[MORE], rope[MORE];
	assert_true(posviz_measures(small("scheme none"), none, MORE, NULL));
	assert_true(posviz_measures(small("scheme rope"), rope, MORE, NULL));
	assert_true(none[POSVIZ_EQUIVARIANCE] < 1e-9 && rope[POSVIZ_EQUIVARIANCE] > 1e-3);
	assert_true(rope[POSVIZ_SHIFT] < 1e-9);
	assert_true(isnan(none[MORE - 1]));
}

/* By name, beside the program's own; every one another number. */
TEST(measures_stand_in_the_order_of_their_names)
{
	double got[POSVIZ_INSERTION + 1];
	struct scene own;
	struct measures want = {0};
	struct err err = {""};
	struct posviz_scene *const scene = scene_of((const char *[]){
		"scheme learned+t5", "sentence \"a b c\"", "order 3 1 2", "layers 2", NULL});
	assert_true(scene_parse(&own, posviz_scene_print(scene), &err));
	assert_true(help_measure(&own.setup, NULL, &want, &err));
	assert_true(posviz_measures(scene, got, POSVIZ_INSERTION + 1, NULL));
	assert_true(got[POSVIZ_EQUIVARIANCE] == want.equivariance.value);
	assert_true(got[POSVIZ_OWN_ORDER] == want.own_order.value);
	assert_true(got[POSVIZ_INVARIANCE] == want.invariance.value);
	assert_true(got[POSVIZ_SHIFT] == want.shift.value);
	assert_true(got[POSVIZ_SHIFT_RANDOM] == want.shift_random.value);
	assert_true(got[POSVIZ_INSERTION] == want.insertion.value);
	for (size_t i = 0; i <= POSVIZ_INSERTION; i++)
		for (size_t k = 0; k < i; k++)
			assert_true(got[i] != got[k] && isfinite(got[i]));
}

TEST(files_are_written_whole_and_not_over_others)
{
	char path[] = "/tmp/posviz-library-XXXXXX.svg";
	struct posviz_error err;
	struct posviz_scene *const scene = small("scheme t5");
	const int fd = mkstemps(path, 4);
	assert_true(fd >= 0);
	close(fd);
	assert_false(posviz_write(scene, path, false, &err));
	assert_non_null(strstr(err.text, "exists already"));
	assert_null(strstr(err.text, "--")); /* no option of a program that nobody runs */
	assert_true(posviz_write(scene, path, true, &err));
	char head[5];
	FILE *const f = fopen(path, "r");
	assert_true(f && fread(head, 1, sizeof head, f) == sizeof head);
	assert_memory_equal(head, "<?xml", sizeof head);
	fclose(f);
	assert_true(posviz_scene_command(scene, "head 3", &err));
	assert_false(posviz_write(scene, path, true, &err));
	assert_non_null(strstr(err.text, "head: there is no 3"));
	assert_false(posviz_write(scene, "figure.doc", true, &err));
	assert_non_null(strstr(err.text, "figure.doc"));
	remove(path);
}

/* JSON is for reading: of the 512 x 64 numbers of a learned table it has the rows that three words read. */
TEST(json_has_what_the_input_reads_and_safetensors_all)
{
	static const struct {
		const char *name, *has, *has_not;
	} rows[] = {
		{"read.json", "\"read.learned.p\"", "[512,64],\n      \"data\""},
		{"all.safetensors", "\"param.learned.p\"", "\"read.learned.p\""},
	};
	struct posviz_scene *const scene = small("scheme learned");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct posviz_error err;
		size_t len;
		const char *const path = arena_printf(&arena, "/tmp/posviz-library-%ld-%s",
						      (long)getpid(), rows[i].name);
		if (!posviz_write(scene, path, true, &err))
			fail_msg("%s: %s", path, err.text);
		char *text = NULL;
		struct err why;
		if (!file_read(path, SIZE_MAX, &arena, &text, &len, &why))
			fail_msg("%s", why.text);
		if (!memmem(text, len, rows[i].has, strlen(rows[i].has)) ||
		    memmem(text, len, rows[i].has_not, strlen(rows[i].has_not)))
			fail_msg("%s: %s", path, rows[i].has);
		remove(path);
	}
}
