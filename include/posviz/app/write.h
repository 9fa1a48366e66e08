/* write.h: a scene as a file of any format: pictures and numbers, from the command line and from
 * the screen alike. */
#ifndef POSVIZ_WRITE_H
#define POSVIZ_WRITE_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/analysis/analysis.h"
#include "posviz/base/watch.h"
#include "posviz/export/export.h"
#include "posviz/plot/canvas.h"
#include "posviz/scene/dump.h"
#include "posviz/scene/scene.h"

enum { WRITE_MARKS = 16 };
/* The look of a picture in cells (txt, ansi), and the place of one that the terminal draws (kitty,
 * sixel). */
struct write_look {
	int cols, rows;
	enum tier tier;
	bool ascii;
	bool quadrants;		    /* curves of quarter blocks instead of braille */
	enum background background; /* of cells, if the theme is auto */
	struct export_place place;
	struct mark marks[WRITE_MARKS]; /* [n_marks] emphasised parts, see figure_mark */
	size_t n_marks;
	/* The beat of the tour in which it was made, "order#3.2", which a PNG stores; interned;
	 * NULL: none. */
	const char *tour;
};

/* Returns the format of the ending of a name, or NULL with an error that lists the formats. */
const char *write_format(const char *path, struct err *err);
/* Returns the possible endings: "png svg pdf tex txt ansi, or safetensors npz npy csv json". */
const char *write_formats(struct arena *a);

/* The part of large learned parameters in a dump: the rows and columns that the input reads
 * (dump_tensors), or all. The format decides (FORMAT_LEAVES_READ) unless the user does. */
enum write_leaves { LEAVES_AS_FORMAT, LEAVES_READ, LEAVES_ALL };

/* A request for the bytes of a format for a scene. npy and csv hold the scene's matrix of its head
 * and layer; safetensors, npz and json all results. Comments on members give the meaning of NULL or
 * 0: */
struct raster_report;
struct tensor_progress;
struct write_job {
	const struct scene *scene;
	const char *format;
	const struct write_look *look;		/* NULL: the default look */
	const char *numbers;			/* names of views for view_numbers; NULL: "quick" */
	enum write_leaves leaves;		/* LEAVES_AS_FORMAT */
	bool every_head;			/* for npy; false: one head, or the mean */
	struct picture *picture;		/* with `built` filled in; NULL: it is built */
	struct cache *cache;			/* NULL: nothing is cached */
	struct watch *watch;			/* NULL: it cannot be cancelled */
	const struct tensor_progress *progress; /* of json; NULL: not reported */
	struct raster_report *report;		/* of missing glyphs; NULL: not reported */
	/* Emphasises a part of a figure before it is drawn; NULL: none. */
	void (*point_out)(const void *what, const struct scene *scene, const struct trace *trace,
			  struct arena *a, struct figure *f);
	const void *what;
	struct arena *a;
	const char *remark; /* result: a line on missing or needed things; NULL: none */
	char *data;	    /* result: the bytes */
	size_t len;
};
bool write_bytes(struct write_job *job, struct err *err);

/* True if a file of this name can probably be written: the format is known, the directory exists,
 * and the file does not. */
bool write_check(const char *path, struct err *err);

/* Writes the bytes to a file, never over an existing one. NNN in its name stands for the next free
 * number from 001, also if other programs take numbers at the same time; "" is posviz-NNN.png.
 * `look` may be NULL. `said` gets one line of escaped text: the file's name, its place, and notes
 * for the reader. */
bool write_scene(const struct scene *scene, const char *path, const struct write_look *look,
		 struct cache *cache, struct watch *watch, struct arena *a, const char **said,
		 struct err *err);

#endif
