/* test_colormap.c: the tables are the published ones, and colours read as they should. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "posviz/colormap.h"
#include "posviz/figure.h"

static void colormap_ends_are_the_published(void **state)
{
	static const struct {
		const char *name;
		uint32_t low, high;
	} cases[] = {
		{"viridis", 0x440154, 0xfde725}, {"magma", 0x000004, 0xfcfdbf},
		{"cividis", 0x00224e, 0xfee838}, {"vik", 0x001261, 0x590008},
		{"berlin", 0x9eb0ff, 0xffadad},
	};
	(void)state;
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
static void colormap_luminance_is_ordered(void **state)
{
	(void)state;
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

static void colormap_dusk_centre_stands_off_the_background(void **state)
{
	const struct colormap *map = colormap_find("dusk");
	(void)state;
	assert_true(map->dark && map->diverging);
	assert_true(colour_contrast(colormap_level(map, 128), 0x16181d) > 2);
}

static void colour_contrast_is_that_of_wcag(void **state)
{
	(void)state;
	assert_true(colour_contrast(0x000000, 0xffffff) > 20.99);
	assert_true(colour_contrast(0xffffff, 0xffffff) < 1.01);
	/* The well-known greys on either side of 4.5 on white. */
	assert_true(colour_contrast(0x777777, 0xffffff) < 4.5);
	assert_true(colour_contrast(0x767676, 0xffffff) >= 4.5);
}

static void colour_ink_reads_on_every_colour(void **state)
{
	(void)state;
	for (uint32_t r = 0; r < 256; r += 5)
		for (uint32_t g = 0; g < 256; g += 5)
			for (uint32_t b = 0; b < 256; b += 15) {
				const uint32_t rgb = r << 16 | g << 8 | b;
				assert_true(colour_contrast(colour_ink(rgb), rgb) >= 4.5);
			}
	assert_int_equal(colour_ink(0x000000), 0xffffff);
}

static void colour_256_is_the_xterm_palette(void **state)
{
	(void)state;
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

/* On 256 colours a sequential map must still rise. */
static void colour_256_keeps_the_order_of_luminance(void **state)
{
	static const char *const names[] = {"viridis", "cividis", "grey"};
	(void)state;
	for (size_t i = 0; i < 3; i++) {
		const struct colormap *map = colormap_find(names[i]);
		double most = 0;
		for (size_t k = 0; k < COLORMAP_LEVELS; k++) {
			const double now = colour_luminance(
				colour_from_256(colour_to_256(colormap_level(map, k))));
			assert_true(now > most - 0.06);
			most = now > most ? now : most;
		}
	}
}

static void series_colours_differ_and_wrap(void **state)
{
	(void)state;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(colormap_ends_are_the_published),
		cmocka_unit_test(colormap_luminance_is_ordered),
		cmocka_unit_test(colormap_dusk_centre_stands_off_the_background),
		cmocka_unit_test(colour_contrast_is_that_of_wcag),
		cmocka_unit_test(colour_ink_reads_on_every_colour),
		cmocka_unit_test(colour_256_is_the_xterm_palette),
		cmocka_unit_test(colour_256_keeps_the_order_of_luminance),
		cmocka_unit_test(series_colours_differ_and_wrap),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
