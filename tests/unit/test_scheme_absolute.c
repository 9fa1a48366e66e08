/* test_scheme_absolute.c: positions added to units: the learned table, position-infused attention,
 * and what they share with sinusoids. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

/* ---- what they have in common ---- */

/* Even where the position–position term looks relative, shifting the column moves the logits: the
 * units are there too. */
TEST(logits_see_a_shift)
{
	static const char *const expressions[] = {"sinusoidal", "learned", "shortformer"};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		help_run_must_open(&r, expressions[i], 9, 0, NULL);
		r.in.shift_column = "seq";
		r.in.shift_by = 7;
		assert_true(help_logits_apart(&r.trace, help_again(&r, expressions[i], NULL), 0,
					      4) > 1e-3);
		help_run_close(&r);
	}
}

/* Survey eq. 4: unit–unit + unit–position + position–unit + position–position. */
TEST(four_terms_sum_to_the_logits)
{
	static const char *const expressions[] = {"sinusoidal", "learned", "shortformer"};
	static const enum term_kind kinds[] = {TERM_UNIT_UNIT, TERM_UNIT_POSITION,
					       TERM_POSITION_UNIT, TERM_POSITION};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		help_run_must_open(&r, expressions[i], 6, 0, help_with_terms);
		const struct trace_head *head = &r.trace.layers[0].heads[3];
		assert_int_equal(head->n_terms, 4);
		const struct mat sum = mat_zero(&r.arena, 6, 6);
		for (size_t k = 0; k < 4; k++) {
			assert_int_equal(head->terms[k].kind, kinds[k]);
			for (size_t at = 0; at < 36; at++)
				sum.at[at] += mat_row(head->terms[k].at, at / 6)[at % 6];
		}
		assert_true(mat_max_abs_diff(sum, head->logits) < 1e-12);
		help_run_close(&r);
	}
}

/* ---- learned ---- */

static struct given given_table(struct arena *a, struct mat table)
{
	struct tensor_set *set = arena_calloc(a, 1, sizeof *set);
	tensor_set_init(set, a);
	tensor_set_add(set, "p", table, false);
	return (struct given){.params = set};
}

TEST(a_table_of_zeros_is_none)
{
	struct help_run r;
	help_run_must_open(&r, "none", 9, 0, NULL);
	const struct given zeros = given_table(&r.arena, mat_zero(&r.arena, 512, 32));
	const struct trace *trace = help_again(&r, "learned", &zeros);
	assert_true(help_output_apart(&r.trace, trace, 1) < 1e-12);
	assert_true(help_output_apart(&r.trace, help_again(&r, "learned", NULL), 1) > 1e-3);
	help_run_close(&r);
}

TEST(permuting_units_and_table_permutes_the_output)
{
	static const size_t order[] = {3, 0, 4, 1, 2};
	struct help_run r;
	help_run_must_open(&r, "learned", 5, 0, NULL);
	const struct mat table = r.model.leaves[0].at;
	const struct mat permuted = mat_copy(&r.arena, table);
	for (size_t t = 0; t < 5; t++)
		mat_set(mat_rows(permuted, t, 1), mat_rows(table, order[t], 1));
	const struct given given = given_table(&r.arena, permuted);
	help_permute(&r, order);
	const struct mat got = help_again(&r, "learned", &given)->layers[1].output;
	const struct mat other = help_again(&r, "learned", NULL)->layers[1].output;
	for (size_t t = 0; t < 5; t++) {
		const struct mat want = mat_rows(r.trace.layers[1].output, order[t], 1);
		assert_true(mat_max_abs_diff(mat_rows(got, t, 1), want) < 1e-12);
		assert_true(mat_max_abs_diff(mat_rows(other, t, 1), want) > 1e-3);
	}
	help_run_close(&r);
}

/* DIET, theorem 1: a head of width 8 cannot make logits of a greater rank. */
TEST(rank_is_at_most_the_width_of_a_head)
{
	struct help_run r;
	help_run_must_open(&r, "learned", 20, 0, NULL);
	double values[20];
	assert_true(mat_singular_values(mat_copy(&r.arena, r.trace.layers[0].heads[0].logits),
					values, &r.arena, &r.err));
	assert_true(values[7] > 1e-6 && values[8] < 1e-9 * values[0]);
	help_run_close(&r);
}

static void eight_positions(struct help_run *r)
{
	r->config.t_max = 8;
}

TEST(the_table_ends_at_t_max)
{
	struct help_run r;
	assert_true(help_run_open(&r, "learned", 8, 0, eight_positions));
	help_run_close(&r);
	assert_false(help_run_open(&r, "learned", 9, 0, eight_positions));
	assert_non_null(strstr(r.err.text, "t-max"));
	help_run_close(&r);
}

static void half_positions(struct help_run *r)
{
	r->in.shift_column = "seq";
	r->in.shift_by = 0.5;
}

TEST(a_table_has_no_row_between_two)
{
	struct help_run r;
	assert_false(help_run_open(&r, "learned", 5, 0, half_positions));
	assert_non_null(strstr(r.err.text, "whole numbers"));
	help_run_close(&r);
	assert_true(help_run_open(&r, "sinusoidal", 5, 0, half_positions));
	help_run_close(&r);
}

/* Mean square 1/2 as in sinusoids; neighbours alike; the same curves whatever t_max is. */
TEST(demo_curves_are_smooth_and_keep_their_shape)
{
	struct help_run r, other;
	help_run_must_open(&r, "learned", 5, 0, NULL);
	help_run_must_open(&other, "learned", 5, 0, eight_positions);
	const struct mat p = r.model.leaves[0].at;
	assert_true(mat_max_abs_diff(mat_rows(p, 0, 8), other.model.leaves[0].at) == 0);
	const double cells = (double)(p.rows * p.cols);
	assert_true(fabs(mat_norm(p) * mat_norm(p) / cells - 0.5) < 0.05);
	double steps = 0;
	for (size_t t = 1; t < p.rows; t++)
		for (size_t c = 0; c < p.cols; c++)
			steps += pow(mat_row(p, t)[c] - mat_row(p, t - 1)[c], 2);
	assert_true(steps / cells < 0.1); /* 1 if rows had nothing to do with each other */
	help_run_close(&r);
	help_run_close(&other);
}

TEST(paper_init_and_count_are_those_of_bert)
{
	struct help_run r;
	help_run_must_open(&r, "bert", 5, 0, help_paper_init);
	const struct mat p = r.model.leaves[0].at;
	assert_string_equal(r.model.leaves[0].name, "learned.p");
	assert_true(fabs(mat_norm(p) / sqrt((double)(p.rows * p.cols)) - 0.02) < 0.001);
	assert_int_equal(model_position_parameters(&r.model), 512 * 32);
	help_run_close(&r);
}

static void smooth_activation(struct help_run *r)
{
	r->config.t_max = 8;
	r->config.activation = ACT_GELU;
}

TEST(gradient_of_the_table_is_right)
{
	struct help_run r;
	help_run_must_open(&r, "learned", 5, 0, smooth_activation);
	struct arena scratch;
	arena_init(&scratch);
	help_model_gradients(&r, "learned");
	struct tape tape;
	tape_init(&tape, &scratch, true);
	struct run *run;
	struct node *out = model_record(&r.model, &r.in, &tape, &run, &r.err);
	assert_non_null(out);
	struct rng rng;
	rng_init(&rng, 3);
	const struct mat seed = mat_new(&scratch, out->v.rows, out->v.cols);
	mat_fill_normal(seed, 1, &rng);
	tape_backward(&tape, out, &seed);
	const struct mat g = run_leaf_node(run, &r.model.leaves[0])->g;
	assert_true(mat_norm(mat_rows(g, 0, 5)) > 1e-3);
	assert_true(mat_norm(mat_rows(g, 5, 3)) == 0); /* rows nobody stood at */
	arena_release(&scratch);
	help_run_close(&r);
}

/* ---- shortformer ---- */

TEST(shortformer_numbers_are_matched)
{
	const struct help_case c = {.file = "seq/shortformer-a.safetensors",
				    .expression = "shortformer+causal"};
	struct help_result r;
	help_case_open(&r, &c);
	assert_int_equal(help_case_compare(&r, &c), 9); /* logits, weights, context of 3 heads */
	help_case_close(&r);
}

static void with_values(struct help_run *r)
{
	r->want.kinds |= WANT_QKV | WANT_INPUT;
}

TEST(shortformer_leaves_values_and_stream_alone)
{
	struct help_run r;
	help_run_must_open(&r, "shortformer", 6, 0, with_values);
	const struct trace *none = help_again(&r, "none", NULL);
	for (size_t h = 0; h < 4; h++) {
		const struct trace_head *got = &r.trace.layers[0].heads[h];
		const struct trace_head *plain = &none->layers[0].heads[h];
		assert_true(mat_max_abs_diff(got->v, plain->v) < 1e-12);
		assert_true(mat_max_abs_diff(got->q, plain->q) > 1e-3);
		assert_true(mat_max_abs_diff(got->k, plain->k) > 1e-3);
	}
	assert_true(mat_max_abs_diff(r.trace.layers[0].input, r.in.units) == 0);
	assert_null(r.trace.position_vectors.at);
	help_run_close(&r);
}

/* W_q = 0: attention is uniform, and no position is left in the output; sinusoids stay in it. */
TEST(shortformer_is_blind_under_uniform_attention)
{
	struct help_run r;
	help_run_must_open(&r, "shortformer", 6, 0, help_without_content);
	const struct trace *none = help_again(&r, "none", NULL);
	assert_true(help_output_apart(&r.trace, none, 1) < 1e-12);
	assert_true(help_output_apart(help_again(&r, "sinusoidal", NULL), none, 1) > 1e-3);
	help_run_close(&r);
}

TEST(shortformer_acts_in_every_layer_and_sinusoidal_in_the_first)
{
	struct help_run r;
	help_run_must_open(&r, "shortformer(layers=2)", 6, 0, NULL);
	const struct trace *none = help_again(&r, "none", NULL);
	assert_true(help_output_apart(&r.trace, none, 0) < 1e-12);
	assert_true(help_logits_apart(&r.trace, none, 1, 4) > 1e-3);
	const struct trace *first = help_again(&r, "shortformer(layers=1)", NULL);
	const struct trace *both = help_again(&r, "shortformer", NULL);
	assert_true(help_logits_apart(first, both, 0, 4) < 1e-12);
	assert_true(help_logits_apart(first, both, 1, 4) > 1e-3);
	const struct trace *once = help_again(&r, "sinusoidal(layers=1)", NULL);
	assert_true(help_output_apart(once, help_again(&r, "sinusoidal", NULL), 1) == 0);
	help_run_close(&r);
}
