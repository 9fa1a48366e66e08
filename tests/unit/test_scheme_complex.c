/* test_scheme_complex.c: complex embeddings and attention, written once more with complex numbers,
 * and the numbers of the authors' code. */
#include <complex.h>
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

/* ---- a complex model, one entry at a time ---- */

enum { N = 5, D = 32, HEADS = 4, DK = 8 };

typedef double complex entry;

struct stream {
	entry at[N][D];
};

static struct mat weight(const struct trace *trace, size_t layer, const char *name)
{
	const struct trace_layer *l = &trace->layers[layer];
	for (size_t i = 0; i < l->n_weights; i++)
		if (strcmp(l->weights[i].name, name) == 0)
			return l->weights[i].at;
	fail_msg("no weight %s", name);
	return (struct mat){0};
}

/* out = in · w, the same real matrix for both parts */
static void project(struct stream *out, const struct stream *in, struct mat w)
{
	for (size_t t = 0; t < N; t++)
		for (size_t c = 0; c < D; c++) {
			out->at[t][c] = 0;
			for (size_t k = 0; k < D; k++)
				out->at[t][c] += in->at[t][k] * mat_row(w, k)[c];
		}
}

/* Softmax of one row of scores. */
static void softmax(double out[N], const double in[N])
{
	double sum = 0;
	for (size_t s = 0; s < N; s++)
		sum += out[s] = exp(in[s]);
	for (size_t s = 0; s < N; s++)
		out[s] /= sum;
}

static entry product(const struct stream *q, const struct stream *k, size_t head, size_t t,
		     size_t s, bool conjugate)
{
	entry sum = 0;
	for (size_t j = head * DK; j < (head + 1) * DK; j++)
		sum += q->at[t][j] * (conjugate ? conj(k->at[s][j]) : k->at[s][j]);
	return sum / sqrt(2 * DK);
}

/* Weights of a row: α alone, or α and β apart. */
static void weigh(const char *attention, const struct stream *q, const struct stream *k,
		  size_t head, size_t t, double alpha[N], double beta[N])
{
	double re[N], im[N];
	memset(beta, 0, N * sizeof *beta);
	for (size_t s = 0; s < N; s++) {
		const bool hermitian = strcmp(attention, "hermitian") == 0;
		const entry a = product(q, k, head, t, s, hermitian);
		re[s] = strcmp(attention, "code") == 0 ? cabs(a) : creal(a);
		im[s] = cimag(a);
	}
	softmax(alpha, re);
	if (strcmp(attention, "split") == 0)
		softmax(beta, im);
}

static void attend(const char *attention, struct stream *out, const struct stream *q,
		   const struct stream *k, const struct stream *v)
{
	for (size_t t = 0; t < N; t++)
		for (size_t h = 0; h < HEADS; h++) {
			double alpha[N], beta[N];
			weigh(attention, q, k, h, t, alpha, beta);
			for (size_t j = h * DK; j < (h + 1) * DK; j++) {
				out->at[t][j] = 0;
				for (size_t s = 0; s < N; s++)
					out->at[t][j] += (alpha[s] + I * beta[s]) * v->at[s][j];
			}
		}
}

/* LayerNorm of one part of a row, eps 1e-5. */
static void normalise(double row[D])
{
	double mean = 0, square = 0;
	for (size_t j = 0; j < D; j++)
		mean += row[j] / D;
	for (size_t j = 0; j < D; j++)
		square += (row[j] - mean) * (row[j] - mean) / D;
	for (size_t j = 0; j < D; j++)
		row[j] = (row[j] - mean) / sqrt(square + 1e-5);
}

/* One part of a row through the rest of the layer: LN(o + W2 relu(W1 o)), o = LN(m + x). */
static void rest_of_layer(double row[D], struct mat w1, struct mat w2)
{
	double out[D];
	normalise(row);
	memcpy(out, row, sizeof out);
	for (size_t f = 0; f < w1.cols; f++) {
		double x = 0;
		for (size_t j = 0; j < D; j++)
			x += row[j] * mat_row(w1, j)[f];
		for (size_t j = 0; j < D && x > 0; j++)
			out[j] += x * mat_row(w2, f)[j];
	}
	normalise(out);
	memcpy(row, out, sizeof out);
}

static void layer(const char *attention, const struct trace *trace, size_t l, struct stream *x)
{
	struct stream q, k, v, m;
	project(&q, x, weight(trace, l, "w_q"));
	project(&k, x, weight(trace, l, "w_k"));
	project(&v, x, weight(trace, l, "w_v"));
	attend(attention, &m, &q, &k, &v);
	for (size_t t = 0; t < N; t++) {
		double re[D], im[D];
		for (size_t j = 0; j < D; j++) {
			re[j] = creal(m.at[t][j] + x->at[t][j]);
			im[j] = cimag(m.at[t][j] + x->at[t][j]);
		}
		rest_of_layer(re, weight(trace, l, "w_ff1"), weight(trace, l, "w_ff2"));
		rest_of_layer(im, weight(trace, l, "w_ff1"), weight(trace, l, "w_ff2"));
		for (size_t j = 0; j < D; j++)
			x->at[t][j] = re[j] + I * im[j];
	}
}

static void check_real(const char *what, struct mat got, const struct stream *want)
{
	for (size_t t = 0; t < N; t++)
		for (size_t j = 0; j < D; j++)
			if (!(fabs(mat_row(got, t)[j] - creal(want->at[t][j])) < 1e-10))
				fail_msg("%s (%zu, %zu): %g, not %g", what, t, j,
					 mat_row(got, t)[j], creal(want->at[t][j]));
}

/* Two layers, all words in one row of the tables. */
TEST(the_model_is_complex_throughout)
{
	static const char *const attentions[] = {"code", "split", "hermitian"};
	for (size_t i = 0; i < 3; i++) {
		char text[64];
		snprintf(text, sizeof text, "complex(n=1,attention=%s)", attentions[i]);
		struct help_run r;
		help_run_must_open(&r, text, N, 0, with_everything);
		const struct trace *got = help_changed(&r, text, help_draw_leaves);
		help_draw_leaves(&r.model);
		const double *omega = help_leaf(&r.model, "omega").at,
			     *theta = help_leaf(&r.model, "theta").at;
		struct stream x;
		for (size_t t = 0; t < N; t++)
			for (size_t j = 0; j < D; j++)
				x.at[t][j] = mat_row(r.in.units, t)[j] *
					     cexp(I * (omega[j] * (double)(t + 1) + theta[j]));
		check_real("input", got->layers[0].input, &x);
		layer(attentions[i], got, 0, &x);
		check_real("layer 1", got->layers[0].output, &x);
		layer(attentions[i], got, 1, &x);
		check_real("layer 2", got->layers[1].output, &x);
		help_run_close(&r);
	}
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
		for (size_t j = 0; j < D; j++)
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
