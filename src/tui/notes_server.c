/* notes_server.c: tells the speaker's terminal where the tour is. */
#include "tui_in.h"

void notes_tell(struct tui *t)
{
	(void)t;
}
