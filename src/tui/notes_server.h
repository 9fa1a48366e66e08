/* notes_server.h: speakers' terminals, which follow the tour that is shown. */
#ifndef POSVIZ_TUI_NOTES_SERVER_H
#define POSVIZ_TUI_NOTES_SERVER_H

#include <stdbool.h>
#include <stddef.h>

struct tui;

struct notes_at;
struct pollfd;
enum { NOTES_FDS = 9 };
/* Tells them where the tour is, or that none is shown any more, as far as they do not know it. */
void notes_tell(struct tui *t);
/* Files to poll, in fds[NOTES_FDS]: how many; and after that, what came of them. */
size_t notes_poll(const struct tui *t, struct pollfd *fds);
void notes_serve(struct tui *t, const struct pollfd *fds, size_t n);
void notes_close(struct tui *t);
void notes_pause(struct tui *t); /* the clock, or it runs again */

#endif
