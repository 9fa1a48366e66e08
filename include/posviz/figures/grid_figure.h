/* grid_figure.h: accuracies of trained schemes on tasks as bars, a panel for each task. */
#ifndef POSVIZ_GRID_FIGURE_H
#define POSVIZ_GRID_FIGURE_H

#include "posviz/learn/runs.h"
#include "posviz/plot/figure.h"

/* Makes the figure of groups of runs, in their order, for a page of so many sizes of a letter in width; 0: as wide as it
 * needs. `grows`: the page may be as high as it needs. The command is the one that makes it again. Errors: it has more tasks than a figure has panels. */
bool grid_figure(const struct learn_group *g, size_t n, double ems, bool grows, const char *command,
		 struct arena *a, struct figure *out, struct err *err);
/* Sets the size of a page on which its bars have room, and divides its height among the rows. With letters of a size,
 * `type`, the width stays; 0: the page is one of pixels. */
void grid_size(struct figure *f, double type, double *width, double *height);
/* Fills the panel of one task; its place and its priority stay. `brief`: the number of the longest length alone. */
void grid_panel(const struct learn_group *g, size_t n, const char *task, bool brief,
		struct arena *a, struct panel *p);

#endif
