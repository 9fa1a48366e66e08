/* test_scheme_composite.c: the schemes that composite attention becomes when parts are left out, its convolution,
 * and the authors' numbers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

enum { N = 7, CLIP = 2 };

static void with_everything(struct help_run *r)
{
	r->want.kinds |= WANT_QKV | WANT_CONTEXT;
}

static double number(const char *base, size_t row, size_t col)
{
	return cos(0.8 * (double)row + 1.3 * (double)col + (double)strlen(base));
}

static void draw_numbers(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct leaf *leaf = &model->leaves[i];
		for (size_t r = 0; r < leaf->at.rows; r++)
			for (size_t c = 0; c < leaf->at.cols; c++)
				mat_row(leaf->at, r)[c] = number(leaf->base, r, c);
	}
}

static size_t entry(long delta)
{
	return (size_t)((delta < -CLIP ? -CLIP : delta > CLIP ? CLIP : delta) + CLIP);
}

TEST(parts_of_0_leave_the_plain_model)
{
	struct help_run r;
	help_run_must_open(&r, "composite(convk=on,convolution=on)", 9, 0, NULL);
	const struct trace *none = help_again(&r, "none", NULL);
	const struct trace *zeroed =
		help_changed(&r, "composite(convk=on,convolution=on)", help_zero_leaves);
	assert_true(help_output_apart(zeroed, none, 1) < 1e-12);
	assert_true(help_output_apart(&r.trace, none, 1) > 1e-3);
	help_run_close(&r);
}

/* w of dk rows here is w_key of dk columns there. */
static void draw_tied(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct mat at = model->leaves[i].at;
		const bool ours = strcmp(model->leaves[i].base, "w_query") == 0;
		for (size_t r = 0; r < at.rows; r++)
			for (size_t c = 0; c < at.cols; c++)
				mat_row(at, r)[c] =
					ours ? sin((double)(r + 3 * c)) : sin((double)(c + 3 * r));
	}
}

TEST(query_part_alone_is_shaw_on_keys)
{
	struct help_run r;
	help_run_must_open(&r, "none", 9, 0, NULL);
	const struct trace *a = help_changed(&r, "composite(clip=3,fixed=off)", draw_tied);
	const struct trace *b = help_changed(&r, "shaw(clip=3,values=off)", draw_tied);
	assert_true(help_logits_apart(a, b, 1, r.config.heads) < 1e-12);
	assert_true(help_output_apart(a, &r.trace, 1) > 1e-3);
	help_run_close(&r);
}

static double scalar(long delta, size_t head)
{
	const long d = delta < -3 ? -3 : delta > 3 ? 3 : delta;
	return cos((double)d + 2 * (double)head);
}

/* β [h, 7] of clip 3, and R [2·9 - 1, h] for t - s with the same numbers. */
static void draw_scalars(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct mat at = model->leaves[i].at;
		const bool ours = strcmp(model->leaves[i].base, "beta") == 0;
		for (size_t r = 0; r < at.rows; r++)
			for (size_t c = 0; c < at.cols; c++)
				mat_row(at, r)[c] = ours ? scalar((long)c - 3, r)
							 : scalar((long)(at.rows / 2) - (long)r, c);
	}
}

static void t_max_9(struct help_run *r)
{
	r->config.t_max = 9;
}

TEST(fixed_part_alone_is_diet_rel_that_clips)
{
	struct help_run r;
	help_run_must_open(&r, "none", 9, 0, t_max_9);
	const struct trace *a = help_changed(&r, "composite(clip=3,convq=off)", draw_scalars);
	const struct trace *b = help_changed(&r, "diet_rel(segments=0)", draw_scalars);
	assert_true(help_logits_apart(a, b, 1, r.config.heads) < 1e-12);
	assert_true(help_output_apart(a, &r.trace, 1) > 1e-3);
	help_run_close(&r);
}

/* Without the product of the words and with both parts off there is nothing to choose by. */
TEST(without_anything_weights_are_even)
{
	struct help_run r;
	help_run_must_open(&r, "composite(dot=off,fixed=off,convq=off)", 5, 0, NULL);
	for (size_t h = 0; h < r.config.heads; h++)
		for (size_t i = 0; i < 25; i++)
			assert_true(fabs(r.trace.layers[0].heads[h].weights.at[i] - 0.2) < 1e-15);
	help_run_close(&r);
}

/* There is no unit–unit term to take away: the bias is what β is. */
TEST(bias_without_the_product_is_the_kernel)
{
	struct help_run r;
	help_run_must_open(&r, "none", N, 0, NULL);
	static const char text[] = "composite(clip=2,dot=off,convq=off)";
	const struct trace *trace = help_changed(&r, text, draw_numbers);
	for (size_t h = 0; h < r.config.heads; h++)
		for (size_t t = 0; t < N; t++)
			for (size_t s = 0; s < N; s++)
				assert_true(fabs(mat_row(trace->layers[0].heads[h].bias, t)[s] -
						 number("beta", h, entry((long)s - (long)t))) <
					    1e-12);
	help_run_close(&r);
}

/* β at -∞ outside of the window, and no product: attention is one and the same convolution of the
 * values for every input. */
static void make_window(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct mat at = model->leaves[i].at;
		for (size_t h = 0; h < at.rows; h++)
			for (size_t c = 0; c < at.cols; c++)
				mat_row(at, h)[c] = c == 0 || c + 1 == at.cols ? -1e4 : (double)c;
	}
}

TEST(hard_window_is_a_convolution_of_the_values)
{
	enum { LONG = 12 };
	struct help_run r;
	help_run_must_open(&r, "none", LONG, 0, with_everything);
	const struct trace *trace =
		help_changed(&r, "composite(clip=2,dot=off,convq=off)", make_window);
	/* softmax of 1, 2, 3 for the unit before, the same and the next */
	const double all = exp(1) + exp(2) + exp(3);
	for (size_t h = 0; h < r.config.heads; h++) {
		const struct trace_head *head = &trace->layers[0].heads[h];
		for (size_t t = 1; t + 1 < LONG; t++)
			for (size_t j = 0; j < r.model.dk; j++) {
				const double want = (exp(1) * mat_row(head->v, t - 1)[j] +
						     exp(2) * mat_row(head->v, t)[j] +
						     exp(3) * mat_row(head->v, t + 1)[j]) /
						    all;
				assert_true(fabs(mat_row(head->context, t)[j] - want) < 1e-10);
			}
	}
	help_run_close(&r);
}

/* conv1d of PyTorch, groups = channels, zero padding: bias + Σ_j weight_j v_{t+j}. */
TEST(value_convolution_is_added_to_the_context)
{
	for (int scaled = 0; scaled < 2; scaled++) {
		const char *text = scaled ? "composite(clip=2,convolution=scaled)"
					  : "composite(clip=2,convolution=on)";
		struct help_run r;
		help_run_must_open(&r, "none", N, 0, with_everything);
		const struct trace *with = help_changed(&r, text, draw_numbers);
		const struct trace *off = help_changed(&r, "composite(clip=2)", draw_numbers);
		for (size_t h = 0; h < r.config.heads; h++) {
			const struct trace_head *a = &with->layers[0].heads[h];
			const struct mat b = off->layers[0].heads[h].context;
			for (size_t t = 0; t < N; t++)
				for (size_t j = 0; j < r.model.dk; j++) {
					const size_t col = h * r.model.dk + j;
					double sum = number("conv_bias", 0, col);
					for (long d = -CLIP; d <= CLIP; d++)
						if ((long)t + d >= 0 && (long)t + d < N)
							sum += number("conv_weight", entry(d),
								      col) *
							       mat_row(a->v,
								       (size_t)((long)t + d))[j];
					sum *= scaled ? number("conv_scale", 0, h) : 1;
					assert_true(fabs(mat_row(a->context, t)[j] -
							 mat_row(b, t)[j] - sum) < 1e-10);
				}
		}
		help_run_close(&r);
	}
}

/* Units in another order that keep their places: each gets what it had. */
TEST(convolution_runs_along_the_column)
{
	static const size_t order[] = {3, 0, 6, 1, 5, 2, 4};
	static const double places[] = {3, 0, 6, 1, 5, 2, 4};
	struct help_run r;
	help_run_must_open(&r, "composite(clip=2,convolution=on)", N, 0, NULL);
	help_permute(&r, order);
	r.in.word = places;
	const struct trace *moved =
		help_again(&r, "composite(clip=2,convolution=on,pos=word)", NULL);
	for (size_t t = 0; t < N; t++)
		assert_true(mat_max_abs_diff(mat_rows(moved->layers[1].output, t, 1),
					     mat_rows(r.trace.layers[1].output, order[t], 1)) <
			    1e-10);
	help_run_close(&r);
	/* without a column of words it is 0 everywhere: two units at one place */
	assert_false(help_run_open(&r, "composite(convolution=on,pos=word)", 2, 0, NULL));
	assert_non_null(strstr(r.err.text, "one token at each position"));
	help_run_close(&r);
}

TEST(reference_numbers_are_matched)
{
	static const struct help_case cases[] = {
		{.file = "seq/composite-a.safetensors", .expression = "composite(clip=2)"},
		{.file = "seq/composite-nodot-a.safetensors",
		 .expression = "composite(clip=2,dot=off,convk=on)",
		 .skip = "q k"},
	};
	static const size_t leaves[] = {2, 3};
	for (size_t i = 0; i < 2; i++) {
		struct help_result r;
		help_case_open(&r, &cases[i]);
		assert_int_equal(r.model.n_leaves, leaves[i]);
		for (size_t l = 0; l < r.model.n_leaves; l++)
			assert_true(r.model.leaves[l].given);
		assert_true(help_case_compare(&r, &cases[i]) >= 12);
		help_case_close(&r);
	}
}

/* Per layer h(2r+1) + d_h(2r+1), with convk once more d_h(2r+1); the convolution d(2r+1) + d (+ h). */
TEST(counts_are_those_of_the_leaves)
{
	static const struct {
		const char *text;
		size_t count;
	} cases[] = {
		{"composite(clip=2)", 2 * (4 * 5 + 8 * 5)},
		{"composite(clip=2,convk=on)", 2 * (4 * 5 + 16 * 5)},
		{"composite(clip=2,convolution=on)", 2 * (12 * 5 + 32 * 5 + 32)},
		{"composite(clip=2,convolution=scaled)", 2 * (12 * 5 + 32 * 5 + 32 + 4)},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, cases[i].text, 4, 0, NULL);
		assert_int_equal(model_position_parameters(&r.model), cases[i].count);
		help_run_close(&r);
	}
}

/* β starts at 0, w within 1/√(2r+1). */
TEST(paper_starts_as_the_code_does)
{
	struct help_run r;
	help_run_must_open(&r, "composite(clip=4)", 4, 0, help_paper_init);
	const struct leaf *beta = model_find_leaf(&r.model, &r.model.members[0], "beta", 0);
	const struct leaf *w = model_find_leaf(&r.model, &r.model.members[0], "w_query", 0);
	double lo, hi;
	assert_true(mat_range(beta->at, &lo, &hi));
	assert_true(lo == 0 && hi == 0);
	assert_true(mat_range(w->at, &lo, &hi));
	assert_true(lo < -0.2 && lo >= -1.0 / 3 && hi > 0.2 && hi <= 1.0 / 3);
	help_run_close(&r);
}
