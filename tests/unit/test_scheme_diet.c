/* test_scheme_diet.c: biases of places and distances that are added to the logits unscaled (DIET, and
 * Dufter et al.): the tables' entries, ranks, segments, sharing, shortened keys, and limits. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

enum { N = 7, T_MAX = 9 };

static void t_max_9(struct help_run *r)
{
	r->config.t_max = T_MAX;
	r->want.kinds |= WANT_QKV | WANT_CONTEXT | WANT_INPUT;
}

static double number(size_t row, size_t col)
{
	return sin(0.7 * (double)row + 1.9 * (double)col);
}

/* The values of shortened keys are mixed by numbers of their own. */
enum { VALUES = 100 };

static void draw_numbers(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct mat at = model->leaves[i].at;
		const size_t from = strcmp(model->leaves[i].base, "e_value") == 0 ? VALUES : 0;
		for (size_t r = 0; r < at.rows; r++)
			for (size_t c = 0; c < at.cols; c++)
				mat_row(at, r)[c] = number(r + from, c);
	}
}

/* What stands in the logits beside c q·k. */
static double added(const struct trace_head *head, size_t t, size_t s)
{
	double sum = 0;
	for (size_t j = 0; j < head->q.cols; j++)
		sum += mat_row(head->q, t)[j] * mat_row(head->k, s)[j];
	return mat_row(head->logits, t)[s] - sum / sqrt((double)head->q.cols);
}

/* ---- Dufter et al. ---- */

static const double places[] = {3, 0, 8, 5, 4, 1, 7};

TEST(pairs_have_a_number_each)
{
	struct help_run r;
	help_run_must_open(&r, "none", N, 0, t_max_9);
	r.in.word = places;
	const struct trace *trace = help_changed(&r, "dufter_abs(pos=word)", draw_numbers);
	const struct trace *shared =
		help_changed(&r, "dufter_abs(share=head,pos=word)", draw_numbers);
	for (size_t h = 0; h < r.config.heads; h++)
		for (size_t t = 0; t < N; t++)
			for (size_t s = 0; s < N; s++) {
				const size_t row = (size_t)places[t], col = (size_t)places[s];
				assert_true(fabs(added(&trace->layers[1].heads[h], t, s) -
						 number(row, h * T_MAX + col)) < 1e-10);
				assert_true(fabs(added(&shared->layers[1].heads[h], t, s) -
						 number(row, col)) < 1e-10);
			}
	help_run_close(&r);
}

static void number_rows(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		for (size_t r = 0; r < model->leaves[i].at.rows; r++)
			mat_fill(mat_rows(model->leaves[i].at, r, 1), (double)r);
}

static void t_max_3(struct help_run *r)
{
	r->config.t_max = 3;
	r->want.kinds |= WANT_QKV;
}

/* The circulant for n = 3: 0 5 4 / 1 0 5 / 2 1 0; entry 3 is read nowhere. */
TEST(distances_read_the_corner_of_a_circulant)
{
	static const double want[3][3] = {{0, 5, 4}, {1, 0, 5}, {2, 1, 0}};
	struct help_run r;
	help_run_must_open(&r, "dufter_rel", 3, 0, t_max_3);
	assert_int_equal(r.model.leaves[0].at.rows, 6);
	const struct trace *trace = help_changed(&r, "dufter_rel", number_rows);
	for (size_t h = 0; h < r.config.heads; h++)
		for (size_t t = 0; t < 3; t++)
			for (size_t s = 0; s < 3; s++)
				assert_true(fabs(added(&trace->layers[0].heads[h], t, s) -
						 want[t][s]) < 1e-10);
	help_run_close(&r);
	assert_false(help_run_open(&r, "dufter_rel", 4, 0, t_max_3));
	assert_non_null(strstr(r.err.text, "t-max 3"));
	help_run_close(&r);
	assert_false(help_run_open(&r, "dufter_abs", 4, 0, t_max_3));
	assert_non_null(strstr(r.err.text, "t-max"));
	help_run_close(&r);
}

/* ---- temperatures, and the weights as a picture ---- */

static void draw_all(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		struct rng rng;
		rng_init_name(&rng, 3, model->leaves[i].name);
		mat_fill_normal(model->leaves[i].at, 1, &rng);
	}
}

/* c τ_Q τ_K q·k + P, and τ_V in front of the context. */
TEST(temperatures_are_factors)
{
	struct help_run r;
	help_run_must_open(&r, "dufter_abs(temperature=on)", N, 0, t_max_9);
	const struct trace *plain = help_changed(&r, "dufter_abs", draw_all);
	const struct trace *trace = help_changed(&r, "dufter_abs(temperature=on)", draw_all);
	draw_all(&r.model);
	const double *q = help_leaf(&r.model, "tau_q").at, *k = help_leaf(&r.model, "tau_k").at;
	const double *v = help_leaf(&r.model, "tau_v").at;
	for (size_t h = 0; h < r.config.heads; h++) {
		const struct trace_head *a = &plain->layers[0].heads[h];
		const struct trace_head *b = &trace->layers[0].heads[h];
		for (size_t t = 0; t < N; t++)
			for (size_t s = 0; s < N; s++) {
				const double p = added(a, t, s);
				const double want =
					q[h] * k[h] * (mat_row(a->logits, t)[s] - p) + p;
				assert_true(fabs(mat_row(b->logits, t)[s] - want) < 1e-10);
			}
		for (size_t t = 0; t < N; t++)
			for (size_t j = 0; j < b->context.cols; j++) {
				double sum = 0;
				for (size_t s = 0; s < N; s++)
					sum += mat_row(b->weights, t)[s] * mat_row(b->v, s)[j];
				assert_true(fabs(mat_row(b->context, t)[j] - v[h] * sum) < 1e-10);
			}
	}
	help_run_close(&r);
}

/* The unit that stands `by` behind unit i in the column, or -1. */
static long neighbour(const double *at, size_t i, long by)
{
	size_t rank[N], from = 0;
	for (size_t k = 0; k < N; k++) {
		size_t before = 0;
		for (size_t l = 0; l < N; l++)
			before += at[l] < at[k];
		rank[before] = k;
		from = k == i ? before : from;
	}
	const long to = (long)from + by;
	return to < 0 || to >= N ? -1 : (long)rank[to];
}

/* max(0, β + Σ K_ij M_{t+i-a, s+j-a}) v along the column, from the weights that are shown. */
TEST(weights_are_a_picture_under_a_kernel)
{
	for (long w = 1; w <= 4; w++) {
		struct help_run r;
		char text[64];
		snprintf(text, sizeof text, "dufter_rel(conv=%ld,pos=word)", w);
		help_run_must_open(&r, "none", N, 0, t_max_9);
		r.in.word = places;
		const struct trace *trace = help_changed(&r, text, draw_all);
		struct help_run own;
		help_run_must_open(&own, text, N, 0, t_max_9);
		draw_all(&own.model);
		const struct mat kernel = help_leaf(&own.model, "conv_weight");
		const double bias = help_leaf(&own.model, "conv_bias").at[1];
		const struct trace_head *head = &trace->layers[0].heads[1];
		for (size_t t = 0; t < N; t++)
			for (size_t c = 0; c < head->context.cols; c++) {
				double want = 0;
				for (size_t s = 0; s < N; s++) {
					double sum = bias;
					for (long i = 0; i < w; i++)
						for (long j = 0; j < w; j++) {
							const long y = neighbour(places, t,
										 i - (w - 1) / 2);
							const long x = neighbour(places, s,
										 j - (w - 1) / 2);
							if (y >= 0 && x >= 0)
								sum += mat_row(kernel,
									       (size_t)i)[w + j] *
								       mat_row(head->weights,
									       (size_t)y)[x];
						}
					want += fmax(0, sum) * mat_row(head->v, s)[c];
				}
				assert_true(fabs(mat_row(head->context, t)[c] - want) < 1e-10);
			}
		help_run_close(&own);
		help_run_close(&r);
	}
}

static void ones(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		mat_fill(model->leaves[i].at, strcmp(model->leaves[i].base, "p") != 0 &&
						      strcmp(model->leaves[i].base, "conv_bias"));
}

/* Temperatures of 1 and a kernel of one 1 leave the plain model. */
TEST(ones_change_nothing)
{
	struct help_run r;
	help_run_must_open(&r, "none", N, 0, t_max_9);
	const struct trace *same = help_changed(&r, "dufter_abs(temperature=on,conv=1)", ones);
	assert_true(help_output_apart(&r.trace, same, 1) < 1e-12);
	const struct trace *other = help_changed(&r, "dufter_abs(conv=2)", ones);
	assert_true(help_output_apart(&r.trace, other, 1) > 1e-3);
	help_run_close(&r);
	assert_false(help_run_open(&r, "disan(multi=on)+dufter_abs(conv=2)", N, 0, t_max_9));
	assert_non_null(strstr(r.err.text, "set conv=0"));
	help_run_close(&r);
}

/* ---- the same bias in four tables ---- */

static double of_distance(long delta, size_t head)
{
	return cos(0.5 * (double)delta + 2 * (double)head) - 0.1 * (double)delta;
}

/* P, R of dufter_rel, R of diet_rel, and P_Q = 1 with P_K the whole matrix at rank 9. */
static void same_bias(struct model *model)
{
	const char *scheme = model->members[0].name;
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct leaf *leaf = &model->leaves[i];
		const bool queries = strcmp(leaf->base, "p_q") == 0;
		for (size_t r = 0; r < leaf->at.rows; r++)
			for (size_t c = 0; c < leaf->at.cols; c++) {
				const long t = (long)(c % T_MAX);
				double *to = &mat_row(leaf->at, r)[c];
				if (strcmp(leaf->base, "e_s") == 0)
					*to = 0;
				else if (strcmp(leaf->base, "p") == 0)
					*to = of_distance((long)(c % T_MAX) - (long)r, c / T_MAX);
				else if (queries)
					*to = (long)r == t;
				else if (strcmp(leaf->base, "p_k") == 0)
					*to = of_distance((long)r - t, c / T_MAX);
				else if (strcmp(scheme, "diet_rel") == 0)
					*to = of_distance(T_MAX - 1 - (long)r, c);
				else
					*to = of_distance(
						r < T_MAX ? -(long)r : 2 * T_MAX - (long)r, c);
			}
	}
}

TEST(one_bias_is_one_model_in_every_table)
{
	static const char *const others[] = {"dufter_rel", "diet_rel", "diet_rel(segments=0)",
					     "diet_abs(rank=9)", "dufter_rel(share=none)"};
	struct help_run r;
	help_run_must_open(&r, "none", T_MAX, 0, t_max_9);
	const struct trace *first = help_changed(&r, "dufter_abs", same_bias);
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		const struct trace *other = help_changed(&r, others[i], same_bias);
		assert_true(help_logits_apart(first, other, 1, r.config.heads) < 1e-12);
		assert_true(help_output_apart(first, other, 1) < 1e-12);
	}
	assert_true(help_output_apart(first, &r.trace, 1) > 1e-3);
	help_run_close(&r);
}

TEST(tables_of_0_leave_the_plain_model)
{
	static const char *const ids[] = {"dufter_abs", "dufter_rel", "diet_abs", "diet_rel"};
	for (size_t i = 0; i < 4; i++) {
		struct help_run r;
		help_run_must_open(&r, ids[i], N, 0, t_max_9);
		const struct trace *none = help_again(&r, "none", NULL);
		const struct trace *zeroed = help_changed(&r, ids[i], help_zero_leaves);
		assert_true(help_output_apart(zeroed, none, 1) < 1e-12);
		assert_true(help_output_apart(&r.trace, none, 1) > 1e-3);
		help_run_close(&r);
	}
}

/* ---- DIET ---- */

/* P_Q P_Kᵀ + E_S, unscaled, from the tables' numbers; segments 0 0 0 1 1 1 1. */
TEST(logits_are_those_of_the_equations)
{
	static const double segment[] = {0, 0, 0, 1, 1, 1, 1};
	enum { RANK = 3 };
	struct help_run r;
	help_run_must_open(&r, "none", N, 0, t_max_9);
	r.in.segment = segment;
	const struct trace *abs = help_changed(&r, "diet_abs(rank=3)", draw_numbers);
	const struct trace *rel = help_changed(&r, "diet_rel", draw_numbers);
	for (size_t h = 0; h < r.config.heads; h++)
		for (size_t t = 0; t < N; t++)
			for (size_t s = 0; s < N; s++) {
				const size_t pair = (size_t)(2 * segment[t] + segment[s]);
				double sum = number(pair, h);
				for (size_t j = 0; j < RANK; j++)
					sum += number(t, h * RANK + j) * number(s, h * RANK + j);
				assert_true(fabs(added(&abs->layers[1].heads[h], t, s) - sum) <
					    1e-10);
				sum = number(pair, h) + number(t + T_MAX - 1 - s, h);
				assert_true(fabs(added(&rel->layers[1].heads[h], t, s) - sum) <
					    1e-10);
			}
	help_run_close(&r);
}

TEST(more_segments_than_the_table_has_are_refused)
{
	static const double segment[] = {0, 1, 2};
	static const char *const ids[] = {"diet_abs", "diet_rel"};
	for (size_t i = 0; i < 2; i++) {
		struct help_run r;
		help_run_must_open(&r, ids[i], 3, 0, NULL);
		r.in.segment = segment;
		struct trace trace;
		struct err err = {""};
		assert_false(
			model_run(&r.model, &r.in, &r.want, NULL, NULL, &r.arena, &trace, &err));
		assert_non_null(strstr(err.text, "2 segments, and here is number 3"));
		char text[64];
		snprintf(text, sizeof text, "%s(segments=3)", ids[i]);
		help_again(&r, text, NULL);
		help_run_close(&r);
	}
}

/* Gauss with full pivoting; what is below 1e-9 of the largest entry is nothing. */
static size_t rank_of(struct mat m)
{
	size_t rank = 0;
	double most = 0;
	for (; rank < m.rows && rank < m.cols; rank++) {
		size_t row = rank, col = rank;
		for (size_t t = rank; t < m.rows; t++)
			for (size_t s = rank; s < m.cols; s++)
				if (fabs(mat_row(m, t)[s]) > fabs(mat_row(m, row)[col])) {
					row = t;
					col = s;
				}
		const double pivot = mat_row(m, row)[col];
		most = rank == 0 ? fabs(pivot) : most;
		if (fabs(pivot) <= 1e-9 * most)
			return rank;
		for (size_t s = 0; s < m.cols; s++) {
			const double x = mat_row(m, row)[s];
			mat_row(m, row)[s] = mat_row(m, rank)[s];
			mat_row(m, rank)[s] = x;
		}
		for (size_t t = 0; t < m.rows; t++) {
			const double x = mat_row(m, t)[col];
			mat_row(m, t)[col] = mat_row(m, t)[rank];
			mat_row(m, t)[rank] = x;
		}
		for (size_t t = rank + 1; t < m.rows; t++) {
			const double by = mat_row(m, t)[rank] / pivot;
			for (size_t s = rank; s < m.cols; s++)
				mat_row(m, t)[s] -= by * mat_row(m, rank)[s];
		}
	}
	return rank;
}

static void draw_normal(struct model *model)
{
	struct rng rng;
	rng_init(&rng, 11);
	for (size_t i = 0; i < model->n_leaves; i++)
		mat_fill_normal(model->leaves[i].at, 1, &rng);
}

/* Theorem 1: positions at the input leave the rank of a head at d_h = 8; P_Q P_Kᵀ adds d_p. */
TEST(rank_of_the_logits_is_d_h_plus_d_p)
{
	static const struct {
		const char *expression;
		size_t rank;
	} cases[] = {{"none", 8},
		     {"learned", 8},
		     {"diet_abs(rank=5,segments=0)", 13},
		     {"diet_abs(segments=0)", 16}};
	for (size_t i = 0; i < 4; i++) {
		struct help_run r;
		help_run_must_open(&r, "none", 30, 0, NULL);
		const struct trace *trace = help_changed(&r, cases[i].expression, draw_normal);
		for (size_t h = 0; h < r.config.heads; h++)
			assert_int_equal(
				rank_of(mat_copy(&r.arena, trace->layers[0].heads[h].logits)),
				cases[i].rank);
		help_run_close(&r);
	}
}

/* Table 6: BERT base has 110.1 million parameters, with 512 · 768 of them for positions at the input,
 * which DIET does without. In millions, to one decimal. */
static void bert_base(struct help_run *r)
{
	r->config.d = 768;
	r->config.heads = 12;
	r->config.layers = 12;
}

TEST(counts_are_those_of_the_paper)
{
	static const struct {
		const char *expression;
		double millions;
	} cases[] = {
		{"diet_rel(segments=0)", 109.9},
		{"diet_rel(segments=0,share=layer)", 109.7},
		{"diet_abs(rank=128,segments=0,share=none)", 128.6},
		{"diet_abs(rank=128,segments=0,share=layer)", 111.3},
	};
	struct help_run r;
	memset(&r, 0, sizeof r);
	arena_init(&r.arena);
	r.config = help_config();
	bert_base(&r);
	r.config.unfilled = true;
	for (size_t i = 0; i < 4; i++) {
		struct member member;
		size_t n;
		assert_true(expr_parse(&r.expr, cases[i].expression, &r.arena, &r.err));
		assert_true(expr_members(&r.expr, &member, &n, &r.arena, &r.err));
		assert_true(model_build(&r.model, &r.config, &member, n, NULL, &r.arena, &r.err));
		const double made = (double)model_position_parameters(&r.model);
		assert_true(fabs(110.1 + (made - 512.0 * 768) / 1e6 - cases[i].millions) < 0.1);
	}
	arena_release(&r.arena);
}

TEST(counts_follow_from_sharing)
{
	static const struct {
		const char *text;
		size_t count;
	} cases[] = {
		/* 4 heads of width 8, 2 layers, t_max 9, 2² numbers for segments */
		{"diet_abs(share=none)", (2 * 9 * 8 + 4) * 8},
		{"diet_abs(share=head)", (2 * 9 * 8 + 4) * 2},
		{"diet_abs", (2 * 9 * 8 + 4) * 4},
		{"diet_rel", (17 + 4) * 8},
		{"diet_rel(share=head)", (17 + 4) * 2},
		{"diet_rel(share=layer,segments=3)", (17 + 9) * 4},
		{"diet_abslin(keys=3)", 2 * 9 * 3 * 2 + (9 + 3) * 8 * 4},
		{"dufter_abs", 81 * 4},
		{"dufter_abs(share=head)", 81 * 2},
		{"dufter_rel(share=none)", 18 * 8},
		{"dufter_rel(temperature=on,conv=3)", 18 * 4 + (3 + 10) * 8},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, cases[i].text, 4, 0, t_max_9);
		assert_int_equal(model_position_parameters(&r.model), cases[i].count);
		help_run_close(&r);
	}
}

/* ---- shortened keys ---- */

/* Eq. 4 in layer 2: k = E X W_k, v = E' X W_v from the tables' numbers. */
TEST(keys_are_mixed_as_in_the_equation)
{
	enum { K = 3, D = 32 };
	struct help_run r;
	help_run_must_open(&r, "none", N, 0, t_max_9);
	r.in.word = places;
	static const char text[] = "diet_abslin(keys=3,pos=word)";
	const struct trace *trace = help_changed(&r, text, draw_numbers);
	const struct trace_layer *layer = &trace->layers[1];
	assert_int_equal(trace->key.n, K);
	assert_string_equal(trace->key.labels[2], "E3");
	assert_int_equal(trace->key.token[0], -1);
	const struct mat e = mat_new(&r.arena, K, N);
	const struct mat ex = mat_new(&r.arena, K, D), k = mat_new(&r.arena, K, D);
	for (size_t w = 0; w < layer->n_weights; w++) {
		const bool key = strcmp(layer->weights[w].name, "w_k") == 0;
		if (!key && strcmp(layer->weights[w].name, "w_v") != 0)
			continue;
		for (size_t m = 0; m < K; m++)
			for (size_t s = 0; s < N; s++)
				mat_row(e, m)[s] =
					number((size_t)places[s] + (key ? 0 : VALUES), m);
		mat_mul(ex, 1, e, false, layer->input, false, 0);
		mat_mul(k, 1, ex, false, layer->weights[w].at, false, 0);
		for (size_t h = 0; h < r.config.heads; h++)
			assert_true(mat_max_abs_diff(key ? layer->heads[h].k : layer->heads[h].v,
						     mat_cols(k, 8 * h, 8)) < 1e-10);
	}
	for (size_t h = 0; h < r.config.heads; h++)
		for (size_t t = 0; t < N; t++)
			for (size_t m = 0; m < K; m++) {
				double sum = 0;
				for (size_t j = 0; j < 8; j++)
					sum += number((size_t)places[t], 8 * h + j) *
					       number(m, 8 * h + j);
				assert_true(fabs(added(&layer->heads[h], t, m) - sum) < 1e-10);
			}
	help_run_close(&r);
}

/* E = E' = 1 and as many keys as positions: diet_abs. */
static void draw_and_keep_units(struct model *model)
{
	draw_numbers(model);
	for (size_t i = 0; i < model->n_leaves; i++)
		if (model->leaves[i].base[0] == 'e') {
			mat_fill(model->leaves[i].at, 0);
			for (size_t t = 0; t < model->leaves[i].at.cols; t++)
				mat_row(model->leaves[i].at, t)[t] = 1;
		}
}

TEST(keys_that_are_the_units_give_diet_abs)
{
	struct help_run r;
	help_run_must_open(&r, "none", T_MAX, 0, t_max_9);
	const struct trace *a = help_changed(&r, "diet_abs(segments=0)", draw_and_keep_units);
	const struct trace *b = help_changed(&r, "diet_abslin(keys=9)", draw_and_keep_units);
	const struct trace *c =
		help_changed(&r, "sinusoidal+diet_abs(segments=0)", draw_and_keep_units);
	const struct trace *d =
		help_changed(&r, "sinusoidal+diet_abslin(keys=9)", draw_and_keep_units);
	assert_true(help_output_apart(a, b, 1) < 1e-12);
	assert_true(help_output_apart(c, d, 1) < 1e-12);
	assert_true(help_output_apart(a, c, 1) > 1e-3);
	/* the bias too, for keys that have a unit part */
	assert_true(mat_max_abs_diff(a->layers[0].heads[1].bias, b->layers[0].heads[1].bias) <
		    1e-10);
	help_run_close(&r);
}

/* The bias of shortened keys is P_Q P_Kᵀ alone, on the probe and on the sentence. */
TEST(bias_of_shortened_keys_is_that_of_the_positions)
{
	struct help_run r;
	help_run_must_open(&r, "none", N, 0, t_max_9);
	for (int probe = 1; probe >= 0; probe--) {
		if (!probe)
			r.in.probe = (struct mat){0};
		const struct trace *trace = help_changed(&r, "diet_abslin(keys=3)", draw_numbers);
		assert_null(trace->bias_absent);
		for (size_t t = 0; t < N; t++)
			for (size_t m = 0; m < 3; m++) {
				double sum = 0;
				for (size_t j = 0; j < 8; j++)
					sum += number(t, 16 + j) * number(m, 16 + j);
				assert_true(fabs(mat_row(trace->layers[0].heads[2].bias, t)[m] -
						 sum) < 1e-10);
			}
	}
	help_run_close(&r);
}

TEST(shortened_keys_do_not_mix_with_keys_of_units)
{
	static const char *const expressions[] = {
		"diet_abslin+causal",	   "diet_abslin+shaw",	     "diet_abslin+diet_abslin",
		"diet_abslin+shortformer", "diet_abslin(keys=6)+t5", "diet_abslin+alibi"};
	for (size_t i = 0; i < sizeof expressions / sizeof expressions[0]; i++) {
		struct help_run r;
		assert_false(help_run_open(&r, expressions[i], 6, 0, NULL));
		assert_non_null(strstr(r.err.text, "needs a key for every query"));
		help_run_close(&r);
	}
	static const char *const fine[] = {"shortformer+diet_abslin", "learned+diet_abslin",
					   "diet_abslin(layers=1)+shaw(layers=2)",
					   "diet_abslin(heads=2)"};
	for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, fine[i], 6, 0, NULL);
		help_run_close(&r);
	}
}
