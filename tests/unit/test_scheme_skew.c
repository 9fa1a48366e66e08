/* test_scheme_skew.c: rotations by exponentials of skew matrices: the numbers of two codes, worked 2x2
 * blocks, lengths that stay, and what commutes. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

/* The library's exponential of the second code has errors to 7e-11. */
TEST(numbers_of_the_codes_are_matched)
{
	static const struct help_case cases[] = {
		{.file = "newer/liere-a.safetensors", .expression = "liere(grid=3,prefix=1)"},
		{.file = "newer/comrope-ld-a.safetensors",
		 .expression = "comrope(grid=3,prefix=1,block=4)"},
		{.file = "newer/comrope-ap-a.safetensors",
		 .expression = "comrope(grid=3,prefix=1,com=ap,block=4)"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct help_result r;
		help_case_open(&r, &cases[i]);
		/* q, k, logits, weights and context of both heads */
		assert_int_equal(help_case_compare(&r, &cases[i]), 5 * r.model.config.heads);
		help_case_close(&r);
	}
}

static void two_columns(struct help_run *r)
{
	r->config.d = 2;
	r->config.heads = r->config.layers = 1;
	r->want.kinds |= WANT_QKV;
}

static double above;

static void set_above(struct model *model)
{
	const struct mat at = help_leaf(model, "generators");
	mat_fill(at, 0);
	mat_row(at, 0)[1] = above;
	mat_row(at, 1)[0] = 77; /* is not read */
}

/* Three tokens stand at 0, 1/2 and 1. */
TEST(worked_blocks_are_these)
{
	static const double rows[][3] = {
		{1, .877582562, .479425539}, {2, .540302306, .841470985}, {0, 1, 0}};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		help_run_must_open(&r, "liere", 3, 0, two_columns);
		above = rows[i][0];
		const struct trace_head *const head =
			help_head_of(help_changed(&r, "liere", set_above), 0);
		const double *const raw = mat_row(head->q_raw, 1), *const q = mat_row(head->q, 1);
		assert_true(fabs(q[0] - (rows[i][1] * raw[0] + rows[i][2] * raw[1])) < 1e-8);
		assert_true(fabs(q[1] - (rows[i][1] * raw[1] - rows[i][2] * raw[0])) < 1e-8);
		assert_true(fabs(mat_row(head->q, 0)[0] - mat_row(head->q_raw, 0)[0]) < 1e-15);
		help_run_close(&r);
	}
}

TEST(lengths_stay)
{
	static const char *const rows[] = {"liere(grid=3)", "liere", "comrope(grid=4,block=8)",
					   "liere(block=3)"};
	for (size_t i = 0; i < 4; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i], 11, 0, help_with_qkv);
		for (size_t h = 0; h < 4; h++)
			for (size_t t = 0; t < 11; t++) {
				const struct trace_head *const head = help_head_of(&r.trace, h);
				assert_true(fabs(help_row_norm(head->q, t) /
							 help_row_norm(head->q_raw, t) -
						 1) < 1e-12);
			}
		/* Columns beyond whole blocks stay: 8 are two blocks of 3 and two columns. */
		const struct trace_head *const head = help_head_of(&r.trace, 1);
		for (size_t j = 6; j < 8 && i == 3; j++)
			assert_true(fabs(mat_row(head->q, 9)[j] - mat_row(head->q_raw, 9)[j]) <
				    1e-15);
		help_run_close(&r);
	}
}

/* Tokens are alike. Cells (0,0) to (1,1), (0,1) to (1,2), (2,0) to (3,1) of a grid of four. */
TEST(matrices_that_commute_give_differences)
{
	static const struct {
		const char *expression;
		bool relative;
	} rows[] = {{"comrope(grid=4)", true},
		    {"comrope(grid=4,com=ap,block=4)", true},
		    {"liere(grid=4,block=2)", true}, /* of two columns all commute */
		    {"liere(grid=4)", false}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].expression, 16, 1, help_with_qkv);
		const struct mat z = help_head_of(&r.trace, 1)->logits;
		const double apart = fmax(fabs(help_entry(z, 0, 5) - help_entry(z, 1, 6)),
					  fabs(help_entry(z, 0, 5) - help_entry(z, 8, 13)));
		if (rows[i].relative ? apart > 1e-11 : apart < 1e-4)
			fail_msg("%s: %g", rows[i].expression, apart);
		help_run_close(&r);
	}
	struct help_run r;
	help_run_must_open(&r, "liere", 9, 1, help_with_qkv);
	assert_true(help_toeplitz_error(help_head_of(&r.trace, 1)->logits) < 1e-11);
	help_run_close(&r);
}

/* R(p) turns by minus p·u, so u = -(n - 1) θ makes it RoPE's, whose θ of width 8 are 1, .1, .01, .001;
 * of ComRoPE p is (index + 1/2)/n. */
static const double thetas[] = {1, .1, .01, .001};
static double steps;

/* Matrices of all heads and blocks lie one below the other; a multiplier has a column for each
 * block. */
static void turn_as_rope(struct model *model)
{
	for (size_t k = 0; k < model->n_leaves; k++) {
		const struct mat at = model_leaf_at(model, &model->leaves[k]);
		const bool multiplier = strstr(model->leaves[k].name, "multiplier") != NULL;
		mat_fill(at, multiplier ? 1 : 0);
		for (size_t i = 0; i < at.rows && !multiplier; i += 2)
			mat_row(at, i)[1] = -steps * thetas[i / 2 % 4];
	}
}

TEST(blocks_of_two_are_rope)
{
	struct help_run r;
	help_run_must_open(&r, "rope", 9, 0, NULL);
	steps = 8;
	help_traces_equal(&r.trace, help_changed(&r, "liere(block=2)", turn_as_rope));
	steps = 9;
	help_traces_equal(&r.trace, help_changed(&r, "comrope(block=2)", turn_as_rope));
	steps = 10;
	assert_true(help_logits_apart(&r.trace, help_changed(&r, "comrope(block=2)", turn_as_rope),
				      0, 4) > 1e-3);
	help_run_close(&r);
}

static void huge(struct model *model)
{
	mat_fill(help_leaf(model, "freqs"), 0);
	mat_row(help_leaf(model, "freqs"), 0)[1] = 1e6;
}

TEST(what_cannot_be_is_refused)
{
	struct help_run r;
	struct err err = {""};
	assert_false(help_run_open(&r, "comrope(block=9)", 5, 0, NULL));
	assert_non_null(strstr(r.err.text, "block 8 would be right"));
	help_run_close(&r);
	help_run_must_open(&r, "comrope(com=ap)", 5, 0, NULL);
	struct trace trace;
	huge(&r.model);
	assert_false(model_run(&r.model, &r.in, &r.want, NULL, NULL, &r.arena, &trace, &err));
	assert_non_null(strstr(err.text, "smaller matrices are wanted"));
	help_run_close(&r);
}
