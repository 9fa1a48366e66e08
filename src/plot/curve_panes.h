/* curve_panes.h: the division of an area into one plot for each of several curves, the same for
 * cells and pages. */
#ifndef POSVIZ_CURVE_PANES_H
#define POSVIZ_CURVE_PANES_H

#include <stdbool.h>
#include <stddef.h>

struct curve_panes {
	double w, h; /* size of the area */
	/* width of the numbers of y, at the left of each plot or of the first of a row */
	double left;
	double gap;		 /* between neighbours in a row */
	double around;		 /* height of the lines above and below each plot */
	bool own;		 /* each plot has its own numbers of y */
	bool whole;		 /* sizes of plots are whole cells */
	double least_w, least_h; /* smallest size of a plot */
	/* the size to maximise is the width or this times the height, whichever is less */
	double flat;
};

struct curve_plots {
	size_t down, across;
	double w, h; /* size of a plot */
};

/* Divides the area into plots of n curves, in at most `most_down` rows, so that the plots are as
 * large as possible; false: they would be smaller than the least size. */
bool curve_panes_divide(const struct curve_panes *room, size_t n, size_t most_down,
			struct curve_plots *out);

#endif
