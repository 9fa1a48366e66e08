/* motion.h: scenes shown one after the other, as long as all of them together; the last stays.
 *
 * app->scene is where it ends, from the beginning on: history, files and tours know of no frame. Where it differs
 * from the last frame (theme, presenter, cursor), all of them do. */
#ifndef POSVIZ_TUI_MOTION_H
#define POSVIZ_TUI_MOTION_H

#include "posviz/plot/figure.h"
#include "posviz/tour/tour.h"

struct tui;

/* Scenes on the way to the app's. While one of them is wanted on the screen, app->scene is what it ends at. */
struct motion {
	struct arena arena;    /* of what is below */
	struct scene *frames;  /* [n], the last is app->scene */
	size_t n, at;	       /* at: the one that is wanted */
	double begun, seconds; /* of all */
	bool runs;
	bool walk;  /* tokens on their way: no key is lost to ending it */
	bool stays; /* a training: a key stops it at the frame that is shown */
	bool owed; /* the terminal was asked whether it has taken the frame, and has not answered, */
	double asked; /* since then */
	const char *name,
		*const *values; /* what runs, and [n] as it is in each frame; NULL: nothing is said */
	/* With motion off: the first frame's picture, to be kept, and what was kept of it. */
	enum { GHOST_NONE, GHOST_AWAITED, GHOST_KEPT } ghost;
	struct figure first;
};

void motion_begin(struct tui *t, const struct scene *frames, size_t n, double seconds);
/* Plays a beat whose scene is the app's; with motion off shows its last frame, before the curves of the first. */
void motion_play(struct tui *t, const struct tour_play *play);
/* Tokens that walk, where app->scene is in another order than what is on the screen, and in nothing else; false: they
 * do not, or need not. */
bool motion_walk(struct tui *t);
void motion_turn(struct tui *t);  /* the dials of the view Clocks: the key through all places */
void motion_train(struct tui *t); /* the view Learn: step after step of the training */
bool motion_runs(const struct tui *t);
void motion_stop(struct tui *t); /* at once to the last */
void motion_end(struct tui *t);	 /* another picture is on its way */
/* The parameter that runs, as it is now: "base 100"; with motion off "base 10 → 10000"; NULL: nothing runs. */
const char *motion_says(const struct tui *t, struct arena *a);
/* The scene that is to be on the screen: a frame, or the app's. */
const struct scene *tui_wanted(const struct tui *t);
/* After a command that changed nothing but how pictures look. */
void motion_follow_room(struct tui *t);
/* True: the picture that has come was the first frame's, it is kept, and the last one is on its way. */
bool motion_keeps(struct tui *t);
void motion_figure(struct tui *t); /* of a figure made anew: what it was before stands behind it */

#endif
