/* tour_file.h: reads a tour for the commands that show, write or draw a part of it. */
#ifndef CLI_TOUR_FILE_H
#define CLI_TOUR_FILE_H

#include "cli.h"
#include "posviz/tour/tour.h"

/* Reads a whole tour, a built-in one or a file, into the run's arena. Several mistakes in a file
 * are printed, a line each, and the error counts them; a single one is the error. `cache` may be
 * NULL. */
bool cli_tour(struct cli *c, const char *name, enum tour_depth depth, struct cache *cache,
	      struct tour *out, struct err *err);

/* Returns whether an argument is a beat of a tour: "lesson.tour", "lesson.tour#3.1", or "order#3"
 * of a built-in tour. */
bool cli_is_beat(const char *text);
/* Finds the scene of a beat, with the look that c->app has now; for a step the last beat, for a
 * tour alone the first. The beat becomes c->beat. */
bool cli_beat(struct cli *c, const char *text, struct scene *scene, struct err *err);
/* Opens the arguments of the terminal program: a file, a beat of a tour, or several files of
 * scenes, which become the steps of one tour. */
bool cli_open_files(struct cli *c, struct err *err);
/* Marks the cells that c->beat points out, and reduces a figure for the back row to the pane that
 * the beat shows; for struct write_job. */
void cli_point_out(const void *beat, const struct scene *scene, const struct trace *trace,
		   struct arena *a, struct figure *f);
#endif
