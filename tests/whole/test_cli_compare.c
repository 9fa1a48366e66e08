/* test_cli_compare.c: several expressions on the command line: one figure, one scene, one text. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_cli.h"
#include "posviz/app/snapshot.h"
#include "posviz/scene/scene.h"

FIXTURE(cli_enter, cli_leave)

static void read_scene(const char *name, struct arena *a, struct scene *scene)
{
	struct err err = {""};
	size_t len;
	const char *const data = cli_read(name, a, &len);
	if (!snapshot_scene(data, len, a, scene, &err))
		fail_msg("%s: %s", name, err.text);
}

/* The view Values shows several where it is named; two inputs are of Compare alone. */
TEST(values_of_two_expressions)
{
	static const char *const rows[][8] = {
		{"shaw", "ros_konly", "--view", "values", "--plain"},
		{"render", "shaw", "ros_konly", "--view", "values", "--plain"},
		{"render", "shaw", "--compare", "ros_konly", "--view", "values", "--plain"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_case one = {{NULL}};
		struct cli_result r;
		memcpy(one.args, rows[i], sizeof rows[i]);
		cli_run(&r, &one);
		if (r.code != 0 || *r.err || !strstr(r.out, "1−2 difference of outputs"))
			fail_msg("%zu: %d\n%s%s", i, r.code, r.out, r.err);
		cli_done(&r);
	}
}

TEST(wrong_lists_are_refused)
{
	static const struct {
		const char *args[12], *says;
	} rows[] = {
		{{"render", "rope", "t5", "none", "shaw", "alibi"},
		 "5 expressions; at most 4 are compared"},
		{{"render", "rope", "ropee"}, "expression 2: no scheme \"ropee\""},
		{{"render", "rope", "t5", "shaw(clp=2)"}, "did you mean \"clip\""},
		{{"render", "rope", "", "t5"}, "expression 2: "},
		{{"render", "rope", "t5", "--view", "explore"}, "the view explore shows one"},
		{{"render", "rope", "t5", "--view", "order"}, "the view order shows one"},
		{{"render", "rope", "t5", "-c", "view terms"}, "the view terms shows one"},
		{{"render", "rope", "t5", "--scheme", "shaw"}, "by --scheme and --compare"},
		{{"render", "rope", "t5", "--compare", "shaw"}, "by --scheme and --compare"},
		{{"render", "rope", "t5", "--pair", "1-3"}, "no 3; 2 expressions are compared"},
		{{"render", "rope", "--view", "compare", "--pair", "2-3"}, "no 3; 1 expression is"},
		{{"render", "rope", "t5", "--pair", "1-1"}, "1-2|1-3"},
		{{"render", "rope", "--compare", "t5; rope; t5; rope"}, "at most 3"},
		{{"render", "rope", "t5 @"}, "expression 2: no sentence stands behind @"},
		{{"render", "rope", "t5", "@"}, "nothing stands behind @"},
		{{"render", "@ a b", "t5"}, "expression 1: an expression stands in front of @"},
		{{"render", "rope", "@ \"a b"}, "expression 2: quotes are not closed"},
		{{"render", "rope", "@order 2 1", "-s", "a b c"}, "@order 2 1: order: "},
		{{"render", "rope", "@ a", "--tree", "(S (A a))"}, "@ a: it has words of its own"},
		{{"render", "rope @ a", "t5", "-s", "b"},
		 "has an input of its own, and --sentence"},
		{{"render", "rope", "t5", "-s", "a", "-s", "b"}, "compared with one expression"},
		{{"render", "rope", "-s", "a", "-s", "b", "--view", "order"}, "shows one sentence"},
		{{"render", "rope", "-s", "a", "-s", "b", "--tree", "(S (A a))"}, "one file, tree"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_case c = {0};
		size_t n = 0;
		while (rows[i].args[n]) {
			c.args[n] = rows[i].args[n];
			n++;
		}
		c.args[n] = "-o";
		c.args[n + 1] = "x.png";
		cli_refuse(&c, rows[i].says);
	}
}

TEST(several_expressions_are_one_scene)
{
	struct arena a;
	struct scene scene, expected;
	struct err err = {""};
	arena_init(&a);
	const struct cli_case c = {.args = {"render", "rope+causal", "none",
					    "t5(buckets=16)+causal", "-s", "a b c", "--pair", "2-3",
					    "-o", "x.png"}};
	cli_good(&c);
	read_scene("x.png", &a, &scene);
	scene_init(&expected);
	static const char *const fields[][2] = {{"scheme", "rope+causal"},
						{"compare", "none; t5(buckets=16)+causal"},
						{"view", "compare"},
						{"sentence", "a b c"},
						{"pair", "2-3"}};
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		assert_true(scene_set(&expected, field_find(fields[i][0]), fields[i][1], &err));
	assert_string_equal(scene_print(&scene, &a), scene_print(&expected, &a));
	assert_string_equal(scene_command(&scene, &a),
			    "posviz render rope+causal none 't5(buckets=16)+causal' --sentence "
			    "'a b c' --pair 2-3");
	const struct cli_case verify = {.args = {"verify", "x.png"}};
	cli_good(&verify);
	cli_remove("x.png");
	arena_release(&a);
}

/* Without position, in the second place too: no word for nothing to compare with. */
TEST(the_scheme_called_none_is_one_of_two)
{
	struct arena a;
	struct scene scene;
	const char *all[COMPARE_MAX];
	arena_init(&a);
	const struct cli_case c = {.args = {"render", "rope", "none", "-o", "x.png"}};
	cli_good(&c);
	read_scene("x.png", &a, &scene);
	assert_int_equal(scene_compared(&scene.setup, &a, all), 2);
	assert_string_equal(all[1], "none");
	assert_string_equal(scene_command(&scene, &a), "posviz render rope none");
	cli_remove("x.png");
	arena_release(&a);
}

static void expect_words(const struct cli_case *c, const char *const *parts)
{
	struct cli_result r;
	cli_run(&r, c);
	assert_int_equal(r.code, 0);
	const char *at = r.out;
	for (; *parts; parts++) {
		at = strstr(at, *parts);
		if (!at)
			fail_msg("no \"%s\" (any more) in:\n%s", *parts, r.out);
		at += strlen(*parts);
	}
	cli_done(&r);
}

/* Each matrix is ranked, and then the difference. */
TEST(words_say_each_matrix_and_the_difference)
{
	static const char *const parts[] = {
		"matrix: ",  "rope",	 "Strongest",	     "matrix: ",  "alibi",
		"Strongest", "matrix: ", ", difference of ", "Strongest", NULL};
	static const char *const alone[] = {"matrix: ", "matrix: ", ", difference of ", NULL};
	const struct cli_case two = {
		.args = {"render", "rope+causal", "alibi+causal", "-s", "a b c d", "--plain"}};
	const struct cli_case one = {
		.args = {"render", "rope+causal", "--view", "compare", "-s", "a b c d", "--plain"}};
	expect_words(&two, parts);
	expect_words(&one, alone);
}

/* A file of parameters that not all of them use. */
TEST(unused_params_are_said)
{
	struct cli_result r;
	cli_good(&(struct cli_case){.args = {"dump", "t5", "-o", "t5.safetensors"}});
	cli_run(&r, &(struct cli_case){.args = {"render", "rope", "t5", "shaw", "--params",
						"t5.safetensors", "--format", "txt", "--cells",
						"160x60"}});
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.out, "not used by 1, 3"));
	cli_done(&r);
	cli_run(&r, &(struct cli_case){.args = {"render", "t5", "t5(scale=rsqrt)", "--params",
						"t5.safetensors", "--format", "txt", "--cells",
						"160x60"}});
	assert_int_equal(r.code, 0);
	assert_null(strstr(r.out, "not used"));
	cli_done(&r);
	cli_remove("t5.safetensors");
}

/* With a comparison on, a file that has not what the scheme wants is said to be that, by its names in full: not
 * that somebody else has no use for it. */
TEST(the_true_error_of_params_is_said)
{
	static const char name[] = "encoder.block.0.layer.0.SelfAttention.relative_attention_bias."
				   "weight.of.a.long.name";
	char header[256], file[8 + sizeof header + 512] = {0};
	static const char *const orders[][2] = {{"t5", "rope"}, {"rope", "t5"}};
	const int len = snprintf(
		header, sizeof header,
		"{\"%s\":{\"dtype\":\"F32\",\"shape\":[32,4],\"data_offsets\":[0,512]}}", name);
	file[0] = (char)len;
	memcpy(file + 8, header, (size_t)len);
	cli_write("other.safetensors", file, 8 + (size_t)len + 512);
	for (size_t i = 0; i < 2; i++) {
		struct cli_result r;
		cli_run(&r, &(struct cli_case){.args = {"render", orders[i][0], orders[i][1],
							"--params", "other.safetensors", "-o",
							"x.png"}});
		assert_int_equal(r.code, 2);
		assert_non_null(strstr(r.err, "there is no t5.bias_table (32 x 4) in "));
		assert_non_null(strstr(r.err, name));
		cli_done(&r);
	}
}

/* Sizes are looked at when all are given. */
TEST(heads_may_come_before_the_width)
{
	cli_good(
		&(struct cli_case){.args = {"show", "none", "-c", "heads 12", "-c", "d-model 96"}});
	cli_good(&(struct cli_case){.args = {"-V"}});
}

/* However the inputs are given it is one scene, whose command makes the same picture. */
TEST(several_inputs_are_one_scene)
{
	static const char *const rows[][10] = {
		{"render", "sinusoidal", "-s", "dog bites man", "-s", "man bites dog"},
		{"render", "sinusoidal", "@ man bites dog", "-s", "dog bites man"},
		{"render", "sinusoidal @ dog bites man", "@ man bites dog"},
		{"render", "sinusoidal", "--view", "compare", "--compare", "@ man bites dog", "-s",
		 "dog bites man"},
	};
	struct arena a;
	arena_init(&a);
	const char *first = NULL;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_case c = {0};
		struct scene scene;
		size_t n = 0, len;
		for (; rows[i][n]; n++)
			c.args[n] = rows[i][n];
		const char *const name = arena_printf(&a, "%zu.png", i);
		c.args[n] = "-o";
		c.args[n + 1] = name;
		cli_good(&c);
		read_scene(name, &a, &scene);
		assert_string_equal(scene_command(&scene, &a),
				    "posviz render sinusoidal '@ man bites dog' --sentence "
				    "'dog bites man'");
		const char *const data = cli_read(name, &a, &len);
		first = first ? first : data;
		assert_memory_equal(data, first, len);
	}
	const struct cli_case again = {.args = {"verify", "0.png"}};
	cli_good(&again);
	arena_release(&a);
}

TEST(inputs_may_be_arguments_of_their_own)
{
	static const char *const parted[] = {"render",	      "t5",	 "@", "dog bites man", "@",
					     "man bites dog", "--plain", NULL};
	static const char *const joined[] = {"render", "t5 @ dog bites man", "@ man bites dog",
					     "--plain", NULL};
	struct cli_result r[2];
	struct cli_case c[2] = {0};
	for (size_t i = 0; i < 8; i++)
		c[0].args[i] = parted[i];
	for (size_t i = 0; i < 5; i++)
		c[1].args[i] = joined[i];
	for (size_t i = 0; i < 2; i++) {
		cli_run(&r[i], &c[i]);
		assert_int_equal(r[i].code, 0);
	}
	assert_string_equal(r[0].out, r[1].out);
	assert_non_null(strstr(r[0].out, "t5: dog bites man"));
	cli_done(&r[0]);
	cli_done(&r[1]);
}
