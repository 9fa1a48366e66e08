/* cast.h: a tour as a recording of a terminal in the format of asciicast, version 2, which a web
 * page or a terminal plays.
 *
 * It is made without a terminal and without a clock: the same tour gives the same bytes. */
#ifndef POSVIZ_CAST_H
#define POSVIZ_CAST_H

#include "posviz/plot/canvas.h"
#include "posviz/tour/tour.h"

struct cast_look {
	int cols, rows;
	enum tier tier;
	bool ascii, quadrants, contrast;
	/* Seconds for each beat; 0: the time that its words take to be read; a question is shown
	 * twice as long. */
	double pace;
	/* Records only this step or beat, from 1; beats count within the step; 0: all. */
	size_t step, beat;
};

/* Writes a line of JSON for the header, a line for each change of the screen, [seconds, "o",
 * bytes], and for each step a marker, [seconds, "m", title]. Of each frame only the difference to
 * the one before is written. Of `room` the theme and the presenter's setting are used. The bytes
 * are in `a`. The error names the step whose picture cannot be made. `cache` and `watch` may be
 * NULL. */
bool cast_tour(const struct tour *t, const struct scene *room, const struct cast_look *look,
	       struct cache *cache, struct watch *watch, struct arena *a, char **data, size_t *len,
	       struct err *err);

#endif
