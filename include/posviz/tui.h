/* tui.h: the interactive terminal program. */
#ifndef POSVIZ_TUI_H
#define POSVIZ_TUI_H

#include <stdbool.h>

#include "posviz/app.h"
#include "posviz/canvas.h"

enum { TUI_TIER_AUTO = -1 };

struct tui_options {
	int tier;	  /* enum tier, or TUI_TIER_AUTO: what the terminal and NO_COLOR say */
	bool ascii;	  /* no block, line or braille glyphs */
	enum theme theme; /* background of the terminal; auto: what COLORFGBG says, else dark */
};

/* Shows the app's scene and runs until the user leaves. Returns the exit code: 0, or 128 and the
 * number of the signal that ended it (INT 130, TERM 143, QUIT 131, a lost terminal 129). When there
 * is no terminal to run on it returns 2, `err` says what would work, and nothing was written. */
int tui_run(struct app *app, const struct tui_options *options, struct err *err);

/* The colours that TUI_TIER_AUTO stands for here; mono when the terminal is not known. */
enum tier tui_tier(void);

#endif
