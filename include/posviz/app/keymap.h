/* keymap.h: what keys do: the table of all of them (app/keys.c), and the user's own over it. */
#ifndef POSVIZ_KEYMAP_H
#define POSVIZ_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"

struct app;

struct binding {
	const char *context; /* "" everywhere, "matrix", "schemes", "line", "permute", ... */
	const char *key;     /* "j", "Down", "Ctrl-r", "Enter" */
	const char *command; /* a command line */
	const char *note;    /* for help */
	const char *footer; /* shown at the bottom when there is room; neighbours with the same word
	                      * share it; NULL: not there */
};
extern const struct binding bindings[]; /* ends with key == NULL */

/* Keys of the user's own, over the table. */
struct keymap {
	struct binding *own; /* in the arena of the app; command "": the key does nothing */
	size_t n, cap;
};

/* The binding of a key: looked for in each of the contexts in turn (ending with NULL; "" is
 * everywhere), the user's own before the table's. NULL when unbound. */
const struct binding *keymap_find(const struct app *app, const char *const *contexts,
				  const char *key);
/* What a key does that means the same whatever is open, and cannot be bound; NULL: it is none. */
const struct binding *keymap_fixed(const char *key);
/* Whether a row of the table leads somewhere: nine keys are kept for views, and there may be fewer. */
bool keymap_leads(const struct binding *b);
/* Row i of what is in force: the table's rows in their order, with the user's command where one took
 * a key's place and without those that do nothing, then the user's other keys. NULL at the end. */
const struct binding *keymap_row(const struct app *app, size_t i);
/* A binding as the command that makes it, and back; false when the line binds no key. */
const char *keymap_line(const struct binding *b, struct arena *a);
bool keymap_read(const char *line, struct binding *out);

#endif
