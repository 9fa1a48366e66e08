/* test_scheme_recursive.c: positions that follow from one another: the three maps, by hand, and what
 * they become. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

/* Tensors given in the place of leaves. */
struct bag {
	struct tensor_set set;
	struct given given;
};

static void bag_open(struct bag *b, struct arena *a)
{
	tensor_set_init(&b->set, a);
	b->given = (struct given){.params = &b->set};
}

TEST(the_linear_map_that_turns_is_sinusoidal)
{
	struct help_run r;
	help_run_must_open(&r, "sinusoidal", 64, 0, NULL);
	const struct trace *linear = help_again(&r, "recursive(f=linear)", NULL);
	assert_true(mat_max_abs_diff(r.trace.position_vectors, linear->position_vectors) < 1e-12);
	assert_true(help_logits_apart(&r.trace, linear, 0, 4) < 1e-12);
	assert_true(help_output_apart(&r.trace, linear, 1) < 1e-11);
	help_run_close(&r);
}

/* p W + b of the leaves, by hand: row vectors. */
static double affine(const struct model *model, const double *p, size_t column)
{
	const struct mat w = help_leaf(model, "w");
	double sum = mat_row(help_leaf(model, "b"), 0)[column];
	for (size_t i = 0; i < w.rows; i++)
		sum += p[i] * mat_row(w, i)[column];
	return sum;
}

/* A gated recurrent unit whose input is constant, as PyTorch has it. */
static double gru(const struct model *model, const double *p, size_t j, size_t d)
{
	const double reset = help_sigmoid(affine(model, p, j)),
		     keep = help_sigmoid(affine(model, p, d + j));
	const double b_n = mat_row(help_leaf(model, "b"), 0)[2 * d + j];
	const double inner =
		affine(model, p, 2 * d + j) - b_n + mat_row(help_leaf(model, "b_hn"), 0)[j];
	return (1 - keep) * tanh(b_n + reset * inner) + keep * p[j];
}

TEST(each_row_is_the_map_of_the_one_before)
{
	static const char *const texts[] = {"recursive", "recursive(f=linear)", "recursive(f=gru)"};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		help_run_must_open(&r, texts[i], 12, 0, help_paper_init);
		const struct mat p = r.trace.position_vectors;
		assert_true(mat_max_abs_diff(mat_rows(p, 0, 1), help_leaf(&r.model, "p0")) < 1e-12);
		for (size_t t = 1; t < 12; t++)
			for (size_t j = 0; j < 32; j++) {
				const double *before = mat_row(p, t - 1);
				const double want = i == 2   ? gru(&r.model, before, j, 32)
						    : i == 1 ? affine(&r.model, before, j)
							     : tanh(affine(&r.model, before, j));
				assert_true(fabs(mat_row(p, t)[j] - want) < 1e-12);
			}
		help_run_close(&r);
	}
}

/* p_{k+m} = f^m(p_k): starting at p_5 gives the rows from 5 on. */
TEST(the_recursion_forgets_where_it_began)
{
	static const char *const texts[] = {"recursive", "recursive(f=gru)"};
	for (size_t i = 0; i < 2; i++) {
		struct help_run r;
		help_run_must_open(&r, texts[i], 12, 0, NULL);
		struct bag bag;
		bag_open(&bag, &r.arena);
		tensor_set_add(&bag.set, "p0",
			       mat_copy(&r.arena, mat_rows(r.trace.position_vectors, 5, 1)), false);
		const struct trace *later = help_again(&r, texts[i], &bag.given);
		assert_true(mat_max_abs_diff(mat_rows(later->position_vectors, 0, 7),
					     mat_rows(r.trace.position_vectors, 5, 7)) < 1e-12);
		help_run_close(&r);
	}
}

TEST(the_identity_is_one_offset_for_all)
{
	struct help_run r;
	help_run_must_open(&r, "recursive(f=linear)", 9, 0, NULL);
	struct bag bag;
	bag_open(&bag, &r.arena);
	const struct mat one = mat_zero(&r.arena, 32, 32);
	for (size_t i = 0; i < 32; i++)
		mat_row(one, i)[i] = 1;
	tensor_set_add(&bag.set, "w", one, false);
	const struct trace *same = help_again(&r, "recursive(f=linear)", &bag.given);
	for (size_t t = 1; t < 9; t++)
		assert_true(help_rows_apart(same->position_vectors, t, 0, 0, 32) < 1e-12);
	help_run_close(&r);
}

/* Reset gates open, update gates shut, the bias outside or inside: the tanh map. */
TEST(a_gru_with_fixed_gates_is_the_tanh_map)
{
	struct help_run r;
	help_run_must_open(&r, "recursive", 9, 0, help_paper_init);
	struct bag bag;
	bag_open(&bag, &r.arena);
	const struct mat w = mat_zero(&r.arena, 32, 96), b = mat_zero(&r.arena, 1, 96);
	mat_set(mat_cols(w, 64, 32), help_leaf(&r.model, "w"));
	mat_fill(mat_cols(b, 0, 32), 60);
	mat_fill(mat_cols(b, 32, 32), -60);
	mat_set(mat_cols(b, 64, 32), help_leaf(&r.model, "b"));
	tensor_set_add(&bag.set, "w", w, false);
	tensor_set_add(&bag.set, "b", b, false);
	tensor_set_add(&bag.set, "b_hn", mat_zero(&r.arena, 1, 32), false);
	help_traces_equal(&r.trace, help_again(&r, "recursive(f=gru)", &bag.given));
	help_run_close(&r);
}

/* The demo's tanh neither dies out nor stands still: far rows are as long as near ones, and rows two
 * apart are alike but not the same. */
TEST(the_demo_keeps_turning)
{
	static const char *const texts[] = {"recursive", "recursive(f=gru)"};
	for (size_t i = 0; i < 2; i++) {
		struct help_run r;
		help_run_must_open(&r, texts[i], 400, 0, NULL);
		const struct mat p = r.trace.position_vectors;
		for (size_t t = 1; t < 400; t++) {
			const double norm = mat_norm(mat_rows(p, t, 1));
			assert_true(norm > 2 && norm < 6);
			assert_true(help_rows_apart(p, t, t - 1, 0, 32) > 0.02);
		}
		help_run_close(&r);
	}
}

static double column_shift;

static void shifted(struct help_run *r)
{
	r->in.shift_column = "seq";
	r->in.shift_by = column_shift;
}

TEST(recursive_counts_whole_positions_from_zero)
{
	static const struct {
		double by;
		const char *error;
	} rows[] = {{100, NULL},
		    {-1, "counts positions from 0 to 16383"},
		    {16380, "needs number 16385; give smaller"},
		    {0.5, "whole numbers"}};
	for (size_t i = 0; i < 4; i++) {
		struct help_run r;
		column_shift = rows[i].by;
		const bool ok = help_run_open(&r, "recursive", 5, 0, shifted);
		assert_true(ok == !rows[i].error);
		if (!ok)
			assert_non_null(strstr(r.err.text, rows[i].error));
		help_run_close(&r);
	}
}
