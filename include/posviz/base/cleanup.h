/* cleanup.h: cleaning up when the process ends early: by a signal, a crash, die or BUG.
 *
 * The terminal gets its modes back, and files that are still incomplete are removed. All of this
 * may run in a signal handler, on any thread. */
#ifndef POSVIZ_CLEANUP_H
#define POSVIZ_CLEANUP_H

/* Registers the function that restores the terminal, or NULL for none. It must be safe in a
 * signal handler. */
void cleanup_restore(void (*restore)(void));

/* Registers a file that is removed if the process ends before cleanup_drop_file. Returns the
 * number of the registration, or -1 when there is no memory for it; cleanup_drop_file accepts -1
 * too. */
int cleanup_add_file(const char *path);
void cleanup_drop_file(int number);

/* Restores the terminal and removes the registered files, once. */
void cleanup_undo(void);

/* Catches every signal whose default is to end the process, except those that our parent process
 * set to be ignored. Such a signal calls `ends`; if that is NULL, everything is cleaned up and
 * the signal takes its default action. A crash always cleans up, even when the stack of the main
 * thread is used up. */
void cleanup_catch(void (*ends)(int number));

/* Gives the signal handlers of this thread a stack of their own, for the case that the thread's
 * stack is used up. */
void cleanup_thread(void);

#endif
