/* help_places.h: dials and points in a plane made by hand, for the tests of the devices. */
#ifndef HELP_PLACES_H
#define HELP_PLACES_H

#include "posviz/plot/raster.h"

/* n dials as of RoPE with base 10000: query 4 and key 1; drawn from fixed numbers. */
struct panel help_dials(struct arena *a, size_t n);
/* The same with one hand and no addends, as of sinusoids. */
struct panel help_clocks(struct arena *a, size_t n);

/* A spiral of n points, joined, with labels "w1", "w2", …; the first in the middle. */
struct panel help_spiral(struct arena *a, size_t n);
/* n points of three groups with names of words. */
struct panel help_cloud(struct arena *a, size_t n);

/* The same with a small picture of each, the names of the groups, an order, and one that is looked at. */
struct panel help_pictured(struct arena *a, size_t n);

/* A figure of this panel alone. */
struct figure help_alone(const struct panel *p);

/* Its page. */
struct help_printed {
	struct image image;
	struct raster_report report;
};
struct help_printed help_printed(const struct panel *p, int width, int height);

/* Draws panels of 1 to 50 on pages that have room for little or nothing, on one as high as it needs, for a paper,
 * and for a room. */
void help_any_room(struct panel (*one)(struct arena *a, size_t n),
		   struct panel (*other)(struct arena *a, size_t n));

#endif
