/* gallery.c: a screen of the program as a PNG: gallery FILE COLSxROWS dark|light [ARGUMENT]...
 *
 * The program runs on a pseudo-terminal; its cells are painted as a terminal would: blocks, braille dots and
 * frames exactly, so that cells join, everything else in DejaVu Sans Mono. The time that a frame took, at the
 * end of the first row, is left out: nobody can make it twice. */
#include <math.h>
#include <pango/pangocairo.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "help_pty.h"
#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/export/export.h"
#include "posviz/format/file.h"

/* In pixels; the advance of the font is 0.602 of its size. */
enum { CELL_WIDTH = 10, CELL_HEIGHT = 20, MARGIN = 14 };
static const double font_pixels = 16.6;

struct palette {
	uint32_t text, page;
	uint32_t colours[16]; /* the sixteen that a terminal gives names to */
};

static const struct palette dark = {
	0xd4d7dd,
	0x15181e,
	{0x15181e, 0xe5686b, 0x6cc070, 0xd9b64e, 0x5b9bea, 0xc583d8, 0x2fb3cc, 0xd4d7dd, 0x6b7280,
	 0xf08a8c, 0x8ad48d, 0xe8cb74, 0x83b6f2, 0xd6a3e4, 0x62cbe0, 0xffffff},
};
static const struct palette light = {
	0x1f2430,
	0xffffff,
	{0x1f2430, 0xb3261e, 0x1c7a36, 0x8a6100, 0x1d5fb4, 0x8b3aa8, 0x00718c, 0xd1d5db, 0x6b7280,
	 0xc9453d, 0x2d8f48, 0xa07510, 0x3a78c9, 0xa257bd, 0x1688a3, 0xffffff},
};

static void set_colour(cairo_t *cr, uint32_t rgb)
{
	cairo_set_source_rgb(cr, (rgb >> 16) / 255.0, (rgb >> 8 & 255) / 255.0,
			     (rgb & 255) / 255.0);
}

static uint32_t mixed(uint32_t a, uint32_t b, double part)
{
	uint32_t out = 0;
	for (int shift = 0; shift < 24; shift += 8)
		out |= (uint32_t)lround((a >> shift & 255) * (1 - part) + (b >> shift & 255) * part)
		       << shift;
	return out;
}

static uint32_t colour_of(const struct pty *p, const struct palette *palette, VTermColor colour,
			  uint32_t usual)
{
	if (VTERM_COLOR_IS_DEFAULT_FG(&colour) || VTERM_COLOR_IS_DEFAULT_BG(&colour))
		return usual;
	if (VTERM_COLOR_IS_INDEXED(&colour) && colour.indexed.idx < 16)
		return palette->colours[colour.indexed.idx];
	vterm_screen_convert_color_to_rgb(p->screen, &colour);
	return (uint32_t)colour.rgb.red << 16 | (uint32_t)colour.rgb.green << 8 | colour.rgb.blue;
}

/* ---- what is no letter --------------------------------------------------------------------------- */

/* A part of the cell, in eighths of its width and height. */
static void fill_eighths(cairo_t *cr, double x, double y, int left, int top, int right, int bottom)
{
	cairo_rectangle(cr, x + CELL_WIDTH * left / 8.0, y + CELL_HEIGHT * top / 8.0,
			CELL_WIDTH * (right - left) / 8.0, CELL_HEIGHT * (bottom - top) / 8.0);
}

/* Quadrants as bits: upper left 1, upper right 2, lower left 4, lower right 8; U+2596 on. */
static const uint8_t quadrants[] = {4, 8, 1, 13, 9, 7, 11, 2, 6, 14};

static bool add_block(cairo_t *cr, uint32_t c, double x, double y)
{
	if (c == 0x2580)
		fill_eighths(cr, x, y, 0, 0, 8, 4);
	else if (c >= 0x2581 && c <= 0x2588)
		fill_eighths(cr, x, y, 0, 8 - (int)(c - 0x2580), 8, 8);
	else if (c >= 0x2589 && c <= 0x258f)
		fill_eighths(cr, x, y, 0, 0, 8 - (int)(c - 0x2588), 8);
	else if (c == 0x2590)
		fill_eighths(cr, x, y, 4, 0, 8, 8);
	else if (c == 0x2594)
		fill_eighths(cr, x, y, 0, 0, 8, 1);
	else if (c == 0x2595)
		fill_eighths(cr, x, y, 7, 0, 8, 8);
	else if (c >= 0x2596 && c <= 0x259f)
		for (int i = 0; i < 4; i++) {
			if (quadrants[c - 0x2596] >> i & 1)
				fill_eighths(cr, x, y, i % 2 * 4, i / 2 * 4, i % 2 * 4 + 4,
					     i / 2 * 4 + 4);
		}
	else
		return false;
	return true;
}

/* Dots 1 2 3 and 7 are the left column, 4 5 6 and 8 the right one. */
static bool add_braille(cairo_t *cr, uint32_t c, double x, double y)
{
	static const uint8_t rows[] = {0, 1, 2, 0, 1, 2, 3, 3}, cols[] = {0, 0, 0, 1, 1, 1, 0, 1};
	if (c < 0x2800 || c > 0x28ff)
		return false;
	for (int i = 0; i < 8; i++) {
		if (!(c >> i & 1))
			continue;
		cairo_new_sub_path(cr);
		cairo_arc(cr, x + CELL_WIDTH * (cols[i] + 0.5) / 2,
			  y + CELL_HEIGHT * (rows[i] + 0.5) / 4, 1.6, 0, 2 * M_PI);
	}
	return true;
}

/* Light lines from the middle of the cell: bits up 1, right 2, down 4, left 8. */
static const struct {
	uint32_t c;
	unsigned to;
} frames[] = {
	{0x2500, 10}, {0x2502, 5}, {0x250c, 6},	 {0x2510, 12}, {0x2514, 3},
	{0x2518, 9},  {0x251c, 7}, {0x2524, 13}, {0x252c, 14}, {0x2534, 11},
	{0x253c, 15}, {0x2574, 8}, {0x2575, 1},	 {0x2576, 2},  {0x2577, 4},
};

static bool add_frame(cairo_t *cr, uint32_t c, double x, double y)
{
	const double across = x + CELL_WIDTH / 2.0, down = y + CELL_HEIGHT / 2.0;
	size_t i = 0;
	while (i < sizeof frames / sizeof *frames && frames[i].c != c)
		i++;
	if (i == sizeof frames / sizeof *frames)
		return false;
	const double top = frames[i].to & 1 ? y : down,
		     bottom = frames[i].to & 4 ? y + CELL_HEIGHT : down;
	const double left = frames[i].to & 8 ? x : across,
		     right = frames[i].to & 2 ? x + CELL_WIDTH : across;
	if (bottom > top)
		cairo_rectangle(cr, across, top, 1, bottom - top + (bottom == down));
	if (right > left)
		cairo_rectangle(cr, left, down, right - left + (right == across), 1);
	return true;
}

/* ---- cells ----------------------------------------------------------------------------------------- */

struct painter {
	cairo_t *cr;
	PangoLayout *layout;
	PangoFontDescription *font;
	double baseline;
	const struct palette *palette;
};

static size_t put_utf8(char *out, uint32_t c)
{
	return (size_t)g_unichar_to_utf8(c, out);
}

static void paint_letter(struct painter *m, const VTermScreenCell *cell, double x, double y)
{
	char text[6 * VTERM_MAX_CHARS_PER_CELL + 1];
	size_t n = 0;
	for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell->chars[i]; i++)
		n += put_utf8(text + n, cell->chars[i]);
	pango_font_description_set_weight(m->font, cell->attrs.bold ? PANGO_WEIGHT_BOLD
								    : PANGO_WEIGHT_NORMAL);
	pango_layout_set_font_description(m->layout, m->font);
	pango_layout_set_text(m->layout, text, (int)n);
	cairo_move_to(m->cr, x,
		      y + m->baseline - pango_layout_get_baseline(m->layout) / (double)PANGO_SCALE);
	pango_cairo_show_layout(m->cr, m->layout);
	if (cell->attrs.underline) {
		cairo_rectangle(m->cr, x, y + m->baseline + 2, CELL_WIDTH * cell->width, 1);
		cairo_fill(m->cr);
	}
}

static void paint_cell(struct painter *m, const struct pty *p, int row, int col)
{
	const VTermScreenCell cell = pty_cell(p, row, col);
	const double x = MARGIN + col * CELL_WIDTH, y = MARGIN + row * CELL_HEIGHT;
	uint32_t fg = colour_of(p, m->palette, cell.fg, m->palette->text);
	uint32_t bg = colour_of(p, m->palette, cell.bg, m->palette->page);
	if (cell.attrs.reverse) {
		const uint32_t was = fg;
		fg = bg, bg = was;
	}
	if (cell.attrs.strike) /* dim */
		fg = mixed(fg, bg, 0.45);
	if (bg != m->palette->page) {
		set_colour(m->cr, bg);
		cairo_rectangle(m->cr, x, y, CELL_WIDTH, CELL_HEIGHT);
		cairo_fill(m->cr);
	}
	const uint32_t c = cell.chars[0];
	if (c == 0 || c == ' ' || c == UINT32_MAX)
		return;
	set_colour(m->cr, fg);
	if (add_block(m->cr, c, x, y) || add_braille(m->cr, c, x, y) || add_frame(m->cr, c, x, y))
		cairo_fill(m->cr);
	else
		paint_letter(m, &cell, x, y);
}

/* The first column of the time in the first row, or its end. */
static int before_time(const struct pty *p)
{
	int col = p->cols - 1;
	while (col > 0 && pty_cell(p, 0, col).chars[0] <= ' ')
		col--;
	while (col > 0 && pty_cell(p, 0, col).attrs.strike)
		col--;
	return col + 1;
}

static cairo_surface_t *paint(const struct pty *p, const struct palette *palette)
{
	const int width = 2 * MARGIN + p->cols * CELL_WIDTH,
		  height = 2 * MARGIN + p->rows * CELL_HEIGHT;
	cairo_surface_t *const surface =
		cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
	struct painter m = {.cr = cairo_create(surface), .palette = palette};
	cairo_font_options_t *const options = cairo_font_options_create();
	cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
	cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
	set_colour(m.cr, palette->page);
	cairo_paint(m.cr);
	m.layout = pango_cairo_create_layout(m.cr);
	pango_cairo_context_set_font_options(pango_layout_get_context(m.layout), options);
	m.font = pango_font_description_from_string("DejaVu Sans Mono");
	pango_font_description_set_absolute_size(m.font, font_pixels * PANGO_SCALE);
	m.baseline = round(CELL_HEIGHT * 0.75);
	for (int row = 0; row < p->rows; row++)
		for (int col = 0, end = row == 0 ? before_time(p) : p->cols; col < end; col++)
			paint_cell(&m, p, row, col);
	pango_font_description_free(m.font);
	cairo_font_options_destroy(options);
	g_object_unref(m.layout);
	cairo_destroy(m.cr);
	return surface;
}

static bool write_picture(const char *path, cairo_surface_t *surface, struct err *err)
{
	struct arena a;
	char *data;
	size_t len;
	arena_init(&a);
	struct image image = {.width = cairo_image_surface_get_width(surface),
			      .height = cairo_image_surface_get_height(surface)};
	image.rgb = arena_alloc(&a, 3 * (size_t)image.width * (size_t)image.height);
	cairo_surface_flush(surface);
	for (int y = 0; y < image.height; y++)
		for (int x = 0; x < image.width; x++) {
			const unsigned char *const at =
				cairo_image_surface_get_data(surface) +
				y * cairo_image_surface_get_stride(surface) + 4 * x;
			uint8_t *const to = image.rgb + 3 * (y * image.width + x);
			to[0] = at[2], to[1] = at[1], to[2] = at[0];
		}
	const bool ok = export_png(&image, 96, NULL, 0, &a, &data, &len, err) &&
			file_write(path, data, len, true, err);
	arena_release(&a);
	return ok;
}

int main(int argc, char **argv)
{
	struct pty p;
	struct err err = {""};
	int cols, rows;
	if (argc < 4 || argc > 4 + PTY_ARGS - 1 || sscanf(argv[2], "%dx%d", &cols, &rows) != 2) {
		fprintf(stderr, "usage: gallery FILE COLSxROWS dark|light [ARGUMENT]...\n");
		return 2;
	}
	const bool is_light = strcmp(argv[3], "light") == 0;
	struct pty_look look = {
		.rows = rows,
		.cols = cols,
		.env = {"COLORTERM=truecolor", is_light ? "COLORFGBG=0;15" : "COLORFGBG=15;0"}};
	for (int i = 4; i < argc; i++)
		look.args[i - 4] = argv[i];
	pty_start(&p, &look);
	const bool drawn = pty_wait(&p, "quit") && pty_settle(&p);
	cairo_surface_t *const surface = paint(&p, is_light ? &light : &dark);
	const bool ok = drawn && write_picture(argv[1], surface, &err);
	if (!ok)
		fprintf(stderr, "%s: %s\n", argv[1], drawn ? err.text : "nothing is drawn");
	cairo_surface_destroy(surface);
	pty_stop(&p);
	return ok ? 0 : 1;
}
