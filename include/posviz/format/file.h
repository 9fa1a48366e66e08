/* file.h: reading whole files up to a limit, and writing files whole or not at all.
 *
 * Writing goes to a temporary file beside the target, is synced, and is renamed over it; a
 * failure leaves no trace. An existing file is refused unless `force`. "-" is standard input or
 * output; pipes and devices are written directly. */
#ifndef POSVIZ_FILE_H
#define POSVIZ_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"

/* Reads all of `path`, at most `limit` bytes. The data comes from `a` and ends with an
 * additional NUL. */
bool file_read(const char *path, size_t limit, struct arena *a, char **data, size_t *len,
	       struct err *err);

/* Writes data[0..len) to `path`, whole or not at all. */
bool file_write(const char *path, const void *data, size_t len, bool force, struct err *err);

/* Returns whether two paths lead to the same file: through links, through "sub/../", or, if the
 * file does not exist yet, as the same name in the same directory. */
bool file_same(const char *path, const char *other);

/* A batch of files that belong together: all of them are written, or none. Two paths to the same
 * file are an error. Adding a file writes its data to the disk; file_batch_write gives the files
 * their names, and file_batch_free removes those without a name. Output to a pipe, a device or
 * standard output is written first. */
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

/* Writes over a file whose content is still `was` (NULL: the file does not exist; `any`: any
 * regular file may be overwritten), or creates it anew if it has disappeared. Otherwise the file
 * stays as it is, and *other is set. A link that was put in its place is such a case and is
 * never followed. */
bool file_update(const char *path, const struct file_text *was, bool any, const void *data,
		 size_t len, bool *other, struct err *err);

/* Appends to a file of lines, whole or not at all; creates it (mode 0600) when it does not
 * exist. Programs that append at the same time wait for each other, for some milliseconds at
 * most. */
bool file_append(const char *path, const void *data, size_t len, struct err *err);

/* Shortens a file of lines that holds more than `most` bytes to its last whole lines, at most
 * `keep` bytes of them. Lines that other programs append meanwhile are not lost. */
bool file_keep_tail(const char *path, size_t most, size_t keep, struct err *err);

bool file_exists(const char *path);

/* Returns which file this is and the time of its last change, because a file of the same name may be
 * another one; of a directory, those of the files in it. NULL: unknown. */
const char *file_identity(const char *path, struct arena *a);

/* Makes the directory and its parents (mode 0700). */
bool file_make_dirs(const char *path, struct err *err);

#endif
