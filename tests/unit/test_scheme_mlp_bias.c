/* test_scheme_mlp_bias.c: biases that a network makes of the distance: of its share in the query's
 * position (FIRE), of itself (DPB), of its logarithm and beside a cosine (Swin Transformer V2). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

enum { N = 9, HEADS = 4 };

/* Numbers without a rule, the same wherever a leaf of that base name is; a layer's differ. */
static void draw_numbers(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct leaf *leaf = &model->leaves[i];
		double seed = (double)leaf->layer;
		for (const char *c = leaf->base; *c; c++)
			seed = 1.7 * seed + *c;
		for (size_t r = 0; r < leaf->at.rows; r++)
			for (size_t c = 0; c < leaf->at.cols; c++)
				mat_row(leaf->at, r)[c] =
					1.5 * sin(seed + 0.7 * (double)r + 1.9 * (double)c);
	}
}

static struct mat leaf_of(const struct model *model, const char *base, long layer)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		if (strcmp(model->leaves[i].base, base) == 0 && model->leaves[i].layer == layer)
			return model->leaves[i].at;
	fail_msg("no leaf %s", base);
	return (struct mat){0};
}

static void run_again(struct help_run *r)
{
	if (!model_run(&r->model, &r->in, &r->want, NULL, NULL, &r->arena, &r->trace, &r->err))
		fail_msg("%s", r->err.text);
}

static void open_drawn(struct help_run *r, const char *expression)
{
	help_run_must_open(r, expression, N, 0, help_with_qkv);
	draw_numbers(&r->model);
	run_again(r);
}

static double dot_of(const struct trace_head *head, size_t t, size_t s)
{
	double dot = 0;
	for (size_t j = 0; j < head->q.cols; j++)
		dot += mat_row(head->q, t)[j] * mat_row(head->k, s)[j];
	return dot;
}

/* ---- FIRE ---- */

/* f(x) = x, for x above 0 */
static void pass_on(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct leaf *leaf = &model->leaves[i];
		if (leaf->base[0] == 'w')
			mat_fill(leaf->at, 1);
		else if (leaf->base[0] == 'b')
			mat_fill(leaf->at, 0);
	}
}

TEST(shares_have_their_worked_numbers)
{
	static const struct {
		const char *expression;
		double ratio[5];
	} rows[] = {
		{"fire(width=1)", {.08507336, .06633596, .04609803, .02409815, 0}},
		{"fire(width=1,start=2)", {.99999703, .77974780, .54186050, .28326229, 0}},
	};
	for (size_t i = 0; i < 2; i++) {
		struct help_run r;
		help_run_must_open(&r, "none", 5, 0, NULL);
		const struct trace *trace = help_changed(&r, rows[i].expression, pass_on);
		for (size_t s = 0; s < 5; s++)
			assert_true(fabs(mat_row(trace->layers[0].heads[0].bias, 4)[s] -
					 rows[i].ratio[s]) < 1e-8);
		help_run_close(&r);
	}
}

TEST(share_is_a_function_of_distance_up_to_l)
{
	struct help_run r;
	help_run_must_open(&r, "fire(start=5)", N, 0, NULL);
	const struct mat bias = r.trace.layers[0].heads[0].bias;
	for (size_t t = 1; t < N; t++) {
		const double moved = fabs(mat_row(bias, t)[t - 1] - mat_row(bias, 1)[0]);
		assert_true(t <= 5 ? moved < 1e-12 : moved > 1e-3);
	}
	help_run_close(&r);
}

TEST(share_is_never_above_1)
{
	struct help_run r;
	help_run_must_open(&r, "none", 64, 0, NULL);
	const struct mat bias =
		help_changed(&r, "fire(width=1,start=7)", pass_on)->layers[0].heads[0].bias;
	for (size_t t = 0; t < 64; t++) {
		for (size_t s = 0; s <= t; s++)
			assert_true(mat_row(bias, t)[s] >= 0 && mat_row(bias, t)[s] < 1);
		assert_true(t < 7 || mat_row(bias, t)[0] > 0.9999);
	}
	help_run_close(&r);
}

TEST(constant_network_is_none)
{
	static const char *const expressions[] = {"fire", "fire(start=2)"};
	for (size_t i = 0; i < 2; i++) {
		struct help_run r;
		help_run_must_open(&r, expressions[i], N, 0, NULL);
		for (size_t k = 0; k < r.model.n_leaves; k++)
			if (strcmp(r.model.leaves[k].base, "w2") == 0)
				mat_fill(r.model.leaves[k].at, 0);
			else if (strcmp(r.model.leaves[k].base, "b2") == 0)
				mat_fill(r.model.leaves[k].at, 3);
		run_again(&r);
		const struct trace *none = help_again(&r, "none+causal", NULL);
		assert_true(help_output_apart(&r.trace, none, 1) < 1e-12);
		help_run_close(&r);
	}
}

/* ψ(x) → c x for small c, so the share is (t-s) / L: a line, whose slope the network sets. */
TEST(straight_network_is_alibi)
{
	static const double slopes[] = {.25, .0625, .015625, .00390625};
	struct help_run r;
	help_run_must_open(&r, "fire(width=1,eps=1e-12)", N, 0, NULL);
	pass_on(&r.model);
	for (size_t k = 0; k < r.model.n_leaves; k++)
		if (strcmp(r.model.leaves[k].base, "c") == 0)
			mat_fill(r.model.leaves[k].at, 1e-7);
		else if (strcmp(r.model.leaves[k].base, "w2") == 0)
			for (size_t h = 0; h < HEADS; h++)
				r.model.leaves[k].at.at[h] = -512 * slopes[h];
	run_again(&r);
	const struct trace *line = help_again(&r, "alibi", NULL);
	for (size_t h = 0; h < HEADS; h++)
		assert_true(mat_max_abs_diff(r.trace.layers[1].heads[h].weights,
					     line->layers[1].heads[h].weights) < 1e-4);
	help_run_close(&r);
}

TEST(layers_share_a_network_when_told)
{
	struct help_run r;
	help_run_must_open(&r, "fire", 3, 0, NULL);
	assert_int_equal(model_position_parameters(&r.model), 2 * (33 * HEADS + 66));
	help_run_close(&r);
	help_run_must_open(&r, "fire(share=layer)", 3, 0, NULL);
	assert_int_equal(model_position_parameters(&r.model), 33 * HEADS + 66);
	help_run_close(&r);
}

/* ---- DPB ---- */

static double silu(double x)
{
	return x / (1 + exp(-x));
}

static double dpb_by_hand(const struct model *model, size_t depth, size_t head, double x)
{
	double in[64] = {x}, out[64] = {0};
	for (size_t i = 0; i <= depth; i++) {
		char weight[] = "w0", bias[] = "b0";
		weight[1] = bias[1] = (char)('0' + i);
		const struct mat w = leaf_of(model, weight, -1), b = leaf_of(model, bias, -1);
		for (size_t j = 0; j < w.cols; j++) {
			out[j] = b.at[j];
			for (size_t k = 0; k < w.rows; k++)
				out[j] += in[k] * mat_row(w, k)[j];
		}
		for (size_t j = 0; j < w.cols; j++)
			in[j] = i < depth ? silu(out[j]) : out[j];
	}
	return in[head];
}

TEST(dpb_is_as_wide_as_a_quarter_of_the_model)
{
	struct help_run r;
	help_run_must_open(&r, "dpb", 3, 0, NULL);
	assert_int_equal(leaf_of(&r.model, "w1", -1).rows, 8);
	assert_int_equal(model_position_parameters(&r.model), 2 * 8 + 8 * 8 + 8 + 8 * 4 + 4);
	help_run_close(&r);
}

TEST(empty_network_is_none)
{
	struct help_run r;
	help_run_must_open(&r, "none", N, 0, NULL);
	help_traces_equal(help_changed(&r, "dpb", help_zero_leaves), &r.trace);
	help_run_close(&r);
}

/* ---- log_cpb ---- */

static double logit(double b)
{
	return log(b / (16 - b));
}

TEST(worked_distances_come_out)
{
	static const double far[] = {0,	      .366512, .572069, .715614,
				     .826016, .915745, .991335, 1.056642};
	struct help_run r;
	help_run_must_open(&r, "none", 8, 0, NULL);
	const struct mat bias =
		help_changed(&r, "log_cpb(width=1)", pass_on)->layers[0].heads[2].bias;
	for (size_t t = 0; t < 8; t++)
		for (size_t s = 0; s < 8; s++)
			assert_true(fabs(logit(mat_row(bias, t)[s]) - (s <= t ? far[t - s] : 0)) <
				    1e-6);
	help_run_close(&r);
}

static double spaced(double r, double window)
{
	return (r < 0 ? -1 : 1) * log2(8 * fabs(r) / (window - 1) + 1) / log2(8);
}

static double cpb_by_hand(const struct model *model, size_t head, double row, double column,
			  bool grid)
{
	const struct mat w1 = leaf_of(model, "w1", 1), b1 = leaf_of(model, "b1", 1);
	const struct mat w2 = leaf_of(model, "w2", 1);
	double sum = 0;
	for (size_t k = 0; k < w1.cols; k++) {
		const double x = grid ? row * mat_row(w1, 0)[k] + column * mat_row(w1, 1)[k]
				      : column * mat_row(w1, 0)[k];
		sum += fmax(0, x + b1.at[k]) * mat_row(w2, k)[head];
	}
	return 16 / (1 + exp(-sum));
}

static double cosine(const struct trace_head *head, size_t t, size_t s)
{
	return dot_of(head, t, s) /
	       (mat_norm(mat_rows(head->q, t, 1)) * mat_norm(mat_rows(head->k, s, 1)));
}

/* The bias has the cosine taken off, not c·q·k. */
TEST(bias_beside_the_cosine_is_between_0_and_16)
{
	struct help_run r;
	open_drawn(&r, "log_cpb(width=20)");
	for (size_t h = 0; h < HEADS; h++) {
		const struct mat bias = r.trace.layers[0].heads[h].bias;
		assert_true(help_toeplitz_error(bias) < 1e-12);
		for (size_t t = 0; t < N; t++)
			for (size_t s = 0; s < N; s++) {
				const struct trace_head *head = &r.trace.layers[0].heads[h];
				const double by = exp(leaf_of(&r.model, "logit_scale", 0).at[h]);
				const double want =
					mat_row(head->logits, t)[s] - by * cosine(head, t, s);
				const double got = mat_row(bias, t)[s];
				assert_true(got > 0 && got < 16);
				assert_true(fabs(got - want) < 1e-9);
			}
	}
	help_run_close(&r);
}

TEST(no_weights_leave_the_cosine)
{
	struct help_run r;
	help_run_must_open(&r, "none", N, 0, help_with_qkv);
	const struct trace *trace = help_changed(&r, "log_cpb", help_zero_leaves);
	const struct trace_head *head = &trace->layers[0].heads[1];
	for (size_t t = 0; t < N; t++)
		for (size_t s = 0; s < N; s++) {
			assert_true(fabs(mat_row(head->bias, t)[s] - 8) < 1e-12);
			assert_true(fabs(mat_row(head->logits, t)[s] - 8 - cosine(head, t, s)) <
				    1e-12);
		}
	help_run_close(&r);
}

TEST(window_of_one_place_is_refused)
{
	struct help_run r;
	assert_false(help_run_open(&r, "log_cpb(pretrained=1)", 3, 0, NULL));
	assert_non_null(strstr(r.err.text, "pretrained"));
	help_run_close(&r);
}

/* ---- all of them ---- */

TEST(numbers_of_the_codes_are_matched)
{
	static const struct help_case cases[] = {
		{.file = "seq/fire-a.safetensors", .expression = "fire(width=8)"},
		{.file = "seq/dpb-a.safetensors",
		 .expression = "dpb(width=8,causal=on)",
		 .map = {"w0=param.mlp0.weight", "b0=param.mlp0.bias", "w1=param.mlp1.weight",
			 "b1=param.mlp1.bias", "w2=param.mlp2.weight", "b2=param.mlp2.bias"},
		 .masked_logits = true},
		{.file = "seq/log_cpb-a.safetensors",
		 .expression = "log_cpb(grid=on,window=3,width=12)"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		help_case_check(&cases[i]);
}

/* Enough differences that the network is evaluated by blocks. */
TEST(blocks_give_the_same)
{
	enum { FAR = 60 };
	double places[FAR];
	for (size_t i = 0; i < FAR; i++)
		places[i] = (double)(i * i * i);
	struct help_run r;
	help_run_must_open(&r, "dpb(pos=word,log_distance=on)", FAR, 0, help_with_qkv);
	r.in.word = places;
	run_again(&r);
	const struct mat bias = r.trace.layers[0].heads[1].bias;
	for (size_t t = 0; t < FAR; t++)
		for (size_t s = 0; s < FAR; s++) {
			const double x = places[t] - places[s];
			const double in = (x < 0 ? -1 : 1) * log(fabs(x) + 1);
			assert_true(fabs(mat_row(bias, t)[s] - dpb_by_hand(&r.model, 2, 1, in)) <
				    1e-9);
		}
	help_run_close(&r);
}

/* Only differences that occur are computed: all between 250,000 rows would take minutes. */
TEST(places_far_apart_on_a_grid_are_few)
{
	enum { FAR = 4 };
	static const double places[FAR] = {0, 999999, -7, 5};
	static const double rows[FAR] = {0, 249999, -2, 1}, columns[FAR] = {0, 3, 1, 1};
	struct help_run r;
	help_run_must_open(&r, "log_cpb(grid=on,window=4,pos=word)", FAR, 0, help_with_qkv);
	r.in.word = places;
	draw_numbers(&r.model);
	run_again(&r);
	const struct trace_head *head = &r.trace.layers[1].heads[1];
	const double by = exp(leaf_of(&r.model, "logit_scale", 1).at[1]);
	for (size_t t = 0; t < FAR; t++)
		for (size_t s = 0; s < FAR; s++) {
			const double y = spaced(rows[t] - rows[s], 4);
			const double x = spaced(columns[t] - columns[s], 4);
			const double got = mat_row(head->logits, t)[s] - by * cosine(head, t, s);
			assert_true(fabs(got - cpb_by_hand(&r.model, 1, y, x, true)) < 1e-9);
		}
	help_run_close(&r);
}
