/* arena_child.h: an arena that ends with a piece of another, for what is allocated later than marks of
 * that one are taken. */
#ifndef POSVIZ_ARENA_CHILD_H
#define POSVIZ_ARENA_CHILD_H

#include "posviz/base/arena.h"

/* Makes an empty arena that is released when `a` is released, cleared, or rewound to a mark from
 * before this call. Its own allocations do not count as used by `a`. */
struct arena *arena_child(struct arena *a);
/* Calls end(context) at that time. */
void arena_at_end(struct arena *a, void (*end)(void *context), void *context);

#endif
