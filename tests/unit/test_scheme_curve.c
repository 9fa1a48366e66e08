/* test_scheme_curve.c: the curves of the list of schemes: their values from the definitions, what is
 * blank, and what is kept. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_view.h"

enum { PLACES = SCHEME_CURVE_PLACES, MIDDLE = PLACES / 2 };

static struct arena arena;
static struct cache *cache;

static int begin(void **state)
{
	(void)state;
	arena_init(&arena);
	cache = cache_new(1 << 20);
	return 0;
}

static int end(void **state)
{
	(void)state;
	cache_free(cache);
	arena_release(&arena);
	return 0;
}

FIXTURE(begin, end)

static struct scheme_curve curve_of(const char *id)
{
	struct scheme_curve out;
	const struct scheme *const s = scheme_find(id, strlen(id), NULL);
	assert_non_null(s);
	assert_true(view_scheme_curve(s, 0, cache, NULL, &out));
	return out;
}

static void assert_near(double is, double wanted, const char *what, int place)
{
	if (!(fabs(is - wanted) <= 1e-12 * fmax(1, fabs(wanted))))
		fail_msg("%s, place %d: %.15g, not %.15g", what, place, is, wanted);
}

static bool is_blank(const struct scheme_curve *c, int from, int to)
{
	bool blank = true;
	for (int i = from; i < to; i++)
		blank = blank && isnan(c->at[i]);
	return blank;
}

/* ---- values ---- */

/* Of nine tokens every place off the middle has two distances. */
static int place(int distance)
{
	return MIDDLE + (distance < 0 ? -1 : 1) * ((abs(distance) + 1) / 2);
}

/* Press et al.: −m_i (t − s) with m_i = 2^(−8i/h) in head i of h = 4, and no key after the query. */
TEST(alibi_falls_in_a_line_and_is_blank_ahead)
{
	const struct scheme_curve c = curve_of("alibi");
	const double slope = (0x1p-2 + 0x1p-4 + 0x1p-6 + 0x1p-8) / 4;
	assert_near(c.at[MIDDLE], 0, "alibi", MIDDLE);
	for (int k = 1; k <= MIDDLE; k++)
		assert_near(c.at[MIDDLE - k], -slope * (2 * k - 0.5), "alibi", MIDDLE - k);
	assert_true(is_blank(&c, MIDDLE + 1, PLACES));
}

/* Su et al.: of equal query and key the pair i of d_h = 16 columns turned by m·10000^(−2i/d_h) keeps the
 * cosine of that; the bias is what it loses. Its size hangs on that of the units, its form does not. */
TEST(rope_turns_by_its_angles)
{
	const struct scheme_curve c = curve_of("rope");
	double lost[PLACES] = {0};
	for (int m = 1; m <= 8; m++)
		for (int i = 0; i < 8; i++)
			lost[place(m)] += (cos(m * pow(10000, -i / 8.0)) - 1) / 2;
	for (int k = 1; k <= MIDDLE; k++) {
		const double unit = c.at[PLACES - 1] / lost[PLACES - 1];
		assert_near(c.at[MIDDLE + k], unit * lost[MIDDLE + k], "rope", MIDDLE + k);
		assert_near(c.at[MIDDLE - k], unit * lost[MIDDLE + k], "rope", MIDDLE - k);
	}
	assert_near(c.at[MIDDLE], 0, "rope", MIDDLE);
	assert_true(c.at[MIDDLE + 2] < c.at[MIDDLE + 3]); /* it comes up again */
}

/* Vaswani et al.: p_t has sin and cos of t·10000^(−2i/64). Of units of ones the product of two sums less
 * that of the units is p_t·p_s + 1·p_t + 1·p_s, for all heads together; its size hangs on that of the units. */
static double sinusoidal(int t, int s)
{
	double sum = 0;
	for (int i = 0; i < 32; i++) {
		const double w = pow(10000, -i / 32.0);
		sum += cos((t - s) * w) + sin(t * w) + cos(t * w) + sin(s * w) + cos(s * w);
	}
	return sum;
}

TEST(sinusoidal_falls_off_on_both_sides)
{
	const struct scheme_curve c = curve_of("sinusoidal");
	double wanted[PLACES] = {0};
	for (int t = 0; t < 9; t++)
		for (int s = 0; s < 9; s++)
			wanted[place(s - t)] +=
				sinusoidal(t, s) / (9 - abs(s - t)) / (s == t ? 1 : 2);
	const double unit = c.at[MIDDLE] / wanted[MIDDLE];
	for (int k = 0; k < PLACES; k++)
		assert_near(c.at[k], unit * wanted[k], "sinusoidal", k);
	for (int k = MIDDLE; k + 1 < PLACES; k++)
		assert_true(c.at[k + 1] < c.at[k] && c.at[PLACES - 2 - k] < c.at[PLACES - 1 - k]);
}

TEST(what_adds_nothing_is_zero)
{
	const struct scheme_curve none = curve_of("none"), causal = curve_of("causal");
	for (int i = 0; i < PLACES; i++)
		assert_true(none.at[i] == 0);
	for (int i = 0; i <= MIDDLE; i++)
		assert_true(causal.at[i] == 0);
	assert_true(is_blank(&causal, MIDDLE + 1, PLACES));
}

/* Logits are of the size of 1. */
TEST(rounding_is_no_curve)
{
	assert_true(define_set("next-to-nothing", "formula(b=1e-12*abs(s-t))", NULL));
	assert_true(define_set("small", "formula(b=1e-6*abs(s-t))", NULL));
	const struct scheme_curve none = curve_of("next-to-nothing"), small = curve_of("small");
	for (int i = 0; i < PLACES; i++) {
		const double wanted = i == MIDDLE ? 0 : 1e-6 * (2 * abs(i - MIDDLE) - 0.5);
		assert_true(none.at[i] == 0);
		assert_true(wanted == 0 || small.at[i] > 0);
		assert_near(small.at[i], wanted, "small", i);
	}
	assert_true(define_remove("next-to-nothing", NULL) && define_remove("small", NULL));
}

/* A window of two: the places of larger distances are masked. */
TEST(windows_are_blank_outside)
{
	const struct scheme_curve c = curve_of("window");
	assert_true(is_blank(&c, 0, MIDDLE - 1) && is_blank(&c, MIDDLE + 2, PLACES));
	assert_false(isnan(c.at[MIDDLE - 1]) || isnan(c.at[MIDDLE]) || isnan(c.at[MIDDLE + 1]));
}

TEST(weights_that_come_from_no_logits_have_no_curve)
{
	static const char *const ids[] = {"gauss", "synth_random", "synth_dense"};
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
		const struct scheme_curve c = curve_of(ids[i]);
		assert_true(is_blank(&c, 0, PLACES));
	}
}

/* Graphormer's b_φ for each shortest path: on the chain that stands in for a graph of nine nodes these are
 * 0 to 8, one for each place. */
TEST(structures_are_by_their_own_numbers)
{
	const struct scheme_curve c = curve_of("graphormer");
	const struct picture *const p =
		help_picture(&arena, "graphormer", "head mean\nview explore\n");
	const struct panel *const panel = help_panel(&p->figure, "Position bias by shortest path");
	const struct curves *const k = &panel->curves;
	const struct series *const mean = &k->series[k->n - 1];
	assert_string_equal(mean->label, "mean");
	assert_int_equal(mean->n, PLACES);
	for (int i = 0; i < PLACES; i++) {
		assert_true(mean->x[i] == i);
		assert_near(c.at[i], mean->y[i], "graphormer", i);
	}
}

/* Of the biases of all heads themselves, whatever the scheme is. */
TEST(curves_are_means_of_the_bias)
{
	static const char *const ids[] = {"shaw", "t5", "tupe_r", "deberta", "learned", "xlnet"};
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
		struct scene s = help_scene(ids[i], "");
		const struct want want = {.kinds = WANT_BIAS, .layer = 0, .head = -1};
		struct built b;
		struct trace t;
		struct err err = {""};
		assert_true(evaluate(&s.setup, &want, NULL, NULL, &arena, &b, &t, &err));
		double sum[17] = {0}, at[PLACES] = {0};
		for (size_t h = 0; h < 4; h++)
			for (size_t q = 0; q < 9; q++)
				for (size_t k = 0; k < 9; k++)
					sum[8 + k - q] +=
						mat_row(t.layers[0].heads[h].bias, q)[k] / 4;
		for (int d = -8; d <= 8; d++)
			at[place(d)] += sum[8 + d] / (9 - abs(d)) / (d == 0 ? 1 : 2);
		const struct scheme_curve c = curve_of(ids[i]);
		for (int k = 0; k < PLACES; k++)
			assert_near(c.at[k], at[k], ids[i], k);
	}
}

/* ---- all of them, kept ---- */

/* That a scheme has no bias is known by name: all others have something to show. */
TEST(every_other_scheme_has_a_curve)
{
	static const char *const without[] = {"gauss", "synth_random", "synth_dense",
					      "synth_factorized", "diet_abslin"};
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *const s = scheme_at(i);
		const struct scheme_curve c = curve_of(s->id);
		bool known = false;
		for (size_t k = 0; k < sizeof without / sizeof *without; k++)
			known |= strcmp(s->id, without[k]) == 0;
		if (is_blank(&c, 0, PLACES) != known)
			fail_msg("%s", s->id);
		for (int k = 0; k < PLACES; k++)
			assert_false(isinf(c.at[k]));
	}
}

/* What was computed comes from the cache, also when nothing may be computed any more. */
TEST(curves_are_computed_once)
{
	struct watch cancelled = {.cancel = true};
	const struct scheme *const s = scheme_find("t5", 2, NULL);
	struct scheme_curve first, again;
	assert_false(view_scheme_curve(s, 0, cache, &cancelled, &first));
	assert_true(view_scheme_curve(s, 0, cache, NULL, &first));
	assert_true(view_scheme_curve(s, 0, cache, &cancelled, &again));
	assert_memory_equal(&first, &again, sizeof first);
	assert_false(view_scheme_curve(s, 1, cache, &cancelled, &again));
	assert_true(view_scheme_curve(s, 0, NULL, NULL, &again));
	assert_memory_equal(&first, &again, sizeof first);
}

TEST(another_seed_draws_another_curve)
{
	const struct scheme *const s = scheme_find("tisa", 4, NULL);
	struct scheme_curve one, other;
	assert_true(view_scheme_curve(s, 0, cache, NULL, &one));
	assert_true(view_scheme_curve(s, 1, cache, NULL, &other));
	assert_true(one.at[0] != other.at[0]);
}

/* Two members that scale the logits differently are no model; the blank is kept like any curve. */
TEST(what_cannot_be_computed_is_blank)
{
	struct watch cancelled = {.cancel = true};
	const size_t before = define_changes();
	assert_true(define_set("at-odds", "tupe_r+deberta", NULL));
	assert_int_equal(define_changes(), before + 1);
	assert_true(define_set("at-odds", "tupe_r+deberta", NULL)); /* the same again */
	assert_int_equal(define_changes(), before + 1);
	const struct scheme_curve c = curve_of("at-odds");
	struct scheme_curve again;
	assert_true(is_blank(&c, 0, PLACES));
	assert_true(view_scheme_curve(define_find("at-odds", 7), 0, cache, &cancelled, &again));
	/* A name that means something else has another curve. */
	assert_true(define_set("at-odds", "alibi", NULL));
	const struct scheme_curve other = curve_of("at-odds"), alibi = curve_of("alibi");
	assert_memory_equal(&other, &alibi, sizeof other);
	assert_true(define_remove("at-odds", NULL));
	assert_int_equal(define_changes(), before + 3);
}
