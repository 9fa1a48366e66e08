/* help_frame.h: whole screens of the terminal program in memory, without a terminal: what curses would be
 * told to show. */
#ifndef HELP_FRAME_H
#define HELP_FRAME_H

#include "tui/tui_in.h"

/* The program looking at a scene: of this expression, these lines, and with the cursor where it is at
 * first. In `a`, but what help_tui_done ends. */
struct tui *help_tui(struct arena *a, const char *expression, const char *lines,
		     enum background background);

void help_tui_done(struct tui *t);

struct help_look {
	int cols, rows;
	enum tier tier;
	bool ascii;
};

/* One screen of it, with a report at tui->report, until the next one. */
const struct canvas *help_frame(struct tui *t, struct help_look look);

/* "explore of rope, 120x36, 256, dark" */
const char *help_frame_name(struct arena *a, const struct tui *t, struct help_look look);

/* The sizes that people have: 200×50 to 40×12. */
enum { HELP_SCREENS = 5 };
extern const int help_screens[HELP_SCREENS][2]; /* columns, rows */

/* Cells in which values of matrices, or what a mask hides, are drawn; fails the test where in colours one
 * of them is not. */
int help_map_cells(const struct tui *t, const struct canvas *c);

#endif
