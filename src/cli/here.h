/* here.h: draws a figure on the terminal that is standard output. */
#ifndef POSVIZ_HERE_H
#define POSVIZ_HERE_H

#include "cli.h"
#include "posviz/tui/graphics.h"

struct here {
	bool wanted; /* standard output is a terminal, and neither a file nor a format was given */
	struct asking asking;
	struct tui_tier terminal;
	struct graphics graphics;
	bool shrunk; /* the given size did not fit */
};

/* Asks the terminal, and chooses the format. */
void here_choose(struct cli *c, struct here *h);
/* Sets the size of the page from the terminal, unless it was given. */
void here_fit(struct cli *c, struct here *h, struct write_look *look);
/* Explains afterwards, on standard error, why the figure differs from what was asked for, or what
 * would make it a picture in tmux, which draws only cells until it is configured otherwise. */
void here_say(const struct cli *c, const struct here *h);
/* Waits until a picture that was sent has been drawn, if the terminal answers at all. */
void here_drawn(struct here *h);
/* Ends the questions and restores the terminal. */
void here_close(struct here *h);

#endif
