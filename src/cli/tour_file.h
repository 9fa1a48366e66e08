/* tour_file.h: a tour for whoever shows, writes or draws something of it. */
#ifndef CLI_TOUR_FILE_H
#define CLI_TOUR_FILE_H

#include "cli.h"
#include "posviz/tour.h"

/* One of ours or a file, whole, into the run's arena. Of a file all that is wrong is said, a line each; the last is the
 * error. `cache` may be NULL. */
bool cli_tour(struct cli *c, const char *name, enum tour_depth depth, struct cache *cache,
	      struct tour *out, struct err *err);

/* "lesson.tour#3", "order#3.1": where that names a beat of a tour, of ours where no expression is called so, its scene
 * with what the room has becomes that of c->app; `c->beat` is the beat. False with an error, or without one (text "")
 * where it names none. */
#endif
