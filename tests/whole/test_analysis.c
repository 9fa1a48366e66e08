/* test_analysis.c: distances against a plain count, and the measures against what the papers say:
 * what sees order, what a shift moves, what a causal mask alone tells. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_view.h"
#include "help_arena.h"
#include "help_measure.h"
#include "posviz/analysis/analysis.h"

FIXTURE(open_arena, close_arena)

static struct measures measure(const char *expression, const char *lines)
{
	const struct scene s = help_scene(expression, lines);
	struct measures m;
	struct err err = {""};
	if (!help_measure(&s.setup, NULL, &m, &err))
		fail_msg("%s: %s", expression, err.text);
	return m;
}

static void expect_zero(const struct measure *m, const char *what)
{
	if (!m->there || !(m->value < 1e-12))
		fail_msg("%s is %g (%s), not 0", what, m->value, m->why ? m->why : "there");
}

static void expect_above(const struct measure *m, double least, const char *what)
{
	if (!m->there || !(m->value > least))
		fail_msg("%s is %g (%s), not above %g", what, m->value, m->why ? m->why : "there",
			 least);
}

static void expect_absent(const struct measure *m, const char *why)
{
	assert_false(m->there);
	assert_non_null(m->why);
	assert_string_equal(m->why, why);
}

/* ---- distances ------------------------------------------------------------------------------------ */

enum { UNITS = 9 };

TEST(distances_equal_a_plain_count)
{
	static const char *const labels[UNITS] = {"", "", "", "", "", "", "", "", ""};
	/* Two units without a token, one in the middle; the others in some order. */
	static const long token[UNITS] = {-1, 3, 0, 4, -1, 1, 6, 2, 5};
	const struct axis axis = {.n = UNITS, .labels = labels, .token = token};
	const struct trace trace = {.query = axis, .key = axis};
	struct rng rng;
	rng_init(&rng, 4);
	const struct mat m = mat_new(&arena, UNITS, UNITS);
	mat_fill_normal(m, 1, &rng);
	uint8_t mask[UNITS * UNITS];
	for (size_t i = 0; i < sizeof mask; i++)
		mask[i] = rng_below(&rng, 4) > 0;
	for (size_t masked = 0; masked < 2; masked++) {
		struct distances d;
		distances_init(&d, &trace, 2, &arena);
		assert_int_equal(d.lo, -6);
		assert_int_equal(d.hi, 6);
		assert_int_equal(d.n, 13);
		assert_int_equal(d.skipped, 2);
		distances_add(&d, &axis, &axis, 1, m, masked ? mask : NULL);
		for (long k = d.lo; k <= d.hi; k++) {
			double sum = 0, lo = INFINITY, hi = -INFINITY;
			size_t n = 0;
			for (size_t t = 0; t < UNITS; t++) {
				for (size_t s = 0; s < UNITS; s++) {
					/* Place 0 is unit 1; unit 4 has none. */
					const long row = (long)t - 1 - (t > 4);
					const long col = (long)s - 1 - (s > 4);
					if (token[t] < 0 || token[s] < 0 || col - row != k ||
					    (masked && !mask[t * UNITS + s]))
						continue;
					sum += mat_row(m, t)[s];
					lo = fmin(lo, mat_row(m, t)[s]);
					hi = fmax(hi, mat_row(m, t)[s]);
					n++;
				}
			}
			const size_t at = d.n + (size_t)(k - d.lo);
			assert_true(isnan(d.mean[at - d.n]));
			if (n == 0) {
				assert_true(isnan(d.mean[at]) && isnan(d.min[at]) &&
					    isnan(d.max[at]));
				continue;
			}
			assert_true(fabs(d.mean[at] - sum / (double)n) < 1e-12);
			assert_true(fabs(d.min[at] - lo) <= 0 && fabs(d.max[at] - hi) <= 0);
		}
	}
}

/* Two units of memory, [CLS], then tokens: the memory stands at -2 and -1, and asks nothing. */
TEST(memory_stands_in_front_of_the_first_place)
{
	static const char *const labels[] = {"", "", "", "", "", ""};
	static const long token[] = {-1, -1, -1, 1, 0, 2};
	static const double row[] = {1, 2, 100, 4, 5, 6};
	const struct axis key = {.n = 6, .labels = labels, .token = token};
	const struct axis query = {.n = 4, .labels = labels + 2, .token = token + 2};
	const struct trace trace = {.query = query, .key = key, .memory = 2};
	const struct mat m = mat_zero(&arena, 4, 6);
	for (size_t s = 0; s < 6; s++)
		mat_row(m, 1)[s] = row[s]; /* of the token at place 0 */
	struct distances d;
	distances_init(&d, &trace, 1, &arena);
	assert_int_equal(d.lo, -4);
	assert_int_equal(d.hi, 2);
	assert_int_equal(d.skipped, 1);
	distances_add(&d, &query, &key, 0, m, NULL);
	static const double sums[] = {0, 0, 1, 2, 4, 5, 6}, counts[] = {1, 2, 3, 3, 3, 2, 1};
	for (size_t i = 0; i < d.n; i++)
		assert_true(fabs(d.mean[i] - sums[i] / counts[i]) < 1e-12);
}

/* By hand: a number of each pair, of two heads the second. */
TEST(pairs_are_counted_by_their_numbers)
{
	static const int32_t number[] = {0, 3, RELATION_NO_PATH, -1, 0, 3};
	static double at[] = {1, 2, 100, 4, 5, 9};
	static const char *const labels[] = {"", "", ""};
	static const long token[] = {0, 1, 2};
	const struct axis query = {.n = 2, .labels = labels, .token = token};
	const struct axis key = {.n = 3, .labels = labels, .token = token};
	struct distances d;
	assert_true(distances_init_by(&d, number, 2, 3, 2, &arena));
	assert_int_equal(d.lo, -1);
	assert_int_equal(d.hi, 3);
	assert_int_equal(d.skipped, 1);
	distances_add(&d, &query, &key, 1, mat_view(at, 2, 3), NULL);
	static const double means[] = {4, 3, NAN, NAN, 5.5}, least[] = {4, 1, NAN, NAN, 2};
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(isnan(d.mean[5 + i]), isnan(means[i]));
		assert_true(isnan(d.mean[i]));
		if (isnan(means[i]))
			continue;
		assert_true(fabs(d.mean[5 + i] - means[i]) < 1e-12);
		assert_true(fabs(d.min[5 + i] - least[i]) <= 0);
	}
	static const int32_t none[] = {RELATION_NO_PATH};
	assert_false(distances_init_by(&d, none, 1, 1, 1, &arena));
}

/* ---- order ----------------------------------------------------------------------------------------- */

TEST_SAMPLED(only_what_knows_positions_sees_order, 1, 2)
{
	static const struct {
		const char *expression;
		bool seen;
	} rows[] = {
		{"none", false},
		{"none+causal", true},
		{"sinusoidal", true},
		{"ldpe", true},
		{"learned", true},
		{"rope", true},
		{"alibi(causal=off)", true},
		{"alibi(causal=off,factor=0)", false},
		{"t5", true},
		{"gauss", true},
	};
	static const char *const projections[] = {"proj identity", "proj tied", "proj random",
						  "proj random\nspecial cls,sep\nlayers 3",
						  "order 3 1 2 4 5 6 7 8 9"};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		for (size_t k = (i + test_part) % test_parts; k < 5; k += test_parts) {
			const struct measures m = measure(rows[i].expression, projections[k]);
			if (rows[i].seen) {
				expect_above(&m.equivariance, 1e-3, rows[i].expression);
				expect_above(&m.invariance, 1e-4, rows[i].expression);
			} else {
				expect_zero(&m.equivariance, rows[i].expression);
				/* The mean of normalised rows is small; its noise is relative to it. */
				assert_true(m.invariance.there && m.invariance.value < 1e-9);
			}
		}
	}
}

TEST(own_order_is_the_users)
{
	struct measures m = measure("sinusoidal", "");
	assert_true(m.own_order.there && m.own_order.value <= 0);
	m = measure("sinusoidal", "order reverse");
	expect_above(&m.own_order, 1e-2, "reversed");
	m = measure("none", "order reverse");
	expect_zero(&m.own_order, "reversed");
	/* A palindrome is the same text, but its two ends have changed places. */
	m = measure("sinusoidal", "order reverse\nsentence a b a");
	expect_above(&m.own_order, 1e-2, "palindrome");
}

/* By definition, from two evaluations of the model itself. */
TEST(equivariance_is_its_definition)
{
	struct scene s = help_scene("sinusoidal", "sentence a b c d\norder 2 4 1 3\nproj random");
	const struct measures m =
		measure("sinusoidal", "sentence a b c d\norder 2 4 1 3\nproj random");
	struct scene plain = s;
	struct err err = {""};
	assert_true(scene_set(&plain, field_find("order"), "identity", &err));
	const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	struct built b;
	struct trace x, y;
	assert_true(evaluate(&plain.setup, &want, NULL, NULL, &arena, &b, &x, &err));
	assert_true(evaluate(&s.setup, &want, NULL, NULL, &arena, &b, &y, &err));
	static const size_t order[] = {1, 3, 0, 2};
	double off = 0, norm = 0;
	for (size_t t = 0; t < 4; t++) {
		for (size_t j = 0; j < 64; j++) {
			const double p = mat_row(x.layers[1].output, order[t])[j];
			const double q = mat_row(y.layers[1].output, t)[j];
			off += (p - q) * (p - q);
			norm += p * p;
		}
	}
	assert_true(fabs(m.own_order.value - sqrt(off / norm)) < 1e-12);
}

/* Outputs that are above the limit of memory are not computed: the weights of layer 1 are measured, by
 * definition, and what is said of the measures says so. */
TEST(large_models_are_measured_by_their_first_weights)
{
	static const char lines[] =
		"sentence a b c d\norder 2 4 1 3\nlayers 40\nff 8192\nmemory 20M";
	static const size_t order[] = {1, 3, 0, 2};
	struct scene s = help_scene("learned+causal", lines), plain = s;
	const struct measures m = measure("learned+causal", lines);
	const struct want want = {.kinds = WANT_WEIGHTS, .layer = 0, .head = -1};
	struct err err = {""};
	struct built b;
	struct trace x, y;
	assert_true(scene_set(&plain, field_find("order"), "identity", &err));
	assert_true(evaluate(&plain.setup, &want, NULL, NULL, &arena, &b, &x, &err));
	assert_true(evaluate(&s.setup, &want, NULL, NULL, &arena, &b, &y, &err));
	double off = 0, norm = 0;
	for (size_t h = 0; h < 4; h++)
		for (size_t t = 0; t < 4; t++)
			for (size_t k = 0; k < 4; k++) {
				const double p =
					mat_row(x.layers[0].heads[h].weights, order[t])[order[k]];
				const double q = mat_row(y.layers[0].heads[h].weights, t)[k];
				off += (p - q) * (p - q);
				norm += p * p;
			}
	assert_true(fabs(m.own_order.value - sqrt(off / norm)) < 1e-12);
	expect_above(&m.equivariance, 1e-3, "equivariance");
	expect_above(&m.prefix[0], 1e-3, "prefix");
	assert_int_equal(m.n_prefix, 1);
	assert_non_null(strstr(measure_show_on(&m.on, &arena),
			       "the weights of layer 1: outputs of 40 layers are above"));
	const struct measures none = measure("none", lines);
	expect_zero(&none.equivariance, "none");
	expect_zero(&none.invariance, "none");
}

TEST(nothing_is_measured_where_nothing_moves)
{
	struct measures m = measure("sinusoidal", "sentence a a a a");
	expect_absent(&m.equivariance, "n/a: all tokens are equal");
	expect_absent(&m.invariance, "n/a: all tokens are equal");
	expect_absent(&m.own_order, "n/a: all tokens are equal");
	m = measure("sinusoidal", "sentence a\nspecial cls,sep");
	expect_absent(&m.equivariance, "n/a: one token");
	m = measure("rope+causal", "sentence a");
	expect_absent(&m.equivariance, "n/a: one token");
	assert_int_equal(m.n_prefix, 0);
}

/* NoPE: one causal layer sums over a set, so the last row cannot know the order of what came before;
 * two layers can. */
TEST(a_causal_mask_alone_tells_order_from_layer_2_on)
{
	static const char *const projections[] = {"layers 3", "layers 3\nproj random"};
	for (size_t i = 0; i < 2; i++) {
		struct measures m = measure("none+causal", projections[i]);
		assert_int_equal(m.n_prefix, 3);
		expect_zero(&m.prefix[0], "layer 1");
		expect_above(&m.prefix[1], 1e-3, "layer 2");
		m = measure("rope+causal", projections[i]);
		expect_above(&m.prefix[0], 1e-4, "layer 1 of rope");
	}
	assert_int_equal(measure("rope", "").n_prefix, 0);
}

/* ---- shift and insertion ----------------------------------------------------------------------------- */

TEST(relative_schemes_do_not_notice_a_shift)
{
	static const struct {
		const char *expression;
		bool relative;
	} rows[] = {
		{"rope", true},
		{"alibi", true},
		{"t5", true},
		{"shaw", true},
		{"txl", true},
		{"gauss", true},
		{"none", true},
		{"sinusoidal", false},
		{"learned", false},
		{"ldpe", false},
		{"rope(pos=remaining)", true},
		{"sinusoidal+shaw", false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct measures m = measure(rows[i].expression, "");
		if (rows[i].relative) {
			assert_true(m.shift.there && m.shift.value < 1e-9);
			if (!m.shift_random.there || !(m.shift_random.value < 1e-9))
				fail_msg("%s: %g", rows[i].expression, m.shift_random.value);
		} else {
			expect_above(&m.shift_random, 1e-3, rows[i].expression);
		}
		assert_int_equal(m.constant_bias, strcmp(rows[i].expression, "none") == 0);
	}
	const struct measures m = measure("learned", "t-max 10");
	expect_absent(&m.shift, "n/a: positions beyond t-max");
}

TEST(tokens_in_front_move_absolute_positions)
{
	struct measures m = measure("rope", "proj random");
	assert_true(m.insertion.there && m.insertion.value < 1e-9);
	m = measure("alibi", "proj random");
	expect_zero(&m.insertion, "alibi");
	m = measure("sinusoidal", "proj random");
	expect_above(&m.insertion, 1e-3, "sinusoidal");
	/* What is left to come is not changed by what is put in front. */
	m = measure("ldpe", "proj random");
	expect_zero(&m.insertion, "ldpe");
	m = measure("learned", "t-max 10");
	expect_absent(&m.insertion, "n/a: positions beyond t-max");
	/* As many keys as units, but not of them: two more units bring no more keys. */
	m = measure("diet_abslin(keys=4)", "sentence a b c d");
	expect_absent(&m.insertion, "n/a: the keys are not the tokens");
}

TEST(what_was_given_for_the_places_is_not_inserted)
{
	static const char sentence[] = "sentence a b c d e f\nproj random\n";
	struct measures m =
		measure("rope", arena_printf(&arena, "%sposition-ids 0 1 2 0 1 2", sentence));
	expect_absent(&m.insertion, "n/a: position ids are given");
	expect_zero(&m.shift, "rope");
	expect_above(&m.equivariance, 1e-3, "rope");
	/* All at one place: nobody can tell an order. */
	m = measure("sinusoidal", arena_printf(&arena, "%sposition-ids 7 7 7 7 7 7", sentence));
	expect_zero(&m.equivariance, "sinusoidal");
	m = measure("xlnet", arena_printf(&arena, "%ssegments 1 0 0 1 1 0", sentence));
	expect_absent(&m.insertion, "n/a: segments are given");
	m = measure("xlnet", arena_printf(&arena, "%smemory-tokens 2", sentence));
	expect_absent(&m.insertion, "n/a: a memory stands in front");
	expect_zero(&m.shift, "xlnet");
	expect_above(&m.equivariance, 1e-3, "xlnet");
	/* Without positions the tokens behind the memory are a set. */
	m = measure("none", arena_printf(&arena, "%smemory-tokens 2", sentence));
	expect_zero(&m.equivariance, "none");
}

/* ---- counts, words, ends ------------------------------------------------------------------------------ */

TEST(counts_stand_beside_each_other)
{
	struct measures m = measure("learned", "d-model 8\nheads 2\nt-max 20");
	assert_int_equal(m.count_made, 20 * 8);
	assert_true(fabs(m.count_printed - 20 * 8) <= 0);
	m = measure("none", "");
	assert_int_equal(m.count_made, 0);
	assert_true(isnan(m.count_printed));
}

TEST(measures_are_shown_in_words)
{
	const struct {
		struct measure m;
		const char *text;
	} rows[] = {
		{{.there = true, .value = 0}, "0"},
		{{.there = true, .value = 4.4e-16}, "0 (4e-16)"},
		{{.there = true, .value = 9.9e-10}, "0 (1e-9)"},
		{{.there = true, .value = 1e-8}, "1e-8"},
		{{.there = true, .value = 0.834}, "0.83"},
		{{.there = true, .value = 1.26}, "1.3"},
		{{.why = "n/a: one token"}, "n/a: one token"},
		{{0}, "…"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const char *text = measure_show(&rows[i].m, &arena);
		if (strcmp(text, rows[i].text) != 0)
			fail_msg("%g is shown as \"%s\", not \"%s\"", rows[i].m.value, text,
				 rows[i].text);
	}
}

TEST(a_cache_and_a_flag_change_no_number)
{
	static const char *const expressions[] = {"shaw", "deberta(emd=on)", "cope"};
	struct cache *cache = cache_new(1 << 24);
	for (size_t i = 0; i < 3; i++) {
		const struct scene s = help_scene(expressions[i], "proj random");
		const struct measures plain = measure(expressions[i], "proj random");
		struct err err = {""};
		struct watch watch = {0};
		struct measures m = {0};
		const struct measure_request all = {
			.kinds = MEASURED_ALL, .cache = cache, .watch = &watch};
		for (size_t k = 0; k < 2; k++) {
			m = (struct measures){0};
			assert_true(analysis_measure(&s.setup, &all, &m, &err));
			assert_true(fabs(m.equivariance.value - plain.equivariance.value) <= 0);
			assert_true(fabs(m.shift_random.value - plain.shift_random.value) <= 0);
		}
		watch_cancel(&watch);
		const struct measure_request anew = {.kinds = MEASURED_ALL, .watch = &watch};
		m = (struct measures){0};
		assert_false(analysis_measure(&s.setup, &anew, &m, &err));
	}
	cache_free(cache);
	struct err err = {""};
	struct measures m;
	const struct scene s = help_scene("rope", "heads 5");
	assert_false(help_measure(&s.setup, NULL, &m, &err));
	assert_non_null(strstr(err.text, "heads"));
}

struct told {
	struct watch watch;
	size_t times;
	unsigned known;
	double last;
};

/* One kind after the other; what is told stays known, and the watch goes on. */
static void hear(void *context, const struct measures *so_far)
{
	struct told *t = context;
	const double done = watch_part(&t->watch);
	const unsigned more = so_far->known & ~t->known;
	assert_int_equal(so_far->known & t->known, t->known);
	assert_true(more && (more & (more - 1)) == 0);
	assert_true(done >= t->last && done <= 1);
	t->known = so_far->known;
	t->last = done;
	t->times++;
}

TEST(progress_goes_from_nothing_to_all)
{
	static const char *const expressions[] = {"rope", "rope+causal", "deberta(emd=on)"};
	for (size_t i = 0; i < 3; i++) {
		const struct scene s = help_scene(expressions[i], "layers 3");
		struct told told = {.last = 0};
		const struct measure_request all = {.kinds = MEASURED_ALL,
						    .watch = &told.watch,
						    .tell = hear,
						    .context = &told};
		struct measures m = {0};
		struct err err = {""};
		assert_true(analysis_measure(&s.setup, &all, &m, &err));
		assert_int_equal(told.times, 6);
		assert_int_equal(m.known, MEASURED_ALL);
		assert_true(fabs(told.last - 1) < 1e-12);
	}
}

/* A verdict is about the scheme: sentence, sizes and company of the user do not change it. */
TEST_SAMPLED(verdicts_do_not_hang_on_the_sentence, 1, 2)
{
	static const char *const expressions[] = {"sinusoidal+causal", "rope+sinusoidal",
						  "t5+alibi(heads=2)", "shaw(layers=2)",
						  "resdrop(layer=2)",  "gauss(heads=1)+rope"};
	static const char *const lines[] = {"", "sentence a",
					    "layers 5\nt-max 3\nsentence a b\nseed 9",
					    "sentence a a a\nspecial cls\nd-model 8\nproj random"};
	for (size_t i = 0; i < 6; i++) {
		for (size_t k = (i + test_part) % test_parts; k < 4; k += test_parts) {
			const struct scene s = help_scene(expressions[i], lines[k]);
			struct verdict v[VERDICTS_MAX];
			size_t n;
			struct err err = {""};
			if (!analysis_check(&s.setup, NULL, &arena, v, &n, &err))
				fail_msg("%s: %s", expressions[i], err.text);
			for (size_t j = 0; j < n; j++)
				if (!v[j].ok)
					fail_msg("%s with \"%s\", %s: %s", expressions[i], lines[k],
						 v[j].claim, v[j].found);
		}
	}
}

/* What digits, a graph or a re-ordering do shows where there are some: a plain sentence has none, and what
 * hangs on a graph alone moves with its nodes. */
TEST(behaviour_is_that_of_a_sentence_with_something_to_do)
{
	static const struct {
		const char *expression;
		bool sees_order;
	} cases[] = {{"none", false},	    {"abacus", true},	 {"laplacian", false},
		     {"graphormer", false}, {"tpe", false},	 {"spr_abs(fuse=tanh)", true},
		     {"langpe", true},	    {"struct_tr", false}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct scene s = help_scene(cases[i].expression, "");
		struct behaviour is;
		struct err err = {""};
		if (!analysis_behaviour(&s.setup, NULL, NULL, &is, &err))
			fail_msg("%s: %s", cases[i].expression, err.text);
		if ((is.equivariance > 1e-3) != cases[i].sees_order || !(is.equivariance >= 0))
			fail_msg("%s: order %g", cases[i].expression, is.equivariance);
	}
}

/* A table stands before any of its rows is measured, and then measures those that are wanted. */
TEST(rows_of_the_table_are_measured_one_by_one)
{
	const struct scene s = help_scene("none", "seed 7");
	struct table_row *rows;
	size_t n;
	struct err err = {""};
	analysis_table_kept(&s.setup, NULL, &arena, &rows, &n);
	assert_int_equal(n, scheme_count());
	for (size_t i = 0; i < n; i++) {
		struct table_row *const row = &rows[i];
		if (row->scheme == scheme_find("rope", strlen("rope"), NULL))
			assert_true(analysis_table_measure(&s.setup, NULL, NULL, &row, 1, &err));
	}
	for (size_t i = 0; i < n; i++)
		assert_int_equal(rows[i].known, strcmp(rows[i].scheme->id, "rope") == 0);
}

/* Rows that are measured side by side are those that are measured alone. */
TEST(rows_of_the_table_do_not_depend_on_their_neighbours)
{
	enum { STRIDE = 9 };
	const struct scene s = help_scene("none", "seed 7");
	struct table_row *together, *alone, **wanted;
	size_t n, taken = 0;
	struct err err = {""};
	analysis_table_kept(&s.setup, NULL, &arena, &together, &n);
	analysis_table_kept(&s.setup, NULL, &arena, &alone, &n);
	wanted = arena_calloc(&arena, n, sizeof *wanted);
	for (size_t i = 0; i < n; i += STRIDE)
		wanted[taken++] = &together[i];
	assert_true(analysis_table_measure(&s.setup, NULL, NULL, wanted, taken, &err));
	for (size_t i = 0; i < n; i += STRIDE) {
		struct table_row *const row = &alone[i];
		assert_true(analysis_table_measure(&s.setup, NULL, NULL, &row, 1, &err));
		assert_true(together[i].known);
		assert_memory_equal(&together[i].is, &row->is, sizeof row->is);
	}
}
