/* watch.h: work that takes a while, seen by who waits for it: how far it is, and that it is to stop.
 *
 * Work is counted in evaluations of a head. Whoever knows of several runs says how many these are
 * together before the first; a run that was not expected adds its own. All of it may be read and
 * written by any thread, and everywhere NULL is a watch that nobody looks at. */
#ifndef POSVIZ_WATCH_H
#define POSVIZ_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct watch {
	atomic_bool cancel;
	atomic_size_t all, done; /* evaluations of a head */
	double (*seconds)(void); /* the clock of who waits; NULL: nothing is to be timed */
};

void watch_begin(struct watch *w); /* nothing is done, and nobody wants it to stop; no clock */
/* Gives it a clock, for what measures time: the core has none of its own. */
void watch_time(struct watch *w, double (*seconds)(void));
void watch_cancel(struct watch *w);
bool watch_cancelled(const struct watch *w);

/* So many more are to come, at least. */
void watch_expect(struct watch *w, size_t heads);
void watch_did(struct watch *w, size_t heads);
/* Which part is done, in [0, 1]; 0 as long as nothing is. */
double watch_part(const struct watch *w);

#endif
