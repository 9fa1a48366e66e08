/* watch.c: see watch.h. The counters are atomic one by one; a fraction computed between two
 * updates may be a moment old. */
#include "posviz/base/watch.h"

void watch_begin(struct watch *w)
{
	atomic_store(&w->done, 0);
	atomic_store(&w->all, 0);
	atomic_store(&w->cancel, false);
	w->seconds = NULL;
}

void watch_time(struct watch *w, double (*seconds)(void))
{
	w->seconds = seconds;
}

void watch_cancel(struct watch *w)
{
	atomic_store(&w->cancel, true);
}

bool watch_cancelled(const struct watch *w)
{
	return w && atomic_load_explicit(&w->cancel, memory_order_relaxed);
}

void watch_expect(struct watch *w, size_t heads)
{
	if (!w)
		return;
	const size_t then = atomic_load(&w->done) + heads;
	if (then > atomic_load(&w->all))
		atomic_store(&w->all, then);
}

void watch_did(struct watch *w, size_t heads)
{
	if (w)
		atomic_fetch_add_explicit(&w->done, heads, memory_order_relaxed);
}

double watch_part(const struct watch *w)
{
	const size_t done = w ? atomic_load(&w->done) : 0, all = w ? atomic_load(&w->all) : 0;
	return done == 0 ? 0 : done < all ? (double)done / (double)all : 1;
}
