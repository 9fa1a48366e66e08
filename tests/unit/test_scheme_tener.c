/* test_scheme_tener.c: the paper's formula and the authors' code, which are two things. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

static size_t component;

/* v reads one component of R, and nothing else acts. */
static void read_one(struct model *model)
{
	help_zero_leaves(model);
	help_leaf_of(model, "v")->at.at[component] = 1;
}

static void tiny(struct help_run *r)
{
	r->config.d = 4;
	r->config.heads = 1;
	r->config.layers = 1;
	r->config.proj = PROJ_IDENTITY;
	r->config.content = 0;
}

/* d_k = 4: R_1 as the definition prints it, the first two of R_{-1} with the other sign. */
TEST(sinusoids_are_those_of_the_definition)
{
	static const struct {
		const char *expression;
		double want[4]; /* of R_1 */
		bool is_sine[4];
		double sign; /* +1: R_{t-s} */
	} rows[] = {
		{"tener",
		 {.841470985, .540302306, .009999833, .999950000},
		 {true, false, true, false},
		 1},
		{"tener(table=t2t)",
		 {.841470985, .000100000, .540302306, .999999995},
		 {true, true, false, false},
		 1},
		{"tener(code=on)",
		 {.841470985, .000100000, .540302306, .999999995},
		 {true, true, false, false},
		 -1},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].expression, 2, 0, tiny);
		r.in.units = mat_zero(&r.arena, 2, 4); /* no content, no q·R, no k·R */
		for (component = 0; component < 4; component++) {
			const struct trace *trace = help_changed(&r, rows[i].expression, read_one);
			const struct mat logits = trace->layers[0].heads[0].logits;
			const double past = rows[i].is_sine[component] ? rows[i].sign : 1;
			const double future = rows[i].is_sine[component] ? -rows[i].sign : 1;
			const double want = rows[i].want[component];
			assert_true(fabs(mat_row(logits, 1)[0] - past * want) < 1e-8);
			assert_true(fabs(mat_row(logits, 0)[1] - future * want) < 1e-8);
		}
		help_run_close(&r);
	}
}

TEST(code_matches_the_reference_numbers)
{
	static const struct help_case c = {.file = "seq/tener-a.safetensors",
					   .expression = "tener(code=on)"};
	struct help_result r;
	help_case_open(&r, &c);
	assert_int_equal(r.model.n_leaves, 2);
	for (size_t i = 0; i < 2; i++)
		assert_true(r.model.leaves[i].given);
	assert_int_equal(help_case_compare(&r, &c), 12);
	help_case_close(&r);
}

/* The paper's formula with the same q, u, v and R: keys are the columns of the input. */
TEST(paper_matches_its_formula)
{
	static const struct help_case c = {.file = "seq/tener-a.safetensors",
					   .expression = "tener(table=t2t)"};
	struct help_result r;
	help_case_open(&r, &c);
	for (size_t h = 0; h < 4; h++) {
		char name[32];
		snprintf(name, sizeof name, "head.%zu.logits_paper", h);
		const struct tensor *want = tensor_find(&r.set, name);
		assert_non_null(want);
		assert_true(mat_max_abs_diff(r.trace.layers[0].heads[h].logits, tensor_mat(want)) <
			    1e-9);
		assert_true(mat_max_abs_diff(r.trace.layers[0].heads[h].k,
					     mat_cols(r.trace.units, h * 8, 8)) < 1e-12);
	}
	help_case_close(&r);
}

static void with_qkv(struct help_run *r)
{
	r->want.kinds |= WANT_QKV | WANT_TERMS;
}

TEST(terms_are_those_of_the_survey)
{
	struct help_run r;
	help_run_must_open(&r, "tener", 7, 0, with_qkv);
	for (size_t h = 0; h < 4; h++)
		help_expect_terms(&r.trace, 0, h, "unit–unit query–R u–key v–R");
	help_run_close(&r);
	assert_int_equal(help_terms_sum("tener", NULL), 4);
	assert_int_equal(help_terms_sum("tener(code=on)", NULL), 5);
	assert_true(help_terms_sum("sinusoidal+tener", NULL) > 4);
}

/* A query that reads cosines alone sees a mirror image; one that reads sines does not. */
TEST(direction_is_in_the_sines)
{
	struct help_run r;
	help_run_must_open(&r, "tener", 6, 0, tiny);
	r.in.units = mat_zero(&r.arena, 6, 4);
	for (component = 0; component < 4; component++) {
		const struct mat m = help_changed(&r, "tener", read_one)->layers[0].heads[0].logits;
		assert_true(help_toeplitz_error(m) < 1e-12);
		const double sign = component % 2 == 0 ? -1 : 1;
		for (size_t t = 0; t < 6; t++)
			for (size_t s = 0; s < 6; s++)
				assert_true(fabs(mat_row(m, t)[s] - sign * mat_row(m, s)[t]) <
					    1e-12);
	}
	help_run_close(&r);
}

/* scale=on is all of it over the root of d_k; without it c is 1. */
TEST(scale_divides_every_term)
{
	struct help_run r;
	help_run_must_open(&r, "tener", 5, 0, NULL);
	assert_true(fabs(r.trace.c - 1) < 1e-15);
	assert_true(fabs(help_again(&r, "tener(scale=on)", NULL)->c - 1 / sqrt(8)) < 1e-15);
	help_run_close(&r);
}

/* W_k is the identity in the columns of its own heads, and there alone. */
TEST(other_heads_keep_their_keys)
{
	struct help_run r;
	help_run_must_open(&r, "tener(heads=2)", 4, 0, with_qkv);
	const struct trace *plain = help_again(&r, "none", NULL);
	const struct trace_head *heads = r.trace.layers[0].heads;
	assert_true(mat_max_abs_diff(heads[1].k, mat_cols(r.in.units, 8, 8)) < 1e-12);
	assert_true(mat_max_abs_diff(heads[0].k, plain->layers[0].heads[0].k) < 1e-12);
	assert_true(mat_max_abs_diff(heads[0].k, mat_cols(r.in.units, 0, 8)) > 1e-2);
	help_run_close(&r);
	help_run_must_open(&r, "tener(layers=2)", 4, 0, with_qkv);
	plain = help_again(&r, "none", NULL);
	assert_true(mat_max_abs_diff(r.trace.layers[0].heads[1].k, plain->layers[0].heads[1].k) <
		    1e-12);
	help_run_close(&r);
}

TEST(too_far_is_refused)
{
	static const double places[] = {0, 200000};
	struct help_run r;
	struct trace trace;
	help_run_must_open(&r, "tener(pos=word)", 2, 0, NULL);
	r.in.word = places;
	assert_false(model_run(&r.model, &r.in, &r.want, NULL, NULL, &r.arena, &trace, &r.err));
	assert_non_null(strstr(r.err.text, "distances up to 200000"));
	help_run_close(&r);
}

static void narrowest_heads(struct help_run *r)
{
	r->config.d = 4;
	r->config.heads = 4;
}

TEST(gradients_and_sizes_are_right)
{
	help_gradients("tener");
	help_gradients("tener(code=on,scale=on)");
	help_sizes("tener");
	help_sizes("tener(code=on)");
	for (size_t i = 0; i < 2; i++) {
		struct help_run r;
		help_run_must_open(&r, i ? "tener(code=on)" : "tener", 5, 0, narrowest_heads);
		assert_true(help_is_finite(r.trace.layers[1].output));
		help_run_close(&r);
	}
}
