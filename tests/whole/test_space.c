/* test_space.c: matrices come first on every page: how much of it they have, and that nothing there is
 * too small to be read. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_frame.h"
#include "help_pages.h"
#include "help_view.h"
#include "posviz/plot/raster.h"

FIXTURE(open_arena, close_arena)

/* Of all kinds: nothing, one-signed, both signs, masked, heads that differ, a table, a mixture. */
static const char *const schemes[] = {"none", "sinusoidal", "t5",   "t5+causal",
				      "rope", "alibi",	    "shaw", "tupe_r",
				      "txl",  "deberta",    "cape", "rope+alibi"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

static struct raster_report page_of(const char *scheme, const char *view, int width, int height)
{
	const char *const lines = help_view(&arena, view);
	const struct figure *f = &help_picture(&arena, scheme, lines)->figure;
	const struct raster_look look = {.width = width, .height = height, .dpi = 150};
	const struct raster_report r = help_page_report(f, &look, &arena);
	help_page_reads(arena_printf(&arena, "%s %s", scheme, view), &r, width, height);
	return r;
}

/* The part of the page that matrices have. */
static double share_of(const char *scheme, const char *view, int width, int height)
{
	const char *const lines = help_view(&arena, view);
	const struct figure *f = &help_picture(&arena, scheme, lines)->figure;
	const struct raster_report r = page_of(scheme, view, width, height);
	double area = 0;
	for (size_t i = 0; i < r.plot_n; i++) {
		const struct plot_box *const b = &r.plots[i];
		const double sides = b->width / b->height;
		/* Panels that are left keep their order, and matrices come first. */
		if (f->panels[b->panel].kind == PANEL_HEATMAP && sides > 0.95 && sides < 1.05)
			area += b->width * b->height;
	}
	return area / width / height;
}

TEST(matrices_have_most_of_a_small_page)
{
	static const int sizes[][2] = {{800, 500}, {700, 1200}};
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
		for (size_t i = 0; i < SCHEMES; i++) {
			const int width = sizes[s][0], height = sizes[s][1];
			const double share = share_of(schemes[i], "explore", width, height);
			if (share < 0.41) /* below a sentence */
				fail_msg("%s: %.1f %% of %d x %d", schemes[i], 100 * share, width,
					 height);
		}
}

/* Of trees and graphs too; the tall page has room for what they are of. */
TEST(matrices_of_structures_have_most_of_a_small_page)
{
	static const char *const of_structures[] = {"spr_abs", "spr_rel",    "tpe",
						    "rwpe",    "graphormer", "struct_tr"};
	for (size_t i = 0; i < sizeof of_structures / sizeof *of_structures; i++) {
		const char *const id = of_structures[i];
		const double wide = share_of(id, "explore", 800, 500);
		const double tall = share_of(id, "explore", 700, 1200);
		const bool longer = strcmp(id, "graphormer") == 0; /* [VNode] */
		if (wide < (longer ? 0.39 : 0.41) || tall < 0.44)
			fail_msg("%s: %.1f %% and %.1f %%", id, 100 * wide, 100 * tall);
		assert_true(page_of(id, "explore", 700, 1200).plot_n > 2);
	}
}

/* Where the page is large they leave room for the rest, and have still a fifth of it. */
TEST(a_large_page_has_room_for_all)
{
	for (size_t i = 0; i < SCHEMES; i++) {
		const struct raster_report r = page_of(schemes[i], "explore", 1600, 1000);
		assert_true(share_of(schemes[i], "explore", 1600, 1000) > 0.2);
		assert_int_equal(r.plot_n, 3);
		for (size_t k = 0; k < r.n; k++)
			assert_null(strstr(r.boxes[k].text, "on a larger page"));
	}
}

/* In every view, at every size, dark and light; a scheme in turn at each. */
TEST_SAMPLED(pages_can_be_read, 1, 4)
{
	static const int sizes[][2] = {
		{360, 270}, {500, 400}, {800, 500}, {700, 1200}, {1600, 1000}};
	enum { SIZES = sizeof sizes / sizeof *sizes, APART = 3 };
	for (size_t v = 0; views[v]; v++)
		for (size_t i = views[v]->table ? SCHEMES : test_part; i < SCHEMES; i += test_parts)
			for (size_t s = (i + v) % APART; s < SIZES; s += APART)
				page_of(schemes[i], views[v]->name, sizes[s][0], sizes[s][1]);
}

/* From 360 x 270 on a matrix is large enough to be looked at. */
TEST(the_smallest_page_shows_a_matrix)
{
	for (size_t i = 0; i < SCHEMES; i++) {
		const struct raster_report r = page_of(schemes[i], "explore", 360, 270);
		assert_true(r.plot_n >= 1);
		for (size_t k = 0; k < r.plot_n; k++)
			assert_true(r.plots[k].width >= 90 && r.plots[k].height >= 90);
	}
}

/* Beside a single matrix there is room that it cannot use. */
TEST(a_single_matrix_leaves_no_half_of_a_page_empty)
{
	const struct raster_report r = page_of("gauss", "explore", 800, 500);
	assert_int_equal(r.plot_n, 2); /* its curves as well */
	assert_true(r.plots[1].x > r.plots[0].x + r.plots[0].width);
}

/* ---- screens ----------------------------------------------------------------------------------------- */

/* The part of a screen of 120×36 that matrices have in Explore; how many there are. */
static double share_of_screen(const char *scheme, enum background background, size_t *maps)
{
	struct tui *const t = help_tui(&arena, scheme, "view explore\n", background);
	const struct canvas *const c =
		help_frame(t, (struct help_look){.cols = 120, .rows = 36, .tier = TIER_DIRECT});
	const double share = help_map_cells(t, c) / (120.0 * 36);
	*maps = 0;
	for (size_t i = 0; i < t->n_zones; i++)
		*maps += t->zones[i].kind == ZONE_CELLS;
	help_tui_done(t);
	return share;
}

/* The cells of the matrices of a view at 80×24, with its sentence or without. */
static int cells_of_low(const char *scheme, const char *view, bool said)
{
	struct tui *const t = help_tui(&arena, scheme, help_view(&arena, view), BACKGROUND_DARK);
	if (!said)
		t->picture->picture.figure.finding = t->picture->picture.figure.finding_brief =
			NULL;
	const struct canvas *const c =
		help_frame(t, (struct help_look){.cols = 80, .rows = 24, .tier = TIER_DIRECT});
	const int cells = (int)help_map_cells(t, c);
	help_tui_done(t);
	return cells;
}

/* On a low screen a sentence is not worth the size of matrices. */
TEST(sentences_take_little_of_matrices)
{
	static const char *const told[] = {"explore", "compare", "values", "order"};
	static const char *const some[] = {"t5", "rope", "sinusoidal"};
	for (size_t v = 0; v < sizeof told / sizeof *told; v++)
		for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
			const int with = cells_of_low(some[i], told[v], true);
			const int without = cells_of_low(some[i], told[v], false);
			if (with == 0 || 4 * without > 5 * with)
				fail_msg("%s of %s: %d cells, %d without its sentence", told[v],
					 some[i], with, without);
			arena_clear(&arena);
		}
}

/* Of every scheme, on its own input: words or, at one or two units more, a tree or a graph. */
TEST_IN_PARTS(matrices_have_most_of_a_screen, 2)
{
	for (size_t i = test_part; i < 2 * scheme_count(); i += test_parts) {
		const char *const id = scheme_at(i / 2)->id;
		size_t maps;
		const double share =
			share_of_screen(id, i % 2 ? BACKGROUND_LIGHT : BACKGROUND_DARK, &maps);
		/* [VNode], [PAD] */
		const bool larger = strcmp(id, "graphormer") == 0 || strcmp(id, "pad") == 0;
		if (maps < 1 || share < (larger || maps == 1 ? 0.2 : 0.3))
			fail_msg("%s: %zu matrices have %.1f %% of a screen", id, maps,
				 100 * share);
		arena_clear(&arena);
	}
}
