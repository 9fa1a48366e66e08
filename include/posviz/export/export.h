/* export.h: pictures as bytes of a file: PNG by libpng, text with or without colour. */
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

/* RGB PNG with pHYs, sRGB and the texts, deterministic (no tIME). 8-bit palette when the image has
 * at most 256 colours. */
bool export_png(const struct image *image, double dpi, const struct export_text *texts, size_t n,
		struct arena *a, char **data, size_t *len, struct err *err);

/* Images of one size as one animated PNG, deterministic: those that do not know it show the first. It ends with the last,
 * or begins anew for ever. A frame that shows the same as the one before makes that one longer.
 * Frames are added one by one and need not stay; at least one. `_end` or `_drop` must be called. */
struct apng;
struct apng *export_apng_begin(bool loop, struct arena *a);
bool export_apng_add(struct apng *p, const struct image *frame, double seconds, struct err *err);
void export_apng_end(struct apng *p, char **data, size_t *len);
void export_apng_drop(struct apng *p);

/* Reads a PNG written by us or anybody: pixels as RGB (NULL `image`: skip them) and iTXt/tEXt
 * texts. Hostile files give an error; at most 64 MB are taken. */
bool export_png_read(const void *data, size_t size, struct arena *a, struct image *image,
		     struct export_text **texts, size_t *n, struct err *err);

/* The figure as words for a screen reader: every panel's facts, its strongest cells and values ranked,
 * in lines of at most 80 columns without a letter that only draws. */
void export_plain(const struct figure *figure, struct arena *a, char **data, size_t *len);

/* The caption that a page without one leaves to its surroundings, in one paragraph of UTF-8 that names the
 * panels shown by their letters, and below it the command that makes the figure. Of a figure whose title is NULL
 * it is about the panels alone. */
void export_caption(const struct figure *figure, const struct raster_report *shown, struct arena *a,
		    char **data, size_t *len);

/* What a figure for LaTeX is like, and what is to be said of it. */
struct export_tex {
	double width, height; /* inches; 0: as wide as the line of the paper, as high as needed */
	double letters;	      /* points; 0: those of its footnotes */
	bool titles;	      /* of a panel that stands alone; of several each has its own */
	bool dark;
	struct raster_report shown; /* out: the panels that it shows, with their letters */
	const char *remark; /* out: what is left out and what its words need; NULL: nothing */
};

/* Matrices, curves and bars as code of pgfplots with its numbers: to be put into a paper, or compiled alone.
 * What has no form there is left out; fails where nothing is left. */
bool export_tex(const struct figure *figure, struct export_tex *look, struct arena *a, char **data,
		size_t *len, struct err *err);

/* The canvas as lines of text; `colour` adds SGR sequences for the canvas's tier (semicolon form)
 * and resets at each line's end. Trailing blanks are dropped. */
void export_text(const struct canvas *c, bool colour, struct arena *a, char **data, size_t *len);
/* Cells from..to of one of its rows, reset before and behind them; and the column of a row from which on there are
 * but blanks. */
void export_cells(const struct canvas *c, int row, int from, int to, bool colour,
		  struct strbuf *out);
int export_blank_from(const struct canvas *c, int row, bool colour);

/* ---- pictures that the terminal draws itself ------------------------------------------------ */

/* Where one stands, in cells of the terminal, and how large they are, in pixels. */
enum { EXPORT_PLACE_MOST = 297 }; /* rows or columns */
struct export_place {
	int cols, rows;
	int cell_width, cell_height;
	/* Of its first cell on the screen, from 1; row 0: it stands where the cursor is, and text goes on
	 * below it. */
	int row, col;
	/* To delete it by; 0: nobody will. In tmux its lowest byte is not 0, and the two in the middle
	 * are. */
	unsigned id;
	bool natural; /* it is as large as its pixels; else it is fitted to the cells */
	bool tmux;    /* through tmux, which has to allow it */
};

/* The pixels as sixels, in at most 256 colours. Of the place only where it begins. */
void export_sixel(const struct image *image, const struct export_place *place, struct arena *a,
		  char **data, size_t *len);

/* A PNG, its bytes as they are, for terminals that know the protocol of kitty. */
void export_kitty(const char *png, size_t size, const struct export_place *place, struct arena *a,
		  char **data, size_t *len);

/* Around the body of a control sequence that is a string: ESC and its end, handed on by tmux. */
void export_tmux_begin(struct strbuf *b, bool tmux);
void export_tmux_end(struct strbuf *b, bool tmux);

#endif
