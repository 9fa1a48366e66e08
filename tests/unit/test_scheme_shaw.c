/* test_scheme_shaw.c: which vector a pair reads, what it does to logits and values, and the same
 * numbers as three codes. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

/* w_key row i is i+1 times ones and a query is ones: the bias tells the index, c·dk·(i+1) = i+1
 * times sqrt(dk). */
static void number_rows(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		for (size_t r = 0; r < model->leaves[i].at.rows; r++)
			mat_fill(mat_rows(model->leaves[i].at, r, 1), (double)r + 1);
}

/* The index of a pair, read off the bias of numbered rows. */
static double index_read(const struct help_run *r, const struct trace *trace, size_t t, size_t s)
{
	const double one = r->model.c * r->model.gain * (double)r->model.dk;
	return mat_row(trace->layers[0].heads[0].bias, t)[s] / one - 1;
}

/* Clip 2, 5 units, row t = 1: 1 2 3 4 4; the other sign mirrors. */
TEST(index_is_key_minus_query_clipped)
{
	static const double want[] = {1, 2, 3, 4, 4}, mirrored[] = {3, 2, 1, 0, 0};
	struct help_run r;
	help_run_must_open(&r, "shaw(clip=2)", 5, 0, help_identity);
	const struct trace *st = help_changed(&r, "shaw(clip=2)", number_rows);
	const struct trace *ts = help_changed(&r, "shaw(clip=2,sign=ts)", number_rows);
	for (size_t s = 0; s < 5; s++) {
		assert_true(fabs(index_read(&r, st, 1, s) - want[s]) < 1e-9);
		assert_true(fabs(index_read(&r, ts, 1, s) - mirrored[s]) < 1e-9);
	}
	help_run_close(&r);
}

TEST(vectors_of_0_leave_the_plain_model)
{
	struct help_run r;
	help_run_must_open(&r, "shaw", 9, 0, NULL);
	const struct trace *none = help_again(&r, "none", NULL);
	const struct trace *zeroed = help_changed(&r, "shaw", help_zero_leaves);
	assert_true(help_output_apart(zeroed, none, 1) < 1e-12);
	assert_true(help_output_apart(&r.trace, none, 1) > 1e-3);
	help_run_close(&r);
}

/* The same vector at every distance: keys feel a constant per row, contexts move by the vector. */
static void same_values(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct mat at = model->leaves[i].at;
		for (size_t r = 0; r < at.rows; r++)
			for (size_t c = 0; c < at.cols; c++)
				mat_row(at, r)[c] = 0.5 + (double)c;
	}
}

static void with_context(struct help_run *r)
{
	r->want.kinds |= WANT_CONTEXT;
}

TEST(equal_value_vectors_shift_every_context)
{
	struct help_run r;
	help_run_must_open(&r, "none", 6, 0, with_context);
	const struct trace *none = help_again(&r, "none", NULL);
	const struct trace *same = help_changed(&r, "shaw", same_values);
	const struct trace *keys = help_changed(&r, "shaw(values=off)", same_values);
	for (size_t h = 0; h < r.config.heads; h++) {
		const struct mat a = none->layers[0].heads[h].context;
		const struct mat b = same->layers[0].heads[h].context;
		for (size_t t = 0; t < 6; t++)
			for (size_t j = 0; j < a.cols; j++)
				assert_true(fabs(mat_row(b, t)[j] - mat_row(a, t)[j] - 0.5 -
						 (double)j) < 1e-10);
		assert_true(mat_max_abs_diff(keys->layers[0].heads[h].context, a) < 1e-10);
	}
	help_run_close(&r);
}

/* Equal queries: the position part is a function of the distance, constant from clip on. */
TEST(bias_is_toeplitz_and_constant_beyond_the_clip)
{
	struct help_run r;
	help_run_must_open(&r, "shaw(clip=3)", 10, 0, NULL);
	for (size_t h = 0; h < r.config.heads; h++) {
		const struct mat bias = r.trace.layers[0].heads[h].bias;
		assert_true(help_toeplitz_error(bias) < 1e-10);
		assert_true(fabs(mat_row(bias, 0)[3] - mat_row(bias, 0)[9]) < 1e-10);
		assert_true(fabs(mat_row(bias, 9)[0] - mat_row(bias, 9)[6]) < 1e-10);
		assert_true(fabs(mat_row(bias, 0)[2] - mat_row(bias, 0)[3]) > 1e-4);
	}
	help_run_close(&r);
}

/* The demo rule knows the sign: t-s reads its mirrored table in the mirrored order. */
TEST(both_signs_start_from_the_same_picture)
{
	struct help_run r;
	help_run_must_open(&r, "shaw(clip=3)", 7, 0, NULL);
	const struct trace *ts = help_again(&r, "shaw(clip=3,sign=ts)", NULL);
	assert_true(help_output_apart(&r.trace, ts, 1) < 1e-10);
	help_run_close(&r);
}

/* Reversed units with w_δ and w_-δ exchanged: the reversed output. */
static void swap_rows(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct mat at = model->leaves[i].at;
		for (size_t r = 0; r < at.rows / 2; r++)
			for (size_t c = 0; c < at.cols; c++) {
				const double x = mat_row(at, r)[c];
				mat_row(at, r)[c] = mat_row(at, at.rows - 1 - r)[c];
				mat_row(at, at.rows - 1 - r)[c] = x;
			}
	}
}

TEST(swapped_table_sees_the_reversed_text_alike)
{
	static const size_t reversed[] = {6, 5, 4, 3, 2, 1, 0};
	struct help_run r;
	help_run_must_open(&r, "shaw(clip=3)", 7, 0, NULL);
	help_permute(&r, reversed);
	const struct trace *swapped = help_changed(&r, "shaw(clip=3)", swap_rows);
	for (size_t t = 0; t < 7; t++)
		assert_true(mat_max_abs_diff(mat_rows(r.trace.layers[1].output, t, 1),
					     mat_rows(swapped->layers[1].output, 6 - t, 1)) <
			    1e-10);
	help_run_close(&r);
}

/* Rosendahl's reading: components 0, 1 of width 32 turn with 1; 2, 3 with 10000^(-2/32). */
TEST(sinusoids_are_the_fast_ones_of_the_wide_encoding)
{
	struct help_run r;
	help_run_must_open(&r, "shaw(table=sinusoidal,sign=ts,clip=4)", 8, 0, help_identity);
	assert_int_equal(r.model.n_leaves, 0);
	const double cg = r.model.c * r.model.gain;
	const struct mat bias = r.trace.layers[0].heads[0].bias;
	for (size_t t = 0; t < 8; t++)
		for (size_t s = 0; s < 8; s++) {
			const double far = (double)t - (double)s;
			const double delta = fmax(-4, fmin(4, far));
			double sum = 0;
			for (size_t i = 0; i < r.model.dk / 2; i++) {
				const double angle = delta * pow(10000, -2 * (double)i / 32);
				sum += sin(angle) + cos(angle);
			}
			assert_true(fabs(mat_row(bias, t)[s] - cg * sum) < 1e-10);
		}
	help_run_close(&r);
}

TEST(without_clipping_there_is_a_bound)
{
	struct help_run r;
	help_run_must_open(&r, "shaw(clip=0)", 6, 0, help_short_table);
	assert_int_equal(r.model.leaves[0].at.rows, 11);
	help_run_close(&r);
	assert_false(help_run_open(&r, "shaw(clip=0)", 7, 0, help_short_table));
	assert_non_null(strstr(r.err.text, "t-max 6"));
	help_run_close(&r);
	help_run_must_open(&r, "shaw(clip=5)", 12, 0, help_short_table);
	help_run_close(&r);
}

TEST(positions_come_from_the_column)
{
	static const double places[] = {0, 9, 1};
	struct help_run r;
	help_run_must_open(&r, "shaw(clip=2)", 3, 0, help_identity);
	r.in.word = places;
	const struct trace *trace = help_changed(&r, "shaw(clip=2,pos=word)", number_rows);
	static const double want[3][3] = {{2, 4, 3}, {0, 2, 0}, {1, 4, 2}};
	for (size_t t = 0; t < 3; t++)
		for (size_t s = 0; s < 3; s++)
			assert_true(fabs(index_read(&r, trace, t, s) - want[t][s]) < 1e-9);
	help_run_close(&r);
}

TEST(counts_are_those_of_the_leaves)
{
	struct help_run r;
	help_run_must_open(&r, "shaw(clip=3)", 4, 0, NULL); /* 2 (2·3+1) 8 2 */
	assert_int_equal(model_position_parameters(&r.model), 224);
	const struct expr_member *m = &r.expr.members[0];
	assert_true(scheme_value(m->scheme, m->param, &r.config, m->scheme->count_printed) ==
		    2 * 1023 * 32 * 2);
	help_run_close(&r);
}

TEST(reference_numbers_are_matched)
{
	static const struct help_case cases[] = {
		{.file = "seq/shaw-a.safetensors", .expression = "shaw(clip=3)"},
		{.file = "seq/shaw-t2t-a.safetensors", .expression = "shaw(clip=2)"},
		{.file = "seq/shaw-bert_relative_key-a.safetensors",
		 .expression = "shaw(clip=0,sign=ts,values=off)",
		 .map = {"w_key=param.table"},
		 .t_max = 9},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct help_result r;
		help_case_open(&r, &cases[i]);
		for (size_t l = 0; l < r.model.n_leaves; l++)
			assert_true(r.model.leaves[l].given);
		assert_true(help_case_compare(&r, &cases[i]) >= 12);
		help_case_close(&r);
	}
}
