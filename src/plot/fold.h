/* fold.h: a figure with fewer panels, for a page without room for all. */
#ifndef POSVIZ_FOLD_H
#define POSVIZ_FOLD_H

#include "posviz/plot/figure.h"

/* Removes the least important panel and closes the gap. A matrix is removed only if `maps_too` and
 * no other panel may go. *gone is NULL at first; the panel's name is appended to it. False: all
 * remaining panels must stay. */
bool figure_fold(struct figure *f, bool maps_too, const char **gone, struct arena *a);

/* Removes the panels that `part` does not have, but for panel `back`; *gone has their names. False: `part` has
 * that panel, or no other is missing in it. */
bool figure_fold_to(struct figure *f, const struct figure *part, size_t back, const char **gone,
		    struct arena *a);

/* Removes the last heatmap that the others can do without. False: there is none. */
bool figure_fold_spare(struct figure *f, const char **gone, struct arena *a);

/* Removes the last panel of a figure whose panels the user chose. */
bool figure_fold_last(struct figure *f, const char **gone, struct arena *a);

/* Moves the remaining panels into the gaps of removed ones. */
void figure_close_up(struct figure *f);

/* Returns whether the figure is on a grid around its first panel, a table of which some rows suffice. */
bool figure_has_table_first(const struct figure *f);

#endif
