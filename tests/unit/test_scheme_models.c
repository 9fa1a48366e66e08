/* test_scheme_models.c: models of a name: that their layers, columns and masks are those of the
 * models, and that two of them have the numbers of their codes. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

static size_t wanted_d, wanted_heads, wanted_layers;

static void sized(struct help_run *r)
{
	r->config.d = wanted_d;
	r->config.heads = wanted_heads;
	r->config.layers = wanted_layers;
	r->config.ff = 8;
	r->want.kinds |= WANT_QKV;
}

static void open_sized(struct help_run *r, const char *expression, size_t n, size_t d, size_t heads,
		       size_t layers)
{
	wanted_d = d;
	wanted_heads = heads;
	wanted_layers = layers;
	help_run_must_open(r, expression, n, 0, sized);
}

static void equal_to(const char *model, const char *expression)
{
	struct help_run r;
	help_run_must_open(&r, model, 9, 0, NULL);
	help_traces_equal(&r.trace, help_again(&r, expression, NULL));
	help_run_close(&r);
}

TEST(they_are_what_they_are_made_of)
{
	equal_to("nope", "causal");
	equal_to("gpt-j", "rope(partial=0.25)+causal");
	equal_to("gpt-neox", "rope(partial=0.25,layout=half)+causal");
	equal_to("llama-3", "rope(layout=half,base=500000)+causal");
	equal_to("llama-3.1", "rope(layout=half,base=500000,scaling=llama3,factor=8,"
			      "original=8192)+causal");
	/* in two layers there is no fourth, and in few tokens one chunk */
	equal_to("llama-4", "rope(base=500000)+qk_norm(gain=off,eps=1e-5)+causal");
	equal_to("gemma-3", "qk_norm+rope(layout=half)+causal");
	equal_to("bloom", "alibi");
	equal_to("mpt", "alibi");
}

/* ---- NoPE ---- */

/* Row t of a layer's output, before and after, in all columns. */
static double row_apart(const struct trace *a, const struct trace *b, size_t layer, size_t t)
{
	return mat_max_abs_diff(mat_rows(a->layers[layer].output, t, 1),
				mat_rows(b->layers[layer].output, t, 1));
}

TEST(what_comes_later_does_not_reach_a_prefix)
{
	struct help_run r;
	help_run_must_open(&r, "nope", 9, 0, NULL);
	mat_fill(mat_rows(r.in.units, 6, 3), 1);
	const struct trace *other = help_again(&r, "nope", NULL);
	for (size_t l = 0; l < 2; l++) {
		for (size_t t = 0; t < 6; t++)
			assert_true(row_apart(&r.trace, other, l, t) < 1e-12);
		assert_true(row_apart(&r.trace, other, l, 6) > 1e-3);
	}
	help_run_close(&r);
}

/* One layer sees its prefix as a set. The next sees what others made of theirs, so order counts. */
TEST(a_prefix_is_a_set_in_the_first_layer_alone)
{
	static const size_t reversed[] = {7, 6, 5, 4, 3, 2, 1, 0, 8};
	struct help_run r;
	help_run_must_open(&r, "nope", 9, 0, NULL);
	help_permute(&r, reversed);
	const struct trace *other = help_again(&r, "nope", NULL);
	assert_true(row_apart(&r.trace, other, 0, 8) < 1e-12);
	assert_true(row_apart(&r.trace, other, 1, 8) > 1e-4);
	const struct trace *none = help_again(&r, "none", NULL);
	help_permute(&r, reversed);
	assert_true(row_apart(none, help_again(&r, "none", NULL), 1, 8) < 1e-12);
	help_run_close(&r);
}

/* ---- parts of heads ---- */

TEST(a_quarter_of_a_head_is_turned)
{
	static const char *const models[] = {"gptj", "neox"};
	for (size_t k = 0; k < 2; k++) {
		struct help_run r;
		open_sized(&r, models[k], 3, 256, 1, 1);
		const struct trace_head *head = r.trace.layers[0].heads;
		for (size_t c = 0; c < 256; c++)
			assert_true((mat_row(head->q, 2)[c] == mat_row(head->q_raw, 2)[c]) ==
				    (c >= 64));
		help_run_close(&r);
	}
}

/* ---- layers ---- */

TEST(every_fourth_layer_of_llama_4_has_no_rotation)
{
	struct help_run r;
	open_sized(&r, "irope", 5, 16, 2, 9);
	for (size_t l = 0; l < 9; l++)
		for (size_t h = 0; h < 2; h++) {
			const struct trace_head *head = &r.trace.layers[l].heads[h];
			/* Where nothing turns them, q is what was projected. */
			const bool turned =
				head->q_raw.at && mat_max_abs_diff(head->q, head->q_raw) > 1e-3;
			assert_true(turned == ((l + 1) % 4 != 0));
			assert_non_null(head->mask);
		}
	const struct trace *rope =
		help_again(&r, "rope(base=500000)+qk_norm(gain=off,eps=1e-5)+causal", NULL);
	for (size_t l = 0; l < 3; l++)
		assert_true(help_logits_apart(&r.trace, rope, l, 2) < 1e-12);
	assert_true(help_logits_apart(&r.trace, rope, 3, 2) > 1e-3);
	const struct trace *set = help_again(
		&r, "rope(base=500000,layers=1-3)+qk_norm(gain=off,eps=1e-5,layers=1-3)+causal",
		NULL);
	assert_true(help_logits_apart(&r.trace, set, 3, 2) < 1e-12);
	help_run_close(&r);
}

/* By what pair i of a head, halves, was turned at position 1. */
static double angle(const struct trace_head *head, size_t i)
{
	const size_t pairs = head->q.cols / 2;
	const double *to = mat_row(head->q, 1), *from = mat_row(head->q_raw, 1);
	return remainder(atan2(to[i + pairs], to[i]) - atan2(from[i + pairs], from[i]),
			 2 * acos(-1));
}

/* D = 8: 10000^(-i/4), and 1000000^(-i/4)/8 in layers 6 and 12. */
TEST(gemma_has_two_bases)
{
	struct help_run r;
	open_sized(&r, "gemma3", 3, 8, 1, 13);
	for (size_t l = 0; l < 13; l++)
		for (size_t i = 0; i < 4; i++) {
			const bool global = l == 5 || l == 11;
			const double want =
				global ? pow(1e6, -(double)i / 4) / 8 : pow(1e4, -(double)i / 4);
			assert_true(fabs(angle(r.trace.layers[l].heads, i) - want) < 1e-10);
		}
	help_run_close(&r);
}

static void masks_of_six_layers(struct help_run *r)
{
	r->config.d = 4;
	r->config.heads = 1;
	r->config.layers = 6;
	r->config.ff = 4;
	r->want.kinds = WANT_MASK;
}

TEST(gemma_looks_back_1024_tokens_in_local_layers)
{
	enum { N = 1030 };
	struct help_run r;
	help_run_must_open(&r, "gemma3", N, 0, masks_of_six_layers);
	for (size_t l = 0; l < 6; l++) {
		const uint8_t *last = r.trace.layers[l].heads[0].mask + (N - 1) * N;
		size_t seen = 0;
		for (size_t s = 0; s < N; s++)
			seen += last[s];
		assert_int_equal(seen, l == 5 ? N : 1024);
		assert_int_equal(last[N - 1], 1);
		assert_int_equal(r.trace.layers[l].heads[0].mask[1], 0);
	}
	help_run_close(&r);
}

/* Only a combination may be for more layers than there are. */
TEST(layers_that_are_not_there_are_refused_when_written)
{
	struct help_run r;
	assert_false(help_run_open(&r, "rope(layers=6)", 3, 0, NULL));
	assert_non_null(strstr(r.err.text, "names none of the 2 layers"));
	help_run_close(&r);
}

/* ---- codes ---- */

TEST(reference_numbers_are_matched)
{
	static const struct help_case cases[] = {
		{.file = "seq/rope_partial-half-a.safetensors", .expression = "neox"},
		{.file = "seq/alibi-bloom-a.safetensors", .expression = "bloom", .row_shift = true},
		{.file = "seq/alibi-mpt-a.safetensors", .expression = "mpt", .row_shift = true},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		help_case_check(&cases[i]);
}
