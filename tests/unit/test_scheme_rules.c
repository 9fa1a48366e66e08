/* test_scheme_rules.c: rules upon logits and weights: norms of q and k, soft caps, temperatures, sinks, and
 * chunks: numbers of the models' codes, numbers worked out, and the limits in which there is no rule. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

/* ---- codes ---- */

TEST(reference_numbers_are_matched)
{
	static const struct help_case cases[] = {
		{.file = "seq/sink-a.safetensors", .expression = "rope(layout=half)+sink+causal"},
		{.file = "seq/sink-window-a.safetensors",
		 .expression = "rope(layout=half)+window(keys=3)+sink"},
		{.file = "seq/sink-yarn-a.safetensors",
		 .expression = "rope_yarn(layout=half,base=150000,factor=32,original=4096,"
			       "truncate=off)+sink+causal"},
		{.file = "seq/llama4-local-a.safetensors",
		 .expression = "rope(base=500000)+qk_norm(gain=off,eps=1e-5)+chunk(size=3)+causal"},
		{.file = "seq/llama4-nope-a.safetensors",
		 .expression = "temperature_tuning(floor_scale=2)+causal"},
		{.file = "seq/ssmax-a.safetensors", .expression = "ssmax+causal"},
		{.file = "seq/logn-a.safetensors", .expression = "logn(length=4)+causal"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct help_result r;
		help_case_open(&r, &cases[i]);
		/* q, k, logits, weights, context of each head */
		const size_t kinds = help_case_compare(&r, &cases[i]) / r.model.config.heads;
		if (kinds < 4)
			fail_msg("%s: %zu kinds of tensors", cases[i].file, kinds);
		for (size_t k = 0; k < r.model.n_leaves; k++)
			assert_true(r.model.leaves[k].given);
		help_case_close(&r);
	}
}

/* head.H.sink_weight is what the row of weights lacks, and the mask is that of the file. */
TEST(what_the_sink_takes_is_the_codes)
{
	static const struct help_case c = {.file = "seq/sink-window-a.safetensors",
					   .expression = "rope(layout=half)+window(keys=3)+sink"};
	struct help_result r;
	help_case_open(&r, &c);
	const struct mat mask = tensor_mat(tensor_find(&r.set, "mask"));
	for (size_t h = 0; h < 4; h++) {
		char name[32];
		snprintf(name, sizeof name, "head.%zu.sink_weight", h);
		const struct mat share = tensor_mat(tensor_find(&r.set, name));
		const struct trace_head *const head = &r.trace.layers[0].heads[h];
		assert_non_null(head->sink_logit);
		for (size_t t = 0; t < 9; t++) {
			double left = 1;
			for (size_t s = 0; s < 9; s++) {
				left -= mat_row(head->weights, t)[s];
				assert_true((head->mask[t * 9 + s] != 0) ==
					    (mat_row(mask, t)[s] > 0.5));
			}
			assert_true(fabs(left - share.at[t]) < 1e-9);
		}
	}
	help_case_close(&r);
}

/* The variant of ssmax with a bias: (s ln n + b) z. */
TEST(the_bias_of_ssmax_is_matched)
{
	static const struct help_case c = {.file = "seq/ssmax-a.safetensors",
					   .expression = "ssmax(bias=on)+causal",
					   .skip = "logits weights context"};
	struct help_result r;
	help_case_open(&r, &c);
	for (size_t h = 0; h < 4; h++) {
		char name[32];
		snprintf(name, sizeof name, "head.%zu.logits_bias", h);
		const struct trace_head *const head = &r.trace.layers[0].heads[h];
		const struct mat logits = tensor_mat(tensor_find(&r.set, name));
		for (size_t t = 0; t < 8; t++)
			for (size_t s = 0; s <= t; s++)
				assert_true(fabs(mat_row(logits, t)[s] -
						 mat_row(head->logits, t)[s]) < 1e-9);
		snprintf(name, sizeof name, "head.%zu.weights_bias", h);
		help_assert_near(head->weights, tensor_mat(tensor_find(&r.set, name)), 1e-9, name);
	}
	help_case_close(&r);
}

/* ---- worked numbers ---- */

/* Logits are the formula alone, and leaves those that the paper begins with. */
static void bare(struct help_run *r)
{
	r->config.d = 4;
	r->config.heads = 1;
	r->config.layers = 1;
	r->config.content = 0;
	r->config.init = INIT_PAPER;
}

static void expect_first_row(const char *expression, size_t n, const double *want, size_t n_want)
{
	struct help_run r;
	help_run_must_open(&r, expression, n, 0, bare);
	for (size_t s = 0; s < n_want; s++) {
		const double got = mat_row(r.trace.layers[0].heads[0].weights, 0)[s];
		if (!(fabs(got - want[s]) < 1e-8))
			fail_msg("%s: weight %zu is %.10g, not %.10g", expression, s, got, want[s]);
	}
	help_run_close(&r);
}

TEST(weights_with_a_sink_are_those_worked_out)
{
	expect_first_row("formula(b=s+1)+sink(learned=off)", 3,
			 (double[]){.087144319, .236882818, .643914260}, 3);
	expect_first_row("formula(b=s+1)+sink(learned=off,sigma=2)", 3,
			 (double[]){.072329488, .196611933, .534446645}, 3);
	expect_first_row("formula(b=s+1)+sink(learned=off,sigma=-1e6)", 3,
			 (double[]){.090030573, .244728471, .665240956}, 3);
}

TEST(weights_of_ssmax_are_those_worked_out)
{
	expect_first_row("formula(b=s==0 ? -1 : s==1 ? 0 : 2)+ssmax", 3,
			 (double[]){.148600832, .238332562, .613066606}, 3);
	expect_first_row("formula(b=s==0 ? -1 : s==1 ? 0 : 2)", 3,
			 (double[]){.042010066, .114195199, .843794734}, 3);
	expect_first_row("formula(b=s==0 ? 3 : -2)+ssmax", 8, (double[]){.925868328}, 1);
	expect_first_row("formula(b=s==0 ? 3 : -2)", 8, (double[]){.954958769}, 1);
	expect_first_row("formula(b=s==0 ? 3 : -2)+ssmax", 1024, (double[]){.999655189}, 1);
	expect_first_row("formula(b=s==0 ? 3 : -2)", 1024, (double[]){.126695827}, 1);
}

static void one_head_of_64(struct help_run *r)
{
	r->config.d = 64;
	r->config.heads = 1;
	r->config.layers = 1;
	r->want.kinds |= WANT_KEPT;
}

static struct mat kept(const struct trace *trace, const char *name)
{
	for (size_t i = 0; i < trace->n_kept; i++)
		if (strcmp(trace->kept[i].name, name) == 0)
			return trace->kept[i].at;
	fail_msg("no %s", name);
	return (struct mat){0};
}

/* The rotation of gpt-oss: YaRN whose bounds are not rounded, and cosines times 0.1 ln 32 + 1. */
TEST(rates_of_the_model_with_sinks_are_those_worked_out)
{
	static const char text[] = "rope_yarn(layout=half,base=150000,factor=32,original=4096,"
				   "truncate=off)+sink+causal";
	static const struct {
		size_t i;
		double rate, tolerance;
	} rows[] = {{8, .050813275, 1e-9},
		    {9, .031705696, 1e-9},
		    {12, .006794959, 1e-9},
		    {17, 1.29319e-4, 1e-9},
		    {31, 3.02e-7, 1e-9}};
	struct help_run r;
	help_run_must_open(&r, text, 2, 0, one_head_of_64);
	const struct mat c = kept(&r.trace, "member.rope_yarn.cos");
	const struct mat s = kept(&r.trace, "member.rope_yarn.sin");
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		const double x = mat_row(c, 1)[rows[k].i], y = mat_row(s, 1)[rows[k].i];
		assert_true(fabs(atan2(y, x) - rows[k].rate) < rows[k].tolerance);
		assert_true(fabs(hypot(x, y) - 1.346573590) < 1e-9);
	}
	help_run_close(&r);
}

/* A sink is a key whose logit is σ at every query, and whose value is 0. */
TEST(a_sink_is_a_key_without_a_value)
{
	struct help_run r;
	help_run_must_open(&r, "rope+sink+causal", 7, 0, help_with_everything);
	for (size_t h = 0; h < 4; h++) {
		const struct trace_head *const head = &r.trace.layers[0].heads[h];
		for (size_t t = 0; t < 7; t++) {
			double logits[8], sum = 0;
			logits[7] = *head->sink_logit;
			for (size_t s = 0; s < 7; s++)
				logits[s] = s <= t ? mat_row(head->logits, t)[s] : -INFINITY;
			for (size_t s = 0; s < 8; s++)
				sum += exp(logits[s]);
			for (size_t j = 0; j < head->v.cols; j++) {
				double want = 0;
				for (size_t s = 0; s < 7; s++)
					want += exp(logits[s]) / sum * mat_row(head->v, s)[j];
				assert_true(fabs(mat_row(head->context, t)[j] - want) < 1e-12);
			}
		}
	}
	help_run_close(&r);
}

/* 2 tanh(1/2), 2 tanh(1), 2 tanh(3/2); a temperature of 1 is none. */
TEST(logits_are_capped_as_worked_out)
{
	static const double want[] = {.924234315, 1.523188312, 1.810296507};
	struct help_run r;
	help_run_must_open(&r, "formula(b=s+1)+temperature+softcap(cap=2)", 3, 0, bare);
	for (size_t s = 0; s < 3; s++)
		assert_true(fabs(mat_row(r.trace.layers[0].heads[0].logits, 1)[s] - want[s]) <
			    1e-9);
	help_run_close(&r);
}

static void expect_factors(const char *expression, const double *position, const double *want,
			   size_t n)
{
	struct help_run r;
	help_run_must_open(&r, expression, n, 0, bare);
	r.config.t_max = 1 << 21;
	r.in.position = position;
	r.want.kinds |= WANT_KEPT;
	const struct trace *const trace = help_again(&r, expression, NULL);
	bool found = false;
	for (size_t i = 0; i < trace->n_kept; i++) {
		if (!strstr(trace->kept[i].name, ".factor"))
			continue;
		found = true;
		for (size_t t = 0; t < n; t++)
			assert_true(fabs(trace->kept[i].at.at[t] - want[t]) < 1e-9);
	}
	assert_true(found);
	help_run_close(&r);
}

TEST(factors_of_queries_are_those_worked_out)
{
	expect_factors("temperature_tuning", (double[]){0, 8190, 8191, 16383, 131071, 1048575},
		       (double[]){1, 1, 1.069314718, 1.109861229, 1.283321334, 1.485981240}, 6);
	expect_factors("logn(length=512)", (double[]){0, 511, 1023, 2047},
		       (double[]){1, 1, 1.111111111, 1.222222222}, 4);
	expect_factors("logn(length=512,least=off)", (double[]){0, 511, 1023},
		       (double[]){0, 1, 1.111111111}, 3);
}

TEST(chunks_are_counted_from_the_first_token)
{
	static const char *const rows[] = {"x......", "xx.....", "xxx....", "...x...",
					   "...xx..", "...xxx.", "......x"};
	struct help_run r;
	help_run_must_open(&r, "chunk(size=3)+causal", 7, 0, NULL);
	const struct trace_head *const head = r.trace.layers[1].heads;
	for (size_t t = 0; t < 7; t++)
		for (size_t s = 0; s < 7; s++)
			assert_true((head->mask[t * 7 + s] != 0) == (rows[t][s] == 'x'));
	assert_true(fabs(mat_row(head->weights, 3)[3] - 1) < 1e-15);
	assert_true(fabs(mat_row(head->weights, 6)[6] - 1) < 1e-15);
	help_run_close(&r);
}

/* ---- limits ---- */

static void ones(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		mat_fill(model_leaf_at(model, &model->leaves[i]), 1);
}

/* Of nine keys. */
static void one_over_log_9(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		mat_fill(model_leaf_at(model, &model->leaves[i]), 1 / log(9));
}

TEST(in_their_limits_there_is_no_rule)
{
	static const struct {
		const char *with, *without;
		void (*leaves)(struct model *model);
	} rows[] = {
		{"rope+softcap(cap=1e12)", "rope", NULL},
		{"shaw+softcap(cap=1e12)+causal", "shaw+causal", NULL},
		{"rope+temperature+causal", "rope+causal", ones},
		{"rope+temperature(per=position)", "rope", ones},
		{"rope+ssmax", "rope", one_over_log_9},
		{"rope+logn(length=9)+causal", "rope+causal", NULL},
		{"rope+temperature_tuning(attn_scale=0,floor_scale=2)", "rope", NULL},
		{"rope+temperature_tuning(floor_scale=10)", "rope", NULL},
		{"rope+sink(learned=off,sigma=-1e6)+causal", "rope+causal", NULL},
		{"rope+chunk(size=9)+causal", "rope+causal", NULL},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].without, 9, 0, NULL);
		const struct trace *const with =
			rows[i].leaves ? help_changed(&r, rows[i].with, rows[i].leaves)
				       : help_again(&r, rows[i].with, NULL);
		for (size_t l = 0; l < 2; l++)
			if (!(help_output_apart(&r.trace, with, l) < 1e-9))
				fail_msg("%s: %g", rows[i].with,
					 help_output_apart(&r.trace, with, l));
		help_run_close(&r);
	}
}

/* One head of width 4 with W_q = W_k = 1, so that q and k are the units: these have the length 2,
 * a mean square of 1 and the mean 0. */
static void unit_vectors(struct help_run *r)
{
	static const double signs[3][4] = {{1, 1, -1, -1}, {1, -1, 1, -1}, {-1, 1, 1, -1}};
	for (size_t t = 0; t < 3; t++)
		memcpy(mat_row(r->in.units, t), signs[t], sizeof signs[t]);
}

static void half(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		mat_fill(model_leaf_at(model, &model->leaves[i]), 0.5);
}

TEST(a_norm_of_unit_vectors_is_none)
{
	struct help_run r;
	help_run_must_open(&r, "none", 3, 0, help_one_head_of_4);
	unit_vectors(&r);
	r.want.kinds &= ~(unsigned)WANT_BIAS; /* of a vector of ones the deviation is 0 */
	const struct trace *const none = help_again(&r, "none", NULL);
	static const char *const kinds[] = {"qk_norm(eps=0)", "qk_norm(kind=layer,eps=0)"};
	for (size_t i = 0; i < 2; i++)
		assert_true(help_logits_apart(none, help_changed(&r, kinds[i], ones), 0, 1) <
			    1e-12);
	/* Halved, q and k have the length 1, and g = 1/√d_h = 1/2 in place of it. */
	for (size_t i = 0; i < 12; i++)
		r.in.units.at[i] /= 2;
	const struct trace *const small = help_again(&r, "none", NULL);
	assert_true(help_logits_apart(small, help_changed(&r, "qk_norm(kind=l2)", half), 0, 1) <
		    1e-12);
	help_run_close(&r);
}

/* A rotation keeps lengths: before or after it is one for the root mean square, without a gain. */
TEST(a_norm_stands_where_it_is_written)
{
	static const struct {
		const char *before, *after;
		bool same;
	} rows[] = {
		{"qk_norm(gain=off)+rope", "rope+qk_norm(gain=off)", true},
		{"qk_norm(kind=l2,gain=off)+rope", "rope+qk_norm(kind=l2,gain=off)", true},
		{"qk_norm(kind=layer,gain=off)+rope", "rope+qk_norm(kind=layer,gain=off)", false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].before, 9, 0, NULL);
		const struct trace *const after = help_again(&r, rows[i].after, NULL);
		const double apart = help_logits_apart(&r.trace, after, 0, 4);
		assert_true(rows[i].same ? apart < 1e-12 : apart > 1e-3);
		help_run_close(&r);
	}
}

/* Whatever q and k are, no logit is larger than γ² √d_h, or than g. */
TEST(norms_bound_the_logits)
{
	static const char *const kinds[] = {"qk_norm", "qk_norm(kind=layer)", "qk_norm(kind=l2)"};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		help_run_must_open(&r, kinds[i], 9, 0, NULL);
		for (size_t k = 0; k < r.in.units.rows * r.in.units.cols; k++)
			r.in.units.at[k] *= 100;
		double lo, hi;
		mat_range(help_again(&r, kinds[i], NULL)->layers[0].heads[0].logits, &lo, &hi);
		assert_true(fmax(hi, -lo) < r.config.content + 1e-9);
		help_run_close(&r);
	}
}

/* A row constant is without effect on a softmax, and not on one with a sink. */
TEST(a_constant_of_a_row_counts_beside_a_sink)
{
	struct help_run r;
	help_run_must_open(&r, "rope+formula(b=3)", 7, 0, NULL);
	assert_true(help_output_apart(&r.trace, help_again(&r, "rope", NULL), 1) < 1e-12);
	const struct trace *const sink = help_again(&r, "rope+sink", NULL);
	const struct trace *const more = help_again(&r, "rope+formula(b=3)+sink", NULL);
	assert_true(help_output_apart(sink, more, 0) > 1e-3);
	help_run_close(&r);
}

/* ---- bad input ---- */

TEST(what_cannot_be_is_said_in_a_line)
{
	static const char *const rows[][2] = {
		{"logn(length=1)", "length: 1; λ divides by ln L"},
		{"sink(sigma=2)", "learned=off would be right"},
		{"softcap(cap=0)", "out of range"},
		{"chunk(size=0)", "out of range"},
		{"qk_norm(kind=rsm)", "did you mean \"rms\"?"},
		{"qk_norm(kind=l2,span=all)", "span=head would be right"},
		{"temperature(per=layer)", "is none of head|position"},
		{"sink+stickbreak", "both make the weights of a head"},
		{"pope+qk_norm", "needs queries and keys of width"},
		{"t5+qk_norm(kind=l2)+tener(scale=on)", "scale"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct help_run r;
		if (help_run_open(&r, rows[i][0], 5, 0, NULL))
			fail_msg("%s was computed", rows[i][0]);
		if (!strstr(r.err.text, rows[i][1]) || strchr(r.err.text, '\n'))
			fail_msg("%s: %s", rows[i][0], r.err.text);
		help_run_close(&r);
	}
}

/* ---- selecting ---- */

/* The scheme that a rule acts on is the main one, wherever the rule stands. */
TEST(a_rule_is_not_the_main_scheme)
{
	static const char *const rows[][2] = {{"qk_norm+rope", "rope"},
					      {"causal+sink+alibi", "alibi"},
					      {"causal+softcap", "softcap"},
					      {"causal+chunk", "causal"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a;
		struct expr e;
		arena_init(&a);
		assert_true(expr_parse(&e, rows[i][0], &a, NULL));
		assert_string_equal(expr_main(&e)->scheme->id, rows[i][1]);
		arena_release(&a);
	}
}
