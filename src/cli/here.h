/* here.h: a figure on the terminal that is standard output. */
#ifndef POSVIZ_HERE_H
#define POSVIZ_HERE_H

#include "cli.h"
#include "tui/graphics.h"

struct here {
	bool wanted; /* a terminal is there, and neither a file nor a format was named */
	struct asking asking;
	struct tui_tier terminal;
	struct graphics graphics;
	bool shrunk; /* the size that was given had no room */
};

/* Asks the terminal, and decides on the format. */
void here_choose(struct cli *c, struct here *h);
/* The size of the page, from the terminal unless it was given. */
void here_fit(struct cli *c, struct here *h, struct write_look *look);
/* Afterwards, on standard error: why it is not what was asked for, or what would make it a picture in tmux,
 * which shows cells alone until it is told otherwise. */
void here_say(const struct cli *c, const struct here *h);
/* Waits until a picture that was sent is drawn, if the terminal answers at all. */
void here_drawn(struct here *h);
/* Gives the terminal back. */
void here_close(struct here *h);

#endif
