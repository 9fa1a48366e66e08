/* tui.h: the interactive terminal program. */
#ifndef POSVIZ_TUI_H
#define POSVIZ_TUI_H

#include <stdbool.h>

#include "posviz/app/app.h"
#include "posviz/plot/canvas.h"
#include "posviz/plot/colormap.h"

/* Shows the app's scene and runs until the user leaves. Returns the exit code: 0, or 128 and the
 * number of the signal that ended it (INT 130, TERM 143, QUIT 131, a lost terminal 129). When there
 * is no terminal to run on it returns 2, `err` says what would work, and nothing was written. */
int tui_run(struct app *app, struct err *err);

/* Shows the speaker's notes of a tour that another terminal shows: of the one that is named, or (NULL) of the only
 * one; waits where there is none yet, and follows it as often as it comes back. Returns as tui_run. */
int notes_run(struct app *app, const char *name, struct err *err);

/* Abilities of a terminal, and why they were chosen; from the settings, the environment and the
 * terminal's description. */
struct tui_tier {
	enum tier tier;
	bool utf8, ascii;
	enum background background;
	bool talks;	/* the terminal answers questions, or is silent */
	bool asks;	/* it may know its background */
	bool tmux;	/* it is one */
	bool quadrants; /* of canvas */
	const char *why_tier, *why_ascii,
		*why_background; /* constant texts: "COLORTERM is truecolor" */
};
void tui_choose(const struct settings *settings, enum theme theme, struct tui_tier *out);

/* Tells whether a screen program can run at all: both standard input and output a terminal that is known
 * and can move its cursor. The error says what stands in the way. */
bool tui_possible(struct err *err);

#endif
