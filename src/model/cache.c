/* cache.c: matrices, and other results that take long, kept between evaluations by key.
 *
 * Results that depend only on parameters and lengths are worth keeping while the user types. A
 * run enters the cache, reads entries in place, adds its results, and leaves; nothing is freed
 * while a run is inside. When the limit has been reached everything is freed as soon as no run
 * is inside. This is simple, and right for a cache whose entries expire together when the scheme
 * changes. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "model_in.h"

enum { CACHE_SLOTS = 1024 };

struct entry {
	char *key;
	struct mat at;
	const void *block; /* or other data, in memory of its own */
	struct arena own;
};

struct cache {
	pthread_mutex_t lock;
	struct arena arena;
	struct entry entries[CACHE_SLOTS];
	size_t n, limit, held, users;
	size_t blocks; /* bytes of blocks */
	bool full;     /* an entry did not fit: cleared when the last run has left */
};

struct cache *cache_new(size_t limit_bytes)
{
	struct cache *cache = calloc(1, sizeof *cache);
	if (!cache)
		die("no memory for the cache");
	pthread_mutex_init(&cache->lock, NULL);
	arena_init(&cache->arena);
	cache->limit = limit_bytes;
	return cache;
}

static void clear(struct cache *cache)
{
	for (size_t i = 0; i < cache->n; i++)
		arena_release(&cache->entries[i].own);
	arena_release(&cache->arena);
	cache->n = cache->blocks = 0;
	cache->full = false;
}

void cache_free(struct cache *cache)
{
	if (!cache)
		return;
	clear(cache);
	pthread_mutex_destroy(&cache->lock);
	free(cache);
}

static const struct entry *find(const struct cache *cache, const char *key)
{
	for (size_t i = 0; i < cache->n; i++)
		if (strcmp(cache->entries[i].key, key) == 0)
			return &cache->entries[i];
	return NULL;
}

void cache_enter(struct cache *cache)
{
	if (!cache)
		return;
	pthread_mutex_lock(&cache->lock);
	if (cache->full && cache->users == 0)
		clear(cache);
	cache->users++;
	pthread_mutex_unlock(&cache->lock);
}

void cache_leave(struct cache *cache)
{
	if (!cache)
		return;
	pthread_mutex_lock(&cache->lock);
	cache->users--;
	pthread_mutex_unlock(&cache->lock);
}

bool cache_get(struct cache *cache, const char *key, struct mat *out)
{
	if (!cache)
		return false;
	pthread_mutex_lock(&cache->lock);
	const struct entry *e = find(cache, key);
	if (e)
		*out = e->at;
	pthread_mutex_unlock(&cache->lock);
	return e != NULL;
}

/* Adds an entry if it fits and the name is new; else NULL. */
static struct entry *add(struct cache *cache, const char *key, size_t bytes)
{
	if (cache->n == CACHE_SLOTS || cache->arena.used + cache->blocks + bytes > cache->limit) {
		cache->full = true;
		return NULL;
	}
	if (find(cache, key))
		return NULL;
	struct entry *e = &cache->entries[cache->n++];
	*e = (struct entry){.key = arena_strdup(&cache->arena, key)};
	return e;
}

/* Adds an entry for data in an arena, which then belongs to it. */
static struct entry *adopt(struct cache *cache, const char *key, struct arena *own)
{
	struct entry *const e = add(cache, key, own->used);
	if (!e)
		return NULL;
	cache->blocks += own->used;
	e->own = *own;
	arena_init(own);
	return e;
}

void cache_put(struct cache *cache, const char *key, struct mat m)
{
	const size_t bytes = m.rows * m.cols * sizeof(double);
	if (!cache || bytes > cache->limit)
		return;
	pthread_mutex_lock(&cache->lock);
	struct entry *e = add(cache, key, bytes);
	if (e)
		e->at = mat_copy(&cache->arena, m);
	pthread_mutex_unlock(&cache->lock);
}

bool cache_take(struct cache *cache, const char *key, struct mat m, struct arena *own)
{
	if (!cache || own->used > cache->limit)
		return false;
	pthread_mutex_lock(&cache->lock);
	struct entry *const e = adopt(cache, key, own);
	if (e)
		e->at = m;
	pthread_mutex_unlock(&cache->lock);
	return e != NULL;
}

const void *cache_block(struct cache *cache, const char *key)
{
	pthread_mutex_lock(&cache->lock);
	const struct entry *e = find(cache, key);
	pthread_mutex_unlock(&cache->lock);
	return e ? e->block : NULL;
}

bool cache_adopt(struct cache *cache, const char *key, const void *block, struct arena *own)
{
	if (own->used > cache->limit)
		return false;
	pthread_mutex_lock(&cache->lock);
	struct entry *const e = adopt(cache, key, own);
	if (e)
		e->block = block;
	pthread_mutex_unlock(&cache->lock);
	return e != NULL;
}

bool cache_recall(struct cache *cache, const char *key, double *out, size_t n)
{
	struct mat m;
	cache_enter(cache);
	const bool found = cache_get(cache, key, &m);
	BUG_IF(found && m.cols != n);
	if (found)
		memcpy(out, m.at, n * sizeof *out);
	cache_leave(cache);
	return found;
}

void cache_remember(struct cache *cache, const char *key, const double *numbers, size_t n)
{
	struct arena a;
	arena_init(&a);
	const struct mat m = mat_new(&a, 1, n);
	memcpy(m.at, numbers, n * sizeof *numbers);
	cache_put(cache, key, m);
	arena_release(&a);
}

void cache_hold(struct cache *cache, size_t bytes)
{
	pthread_mutex_lock(&cache->lock);
	cache->held = bytes;
	pthread_mutex_unlock(&cache->lock);
}

size_t cache_bytes(struct cache *cache)
{
	if (!cache)
		return 0;
	pthread_mutex_lock(&cache->lock);
	const size_t bytes = cache->arena.used + cache->blocks + cache->held;
	pthread_mutex_unlock(&cache->lock);
	return bytes;
}
