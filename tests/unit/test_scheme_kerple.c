/* test_scheme_kerple.c: biases that are a given function of the distance, learned (KERPLE) or not
 * (Sandwich): worked numbers, clamps, what they become in their limits, and the codes' numbers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

enum { N = 7, HEADS = 4 };

static void fill(const struct model *model, const char *base, double value)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		if (strcmp(model->leaves[i].base, base) == 0)
			mat_fill(model->leaves[i].at, value);
}

static double new_p, new_a;

static void set_p_and_a(struct model *model)
{
	fill(model, "p", new_p);
	fill(model, "a", new_a);
}

static struct mat bias_with(struct help_run *r, const char *expression, double p, double a)
{
	new_p = p;
	new_a = a;
	return help_changed(r, expression, set_p_and_a)->layers[0].heads[1].bias;
}

/* ---- KERPLE ---- */

TEST(worked_numbers_come_out)
{
	static const struct {
		const char *expression;
		double p, a, bias[6];
	} rows[] = {
		{"kerple_log", 1, 1, {0, -.693147, -1.098612, -1.386294, -1.609438, -1.791759}},
		{"kerple_power", .5, .5, {0, -.5, -.707107, -.866025, -1, -1.118034}},
		{"kerple_power", 2, .25, {0, -.25, -1, -2.25, -4, -6.25}},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].expression, N, 0, NULL);
		const struct mat bias = bias_with(&r, rows[i].expression, rows[i].p, rows[i].a);
		for (size_t t = 0; t < N; t++)
			for (size_t s = 0; s <= t && t - s < 6; s++)
				assert_true(fabs(mat_row(bias, t)[s] - rows[i].bias[t - s]) < 1e-6);
		help_run_close(&r);
	}
}

TEST(learned_numbers_are_clamped)
{
	static const struct {
		const char *expression;
		double p, a, p_taken, a_taken;
	} rows[] = {
		{"kerple_log", -3, .5, .01, .5},
		{"kerple_log", 2, 0, 2, .01},
		{"kerple_log", 7, 9, 7, 9},
		{"kerple_power", 5, .5, 2, .5},
		{"kerple_power", -1, -1, .01, .01},
		{"kerple_power(least=0.05)", .03, .04, .05, .05},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].expression, N, 0, NULL);
		const struct mat given = bias_with(&r, rows[i].expression, rows[i].p, rows[i].a);
		const struct mat taken =
			bias_with(&r, rows[i].expression, rows[i].p_taken, rows[i].a_taken);
		assert_true(mat_max_abs_diff(given, taken) < 1e-12);
		help_run_close(&r);
	}
}

static void line_of_alibi(struct model *model)
{
	static const double slopes[] = {.25, .0625, .015625, .00390625};
	fill(model, "p", 1);
	for (size_t i = 0; i < model->n_leaves; i++)
		if (strcmp(model->leaves[i].base, "a") == 0)
			memcpy(model->leaves[i].at.at, slopes, sizeof slopes);
}

TEST(power_1_is_alibi)
{
	struct help_run r;
	help_run_must_open(&r, "alibi", N, 0, NULL);
	const struct trace *causal = help_changed(&r, "kerple_power(least=0)", line_of_alibi);
	for (size_t h = 0; h < HEADS; h++)
		assert_true(mat_max_abs_diff(causal->layers[1].heads[h].weights,
					     r.trace.layers[1].heads[h].weights) < 1e-12);
	assert_true(help_output_apart(causal, &r.trace, 1) < 1e-12);
	help_traces_equal(help_changed(&r, "kerple_power(causal=off,least=0)", line_of_alibi),
			  help_again(&r, "alibi(causal=off)", NULL));
	help_run_close(&r);
}

TEST(no_rate_is_none)
{
	static const char *const expressions[] = {"kerple_log(least=0,causal=off)",
						  "kerple_power(least=0,causal=off)",
						  "kerple_power(least=0,causal=off,weight=ap)"};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		help_run_must_open(&r, "none", N, 0, NULL);
		help_traces_equal(help_changed(&r, expressions[i], help_zero_leaves), &r.trace);
		help_run_close(&r);
	}
}

static void fall_everywhere(const char *expression)
{
	struct help_run r;
	help_run_must_open(&r, expression, 12, 0, NULL);
	for (size_t h = 0; h < HEADS; h++) {
		const struct mat bias = r.trace.layers[0].heads[h].bias;
		assert_true(help_toeplitz_error(bias) < 1e-12);
		for (size_t s = 0; s < 11; s++)
			assert_true(mat_row(bias, 11)[s] < mat_row(bias, 11)[s + 1]);
	}
	help_run_close(&r);
}

TEST(kernels_fall_with_distance)
{
	fall_everywhere("kerple_log");
	fall_everywhere("kerple_power");
}

/* A = c q·k exp(-w_a d^w_p) - a d^p, with w_p = 1 for weight=a. */
TEST(weight_multiplies_the_content)
{
	static const struct {
		const char *expression;
		double w_p;
	} rows[] = {{"kerple_power(weight=a)", 1}, {"kerple_power(weight=ap)", 1.5}};
	for (size_t i = 0; i < 2; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].expression, N, 0, help_with_qkv);
		fill(&r.model, "p", .7);
		fill(&r.model, "a", .3);
		fill(&r.model, "w_a", .2);
		fill(&r.model, "w_p", rows[i].w_p);
		assert_true(model_run(&r.model, &r.in, &r.want, NULL, NULL, &r.arena, &r.trace,
				      &r.err));
		const struct trace_head *head = &r.trace.layers[1].heads[2];
		for (size_t t = 0; t < N; t++)
			for (size_t s = 0; s < N; s++) {
				const double d = fabs((double)t - (double)s);
				double dot = 0;
				for (size_t j = 0; j < head->q.cols; j++)
					dot += mat_row(head->q, t)[j] * mat_row(head->k, s)[j];
				const double content = dot / sqrt((double)head->q.cols);
				const double want =
					content * exp(-.2 * pow(d, rows[i].w_p)) - .3 * pow(d, .7);
				assert_true(fabs(mat_row(head->logits, t)[s] - want) < 1e-12);
			}
		help_run_close(&r);
	}
}

TEST(start_is_that_of_the_code)
{
	struct help_run r;
	help_run_must_open(&r, "none", 2, 0, NULL);
	r.config.init = INIT_PAPER;
	r.config.heads = 16;
	double most_p = 0, most_a = 0, least = 1;
	for (r.config.seed = 1; r.config.seed < 9; r.config.seed++) {
		struct model model;
		struct member m[MODEL_MAX_MEMBERS];
		struct expr e;
		size_t n;
		assert_true(expr_parse(&e, "kerple_log", &r.arena, &r.err) &&
			    expr_members(&e, m, &n, &r.arena, &r.err) &&
			    model_build(&model, &r.config, m, n, NULL, &r.arena, &r.err));
		const struct mat p = help_leaf(&model, "p"), a = help_leaf(&model, "a");
		for (size_t i = 0; i < 16; i++) {
			most_p = fmax(most_p, p.at[i]);
			most_a = fmax(most_a, a.at[i]);
			least = fmin(least, fmin(p.at[i], a.at[i]));
		}
	}
	assert_true(most_p > 1.8 && most_p < 2 && most_a > .9 && most_a < 1 && least >= 0);
	help_run_close(&r);
}

TEST(kerple_numbers_of_the_authors_are_matched)
{
	static const struct help_case cases[] = {
		{.file = "seq/kerple_log-a.safetensors",
		 .expression = "kerple_log",
		 .masked_logits = true},
		{.file = "seq/kerple_power-a.safetensors",
		 .expression = "kerple_power",
		 .masked_logits = true},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		help_case_check(&cases[i]);
}

/* ---- Sandwich ---- */

static void heads_8(struct help_run *r)
{
	r->config.heads = 8;
}

TEST(sandwich_has_its_worked_numbers)
{
	static const double first[] = {0, -.055136, -.215577, -.466906, -.786680};
	struct help_run r;
	help_run_must_open(&r, "sandwich(width=16)", N, 0, heads_8);
	for (size_t h = 0; h < 8; h++)
		for (size_t d = 0; d < 5; d++)
			assert_true(fabs(mat_row(r.trace.layers[0].heads[h].bias, 5)[5 - d] -
					 first[d] / (double)(h + 1)) < 1e-6);
	help_run_close(&r);
}

TEST(an_odd_width_is_refused)
{
	struct help_run r;
	assert_false(help_run_open(&r, "sandwich(width=7)", 3, 0, NULL));
	assert_non_null(strstr(r.err.text, "even"));
	help_run_close(&r);
}

TEST(sandwich_numbers_of_nemo_are_matched)
{
	const struct help_case c = {.file = "seq/sandwich-a.safetensors",
				    .expression = "sandwich(width=16)",
				    .masked_logits = true};
	help_case_check(&c);
}

/* ---- all of them ---- */

static const char *const all[] = {
	"kerple_log",
	"kerple_log(causal=off,pos=remaining)",
	"kerple_power",
	"kerple_power(weight=a,heads=2)",
	"kerple_power(weight=ap,causal=off,layers=2)",
	"sandwich",
	"sandwich(causal=off,width=6,pos=remaining)",
};
enum { ALL = sizeof all / sizeof all[0] };

TEST(positions_that_are_not_whole_give_the_same)
{
	for (size_t i = 0; i < ALL; i++) {
		struct help_run r;
		help_run_must_open(&r, all[i], N, 0, NULL);
		r.in.shift_column = strstr(all[i], "remaining") ? "remaining" : "seq";
		r.in.shift_by = 0.5;
		assert_true(help_logits_apart(&r.trace, help_again(&r, all[i], NULL), 1, HEADS) <
			    1e-9);
		help_run_close(&r);
	}
}

/* Units at 0, 1000, 3: the gaps are read where they are. */
TEST(gaps_between_positions_are_read)
{
	static const double places[] = {0, 1000, 3};
	struct help_run r;
	help_run_must_open(&r, "none", 3, 0, NULL);
	r.in.word = places;
	const struct mat bias = bias_with(&r, "kerple_log(pos=word)", 2, .5);
	assert_true(fabs(mat_row(bias, 1)[0] + 2 * log(501)) < 1e-12);
	assert_true(fabs(mat_row(bias, 1)[2] + 2 * log(499.5)) < 1e-12);
	assert_true(fabs(mat_row(bias, 2)[0] + 2 * log(2.5)) < 1e-12);
	help_run_close(&r);
}
