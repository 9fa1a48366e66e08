/* cleanup.h: what is undone when the process ends before its time: by a signal, a crash, die or BUG.
 *
 * The terminal gets its modes back, and files that are not whole yet are removed. All of this may run
 * in a signal handler, on any thread. */
#ifndef POSVIZ_CLEANUP_H
#define POSVIZ_CLEANUP_H

/* Registers the function that restores the terminal; NULL for none. It must be fit for a handler. */
void cleanup_restore(void (*restore)(void));

/* Registers a file that is removed if the process ends before cleanup_drop_file. Returns its number; -1
 * without memory for it, which cleanup_drop_file takes too. */
int cleanup_add_file(const char *path);
void cleanup_drop_file(int number);

/* Undoes all of it, once. */
void cleanup_undo(void);

/* Catches every signal whose default is to end the process, but for those that whoever started us wants
 * ignored. `ends` is called for them, or NULL: all is undone and the signal does what it does. A crash
 * is always treated so, even when the stack of the main thread is used up. */
void cleanup_catch(void (*ends)(int number));

/* A stack of its own for the handlers of this thread, for when it has used up the other one. */
void cleanup_thread(void);

#endif
