/* write.h: a scene as a file, whatever the format: pictures and numbers, from the command line and
 * from the screen alike. */
#ifndef POSVIZ_WRITE_H
#define POSVIZ_WRITE_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/analysis/analysis.h"
#include "posviz/base/watch.h"
#include "posviz/export/export.h"
#include "posviz/plot/canvas.h"
#include "posviz/scene/scene.h"

enum { WRITE_MARKS = 16 };
/* How a picture in cells (txt, ansi) is drawn, and where one that the terminal draws (kitty, sixel). */
struct write_look {
	int cols, rows;
	enum tier tier;
	bool ascii;
	bool quadrants;		    /* curves of quarter blocks instead of braille */
	enum background background; /* of cells, where the theme is auto */
	struct export_place place;
	struct mark marks[WRITE_MARKS]; /* [n_marks] pointed out, as figure_mark has them */
	size_t n_marks;
	/* Where in a tour it was made, "order#3.2", which a PNG keeps; interned; NULL: in none. */
	const char *tour;
};

/* The format that a name ends in, or NULL with an error that lists what there is. */
const char *write_format(const char *path, struct err *err);
/* "png svg pdf tex txt ansi, or safetensors npz npy csv json": what names of files may end in. */
const char *write_formats(struct arena *a);

/* How much of large learned parameters a dump has: the rows that the input reads (dump_tensors), or all. A format decides
 * (FORMAT_LEAVES_READ) unless the user does. */
enum write_leaves { LEAVES_AS_FORMAT, LEAVES_READ, LEAVES_ALL };

/* The bytes of a format for a scene. npy and csv hold the scene's matrix of its head and layer;
 * safetensors, npz and json everything that was computed. What is NULL at the beginning: */
struct raster_report;
struct tensor_progress;
struct write_job {
	const struct scene *scene;
	const char *format;
	const struct write_look *look;		/* the usual one */
	const char *numbers;			/* of views, as view_numbers: "quick" */
	enum write_leaves leaves;		/* LEAVES_AS_FORMAT */
	bool every_head;			/* npy has one head, or their mean */
	struct picture *picture;		/* of which `built` is there; it is built */
	struct cache *cache;			/* nothing is kept */
	struct watch *watch;			/* it cannot be given up */
	const struct tensor_progress *progress; /* of json; nobody is told */
	struct raster_report *report;		/* of missing glyphs; nobody is told */
	/* Points out something in a figure before it is drawn; nothing is pointed out. */
	void (*point_out)(const void *what, const struct scene *scene, const struct trace *trace,
			  struct arena *a, struct figure *f);
	const void *what;
	struct arena *a;
	const char *remark; /* made: what the file lacks or needs, one line; NULL: nothing */
	char *data;	    /* what was made */
	size_t len;
};
bool write_bytes(struct write_job *job, struct err *err);

/* Whether a file of this name could be written, as far as it can be known beforehand: the format, the
 * directory, and that there is none yet. */
bool write_check(const char *path, struct err *err);

/* The same into a file, never over one that exists. NNN in its name stands for the next number that
 * is free, from 001, also when other programs take numbers at the same time; "" is posviz-NNN.png.
 * `look` may be NULL. `said` gets one line of escaped text: the file's name, where it is, and what a
 * reader should know about it. */
bool write_scene(const struct scene *scene, const char *path, const struct write_look *look,
		 struct cache *cache, struct watch *watch, struct arena *a, const char **said,
		 struct err *err);

#endif
