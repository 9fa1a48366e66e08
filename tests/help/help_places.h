/* help_places.h: dials and points in a plane made by hand, for the tests of the devices. */
#ifndef HELP_PLACES_H
#define HELP_PLACES_H

#include "posviz/plot/raster.h"

/* Returns n dials like those of RoPE with base 10000: query 4 and key 1; addends are fixed
 * pseudo-random numbers. */
struct panel help_dials(struct arena *a, size_t n);
/* Returns dials with one hand and no addends, like those of sinusoids. */
struct panel help_clocks(struct arena *a, size_t n);

/* Returns a spiral of n joined points with labels "w1", "w2", …; the first is in the middle. */
struct panel help_spiral(struct arena *a, size_t n);
/* Returns n points of three groups with words as names. */
struct panel help_cloud(struct arena *a, size_t n);

/* Returns the same with a small picture of each point, the names of the groups, an order, and one
 * selected point. */
struct panel help_pictured(struct arena *a, size_t n);

/* Returns a figure of only this panel. */
struct figure help_alone(const struct panel *p);

/* Returns the page of this figure. */
struct help_printed {
	struct image image;
	struct raster_report report;
};
struct help_printed help_printed(const struct panel *p, int width, int height);

/* Draws panels of 1 to 50 items on pages with little or no room, on a page as high as needed, on a
 * page for a paper, and on one for the back row of a room. */
void help_any_room(struct panel (*one)(struct arena *a, size_t n),
		   struct panel (*other)(struct arena *a, size_t n));

#endif
