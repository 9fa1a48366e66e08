/* format.h: formats of files that a scene is written in, and of pictures that a terminal draws.
 *
 * A row says everything that the program knows of a format: its endings, its line of help, what options mean
 * something for it, and what makes its bytes. Lists in help, manual, completion and errors are made of rows. A
 * row is a constant format_NAME in a file src/app/format_*.c and a line of src/app/format_list.h. */
#ifndef POSVIZ_FORMAT_H
#define POSVIZ_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/app/write.h"

/* The kind of a format, one of the first three bits, and the options and uses that it bears. */
enum {
	FORMAT_PICTURE = 1 << 0,  /* a file that shows what the view shows */
	FORMAT_TERMINAL = 1 << 1, /* the same, drawn by the terminal; no file ends so */
	FORMAT_NUMBERS = 1 << 2,  /* a file of what was computed */

	FORMAT_PAGE = 1 << 3,	      /* a page: it has a size, letters of a size, a caption */
	FORMAT_DOTS = 1 << 4,	      /* it has a resolution, --dpi, and a width in pixels */
	FORMAT_FONT = 1 << 5,	      /* letters of a family of fonts that is ours to choose */
	FORMAT_EMBEDS = 1 << 6,	      /* it can bring its letters along, --embed-fonts */
	FORMAT_CELLS = 1 << 7,	      /* drawn on character cells of which there is a number */
	FORMAT_COLOUR = 1 << 8,	      /* cells with control sequences of a depth of colour */
	FORMAT_THEME = 1 << 9,	      /* light and dark, a colour map */
	FORMAT_BESIDE = 1 << 10,      /* a file beside which a caption may be written */
	FORMAT_READABLE = 1 << 11,    /* text that a terminal may show as it is */
	FORMAT_SCENE = 1 << 12,	      /* it carries its scene and opens again */
	FORMAT_SHEET = 1 << 13,	      /* it can hold a contact sheet */
	FORMAT_PAGES = 1 << 14,	      /* it can have several pages */
	FORMAT_IMAGE = 1 << 15,	      /* a document can show it as an image */
	FORMAT_MATRIX = 1 << 16,      /* numbers of one matrix */
	FORMAT_WHOLE = 1 << 17,	      /* numbers of everything that was computed */
	FORMAT_PLANE = 1 << 18,	      /* two dimensions are the most it has */
	FORMAT_LEAVES_READ = 1 << 19, /* large parameters: what the input reads, unless asked */
};

/* A picture that the command snapshot writes. */
#define FORMAT_SNAPSHOT (FORMAT_PICTURE | FORMAT_SCENE | FORMAT_IMAGE)

/* A figure to be put on a page. */
struct format_page {
	const struct figure *figure;
	const struct raster_look *look;
	const struct scene *scene;    /* what it is of, to be carried along; NULL: of none alone */
	const char *tour;	      /* where in a tour, as write_look has it; NULL: in none */
	struct raster_report *report; /* may be NULL */
};

struct format {
	const char *name;     /* "svg" */
	const char *suffixes; /* "html htm": endings of its files, parted by blanks; "": none */
	const char *help;     /* one line */
	unsigned bears;	      /* bits of FORMAT_... */
	/* Makes job->data from the scene; NULL: as `page` does of its figure. */
	bool (*write)(struct write_job *job, struct err *err);
	/* The bytes of a page with a figure on it, whoever made the figure; NULL: it is no such page. */
	bool (*page)(const struct format_page *p, struct arena *a, char **data, size_t *len,
		     struct err *err);
	/* The first bytes of its files, and the reader of the texts (snapshot_texts) in them, which believes nothing. Both
	 * are NULL where the format carries no scene. */
	const char *magic;
	bool (*texts)(const void *data, size_t len, struct arena *a, struct export_text **texts,
		      size_t *n, struct err *err);
};

/* Every format, in the order of lists; NULL ends them. */
extern const struct format *const formats[];

/* The format of a name; NULL: there is none, or name is NULL. */
const struct format *format_find(const char *name);
/* The format of files with this ending, without its dot, capitals or not; NULL: no file ends so. */
const struct format *format_by_suffix(const char *suffix);
/* True of a name in the table whose row has all of these bits. */
bool format_bears(const char *name, unsigned bits);
/* The format that carries a scene and whose files begin as these bytes do; where none does, the first one,
 * whose reader says what is wrong. */
const struct format *format_of_bytes(const void *data, size_t len);
/* The name of the first that has all of these bits: of pictures png, of cells with colours ansi. */
const char *format_first(unsigned bits);

/* The same in one text: format_words(FORMAT_NUMBERS, ".", ", ", " or ", a) is
 * ".safetensors, .npz, .npy, .csv or .json". */
const char *format_words(unsigned bits, const char *before, const char *between, const char *last,
			 struct arena *a);

#endif
