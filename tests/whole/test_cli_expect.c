/* test_cli_expect.c: check --expect as people run it: what it prints, and its exit status. */
#include <string.h>

#include "test.h"
#include "help_cli.h"

FIXTURE(cli_enter, cli_leave)

#define DOG "-s", "dog bites man"

static void check(const struct cli_case *c, int code, const char *out, const char *err)
{
	struct cli_result r;
	cli_run(&r, c);
	if (r.code != code || (out && strcmp(r.out, out) != 0) || (err && !strstr(r.err, err)))
		fail_msg("%s: %d\n%s\n%s", c->args[1], r.code, r.out, r.err);
	cli_done(&r);
}

/* Of the file that expects, not of a sentence of its own. */
TEST(what_holds_and_what_does_not)
{
	check(&(struct cli_case){.args = {"check", "none", DOG, "--expect",
					  "weight 'dog'→'man' = 0.096"}},
	      0, "expect weight 'dog'→'man' = 0.096: holds\n", NULL);
	check(&(struct cli_case){.args = {"check", "sinusoidal", DOG, "--expect", "order = 0",
					  "--expect", "order = 0.18"}},
	      1, "expect order = 0: it is 0.18\nexpect order = 0.18: holds\n", NULL);
	check(&(struct cli_case){.args = {"check", "rope", "-s", "dog", "--expect", "order = 0"}},
	      1, "expect order = 0: there is none: one token\n", NULL);
}

TEST(several_expressions_are_compared)
{
	check(&(struct cli_case){.args = {"check", "alibi", "alibi(factor=2)", DOG, "--expect",
					  "bias 3→1 of 2 = -1", "--expect", "apart 1-2 > 0"}},
	      0, NULL, NULL);
	check(&(struct cli_case){.args = {"check", "alibi", "--compare", "none", DOG, "--expect",
					  "bias 3→1 of 2 = -1"}},
	      2, "", "expect bias 3→1 of 2 = -1: there is no expression 2");
	check(&(struct cli_case){.args = {"check", "rope", "rope(layout=half)", "-s", "a b c",
					  "--d-model", "16", "--expect", "same 1-2 = permuted"}},
	      0, NULL, NULL);
}

/* Head, layer and terms that are off are those of the scene. */
TEST(a_scene_in_a_file_is_checked)
{
	static const char scene[] = "scheme alibi\nsentence a b c\nhead 2\nview terms\n";
	cli_write("scene.posviz", scene, strlen(scene));
	check(&(struct cli_case){.args = {"check", "scene.posviz", "--expect",
					  "bias 'c'→'a' = -0.125"}},
	      0, NULL, NULL);
}

TEST(what_cannot_be_asked_is_told)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{"wieght 1→2 = 0", "did you mean weight? posviz list quantities"},
		{"weight 'cow'→1 = 0", "no token 'cow' in this sentence"},
		{"order", "one of = != < <= > >="},
		{"weight 1→2 head 9 = 0", "no head 9: there are 4"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		check(&(struct cli_case){.args = {"check", "rope", DOG, "--expect", rows[i].text}},
		      2, "", rows[i].says);
	check(&(struct cli_case){.args = {"check", "learned", "--t-max", "2", DOG, "--expect",
					  "order = 0"}},
	      2, "", "learned has 2 positions");
	check(&(struct cli_case){.args = {"check", DOG, "--expect", "order = 0"}}, 2, "",
	      "give an expression");
	check(&(struct cli_case){.args = {"check", "--same", "rope", "rope", "--expect",
					  "order = 0"}},
	      2, "", "--same and --expect");
	check(&(struct cli_case){.args = {"check", "rope", "--numbers", "all", "--expect",
					  "order = 0"}},
	      2, "", "leave --numbers out");
	check(&(struct cli_case){.args = {"show", "rope", "--expect", "order = 0"}}, 2, "",
	      "posviz check does");
}

TEST(as_json_a_number_is_a_number)
{
	check(&(struct cli_case){.args = {"check", "alibi", DOG, "--format", "json", "--expect",
					  "bias 3→1 = -0.5", "--expect", "length = bounded",
					  "--expect", "logit 1→2 = 0"}},
	      1,
	      "{\n  \"posviz\": \"" POSVIZ_VERSION "\",\n  \"expected\": [\n    {\n"
	      "      \"expect\": \"bias 3→1 = -0.5\",\n      \"ok\": true,\n      \"found\": -0.5\n"
	      "    },\n    {\n      \"expect\": \"length = bounded\",\n      \"ok\": false,\n"
	      "      \"found\": \"unbounded\"\n    },\n    {\n      \"expect\": \"logit 1→2 = 0\",\n"
	      "      \"ok\": false,\n"
	      "      \"absent\": \"the mask hides that key from that query\"\n    }\n  ],\n"
	      "  \"ok\": false\n}\n",
	      NULL);
}

TEST(the_list_names_them)
{
	struct cli_result r;
	cli_run(&r, &(struct cli_case){.args = {"list", "quantities", "--format", "csv"}});
	assert_int_equal(r.code, 0);
	assert_true(strncmp(r.out, "quantity,arguments,what it is\n", 30) == 0);
	assert_non_null(strstr(r.out, "\nstrongest,M T,"));
	cli_done(&r);
}
