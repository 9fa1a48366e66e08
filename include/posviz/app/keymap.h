/* keymap.h: keys and their commands: the table of all keys (app/keys.c), and the user's own keys,
 * which override it. */
#ifndef POSVIZ_KEYMAP_H
#define POSVIZ_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"

struct app;

struct binding {
	const char *context; /* "" (everywhere), "matrix", "schemes", "line", "permute", ... */
	const char *key;     /* "j", "Down", "Ctrl-r", "Enter" */
	const char *command; /* a command line */
	const char *note;    /* for help */
	const char *footer;  /* at the bottom, if there is room; neighbours share equal words; NULL:
			      * none */
};
extern const struct binding bindings[]; /* ends with key == NULL */

enum { TOPICS_NUMBERED = 9 }; /* pages of the help that have a number for a key */
/* A topic of the help, such as files or colours: its commands, with commas between them. The keys that work everywhere
 * are divided among the topics by their commands. */
struct key_topic {
	const char *title, *commands;
};
extern const struct key_topic key_topics[]; /* ends with title == NULL */
/* Returns the topic of a command line, the one that names most of its words; NULL: none does. */
const struct key_topic *key_topic_of(const char *command);

/* The user's own keys; they override the table. */
struct keymap {
	struct binding *own; /* in the arena of the app; command "": the key is disabled */
	size_t n, cap;
	const struct binding **rows; /* those in force, [n_rows], in the order of keymap_row */
	size_t n_rows, room;
};
/* Lists the rows in force: at the start, and after each change of the user's own keys. */
void keymap_list(struct app *app);

/* Returns the binding of a key: the contexts are searched in turn (NULL at the end; "" is
 * everywhere), the user's own keys before the table. NULL when unbound. */
const struct binding *keymap_find(const struct app *app, const char *const *contexts,
				  const char *key);
/* Returns the function of a key that is the same everywhere and cannot be bound; NULL: the key is
 * not fixed. */
const struct binding *keymap_fixed(const char *key);
/* False for a key of a view that does not exist: nine keys are reserved for views. */
bool keymap_leads(const struct binding *b);
/* Returns row i of the bindings in force: the table's rows in order, each with the user's command
 * if the key was bound anew, without disabled keys; then the user's other keys. NULL at the end. */
const struct binding *keymap_row(const struct app *app, size_t i);
/* keymap_line() returns the command that makes a binding; keymap_read() parses one, and is false if
 * the line binds no key. */
const char *keymap_line(const struct binding *b, struct arena *a);
bool keymap_read(const char *line, struct binding *out);

#endif
