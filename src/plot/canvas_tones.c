/* canvas_tones.c: bars in the colours of a map on cells: in eighths of a cell; without colours in
 * shades or signs of their own, so that plus, minus and totals also differ in form. */
#include <math.h>

#include "plot/canvas_pen.h"
#include "plot/pen_tones.h"
#include "posviz/base/text.h"

static const struct {
	const char *mono, *ascii;
} forms[] = {[TONE_MINUS] = {"▒", "-"},
	     [TONE_PLUS] = {"█", "+"},
	     [TONE_TOTAL] = {"▓", "="},
	     [TONE_PART] = {"░", "."}};

static uint32_t cell_colour(const struct canvas *c, const struct colormap *map, enum tone tone)
{
	enum { RED = 1, BLUE = 4 };
	if (c->tier == TIER_DIRECT)
		return CELL_RGB(tone_rgb(map, tone, c->dark));
	if (c->tier == TIER_256)
		return CELL_RGB(tone >= TONE_TOTAL ? colour_from_256(colour_to_256(
							     tone_rgb(map, tone, c->dark)))
						   : colormap_256(map, tone_place(tone, c->dark)));
	return c->tier == TIER_MONO || tone >= TONE_TOTAL
		       ? CELL_DEFAULT
		       : CELL_ANSI(tone == TONE_PLUS ? RED : BLUE);
}

/* Returns the colour of a bar, with enough contrast for letters. */
uint32_t canvas_tone_letters(const struct canvas *c, const struct colormap *map, enum tone tone)
{
	enum { DARK = 0x1a1b20, WHITE = 0xffffff };
	const uint32_t own = cell_colour(c, map, tone), page = c->dark ? DARK : WHITE;
	if ((own & CELL_RGB(0)) == 0)
		return own;
	return CELL_RGB(
		(c->tier == TIER_256 ? colour_text_256 : colour_text)(own & 0xffffffu, page));
}

static unsigned cell_attrs(const struct canvas *c, enum tone tone)
{
	return tone == TONE_PART && c->tier < TIER_256 && !c->contrast ? ATTR_DIM : 0;
}

/* ---- along a row ----------------------------------------------------------------------------- */

/* Writes signs that fill whole cells. */
static void write_whole(struct canvas *c, int row, double from, double to, const char *sign,
			unsigned attrs, uint32_t fg)
{
	const int first = (int)lround(from), last = (int)lround(to);
	for (int col = first; col < (last > first ? last : first + 1); col++)
		canvas_put(c, row, col, sign, attrs, fg, CELL_DEFAULT);
}

/* Writes blocks: the left edge is rounded to half a cell, the right one to an eighth. */
static void write_blocks(struct canvas *c, int row, double from, double to, unsigned attrs,
			 uint32_t fg)
{
	static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	const long left = lround(from * 2), right = lround(to * 8);
	int col = (int)(left / 2);
	if (left % 2 != 0) {
		canvas_put(c, row, col++, "▐", attrs, fg, CELL_DEFAULT);
		if (right <= 8 * (long)col)
			return;
	}
	for (; 8 * (col + 1) <= right; col++)
		canvas_put(c, row, col, "█", attrs, fg, CELL_DEFAULT);
	const long rest = right - 8 * (long)col;
	if (rest > 0 || right <= 4 * left)
		canvas_put(c, row, col, eighths[rest > 0 ? rest : 1], attrs, fg, CELL_DEFAULT);
}

void canvas_tone_span(const struct pen *pen, const struct colormap *map, enum tone tone,
		      struct area at)
{
	struct canvas *const c = pen->on;
	const int row = (int)floor(at.y);
	const uint32_t fg = cell_colour(c, map, tone);
	const unsigned attrs = cell_attrs(c, tone);
	if (c->ascii || c->tier == TIER_MONO)
		write_whole(c, row, at.x, at.x + at.w,
			    c->ascii ? forms[tone].ascii : forms[tone].mono, attrs, fg);
	else
		write_blocks(c, row, at.x, at.x + at.w, attrs, fg);
}

void canvas_tone_sign(const struct pen *pen, const struct colormap *map, enum tone tone, double x,
		      double y)
{
	const char *const sign = tone == TONE_PLUS ? "+" : pen->ascii ? "-" : "−";
	canvas_put(pen->on, (int)floor(y), (int)ceil(x), sign, ATTR_BOLD,
		   cell_colour(pen->on, map, tone), CELL_DEFAULT);
}

/* ---- up from an edge ------------------------------------------------------------------------- */

/* Fills eighths of a cell from the lower edge up; any positive height is visible. */
static void write_column(struct canvas *c, struct area at, uint32_t fg)
{
	static const char *const eighths[] = {"", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	const long all = lround(at.h * 8), least = at.h > 0 ? 1 : 0;
	const int bottom = (int)lround(at.y + at.h), from = (int)at.x, to = (int)(at.x + at.w);
	const long high = c->ascii ? 8 * lround(at.h) : all;
	for (long left = high > least ? high : least, row = bottom - 1; left > 0; left -= 8, row--)
		for (int col = from; col < to; col++)
			canvas_put(c, (int)row, col,
				   !c->ascii   ? eighths[left < 8 ? left : 8]
				   : left >= 8 ? "#"
					       : "_",
				   0, fg, CELL_DEFAULT);
}

void canvas_tone_block(const struct pen *pen, const struct colormap *map, double place,
		       struct area at)
{
	struct canvas *const c = pen->on;
	enum { GREEN = 2 };
	write_column(c, at,
		     map == NULL || c->tier == TIER_MONO ? CELL_DEFAULT
		     : c->tier == TIER_DIRECT		 ? CELL_RGB(colormap_rgb(map, place))
		     : c->tier == TIER_256		 ? CELL_RGB(colormap_256(map, place))
							 : CELL_ANSI(GREEN));
}
