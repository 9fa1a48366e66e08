/* export.h: pictures as bytes of a file: PNG, animated PNG, code for LaTeX, words, text with or
 * without colour; and pictures that terminals draw. */
#ifndef POSVIZ_EXPORT_H
#define POSVIZ_EXPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/base/strbuf.h"
#include "posviz/plot/canvas.h"
#include "posviz/plot/raster.h"

struct export_text {
	const char *keyword; /* 1 to 79 Latin-1 letters */
	const char *text;    /* UTF-8, becomes iTXt */
};

/* Writes an RGB PNG with pHYs (from `dpi`, dots per inch), sRGB and the texts, deterministic (no
 * tIME). An image with at most 256 colours gets an 8-bit palette. */
bool export_png(const struct image *image, double dpi, const struct export_text *texts, size_t n,
		struct arena *a, char **data, size_t *len, struct err *err);

/* Write images of one size as one animated PNG, deterministic; readers that do not know APNG show
 * the first image. It stops at the last image, or with `loop` repeats for ever. A frame equal to
 * the one before prolongs that one. Frames are added one by one, at least one, and may be freed
 * afterwards. `_end` or `_drop` must be called. */
struct apng;
struct apng *export_apng_begin(bool loop, struct arena *a);
bool export_apng_add(struct apng *p, const struct image *frame, double seconds, struct err *err);
void export_apng_end(struct apng *p, char **data, size_t *len);
void export_apng_drop(struct apng *p);

/* Reads any PNG: pixels as RGB (NULL `image`: they are skipped) and the texts of iTXt and tEXt. A
 * damaged or hostile file gives an error; at most 64 MB are read. */
bool export_png_read(const void *data, size_t size, struct arena *a, struct image *image,
		     struct export_text **texts, size_t *n, struct err *err);

/* Writes the figure as words for a screen reader: the facts of every panel, its strongest cells and
 * its ranked values, in lines of at most 80 columns without letters that only draw. */
void export_plain(const struct figure *figure, struct arena *a, char **data, size_t *len);

/* Writes the caption for a page without one: a paragraph of UTF-8 that names the shown panels by
 * their letters, and below it the command that makes the figure. A figure whose title is NULL gets
 * a caption about its panels alone. */
void export_caption(const struct figure *figure, const struct raster_report *shown, struct arena *a,
		    char **data, size_t *len);

/* The look of a figure for LaTeX, and the results of writing it. */
struct export_tex {
	double width, height; /* inches; 0: the width of the paper's line, the height needed */
	double letters;	      /* points; 0: those of the paper's footnotes */
	bool titles;	      /* for a single panel; of several each has its title */
	bool dark;
	struct raster_report shown; /* out: the drawn panels, with their letters */
	const char *remark; /* out: the panels left out and the packages needed; NULL: none */
};

/* Writes matrices, curves and bars as code of pgfplots with its numbers, to be included in a paper
 * or compiled alone. Panels without such a form are left out; it is an error if none remains. */
bool export_tex(const struct figure *figure, struct export_tex *look, struct arena *a, char **data,
		size_t *len, struct err *err);

/* Writes the canvas as lines of text; `colour` adds SGR sequences for the canvas's tier (semicolon
 * form) and a reset at each line's end. Trailing blanks are dropped. */
void export_text(const struct canvas *c, bool colour, struct arena *a, char **data, size_t *len);
/* The first adds cells [from, to) of a row, with a reset at the end if a style is on; the second
 * returns the column of a row from which on all cells are blank. */
void export_cells(const struct canvas *c, int row, int from, int to, bool colour,
		  struct strbuf *out);
int export_blank_from(const struct canvas *c, int row, bool colour);

/* ---- pictures drawn by the terminal ---------------------------------------------------------- */

/* The place of a picture on the screen, in cells of the terminal, and the size of these cells in
 * pixels. */
enum { EXPORT_PLACE_MOST = 297 }; /* most rows or columns */
struct export_place {
	int cols, rows;
	int cell_width, cell_height;
	/* The first cell of the picture on the screen, from 1; row 0: it is at the cursor, and text
	 * continues below it. */
	int row, col;
	/* The number by which it is deleted; 0: it will not be. In tmux the lowest byte is not 0,
	 * and the two middle bytes are 0. */
	unsigned id;
	bool natural; /* in its own pixels; else it is fitted to the cells */
	bool tmux;    /* sent through tmux, which must allow it */
};

/* Writes the pixels as sixels, in at most 256 colours. Only the first cell of the place is used. */
void export_sixel(const struct image *image, const struct export_place *place, struct arena *a,
		  char **data, size_t *len);

/* Writes the commands that draw a PNG, whose bytes are sent unchanged, on terminals with the
 * protocol of kitty. */
void export_kitty(const char *png, size_t size, const struct export_place *place, struct arena *a,
		  char **data, size_t *len);

/* Write the beginning and the end of a control sequence whose body is a string: ESC and its
 * terminator, wrapped for tmux. */
void export_tmux_begin(struct strbuf *b, bool tmux);
void export_tmux_end(struct strbuf *b, bool tmux);

#endif
