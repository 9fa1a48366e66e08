/* canvas.c: the grid of cells, and the box around a panel.
 *
 * A wide character owns two cells: the first holds it, the second is empty with width 0. Every
 * write goes through claim(), which blanks the orphaned half of a wide character that it hits, so
 * this invariant holds after every overwrite. */
#include "posviz/plot/canvas.h"

#include <stdio.h>
#include <string.h>

#include "plot/canvas_in.h"
#include "posviz/base/isolate.h"
#include "posviz/base/text.h"
#include "posviz/plot/colormap.h"

const char *const tier_names[TIER_COUNT] = {
	[TIER_MONO] = "mono", [TIER_8] = "8",		[TIER_16] = "16",
	[TIER_256] = "256",   [TIER_DIRECT] = "direct",
};

/* The backgrounds that are assumed behind text on dark and on light terminals. */
enum { DARK_PAGE = 0x1a1b20, WHITE_PAGE = 0xffffff };

static const struct cell blank = {.at = " ", .width = 1};

struct canvas *canvas_new(struct arena *a, int rows, int cols, enum tier tier, bool ascii,
			  bool dark)
{
	struct canvas *c = arena_calloc(a, 1, sizeof *c);
	*c = (struct canvas){.rows = rows > 0 ? rows : 0,
			     .cols = cols > 0 ? cols : 0,
			     .tier = tier,
			     .ascii = ascii,
			     .dark = dark};
	const size_t n = (size_t)c->rows * (size_t)c->cols;
	c->cells = arena_calloc(a, n > 0 ? n : 1, sizeof *c->cells);
	canvas_clear(c);
	return c;
}

void canvas_clear(struct canvas *c)
{
	const size_t n = (size_t)c->rows * (size_t)c->cols;
	for (size_t i = 0; i < n; i++)
		c->cells[i] = blank;
}

static struct cell *cell_at(const struct canvas *c, int row, int col)
{
	if (row < 0 || row >= c->rows || col < 0 || col >= c->cols)
		return NULL;
	return &c->cells[(size_t)row * (size_t)c->cols + (size_t)col];
}

static void make_blank(struct cell *cell)
{
	memcpy(cell->at, blank.at, CELL_BYTES);
	cell->width = 1;
}

/* Returns the cell at (row, col), no longer part of a wide character; NULL outside of the
 * canvas. */
static struct cell *claim(struct canvas *c, int row, int col)
{
	struct cell *const cell = cell_at(c, row, col);
	if (cell == NULL)
		return NULL;
	if (cell->width == 0)
		make_blank(cell - 1);
	if (cell->width == 2)
		make_blank(cell + 1);
	return cell;
}

static void set(struct cell *cell, const char *glyph, size_t len, int width, unsigned attrs,
		uint32_t fg, uint32_t bg)
{
	memset(cell->at, 0, CELL_BYTES);
	memcpy(cell->at, glyph, len);
	cell->width = (uint8_t)width;
	cell->attrs = (uint8_t)attrs;
	cell->fg = fg;
	cell->bg = bg;
}

/* Returns the attributes without ATTR_DIM if contrast was asked for. */
static unsigned look_of(const struct canvas *c, unsigned attrs)
{
	return c->contrast ? attrs & ~(unsigned)ATTR_DIM : attrs;
}

void canvas_put(struct canvas *c, int row, int col, const char *glyph, unsigned attrs, uint32_t fg,
		uint32_t bg)
{
	struct cell *const cell = claim(c, row, col);
	if (cell != NULL)
		set(cell, glyph, strlen(glyph), 1, look_of(c, attrs), fg, bg);
}

/* Returns the ASCII sign for a typographic sign that the program itself writes, else `glyph`. */
static const char *plain(const char *glyph)
{
	static const struct {
		const char *from, *to;
	} signs[] = {{"−", "-"},  {"–", "-"},  {"…", "~"}, {"·", "."}, {"×", "x"}, {"→", ">"},
		     {"↑", "^"},  {"↓", "v"},  {"ε", "e"}, {"‖", "|"}, {"≤", "<"}, {"≠", "!"},
		     {"“", "\""}, {"”", "\""}, {"⊙", "*"}, {"Σ", "S"}, {"─", "-"}, {"ʳ", "r"},
		     {"α", "a"},  {"′", "'"},  {"ᵀ", "T"}, {"σ", "s"}, {"°", "d"}, {"⊗", "*"},
		     {"▸", ">"},  {"∂", "d"},  {"γ", "g"}, {"ᴷ", "K"}};
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (strcmp(glyph, signs[i].from) == 0)
			return signs[i].to;
	return glyph;
}

/* Returns whether `glyph` is a letter or a digit: words consist of these, not of signs, lines,
 * blocks or dots. */
static bool is_letter(const char *glyph)
{
	uint32_t code = 0;
	text_decode(glyph, strlen(glyph), &code);
	return code < 0x80
		       ? (code >= '0' && code <= '9') || ((code | 32) >= 'a' && (code | 32) <= 'z')
		       : code >= 0xC0 && (code < 0x2000 || code > 0x2BFF);
}

/* Returns whether `glyph` is a sign or an emoji: joiners combine these into other pictures. */
static bool is_picture(const char *glyph)
{
	uint32_t code = 0;
	return text_decode(glyph, strlen(glyph), &code) == 0 || text_symbol(code);
}

static void report_words(size_t *n, char *sample, size_t size, const char *text)
{
	if ((*n)++ == 0)
		snprintf(sample, size, "%s", text);
}

/* Returns whether writing `glyph` would destroy a letter of a word that is already there. */
static bool lies_over(const struct canvas *c, int row, int col, const char *glyph)
{
	const struct cell *const cell = cell_at(c, row, col);
	return cell != NULL && strcmp(cell->at, glyph) != 0 && is_letter(cell->at) &&
	       is_letter(glyph);
}

static void report_text(const struct canvas *c, const char *text, const char *rest, bool over)
{
	struct canvas_report *const r = c->report;
	if (rest[strspn(rest, " ")] != '\0')
		report_words(&r->cut, r->cut_text, sizeof r->cut_text, text);
	if (over)
		report_words(&r->over, r->over_text, sizeof r->over_text, text);
}

/* Writes one code point at `col`, or adds a combining mark to `last`. Returns its width, -1 if it
 * does not fit before `end`. */
static int write_code(struct canvas *c, int row, int col, int end, const char *glyph, size_t len,
		      struct cell **last, const struct cell *look)
{
	const int width = (int)text_width(glyph);
	if (width == 0) {
		const size_t used = *last != NULL ? strlen((*last)->at) : CELL_BYTES;
		if (used + len < CELL_BYTES)
			memcpy((*last)->at + used, glyph, len);
		return 0;
	}
	if (col + width > end)
		return -1;
	if (c->ascii && len > 1) {
		glyph = plain(glyph);
		len = strlen(glyph);
	}
	*last = NULL;
	if (col < 0)
		return width; /* left of the canvas: skipped, a wide character completely */
	struct cell *const cell = claim(c, row, col);
	struct cell *const half = width == 2 ? claim(c, row, col + 1) : NULL;
	if (cell == NULL)
		return width;
	set(cell, glyph, len, width, look->attrs, look->fg, look->bg);
	if (half != NULL)
		set(half, "", 0, 0, look->attrs, look->fg, look->bg);
	*last = cell;
	return width;
}

int canvas_text_colour(struct canvas *c, int row, int col, int cols, const char *text,
		       unsigned attrs, uint32_t fg, uint32_t bg)
{
	if (row < 0 || row >= c->rows || cols <= 0 || col >= c->cols)
		return 0;
	const int end = cols > c->cols - col ? c->cols : col + cols;
	const struct cell look = {.attrs = (uint8_t)look_of(c, attrs), .fg = fg, .bg = bg};
	const char *const whole = text;
	struct cell *last = NULL;
	bool over = false;
	int at = col;
	for (size_t left = strlen(text); left > 0;) {
		uint32_t code;
		char glyph[5] = {0};
		const size_t len = text_decode(text, left, &code);
		if (len == 0)
			break;
		memcpy(glyph, text, len);
		/* A joiner inside a word is kept with its letter; between pictures it is
		 * dropped. */
		if (text_joins(code) && (code != 0x200D || last == NULL || is_picture(last->at))) {
			text += len;
			left -= len;
			continue;
		}
		over = over || (c->report != NULL && at < end && lies_over(c, row, at, glyph));
		const int width = write_code(c, row, at, end, glyph, len, &last, &look);
		if (width < 0)
			break;
		at += width;
		text += len;
		left -= len;
	}
	if (c->report != NULL)
		report_text(c, whole, text, over);
	return at - col;
}

int canvas_text(struct canvas *c, int row, int col, int cols, const char *text, unsigned attrs)
{
	return canvas_text_colour(c, row, col, cols, text, attrs, CELL_DEFAULT, CELL_DEFAULT);
}

int canvas_text_short(struct canvas *c, struct arena *a, int row, int col, int cols,
		      const char *text, unsigned attrs)
{
	if (cols <= 0)
		return 0;
	return canvas_text(c, row, col, cols, text_shorten(a, text, (size_t)cols, c->ascii), attrs);
}

void canvas_text_right(struct canvas *c, struct arena *a, int row, int right, int cols,
		       const char *text, unsigned attrs)
{
	if (cols <= 0)
		return;
	text = text_shorten(a, text, (size_t)cols, c->ascii);
	canvas_text(c, row, right - (int)text_width(text), cols, text, attrs);
}

void canvas_fill(struct canvas *c, struct rect r, unsigned attrs, uint32_t bg)
{
	const int bottom = r.rows > c->rows - r.row ? c->rows : r.row + r.rows;
	const int right = r.cols > c->cols - r.col ? c->cols : r.col + r.cols;
	for (int row = r.row < 0 ? 0 : r.row; row < bottom; row++)
		for (int col = r.col < 0 ? 0 : r.col; col < right; col++)
			canvas_put(c, row, col, " ", attrs, CELL_DEFAULT, bg);
}

/* Returns whether a cell holds a letter of a script that is written from right to left. */
static bool is_rtl(const struct cell *k)
{
	uint32_t code = 0;
	return text_decode(k->at, strlen(k->at), &code) > 0 && isolate_is_rtl(code);
}

void canvas_isolate(struct canvas *c, struct rect r)
{
	static const char letter[] = "\u2800"; /* the braille blank: a letter from left to right */
	for (int row = r.row; row < r.row + r.rows && !c->ascii; row++) {
		bool behind = false; /* after a right-to-left word, before the next blank */
		for (int col = r.col; col < r.col + r.cols; col++) {
			struct cell *const k = cell_at(c, row, col);
			if (k == NULL)
				continue;
			if (behind && strcmp(k->at, " ") == 0) {
				memcpy(k->at, letter, sizeof letter);
				behind = false;
			}
			behind = behind || is_rtl(k);
		}
	}
}

uint32_t canvas_series(const struct canvas *c, size_t index)
{
	static const uint8_t bright[] = {14, 11, 13, 10, 9, 12, 15}; /* for dark backgrounds */
	static const uint8_t deep[] = {4, 1, 5, 2, 6, 3, 0};
	const uint8_t own = (c->dark ? bright : deep)[index % sizeof deep];
	switch (c->tier) {
	case TIER_MONO:
	case TIER_COUNT:
		return CELL_DEFAULT;
	case TIER_8:
		return CELL_ANSI(own & 7);
	case TIER_16:
		return CELL_ANSI(own);
	case TIER_256:
	case TIER_DIRECT:
		break;
	}
	return CELL_RGB(figure_series_colour(index, c->dark));
}

uint32_t canvas_series_text(const struct canvas *c, size_t index)
{
	const uint32_t rgb = canvas_series(c, index), page = c->dark ? DARK_PAGE : WHITE_PAGE;
	if ((rgb & CELL_RGB(0)) == 0)
		return rgb;
	return CELL_RGB(
		(c->tier == TIER_256 ? colour_text_256 : colour_text)(rgb & 0xffffffu, page));
}

uint32_t canvas_ink(const struct canvas *c, uint32_t bg)
{
	if (bg == CELL_DEFAULT)
		return CELL_DEFAULT;
	if (bg & CELL_RGB(0))
		return CELL_RGB(colour_ink(bg & 0xffffffu));
	const uint32_t n = bg & 15u;
	const bool deep = n == 0 || n == 1 || n == 4 || n == 5 || n == 8 || n == 12;
	return deep ? CELL_ANSI(c->tier == TIER_16 ? 15 : 7) : CELL_ANSI(0);
}

bool canvas_glyphs(const struct canvas *c)
{
	return c->ascii || c->tier == TIER_MONO;
}

/* Writes title and note on the upper border; if there is little room, the note is dropped first,
 * then the title is cut. Focus is shown by the accent colour, without colours by a reversed
 * title. */
static void write_border(struct canvas *c, struct rect r, const char *title, const char *note,
			 bool focus)
{
	struct arena a;
	arena_init(&a);
	const unsigned shown = !focus		      ? ATTR_BOLD
			       : c->tier == TIER_MONO ? ATTR_BOLD | ATTR_REVERSE
						      : ATTR_BOLD | ATTR_ACCENT;
	int used = 2;
	const int room = r.cols - 6;
	if (title != NULL && *title != '\0' && room > 0) {
		const char *const text = text_shorten(&a, title, (size_t)room, c->ascii);
		canvas_text(c, r.row, r.col + 2, room + 2, arena_printf(&a, " %s ", text), shown);
		used += (int)text_width(text) + 2;
	}
	if (note != NULL && *note != '\0') {
		const int width = (int)text_width(note);
		if (used + 1 + width + 2 + 2 <= r.cols)
			canvas_text(c, r.row, r.col + r.cols - 2 - width - 2, width + 2,
				    arena_printf(&a, " %s ", note), ATTR_DIM);
	}
	arena_release(&a);
}

void canvas_box_foot(struct canvas *c, struct rect r, const char *text, bool right)
{
	/* A blank is on each side of the text, and the line of the border beyond if there is
	 * room. */
	const int width = (int)text_width(text), line = r.cols >= width + 6 ? 2 : 1;
	const int row = r.row + r.rows - 1;
	const int col = right ? r.col + r.cols - line - width - 1 : r.col + line + 1;
	if (r.rows < 2 || r.cols < width + 4)
		return;
	canvas_put(c, row, col - 1, " ", 0, CELL_DEFAULT, CELL_DEFAULT);
	canvas_text(c, row, col, width, text, ATTR_DIM);
	canvas_put(c, row, col + width, " ", 0, CELL_DEFAULT, CELL_DEFAULT);
}

void canvas_box(struct canvas *c, struct rect r, const char *title, const char *note, bool focus)
{
	if (r.rows < 2 || r.cols < 2)
		return;
	static const char *const light[] = {"─", "│", "┌", "┐", "└", "┘"};
	static const char *const ascii[] = {"-", "|", "+", "+", "+", "+"};
	const char *const *const line = c->ascii ? ascii : light;
	const unsigned attrs = focus ? ATTR_ACCENT : ATTR_DIM;
	const int bottom = r.row + r.rows - 1, right = r.col + r.cols - 1;
	for (int col = r.col + 1; col < right; col++) {
		canvas_put(c, r.row, col, line[0], attrs, CELL_DEFAULT, CELL_DEFAULT);
		canvas_put(c, bottom, col, line[0], attrs, CELL_DEFAULT, CELL_DEFAULT);
	}
	for (int row = r.row + 1; row < bottom; row++) {
		canvas_put(c, row, r.col, line[1], attrs, CELL_DEFAULT, CELL_DEFAULT);
		canvas_put(c, row, right, line[1], attrs, CELL_DEFAULT, CELL_DEFAULT);
	}
	canvas_put(c, r.row, r.col, line[2], attrs, CELL_DEFAULT, CELL_DEFAULT);
	canvas_put(c, r.row, right, line[3], attrs, CELL_DEFAULT, CELL_DEFAULT);
	canvas_put(c, bottom, r.col, line[4], attrs, CELL_DEFAULT, CELL_DEFAULT);
	canvas_put(c, bottom, right, line[5], attrs, CELL_DEFAULT, CELL_DEFAULT);
	write_border(c, r, title, note, focus);
}
