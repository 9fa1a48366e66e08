/* test_scheme_tisa.c: the sum of Gaussian kernels is that of the formula. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_context.h"

/* Two kernels in every head: 2 exp(-(x + 1)² / 2) and -exp(-|-1/4| (x - 2)²). */
static void two_kernels(struct model *model)
{
	static const char *const bases[] = {"a", "b", "c"};
	static const double values[][2] = {{2, -1}, {0.5, -0.25}, {-1, 2}};
	for (size_t i = 0; i < model->n_leaves; i++)
		for (size_t k = 0; k < 3; k++)
			if (strcmp(model->leaves[i].base, bases[k]) == 0)
				for (size_t h = 0; h < model->config.heads; h++)
					memcpy(mat_row(model->leaves[i].at, h), values[k],
					       sizeof values[k]);
}

/* By hand, at x = -3 .. 3. */
TEST(bias_is_the_sum_of_the_kernels)
{
	const double want[] = {
		2 * exp(-2) - exp(-6.25),  2 * exp(-0.5) - exp(-4),  2 - exp(-2.25),
		2 * exp(-0.5) - exp(-1),   2 * exp(-2) - exp(-0.25), 2 * exp(-4.5) - 1,
		2 * exp(-8.0) - exp(-0.25)};
	struct help_run r;
	help_run_must_open(&r, "tisa(kernels=2)", 4, 0, NULL);
	const struct trace *trace = help_changed(&r, "tisa(kernels=2)", two_kernels);
	for (size_t h = 0; h < r.config.heads; h++)
		for (size_t t = 0; t < 4; t++)
			for (size_t s = 0; s < 4; s++)
				assert_true(fabs(mat_row(trace->layers[0].heads[h].bias, t)[s] -
						 want[3 + s - t]) < 1e-12);
	help_run_close(&r);
}

TEST(kernels_of_height_0_leave_the_plain_model)
{
	struct help_run r;
	help_run_must_open(&r, "none", 9, 0, NULL);
	help_traces_equal(help_changed(&r, "tisa", help_zero_leaves), &r.trace);
	assert_true(help_logits_apart(&r.trace, help_again(&r, "tisa", NULL), 0, 4) > 1e-3);
	help_run_close(&r);
}

/* 3 S h l, as the paper counts. */
TEST(each_kernel_has_three_numbers)
{
	struct help_run r;
	help_run_must_open(&r, "tisa(kernels=7)", 3, 0, NULL);
	assert_int_equal(model_position_parameters(&r.model), 3 * 7 * 4 * 2);
	help_run_close(&r);
}
