/* test_looks.c: what is seen of the views at the sizes that screens and pages have: which panels, how
 * large, in which words. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_pages.h"
#include "help_view.h"
#include "posviz/plot/canvas.h"
#include "posviz/plot/raster.h"

FIXTURE(open_arena, close_arena)

/* Places of the panels of a view on `rows` by `cols`, nothing having the focus. */
static const struct figure *laid_out(const char *scheme, const char *view, int rows, int cols,
				     struct rect *place)
{
	const char *lines = arena_printf(&arena, "view %s", view);
	const struct figure *f = &help_picture(&arena, scheme, lines)->figure;
	help_layout(f, (struct rect){0, 0, rows, cols}, f->n, false, place);
	return f;
}

static size_t panel_at(const struct figure *f, const char *title)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->panels[i].title, title) == 0)
			return i;
	fail_msg("there is no panel \"%s\"", title);
	return 0;
}

static void expect_even_rows(const struct figure *f, const struct rect *place)
{
	for (size_t i = 0; i < f->n; i++)
		for (size_t k = 0; k < f->n; k++) {
			if (f->panels[i].kind != PANEL_HEATMAP || place[i].rows == 0 ||
			    f->panels[k].kind != PANEL_HEATMAP || place[k].rows == 0 ||
			    place[i].row != place[k].row)
				continue;
			/* One that shows the row labels for all is broader by these. */
			if (f->panels[k].heatmap.rows_shared && !f->panels[i].heatmap.rows_shared)
				continue;
			if (place[i].cols > place[k].cols + 2)
				fail_msg("%s: %d columns, %s: %d", f->panels[i].title,
					 place[i].cols, f->panels[k].title, place[k].cols);
		}
}

/* Heatmaps beside each other are of one width, whatever else stands there. */
TEST(heatmaps_of_a_row_are_of_one_width)
{
	static const char *const schemes[] = {"sinusoidal", "deberta", "shaw", "rope+causal"};
	static const char *const names[] = {"explore", "order", "compare"};
	for (size_t s = 0; s < 4; s++)
		for (size_t v = 0; v < 3; v++)
			for (int cols = 64; cols <= 200; cols += 17) {
				struct rect place[FIGURE_PANELS];
				const struct figure *f =
					laid_out(schemes[s], names[v], cols * 3 / 10, cols, place);
				expect_even_rows(f, place);
			}
}

/* The view is about the difference: it has the focus first, and a small screen shows it. */
TEST(order_opens_on_the_difference)
{
	struct rect place[FIGURE_PANELS];
	const struct figure *f = &help_picture(&arena, "shaw", "view order")->figure;
	assert_string_equal(f->panels[0].name, "difference");
	help_layout(f, (struct rect){0, 0, 9, 40}, 0, false, place);
	assert_true(place[0].rows > 0);
	const struct panel *written = &f->panels[panel_at(f, "A(X) as written")];
	assert_true(written->col < f->panels[0].col);
}

/* Where matrices leave one row, it has what is to be seen in them, and not a card in a line. */
TEST(a_finding_has_the_row_of_a_card)
{
	const struct figure *const f =
		&help_picture(&arena, "t5",
			      "view explore\nsentence a b c d e f g h i j k l m n o p\n")
			 ->figure;
	const struct rect all = {0, 0, 21, 80};
	struct canvas *const c = help_canvas(all.rows, all.cols, TIER_DIRECT, false);
	struct rect place[FIGURE_PANELS];
	struct canvas_seen seen[FIGURE_PANELS];
	help_layout(f, all, 0, false, place);
	canvas_panels(c, f, all, place, 0, seen);
	const char *const text = help_screen(c);
	if (!strstr(text, f->finding_brief) || seen[0].view.cell_rows2 != 2 ||
	    seen[1].view.cell_rows2 != 2)
		fail_msg("%s", text);
}

/* Rows that short bars have no use for go to the long card in their column. */
TEST(cards_in_a_column_share_its_rows)
{
	static const char *const labels[] = {"a", "b", "c", "d"};
	static const double values[] = {0.4, 0.3, 0.2, 0.1};
	struct rect place[3];
	struct figure f = {.n = 3, .panels = {help_heatmap(9, true), {0}, help_card()}};
	f.panels[0].rows = 2;
	f.panels[1] =
		(struct panel){.kind = PANEL_BARS, .title = "Bars", .col = 1, .rows = 1, .cols = 1};
	f.panels[1].bars = (struct bars){.n = 4, .labels = labels, .values = values, .unit = ""};
	f.panels[2].row = f.panels[2].col = f.panels[2].rows = f.panels[2].cols = 1;
	memset(f.col_weight, 1, 2);
	memset(f.row_weight, 1, 2);
	help_layout(&f, (struct rect){0, 0, 44, 164}, 3, false, place);
	assert_int_equal(place[1].rows, 6); /* a row each, and the box */
	assert_int_equal(place[2].row, place[1].row + place[1].rows);
	assert_int_equal(place[2].row + place[2].rows, 44);
}

/* A number keeps its sign of per cent, and items their words. */
TEST(a_card_breaks_between_items)
{
	static const struct card_line line = {"term", "80 %",
					      "σ 0.900 · in rows 0.892 · of all 75 %"};
	const struct panel p = {
		.kind = PANEL_CARD, .title = "Card", .card = {.lines = &line, .n = 1}};
	struct canvas *c = help_canvas(9, 31, TIER_DIRECT, false);
	canvas_panel(c, (struct rect){0, 0, 9, 31}, &p, false, NULL, NULL);
	assert_non_null(strstr(help_screen(c), "term  80 % · σ 0.900 ·"));
	assert_non_null(strstr(help_screen(c), " in rows 0.892 ·"));
	assert_non_null(strstr(help_screen(c), " of all 75 %"));
}

/* What a picture keeps for its redraws is what it would make anew. */
TEST(switching_terms_shows_the_new_sum)
{
	struct picture *p = (struct picture *)(uintptr_t)help_picture(&arena, "shaw", "view terms");
	const struct scene off = help_scene("shaw", "view terms\nterms-off unit–unit");
	const struct scene all = help_scene("shaw", "view terms");
	const double before = help_panel(&p->figure, "Sum")->heatmap.values.at[3];
	picture_redraw(&off, NULL, false, BACKGROUND_LIGHT, &arena, p, NULL);
	const struct mat sum = help_panel(&p->figure, "Sum")->heatmap.values;
	const struct mat term = help_panel(&p->figure, "query–w_key")->heatmap.values;
	assert_true(mat_max_abs_diff(sum, term) <= 0);
	picture_redraw(&all, NULL, false, BACKGROUND_LIGHT, &arena, p, NULL);
	assert_true(help_panel(&p->figure, "Sum")->heatmap.values.at[3] == before);
}

/* A small page leaves sentences out before it refuses; nothing is cut, nothing overlaps. */
TEST(small_pages_are_drawn)
{
	static const char *const figures[][2] = {{"sinusoidal", "terms"},
						 {"deberta", "explore"},
						 {"txl", "terms"},
						 {"sinusoidal+shaw", "terms"},
						 {"deberta", "order"}};
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
		const char *lines = arena_printf(&arena, "view %s", figures[i][1]);
		const struct figure *f = &help_picture(&arena, figures[i][0], lines)->figure;
		const struct raster_look look = {.width = 800, .height = 500, .dpi = 150};
		struct image image;
		struct raster_report r;
		struct err err = {""};
		if (!raster_image(f, &look, &arena, &image, &r, &err))
			fail_msg("%s %s: %s", figures[i][0], figures[i][1], err.text);
		for (size_t k = 0; k < r.n; k++) {
			assert_true(text_box_inside(&r.boxes[k], 800, 500));
			for (size_t m = 0; m < k; m++)
				if (text_box_overlap(&r.boxes[k], &r.boxes[m]))
					fail_msg("%s %s: \"%s\" on \"%s\"", figures[i][0],
						 figures[i][1], r.boxes[k].text, r.boxes[m].text);
		}
	}
}

/* ---- which end of a bar is which ------------------------------------------------------------------- */

static const struct heatmap *map_of(const struct picture *p, const char *title)
{
	return &help_panel(&p->figure, title)->heatmap;
}

/* Bright is most against in one matrix and most in the one beside it: the ends say which. */
TEST(the_ends_of_bars_say_what_they_are)
{
	const struct picture *against = help_picture(&arena, "alibi", "");
	const struct picture *both = help_picture(&arena, "xlnet", "matrix logits");
	const struct picture *nothing = help_picture(&arena, "none", "");
	const struct heatmap *h = map_of(against, "Position bias");
	assert_string_equal(heatmap_end_words(&arena, h, false, false), "less attention");
	assert_string_equal(heatmap_end_words(&arena, h, false, true), "less");
	assert_null(heatmap_end_words(&arena, h, true, false)); /* there is zero */
	h = map_of(against, "Attention weights");
	assert_null(heatmap_end_words(&arena, h, false, false));
	assert_string_equal(heatmap_end_words(&arena, h, true, false), "more attention");
	h = map_of(both, "Logits");
	assert_string_equal(heatmap_end_words(&arena, h, false, true), "less");
	assert_string_equal(heatmap_end_words(&arena, h, true, true), "more");
	h = map_of(nothing, "Position bias");
	assert_null(heatmap_end_words(&arena, h, false, false));
	assert_null(heatmap_end_words(&arena, h, true, false));
}

TEST(bars_on_screens_say_so_in_the_words_that_fit)
{
	static const struct {
		int cols;
		const char *bias, *weights;
	} sizes[] = {{72, "less attention: −2 ", " 1: more attention"},
		     {60, "less: −2 ", " 1: more "},
		     {47, "less: −2 ", " 1: more "}, /* with the map's name */
		     {26, "less: −2 ", NULL},
		     {15, NULL, NULL}};
	const struct picture *p = help_picture(&arena, "alibi", "");
	const struct panel *panels[] = {help_panel(&p->figure, "Position bias"),
					help_panel(&p->figure, "Attention weights")};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (size_t k = 0; k < 2; k++) {
			struct canvas *c = help_canvas(24, sizes[i].cols, TIER_DIRECT, false);
			const char *const said = k ? sizes[i].weights : sizes[i].bias;
			canvas_panel(c, (struct rect){0, 0, 24, sizes[i].cols}, panels[k], false,
				     NULL, NULL);
			const char *const screen = help_screen(c);
			if (said ? !strstr(screen, said)
				 : strstr(screen, "less") || strstr(screen, "more"))
				fail_msg("%d columns:\n%s", sizes[i].cols, screen);
		}
}

TEST(bars_on_pages_say_so_in_the_words_that_fit)
{
	static const struct {
		int width, height;
		const char *low, *high;
	} sizes[] = {{1600, 1000, "less attention", "more attention"},
		     {800, 500, "less attention", "more"},
		     {700, 1200, "less attention", "more"}};
	for (int dark = 0; dark < 2; dark++)
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
			const struct figure *f = &help_picture(&arena, "alibi", "")->figure;
			const struct raster_look look = {
				.width = sizes[i].width, .height = sizes[i].height, .dark = dark};
			const struct raster_report r = help_page_report(f, &look, &arena);
			if (!help_box_of(&r, sizes[i].low) || !help_box_of(&r, sizes[i].high))
				fail_msg("%d by %d: no words", sizes[i].width, sizes[i].height);
			help_page_reads("alibi", &r, sizes[i].width, sizes[i].height);
		}
}

/* ---- one token -------------------------------------------------------------------------------------- */

static double area_of_maps(const struct raster_report *r, const struct figure *f)
{
	double area = 0;
	for (size_t i = 0; i < r->plot_n; i++)
		area += r->plots[i].width * r->plots[i].height;
	assert_int_equal(r->plot_n, f->n - 2); /* and the cards */
	return area;
}

/* Its cells are large and have large figures; a curve of one point is left out, and the cards have its
 * room. */
TEST(a_page_of_one_token_is_filled)
{
	static const int sizes[][2] = {{1600, 1000}, {800, 500}, {700, 1200}};
	for (size_t i = 0; i < 3; i++) {
		const struct figure *f = &help_picture(&arena, "deberta", "sentence cat")->figure;
		const int width = sizes[i][0], height = sizes[i][1];
		const struct raster_look look = {.width = width, .height = height};
		const struct raster_report r = help_page_report(f, &look, &arena);
		double number = 0, label = 0;
		for (size_t k = 0; k < r.n; k++) {
			if (strcmp(r.boxes[k].text, "1.00") == 0)
				number = r.boxes[k].height;
			if (strcmp(r.boxes[k].text, "cat") == 0)
				label = r.boxes[k].height;
		}
		assert_true(area_of_maps(&r, f) > 0.07 * width * height);
		assert_true(number > 1.3 * label && label > 0);
		assert_true(help_box_of(&r, "What it does") &&
			    help_box_of(&r, "What was measured"));
		help_page_reads("one token", &r, width, height);
	}
}
