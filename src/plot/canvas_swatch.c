/* canvas_swatch.c: the appearance of a position on a scale on cells: a colour of 24 bits, an entry
 * of the fixed palette, a shade of the terminal's own colours, a shade without colours, or signs.
 *
 * All but the first are ladders: steps of equal width on both sides of zero, whose order is
 * visible. Zero is blank, or the neutral entry of the ladder. In the terminal's own colours a step
 * is a shade of one colour, then of a second colour on the first; only colours that themes seldom
 * change are used. */
#include <stdlib.h>
#include <string.h>

#include "plot/canvas_map.h"

static const char *const shades[] = {"", "░", "▒", "▓", "█"};
enum { SHADES = sizeof shades / sizeof *shades - 1, DIGITS = 9 };

/* `n` steps: shades of the first colour, then half and all of the second on the first. */
struct own {
	uint8_t first, second, n;
};
enum { BLACK, RED, GREEN, YELLOW, BLUE, CYAN = 6, WHITE = 15, WHITE_OF_8 = 7 };
/* Indexed by sign, for each background. */
static const struct own on_dark[2] = {{BLUE, CYAN, 6}, {RED, YELLOW, 6}};
static const struct own on_light[2] = {{BLUE, BLACK, 5}, {RED, BLACK, 5}};
static const struct own unsigned_dark = {GREEN, WHITE, 6}, unsigned_light = {GREEN, BLACK, 6};

static double signed_place(const struct heatmap *h, double at)
{
	return h->scale.diverging ? 2 * at - 1 : at;
}

bool canvas_shaded(const struct canvas *c)
{
	return c->ascii || c->tier < TIER_256;
}

bool canvas_shows_sign(const struct canvas *c, const struct heatmap *h)
{
	return h->scale.diverging && (c->ascii || h->scale.half == 0);
}

bool canvas_is_letter(const struct canvas *c, const struct heatmap *h, int cols)
{
	return cols == 1 && (c->ascii || (c->tier == TIER_MONO && canvas_shows_sign(c, h)));
}

static struct own own_colours(const struct canvas *c, const struct heatmap *h, bool positive)
{
	const struct own o = h->scale.diverging ? (c->dark ? on_dark : on_light)[positive]
			     : c->dark		? unsigned_dark
						: unsigned_light;
	return (struct own){o.first, c->tier == TIER_8 && o.second == WHITE ? WHITE_OF_8 : o.second,
			    o.n};
}

static struct swatch own_swatch(struct own o, size_t step)
{
	const uint32_t first = CELL_ANSI(o.first), second = CELL_ANSI(o.second);
	struct swatch s = {
		.fg = first, .bg = CELL_DEFAULT, .fill = shades[step < SHADES ? step : 0]};
	if (step == SHADES)
		s = (struct swatch){.fg = CELL_DEFAULT, .bg = first};
	else if (step == SHADES + 1)
		s = (struct swatch){.fg = second, .bg = first, .fill = shades[2]};
	else if (step == SHADES + 2)
		s = (struct swatch){.fg = CELL_DEFAULT, .bg = second};
	return s;
}

static size_t steps_of(const struct canvas *c, const struct heatmap *h)
{
	return c->ascii			? DIGITS
	       : c->tier == TIER_MONO	? SHADES
	       : c->tier == TIER_256	? colormap_steps(h->colormap)
	       : c->tier == TIER_DIRECT ? 0
					: own_colours(c, h, true).n;
}

size_t canvas_swatches(const struct canvas *c, const struct heatmap *h)
{
	const size_t steps = steps_of(c, h);
	return steps == 0				  ? 0
	       : h->scale.diverging && h->scale.half == 0 ? 2 * steps + 1
							  : steps + 1;
}

struct swatch canvas_swatch(const struct canvas *c, const struct heatmap *h, double at)
{
	struct swatch s = {.fg = CELL_DEFAULT, .bg = CELL_DEFAULT};
	const long k = ladder_step(signed_place(h, at), steps_of(c, h));
	if (c->tier == TIER_256)
		s.bg = CELL_RGB(colormap_256(h->colormap, at));
	else if (c->tier == TIER_DIRECT)
		s.bg = CELL_RGB(colormap_rgb(h->colormap, at));
	s.step = k;
	if (c->ascii || k == 0)
		return s;
	if (c->tier == TIER_MONO)
		s.fill = shades[labs(k)];
	else if (c->tier < TIER_256)
		s = own_swatch(own_colours(c, h, k > 0), (size_t)labs(k));
	s.step = k;
	return s;
}

/* Gets "-7 ", "+3 ", " 0 ": 9 is farthest from zero on either side; in one column "1" to "9", or "a" to "i" for negative values. */
static void write_digits(const struct canvas *c, const struct heatmap *h, long k, int cols,
			 char *out)
{
	const long size = labs(k);
	const bool two = canvas_shows_sign(c, h);
	memset(out, ' ', (size_t)cols);
	out[cols] = '\0';
	if (cols == 1) {
		out[0] = (char)(k < 0 && two ? 'a' + size - 1 : '0' + size);
		return;
	}
	const int at = (cols - 1) / 2;
	out[at + (cols == 2)] = (char)('0' + size);
	if (two && k != 0)
		out[at + (cols == 2) - 1] = k < 0 ? '-' : '+';
}

void canvas_swatch_fill(struct canvas *c, struct rect r, const struct heatmap *h, double at,
			unsigned attrs)
{
	const struct swatch s = canvas_swatch(c, h, at);
	const bool two = canvas_shows_sign(c, h);
	char text[64];
	canvas_fill(c, r, attrs, s.bg);
	if (c->ascii || canvas_is_letter(c, h, r.cols)) {
		const int cols = r.cols < (int)sizeof text ? r.cols : (int)sizeof text - 1;
		write_digits(c, h, s.step, cols, text);
		canvas_text_colour(c, r.row + (r.rows - 1) / 2, r.col, cols, text, attrs,
				   canvas_ink(c, s.bg), s.bg);
		return;
	}
	for (int row = r.row; s.fill != NULL && row < r.row + r.rows; row++)
		for (int col = r.col; col < r.col + r.cols; col++)
			canvas_put(c, row, col, s.fill, attrs, s.fg, s.bg);
	if (c->tier == TIER_MONO && two && s.step != 0)
		canvas_put(c, r.row + (r.rows - 1) / 2, r.col, s.step < 0 ? "−" : "+", attrs,
			   CELL_DEFAULT, CELL_DEFAULT);
}
