/* pen_tones.c: bars in the colours of a map: on cells in eighths of a sign, without colours in shades or signs
 * of their own, so that plus, minus and totals are told by their form too. */
#include <math.h>

#include "plot/canvas_in.h"
#include "plot/pen.h"
#include "plot/raster_in.h"
#include "posviz/base/text.h"

/* By background: how far out on the map a sign's colour is, where both arms are clearly seen; and the greys
 * of a whole sum and of what it is measured from. */
static const double strengths[2] = {0.85, 0.7};
static const uint32_t greys[2][2] = {{0x4b5563, 0x868d98}, {0xc3c7cf, 0x7c828d}};

static const struct {
	const char *mono, *ascii;
} forms[] = {[TONE_MINUS] = {"▒", "-"},
	     [TONE_PLUS] = {"█", "+"},
	     [TONE_TOTAL] = {"▓", "="},
	     [TONE_PART] = {"░", "."}};

static double place_of(enum tone tone, bool dark)
{
	const double half = strengths[dark] / 2;
	return tone == TONE_MINUS ? 0.5 - half : 0.5 + half;
}

static uint32_t rgb_of(const struct colormap *map, enum tone tone, bool dark)
{
	return tone >= TONE_TOTAL ? greys[dark][tone == TONE_PART]
				  : colormap_rgb(map, place_of(tone, dark));
}

static uint32_t cell_colour(const struct canvas *c, const struct colormap *map, enum tone tone)
{
	enum { RED = 1, BLUE = 4 };
	if (c->tier == TIER_DIRECT)
		return CELL_RGB(rgb_of(map, tone, c->dark));
	if (c->tier == TIER_256)
		return CELL_RGB(tone >= TONE_TOTAL
					? colour_from_256(colour_to_256(rgb_of(map, tone, c->dark)))
					: colormap_256(map, place_of(tone, c->dark)));
	return c->tier == TIER_MONO || tone >= TONE_TOTAL
		       ? CELL_DEFAULT
		       : CELL_ANSI(tone == TONE_PLUS ? RED : BLUE);
}

/* That of a bar, strong enough for letters. */
static uint32_t letter_colour(const struct canvas *c, const struct colormap *map, enum tone tone)
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

/* ---- along a row -------------------------------------------------------------------------------- */

/* Signs that fill whole cells. */
static void write_whole(struct canvas *c, int row, double from, double to, const char *sign,
			unsigned attrs, uint32_t fg)
{
	const int first = (int)lround(from), last = (int)lround(to);
	for (int col = first; col < (last > first ? last : first + 1); col++)
		canvas_put(c, row, col, sign, attrs, fg, CELL_DEFAULT);
}

/* Blocks: the left edge stands on half a cell, the right one on an eighth. */
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

void pen_span(const struct pen *pen, const struct colormap *map, enum tone tone, struct area at)
{
	struct canvas *const c = pen->canvas;
	if (c == NULL) {
		at.w = fmax(at.w, 1);
		raster_rect(pen->page, at, rgb_of(map, tone, pen->page->dark));
		return;
	}
	const int row = (int)floor(at.y);
	const uint32_t fg = cell_colour(c, map, tone);
	const unsigned attrs = cell_attrs(c, tone);
	if (c->ascii || c->tier == TIER_MONO)
		write_whole(c, row, at.x, at.x + at.w,
			    c->ascii ? forms[tone].ascii : forms[tone].mono, attrs, fg);
	else
		write_blocks(c, row, at.x, at.x + at.w, attrs, fg);
}

void pen_sign(const struct pen *pen, const struct colormap *map, enum tone tone, double x, double y)
{
	struct page *const p = pen->page;
	const bool ascii = pen->canvas != NULL && pen->canvas->ascii;
	const char *const sign = tone == TONE_PLUS ? "+" : ascii ? "-" : "−";
	if (p != NULL)
		raster_text_mid(p, FACE_BOLD, colour_text(rgb_of(map, tone, p->dark), p->paper), 0,
				x, y, sign);
	else
		canvas_put(pen->canvas, (int)floor(y), (int)ceil(x), sign, ATTR_BOLD,
			   cell_colour(pen->canvas, map, tone), CELL_DEFAULT);
}

void pen_text_tone(const struct pen *pen, enum role role, const struct colormap *map,
		   enum tone tone, double align, double x, double y, const char *text)
{
	struct page *const p = pen->page;
	if (p != NULL) {
		const uint32_t rgb = map != NULL ? rgb_of(map, tone, p->dark) : p->theme->ink;
		raster_text_mid(p, pen_face(role), colour_text(rgb, p->paper), align, x, y, text);
		return;
	}
	struct canvas *const c = pen->canvas;
	const int col = (int)ceil(x - align * (double)text_width(text));
	const int right = (int)(pen->at.x + pen->at.w);
	canvas_text_colour(c, (int)floor(y), col, right - col, text, pen_attrs(role),
			   map != NULL ? letter_colour(c, map, tone) : CELL_DEFAULT, CELL_DEFAULT);
}

/* ---- up from an edge ---------------------------------------------------------------------------- */

/* Eighths of a cell from the lower edge up; what is not nothing is seen. */
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

void pen_column(const struct pen *pen, const struct colormap *map, double strength, struct area at)
{
	struct canvas *const c = pen->canvas;
	const bool dark = c != NULL ? c->dark : pen->page->dark;
	enum { GREEN = 2 };
	/* Weaker ones are hard to tell from the page. */
	const double shown = fmax(strength, dark ? 0.5 : 0.6);
	if (c == NULL) {
		at.y -= fmax(0, 1 - at.h);
		at.h = fmax(at.h, 1);
		raster_rect(pen->page, at, colormap_rgb(map, shown));
	} else {
		write_column(c, at,
			     c->tier == TIER_DIRECT ? CELL_RGB(colormap_rgb(map, shown))
			     : c->tier == TIER_256  ? CELL_RGB(colormap_256(map, shown))
			     : c->tier == TIER_MONO ? CELL_DEFAULT
						    : CELL_ANSI(GREEN));
	}
}

/* ---- lines between bars ------------------------------------------------------------------------- */

static void write_line(const struct pen *pen, double x, double top, double bottom, const char *sign,
		       const char *ascii)
{
	for (double y = floor(top); y < bottom; y++)
		canvas_put(pen->canvas, (int)y, (int)floor(x), pen->canvas->ascii ? ascii : sign,
			   ATTR_DIM, CELL_DEFAULT, CELL_DEFAULT);
}

void pen_zero(const struct pen *pen, double x, double top, double bottom)
{
	struct page *const p = pen->page;
	if (p == NULL) {
		write_line(pen, x, top, bottom, "┊", ":");
		return;
	}
	raster_dashed(p, x, top, x, bottom, 1, p->theme->axis, 2, 3);
}

void pen_drop(const struct pen *pen, double x, double top, double bottom)
{
	if (pen->page == NULL)
		write_line(pen, x, top, bottom, "│", "|");
	else if (bottom > top)
		raster_line(pen->page, x, top, x, bottom, 1, pen->page->theme->second);
}
