/* help_screen.h: a screen as text that can be stored, read and compared.
 *
 * The text of the rows comes first, then a line for the look of each row: runs of columns (from 1)
 * with attributes and colours, "7-12 bold fg #2a788e on 238"; a row that looks like the one above
 * it has the line ". Invisible differences are left out: a blank between two words of one look has
 * their look. The first row is left out, because it names all views and the time. Digits of
 * rounding noise are masked. */
#ifndef HELP_SCREEN_H
#define HELP_SCREEN_H

#include "help_pty.h"
#include "posviz/base/arena.h"

/* Return the text and the look of every row from the second on, without blanks at its end. */
char *screen_text(const struct pty *p, struct arena *a);
char *screen_look(const struct pty *p, struct arena *a);

/* Prints the lines in which two texts differ, at most `most` of them; returns how many differ. */
size_t screen_diff(const char *was, const char *is, size_t most);

#endif
