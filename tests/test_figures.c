/* test_figures.c: the figures that people get: every scheme, several sentences and sizes, through the
 * whole way from scene to page. Nothing overlaps, nothing is cut, everything can be read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "posviz/raster.h"
#include "posviz/view.h"

struct wanted {
	const char *lines; /* commands on top of the scheme's */
	int width, height;
	bool dark;
};

static const struct wanted wanted[] = {
	{"sentence the cat chases the dog .\n", 1600, 1000, false},
	{"sentence a\n", 1600, 1000, true},
	{"sentence Donaudampfschifffahrtsgesellschaft 猫 عربي e\nmatrix logits\n", 1600, 1000,
	 false},
	{"sentence one two three four five six seven eight nine ten eleven twelve thirteen "
	 "fourteen "
	 "fifteen sixteen seventeen eighteen nineteen twenty\nheads 8\nhead 8\nproj random\n",
	 1600, 1000, true},
	{"special cls,sep\nsentence to be ||| or not\nrow 2\ncol 3\nfull-caption on\n", 1920, 1080,
	 false},
	{"init paper\norder reverse\nscale log\nlayer 2\n", 1400, 1000, false},
};

static void measure_page(const char *what, const struct raster_report *r, const struct wanted *w)
{
	assert_true(r->n > 10);
	for (size_t i = 0; i < r->n; i++) {
		const struct text_box *box = &r->boxes[i];
		if (!text_box_inside(box, w->width, w->height))
			fail_msg("%s: \"%s\" is cut", what, box->text);
		if (colour_contrast(box->ink, box->paper) < 4.5)
			fail_msg("%s: \"%s\" cannot be read", what, box->text);
		for (size_t k = 0; k < i; k++)
			if (text_box_overlap(box, &r->boxes[k]))
				fail_msg("%s: \"%s\" lies on \"%s\"", what, box->text,
					 r->boxes[k].text);
	}
	assert_int_equal(r->missing_glyphs, 0);
}

static void draw_one(const struct scheme *s, const struct wanted *w, struct cache *cache)
{
	struct arena a;
	arena_init(&a);
	struct err err = {""};
	struct scene scene;
	const char *lines = arena_printf(&a, "scheme %s\n%s", s->id, w->lines);
	if (!scene_parse(&scene, lines, &err))
		fail_msg("%s: %s", lines, err.text);
	struct measures measures;
	struct picture picture;
	if (!analysis_measure(&scene.setup, cache, NULL, NULL, &measures, &err) ||
	    !picture_make(&scene, &measures, false, w->dark, cache, NULL, &a, &picture, &err))
		fail_msg("%s: %s", lines, err.text);
	const struct raster_look look = {.width = w->width,
					 .height = w->height,
					 .dpi = 150,
					 .dark = w->dark,
					 .command = scene.full_caption};
	struct image image;
	struct raster_report report;
	if (!raster_image(&picture.figure, &look, &a, &image, &report, &err))
		fail_msg("%s: %s", lines, err.text);
	measure_page(lines, &report, w);
	arena_release(&a);
}

static void every_scheme_prints_well(void **state)
{
	(void)state;
	struct cache *cache = cache_new(64 << 20);
	for (size_t i = 0; i < scheme_count(); i++)
		for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++)
			draw_one(scheme_at(i), &wanted[k], cache);
	cache_free(cache);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_scheme_prints_well),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
