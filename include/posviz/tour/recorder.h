/* recorder.h: records the user's changes as a tour to be edited: each change of the scene that
 * stays is a step. */
#ifndef POSVIZ_RECORDER_H
#define POSVIZ_RECORDER_H

#include "posviz/app/app.h"

/* Finds commands, a line each, that change one scene into the other when run in order; they are
 * few, each sets one field, and none is superfluous. "": no command is needed. *made gets the scene
 * that they make, from which the next commands start: it equals `to` except for the record of how
 * it came about (setup.h, `asked`). The error names the field that no command sets. */
bool recorder_lines(const struct scene *from, const struct scene *to, struct arena *a,
		    const char **lines, struct scene *made, struct err *err);

struct recorder;

/* Begins a recording into a file whose name ends in .tour, in an existing directory; an existing
 * file is an error unless `over`. Nothing is written before the first look. recorder_free ends the
 * recording; the file stays. */
bool recorder_new(const char *path, bool over, struct recorder **out, struct err *err);
void recorder_free(struct recorder *r);

/* Records the app's present state; its picture must be computed. If the scene differs from that of
 * the last look in more than the cursor, a step is added; the steps of one series (app->series) are
 * one. Undo removes the step of its change, redo adds a step. The last step has the pane with the
 * focus and, if the cursor was moved in it, the cell. Names of files become absolute. `depth`: the
 * number of changes that can be undone, including those before a shown tour. `refused`: why the
 * scene has no picture, which is then the subject of the step; NULL: it has one; "": not known yet.
 * The file is written whole when steps were added or removed. After an error the file is unchanged,
 * and the next look tries again. A file that was changed since the last look, or replaced by a
 * link, is left alone: the recording continues in another file beside it, which the error says once
 * and recorder_path names. */
bool recorder_look(struct recorder *r, const struct app *app, size_t depth, const char *refused,
		   struct err *err);
/* Writes the present content of the last step. */
bool recorder_write(struct recorder *r, struct err *err);

size_t recorder_steps(const struct recorder *r);
const char *recorder_path(const struct recorder *r); /* absolute */
/* Returns the scene of a step, from 0, as it is in the tour. */
const struct scene *recorder_scene(const struct recorder *r, size_t step);
/* Returns the text of the tour so far. */
const char *recorder_text(const struct recorder *r, struct arena *a);

#endif
