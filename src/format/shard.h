/* shard.h: a file of which parts are read by their place, as long as it is the file that was
 * opened first; or bytes in memory. */
#ifndef FORMAT_SHARD_H
#define FORMAT_SHARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"

struct shard {
	const char *path;
	const unsigned char *bytes; /* of a file in memory; else NULL */
	uint64_t size;
	struct stat seen; /* the identity of the file: another one is not read */
};

/* Looks at a regular file; links are followed. The path comes from the caller and stays. */
bool shard_open(struct shard *s, const char *path, struct err *err);

/* Reads len bytes from `at`, which lie within the size. False if the file was replaced, written
 * or cut since shard_open; the message is without the path. Nothing stays open between calls: a model has hundreds of files. */
bool shard_read(const struct shard *s, uint64_t at, void *out, size_t len, struct err *err);

/* Puts the quoted path before the message. Returns false. */
bool shard_blame(const struct shard *s, struct err *err);

#endif
