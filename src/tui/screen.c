/* screen.c: from the canvas to curses.
 *
 * Every frame writes every cell, which takes less than a millisecond; curses sends only what
 * differs. A half block needs a colour pair per (upper, lower), so they are put in one order -
 * upper colour not less than the lower - which halves the pairs: 256 levels then fit into 65536.
 * Pairs of past frames stay, so that curses knows what is on the screen; when the table is full it is
 * emptied and the frame begun anew, at last with fewer colours. */
#include <curses.h>
#include <string.h>

#include "posviz/base/text.h"
#include "posviz/plot/colormap.h"
#include "terminal.h"

struct pen {
	int fg, bg, pair;
	bool valid;  /* the three above are of the cell before */
	bool out;    /* there were not pairs enough */
	bool coarse; /* with fewer colours */
};

/* ---- colours ----------------------------------------------------------------------------- */

/* A base colour of the 16, where the terminal has only direct ones beyond 7. */
static uint32_t base_rgb(unsigned n)
{
	static const uint32_t bright[] = {0x808080, 0xff0000, 0x00ff00, 0xffff00,
					  0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff};
	return bright[n & 7];
}

/* A colour number for curses; -1 is the terminal's own. */
static int colour_number(enum tier tier, uint32_t colour)
{
	if (colour == CELL_DEFAULT || tier == TIER_MONO)
		return -1;
	if (colour & CELL_RGB(0)) {
		const uint32_t rgb = colour & 0xffffffu;
		if (tier == TIER_DIRECT)
			return rgb < 8 ? 8 : (int)rgb; /* 0 to 7 are the base colours */
		return tier == TIER_256 ? colour_to_256(rgb) : -1;
	}
	const unsigned n = colour & 15u;
	if (tier == TIER_DIRECT && n >= 8)
		return (int)base_rgb(n);
	return tier == TIER_8 ? (int)(n & 7) : (int)n;
}

/* The nearest of fewer colours: 240 make less than 65536 pairs in one order. */
static int coarser(enum tier tier, int colour)
{
	if (colour < 8 || tier != TIER_DIRECT)
		return colour;
	const uint32_t near = colour_from_256(colour_to_256((uint32_t)colour));
	return near < 8 ? 8 : (int)near;
}

/* A pair that shows the colours. A blank may take any with its background: curses sends both colours
 * of a pair whenever another pair comes, so the one before costs nothing. */
static int pair_of(const struct terminal *t, struct pen *pen, int fg, int bg, bool blank)
{
	if (t->tier == TIER_MONO || (fg == -1 && bg == -1))
		return 0;
	if (pen->valid && pen->bg == bg && (pen->fg == fg || (blank && bg >= 0)))
		return pen->pair;
	const int pair = alloc_pair(fg, bg);
	pen->out |= pair < 0;
	*pen = (struct pen){fg, bg, pair < 0 ? 0 : pair, true, pen->out, pen->coarse};
	return pen->pair;
}

/* ---- cells ------------------------------------------------------------------------------- */

/* Base character and marks as wide characters; without UTF-8 only ASCII is shown. */
static void glyphs_of(const struct terminal *t, const struct cell *cell, wchar_t *out)
{
	const char *at = cell->at;
	size_t left = strlen(at), n = 0;
	while (left > 0 && n < CCHARW_MAX) {
		uint32_t code;
		const size_t len = text_decode(at, left, &code);
		if (len == 0)
			break;
		if (code >= 128 && !t->utf8) {
			out[0] = L'?';
			n = 1;
			break;
		}
		out[n++] = (wchar_t)code;
		at += len;
		left -= len;
	}
	if (n == 0)
		out[n++] = L' ';
	out[n] = L'\0';
}

static attr_t attributes(const struct canvas *c, const struct cell *cell)
{
	attr_t out = 0;
	if (cell->attrs & ATTR_BOLD)
		out |= A_BOLD;
	if (cell->attrs & ATTR_DIM && !c->contrast)
		out |= A_DIM;
	if (cell->attrs & ATTR_REVERSE)
		out |= A_REVERSE;
	if (cell->attrs & ATTR_UNDERLINE)
		out |= A_UNDERLINE;
	/* Eight colours: the brighter half by weight. */
	if (c->tier == TIER_8 && (cell->fg & CELL_ANSI(8)) == CELL_ANSI(8))
		out |= A_BOLD;
	return out;
}

static void put_cell(const struct terminal *t, const struct canvas *c, struct pen *pen, int row,
		     int col, const struct cell *cell)
{
	wchar_t glyph[CCHARW_MAX + 1];
	glyphs_of(t, cell, glyph);
	int fg = colour_number(t->tier, cell->fg), bg = colour_number(t->tier, cell->bg);
	if (cell->attrs & ATTR_ACCENT && fg == -1 && t->tier != TIER_MONO)
		fg = c->dark ? COLOR_CYAN : COLOR_BLUE; /* cyan on white is hard to read */
	if (pen->coarse) {
		fg = coarser(t->tier, fg);
		bg = coarser(t->tier, bg);
	}
	if (glyph[0] == L'▀' && fg == bg && fg >= 0) {
		glyph[0] = L' ';
	} else if (glyph[0] == L'▀' && fg < bg && fg >= 0) {
		glyph[0] = L'▄';
		const int upper = fg;
		fg = bg;
		bg = upper;
	}
	const attr_t attrs = attributes(c, cell);
	const bool blank = glyph[0] == L' ' && !(attrs & (A_REVERSE | A_UNDERLINE));
	int pair = pair_of(t, pen, fg, bg, blank);
	cchar_t out;
	if (setcchar(&out, glyph, attrs, 0, &pair) == OK)
		mvadd_wch(row, col, &out);
}

/* Writes all cells; false when the pairs ran out. */
static bool put_cells(const struct terminal *t, const struct canvas *c, bool coarse)
{
	const int rows = c->rows < LINES ? c->rows : LINES, cols = c->cols < COLS ? c->cols : COLS;
	struct pen pen = {.coarse = coarse};
	for (int r = 0; r < rows; r++) {
		pen.valid = false; /* so that a row's pairs do not hang on the row above */
		for (int k = 0; k < cols; k++) {
			const struct cell *const cell = &c->cells[r * c->cols + k];
			if (cell->width > 0)
				put_cell(t, c, &pen, r, k, cell);
		}
	}
	return !pen.out;
}

void screen_show(const struct terminal *t, const struct canvas *c, int row, int col)
{
	terminal_frame(t, true);
	if (!put_cells(t, c, false)) {
		reset_color_pairs();
		if (!put_cells(t, c, false)) {
			reset_color_pairs();
			put_cells(t, c, true);
		}
	}
	curs_set(row >= 0);
	if (row >= 0)
		move(row, col < COLS ? col : COLS - 1);
	refresh();
	terminal_frame(t, false);
}
