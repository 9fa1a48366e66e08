/* test_task_keys.c: the keys that answers depend on, and the loss without position. */
#include <math.h>
#include <string.h>

#include "help_arena.h"
#include "posviz/learn/task.h"
#include "test.h"

FIXTURE(open_arena, close_arena)

/* Keys: shift reads the letter before, x[t-2] the one before that, first the first, reverse the mirrored one. */
TEST(keys_that_answers_depend_on)
{
	static const struct {
		const char *task;
		size_t t, s, asked;
	} cases[] = {{"shift", 5, 4, 15},
		     {"x[t-2]", 5, 3, 14},
		     {"first", 5, 0, 15},
		     {"reverse", 5, 10, 16},
		     {"t mod 3", 5, 16, 0}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct task task;
		struct example *e;
		size_t n, asked = 0;
		uint8_t right[16 * 16];
		struct err err = {""};
		assert_true(task_open(&task, cases[i].task, &arena, &err));
		assert_true(task_test(&task, 16, 1, &arena, &e, &n, &err));
		assert_true(task_keys(&task, e, right, &arena, &err));
		for (size_t k = 0; k < sizeof right; k++)
			asked += right[k];
		assert_int_equal(asked, cases[i].asked);
		for (size_t s = 0; s < 16; s++)
			assert_int_equal(right[cases[i].t * 16 + s], s == cases[i].s);
	}
}

/* Expected entropies, counted over all multisets of n letters of 8 with Python's fractions: n = 15, and
 * means over the lengths 8 to 16. */
TEST(loss_without_position)
{
	static const struct {
		const char *task;
		enum sight sight;
		double loss;
	} cases[] = {{"shift", SIGHT_WHOLE, 1.678117078302},
		     {"first", SIGHT_PREFIX, 1.198117265939},
		     {"reverse", SIGHT_WHOLE, 1.807191017200},
		     {"order", SIGHT_PREFIX, 0.693147180560},
		     {"find", SIGHT_WHOLE, 0}};
	struct task task;
	struct err err = {""};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_true(task_open(&task, cases[i].task, &arena, &err));
		assert_within(task_floor_loss(&task, cases[i].sight), cases[i].loss, 1e-9);
	}
	assert_true(task_open(&task, "parity", &arena, &err));
	assert_true(isnan(task_floor_loss(&task, SIGHT_PREFIX)));
	assert_true(task_open(&task, "x[t] == x[t-1]", &arena, &err));
	assert_true(isnan(task_floor_loss(&task, SIGHT_WHOLE)));
}

/* ---- by all sentences ----------------------------------------------------------------------------- */

/* Kinds of letters: a case counts kinds that the answers tell apart, each with its chance. */
enum { MOST_KINDS = 17, STATES = 1 << 17, ANSWERS = 9 };

/* What is asked at token t of the sentence x; −1: nothing. Written from the task, not from the code. */
typedef int asked(const int *x, int t, int n);

static int ask_shift(const int *x, int t, int n)
{
	(void)n;
	return t > 0 ? x[t - 1] : -1;
}

static int ask_two_back(const int *x, int t, int n)
{
	(void)n;
	return t > 1 ? x[t - 2] : -1;
}

/* Kind 0 is any letter that is no capital, which the answers never are. */
static int ask_nearest(const int *x, int t, int n)
{
	(void)n;
	while (t >= 0 && x[t] == 0)
		t--;
	return t < 0 ? -1 : x[t];
}

/* Kind 0 is any other letter, 1 the marker. */
static int ask_dist(const int *x, int t, int n)
{
	int m = 0;
	while (m < n && x[m] == 0)
		m++;
	return t >= m && t - m <= 7 ? t - m : -1;
}

static int ask_parity(const int *x, int t, int n)
{
	(void)x, (void)n;
	return t % 2;
}

static int ask_thirds(const int *x, int t, int n)
{
	(void)x, (void)n;
	return t % 3;
}

static double chance_letters(const int *x, int n)
{
	(void)x;
	return pow(1.0 / 8, n);
}

static double chance_capitals(const int *x, int n)
{
	double p = 1;
	for (int t = 0; t < n; t++)
		p *= x[t] ? 0.25 / 8 : 0.75;
	return p;
}

/* Letters that are no marker do not matter: one of them stands for all. */
static double chance_marker(const int *x, int n)
{
	int markers = 0;
	for (int t = 0; t < n; t++)
		markers += x[t];
	return markers == 1 ? 1.0 / n : 0;
}

static struct {
	uint64_t key; /* 0: free */
	double weight[ANSWERS];
} states[STATES];

/* Returns the state of a model without position: the token's letter, and the counts of those it sees. */
static double *state_of(const int *x, int t, int n, bool whole)
{
	uint64_t count[MOST_KINDS] = {0}, key = (uint64_t)x[t] + 1;
	for (int s = 0; s < (whole ? n : t + 1); s++)
		count[x[s]]++;
	for (size_t k = 0; k < MOST_KINDS; k++)
		key = key * 1099511628211u + count[k] + 1;
	size_t at = key % STATES;
	while (states[at].key && states[at].key != key)
		at = (at + 1) % STATES;
	states[at].key = key;
	return states[at].weight;
}

static double add_sentence(const int *x, int n, asked *ask, bool whole, double chance)
{
	int asks = 0;
	for (int t = 0; t < n; t++)
		asks += ask(x, t, n) >= 0;
	for (int t = 0; t < n && asks; t++)
		if (ask(x, t, n) >= 0)
			state_of(x, t, n, whole)[ask(x, t, n)] += chance / asks;
	return asks ? chance : 0;
}

/* The least loss over all sentences of these lengths. */
static double counted(int shortest, int longest, int kinds, asked *ask,
		      double (*chance)(const int *, int), bool whole)
{
	double asks = 0, loss = 0;
	memset(states, 0, sizeof states);
	for (int n = shortest; n <= longest; n++) {
		int x[16] = {0}, t = 0;
		while (t < n) {
			const double p = chance(x, n);
			asks += p > 0 ? add_sentence(x, n, ask, whole, p) : 0;
			for (t = 0; t < n && ++x[t] == kinds; t++)
				x[t] = 0;
		}
	}
	for (size_t i = 0; i < STATES; i++) {
		double all = 0;
		for (size_t k = 0; k < ANSWERS; k++)
			all += states[i].weight[k];
		for (size_t k = 0; k < ANSWERS; k++)
			if (states[i].weight[k] > 0)
				loss -= states[i].weight[k] * log(states[i].weight[k] / all);
	}
	return loss / asks;
}

/* The best guess from what each token sees, over all sentences of a few lengths together. */
TEST(least_loss_is_that_of_all_sentences)
{
	static const struct {
		const char *task;
		int shortest, longest, kinds;
		asked *ask;
		double (*chance)(const int *, int);
		bool prefix;
	} rows[] = {
		{"shift", 3, 5, 8, ask_shift, chance_letters, true},
		{"x[t-2]", 2, 5, 8, ask_two_back, chance_letters, true},
		{"nearest", 2, 4, 9, ask_nearest, chance_capitals, true},
		{"dist", 3, 5, 2, ask_dist, chance_marker, true},
		{"dist", 9, 12, 2, ask_dist, chance_marker, true},
		{"parity", 3, 5, 8, ask_parity, chance_letters, false},
		{"t mod 3", 3, 5, 8, ask_thirds, chance_letters, false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct task task;
		struct err err = {""};
		assert_true(task_open(&task, rows[i].task, &arena, &err));
		task.shortest = (size_t)rows[i].shortest;
		task.longest = (size_t)rows[i].longest;
		for (int prefix = 0; prefix <= (rows[i].prefix ? 1 : 0); prefix++) {
			const double is =
				task_floor_loss(&task, prefix ? SIGHT_PREFIX : SIGHT_WHOLE);
			const double want =
				counted(rows[i].shortest, rows[i].longest, rows[i].kinds,
					rows[i].ask, rows[i].chance, !prefix);
			if (!(fabs(is - want) < 1e-9))
				fail_msg("%s, %s: %.12f, and %.12f by all sentences", rows[i].task,
					 prefix ? "prefix" : "whole", is, want);
		}
	}
}
