/* notes_place.h: where the terminal that shows a tour and those with the speaker's notes meet: a Unix socket in a
 * directory that nobody else may enter.
 *
 * That is $XDG_RUNTIME_DIR/posviz, else posviz-UID in $TMPDIR (/tmp). One that belongs to somebody else, is a link or
 * lets others in is not used. The socket is called after the tour: order.sock, and for a file
 * lesson-1f2e3d4c.sock, by its name and its whole path. */
#ifndef POSVIZ_TUI_NOTES_PLACE_H
#define POSVIZ_TUI_NOTES_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"

enum { NOTES_DIRECTORIES = 2, NOTES_SOCKETS = 32 };

/* The directories that may be used, the first first: how many; made where they are not there and `make`. The error is
 * why the last one could not be. */
size_t notes_directories(bool make, struct arena *a, const char *out[NOTES_DIRECTORIES],
			 struct err *err);

/* Tells whether there is a place for sockets, or could be. */
bool notes_usable(struct err *err);

/* The name of a tour's socket; `path` is a file's, absolute, or NULL. */
const char *notes_socket_name(const char *tour, const char *path, struct arena *a);

/* An open socket that others find by its name. */
struct notes_door {
	int fd; /* -1: none is open */
	char path[128];
	dev_t device;
	ino_t inode;
};
/* Opens the socket; one that is there and that nobody answers is replaced. False: there is no place for it, or (*taken) somebody has
 * it. */
bool notes_door_open(struct notes_door *d, const char *name, bool *taken, struct err *err);
/* Tells whether it can still be found. */
bool notes_door_stands(const struct notes_door *d);
void notes_door_close(struct notes_door *d);

/* A connection to the socket of that name, which never blocks; -1: nobody is there. */
int notes_connect(const char *name);
/* The names, without their ending, of those where somebody answers; at most NOTES_SOCKETS, in the order of the
 * alphabet. */
const char **notes_open_names(struct arena *a, size_t *n);

/* Never blocks, and is not handed on to other programs. */
bool notes_set_flags(int fd);

#endif
