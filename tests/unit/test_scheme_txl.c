/* test_scheme_txl.c: the sinusoids of distances, the four terms, and the authors' numbers; XLNet,
 * which looks both ways. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

static void tiny(struct help_run *r)
{
	r->config.d = 4;
	r->config.heads = 1;
	r->config.layers = 1;
	r->config.proj = PROJ_IDENTITY;
}

static void set_identity(struct mat at)
{
	mat_fill(at, 0);
	for (size_t i = 0; i < at.rows; i++)
		mat_row(at, i)[i] = 1;
}

static size_t component;

/* e reads one component of R, and nothing else acts. */
static void read_one(struct model *model)
{
	help_zero_leaves(model);
	set_identity(help_leaf_of(model, "w_r")->at);
	help_leaf_of(model, "r_r_bias")->at.at[component] = 1;
}

static void without_content(struct help_run *r)
{
	tiny(r);
	r->config.content = 0;
}

/* d = 4, from the definition: R of -1, 0, 1. */
TEST(sinusoids_are_those_of_the_definition)
{
	static const double want[3][4] = {{-.841470985, -.009999833, .540302306, .99995},
					  {0, 0, 1, 1},
					  {.841470985, .009999833, .540302306, .99995}};
	struct help_run r;
	help_run_must_open(&r, "txl", 2, 0, without_content);
	for (component = 0; component < 4; component++) {
		const struct trace *trace = help_changed(&r, "txl", read_one);
		const struct mat logits = trace->layers[0].heads[0].logits;
		/* c = 1/2; t - s is -1 at (0, 1) and 1 at (1, 0) */
		assert_true(fabs(2 * mat_row(logits, 0)[1] - want[0][component]) < 1e-8);
		assert_true(fabs(2 * mat_row(logits, 0)[0] - want[1][component]) < 1e-8);
		assert_true(fabs(2 * mat_row(logits, 1)[0] - want[2][component]) < 1e-8);
	}
	help_run_close(&r);
}

TEST(reference_numbers_are_matched)
{
	static const struct help_case c = {
		.file = "seq/txl-a.safetensors", .expression = "txl", .masked_logits = true};
	struct help_result r;
	help_case_open(&r, &c);
	assert_int_equal(r.model.n_leaves, 3);
	for (size_t i = 0; i < 3; i++)
		assert_true(r.model.leaves[i].given);
	assert_true(help_case_compare(&r, &c) >= 12);
	help_case_close(&r);
}

/* R_{t-s} above the diagonal too: e, read by one component of its own, is a sine there as well. */
TEST(both_directions_have_a_sinusoid)
{
	struct help_run r;
	help_run_must_open(&r, "txl(causal=off)", 6, 0, without_content);
	component = 0;
	const struct trace *trace = help_changed(&r, "txl(causal=off)", read_one);
	for (size_t t = 0; t < 6; t++)
		for (size_t s = 0; s < 6; s++) {
			const double want = sin((double)t - (double)s) / 2;
			assert_true(fabs(mat_row(trace->layers[0].heads[0].logits, t)[s] - want) <
				    1e-12);
			assert_true(mat_row(trace->layers[0].heads[0].weights, t)[s] > 0);
		}
	const struct trace *clamped = help_changed(&r, "txl(causal=off,clamp=2)", read_one);
	const struct mat logits = clamped->layers[0].heads[0].logits;
	assert_true(fabs(mat_row(logits, 5)[0] - sin(2) / 2) < 1e-12);
	assert_true(fabs(mat_row(logits, 0)[5] + sin(2) / 2) < 1e-12);
	assert_true(fabs(mat_row(logits, 1)[0] - sin(1) / 2) < 1e-12);
	help_run_close(&r);
}

TEST(leaves_of_0_leave_the_causal_model)
{
	struct help_run r;
	help_run_must_open(&r, "txl", 9, 0, NULL);
	const struct trace *plain = help_again(&r, "none+causal", NULL);
	assert_true(help_output_apart(help_changed(&r, "txl", help_zero_leaves), plain, 1) < 1e-12);
	assert_true(help_output_apart(&r.trace, plain, 1) > 1e-3);
	help_run_close(&r);
}

TEST(four_terms_have_names_and_kinds)
{
	static const struct {
		const char *label;
		enum term_kind kind;
	} want[] = {{"unit–unit", TERM_UNIT_UNIT},
		    {"b–key", TERM_POSITION_UNIT},
		    {"query–R", TERM_UNIT_POSITION},
		    {"e–R", TERM_POSITION}};
	struct help_run r;
	help_run_must_open(&r, "txl", 7, 0, help_with_terms);
	const struct trace_head *head = &r.trace.layers[0].heads[1];
	assert_int_equal(head->n_terms, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(head->terms[i].label, want[i].label);
		assert_int_equal(head->terms[i].kind, want[i].kind);
	}
	const struct mat b = head->terms[1].at, e = head->terms[3].at;
	for (size_t t = 1; t < 7; t++)
		assert_true(mat_max_abs_diff(mat_rows(b, t, 1), mat_rows(b, 0, 1)) < 1e-12);
	assert_true(help_toeplitz_error(e) < 1e-12);
	assert_true(help_toeplitz_error(head->terms[2].at) > 1e-3);
	assert_true(fabs(mat_row(e, 0)[1] - mat_row(e, 1)[0]) > 1e-3);
	help_run_close(&r);
	assert_int_equal(help_terms_sum("txl(causal=off,untie=on)", NULL), 4);
}

TEST(counts_are_those_of_the_leaves)
{
	static const struct {
		const char *expression;
		size_t count;
	} rows[] = {{"txl", 2 * 32 + 32 * 32 * 2}, {"txl(untie=on)", 2 * 32 * 2 + 32 * 32 * 2}};
	for (size_t i = 0; i < 2; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].expression, 4, 0, NULL);
		assert_int_equal(model_position_parameters(&r.model), rows[i].count);
		help_run_close(&r);
	}
}

TEST(distances_too_far_for_a_table_are_refused)
{
	static const double places[] = {0, 20000};
	struct help_run r;
	help_run_must_open(&r, "txl(pos=word,clamp=10)", 2, 0, NULL);
	r.in.word = places;
	struct trace trace;
	assert_true(model_run(&r.model, &r.in, &r.want, NULL, NULL, &r.arena, &trace, &r.err));
	help_run_close(&r);
	help_run_must_open(&r, "txl(pos=word)", 2, 0, NULL);
	r.in.word = places;
	assert_false(model_run(&r.model, &r.in, &r.want, NULL, NULL, &r.arena, &trace, &r.err));
	assert_non_null(strstr(r.err.text, "set clamp"));
	help_run_close(&r);
}

/* ---- XLNet ---- */

TEST(xlnet_reference_numbers_are_matched)
{
	static const struct help_case c = {.file = "seq/xlnet-a.safetensors",
					   .expression = "xlnet"};
	struct help_result r;
	help_case_open(&r, &c);
	assert_int_equal(r.model.n_leaves, 3);
	for (size_t i = 0; i < 3; i++)
		assert_true(r.model.leaves[i].given);
	assert_int_equal(help_case_compare(&r, &c), 12);
	help_case_close(&r);
}

/* Under the causal mask it is Transformer-XL, with the same leaves. */
static const struct model *lender;

static void borrow_leaves(struct model *model)
{
	assert_int_equal(model->n_leaves, lender->n_leaves);
	for (size_t i = 0; i < model->n_leaves; i++)
		mat_set(model->leaves[i].at, lender->leaves[i].at);
}

TEST(xlnet_under_the_mask_is_transformer_xl)
{
	struct help_run r;
	help_run_must_open(&r, "txl", 9, 0, NULL);
	lender = &r.model;
	const struct trace *masked = help_changed(&r, "xlnet+causal", borrow_leaves);
	assert_true(help_output_apart(masked, &r.trace, 1) < 1e-12);
	const struct trace *open = help_changed(&r, "xlnet", borrow_leaves);
	assert_true(help_output_apart(open, &r.trace, 1) > 1e-3);
	help_run_close(&r);
}

/* R_{s-t}: the sine of the distance, read by e alone, changes its sign. */
TEST(mirrored_data_read_the_other_way)
{
	struct help_run r;
	help_run_must_open(&r, "xlnet", 6, 0, without_content);
	component = 0;
	const struct trace *there = help_changed(&r, "xlnet", read_one);
	const struct trace *back = help_changed(&r, "xlnet(bi_data=on)", read_one);
	const struct trace *clamped = help_changed(&r, "xlnet(bi_data=on,clamp=2)", read_one);
	for (size_t t = 0; t < 6; t++)
		for (size_t s = 0; s < 6; s++) {
			const double want = sin((double)t - (double)s) / 2;
			assert_true(fabs(mat_row(there->layers[0].heads[0].logits, t)[s] - want) <
				    1e-12);
			assert_true(fabs(mat_row(back->layers[0].heads[0].logits, t)[s] + want) <
				    1e-12);
		}
	assert_true(fabs(mat_row(clamped->layers[0].heads[0].logits, 0)[5] - sin(2) / 2) < 1e-12);
	help_run_close(&r);
}

/* The only leaf that is not 0 is the vector of another segment, seen through r: c r·g_1. */
static void read_segments(struct model *model)
{
	help_zero_leaves(model);
	mat_fill(help_leaf_of(model, "r_s_bias")->at, 0.5);
	mat_fill(mat_rows(help_leaf_of(model, "seg_embed")->at, 1, 1), 3);
}

TEST(segments_are_the_same_or_another)
{
	static const double segment[] = {0, 0, 1, 1, 1};
	struct help_run r;
	help_run_must_open(&r, "xlnet(segments=on)", 5, 0, without_content);
	r.in.segment = segment;
	const struct trace *trace = help_changed(&r, "xlnet(segments=on)", read_segments);
	for (size_t t = 0; t < 5; t++)
		for (size_t s = 0; s < 5; s++) {
			const double want = (t < 2) == (s < 2) ? 0 : 4 * 0.5 * 3 / 2;
			assert_true(fabs(mat_row(trace->layers[0].heads[0].logits, t)[s] - want) <
				    1e-12);
		}
	help_run_close(&r);
	assert_int_equal(help_terms_sum("xlnet(segments=on)", NULL), 5);
}
