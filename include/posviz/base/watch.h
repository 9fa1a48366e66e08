/* watch.h: progress of long work and its cancellation, shared with the thread that waits for it.
 *
 * Work is counted in evaluations of a head. A caller that starts several runs announces their
 * total before the first; a run that was not announced adds its own. Any thread may read and
 * write all of it, and everywhere NULL is a watch that no thread reads. */
#ifndef POSVIZ_WATCH_H
#define POSVIZ_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct watch {
	atomic_bool cancel;
	atomic_size_t all, done; /* evaluations of a head */
	double (*seconds)(void); /* the clock of the waiting thread; NULL: no timing */
};

void watch_begin(struct watch *w); /* nothing done, not cancelled, no clock */
/* Sets the clock by which durations are measured: the core has none of its own. */
void watch_time(struct watch *w, double (*seconds)(void));
void watch_cancel(struct watch *w);
bool watch_cancelled(const struct watch *w);

/* Announces at least this many further evaluations. */
void watch_expect(struct watch *w, size_t heads);
void watch_did(struct watch *w, size_t heads);
/* Returns the part that is done, in [0, 1]; 0 as long as nothing is done. */
double watch_part(const struct watch *w);

#endif
