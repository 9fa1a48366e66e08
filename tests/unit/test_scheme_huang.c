/* test_scheme_huang.c: the four methods against their equations, the limits in which they become each
 * other, sharing, and BERT's numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

enum { N = 7 };

static void with_qkv(struct help_run *r)
{
	r->want.kinds |= WANT_QKV;
	r->config.t_max = 9;
}

/* Numbers by distance and column: entry i of 2·9 - 1 stands for s - t = i - 8, of 9 for |s-t| = i. */
static double number(long delta, size_t col)
{
	return 0.3 + cos(0.9 * (double)delta + 1.1 * (double)col) + 0.2 * (double)delta;
}

static void draw_numbers(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct mat at = model->leaves[i].at;
		const long zero = at.rows == model->config.t_max ? 0 : (long)at.rows / 2;
		for (size_t r = 0; r < at.rows; r++)
			for (size_t c = 0; c < at.cols; c++)
				mat_row(at, r)[c] = number((long)r - zero, c);
	}
}

static double plain(const struct trace_head *head, size_t t, size_t s, size_t dk)
{
	double sum = 0;
	for (size_t j = 0; j < dk; j++)
		sum += mat_row(head->q, t)[j] * mat_row(head->k, s)[j];
	return sum / sqrt((double)dk);
}

/* Survey eq. 18 to 20 for head h; `first` is the head's first column in the table. */
static double defined(int method, const struct trace_head *head, size_t t, size_t s, size_t h,
		      size_t first, size_t dk)
{
	const long delta = (long)s - (long)t;
	double sum = 0;
	if (method == 1)
		return plain(head, t, s, dk) * number(labs(delta), h);
	if (method == 2)
		return plain(head, t, s, dk) * number(delta, h);
	for (size_t j = 0; j < dk; j++) {
		const double q = mat_row(head->q, t)[j], k = mat_row(head->k, s)[j];
		const double r = number(delta, first + j);
		sum += method == 3 ? q * k * r : (q + r) * (k + r) - r * r;
	}
	return sum / sqrt((double)dk);
}

TEST(logits_are_those_of_the_equations)
{
	for (int method = 1; method <= 4; method++)
		for (size_t share = 0; share < 3; share++) {
			static const char *const names[] = {"none", "head", "layer"};
			char text[64];
			snprintf(text, sizeof text, "huang%d(share=%s)", method, names[share]);
			struct help_run r;
			help_run_must_open(&r, text, N, 0, with_qkv);
			const struct trace *trace = help_changed(&r, text, draw_numbers);
			const size_t dk = r.model.dk;
			for (size_t h = 0; h < r.config.heads; h++) {
				const struct trace_head *head = &trace->layers[1].heads[h];
				const size_t copy = share == 1 ? 0 : h;
				for (size_t t = 0; t < N; t++)
					for (size_t s = 0; s < N; s++)
						assert_true(fabs(mat_row(head->logits, t)[s] -
								 defined(method, head, t, s, copy,
									 copy * dk, dk)) < 1e-10);
			}
			help_run_close(&r);
		}
}

/* What HF does: t - s, and one table for all heads. */
static void mirror_rows(struct model *model)
{
	draw_numbers(model);
	const struct mat at = model->leaves[0].at;
	const struct mat copy = mat_copy(model->arena, at);
	for (size_t l = 0; l < model->n_leaves; l++)
		for (size_t r = 0; r < at.rows; r++)
			mat_set(mat_rows(model->leaves[l].at, r, 1),
				mat_rows(copy, at.rows - 1 - r, 1));
}

TEST(signs_mirror_the_table)
{
	struct help_run r;
	help_run_must_open(&r, "none", N, 0, with_qkv);
	const struct trace *st = help_changed(&r, "huang4", draw_numbers);
	const struct trace *ts = help_changed(&r, "huang4(sign=ts)", mirror_rows);
	assert_true(help_output_apart(st, ts, 1) < 1e-12);
	const struct trace *demo_st = help_again(&r, "huang4", NULL);
	const struct trace *demo_ts = help_again(&r, "huang4(sign=ts)", NULL);
	assert_true(help_output_apart(demo_st, demo_ts, 1) < 1e-12);
	help_run_close(&r);
}

static void fill_ones(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		mat_fill(model->leaves[i].at, 1);
}

TEST(neutral_tables_leave_the_plain_model)
{
	static const struct {
		const char *id;
		void (*change)(struct model *model);
	} cases[] = {{"huang1", fill_ones},
		     {"huang2", fill_ones},
		     {"huang3", fill_ones},
		     {"huang4", help_zero_leaves}};
	for (size_t i = 0; i < 4; i++) {
		struct help_run r;
		help_run_must_open(&r, cases[i].id, 9, 0, NULL);
		const struct trace *none = help_again(&r, "none", NULL);
		const struct trace *neutral = help_changed(&r, cases[i].id, cases[i].change);
		assert_true(help_output_apart(neutral, none, 1) < 1e-12);
		assert_true(help_output_apart(&r.trace, none, 1) > 1e-3);
		help_run_close(&r);
	}
}

TEST(neutral_is_where_the_first_three_start)
{
	static const char *const ids[] = {"huang1", "huang2", "huang3"};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		help_run_must_open(&r, ids[i], 6, 0, help_paper_init);
		assert_true(help_output_apart(&r.trace, help_again(&r, "none", NULL), 1) < 1e-12);
		help_run_close(&r);
	}
}

/* Symmetric numbers, the same in every component: methods 1, 2 and 3 are one. */
static void draw_symmetric(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct mat at = model->leaves[i].at;
		const long zero = at.rows == model->config.t_max ? 0 : (long)at.rows / 2;
		const size_t heads = model->config.heads;
		for (size_t r = 0; r < at.rows; r++)
			for (size_t c = 0; c < at.cols; c++)
				mat_row(at, r)[c] =
					number(labs((long)r - zero), c / (at.cols / heads));
	}
}

TEST(methods_become_each_other)
{
	struct help_run r;
	help_run_must_open(&r, "none", N, 0, with_qkv);
	const struct trace *one = help_changed(&r, "huang1", draw_symmetric);
	const struct trace *two = help_changed(&r, "huang2", draw_symmetric);
	const struct trace *three = help_changed(&r, "huang3", draw_symmetric);
	for (size_t l = 0; l < 2; l++) {
		assert_true(help_logits_apart(one, two, l, r.config.heads) < 1e-12);
		assert_true(help_logits_apart(one, three, l, r.config.heads) < 1e-12);
	}
	help_run_close(&r);
}

/* Method 4 less the key's side is Shaw's on keys, and both stand apart as terms. */
TEST(method_4_is_shaw_and_a_term_of_the_key)
{
	struct help_run r;
	help_run_must_open(&r, "none", N, 0, with_qkv);
	r.want.kinds |= WANT_TERMS;
	const struct trace *four = help_changed(&r, "huang4", draw_numbers);
	const struct trace *shaw = help_changed(&r, "shaw(clip=0,values=off)", draw_numbers);
	for (size_t h = 0; h < r.config.heads; h++) {
		const struct trace_head *a = &four->layers[0].heads[h];
		const struct trace_head *b = &shaw->layers[0].heads[h];
		assert_int_equal(a->n_terms, 3);
		assert_true(mat_max_abs_diff(a->terms[1].at, b->terms[1].at) < 1e-12);
		for (size_t t = 0; t < N; t++)
			for (size_t s = 0; s < N; s++)
				assert_true(fabs(mat_row(a->logits, t)[s] -
						 mat_row(b->logits, t)[s] -
						 mat_row(a->terms[2].at, t)[s]) < 1e-12);
	}
	help_run_close(&r);
}

static void short_table(struct help_run *r)
{
	r->config.t_max = 5;
}

TEST(tables_end_at_t_max)
{
	static const struct {
		const char *id;
		size_t rows, cols;
	} cases[] = {{"huang1", 5, 4}, {"huang2", 9, 4}, {"huang3", 9, 32}, {"huang4", 9, 8}};
	for (size_t i = 0; i < 4; i++) {
		struct help_run r;
		help_run_must_open(&r, cases[i].id, 5, 0, short_table);
		assert_int_equal(r.model.n_leaves, 2);
		assert_int_equal(r.model.leaves[0].at.rows, cases[i].rows);
		assert_int_equal(r.model.leaves[0].at.cols, cases[i].cols);
		help_run_close(&r);
		assert_false(help_run_open(&r, cases[i].id, 6, 0, short_table));
		assert_non_null(strstr(r.err.text, "t-max 5"));
		help_run_close(&r);
	}
}

/* The survey's d l h (2 t_max - 1), d the width of a head, is method 3's count. */
TEST(counts_follow_from_sharing)
{
	static const struct {
		const char *text;
		size_t count;
	} cases[] = {
		{"huang3", 8 * 2 * 4 * 9},
		{"huang3(share=head)", 8 * 2 * 9},
		{"huang3(share=layer)", 8 * 4 * 9},
		{"huang1", 2 * 4 * 5},
		{"huang1(share=head)", 2 * 5},
		{"huang1(share=layer)", 4 * 5},
		{"huang4", 8 * 2 * 9},
		{"huang4(share=none)", 8 * 2 * 4 * 9},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, cases[i].text, 4, 0, short_table);
		assert_int_equal(model_position_parameters(&r.model), cases[i].count);
		help_run_close(&r);
	}
}

TEST(reference_numbers_are_matched)
{
	static const struct help_case c = {.file = "seq/huang4-a.safetensors",
					   .expression = "huang4(sign=ts)",
					   .map = {"r=param.table"},
					   .t_max = 9};
	struct help_result r;
	help_case_open(&r, &c);
	assert_int_equal(r.model.n_leaves, 1);
	assert_true(r.model.leaves[0].given);
	assert_true(help_case_compare(&r, &c) >= 12);
	help_case_close(&r);
}

/* On the probe the factor is the table itself, and Toeplitz. */
TEST(modulation_is_the_table)
{
	struct help_run r;
	help_run_must_open(&r, "none", N, 0, with_qkv);
	r.want.kinds |= WANT_MODULATION;
	const struct trace *trace = help_changed(&r, "huang2", draw_numbers);
	for (size_t h = 0; h < r.config.heads; h++) {
		const struct mat factor = trace->layers[0].heads[h].modulation;
		for (size_t t = 0; t < N; t++)
			for (size_t s = 0; s < N; s++)
				assert_true(fabs(mat_row(factor, t)[s] -
						 number((long)s - (long)t, h)) < 1e-9);
	}
	help_run_close(&r);
}
