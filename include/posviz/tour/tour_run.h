/* tour_run.h: the progress through a tour while it is shown. */
#ifndef POSVIZ_TOUR_RUN_H
#define POSVIZ_TOUR_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/app/app.h"
#include "posviz/tour/tour.h"

/* Fields of the room (theme, presenter, page sizes) are kept
 * throughout, unless the tour sets them; at its end the scene before it is restored. */
struct tour_run {
	const struct tour *tour; /* NULL: none is shown */
	size_t beat;
	struct scene before; /* scene before the tour */
	size_t pane;	     /* focused pane before the tour */
	struct scene *undo;  /* [n_undo] history before the tour */
	size_t n_undo;
	double begun;	   /* start of the tour, in seconds of the steady clock */
	double step_begun; /* start of the step */
	double *spent;	   /* [n_steps] seconds in each step */
	bool stands;	   /* the clock is paused */
	double stood;	   /* start of the pause */
};

const struct tour_beat *tour_now(const struct tour_run *run);
const struct tour_step *tour_step_now(const struct tour_run *run);
/* Gives `scene` the room's fields, except those that it sets itself. */
void tour_keep_room(struct scene *scene, const struct scene *room);
/* Returns the scene of a beat with the room's fields. */
struct scene tour_scene(const struct tour_run *run, size_t beat);
/* Returns the same for a frame of its play. */
struct scene tour_frame(const struct tour_run *run, size_t beat, size_t frame);
/* Returns the scene that would be restored if the tour ended now. */
struct scene tour_room(const struct tour_run *run, const struct app *app);
/* Returns whether the app shows another scene than the beat's, apart from the cursor. */
bool tour_left_path(const struct tour_run *run, const struct app *app);

/* These set the app's scene to the beat's; each adds one entry to its history if the user changed
 * something, else none. Changes before the tour cannot be undone in it, but after its end, after
 * those made in it. `now`: seconds of the steady clock. */
void tour_begin(struct tour_run *run, const struct tour *tour, size_t beat, struct app *app,
		double now);
void tour_show(struct tour_run *run, size_t beat, struct app *app, double now);
/* Returns to the beat if the user changed something, else shows the next; false at the end. */
bool tour_forward(struct tour_run *run, struct app *app, double now);
/* Does the same, but shows the beat before; false at the beginning. */
bool tour_backward(struct tour_run *run, struct app *app, double now);
void tour_end(struct tour_run *run, struct app *app); /* restores the scene before the tour */
double tour_elapsed(const struct tour_run *run, double now); /* seconds */
double tour_spent(const struct tour_run *run, double now);   /* in this step, in all visits */
void tour_pause(struct tour_run *run, double now);	     /* pauses or resumes the clock */
void tour_set_clock(struct tour_run *run, double elapsed, double now);
/* Restores clock and pause, and the seconds of n steps if the tour still has n steps. */
void tour_take_times(struct tour_run *run, const double *spent, size_t n, double elapsed,
		     bool stands, double now);

#endif
