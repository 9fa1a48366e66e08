/* test_instead.c: views that show nothing of a scheme: they say in one sentence where to look, by a key that leads
 * there, and show the next best picture. */
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "help_frame.h"
#include "help_view.h"
#include "posviz/base/text.h"
#include "view/vectors_in.h"

FIXTURE(help_begin, help_end)

static size_t pictures(const struct figure *f)
{
	size_t n = 0;
	for (size_t i = 0; i < f->n; i++)
		n += f->panels[i].kind == PANEL_HEATMAP && !f->panels[i].absent;
	return n;
}

/* A scheme without clocks: why, which have some, and a picture of what it does instead. */
static void assert_clockless(const struct figure *f, const struct panel *card, const char *scheme)
{
	assert_int_equal(card->kind, PANEL_CARD);
	if (f->n < 2)
		fail_msg("%s has no picture", scheme);
	/* It has some, but not of this head and these tokens. */
	if (strcmp(card->title, "No clocks here") == 0)
		return;
	assert_non_null(strstr(card->title, "has no clocks"));
	static const char *const keys[] = {"why", "clocks have", "instead", "keys"};
	for (size_t i = 0; i < 4; i++)
		if (strcmp(card->card.lines[i].key, keys[i]) != 0 || !*card->card.lines[i].value)
			fail_msg("%s: no line \"%s\"", scheme, keys[i]);
	assert_non_null(strstr(card->card.lines[3].value, "1 Explore"));
}

/* The schemes that are named have clocks. */
TEST(schemes_that_are_named_have_clocks)
{
	for (size_t i = 0; clocks_named[i].kind; i++)
		for (const char *at = clocks_named[i].ids; *at; at += strspn(at, ", ")) {
			const size_t n = strcspn(at, ",");
			const char *const id = arena_strndup(&help_arena, at, n);
			const struct picture *const p =
				help_picture(&help_arena, id, "view clocks\n");
			if (p->figure.panels[0].kind != PANEL_DIALS)
				fail_msg("%s has none", id);
			at += n;
		}
}

/* The curve beside has the means of the bias: T5's, by hand. */
TEST(the_curve_instead_has_the_means_of_the_bias)
{
	const struct picture *const p = help_picture(&help_arena, "t5", "view clocks\n");
	const struct mat bias = p->trace.layers[0].heads[0].bias;
	const struct series *const s = p->figure.panels[0].curves.series;
	assert_int_equal(s->n, 2 * bias.cols - 1);
	for (size_t i = 0; i < s->n; i++) {
		const long apart = (long)i - (long)bias.cols + 1;
		double sum = 0, n = 0;
		for (long t = 0; t < (long)bias.rows; t++)
			if (t + apart >= 0 && t + apart < (long)bias.cols) {
				sum += mat_row(bias, (size_t)t)[t + apart];
				n++;
			}
		assert_within(s->x[i], (double)apart, 0);
		assert_within(s->y[i], sum / n, 1e-12);
	}
}

static void assert_leads(const char *view, const char *scheme)
{
	const struct picture *const p =
		help_picture(&help_arena, scheme, arena_printf(&help_arena, "view %s\n", view));
	const struct panel *const first = &p->figure.panels[0];
	help_figure_is_sound(&help_arena, &p->figure, scheme);
	const struct panel *const card = &p->figure.panels[p->figure.n - 1];
	if (strcmp(view, "clocks") == 0 && first->kind != PANEL_DIALS) {
		assert_clockless(&p->figure, card, scheme);
		return;
	}
	if (!first->absent)
		return;
	if (!strstr(first->absent, "The view Explore shows"))
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
			if (!strstr(text, i == 0 ? "t5 has no clocks" : "Explore"))
				fail_msg("%dx%d:\n%s", sizes[k][0], sizes[k][1], text);
		}
		help_tui_done(t);
	}
}

/* The sentence has the rows of its words, and the pictures all others; both are on one screen. */
TEST(the_sentence_leaves_room_to_the_pictures)
{
	static const char *const rows[][2] = {{"relation", "none"}, {"lengths", "graphormer"}};
	for (size_t i = 0; i < 2; i++) {
		const struct figure *const f =
			&help_picture(&help_arena, rows[i][1],
				      arena_printf(&help_arena, "view %s\n", rows[i][0]))
				 ->figure;
		static const int sizes[][2] = {{33, 120}, {21, 80}};
		for (size_t k = 0; k < 2; k++) {
			struct rect place[FIGURE_PANELS];
			help_layout(f, (struct rect){0, 0, sizes[k][0], sizes[k][1]}, 0, false,
				    place);
			assert_in_range(place[0].rows, 2, 6);
			assert_in_range(place[0].cols, sizes[k][1] - 4, sizes[k][1]);
			for (size_t m = 1; m < f->n; m++)
				if (f->panels[m].kind == PANEL_HEATMAP && place[m].rows < 15)
					fail_msg("%s of %s on %d columns: %d rows of picture %zu",
						 rows[i][0], rows[i][1], sizes[k][1], place[m].rows,
						 m);
		}
	}
}

/* "instead" is one clause, so that it stands whole on a small screen. */
TEST(what_a_scheme_does_instead_is_said_whole)
{
	static const char *const schemes[] = {"t5", "deberta", "spr_rel", "graphormer", "alibi"};
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
		const struct figure *const f =
			&help_picture(&help_arena, schemes[i], "view clocks\n")->figure;
		const struct card *const card = &f->panels[f->n - 1].card;
		const char *says = "";
		for (size_t k = 0; k < card->n; k++)
			says = strcmp(card->lines[k].key, "instead") == 0 ? card->lines[k].value
									  : says;
		assert_in_range(text_width(says), 10, 100);
		struct tui *const t =
			help_tui(&help_arena, schemes[i], "view clocks\n", BACKGROUND_DARK);
		const struct help_look look = {80, 24, TIER_DIRECT, false};
		const char *const text = help_screen(help_frame(t, look));
		if (!strstr(text, strrchr(says, ' ') + 1))
			fail_msg("%s:\n%s", says, text);
		help_tui_done(t);
	}
}
