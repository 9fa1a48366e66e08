/* test_scheme_rotary.c: what became of rotation: xpos and fope by their definitions, and for selrope
 * and pope too (test_scheme_phases.c) the numbers of the codes and what all schemes must do. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

static void one_head_of_8(struct help_run *r)
{
	help_one_head_of_4(r);
	r->config.d = 8;
}

static void shifted(struct help_run *r, const char *expression, double by, double tolerance)
{
	r->in.shift_column = "seq";
	r->in.shift_by = by;
	const struct trace *moved = help_again(r, expression, NULL);
	assert_true(help_logits_apart(&r->trace, moved, 0, r->config.heads) < tolerance);
}

/* ---- xpos ---- */

static const double zeta_8[] = {.285714286, .464285714, .642857143, .821428571};

/* ζ of d_h = 8, off the lengths of turned pairs. */
TEST(pairs_decay_by_zeta)
{
	struct help_run r;
	help_run_must_open(&r, "xpos(scale_base=1)", 7, 0, one_head_of_8);
	const struct trace_head *head = help_head_of(&r.trace, 0);
	for (size_t t = 0; t < 7; t++)
		for (size_t i = 0; i < 4; i++) {
			const double e = (double)t - 4; /* floor(-7/2) = -4 */
			const double *raw = mat_row(head->q_raw, t) + 2 * i;
			const double *turned = mat_row(head->q, t) + 2 * i;
			const double by = sqrt(help_dot(turned, turned, 2) / help_dot(raw, raw, 2));
			assert_true(fabs(by / pow(zeta_8[i], e) - 1) < 1e-7);
			raw = mat_row(head->k_raw, t) + 2 * i;
			turned = mat_row(head->k, t) + 2 * i;
			const double back =
				sqrt(help_dot(turned, turned, 2) / help_dot(raw, raw, 2));
			assert_true(fabs(back * pow(zeta_8[i], e) - 1) < 1e-7);
		}
	help_run_close(&r);
}

/* d_h = 4: two steps weigh pair 0 by .995118349 and pair 1 by .998275579 of what rope has there. */
TEST(logits_are_those_of_the_definition)
{
	static const double decay[] = {.995118349, .998275579}, theta[] = {1, 0.01};
	struct help_run r;
	help_run_must_open(&r, "xpos", 6, 0, help_one_head_of_4);
	const struct trace_head *head = help_head_of(&r.trace, 0);
	for (size_t t = 2; t < 6; t++) {
		const size_t s = t - 2;
		double want = 0;
		for (size_t i = 0; i < 2; i++) {
			const double *q = mat_row(head->q_raw, t) + 2 * i;
			const double *k = mat_row(head->k_raw, s) + 2 * i;
			const double angle = 2 * theta[i]; /* of q before k */
			const double even = q[0] * k[0] + q[1] * k[1];
			const double odd = q[0] * k[1] - q[1] * k[0];
			want += decay[i] * (even * cos(angle) + odd * sin(angle)) / 2;
		}
		assert_true(fabs(help_entry(head->logits, t, s) - want) < 1e-7 * (1 + fabs(want)));
	}
	help_run_close(&r);
}

/* The same with positions divided by 4 where pairs turn; the decay is that of the positions. */
TEST(interpolation_divides_angles_alone)
{
	struct help_run r;
	help_run_must_open(&r, "xpos(interpolation=4)", 9, 0, help_one_head_of_4);
	const struct trace_head *head = help_head_of(&r.trace, 0);
	const double *q = mat_row(head->q_raw, 8), *k = mat_row(head->k_raw, 0);
	double want = 0;
	for (size_t i = 0; i < 2; i++) {
		const double angle = 8. / 4 * pow(10000, -(double)i / 2);
		const double zeta = (2 * (double)i + 1.6) / 5.6;
		const double even = q[2 * i] * k[2 * i] + q[2 * i + 1] * k[2 * i + 1];
		const double odd = q[2 * i] * k[2 * i + 1] - q[2 * i + 1] * k[2 * i];
		want += pow(zeta, 8. / 512) * (even * cos(angle) + odd * sin(angle)) / 2;
	}
	assert_true(fabs(help_entry(head->logits, 8, 0) - want) < 1e-12 * (1 + fabs(want)));
	help_run_close(&r);
	help_run_must_open(&r, "rope_pi(factor=4)+causal", 9, 0, NULL);
	help_traces_equal(&r.trace, help_again(&r, "xpos(gamma=1e300,interpolation=4)", NULL));
	help_run_close(&r);
}

TEST(a_huge_gamma_leaves_rope)
{
	struct help_run r;
	help_run_must_open(&r, "rope+causal", 9, 0, NULL);
	help_traces_equal(&r.trace, help_again(&r, "xpos(gamma=1e300)", NULL));
	assert_true(help_logits_apart(&r.trace, help_again(&r, "xpos", NULL), 0, 4) > 1e-3);
	help_run_close(&r);
	help_run_must_open(&r, "rope(base=500)", 9, 0, NULL);
	help_traces_equal(&r.trace, help_again(&r, "xpos(base=500,gamma=1e300,causal=off)", NULL));
	help_run_close(&r);
}

TEST(the_centre_shows_in_vectors_alone)
{
	for (size_t n = 8; n < 10; n++) {
		struct help_run r;
		help_run_must_open(&r, "xpos", n, 0, help_with_qkv);
		const struct trace *other = help_again(&r, "xpos(centre=x-transformers)", NULL);
		help_traces_equal(&r.trace, other);
		const double apart =
			mat_max_abs_diff(help_head_of(&r.trace, 1)->q, help_head_of(other, 1)->q);
		assert_true(n % 2 == 0 ? apart == 0 : apart > 1e-4);
		help_run_close(&r);
	}
}

TEST(causal_is_a_matter_of_the_parameter)
{
	struct help_run r;
	help_run_must_open(&r, "xpos", 5, 0, NULL);
	assert_true(expr_is_causal(&r.expr));
	assert_true(help_entry(help_head_of(&r.trace, 0)->weights, 1, 3) == 0);
	const struct trace *open = help_again(&r, "xpos(causal=off)", NULL);
	assert_true(help_entry(help_head_of(open, 0)->weights, 1, 3) > 0);
	assert_true(help_logits_apart(&r.trace, open, 0, 4) == 0);
	help_run_close(&r);
}

/* Towards the past the factor falls to nothing, in a plain product as in ours. */
TEST(far_distances_stay_exact)
{
	enum { LONG = 513 };
	struct help_run r;
	help_run_must_open(&r, "xpos(scale_base=2)", LONG, 1, one_head_of_8);
	const struct trace_head *head = help_head_of(&r.trace, 0);
	const double *q = mat_row(head->q_raw, 0), *k = mat_row(head->k_raw, 0);
	for (size_t s = 0; s < LONG; s += 64) {
		double want = 0;
		for (size_t i = 0; i < 4; i++) {
			const double m = (double)(LONG - 1 - s);
			const double angle = m * pow(10000, -2 * (double)i / 8);
			const double zeta = (2 * (double)i + 3.2) / 11.2;
			const double even = q[2 * i] * k[2 * i] + q[2 * i + 1] * k[2 * i + 1];
			const double odd = q[2 * i] * k[2 * i + 1] - q[2 * i + 1] * k[2 * i];
			want += pow(zeta, m / 2) * (even * cos(angle) + odd * sin(angle));
		}
		want /= sqrt(8);
		const double got = help_entry(head->logits, LONG - 1, s);
		assert_true(fabs(got - want) < 1e-10 * fabs(want) + 1e-300);
	}
	help_run_close(&r);
	assert_false(help_run_open(&r, "xpos(scale_base=1)", LONG, 0, NULL));
	assert_non_null(strstr(r.err.text, "scale_base of at least 2"));
	help_run_close(&r);
}

/* ---- fope ---- */

TEST(nothing_dropped_and_nothing_mixed_is_rope_backwards)
{
	static const char expression[] = "fope(length=1000000000,share=1,gain=0)";
	struct help_run r;
	help_run_must_open(&r, "rope(layout=half,pos=remaining)", 9, 0, NULL);
	help_traces_equal(&r.trace, help_again(&r, expression, NULL));
	const struct trace *onward = help_again(&r, "rope(layout=half)", NULL);
	assert_true(help_logits_apart(&r.trace, onward, 0, 4) > 1e-3);
	help_run_close(&r);
	help_is_relative(expression, "seq");
}

/* d_h = 8, B = 10000: rates 1, .1, .01, .001. L = 100 keeps those from .0628 on: 2 of them; half of 4
 * pairs turn. The others are (a + b, b - a). */
TEST(frequencies_below_are_dropped)
{
	static const struct {
		const char *expression;
		size_t turned;
	} rows[] = {
		{"fope(length=100,gain=0)", 2},		{"fope(length=100,gain=0,share=1)", 2},
		{"fope(length=10,gain=0)", 1},		{"fope(length=5,gain=0)", 0},
		{"fope(length=700,gain=0,share=1)", 3}, {"fope(length=700,gain=0,share=0)", 0},
	};
	struct help_run r;
	help_run_must_open(&r, "none", 9, 0, help_with_qkv);
	for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		const struct trace_head *head =
			help_head_of(help_again(&r, rows[k].expression, NULL), 2);
		for (size_t i = 0; i < 4; i++) {
			const double a = help_entry(head->q_raw, 5, i),
				     b = help_entry(head->q_raw, 5, i + 4);
			const double angle = 5 * pow(10000, -(double)i / 4);
			const bool turned = i < rows[k].turned;
			const double c = turned ? cos(angle) : 1, s = turned ? sin(angle) : 1;
			assert_true(fabs(help_entry(head->q, 5, i) - (a * c + b * s)) < 1e-12);
			assert_true(fabs(help_entry(head->q, 5, i + 4) - (b * c - a * s)) < 1e-12);
		}
	}
	help_run_close(&r);
}

/* 2π/512 = .0123, so of 1, .1, .01, .001 two are kept; 629 positions keep three. */
TEST(the_length_is_512_or_t_max)
{
	struct help_run r;
	help_run_must_open(&r, "fope", 9, 0, NULL);
	help_traces_equal(&r.trace, help_again(&r, "fope(length=600)", NULL));
	const struct trace *three = help_again(&r, "fope(length=629)", NULL);
	assert_true(help_logits_apart(&r.trace, three, 0, 4) > 1e-6);
	r.config.t_max = 629;
	help_traces_equal(three, help_again(&r, "fope(length=0)", NULL));
	help_run_close(&r);
}

/* Four frequencies (L huge), two pairs: pair m starts at frequency 2m. With the mix normalised, cos~
 * of position 0 is 1 and sin~ is 0: q' is q in the pairs that turn. */
TEST(a_mix_sums_to_1)
{
	static const char mixed[] = "fope(length=1000000000,gain=0.5)";
	struct help_run r;
	help_run_must_open(&r, mixed, 9, 0, help_with_qkv);
	const struct trace_head *head = help_head_of(&r.trace, 1);
	for (size_t i = 0; i < 2; i++) {
		assert_true(fabs(help_entry(head->q, 0, i) - help_entry(head->q_raw, 0, i)) <
			    1e-12);
		assert_true(fabs(help_entry(head->q, 0, i + 4) -
				 help_entry(head->q_raw, 0, i + 4)) < 1e-12);
	}
	const struct trace *bare =
		help_again(&r, "fope(length=1000000000,gain=0.5,normalise=off)", NULL);
	assert_true(fabs(help_entry(help_head_of(bare, 1)->q, 0, 0) -
			 help_entry(head->q_raw, 0, 0)) > 1e-3);
	const struct trace *step = help_again(&r, "fope(length=1000000000,gain=0)", NULL);
	for (size_t i = 0; i < 2; i++) {
		const double a = help_entry(head->q_raw, 3, i),
			     b = help_entry(head->q_raw, 3, i + 4);
		const double angle = 3 * pow(10000, -(double)(2 * i) / 4);
		assert_true(fabs(help_entry(help_head_of(step, 1)->q, 3, i) -
				 (a * cos(angle) + b * sin(angle))) < 1e-12);
	}
	help_run_close(&r);
}

/* cos~ and sin~ of pair i in 9 places, off what became of the queries. */
static void read_waves(const struct trace_head *head, size_t i, double c[9], double s[9])
{
	for (size_t t = 0; t < 9; t++) {
		const double a = help_entry(head->q_raw, t, i),
			     b = help_entry(head->q_raw, t, i + 4);
		const double x = help_entry(head->q, t, i), y = help_entry(head->q, t, i + 4);
		c[t] = (a * x + b * y) / (a * a + b * b);
		s[t] = (b * x - a * y) / (a * a + b * b);
	}
}

/* Two frequencies whose shares sum to 1: position 1 gives the shares, which foretell the others.
 * Every layer and head has its own. */
TEST(a_pair_turns_by_a_sum_of_waves)
{
	struct help_run r;
	help_run_must_open(&r, "fope(length=100,gain=0.5,share=1)", 9, 0, help_with_qkv);
	double shares[16], c[9], s[9];
	for (size_t k = 0; k < 16; k++) {
		const size_t pair = k % 2;
		read_waves(&r.trace.layers[k / 8].heads[k / 2 % 4], pair, c, s);
		const double c0 = (c[1] - cos(.1)) / (cos(1) - cos(.1));
		const double s0 = (s[1] - sin(.1)) / (sin(1) - sin(.1));
		assert_true(fabs(c0 - s0) > 1e-4 && fabs(c0 - (pair == 0)) > 1e-6);
		for (size_t t = 0; t < 9; t++) {
			const double p = (double)t;
			assert_true(fabs(c[t] - c0 * cos(p) - (1 - c0) * cos(.1 * p)) < 1e-10);
			assert_true(fabs(s[t] - s0 * sin(p) - (1 - s0) * sin(.1 * p)) < 1e-10);
		}
		shares[k] = c0;
		for (size_t other = 0; other < k; other++)
			assert_true(fabs(shares[other] - c0) > 1e-6);
	}
	help_run_close(&r);
}

TEST(a_mix_is_not_relative)
{
	struct help_run r;
	help_run_must_open(&r, "fope(length=1000000000)", 9, 0, NULL);
	assert_true(help_toeplitz_error(help_head_of(&r.trace, 0)->bias) > 1e-3);
	help_run_close(&r);
}

/* ---- all four ---- */

static void odd_heads(struct help_run *r)
{
	r->config.d = 12;
	r->config.heads = 4;
}

TEST(odd_heads_have_no_halves)
{
	struct help_run r;
	assert_false(help_run_open(&r, "selrope", 3, 0, odd_heads));
	assert_non_null(strstr(r.err.text, "3 columns"));
	help_run_close(&r);
	static const char *const others[] = {"xpos", "fope(length=1000)", "pope"};
	for (size_t i = 0; i < 3; i++) {
		help_run_must_open(&r, others[i], 3, 0, odd_heads);
		help_run_close(&r);
	}
}

TEST(counts_are_those_of_the_leaves)
{
	static const struct {
		const char *expression;
		size_t count; /* of a layer: d 32, h 4, d_h 8 */
	} rows[] = {
		{"xpos", 0},
		{"fope", 0},
		{"pope", 32},
		{"selrope", 32 * 16 + 16 * 16 + 4 * 16},
		{"selrope(rank=3,bias=on)", 32 * 3 + 3 * 16 + 4 * 16 + 16},
		{"selrope(proj=per-head,gate=on)", 4 * 8 * 4 + 4 + 4 * 16 + 32 * 4 + 4},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].expression, 3, 0, NULL);
		assert_int_equal(model_position_parameters(&r.model), 2 * rows[i].count);
		help_run_close(&r);
	}
}

TEST(reference_numbers_are_matched)
{
	static const struct help_case cases[] = {
		{.file = "seq/xpos-a.safetensors", .expression = "xpos"},
		{.file = "seq/xpos-xt-a.safetensors",
		 .expression = "xpos(centre=x-transformers)",
		 .masked_logits = true},
		{.file = "seq/pope-a.safetensors",
		 .expression = "pope+causal",
		 .masked_logits = true},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct help_result r;
		help_case_open(&r, &cases[i]);
		for (size_t k = 0; k < r.model.n_leaves; k++)
			assert_true(r.model.leaves[k].given);
		/* q, k, logits, weights, context of every head */
		assert_int_equal(help_case_compare(&r, &cases[i]), 5 * r.model.config.heads);
		help_case_close(&r);
	}
}

TEST(a_shift_changes_no_logit)
{
	static const char *const all[] = {"xpos", "xpos(causal=off,scale_base=20)", "pope",
					  "selrope", "selrope(proj=per-head,gate=on)"};
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		help_is_relative(all[i], "seq");
	struct help_run r;
	help_run_must_open(&r, "xpos", 9, 0, NULL);
	assert_true(help_toeplitz_error(help_head_of(&r.trace, 2)->bias) < 1e-12);
	shifted(&r, "xpos", 1e6, 1e-8); /* far from 0 too: the centre goes along */
	help_run_close(&r);
	help_run_must_open(&r, "pope", 9, 0, NULL);
	assert_true(help_toeplitz_error(help_head_of(&r.trace, 2)->bias) < 1e-12);
	shifted(&r, "pope", 1e6, 1e-7);
	help_run_close(&r);
}

static double reach(const char *expression, size_t t_max)
{
	struct help_run r;
	help_run_must_open(&r, expression, 2, 0, NULL);
	struct model_config config = r.config;
	config.t_max = t_max;
	const struct expr_member *m = expr_main(&r.expr);
	const double to = m->scheme->reach(m->param, &config);
	help_run_close(&r);
	return to;
}

/* d_h = 8. B = 1: all turn by 1. B = 10000: the slowest pair turns by .001, the slowest column of pope
 * by 10000^(-7/8) = 3.2e-4. */
TEST(training_shows_what_comes_round)
{
	assert_true(reach("xpos", 512) == 511);
	assert_true(isinf(reach("xpos(base=1)", 512)));
	assert_true(isinf(reach("xpos", 6284)) && reach("xpos", 6283) == 6282); /* 2000π = 6283.2 */
	assert_true(reach("xpos(interpolation=2)", 6285) == 6284);
	assert_true(reach("pope", 6285) == 6284 && isinf(reach("pope", 20000)));
	assert_true(isinf(reach("fope", 512)));
	assert_true(reach("fope(length=100000)", 512) == 511);
	assert_true(isinf(reach("fope(length=2)", 512)));
}
