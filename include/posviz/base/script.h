/* script.h: texts whose lines are a word and its argument: tours, figures of the papers.
 *
 * Blanks at the beginning of a line and empty lines mean nothing; a line that begins with # is a
 * comment. */
#ifndef POSVIZ_SCRIPT_H
#define POSVIZ_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"

struct script_line {
	size_t number;		 /* from 1 */
	const char *text;	 /* without the blanks around it */
	const char *word, *rest; /* rest: "" where there is none */
	const char *wrong;	 /* why the line is no text; NULL: it is, and the others are set */
};

/* Calls `each` for every line that is neither empty nor a comment, in order. Texts are stored in
 * `a`. */
void script_read(const char *text, size_t len, struct arena *a,
		 void (*each)(void *context, const struct script_line *line), void *context);

/* A row of a language's table of words. */
struct script_word {
	const char *name, *args; /* args: for people; "": no argument */
	int where;		 /* the allowed places of the word, as its language numbers them */
	size_t most;		 /* the largest number of characters; 0: no limit */
};

/* Returns whether the word takes this text; the error says what it takes. */
bool script_takes(const struct script_word *word, const char *text, struct err *err);

#endif
