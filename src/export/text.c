/* text.c: a canvas as lines of text, with or without colour.
 *
 * A style is written only when it changes, and always after a reset: thus an attribute that a
 * terminal does not know cannot stay on. Every line ends with a reset, so lines can be cut and
 * pasted. */
#include <string.h>

#include "posviz/base/strbuf.h"
#include "posviz/export/export.h"
#include "posviz/plot/colormap.h"

enum { CYAN = 6, BLUE = 4 }; /* base colours for the accent */

static void add_colour(struct strbuf *out, enum tier tier, uint32_t colour, bool back)
{
	const unsigned base = back ? 40 : 30;
	const unsigned rgb = colour & 0xffffffu;
	if (tier == TIER_MONO || colour == CELL_DEFAULT)
		return;
	if ((colour & CELL_ANSI(0)) != 0) {
		const unsigned n = colour & 15u;
		const bool bright = n >= 8 && tier != TIER_8;
		strbuf_printf(out, ";%u", base + n % 8 + (bright ? 60 : 0));
	} else if (tier == TIER_DIRECT) {
		strbuf_printf(out, ";%u;2;%u;%u;%u", base + 8, rgb >> 16, rgb >> 8 & 255u,
			      rgb & 255u);
	} else if (tier == TIER_256) {
		strbuf_printf(out, ";%u;5;%u", base + 8, (unsigned)colour_to_256(rgb));
	} /* smaller tiers have no such colours, and their canvas draws none */
}

static void add_style(struct strbuf *out, const struct canvas *c, const struct cell *k)
{
	strbuf_add(out, "\033[0");
	/* With eight colours, the bright ones are shown by bold type. */
	const bool bright = c->tier == TIER_8 && (k->fg & CELL_ANSI(8)) == CELL_ANSI(8);
	if (k->attrs & ATTR_BOLD || bright)
		strbuf_add(out, ";1");
	if (k->attrs & ATTR_DIM && !c->contrast)
		strbuf_add(out, ";2");
	if (k->attrs & ATTR_UNDERLINE)
		strbuf_add(out, ";4");
	if (k->attrs & ATTR_REVERSE)
		strbuf_add(out, ";7");
	const bool accent = (k->attrs & ATTR_ACCENT) != 0 && k->fg == CELL_DEFAULT;
	add_colour(out, c->tier, accent ? CELL_ANSI(c->dark ? CYAN : BLUE) : k->fg, false);
	add_colour(out, c->tier, k->bg, true);
	strbuf_add(out, "m");
}

static bool same_style(const struct cell *a, const struct cell *b)
{
	return a->attrs == b->attrs && a->fg == b->fg && a->bg == b->bg;
}

/* Returns whether a cell shows nothing. */
static bool is_blank(const struct cell *k, bool colour)
{
	if (strcmp(k->at, " ") != 0)
		return false;
	return !colour ||
	       (k->bg == CELL_DEFAULT && (k->attrs & (ATTR_REVERSE | ATTR_UNDERLINE)) == 0);
}

int export_blank_from(const struct canvas *c, int row, bool colour)
{
	const struct cell *const cells = c->cells + (size_t)row * (size_t)c->cols;
	int end = c->cols;
	while (end > 0 && is_blank(&cells[end - 1], colour))
		end--;
	return end;
}

void export_cells(const struct canvas *c, int row, int from, int to, bool colour,
		  struct strbuf *out)
{
	static const struct cell plain = {0};
	const struct cell *style = &plain;
	for (int col = from; col < to; col++) {
		const struct cell *const k = c->cells + (size_t)row * (size_t)c->cols + col;
		if (k->width == 0)
			continue;
		if (colour && !same_style(style, k)) {
			add_style(out, c, k);
			style = k;
		}
		strbuf_add(out, k->at);
	}
	if (!same_style(style, &plain))
		strbuf_add(out, "\033[0m");
}

void export_text(const struct canvas *c, bool colour, struct arena *a, char **data, size_t *len)
{
	struct strbuf out;
	strbuf_init(&out, a);
	for (int row = 0; row < c->rows; row++) {
		export_cells(c, row, 0, export_blank_from(c, row, colour), colour, &out);
		strbuf_add(&out, "\n");
	}
	*data = out.at;
	*len = out.len;
}
