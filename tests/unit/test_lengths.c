/* test_lengths.c: attention on longer texts against closed forms: geometric weights of ALiBi on equal units, uniform
 * ones without position; and where schemes end, saturate or leave what they were trained on. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/analysis/lengths.h"
#include "posviz/format/file.h"

FIXTURE(open_folder, close_folder)

struct looked {
	struct scene scene;
	struct built b;
	struct lengths_of of;
	struct lengths l;
};

static void set(struct scene *scene, const char *name, const char *value)
{
	struct err err = {""};
	if (!scene_set(scene, field_find(name), value, &err))
		fail_msg("%s %s: %s", name, value, err.text);
}

static struct looked *begin(const char *scheme, const char *t_max)
{
	struct looked *const k = arena_calloc(&arena, 1, sizeof *k);
	scene_init(&k->scene);
	set(&k->scene, "scheme", scheme);
	set(&k->scene, "t-max", t_max);
	return k;
}

static void build(struct looked *k)
{
	struct err err = {""};
	if (!setup_build(&k->scene.setup, &arena, &k->b, &err))
		fail_msg("%s", err.text);
	k->of = (struct lengths_of){
		.setup = &k->scene.setup, .built = &k->b, .within = 3, .matrix = MATRIX_WEIGHTS};
}

static void compute(struct looked *k)
{
	struct err err = {""};
	build(k);
	if (lengths_part(&k->of, INFINITY, &arena, &k->l, &err) != 0)
		fail_msg("%s", err.text);
}

static struct looked *look(const char *scheme, const char *t_max)
{
	struct looked *const k = begin(scheme, t_max);
	compute(k);
	return k;
}

static void near(double is, double wanted, double tolerance, const char *what, size_t n)
{
	if (!(fabs(is - wanted) <= tolerance))
		fail_msg("%s at n = %zu: %.17g is not %.17g", what, n, is, wanted);
}

static void all_near(const double *is, const double *wanted, size_t n)
{
	for (size_t m = 0; m < LENGTHS_MEASURES; m++)
		near(is[m], wanted[m], 1e-11 * (1 + fabs(wanted[m])), lengths_measure_names[m], n);
}

/* The queries that stand for all: every one of a short text, else the middles of 32 equal parts. */
static size_t queries(size_t n, size_t *out)
{
	const size_t many = n < 32 ? n : 32;
	for (size_t i = 0; i < many; i++)
		out[i] = n <= 32 ? i : (size_t)floor(((double)i + 0.5) * (double)n / 32);
	return many;
}

/* The mean over these queries of what a query at place t has. */
static void mean_of(void (*of)(size_t t, size_t n, double by, double *out), size_t n, double by,
		    double *out)
{
	size_t at[32];
	const size_t many = queries(n, at);
	memset(out, 0, LENGTHS_MEASURES * sizeof *out);
	for (size_t i = 0; i < many; i++) {
		double own[LENGTHS_MEASURES];
		of(at[i], n, by, own);
		for (size_t m = 0; m < LENGTHS_MEASURES; m++)
			out[m] += own[m] / (double)many;
	}
}

/* ---- closed forms -------------------------------------------------------------------------------- */

/* p_d = (1−q) q^d / (1−q^k), d < k = t + 1, q = e^{−m}. */
static void geometric(size_t t, size_t n, double slope, double *out)
{
	const double k = (double)t + 1, q = exp(-slope), rest = -expm1(-slope * k);
	const double distance = q / (1 - q) - k * pow(q, k) / rest;
	(void)n;
	out[LENGTHS_DISTANCE] = distance;
	out[LENGTHS_ENTROPY] = -log((1 - q) / rest) + slope * distance;
	out[LENGTHS_WITHIN] = -expm1(-slope * fmin(4, k)) / rest;
	out[LENGTHS_FIRST_TOKEN] = (1 - q) * pow(q, k - 1) / rest;
}

TEST(weights_of_alibi_are_geometric)
{
	const struct looked *const k = look("alibi+causal", "64");
	assert_int_equal(k->l.rows[k->l.n - 1].n, 512);
	for (size_t i = 0; i < k->l.n; i++)
		for (size_t h = 0; h < 4; h++) {
			const struct lengths_row *const row = &k->l.rows[i];
			const double slope = exp2(-2 * ((double)h + 1));
			double last[LENGTHS_MEASURES], mean[LENGTHS_MEASURES];
			geometric(row->n - 1, row->n, slope, last);
			mean_of(geometric, row->n, slope, mean);
			all_near(row->heads[h].last, last, row->n);
			all_near(row->heads[h].mean, mean, row->n);
		}
}

/* 1 − q^(r+1) ≥ 0.99 (1 − q^n); where q^n is nothing, r = ⌈ln 100 / m⌉ − 1. */
TEST(window_of_alibi_closes)
{
	const struct looked *const k = look("alibi+causal", "128");
	const struct lengths_head *const heads = k->l.rows[k->l.n - 1].heads;
	double widest = 0;
	near(heads[0].window, ceil(log(100) * 4) - 1, 0, "window", 1024);
	near(heads[1].window, ceil(log(100) * 16) - 1, 0, "window", 1024);
	for (size_t h = 0; h < 4; h++) {
		const double slope = exp2(-2 * ((double)h + 1)), all = -expm1(-slope * 1024);
		widest = ceil(-log1p(-0.99 * all) / slope) - 1;
		near(heads[h].window, widest, 0, "window", 1024);
		assert_true(isnan(heads[h].saturates));
	}
	near(heads[4].window, widest, 0, "all heads", 1024);
}

static void uniform_causal(size_t t, size_t n, double by, double *out)
{
	const double k = (double)t + 1;
	(void)n, (void)by;
	out[LENGTHS_DISTANCE] = (k - 1) / 2;
	out[LENGTHS_ENTROPY] = log(k);
	out[LENGTHS_WITHIN] = fmin(4, k) / k;
	out[LENGTHS_FIRST_TOKEN] = 1 / k;
}

static void uniform(size_t t, size_t n, double by, double *out)
{
	const double before = (double)t, after = (double)(n - 1 - t), all = (double)n;
	(void)by;
	out[LENGTHS_DISTANCE] = (before * (before + 1) + after * (after + 1)) / 2 / all;
	out[LENGTHS_ENTROPY] = log(all);
	out[LENGTHS_WITHIN] = (1 + fmin(3, before) + fmin(3, after)) / all;
	out[LENGTHS_FIRST_TOKEN] = 1 / all;
}

TEST(without_position_weights_are_uniform)
{
	static const struct {
		const char *scheme;
		void (*of)(size_t t, size_t n, double by, double *out);
	} rows[] = {{"none+causal", uniform_causal}, {"none", uniform}};
	for (size_t r = 0; r < 2; r++) {
		const struct looked *const k = look(rows[r].scheme, "32");
		for (size_t i = 0; i < k->l.n; i++) {
			const struct lengths_row *const row = &k->l.rows[i];
			double last[LENGTHS_MEASURES], mean[LENGTHS_MEASURES];
			rows[r].of(row->n - 1, row->n, 0, last);
			mean_of(rows[r].of, row->n, 0, mean);
			all_near(row->heads[0].last, last, row->n);
			all_near(row->heads[0].mean, mean, row->n);
			near(row->heads[0].saturates, 0, 0, "saturates", row->n);
		}
	}
}

/* Sums of the weights of distances 0, 1, 2–3, 4–7, … ; hatched behind the text. */
TEST(buckets_double)
{
	const struct looked *const k = look("none+causal", "32");
	static const double wide[] = {1, 1, 2, 4, 8, 16, 32, 64, 128};
	assert_int_equal(k->l.n_buckets, 9);
	for (size_t i = 0; i < k->l.n; i++) {
		const double n = (double)k->l.rows[i].n;
		for (size_t b = 0; b < 9; b++) {
			const double in = fmin(wide[b], n - (double)k->l.from[b]);
			const double is = k->l.rows[i].heads[1].bucket[b];
			if (in > 0)
				near(is, in / n, 1e-12, "bucket", k->l.rows[i].n);
			else
				assert_true(isnan(is));
		}
	}
}

TEST(buckets_of_a_bias_are_means)
{
	struct looked *const k = begin("alibi+causal", "8");
	build(k);
	k->of.matrix = MATRIX_BIAS;
	assert_int_equal(lengths_part(&k->of, INFINITY, &arena, &k->l, &(struct err){""}), 0);
	const struct lengths_row *const longest = &k->l.rows[k->l.n - 1];
	assert_int_equal(longest->n, 64);
	near(longest->heads[0].bucket[0], 0, 1e-12, "bias", 64);
	near(longest->heads[0].bucket[2], -2.5 / 4, 1e-12, "bias", 64);	 /* 2, 3 */
	near(longest->heads[1].bucket[3], -5.5 / 16, 1e-12, "bias", 64); /* 4 to 7 */
}

/* ---- where something ends ------------------------------------------------------------------------ */

/* T5's last bucket of one direction: both ways 8 + ⌊8 log(d/8)/log 16⌋ = 15 from 8·16^(7/8) = 90.5; one way
 * 16 + ⌊16 log(d/16)/log 8⌋ = 31 from 16·8^(15/16) = 112.4. Shaw's clip is 16. */
TEST(tables_that_share_rows_saturate)
{
	static const struct {
		const char *scheme;
		double from;
	} rows[] = {{"t5", 91},
		    {"t5(causal=on)", 113},
		    {"t5(buckets=16,max_distance=64)+causal", NAN},
		    {"shaw+causal", 16},
		    {"shaw(clip=5)", 5}};
	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
		const struct looked *const k = look(rows[r].scheme, "64");
		double from = rows[r].from;
		if (isnan(from)) /* 4 + ⌊4 log(d/4)/log 16⌋ = 7 from 4·16^(3/4) = 32 */
			from = 32;
		for (size_t h = 0; h <= 4; h++)
			near(k->l.rows[k->l.n - 1].heads[h].saturates, from, 0, rows[r].scheme,
			     512);
	}
}

TEST(table_of_positions_ends_at_t_max)
{
	const struct looked *const k = look("learned", "20");
	assert_int_equal(k->l.ends, 20);
	assert_false(k->l.memory_ends);
	assert_int_equal(k->l.rows[k->l.n - 1].n, 20);
	assert_non_null(strstr(k->l.why_ends, "needs number 21"));
}

TEST(scheme_that_computes_all_has_no_end)
{
	assert_int_equal(look("sinusoidal", "8")->l.ends, 0);
	assert_int_equal(look("rope", "1")->l.ends, 0);
}

TEST(memory_ends_what_a_scheme_would_compute)
{
	struct looked *const k = begin("dape", "128");
	set(&k->scene, "memory", "60M");
	compute(k);
	assert_true(k->l.memory_ends);
	assert_true(k->l.ends > 0 && k->l.ends < 1024);
	assert_non_null(strstr(k->l.why_ends, "MB"));
}

/* Rates 10000^(−i/8), i < 8, below 2π/99 from i = 3 on, the slowest once in 2π·10000^(7/8); 100^(−i/8) from
 * i = 5 on; 2^(−i/8) never. */
TEST(turns_of_rope_are_counted)
{
	const struct looked *const k = look("rope", "100");
	assert_int_equal(k->l.turns.pairs, 8);
	assert_int_equal(k->l.turns.slow, 5);
	near(k->l.turns.slowest, 2 * M_PI * pow(10000, 7 / 8.), 1e-6, "slowest", 2);
	near(k->l.turns.fastest, 2 * M_PI, 1e-9, "fastest", 2);
	assert_int_equal(look("rope(base=100)", "100")->l.turns.slow, 3);
	assert_int_equal(look("rope(base=2)", "100")->l.turns.slow, 0);
	assert_int_equal(look("alibi", "8")->l.turns.pairs, 0);
}

/* Only pairs that turn, by the same angle at every place: half of the columns; half as many; a grid has none. */
TEST(what_turns_is_counted_alone)
{
	const struct looked *const k = look("rope(partial=0.5)", "100");
	assert_int_equal(k->l.turns.pairs, 4);
	assert_int_equal(k->l.turns.slow, 2); /* 10000^(−i/4): 0.01, 0.001 of 1, 0.1 */
	assert_int_equal(look("rope(layout=half)", "100")->l.turns.slow, 5);
	assert_int_equal(look("rope_2d", "100")->l.turns.pairs, 0);
	assert_int_equal(look("rope_yarn", "100")->l.turns.pairs, 8); /* it scales logits besides */
}

/* Rates of the papers at n places, eight pairs, L = 64, base 10000. */
static double plain_rate(size_t i, double n)
{
	(void)n;
	return pow(10000, -(double)i / 8);
}

static double interpolated(size_t i, double n)
{
	return plain_rate(i, n) / 4;
}

static double of_greater_base(size_t i, double n)
{
	(void)n;
	return pow(10000 * pow(4, 16. / 14), -(double)i / 8);
}

static double of_growing_base(size_t i, double n)
{
	return pow(10000 * pow(4 * n / 64 - 3, 16. / 14), -(double)i / 8);
}

/* Pairs that go round less than once within L, all of those from i = 3 on, are slowed down f times, those of 4 turns
 * or more, i = 0 alone, not: 64/2π = 10.19 turns, 3.22, 1.02, 0.32 … */
static double of_llama3(size_t i, double n)
{
	const double turns = 64 * plain_rate(i, n) / (2 * M_PI);
	const double kept = fmin(fmax((turns - 1) / 3, 0), 1);
	return plain_rate(i, n) * (kept + (1 - kept) / 8);
}

static size_t leaving(double (*rate)(size_t i, double n), double n)
{
	size_t leave = 0;
	for (size_t i = 0; i < 8; i++)
		leave += plain_rate(i, n) * 64 < 2 * M_PI &&
			 rate(i, n) * (n - 1) >= plain_rate(i, n) * 64;
	return leave;
}

/* t·θ/f of a text of f·L places is an angle that training on L showed: 0 pairs leave at 2 and 4 times it for f = 4. */
TEST(scaling_brings_angles_back)
{
	static const struct {
		const char *scheme;
		double (*rate)(size_t i, double n);
	} rows[] = {{"rope_pi(factor=4)", interpolated},
		    {"rope(scaling=pi,factor=4)", interpolated},
		    {"rope_ntk(factor=4)+causal", of_greater_base},
		    {"rope_dyn(factor=4)", of_growing_base},
		    {"rope_llama3(factor=8)", of_llama3}};
	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
		const struct lengths_turns *const t = &look(rows[r].scheme, "64")->l.turns;
		assert_true(t->scaled);
		assert_int_equal(t->pairs, 8);
		for (size_t i = 0; i < LENGTHS_BEYOND; i++) {
			assert_int_equal(t->leave[i], leaving(rows[r].rate, (double)(128 << i)));
			assert_int_equal(t->unscaled[i], 5);
		}
	}
	const struct lengths_turns *const pi = &look("rope_pi(factor=4)", "64")->l.turns;
	assert_int_equal(pi->leave[0] + pi->leave[1], 0);
	assert_int_equal(pi->leave[2], 5);
	assert_false(look("rope", "64")->l.turns.scaled);
	assert_false(look("rope_pi(factor=1)", "64")->l.turns.scaled);
}

/* YaRN with L = 64: all pairs that turn less than beta_slow times are slowed down f times, those that turn more than
 * beta_fast times never; where both are 1, the five slow ones alone. Lists of LongRoPE divide as they say. */
TEST(scaling_by_pairs_brings_back_those)
{
	const struct lengths_turns *t =
		&look("rope_yarn(factor=2,beta_fast=1,beta_slow=1)", "64")->l.turns;
	const size_t twice[] = {0, 5, 5};
	assert_memory_equal(t->leave, twice, sizeof twice);
	t = &look("rope_long(factor=4,long_factor=[1,1,1,8,8,4,4,2])", "64")->l.turns;
	const size_t by_list[] = {0, 1, 3};
	assert_memory_equal(t->leave, by_list, sizeof by_list);
}

/* L = 16 positions, where t_max is 64: what counts is what it was trained on. 64 places are 4·L already. */
TEST(scaling_counts_from_the_length_of_training)
{
	const struct lengths_turns *const t =
		&look("rope_llama3(original=16,factor=8,low_freq_factor=1,high_freq_factor=4)",
		      "64")
			 ->l.turns;
	size_t slow = 0;
	for (size_t i = 0; i < 8; i++)
		slow += plain_rate(i, 0) * 16 < 2 * M_PI;
	assert_int_equal(t->unscaled[0], slow);
	assert_int_equal(t->leave[0], 0);    /* 128 = 8·16 */
	assert_int_equal(t->leave[1], slow); /* 256 */
}

/* A text has pairs of tokens that are farther apart than training reached where columns come to new angles, and nowhere
 * else: whatever the factor, at its end both are 0. */
TEST(angles_and_distances_end_together)
{
	static const char *const schemes[] = {"rope_pi(factor=%g)", "rope_ntk(factor=%g)",
					      "rope_dyn(factor=%g)", "rope_yarn(factor=%g)",
					      "rope_llama3(factor=%g)"};
	static const double factors[] = {1.5, 2, 4, 8};
	static const char *const lengths[] = {"63", "100"};
	for (size_t r = 0; r < sizeof schemes / sizeof *schemes; r++)
		for (size_t f = 0; f < 4; f++)
			for (size_t n = 0; n < 2; n++) {
				char expression[80];
				snprintf(expression, sizeof expression, schemes[r], factors[f]);
				const struct lengths *const l = &look(expression, lengths[n])->l;
				for (size_t i = 0; i < LENGTHS_BEYOND; i++)
					if ((l->turns.leave[i] > 0) != (l->unseen_pairs[i] > 0))
						fail_msg(
							"%s of %s positions: %zu pairs of columns leave at %d times it, "
							"%g of pairs of tokens",
							expression, lengths[n], l->turns.leave[i],
							2 << i, l->unseen_pairs[i]);
				if (r == 0 && factors[f] >= 2)
					assert_true(l->trained[0] ==
						    factors[f] * (double)l->t_max - 1);
			}
}

TEST(pairs_beyond_training_are_counted)
{
	static const char *const schemes[] = {"alibi+causal", "sinusoidal"};
	for (size_t r = 0; r < 2; r++) {
		const struct looked *const k = look(schemes[r], "9");
		near(k->l.trained[0], 8, 0, "trained", 9);
		for (size_t i = 0; i < LENGTHS_BEYOND; i++) {
			const long n = 9L << (i + 1);
			double all = 0, far = 0;
			for (long t = 0; t < n; t++)
				for (long s = 0; s < (r == 0 ? t + 1 : n); s++) {
					all++;
					far += labs(t - s) > 8;
				}
			near(k->l.unseen_pairs[i], far / all, 1e-12, schemes[r], (size_t)n);
		}
	}
	assert_true(isinf(look("none", "9")->l.trained[0]));
}

/* q^9 − q^72 of the weights of 72 keys are farther than 8. */
TEST(weight_beyond_training_is_told)
{
	const struct looked *const k = look("alibi+causal", "9");
	const double q = exp(-0.25);
	near(k->l.rows[k->l.n - 1].heads[0].unseen, (pow(q, 9) - pow(q, 72)) / (1 - pow(q, 72)),
	     1e-12, "unseen", 72);
}

/* ---- what there is to look at -------------------------------------------------------------------- */

TEST(grid_has_t_max_and_its_doubles)
{
	static const size_t t_max[] = {1, 2, 3, 5, 8, 9, 100, 512, 1000, 65536};
	for (size_t i = 0; i < sizeof t_max / sizeof *t_max; i++) {
		size_t grid[LENGTHS_GRID], found = 0;
		const size_t n = lengths_grid(t_max[i], grid);
		assert_true(n >= 4 && n <= LENGTHS_GRID);
		for (size_t k = 0; k < n; k++) {
			assert_true(k == 0 || grid[k] > grid[k - 1]);
			for (size_t by = 1; by <= 8; by *= 2)
				found += grid[k] == by * t_max[i];
		}
		assert_int_equal(found, 4);
		assert_int_equal(grid[n - 1], 8 * t_max[i]);
		assert_true(t_max[i] < 8 || grid[0] < 16);
	}
}

TEST(one_place_is_a_text)
{
	const struct looked *const k = look("alibi+causal", "1");
	static const double one[] = {0, 0, 1, 1};
	assert_int_equal(k->l.rows[0].n, 1);
	all_near(k->l.rows[0].heads[0].last, one, 1);
	all_near(k->l.rows[0].heads[0].mean, one, 1);
	near(k->l.rows[0].heads[0].window, 0, 0, "window", 1);
}

/* The sentence "a b" again and again is the sentence of eight words that says so. */
TEST(sentence_is_repeated_where_the_probe_is_off)
{
	struct looked *const k = begin("alibi+causal", "8"), *const whole =
								     begin("alibi+causal", "8");
	set(&k->scene, "probe", "off");
	set(&k->scene, "sentence", "a b");
	compute(k);
	set(&whole->scene, "sentence", "a b a b a b a b");
	const struct want want = {.kinds = WANT_WEIGHTS, .head = -1};
	struct trace trace;
	struct err err = {""};
	if (!evaluate(&whole->scene.setup, &want, NULL, NULL, &arena, &whole->b, &trace, &err))
		fail_msg("%s", err.text);
	assert_int_equal(k->l.rows[0].n, 8);
	assert_false(k->l.plain);
	for (size_t h = 0; h < 4; h++) {
		const double *const w = mat_row(trace.layers[0].heads[h].weights, 7);
		double distance = 0;
		for (size_t s = 0; s < 8; s++)
			distance += w[s] * (double)(7 - s);
		near(k->l.rows[0].heads[h].last[LENGTHS_DISTANCE], distance, 1e-12, "distance", 8);
		near(k->l.rows[0].heads[h].last[LENGTHS_FIRST_TOKEN], w[0], 1e-12, "first", 8);
		assert_true(isnan(k->l.rows[0].heads[h].saturates));
	}
}

/* Each of them refuses with its own sentence, and has no rows. */
TEST(what_has_one_length_has_no_lengths)
{
	static const struct {
		const char *scheme, *field, *value, *why;
	} rows[] = {
		{"alibi", "position-ids", "start:5",
		 "position ids are given for these tokens, and for no longer text"},
		{"alibi", "memory-tokens", "2",
		 "a memory is of this text: there are no lengths beside it"},
		{"alibi", "tree", "@tree1",
		 "lengths are of texts: the tokens here are those of a tree"},
		{"rope+causal", "governors", "2 3 0 5 3 3 3 3 3",
		 "lengths are of texts: the tokens here are those of a tree"},
		{"alibi", "graph", "@g5.dot",
		 "lengths are of texts: the tokens here are those of a graph"},
		{"alibi", "reorder", "2 1 3 4 5 6 7 8 9",
		 "a re-ordering is given of these words, and of no longer text"},
		{"spr_abs", "t-max", "8",
		 "There is nothing to measure: spr_abs works on a tree or a graph, which does not grow with the number of "
		 "positions"},
	};
	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
		struct looked *const k = begin(rows[r].scheme, "8");
		set(&k->scene, rows[r].field, rows[r].value);
		compute(k);
		assert_string_equal(k->l.why, rows[r].why);
		assert_int_equal(k->l.n, 0);
	}
}

TEST(matrix_from_a_file_has_one_length)
{
	const double nine[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
	const struct tensor square = {.dims = 2, .shape = {3, 3}, .at = nine};
	char *data;
	size_t len;
	assert_true(tensor_write_npy(&square, &arena, &data, &len, NULL));
	assert_true(file_write("three.npy", data, len, true, NULL));
	struct looked *const k = begin("matrix(from=three.npy)+causal", "8");
	set(&k->scene, "sentence", "a b c");
	compute(k);
	assert_string_equal(k->l.why, "matrix reads a matrix of 3 tokens, which has one length");
	assert_int_equal(k->l.n, 0);
}

/* −Σ p ln p of the last row, computed here of a run in full. */
static double entropy_of_last(const struct looked *k, size_t n, size_t head, size_t *keys)
{
	const struct want want = {.kinds = WANT_WEIGHTS, .head = -1};
	struct model_input in;
	struct trace trace;
	struct err err = {""};
	double sum = 0;
	built_plain(&k->b, n, &arena, &in);
	if (!built_run(&k->b, &in, &want, NULL, NULL, &arena, &trace, &err))
		fail_msg("%s", err.text);
	const struct mat weights = trace.layers[0].heads[head].weights;
	for (size_t s = 0; s < weights.cols; s++) {
		const double p = mat_row(weights, weights.rows - 1)[s];
		sum -= p > 0 ? p * log(p) : 0;
	}
	*keys = weights.cols;
	return sum;
}

/* Keys mixed down to fewer stand at no place: what hangs on one is not there, the entropy is. */
TEST(keys_that_are_no_places_have_an_entropy_alone)
{
	const struct looked *const k = look("diet_abslin(keys=3)", "8");
	assert_null(k->l.why);
	for (size_t i = 0; i < k->l.n; i++)
		for (size_t h = 0; h < 4; h++) {
			const struct lengths_head *const head = &k->l.rows[i].heads[h];
			size_t keys;
			const double wanted = entropy_of_last(k, k->l.rows[i].n, h, &keys);
			assert_int_equal(keys, 3);
			near(head->last[LENGTHS_ENTROPY], wanted, 1e-12, "entropy", i);
			assert_true(head->mean[LENGTHS_ENTROPY] <= log(3) + 1e-12);
			for (size_t m = 0; m < LENGTHS_MEASURES; m++)
				if (m != LENGTHS_ENTROPY)
					assert_true(isnan(head->last[m]) && isnan(head->mean[m]));
			for (size_t bucket = 0; bucket < LENGTHS_BUCKETS; bucket++)
				assert_true(isnan(head->bucket[bucket]));
			assert_true(isnan(head->window) && isnan(head->unseen));
			assert_true(isnan(head->saturates) && isnan(head->near));
		}
}

/* ---- filling ------------------------------------------------------------------------------------- */

TEST(filling_ends_with_what_all_at_once_gives)
{
	struct looked *const k = begin("alibi+causal", "64");
	const struct looked *const whole = look("alibi+causal", "64");
	struct cache *const cache = cache_new(CACHE_BYTES);
	struct err err = {""};
	size_t parts = 0, to_come = SIZE_MAX;
	build(k);
	k->of.cache = cache;
	while (to_come > 0) {
		const size_t now = lengths_part(&k->of, 1 << 14, &arena, &k->l, &err);
		assert_true(now < to_come);
		to_come = now;
		parts++;
	}
	assert_true(parts > 3);
	assert_int_equal(k->l.n, whole->l.n);
	for (size_t i = 0; i < k->l.n; i++)
		assert_memory_equal(k->l.rows[i].heads, whole->l.rows[i].heads,
				    5 * sizeof(struct lengths_head));
	cache_free(cache);
}

TEST(an_end_stays_while_it_fills)
{
	struct looked *const k = begin("learned", "16");
	struct cache *const cache = cache_new(CACHE_BYTES);
	struct err err = {""};
	build(k);
	k->of.cache = cache;
	while (lengths_part(&k->of, 1, &arena, &k->l, &err) > 0)
		;
	assert_int_equal(k->l.ends, 16);
	cache_free(cache);
}

TEST(cancelling_ends_it)
{
	struct looked *const k = begin("alibi", "64");
	struct watch watch;
	struct err err = {""};
	build(k);
	watch_begin(&watch);
	watch_cancel(&watch);
	k->of.watch = &watch;
	assert_true(lengths_part(&k->of, INFINITY, &arena, &k->l, &err) == SIZE_MAX);
}
