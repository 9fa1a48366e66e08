/* clipboard.h: what of copying can be looked at without a terminal. */
#ifndef TUI_CLIPBOARD_H
#define TUI_CLIPBOARD_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"

enum {
	CLIPBOARD_MOST = 74994
}; /* bytes: 100,000 in base64 with what is around them, xterm's limit */

/* RFC 4648, with padding. */
const char *clipboard_base64(const char *text, size_t len, struct arena *a);

/* Tells whether a terminal of this type may have a clipboard. */
bool clipboard_possible(const char *term);

#endif
