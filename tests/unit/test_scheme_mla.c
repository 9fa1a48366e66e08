/* test_scheme_mla.c: latent attention: the numbers of the authors' code, worked scales and frequencies,
 * and its limits, of content alone and of rotation alone. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"
#include "scheme/rope_scaling.h"

#define WIDE "mla(q_rank=12,kv_rank=8,rope="

/* Columns of q and k of the file are content and rotated part together: the program keeps them apart,
 * as the two terms that the file has too. */
TEST(numbers_of_the_code_are_matched)
{
	static const struct help_case cases[] = {
		{.file = "newer/mla-a.safetensors",
		 .expression = WIDE "4)+causal",
		 .head_dim = 12,
		 .value_dim = 8,
		 .skip = "q k",
		 .masked_logits = true},
		{.file = "newer/mla-yarn-a.safetensors",
		 .expression = WIDE "8,factor=40,original=64)+causal",
		 .head_dim = 16,
		 .value_dim = 8,
		 .skip = "q k",
		 .masked_logits = true},
	};
	for (size_t i = 0; i < 2; i++) {
		struct help_result r;
		help_case_open(&r, &cases[i]);
		assert_int_equal(help_case_compare(&r, &cases[i]), 3 * r.model.config.heads);
		const size_t content = r.model.dk - (i == 0 ? 4 : 8);
		for (size_t h = 0; h < 4; h++) {
			char name[24];
			const struct trace_head *const head = help_head_of(&r.trace, h);
			snprintf(name, sizeof name, "head.%zu.q", h);
			const struct mat q = tensor_mat(tensor_find(&r.set, name));
			help_assert_near(head->q, mat_cols(q, 0, content), 1e-9, name);
			snprintf(name, sizeof name, "head.%zu.v", h);
			help_assert_near(head->v, tensor_mat(tensor_find(&r.set, name)), 1e-9,
					 name);
		}
		help_case_close(&r);
	}
}

/* Of 128 and 64 components, trained on 4096 positions and stretched 40 times. */
TEST(worked_scales_and_frequencies_are_these)
{
	static const struct {
		const char *text;
		double c;
	} rows[] = {
		{"mla(rope=64)", .072168784},
		{"mla(rope=64,factor=40,original=4096)", .135233779},
		{"mla(rope=64,factor=40,original=4096,mscale=0.707,mscale_all_dim=0.707)",
		 .114721387},
		{"mla(rope=64,factor=40,original=4096,mscale=0,mscale_all_dim=0)", .072168784},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a;
		struct expr e;
		struct member members[MODEL_MAX_MEMBERS];
		struct model *const model = malloc(sizeof *model);
		size_t n;
		const struct model_config config = {.d = 8,
						    .heads = 2,
						    .layers = 1,
						    .ff = 4,
						    .head_dim = 192,
						    .value_dim = 8,
						    .t_max = 8,
						    .content = 2};
		arena_init(&a);
		assert_true(expr_parse(&e, rows[i].text, &a, NULL));
		assert_true(expr_members(&e, members, &n, &a, NULL));
		assert_true(model_build(model, &config, members, n, NULL, &a, NULL));
		assert_true(fabs(model->c - rows[i].c) < 5e-10);
		arena_release(&a);
		free(model);
	}
	const struct rope_scaling yarn = {.named = SCALING_YARN,
					  .factor = {40},
					  .beta_fast = 32,
					  .beta_slow = 1,
					  .truncate = true};
	const struct rope_wheel w = {
		.scaling = &yarn, .base = 1e4, .pairs = 32, .rotating = 32, .trained = 4096};
	static const struct {
		size_t pair;
		double theta, by;
	} theta[] = {{10, .056234133, 1e-9},
		     {16, .0055, 1e-9},
		     {22, 1.77828e-4, 1e-9},
		     {23, 3.33380e-5, 1e-10}};
	for (size_t i = 0; i < 4; i++)
		assert_true(fabs(scaling_frequency(&w, theta[i].pair) - theta[i].theta) <
			    theta[i].by);
}

/* All tokens are alike: without rotation so are all logits; all of it is one key for all heads. */
TEST(limits_are_content_alone_and_rotation_alone)
{
	struct help_run r;
	help_run_must_open(&r, "mla(rope=0)", 7, 1, help_with_qkv);
	const struct mat same = help_head_of(&r.trace, 1)->logits;
	for (size_t i = 1; i < 49; i++)
		assert_true(fabs(same.at[i] - same.at[0]) < 1e-12);
	const struct trace *const all = help_again(&r, "mla(rope=8)", NULL);
	assert_int_equal(help_head_of(all, 0)->k.cols, 8);
	help_assert_near(help_head_of(all, 3)->k, help_head_of(all, 0)->k, 1e-15, "keys");
	assert_true(help_toeplitz_error(help_head_of(all, 2)->logits) < 1e-12);
	help_run_close(&r);
	help_run_must_open(&r, "mla(rope=4)", 7, 0, help_with_terms);
	help_expect_terms(&r.trace, 0, 0, "unit–unit rope");
	help_run_close(&r);
}

/* mscale without mscale_all_dim multiplies what rotates, on both sides. */
TEST(mscale_multiplies_what_rotates)
{
	struct help_run r;
	help_run_must_open(&r, "mla(rope=8,factor=40,mscale=0,mscale_all_dim=0)", 7, 0, NULL);
	const struct mat plain = help_head_of(&r.trace, 0)->logits;
	const struct trace *const warm =
		help_again(&r, "mla(rope=8,factor=40,mscale=1,mscale_all_dim=0)", NULL);
	const struct mat z = help_head_of(warm, 0)->logits;
	for (size_t i = 0; i < 49; i++)
		assert_true(fabs(z.at[i] - 1.368887945 * 1.368887945 * plain.at[i]) < 1e-7);
	help_run_close(&r);
}

static void two_key_heads(struct help_run *r)
{
	r->config.kv_heads = 2;
}

TEST(what_cannot_be_is_refused)
{
	static const struct {
		const char *text, *why;
		void (*prepare)(struct help_run *r);
	} rows[] = {
		{"mla(rope=10)", "rope=4, or head-dim 20, would be right", NULL},
		{"mla(rope=3)", "an even number is wanted", NULL},
		{"mla", "kv-heads 4 would be right", two_key_heads},
		{"rope+mla", "write mla first", NULL},
		{"mla(beta_fast=1,beta_slow=2)", "fast pairs make more", NULL},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct help_run r;
		assert_false(help_run_open(&r, rows[i].text, 5, 0, rows[i].prepare));
		if (!strstr(r.err.text, rows[i].why))
			fail_msg("%s: %s", rows[i].text, r.err.text);
		help_run_close(&r);
	}
}
