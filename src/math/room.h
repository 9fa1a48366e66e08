/* room.h: how many threads there is room for. */
#ifndef MATH_ROOM_H
#define MATH_ROOM_H

#include <stddef.h>

/* As machine_room found it; 0: it was not called. */
size_t room_threads(void);

#endif
