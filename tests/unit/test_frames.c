/* test_frames.c: whole screens of the terminal program, in every view, at every size, in all colours and
 * none, dark and light: no word is cut without a sign, none lies on another, all can be read. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_colour.h"
#include "help_frame.h"

FIXTURE(open_arena, close_arena)

/* Of all kinds: nothing, one-signed, both signs, masked, heads that differ, a single matrix, a mixture, a
 * tree, a graph. */
static const char *const schemes[] = {
	"none",	  "sinusoidal", "t5",	   "t5+causal", "rope",	      "alibi",	 "gauss",    "shaw",
	"tupe_r", "txl",	"deberta", "cape",	"rope+alibi", "spr_rel", "graformer"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

/* What is behind text that has no background of its own. */
static uint32_t page_of(const struct canvas *c)
{
	return c->dark ? 0x1a1b20 : 0xffffff;
}

/* The base colours of xterm. */
static const uint32_t base[16] = {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
				  0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
				  0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff};

static uint32_t shown(const struct canvas *c, uint32_t colour)
{
	const uint32_t rgb = colour & 0xffffff;
	if (colour & CELL_ANSI(0))
		return base[colour & 15];
	return c->tier == TIER_256 ? colour_from_256(colour_to_256(rgb)) : rgb;
}

static bool is_letter(const char *at)
{
	return (*at >= '0' && *at <= '9') || (*at >= 'A' && *at <= 'Z') ||
	       (*at >= 'a' && *at <= 'z');
}

/* Letters in a colour or on one. What the user's base colours are on his own background is his. */
static void assert_readable(const struct canvas *c, const char *name)
{
	for (int i = 0; i < c->rows * c->cols; i++) {
		const struct cell *const k = &c->cells[i];
		const bool coloured = (k->fg & CELL_RGB(0)) || k->bg != CELL_DEFAULT;
		if (!is_letter(k->at) || !coloured)
			continue;
		if (k->fg == CELL_DEFAULT)
			fail_msg("%s: \"%s\" at %d, %d has a background and no colour", name, k->at,
				 i / c->cols, i % c->cols);
		const uint32_t on = k->bg == CELL_DEFAULT ? page_of(c) : shown(c, k->bg);
		const double contrast = colour_contrast(shown(c, k->fg), on);
		if (contrast < 4.5)
			fail_msg("%s: \"%s\" at %d, %d, #%06x on #%06x: %.2f", name, k->at,
				 i / c->cols, i % c->cols, shown(c, k->fg), on, contrast);
	}
}

/* Of signs: words and names of people are written as they are. */
static void assert_ascii(const struct canvas *c, const char *name)
{
	for (int i = 0; i < c->rows * c->cols; i++) {
		uint32_t code = 0;
		text_decode(c->cells[i].at, strlen(c->cells[i].at), &code);
		if (code >= 0x80 && (code < 0xC0 || (code >= 0x2000 && code < 0x2C00)))
			fail_msg("%s: \"%s\" is not ASCII:\n%s", name, c->cells[i].at,
				 help_screen(c));
	}
}

static void assert_frame(struct tui *t, struct help_look look, const char *what)
{
	const struct canvas *const c = help_frame(t, look);
	const char *const name =
		arena_printf(&t->frame, "%s%s", help_frame_name(&t->frame, t, look), what);
	if (t->report->cut)
		fail_msg("%s: \"%s\" is cut", name, t->report->cut_text);
	if (t->report->over)
		fail_msg("%s: \"%s\" lies on another word", name, t->report->over_text);
	help_assert_whole(c);
	if (look.ascii)
		assert_ascii(c, name);
	assert_readable(c, name);
}

/* At every size, in all colours, in none and in ASCII. */
static void assert_frames(struct tui *t, const char *what)
{
	for (size_t k = 0; k < HELP_SCREENS * (TIER_COUNT + 1); k++) {
		const int *const size = help_screens[k / (TIER_COUNT + 1)];
		const size_t tier = k % (TIER_COUNT + 1);
		const bool ascii = tier == TIER_COUNT;
		assert_frame(t,
			     (struct help_look){size[0], size[1],
						ascii ? TIER_MONO : (enum tier)tier, ascii},
			     what);
	}
}

static void assert_scene(const char *scheme, const char *lines, bool dark)
{
	struct tui *const t =
		help_tui(&arena, scheme, lines, dark ? BACKGROUND_DARK : BACKGROUND_LIGHT);
	assert_frames(t, arena_printf(&arena, "\n%s", lines));
	app_release(t->app);
	arena_clear(&arena);
}

TEST_IN_PARTS(every_view_can_be_read, 2)
{
	for (size_t i = test_part; i < SCHEMES; i += test_parts)
		for (size_t v = 0; views[v]; v++) {
			char lines[64];
			if (views[v]->table && i > 0)
				continue;
			snprintf(lines, sizeof lines, "view %s\n", views[v]->name);
			assert_scene(schemes[i], lines, (i / 2 + v) % 2);
		}
}

/* One token, sixty, long ones and such of other scripts; many heads; the back row. */
TEST(every_input_can_be_read)
{
	static const char *const inputs[] = {
		"sentence a\n",
		"sentence 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 "
		"28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 "
		"55 56 57 58 59 60\n",
		"sentence Donaudampfschifffahrtsgesellschaft 猫 עברית e unbelievable\n",
		"heads 12\nd-model 96\n",
		"presenter on\n",
	};
	enum { INPUTS = sizeof inputs / sizeof *inputs };
	for (size_t v = 0; views[v]; v++)
		for (size_t k = 0; k < INPUTS && !views[v]->table; k++) {
			char lines[512];
			snprintf(lines, sizeof lines, "%sview %s\n", inputs[k], views[v]->name);
			assert_scene(schemes[(3 * v + k) % 13], lines, (v + k) % 2);
		}
}
