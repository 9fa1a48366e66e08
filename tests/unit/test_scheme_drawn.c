/* test_scheme_drawn.c: positions drawn at random in ascending order, and digits counted anew in every
 * number. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"

/* ---- rand_pe ------------------------------------------------------------------------------------ */

TEST(positions_ascend_within_the_range)
{
	struct help_run r;
	help_run_must_open(&r, "rand_pe(l_max=100)", 40, 0, NULL);
	const double *at = help_column_of(&r.trace, "seq");
	for (size_t t = 0; t < 40; t++) {
		assert_true(at[t] >= 0 && at[t] < 100 && at[t] == floor(at[t]));
		assert_true(t == 0 || at[t] > at[t - 1]);
	}
	help_run_close(&r);
}

static uint64_t seed;

static void with_seed(struct help_run *r)
{
	r->config.seed = seed;
}

/* Three of five: every set of three is drawn about equally often, 200 times of 2000. */
TEST(every_draw_is_as_likely_as_any_other)
{
	size_t seen[32] = {0};
	for (seed = 1; seed <= 2000; seed++) {
		struct help_run r;
		help_run_must_open(&r, "rand_pe(l_max=5,draw=0,sinusoids=off)", 3, 0, with_seed);
		const double *at = help_column_of(&r.trace, "seq");
		seen[1 << (int)at[0] | 1 << (int)at[1] | 1 << (int)at[2]]++;
		help_run_close(&r);
	}
	for (int set = 0; set < 32; set++)
		if (__builtin_popcount((unsigned)set) == 3)
			assert_true(seen[set] > 140 && seen[set] < 260);
}

TEST(a_full_range_is_the_count)
{
	struct help_run r;
	help_run_must_open(&r, "sinusoidal", 9, 0, NULL);
	help_traces_equal(help_again(&r, "rand_pe(l_max=9)", NULL), &r.trace);
	const struct trace *alibi = help_again(&r, "alibi", NULL);
	help_traces_equal(help_again(&r, "rand_pe(l_max=9,sinusoids=off)+alibi", NULL), alibi);
	help_run_close(&r);
}

/* The other members see the draw, whatever the order they are written in. */
TEST(other_members_read_the_draw)
{
	struct help_run r;
	help_run_must_open(&r, "sinusoidal+rand_pe(sinusoids=off)", 9, 0, NULL);
	const struct trace *alone = help_again(&r, "rand_pe", NULL);
	help_traces_equal(alone, &r.trace);
	const struct trace *alibi = help_again(&r, "alibi+rand_pe(sinusoids=off)", NULL);
	const double *at = help_column_of(alibi, "seq");
	assert_memory_equal(at, help_column_of(alone, "seq"), 9 * sizeof *at);
	for (size_t t = 0; t < 9; t++)
		for (size_t s = 0; s <= t; s++)
			assert_true(fabs(mat_row(alibi->layers[0].heads[0].bias, t)[s] +
					 .25 * (at[t] - at[s])) < 1e-9);
	help_again(&r, "rope+rand_pe(sinusoids=off)", NULL);
	help_run_close(&r);
}

/* A column of its own: order and ties stay, and seq is left alone. */
TEST(the_column_keeps_its_order_and_its_ties)
{
	static const double places[] = {3, 0, 3, 7, 0.5};
	struct help_run r;
	help_run_must_open(&r, "rand_pe(pos=word)", 5, 0, NULL);
	r.in.word = places;
	const struct trace *trace = help_again(&r, "rand_pe(pos=word,l_max=4)", NULL);
	const double *word = help_column_of(trace, "word"), *seq = help_column_of(trace, "seq");
	static const double ranks[] = {2, 0, 2, 3, 1}; /* four places, all of the range */
	for (size_t t = 0; t < 5; t++)
		assert_true(word[t] == ranks[t] && seq[t] == (double)t);
	help_run_close(&r);
}

TEST(draws_have_numbers)
{
	struct help_run r;
	help_run_must_open(&r, "rand_pe", 9, 0, NULL);
	const size_t size = 9 * sizeof(double);
	const double *first = help_column_of(&r.trace, "seq");
	const double *second = help_column_of(help_again(&r, "rand_pe(draw=2)", NULL), "seq");
	const double *seeded = help_column_of(help_again(&r, "rand_pe(draw=0)", NULL), "seq");
	r.config.seed = 2;
	const double *other = help_column_of(help_again(&r, "rand_pe(draw=0)", NULL), "seq");
	const double *again = help_column_of(help_again(&r, "rand_pe", NULL), "seq");
	assert_memory_equal(again, first, size);
	assert_memory_not_equal(second, first, size);
	assert_memory_not_equal(other, seeded, size);
	help_run_close(&r);
}

TEST(too_many_units_are_refused)
{
	struct help_run r;
	assert_false(help_run_open(&r, "rand_pe(l_max=8)", 9, 0, NULL));
	assert_string_equal(r.err.text, "rand_pe(l_max=8) draws from 8 positions, and this input "
					"needs 9; raise l_max");
	help_run_close(&r);
	const struct scheme *s = scheme_find("rand_pe", 7, NULL);
	struct arena a;
	arena_init(&a);
	const struct model_config config = help_config();
	assert_true(s->reach(scheme_defaults(s, &a), &config) == 2047);
	arena_release(&a);
}

/* ---- abacus ------------------------------------------------------------------------------------- */

enum { SUM = 14 };
static const char *const sum[SUM] = {"1", "2", "␣", "+", "␣", "3", "4",
				     "5", "␣", "=", "␣", "3", "5", "7"};

/* Row i of the table begins with i. */
static void numbered_rows(struct model *model)
{
	const struct mat e = help_leaf(model, "e");
	mat_fill(e, 0);
	for (size_t i = 0; i < e.rows; i++)
		mat_row(e, i)[0] = (double)i;
}

static void expect_indices(const char *expression, const double *want)
{
	struct help_run r;
	help_run_must_open(&r, expression, SUM, 0, NULL);
	r.in.axis.labels = sum;
	const struct trace *trace = help_changed(&r, expression, numbered_rows);
	for (size_t t = 0; t < SUM; t++)
		if (fabs(mat_row(trace->position_vectors, t)[0] - want[t]) > 1e-12)
			fail_msg("%s: token %zu reads row %g, not %g", expression, t,
				 mat_row(trace->position_vectors, t)[0], want[t]);
	help_run_close(&r);
}

TEST(the_index_starts_anew_in_every_number)
{
	expect_indices("abacus", (double[SUM]){1, 2, 0, 0, 0, 1, 2, 3, 0, 0, 0, 1, 2, 3});
	expect_indices("abacus(pos=remaining)",
		       (double[SUM]){2, 1, 0, 0, 0, 3, 2, 1, 0, 0, 0, 3, 2, 1});
}

/* Numbers of several digits in one token have no digits to count. */
TEST(only_single_digits_are_counted)
{
	static const char *const words[] = {"12", "7", "7", "x7", "", "٣", "0", "-1"};
	static const double rows[] = {0, 1, 2, 0, 0, 0, 1, 0};
	struct help_run r;
	help_run_must_open(&r, "abacus", 8, 0, NULL);
	r.in.axis.labels = words;
	const struct trace *trace = help_changed(&r, "abacus", numbered_rows);
	for (size_t t = 0; t < 8; t++)
		assert_true(fabs(mat_row(trace->position_vectors, t)[0] - rows[t]) < 1e-12);
	help_run_close(&r);
}

/* Training moves all numbers of an input by the same offset, and nothing else. */
TEST(the_offset_moves_all_numbers_alike)
{
	double least = 1000, most = 0;
	for (size_t draw = 1; draw <= 40; draw++) {
		char text[64];
		snprintf(text, sizeof text, "abacus(max_k=9,draw=%zu)", draw);
		struct help_run r;
		help_run_must_open(&r, text, SUM, 0, NULL);
		r.in.axis.labels = sum;
		const struct mat p = help_changed(&r, text, numbered_rows)->position_vectors;
		const double k = round(mat_row(p, 0)[0]) - 1;
		least = fmin(least, k);
		most = fmax(most, k);
		help_run_close(&r);
		expect_indices(text, (double[SUM]){1 + k, 2 + k, 0, 0, 0, 1 + k, 2 + k, 3 + k, 0, 0,
						   0, 1 + k, 2 + k, 3 + k});
	}
	assert_true(least == 0 && most == 9);
}

TEST(a_text_without_digits_is_the_plain_model)
{
	static const char *const words[] = {"the", "cat", "that", "slept"};
	struct help_run r;
	help_run_must_open(&r, "none", 4, 0, NULL);
	r.in.axis.labels = words;
	help_traces_equal(help_again(&r, "abacus", NULL), &r.trace);
	help_run_close(&r);
}

/* What is no digit reads row 0, which is learned too. */
TEST(row_0_is_for_everything_else)
{
	struct help_run r;
	help_run_must_open(&r, "abacus", SUM, 0, NULL);
	r.in.axis.labels = sum;
	r.config.init = INIT_PAPER;
	const struct mat p = help_again(&r, "abacus", NULL)->position_vectors;
	assert_true(mat_norm(mat_rows(p, 2, 1)) > 1);
	assert_true(help_rows_apart(p, 2, 9, 0, 32) < 1e-12);
	assert_true(help_rows_apart(p, 0, 5, 0, 32) < 1e-12);
	assert_true(help_rows_apart(p, 0, 1, 0, 32) > .1);
	help_run_close(&r);
}

/* Digits of one place attract each other on the probe, others not. */
TEST(demonstration_shows_the_places)
{
	static const double place[SUM] = {1, 2, 0, 0, 0, 1, 2, 3, 0, 0, 0, 1, 2, 3};
	struct help_run r;
	help_run_must_open(&r, "abacus", SUM, 0, NULL);
	r.in.axis.labels = sum;
	r.config.proj = PROJ_IDENTITY;
	r.config.d = 64;
	r.in.units = mat_zero(&r.arena, SUM, 64);
	r.in.probe = mat_new(&r.arena, 1, 64);
	mat_fill(r.in.probe, 1);
	const struct mat bias = help_again(&r, "abacus", NULL)->layers[0].heads[1].bias;
	for (size_t t = 0; t < SUM; t++)
		for (size_t s = 0; s < SUM; s++)
			assert_true(fabs(mat_row(bias, t)[s] -
					 (place[t] > 0 && place[t] == place[s] ? 2 : 0)) < 1e-9);
	help_run_close(&r);
}

TEST(too_long_numbers_and_odd_sizes_are_refused)
{
	static const struct {
		const char *expression, *message;
	} rows[] = {
		{"abacus(rows=3)", "abacus(rows=3) has 3 rows, and digit 3 of this number needs "
				   "row 3; raise rows"},
		{"abacus(rows=5,max_k=4)", "leaves no row for a digit"},
		{"abacus(rows=1)", "from 2"},
	};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		assert_false(help_run_open(&r, rows[i].expression, 4, 0, NULL));
		if (!strstr(r.err.text, rows[i].message))
			fail_msg("%s: %s", rows[i].expression, r.err.text);
		help_run_close(&r);
	}
}

/* ---- both --------------------------------------------------------------------------------------- */

TEST(every_size_is_evaluated)
{
	help_sizes("rand_pe");
	help_sizes("abacus");
	struct help_run r;
	help_run_must_open(&r, "abacus(rows=100)", 3, 0, NULL);
	assert_int_equal(model_position_parameters(&r.model), 100 * 32);
	help_run_close(&r);
}
