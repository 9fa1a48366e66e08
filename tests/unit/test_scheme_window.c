/* test_scheme_window.c: the band, its gaps, the tokens that see all, and their own projections. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

/* What row t sees, as a word: "x" for a key that is allowed. */
static void expect_mask(const char *expression, size_t n, const char *const *rows)
{
	struct help_run r;
	help_run_must_open(&r, expression, n, 0, NULL);
	for (size_t h = 0; h < 4; h++) {
		const struct trace_head *head = &r.trace.layers[1].heads[h];
		assert_non_null(head->mask);
		for (size_t t = 0; t < n; t++)
			for (size_t s = 0; s < n; s++) {
				const bool want = rows[t][s] == 'x';
				if (head->mask[t * n + s] != want)
					fail_msg("%s: (%zu, %zu)", expression, t, s);
				assert_true(want == (mat_row(head->weights, t)[s] > 0));
			}
	}
	assert_true(r.trace.bias_is_mask);
	help_run_close(&r);
}

TEST(masks_are_those_of_the_definition)
{
	static const char *const band[] = {"xx.....", "xxx....", ".xxx...", "..xxx..",
					   "...xxx.", "....xxx", ".....xx"};
	static const char *const gaps[] = {"x.x....", ".x.x...", "x.x.x..", ".x.x.x.",
					   "..x.x.x", "...x.x.", "....x.x"};
	static const char *const causal[] = {"x......", "xx.....", "xxx....", ".xxx...",
					     "..xxx..", "...xxx.", "....xxx"};
	static const char *const global[] = {"xxxxxxx", "xxx....", "xxxx...", "x.xxx..",
					     "x..xxx.", "x...xxx", "x....xx"};
	static const char *const both[] = {"x......", "xx.....", "xxx....", "x.xx...",
					   "x..xx..", "xxxxxx.", "x....xx"};
	expect_mask("window(width=2)", 7, band);
	expect_mask("window(width=2,dilation=2)", 7, gaps);
	expect_mask("window(width=4,causal=on)", 7, causal);
	expect_mask("window(width=2,global=[1])", 7, global);
	expect_mask("window(width=2,causal=on,global=[1,6])", 7, both);
	static const char *const decoder[] = {"x......", "xx.....", "xxx....", "xxxx...",
					      ".xxxx..", "..xxxx.", "...xxxx"};
	static const char *const sink[] = {"x......", "xx.....", "xxx....", "x.xx...",
					   "x..xx..", "x...xx.", "x....xx"};
	static const char *const dilated[] = {"x......", ".x.....", "x.x....", ".x.x...",
					      "x.x.x..", ".x.x.x.", "..x.x.x"};
	expect_mask("window(keys=4)", 7, decoder);
	expect_mask("window(width=6)+causal", 7, decoder);
	expect_mask("window(keys=4)+causal", 7, decoder);
	expect_mask("window(keys=2,global=[1])", 7, sink);
	expect_mask("window(keys=3,dilation=2)", 7, dilated);
	expect_mask("window(keys=1)", 3, (const char *const[]){"x..", ".x.", "..x"});
	expect_mask("window(width=0)", 3, (const char *const[]){"x..", ".x.", "..x"});
}

/* No keys are no window; that the width counts is said by leaving keys out. */
TEST(no_keys_are_refused)
{
	struct arena a;
	struct expr e;
	struct err err = {""};
	arena_init(&a);
	assert_false(expr_parse(&e, "window(keys=0)", &a, &err));
	assert_non_null(strstr(err.text, "column 13: keys ("));
	assert_non_null(strstr(err.text, "must be from 1 to 1000000000"));
	assert_null(strchr(err.text, '\n'));
	assert_true(expr_parse(&e, "window(keys=off)", &a, &err));
	assert_string_equal(expr_print(&e, &a), "window");
	assert_true(expr_parse(&e, "window(keys=1)", &a, &err));
	arena_release(&a);
}

TEST(reference_numbers_are_matched)
{
	static const struct help_case c = {.file = "seq/window-longformer-a.safetensors",
					   .expression = "window(width=4)"};
	struct help_result r;
	help_case_open(&r, &c);
	assert_int_equal(help_case_compare(&r, &c), 6);
	const struct mat mask = tensor_mat(tensor_find(&r.set, "mask"));
	for (size_t i = 0; i < 144; i++)
		assert_true((r.trace.layers[0].heads[2].mask[i] != 0) == (mask.at[i] > 0.5));
	help_case_close(&r);
}

/* A window as wide as the input twice over is none; its causal form is the causal mask. */
TEST(wide_windows_are_none)
{
	struct help_run r;
	help_run_must_open(&r, "window(width=18)", 9, 0, NULL);
	assert_true(help_output_apart(&r.trace, help_again(&r, "none", NULL), 1) < 1e-12);
	const struct trace *causal = help_again(&r, "window(width=18,causal=on)", NULL);
	assert_true(help_output_apart(causal, help_again(&r, "causal", NULL), 1) < 1e-12);
	help_run_close(&r);
}

/* After L layers a token is felt L·δ·w/2 places away and not farther. */
TEST(views_widen_by_half_a_window_a_layer)
{
	struct help_run r;
	help_run_must_open(&r, "window(width=2,dilation=2)", 15, 0, NULL);
	const struct mat before = r.trace.layers[1].output;
	mat_fill(mat_rows(r.in.units, 7, 1), 3);
	const struct mat after =
		help_again(&r, "window(width=2,dilation=2)", NULL)->layers[1].output;
	for (size_t t = 0; t < 15; t++) {
		const double off = mat_max_abs_diff(mat_rows(before, t, 1), mat_rows(after, t, 1));
		const bool reached = t % 2 == 1 && t >= 3 && t <= 11;
		assert_true(reached ? off > 1e-6 : off < 1e-15);
	}
	help_run_close(&r);
}

/* The mask goes by the column: positions need be neither whole nor in order. */
TEST(the_column_decides)
{
	static const double places[] = {3.5, 0, 1, 4};
	struct help_run r;
	help_run_must_open(&r, "window(width=2,pos=word)", 4, 0, NULL);
	r.in.word = places;
	const struct trace *trace = help_again(&r, "window(width=2,pos=word)", NULL);
	static const char *const want[] = {"x..x", ".xx.", ".xx.", "x..x"};
	for (size_t i = 0; i < 16; i++)
		assert_true(trace->layers[0].heads[0].mask[i] == (want[i / 4][i % 4] == 'x'));
	help_run_close(&r);
}

/* ---- projections of global tokens ---- */

static void with_qkv(struct help_run *r)
{
	r->want.kinds |= WANT_QKV | WANT_CONTEXT | WANT_INPUT;
}

static void product(struct mat out, struct mat x, struct mat w)
{
	mat_mul(out, 1, x, false, w, false, 0);
}

/* Rows of global tokens have q, k, v from their own weights; all other rows the ordinary ones. */
TEST(global_rows_have_projections_of_their_own)
{
	static const char text[] = "window(width=2,global=[1,4],projections=on)";
	struct help_run r;
	help_run_must_open(&r, text, 6, 0, with_qkv);
	assert_false(r.trace.bias_is_mask);
	const struct trace *plain = help_again(&r, "window(width=2,global=[1,4])", NULL);
	static const char *const bases[] = {"w_qg", "w_kg", "w_vg"};
	struct mat own[3];
	for (size_t i = 0; i < 3; i++) {
		own[i] = mat_new(&r.arena, 6, 32);
		product(own[i], r.in.units,
			model_find_leaf(&r.model, &r.members[0], bases[i], 0)->at);
	}
	for (size_t h = 0; h < 4; h++) {
		const struct trace_head *head = &r.trace.layers[0].heads[h];
		const struct trace_head *other = &plain->layers[0].heads[h];
		for (size_t t = 0; t < 6; t++) {
			const bool global = t == 0 || t == 3;
			for (size_t s = 0; s < 6; s++) {
				double want = mat_row(other->logits, t)[s];
				for (size_t j = 0; global && j < 8; j++)
					want = (j ? want : 0) +
					       mat_row(own[0], t)[8 * h + j] *
						       mat_row(own[1], s)[8 * h + j] / sqrt(8);
				assert_true(fabs(mat_row(head->logits, t)[s] - want) < 1e-12);
			}
			for (size_t j = 0; j < 8; j++) {
				double want = 0;
				for (size_t s = 0; s < 6; s++)
					want += mat_row(head->weights, t)[s] *
						(global ? mat_row(own[2], s)[8 * h + j]
							: mat_row(head->v, s)[j]);
				assert_true(fabs(mat_row(head->context, t)[j] - want) < 1e-12);
			}
		}
	}
	help_run_close(&r);
}

TEST(global_tokens_that_are_not_there_change_nothing)
{
	struct help_run r;
	help_run_must_open(&r, "window(width=2,global=[9],projections=on)", 6, 0, NULL);
	const struct trace *plain = help_again(&r, "window(width=2)", NULL);
	assert_true(help_output_apart(&r.trace, plain, 1) < 1e-12);
	help_run_close(&r);
}

TEST(odd_parameters_are_refused)
{
	static const char *const bad[] = {"window(width=3)", "window(projections=on)",
					  "window(width=6,keys=4)"};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct help_run r;
		assert_false(help_run_open(&r, bad[i], 4, 0, NULL));
		assert_non_null(strstr(r.err.text, "window: "));
		help_run_close(&r);
	}
}
