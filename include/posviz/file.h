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

bool file_exists(const char *path);

/* Makes the directory and its parents (mode 0700). */
bool file_make_dirs(const char *path, struct err *err);

#endif
