/* pictures.h: the picture of the scene on the screen, and its figure. */
#ifndef POSVIZ_TUI_PICTURES_H
#define POSVIZ_TUI_PICTURES_H

#include "posviz/plot/canvas.h"

struct tui;
struct layout;

/* The picture of app->scene. tui_submit leads to AWAITED, its result or an error from there to ANSWERED,
 * tui_cancel to CANCELLED. */
enum asked_state { ASKED_ANSWERED, ASKED_AWAITED, ASKED_CANCELLED };

/* The figure of `picture`. Made, it is RIGHT; a change of the scene that leaves the numbers leads to
 * MOVED, measures and another background to WRONG; drawing makes it anew, but moves the cursor alone
 * where it was MOVED by nothing else. */
enum figure_state { FIGURE_RIGHT, FIGURE_MOVED, FIGURE_WRONG };

void tui_submit(struct tui *t);				   /* another scene is wanted */
void tui_refigure(struct tui *t, enum figure_state state); /* the same numbers, another figure */
bool tui_measured(const struct tui *t);	 /* the measures are of the scene on the screen */
bool tui_computing(const struct tui *t); /* the picture of the scene is on its way */
enum background tui_background(const struct tui *t);
/* Gives up what is computed; false when nothing is. */
bool tui_cancel(struct tui *t);
/* Before a command: tells it what it may know of the screen; before a frame: makes the figure anew where it is old. */
void pictures_tell_app(struct tui *t);
void pictures_refresh(struct tui *t);

/* draw.c: the figure, or why there is none. */
void pictures_draw(struct tui *t, struct canvas *c, const struct layout *l);

#endif
