/* file_in.h: functions that reading and writing files share. */
#ifndef POSVIZ_FILE_IN_H
#define POSVIZ_FILE_IN_H

#include "posviz/format/file.h"

enum { FILE_QUOTED = 256 };

/* Returns a system error in plain words. */
const char *file_reason(int code);
/* Sets the error "cannot <verb> "path": <why>". Returns false. */
bool file_fail(struct err *err, const char *verb, const char *path, const char *why);

/* Waits for a pipe that its other end made non-blocking, after a call that failed with errno;
 * false if waiting does not help. */
bool file_wait(int fd, short events);
/* Writes all bytes; returns 0 or errno, also for a file over the size limit. */
int file_write_all(int fd, const char *at, size_t len);

#endif
