/* disk.h: files and directories to read, on the disk or inside the program: "@trained" is the directory
 * assets/models/trained, "@trained/config.json" a file in it. "./@trained" is one on the disk. */
#ifndef POSVIZ_DISK_H
#define POSVIZ_DISK_H

#include <stdbool.h>
#include <sys/stat.h>

#include "posviz/base/asset.h"

/* Returns whether the path is a file or a directory inside the program. */
bool disk_is_inside(const char *path);
/* Returns the file inside the program at this path; NULL: there is none, or it is a directory. */
const struct asset *disk_inside(const char *path);
/* Returns the name of the i-th file of a directory inside; NULL: there are no more. */
const char *disk_inside_name(const char *path, size_t i);
/* Returns 0, or −1 with errno, as stat does; what is inside never changes. */
int disk_stat(const char *path, struct stat *st);

#endif
