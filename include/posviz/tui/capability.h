/* capability.h: what a terminal's description says. Apart from the rest because term.h makes macros of
 * `columns`, `lines` and other words that everybody else needs. */
#ifndef POSVIZ_CAPABILITY_H
#define POSVIZ_CAPABILITY_H

#include <stdbool.h>

struct capability {
	bool moves;  /* the cursor can be put anywhere */
	int colours; /* 0 when there are none */
	bool direct; /* they are red, green and blue */
	bool mouse;  /* reports clicks */
	bool paste;  /* marks what is pasted */
};

/* Reads the description of a terminal type; false when there is none. A terminal that is open stays
 * as it is. */
bool capability_read(const char *type, struct capability *out);

/* Sends a string of the open terminal's description, if it has one of that name. */
void capability_put(const char *name);

#endif
