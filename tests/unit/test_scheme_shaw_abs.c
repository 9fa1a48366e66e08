/* test_scheme_shaw_abs.c: which edge a pair reads, what it does to logits and values, and the limit
 * in which edges are tied by distance; and that Rosendahl's names stand for what they say. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

/* Edge (t, s) is 10 t + s times ones. */
static void number_edges(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct mat at = model->leaves[i].at;
		const size_t n = (size_t)(sqrt((double)at.rows) + 0.5);
		for (size_t e = 0; e < at.rows; e++)
			mat_fill(mat_rows(at, e, 1), (double)(10 * (e / n) + e % n));
	}
}

/* A query of ones meets the edge in c · gain · dk times its number. */
TEST(every_pair_reads_its_own_edge)
{
	static const double places[] = {2, 9, 4, 2};
	struct help_run r;
	help_run_must_open(&r, "shaw_abs(length=10)", 4, 0, help_identity);
	r.in.word = places;
	const struct trace *seq = help_changed(&r, "shaw_abs(length=10)", number_edges);
	const struct trace *word = help_changed(&r, "shaw_abs(length=10,pos=word)", number_edges);
	const double one = r.model.c * r.model.gain * (double)r.model.dk;
	for (size_t h = 0; h < r.config.heads; h++)
		for (size_t t = 0; t < 4; t++)
			for (size_t s = 0; s < 4; s++) {
				const double a = mat_row(seq->layers[0].heads[h].bias, t)[s];
				const double b = mat_row(word->layers[0].heads[h].bias, t)[s];
				assert_true(fabs(a / one - (double)(10 * t + s)) < 1e-9);
				assert_true(fabs(b / one - 10 * places[t] - places[s]) < 1e-9);
			}
	help_run_close(&r);
}

static double edge_number(size_t e, size_t j)
{
	return sin(1.7 * (double)e + 0.9 * (double)j);
}

static void draw_edges(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct mat at = model->leaves[i].at;
		for (size_t e = 0; e < at.rows; e++)
			for (size_t j = 0; j < at.cols; j++)
				mat_row(at, e)[j] = edge_number(e, j);
	}
}

static void with_everything(struct help_run *r)
{
	r->want.kinds |= WANT_CONTEXT | WANT_QKV;
}

/* Survey eq. 9 and 10, pair by pair. */
TEST(logits_and_contexts_are_those_of_the_definition)
{
	enum { N = 5, L = 7 };
	struct help_run r;
	help_run_must_open(&r, "shaw_abs(length=7)", N, 0, with_everything);
	const struct trace *trace = help_changed(&r, "shaw_abs(length=7)", draw_edges);
	const size_t dk = r.model.dk;
	for (size_t h = 0; h < r.config.heads; h++) {
		const struct trace_head *head = &trace->layers[0].heads[h];
		for (size_t t = 0; t < N; t++) {
			double context[64] = {0};
			for (size_t s = 0; s < N; s++) {
				double sum = 0;
				for (size_t j = 0; j < dk; j++) {
					const double a = edge_number(t * L + s, j);
					sum += mat_row(head->q, t)[j] *
					       (mat_row(head->k, s)[j] + a);
					context[j] += mat_row(head->weights, t)[s] *
						      (mat_row(head->v, s)[j] + a);
				}
				assert_true(fabs(mat_row(head->logits, t)[s] -
						 sum / sqrt((double)dk)) < 1e-10);
			}
			for (size_t j = 0; j < dk; j++)
				assert_true(fabs(mat_row(head->context, t)[j] - context[j]) <
					    1e-10);
		}
	}
	help_run_close(&r);
}

TEST(edges_of_0_leave_the_plain_model)
{
	struct help_run r;
	help_run_must_open(&r, "shaw_abs", 9, 0, NULL);
	const struct trace *none = help_again(&r, "none", NULL);
	const struct trace *zeroed = help_changed(&r, "shaw_abs", help_zero_leaves);
	assert_true(help_output_apart(zeroed, none, 1) < 1e-12);
	assert_true(help_output_apart(&r.trace, none, 1) > 1e-3);
	help_run_close(&r);
}

/* w_clip(s-t) of shaw(clip=3), and the same as edges of 8 positions. */
static double tied(long delta, size_t j, bool value)
{
	const long d = delta < -3 ? -3 : delta > 3 ? 3 : delta;
	return cos(0.7 * (double)d + 1.3 * (double)j) + (value ? 0.5 : 0);
}

static void tie_edges(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct mat at = model->leaves[i].at;
		const bool value = strstr(model->leaves[i].base, "value") != NULL;
		for (size_t e = 0; e < at.rows; e++)
			for (size_t j = 0; j < at.cols; j++)
				mat_row(at, e)[j] =
					at.rows == 7
						? tied((long)e - 3, j, value)
						: tied((long)(e % 8) - (long)(e / 8), j, value);
	}
}

TEST(edges_tied_by_distance_are_the_relative_scheme)
{
	struct help_run r;
	help_run_must_open(&r, "none", 8, 0, NULL);
	const struct trace *shaw = help_changed(&r, "shaw(clip=3)", tie_edges);
	const struct trace *free_edges = help_changed(&r, "shaw_abs(length=8)", tie_edges);
	assert_true(help_logits_apart(shaw, free_edges, 1, r.config.heads) < 1e-12);
	assert_true(help_output_apart(shaw, free_edges, 1) < 1e-12);
	const struct trace *none = help_again(&r, "none", NULL);
	assert_true(help_output_apart(shaw, none, 1) > 1e-3);
	help_run_close(&r);
}

/* The same vector on all value edges shifts every context by it. */
static void ones_in_value(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		mat_fill(model->leaves[i].at, strstr(model->leaves[i].base, "value") ? 2.5 : 0);
}

TEST(equal_value_edges_shift_every_context)
{
	struct help_run r;
	help_run_must_open(&r, "none", 6, 0, with_everything);
	const struct trace *shifted = help_changed(&r, "shaw_abs", ones_in_value);
	for (size_t h = 0; h < r.config.heads; h++) {
		const struct mat a = r.trace.layers[0].heads[h].context;
		const struct mat b = shifted->layers[0].heads[h].context;
		for (size_t t = 0; t < 6; t++)
			for (size_t j = 0; j < a.cols; j++)
				assert_true(fabs(mat_row(b, t)[j] - mat_row(a, t)[j] - 2.5) <
					    1e-10);
	}
	help_run_close(&r);
}

/* The rule of the demonstration: near and past as in shaw, but for position 0. */
TEST(demo_differs_from_the_relative_one_at_position_0_alone)
{
	struct help_run r;
	help_run_must_open(&r, "shaw_abs", 9, 0, help_identity);
	const struct trace *shaw = help_again(&r, "shaw(clip=0)", NULL);
	for (size_t h = 0; h < r.config.heads; h++) {
		const struct mat a = r.trace.layers[0].heads[h].bias;
		const struct mat b = shaw->layers[0].heads[h].bias;
		for (size_t t = 0; t < 9; t++)
			for (size_t s = 0; s < 9; s++) {
				const double want = s == 0 ? mat_row(b, 0)[0] : mat_row(b, t)[s];
				assert_true(fabs(mat_row(a, t)[s] - want) < 1e-12);
			}
	}
	help_run_close(&r);
}

static void small_memory(struct help_run *r)
{
	r->config.memory = 8000000;
}

TEST(the_bound_is_length_or_t_max)
{
	static const struct {
		const char *expression;
		size_t n;
		const char *error;
	} cases[] = {
		{"shaw_abs(length=6)", 6, NULL}, {"shaw_abs(length=6)", 7, "raise length"},
		{"shaw_abs(length=0)", 6, NULL}, {"shaw_abs(length=0)", 7, "t-max"},
		{"shaw_abs(length=9)", 9, NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct help_run r;
		const bool ok =
			help_run_open(&r, cases[i].expression, cases[i].n, 0, help_short_table);
		assert_int_equal(ok, cases[i].error == NULL);
		assert_true(ok || strstr(r.err.text, cases[i].error));
		help_run_close(&r);
	}
	/* 2 layers of 64² edges of 8 numbers take 0.5 MB each, 512² of them 16.8 MB */
	struct help_run r;
	help_run_must_open(&r, "shaw_abs", 4, 0, small_memory);
	help_run_close(&r);
	assert_false(help_run_open(&r, "shaw_abs(length=0)", 4, 0, small_memory));
	assert_non_null(strstr(r.err.text, "above the limit of 8 MB"));
	help_run_close(&r);
}

/* 2 edges t_max² d_h l for keys and values; the survey writes d. */
TEST(counts_are_those_of_the_leaves)
{
	struct help_run r;
	help_run_must_open(&r, "shaw_abs(length=0)", 4, 0, help_short_table);
	assert_int_equal(model_position_parameters(&r.model), 2 * 36 * 8 * 2);
	const struct expr_member *m = &r.expr.members[0];
	assert_true(scheme_value(m->scheme, m->param, &r.config, m->scheme->count_printed) ==
		    2 * 36 * 32 * 2);
	help_run_close(&r);
}

/* ---- Rosendahl et al. ---- */

TEST(names_are_the_expressions_they_stand_for)
{
	static const char *const pairs[][2] = {
		{"ros_sin", "shaw(clip=16,table=sinusoidal,values=on,sign=ts)"},
		{"ros_konly", "shaw(clip=16,values=off,sign=ts)"},
		{"ros_abs", "sinusoidal+shaw(clip=16,sign=ts)"},
	};
	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, pairs[i][0], 20, 0, NULL);
		const struct trace *plain = help_again(&r, pairs[i][1], NULL);
		assert_true(help_output_apart(&r.trace, plain, 1) == 0);
		assert_true(help_logits_apart(&r.trace, plain, 0, r.config.heads) == 0);
		help_run_close(&r);
	}
}

/* γ_δ and γ_-δ: sines change their sign, cosines do not; component 2i turns with 10000^(-2i/d). */
TEST(sinusoids_of_both_directions_differ_in_their_sines)
{
	struct help_run r;
	help_run_must_open(&r, "ros_sin", 6, 0, help_identity);
	const struct mat bias = r.trace.layers[0].heads[0].bias;
	const double by = r.model.c * r.model.gain;
	for (long delta = 1; delta < 6; delta++) {
		double sines = 0, cosines = 0;
		for (size_t i = 0; i < r.model.dk / 2; i++) {
			const double w = pow(10000, -2 * (double)i / (double)r.config.d);
			sines += sin((double)delta * w);
			cosines += cos((double)delta * w);
		}
		/* query minus key: δ stands below the diagonal */
		const double below = mat_row(bias, (size_t)delta)[0];
		const double above = mat_row(bias, 0)[(size_t)delta];
		assert_true(fabs(below - above - 2 * by * sines) < 1e-10);
		assert_true(fabs(below + above - 2 * by * cosines) < 1e-10);
	}
	help_run_close(&r);
}

/* 2τ + 1 = 33 vectors of d_k numbers for keys in each layer, twice that with values. */
TEST(rosendahl_counts_are_those_of_the_leaves)
{
	static const struct {
		const char *id;
		size_t count;
	} cases[] = {{"ros_sin", 0}, {"ros_konly", 33 * 8 * 2}, {"ros_abs", 66 * 8 * 2}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, cases[i].id, 4, 0, NULL);
		assert_int_equal(model_position_parameters(&r.model), cases[i].count);
		help_run_close(&r);
	}
}

/* ---- all of them ---- */

TEST(as_many_units_as_length_are_evaluated)
{
	static const size_t sizes[] = {1, 2, 129};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct help_run r;
		help_run_must_open(&r, "shaw_abs(length=129)", sizes[i], 0, NULL);
		assert_true(help_is_finite(r.trace.layers[1].output));
		help_run_close(&r);
	}
}
