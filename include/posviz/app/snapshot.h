/* snapshot.h: a figure as a PNG, or as another format that can carry texts, that knows how it was made.
 *
 * The picture carries three texts: the scene as commands, so that it reopens; the version; and what
 * its matrices were, so that it can be computed anew and compared on another machine. One that was made
 * in a tour carries where. */
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
#define SNAPSHOT_TOUR	  "posviz-tour"	    /* "order#3.2", a file's name absolute */

enum { SNAPSHOT_PROJECTIONS = 16 };

/* JSON: for each heatmap of the figure, each sum's steps and each row of columns its panel's title, rows, cols, min and max of the finite
 * entries that are not masked, their Frobenius norm, and 16 projections uᵀMv with u, v ~ N(0,1)
 * seeded by the panel's index and the projection's. Masked and non-finite entries count as 0. */
const char *snapshot_matrices(const struct figure *figure, struct arena *a);

/* The texts of a figure's scene in the order of the list above, into out[SNAPSHOT_TEXTS]; returns how many there
 * are: the last only where there is a tour. */
enum { SNAPSHOT_TEXTS = 4 };
size_t snapshot_texts(const struct scene *scene, const struct figure *figure, const char *tour,
		      struct arena *a, struct export_text *out);

/* The look that the scene asks for: size, dpi, theme (light unless it says dark), caption. */
struct raster_look snapshot_look(const struct scene *scene);

/* The figure of `scene` as the bytes of a PNG file. `tour`: where in one; NULL: in none. `report` may be NULL. */
bool snapshot_png(const struct scene *scene, const struct figure *figure, const char *tour,
		  struct arena *a, char **data, size_t *len, struct raster_report *report,
		  struct err *err);

/* A snapshot computed anew and compared with what it says of its matrices: rows of a table, one a
 * matrix, in the figure's order. Relative to the larger norm, but for a norm below 1e-3, where that
 * stands for it; a matrix of another title or size, or one that is missing on either side, is never
 * equal. */
struct verification {
	const char *title; /* "Attention weights" */
	size_t rows, cols;
	double worst;	     /* largest relative difference of min, max, norm and projections */
	const char *trouble; /* "is 7x7 there, 8x8 here", or NULL */
	bool ok;	     /* worst <= SNAPSHOT_TOLERANCE, and no trouble */
};
#define SNAPSHOT_TOLERANCE 1e-9
/* At most `memory` bytes are used, or what the scene allows if that is less.
 * False when the PNG is none of ours, its texts are damaged, or its scene cannot be computed. `version`
 * is who made it, NULL when it does not say. */
bool snapshot_verify(const void *data, size_t len, struct cache *cache, struct arena *a,
		     double memory, struct scene *scene, struct verification **out, size_t *n,
		     const char **version, struct err *err);

/* The scene that a snapshot carries. The error says when the PNG is not one of ours, or reads what is no
 * regular file. */
bool snapshot_scene(const void *data, size_t len, struct arena *a, struct scene *scene,
		    struct err *err);
/* Where in a tour a snapshot was made, as it is written there; NULL: in none. */
const char *snapshot_tour(const void *data, size_t len, struct arena *a);

#endif
