/* test_colormap.c: the tables are the published ones, and colours read as they should. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_colour.h"
#include "posviz/plot/theme.h"
#include "posviz/plot/colormap.h"
#include "posviz/plot/figure.h"

TEST(colormap_ends_are_the_published)
{
	static const struct {
		const char *name;
		uint32_t low, high;
	} cases[] = {
		{"viridis", 0x440154, 0xfde725}, {"magma", 0x000004, 0xfcfdbf},
		{"cividis", 0x00224e, 0xfee838}, {"vik", 0x001261, 0x590008},
		{"berlin", 0x9eb0ff, 0xffadad},	 {"night", 0x03b5ee, 0xffc87a},
		{"paper", 0x283b8b, 0xb83e2e},	 {"slate", 0x3141b0, 0xfacc50},
		{"glow", 0x26272c, 0xebfa80},	 {"ink", 0xf2f2f2, 0x042a51},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct colormap *map = colormap_find(cases[i].name);
		assert_non_null(map);
		assert_int_equal(colormap_level(map, 0), cases[i].low);
		assert_int_equal(colormap_rgb(map, -3), colormap_level(map, map->diverging));
		assert_int_equal(colormap_rgb(map, 1), cases[i].high);
		assert_int_equal(colormap_rgb(map, 7), cases[i].high);
	}
	assert_null(colormap_find("jet"));
}

TEST(colour_differences_are_the_published)
{
	/* Sharma, Wu, Dalal 2005, Table 1. */
	static const struct {
		struct help_lab x, y;
		double apart;
	} pairs[] = {
		{{50, 2.6772, -79.7751}, {50, 0, -82.7485}, 2.0425},
		{{50, 2.8361, -74.0200}, {50, 0, -82.7485}, 3.4412},
		{{50, -0.9009, -85.5211}, {50, 0, -82.7485}, 1.0000},
		{{50, 0, 0}, {50, -1, 2}, 2.3669},
		{{50, 2.4900, -0.0010}, {50, -2.4900, 0.0009}, 7.1792},
		{{50, 2.4900, -0.0010}, {50, -2.4900, 0.0011}, 7.2195},
		{{50, 2.5, 0}, {50, 0, -2.5}, 4.3065},
		{{50, 2.5, 0}, {73, 25, -18}, 27.1492},
		{{50, 2.5, 0}, {61, -5, 29}, 22.8977},
		{{50, 2.5, 0}, {56, -27, -3}, 31.9030},
		{{60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}, 1.2644},
		{{90.8027, -2.0831, 1.4410}, {91.1528, -1.6435, 0.0447}, 1.4441},
		{{2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}, 0.9082},
	};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		assert_true(fabs(help_difference(pairs[i].x, pairs[i].y) - pairs[i].apart) < 5e-5);
		assert_true(fabs(help_difference(pairs[i].y, pairs[i].x) - pairs[i].apart) < 5e-5);
	}
}

static double lightness(uint32_t rgb)
{
	return help_lab(rgb).l;
}

/* The colour of x in [-1, 1], of a sequential map in [0, 1]. */
static uint32_t at(const struct colormap *map, double x)
{
	return colormap_rgb(map, map->diverging ? (x + 1) / 2 : x);
}

static uint32_t on_256(const struct colormap *map, double x)
{
	return colormap_256(map, map->diverging ? (x + 1) / 2 : x);
}

/* 1 where an arm becomes lighter outwards, -1 where darker. */
static int direction(const struct colormap *map, int sign)
{
	return lightness(at(map, sign)) > lightness(at(map, 0)) ? 1 : -1;
}

/* Up to the rounding to 8 bits; of vik the lightest is not the middle but number 125. */
TEST(lightness_is_monotone_outwards)
{
	for (const struct colormap *map = colormaps; map->name != NULL; map++)
		for (int sign = map->diverging ? -1 : 1; sign < 2; sign += 2)
			for (int i = map->diverging ? 4 : 1; i < 128; i++) {
				const double step = lightness(at(map, sign * i / 127.0)) -
						    lightness(at(map, sign * (i - 1) / 127.0));
				if (step * direction(map, sign) < -0.09)
					fail_msg("%s, %d of 127: %g", map->name, sign * i, step);
			}
}

/* Maps that are taken by themselves: zero is the page, all steps can be seen by any eye, and so can
 * the sign of small values. */
TEST(maps_keep_their_steps_for_every_eye)
{
	enum { DARK_PAGE = 0x1a1b20, WHITE_PAGE = 0xffffff, FRACTIONS = 5 };
	static const struct {
		const char *name;
		int steps;
		double zero;		  /* from its page, at most; 0: it is not made for one */
		double normal[2], any[2]; /* the least step of the lower and the upper arm */
		double signs[FRACTIONS];  /* +x from -x */
	} rows[] = {
		{"night", 8, 4, {7.6, 9.6}, {5.9, 6.0}, {6.0, 10.7, 22.9, 42.4, 46.5}},
		{"paper", 8, 4, {7.9, 7.7}, {6.3, 5.9}, {4.9, 11.5, 26, 46, 41.5}},
		{"slate", 8, 0, {4.1, 5.3}, {3.4, 3.6}, {3.8, 8.5, 18.5, 38, 59}},
		{"glow", 12, 4, {0, 6.9}, {0, 4.7}, {0}},
		{"ink", 12, 4, {0, 6.8}, {0, 4.9}, {0}},
	};
	static const double fractions[FRACTIONS] = {1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2, 1};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct colormap *const map = colormap_find(rows[i].name);
		const uint32_t page = map->background == BACKGROUND_DARK ? DARK_PAGE : WHITE_PAGE;
		if (rows[i].zero > 0)
			assert_true(help_apart(at(map, 0), page) < rows[i].zero);
		for (int k = 0; k < rows[i].steps * (map->diverging ? 2 : 1); k++) {
			const int up = k < rows[i].steps, sign = up ? 1 : -1;
			const double from = sign * (double)(k % rows[i].steps) / rows[i].steps;
			const double to = from + sign * 1.0 / rows[i].steps;
			const uint32_t x = at(map, from), y = at(map, to);
			if (help_apart(x, y) < rows[i].normal[up] ||
			    help_apart_to_any(x, y) < rows[i].any[up])
				fail_msg("%s: from %g to %g: %g, any eye %g", map->name, from, to,
					 help_apart(x, y), help_apart_to_any(x, y));
		}
		for (size_t k = 0; map->diverging && k < FRACTIONS; k++)
			assert_true(help_apart_to_any(at(map, fractions[k]),
						      at(map, -fractions[k])) >= rows[i].signs[k]);
		if (map->diverging) /* in grey the lighter of two strong ends is positive */
			assert_true(lightness(at(map, 1)) > lightness(at(map, -1)) + 14);
	}
}

/* Steps of equal width, zero's half on either side, each once and in the order of lightness; every
 * eye sees every step. */
TEST(ladders_keep_order_and_sign)
{
	for (const struct colormap *map = colormaps; map->name != NULL; map++) {
		const size_t n = colormap_steps(map);
		assert_in_range(n, 4, COLORMAP_STEPS);
		for (int sign = map->diverging ? -1 : 1; sign < 2; sign += 2) {
			uint32_t last = on_256(map, 0);
			assert_int_equal(on_256(map, sign * 0.499 / ((double)n + 0.5)), last);
			for (size_t k = 1; k <= n; k++) {
				const double width = 1 / ((double)n + 0.5);
				const uint32_t now = on_256(map, sign * (double)k * width);
				assert_int_equal(on_256(map, sign * ((double)k - 0.49) * width),
						 now);
				assert_int_equal(on_256(map, sign * ((double)k + 0.49) * width),
						 now);
				assert_int_equal(colour_from_256(colour_to_256(now)), now);
				if (help_apart(last, now) < 7.9 ||
				    help_apart_to_any(last, now) < 5.9)
					fail_msg("%s, step %d", map->name, sign * (int)k);
				/* slate's first steps differ from grey in hue. */
				assert_true((lightness(now) - lightness(last)) *
						    direction(map, sign) >
					    1.4);
				last = now;
			}
			assert_int_equal(on_256(map, sign), last);
			assert_int_equal(on_256(map, 7 * sign), last);
		}
		for (size_t k = 1; map->diverging && k <= n; k++)
			assert_true(help_apart_to_any(on_256(map, (double)k / (double)n),
						      on_256(map, -(double)k / (double)n)) > 9);
	}
}

/* What is taken unless the user chooses; an unknown background gets what shows on both. */
TEST(every_background_has_its_maps)
{
	static const char *const names[2][3] = {{"glow", "ink", "glow"},
						{"slate", "paper", "night"}};
	for (int diverging = 0; diverging < 2; diverging++)
		for (int b = BACKGROUND_UNKNOWN; b <= BACKGROUND_DARK; b++)
			assert_string_equal(colormap_for(diverging, (enum background)b)->name,
					    names[diverging][b]);
	const uint32_t slate = at(colormap_find("slate"), 0);
	assert_true(colour_contrast(slate, 0x1a1b20) > 4.5 &&
		    colour_contrast(slate, 0xffffff) > 3.5);
}

TEST(colour_contrast_is_that_of_wcag)
{
	assert_true(colour_contrast(0x000000, 0xffffff) > 20.99);
	assert_true(colour_contrast(0xffffff, 0xffffff) < 1.01);
	/* The well-known greys on either side of 4.5 on white. */
	assert_true(colour_contrast(0x777777, 0xffffff) < 4.5);
	assert_true(colour_contrast(0x767676, 0xffffff) >= 4.5);
	/* Dark greys on white as checkers of pages give them: 0.2 lies on the curve, 10/255 on the line below it. */
	assert_float_equal(colour_contrast(0x333333, 0xffffff), 12.63, 0.005);
	assert_float_equal(colour_contrast(0x0a0a0a, 0xffffff), 19.80, 0.005);
}

TEST(colour_ink_reads_on_every_colour)
{
	for (uint32_t r = 0; r < 256; r += 5)
		for (uint32_t g = 0; g < 256; g += 5)
			for (uint32_t b = 0; b < 256; b += 15) {
				const uint32_t rgb = r << 16 | g << 8 | b;
				assert_true(colour_contrast(colour_ink(rgb), rgb) >= 4.5);
			}
	assert_int_equal(colour_ink(0x000000), 0xffffff);
}

TEST(colour_256_is_the_xterm_palette)
{
	assert_int_equal(colour_from_256(16), 0x000000);
	assert_int_equal(colour_from_256(196), 0xff0000);
	assert_int_equal(colour_from_256(231), 0xffffff);
	assert_int_equal(colour_from_256(67), 0x5f87af);
	assert_int_equal(colour_from_256(232), 0x080808);
	assert_int_equal(colour_from_256(244), 0x808080);
	for (unsigned i = 16; i < 256; i++) {
		const uint32_t rgb = colour_from_256((uint8_t)i);
		assert_int_equal(colour_from_256(colour_to_256(rgb)), rgb);
	}
	assert_int_equal(colour_to_256(0xfe0101), 196);
}

TEST(series_colours_differ_and_wrap)
{
	for (int dark = 0; dark < 2; dark++)
		for (size_t i = 0; i < 6; i++) {
			assert_int_equal(figure_series_colour(i, dark),
					 figure_series_colour(i + 6, dark));
			for (size_t k = 0; k < i; k++)
				assert_int_not_equal(figure_series_colour(i, dark),
						     figure_series_colour(k, dark));
		}
	assert_int_equal(figure_series_colour(0, false), 0x0072b2);
	assert_int_equal(figure_series_colour(1, false), 0xd55e00);
}

/* The frame of what is pointed out is of ink between two lines of paper: one of them shows. */
TEST(frames_show_on_every_colour)
{
	for (const struct colormap *m = colormaps; m->name != NULL; m++)
		for (int k = 0; k < 256; k++)
			for (int dark = 0; dark < 2; dark++) {
				const struct theme *const t = &page_themes[dark];
				const uint32_t rgb = colormap_rgb(m, k / 255.0);
				assert_true(fmax(colour_contrast(rgb, t->ink),
						 colour_contrast(rgb, t->paper)) >= 3);
			}
}
