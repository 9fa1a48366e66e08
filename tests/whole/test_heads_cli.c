/* test_heads_cli.c: the sub-command heads: its forms, its file that goes on, NumPy's numbers, what it refuses. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_cli.h"

FIXTURE(cli_enter_with_arena, cli_leave_with_arena)

#define SMALL "--windows", "3", "--window-length", "16"

/* A text that a tokenizer cuts at once, however busy the machine is. */
static void write_text(void)
{
	static const char text[] =
		"the cat that the dog chased fell asleep . the dog chased the cat .\n";
	cli_write("t.txt", text, sizeof text - 1);
}

static const char *model(const char *name)
{
	return arena_printf(&arena, "%s/models/%s", test_data, name);
}

/* Slopes of four heads are 1/4, 1/16, 1/64, 1/256 (Press et al. 2022): without content that is the kernel. */
TEST(heads_of_alibi_have_its_slopes)
{
	struct cli_result r;
	cli_run(&r, &(struct cli_case){.args = {"heads", "alibi+causal", SMALL, "--content", "0",
						"--format", "json"}});
	assert_int_equal(r.code, 0);
	json_t *const all = json_loads(r.out, 0, NULL);
	assert_non_null(all);
	const json_t *const kernels = json_object_get(all, "kernels");
	for (size_t h = 0; h < 4; h++) {
		const json_t *const of = json_object_get(json_array_get(kernels, h), "logits");
		for (size_t i = 0; i < 15; i++) {
			const double step = json_number_value(json_array_get(of, i + 1)) -
					    json_number_value(json_array_get(of, i));
			assert_true(fabs(step - pow(2, -2 * (double)(h + 1))) < 1e-9);
		}
	}
	const json_t *const head = json_array_get(json_object_get(all, "heads"), 0);
	const json_t *const shares = json_object_get(head, "shares");
	assert_true(fabs(json_number_value(json_object_get(shares, "distance")) - 1) < 1e-9);
	assert_true(fabs(json_number_value(json_object_get(head, "own_like")) - 1) < 1e-9);
	assert_true(json_number_value(json_object_get(head, "kernel_difference")) < 1e-9);
	assert_int_equal(json_array_size(json_object_get(json_array_get(kernels, 0), "own")), 31);
	assert_int_equal(json_array_size(json_object_get(all, "noise")), 8);
	assert_non_null(strstr(json_string_value(json_array_get(json_object_get(all, "facts"), 0)),
			       "Position explains most of the logits' variance in all 8 heads"));
	json_decref(all);
	cli_done(&r);
}

/* A model whose vocabulary is eight letters cannot spell our text: letters are drawn, and it says so. Its heads look
 * at the token before, which was its task. A text of the user's that it cannot spell is refused. */
TEST(heads_of_a_model_of_letters)
{
	struct cli_result r;
	cli_run(&r, &(struct cli_case){.args = {"heads", "@trained", SMALL, "--format", "json"}});
	assert_int_equal(r.code, 0);
	json_t *const all = json_loads(r.out, 0, NULL);
	const json_t *const kernel =
		json_object_get(json_array_get(json_object_get(all, "kernels"), 1), "logits");
	for (size_t i = 0; i < 31; i++)
		assert_true(json_number_value(json_array_get(kernel, i)) <=
			    json_number_value(json_array_get(kernel, 14)));
	json_decref(all);
	cli_done(&r);
	cli_run(&r, &(struct cli_case){.args = {"heads", "@trained", SMALL}});
	assert_non_null(strstr(r.out, "drawn from its vocabulary"));
	cli_done(&r);
	write_text();
	cli_run(&r, &(struct cli_case){.args = {"heads", "@trained", "--text", "t.txt", SMALL}});
	assert_int_equal(r.code, 2);
	assert_non_null(strstr(r.err, "text: "));
	cli_done(&r);
}

/* A trained model with its tokenizer: a row a head, on windows of a text of the user's. */
TEST(heads_of_a_model)
{
	struct cli_result r;
	write_text();
	cli_run(&r, &(struct cli_case){.args = {"heads", model("gpt2"), "--text", "t.txt", SMALL,
						"--format", "csv"}});
	assert_int_equal(r.code, 0);
	assert_int_equal(strncmp(r.out, "layer,head,distance %,key %,content %,peak,previous,", 52),
			 0);
	assert_non_null(strstr(r.out, "\n1,1,"));
	assert_non_null(strstr(r.out, "\n2,3,"));
	cli_done(&r);
	cli_expect(&(struct cli_case){.args = {"heads", model("llama3"), SMALL}}, 0,
		   "3 windows of 16 tokens, 1 of them added by the tokenizer, from a text of",
		   NULL);
	cli_remove("t.txt");
}

/* The scheme's own kernel: T5's trained bias; of absolute positions there is none, which is said. */
TEST(heads_beside_their_scheme)
{
	write_text();
	cli_expect(&(struct cli_case){.args = {"heads", model("gpt2"), "--text", "t.txt", SMALL,
					       "--format", "json"}},
		   0, "\"own_why\": \"the scheme adds nothing to the logits by positions alone",
		   NULL);
	cli_expect(&(struct cli_case){.args = {"heads", "t5+causal", SMALL, "--content", "0",
					       "--format", "csv"}},
		   0, ",0,1,", NULL);
	cli_remove("t.txt");
}

TEST(heads_in_order_and_filtered)
{
	struct cli_result r;
	cli_run(&r, &(struct cli_case){.args = {"heads", "alibi+causal", SMALL, "--profile-sort",
						"head", "--profile-filter", "layer=2", "--format",
						"csv"}});
	assert_int_equal(r.code, 0);
	const char *const two = strstr(r.out, "\n2,1,"), *const three = strstr(r.out, "\n2,2,");
	assert_true(two != NULL && three > two);
	assert_null(strstr(r.out, "\n1,1,"));
	cli_done(&r);
	cli_refuse(&(struct cli_case){.args = {"heads", "alibi", "--profile-filter", "x>1"}},
		   "profile-filter: \"x>1\" is no condition");
}

/* Two at once: their differences, and in JSON both. */
TEST(heads_of_two)
{
	struct cli_result r;
	cli_run(&r, &(struct cli_case){.args = {"heads", "none+causal", "alibi+causal", SMALL,
						"--content", "0", "--format", "json"}});
	assert_int_equal(r.code, 0);
	json_t *const all = json_loads(r.out, 0, NULL);
	assert_non_null(all);
	const json_t *const other = json_object_get(all, "compared");
	assert_string_equal(json_string_value(json_object_get(other, "name")), "alibi+causal");
	const json_t *const from = json_array_get(json_object_get(all, "heads"), 1);
	const json_t *const to = json_array_get(json_object_get(other, "heads"), 1);
	const json_t *const by = json_array_get(json_object_get(all, "differences"), 1);
	const double difference = json_number_value(json_object_get(to, "previous")) -
				  json_number_value(json_object_get(from, "previous"));
	assert_true(fabs(json_number_value(json_object_get(by, "previous")) - difference) < 1e-12);
	assert_true(json_number_value(json_object_get(by, "kernel_difference")) > 0.01);
	json_decref(all);
	cli_done(&r);
	write_text();
	cli_expect(&(struct cli_case){.args = {"heads", model("gpt2"), model("gpt2"), "--text",
					       "t.txt", SMALL}},
		   0, "No share or score of a head differs by 0.1 or more", NULL);
	cli_refuse(&(struct cli_case){.args = {"heads", model("gpt2"), model("llama3"), "--text",
					       "t.txt", SMALL}},
		   "has 2 layers of 3 heads and");
	cli_remove("t.txt");
	cli_refuse(&(struct cli_case){.args = {"heads", "rope", "alibi", SMALL, "-o", "x.npz"}},
		   "npz holds one profile; --format json has both");
	cli_refuse(&(struct cli_case){.args = {"heads", "rope", SMALL, "--compare",
					       "alibi @ a b c d e"}},
		   "has an input of its own, and windows are of one text");
	cli_refuse(&(struct cli_case){.args = {"heads", "rope", SMALL, "--compare", "alibi; t5"}},
		   "--compare names 2; one would be right");
}

TEST(heads_on_a_page)
{
	static const char *const files[] = {"x.svg", "x.pdf", "x.png"};
	size_t len;
	for (size_t i = 0; i < 3; i++)
		cli_good(&(struct cli_case){
			.args = {"heads", "rope+causal", SMALL, "-o", files[i]}});
	const char *const svg = cli_read("x.svg", &arena, &len);
	assert_non_null(strstr(svg, "Kernels of rope+causal"));
	assert_non_null(strstr(svg, "layer 2"));
	assert_non_null(strstr(svg, "head 4"));
	assert_non_null(strstr(svg, "the scheme&#39;s own") ? svg
							    : strstr(svg, "the scheme's own"));
	for (size_t i = 0; i < 3; i++)
		cli_remove(files[i]);
}

/* Two windows and then two more are the same four as at once, to the last bit. */
TEST(heads_go_on_from_their_file)
{
	static const char *const to[] = {"at-once.npz", "go-on.npz"};
	char *data[2];
	size_t len[2];
	for (int i = 0; i < 2; i++) {
		if (i == 1)
			cli_good(&(struct cli_case){.args = {"heads", "rope+causal", "--results",
							     "kept.npz", "--window-length", "12",
							     "--windows", "2"}});
		cli_good(&(struct cli_case){.args = {"heads", "rope+causal", "--window-length",
						     "12", "--windows", "4", "-o", to[i],
						     i ? "--results" : NULL, "kept.npz"}});
		data[i] = cli_read(to[i], &arena, &len[i]);
	}
	assert_int_equal(len[0], len[1]);
	assert_memory_equal(data[0], data[1], len[0]);
	cli_expect(&(struct cli_case){.args = {"heads", "alibi", "--results", "kept.npz",
					       "--window-length", "12"}},
		   2, NULL, "results: \"kept.npz\" holds the profile of another model, text, seed");
	cli_expect(&(struct cli_case){.args = {"heads", "rope", "--results", "kept.npz", "--seed",
					       "4", "--window-length", "12"}},
		   2, NULL, "holds the profile of another model");
	cli_good(&(struct cli_case){.args = {"dump", "rope", "-o", "other.npz"}});
	cli_expect(&(struct cli_case){.args = {"heads", "rope", "--results", "other.npz"}}, 2, NULL,
		   "\"other.npz\" holds no profile of heads");
	/* A full disk: what was kept stays. */
	size_t before, after;
	cli_read("kept.npz", &arena, &before);
	cli_expect(&(struct cli_case){.args = {"heads", "rope+causal", "--results", "kept.npz",
					       "--window-length", "12", "--windows", "5"},
				      .file_limit = 4096},
		   2, NULL, "kept.npz");
	cli_read("kept.npz", &arena, &after);
	assert_int_equal(before, after);
	for (size_t i = 0; i < 2; i++)
		cli_remove(to[i]);
	cli_remove("kept.npz");
	cli_remove("other.npz");
}

/* The second of two models has a file of its own, from which it goes on. */
TEST(heads_of_two_models_go_on_from_two_files)
{
	static const char *const to[] = {"at-once.csv", "go-on.csv"};
	char *said[2];
	size_t len;
	for (int i = 0; i < 2; i++) {
		if (i == 1)
			cli_good(&(struct cli_case){.args = {"heads", "rope+causal", "--compare",
							     "alibi+causal", "--results",
							     "kept.npz", "--window-length", "12",
							     "--windows", "2"}});
		cli_good(&(struct cli_case){.args = {"heads", "rope+causal", "--compare",
						     "alibi+causal", "--window-length", "12",
						     "--windows", "4", "-o", to[i],
						     i ? "--results" : NULL, "kept.npz"}});
		said[i] = cli_read(to[i], &arena, &len);
		cli_remove(to[i]);
	}
	assert_string_equal(said[0], said[1]);
	/* The file is the second's: a first model of the same name goes on from it. */
	cli_good(&(struct cli_case){.args = {"heads", "alibi+causal", "--results", "kept-2.npz",
					     "--window-length", "12", "--windows", "4"}});
	cli_expect(&(struct cli_case){.args = {"heads", "rope+causal", "--results", "kept-2.npz",
					       "--window-length", "12"}},
		   2, NULL, "holds the profile of another model");
	cli_remove("kept.npz");
	cli_remove("kept-2.npz");
}

TEST_THAT_LASTS(heads_are_those_of_numpy, 1)
{
	size_t len;
	if (system("/usr/bin/python3 -c 'import numpy' 2> said") != 0) {
		print_message("NumPy is not there: make long-deps\n");
		skip();
	}
	if (system(arena_printf(&arena,
				"/usr/bin/python3 %s/python/profile.py \"$POSVIZ\" > out 2> said",
				test_data)) != 0)
		fail_msg("%s", cli_read("said", &arena, &len));
	assert_true(strtod(cli_read("out", &arena, &len), NULL) < 1e-9);
}

static void write_tensors(const char *name, const char *const *names, const size_t (*shapes)[5],
			  double value)
{
	struct tensor_set set;
	struct err err = {""};
	char *data;
	size_t len;
	tensor_set_init(&set, &arena);
	for (size_t i = 0; names[i]; i++) {
		size_t dims = 0, all = 1;
		while (dims < 5 && shapes[i][dims] > 0)
			all *= shapes[i][dims++];
		const struct mat m = mat_new(&arena, 1, all);
		mat_fill(m, value);
		tensor_set_add(&set, names[i], m, false);
		set.tensors[i].dims = dims;
		memcpy(set.tensors[i].shape, shapes[i], dims * sizeof(size_t));
	}
	assert_true(tensor_write_npz(&set, &arena, &data, &len, &err));
	cli_write(name, data, len);
}

TEST(heads_refuse_files_that_do_not_fit)
{
	static const struct {
		const char *names[3];
		size_t shapes[2][5];
		double value;
		const char *scheme, *says;
	} rows[] = {
		{{"q"},
		 {{1, 2, 9, 4}},
		 0,
		 "none",
		 "it has the tensors \"q\"; q and k, or attention"},
		{{"q", "k"},
		 {{2, 9, 4}, {2, 9, 4}},
		 0,
		 "none",
		 "q has the shape [2, 9, 4]; [windows, layers, heads, n, d_h] would be right"},
		{{"q", "k"},
		 {{1, 2, 9, 4}, {1, 2, 8, 4}},
		 0,
		 "none",
		 "k has the shape [1, 2, 8, 4]"},
		{{"q", "k"}, {{1, 2, 9, 4}, {1, 2, 9, 4}}, NAN, "none", "nan"},
		{{"q", "k"},
		 {{1, 2, 9, 4}, {1, 2, 9, 4}},
		 0,
		 "t5",
		 "t5 does more than rotate or mask"},
		{{"q", "k"},
		 {{1, 2, 3, 4}, {1, 2, 3, 4}},
		 0,
		 "none",
		 "windows of 4 to 1024 tokens"},
		{{"attention"}, {{1, 2, 9, 8}}, 0, "none", "[windows, layers, heads, n, n]"},
		{{"attention"},
		 {{1, 2, 9, 9}},
		 0.5,
		 "none",
		 "window 1, layer 1, head 1, row 1 has the sum 4.5"},
		{{"attention"}, {{1, 2, 9, 9}}, 0, "none", "has the sum 0"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		write_tensors("x.npz", rows[i].names, rows[i].shapes, rows[i].value);
		cli_expect(&(struct cli_case){.args = {"heads", rows[i].scheme, "--qk", "x.npz"}},
			   2, NULL, rows[i].says);
		cli_remove("x.npz");
	}
	/* One head is enough. */
	const char *const one[] = {"attention", NULL};
	const size_t shape[][5] = {{1, 1, 9, 9}};
	write_tensors("x.npz", one, shape, 1.0 / 9);
	cli_expect(&(struct cli_case){.args = {"heads", "--qk", "x.npz"}}, 0,
		   "1 window of 9 tokens, from a", NULL);
	cli_remove("x.npz");
}

TEST(heads_refuse_in_one_line)
{
	cli_write("short.txt", "a b c d e f g h i j", 19);
	const struct {
		const char *args[8], *says;
	} rows[] = {
		{{"heads"}, "heads: give an expression"},
		{{"heads", "rope", "--text", "short.txt", "--window-length", "16"},
		 "text: \"short.txt\" has 10 tokens, and a window 16; a longer text, or --window-length 10"},
		{{"heads", "rope", "--text", "none.txt"}, "none.txt"},
		{{"heads", model("gpt2"), "--window-length", "64"},
		 "is made for 32 positions; as many, or --t-max"},
		{{"heads", "rope", "--window-length", "3"}, "window-length: 3; 4 at least"},
		{{"heads", "rope", "-s", "a b c"}, "--sentence is of one sentence"},
		{{"heads", model("t5-encoder")}, "has no tokenizer; --token-file FILE"},
		{{"heads", "rope", "--format", "tex"}, "tex"},
		{{"heads", "rope", "--windows", "-1"}, "windows"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_case c = {.args = {NULL}};
		memcpy(c.args, rows[i].args, sizeof rows[i].args);
		cli_refuse(&c, rows[i].says);
	}
	cli_remove("short.txt");
}
