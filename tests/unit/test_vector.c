/* test_vector.c: pages as SVG and PDF: whole, of the right size, named, undated, the same every time, and
 * of the same words in the same places as the picture. */
#include <string.h>

#include "test.h"
#include "help_pages.h"

/* Tags open and close in turn, and nothing but blanks stands outside of them: what a parser of XML
 * would complain of first. Returns the number of elements. */
static size_t count_elements(const char *xml)
{
	enum { DEEP = 64 };
	const char *open[DEEP];
	size_t len[DEEP], depth = 0, n = 0;
	for (const char *at = strchr(xml, '<'); at != NULL; at = strchr(at + 1, '<')) {
		const char *end = strchr(at, '>');
		assert_non_null(end);
		const bool closes = at[1] == '/';
		const char *name = at + 1 + closes;
		const size_t size = strcspn(name, " />\n");
		if (at[1] == '?')
			continue;
		if (closes) {
			assert_true(depth > 0);
			depth--;
			assert_int_equal(size, len[depth]);
			assert_memory_equal(name, open[depth], size);
			continue;
		}
		n++;
		if (end[-1] == '/')
			continue;
		assert_true(depth < DEEP);
		open[depth] = name;
		len[depth++] = size;
	}
	assert_int_equal(depth, 0);
	return n;
}

static size_t count(const char *text, const char *part)
{
	size_t n = 0;
	for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
		n++;
	return n;
}

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
		f.title = "A < B & \"C\" #image7";
		assert_true(raster_vector(&f, &look, RASTER_SVG, &a, &data, &len, NULL, &err));
		assert_int_equal(strlen(data), len);
		assert_true(count_elements(data) > 100);
		assert_non_null(strstr(data, "width=\"1600px\" height=\"1000px\" "
					     "viewBox=\"0 0 1600 1000\""));
		assert_non_null(strstr(data, "<title>A &lt; B &amp; \"C\" #image7</title>"));
		assert_non_null(strstr(data, "<desc>posviz render sinusoidal+causal "));
		/* Letters are outlines: no font is needed to see them. */
		assert_null(strstr(data, "<text"));
		/* Small cells are images whose pixels stay squares; large ones are paths. */
		assert_int_equal(count(data, "<image "), i == 0 ? 0 : 3);
		assert_int_equal(count(data, "image-rendering:pixelated"), i == 0 ? 0 : 3);
		assert_true(len < 3u << 20);
		arena_release(&a);
	}
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
			assert_memory_equal(vector.plots, png.plots,
					    png.plot_n * sizeof *png.plots);
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
