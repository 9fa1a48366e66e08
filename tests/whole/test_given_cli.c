/* test_given_cli.c: --matrix-from as a user gives it: alone, beside expressions, with what dump wrote. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_cli.h"

FIXTURE(cli_enter, cli_leave)

static void write_file(const char *name, const char *text)
{
	cli_write(name, text, strlen(text));
}

/* Standard output or error holds the words. */
static void expect(const struct cli_case *c, int code, const char *words)
{
	struct cli_result r;
	cli_run(&r, c);
	if (r.code != code || !strstr(code ? r.err : r.out, words))
		fail_msg("exit %d, \"%s\" is not in: %s%s", r.code, words, r.out, r.err);
	cli_done(&r);
}

#define TEXT "--format", "txt", "--cells", "150x40"

TEST(a_file_is_the_expression)
{
	write_file("own matrix.csv", "\"once\",\"upon\",\"time\"\n1,0,0\n0.5,0.5,0\n0,0,1\n");
	expect(&(struct cli_case){.args = {"render", "--matrix-from", "own matrix.csv", TEXT}}, 0,
	       "once upon time");
	expect(&(struct cli_case){.args = {"show", "--matrix-from", "own matrix.csv"}}, 0,
	       "A matrix of your own");
	expect(&(struct cli_case){.args = {"check", "--matrix-from=own matrix.csv"}}, 0,
	       "acts in every layer");
	expect(&(struct cli_case){.args = {"render", "alibi", "--matrix-from", "own matrix.csv",
					   TEXT}},
	       0, "once upon time");
	cli_remove("own matrix.csv");
}

TEST(what_dump_wrote_is_shown)
{
	cli_good(&(struct cli_case){.args = {"dump", "t5", "-o", "t5.safetensors"}});
	cli_good(&(struct cli_case){.args = {"dump", "t5", "-o", "t5.csv"}});
	expect(&(struct cli_case){.args = {"render", "--matrix-from", "t5.safetensors:bias.head.0",
					   TEXT}},
	       0, "fell asleep");
	expect(&(struct cli_case){.args = {"render", "--matrix-from", "t5.csv", TEXT}}, 0,
	       "fell asleep");
	expect(&(struct cli_case){.args = {"render", "--matrix-from", "t5.safetensors", TEXT}}, 2,
	       "give FILE:TENSOR");
	expect(&(struct cli_case){.args = {"render", "--matrix-from", "t5.safetensors:bias.haed.0",
					   TEXT}},
	       2, "there is \"bias.head.0\"");
	cli_remove("t5.safetensors");
	cli_remove("t5.csv");
}

TEST(bad_use_is_refused)
{
	static const struct {
		const char *args[CLI_ARGS], *words;
	} rows[] = {
		{{"render", "--matrix-from", "none.npy", TEXT}, "no such file"},
		{{"render", "--matrix-from", "", TEXT}, "matrix-from: the name is empty"},
		{{"show", "rope", "--matrix-from", "a.npy"},
		 "--matrix-from makes an expression of its own, \"matrix(from=a.npy)\""},
		{{"list", "schemes", "--matrix-from", "a.npy"}, "no option --matrix-from"},
		{{"render", "a", "--matrix-from"}, "--matrix-from needs a value: FILE[:TENSOR]"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_case c = {0};
		memcpy(c.args, rows[i].args, sizeof c.args);
		expect(&c, 2, rows[i].words);
	}
}

/* Whoever shows a file of three heads wants a model of three. */
TEST(heads_of_a_file_are_adopted)
{
	write_file("three.json", "[[[1,2],[3,4]],[[5,6],[7,8]],[[9,10],[11,12]]]");
	expect(&(struct cli_case){.args = {"dump", "--matrix-from", "three.json", "--format",
					   "json"}},
	       0, "d-model 66\\u000aheads 3\\u000a");
	expect(&(struct cli_case){.args = {"dump", "alibi+matrix(from=three.json)", "--matrix",
					   "logits", "--head", "3", "--format", "csv"}},
	       0, "2");
	expect(&(struct cli_case){.args = {"render", "alibi", "--matrix-from", "three.json", TEXT}},
	       0, "alibi");
	expect(&(struct cli_case){.args = {"dump", "--matrix-from", "three.json", "--heads", "4",
					   "--format", "json"}},
	       2, "has 3 heads, the model 4; heads 3 and d-model 66 would be right");
	cli_remove("three.json");
}

/* On standard error, with the exit status of what went well. */
static void expect_warning(const struct cli_case *c, const char *words)
{
	struct cli_result r;
	cli_run(&r, c);
	if (r.code != 0 || !strstr(r.err, words))
		fail_msg("exit %d, \"%s\" is not in: %s", r.code, words, r.err);
	cli_done(&r);
}

TEST(leaves_are_listed_with_what_they_mean)
{
	expect(&(struct cli_case){.args = {"show", "shaw"}}, 0,
	       "  shaw.w_key.L    (clip ? 2 clip + 1 : 2 t_max - 1) × d_h = 33 × 16  row r + δ");
	expect(&(struct cli_case){.args = {"show", "deberta"}}, 0,
	       "added to those keys; 0 where a file lacks it");
	expect(&(struct cli_case){.args = {"show", "learned"}}, 0,
	       "  learned.p  t_max × d = 512 × 64");
}

TEST(given_tensors_are_used_whole_or_named)
{
	struct cli_result r;
	write_file("two.json", "{\"tensors\": {"
			       "\"raw\": {\"shape\": [1], \"data\": [0.5]}, "
			       "\"row\": {\"shape\": [1], \"data\": [0.5]}}}");
	write_file("rows.csv", "1,2,3,4\n5,6,7,8\n9,10,11,12\n");
	expect_warning(&(struct cli_case){.args = {"dump", "da(shared=on)", "--params", "two.json",
						   "--heads", "1", "--map", "w=raw v=raw",
						   "--matrix", "bias", "--format", "csv"}},
		       "posviz: warning: params: nothing takes \"row\"\n");
	cli_run(&r, &(struct cli_case){.args = {"dump", "da(shared=on)", "--params", "two.json",
						"--heads", "1", "--map", "w=raw v=row+1",
						"--matrix", "bias", "--format", "csv"}});
	assert_int_equal(r.code, 0);
	assert_string_equal(r.err, "");
	cli_done(&r);
	expect(&(struct cli_case){.args = {"show", "da(shared=on)", "--params", "two.json",
					   "--heads", "1", "--map", "w=raw v=raw"}},
	       0, "Tensors that nothing takes\n\n  params        row\n");
	expect(&(struct cli_case){.args = {"dump", "rope", "-s", "only two", "--units", "rows.csv",
					   "--format", "json"}},
	       2, "units: 3 rows, and the sentence has 2 tokens");
	expect(&(struct cli_case){.args = {"dump", "rope", "-s",
					   "the cat that the dog chased fell asleep .", "--units",
					   "rows.csv", "--format", "json"}},
	       2, "units: 3 rows, and the sentence has 9 tokens");
	expect(&(struct cli_case){.args = {"dump", "rope", "--heads", "1", "--units", "rows.csv",
					   "--format", "json"}},
	       0, "\"tokens\": \"[\\\"1\\\",\\\"2\\\",\\\"3\\\"]\"");
	cli_remove("two.json");
	cli_remove("rows.csv");
}

/* A failure is said once, without a warning beside it. */
TEST(a_width_or_a_map_in_vain_is_one_line)
{
	static const struct {
		const char *args[CLI_ARGS], *line;
	} rows[] = {
		{{"dump", "shaw(clip=8)", "-s", "a b c d", "--map", "w_key=my.keys", "--format",
		  "json"},
		 "posviz: map: there is no file to take tensors from; give params too\n"},
		{{"dump", "rope", "--units", "rows.csv", "--d-model", "64", "--format", "json"},
		 "posviz: d-model: 64, and units \"rows.csv\" are 4 wide; d-model 4, or none, "
		 "would "
		 "be right\n"},
		{{"dump", "rope", "--units", "rows.csv", "--heads", "64", "--format", "json"},
		 "posviz: heads: 64 heads do not divide the width of the token vectors, 4; heads 4 would "
		 "be right, or head-dim for heads of a width of their own\n"},
	};
	write_file("rows.csv", "1,2,3,4\n5,6,7,8\n9,10,11,12\n");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_case c = {0};
		struct cli_result r;
		memcpy(c.args, rows[i].args, sizeof c.args);
		cli_run(&r, &c);
		assert_int_equal(r.code, 2);
		assert_string_equal(r.err, rows[i].line);
		cli_done(&r);
	}
	/* The configuration's width is no wish about this file. */
	write_file("wide.conf", "d-model 128\n");
	expect(&(struct cli_case){.args = {"dump", "none", "--config", "wide.conf", "--units",
					   "rows.csv", "--format", "json"}},
	       0, "\"tokens\"");
	cli_remove("wide.conf");
	cli_remove("rows.csv");
}

TEST(shells_complete_its_files)
{
	expect(&(struct cli_case){.args = {"completion", "bash"}}, 0,
	       "--matrix-from) _posviz_files 'safetensors npy");
	expect(&(struct cli_case){.args = {"completion", "zsh"}}, 0,
	       ":matrix-from:{_posviz_tensors safetensors,npy");
}

/* A matrix whose keys are other tokens than its queries is shown with its size, and without all that only holds of a
 * layer or of a sentence; a square on its own tokens has no sentence. */
TEST(show_says_of_a_rectangle_what_there_is)
{
	static const struct {
		struct cli_case c;
		const char *has[3], *has_not[5];
	} rows[] = {
		{{.args = {"show", "matrix(from=wide.csv)"}},
		 {"Not measured\n\n  input         2 queries, 3 keys\n", "queries are other tokens",
		  "in one list of tokens and a key's position in another"},
		 {"reference", "bounded", "in every layer", "stochastic", "  pos "}},
		{{.args = {"show", "matrix(from=wide.csv)", "--format", "json"}},
		 {"\"measured_on\": null", "\"queries\": 2,\n    \"keys\": 3",
		  "\"reference\": null"},
		 {"the cat", "d_model", "seed"}},
		{{.args = {"show", "matrix(from=square.csv)"}},
		 {"Measured on tokens of a file, n=2", "reference     absolute"},
		 {"the cat", "Not measured"}},
		{{.args = {"render", "matrix(from=wide.csv)", "--plain"}},
		 {"1. query 1, key 3: weight 0.6"},
		 {"query 1 q1"}},
	};
	write_file("wide.csv", "0.1,0.3,0.6\n0.4,0.5,0.1\n");
	write_file("square.csv", "0.1,0.9\n0.4,0.6\n");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_result r;
		cli_run(&r, &rows[i].c);
		if (r.code != 0)
			fail_msg("%s", r.err);
		for (size_t k = 0; k < 3 && rows[i].has[k]; k++)
			if (!strstr(r.out, rows[i].has[k]))
				fail_msg("%s is not in %s", rows[i].has[k], r.out);
		for (size_t k = 0; k < 5 && rows[i].has_not[k]; k++)
			if (strstr(r.out, rows[i].has_not[k]))
				fail_msg("%s is in %s", rows[i].has_not[k], r.out);
		cli_done(&r);
	}
	cli_remove("wide.csv");
	cli_remove("square.csv");
}

/* A dump of such a matrix has the file's numbers and labels, and nothing of a model. */
TEST(a_dump_of_a_rectangle_says_what_its_file_says)
{
	static const struct {
		const char *file, *has[4], *has_not[8];
	} rows[] = {
		{"wide.csv",
		 {"\"layer.0.head.0.weights\"",
		  "weights are the numbers of the file, which has one matrix",
		  "\"axis.key\": [\"the\",\"cat\",\".\"]", "\"axis.query\": [\"le\",\"chat\"]"},
		 {"\"units\"", "\"model\"", "\"steps\"", "seed", "layer.1", "head.1", "w_ff",
		  "LN1"}},
		{"heads.json",
		 {"\"layer.0.head.1.logits\"", "\"layer.0.head.1.weights\"",
		  "logits are the numbers of the file for head H, 0 where mask is 0", "softmax"},
		 {"\"units\"", "\"model\"", "\"steps\"", "seed", "layer.1", "head.2", "w_ff",
		  "LN1"}},
	};
	write_file("wide.csv", ",the,cat,.\nle,0.1,0.3,0.6\nchat,0.4,0.5,0.1\n");
	write_file("heads.json", "[[[1,2,3],[3,4,5]],[[5,6,7],[7,8,9]]]");
	for (size_t i = 0; i < 2; i++) {
		struct cli_result r;
		char expression[64];
		snprintf(expression, sizeof expression, "matrix(from=%s)", rows[i].file);
		cli_run(&r, &(struct cli_case){.args = {"dump", expression, "--format", "json"}});
		assert_int_equal(r.code, 0);
		for (size_t k = 0; k < 4; k++)
			if (!strstr(r.out, rows[i].has[k]))
				fail_msg("%s is not in %s", rows[i].has[k], r.out);
		for (size_t k = 0; k < 8; k++)
			if (strstr(r.out, rows[i].has_not[k]))
				fail_msg("%s is in %s", rows[i].has_not[k], r.out);
		cli_done(&r);
	}
	expect(&(struct cli_case){.args = {"dump", "matrix(from=wide.csv)", "--numbers",
					   "rank,split", "--format", "json"}},
	       2, "numbers of rank: not measured: queries are other tokens than keys");
	expect(&(struct cli_case){.args = {"cost", "matrix(from=wide.csv)"}}, 2,
	       "queries are other tokens than keys, so there is no pass");
	cli_remove("wide.csv");
	cli_remove("heads.json");
}

/* Expressions on other tokens are refused in a line. */
TEST(matrices_on_other_tokens_are_not_the_same)
{
	static const struct {
		const char *first, *second, *says;
	} rows[] = {
		{"matrix(from=square.csv)", "rope",
		 "matrix(from=square.csv) is on 3 tokens and rope on "},
		{"rope", "matrix(from=square.csv)", "rope is on "},
		{"matrix(from=wide.csv)", "rope", "other tokens as keys"},
		{"rope", "matrix(from=wide.csv)", "other tokens as keys"},
		{"matrix(from=wide.csv)", "matrix(from=wide.csv,as=logits)",
		 "other tokens as keys"},
	};
	write_file("square.csv", "1,0,0\n0.5,0.5,0\n0.2,0.3,0.5\n");
	write_file("wide.csv", "0.5,0.25,0.25\n0.25,0.5,0.25\n");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_result r;
		const struct cli_case c = {
			.args = {"check", "--same", rows[i].first, rows[i].second}};
		cli_run(&r, &c);
		if (r.code != 2 || !strstr(r.err, rows[i].says))
			fail_msg("%s, %s: %d, %s", rows[i].first, rows[i].second, r.code, r.err);
		cli_done(&r);
	}
}
