/* file.h: files read whole within a limit and written whole or not at all.
 *
 * Writing goes to a temporary file beside the target, is synced, and is renamed over it; a failure
 * leaves no trace. An existing file is refused unless `force`. "-" is standard input or output;
 * pipes and devices are written directly. */
#ifndef POSVIZ_FILE_H
#define POSVIZ_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"

/* Reads all of `path`, at most `limit` bytes; data from `a`, terminated by an extra NUL. */
bool file_read(const char *path, size_t limit, struct arena *a, char **data, size_t *len,
	       struct err *err);

/* Writes data[0..len) to `path`, whole or not at all. */
bool file_write(const char *path, const void *data, size_t len, bool force, struct err *err);

/* True where two paths lead to one file: by links, by "sub/../", or by one name in one directory where nothing is
 * yet. */
bool file_same(const char *path, const char *other);

/* Files that belong together: all of them are written, or none. Two paths that lead to one file are an error. Each is
 * on the disk when it was added; file_batch_write gives them their names, and file_batch_free removes what has none.
 * What goes to a pipe, a device or standard output is written first. */
struct file_batch;
struct file_batch *file_batch_new(void);
void file_batch_free(struct file_batch *b); /* or NULL */
bool file_batch_add(struct file_batch *b, const char *path, const void *data, size_t len,
		    bool force, struct err *err);
bool file_batch_write(struct file_batch *b, struct err *err);

struct file_text {
	const char *at;
	size_t len;
};

/* Writes over a file that is still what it `was` (NULL: nothing is there; `any`: whatever regular file is there may
 * go), or, where it has gone, anew. Otherwise it stays, and *other is set; a link that was put in its place is one of
 * these cases and is never followed. */
bool file_update(const char *path, const struct file_text *was, bool any, const void *data,
		 size_t len, bool *other, struct err *err);

/* Adds to the end of a file of lines, whole or not at all; makes it (mode 0600) when it is not there.
 * Programs that do so at the same time wait for each other, for some milliseconds at most. */
bool file_append(const char *path, const void *data, size_t len, struct err *err);

/* Shortens a file of lines that holds more than `most` bytes to its last whole lines, at most `keep`
 * bytes of them. What others append meanwhile is not lost. */
bool file_keep_tail(const char *path, size_t most, size_t keep, struct err *err);

bool file_exists(const char *path);

/* Makes the directory and its parents (mode 0700). */
bool file_make_dirs(const char *path, struct err *err);

#endif
