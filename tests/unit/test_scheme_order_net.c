/* test_scheme_order_net.c: the networks that predict an order, against their formulas in plain loops. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"
#include "posviz/base/rng.h"
#include "posviz/scheme/scheme.h"

enum { N = 7, D = 12, F = 10, MOST = 64 };

static void small(struct help_run *r)
{
	r->config.d = D;
	r->config.heads = 2;
	r->config.ff = F;
	r->want.kinds |= WANT_RELATION;
}

static void want_relation(struct help_run *r)
{
	r->want.kinds |= WANT_RELATION;
}

/* With every leaf drawn, those too that begin at 0 or 1. */
static void open_drawn(struct help_run *r, const char *expression, uint64_t seed)
{
	struct rng rng;
	rng_init(&rng, seed);
	help_run_must_open(r, expression, N, 0, small);
	for (size_t i = 0; i < r->model.n_leaves; i++)
		mat_fill_normal(r->model.leaves[i].at, 0.5, &rng);
	r->trace = (struct trace){0};
	assert_true(
		model_run(&r->model, &r->in, &r->want, NULL, NULL, &r->arena, &r->trace, &r->err));
}

static const double *z_of(const struct trace *trace)
{
	for (size_t i = 0; i < trace->n_columns; i++)
		if (strcmp(trace->columns[i].name, "z") == 0)
			return trace->columns[i].at;
	fail_msg("no column z");
	return NULL;
}

static double leaf(const struct help_run *r, const char *base, size_t row, size_t col)
{
	return mat_row(help_leaf(&r->model, base), row)[col];
}

/* ---- classifier, by its formula ---- */

/* LayerNorm(δ + ReLU(δ W_1 + b_1) W_2 + b_2) W_c + b_c of δ = x_i - x_j, the deviation with n - 1. */
static void logits_of(const struct help_run *r, size_t i, size_t j, size_t classes, double *out)
{
	double delta[D], hidden[F], y[D], mean = 0, square = 0;
	for (size_t c = 0; c < D; c++)
		delta[c] = mat_row(r->in.units, i)[c] - mat_row(r->in.units, j)[c];
	for (size_t k = 0; k < F; k++) {
		hidden[k] = leaf(r, "fc1_bias", 0, k);
		for (size_t c = 0; c < D; c++)
			hidden[k] += delta[c] * leaf(r, "fc1", c, k);
		hidden[k] = fmax(0, hidden[k]);
	}
	for (size_t c = 0; c < D; c++) {
		y[c] = delta[c] + leaf(r, "fc2_bias", 0, c);
		for (size_t k = 0; k < F; k++)
			y[c] += hidden[k] * leaf(r, "fc2", k, c);
		mean += y[c] / D;
	}
	for (size_t c = 0; c < D; c++)
		square += pow(y[c] - mean, 2);
	for (size_t k = 0; k < classes; k++) {
		out[k] = leaf(r, "classes_bias", 0, k);
		for (size_t c = 0; c < D; c++) {
			const double normal = (y[c] - mean) / (sqrt(square / (D - 1)) + 1e-6);
			out[k] += leaf(r, "classes", c, k) *
				  (normal * leaf(r, "norm", 0, c) + leaf(r, "norm_bias", 0, c));
		}
	}
}

/* Classes are -K, …, -1, 1, …, K; both directions are heard. */
static long place_of(const struct help_run *r, size_t i, size_t j, long clip)
{
	double there[MOST], back[MOST];
	const size_t classes = 2 * (size_t)clip;
	size_t best = 0;
	logits_of(r, i, j, classes, there);
	logits_of(r, j, i, classes, back);
	for (size_t c = 0; c < classes; c++) {
		there[c] += back[classes - 1 - c];
		best = there[c] > there[best] ? c : best;
	}
	return (long)best < clip ? (long)best - clip : (long)best - clip + 1;
}

TEST(the_classifier_is_its_formula)
{
	static const struct {
		const char *expression;
		long clip;
	} rows[] = {{"pnat(from=classifier)", 4},
		    {"pnat(from=classifier,clip=1)", 1},
		    {"pnat(from=classifier,clip=9,order=sort)", 9}};
	for (size_t k = 0; k < 3; k++)
		for (uint64_t seed = 1; seed <= 5; seed++) {
			struct help_run r;
			open_drawn(&r, rows[k].expression, seed);
			for (size_t i = 0; i < N; i++)
				for (size_t j = 0; j < N; j++)
					assert_int_equal(r.trace.relation.at[i * N + j],
							 i == j ? 0
								: place_of(&r, i, j, rows[k].clip));
			help_run_close(&r);
		}
}

/* order=count: the more one comes later than, the later; ties by number. */
TEST(positions_count_what_is_before)
{
	struct help_run r;
	size_t tied = 0;
	for (uint64_t seed = 1; seed <= 5; seed++) {
		size_t later[N] = {0};
		open_drawn(&r, "pnat(from=classifier,order=count)", seed);
		const double *const z = z_of(&r.trace);
		for (size_t i = 0; i < N; i++)
			for (size_t j = 0; j < N; j++)
				later[i] += r.trace.relation.at[i * N + j] > 0;
		for (size_t i = 0; i < N; i++) {
			size_t place = 0;
			for (size_t j = 0; j < N; j++)
				place += later[j] < later[i] || (later[j] == later[i] && j < i);
			for (size_t j = 0; j < i; j++)
				tied += later[j] == later[i];
			assert_true(z[i] == (double)place);
		}
		help_run_close(&r);
	}
	assert_true(tied > 0);
}

/* The relation shows what was said of each pair, whatever is made of it; the note tells the rest. */
TEST(the_note_counts_what_was_turned_round)
{
	struct help_run r;
	open_drawn(&r, "pnat(from=classifier)", 5);
	assert_non_null(r.trace.relation.note);
	const char *const of = strstr(r.trace.relation.note, "of 42 relations ");
	assert_non_null(of);
	const long turned = strtol(of + strlen("of 42 relations "), NULL, 10);
	struct help_run plain;
	open_drawn(&plain, "pnat(from=classifier,order=count)", 5);
	assert_null(strstr(plain.trace.relation.note, "reversed"));
	assert_memory_equal(r.trace.relation.at, plain.trace.relation.at, N * N * sizeof(int32_t));
	assert_true(turned > 0 && turned % 2 == 0);
	help_run_close(&plain);
	help_run_close(&r);
}

/* ---- pointer, by its formula ---- */

/* i, f, g, o of x and h; names of the four leaves. */
static void cell(const struct help_run *r, const char *const name[4], const double *x, size_t in,
		 double *h, double *c)
{
	double gate[4 * F];
	for (size_t k = 0; k < 4 * F; k++) {
		gate[k] = leaf(r, name[2], 0, k) + leaf(r, name[3], 0, k);
		for (size_t j = 0; j < in; j++)
			gate[k] += leaf(r, name[0], k, j) * x[j];
		for (size_t j = 0; j < F; j++)
			gate[k] += leaf(r, name[1], k, j) * h[j];
	}
	for (size_t k = 0; k < F; k++) {
		c[k] = help_sigmoid(gate[F + k]) * c[k] +
		       help_sigmoid(gate[k]) * tanh(gate[2 * F + k]);
		h[k] = help_sigmoid(gate[3 * F + k]) * tanh(c[k]);
	}
}

/* x becomes the states of the layer, h and c its last ones. */
static void read_layer(struct help_run *r, long layer, double x[N][D > F ? D : F], double *h,
		       double *c)
{
	struct arena *a = &r->arena;
	const char *const name[] = {arena_printf(a, "encoder_ih_l%ld", layer),
				    arena_printf(a, "encoder_hh_l%ld", layer),
				    arena_printf(a, "encoder_bias_ih_l%ld", layer),
				    arena_printf(a, "encoder_bias_hh_l%ld", layer)};
	memset(h, 0, F * sizeof *h);
	memset(c, 0, F * sizeof *c);
	for (size_t t = 0; t < N; t++) {
		cell(r, name, x[t], layer == 0 ? D : F, h, c);
		memcpy(x[t], h, F * sizeof *h);
	}
}

/* Where each state was pointed to; keys: W_k e + b_k. */
static void point_by_loops(struct help_run *r, long depth, bool tanhs, double keys[N][F], double *z)
{
	static const char *const name[] = {"decoder_ih", "decoder_hh", "decoder_bias_ih",
					   "decoder_bias_hh"};
	double x[N][D > F ? D : F], h[F], c[F], in[D];
	bool used[N] = {false};
	for (size_t t = 0; t < N; t++)
		memcpy(x[t], mat_row(r->in.units, t), sizeof in);
	for (long l = 0; l < depth; l++)
		read_layer(r, l, x, h, c);
	for (size_t t = 0; t < N; t++)
		for (size_t k = 0; k < F; k++) {
			keys[t][k] = leaf(r, "key_bias", 0, k);
			for (size_t j = 0; j < F; j++)
				keys[t][k] += x[t][j] * leaf(r, "key", j, k);
		}
	for (size_t j = 0; j < D; j++)
		in[j] = leaf(r, "start", 0, j);
	for (size_t step = 0; step < N; step++) {
		double score[N], sum = 0, seen[F] = {0}, next[F];
		size_t best = N;
		cell(r, name, in, D, h, c);
		for (size_t t = 0; t < N; t++) {
			score[t] = 0;
			for (size_t k = 0; k < F; k++) {
				double q = leaf(r, "query_bias", 0, k) + keys[t][k];
				for (size_t j = 0; j < F; j++)
					q += h[j] * leaf(r, "query", j, k);
				score[t] += leaf(r, "score", k, 0) * (tanhs ? tanh(q) : q);
			}
			if (!used[t] && (best == N || score[t] > score[best]))
				best = t;
			sum += used[t] ? 0 : exp(score[t]);
		}
		for (size_t t = 0; t < N; t++)
			for (size_t k = 0; k < F && !used[t]; k++)
				seen[k] += exp(score[t]) / sum * keys[t][k];
		for (size_t k = 0; k < F; k++) {
			next[k] = leaf(r, "out_bias", 0, k);
			for (size_t j = 0; j < F; j++)
				next[k] += seen[j] * leaf(r, "out", j, k) +
					   h[j] * leaf(r, "out", F + j, k);
		}
		for (size_t k = 0; k < F; k++)
			h[k] = tanh(next[k]);
		used[best] = true;
		z[best] = (double)step;
		memcpy(in, mat_row(r->in.units, best), sizeof in);
	}
}

TEST(the_pointer_is_its_formula)
{
	static const struct {
		const char *expression;
		long depth;
		bool tanhs;
	} rows[] = {{"pnat(from=pointer)", 2, false},
		    {"pnat(from=pointer,score=tanh)", 2, true},
		    {"pnat(from=pointer,score=tanh,depth=1)", 1, true},
		    {"pnat(from=pointer,score=tanh,depth=3)", 3, true}};
	for (size_t k = 0; k < 4; k++)
		for (uint64_t seed = 1; seed <= 6; seed++) {
			struct help_run r;
			double want[N], keys[N][F];
			open_drawn(&r, rows[k].expression, seed);
			const double *const z = z_of(&r.trace);
			point_by_loops(&r, rows[k].depth, rows[k].tanhs, keys, want);
			for (size_t t = 0; t < N; t++)
				assert_true(z[t] == want[t]);
			help_run_close(&r);
		}
}

/* Without tanh the query adds the same to every score, so the order is that of the keys' part alone
 * and nothing that the second LSTM does is seen. */
TEST(sums_point_by_the_keys_alone)
{
	for (uint64_t seed = 1; seed <= 6; seed++) {
		struct help_run r;
		double unused[N], keys[N][F], score[N] = {0};
		open_drawn(&r, "pnat(from=pointer)", seed);
		point_by_loops(&r, 2, false, keys, unused);
		for (size_t t = 0; t < N; t++)
			for (size_t k = 0; k < F; k++)
				score[t] += leaf(&r, "score", k, 0) * keys[t][k];
		const double *const z = z_of(&r.trace);
		for (size_t t = 0; t < N; t++)
			for (size_t s = 0; s < N; s++)
				assert_int_equal(z[t]<z[s], score[t]> score[s]);
		help_run_close(&r);
	}
}

/* ---- both ---- */

static const char *const both[] = {"pnat(from=classifier)", "pnat(from=pointer)",
				   "pnat(from=pointer,score=tanh,depth=1)"};
enum { BOTH = 3 };

/* Along e, every second column against its neighbour: the demonstration's order. */
static double along_e(struct mat units, size_t t)
{
	double sum = 0;
	for (size_t j = 0; j < units.cols; j++)
		sum += (j % 2 ? -1 : 1) * mat_row(units, t)[j] / sqrt((double)units.cols);
	return sum;
}

TEST(the_demonstration_orders_along_one_direction)
{
	for (size_t k = 0; k < BOTH; k++) {
		struct help_run r;
		help_run_must_open(&r, both[k], 12, 0, NULL);
		const double *const z = z_of(&r.trace);
		bool moved = false;
		for (size_t t = 0; t < 12; t++) {
			moved |= z[t] != (double)t;
			for (size_t s = 0; s < 12; s++)
				assert_int_equal(z[t] < z[s],
						 along_e(r.in.units, t) < along_e(r.in.units, s));
		}
		assert_true(moved);
		help_run_close(&r);
	}
}

/* Places are told by K/2 for each 1, the nearest that is not 0; close calls are left out. */
TEST(the_demonstration_says_how_far)
{
	struct help_run r;
	size_t sure = 0;
	help_run_must_open(&r, "pnat(from=classifier,clip=6)", 12, 0, want_relation);
	for (size_t t = 0; t < 12; t++)
		for (size_t s = 0; s < 12; s++) {
			const double by = along_e(r.in.units, t) - along_e(r.in.units, s);
			const double far = fmin(6, fmax(1, round(3 * fabs(by))));
			if (s == t || fabs(3 * fabs(by) - floor(3 * fabs(by)) - 0.5) < 0.2)
				continue;
			assert_int_equal(r.trace.relation.at[t * 12 + s],
					 (long)(by > 0 ? far : -far));
			sure++;
		}
	assert_true(sure > 60);
	help_run_close(&r);
}

/* A small change of a leaf changes nothing, and the gradient says so; but leaves decide. */
TEST(no_gradient_reaches_the_networks)
{
	for (size_t k = 0; k < BOTH; k++) {
		struct help_run r, other;
		struct tape tape;
		struct run *run;
		open_drawn(&r, both[k], 3);
		tape_init(&tape, &r.arena, true);
		struct node *const out = model_record(&r.model, &r.in, &tape, &run, &r.err);
		assert_non_null(out);
		tape_backward(&tape, out, NULL);
		for (size_t i = 0; i < r.model.n_leaves; i++) {
			struct leaf *const l = &r.model.leaves[i];
			struct trace near;
			assert_true(mat_norm(run_leaf_node(run, l)->g) == 0);
			l->at.at[0] += 1e-9;
			assert_true(model_run(&r.model, &r.in, &r.want, NULL, NULL, &r.arena, &near,
					      &r.err));
			assert_true(help_output_apart(&near, &r.trace, 1) == 0);
		}
		open_drawn(&other, both[k], 4);
		assert_true(help_output_apart(&other.trace, &r.trace, 1) > 1e-3);
		help_run_close(&other);
		help_run_close(&r);
	}
}

/* What the classifier says hangs on the words, so z goes with them; equal words keep their order. */
TEST(a_classified_order_follows_the_words)
{
	static const size_t order[N] = {3, 0, 6, 4, 1, 2, 5};
	struct help_run r;
	open_drawn(&r, "pnat(from=classifier,order=count)", 5);
	help_permute(&r, order);
	struct trace moved;
	assert_true(model_run(&r.model, &r.in, &r.want, NULL, NULL, &r.arena, &moved, &r.err));
	for (size_t t = 0; t < N; t++)
		for (size_t s = 0; s < N; s++)
			assert_int_equal(moved.relation.at[t * N + s],
					 r.trace.relation.at[order[t] * N + order[s]]);
	help_run_close(&r);
	help_run_must_open(&r, "pnat(from=classifier)", N, 1, small);
	for (size_t t = 0; t < N; t++)
		assert_true(z_of(&r.trace)[t] == (double)t);
	help_run_close(&r);
}

/* The probe stands in for the words in the bias, but the order is still theirs. */
TEST(the_bias_has_the_order_of_the_words)
{
	for (size_t k = 0; k < BOTH; k++) {
		struct help_run r;
		help_run_must_open(&r, both[k], N, 0, NULL);
		r.in.reorder = z_of(&r.trace);
		const struct trace *const said = help_again(&r, "pnat", NULL);
		for (size_t h = 0; h < 4; h++)
			assert_true(mat_max_abs_diff(r.trace.layers[0].heads[h].bias,
						     said->layers[0].heads[h].bias) < 1e-12);
		help_run_close(&r);
	}
}

TEST(what_is_no_token_has_no_relation)
{
	static const long token[] = {-1, 0, 1, 2, -1};
	struct help_run r;
	help_run_must_open(&r, "none", 5, 0, small);
	r.in.axis.token = token;
	const struct trace *const got = help_again(&r, "pnat(from=classifier)", NULL);
	const double *const z = z_of(got);
	assert_true(z[0] == 0 && z[4] == 4 && z[1] + z[2] + z[3] == 6);
	for (size_t t = 0; t < 5; t++)
		for (size_t s = 0; s < 5; s++) {
			const bool tokens = token[t] >= 0 && token[s] >= 0;
			assert_int_equal(got->relation.at[t * 5 + s] == RELATION_NO_PATH, !tokens);
		}
	help_run_close(&r);
}

TEST(relations_are_said_in_words)
{
	static const struct {
		int32_t value;
		const char *words;
	} rows[] = {{2, "the query 2 later"},
		    {-1, "the query 1 earlier"},
		    {4, "the query 4 or more later"},
		    {0, "the token itself"},
		    {RELATION_NO_PATH, "no token"}};
	struct help_run r;
	help_run_must_open(&r, "pnat(from=classifier)", N, 0, small);
	const struct relation *const said = &r.trace.relation;
	for (size_t i = 0; i < 5; i++)
		assert_string_equal(said->says(said, rows[i].value, NULL, &r.arena), rows[i].words);
	assert_string_equal(said->title, "z_t − z_s as predicted of each pair");
	assert_non_null(strstr(said->note, "the order found: "));
	help_run_close(&r);
}

TEST(leaves_are_counted)
{
	enum { LSTM = 8 * F * F + 8 * F };
	static const struct {
		const char *expression;
		size_t made;
	} rows[] = {
		{"pnat", 0},
		{"pnat(from=target)", 512 * D},
		{"pnat(from=matrix)", 0},
		{"pnat(from=classifier,clip=7)", 2 * D * F + F + 3 * D + 14 * (D + 1)},
		{"pnat(from=pointer,depth=1)", 8 * D * F + 12 * F * F + 20 * F + D},
		{"pnat(from=pointer,depth=3)", 8 * D * F + 12 * F * F + 20 * F + D + 2 * LSTM},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].expression, 3, 0, small);
		assert_int_equal(model_position_parameters(&r.model), rows[i].made);
		help_run_close(&r);
	}
}

/* U(±1/√inputs) and Xavier, and what begins at 0 and 1. */
TEST(the_paper_initialises_as_the_code)
{
	static const struct {
		const char *expression, *base;
		double most;
	} rows[] = {{"pnat(from=classifier)", "fc1", 0.25},
		    {"pnat(from=classifier)", "classes", 0.17677669529663687},
		    {"pnat(from=pointer)", "encoder_ih_l0", 0.125},
		    {"pnat(from=pointer)", "decoder_ih", 0.17677669529663687},
		    {"pnat(from=pointer)", "out", 0.08838834764831845},
		    {"pnat(from=pointer)", "score", 1}};
	for (size_t i = 0; i < 6; i++) {
		struct help_run r;
		double lo, hi;
		help_run_must_open(&r, rows[i].expression, 3, 0, help_paper_init);
		const struct mat at = help_leaf(&r.model, rows[i].base);
		assert_true(mat_range(at, &lo, &hi));
		assert_true(hi <= rows[i].most && hi > 0.9 * rows[i].most);
		assert_true(lo >= -rows[i].most && lo < -0.9 * rows[i].most);
		help_run_close(&r);
	}
}

TEST(a_cancelled_run_ends)
{
	for (size_t k = 0; k < BOTH; k++) {
		struct help_run r;
		struct trace trace;
		help_run_must_open(&r, both[k], N, 0, NULL);
		struct watch watch = {.cancel = true};
		assert_false(model_run(&r.model, &r.in, &r.want, NULL, &watch, &r.arena, &trace,
				       &r.err));
		assert_true(trace.cancelled);
		help_run_close(&r);
	}
}
