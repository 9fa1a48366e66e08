/* snapshot.h: a figure as a PNG that knows how it was made.
 *
 * The picture carries three texts: the scene as commands, so that it reopens; the version; and what
 * its matrices were, so that it can be computed anew and compared on another machine. */
#ifndef POSVIZ_SNAPSHOT_H
#define POSVIZ_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/arena.h"
#include "posviz/err.h"
#include "posviz/figure.h"
#include "posviz/raster.h"
#include "posviz/scene.h"

#define SNAPSHOT_SCENE	  "posviz-scene" /* scene_print */
#define SNAPSHOT_VERSION  "posviz-version"
#define SNAPSHOT_MATRICES "posviz-matrices" /* snapshot_matrices */

enum { SNAPSHOT_PROJECTIONS = 16 };

/* JSON: for each heatmap of the figure its panel's title, rows, cols, min and max of the finite
 * entries that are not masked, their Frobenius norm, and 16 projections uᵀMv with u, v ~ N(0,1)
 * seeded by the panel's index and the projection's. Masked and non-finite entries count as 0. */
const char *snapshot_matrices(const struct figure *figure, struct arena *a);

/* The look that the scene asks for: size, dpi, theme (light unless it says dark), caption. */
struct raster_look snapshot_look(const struct scene *scene);

/* The figure of `scene` as the bytes of a PNG file. `report` may be NULL. */
bool snapshot_png(const struct scene *scene, const struct figure *figure, struct arena *a,
		  char **data, size_t *len, struct raster_report *report, struct err *err);

/* The scene that a snapshot carries. The error says when the PNG is not one of ours. */
bool snapshot_scene(const void *data, size_t len, struct arena *a, struct scene *scene,
		    struct err *err);

#endif
