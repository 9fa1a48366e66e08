/* mode.h: what keys mean, and what lies over the rest. */
#ifndef POSVIZ_TUI_MODE_H
#define POSVIZ_TUI_MODE_H

#include <stddef.h>

struct tui;
struct canvas;

/* Modes, which say what keys mean. A box or a menu lies over what was before. */
enum mode {
	MODE_LOOK,
	MODE_COMMAND, /* a line is typed: a command, the sentence, or a search */
	MODE_SENTENCE,
	MODE_FIND,
	MODE_PERMUTE,
	MODE_HANG,
	MODE_COPY, /* the next key says what; any other leaves it */
	MODE_BOX,
	MODE_SEARCH, /* in a box: what is looked for is typed */
	MODE_MENU,
	MODE_FILTER, /* in the menu of views: what is looked for is typed */
	MODE_TOURS   /* a menu of tours, or of steps */
};
enum overlay { OVERLAY_NONE, OVERLAY_HELP, OVERLAY_VIEWS, OVERLAY_TOURS, OVERLAY_TEXT, OVERLAYS };

/* By enum overlay (box.c): the mode that its keys are of, and of a menu what choosing a row does. */
struct overlay_kind {
	enum mode mode;
	void (*draw)(struct tui *t, struct canvas *c);
	void (*choose)(struct tui *t, size_t row);
};
extern const struct overlay_kind overlays[OVERLAYS];

#endif
