/* test_scheme_reach.c: the greatest distance at which nothing is computed that training did not show:
 * where distances share what was learned there may be none. */
#include <math.h>

#include "test.h"
#include "posviz/scheme/reach.h"
#include "posviz/scheme/scheme.h"

/* Of a single member. NULL as its hook: t_max - 1. */
static double reach(const char *text, size_t t_max, struct arena *a)
{
	struct expr e;
	struct err err = {""};
	if (!expr_parse(&e, text, a, &err))
		fail_msg("%s", err.text);
	const struct scheme *const s = e.members[0].scheme;
	const struct model_config config = {.d = 16, .heads = 2, .layers = 2, .t_max = t_max};
	return s->reach ? s->reach(e.members[0].param, &config) : (double)t_max - 1;
}

/* T5's buckets of one direction of 16, 8 exact, up to 128: 8 + floor(8 log2(m/8) / 4) begins at m = 8,
 * 12 (11.3), 16, 23 (22.6), 32, 46 (45.3), 64 and 91 (90.5). DeBERTa's with 16 and 32 positions: to 8
 * exact, then 8 + ceil(7 ln(m/8) / ln(31/8)) ends at m = 9 (9.7), 11 (11.8), 14 (14.3), 17 (17.3),
 * 21 (21.05), 25 (25.5) and 31. */
TEST(new_is_what_shares_nothing_with_what_was_seen)
{
	static const struct {
		const char *text;
		size_t t_max;
		double reach;
	} rows[] = {
		{"none", 9, INFINITY},
		{"causal", 9, INFINITY},
		{"window(width=4)", 9, INFINITY},
		{"disan", 9, INFINITY},
		{"resdrop", 9, INFINITY},
		{"resdrop(query=plain)", 9, 8},
		{"alibi", 9, 8},
		{"kerple_log", 9, 8},
		{"sandwich", 9, 8},
		{"sinusoidal", 9, 8},
		{"learned", 9, 8},
		{"shaw", 17, INFINITY}, /* clip 16 */
		{"shaw", 16, 15},
		{"shaw(clip=0)", 4096, 4095},
		{"shaw(table=sinusoidal,clip=3)", 4, INFINITY},
		{"composite", 9, INFINITY}, /* clip 8 */
		{"composite", 8, 7},
		{"txl", 512, 511},
		{"txl(clamp=5)", 6, INFINITY},
		{"xlnet(clamp=5)", 5, 4},
		{"t5", 6, 5},
		{"t5", 9, 11},
		{"t5", 13, 15},
		{"t5", 64, 63},
		{"t5", 65, 90},
		{"t5", 91, 90},
		{"t5", 92, INFINITY},
		{"t5(buckets=4,max_distance=2)", 1, 0},
		{"t5(buckets=4,max_distance=2)", 2, INFINITY},
		{"t5(causal=on,buckets=16)", 65, 90},
		{"deberta", 512, 511},
		{"deberta(max_relative=4)", 5, INFINITY},
		{"deberta(max_relative=4)", 4, 3},
		{"deberta(buckets=16,max_position=32)", 9, 8},
		{"deberta(buckets=16,max_position=32)", 10, 9},
		{"deberta(buckets=16,max_position=32)", 13, 14},
		{"deberta(buckets=16,max_position=32)", 26, 25},
		{"deberta(buckets=16,max_position=32)", 27, INFINITY},
		{"deberta(max_relative=4,emd=on)", 9, 8},
		{"formula", 9, 8},
		{"formula(b=h+d)", 9, INFINITY},
		{"formula(b=1/n)", 9, 8},
		{"formula(b=clamp(s,0,4))", 9, 8},
	};
	struct arena a;
	arena_init(&a);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const double got = reach(rows[i].text, rows[i].t_max, &a);
		if (!(got == rows[i].reach))
			fail_msg("%s with t_max %zu: %g, not %g", rows[i].text, rows[i].t_max, got,
				 rows[i].reach);
	}
	arena_release(&a);
}

/* A pair that is slowed down f times comes to L·θ, which L positions did not show, at the distance f·L, however its rate is
 * rounded; from 2π on there is no new angle. */
TEST(angles_end_before_factor_times_the_positions)
{
	static const double positions[] = {1, 2, 7, 64, 512, 4096, 100003};
	for (size_t l = 0; l < sizeof positions / sizeof *positions; l++)
		for (int f = 1; f <= 64; f++)
			for (int i = 1; i < 40; i++) {
				const double then = 6.28 / positions[l] * pow(10000, -i / 40.);
				const double is = reach_of_pair(then / f, then, positions[l]);
				if (!(is == f * positions[l] - 1))
					fail_msg("%g positions, %d times: %g", positions[l], f, is);
			}
	assert_true(reach_of_pair(0.01, 0.01, 628) == 627 && isinf(reach_of_pair(0.01, 0.01, 629)));
	assert_true(reach_of_pair(0.002, 0.005, 100) == 249); /* .5 is at 250 */
	assert_true(reach_of_pair(0.003, 0.005, 100) == 166); /* 166.7 */
}
