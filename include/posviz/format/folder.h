/* folder.h: folders of the program's own in which it keeps what it made, so that they do not grow for ever. */
#ifndef POSVIZ_FOLDER_H
#define POSVIZ_FOLDER_H

#include <stddef.h>

/* Removes all but the newest `most` entries that lie `depth` folders below this one (0: in it), files as well as
 * folders with all that is in them, and then the folder that it was in, if nothing else is there. An entry is as new as the last
 * change in it; those that changed less than `spare` seconds ago, and those that a process holds, stay beside the
 * newest. Links are removed themselves, and never followed. What cannot be removed stays. */
void folder_keep_newest(const char *folder, size_t depth, size_t most, double spare);

/* Marks an entry as changed now, and holds it until this process ends; of one that is held already this is cheap. An
 * entry that is not there is not held. At most FOLDER_HELD are: beyond that entries are only marked. */
enum { FOLDER_HELD = 64 };
void folder_hold(const char *path);

#endif
