/* snapshot.h: a figure as a PNG, or another format with texts, that contains the way it was made.
 *
 * The picture contains three texts: the scene as commands, so that it can be opened; the version;
 * and a summary of its matrices, so that another machine can compute them again and compare. One of a
 * model whose file gives learned numbers has a summary of these too, one of a training that of its first steps
 * and the machine, one of an opened model hashes of what it shows of the model's files, and a picture made in a
 * tour the beat of the tour. */
#ifndef POSVIZ_SNAPSHOT_H
#define POSVIZ_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/export/export.h"
#include "posviz/model/model.h"
#include "posviz/plot/figure.h"
#include "posviz/plot/raster.h"
#include "posviz/scene/scene.h"

#define SNAPSHOT_SCENE	  "posviz-scene" /* scene_print, with absolute names of files */
#define SNAPSHOT_VERSION  "posviz-version"
#define SNAPSHOT_MATRICES "posviz-matrices" /* snapshot_matrices */
#define SNAPSHOT_LEARNED  "posviz-learned"  /* snapshot_learned */
#define SNAPSHOT_KERNEL	  "posviz-kernel"   /* of a training: machine_describe */
#define SNAPSHOT_MODEL	  "posviz-model"    /* model_seen */
#define SNAPSHOT_TOUR	  "posviz-tour"	    /* "order#3.2"; the name of a file is absolute */

enum { SNAPSHOT_PROJECTIONS = 16, SNAPSHOT_STEPS = 20 };

/* Returns JSON with an entry for each heatmap of the figure, for the steps of each sum and for each
 * row of columns: its panel's title, rows, cols, min and max of the finite entries that are not
 * masked, their Frobenius norm, and 16 projections uᵀMv with u, v ~ N(0,1) seeded by the index of
 * the panel and of the projection. Masked and non-finite entries count as 0. */
const char *snapshot_matrices(const struct figure *figure, struct arena *a);

/* Returns the same of the learned parameters of schemes that the file `params` gives, whether they are
 * shown or not, and for the view Learn of the losses and numbers of the first SNAPSHOT_STEPS steps of the
 * training; NULL: there are none. */
const char *snapshot_learned(const struct scene *scene, struct arena *a);

/* Writes the texts of a figure's scene to out[SNAPSHOT_TEXTS], in the order of the list above, and
 * returns their number: the last four exist only of such a file, of a training, of a model, and in a tour. */
enum { SNAPSHOT_TEXTS = 7 };
size_t snapshot_texts(const struct scene *scene, const struct figure *figure, const char *tour,
		      struct arena *a, struct export_text *out);

/* Returns the look that the scene defines: size, dpi, theme (light unless the scene says dark),
 * caption. */
struct raster_look snapshot_look(const struct scene *scene);

/* Makes the bytes of a PNG file with the figure of `scene`. `tour` is the beat of a tour, or NULL.
 * `report` may be NULL. */
bool snapshot_png(const struct scene *scene, const struct figure *figure, const char *tour,
		  struct arena *a, char **data, size_t *len, struct raster_report *report,
		  struct err *err);

/* A matrix of a snapshot that was computed again and compared with its stored summary; rows are in
 * the figure's order. Differences are relative to the larger norm, or to 1e-3 if both norms are
 * smaller. A matrix of another title or size, or one that is missing on either side, is never
 * equal. */
struct verification {
	const char *title; /* "Attention weights" */
	size_t rows, cols;
	double worst;	     /* largest relative difference of min, max, norm and projections */
	const char *trouble; /* "is 7x7 there, 8x8 here", or why it is not compared; or NULL */
	bool ok; /* worst <= SNAPSHOT_TOLERANCE, and no trouble; or it is not compared */
};
#define SNAPSHOT_TOLERANCE 1e-9
/* Computes and compares all matrices. On another kernel a training is the same in its first steps alone: its
 * other numbers are not compared. Uses at most `memory` bytes, or the scene's limit if that is
 * less. False: the PNG is not ours, its texts are damaged, or its scene cannot be computed.
 * `version` is the program's that made it, or NULL. */
bool snapshot_verify(const void *data, size_t len, struct cache *cache, struct arena *a,
		     double memory, struct scene *scene, struct verification **out, size_t *n,
		     const char **version, struct err *err);

/* Reads the scene that a snapshot contains. False, with an error: the PNG is not ours, or its scene
 * reads from something other than a regular file, or its model is another one now. */
bool snapshot_scene(const void *data, size_t len, struct arena *a, struct scene *scene,
		    struct err *err);
/* Returns the stored beat of the tour in which a snapshot was made; NULL: none. */
const char *snapshot_tour(const void *data, size_t len, struct arena *a);

#endif
