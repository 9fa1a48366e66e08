/* write.h: a scene as a file, whatever the format: pictures and numbers, from the command line and
 * from the screen alike. */
#ifndef POSVIZ_WRITE_H
#define POSVIZ_WRITE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "posviz/analysis.h"
#include "posviz/canvas.h"
#include "posviz/scene.h"

extern const char *const picture_formats[]; /* png svg pdf txt ansi, then NULL */
extern const char *const number_formats[];  /* safetensors npy csv json, then NULL */

/* How a picture in cells (txt, ansi) is drawn. */
struct write_look {
	int cols, rows;
	enum tier tier;
	bool ascii;
	bool quadrants; /* curves of quarter blocks instead of braille */
};

/* The format that a name ends in, or NULL with an error that lists what there is. */
const char *write_format(const char *path, struct err *err);

/* The bytes of `format` for a scene. Pictures take `measures` when it is not NULL, and measure
 * themselves otherwise. npy and csv hold the scene's matrix of its head and layer; safetensors and
 * json everything that was computed; `progress` (may be NULL) is told of the latter. `report` (may be
 * NULL) tells of missing glyphs. */
struct raster_report;
struct tensor_progress;
bool write_bytes(const struct scene *scene, const char *format, const struct write_look *look,
		 const struct measures *measures, struct cache *cache, const atomic_bool *cancel,
		 const struct tensor_progress *progress, struct arena *a, char **data, size_t *len,
		 struct raster_report *report, struct err *err);

/* Whether a file of this name could be written, as far as it can be known beforehand: the format, the
 * directory, and that there is none yet. */
bool write_check(const char *path, struct err *err);

/* The same into a file, never over one that exists. NNN in its name stands for the next number that
 * is free, from 001, also when other programs take numbers at the same time; "" is posviz-NNN.png.
 * `look` may be NULL. `said` gets one line of escaped text: the file's name, where it is, and what a
 * reader should know about it. */
bool write_scene(const struct scene *scene, const char *path, const struct write_look *look,
		 struct cache *cache, const atomic_bool *cancel, struct arena *a, const char **said,
		 struct err *err);

#endif
