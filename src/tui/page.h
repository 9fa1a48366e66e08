/* page.h: the page of a scene on the whole screen of a terminal. */
#ifndef POSVIZ_TUI_PAGE_H
#define POSVIZ_TUI_PAGE_H

#include "posviz/tui/graphics.h"
#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/plot/canvas.h"

struct tui;
struct key;

/* The page on the whole screen. `page` leads to ASKING, where the terminal may still answer, or at once to
 * DRAWING; its bytes from there to SENDING, the last of them to SHOWN; cells are SHOWN at once. Any key
 * leads to OFF from anywhere. */
enum page_state { PAGE_OFF, PAGE_ASKING, PAGE_DRAWING, PAGE_SENDING, PAGE_SHOWN };

struct page_shown {
	enum page_state state;
	bool asked; /* the terminal around tmux */
	enum tmux tmux;
	struct graphics graphics;
	long width, height; /* pixels */
	struct arena arena;
	const char *bytes; /* [len], of which so many were sent */
	size_t len, sent;
	struct err trouble;
};

void page_open(struct tui *t);
bool page_is_open(const struct tui *t);
bool page_key(struct tui *t, const struct key *key); /* false: the key means what it always does */

#endif
