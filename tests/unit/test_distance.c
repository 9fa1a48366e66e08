/* test_distance.c: what sequential schemes make of distances: their numbers against the papers' rules, the
 * words for them, and that the logits are read by the very same numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"
#include "posviz/base/rng.h"

static void with_relation(struct help_run *r)
{
	r->want.kinds |= WANT_RELATION | WANT_BIAS;
}

static const struct relation *open_n(struct help_run *r, const char *expression, size_t n)
{
	help_run_must_open(r, expression, n, 0, with_relation);
	assert_int_equal(r->trace.relation.n, n);
	return &r->trace.relation;
}

static long clip(long x, long r)
{
	return x < -r ? -r : x > r ? r : x;
}

/* ---- numbers --------------------------------------------------------------------------------------- */

/* Each rule as its paper has it, of d = s - t. T5's is the table in sequential.md: the first distance of
 * every bucket. */
static long t5_bucket(long d)
{
	static const long first[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91};
	long bucket = 0;
	for (size_t i = 0; i < 16; i++)
		if (labs(d) >= first[i])
			bucket = (long)i;
	return d > 0 ? bucket + 16 : bucket;
}

static long t5_past(long d)
{
	static const long first[] = {16, 19, 21, 24, 27, 31, 35, 40,
				     46, 52, 59, 67, 77, 87, 99, 113};
	const long past = d < 0 ? -d : 0;
	long bucket = past < 16 ? past : 15;
	for (size_t i = 0; i < 16; i++)
		if (past >= first[i])
			bucket = 16 + (long)i;
	return bucket;
}

/* δ(t,s) = clamp(t - s + K, 0, 2K - 1) */
static long deberta_4(long d)
{
	return -d + 4 < 0 ? 0 : -d + 4 > 7 ? 7 : -d + 4;
}

static long back_0(long d)
{
	return -d;
}

static long forth_0(long d)
{
	return d;
}

static long forth_3(long d)
{
	return clip(d, 3);
}

static long back_3(long d)
{
	return clip(-d, 3);
}

static long forth_16(long d)
{
	return clip(d, 16);
}

/* (t - s) mod 2 t_max, with t_max 512 */
static long circulant(long d)
{
	return (-d + 1024) % 1024;
}

static const struct {
	const char *expression;
	long (*rule)(long d);
	const char *title;
} numbers[] = {
	{"t5", t5_bucket, "bucket(s − t)"},
	{"t5(causal=on)", t5_past, "bucket(s − t)"},
	{"shaw", forth_16, "clip(s − t, ±16)"},
	{"shaw(clip=3)", forth_3, "clip(s − t, ±3)"},
	{"shaw(clip=0)", forth_0, "s − t"},
	{"ros_konly", NULL, "clip(t − s, ±16)"},
	{"shaw(clip=3,sign=ts)", back_3, "clip(t − s, ±3)"},
	{"composite(clip=3)", forth_3, "clip(s − t, ±3)"},
	{"deberta(max_relative=4)", deberta_4, "δ(t,s)"},
	{"txl", back_0, "t − s"},
	{"xlnet(clamp=3)", back_3, "clip(t − s, ±3)"},
	{"xlnet(clamp=3,bi_data=on)", forth_3, "clip(s − t, ±3)"},
	{"tener", back_0, "t − s"},
	{"tener(code=on)", forth_0, "s − t"},
	{"huang1", labs, "|s − t|"},
	{"huang2", forth_0, "s − t"},
	{"huang3", forth_0, "s − t"},
	{"huang4(sign=ts)", back_0, "t − s"},
	{"diet_rel", back_0, "t − s"},
	{"dufter_rel", circulant, "(t − s) mod 2 t_max"},
	{"tupe_r(reset=off)", back_0, "t − s"},
	{"tupe_r(reset=off,buckets=32)", t5_bucket, "bucket(s − t)"},
	{"da", labs, "|s − t|"},
	{"alibi", forth_0, "s − t"},
	{"kerple_log", labs, "|s − t|"},
	{"kerple_power", labs, "|s − t|"},
	{"fire", labs, "|s − t|"},
	{"sandwich", labs, "|s − t|"},
	{"dpb", forth_0, "s − t"},
	{"log_cpb", forth_0, "s − t"},
};

TEST(numbers_are_those_of_the_papers)
{
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
		const size_t n = numbers[i].rule == t5_past ? 120 : 97;
		struct help_run r;
		const struct relation *relation = open_n(&r, numbers[i].expression, n);
		assert_string_equal(relation->title, numbers[i].title);
		for (size_t t = 0; t < n && numbers[i].rule; t++)
			for (size_t s = 0; s < n; s++) {
				const long d = (long)s - (long)t;
				if (relation->at[t * n + s] != numbers[i].rule(d))
					fail_msg("%s: distance %ld has number %d, not %ld",
						 numbers[i].expression, d,
						 (int)relation->at[t * n + s], numbers[i].rule(d));
				assert_int_equal(relation->beside[t * n + s], d);
			}
		help_run_close(&r);
	}
}

/* sequential.md: K = 4, n = 6. */
TEST(disentangled_numbers_of_six_words)
{
	static const char *const rows[] = {"432100", "543210", "654321",
					   "765432", "776543", "777654"};
	struct help_run r;
	const struct relation *relation = open_n(&r, "deberta(max_relative=4)", 6);
	for (size_t i = 0; i < 36; i++)
		assert_int_equal(relation->at[i], rows[i / 6][i % 6] - '0');
	assert_non_null(strstr(relation->note, "position to content reads δ(s,t)"));
	const struct relation *mirror =
		&help_again(&r, "deberta(max_relative=4,c2p=off)", NULL)->relation;
	assert_string_equal(mirror->title, "δ(s,t)");
	for (size_t i = 0; i < 36; i++)
		assert_int_equal(mirror->at[i], rows[i % 6][i / 6] - '0');
	assert_int_equal(help_again(&r, "deberta(c2p=off,p2c=off)", NULL)->relation.n, 0);
	help_run_close(&r);
}

/* Logarithmic buckets: sequential.md has B = 8, max 16: r = 0..15 in 0 1 2 3 4 5 5 6 6 6 7 …, an odd
 * function; a row is that plus B. */
TEST(disentangled_buckets_are_an_odd_function)
{
	static const int want[] = {0, 1, 2, 3, 4, 5, 5, 6, 6, 6, 7, 7, 7, 7, 7, 7};
	struct help_run r;
	const struct relation *relation = open_n(&r, "deberta(buckets=8,max_position=16)", 16);
	for (size_t t = 0; t < 16; t++)
		for (size_t s = 0; s < 16; s++) {
			const int b = t >= s ? want[t - s] : -want[s - t];
			assert_int_equal(relation->at[t * 16 + s], b + 8);
		}
	help_run_close(&r);
}

/* The first position is [CLS]: it has θ, and no number of distance. */
TEST(untied_cls_has_no_number)
{
	static const char *const expressions[] = {"tupe_r", "tupe_r(theta=rows,buckets=32)"};
	for (size_t i = 0; i < 2; i++) {
		struct help_run r;
		const struct relation *relation = open_n(&r, expressions[i], 5);
		for (size_t t = 0; t < 5; t++)
			for (size_t s = 0; s < 5; s++) {
				const long d = (long)s - (long)t;
				const long want = t == 0 || s == 0 ? RELATION_NO_PATH
						  : i == 0	   ? -d
								   : t5_bucket(d);
				assert_int_equal(relation->at[t * 5 + s], want);
			}
		assert_non_null(strstr(relation->says(relation, RELATION_NO_PATH, NULL, &r.arena),
				       "[CLS]"));
		help_run_close(&r);
	}
}

/* Positions come from the column; between whole numbers there is none for schemes that take those. */
TEST(other_columns_and_places_between)
{
	static const double half[] = {0, 0.5, 1, 1.5};
	static const char *const any[] = {"alibi", "da", "fire", "log_cpb"};
	struct help_run r;
	const struct relation *relation = open_n(&r, "shaw(pos=remaining)", 4);
	assert_string_equal(relation->column, "remaining");
	for (size_t t = 0; t < 4; t++)
		for (size_t s = 0; s < 4; s++)
			assert_int_equal(relation->at[t * 4 + s], (long)t - (long)s);
	r.in.word = half;
	for (size_t i = 0; i < sizeof any / sizeof any[0]; i++) {
		const char *expression = arena_printf(&r.arena, "%s(pos=word)", any[i]);
		assert_int_equal(help_again(&r, expression, NULL)->relation.n, 0);
	}
	assert_int_equal(help_again(&r, "alibi(pos=word)+shaw", NULL)->relation.n, 4);
	assert_int_equal(help_again(&r, "log_cpb(grid=on,window=2)", NULL)->relation.n, 0);
	help_run_close(&r);
}

/* ---- the logits are read by them ------------------------------------------------------------------- */

/* Whatever was learned, pairs of one number have one bias on the probe. */
static void draw(struct model *model)
{
	struct rng rng;
	rng_init(&rng, 7);
	for (size_t i = 0; i < model->n_leaves; i++)
		for (size_t r = 0; r < model->leaves[i].at.rows; r++)
			for (size_t c = 0; c < model->leaves[i].at.cols; c++)
				mat_row(model->leaves[i].at, r)[c] = rng_normal(&rng);
}

TEST(one_number_has_one_bias_and_others_another)
{
	static const struct {
		const char *expression;
		bool differ;
	} rows[] = {{"t5", true},
		    {"t5(causal=on)", true},
		    {"t5(buckets=8,max_distance=16)", true},
		    {"shaw(clip=3)", true},
		    {"shaw(clip=3,sign=ts)", true},
		    {"composite(clip=3,convk=on)", true},
		    {"deberta(max_relative=4,p2c_index=code)", true},
		    {"deberta(max_relative=4,c2p=off)", true},
		    {"deberta(buckets=8,max_position=16,p2c_index=code)", true},
		    {"txl", true},
		    {"xlnet(clamp=3)", true},
		    {"tener", true},
		    {"huang4", true},
		    {"diet_rel", true},
		    {"dufter_rel", true},
		    {"alibi", false},
		    {"kerple_log", false},
		    {"fire", false},
		    {"sandwich", false},
		    {"dpb", true},
		    {"log_cpb", true}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const size_t n = 24;
		struct help_run r;
		open_n(&r, rows[i].expression, n);
		struct mat probe = mat_new(&r.arena, 1, r.config.d);
		mat_fill(probe, 1);
		r.in.probe = probe;
		const struct trace *trace = help_changed(&r, rows[i].expression, draw);
		const int32_t *at = trace->relation.at;
		const double *bias = trace->layers[0].heads[0].bias.at;
		for (size_t x = 0; x < n * n; x++)
			for (size_t y = 0; y < x; y++) {
				const double apart = fabs(bias[x] - bias[y]);
				if (at[x] == at[y] ? apart > 1e-11 : rows[i].differ && apart < 1e-9)
					fail_msg("%s: numbers %d and %d, biases %g apart",
						 rows[i].expression, (int)at[x], (int)at[y], apart);
			}
		help_run_close(&r);
	}
}

/* The relation is of the units; what is read by it later must fit the keys all the same. */
TEST(shortened_keys_are_an_error_with_a_relation_too)
{
	struct help_run r;
	assert_false(help_run_open(&r, "t5+diet_abslin", 9, 0, with_relation));
	assert_non_null(strstr(r.err.text, "needs a key for every query"));
	help_run_close(&r);
}

/* ---- which distances a number is for ----------------------------------------------------------------- */

static void every_pair_is_in_a_range_of_its_number(const struct relation *relation)
{
	for (size_t c = 0; c < relation->n * relation->n; c++) {
		const long d = relation->beside[c], delta = relation->apart ? labs(d) : d;
		size_t found = 0;
		for (size_t k = 0; k < relation->n_ranges; k++) {
			const struct relation_range *const range = &relation->ranges[k];
			if (delta < range->lo || range->hi < delta)
				continue;
			assert_int_equal(range->value, relation->at[c]);
			found++;
		}
		assert_int_equal(found, 1);
	}
}

/* Of all schemes that have ranges: they lie side by side, and the one that a pair's distance is in has
 * the pair's number. */
TEST(ranges_hold_the_distances_of_their_number)
{
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
		struct help_run r;
		const struct relation *relation = open_n(&r, numbers[i].expression, 40);
		assert_true(relation->n_ranges > 1);
		for (size_t k = 1; k < relation->n_ranges; k++) {
			assert_true(relation->ranges[k].lo == relation->ranges[k - 1].hi + 1);
			assert_true(relation->ranges[k].value != relation->ranges[k - 1].value);
		}
		every_pair_is_in_a_range_of_its_number(relation);
		help_run_close(&r);
	}
}

/* The whole rule is told, not only what the input reaches: T5's buckets up to the last, open one. */
TEST(ranges_go_on_beyond_the_input)
{
	struct help_run r;
	const struct relation *relation = open_n(&r, "t5", 3);
	assert_int_equal(relation->n_ranges, 31); /* bucket 16 is never used */
	for (size_t i = 0; i < relation->n_ranges; i++) {
		const struct relation_range *range = &relation->ranges[i];
		if (range->lo != INT32_MIN) {
			assert_int_equal(t5_bucket(range->lo), range->value);
			assert_true(t5_bucket(range->lo - 1) != range->value);
		}
		if (range->hi != INT32_MAX) {
			assert_int_equal(t5_bucket(range->hi), range->value);
			assert_true(t5_bucket(range->hi + 1) != range->value);
		}
	}
	assert_int_equal(relation->ranges[0].lo, INT32_MIN);
	assert_int_equal(relation->ranges[0].hi, -91);
	assert_int_equal(relation->ranges[30].lo, 91);
	assert_int_equal(relation->ranges[30].hi, INT32_MAX);
	help_run_close(&r);
}

static const double far_apart[] = {-999999, 0, 3, 200, 999999};

static void with_far_positions(struct help_run *r)
{
	with_relation(r);
	r->in.position = far_apart;
}

/* Of a million distances those are told that are near or that a pair has. */
TEST(ranges_of_far_positions_are_few)
{
	enum { N = sizeof far_apart / sizeof *far_apart };
	static const char *const expressions[] = {"alibi", "da", "kerple", "fire"};
	for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
		struct help_run r;
		help_run_must_open(&r, expressions[i], N, 0, with_far_positions);
		const struct relation *relation = &r.trace.relation;
		/* near ones, and 197, 200, 999799, 999996, 999999, 1000002, 1000199, 1999998 */
		const size_t side = 128 + 8;
		assert_int_equal(relation->n_ranges, 1 + (relation->apart ? 1 : 2) * side);
		for (size_t k = 1; k < relation->n_ranges; k++)
			assert_true(relation->ranges[k].lo > relation->ranges[k - 1].hi);
		every_pair_is_in_a_range_of_its_number(relation);
		help_run_close(&r);
	}
}

/* ---- words ------------------------------------------------------------------------------------------- */

TEST(numbers_are_told_in_words)
{
	static const struct {
		const char *expression;
		int32_t value;
		const char *words;
	} rows[] = {
		{"t5", 0, "the same position"},
		{"t5", 7, "key 7 before"},
		{"t5", 17, "key 1 after"},
		{"t5", 9, "key 12 to 15 before"},
		{"t5", 25, "key 12 to 15 after"},
		{"t5", 15, "key 91 or more before"},
		{"t5", 31, "key 91 or more after"},
		{"t5(causal=on)", 0, "key the same position or after"},
		{"t5(causal=on)", 31, "key 113 or more before"},
		{"shaw(clip=8)", 8, "key 8 or more after"},
		{"shaw(clip=8)", -8, "key 8 or more before"},
		{"shaw(clip=8,sign=ts)", -8, "key 8 or more after"},
		{"deberta(max_relative=4)", 7, "key 3 or more before"},
		{"deberta(max_relative=4)", 0, "key 4 or more after"},
		{"composite(clip=0)", 0, "any distance"},
		{"huang1", 3, "3 away"},
		{"txl", 2, "key 2 before"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		const struct relation *relation = open_n(&r, rows[i].expression, 20);
		assert_string_equal(relation->says(relation, rows[i].value, NULL, &r.arena),
				    rows[i].words);
		help_run_close(&r);
	}
}

TEST(a_pair_is_told_where_it_stands)
{
	static const struct {
		const char *expression;
		size_t t, s;
		const char *words;
	} rows[] = {
		{"t5", 5, 1, "S is 4 before T"},
		{"t5", 0, 13, "S is 13 after T; the number is for 12 to 15 after"},
		{"t5", 3, 3, "the token itself"},
		{"t5(causal=on)", 2, 6,
		 "S is 4 after T; the number is for the same position or after"},
		{"shaw(clip=3)", 9, 1, "S is 8 before T; the number is for 3 or more before"},
		{"huang1", 2, 4, "S is 2 away from T"},
		{"shaw(pos=remaining)", 5, 1, "S is 4 after T"},
		{"shaw(pos=segment)", 5, 1, "S stands where T does"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		const struct relation *relation = open_n(&r, rows[i].expression, 20);
		const struct relation_cell cell = {rows[i].t, rows[i].s, "T", "S"};
		const int32_t value = relation->at[cell.t * 20 + cell.s];
		assert_string_equal(relation->says(relation, value, &cell, &r.arena),
				    rows[i].words);
		help_run_close(&r);
	}
}
