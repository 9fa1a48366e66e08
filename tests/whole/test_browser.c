/* test_browser.c: SVG files in a browser: they look as the picture does, their words can be selected, and
 * these are as long as they were measured without being stretched; HTML pages are read as they were written.
 * Skipped where there is no Chromium. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_cli.h"
#include "help_measure.h"
#include "help_svg.h"
#include "posviz/base/strbuf.h"
#include "posviz/export/export.h"
#include "posviz/picture/picture.h"

FIXTURE(cli_enter, cli_leave)

/* With settings of its own, which it leaves behind. */
#define BEGIN "d=$(mktemp -d); "
#define BROWSER                                                                         \
	"timeout 120 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars " \
	"--force-device-scale-factor=1 --force-color-profile=srgb "                     \
	"--virtual-time-budget=5000 --user-data-dir=$d "
#define END " 2> said; code=$?; rm -rf $d; exit $code"

static bool has_browser(void)
{
	const bool there = system("command -v chromium > /dev/null") == 0;
	if (!there)
		print_message("chromium is not there: make long-deps\n");
	return there;
}

static void run_browser(const char *arguments, struct arena *a)
{
	const char *const command = arena_printf(a, BEGIN BROWSER "%s" END, arguments);
	size_t len;
	if (system(command) != 0)
		fail_msg("%s: %s", command, cli_read("said", a, &len));
}

/* ---- figures -------------------------------------------------------------------------------------- */

struct page {
	const char *lines;
	int width, height;
	bool dark, embedded;
};

struct drawn {
	struct image image;
	struct raster_report report;
	const char *svg;
	size_t len;
};

static void draw(const struct page *p, struct cache *cache, struct arena *a, struct drawn *out)
{
	struct err err = {""};
	struct scene scene;
	struct measures measures;
	struct picture *const picture = arena_calloc(a, 1, sizeof *picture);
	const struct raster_look look = {.width = p->width,
					 .height = p->height,
					 .dpi = 150,
					 .dark = p->dark,
					 .embed_fonts = p->embedded};
	char *data;
	if (!scene_parse(&scene, p->lines, &err) ||
	    !help_measure(&scene.setup, cache, &measures, &err) ||
	    !picture_make(&scene, &measures, false, p->dark ? BACKGROUND_DARK : BACKGROUND_LIGHT,
			  cache, NULL, a, picture, &err) ||
	    !raster_image(&picture->figure, &look, a, &out->image, NULL, &err) ||
	    !raster_vector(&picture->figure, &look, RASTER_SVG, a, &data, &out->len, &out->report,
			   &err))
		fail_msg("%s: %s", p->lines, err.text);
	out->svg = data;
	help_svg_agrees(data, &out->report);
}

/* ---- what it looks like --------------------------------------------------------------------------- */

static struct image screenshot(const struct drawn *d, struct arena *a)
{
	struct err err = {""};
	struct image image;
	struct export_text *texts;
	size_t len, n;
	cli_write("x.svg", d->svg, d->len);
	run_browser(arena_printf(a, "--window-size=%d,%d --screenshot=x.png file://$PWD/x.svg",
				 d->image.width, d->image.height),
		    a);
	const char *const data = cli_read("x.png", a, &len);
	if (!export_png_read(data, len, a, &image, &texts, &n, &err))
		fail_msg("%s", err.text);
	cli_remove("x.png");
	return image;
}

/* The mean colour of a square of pixels. */
static double mean_of(const struct image *m, int x, int y, int side, int channel)
{
	double sum = 0;
	for (int r = y; r < y + side; r++)
		for (int c = x; c < x + side; c++)
			sum += m->rgb[3 * ((size_t)r * (size_t)m->width + (size_t)c) +
				      (size_t)channel];
	return sum / (side * side);
}

/* Of squares so large: how far they differ in the mean, and at most. */
static void compare(const struct image *a, const struct image *b, int side, double *mean,
		    double *most)
{
	double n = 0;
	*mean = *most = 0;
	for (int y = 0; y + side <= a->height; y += side)
		for (int x = 0; x + side <= a->width; x += side)
			for (int k = 0; k < 3; k++, n++) {
				const double by =
					fabs(mean_of(a, x, y, side, k) - mean_of(b, x, y, side, k));
				*mean += by;
				*most = fmax(*most, by);
			}
	*mean /= n;
}

/* Letters are drawn by other code there: single pixels differ at their edges, areas of a letter's size
 * hardly do. */
static void looks_alike(const struct page *p, const struct drawn *d, struct arena *a)
{
	const struct image seen = screenshot(d, a);
	double mean, most, mean_16, most_16;
	assert_int_equal(seen.width, d->image.width);
	assert_int_equal(seen.height, d->image.height);
	compare(&d->image, &seen, 1, &mean, &most);
	compare(&d->image, &seen, 16, &mean_16, &most_16);
	print_message("%s %dx%d: %.2f of 255, of squares %.2f, at most %.1f\n", p->lines, p->width,
		      p->height, mean, mean_16, most_16);
	if (mean > 5 || mean_16 > 0.8 || most_16 > 16)
		fail_msg("they differ");
}

/* ---- its words ------------------------------------------------------------------------------------ */

/* Of each text its number and its length as it is, and as it would be by its letters alone; then all
 * that is selected. */
static const char script[] =
	"<script>document.fonts.ready.then(() => {\n"
	"const out = document.createElement('pre');\n"
	"document.querySelectorAll('text').forEach((t, i) => {\n"
	"const given = t.getComputedTextLength(); t.removeAttribute('textLength');\n"
	"out.textContent += `=${i} ${given} ${t.getComputedTextLength()}\\n`; });\n"
	"getSelection().selectAllChildren(document.querySelector('svg'));\n"
	"out.textContent += getSelection().toString();\n"
	"document.body.append(out); })</script>";

static void can_be_read(const struct drawn *d, struct arena *a)
{
	const char *const root = strstr(d->svg, "<svg");
	const char *const html =
		arena_printf(a, "<!doctype html><meta charset=utf-8><body>%s%s", root, script);
	size_t len;
	cli_write("x.html", html, strlen(html));
	run_browser("--dump-dom file://$PWD/x.html > x.dom", a);
	const char *at = strstr(cli_read("x.dom", a, &len), "<pre>");
	assert_non_null(at);
	for (size_t i = 0; i < d->report.n; i++) {
		const struct text_box *const box = &d->report.boxes[i];
		unsigned long which;
		double given, own;
		at = strchr(at, '=');
		assert_non_null(at);
		assert_int_equal(sscanf(at++, "=%lu %lf %lf", &which, &given, &own), 3);
		assert_int_equal(which, i);
		if (fabs(given - box->width) > 0.02 ||
		    fabs(own - box->width) > 0.3 + 0.02 * box->width)
			fail_msg("\"%s\" is %g long, of itself %g, not %g", box->text, given, own,
				 box->width);
	}
	for (size_t i = 0; i < d->report.n; i++)
		if (strpbrk(d->report.boxes[i].text, "<>&\u00a0") == NULL &&
		    strstr(at, d->report.boxes[i].text) == NULL)
			fail_msg("\"%s\" is not selected", d->report.boxes[i].text);
}

/* ---- tests ---------------------------------------------------------------------------------------- */

static const char *const views_of[] = {
	"view explore\nscheme rope+alibi+causal\nrow 3\ncol 2\n",
	"view terms\nscheme tupe+causal\n",
	"view compare\nscheme rope\ncompare alibi; t5\n",
	"view heads\nscheme t5\nheads 8\n",
	"view why\nscheme rope+alibi+causal\nrow 5\ncol 2\n",
	"view order\nscheme kerple\norder reverse\n",
	"view table\n",
	"view relation\nscheme spr_rel\nconllu @dep2\nrow 1\ncol 3\n",
	"view explore\nscheme sinusoidal\nsentence naïve 猫 عربي <b> x\n",
	"view explore\nscheme alibi\nlength 64\n",
};
enum { PAGES = sizeof views_of / sizeof *views_of };

TEST_THAT_LASTS(an_svg_looks_like_the_picture, 2)
{
	static const int sizes[][2] = {{1600, 1000}, {800, 500}};
	struct cache *const cache = cache_new(64 << 20);
	if (!has_browser())
		skip();
	for (size_t i = test_part; i < (size_t)4 * PAGES; i += test_parts) {
		struct arena a;
		struct drawn d;
		arena_init(&a);
		const int *const size = sizes[i / 2 % 2];
		const struct page page = {.lines = views_of[i / 4],
					  .width = size[0],
					  .height = size[1],
					  .dark = i % 2,
					  .embedded = i % 3 == 0};
		draw(&page, cache, &a, &d);
		looks_alike(&page, &d, &a);
		arena_release(&a);
	}
	cache_free(cache);
}

TEST_THAT_LASTS(words_of_an_svg_are_words_in_a_browser, 1)
{
	struct cache *const cache = cache_new(64 << 20);
	if (!has_browser())
		skip();
	for (size_t i = 0; i < PAGES; i++) {
		struct arena a;
		struct drawn d;
		arena_init(&a);
		const struct page page = {
			.lines = views_of[i], .width = 1600, .height = 1000, .embedded = i % 2};
		draw(&page, cache, &a, &d);
		can_be_read(&d, &a);
		arena_release(&a);
	}
	cache_free(cache);
}

/* ---- pages --------------------------------------------------------------------------------------- */

static size_t count(const char *text, const char *part)
{
	size_t n = 0;
	for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part))
		n++;
	return n;
}

TEST_THAT_LASTS(a_page_is_read_by_a_browser_as_it_was_written, 1)
{
	static const char word[] = "&lt;/script&gt;";
	struct arena a;
	size_t len;
	if (!has_browser())
		skip();
	arena_init(&a);
	cli_good(&(struct cli_case){.args = {"render", "rope+causal", "--tokens", "given", "-s",
					     "the </script><i>cat slept", "-o", "page.html"}});
	run_browser(arena_printf(&a, "--dump-dom file://$PWD/page.html > read.html"), &a);
	const char *const written = cli_read("page.html", &a, &len);
	const char *const read = cli_read("read.html", &a, &len);
	assert_null(strstr(read, "<script"));
	assert_true(count(written, word) > 3);
	assert_int_equal(count(read, word), count(written, word));
	assert_int_equal(count(read, "<td"), count(written, "<td"));
	assert_int_equal(count(read, "<th scope=\"row\""), count(written, "<th scope=\"row\""));
	assert_int_equal(count(read, "<svg"), count(written, "<svg"));
	arena_release(&a);
}
