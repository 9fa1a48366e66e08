/* test_config_cli.c: posviz check CONFIG: verdicts of real files, of files that are wrong, and of what is no
 * configuration, as text and as JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "test.h"
#include "help_cli.h"
#include "posviz/format/json_read.h"

FIXTURE(cli_enter, cli_leave)

static const char *path_of(const char *name)
{
	static char path[600];
	snprintf(path, sizeof path, "%s/models/configs/%s", test_data, name);
	return path;
}

static void run(struct cli_result *r, const char *name, const char *format)
{
	cli_run(r, &(struct cli_case){.args = {"check", path_of(name), "--format", format}});
}

/* The words that each verdict must have, in their order. */
static const struct {
	const char *name;
	int code;
	const char *words[5];
} verdicts[] = {
	{"llama31.json",
	 0,
	 {"rope_llama3(layout=half,base=500000,original=8192)+causal", "8192 before scaling",
	  "1–29", "36–64", "up to 65535 of 131071"}},
	{"llama4-scout.json",
	 0,
	 {"chunk of 8192 in layers 1-3/4", "16 times slower", "up to 8191, the farthest",
	  "unusual"}},
	{"gemma3-4b.json",
	 0,
	 {"1024 keys in layers 1-5/6", "linear with factor 8", "layers 1-5/6"}},
	{"gpt-oss-20b.json", 0, {"+sink+causal", "temperature", "1.34657", "1.81326"}},
	{"deepseek-v3.json", 0, {"mla(", "0.135234", "yarn with factor 40"}},
	{"phi3-su.json", 0, {"short list up to 4096", "unusual", "longrope"}},
	{"yarn-no-original.json",
	 0,
	 {"unusual", "it is missing", "65536", "\"original_max_position_embeddings\": 4096"}},
	{"qwen25-yarn.json", 0, {"unusual", "32768 positions to 131072"}},
	{"qwen3-v5.json", 0, {"unusual", "releases from 5 on"}},
	{"modernbert-base.json", 0, {"64 keys to each side in layers 2-3/3, both"}},
	{"llama-dynamic.json", 0, {"up to 2048 tokens none"}},
	{"wrong-factor.json", 1, {"WRONG", "factor: 8", "is 4", "\"factor\": 4.0"}},
	{"wrong-type.json", 1, {"not known", "WRONG", "ntk-by-parts", "yarn,"}},
	{"wrong-level.json", 1, {"WRONG", "outside rope_scaling", "{\"factor\": 4.0,"}},
	{"wrong-mrope.json", 1, {"WRONG", "sum to 56", "64 pairs", "[16, 24, 24]"}},
	{"wrong-both.json", 1, {"WRONG", "1000000", "10000", "\"rope_theta\": 1000000"}},
	{"wrong-long-list.json", 1, {"WRONG", "40 numbers", "48 pairs", "[48 numbers]"}},
	{"wrong-layer-types.json", 1, {"WRONG", "44 layer types for 46 layers"}},
	{"wrong-no-factor.json", 1, {"WRONG", "rope_scaling.factor", "missing", "\"factor\": 2.0"}},
};

TEST(verdicts_have_their_words)
{
	for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
		struct cli_result r;
		run(&r, verdicts[i].name, "text");
		const char *at = r.out;
		assert_int_equal(r.code, verdicts[i].code);
		assert_string_equal(r.err, "");
		for (size_t w = 0; w < 5 && verdicts[i].words[w]; w++) {
			at = strstr(at, verdicts[i].words[w]);
			if (!at)
				fail_msg("%s: no \"%s\" in\n%s", verdicts[i].name,
					 verdicts[i].words[w], r.out);
		}
		assert_non_null(strstr(at, verdicts[i].code ? "wrong" : "nothing is wrong"));
		cli_done(&r);
	}
}

static const struct json_value *member(const struct json_value *o, const char *name)
{
	const struct json_value *const v = json_member(o, name);
	if (!v)
		fail_msg("no %s", name);
	return v;
}

TEST(json_has_the_same_facts)
{
	struct cli_result r;
	run(&r, "wrong-factor.json", "json");
	assert_int_equal(r.code, 1);
	const struct json_value *const top = json_parse(&r.arena, r.out, r.out_len, NULL);
	assert_non_null(top);
	assert_false(member(top, "ok")->as.truth);
	const struct json_value *const one = &member(top, "checked")->as.items[0];
	assert_int_equal(member(one, "heads")->as.integer, 28);
	assert_int_equal(member(one, "kv_heads")->as.integer, 4);
	assert_int_equal(member(one, "declared")->as.integer, 131072);
	assert_int_equal(member(one, "trained")->as.integer, 32768);
	const struct json_value *const rotation = &member(one, "rotations")->as.items[0];
	assert_within(member(rotation, "attention_factor")->as.real, 1.2079441541679836, 1e-12);
	const struct json_value *const bands = member(rotation, "bands");
	assert_int_equal(bands->count, 3);
	assert_int_equal(member(rotation, "farthest")->as.integer, 131071);
	assert_string_equal(member(&bands->as.items[2], "scaling")->as.string, "slowed");
	assert_int_equal(member(&bands->as.items[2], "slower_from")->as.integer, 8);
	assert_int_equal(member(&bands->as.items[2], "known_up_to")->as.integer, 262143);
	assert_false(member(&bands->as.items[2], "full")->as.truth);
	const struct json_value *const remark = &member(one, "remarks")->as.items[0];
	assert_true(member(remark, "wrong")->as.truth);
	assert_string_equal(member(remark, "key")->as.string, "rope_scaling.factor");
	assert_string_equal(member(remark, "right")->as.string, "\"factor\": 4.0");
	cli_done(&r);
}

static void refuse(const char *text, const char *says)
{
	cli_write("c.json", text, strlen(text));
	cli_refuse(&(struct cli_case){.args = {"check", "c.json"}}, says);
}

/* Files that are no configuration at all have one line. */
TEST(what_is_no_configuration_is_refused)
{
	refuse("", "c.json: line");
	refuse("{\"model_type\": \"llama\"", "c.json: line 1: not JSON");
	refuse("[{\"model_type\": \"llama\"}]", "an object with model_type would be right");
	refuse("{\"a\": 1}", "it has neither model_type nor hidden_size");
	refuse("{\"model_type\": \"a\", \"model_type\": \"b\"}", "not JSON");
	refuse("\xff\xfe{}", "c.json: line 1");
	cli_remove("c.json");
	cli_refuse(&(struct cli_case){.args = {"check", "c.json"}}, "no such file");
	assert_int_equal(mkdir("d", 0700), 0);
	cli_refuse(&(struct cli_case){.args = {"check", "./d"}}, "has no config.json");
	cli_refuse(&(struct cli_case){.args = {"check", path_of("llama2.json"), "rope"}},
		   "check takes either these or expressions");
	cli_refuse(&(struct cli_case){.args = {"check", path_of("llama2.json"), "--heads", "4"}},
		   "--heads means nothing for a model's configuration");
	assert_int_equal(system("rmdir d"), 0);
}

/* Texts of a file reach no terminal as they are. */
TEST(hostile_words_are_escaped)
{
	static const char text[] =
		"{\"model_type\": \"\\u001b]0;x\\u0007\", \"hidden_size\": 8, \"num_hidden_layers\": 1, "
		"\"num_attention_heads\": 1}";
	struct cli_result r;
	cli_write("c.json", text, strlen(text));
	cli_run(&r, &(struct cli_case){.args = {"check", "c.json"}});
	assert_int_equal(r.code, 1);
	assert_null(strchr(r.out, '\033'));
	assert_non_null(strstr(r.out, "no family that is known"));
	cli_done(&r);
	cli_remove("c.json");
}

/* A scene has the expression and the sizes of the file; what is given beside it counts. */
TEST(a_configuration_opens_as_a_scene)
{
	static const char *const words[] = {"rope_llama3", "head 1 of 32"};
	for (size_t i = 0; i < 2; i++)
		cli_expect(&(struct cli_case){.args = {"render", path_of("llama31.json"),
						       "--format", "txt", "--cells", "120x36"}},
			   0, words[i], "");
	cli_expect(&(struct cli_case){.args = {"render", "--model", path_of("gemma2-27b.json"),
					       "--heads", "2", "--d-model", "16", "--head-dim", "8",
					       "--kv-heads", "auto", "--format", "txt", "--cells",
					       "120x36"}},
		   0, "head 1 of 2", "");
	cli_refuse(
		&(struct cli_case){.args = {"render", path_of("wrong-type.json"), "-o", "x.png"}},
		"rope_scaling.rope_type: \"ntk-by-parts\"");
}
