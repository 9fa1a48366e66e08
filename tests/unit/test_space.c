/* test_space.c: matrices come first on every page: how much of it they have, and that nothing there is
 * too small to be read. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_pages.h"
#include "help_view.h"
#include "posviz/raster.h"

FIXTURE(open_arena, close_arena)

/* Of all kinds: nothing, one-signed, both signs, masked, heads that differ, a table, a mixture. */
static const char *const schemes[] = {"none", "sinusoidal", "t5",   "t5+causal",
				      "rope", "alibi",	    "shaw", "tupe_r",
				      "txl",  "deberta",    "cape", "rope+alibi"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

static struct raster_report page_of(const char *scheme, const char *view, int width, int height)
{
	const char *const lines = arena_printf(&arena, "view %s", view);
	const struct figure *f = &help_picture(&arena, scheme, lines)->figure;
	const struct raster_look look = {.width = width, .height = height, .dpi = 150};
	const struct raster_report r = help_page_report(f, &look, &arena);
	help_page_reads(arena_printf(&arena, "%s %s", scheme, view), &r, width, height);
	return r;
}

/* The part of the page that matrices have. */
static double share_of(const char *scheme, const char *view, int width, int height)
{
	const char *const lines = arena_printf(&arena, "view %s", view);
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
			if (share < 0.44)
				fail_msg("%s: %.1f %% of %d x %d", schemes[i], 100 * share, width,
					 height);
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

/* No letter is under 12 px, whose line is 14 px high, but what stands above and below in a formula. */
TEST(letters_are_never_small)
{
	static const int sizes[][2] = {
		{360, 270}, {500, 400}, {800, 500}, {700, 1200}, {1600, 1000}};
	static const char *const shown[] = {"explore", "terms", "order", "relation"};
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
		for (size_t v = 0; v < sizeof shown / sizeof *shown; v++) {
			const struct raster_report r =
				page_of("deberta", shown[v], sizes[s][0], sizes[s][1]);
			assert_true(r.n > 0);
			for (size_t k = 0; k < r.n; k++)
				if (r.boxes[k].height < 14)
					fail_msg("%s on %d x %d: \"%s\" is %.1f high", shown[v],
						 sizes[s][0], sizes[s][1], r.boxes[k].text,
						 r.boxes[k].height);
		}
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
