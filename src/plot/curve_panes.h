/* curve_panes.h: how the room for several curves is divided into plots of their own, the same for cells and
 * pages. */
#ifndef POSVIZ_CURVE_PANES_H
#define POSVIZ_CURVE_PANES_H

#include <stdbool.h>
#include <stddef.h>

struct curve_panes {
	double w, h;		 /* the room */
	double left;		 /* numbers of y, beside each plot or the first of a row */
	double gap;		 /* between plots beside each other */
	double around;		 /* what stands above and below each */
	bool own;		 /* each has numbers of its own */
	bool whole;		 /* plots are whole cells */
	double least_w, least_h; /* of a plot */
	double flat;		 /* this times as wide as high a plot is large enough */
};

struct curve_plots {
	size_t down, across;
	double w, h; /* of each */
};

/* The division of n curves into at most this many rows whose plots are largest; false: none leaves them
 * large enough. */
bool curve_panes_divide(const struct curve_panes *room, size_t n, size_t most_down,
			struct curve_plots *out);

#endif
