/* test_scheme_rope_scaling.c: rotary positions slowed down for longer contexts: frequencies of the
 * definitions, what each scaling is a limit of, six codes, and how far each stays among known
 * angles. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"
#include "help_tensors.h"

/* ---- frequencies --------------------------------------------------------------------------------- */

enum { PAIRS_MAX = 128 };

struct wheel {
	size_t pairs;
	double theta[PAIRS_MAX], attention[PAIRS_MAX];
};

static size_t wanted_d, wanted_t_max;
static const double *wanted_position; /* NULL: as they stand */

static void one_head(struct help_run *r)
{
	r->config.d = wanted_d;
	r->config.heads = r->config.layers = 1;
	r->config.ff = 4;
	r->config.t_max = wanted_t_max;
	r->want.kinds = WANT_QKV;
}

/* What (1, 0) of every pair has become at position 1. */
static struct wheel frequencies(const char *expression, size_t d, size_t n, size_t t_max)
{
	struct help_run r;
	wanted_d = d;
	wanted_t_max = t_max;
	help_run_must_open(&r, "none", n, 0, one_head);
	mat_fill(r.in.units, 0);
	mat_fill(mat_cols(r.in.units, 0, 1), 1);
	r.in.position = wanted_position;
	struct tensor_set set;
	tensor_set_init(&set, &r.arena);
	const struct mat w = mat_zero(&r.arena, d, d);
	for (size_t i = 0; i < d; i += 2)
		mat_row(w, 0)[i] = 1;
	tensor_set_add(&set, "w_q", w, false);
	tensor_set_add(&set, "w_k", w, false);
	const struct given given = {.weights = &set};
	const struct trace_head *head = help_again(&r, expression, &given)->layers[0].heads;
	struct wheel out = {.pairs = d / 2};
	assert_true(d / 2 <= PAIRS_MAX);
	for (size_t i = 0; i < d / 2; i++) {
		const double *q = &mat_row(head->q, 1)[2 * i];
		out.theta[i] = atan2(q[1], q[0]);
		out.attention[i] = hypot(q[1], q[0]);
		assert_true(fabs(mat_row(head->k, 1)[2 * i] - q[0]) < 1e-15);
	}
	help_run_close(&r);
	return out;
}

static void is_near(double got, double want, double relative)
{
	if (!(fabs(got - want) <= relative * fabs(want)))
		fail_msg("%.12g, not %.12g", got, want);
}

static double plain(double base, size_t i, size_t d)
{
	return pow(base, -2 * (double)i / (double)d);
}

TEST(interpolation_divides_every_frequency)
{
	const struct wheel w = frequencies("rope_pi(factor=4)", 128, 2, 512);
	for (size_t i = 0; i < 64; i++)
		is_near(w.theta[i], plain(1e4, i, 128) / 4, 1e-12);
}

/* D = 128: bases 20221.2617 for f = 2 and 40889.9424 for 4. */
TEST(ntk_has_the_bases_of_the_definition)
{
	static const struct {
		const char *expression;
		double base, f;
	} rows[] = {{"rope_ntk(factor=2)", 20221.2617, 2}, {"rope_ntk(factor=4)", 40889.9424, 4}};
	for (size_t k = 0; k < 2; k++) {
		const struct wheel w = frequencies(rows[k].expression, 128, 2, 512);
		for (size_t i = 0; i < 64; i++)
			is_near(w.theta[i], plain(rows[k].base, i, 128), 1e-8);
		is_near(w.theta[0], 1, 1e-15);
		is_near(w.theta[63], plain(1e4, 63, 128) / rows[k].f, 1e-13);
	}
}

/* D = 128, f = 2, n = 2 L: base 30527.7367. */
TEST(the_dynamic_base_grows_with_the_input)
{
	const struct wheel at_L = frequencies("rope_dyn(factor=2,original=4)", 128, 4, 512);
	const struct wheel far = frequencies("rope_dyn(factor=2,original=4)", 128, 8, 512);
	const struct wheel of_t_max = frequencies("rope_dyn(factor=2)", 128, 8, 4);
	for (size_t i = 0; i < 64; i++) {
		is_near(at_L.theta[i], plain(1e4, i, 128), 1e-12);
		is_near(far.theta[i], plain(30527.7367, i, 128), 1e-8);
		is_near(of_t_max.theta[i], far.theta[i], 1e-15);
	}
	/* f = 1 is no exception: (n/L)^(128/126) */
	const struct wheel by_1 = frequencies("rope_dyn(factor=1,original=4)", 128, 8, 512);
	for (size_t i = 0; i < 64; i++)
		is_near(by_1.theta[i], plain(1e4 * pow(2, 128.0 / 126), i, 128), 1e-12);
}

static void are_same(const struct wheel *a, const struct wheel *b)
{
	for (size_t i = 0; i < a->pairs; i++)
		is_near(a->theta[i], b->theta[i], 1e-15);
}

/* seq_len = max(position_ids) + 1 in the code: few tokens far out are a long input, and many that are
 * packed a short one. Negative ones are no length. */
TEST(the_length_of_position_ids_is_the_greatest_and_one)
{
	static const char *const expressions[] = {"rope_dyn(original=4)", "rope_long(original=4)"};
	static const double far[] = {0, 1, 7}, packed[] = {0, 1, 2, 0, 1, 2, 0, 1},
			    below[] = {-9, 1, 0, -1, -2, -3, -4, -5};
	for (size_t k = 0; k < 2; k++) {
		const struct wheel long_one = frequencies(expressions[k], 16, 8, 512);
		const struct wheel short_one = frequencies(expressions[k], 16, 3, 512);
		assert_true(fabs(long_one.theta[7] - short_one.theta[7]) > 1e-6);
		wanted_position = far;
		const struct wheel of_far = frequencies(expressions[k], 16, 3, 512);
		wanted_position = packed;
		const struct wheel of_packed = frequencies(expressions[k], 16, 8, 512);
		wanted_position = below;
		const struct wheel of_below = frequencies(expressions[k], 16, 8, 512);
		wanted_position = NULL;
		are_same(&of_far, &long_one);
		are_same(&of_packed, &short_one);
		are_same(&of_below, &short_one);
	}
}

TEST(yarn_has_the_frequencies_of_the_definition)
{
	const struct wheel w = frequencies("rope_yarn(factor=16,original=4096)", 128, 2, 512);
	for (size_t i = 0; i <= 20; i++)
		is_near(w.theta[i], plain(1e4, i, 128), 1e-12);
	is_near(w.theta[20], .0562341325, 1e-8);
	is_near(w.theta[30], .00852684377, 1e-8);
	is_near(w.theta[45], 1.51771605e-4, 1e-8);
	is_near(w.theta[63], 7.21738740e-6, 1e-8);
	for (size_t i = 46; i < 64; i++)
		is_near(w.theta[i], plain(1e4, i, 128) / 16, 1e-12);
	for (size_t i = 0; i < 64; i++)
		is_near(w.attention[i], 1.27725887, 1e-8);
	static const double narrow[] = {1, .0625, .0025, .00025};
	const struct wheel small = frequencies("rope_yarn(factor=4)", 8, 2, 64);
	for (size_t i = 0; i < 4; i++) {
		is_near(small.theta[i], narrow[i], 1e-12);
		is_near(small.attention[i], 1.13862944, 1e-8);
	}
}

/* D = 8, L = 64: the ramp goes from pair max(-.497, 0) to pair 1.0080 when it is not truncated, and
 * pair 1 has 1/1.0080 of it. */
TEST(the_ramp_of_yarn_may_end_between_pairs)
{
	const struct wheel w = frequencies("rope_yarn(factor=4,truncate=off)", 8, 2, 64);
	const double high = 8 * log(64 / (2 * acos(-1))) / (2 * log(1e4));
	assert_true(high > 1 && high < 1.01);
	is_near(w.theta[0], 1, 1e-15);
	is_near(w.theta[1], .1 * (1 - 1 / high) + .025 / high, 1e-12);
	is_near(w.theta[2], .0025, 1e-12);
}

/* All pairs turn often in L, or none: all are kept, or all but the fastest are slowed. */
TEST(the_ramp_of_yarn_may_lie_outside)
{
	const struct wheel fast = frequencies("rope_yarn(base=2,original=100000)", 8, 2, 64);
	const struct wheel even = frequencies("rope_yarn(base=1,original=1000)", 8, 2, 64);
	const struct wheel slow = frequencies("rope_yarn(base=10,original=2)", 8, 2, 64);
	for (size_t i = 0; i < 4; i++) {
		is_near(fast.theta[i], plain(2, i, 8), 1e-12);
		is_near(even.theta[i], 1, 1e-12);
		is_near(slow.theta[i], plain(10, i, 8) / (i > 0 ? 4 : 1), 1e-12);
	}
}

TEST(llama3_has_the_frequencies_of_the_definition)
{
	const struct wheel w = frequencies("rope_llama3(base=500000,original=8192)", 128, 2, 512);
	for (size_t i = 0; i < 64; i++) {
		if (i <= 28)
			is_near(w.theta[i], plain(5e5, i, 128), 1e-12);
		if (i >= 35)
			is_near(w.theta[i], plain(5e5, i, 128) / 8, 1e-12);
		is_near(w.attention[i], 1, 1e-12);
	}
	is_near(plain(5e5, 29, 128), .00261609925, 1e-8);
	is_near(w.theta[29], .00216657076, 1e-8);
	is_near(w.theta[30], .00137189357, 1e-8);
	is_near(w.theta[32], 5.24846161e-4, 1e-8);
	is_near(w.theta[34], 1.78507813e-4, 1e-8);
}

TEST(long_divides_by_its_lists)
{
	static const char *const text =
		"rope_long(original=4,short_factor=[1,2,3,4],long_factor=[5,6,7,8])";
	const struct wheel within = frequencies(text, 8, 4, 512);
	const struct wheel beyond = frequencies(text, 8, 5, 512);
	for (size_t i = 0; i < 4; i++) {
		is_near(within.theta[i], plain(1e4, i, 8) / (double)(i + 1), 1e-12);
		is_near(beyond.theta[i], plain(1e4, i, 8) / (double)(i + 5), 1e-12);
		is_near(within.attention[i], sqrt(2), 1e-12); /* 1 + ln 4 / ln 4 */
	}
	const struct wheel ours = frequencies("rope_long(original=4)", 8, 5, 512);
	for (size_t i = 0; i < 4; i++)
		is_near(ours.theta[i], plain(1e4, i, 8) / (double)(i + 1), 1e-12);
}

static void same_frequencies(const char *a, const char *b, size_t n)
{
	const struct wheel x = frequencies(a, 16, n, 512), y = frequencies(b, 16, n, 512);
	for (size_t i = 0; i < 8; i++) {
		is_near(x.theta[i], y.theta[i], 1e-14);
		is_near(x.attention[i], y.attention[i], 1e-14);
	}
}

/* The code's L is f times the length trained on; its long factors do not wait for a long input. */
TEST(both_readings_are_there)
{
	same_frequencies("rope_yarn(factor=4,original=16,reading=code)",
			 "rope_yarn(factor=4,original=64)", 3);
	/* A configuration of max_position_embeddings 128 and factor 2.5: L is 128, not 320. */
	same_frequencies("rope_yarn(factor=2.5,original=51.2,reading=code)",
			 "rope_yarn(factor=2.5,original=128)", 3);
	same_frequencies("rope_long(factor=4,original=16,reading=code)",
			 "rope_long(factor=4,original=2,attention_factor=1.1547005383792515)", 3);
	const struct wheel within = frequencies("rope_long(factor=4,original=16)", 16, 3, 512);
	for (size_t i = 0; i < 8; i++) {
		is_near(within.theta[i], plain(1e4, i, 16), 1e-12);
		is_near(within.attention[i], sqrt(1.5), 1e-12); /* 1 + ln 4 / ln 16 */
	}
}

/* A head of 256 columns, as some models have, has 128 pairs and a factor for each. */
TEST(every_pair_has_a_factor_of_its_own)
{
	struct arena a;
	arena_init(&a);
	const char *text = "rope_long(original=1000,short_factor=[1";
	for (size_t i = 1; i < 128; i++)
		text = arena_printf(&a, "%s,%g", text, 1 + (double)i / 8);
	const struct wheel w = frequencies(arena_printf(&a, "%s])", text), 256, 2, 512);
	for (size_t i = 0; i < 128; i++)
		is_near(w.theta[i], plain(1e4, i, 256) / (1 + (double)i / 8), 1e-12);
	arena_release(&a);
}

TEST(an_attention_factor_replaces_the_rule)
{
	static const char *const rows[] = {"rope_yarn(attention_factor=1.5)",
					   "rope_long(attention_factor=1.5)"};
	for (size_t k = 0; k < 2; k++) {
		const struct wheel w = frequencies(rows[k], 16, 2, 512);
		for (size_t i = 0; i < 8; i++)
			is_near(w.attention[i], 1.5, 1e-12);
	}
}

/* μ = 0.1 ln 4 + 1 = 1.13862944, so logits are 1.29647699 times what they were: 0.29647699 of them is the
 * temperature, wherever the query and the key stand. */
TEST(the_temperature_is_a_term_of_its_own)
{
	static const char *const rows[][2] = {
		{"rope_yarn(factor=4)", "rope_yarn(factor=4,attention_factor=1)"},
		{"sinusoidal+rope_yarn(factor=4)",
		 "sinusoidal+rope_yarn(factor=4,attention_factor=1)"}};
	for (size_t k = 0; k < 2; k++) {
		struct help_run r;
		help_run_must_open(&r, "none", 6, 0, NULL);
		r.want.kinds |= WANT_TERMS;
		const struct trace *warm = help_again(&r, rows[k][0], NULL);
		const struct trace *cold = help_again(&r, rows[k][1], NULL);
		for (size_t h = 0; h < r.config.heads; h++) {
			const struct trace_head *w = &warm->layers[0].heads[h];
			const struct trace_head *c = &cold->layers[0].heads[h];
			const struct trace_term *last = &w->terms[w->n_terms - 1];
			assert_string_equal(last->label, "temperature");
			assert_int_equal(w->n_terms, c->n_terms + 1);
			for (size_t i = 0; i < c->n_terms; i++)
				assert_true(mat_max_abs_diff(w->terms[i].at, c->terms[i].at) <
					    1e-12);
			for (size_t i = 0; i < 36; i++)
				is_near(mat_row(last->at, i / 6)[i % 6],
					0.29647699278 * mat_row(c->logits, i / 6)[i % 6], 1e-9);
		}
		if (!strstr(warm->note, "multiplied by 1.296 at any distance"))
			fail_msg("%s", warm->note);
		assert_null(cold->note);
		help_run_close(&r);
		help_terms_sum(rows[k][0], NULL);
	}
}

/* The same functions at width 128, from the code. */
TEST(frequencies_of_the_code_are_matched)
{
	static const struct {
		const char *file, *expression;
		size_t n;
	} rows[] = {
		{"rope_pi", "rope_pi(factor=4)", 2},
		{"rope_dyn", "rope_dyn(factor=4,original=4)", 8},
		{"rope_yarn", "rope_yarn(factor=16,original=4096)", 2},
		{"rope_llama3", "rope_llama3(factor=8,original=8192)", 2},
	};
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		struct arena a;
		arena_init(&a);
		struct tensor_set set;
		tensor_set_init(&set, &a);
		struct err err = {""};
		if (!help_tensors(
			    &set,
			    arena_printf(&a, "%s/seq/%s-a.safetensors", test_data, rows[k].file),
			    &err))
			fail_msg("%s", err.text);
		const struct mat want = tensor_mat(tensor_find(&set, "inv_freq_128"));
		const struct mat m = tensor_mat(tensor_find(&set, "attention_factor_128"));
		const struct wheel w = frequencies(rows[k].expression, 128, rows[k].n, 512);
		for (size_t i = 0; i < 64; i++) {
			is_near(w.theta[i], want.at[i], 1e-12);
			is_near(w.attention[i], m.at[0], 1e-12);
		}
		arena_release(&a);
	}
}

/* ---- limits and invariants ----------------------------------------------------------------------- */

static const char *const scalings[] = {"pi", "ntk", "dynamic", "yarn", "llama3", "long"};
static const char *const rows_of[] = {"rope_pi",   "rope_ntk",	  "rope_dyn",
				      "rope_yarn", "rope_llama3", "rope_long"};
static const char *const given_L[] = {"",	    "", ",original=4", ",original=4", ",original=4",
				      ",original=4"};

enum { SCALINGS = sizeof scalings / sizeof scalings[0] };

/* Beyond L the dynamic base is B (n/L)^(D/(D-2)) even then. */
TEST(factor_1_is_rope)
{
	for (size_t i = 0; i < SCALINGS; i++) {
		struct help_run r;
		help_run_must_open(&r, "rope(layout=half)", 9, 0, NULL);
		const bool grows = strcmp(scalings[i], "dynamic") == 0;
		const char *const texts[] = {
			arena_printf(&r.arena, "%s(layout=half,factor=1)", rows_of[i]),
			arena_printf(&r.arena, "rope(layout=half,scaling=%s,factor=1)",
				     scalings[i]),
			arena_printf(&r.arena, "%s(layout=half,factor=1%s)", rows_of[i],
				     grows ? ",original=9" : given_L[i])};
		for (size_t k = 0; k < 3; k++)
			help_traces_equal(&r.trace, help_again(&r, texts[k], NULL));
		const char *by_4 = arena_printf(&r.arena, "%s(layout=half,factor=4%s)", rows_of[i],
						given_L[i]);
		assert_true(help_logits_apart(&r.trace, help_again(&r, by_4, NULL), 0, 4) > 1e-3);
		help_run_close(&r);
	}
}

TEST(the_rows_are_rope_with_that_scaling)
{
	for (size_t i = 0; i < SCALINGS; i++) {
		struct help_run r;
		help_run_must_open(&r, "rope", 9, 0, NULL);
		const char *row = arena_printf(&r.arena, "%s(base=500,partial=0.75,factor=3%s)",
					       rows_of[i], given_L[i]);
		const char *rope =
			arena_printf(&r.arena, "rope(base=500,partial=0.75,scaling=%s,factor=3%s)",
				     scalings[i], given_L[i]);
		help_traces_equal(help_again(&r, row, NULL), help_again(&r, rope, NULL));
		help_run_close(&r);
	}
}

TEST(interpolation_is_rope_at_positions_divided)
{
	struct help_run r;
	help_run_must_open(&r, "rope_pi(factor=8)", 9, 0, NULL);
	double place[9];
	for (size_t t = 0; t < 9; t++)
		place[t] = (double)t / 8;
	r.in.word = place;
	help_traces_equal(&r.trace, help_again(&r, "rope(pos=word)", NULL));
	help_run_close(&r);
}

TEST(dynamic_is_rope_up_to_L)
{
	struct help_run r;
	help_run_must_open(&r, "rope", 9, 0, NULL);
	help_traces_equal(&r.trace, help_again(&r, "rope_dyn", NULL));
	help_traces_equal(&r.trace, help_again(&r, "rope_dyn(original=9)", NULL));
	const struct trace *longer = help_again(&r, "rope_dyn(original=8)", NULL);
	assert_true(help_logits_apart(&r.trace, longer, 0, 4) > 1e-3);
	help_run_close(&r);
}

/* No pair lies between two ends that are one: all that turn less often are interpolated. */
TEST(a_ramp_without_length_is_a_step)
{
	const struct wheel w =
		frequencies("rope_yarn(factor=4,truncate=off,beta_fast=2,beta_slow=2)", 8, 2, 64);
	for (int i = 0; i < 4; i++)
		is_near(w.theta[i], pow(10000, -i / 4.0) / (i > 0 ? 4 : 1), 1e-15);
}

/* One pair is the fastest: it has nothing slower beside it. */
TEST(a_lone_pair_is_not_slowed_by_the_base)
{
	static const char *const texts[] = {"rope_ntk", "rope_dyn(original=2)",
					    "rope_long(original=2,attention_factor=1)"};
	for (size_t k = 0; k < 3; k++)
		is_near(frequencies(texts[k], 2, 3, 512).theta[0], 1, 1e-15);
}

TEST(all_depend_on_distance_alone)
{
	for (size_t i = 0; i < SCALINGS; i++) {
		char text[64];
		snprintf(text, sizeof text, "rope(scaling=%s%s)", scalings[i], given_L[i]);
		help_is_relative(text, "seq");
		help_is_relative(rows_of[i], "seq");
	}
}

/* The attention factor is for logits; turned values keep their lengths. */
TEST(values_are_turned_without_the_attention_factor)
{
	struct help_run r;
	help_run_must_open(&r, "rope_yarn(rotary_value=on)", 9, 0, help_with_qkv);
	const struct mat plain_v = help_again(&r, "none", NULL)->layers[0].heads[1].v;
	const struct trace_head *head = &r.trace.layers[0].heads[1];
	assert_true(mat_max_abs_diff(head->v, plain_v) > 0.1);
	for (size_t t = 0; t < 9; t++) {
		const double before = mat_norm(mat_rows(plain_v, t, 1));
		is_near(mat_norm(mat_rows(head->v, t, 1)), before, 1e-12);
		is_near(mat_norm(mat_rows(head->q, t, 1)),
			1.13862943611198907 * mat_norm(mat_rows(head->q_raw, t, 1)), 1e-12);
	}
	help_run_close(&r);
}

/* ---- the codes ----------------------------------------------------------------------------------- */

TEST(reference_numbers_are_matched)
{
	static const struct help_case cases[] = {
		{.file = "seq/rope_pi-a.safetensors",
		 .expression = "rope_pi(layout=half,factor=4)+causal"},
		{.file = "seq/rope_ntk-a.safetensors",
		 .expression = "rope_ntk(factor=2)+causal",
		 .masked_logits = true},
		{.file = "seq/rope_dyn-a.safetensors",
		 .expression = "rope_dyn(layout=half,factor=4,original=4)+causal"},
		{.file = "seq/rope_yarn-a.safetensors",
		 .expression = "rope_yarn(layout=half,factor=4,original=64)+causal"},
		{.file = "seq/rope_yarn-a.safetensors",
		 .expression = "rope(layout=half,scaling=yarn,factor=4,reading=code,original=16)"
			       "+causal"},
		{.file = "seq/rope_llama3-a.safetensors",
		 .expression = "rope_llama3(layout=half,original=64)+causal"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct help_result r;
		help_case_open(&r, &cases[i]);
		assert_int_equal(help_case_compare(&r, &cases[i]), 5 * r.model.config.heads);
		help_case_close(&r);
	}
}

static const char *print_list(struct arena *a, const struct tensor_set *set, const char *name)
{
	const struct mat m = tensor_mat(tensor_find(set, name));
	const char *text = "";
	for (size_t i = 0; i < 8; i++)
		text = arena_printf(a, "%s%s%.17g", text, i ? "," : "", m.at[i]);
	return text;
}

/* The lists are in the file, and n = 7 is within L = 64: the code's reading. */
TEST(the_searched_factors_of_the_code_are_matched)
{
	struct help_case c = {.file = "seq/rope_long-a.safetensors", .expression = "rope"};
	struct help_result r;
	help_case_open(&r, &c);
	const char *lists = arena_printf(&r.arena, "short_factor=[%s],long_factor=[%s]",
					 print_list(&r.arena, &r.set, "param.short_factor"),
					 print_list(&r.arena, &r.set, "param.long_factor"));
	const char *const texts[] = {
		arena_printf(&r.arena,
			     "rope_long(layout=half,factor=4,original=16,reading=code,%s)+causal",
			     lists),
		arena_printf(&r.arena,
			     "rope(scaling=long,layout=half,original=6,"
			     "attention_factor=1.1547005383792517,%s)+causal",
			     lists)};
	for (size_t k = 0; k < 2; k++) {
		struct help_result again;
		c.expression = texts[k];
		help_case_open(&again, &c);
		assert_int_equal(help_case_compare(&again, &c), 5 * again.model.config.heads);
		help_case_close(&again);
	}
	help_case_close(&r);
}

/* ---- reach --------------------------------------------------------------------------------------- */

static double reach(const char *text, size_t d, size_t heads, size_t t_max)
{
	struct arena a;
	arena_init(&a);
	struct expr e;
	struct err err = {""};
	if (!expr_parse(&e, text, &a, &err))
		fail_msg("%s", err.text);
	const struct model_config config = {.d = d, .heads = heads, .layers = 1, .t_max = t_max};
	const struct expr_member *m = expr_main(&e);
	assert_non_null(m->scheme->reach);
	const double out = m->scheme->reach(m->param, &config);
	arena_release(&a);
	return out;
}

/* L positions of a pair show the angles below L·θ, all of them from 2π on. D = 8 has θ = 1, .1, .01, .001: of 512
 * positions the third pair showed those below 5.12, less than once round, the fourth below .512. A pair that is slowed
 * down r times comes to L·θ at the distance r·L, and the greatest one within is r·L − 1, or floor(r·L). dynamic with a
 * text of m + 1 places has s = f (m+1)/L − (f−1) and r = s^(i/(P−1)), i from 0. */
TEST(reach_is_where_a_pair_leaves_its_angles)
{
	static const struct {
		const char *expression;
		size_t t_max;
		double reach;
	} rows[] = {
		{"rope", 512, 511},
		{"rope", 1000, 999},
		{"rope(partial=0.5)", 512, 511}, /* 1, .01 */
		{"rope(partial=0.25)", 512, INFINITY},
		{"rope(partial=0)", 512, INFINITY},
		{"rope(base=100)", 512, INFINITY}, /* 512 · .0316 is more than 2π */
		{"rope", 629, 628},
		{"rope(partial=0.5)", 629, INFINITY}, /* 629 · .01 is more than 2π, 628 · .01 not */
		{"rope(base=100)", 100, 99},
		{"rope_pi", 512, 4 * 512 - 1},
		{"rope_pi(factor=1)", 512, 511},
		{"rope_pi(factor=2.5)", 512, 1279}, /* below 1280 */
		{"rope_ntk(factor=8)", 512,
		 4 * 512 - 1}, /* 8^(2/3) in the third, 8 in the fourth */
		{"rope_yarn", 512, 4 * 512 - 1},
		{"rope_llama3", 512, 8 * 512 - 1},
		{"rope_llama3(original=1024)", 512, 8 * 1024 - 1}, /* .01 · 1024 is more than 2π */
		{"rope_long", 512, 3 * 512 - 1},		   /* divisors 1, 2, 3, 4 */
		{"rope_long(long_factor=[1,1,9,5])", 512, 5 * 512 - 1},
		{"rope(scaling=long,reading=code)", 512, 3 * 512 - 1},
		{"rope_dyn(factor=1)", 512, 513}, /* m^3 < 512 (m+1)^2 */
		{"rope_dyn(factor=2)", 512,
		 1345}, /* m^3 < 512^3 s^2, s = (m-255)/256: 1090^2 2^11 > 1345^3 */
		{"rope_2d(grid=16)", 512, 31 * 16}, /* rows: 1, .01; 31 · .01 is less than 2π */
		{"rope_2d(grid=16,start=5)", 512, 31 * 16},
		{"rope_2d(grid=4,base=1)", 512, INFINITY},
		{"rope_2d(grid=512)", 512, 0}, /* training saw one row */
		{"rope_2d(grid=0)", 512, 511},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const double got = reach(rows[i].expression, 8, 1, rows[i].t_max);
		if (!(got == rows[i].reach))
			fail_msg("%s: %g, not %g", rows[i].expression, got, rows[i].reach);
	}
	/* m² < 101² s, s = 4 (m+1)/101 − 3, of the second pair: m² − 404 m + 30199 < 0 to m = 202 + √10605 = 304.98 */
	assert_true(reach("rope_dyn(factor=4)", 6, 1, 101) == 304);
	assert_true(reach("rope_dyn(factor=2)", 4, 1, 101) == INFINITY);
	assert_true(reach("rope", 64, 8, 512) == 511);
}

/* ---- refusals ------------------------------------------------------------------------------------ */

TEST(what_does_not_fit_is_refused)
{
	static const struct {
		const char *expression, *error;
	} rows[] = {
		{"rope(factor=8)", "factor does nothing with scaling=none; it is for any other"},
		{"rope(scaling=pi,original=64)", "it is for dynamic, yarn, llama3 or long"},
		{"rope(scaling=pi,beta_fast=8)", "beta_fast does nothing with scaling=pi"},
		{"rope(scaling=yarn,high_freq_factor=8)", "it is for llama3"},
		{"rope(scaling=llama3,reading=code)", "it is for yarn or long"},
		{"rope(scaling=yarn,long_factor=[1,2])", "it is for long"},
		{"rope(scaling=pi,grid=3)", "with grid=3 it must be none"},
		{"rope_yarn(beta_slow=64)", "beta_fast=32 rotations are fewer than beta_slow=64"},
		{"rope(scaling=llama3,low_freq_factor=5)", "must not be more than high_freq_factor=4"},
		{"rope_long(long_factor=[1,2,3])", "3 numbers, but 4 pairs rotate"},
		{"rope_long(long_factor=[1,2,3,4,5])", "5 numbers, but 4 pairs rotate"},
		{"rope_long(short_factor=[1])", "short_factor has 1 numbers"},
		{"rope_long(original=1)", "L is 1; set original"},
		{"rope_pi(original=8)", "rope_pi has no parameter \"original\""},
		{"rope_pi(factor=0.5)", "factor"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		assert_false(help_run_open(&r, rows[i].expression, 3, 0, NULL));
		if (!strstr(r.err.text, rows[i].error))
			fail_msg("%s: %s", rows[i].expression, r.err.text);
		help_run_close(&r);
	}
}

TEST(every_size_is_evaluated)
{
	for (size_t i = 0; i < SCALINGS; i++) {
		char text[64];
		snprintf(text, sizeof text, "rope(scaling=%s%s)", scalings[i], given_L[i]);
		help_sizes(text);
		help_sizes(rows_of[i]);
	}
}
