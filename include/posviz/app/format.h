/* format.h: the formats of files that are written, and of pictures that a terminal draws.
 *
 * A row holds everything that the program knows of a format: its endings, its line of help, the
 * options that apply to it, and the function that makes its bytes. Lists in help, manual,
 * completion and errors are made of rows. A row is a constant format_NAME in a file
 * src/app/format_*.c and a line of src/app/format_list.h. */
#ifndef POSVIZ_FORMAT_H
#define POSVIZ_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/app/write.h"

/* The kind of a format (one of the first three bits), and its properties. */
enum {
	FORMAT_PICTURE = 1 << 0,  /* a file that shows the figure of the view */
	FORMAT_TERMINAL = 1 << 1, /* the same, drawn by the terminal; no file has this format */
	FORMAT_NUMBERS = 1 << 2,  /* a file of computed numbers */

	FORMAT_PAGE = 1 << 3,	      /* a page: it has a size, a size of letters, a caption */
	FORMAT_DOTS = 1 << 4,	      /* it has a resolution, --dpi, and a width in pixels */
	FORMAT_FONT = 1 << 5,	      /* the family of its fonts can be chosen */
	FORMAT_EMBEDS = 1 << 6,	      /* it can contain its fonts, --embed-fonts */
	FORMAT_CELLS = 1 << 7,	      /* drawn on a number of character cells */
	FORMAT_COLOUR = 1 << 8,	      /* cells with control sequences for some depth of colour */
	FORMAT_THEME = 1 << 9,	      /* it can be light or dark, and has a colour map */
	FORMAT_BESIDE = 1 << 10,      /* a caption may be written to a file beside it */
	FORMAT_READABLE = 1 << 11,    /* text that a terminal may show unchanged */
	FORMAT_SCENE = 1 << 12,	      /* it contains its scene and can be opened again */
	FORMAT_SHEET = 1 << 13,	      /* it can hold a contact sheet */
	FORMAT_PAGES = 1 << 14,	      /* it can have several pages */
	FORMAT_IMAGE = 1 << 15,	      /* a document can show it as an image */
	FORMAT_MATRIX = 1 << 16,      /* numbers of one matrix */
	FORMAT_WHOLE = 1 << 17,	      /* numbers of all results */
	FORMAT_PLANE = 1 << 18,	      /* it holds at most two dimensions */
	FORMAT_LEAVES_READ = 1 << 19, /* large parameters have only the read part by default */
};

/* The properties of a picture that the command snapshot writes. */
#define FORMAT_SNAPSHOT (FORMAT_PICTURE | FORMAT_SCENE | FORMAT_IMAGE)

/* A page with a figure. */
struct format_page {
	const struct figure *figure;
	const struct raster_look *look;
	const struct scene *scene;    /* of the figure, to be stored; NULL: no single scene */
	const char *tour;	      /* the beat of a tour, as in write_look; NULL: none */
	struct raster_report *report; /* may be NULL */
	/* The pages of a figure that has several, for formats with FORMAT_PAGES; the report is that
	 * of the first, with the missing glyphs of all. */
	const struct figure *pages;
	size_t n_pages;
};

struct format {
	const char *name;     /* "svg" */
	const char *suffixes; /* "html htm": endings of its files, separated by blanks; "": none */
	const char *help;     /* one line */
	unsigned bears;	      /* bits of FORMAT_... */
	/* Makes job->data from the scene; NULL: `page` makes it from the scene's figure. */
	bool (*write)(struct write_job *job, struct err *err);
	/* Makes the bytes of a page with any figure; NULL: the format is no such page. */
	bool (*page)(const struct format_page *p, struct arena *a, char **data, size_t *len,
		     struct err *err);
	/* The first bytes of its files, and the reader of their texts (snapshot_texts), which must
	 * check everything. Both are NULL if the format contains no scene. */
	const char *magic;
	bool (*texts)(const void *data, size_t len, struct arena *a, struct export_text **texts,
		      size_t *n, struct err *err);
};

/* Every format, in the order of lists; ends with NULL. */
extern const struct format *const formats[];

/* Returns the format of this name; NULL: there is none, or name is NULL. */
const struct format *format_find(const char *name);
/* Returns the format of files with this ending (without a dot, in any case); NULL: none. */
const struct format *format_by_suffix(const char *suffix);
/* True if `name` is a format with all of these bits. */
bool format_bears(const char *name, unsigned bits);
/* Returns the format with scenes whose files begin like these bytes; if there is none the first
 * format with scenes, whose reader reports the error. */
const struct format *format_of_bytes(const void *data, size_t len);
/* Returns the name of the first format with all of these bits: png for pictures, ansi for cells
 * with colours. */
const char *format_first(unsigned bits);

/* Returns all such names in one text: format_words(FORMAT_NUMBERS, ".", ", ", " or ", a) is
 * ".safetensors, .npz, .npy, .csv or .json". */
const char *format_words(unsigned bits, const char *before, const char *between, const char *last,
			 struct arena *a);

#endif
