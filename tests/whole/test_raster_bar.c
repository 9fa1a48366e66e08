/* test_raster_bar.c: the bar beside or below a matrix on a page says where its colours begin and end, and where
 * zero is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "help_view.h"
#include "help_arena.h"
#include "help_pages.h"
#include "posviz/app/app.h"
#include "posviz/app/snapshot.h"
#include "posviz/picture/picture.h"
#include "posviz/plot/raster.h"
#include "test.h"

FIXTURE(open_arena, close_arena)

static struct raster_report drawn(const char *scheme, const char *lines, const char *preset)
{
	struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
	struct scene s;
	struct err err = {""};
	if (!scene_parse(&s, arena_printf(&arena, "scheme %s\n%s\n", scheme, lines), &err))
		fail_msg("%s", err.text);
	if (*preset >= 'a' && !app_preset(&s, preset, &err))
		fail_msg("%s", err.text);
	if (*preset < 'a' && !scene_set_line(&s, arena_printf(&arena, "size %s", preset), &err))
		fail_msg("%s", err.text);
	const struct raster_look look = snapshot_look(&s);
	if (!picture_make(&s, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, p, &err))
		fail_msg("%s: %s", lines, err.text);
	return help_page_report(&p->figure, &look, &arena);
}

/* "−0.537 in 2" as a number; NaN: it begins with none. */
static double number(const char *text)
{
	static const char minus[] = "\u2212";
	const bool less = strncmp(text, minus, strlen(minus)) == 0;
	char digits[64];
	snprintf(digits, sizeof digits, "%s%s", less ? "-" : "", text + (less ? strlen(minus) : 0));
	char *const exponent = strstr(digits, minus);
	if (exponent) {
		*exponent = '-';
		memmove(exponent + 1, exponent + strlen(minus),
			strlen(exponent + strlen(minus)) + 1);
	}
	char *end;
	const double value = strtod(digits, &end);
	return end > digits ? value : NAN;
}

/* A number at this part of the bar, within a few units of where it is or beside the end. */
static bool says(const struct raster_report *r, const struct bar_box *bar, double value,
		 double part)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct text_box *const b = &r->boxes[i];
		const double x = bar->x + part * bar->width;
		const double y = bar->y + (1 - part) * bar->height;
		const bool below = b->y >= bar->y + bar->height && b->y < bar->y + 2 * b->height &&
				   b->x - 2 <= x && x <= b->x + b->width + 2;
		const bool beside = b->x >= bar->x + bar->width &&
				    b->x < bar->x + bar->width + 2 * b->height &&
				    fabs(b->y + b->height / 2 - y) < b->height / 2;
		if ((bar->lies ? below : beside) &&
		    fabs(number(b->text) - value) <= 1e-9 * fabs(value))
			return true;
	}
	return false;
}

/* Returns whether a bar belongs to a panel whose scale has words at its ends in place of numbers. */
static bool has_words(const struct raster_report *r, const struct bar_box *bar)
{
	for (size_t i = 0; i < r->n_shown; i++) {
		const struct panel *const p = &r->shown[i].panel;
		if (p->kind == PANEL_HEATMAP && p->heatmap.ends[0] && !(bar->lo < 0) &&
		    !(bar->lo > 0) && !(bar->hi < 1) && !(bar->hi > 1))
			return true;
	}
	return false;
}

static size_t bars_of(const char *scheme, const char *lines, const char *preset)
{
	const struct raster_report r = drawn(scheme, lines, preset);
	for (size_t i = 0; i < r.bar_n; i++) {
		const struct bar_box *const bar = &r.bars[i];
		if (!has_words(&r, bar) &&
		    (!says(&r, bar, bar->lo, 0) || !says(&r, bar, bar->hi, 1)))
			fail_msg("%s, %s, %s: a bar from %g to %g", scheme, lines, preset, bar->lo,
				 bar->hi);
		if (bar->lo < 0 && fabs(bar->lo + bar->hi) <= 0 && !says(&r, bar, 0, 0.5))
			fail_msg("%s, %s, %s: no 0 from %g to %g", scheme, lines, preset, bar->lo,
				 bar->hi);
	}
	for (size_t i = 0; i < r.n; i++)
		for (size_t k = 0; k < i; k++)
			if (text_box_overlap(&r.boxes[i], &r.boxes[k]))
				fail_msg("%s, %s, %s: \"%s\" lies on \"%s\"", scheme, lines, preset,
					 r.boxes[i].text, r.boxes[k].text);
	return r.bar_n;
}

/* Presets, and pages from small to large. */
static const char *const pages[] = {"acl",     "neurips", "slide",    "poster",	  "3.25in",
				    "400x300", "800x500", "700x1200", "1600x1000"};
enum { PAGES = sizeof pages / sizeof *pages };

TEST_SAMPLED(every_bar_names_both_ends_and_zero, 1, 5)
{
	static const char *const schemes[] = {"t5", "rope", "alibi", "deberta", "sinusoidal"};
	size_t bars = 0;
	for (size_t v = 0; views[v]; v++)
		for (size_t i = test_part; i < 5 && !views[v]->table; i += test_parts)
			for (size_t k = (v + i) % 3; k < PAGES; k += 3)
				bars += bars_of(schemes[i], help_view(&arena, views[v]->name),
						pages[k]);
	assert_true(bars > 25);
}

/* Differences have both signs: the widest labels. */
TEST(bars_of_differences_name_both_ends_and_zero)
{
	size_t bars = 0;
	for (size_t k = 0; k < PAGES; k++) {
		bars += bars_of("t5", "view compare\ncompare rope", pages[k]);
		bars += bars_of("rope", "view order", pages[k]);
		bars += bars_of("t5", "view compare\ncompare rope\npanel difference,curve",
				pages[k]);
	}
	assert_true(bars > 3 * PAGES);
}

/* What has no room beside a bar goes below it, before the bar has nothing between its ends. */
TEST(a_bent_bar_has_a_number_between_its_ends)
{
	const struct raster_report r = drawn("t5", "panel bias,weights", "3.25in");
	assert_true(help_box_of(&r, "1/9") && help_box_of(&r, "1.0"));
}

TEST(one_bar_says_which_panels_it_is_of)
{
	static const char lines[] = "view compare\ncompare rope; alibi\nmatrix bias\npanel bias\n"
				    "sentence Colorless green ideas sleep furiously";
	struct raster_report r = drawn("t5", lines, "acl");
	assert_int_equal(r.bar_n, 1);
	assert_int_equal(r.plot_n, 3);
	assert_true(help_box_of(&r, "of a, b, c"));
	/* And it is the last: each has all its words, whole. */
	size_t words[2] = {0};
	for (size_t i = 0; i < r.n; i++) {
		words[0] += strcmp(r.boxes[i].text, "Colorless") == 0;
		words[1] += strcmp(r.boxes[i].text, "sleep") == 0;
	}
	assert_true(words[0] == 6 && words[1] == 6);
	r = drawn("t5", "view compare\ncompare alibi", "neurips");
	assert_true(help_box_of(&r, "sqrt scale of a, b"));
	/* Without letters nothing can be said of them. */
	r = drawn("t5", "view compare\ncompare alibi", "slide");
	for (size_t i = 0; i < r.n; i++)
		assert_null(strstr(r.boxes[i].text, "of a,"));
}
