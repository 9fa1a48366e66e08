/* file.h: files read whole within a limit and written whole or not at all.
 *
 * Writing goes to a temporary file beside the target, is synced, and is renamed over it; a failure
 * leaves no trace. An existing file is refused unless `force`. "-" is standard input or output;
 * pipes and devices are written directly. */
#ifndef POSVIZ_FILE_H
#define POSVIZ_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/arena.h"
#include "posviz/err.h"

/* Reads all of `path`, at most `limit` bytes; data from `a`, terminated by an extra NUL. */
bool file_read(const char *path, size_t limit, struct arena *a, char **data, size_t *len,
	       struct err *err);

/* Writes data[0..len) to `path`, whole or not at all. */
bool file_write(const char *path, const void *data, size_t len, bool force, struct err *err);

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
