/* test_colormap.c: the tables are the published ones, and colours read as they should. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "posviz/colormap.h"
#include "posviz/figure.h"

TEST(colormap_ends_are_the_published)
{
	static const struct {
		const char *name;
		uint32_t low, high;
	} cases[] = {
		{"viridis", 0x440154, 0xfde725}, {"magma", 0x000004, 0xfcfdbf},
		{"cividis", 0x00224e, 0xfee838}, {"vik", 0x001261, 0x590008},
		{"berlin", 0x9eb0ff, 0xffadad},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct colormap *map = colormap_find(cases[i].name);
		assert_non_null(map);
		assert_int_equal(colormap_rgb(map, 0), cases[i].low);
		assert_int_equal(colormap_rgb(map, 1), cases[i].high);
		assert_int_equal(colormap_rgb(map, -3), cases[i].low);
		assert_int_equal(colormap_rgb(map, 7), cases[i].high);
	}
	assert_null(colormap_find("jet"));
}

/* Sequential maps rise in luminance; diverging ones turn once, in the middle. */
TEST(colormap_luminance_is_ordered)
{
	for (const struct colormap *map = colormaps; map->name != NULL; map++) {
		assert_true(strlen(map->help) > 0 && strlen(map->licence) > 0);
		size_t falls = 0;
		for (size_t i = 1; i < COLORMAP_LEVELS; i++) {
			const double step = colour_luminance(colormap_level(map, i)) -
					    colour_luminance(colormap_level(map, i - 1));
			const bool upper = i > COLORMAP_LEVELS / 2;
			const double sign = !map->diverging ? 1 : upper == map->dark ? 1 : -1;
			falls += step * sign < -0.002;
		}
		assert_in_range(falls, 0, 2);
	}
}

TEST(colormap_dusk_centre_stands_off_the_background)
{
	const struct colormap *map = colormap_find("dusk");
	assert_true(map->dark && map->diverging);
	assert_true(colour_contrast(colormap_level(map, 128), 0x16181d) > 2);
}

TEST(colour_contrast_is_that_of_wcag)
{
	assert_true(colour_contrast(0x000000, 0xffffff) > 20.99);
	assert_true(colour_contrast(0xffffff, 0xffffff) < 1.01);
	/* The well-known greys on either side of 4.5 on white. */
	assert_true(colour_contrast(0x777777, 0xffffff) < 4.5);
	assert_true(colour_contrast(0x767676, 0xffffff) >= 4.5);
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

/* Lightness of OKLab (Ottosson 2020), by its definition. */
static double lightness(uint32_t rgb)
{
	double light[3];
	for (int i = 0; i < 3; i++) {
		const double c = (rgb >> (16 - 8 * i) & 255) / 255.0;
		light[i] = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
	}
	return 0.2104542553 * cbrt(0.4122214708 * light[0] + 0.5363325363 * light[1] +
				   0.0514459929 * light[2]) +
	       0.7936177850 * cbrt(0.2119034982 * light[0] + 0.6806995451 * light[1] +
				   0.1073969566 * light[2]) -
	       0.0040720468 * cbrt(0.0883024619 * light[0] + 0.2817188376 * light[1] +
				   0.6299787005 * light[2]);
}

/* 1 where the map becomes lighter from one level to the next, -1 where darker. */
static int direction(const struct colormap *map, size_t level)
{
	if (!map->diverging)
		return 1;
	const bool upper = level >= COLORMAP_LEVELS / 2;
	return upper == map->dark ? 1 : -1;
}

static uint32_t ladder(const struct colormap *map, size_t level)
{
	return colormap_256(map, (double)level / (COLORMAP_LEVELS - 1));
}

/* The tables themselves, up to their rounding to 8 bits, and apart from the levels about the centre
 * of vik, whose lightest is number 125. */
TEST(colormap_lightness_is_monotone)
{
	for (const struct colormap *map = colormaps; map->name != NULL; map++)
		for (size_t i = 1; i < COLORMAP_LEVELS; i++) {
			const double step = lightness(colormap_level(map, i)) -
					    lightness(colormap_level(map, i - 1));
			if (i < 126 || i > 129 || !map->diverging)
				assert_true(step * direction(map, i) > -0.0011);
		}
}

/* Every change of colour is one that is seen. */
TEST(ladder_lightness_is_monotone)
{
	for (const struct colormap *map = colormaps; map->name != NULL; map++)
		for (size_t i = 1; i < COLORMAP_LEVELS; i++) {
			const uint32_t before = ladder(map, i - 1), now = ladder(map, i);
			const double step = lightness(now) - lightness(before);
			if (before != now && step * direction(map, i) < 0.0079)
				fail_msg("%s, level %zu: %06x to %06x", map->name, i, before, now);
		}
}

TEST(ladder_is_of_the_fixed_palette)
{
	for (const struct colormap *map = colormaps; map->name != NULL; map++)
		for (size_t i = 0; i < COLORMAP_LEVELS; i++) {
			const uint32_t colour = ladder(map, i);
			assert_int_equal(colour_from_256(colour_to_256(colour)), colour);
		}
}

static size_t distinct(const struct colormap *map)
{
	size_t n = 1;
	for (size_t i = 1; i < COLORMAP_LEVELS; i++)
		n += ladder(map, i) != ladder(map, i - 1);
	return n;
}

/* Steps between the colours of a map that one takes from the palette: as many as were found good to
 * look at, none of them shared by two stretches. */
TEST(ladder_has_steps_enough)
{
	static const struct {
		const char *name;
		size_t steps;
	} least[] = {{"viridis", 15}, {"cividis", 19}, {"magma", 16}, {"grey", 27},
		     {"vik", 24},     {"dusk", 13},    {"berlin", 19}};
	for (size_t i = 0; i < sizeof least / sizeof *least; i++) {
		const struct colormap *const map = colormap_find(least[i].name);
		if (distinct(map) < least[i].steps)
			fail_msg("%s has %zu steps", map->name, distinct(map));
		for (size_t k = 0; k < COLORMAP_LEVELS; k++)
			for (size_t j = k + 2; j < COLORMAP_LEVELS; j++)
				if (ladder(map, j) == ladder(map, k))
					assert_int_equal(ladder(map, j - 1), ladder(map, j));
	}
}

static double distance(uint32_t x, uint32_t y)
{
	double sum = 0;
	for (int shift = 0; shift < 24; shift += 8)
		sum += pow((double)(x >> shift & 255) - (double)(y >> shift & 255), 2);
	return sqrt(sum);
}

TEST(ladder_ends_are_near_the_maps)
{
	for (const struct colormap *map = colormaps; map->name != NULL; map++)
		for (size_t end = 0; end < COLORMAP_LEVELS; end += COLORMAP_LEVELS - 1) {
			const uint32_t wanted = colormap_level(map, end), got = ladder(map, end);
			assert_true(fabs(lightness(wanted) - lightness(got)) < 0.06);
			/* cividis begins with a blue that the palette has only in grey or bright. */
			assert_true(distance(wanted, got) < 80);
		}
}

/* Zero is one colour, small values show their sign, and no colour has two signs. */
TEST(ladder_tells_signs)
{
	enum { HALF = COLORMAP_LEVELS / 2 };
	for (const struct colormap *map = colormaps; map->name != NULL; map++) {
		if (!map->diverging)
			continue;
		const uint32_t zero = colormap_256(map, 0.5);
		assert_int_equal(zero, colour_from_256(colour_to_256(colormap_level(map, HALF))));
		assert_int_equal(colormap_256(map, 0.5 + 0.01 / 2), zero);
		assert_int_equal(colormap_256(map, 0.5 - 0.01 / 2), zero);
		for (size_t i = 0; i < COLORMAP_LEVELS; i++) {
			const double x = 2 * (double)i / (COLORMAP_LEVELS - 1) - 1;
			if (fabs(x) > 0.027)
				assert_int_not_equal(ladder(map, i), zero);
			const uint32_t other = ladder(map, COLORMAP_LEVELS - 1 - i);
			assert_true(ladder(map, i) != other || other == zero);
		}
		for (size_t i = 0; i < HALF; i++)
			for (size_t j = HALF; j < COLORMAP_LEVELS; j++)
				assert_true(ladder(map, i) != ladder(map, j) ||
					    ladder(map, i) == zero);
	}
}

/* Negative values are bluer than they are red, positive ones the other way; greys have no sign. */
TEST(ladder_colours_have_a_hue)
{
	for (const struct colormap *map = colormaps; map->name != NULL; map++)
		for (size_t i = 0; map->diverging && i < COLORMAP_LEVELS; i++) {
			const uint32_t colour = ladder(map, i);
			const int red = (int)(colour >> 16 & 255), blue = (int)(colour & 255);
			if (colour == colormap_256(map, 0.5))
				continue;
			if (i < COLORMAP_LEVELS / 2 ? blue <= red : red <= blue)
				fail_msg("%s, level %zu: %06x", map->name, i, colour);
		}
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
