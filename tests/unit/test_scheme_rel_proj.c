/* test_scheme_rel_proj.c: a bank of functions of the distance, mixed by the token that asks. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_context.h"

TEST(reference_numbers_are_matched)
{
	static const struct help_case c = {.file = "seq/rel_proj-a.safetensors",
					   .expression = "rel_proj(basis=4,distances=5)",
					   .masked_logits = true};
	struct help_result r;
	help_case_open(&r, &c);
	assert_int_equal(r.model.n_leaves, 3);
	for (size_t i = 0; i < 3; i++)
		assert_true(r.model.leaves[i].given);
	assert_int_equal(help_case_compare(&r, &c), 12);
	help_case_close(&r);
}

/* One function -(t-s) in the bank, and shares that know no token: slopes. */
static void slopes(struct model *model)
{
	static const double of_four[] = {1. / 4, 1. / 16, 1. / 64, 1. / 256};
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct mat at = model->leaves[i].at;
		const char *base = model->leaves[i].base;
		for (size_t k = 0; k < at.rows * at.cols; k++)
			at.at[k] = strcmp(base, "bank") == 0 ? -(double)k
				   : strcmp(base, "b") == 0  ? of_four[k % 4]
							     : 0;
	}
}

TEST(shares_that_know_no_token_are_alibi)
{
	struct help_run r;
	help_run_must_open(&r, "alibi", 9, 0, NULL);
	const struct trace *trace = help_changed(&r, "rel_proj(basis=1)", slopes);
	assert_true(help_output_apart(trace, &r.trace, 0) < 1e-12);
	assert_true(help_output_apart(trace, &r.trace, 1) < 1e-12);
	assert_true(help_output_apart(trace, help_again(&r, "none+causal", NULL), 1) > 1e-3);
	help_run_close(&r);
}

TEST(a_bank_of_0_leaves_the_causal_model)
{
	struct help_run r;
	help_run_must_open(&r, "none+causal", 9, 0, NULL);
	help_traces_equal(help_changed(&r, "rel_proj", help_zero_leaves), &r.trace);
	assert_true(help_logits_apart(&r.trace, help_again(&r, "rel_proj", NULL), 0, 4) > 1e-3);
	help_run_close(&r);
}
