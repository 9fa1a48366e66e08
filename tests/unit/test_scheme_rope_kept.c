/* test_scheme_rope_kept.c: rope of which the fast pairs alone rotate, or in whole wavelengths: numbers
 * of the codes, worked frequencies, limits in which rope and none are left. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"
#include "scheme/rope_scaling.h"

TEST(numbers_of_the_codes_are_matched)
{
	static const struct help_case cases[] = {
		{.file = "newer/prope-a.safetensors",
		 .expression = "prope(base=1e6,partial=0.25)+causal",
		 .masked_logits = true},
		{.file = "newer/prope-a.safetensors",
		 .expression = "rope(layout=half,base=1e6,partial=0.25,exponent=head)+causal",
		 .masked_logits = true},
		{.file = "newer/hope-a.safetensors",
		 .expression = "hope(cut=256)+causal",
		 .masked_logits = true},
		{.file = "newer/resonance-a.safetensors",
		 .expression = "resonance(layout=half)+causal",
		 .masked_logits = true},
		{.file = "newer/resonance-a.safetensors",
		 .expression = "rope(layout=half,round=on)+causal",
		 .masked_logits = true},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct help_result r;
		help_case_open(&r, &cases[i]);
		/* q, k, logits, weights and context of every head */
		assert_int_equal(help_case_compare(&r, &cases[i]), 5 * r.model.config.heads);
		help_case_close(&r);
	}
}

TEST(worked_frequencies_are_these)
{
	static const struct rope_scaling none;
	struct rope_wheel w = {.scaling = &none, .base = 1e6, .pairs = 256, .rotating = 64};
	assert_true(fabs(scaling_frequency(&w, 1) - .947463526) < 5e-10);
	assert_true(fabs(scaling_frequency(&w, 63) - .033376247) < 5e-10);
	assert_true(scaling_frequency(&w, 64) == 0 && scaling_frequency(&w, 255) == 0);
	/* Wavelengths 6.28, 19.9, 62.8 and 199; the next is 628. */
	w = (struct rope_wheel){
		.scaling = &none, .base = 1e4, .pairs = 8, .rotating = 8, .cut = 256};
	for (size_t i = 0; i < 8; i++)
		assert_true((scaling_frequency(&w, i) > 0) == (i < 4));
	static const double whole[] = {6, 63, 628, 6283};
	static const double rates[] = {1.047197551, .0997331, .010005072, .001000029};
	w = (struct rope_wheel){
		.scaling = &none, .base = 1e4, .pairs = 4, .rotating = 4, .round = true};
	for (size_t i = 0; i < 4; i++) {
		assert_true(fabs(scaling_frequency(&w, i) - rates[i]) < 1e-8);
		assert_true(fabs(2 * M_PI / scaling_frequency(&w, i) - whole[i]) < 1e-9);
	}
	/* YaRN's frequencies first, then whole wavelengths. */
	const struct rope_scaling yarn = {.named = SCALING_PI, .factor = {4}};
	w.scaling = &yarn;
	assert_true(fabs(2 * M_PI / scaling_frequency(&w, 0) - 25) < 1e-9);
}

TEST(limits_are_rope_and_none)
{
	static const char *const rows[][2] = {
		{"rope(layout=half)", "prope(partial=1)"},
		{"none", "prope(partial=0)"},
		{"none", "hope(cut=6)"},
		{"rope(layout=half)", "hope(cut=0)"},
		{"rope(layout=half)", "hope(cut=1e9)"},
		{"rope", "resonance(round=off)"},
		{"prope(partial=0.5)", "hope(cut=63)"},
		{"rope_yarn(round=on,factor=4)", "rope(scaling=yarn,round=on,factor=4)"},
		{"rope(layout=half)+rerope", "prope(partial=1)+rerope"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct help_run r;
		print_message("%s\n", rows[i][1]);
		help_run_must_open(&r, rows[i][0], 9, 0, NULL);
		help_traces_equal(&r.trace, help_again(&r, rows[i][1], NULL));
		help_run_close(&r);
	}
}

/* Rates of a head of 8, in steps of 6, 63, 628 and 6283: after 6 positions pair 0 is as before. */
TEST(whole_wavelengths_come_back_exactly)
{
	struct help_run r;
	help_run_must_open(&r, "resonance(base=1)", 14, 1, help_with_qkv);
	const struct trace_head *const head = help_head_of(&r.trace, 0);
	for (size_t t = 0; t + 6 < 14; t++)
		for (size_t j = 0; j < head->q.cols; j++)
			assert_true(fabs(mat_row(head->q, t)[j] - mat_row(head->q, t + 6)[j]) <
				    1e-12);
	help_run_close(&r);
}

TEST(what_does_not_rotate_is_never_new)
{
	static const struct {
		const char *text;
		size_t t_max;
		double reach;
	} rows[] = {
		{"hope(cut=199)", 199, INFINITY},	  {"hope(cut=199)", 64, 63},
		{"prope(partial=0.25)", 20, INFINITY},	  {"prope(partial=0.25)", 10, 9},
		{"prope(partial=0.25,factor=4)", 10, 39}, {"rope(cut=6)", 2, INFINITY},
	};
	struct arena a;
	arena_init(&a);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct expr e;
		const struct model_config config = {
			.d = 32, .heads = 2, .layers = 1, .t_max = rows[i].t_max};
		assert_true(expr_parse(&e, rows[i].text, &a, NULL));
		const double got = expr_reach(&e, &config, 0, &a);
		if (!(got == rows[i].reach))
			fail_msg("%s: %g", rows[i].text, got);
	}
	arena_release(&a);
}

TEST(a_grid_has_no_such_pairs)
{
	static const char *const rows[] = {"rope(grid=2,cut=9)", "rope(grid=2,round=on)",
					   "rope(grid=2,exponent=head)"};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		assert_false(help_run_open(&r, rows[i], 5, 0, NULL));
		assert_non_null(strstr(r.err.text, "grid=0 would be right"));
		help_run_close(&r);
	}
}
