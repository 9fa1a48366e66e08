/* descriptors.h: room for more open files.
 *
 * Libraries that open files themselves do not say that there are too many open: Fontconfig finds no fonts then,
 * ncurses no terminal. Who calls them looks first. */
#ifndef POSVIZ_DESCRIPTORS_H
#define POSVIZ_DESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/err.h"

enum {
	DESCRIPTORS_PAGE =
		8, /* fonts, their configuration, the pipe that takes what it says, the picture */
	DESCRIPTORS_TERMINAL =
		12 /* pipes of signals and of the worker, besides what a page takes */
};

/* Can this process open `n` more files at the same time? If not, the line names `what` cannot be opened and the
 * limit that is in the way. Other threads may open some meanwhile: ask for more than are needed. */
bool descriptors_room(size_t n, const char *what, struct err *err);

#endif
