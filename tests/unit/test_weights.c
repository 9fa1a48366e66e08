/* test_weights.c: weights of members: the numbers worked from the definitions of what is weighted, on all
 * ways through the code, and what cannot have one. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

enum { N = 7 };

static const double slopes[] = {.25, .0625, .015625, .00390625}; /* of ALiBi's four heads */

static struct mat bias_of(const struct help_run *r, size_t head)
{
	return r->trace.layers[0].heads[head].bias;
}

static double entry(const struct help_run *r, size_t head, size_t t, size_t s)
{
	return mat_row(bias_of(r, head), t)[s];
}

static void near(double got, double want)
{
	if (!(fabs(got - want) <= 1e-12 * fmax(1, fabs(want))))
		fail_msg("%.17g, not %.17g", got, want);
}

/* Every bias of the first is `by` times that of the second. */
static void expect_times(const char *first, double by, const char *second)
{
	struct help_run a, b;
	help_run_must_open(&a, first, N, 0, NULL);
	help_run_must_open(&b, second, N, 0, NULL);
	for (size_t h = 0; h < 4; h++)
		for (size_t t = 0; t < N; t++)
			for (size_t s = 0; s < N; s++)
				near(entry(&a, h, t, s), by * entry(&b, h, t, s));
	help_run_close(&a);
	help_run_close(&b);
}

/* ---- numbers ---- */

TEST(a_weight_multiplies_the_bias)
{
	expect_times("2*t5", 2, "t5");
	expect_times("0.5*alibi", 0.5, "alibi");
	expect_times("-1*alibi", -1, "alibi");
	expect_times("0.25*fire", 0.25, "fire");
	expect_times("1*t5", 1, "t5");
	expect_times("0.5*0.5*t5", 0.25, "t5");
	expect_times("0.5*alibi+0.5*alibi", 1, "alibi");
	expect_times("0.5*t5(scale=rsqrt,heads=2)+0.5*t5(scale=rsqrt,heads=2)", 1,
		     "t5(scale=rsqrt,heads=2)");
	expect_times("3*formula(b=t-2*s)", 3, "formula(b=t-2*s)");
	expect_times("0.5*matrix", 0.5, "matrix");
	expect_times("0.5*mpt", 0.5, "mpt");
}

/* (3/4)(b of T5) - (1/4) m_i (t - s); before the query buckets have numbers 0 to 6 for these distances,
 * behind it half of the 32 more. */
TEST(a_mixture_is_its_terms_each_by_its_weight)
{
	struct help_run r;
	help_run_must_open(&r, "0.75*t5+0.25*alibi", N, 0, help_paper_init);
	const struct mat table = help_leaf(&r.model, "bias_table");
	for (size_t h = 0; h < 4; h++)
		for (size_t t = 0; t < N; t++)
			for (size_t s = 0; s < N; s++) {
				const double apart = (double)t - (double)s;
				const size_t row = s <= t ? t - s : 16 + s - t;
				near(entry(&r, h, t, s),
				     0.75 * mat_row(table, row)[h] - 0.25 * slopes[h] * apart);
			}
	assert_true(expr_is_causal(&r.expr)); /* a mask has no weight */
	help_run_close(&r);
}

TEST(weights_and_heads_and_layers_go_together)
{
	struct help_run r;
	help_run_must_open(&r, "0.5*alibi(heads=2)+-2*alibi(heads=[3,4],layers=2)", N, 0,
			   help_with_everything);
	static const double factor[2][4] = {{0, .5, 0, 0}, {0, .5, -2, -2}};
	for (size_t l = 0; l < 2; l++)
		for (size_t h = 0; h < 4; h++) {
			const struct trace_head *const head = &r.trace.layers[l].heads[h];
			assert_int_equal(head->n_terms, factor[l][h] == 0 ? 1 : 2);
			near(head->terms[0].weight, 1);
			if (factor[l][h] == 0)
				continue;
			near(head->terms[1].weight, factor[l][h]);
			near(mat_row(head->terms[1].at, 5)[1], -4 * factor[l][h] * slopes[h]);
		}
	help_run_close(&r);
}

/* Of nothing but a mask the logits are q·k alone; T5 does not divide them by √d_h, whatever its weight. */
TEST(a_weight_of_0_leaves_mask_and_scale)
{
	struct help_run r;
	help_run_must_open(&r, "0*alibi", N, 0, help_with_everything);
	const struct trace *const masked = help_again(&r, "causal", NULL);
	assert_true(help_logits_apart(&r.trace, masked, 0, 4) <= 0);
	assert_true(help_output_apart(&r.trace, masked, 1) <= 0);
	const struct trace *const nothing = help_again(&r, "0*t5", NULL);
	near(nothing->c, 1);
	help_run_close(&r);
}

/* What multiplies the logits multiplies what was added before it, by its weight, and nothing after it:
 * the factor is taken when all is added. */
TEST(what_multiplies_comes_after_the_weights)
{
	struct help_run r;
	help_run_must_open(&r, "0.5*alibi+formula(b=3,op=mul)", N, 0, help_with_everything);
	const struct trace *const plain = help_again(&r, "causal", NULL);
	for (size_t h = 0; h < 4; h++)
		for (size_t t = 0; t < N; t++)
			for (size_t s = 0; s <= t; s++)
				near(mat_row(r.trace.layers[0].heads[h].logits, t)[s],
				     3 * (mat_row(plain->layers[0].heads[h].logits, t)[s] -
					  0.5 * slopes[h] * (double)(t - s)));
	help_run_close(&r);
}

static void with_even_weights(struct help_run *r)
{
	help_with_everything(r);
	r->config.content = 1e-300;
}

/* Shaw adds vectors to values as well. Where q is nothing all keys weigh the same, whatever its weight, and
 * the context is the mean of the values and so many times the mean of what is added to them. */
TEST(what_is_added_to_values_has_the_weight_too)
{
	static const char *const texts[] = {"shaw", "shaw_abs", "struct_tr"};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct help_run r;
		help_run_must_open(&r, texts[i], N, 0, with_even_weights);
		const struct trace *const half =
			help_again(&r, arena_printf(&r.arena, "0.5*%s", texts[i]), NULL);
		const struct trace *const none = help_again(&r, "none", NULL);
		for (size_t h = 0; h < 4; h++) {
			const struct mat whole = r.trace.layers[0].heads[h].context;
			const struct mat plain = none->layers[0].heads[h].context;
			const struct mat at = half->layers[0].heads[h].context;
			assert_true(mat_max_abs_diff(whole, plain) > 1e-3);
			for (size_t t = 0; t < N; t++)
				for (size_t j = 0; j < at.cols; j++)
					near(mat_row(at, t)[j],
					     (mat_row(whole, t)[j] + mat_row(plain, t)[j]) / 2);
		}
		help_run_close(&r);
	}
}

TEST(weights_are_the_same_on_all_ways)
{
	static const char *const texts[] = {"0.5*t5+0.5*alibi", "-0.5*shaw+0.25*cope",
					    "0.3*kerple_power(layers=2)+2*fox", "0.5*deberta",
					    "0.5*tupe_a+t5(scale=rsqrt)"};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		help_all_ways_agree(texts[i], NULL);
	help_gradients("0.5*shaw+-0.25*fire");
}

/* ---- who has one ---- */

TEST(only_what_adds_to_the_logits_has_a_weight)
{
	static const struct {
		const char *text, *part;
	} rows[] = {
		{"0.5*rope+alibi",
		 "column 5: rope rotates or changes queries and keys; a weight is of "
		 "what is added to the logits"},
		{"alibi+0.5*xpos", "column 11: xpos rotates"},
		{"0.5*causal", "causal is a mask"},
		{"0.5*window", "window is a mask"},
		{"0.5*learned", "changes the embeddings"},
		{"0.5*none", "none adds nothing to the logits"},
		{"0.5*gauss", "gauss makes the attention weights itself"},
		{"0.5*synth_random", "in place of q·k"},
		{"0.5*huang1", "huang1 changes logits that are there"},
		{"0.5*formula(b=2,op=mul)", "formula changes logits that are there"},
		{"0.5*kerple_power(weight=a)", "kerple_power changes logits"},
		{"0.5*deberta(emd=on)", "deberta rotates or changes"},
		{"0.5*dape", "dape changes logits"},
		{"0.5*bert", "bert is learned, and learned changes the embeddings"},
		{"2*nope", "nope is none+causal, and none adds nothing"},
		{"1e999*t5",
		 "column 1: a weight: \"1e999\" is out of range, it must be from -1000000 to "
		 "1000000"},
		{"t5+-1000001*t5", "column 4: a weight: \"-1000001\" is out of range"},
		{"nan*t5", "column 1: \"nan\" is no weight; a number would be right, as in 0.5*t5"},
		{"inf*t5", "\"inf\" is no weight"},
		{"2e*t5", "\"2e\" is no weight"},
		{"*t5", "column 1: a scheme must stand here, not \"*\""},
		{"0.5**t5", "column 5: a scheme must stand here, not \"*\""},
		{"0.5*", "column 5: a scheme must stand here, not the end"},
		{"0.5", "column 4: \"*\" and a scheme must follow 0.5, not the end"},
		{"0.5+t5", "column 4: \"*\" and a scheme must follow 0.5, not \"+\""},
		{"alibi*0.5", "column 6: a weight stands in front, as in 0.5*alibi"},
		{"0.5*(t5+alibi)", "column 5: a scheme must stand here, not \"(\""},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a;
		struct expr e;
		struct err err = {0};
		arena_init(&a);
		if (expr_parse(&e, rows[i].text, &a, &err))
			fail_msg("%s was read", rows[i].text);
		if (!strstr(err.text, rows[i].part))
			fail_msg("%s: %s", rows[i].text, err.text);
		arena_release(&a);
	}
}

TEST(weights_have_one_canonical_text)
{
	static const struct {
		const char *text, *canonical;
	} rows[] = {
		{"0.50 * t5 + .5*alibi", "0.5*t5+0.5*alibi"},
		{"1*t5+1.0*alibi", "t5+alibi"},
		{"-0*t5", "0*t5"},
		{"1e-3*t5(heads=2)", "0.001*t5(heads=2)"},
		{"t5+-2*alibi", "t5+-2*alibi"},
		{"0.1*0.7*t5", "0.07*t5"},
		{"0.5*formula(causal=on)", "0.5*formula+causal"},
		{"0.3*bloom", "0.3*bloom"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a;
		struct expr e, again;
		struct err err = {0};
		arena_init(&a);
		if (!expr_parse(&e, rows[i].text, &a, &err))
			fail_msg("%s: %s", rows[i].text, err.text);
		assert_string_equal(expr_print(&e, &a), rows[i].canonical);
		assert_true(expr_parse(&again, rows[i].canonical, &a, &err));
		assert_string_equal(expr_print(&again, &a), rows[i].canonical);
		arena_release(&a);
	}
}

/* A weight is of each member that is no mask, and of those that have one the product. */
TEST(a_name_of_ones_own_can_have_a_weight)
{
	struct arena a;
	struct expr e;
	struct err err = {0};
	arena_init(&a);
	assert_true(define_set("mixed", "0.5*t5+alibi+causal", &err));
	assert_true(expr_parse(&e, "0.3*mixed", &a, &err));
	assert_string_equal(expr_print(&e, &a), "0.15*t5+0.3*alibi+causal");
	assert_true(define_set("mixed", "t5+rope", &err));
	assert_false(expr_parse(&e, "alibi+0.3*mixed", &a, &err));
	assert_non_null(strstr(err.text, "column 11: rope rotates"));
	assert_true(define_remove("mixed", &err));
	arena_release(&a);
}
