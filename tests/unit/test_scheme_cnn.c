/* test_scheme_cnn.c: the convolution by hand, and how far its padding gives positions away. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

/* Every tap is the identity, b = 0: the sum of the neighbours. */
static void plain_sums(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct mat at = model->leaves[i].at;
		mat_fill(at, 0);
		for (size_t r = 0; at.rows > 1 && r < at.rows; r++)
			mat_row(at, r)[r % at.cols] = 1;
	}
}

static void all_ones(struct help_run *r)
{
	mat_fill(r->in.units, 1);
}

/* Three taps of 1 on six ones: how many taps lie inside, then the same of that. */
TEST(zeros_beyond_the_ends_are_counted)
{
	static const double once[] = {2, 3, 3, 3, 3, 2}, twice[] = {5, 8, 9, 9, 8, 5};
	struct help_run r;
	help_run_must_open(&r, "cnn(depth=1)", 6, 0, help_with_input);
	all_ones(&r);
	const struct mat one = help_input_of(help_changed(&r, "cnn(depth=1)", plain_sums));
	const struct mat two = help_input_of(help_changed(&r, "cnn(depth=2)", plain_sums));
	for (size_t t = 0; t < 6; t++)
		for (size_t j = 0; j < r.config.d; j++) {
			assert_true(fabs(mat_row(one, t)[j] - once[t]) < 1e-12);
			assert_true(fabs(mat_row(two, t)[j] - twice[t]) < 1e-12);
		}
	help_run_close(&r);
}

/* Equal units: rows differ where t < L r or t >= n - L r, and nowhere under other paddings. */
TEST(zeros_reach_as_far_in_as_taps_and_depth_say)
{
	static const struct {
		const char *expression;
		size_t reach;
	} rows[] = {
		{"cnn(depth=1)", 1},	       {"cnn(depth=2)", 2},
		{"cnn(depth=3)", 3},	       {"cnn(width=5,depth=2)", 4},
		{"cnn(width=1)", 0},	       {"cnn(padding=circular,depth=3)", 0},
		{"cnn(padding=replicate)", 0}, {"cnn(padding=circular,width=31)", 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		const size_t n = 12;
		help_run_must_open(&r, rows[i].expression, n, 0, help_with_input);
		all_ones(&r);
		const struct mat x =
			help_input_of(help_changed(&r, rows[i].expression, help_draw_leaves));
		const struct mat middle = mat_rows(x, n / 2, 1);
		for (size_t t = 0; t < n; t++) {
			const bool near = t < rows[i].reach || t >= n - rows[i].reach;
			const double off = mat_max_abs_diff(mat_rows(x, t, 1), middle);
			if (near != (off > 1e-9))
				fail_msg("%s, row %zu: %g", rows[i].expression, t, off);
		}
		help_run_close(&r);
	}
}

/* Which unit stands at a place beyond the ends; -1: zeros. */
static long place(long at, long n, const char *padding)
{
	if (at >= 0 && at < n)
		return at;
	if (strcmp(padding, "zero") == 0)
		return -1;
	if (strcmp(padding, "circular") == 0)
		return ((at % n) + n) % n;
	return at < 0 ? 0 : n - 1;
}

TEST(convolution_is_the_sum_over_taps)
{
	static const char *const paddings[] = {"zero", "circular", "replicate"};
	for (size_t i = 0; i < 3; i++) {
		for (size_t n = 2; n <= 7; n += 5) {
			char text[64];
			snprintf(text, sizeof text, "cnn(depth=1,width=5,padding=%s)", paddings[i]);
			struct help_run r;
			help_run_must_open(&r, text, n, 0, help_with_input);
			const struct mat got =
				help_input_of(help_changed(&r, text, help_draw_leaves));
			help_draw_leaves(&r.model);
			const struct mat kernel = r.model.leaves[0].at, b = r.model.leaves[1].at;
			const size_t d = r.config.d;
			for (size_t t = 0; t < n; t++)
				for (size_t c = 0; c < d; c++) {
					double want = b.at[c];
					for (long j = -2; j <= 2; j++) {
						const long s =
							place((long)t + j, (long)n, paddings[i]);
						for (size_t k = 0; s >= 0 && k < d; k++)
							want += mat_row(r.in.units, (size_t)s)[k] *
								mat_row(kernel,
									(size_t)(j + 2) * d + k)[c];
					}
					assert_true(fabs(mat_row(got, t)[c] - want) < 1e-12);
				}
			help_run_close(&r);
		}
	}
}

static void negative(struct model *model)
{
	plain_sums(model);
	mat_fill(model->leaves[1].at, -100);
}

/* The first convolution ends below 0: with max(0, x) nothing of it is left for the second. */
TEST(relu_stands_between_convolutions)
{
	struct help_run r;
	help_run_must_open(&r, "cnn", 5, 0, help_with_input);
	const struct mat cut = help_input_of(help_changed(&r, "cnn", negative));
	const struct mat kept = help_input_of(help_changed(&r, "cnn(relu=off)", negative));
	assert_true(mat_norm(cut) == 0);
	assert_true(mat_row(kept, 2)[0] < -200);
	help_run_close(&r);
}

/* Circular padding: turning the text round turns the output round. */
TEST(circular_padding_has_no_beginning)
{
	static const size_t turned[] = {2, 3, 4, 5, 6, 0, 1};
	struct help_run r;
	help_run_must_open(&r, "cnn(padding=circular)", 7, 0, NULL);
	const struct mat here =
		help_changed(&r, "cnn(padding=circular)", help_draw_leaves)->layers[1].output;
	help_permute(&r, turned);
	const struct mat there =
		help_changed(&r, "cnn(padding=circular)", help_draw_leaves)->layers[1].output;
	for (size_t t = 0; t < 7; t++)
		assert_true(mat_max_abs_diff(mat_rows(there, t, 1), mat_rows(here, turned[t], 1)) <
			    1e-12);
	help_run_close(&r);
}

TEST(one_tap_is_a_matrix_and_sees_no_order)
{
	static const size_t order[] = {3, 0, 4, 1, 2};
	struct help_run r;
	help_run_must_open(&r, "cnn(width=1)", 5, 0, NULL);
	const struct mat here =
		help_changed(&r, "cnn(width=1)", help_draw_leaves)->layers[1].output;
	help_permute(&r, order);
	const struct mat there =
		help_changed(&r, "cnn(width=1)", help_draw_leaves)->layers[1].output;
	for (size_t t = 0; t < 5; t++)
		assert_true(mat_max_abs_diff(mat_rows(there, t, 1), mat_rows(here, order[t], 1)) <
			    1e-12);
	help_run_close(&r);
}

TEST(neighbours_are_those_of_the_column)
{
	static const double places[] = {7, 2, 5, 0};
	static const size_t order[] = {3, 1, 2, 0};
	struct help_run r;
	help_run_must_open(&r, "cnn", 4, 0, help_with_input);
	r.in.word = places;
	const struct mat got = help_input_of(help_changed(&r, "cnn(pos=word)", help_draw_leaves));
	help_permute(&r, order);
	const struct mat want = help_input_of(help_changed(&r, "cnn", help_draw_leaves));
	for (size_t i = 0; i < 4; i++)
		assert_true(mat_max_abs_diff(mat_rows(got, order[i], 1), mat_rows(want, i, 1)) <
			    1e-13);
	help_run_close(&r);
}

TEST(an_even_number_of_taps_is_refused)
{
	struct help_run r;
	assert_false(help_run_open(&r, "cnn(width=4)", 4, 0, NULL));
	assert_non_null(strstr(r.err.text, "odd"));
	help_run_close(&r);
}
