/* help_arena.h: the fixtures of most files: an arena, and an empty folder to work in. */
#ifndef HELP_ARENA_H
#define HELP_ARENA_H

#include "posviz/base/arena.h"

extern struct arena arena; /* during each test; *state too */

int open_arena(void **state);
int close_arena(void **state);

/* The arena, in an empty folder that goes with all that is in it. */
int open_folder(void **state);
int close_folder(void **state);

#endif
