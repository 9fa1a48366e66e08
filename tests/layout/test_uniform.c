/* test_uniform.c: a matrix of one colour says that this is the finding: over its cells, on screens and on pages. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_pages.h"
#include "help_view.h"
#include "posviz/picture/picture.h"
#include "posviz/plot/raster.h"

FIXTURE(open_arena, close_arena)

/* Nothing, an order that is not seen, distance alone, vectors alone, weights that are given. */
static const char *const schemes[] = {"none", "t5",	 "alibi+causal", "sinusoidal",
				      "rope", "deberta", "synth_random"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

static bool has_words(const char *text, const char *words)
{
	const size_t len = strcspn(words, " :.");
	return strstr(text, arena_strndup(&arena, words, len)) != NULL;
}

/* Every view but those of all schemes, whose rows are no cells of one scheme. */
TEST(a_matrix_of_one_value_says_so)
{
	size_t uniform = 0;
	for (size_t i = 0; i < SCHEMES; i++)
		for (size_t v = 0; views[v]; v++) {
			if (views[v]->rows || views[v]->own)
				continue;
			const struct figure *const f =
				&help_picture(&arena, schemes[i], help_view(&arena, views[v]->name))
					 ->figure;
			for (size_t k = 0; k < f->n; k++) {
				const struct panel *const p = &f->panels[k];
				double value;
				if (p->kind != PANEL_HEATMAP || p->absent || p->heatmap.integers ||
				    !heatmap_is_uniform(&p->heatmap, &value))
					continue;
				uniform++;
				if (!p->heatmap.uniform)
					fail_msg(
						"%s, %s: \"%s\" is %g everywhere and does not say so",
						schemes[i], views[v]->name, p->title, value);
			}
		}
	assert_true(uniform > 4);
}

/* The cursor's brackets stand under the sentence, wherever it is. */
TEST(the_cursor_hides_no_letter_of_it)
{
	const struct figure *const f =
		&help_picture(&arena, "t5", help_view(&arena, "order"))->figure;
	struct panel p = *help_named_panel(f, "difference");
	p.heatmap.uniform = "zero everywhere";
	for (size_t at = 0; at < 81; at++) {
		struct canvas *const c = help_canvas(16, 40, TIER_DIRECT, false);
		p.heatmap.has_cursor = true;
		p.heatmap.row = at / 9;
		p.heatmap.col = at % 9;
		canvas_panel(c, (struct rect){0, 0, 16, 40}, &p, false, NULL, NULL);
		assert_non_null(strstr(help_screen(c), p.heatmap.uniform));
	}
}

TEST(it_says_so_over_its_cells_on_screens_and_pages)
{
	static const struct {
		const char *scheme, *view, *panel, *words;
	} rows[] = {{"none", "explore", "bias", "zero everywhere: this scheme adds nothing"},
		    {"t5", "order", "difference", "zero everywhere"}};
	static const int sizes[][2] = {{24, 80}, {36, 120}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct figure *const f =
			&help_picture(&arena, rows[i].scheme, help_view(&arena, rows[i].view))
				 ->figure;
		const struct panel *const p = help_named_panel(f, rows[i].panel);
		assert_non_null(strstr(p->heatmap.uniform, rows[i].words));
		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
			struct canvas *const c =
				help_canvas(sizes[k][0], sizes[k][1] / 2, TIER_DIRECT, false);
			canvas_panel(c, (struct rect){0, 0, sizes[k][0], sizes[k][1] / 2}, p, false,
				     NULL, NULL);
			if (!has_words(help_screen(c), rows[i].words))
				fail_msg("%s, %s: no \"%s\" over\n%s", rows[i].scheme, rows[i].view,
					 rows[i].words, help_screen(c));
		}
		const struct raster_look look = {.width = 1600, .height = 1000, .dpi = 150};
		const struct raster_report r = help_page_report(f, &look, &arena);
		size_t said = 0;
		for (size_t k = 0; k < r.n; k++)
			said += has_words(r.boxes[k].text, p->heatmap.uniform);
		assert_true(said > 0);
	}
}

/* Shares of 0 to 1 need no numbers: colours and the words at the ends of the scale tell enough. */
TEST(cells_without_digits_have_words_at_the_ends_of_the_bar)
{
	static const char scheme[] = "rope(layers=1-5)+window(keys=4,layers=1-5)+causal";
	const struct figure *const f =
		&help_picture(&arena, scheme, "view stack\nlayers 6\nt-max 512\n")->figure;
	const struct panel *const p = help_named_panel(f, "seen");
	struct canvas *const c = help_canvas(24, 80, TIER_DIRECT, false);
	canvas_panel(c, (struct rect){0, 0, 24, 80}, p, false, NULL, NULL);
	const char *const screen = help_screen(c);
	assert_non_null(strstr(screen, "no query"));
	assert_non_null(strstr(screen, "all"));
	assert_null(strstr(screen, "1.00"));
	const struct raster_look look = {.width = 1600, .height = 1000, .dpi = 150};
	const struct raster_report r = help_page_report(f, &look, &arena);
	size_t words = 0;
	for (size_t k = 0; k < r.n; k++) {
		words += strcmp(r.boxes[k].text, "no query") == 0 ||
			 strcmp(r.boxes[k].text, "all") == 0;
		if (strcmp(r.boxes[k].text, "1.00") == 0 || strcmp(r.boxes[k].text, "0.5") == 0)
			fail_msg("\"%s\" stands on the page", r.boxes[k].text);
	}
	assert_int_equal(words, 2);
}

TEST(a_residue_of_zero_says_so_and_another_one_does_not)
{
	const struct panel *const rest = help_named_panel(
		&help_picture(&arena, "t5", "view split\npanel rest\n")->figure, "rest");
	const struct panel *const some = help_named_panel(
		&help_picture(&arena, "learned", help_view(&arena, "split"))->figure, "rest");
	assert_non_null(strstr(rest->heatmap.uniform, "No residue: "));
	assert_null(some->heatmap.uniform);
}

/* A view that has nothing for a scheme shows what the scheme has instead. */
TEST_SAMPLED(no_view_is_one_sentence, 1, 6)
{
	static const char *const of_one[] = {"explore", "terms", "split", "relation", "clocks"};
	for (size_t i = test_part; i < scheme_count(); i += test_parts)
		for (size_t v = 0; v < sizeof of_one / sizeof *of_one; v++) {
			const struct figure *const f = &help_picture(&arena, scheme_at(i)->id,
								     help_view(&arena, of_one[v]))
								->figure;
			size_t drawn = 0;
			for (size_t k = 0; k < f->n; k++)
				drawn += !f->panels[k].absent;
			if (drawn == 0)
				fail_msg("%s: %s has nothing but \"%s\"", scheme_at(i)->id,
					 of_one[v], f->panels[0].absent);
		}
}

TEST(one_value_is_found_but_for_rounding_and_what_is_masked)
{
	const uint8_t masked[] = {0, 1, 0, 0};
	double at[] = {0.25, 7, 0.25, 0.25 + 1e-15}, value;
	struct heatmap h = {.values = {.at = at, .rows = 2, .cols = 2, .stride = 2},
			    .masked = masked};
	assert_true(heatmap_is_uniform(&h, &value) && value == 0.25);
	h.masked = NULL;
	assert_false(heatmap_is_uniform(&h, &value));
	at[0] = at[1] = at[2] = at[3] = 3e-16;
	assert_true(heatmap_is_uniform(&h, &value) && value == 0);
	h.values.rows = h.values.cols = 1;
	assert_false(heatmap_is_uniform(&h, &value));
}
