/* blas_memory.h: the number of threads for which there is memory. */
#ifndef MATH_BLAS_MEMORY_H
#define MATH_BLAS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

enum { ROOM_THREADS = 16 }; /* the largest number that is used */

/* Returns whether BLAS can have `blas` threads, the caller's included, while `callers` threads
 * of posviz use it. Asks only the kernel, so it may be called before libraries are initialised. */
bool blas_memory_fits(size_t blas, size_t callers);

/* Returns the number of threads that machine_check_memory found; 0: it was not called. */
size_t blas_memory_threads(void);

#endif
