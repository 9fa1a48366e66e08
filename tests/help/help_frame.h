/* help_frame.h: whole screens of the terminal program in memory, without a terminal: the content
 * that curses would get. */
#ifndef HELP_FRAME_H
#define HELP_FRAME_H

#include "tui/tui_in.h"

/* Returns the program showing a scene of this expression and these lines, with the initial cursor.
 * It is in `a`, except for what help_tui_done frees. */
struct tui *help_tui(struct arena *a, const char *expression, const char *lines,
		     enum background background);

void help_tui_done(struct tui *t);

struct help_look {
	int cols, rows;
	enum tier tier;
	bool ascii;
};

/* Draws a screen, with a report at tui->report; valid until the next one. */
const struct canvas *help_frame(struct tui *t, struct help_look look);

/* Returns "explore of rope, 120x36, 256, dark". */
const char *help_frame_name(struct arena *a, const struct tui *t, struct help_look look);

/* Usual sizes of terminals, 200×50 to 40×12. */
enum { HELP_SCREENS = 5 };
extern const int help_screens[HELP_SCREENS][2]; /* columns, rows */

/* Returns the number of cells that show values or masks of matrices; fails the test if one of them,
 * in colours, is not drawn. */
int help_map_cells(const struct tui *t, const struct canvas *c);

#endif
