/* help_arena.h: the fixtures of most files: an arena, and an empty folder to work in. */
#ifndef HELP_ARENA_H
#define HELP_ARENA_H

#include "posviz/base/arena.h"

extern struct arena arena; /* valid during each test; *state points to it too */

int open_arena(void **state);
int close_arena(void **state);

/* The same fixtures with an empty working folder, which is removed with its content. */
int open_folder(void **state);
int close_folder(void **state);

#endif
