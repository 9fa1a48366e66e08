/* test_frames.c: whole screens of the terminal program, in every view, at every size, in all colours and
 * none, dark and light: no word is cut without a sign, none lies on another, all can be read. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_view.h"
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

/* The base colours of xterm and of the Linux console. */
enum { PALETTES = 2 };
static const uint32_t base[PALETTES][16] = {
	{0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f,
	 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff},
	{0x000000, 0xaa0000, 0x00aa00, 0xaa5500, 0x0000aa, 0xaa00aa, 0x00aaaa, 0xaaaaaa, 0x555555,
	 0xff5555, 0x55ff55, 0xffff55, 0x5555ff, 0xff55ff, 0x55ffff, 0xffffff}};

static uint32_t shown(const struct canvas *c, size_t palette, uint32_t colour)
{
	const uint32_t rgb = colour & 0xffffff;
	if (colour & CELL_ANSI(0))
		return base[palette][colour & 15];
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
	const size_t palettes = c->tier < TIER_256 ? PALETTES : 1;
	for (size_t i = 0; i < palettes * (size_t)(c->rows * c->cols); i++) {
		const int at = (int)(i / palettes);
		const size_t palette = i % palettes;
		const struct cell *const k = &c->cells[at];
		const bool coloured = (k->fg & CELL_RGB(0)) || k->bg != CELL_DEFAULT;
		if (!is_letter(k->at) || !coloured)
			continue;
		if (k->fg == CELL_DEFAULT)
			fail_msg("%s: \"%s\" at %d, %d has a background and no colour", name, k->at,
				 at / c->cols, at % c->cols);
		const uint32_t on = k->bg == CELL_DEFAULT ? page_of(c) : shown(c, palette, k->bg);
		const uint32_t ink = shown(c, palette, k->fg);
		const double contrast = colour_contrast(ink, on);
		if (contrast < 4.5)
			fail_msg("%s: \"%s\" at %d, %d, #%06x on #%06x: %.2f", name, k->at,
				 at / c->cols, at % c->cols, ink, on, contrast);
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
		fail_msg("%s: \"%s\" lies on another word:\n%s", name, t->report->over_text,
			 help_screen(c));
	help_assert_whole(c);
	if (look.ascii)
		assert_ascii(c, name);
	assert_readable(c, name);
}

/* At every size, in all colours, in none and in ASCII: half of these, and with `odd` the others. */
static void assert_frames(struct tui *t, bool odd, const char *what)
{
	for (size_t k = 0; k < HELP_SCREENS * (TIER_COUNT + 1); k++) {
		const size_t at = k / (TIER_COUNT + 1), tier = k % (TIER_COUNT + 1);
		const int *const size = help_screens[at];
		const bool ascii = tier == TIER_COUNT;
		if ((at + tier) % 2 != odd)
			continue;
		assert_frame(t,
			     (struct help_look){size[0], size[1],
						ascii ? TIER_MONO : (enum tier)tier, ascii},
			     what);
	}
}

static void assert_scene(const char *scheme, const char *lines, bool dark, bool odd)
{
	struct tui *const t =
		help_tui(&arena, scheme, lines, dark ? BACKGROUND_DARK : BACKGROUND_LIGHT);
	assert_frames(t, odd, arena_printf(&arena, "\n%s", lines));
	help_tui_done(t);
	arena_clear(&arena);
}

TEST_SAMPLED(every_view_can_be_read, 1, 4)
{
	for (size_t i = test_part; i < SCHEMES; i += test_parts)
		for (size_t v = 0; views[v]; v++) {
			if (views[v]->table && i > 0)
				continue;
			assert_scene(schemes[i], help_view(&arena, views[v]->name), (i / 2 + v) % 2,
				     i / 4 % 2);
		}
}

/* One token, sixty, long ones and such of other scripts; many heads; the back row; pictures. */
TEST_SAMPLED(every_input_can_be_read, 1, 2)
{
	static const char *const inputs[] = {
		"sentence a\n",
		"sentence 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 "
		"28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 "
		"55 56 57 58 59 60\n",
		"sentence Donaudampfschifffahrtsgesellschaft 猫 עברית e unbelievable\n",
		"heads 12\nd-model 96\n",
		"presenter on\n",
		"tokens words\nsentence see <image 4x6> !\nrow 9\n",
		"tokens words\nsentence <image 14x14>\nspecial cls\nrow 92\ncol 30\n",
	};
	enum { INPUTS = sizeof inputs / sizeof *inputs };
	for (size_t v = 0; views[v]; v++)
		for (size_t k = (v + test_part) % test_parts; k < INPUTS && !views[v]->table;
		     k += test_parts) {
			char lines[512];
			snprintf(lines, sizeof lines, "%s%s", inputs[k],
				 help_view(&arena, views[v]->name));
			assert_scene(schemes[(3 * v + k) % 13], lines, (v + k) % 2, v / 2 % 2);
		}
}

/* Boxes over a screen, lines that are typed, tokens that are moved, and what is said. */
TEST(what_lies_over_a_screen_can_be_read)
{
	static const char *const lines[] = {
		"", "set", "scheme rope(base=10000,partial=0.5)+causal",
		"sentence When the old captain who had sailed the seas"};
	for (int dark = 0; dark < 2; dark++) {
		struct tui *const t = help_tui(&arena, "rope+causal", "view explore\n",
					       dark ? BACKGROUND_DARK : BACKGROUND_LIGHT);
		t->overlay = OVERLAY_HELP;
		assert_frames(t, dark, ", help");
		views_open(t);
		assert_frames(t, dark, ", views");
		for (int k = 0; k < 2 * HELP_SCREENS; k++) {
			const int *const size = help_screens[k / 2];
			t->terminal.ascii = k % 2;
			words_open(t);
			assert_frame(t, (struct help_look){size[0], size[1], TIER_MONO, k % 2},
				     ", words");
		}
		t->overlay = OVERLAY_NONE;
		permute_open(t);
		assert_frames(t, dark, ", permute");
		for (size_t i = 0; i < 4; i++) {
			prompt_open(t, i < 3 ? MODE_COMMAND : MODE_SENTENCE, lines[i]);
			assert_frames(t, dark, arena_printf(&arena, ", :%s", lines[i]));
		}
		prompt_open(t, MODE_FIND, dark ? "su" : "universal");
		assert_frames(t, dark, ", find");
		t->mode = MODE_LOOK;
		app_say(t->app,
			"wrote a-rather-long-name-of-a-figure-in-some-folder.png, 1600 x 1000 "
			"pixels, with all that is needed to make it again");
		assert_frames(t, dark, ", message");
		t->app->message_is_error = true;
		assert_frames(t, dark, ", error");
		help_tui_done(t);
		arena_clear(&arena);
	}
}

/* ---- the list of schemes ---- */

static struct result *list_curves(struct arena *a)
{
	struct result *const r = arena_calloc(a, 1, sizeof *r);
	r->curves = arena_calloc(a, scheme_count(), sizeof *r->curves);
	for (; r->n_curves < scheme_count(); r->n_curves++) {
		struct listed_curve *const c = &r->curves[r->n_curves];
		c->scheme = scheme_at(r->n_curves);
		assert_true(view_scheme_curve(c->scheme, 0, NULL, NULL, &c->curve));
	}
	return r;
}

static bool is_blank(const struct scheme_curve *c)
{
	for (int i = 0; i < SCHEME_CURVE_PLACES; i++)
		if (isfinite(c->at[i]))
			return false;
	return true;
}

static bool has_braille(const char *text)
{
	for (; *text; text++)
		if (text[0] == '\xe2' && text[1] >= '\xa0' && text[1] <= '\xa3')
			return true;
	return false;
}

/* The row of the list that is chosen is that of this scheme: its name is whole, beside it stand the first author, if need
 * be shortened, and the year; and on wide screens a curve, where the name leaves its columns free. */
static void assert_listed(struct tui *t, const struct listed_curve *l, struct help_look look)
{
	const struct canvas *const c = help_frame(t, look);
	const bool wide = look.cols >= 160;
	const int cols = wide ? 32 : t->mode == MODE_FIND && look.cols >= 100 ? 31 : 26;
	const int name = (int)strlen(l->scheme->id);
	const int free = cols - 4 - 2 - 1 - 4; /* beside frame, sign, blank and year */
	const char *const begin = arena_printf(&t->frame, "▸ %s", l->scheme->id);
	for (int row = 1; row + 1 < look.rows; row++) {
		const char *const text = help_between(c, row, 2, cols - 1);
		if (strncmp(text, begin, strlen(begin)) != 0)
			continue;
		if (has_braille(text) != (wide && name <= free - 5 && !is_blank(&l->curve)))
			fail_msg("%s", text);
		if (l->scheme->year > 0 && name <= free)
			assert_string_equal(help_between(c, row, cols - 6, cols - 2),
					    arena_printf(&t->frame, "%d", l->scheme->year));
		if (l->scheme->year > 0 && name <= free - 4 - (wide ? 6 : 0) &&
		    !strstr(text + strlen(begin),
			    arena_printf(&t->frame, " %.2s", l->scheme->authors)))
			fail_msg("%s: no author", text);
		return;
	}
	if (name <= cols - 6)
		fail_msg("%dx%d: no %s\n%s", look.cols, look.rows, begin, help_screen(c));
}

/* In the list, or where there is no room for one in what is found for its name. */
static void choose(struct tui *t, const struct scheme *s, bool find)
{
	size_t n;
	t->app->scene.setup.scheme = s->id;
	t->mode = find ? MODE_FIND : MODE_LOOK;
	t->prompt.len = strlen(s->id);
	memcpy(t->prompt.text, s->id, t->prompt.len + 1);
	const struct scheme *const *const found = schemes_found(t, s->id, &arena, &n);
	for (size_t i = 0; i < n; i++)
		t->match = found[i] == s ? i : t->match;
}

TEST(every_name_of_the_list_is_whole_beside_its_curve)
{
	struct tui *const t = help_tui(&arena, "none", "", BACKGROUND_DARK);
	t->curves = list_curves(&arena);
	for (size_t i = 0; i < scheme_count(); i++) {
		for (size_t k = 0; k < HELP_SCREENS; k++) {
			const int *const size = help_screens[k];
			choose(t, scheme_at(i), size[0] < 118);
			assert_listed(t, &t->curves->curves[i],
				      (struct help_look){size[0], size[1], TIER_DIRECT, false});
		}
		choose(t, scheme_at(i), true);
		assert_listed(t, &t->curves->curves[i],
			      (struct help_look){100, 30, TIER_DIRECT, false});
	}
	help_tui_done(t);
}

TEST(the_chosen_curve_has_the_look_of_its_name)
{
	struct tui *const t = help_tui(&arena, "alibi", "", BACKGROUND_DARK);
	t->curves = list_curves(&arena);
	for (enum tier tier = 0; tier < TIER_COUNT; tier++) {
		const struct canvas *const c =
			help_frame(t, (struct help_look){160, 36, tier, false});
		size_t chosen = 0, others = 0;
		for (int row = 1; row < 35; row++) {
			const struct cell *const k = help_at(c, row, 22);
			const bool here = strcmp(help_at(c, row, 2)->at, "▸") == 0 &&
					  help_at(c, row, 2)->attrs & ATTR_ACCENT;
			if (!has_braille(k->at))
				continue;
			assert_int_equal(k->attrs, here ? ATTR_ACCENT : ATTR_DIM);
			chosen += here;
			others += !here;
		}
		assert_true(chosen == 1 && others > 10);
	}
	help_tui_done(t);
}
