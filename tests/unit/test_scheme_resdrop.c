/* test_scheme_resdrop.c: what a layer keeps of positions when its residual is gone. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"
#include "scheme/sinusoid.h"

static size_t wanted_layers;

static void with_layers(struct help_run *r)
{
	r->config.layers = wanted_layers;
}

/* Layer 3 of 5, as in the paper; from it on, outputs differ from those of the full model. */
TEST(the_middle_layer_is_meant_by_default)
{
	static const struct {
		size_t layers, middle;
	} rows[] = {{1, 1}, {2, 1}, {3, 2}, {5, 3}, {6, 3}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		wanted_layers = rows[i].layers;
		help_run_must_open(&r, "sinusoidal+resdrop", 7, 0, with_layers);
		const struct trace *full = help_again(&r, "sinusoidal", NULL);
		for (size_t l = 0; l < rows[i].layers; l++) {
			const double apart = help_output_apart(&r.trace, full, l);
			assert_true(l + 1 < rows[i].middle ? apart < 1e-12 : apart > 1e-3);
		}
		help_run_close(&r);
	}
}

TEST(layer_chooses_one_or_is_refused)
{
	struct help_run r;
	help_run_must_open(&r, "sinusoidal+resdrop(layer=2)", 7, 0, NULL);
	const struct trace *full = help_again(&r, "sinusoidal", NULL);
	assert_true(help_output_apart(&r.trace, full, 0) < 1e-12);
	assert_true(help_output_apart(&r.trace, full, 1) > 1e-3);
	help_run_close(&r);
	assert_false(help_run_open(&r, "resdrop(layer=3)", 7, 0, NULL));
	assert_non_null(strstr(r.err.text, "there are 2 layers"));
	help_run_close(&r);
}

static void uniform(struct help_run *r)
{
	r->config.content = 0;
	r->config.layers = 1;
	r->want.kinds |= WANT_CONTEXT | WANT_INPUT;
}

static double rows_apart(struct mat m)
{
	double worst = 0;
	for (size_t t = 1; t < m.rows; t++)
		worst = fmax(worst, mat_max_abs_diff(mat_rows(m, t, 1), mat_rows(m, 0, 1)));
	return worst;
}

/* With uniform attention every row gathers the same: positions and words alike are gone. */
TEST(uniform_attention_makes_all_rows_equal)
{
	struct help_run r;
	help_run_must_open(&r, "sinusoidal+resdrop", 7, 0, uniform);
	assert_true(rows_apart(r.trace.layers[0].output) < 1e-12);
	const struct trace *mean = help_again(&r, "sinusoidal+resdrop(residual=mean)", NULL);
	assert_true(rows_apart(mean->layers[0].output) < 1e-12);
	assert_true(help_output_apart(&r.trace, mean, 0) > 1e-3);
	const struct trace *full = help_again(&r, "sinusoidal", NULL);
	assert_true(rows_apart(full->layers[0].output) > 0.1);
	help_run_close(&r);
}

/* Attention that looks at itself alone loses nothing. */
TEST(identity_attention_keeps_the_rows_apart)
{
	struct help_run r;
	help_run_must_open(&r, "sinusoidal+gauss(offsets=[0],std=0.05,renorm=on)+resdrop", 7, 0,
			   uniform);
	assert_true(rows_apart(r.trace.layers[0].output) > 0.1);
	help_run_close(&r);
}

static void zero_feed_forward(struct help_run *r)
{
	r->config.layers = 1;
	r->want.kinds |= WANT_CONTEXT | WANT_INPUT;
}

/* LayerNorm of a row in place, eps 1e-5; twice, as the feed-forward block is zero here. */
static void normalise(double *row, size_t n)
{
	for (int pass = 0; pass < 2; pass++) {
		double mean = 0, variance = 0;
		for (size_t j = 0; j < n; j++)
			mean += row[j] / (double)n;
		for (size_t j = 0; j < n; j++)
			variance += pow(row[j] - mean, 2) / (double)n;
		for (size_t j = 0; j < n; j++)
			row[j] = (row[j] - mean) / sqrt(variance + 1e-5);
	}
}

/* O = LN(M), LN(M + mean X), LN(M + X) by hand. */
TEST(output_is_that_of_the_definition)
{
	static const char *const expressions[] = {"rope+resdrop", "rope+resdrop(residual=mean)",
						  "rope"};
	struct help_run r;
	help_run_must_open(&r, "rope", 7, 0, zero_feed_forward);
	struct tensor_set set;
	tensor_set_init(&set, &r.arena);
	tensor_set_add(&set, "w_ff1", mat_zero(&r.arena, 32, 64), false);
	tensor_set_add(&set, "w_ff2", mat_zero(&r.arena, 64, 32), false);
	const struct given given = {.weights = &set};
	double mean[32] = {0};
	for (size_t t = 0; t < 7; t++)
		for (size_t j = 0; j < 32; j++)
			mean[j] += mat_row(r.in.units, t)[j] / 7;
	for (size_t i = 0; i < 3; i++) {
		const struct trace_layer *layer =
			&help_again(&r, expressions[i], &given)->layers[0];
		for (size_t t = 0; t < 7; t++) {
			double row[32];
			for (size_t j = 0; j < 32; j++)
				row[j] = mat_row(layer->heads[j / 8].context, t)[j % 8] +
					 (i == 1   ? mean[j]
					  : i == 2 ? mat_row(r.in.units, t)[j]
						   : 0);
			normalise(row, 32);
			assert_true(mat_max_abs_diff(mat_view(row, 1, 32),
						     mat_rows(layer->output, t, 1)) < 1e-9);
		}
	}
	help_run_close(&r);
}

/* Two words in turn and positions in the logits alone: values are of two kinds, so no row is anything
 * but a mixture of two, and without the residual nothing else is added to it. */
TEST(rank_is_at_most_that_of_the_values)
{
	struct help_run r;
	double values[7];
	help_run_must_open(&r, "rope+resdrop", 7, 2, zero_feed_forward);
	const struct trace_layer *layer = &r.trace.layers[0];
	for (size_t h = 0; h < 4; h++) {
		assert_true(mat_singular_values(mat_copy(&r.arena, layer->heads[h].context), values,
						&r.arena, &r.err));
		assert_true(values[1] > 1e-3 && values[2] < 1e-12);
	}
	help_run_close(&r);
}

/* The middle layer's residual is that of its attention; the others keep theirs. */
TEST(other_layers_keep_their_residual)
{
	struct help_run r;
	wanted_layers = 5;
	help_run_must_open(&r, "sinusoidal+resdrop", 7, 0, with_layers);
	const struct trace *third = help_again(&r, "sinusoidal+resdrop(layer=3)", NULL);
	for (size_t l = 0; l < 5; l++)
		assert_true(help_output_apart(&r.trace, third, l) < 1e-12);
	const struct trace *last = help_again(&r, "sinusoidal+resdrop(layer=5)", NULL);
	const struct trace *full = help_again(&r, "sinusoidal", NULL);
	assert_true(help_output_apart(last, full, 3) < 1e-12);
	help_run_close(&r);
}

TEST(alone_it_knows_no_order)
{
	static const size_t order[] = {3, 0, 4, 1, 2};
	struct help_run r;
	help_run_must_open(&r, "resdrop", 5, 0, NULL);
	const struct trace *ordered = help_again(&r, "resdrop(query=plain)", NULL);
	help_permute(&r, order);
	const struct mat got = help_again(&r, "resdrop", NULL)->layers[1].output;
	const struct mat other = help_again(&r, "resdrop(query=plain)", NULL)->layers[1].output;
	double apart = 0;
	for (size_t t = 0; t < 5; t++) {
		assert_true(mat_max_abs_diff(mat_rows(got, t, 1), mat_rows(r.trace.layers[1].output,
									   order[t], 1)) < 1e-12);
		apart = fmax(apart,
			     mat_max_abs_diff(mat_rows(other, t, 1),
					      mat_rows(ordered->layers[1].output, order[t], 1)));
	}
	assert_true(apart > 1e-3); /* position-based queries do know it */
	help_run_close(&r);
}

static void identity(struct help_run *r)
{
	r->config.proj = PROJ_IDENTITY;
	r->want.kinds |= WANT_QKV;
}

/* Under the identity a query is the gain times the position's row, and the word is not in it. */
TEST(queries_are_positions_alone)
{
	static const struct {
		const char *expression;
		double base;
		bool reversed;
	} rows[] = {{"resdrop(query=plain)", 10000, false},
		    {"resdrop(query=reversed)", 10000, true},
		    {"resdrop(query=short)", 10, false}};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].expression, 5, 0, identity);
		static const double up[] = {0, 1, 2, 3, 4}, down[] = {4, 3, 2, 1, 0};
		const struct mat want = mat_new(&r.arena, 5, 32);
		sinusoid_fill(want, rows[i].reversed ? down : up, SINUSOID_CONCAT, SINUSOID_T2T,
			      rows[i].base);
		const struct mat got = r.trace.layers[0].heads[1].q;
		for (size_t t = 0; t < 5; t++)
			for (size_t j = 0; j < 8; j++)
				assert_true(fabs(mat_row(got, t)[j] -
						 r.model.gain * mat_row(want, t)[8 + j]) < 1e-12);
		/* The keys, and the queries of the other layer, are made of units. */
		const struct trace *none = help_again(&r, "none", NULL);
		assert_true(mat_max_abs_diff(r.trace.layers[0].heads[1].k,
					     none->layers[0].heads[1].k) < 1e-12);
		help_run_close(&r);
	}
}

TEST(its_only_term_is_position_with_unit)
{
	struct help_run r;
	help_run_must_open(&r, "resdrop(query=plain)", 5, 0, help_with_terms);
	const struct trace_head *first = &r.trace.layers[0].heads[0];
	assert_int_equal(first->n_terms, 1);
	assert_int_equal(first->terms[0].kind, TERM_POSITION_UNIT);
	assert_true(mat_max_abs_diff(first->terms[0].at, first->logits) < 1e-12);
	const struct trace_head *second = &r.trace.layers[1].heads[0];
	assert_int_equal(second->n_terms, 1);
	assert_int_equal(second->terms[0].kind, TERM_UNIT_UNIT);
	help_run_close(&r);
}
