/* cache.c: matrices kept between evaluations, by key.
 *
 * What depends on parameters and lengths only is worth keeping while somebody types. A run enters the
 * cache, reads matrices in place, adds what it made, and leaves; nothing goes while anybody is
 * inside. When the limit was reached everything goes as soon as nobody is, which is simple and, at one
 * scheme change, right. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "model_in.h"

enum { CACHE_SLOTS = 1024 };

struct entry {
	char *key;
	struct mat at;
};

struct cache {
	pthread_mutex_t lock;
	struct arena arena;
	struct entry entries[CACHE_SLOTS];
	size_t n, limit, held, users;
	bool full; /* something found no place: cleared when the last user has left */
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

void cache_free(struct cache *cache)
{
	if (!cache)
		return;
	arena_release(&cache->arena);
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
	if (cache->full && cache->users == 0) {
		arena_release(&cache->arena);
		cache->n = 0;
		cache->full = false;
	}
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

void cache_put(struct cache *cache, const char *key, struct mat m)
{
	const size_t bytes = m.rows * m.cols * sizeof(double);
	if (!cache || bytes > cache->limit)
		return;
	pthread_mutex_lock(&cache->lock);
	if (cache->n == CACHE_SLOTS || cache->arena.used + bytes > cache->limit) {
		cache->full = true;
	} else if (!find(cache, key)) {
		cache->entries[cache->n].key = arena_strdup(&cache->arena, key);
		cache->entries[cache->n].at = mat_copy(&cache->arena, m);
		cache->n++;
	}
	pthread_mutex_unlock(&cache->lock);
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
	const size_t bytes = cache->arena.used + cache->held;
	pthread_mutex_unlock(&cache->lock);
	return bytes;
}
