/* cast.h: a tour as what a terminal would show while somebody goes through it: a recording in the format of
 * asciinema, version 2, that a web page or a terminal plays.
 *
 * Made without a terminal and without a clock: the same tour gives the same bytes. */
#ifndef POSVIZ_CAST_H
#define POSVIZ_CAST_H

#include "posviz/plot/canvas.h"
#include "posviz/tour/tour.h"

struct cast_look {
	int cols, rows;
	enum tier tier;
	bool ascii, quadrants, contrast;
	double pace; /* seconds that a beat stands; 0: as long as its words take to be read. A question stands twice
		      * as long. */
	size_t step, beat; /* that alone, from 1; beat counted in the step. 0: all of them */
};

/* A line of JSON for the header, then one for each change of the screen, [seconds, "o", bytes], and for each step a
 * marker, [seconds, "m", title]. Of a frame only what is other than in the one before it is sent. `room`: of it the theme
 * and whether it is for the back row. The bytes live in `a`. An error names the step whose picture cannot be made.
 * `cache` and `watch` may be NULL. */
bool cast_tour(const struct tour *t, const struct scene *room, const struct cast_look *look,
	       struct cache *cache, struct watch *watch, struct arena *a, char **data, size_t *len,
	       struct err *err);

#endif
