/* folder.h: folders of the program's own in which it keeps what it made, so that they do not grow for ever. */
#ifndef POSVIZ_FOLDER_H
#define POSVIZ_FOLDER_H

#include <stddef.h>

/* Removes all but the newest `most` entries that lie `depth` folders below this one (0: in it), files as well as
 * folders with all that is in them, and then the folder that it was in, if nothing else is there. An entry is as new as the last
 * change in it. Links are removed themselves, and never followed. What cannot be removed stays. */
void folder_keep_newest(const char *folder, size_t depth, size_t most);

#endif
