/* recorder.h: what somebody does in the program, kept as a tour to be edited: each change of the scene that stays is a
 * step. */
#ifndef POSVIZ_RECORDER_H
#define POSVIZ_RECORDER_H

#include "posviz/app/app.h"

/* Commands, a line each, that make of one scene the other, run in order; few of them, each of one field and none that
 * could be left out. "" where there is nothing to do. *made: what they made, which is `to` but for what it remembers of
 * how it came about (setup.h, `asked`): where the next begin. The error names the field that no command sets so. */
bool recorder_lines(const struct scene *from, const struct scene *to, struct arena *a,
		    const char **lines, struct scene *made, struct err *err);

struct recorder;

/* A recording into a file whose name ends in .tour, in a directory that exists; one that exists is refused unless
 * `over`. Nothing is written before the first look. recorder_free ends it; the file stays. */
bool recorder_new(const char *path, bool over, struct recorder **out, struct err *err);
void recorder_free(struct recorder *r);

/* The app as it is now, its picture there. Where the scene is another than in the last look, beyond its cursor, there is
 * a step more; steps of one series (app->series) are one. What was taken back by undo takes its step with it, what is
 * done again brings a step. In the last step are the pane that has the focus and, where the cursor was moved in it, the
 * cell. Names of files become absolute. `depth`: how many changes can be taken back, those before a tour
 * that is shown among them. `refused`: why the scene has no picture, which is the point of the step; NULL: it
 * has one; "": that is not known yet. The file is written whole when steps came or went. On an error the file is as it was before, and the next look
 * tries again. A file that is not as the last look left it, and a link that stands in its place, stays; the recording
 * goes on in another file beside it, which the error says once and recorder_path names. */
bool recorder_look(struct recorder *r, const struct app *app, size_t depth, const char *refused,
		   struct err *err);
/* Writes what the last step has now. */
bool recorder_write(struct recorder *r, struct err *err);

size_t recorder_steps(const struct recorder *r);
const char *recorder_path(const struct recorder *r); /* absolute */
/* The scene of a step, from 0, as the tour has it. */
const struct scene *recorder_scene(const struct recorder *r, size_t step);
/* The tour so far. */
const char *recorder_text(const struct recorder *r, struct arena *a);

#endif
