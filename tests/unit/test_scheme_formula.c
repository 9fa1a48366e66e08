/* test_scheme_formula.c: formulas against the schemes they spell out, and values that cannot be. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"
#include "posviz/analysis/analysis.h"

static struct mat bias_of(const struct help_run *r, size_t head)
{
	return r->trace.layers[0].heads[head].bias;
}

/* The weights of every head and layer, and the outputs. */
static void expect_same(const char *formula, const char *scheme, size_t n)
{
	struct help_run r;
	help_run_must_open(&r, formula, n, 0, NULL);
	const struct trace *other = help_again(&r, scheme, NULL);
	for (size_t l = 0; l < 2; l++) {
		for (size_t h = 0; h < 4; h++)
			if (!(mat_max_abs_diff(r.trace.layers[l].heads[h].weights,
					       other->layers[l].heads[h].weights) < 1e-12))
				fail_msg("%s and %s, n %zu: layer %zu head %zu", formula, scheme, n,
					 l, h);
		assert_true(help_output_apart(&r.trace, other, l) < 1e-12);
	}
	help_run_close(&r);
}

TEST(formulas_are_the_schemes_they_spell_out)
{
	static const struct {
		const char *formula, *scheme;
	} rows[] = {
		{"formula(b=-2^(-8*h/H)*(t-s))+causal", "alibi"},
		{"formula(b=-2^(-8*h/H)*abs(t-s))", "alibi(causal=off)"},
		{"formula(b=0)", "none"},
		{"formula(b=7)", "none"},
		{"formula(b=t)", "none"}, /* a constant of the row */
		{"formula(b=1,op=mul)", "none"},
		{"formula(b=s>t ? -inf : 0)", "causal"},
		{"formula(b=s<=t ? 1 : -inf,op=mul)", "causal"},
		{"formula(b=log(t-s+1))+causal", "formula(b=log(max(t-s,0)+1))+causal"},
		{"causal+formula(b=log(s<=t))", "causal"},
		{"formula(b=s/n+d/dk+t_max)", "formula(b=s/n)"},
		{"formula(b=-a*abs(s-t)^p,a=0.3,p=1.5)", "formula(b=-0.3*abs(s-t)^1.5)"},
		{"formula(b=-m*abs(t-s),m=0.25)", "formula(b=-abs(t-s)/4)"},
		{"formula(b=-r*log(1+w*abs(t-s)))", "formula(b=-log(1+abs(t-s)))"},
		{"formula(b=c*h+g*s/(k*n),c=2,g=3,k=-4)", "formula(b=3*s/(-4*n))"},
		{"formula(b=a*s<a*t ? k : 1,a=2,k=2,op=mul)", "formula(b=s<t ? 2 : 1,op=mul)"},
		{"alibi+0.5*alibi", "1.5*alibi"},
	};
	static const size_t sizes[] = {1, 2, 7, 64};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
			expect_same(rows[i].formula, rows[i].scheme, sizes[k]);
}

TEST(bias_is_the_formula)
{
	struct help_run r;
	help_run_must_open(&r, "formula(b=min(s,t)/max(s,t+1))", 7, 0, NULL);
	for (size_t h = 0; h < 4; h++)
		for (size_t t = 0; t < 7; t++)
			for (size_t s = 0; s < 7; s++) {
				const double want =
					(double)(s < t ? s : t) / (double)(s > t + 1 ? s : t + 1);
				assert_true(fabs(mat_row(bias_of(&r, h), t)[s] - want) < 1e-12);
			}
	help_run_close(&r);
}

TEST(names_have_the_sizes_of_the_model)
{
	static const char *const names[] = {"n", "h", "H", "d", "dk", "t_max"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct help_run r;
		char text[64];
		snprintf(text, sizeof text, "formula(b=%s)", names[i]);
		help_run_must_open(&r, text, 5, 0, NULL);
		const struct model_config *const c = &r.config;
		for (size_t h = 0; h < c->heads; h++) {
			const size_t want[] = {5, h + 1, c->heads, c->d, c->d / c->heads, c->t_max};
			assert_true(fabs(mat_row(bias_of(&r, h), 4)[2] - (double)want[i]) < 1e-9);
		}
		help_run_close(&r);
	}
}

/* What the others add is multiplied too. */
TEST(mul_multiplies_all_logits)
{
	struct help_run r;
	help_run_must_open(&r, "alibi+formula(b=s-t,op=mul)", 7, 0, NULL);
	const struct trace *plain = help_again(&r, "alibi", NULL);
	for (size_t h = 0; h < 4; h++)
		for (size_t t = 0; t < 7; t++)
			for (size_t s = 0; s < 7; s++) {
				const double before =
					mat_row(plain->layers[0].heads[h].logits, t)[s];
				const double after =
					mat_row(r.trace.layers[0].heads[h].logits, t)[s];
				assert_true(fabs(after - ((double)s - (double)t) * before) < 1e-12);
			}
	help_run_close(&r);
}

TEST(only_mul_is_a_factor)
{
	static const char *const texts[] = {"formula(b=s+1)", "formula(b=s+1,op=mul)"};
	for (size_t i = 0; i < 2; i++) {
		struct help_run r;
		help_run_must_open(&r, texts[i], 5, 0, NULL);
		r.want.kinds |= WANT_MODULATION;
		const struct trace *trace = help_again(&r, texts[i], NULL);
		assert_int_equal(trace->layers[0].heads[0].modulation.at != NULL, i);
		help_run_close(&r);
	}
}

static void set_remaining(struct help_run *r)
{
	r->in.shift_column = "seq";
	r->in.shift_by = .5;
}

TEST(positions_come_from_the_column)
{
	struct help_run r;
	/* remaining is n - t */
	help_run_must_open(&r, "formula(b=2*s-t,pos=remaining)", 6, 0, NULL);
	for (size_t t = 0; t < 6; t++)
		for (size_t s = 0; s < 6; s++)
			assert_true(fabs(mat_row(bias_of(&r, 1), t)[s] -
					 (2 * (6 - (double)s) - (6 - (double)t))) < 1e-12);
	help_run_close(&r);
	help_run_must_open(&r, "formula(b=2*s-t)", 6, 0, set_remaining);
	assert_true(fabs(mat_row(bias_of(&r, 1), 2)[3] - (2 * 3.5 - 2.5)) < 1e-12);
	help_run_close(&r);
}

TEST(values_that_are_no_numbers_are_named)
{
	static const struct {
		const char *text, *part;
	} rows[] = {
		{"formula(b=log(t-s))",
		 "formula: b is not a number at query 1, key 2 (t=0, s=1, h=1)"},
		{"formula(b=1/(t-s))", "b is infinite at query 1, key 1"},
		{"formula(b=h==3 ? sqrt(s-t) : 0)",
		 "b is not a number at query 2, key 1 (t=1, s=0, h=3)"},
		{"formula(b=exp(1000*s))", "b is infinite at query 1, key 2"},
		{"formula(b=0/s,op=mul)", "b is not a number at query 1, key 1"},
		{"alibi+formula(b=log(t-s-1))", "formula: b is not a number at query 1, key 1"},
		{"formula(b=1,pos=depth)", "depth"},
		{"formula(b=1e308,op=mul)", "is no number at query"},
		{"formula(b=s==1 && t==1 ? 1e308 : 1,op=mul)+formula(b=9)",
		 "the logit times b = 1e+308 is no number at query 2, key 2 (h=1)"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		if (help_run_open(&r, rows[i].text, 5, 0, NULL))
			fail_msg("%s ran", rows[i].text);
		if (!strstr(r.err.text, rows[i].part))
			fail_msg("%s: %s", rows[i].text, r.err.text);
		help_run_close(&r);
	}
}

/* Where a pair is forbidden what its logit would be does not matter. */
TEST(a_forbidden_product_may_be_any)
{
	struct help_run r;
	help_run_must_open(&r, "formula(b=s>t ? 1e308 : 1,op=mul)+formula(b=9)+causal", 5, 0, NULL);
	const struct trace *plain = help_again(&r, "causal", NULL);
	assert_true(mat_max_abs_diff(r.trace.layers[0].heads[0].weights,
				     plain->layers[0].heads[0].weights) < 1e-12);
	help_run_close(&r);
}

TEST(formulas_print_as_they_read)
{
	static const struct {
		const char *text, *printed;
	} rows[] = {
		{"formula", "formula"},
		{"formula(b=-log(1+abs(s-t)/2))", "formula"},
		{"formula(b=min(s,t)/max(s,t+1))", "formula(b=min(s,t)/max(s,t+1))"},
		{"formula(op=mul, b= s < t ? 1 : 2 )+causal",
		 "formula(b=s < t ? 1 : 2,op=mul)+causal"},
		{"formula(b=\"s+t\")", "formula(b=s+t)"},
		{"formula(b=if(s>t,-inf,0),heads=[1,2])", "formula(b=if(s>t,-inf,0),heads=[1,2])"},
		{"formula(b=((((((((((((((((((((((((((((((((((((((((s))))))))))))))))))))))))))))))"
		 "))))"
		 ")))))))",
		 "formula(b=((((((((((((((((((((((((((((((((((((((((s))))))))))))))))))))))))))))))"
		 ")))"
		 "))))))))"},
	};
	struct arena a;
	arena_init(&a);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct expr e;
		struct err err = {""};
		if (!expr_parse(&e, rows[i].text, &a, &err))
			fail_msg("%s: %s", rows[i].text, err.text);
		assert_string_equal(expr_print(&e, &a), rows[i].printed);
		assert_true(expr_parse(&e, rows[i].printed, &a, &err));
		assert_string_equal(expr_print(&e, &a), rows[i].printed);
	}
	arena_release(&a);
}

TEST(errors_point_into_the_expression)
{
	static const struct {
		const char *text, *part;
	} rows[] = {
		{"formula(b=cso(t))", "formula(b=cso(t)): column 11: no name"},
		{"formula(b=cso(t))", "no name \"cso\"; did you mean \"cos\"?"},
		{"rope+formula(b= 1 + cso(t))", "column 21: no name"},
		{"formula(b=\"1 + cso(t)\")", "column 16: no name"},
		{"formula(b=\"\\\"\")", "column 12: a number"},
		{"formula(b=1 2)", "column 13: an operator"},
		{"formula(b=(1)", "column 8: this \"(\" is never closed"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct arena a;
		struct expr e;
		struct err err = {""};
		arena_init(&a);
		assert_false(expr_parse(&e, rows[i].text, &a, &err));
		if (!strstr(err.text, rows[i].part))
			fail_msg("%s: %s", rows[i].text, err.text);
		arena_release(&a);
	}
	const struct scheme *const s = scheme_find("formula", 7, NULL);
	struct arena a;
	struct err err = {""};
	arena_init(&a);
	assert_false(param_set(s->params, scheme_defaults(s, &a), "t+cso(t)", 8, &a, &err));
	assert_non_null(strstr(err.text, "b, column 3: no name \"cso\""));
	arena_release(&a);
}

TEST(no_claim_is_false_that_nobody_made)
{
	static const char *const texts[] = {"formula", "formula(b=s*t)", "formula(b=1)",
					    "formula(b=min(s-t,3))", "formula(b=s+1,op=mul)"};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct arena a;
		struct scene scene;
		struct err err = {""};
		struct verdict verdicts[VERDICTS_MAX];
		size_t n = 0;
		arena_init(&a);
		scene_init(&scene);
		if (!scene_set(&scene, field_find("scheme"), texts[i], &err) ||
		    !analysis_check(&scene.setup, NULL, &a, verdicts, &n, &err))
			fail_msg("%s: %s", texts[i], err.text);
		for (size_t k = 0; k < n; k++)
			if (!verdicts[k].ok)
				fail_msg("%s: %s: %s", texts[i], verdicts[k].claim,
					 verdicts[k].found);
		arena_release(&a);
	}
}
