/* cache_bytes.h: how much of the memory the cache takes, for those who ask what is left. */
#ifndef POSVIZ_CACHE_BYTES_H
#define POSVIZ_CACHE_BYTES_H

#include "posviz/model/cache.h"

size_t cache_bytes(struct cache *cache); /* cached and held; 0 for NULL */

#endif
