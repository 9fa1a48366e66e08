/* test_cost_cli.c: the sub-command cost, counted only: no test waits for a clock. */
#include <jansson.h>
#include <string.h>

#include "test.h"
#include "help_cli.h"

FIXTURE(cli_enter, cli_leave)

#define OFF   "--timing", "off"
#define SMALL "-s", "a b c d", "--d-model", "8", "--heads", "2"

TEST(cost_prints_a_table)
{
	struct cli_result r;
	cli_run(&r, &(struct cli_case){.args = {"cost", "rope", "alibi", OFF, SMALL}});
	assert_int_equal(r.code, 0);
	assert_string_equal(r.err, "");
	assert_int_equal(strncmp(r.out, "scheme", 6), 0);
	const char *const rope = strstr(r.out, "\nrope "), *const alibi = strstr(r.out, "\nalibi ");
	assert_true(rope && alibi && rope < alibi && strstr(alibi, "\nnone "));
	assert_non_null(strstr(r.out, "1 layer on 4 tokens, d 8, 2 heads"));
	cli_done(&r);
}

/* 2·2·n·d of rope. */
TEST(cost_as_json)
{
	struct cli_result r;
	cli_run(&r, &(struct cli_case){
			    .args = {"cost", "rope", "shaw", OFF, SMALL, "--format", "json"}});
	assert_int_equal(r.code, 0);
	json_t *const all = json_loads(r.out, 0, NULL);
	assert_non_null(all);
	json_t *const costs = json_object_get(all, "costs");
	assert_int_equal(json_array_size(costs), 3);
	const json_t *const rope = json_array_get(costs, 0), *const shaw = json_array_get(costs, 1);
	assert_string_equal(json_string_value(json_object_get(rope, "expression")), "rope");
	assert_true(json_number_value(json_object_get(rope, "multiply_adds_beyond_none")) ==
		    2 * 2 * 4 * 8);
	assert_true(json_is_null(json_object_get(rope, "time")));
	assert_true(json_is_null(json_object_get(rope, "published_time")));
	assert_true(json_number_value(json_object_get(shaw, "published_time")) == 1.33);
	assert_true(json_number_value(json_object_get(json_object_get(all, "pass"), "ff")) == 32);
	json_decref(all);
	cli_done(&r);
}

TEST(cost_as_csv_has_the_published_ones)
{
	struct cli_result r;
	cli_run(&r, &(struct cli_case){.args = {"cost", OFF, SMALL, "--format", "csv"}});
	assert_int_equal(r.code, 0);
	assert_int_equal(strncmp(r.out, "scheme,time,spread,rounds,", 25), 0);
	assert_non_null(strstr(r.out, "\n\"diet_abs(rank=128,share=none)\",,,,1.00,18874944,"));
	assert_non_null(strstr(r.out, "\nlearned,,,,,393216,"));
	cli_done(&r);
}

TEST(cost_refuses_and_warns)
{
	static const struct {
		const char *args[12], *says;
		int code;
	} rows[] = {
		{{"cost", "rop"}, "posviz: no scheme \"rop\"; did you mean \"rope\"?\n", 2},
		{{"cost", "rope", "--scheme", "alibi"}, "give the expressions", 2},
		{{"cost", "rope", "--compare", "alibi"}, "without --compare", 2},
		{{"cost", "learned", "--t-max", "2", "-s", "a b c"}, "learned: ", 2},
		{{"cost", "rope", "--heads", "5", "--d-model", "8"}, "do not divide", 2},
		{{"cost", "rope", "--format", "png"}, "png", 2},
		{{"cost", "rope", "--timing", "maybe"}, "timing", 2},
		{{"cost", "rope", OFF, SMALL, "--proj", "tied"}, "--proj is not read", 0},
		{{"cost", "spr_rel", OFF, SMALL}, "reads a tree, and none is given", 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_case c = {0};
		struct cli_result r;
		memcpy(c.args, rows[i].args, sizeof rows[i].args);
		cli_run(&r, &c);
		if (r.code != rows[i].code || !strstr(r.err, rows[i].says) ||
		    strchr(r.err, '\n') != r.err + strlen(r.err) - 1)
			fail_msg("row %zu: %d %s", i, r.code, r.err);
		assert_true((r.code == 0) == (r.out_len > 0));
		cli_done(&r);
	}
}

/* The cost of a model that was trained here follows from its scheme and sizes, and not from its numbers. */
TEST(cost_takes_a_model_that_was_trained_here)
{
	const struct cli_case c = {.args = {"cost", "@trained", OFF}};
	cli_expect(&c, 0, "t5(buckets=16,max_distance=12)", "");
	cli_expect(&c, 0, "1 layer on 16 tokens, d 32, 4 heads of 8", "");
}
