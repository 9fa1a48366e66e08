/* test_device.c: what devices make of a path, a colour bar, a group and a font, on its own. */
#include <hb.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_svg.h"
#include "plot/device.h"
#include "plot/layout_lines.h"
#include "plot/svg.h"
#include "posviz/plot/colormap.h"

static struct arena arena;

static int make_arena(void **state)
{
	(void)state;
	arena_init(&arena);
	return 0;
}

static int drop_arena(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

FIXTURE(make_arena, drop_arena)

/* ---- paths ---------------------------------------------------------------------------------------- */

static const char *written(const struct path *path)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	svg_path(&b, path);
	return b.at;
}

TEST(a_path_is_written_as_short_as_it_can_be)
{
	struct path path = path_new(&arena);
	path_line(&path, 10, 20.5); /* the first one moves */
	path_line(&path, 40, 20.5);
	path_line(&path, 40, 10);
	path_line(&path, 40, 10.001); /* nowhere else */
	path_line(&path, 37.25, 12);
	path_line(&path, 38.004, 12.996);
	path_close(&path);
	path_move(&path, -0.5, 0);
	path_curve(&path, 0.5, 0, 1, 1, 2, 2.125);
	assert_string_equal(written(&path),
			    " d=\"M10 20.5h30v-10.5l-2.75 2 .75 1zM-.5 0c1 0 1.5 1 2.5 2.13\"");
}

/* Steps of 4/3 hundredths, each rounded by itself, would end three quarters of the way. */
TEST(what_is_written_as_differences_does_not_drift)
{
	struct path path = path_new(&arena);
	const size_t n = 3000;
	double x = 0;
	for (size_t i = 0; i <= n; i++)
		path_line(&path, (double)i / 75, i % 2 ? 1 : 0);
	const char *at = strchr(written(&path), 'l') + 1;
	for (char *end; *at != '"'; at = end) {
		x += strtod(at, &end);
		assert_true(end > at);
		strtod(end, &end);
	}
	assert_float_equal(x, 40, 1e-6);
}

TEST(numbers_have_two_decimals)
{
	static const struct {
		double x;
		const char *text;
	} rows[] = {
		{0, "0"},	   {-0.0, "0"},	  {0.5, ".5"},		 {-0.25, "-.25"},
		{3.14159, "3.14"}, {2.999, "3"},  {1e300, "1000000000"}, {-INFINITY, "-1000000000"},
		{12.05, "12.05"},  {-7.1, "-7.1"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct strbuf b;
		strbuf_init(&b, &arena);
		svg_number(&b, rows[i].x);
		assert_string_equal(b.at, rows[i].text);
	}
}

/* ---- files ---------------------------------------------------------------------------------------- */

static const struct figure none = {.title = "t"};

static struct device *open_svg(struct strbuf *out)
{
	strbuf_init(out, &arena);
	return device_svg(&arena, 100.5, 50, &none, false, out);
}

static void fill(struct device *d, const struct path *path, bool crisp)
{
	d->kind->draw(
		d, path,
		&(struct style){.fills = true, .fill = 0x112233, .fill_alpha = 1, .crisp = crisp});
}

TEST(shapes_of_an_svg_are_elements)
{
	struct strbuf out;
	struct err err = {""};
	struct device *const d = open_svg(&out);
	struct path rect = path_new(&arena), two = path_new(&arena), circle = path_new(&arena),
		    line = path_new(&arena);
	path_rect(&rect, (struct area){1, 2, 3, 4});
	path_rect(&two, (struct area){1, 2, 3, 4});
	path_rect(&two, (struct area){5, 2, 3, 4});
	path_circle(&circle, 7, 8, 2.5);
	path_move(&line, 0, 0.5);
	path_line(&line, 9, 0.5);
	d->kind->part(d, "head", "nothing");
	d->kind->fade(d, 0.5);
	d->kind->end(d);
	d->kind->end(d);
	d->kind->part(d, "panel-1", "a < b");
	fill(d, &rect, false);
	fill(d, &two, true);
	fill(d, &rect, true);
	d->kind->clip(d, (struct area){0, 0, 50, 50});
	d->kind->fade(d, 0.5);
	fill(d, &circle, false);
	d->kind->end(d);
	d->kind->draw(d, &line,
		      &(struct style){.strokes = true,
				      .stroke = 0xabcdef,
				      .stroke_alpha = 0.6,
				      .width = 2,
				      .dash = {1.5, 4},
				      .round = true});
	d->kind->end(d);
	d->kind->end(d);
	assert_true(d->kind->close(d, &err));
	assert_non_null(strstr(
		out.at,
		"<g id=\"panel-1\" role=\"group\" aria-label=\"a &lt; b\">\n"
		"<rect x=\"1\" y=\"2\" width=\"3\" height=\"4\" fill=\"#123\"/>\n"
		"<g shape-rendering=\"crispEdges\">\n"
		"<g fill=\"#123\"><rect x=\"1\" y=\"2\" width=\"3\" height=\"4\"/>"
		"<rect x=\"5\" y=\"2\" width=\"3\" height=\"4\"/></g>\n"
		"<rect x=\"1\" y=\"2\" width=\"3\" height=\"4\" fill=\"#123\"/>\n"
		"</g>\n"
		"<clipPath id=\"clipPath-dbab1827\"><rect x=\"0\" y=\"0\" width=\"50\" height=\"50\"/></clipPath>\n"
		"<g clip-path=\"url(#clipPath-dbab1827)\">\n"
		"<g opacity=\".5\">\n"
		"<circle cx=\"7\" cy=\"8\" r=\"2.5\" fill=\"#123\"/>\n"
		"</g>\n"
		"<path d=\"M0 .5h9\" stroke=\"#abcdef\" stroke-opacity=\".6\" stroke-width=\"2\" "
		"stroke-linejoin=\"round\" stroke-dasharray=\"1.5 4\"/>\n"
		"</g>\n</g>\n</svg>\n"));
	assert_null(strstr(out.at, "head")); /* of what there is nothing it says nothing */
	assert_non_null(strstr(out.at, "width=\"100.5\" height=\"50\" viewBox=\"0 0 100.5 50\""));
	help_svg_check(out.at);
}

/* Offset in [0, 1] and colour of each stop. */
static size_t read_stops(const char *svg, double *offset, unsigned *rgb)
{
	size_t n = 0;
	for (const char *at = svg; (at = strstr(at, "<stop offset=\"")) != NULL; n++) {
		at += strlen("<stop offset=\"");
		offset[n] = strtod(at, NULL) / 100;
		const char *const colour = strchr(at, '#') + 1;
		const size_t digits = strcspn(colour, "\"");
		rgb[n] = (unsigned)strtoul(colour, NULL, 16);
		if (digits == 3)
			rgb[n] = (rgb[n] >> 8) * 0x110000 + (rgb[n] >> 4 & 15) * 0x1100 +
				 (rgb[n] & 15) * 0x11;
	}
	return n;
}

static double between(const double *offset, const unsigned *rgb, size_t n, double at, int shift)
{
	size_t i = 0;
	while (i + 2 < n && offset[i + 1] < at)
		i++;
	const double t = (at - offset[i]) / (offset[i + 1] - offset[i]);
	const double a = rgb[i] >> shift & 255, b = rgb[i + 1] >> shift & 255;
	return a + (b - a) * fmin(fmax(t, 0), 1);
}

/* Files may be put into one document, where what is meant by an id is the first that has it. */
TEST(ids_are_of_what_they_mean)
{
	static const uint32_t colours[][2] = {{0xff0000, 0x00ff00}, {0xff0000, 0x0000ff}};
	const char *files[2];
	for (size_t i = 0; i < 2; i++) {
		struct strbuf out;
		struct err err = {""};
		struct device *const d = open_svg(&out);
		d->kind->stripes(d, (struct area){0, 0, 10, 40}, colours[i], 2, true);
		d->kind->stripes(d, (struct area){0, 50, 10, 40}, colours[0], 2, true);
		d->kind->clip(d, (struct area){0, 0, 5, 5});
		d->kind->end(d);
		assert_true(d->kind->close(d, &err));
		help_svg_check(out.at);
		assert_int_equal(help_count(out.at, "<linearGradient"), i + 1);
		files[i] = out.at;
	}
	const char *const red = arena_strndup(&arena, strstr(files[0], "linearGradient-"), 23);
	const char *const other = arena_strndup(&arena, strstr(files[1], "linearGradient-"), 23);
	assert_string_not_equal(red, other);
	assert_int_equal(help_count(files[0], red), 3); /* it, and both that mean it */
	assert_int_equal(help_count(files[1], red), 2);
}

TEST(a_colour_bar_is_a_gradient_through_its_colours)
{
	static const char *const maps[] = {"viridis", "vik", "berlin", "grey", "ink", "paper"};
	for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
		uint32_t colours[COLORMAP_LEVELS];
		double offset[COLORMAP_LEVELS];
		unsigned rgb[COLORMAP_LEVELS];
		struct strbuf out;
		struct err err = {""};
		struct device *const d = open_svg(&out);
		const size_t n = COLORMAP_LEVELS;
		for (size_t i = 0; i < n; i++)
			colours[i] =
				colormap_rgb(colormap_find(maps[m]), ((double)i + 0.5) / (double)n);
		d->kind->stripes(d, (struct area){0, 0, 10, 40}, colours, n, m % 2 == 0);
		assert_true(d->kind->close(d, &err));
		const size_t stops = read_stops(out.at, offset, rgb);
		assert_true(stops >= 2 && stops <= 80);
		for (size_t i = 0; i < n; i++)
			for (int shift = 0; shift <= 16; shift += 8)
				assert_float_equal(between(offset, rgb, stops,
							   ((double)i + 0.5) / (double)n, shift),
						   (double)(colours[i] >> shift & 255), 1.1);
		/* Upwards, or to the right. */
		assert_int_equal(help_count(out.at, "x2=\"0\" y1=\"1\" y2=\"0\""), m % 2 == 0);
	}
}

/* Pixels of 0xAARRGGBB and their corners on a page three times as large. */
TEST(an_image_lies_where_it_should)
{
	static const uint32_t pixels[] = {0xffff0000, 0, 0xff00ff00, 0xff0000ff};
	struct image out;
	struct err err = {""};
	struct device *const d = device_pixels(&arena, 12, 12, 3, &out);
	struct path all = path_new(&arena);
	path_rect(&all, (struct area){0, 0, 4, 4});
	fill(d, &all, false);
	d->kind->image(d, (struct area){1, 1, 2, 2}, pixels, 2, 2);
	assert_true(d->kind->close(d, &err));
	static const struct {
		int x, y;
		uint32_t rgb;
	} rows[] = {{2, 2, 0x112233}, {3, 3, 0xff0000}, {5, 5, 0xff0000}, {6, 5, 0x112233},
		    {3, 6, 0x00ff00}, {8, 8, 0x0000ff}, {9, 8, 0x112233}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const uint8_t *const at = out.rgb + 3 * (12 * rows[i].y + rows[i].x);
		assert_int_equal(at[0] << 16 | at[1] << 8 | at[2], rows[i].rgb);
	}
}

/* ---- text ----------------------------------------------------------------------------------------- */

static PangoLayout *lay_out(const char *text, const char *font)
{
	PangoFontMap *const map = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT);
	PangoContext *const context = pango_font_map_create_context(map);
	PangoLayout *const layout = pango_layout_new(context);
	PangoFontDescription *const d = pango_font_description_from_string(font);
	pango_layout_set_font_description(layout, d);
	pango_layout_set_text(layout, text, -1);
	pango_font_description_free(d);
	g_object_unref(context);
	g_object_unref(map);
	return layout;
}

TEST(lines_of_a_layout_are_what_is_read)
{
	size_t n;
	PangoLayout *const layout = lay_out("one two three", "DejaVu Sans 10px");
	pango_layout_set_width(layout, 1); /* a word to a line, or less */
	pango_layout_set_wrap(layout, PANGO_WRAP_WORD);
	const struct layout_line *lines = layout_lines(layout, &arena, &n);
	static const char *const words[] = {"one", "two", "three"};
	assert_int_equal(n, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(lines[i].text, words[i]);
		assert_true(lines[i].y + lines[i].baseline > 0 && !lines[i].leftwards);
		assert_true(i == 0 || lines[i].y >= lines[i - 1].y + lines[i - 1].height - 0.01);
		/* From the layout's corner, not the line's. */
		assert_true(lines[i].baseline > lines[i].y &&
			    lines[i].baseline < lines[i].y + lines[i].height);
	}
	/* What is cut shows that it is. */
	pango_layout_set_text(layout, "a very long line", -1);
	pango_layout_set_width(layout, 60 * PANGO_SCALE);
	pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
	lines = layout_lines(layout, &arena, &n);
	assert_int_equal(n, 1);
	assert_non_null(strstr(lines[0].text, "…"));
	assert_null(strstr(lines[0].text, "line"));
	assert_memory_equal(lines[0].text, "a v", 3);
	/* In the order of the letters, not from left to right. */
	pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_NONE);
	pango_layout_set_width(layout, -1);
	pango_layout_set_text(layout, "عربي abc كلب", -1);
	lines = layout_lines(layout, &arena, &n);
	assert_string_equal(lines[0].text, "عربي abc كلب");
	assert_true(lines[0].leftwards && lines[0].n >= 3);
	g_object_unref(layout);
}

/* Up by as much as it goes down again; smaller than what is around it. */
TEST(a_raised_letter_is_an_element_of_its_line)
{
	struct strbuf out;
	struct err err = {""};
	double up, size, down;
	char letters[3][8];
	struct device *const d = open_svg(&out);
	PangoLayout *const layout = lay_out("", "DejaVu Sans 20px");
	pango_layout_set_markup(layout, "x<sup>2</sup>y", -1);
	d->kind->text(d, layout, 0.5, 10, 5, 0, 0xff0000);
	assert_true(d->kind->close(d, &err));
	const char *const text = strstr(out.at, "<text");
	const char *const from = strchr(text, '>') + 1;
	assert_int_equal(sscanf(from,
				"%1[a-z]<tspan dy=\"%lf\" font-size=\"%lf\">%1[0-9]</tspan>"
				"<tspan dy=\"%lf\">%1[a-z]</tspan></text>",
				letters[0], &up, &size, letters[1], &down, letters[2]),
			 6);
	assert_true(up < -3 && up > -20);
	assert_float_equal(up, -down, 1e-9);

	assert_true(size > 10 && size < 19);
	assert_non_null(strstr(text, "font-size=\"20\""));
	PangoRectangle logical;
	pango_layout_get_extents(layout, NULL, &logical);
	const double width = (double)logical.width / PANGO_SCALE;
	const char *const at = strstr(text, " x=\"");
	assert_float_equal(strtod(at + 4, NULL), 10 + width / 2, 0.01);
	assert_non_null(strstr(text, "text-anchor=\"middle\""));
	g_object_unref(layout);
}

/* `align` is of the line on the page, text-anchor of the text: a line of right-to-left text begins at its
 * right end. */
TEST(a_line_from_right_to_left_is_anchored_at_its_other_end)
{
	static const char *const anchors[] = {"text-anchor=\"end\"", "text-anchor=\"middle\"",
					      NULL};
	for (int i = 0; i < 3; i++) {
		struct strbuf out;
		struct err err = {""};
		struct device *const d = open_svg(&out);
		PangoLayout *const layout = lay_out("عربي", "DejaVu Sans 20px");
		d->kind->text(d, layout, 0.5 * i, 100, 5, 0, 0xff0000);
		assert_true(d->kind->close(d, &err));
		assert_non_null(strstr(out.at, "direction=\"rtl\""));
		if (anchors[i])
			assert_non_null(strstr(out.at, anchors[i]));
		else
			assert_null(strstr(out.at, "text-anchor"));
		g_object_unref(layout);
	}
}

/* ---- fonts ---------------------------------------------------------------------------------------- */

TEST(families_are_named_in_the_order_they_are_needed)
{
	static const char asked[] = "Inter, DejaVu Sans, sans-serif";
	static const struct {
		const char *used[3];
		const char *families;
	} rows[] = {
		{{"Inter"}, "Inter,'DejaVu Sans',sans-serif"},
		{{"DejaVu Sans"}, "'DejaVu Sans',Inter,sans-serif"},
		{{"Noto Sans CJK JP", "Inter"},
		 "Inter,'Noto Sans CJK JP','DejaVu Sans',sans-serif"},
		{{"it's <b>\\"}, "'it\\27 s \\3c b\\3e \\5c ',Inter,'DejaVu Sans',sans-serif"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t n = 0;
		while (n < 3 && rows[i].used[n] != NULL)
			n++;
		assert_string_equal(svg_families(&arena, asked, rows[i].used, n), rows[i].families);
	}
}

/* The font of the i-th rule, read as a browser would. */
static hb_face_t *embedded_face(const char *svg, size_t i)
{
	static const char mark[] = "base64,";
	const char *at = svg;
	for (size_t k = 0; k <= i; k++) {
		at = strstr(at, "@font-face{");
		if (at == NULL)
			return NULL;
		at++;
	}
	at = strstr(at, mark) + strlen(mark);
	gsize len;
	guchar *const bytes = g_base64_decode(arena_strndup(&arena, at, strcspn(at, ")")), &len);
	hb_blob_t *const blob = hb_blob_create((const char *)bytes, (unsigned)len,
					       HB_MEMORY_MODE_DUPLICATE, NULL, NULL);
	g_free(bytes);
	hb_face_t *const face = hb_face_create(blob, 0);
	hb_blob_destroy(blob);
	return face;
}

TEST(an_embedded_font_has_the_letters_that_are_shown_and_few_more)
{
	static const char text[] = "wave 0123 fix", more[] = "Zß";
	struct strbuf out;
	struct err err = {""};
	strbuf_init(&out, &arena);
	struct device *const d = device_svg(&arena, 100, 50, &none, true, &out);
	static const char *const sizes[] = {"DejaVu Sans 10px", "DejaVu Sans 20px"};
	for (size_t i = 0; i < 2; i++) {
		PangoLayout *const layout = lay_out(i == 0 ? text : more, sizes[i]);
		d->kind->text(d, layout, 0, 5, 5, 0, 0);
		g_object_unref(layout);
	}
	assert_true(d->kind->close(d, &err));
	/* Two sizes are one font. */
	assert_int_equal(help_count(out.at, "@font-face{font-family:'DejaVu Sans';font-weight:400"),
			 1);
	assert_true(out.len < 16 << 10);
	hb_face_t *const face = embedded_face(out.at, 0);
	hb_font_t *const font = hb_font_create(face);
	hb_codepoint_t glyph;
	for (const char *at = "wave 0123 fixZ"; *at != '\0'; at++)
		assert_true(hb_font_get_nominal_glyph(font, (hb_codepoint_t)*at, &glyph));
	assert_true(hb_font_get_nominal_glyph(font, 0xdf, &glyph));
	assert_false(hb_font_get_nominal_glyph(font, 'q', &glyph));
	assert_true(hb_face_get_glyph_count(face) < 32);
	hb_font_destroy(font);
	hb_face_destroy(face);
}
