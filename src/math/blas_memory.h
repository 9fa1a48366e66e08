/* blas_memory.h: how many threads there is room for. */
#ifndef MATH_BLAS_MEMORY_H
#define MATH_BLAS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

enum { ROOM_THREADS = 16 }; /* the most that are used */

/* Whether BLAS may have so many threads, the caller's among them, and `callers` of ours use it. Asks the
 * kernel alone: it may be called before libraries begin. */
bool room_for(size_t blas, size_t callers);

/* As machine_room found it; 0: it was not called. */
size_t room_threads(void);

#endif
