/* fold.h: a figure with fewer panels, where a page has no room for all. */
#ifndef POSVIZ_FOLD_H
#define POSVIZ_FOLD_H

#include "posviz/plot/figure.h"

/* Takes the least important panel out and the gap with it, a matrix only when nothing else may go and
 * `maps_too`; *gone gets its name behind those that went before it, NULL at first. False: all that
 * are left must stay. */
bool figure_fold(struct figure *f, bool maps_too, const char **gone, struct arena *a);

/* The same of a figure whose panels were asked for: the last one goes. */
bool figure_fold_last(struct figure *f, const char **gone, struct arena *a);

/* Panels that are left take the place of those that have gone. */
void figure_close_up(struct figure *f);

#endif
