/* portable.h: functions that systems have under different names, or not at all.
 *
 * portable.c is the only file compiled with extensions beyond POSIX and BSD. Each function there
 * also has a version that needs only those, and -DPOSVIZ_PORTABLE selects these versions
 * everywhere. */
#ifndef POSVIZ_PORTABLE_H
#define POSVIZ_PORTABLE_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the C library and its version, "glibc 2.36"; "unknown" when the library does not tell. */
const char *portable_libc(void);

/* Returns the meaning of an errno, in English if the C library can give it independently of the
 * locale. */
const char *portable_reason(int code);

/* Returns the number of processors that this process may use, at least 1. */
size_t portable_processors(void);

/* Makes malloc keep freed memory. Each evaluation takes the same tens of megabytes as the one
 * before. By default glibc gives them back to the kernel each time, and a quarter of the time
 * goes into page faults. */
void portable_keep_freed_memory(void);

/* Hints that all of this memory will be used soon, so that the kernel provides it in large
 * pages, once, instead of small pages by hundreds of faults. The large pages stay inside the
 * given memory. */
void portable_large_pages(void *at, size_t size);

/* Starts the same program again in this process, with the given environment or (NULL) the
 * present one. Returns only on failure. */
void portable_start_again(char **argv, char **environment);

/* Makes a non-blocking pipe whose ends are closed by exec; false with errno. */
bool portable_pipe(int ends[2]);

/* Renames the file to a name that must be free: if two processes race, the second is refused.
 * Returns 0 or errno. */
int portable_rename_new(const char *from, const char *to);

/* Lowers the priority of this thread and of those it starts, where the system can do that for a
 * single thread. */
void portable_step_back(int nice);

#endif
