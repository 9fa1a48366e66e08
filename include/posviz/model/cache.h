/* cache.h: results that depend only on parameters and lengths, kept between evaluations.
 * Thread-safe. */
#ifndef POSVIZ_CACHE_H
#define POSVIZ_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"

struct cache;
enum { CACHE_BYTES = 256 << 20 }; /* limit of the programs' own caches */
struct cache *cache_new(size_t limit_bytes);
void cache_free(struct cache *cache);

/* Sets how many bytes the results of earlier evaluations still take: like cached data they count
 * against the memory of the next one. */
void cache_hold(struct cache *cache, size_t bytes);

/* Store and recall numbers that took evaluations to compute, by a key that contains everything
 * they depend on. cache_recall returns false when there are none; a NULL cache stores nothing. */
bool cache_recall(struct cache *cache, const char *key, double *out, size_t n);
void cache_remember(struct cache *cache, const char *key, const double *numbers, size_t n);

/* Between enter and leave, found data stays in place. NULL is an empty cache. */
void cache_enter(struct cache *cache);
void cache_leave(struct cache *cache);

/* cache_adopt takes over data in an arena of its own; false: the cache is full or has the key
 * already, and the arena stays the caller's. cache_block returns the data of a key; NULL: none. */
bool cache_adopt(struct cache *cache, const char *key, const void *block, struct arena *own);
const void *cache_block(struct cache *cache, const char *key);

#endif
