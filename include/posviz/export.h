/* export.h: pictures as bytes of a file: PNG by libpng, text with or without colour. */
#ifndef POSVIZ_EXPORT_H
#define POSVIZ_EXPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/arena.h"
#include "posviz/canvas.h"
#include "posviz/err.h"
#include "posviz/raster.h"

struct export_text {
	const char *keyword; /* 1 to 79 Latin-1 letters */
	const char *text;    /* UTF-8, becomes iTXt */
};

/* RGB PNG with pHYs, sRGB and the texts, deterministic (no tIME). 8-bit palette when the image has
 * at most 256 colours. */
bool export_png(const struct image *image, double dpi, const struct export_text *texts, size_t n,
		struct arena *a, char **data, size_t *len, struct err *err);

/* Reads a PNG written by us or anybody: pixels as RGB (NULL `image`: skip them) and iTXt/tEXt
 * texts. Hostile files give an error; at most 64 MB are taken. */
bool export_png_read(const void *data, size_t size, struct arena *a, struct image *image,
		     struct export_text **texts, size_t *n, struct err *err);

/* The figure as words for a screen reader: every panel's facts, its strongest cells and values ranked,
 * in lines of at most 80 columns without a letter that only draws. */
void export_plain(const struct figure *figure, struct arena *a, char **data, size_t *len);

/* The caption that a page without one leaves to its surroundings, in one paragraph of UTF-8 that names the
 * panels shown by their letters, and below it the command that makes the figure. */
void export_caption(const struct figure *figure, const struct raster_report *shown, struct arena *a,
		    char **data, size_t *len);

/* The canvas as lines of text; `colour` adds SGR sequences for the canvas's tier (semicolon form)
 * and resets at each line's end. Trailing blanks are dropped. */
void export_text(const struct canvas *c, bool colour, struct arena *a, char **data, size_t *len);

#endif
