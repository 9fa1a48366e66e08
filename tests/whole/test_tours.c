/* test_tours.c: our own tours say nothing that is not so: each number holds, each pane and each word is there, no view
 * falls back, and the hour is one. */
#include <string.h>

#include "test.h"
#include "posviz/tour/tour.h"

/* The whole of it, with nothing to complain of. */
static void expect_right(const char *name)
{
	struct arena a;
	arena_init(&a);
	struct tour t;
	struct err err;
	struct tour_report report = {.arena = &a};
	struct cache *const cache = cache_new((size_t)256 << 20);
	const bool ok = tour_open(name, TOUR_EXPECTS, cache, NULL, &a, &t, &report, &err);
	for (size_t i = 0; i < report.n; i++)
		fail_msg("%s", report.lines[i].text);
	if (!ok)
		fail_msg("%s", err.text);
	assert_true(report.expects > t.n_steps);
	assert_int_equal(report.fell_back, 0);
	cache_free(cache);
	arena_release(&a);
}

#define TOUR(NAME, FILE)             \
	TEST(tour_##NAME##_is_right) \
	{                            \
		expect_right(FILE);  \
	}
TOUR(order, "order")
TOUR(sinusoids, "sinusoids")
TOUR(bias, "bias")
TOUR(relative, "relative")
TOUR(buckets, "buckets")
TOUR(expansion, "expansion")
TOUR(rotation, "rotation")
TOUR(today, "today")
TOUR(extrapolation, "extrapolation")
TOUR(trees_graphs, "trees-graphs")
TOUR(rank, "rank")
TOUR(learning_order, "learning-order")
TOUR(lengths, "lengths")
TOUR(inside, "inside")

/* None is forgotten above; an hour is an hour; who is asked is told, and the speaker knows why others err. */
TEST(tours_have_what_a_lecturer_needs)
{
	struct arena a;
	arena_init(&a);
	size_t n, lectures = 0;
	const struct tour_name *const all = tours_all(&a, &n);
	assert_int_equal(n, 15);
	for (size_t i = 0; i < n; i++) {
		struct tour t;
		struct err err;
		if (!tour_open(all[i].name, TOUR_LINES, NULL, NULL, &a, &t, NULL, &err))
			fail_msg("%s", err.text);
		lectures += all[i].lecture;
		assert_true(t.seconds <= (all[i].lecture ? 3600 : 13 * 60));
		for (size_t s = 0; s < t.n_steps; s++)
			if (t.steps[s].seconds <= 0)
				fail_msg("%s: %s has no time", all[i].name, t.steps[s].title);
		for (size_t b = 0; b < t.n_beats; b++)
			if (t.beats[b].ask && t.beats[b].n_wrong == 0)
				fail_msg("%s: nobody errs at: %s", all[i].name, t.beats[b].ask);
		for (size_t s = 0; s < t.n_steps; s++)
			if (t.steps[s].n_notes + t.steps[s].n_sources == 0)
				fail_msg("%s: %s has neither note nor source", all[i].name,
					 t.steps[s].title);
	}
	assert_int_equal(lectures, 1);
	arena_release(&a);
}
