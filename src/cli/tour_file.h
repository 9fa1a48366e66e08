/* tour_file.h: a tour for whoever shows, writes or draws something of it. */
#ifndef CLI_TOUR_FILE_H
#define CLI_TOUR_FILE_H

#include "cli.h"
#include "posviz/tour/tour.h"

/* One of ours or a file, whole, into the run's arena. Of a file all that is wrong is said, a line each; the last is the
 * error. `cache` may be NULL. */
bool cli_tour(struct cli *c, const char *name, enum tour_depth depth, struct cache *cache,
	      struct tour *out, struct err *err);

/* Whether an argument is a beat of a tour: "lesson.tour", "lesson.tour#3.1", of ours "order#3". */
bool cli_is_beat(const char *text);
/* Its scene, in the room that c->app has now, into `scene`; of a step the last beat, of a tour alone the first. It
 * becomes c->beat. */
bool cli_beat(struct cli *c, const char *text, struct scene *scene, struct err *err);
/* What the terminal program is given: a file, a beat of a tour, or several files of scenes, which become the steps of
 * one. */
bool cli_open_files(struct cli *c, struct err *err);
/* What c->beat points out, and of a figure for the back row the pane that it means alone; for struct write_job. */
void cli_point_out(const void *beat, const struct scene *scene, const struct trace *trace,
		   struct arena *a, struct figure *f);
#endif
