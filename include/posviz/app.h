/* app.h: the program without a terminal: commands change the scene, history remembers it, keys and
 * options are words for commands. */
#ifndef POSVIZ_APP_H
#define POSVIZ_APP_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/scene.h"

enum reaction {
	REACT_DRAW = 1 << 0,	/* the screen shows something else */
	REACT_LAYOUT = 1 << 1,	/* panes come, go or change size */
	REACT_FIGURE = 1 << 2,	/* the same numbers, another figure */
	REACT_COMPUTE = 1 << 3, /* other numbers are wanted */
	REACT_QUIT = 1 << 4,
};

struct picture;
struct measures;

/* What is on the screen, filled in by whoever draws it; commands that depend on it ("the last row",
 * "the limits now") look here. All zero while there is none. */
struct shown {
	size_t rows, cols, layers; /* of the matrices */
	size_t panes;		   /* that can have the focus */
	double lo, hi;		   /* limits of the matrix with the focus */
	const struct scene *scene; /* that the picture is of */
	const struct picture *picture;
	const struct measures *measures; /* of the same scene, or NULL */
};

struct app {
	struct arena arena; /* of the session */
	struct scene scene;
	struct scene *undo, *redo; /* stacks */
	size_t n_undo, n_redo, cap_undo, cap_redo;
	const char *undo_key; /* of the last change: repeated steps are one entry */
	const char *series;   /* set by a command whose repetitions are one entry */
	char message[512];    /* one line for the user; "" for none */
	bool message_is_error;
	size_t param; /* which parameter of the main member + and - change */
	size_t pane;  /* that has the focus */
	bool zoom;    /* it has the screen for itself */
	/* What only the terminal program can do is asked for here and done by it. */
	const char *ask; /* "help", "find", "edit", "permute", "why", "command", ...; or NULL */
	const char *ask_text; /* what a prompt begins with; or NULL */
	struct shown shown;
};

void app_init(struct app *app);
void app_release(struct app *app);

struct command {
	const char *name, *args, *help, *group;
	/* Changes the scene or the app; app_command finds out what that means for history and
	 * screen, so `reactions` gets only what cannot be seen from the scene. `args` is the
	 * rest of the line. On error false and nothing changed. */
	bool (*run)(struct app *app, const char *args, unsigned *reactions, struct err *err);
	/* Candidate i for the argument, or NULL at the end. NULL: no completion. */
	const char *(*complete)(const struct app *app, size_t i, struct arena *a);
};
extern const struct command commands[]; /* ends with name == NULL; scene fields are commands too */

/* Runs one command line; unknown names get a suggestion. */
bool app_command(struct app *app, const char *line, unsigned *reactions, struct err *err);

/* Candidate i to go on from `line` with, as a whole line; NULL at the end. */
const char *app_complete(const struct app *app, const char *line, size_t i, struct arena *a);

/* Leaves a message for the user. */
void app_say(struct app *app, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Whether one evaluation serves both scenes; then only the figure differs. */
bool app_same_numbers(const struct scene *a, const struct scene *b);

/* Makes a scene fit itself after a change: an order that no longer fits the tokens becomes the
 * identity, head and layer are ones that exist. Returns true when the order was given up. */
bool app_settle(struct scene *scene);

/* The place in `order` of every token now shown: reads the tokens of the scene. order[n] from `a`;
 * `tokens` (may be NULL) gets them as they were written. */
bool app_order(const struct app *app, struct arena *a, size_t **order, size_t *n,
	       struct input *tokens, struct err *err);

/* ---- the menu of schemes ----------------------------------------------------------------- */

struct menu_item {
	const char *group; /* "Absolute", "Trees", "Known models" */
	const struct scheme *scheme;
};

/* All schemes in menu order, groups together. Returns out[*n] from `a`. */
struct menu_item *menu_items(struct arena *a, size_t *n);

/* The scheme that the scene's expression is about; NULL when it cannot be read. */
const struct scheme *menu_current(const struct scene *scene);

/* "base 10000" of every parameter of the main member, in order; returns how many. */
enum { APP_PARAMS = 32 };
size_t app_params(const struct app *app, struct arena *a, const char **out, size_t most);
/* "base 10000" of the parameter that + and - change, or NULL when there is none. */
const char *app_param_text(const struct app *app, struct arena *a);

/* ---- keys -------------------------------------------------------------------------------- */

struct binding {
	const char *context; /* "" everywhere, "matrix", "schemes", "sentence", "permute", ... */
	const char *key;     /* "j", "Down", "Ctrl-r", "Enter" */
	const char *command; /* a command line */
	const char *note;    /* for help */
	const char *footer; /* shown at the bottom when there is room; neighbours with the same word
	                      * share it; NULL: not there */
};
extern const struct binding bindings[]; /* ends with key == NULL */
/* The binding of a key in a context, else everywhere; NULL when unbound. */
const struct binding *binding_find(const char *context, const char *key);

#endif
