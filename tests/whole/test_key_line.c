/* test_key_line.c: the keys that work are in sight wherever they are needed: in each step of each tour, in
 * quizzes, for the back row, at every size; and where words have no room the rule says that there are
 * more. */
#include <string.h>

#include "help_arena.h"
#include "help_canvas.h"
#include "help_frame.h"
#include "help_view.h"
#include "posviz/model/cache.h"
#include "posviz/tour/tour_run.h"
#include "test.h"

FIXTURE(open_arena, close_arena)

static const int sizes[][2] = {{120, 36}, {80, 24}, {60, 20}, {40, 12}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static struct help_look look_of(size_t size)
{
	return (struct help_look){sizes[size][0], sizes[size][1], TIER_DIRECT, false};
}

/* Returns the text of a row. */
static const char *row_of(const struct canvas *c, int row)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	for (int col = 0; col < c->cols; col++)
		strbuf_add(&b, help_at(c, row, col)->at);
	return b.at;
}

static void expect_keys(const struct canvas *c, const char *const *keys, const char *what)
{
	const char *const last = row_of(c, c->rows - 1);
	for (; *keys; keys++)
		if (!strstr(last, *keys))
			fail_msg("%s, %dx%d: \"%s\" is not in the last row:\n%s", what, c->cols,
				 c->rows, *keys, help_screen(c));
}

/* Where not all words are in sight the rule, the first row of the band, says so. */
static void expect_more(const struct tui *t, const struct canvas *c, const char *what)
{
	const struct touring *const g = &t->tour;
	struct layout l;
	layout_make(t, &l);
	const char *const rule = row_of(c, l.band.row);
	const bool more = g->words + g->seen < g->of;
	if (more && !strstr(rule, "more") && !strstr(rule, "…"))
		fail_msg("%s, %dx%d: %d of %d rows of words:\n%s", what, c->cols, c->rows, g->seen,
			 g->of, help_screen(c));
	assert_true(l.band.row + l.band.rows < c->rows);
}

/* Each beat of a tour, with what is said over the picture and without. */
static void walk(struct tui *t, const struct tour *tour, const char *const *keys)
{
	for (size_t i = 0; i < tour->n_beats; i++) {
		const char *const what =
			arena_printf(&arena, "%s, beat %zu", tour->name ? tour->name : "quiz", i);
		tour_begin(&t->tour.run, tour, i, t->app, 0);
		for (size_t k = 0; k < 2 * SIZES; k++) {
			t->app->message[0] = '\0';
			if (k % 2)
				app_say(t->app, "Something is said.");
			const struct canvas *const c = help_frame(t, look_of(k / 2));
			if (k % 2 == 0 || tui_is_bare(t))
				expect_keys(c, keys, what);
			if (strstr(help_screen(c), "arrows choose"))
				fail_msg("%s: the arrows are asked for:\n%s", what, help_screen(c));
			expect_more(t, c, what);
		}
		tour_end(&t->tour.run, t->app);
	}
}

TEST_SAMPLED(keys_are_in_sight_in_every_step, 1, 4)
{
	static const char *const keys[] = {"? help", "space next", NULL};
	static const char *const scenes[] = {"", "presenter on\n", "view heads\n", "view table\n"};
	size_t n;
	const struct tour_name *const all = tours_all(&arena, &n);
	for (size_t i = test_part; i < n; i += test_parts) {
		struct tour tour;
		struct err err;
		struct arena a;
		arena_init(&a);
		if (!tour_open(all[i].name, TOUR_LINES, NULL, NULL, &a, &tour, NULL, &err))
			fail_msg("%s", err.text);
		struct tui *const t = help_tui(&a, "rope", scenes[i % 4], BACKGROUND_DARK);
		walk(t, &tour, keys);
		help_tui_done(t);
		arena_release(&a);
	}
}

TEST(keys_are_in_sight_in_a_quiz)
{
	static const char *const keys[] = {"? help", " q ", NULL};
	static const char *const lines[] = {"", "presenter on\n"};
	const struct quiz_wish wish = {.level = QUIZ_FAMILIES, .seed = 7, .count = 3};
	for (size_t i = 0; i < 2; i++) {
		struct quiz *const q = arena_calloc(&arena, 1, sizeof *q);
		struct cache *const cache = cache_new((size_t)64 << 20);
		struct err err;
		if (!quiz_make(&wish, cache, NULL, &arena, q, &err))
			fail_msg("%s", err.text);
		cache_free(cache);
		struct tui *const t = help_tui(&arena, "rope", lines[i], BACKGROUND_DARK);
		t->quiz.quiz = q;
		quiz_begin(&t->quiz.run, q);
		walk(t, &q->tour, keys);
		help_tui_done(t);
	}
}

/* The way back is at the end of the last row, beside its sentence, in every view. */
TEST(the_back_row_has_the_way_back)
{
	static const char *const keys[] = {"q back", NULL};
	for (size_t v = 0; views[v]; v++) {
		if (views[v]->table)
			continue;
		struct tui *const t = help_tui(
			&arena, "rope",
			arena_printf(&arena, "presenter on\n%s", help_view(&arena, views[v]->name)),
			BACKGROUND_DARK);
		for (size_t k = 0; k < SIZES && tui_presents(t); k++) {
			const struct canvas *const c = help_frame(t, look_of(k));
			const char *const last = row_of(c, c->rows - 1);
			expect_keys(c, keys, views[v]->name);
			assert_string_equal(last + strlen(last) - strlen("q back "), "q back ");
		}
		help_tui_done(t);
		arena_clear(&arena);
	}
}

/* Threads between two orders have most of the screen. */
TEST(threads_fill_the_screen_of_the_back_row)
{
	struct tui *const t =
		help_tui(&arena, "none", "presenter on\norder reverse\nview order\npanel links\n",
			 BACKGROUND_DARK);
	for (size_t k = 0; k < 3; k++) {
		const struct canvas *const c = help_frame(t, look_of(k));
		int rows = 0, right = 0;
		for (int row = 0; row < c->rows - 1; row++)
			for (int col = 0; col < c->cols; col++) {
				const bool used = strcmp(help_at(c, row, col)->at, " ") != 0;
				rows = used ? row + 1 : rows;
				right = used && col > right ? col : right;
			}
		if (rows < 0.85 * c->rows || right < 0.8 * c->cols)
			fail_msg("%d rows, %d columns are used:\n%s", rows, right, help_screen(c));
	}
	help_tui_done(t);
}
