/* kitty.c: the commands that make the terminal kitty, and others with its protocol, draw a PNG.
 *
 * https://sw.kovidgoyal.net/kitty/graphics-protocol: the file is sent in base64, in pieces of 4096
 * bytes; q=2: the terminal answers neither success nor failure. tmux does not know pictures but
 * passes on the body of its own sequence. It moves, scrolls and redraws its cells without the
 * terminal, so there the picture is attached to characters: each cell is U+10EEEE with a mark for
 * its row and one for its column, and the number of the picture is its colour. */
#include "posviz/export/export.h"

#include <string.h>

#include "posviz/base/strbuf.h"

enum { PIECE = 4096, PIECE_BYTES = PIECE / 4 * 3 };

static void add_base64(struct strbuf *b, const unsigned char *at, size_t len)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t i = 0; i < len; i += 3) {
		const unsigned left = (unsigned)(len - i);
		const unsigned three = (unsigned)at[i] << 16 |
				       (left > 1 ? (unsigned)at[i + 1] << 8 : 0) |
				       (left > 2 ? at[i + 2] : 0);
		const char four[] = {digits[three >> 18], digits[three >> 12 & 63],
				     left > 1 ? digits[three >> 6 & 63] : '=',
				     left > 2 ? digits[three & 63] : '='};
		strbuf_add_n(b, four, sizeof four);
	}
}

/* ---- tmux ---------------------------------------------------------------------------------- */

void export_tmux_begin(struct strbuf *b, bool tmux)
{
	strbuf_add(b, tmux ? "\033Ptmux;\033\033" : "\033");
}

void export_tmux_end(struct strbuf *b, bool tmux)
{
	strbuf_add(b, tmux ? "\033\033\\\033\\" : "\033\\");
}

/* ---- cells of a picture --------------------------------------------------------------------- */

/* The marks that number rows and columns from 0: those of Unicode 6.0 that are above a letter and
 * have no decomposition, without those that form precomposed letters. */
static const struct {
	uint32_t first, last;
} marks[] = {
	{0x0305, 0x0305},   {0x030d, 0x030e},	{0x0310, 0x0310},   {0x0312, 0x0312},
	{0x033d, 0x033f},   {0x0346, 0x0346},	{0x034a, 0x034c},   {0x0350, 0x0352},
	{0x0357, 0x0357},   {0x035b, 0x035b},	{0x0363, 0x036f},   {0x0483, 0x0487},
	{0x0592, 0x0595},   {0x0597, 0x0599},	{0x059c, 0x05a1},   {0x05a8, 0x05a9},
	{0x05ab, 0x05ac},   {0x05af, 0x05af},	{0x05c4, 0x05c4},   {0x0610, 0x0617},
	{0x0657, 0x065b},   {0x065d, 0x065e},	{0x06d6, 0x06dc},   {0x06df, 0x06e2},
	{0x06e4, 0x06e4},   {0x06e7, 0x06e8},	{0x06eb, 0x06ec},   {0x0730, 0x0730},
	{0x0732, 0x0733},   {0x0735, 0x0736},	{0x073a, 0x073a},   {0x073d, 0x073d},
	{0x073f, 0x0741},   {0x0743, 0x0743},	{0x0745, 0x0745},   {0x0747, 0x0747},
	{0x0749, 0x074a},   {0x07eb, 0x07f1},	{0x07f3, 0x07f3},   {0x0816, 0x0819},
	{0x081b, 0x0823},   {0x0825, 0x0827},	{0x0829, 0x082d},   {0x0951, 0x0951},
	{0x0953, 0x0954},   {0x0f82, 0x0f83},	{0x0f86, 0x0f87},   {0x135d, 0x135f},
	{0x17dd, 0x17dd},   {0x193a, 0x193a},	{0x1a17, 0x1a17},   {0x1a75, 0x1a7c},
	{0x1b6b, 0x1b6b},   {0x1b6d, 0x1b73},	{0x1cd0, 0x1cd2},   {0x1cda, 0x1cdb},
	{0x1ce0, 0x1ce0},   {0x1dc0, 0x1dc1},	{0x1dc3, 0x1dc9},   {0x1dcb, 0x1dcc},
	{0x1dd1, 0x1de6},   {0x1dfe, 0x1dfe},	{0x20d0, 0x20d1},   {0x20d4, 0x20d7},
	{0x20db, 0x20dc},   {0x20e1, 0x20e1},	{0x20e7, 0x20e7},   {0x20e9, 0x20e9},
	{0x20f0, 0x20f0},   {0x2cef, 0x2cf1},	{0x2de0, 0x2dff},   {0xa66f, 0xa66f},
	{0xa67c, 0xa67d},   {0xa6f0, 0xa6f1},	{0xa8e0, 0xa8f1},   {0xaab0, 0xaab0},
	{0xaab2, 0xaab3},   {0xaab7, 0xaab8},	{0xaabe, 0xaabf},   {0xaac1, 0xaac1},
	{0xfe20, 0xfe26},   {0x10a0f, 0x10a0f}, {0x10a38, 0x10a38}, {0x1d185, 0x1d189},
	{0x1d1aa, 0x1d1ad}, {0x1d242, 0x1d244},
};

static uint32_t mark(unsigned number)
{
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		const uint32_t n = marks[i].last - marks[i].first + 1;
		if (number < n)
			return marks[i].first + number;
		number -= n;
	}
	BUG("no mark %u", number);
}

/* Adds the UTF-8 of a code point above ASCII. */
static void add_code(struct strbuf *b, uint32_t code)
{
	static const unsigned begins[] = {0, 0xC0, 0xE0, 0xF0};
	const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
	char bytes[4] = {(char)(begins[more] | code >> 6 * more)};
	for (int i = 1; i <= more; i++)
		bytes[i] = (char)(0x80 | (code >> 6 * (more - i) & 63));
	strbuf_add_n(b, bytes, (size_t)more + 1);
}

/* Adds the cells of a picture. The lowest byte of its number is one of the 256 colours, which
 * survive even if the terminal has no more; the highest byte is a third mark. */
static void add_cells(struct strbuf *b, const struct export_place *place)
{
	enum { CELL = 0x10EEEE };
	for (int row = 0; row < place->rows; row++) {
		if (place->row > 0)
			strbuf_printf(b, "\033[%d;%dH", place->row + row, place->col);
		strbuf_printf(b, "\033[38;5;%um", place->id & 255);
		for (int col = 0; col < place->cols; col++) {
			add_code(b, CELL);
			add_code(b, mark((unsigned)row));
			add_code(b, mark((unsigned)col));
			add_code(b, mark(place->id >> 24));
		}
		strbuf_add(b, place->row > 0 ? "\033[39m" : "\033[39m\n");
	}
}

/* ---- pictures -------------------------------------------------------------------------------- */

void export_kitty(const char *png, size_t size, const struct export_place *place, struct arena *a,
		  char **data, size_t *len)
{
	struct strbuf b;
	strbuf_init(&b, a);
	if (place->row > 0 && !place->tmux)
		strbuf_printf(&b, "\033[%d;%dH", place->row, place->col);
	for (size_t at = 0; at < size; at += PIECE_BYTES) {
		const size_t n = size - at < PIECE_BYTES ? size - at : PIECE_BYTES;
		export_tmux_begin(&b, place->tmux);
		strbuf_add(&b, "_G");
		if (at == 0)
			strbuf_printf(&b, "a=T,f=100,%s", place->tmux ? "U=1," : "");
		if (at == 0 && (place->tmux || !place->natural))
			strbuf_printf(&b, "c=%d,r=%d,", place->cols, place->rows);
		if (at == 0 && place->row > 0 && !place->tmux)
			strbuf_add(&b, "C=1,");
		if (at == 0 && place->id)
			strbuf_printf(&b, "i=%u,", place->id);
		strbuf_printf(&b, "q=2,m=%d;", at + n < size);
		add_base64(&b, (const unsigned char *)png + at, n);
		export_tmux_end(&b, place->tmux);
	}
	if (place->tmux)
		add_cells(&b, place);
	else if (place->row == 0)
		strbuf_add(&b, "\n");
	*data = b.at;
	*len = b.len;
}
