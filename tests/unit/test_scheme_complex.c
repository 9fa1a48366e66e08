/* test_scheme_complex.c: complex embeddings and attention: what words and positions do to them, and the numbers
 * of the authors' code. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

static void with_everything(struct help_run *r)
{
	r->want.kinds |= WANT_INPUT | WANT_QKV | WANT_CONTEXT;
}

static void identity(struct help_run *r)
{
	with_everything(r);
	r->config.proj = PROJ_IDENTITY;
}

/* ---- words ---- */

/* Equal words turn alike, others not; the same word does so in any order of the text. */
TEST(a_word_has_its_own_frequencies)
{
	static const size_t order[] = {4, 3, 2, 1, 0};
	struct help_run r;
	help_run_must_open(&r, "complex(start=0)", 5, 3, with_everything); /* w0 w1 w2 w0 w1 */
	const struct mat here = help_again(&r, "complex", NULL)->layers[0].input;
	help_permute(&r, order);
	const struct mat there =
		help_again(&r, "complex(pos=remaining,start=0)", NULL)->layers[0].input;
	for (size_t t = 0; t < 5; t++) /* remaining = 5 - t */
		assert_true(mat_max_abs_diff(mat_rows(here, t, 1), mat_rows(there, 4 - t, 1)) <
			    1e-12);
	help_run_close(&r);
	help_run_must_open(&r, "complex", 5, 0, with_everything);
	const struct mat omega = help_leaf(&r.model, "omega");
	assert_int_equal(omega.rows, 512);
	size_t alike = 0;
	for (size_t t = 0; t < 5; t++) {
		const double turn =
			mat_row(r.trace.layers[0].input, t)[0] / mat_row(r.in.units, t)[0];
		size_t found = 0;
		for (size_t row = 0; row < 512; row++)
			found += fabs(cos(mat_row(omega, row)[0] * (double)(t + 1)) - turn) < 1e-12;
		assert_true(found > 0);
		alike += fabs(turn - cos((double)(t + 1))) < 1e-6;
	}
	assert_true(alike < 3);
	help_run_close(&r);
}

/* ω = θ = 0: the imaginary part is 0, and the hermitian form is the plain model at its own c. */
TEST(words_that_stand_still_are_real)
{
	struct help_run r;
	help_run_must_open(&r, "none", 6, 0, NULL);
	const struct trace *got =
		help_changed(&r, "complex(attention=hermitian)", help_zero_leaves);
	const struct trace *code = help_changed(&r, "complex", help_zero_leaves);
	for (size_t h = 0; h < 4; h++) {
		const struct mat a = got->layers[0].heads[h].logits;
		const struct mat b = r.trace.layers[0].heads[h].logits;
		const struct mat c = code->layers[0].heads[h].logits;
		for (size_t t = 0; t < 6; t++)
			for (size_t s = 0; s < 6; s++) {
				assert_true(fabs(mat_row(a, t)[s] - mat_row(b, t)[s]) < 1e-11);
				assert_true(fabs(mat_row(c, t)[s] - fabs(mat_row(b, t)[s])) < 1e-9);
			}
	}
	assert_true(help_output_apart(got, &r.trace, 1) < 1e-11);
	help_run_close(&r);
}

static double hankel_error(struct mat m)
{
	double worst = 0;
	for (size_t t = 1; t < m.rows; t++)
		for (size_t s = 0; s + 1 < m.cols; s++)
			worst = fmax(worst, fabs(mat_row(m, t)[s] - mat_row(m, t - 1)[s + 1]));
	return worst;
}

/* Without a conjugate scores of equal words depend on t + s, with one on t - s. */
TEST(the_conjugate_makes_it_relative)
{
	struct help_run r;
	help_run_must_open(&r, "complex", 8, 0, identity);
	const struct trace *hermitian = help_again(&r, "complex(attention=hermitian)", NULL);
	const struct mat sum = r.trace.layers[0].heads[0].bias;
	const struct mat difference = hermitian->layers[0].heads[0].bias;
	assert_true(hankel_error(sum) < 1e-11 && help_toeplitz_error(sum) > 1e-2);
	assert_true(help_toeplitz_error(difference) < 1e-11 && hankel_error(difference) > 1e-2);
	help_run_close(&r);
}

/* |g(t)_k| = |r_k| wherever the word stands. */
TEST(lengths_do_not_depend_on_positions)
{
	struct help_run r;
	help_run_must_open(&r, "complex(start=0)", 6, 0, with_everything);
	for (size_t t = 0; t < 6; t++)
		for (size_t j = 0; j < r.config.d; j++)
			assert_true(fabs(mat_row(r.trace.layers[0].input, t)[j]) <=
				    fabs(mat_row(r.in.units, t)[j]) + 1e-12);
	assert_true(mat_max_abs_diff(mat_rows(r.trace.layers[0].input, 0, 1),
				     mat_rows(r.in.units, 0, 1)) == 0);
	help_run_close(&r);
}

/* ---- what all learned schemes must do ---- */

TEST(counts_are_those_of_the_leaves)
{
	struct help_run r;
	help_run_must_open(&r, "complex(n=10)", 4, 0, NULL);
	assert_int_equal(model_position_parameters(&r.model), 2 * 10 * 32);
	const struct expr_member *m = &r.expr.members[0];
	assert_true(scheme_value(m->scheme, m->param, &r.config, m->scheme->count_printed) ==
		    2 * 10 * 32);
	assert_true(fabs(r.model.c - 0.25) < 1e-15); /* 1/√(2·8) */
	help_run_close(&r);
}

static struct mat reference(const struct help_result *r, size_t head, const char *name)
{
	char full[64];
	snprintf(full, sizeof full, "head.%zu.%s", head, name);
	const struct tensor *t = tensor_find(&r->set, full);
	assert_non_null(t);
	return tensor_mat(t);
}

TEST(reference_numbers_are_matched)
{
	static const struct {
		const char *expression, *logits, *weights, *context;
	} rows[] = {
		{"complex(n=1,phase=off)", "logits", "weights", "context_re"},
		{"complex(n=1,phase=off,attention=split)", "parts_logits_re", "parts_weights_re",
		 "parts_context_re"},
		{"complex(n=1,phase=off,attention=hermitian)", "hermitian_logits", NULL, NULL},
	};
	for (size_t i = 0; i < 3; i++) {
		const struct help_case c = {.file = "seq/complex-a.safetensors",
					    .expression = rows[i].expression};
		struct help_result r;
		help_case_open(&r, &c);
		assert_true(r.model.leaves[0].given && r.model.n_leaves == 1);
		const struct mat x = tensor_mat(tensor_find(&r.set, "position.real"));
		const struct mat input = tensor_mat(tensor_find(&r.set, "input"));
		for (size_t t = 0; t < x.rows; t++)
			for (size_t j = 0; j < x.cols; j++)
				assert_true(fabs(mat_row(r.trace.position_vectors, t)[j] +
						 mat_row(input, t)[j] - mat_row(x, t)[j]) < 1e-12);
		for (size_t h = 0; h < 3; h++) {
			const struct trace_head *head = &r.trace.layers[0].heads[h];
			assert_true(mat_max_abs_diff(head->logits,
						     reference(&r, h, rows[i].logits)) < 1e-9);
			if (!rows[i].weights)
				continue;
			assert_true(mat_max_abs_diff(head->weights,
						     reference(&r, h, rows[i].weights)) < 1e-9);
			assert_true(mat_max_abs_diff(head->context,
						     reference(&r, h, rows[i].context)) < 1e-9);
		}
		help_case_close(&r);
	}
}

/* The second plane of the split form is the softmax of the imaginary part. */
TEST(the_second_plane_is_the_imaginary_part)
{
	const struct help_case c = {.file = "seq/complex-a.safetensors",
				    .expression = "complex(n=1,phase=off,attention=split)"};
	struct help_result r;
	help_case_open(&r, &c);
	assert_int_equal(r.trace.planes, 2);
	const struct mat units = tensor_mat(tensor_find(&r.set, "input"));
	const struct model_input in = {.axis = r.trace.query, .units = units};
	const struct want want = {.kinds = WANT_WEIGHTS, .layer = 0, .head = -1, .plane = 1};
	struct trace trace;
	struct err err;
	assert_true(model_run(&r.model, &in, &want, NULL, NULL, &r.arena, &trace, &err));
	for (size_t h = 0; h < 3; h++)
		assert_true(mat_max_abs_diff(trace.layers[0].heads[h].weights,
					     reference(&r, h, "parts_weights_im")) < 1e-9);
	help_case_close(&r);
}
