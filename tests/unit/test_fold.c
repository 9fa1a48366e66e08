/* test_fold.c: figures with too little room: which panels go, who takes their place, and that a
 * page says what it does not show. */
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "help_drawing.h"
#include "help_pages.h"
#include "plot/fold.h"

FIXTURE(help_begin, help_end)

static void place(struct panel *p, unsigned char row, unsigned char rows, unsigned char col,
		  unsigned char cols, unsigned char priority)
{
	p->row = row;
	p->rows = rows;
	p->col = col;
	p->cols = cols;
	p->priority = priority;
}

/* Three matrices; below them two structures and a card of two rows; below those what goes first. */
static struct figure page(void)
{
	struct figure f = {.title = "Order",
			   .subtitle = "made by hand",
			   .caption = "words",
			   .n = 7,
			   .col_weight = {1, 1, 1, 1, 1, 1},
			   .row_weight = {6, 4, 3}};
	for (size_t i = 0; i < 3; i++) {
		f.panels[i] = help_heatmap(9, true);
		f.panels[i].title = i == 0 ? "Difference" : i == 1 ? "As written" : "As shown";
		place(&f.panels[i], 0, 1, (unsigned char)(2 * i), 2, (unsigned char)i);
	}
	for (size_t i = 3; i < 5; i++) {
		f.panels[i] = (struct panel){.kind = PANEL_STRUCTURE,
					     .title = "Dependencies",
					     .note = i == 3 ? "written" : "shown",
					     .drawing = help_drawn_words(&help_arena, NULL)};
		place(&f.panels[i], 1, 1, (unsigned char)(2 * (i - 3)), 2, i == 3 ? 4 : 3);
	}
	f.panels[5] = help_card();
	f.panels[5].title = "Measured";
	place(&f.panels[5], 1, 2, 4, 2, 4);
	f.panels[6] = help_curves();
	f.panels[6].title = "Curves";
	place(&f.panels[6], 2, 1, 0, 4, 5);
	return f;
}

TEST(the_least_important_panel_goes_and_its_gap_with_it)
{
	static const char *const gone[] = {"Curves", "Curves, Measured",
					   "Curves, Measured, Dependencies written"};
	struct figure f = page();
	const char *names = NULL;
	for (size_t i = 0; i < 3; i++) {
		assert_true(figure_fold(&f, true, &names, &help_arena));
		assert_string_equal(names, gone[i]);
		assert_int_equal(f.n, 6 - i);
		/* The third row has gone, for the card had two; the others keep their weights. */
		assert_int_equal(f.row_weight[0], 6);
		assert_int_equal(f.row_weight[1], 4);
		assert_int_equal(f.row_weight[2], 0);
	}
	/* What is left of the lower row has all of it. */
	assert_int_equal(f.panels[3].row, 1);
	assert_int_equal(f.panels[3].col, 0);
	assert_int_equal(f.panels[3].cols, 3);
	while (figure_fold(&f, true, &names, &help_arena))
		;
	assert_int_equal(f.n, 1);
	assert_string_equal(f.panels[0].title, "Difference");
}

/* How many panels the page says it does not show, without naming them. */
static size_t unnamed(const struct raster_report *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const char *const at = strstr(r->boxes[i].text, " more on a larger page");
		const char *from = at;
		while (from && from > r->boxes[i].text && strncmp(from, "   ·   ", 8) != 0)
			from--;
		if (at)
			return strtoul(from + (strncmp(from, "   ·   ", 8) == 0 ? 8 : 0), NULL, 10);
	}
	return 0;
}

/* Every panel is there, or named as missing, or counted as such, at every size. */
TEST(a_small_page_names_what_it_does_not_show)
{
	static const int sizes[][2] = {{2400, 2400}, {1600, 1000}, {1000, 640},
				       {800, 600},   {640, 480},   {480, 360}};
	size_t named = 0, counted = 0;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const struct figure f = page();
		struct err err = {"?"};
		struct image image;
		struct raster_report r;
		const struct raster_look look = {sizes[i][0], sizes[i][1], 150, i % 2, false};
		if (!raster_image(&f, &look, &help_arena, &image, &r, &err))
			fail_msg("%d: %s", sizes[i][0], err.text);
		help_page_reads("folded", &r, sizes[i][0], sizes[i][1]);
		size_t missing = 0;
		for (size_t k = 0; k < f.n; k++)
			missing += !help_page_says(&r, f.panels[k].title);
		if (missing != unnamed(&r))
			fail_msg("%d: %zu are missing, %zu are said to be", sizes[i][0], missing,
				 unnamed(&r));
		named += help_page_says(&r, "not on this page: ");
		counted += missing > 0;
	}
	assert_true(named > 0 && counted > 0 && named + counted < sizeof sizes / sizeof *sizes);
}

/* A page for a paper, of panels that were asked for, or without a foot has none of that in its picture: who
 * made it is told. */
TEST(a_page_for_a_purpose_is_silent_about_what_it_does_not_show)
{
	struct figure f = page();
	const struct raster_look looks[] = {
		{.width = 640, .height = 480, .foot = FOOT_NONE},
		{.width = 640, .height = 480, .type = 12},
		{.width = 640, .height = 480},
	};
	for (size_t i = 0; i < 3; i++) {
		f.picked = i == 2;
		const struct raster_report r = help_page_report(&f, &looks[i], &help_arena);
		assert_false(help_page_says(&r, "not on this page"));
		assert_int_equal(unnamed(&r), 0);
		assert_non_null(r.left_out);
		size_t told = 1;
		for (const char *at = r.left_out; (at = strchr(at, ',')) != NULL; at++)
			told++;
		assert_int_equal(r.n_shown + told, f.n);
	}
	f.picked = false;
	assert_null(help_page_report(&f, &(struct raster_look){.width = 640, .height = 480},
				     &help_arena)
			    .left_out);
}
