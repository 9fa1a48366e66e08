/* descriptors.h: checking that more files can be opened.
 *
 * Some libraries open files themselves and do not report that too many are open: Fontconfig then
 * finds no fonts, and ncurses no terminal. Callers of these libraries check beforehand. */
#ifndef POSVIZ_DESCRIPTORS_H
#define POSVIZ_DESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/err.h"

enum {
	DESCRIPTORS_PAGE =
		8, /* fonts, their configuration, the pipe for Fontconfig's messages, the picture */
	DESCRIPTORS_TERMINAL =
		12 /* pipes of signals and of the worker, in addition to those of a page */
};

/* Returns whether this process can open `n` more files at the same time. If not, the error says
 * that `what` cannot be opened and names the limit. Other threads may open files meanwhile, so
 * callers ask for more than they need. */
bool descriptors_room(size_t n, const char *what, struct err *err);

#endif
