/* help_peak.h: the memory that a process took. */
#ifndef HELP_PEAK_H
#define HELP_PEAK_H

#include <stddef.h>

/* Whether the memory of a process is the program's alone: sanitizers take their own beside it. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { PEAK_IS_OWN = 0 };
#else
enum { PEAK_IS_OWN = 1 };
#endif

/* Returns the largest number of bytes of memory of its own that this process had at once; the second lets the peak
 * begin anew first, where the kernel can do that. */
size_t help_peak(void);
size_t help_peak_from_here(void);

#endif
