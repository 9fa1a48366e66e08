/* portable.h: what systems have under names of their own, or not at all.
 *
 * portable.c alone is compiled with what is beyond POSIX and BSD; each function there has a way that needs
 * no more than these, and -DPOSVIZ_PORTABLE takes all of them. */
#ifndef POSVIZ_PORTABLE_H
#define POSVIZ_PORTABLE_H

#include <stdbool.h>
#include <stddef.h>

/* "glibc 2.36"; "unknown" where it does not tell. */
const char *portable_libc(void);

/* What an errno means, in English where the C library knows it apart from the locale. */
const char *portable_reason(int code);

/* Processors that this process may run on, at least 1. */
size_t portable_processors(void);

/* An evaluation takes the same tens of megabytes as the one before. Left alone, glibc gives them back to
 * the kernel each time and a quarter of the time goes into faulting pages in again. */
void portable_keep_freed_memory(void);

/* Memory that will be used soon and all of it: a hint that the kernel give it in large pages, which it is
 * asked for once where small ones are faulted in by the hundreds. None of them reaches beyond it. */
void portable_large_pages(void *at, size_t size);

/* The same program again, in this process, with its environment or (NULL) ours; returns only when that
 * cannot be. */
void portable_start_again(char **argv, char **environment);

/* A pipe whose ends wait for nothing and are closed by exec; false with errno. */
bool portable_pipe(int ends[2]);

/* Gives the file its name, which must be free: whoever comes second is refused. 0 or errno. */
int portable_rename_new(const char *from, const char *to);

/* Lets others go before this thread and those it starts, where a thread can be told apart. */
void portable_step_back(int nice);

#endif
