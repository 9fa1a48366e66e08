/* test_profile_own.c: the scheme's own kernels beside those of heads; numbers of heads by name, filters, order; and
 * differences of two profiles. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/analysis/profile_columns.h"

FIXTURE(open_arena, close_arena)

enum { N = 9 };

static const struct profile_sizes one = {.layers = 1, .heads = 1, .n = N};

/* A profile of one head whose logits are by distance under the causal mask. */
static struct profile *profile_by(double (*f)(double distance))
{
	struct err err = {""};
	struct profile *const p = profile_new(&one, &arena);
	const struct mat m = mat_new(&arena, N, N), weights = mat_zero(&arena, N, N);
	uint8_t *const mask = arena_calloc(&arena, (size_t)N * N, 1);
	for (size_t i = 0; i < (size_t)N * N; i++) {
		const size_t t = i / N, s = i % N;
		m.at[i] = f((double)s - (double)t);
		mask[i] = s <= t;
		weights.at[i] = s <= t ? 1 / (double)(t + 1) : 0;
	}
	assert_true(profile_add(p,
				&(struct profile_in){.logits = m, .weights = weights, .mask = mask},
				NULL, &err));
	return p;
}

static double slope(double distance)
{
	return 0.5 * distance;
}

static double bent(double distance)
{
	return 0.5 * distance + (distance > -1 ? 2 : 0);
}

static double turned(double distance)
{
	return 1.5 * (cos(distance) + cos(0.1 * distance));
}

static double against(double distance)
{
	return -turned(distance);
}

static struct profile_head result_of(struct profile *p)
{
	struct profile_head h;
	profile_result(p, 0, 0, false, &arena, &h);
	return h;
}

/* The share of `f` that is left without `own`, from all pairs one by one; rows lose their means. */
static double left_of(double (*f)(double), double (*own)(double), double *apart)
{
	double all = 0, left = 0, counted = 0;
	for (size_t t = 0; t < N; t++) {
		double mf = 0, mo = 0;
		for (size_t s = 0; s <= t; s++) {
			mf += f((double)s - (double)t) / (double)(t + 1);
			mo += own((double)s - (double)t) / (double)(t + 1);
		}
		for (size_t s = 0; s <= t; s++) {
			const double x = f((double)s - (double)t) - mf,
				     y = own((double)s - (double)t) - mo;
			all += x * x;
			left += (x - y) * (x - y);
			counted++;
		}
	}
	*apart = sqrt(left / counted);
	return left / all;
}

TEST(own_kernel_of_a_bias)
{
	struct profile *const p = profile_by(bent);
	struct mat map = mat_new(&arena, N, N);
	double apart;
	for (size_t i = 0; i < (size_t)N * N; i++)
		map.at[i] = slope((double)(i % N) - (double)(i / N));
	assert_true(profile_give_own(p, &map, (struct mat){0}));
	const struct profile_head h = result_of(p);
	const double left = left_of(bent, slope, &apart);
	assert_within(h.own_like, 1 - left, 1e-12);
	assert_within(h.own_apart, apart, 1e-12);
	assert_true(left > 0.05 && left < 0.9);
	for (size_t i = 0; i + 1 < N; i++)
		assert_within(h.own[i + 1] - h.own[i], 0.5, 1e-12);
	assert_true(isnan(h.own[N]));
	assert_within(h.peak, 0, 0);
}

/* A rotation's own kernel is fitted in size: that of a head that is nothing else is the same; one that is against it
 * has nothing of it. */
TEST(own_kernel_of_a_rotation)
{
	const struct mat rates = mat_new(&arena, 1, 3);
	memcpy(rates.at, (double[]){1, 0.1, NAN}, 3 * sizeof(double));
	struct profile *p = profile_by(turned);
	assert_true(profile_give_own(p, NULL, rates));
	struct profile_head h = result_of(p);
	assert_within(h.own_like, 1, 1e-12);
	assert_within(h.own_apart, 0, 1e-9);
	for (size_t i = 0; i < N; i++)
		assert_within(h.own[i], h.kernel[i], 1e-9);
	p = profile_by(against);
	assert_true(profile_give_own(p, NULL, rates));
	h = result_of(p);
	assert_within(h.own_like, 0, 1e-12);
	assert_within(h.own[N - 1], 0, 0);
}

TEST(no_own_kernel)
{
	struct profile *const p = profile_by(bent);
	assert_false(profile_give_own(p, NULL, (struct mat){0}));
	const struct profile_head h = result_of(p);
	assert_null(h.own);
	assert_true(isnan(h.own_like) && isnan(h.own_apart));
}

/* ---- numbers by name ------------------------------------------------------------------------------ */

static const struct profile_sizes four = {.layers = 2, .heads = 2, .n = N};

static struct profile_head *four_heads(void)
{
	static const double previous[] = {0.1, 0.9, NAN, 0.5}, shares[] = {0.2, 0.4, 0.1, 0.3};
	struct profile_head *const h = arena_calloc(&arena, 4, sizeof *h);
	for (size_t i = 0; i < 4; i++) {
		h[i].distance = shares[i];
		h[i].key = 0.1;
		h[i].content = 0.9 - shares[i];
		h[i].score[PROFILE_PREVIOUS] = previous[i];
		h[i].stands[PROFILE_PREVIOUS] = i == 1 || i == 3;
	}
	return h;
}

static struct scene scene_with(const char *filter, bool descending)
{
	struct scene s;
	struct err err = {""};
	scene_init(&s);
	if (!scene_set(&s, field_find("profile-filter"), filter, &err))
		fail_msg("%s", err.text);
	s.descending = descending;
	return s;
}

TEST(heads_in_order_and_filtered)
{
	static const struct {
		const char *column, *filter;
		bool descending;
		const char *want;
	} rows[] = {
		{"position", "all", false, "1302"},	  {"position", "all", true, "2031"},
		{"previous", "all", false, "1302"},	  {"previous", "all", true, "0312"},
		{"layer", "all", false, "0123"},	  {"head", "all", false, "0213"},
		{"layer", "previous>0.4", false, "13"},	  {"layer", "previous", false, "13"},
		{"layer", "position>=30%", false, "013"}, {"layer", "position<=40", false, "023"},
		{"layer", "layer=2 head=1", false, "2"},  {"layer", "previous<0.2", false, "0"},
		{"position", "distance>90", false, ""},
	};
	const struct profile_head *const h = four_heads();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct scene s = scene_with(rows[i].filter, rows[i].descending);
		char is[5] = "";
		size_t n;
		const size_t *const at = profile_order(
			&four, h, &s, profile_name_find(rows[i].column, strlen(rows[i].column)),
			false, &arena, &n);
		for (size_t k = 0; k < n; k++)
			is[k] = (char)('0' + at[k]);
		if (strcmp(is, rows[i].want) != 0)
			fail_msg("by %s, %s: %s and not %s", rows[i].column, rows[i].filter, is,
				 rows[i].want);
	}
}

TEST(conditions_that_are_none_are_refused)
{
	static const struct {
		const char *filter, *says;
	} rows[] = {
		{"foo", "\"foo\" is no condition; previous>0.5, layer=2, or a score alone"},
		{"previuos>1", "\"previuos>1\" is no condition; previous>0.5"},
		{"previous>x", "\"previous>x\" is no condition"},
		{"previous>", "\"previous>\" is no condition"},
		{"position", "\"position\" is no condition; position>0.5"},
		{"layer=2 head", "\"head\" is no condition"},
		{"previous>0.5>1", "is no condition"},
	};
	struct scene s;
	scene_init(&s);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct err err = {""};
		assert_false(scene_set(&s, field_find("profile-filter"), rows[i].filter, &err));
		if (!strstr(err.text, rows[i].says))
			fail_msg("%s: %s", rows[i].filter, err.text);
		assert_string_equal(s.profile_filter, "all");
	}
}

TEST(every_number_has_a_name_and_words)
{
	for (size_t i = 0; i < PROFILE_COLUMNS; i++) {
		const struct profile_column *const c = &profile_columns[i];
		assert_non_null(c->head);
		assert_non_null(c->axis);
		assert_non_null(c->brief);
		assert_int_equal(profile_name_find(profile_names[i], strlen(profile_names[i])), i);
		assert_true(c->means != NULL || c->priority == 0);
		if (c->score < PROFILE_SCORES && c->score != PROFILE_DISTANCE)
			assert_string_equal(profile_names[i], profile_scores[c->score].name);
	}
	const struct profile_head *const h = four_heads();
	assert_string_equal(profile_text(&four, h, 1, 0, &arena), "50 %");
	assert_string_equal(profile_text(&four, h, 1, 5, &arena), "0.90*");
	assert_string_equal(profile_text(&four, h, 0, 5, &arena), "0.10 ");
	assert_string_equal(profile_text(&four, h, 2, 5, &arena), "–");
	assert_string_equal(profile_text(&four, h, 2, 14, &arena), "2");
}

/* ---- differences ----------------------------------------------------------------------------------- */

TEST(differences_of_two_profiles)
{
	struct profile *const p = profile_by(slope), *const q = profile_by(bent);
	const struct profile_head from = result_of(p);
	struct profile_head to = result_of(q);
	const char *facts[PROFILE_FACTS];
	double apart;
	left_of(bent, slope, &apart);
	to.score[PROFILE_PREVIOUS] = from.score[PROFILE_PREVIOUS] + 0.4;
	const struct profile_head *const by = profile_differences(p, &from, &to, &arena);
	assert_within(by->own_apart, apart, 1e-12);
	assert_within(by->score[PROFILE_PREVIOUS], 0.4, 1e-12);
	assert_true(by->stands[PROFILE_PREVIOUS]);
	assert_false(by->stands[PROFILE_FIRST]);
	assert_within(by->distance, 0, 1e-12);
	assert_int_equal(profile_changes(&one, &from, &to, by, &arena, facts), 2);
	assert_non_null(strstr(facts[0], "Head 1: the previous token has first "));
	assert_non_null(strstr(facts[1], "The kernels of head 1 differ most, by "));
	const struct profile_head *const none = profile_differences(p, &from, &from, &arena);
	assert_within(none->own_apart, 0, 0);
	profile_changes(&one, &from, &from, none, &arena, facts);
	assert_non_null(strstr(facts[0], "No share or score of a head differs by 0.1 or more"));
}

TEST(profiles_of_other_sizes_are_not_compared)
{
	struct err err = {""};
	struct profile_sizes other = four;
	assert_true(profile_comparable(&four, &other, "a", "b", &err));
	other.heads = 3;
	assert_false(profile_comparable(&four, &other, "a", "b", &err));
	assert_string_equal(err.text,
			    "compare: a has 2 layers of 2 heads and b 2 of 3; a model of as "
			    "many would be right");
	other = four;
	other.n = 5;
	assert_false(profile_comparable(&four, &other, "a", "b", &err));
	assert_string_equal(err.text, "compare: windows of a have 9 tokens and those of b 5; "
				      "--window-length 5 would be right");
}
