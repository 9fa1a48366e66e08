/* test_vector.c: pages as SVG and PDF: whole, of the right size, named, undated, the same every time, and
 * of the same words in the same places as the picture. */
#include <string.h>

#include "test.h"
#include "help_pages.h"
#include "help_svg.h"
#include "posviz/base/text.h"
#include "posviz/plot/colormap.h"

TEST(an_svg_is_whole_and_says_what_it_is)
{
	static const struct help_page cases[] = {{.n = 12, .words = WORDS_MIXED, .cursor = true},
						 {.n = 40},
						 {.n = 300, .dark = true}};
	for (size_t i = 0; i < 3; i++) {
		struct arena a;
		struct err err = {{0}};
		const struct raster_look look = {1600, 1000, 150};
		char *data;
		size_t len;
		arena_init(&a);
		struct figure f = help_order_page(&a, &cases[i]);
		f.title = "A < B & \"C\"";
		assert_true(raster_vector(&f, &look, RASTER_SVG, &a, &data, &len, NULL, &err));
		assert_int_equal(strlen(data), len);
		assert_true(help_svg_check(data) > 100);
		assert_non_null(strstr(data, "width=\"1600\" height=\"1000\" "
					     "viewBox=\"0 0 1600 1000\""));
		assert_non_null(strstr(data, "<title>A &lt; B &amp; &quot;C&quot;</title>"));
		assert_non_null(strstr(data, "<desc>posviz render sinusoidal+causal "));
		/* Many cells are an image whose pixels stay squares; fewer are rectangles. */
		assert_int_equal(help_count(data, "<image "), i == 0 ? 0 : 3);
		assert_int_equal(help_count(data, "image-rendering:pixelated"), i == 0 ? 0 : 3);
		assert_true(len < 400u << 10);
		for (size_t k = 0; k < f.n; k++)
			assert_int_equal(help_count(data, arena_printf(&a, "aria-label=\"%s\"",
								       f.panels[k].title)),
					 1);
		arena_release(&a);
	}
}

TEST(what_a_page_reports_is_text_of_its_svg)
{
	size_t turned = 0, leftwards = 0, pieces = 0, middle = 0, right = 0;
	for (enum help_words kind = 0; kind < WORDS_KINDS; kind++) {
		const struct help_page page = {
			.n = 9, .words = kind, .maps = 5, .dark = kind % 2, .off = true};
		const struct raster_look look = {1600, 1000, 150, page.dark, true};
		struct arena a;
		struct err err = {{0}};
		struct raster_report report;
		char *data;
		size_t len, n;
		arena_init(&a);
		const struct figure f =
			kind % 2 ? help_order_page(&a, &page) : help_terms(&a, &page);
		assert_true(raster_vector(&f, &look, RASTER_SVG, &a, &data, &len, &report, &err));
		help_svg_agrees(data, &report);
		const struct svg_words *const words = help_svg_words(data, &a, &n);
		for (size_t i = 0; i < n; i++) {
			turned += words[i].angle < 0;
			leftwards += words[i].leftwards;
			pieces += words[i].pieces;
			middle += words[i].anchor > 0 && words[i].anchor < 1;
			right += words[i].anchor >= 1;
		}
		arena_release(&a);
	}
	assert_true(turned > 20 && pieces > 5 && middle > 10 && right > 20);
	assert_int_equal(leftwards, 0); /* words of right-to-left scripts are in isolates */
}

/* What a sentence may have in it, and what no file of XML may. */
TEST(hostile_words_stay_words)
{
	static const char *const words[] = {"</text><script>alert(1)</script>",
					    "a&b",
					    "&lt;",
					    "\"'`",
					    "]]>",
					    "<!--",
					    "a\tb",
					    "\x01\x1b[31m",
					    "\x7f",
					    "\u202eabc",
					    "عربي abc",
					    "a  b   c",
					    "\xc2\x85",
					    "e\u0301",
					    "\U0001f469\u200d\U0001f469"};
	static const char *const shown[] = {"a&b", "&lt;", "\"'`", "]]>", "<!--"};
	enum { N = sizeof words / sizeof *words, SHOWN = sizeof shown / sizeof *shown };
	struct figure f = {.title = words[0], .command = words[1], .n = 1};
	const struct raster_look look = {1600, 1000, 150};
	struct heatmap h = {.row_labels = words, .col_labels = words};
	struct arena a;
	struct err err = {{0}};
	char *data;
	size_t len, n, found = 0;
	arena_init(&a);
	h.values = mat_zero(&a, N, N);
	h.scale = scale_fit(0, 1, SCALE_LINEAR, false, true);
	h.colormap = colormap_find("viridis");
	f.panels[0] = (struct panel){
		.kind = PANEL_HEATMAP, .title = words[0], .rows = 1, .cols = 1, .heatmap = h};
	f.row_weight[0] = f.col_weight[0] = 1;
	assert_true(raster_vector(&f, &look, RASTER_SVG, &a, &data, &len, NULL, &err));
	assert_int_equal(strlen(data), len);
	help_svg_check(data);
	assert_null(strstr(data, "<script"));
	/* Of the file, the page, the panel and its group, a row and a column. */
	assert_int_equal(help_count(data, "&lt;/text&gt;&lt;script&gt;"), 6);
	assert_true(text_valid(data, len));
	const struct svg_words *const is = help_svg_words(data, &a, &n);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < SHOWN; k++)
			found += strcmp(is[i].text, shown[k]) == 0;
	assert_int_equal(found, 2 * SHOWN); /* of a row and of a column */
	arena_release(&a);
}

TEST(a_pdf_has_its_size_and_title_and_no_date)
{
	const struct help_page page = {.n = 12, .maps = 9};
	const struct raster_look look = {1600, 1000, 150};
	struct arena a;
	struct err err = {{0}};
	char *data;
	size_t len;
	arena_init(&a);
	const struct figure f = help_terms(&a, &page);
	assert_true(raster_vector(&f, &look, RASTER_PDF, &a, &data, &len, NULL, &err));
	for (size_t i = 0; i < len; i++) /* so that it can be searched as text */
		data[i] = data[i] == '\0' ? ' ' : data[i];
	/* 1600 pixels of 1/150 inch are 768 points. */
	assert_non_null(strstr(data, "/MediaBox [ 0 0 768 480 ]"));
	assert_non_null(strstr(data, "/Title (Sinusoidal position encoding)"));
	assert_non_null(strstr(data, "/Subject (posviz render sinusoidal+causal "));
	assert_non_null(strstr(data, "/Creator (posviz 0.1)"));
	assert_null(strstr(data, "Date"));
	arena_release(&a);
}

static void same_plot(const struct plot_box *a, const struct plot_box *b)
{
	const double ends[][2] = {
		{a->x, b->x}, {a->y, b->y}, {a->width, b->width}, {a->height, b->height}};
	for (size_t i = 0; i < 4; i++)
		assert_true(ends[i][0] == ends[i][1]);
	assert_int_equal(a->panel, b->panel);
	assert_int_equal(a->framed, b->framed);
}

TEST(every_form_has_the_same_words_in_the_same_places)
{
	for (size_t i = 0; i < 4; i++) {
		const struct help_page page = {.n = i < 2 ? 7 : 64,
					       .words = WORDS_MIXED,
					       .dark = i % 2,
					       .maps = 9,
					       .off = true};
		const struct raster_look look = {1600, 1000, 150, page.dark, true};
		struct arena a;
		struct err err = {{0}};
		struct image image;
		struct raster_report png, vector;
		arena_init(&a);
		const struct figure f = i % 2 ? help_terms(&a, &page) : help_order_page(&a, &page);
		assert_true(raster_image(&f, &look, &a, &image, &png, &err));
		for (int kind = RASTER_SVG; kind <= RASTER_PDF; kind++) {
			char *data;
			size_t len;
			assert_true(raster_vector(&f, &look, kind, &a, &data, &len, &vector, &err));
			assert_int_equal(vector.n, png.n);
			for (size_t k = 0; k < png.n; k++) {
				assert_string_equal(vector.boxes[k].text, png.boxes[k].text);
				assert_float_equal(vector.boxes[k].x, png.boxes[k].x, 0.01);
				assert_float_equal(vector.boxes[k].y, png.boxes[k].y, 0.01);
			}
			assert_int_equal(vector.plot_n, png.plot_n);
			for (size_t k = 0; k < png.plot_n; k++)
				same_plot(&vector.plots[k], &png.plots[k]);
		}
		arena_release(&a);
	}
}

TEST(vectors_repeat_byte_by_byte)
{
	const struct help_page page = {.n = 40, .words = WORDS_ARABIC, .maps = 9, .cursor = true};
	const struct raster_look look = {1600, 1000, 150};
	for (int kind = RASTER_SVG; kind <= RASTER_PDF; kind++) {
		struct arena a;
		struct err err = {{0}};
		char *data[2];
		size_t len[2];
		arena_init(&a);
		const struct figure f = help_terms(&a, &page);
		for (int i = 0; i < 2; i++)
			assert_true(
				raster_vector(&f, &look, kind, &a, &data[i], &len[i], NULL, &err));
		assert_int_equal(len[0], len[1]);
		assert_memory_equal(data[0], data[1], len[0]);
		arena_release(&a);
	}
}
