/* test_instead.c: views that show nothing of a scheme: they say in one sentence where to look, by a key that leads
 * there, and show the next best picture. */
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "help_frame.h"
#include "help_view.h"

FIXTURE(help_begin, help_end)

static size_t pictures(const struct figure *f)
{
	size_t n = 0;
	for (size_t i = 0; i < f->n; i++)
		n += f->panels[i].kind == PANEL_HEATMAP && !f->panels[i].absent;
	return n;
}

static void assert_leads(const char *view, const char *scheme)
{
	const struct picture *const p =
		help_picture(&help_arena, scheme, arena_printf(&help_arena, "view %s\n", view));
	const struct panel *const first = &p->figure.panels[0];
	if (!first->absent)
		return;
	help_figure_is_sound(&help_arena, &p->figure, scheme);
	if (!strstr(first->absent, "Key 1, Explore, shows"))
		fail_msg("%s of %s leads nowhere: %s", view, scheme, first->absent);
	if (pictures(&p->figure) == 0)
		fail_msg("%s of %s has no picture", view, scheme);
}

TEST(a_scheme_without_relation_or_clocks_has_a_lead_and_a_picture)
{
	static const char *const views_of[] = {"relation", "clocks"};
	for (size_t i = 0; i < scheme_count(); i++)
		for (size_t k = 0; k < 2; k++)
			assert_leads(views_of[k], scheme_at(i)->id);
}

/* The key is the one of the table, which opens that view. */
TEST(the_keys_that_are_named_lead_there)
{
	static const struct {
		const char *key, *title;
	} rows[] = {{"1", "Explore"}, {"5", "Vectors"}};
	for (size_t i = 0; i < 2; i++) {
		bool bound = false;
		for (const struct binding *b = bindings; b->key; b++)
			bound |= !*b->context && strcmp(b->key, rows[i].key) == 0 &&
				 strcmp(b->command,
					arena_printf(&help_arena, "view %s", rows[i].key)) == 0;
		assert_true(bound);
		assert_string_equal(views[rows[i].key[0] - '1']->title, rows[i].title);
	}
}

/* Also on a small screen the sentence is there. */
TEST(the_sentence_is_on_every_screen)
{
	static const int sizes[][2] = {{120, 36}, {80, 24}, {60, 20}, {40, 12}};
	static const char *const rows[][2] = {{"clocks", "t5"}, {"relation", "none"}};
	for (size_t i = 0; i < 2; i++) {
		struct tui *const t = help_tui(&help_arena, rows[i][1],
					       arena_printf(&help_arena, "view %s\n", rows[i][0]),
					       BACKGROUND_DARK);
		for (size_t k = 0; k < 4; k++) {
			const struct canvas *const c = help_frame(
				t, (struct help_look){sizes[k][0], sizes[k][1], TIER_MONO, false});
			const char *const text = help_screen(c);
			if (!strstr(text, "Explore,"))
				fail_msg("%dx%d:\n%s", sizes[k][0], sizes[k][1], text);
		}
		help_tui_done(t);
	}
}

/* The sentence has the rows of its words, and the pictures all others; both are on one screen. */
TEST(the_sentence_leaves_room_to_the_pictures)
{
	static const char *const views_of[] = {"clocks", "lengths"};
	for (size_t i = 0; i < 2; i++) {
		const struct figure *const f =
			&help_picture(&help_arena, "graphormer",
				      arena_printf(&help_arena, "view %s\n", views_of[i]))
				 ->figure;
		static const int sizes[][2] = {{33, 120}, {21, 80}};
		for (size_t k = 0; k < 2; k++) {
			struct rect place[FIGURE_PANELS];
			help_layout(f, (struct rect){0, 0, sizes[k][0], sizes[k][1]}, 0, false,
				    place);
			assert_in_range(place[0].rows, 2, 4);
			assert_int_equal(place[0].cols, sizes[k][1]);
			assert_true(place[1].rows >= 15 && place[2].rows >= 15);
		}
	}
}
