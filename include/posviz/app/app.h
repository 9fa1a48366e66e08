/* app.h: the program without a terminal: commands change the scene, history remembers it, keys and
 * options are words for commands. */
#ifndef POSVIZ_APP_H
#define POSVIZ_APP_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/app/keymap.h"
#include "posviz/app/request.h"
#include "posviz/scene/scene.h"

enum reaction {
	REACT_LAYOUT = 1 << 0,	/* panes come, go or change size */
	REACT_FIGURE = 1 << 1,	/* the same numbers, another figure */
	REACT_COMPUTE = 1 << 2, /* other numbers are wanted */
	REACT_QUIT = 1 << 3,
	REACT_TERMINAL = 1 << 4, /* a setting changed: mouse, glyphs, colours */
	REACT_WRITE = 1 << 5,	 /* app->later, then app->write, in the background */
};

struct picture;
struct measures;
struct tour;

/* What is on the screen, filled in by whoever draws it; commands that depend on it ("the last row",
 * "the limits now") look here. All zero while there is none. */
struct shown {
	size_t rows, cols, layers;   /* of the matrices */
	size_t page_rows, page_cols; /* of them that are in sight; 0: not known */
	size_t panes;		     /* that can have the focus */
	double lo, hi, linear;	     /* limits of the matrix with the focus, and */
	int scale;		     /* its enum scale_mode */
	const char *term;	     /* of the pane with the focus, or NULL */
	const struct scene *scene;   /* that the picture is of */
	const struct picture *picture;
	const struct measures *measures; /* of the same scene, or NULL */
};

/* How the program behaves on this terminal: no part of a scene, set by commands, options and the
 * configuration. One table, as for scenes. */
enum glyphs { GLYPHS_AUTO, GLYPHS_BRAILLE, GLYPHS_QUADRANTS, GLYPHS_ASCII, GLYPHS_COUNT };
enum graphics_way { GRAPHICS_AUTO, GRAPHICS_KITTY, GRAPHICS_SIXEL, GRAPHICS_CELLS, GRAPHICS_COUNT };

struct settings {
	int color;     /* 0: what the terminal says; else 1 + enum tier */
	int glyphs;    /* enum glyphs */
	int graphics;  /* enum graphics_way */
	bool mouse;    /* clicks, wheel and drags are ours; off: the terminal's */
	bool contrast; /* nothing dim, cursor and focus reversed */
	bool motion;   /* what changes by itself moves there; off: the last picture at once */
};
extern const struct field setting_fields[]; /* ends with name == NULL; offsets in struct settings */
const struct field *setting_find(const char *name);
void settings_init(struct settings *s); /* the defaults */
/* field_set, and other words that are in use for a value: "truecolor" is direct. */
bool setting_set(struct settings *s, const struct field *field, const char *value, struct err *err);

enum { APP_WRITES = 8, APP_PARAMS = 64 };
static const size_t PARAM_OBVIOUS =
	(size_t)-1; /* in place of its number: as commands_param.c says */

struct app {
	struct arena arena; /* of the session */
	struct scene scene;
	struct scene *undo, *redo; /* stacks */
	size_t n_undo, n_redo, cap_undo, cap_redo;
	const char *undo_key; /* of the last change: repeated steps are one entry */
	const char *series;   /* set by a command whose repetitions are one entry */
	char message[512];    /* one line for the user; "" for none */
	bool message_is_error;
	size_t param;	      /* which of app_params() + and - change, or PARAM_OBVIOUS */
	size_t pane;	      /* that has the focus */
	bool zoom;	      /* it has the screen for itself */
	const char *farewell; /* lines for standard output when the screen is left; or NULL */
	enum request request;
	const char *request_text; /* interned, or NULL */
	/* The tour that request_text names, where somebody has read it already; lives as long as the app. */
	const struct tour *given_tour;
	/* The beat of a tour, "order#3.2", that the picture was written in which was opened; NULL: none was. Who has a
	 * screen goes there. */
	const char *from_tour;
	double pace; /* seconds after which a tour goes on by itself; 0: it waits for a key */
	/* What is copied, "the cell", and what to do where that cannot be. */
	struct {
		const char *what, *instead;
	} copy;
	const char *history[64]; /* command lines typed, the oldest first; interned */
	size_t n_history;
	struct settings settings;
	struct keymap keymap;
	bool background;   /* files are written by somebody else, who looks at `write` */
	const char *write; /* a path for write_scene, interned; NULL: nothing to write */
	/* What a script writes in the background, each as its scene was then. */
	struct later {
		struct scene scene;
		const char *path; /* interned */
	} later[APP_WRITES];
	size_t n_later;
	int opening; /* scripts that are being run, one in another */
	/* Where the command "why" came from and goes back to: the view, its pane with the focus and, where that
	 * was not the scheme's, the scheme, its input and the cursor, and what stood in their place; view
	 * NULL: it did not. */
	struct {
		const char *view;
		size_t pane;
		struct setup setup, shown;
		long row, col;
	} before_why;
	/* The view from which Compare was chosen, that comes back when nothing is pinned any more; NULL: the
	 * first. */
	const char *before_compare;
	size_t next_pane; /* that gets the focus in another view */
	/* Of the command that is being run: what it sees of its own accord, and memory until it ends. */
	unsigned reactions;
	struct arena *scratch;
	/* Set by who keeps files between sessions; NULL: nobody does. */
	bool (*save_settings)(struct app *app, struct err *err);
	void (*save_line)(struct app *app, const char *line); /* one that was typed at ":" */
	void (*save_presenter)(bool on); /* that it was switched, whatever becomes of the rest */
	struct shown shown;
};

void app_init(struct app *app);
void app_release(struct app *app);

struct candidates;

struct command {
	const char *name, *args, *help, *group;
	/* Changes the scene or the app; app_command finds out what that means for history and
	 * screen, so app->reactions gets only what cannot be seen from the scene. `args` is the
	 * rest of the line. On error false and nothing changed. NULL: there is but a request. */
	bool (*run)(struct app *app, const char *args, struct err *err);
	/* Adds how the argument may go on. NULL: no completion. */
	void (*complete)(const struct app *app, const char *args, struct candidates *out);
	enum request request;
	const char *fixed; /* the argument of one that takes none; NULL: "" */
	const char *was;   /* its name in older configurations, which are read still; or NULL */
};
/* Ends with name == NULL; fields of scenes and settings are commands too. */
extern const struct command commands[];

/* Runs one command line; unknown names get a suggestion. What is on a screen is to be drawn again,
 * whatever the reactions. */
bool app_command(struct app *app, const char *line, unsigned *reactions, struct err *err);
/* Shows what it would make of that scene, without an entry in the history. */
bool app_preview(struct app *app, const struct scene *from, const char *line, unsigned *reactions,
		 struct err *err);

/* A word that begins a line of a script; older names of commands too. */
bool app_is_command(const char *word);

/* Opens a file by its kind: a snapshot becomes the scene, a script is run line by line, a structure, a matrix
 * or a text takes its place in the scene. No entry of the history by itself. */
bool app_open(struct app *app, const char *path, struct err *err);

/* How `line` may go on, as whole lines that can be run, the likeliest first; text that may not be shown is
 * quoted. Its last word need not be the beginning: a part of it, or some of its letters, will do. */
const char **app_completions(const struct app *app, const char *line, struct arena *a, size_t *n);
/* The same with what each of them adds, and what that is: for a menu. */
struct completion {
	const char *line, *text, *note; /* note: "" for none */
};
struct completion *app_menu(const struct app *app, const char *line, struct arena *a, size_t *n);

/* Something that a word is the name of, and what there is to say of it. */
enum help_kind {
	HELP_WORD, /* of the glossary */
	HELP_VIEW,
	HELP_SCHEME,
	HELP_COMMAND,
	HELP_OPTION,
	HELP_PRESET, /* of :for */
	HELP_PARAM,
	HELP_KEY
};
struct help_topic {
	enum help_kind kind;
	const char *title;  /* "command :zoom" */
	const char **lines; /* n paragraphs */
	size_t n;
};

/* Finds all that is called so, in any letter case: first what has it for its name, then what has it for another
 * name, then parameters and keys. out[*n] from `a`; false with the nearest name when there is nothing. */
bool topics_find(const struct app *app, const char *word, struct arena *a,
		 const struct help_topic **out, size_t *n, struct err *err);
/* The name of a topic that is near the word, or NULL. */
const char *topics_near(const char *word, struct arena *a);

/* Remembers the scene as it is, for undo. */
void app_remember(struct app *app);

/* Leaves a message for the user. */
void app_say(struct app *app, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Whether one evaluation serves both scenes; then only the figure differs. */
bool app_same_numbers(const struct scene *a, const struct scene *b);

/* The name in pair_names of a pair that may be given the other way round: "2-1"; else the text. */
const char *app_pair_name(const char *text);

/* Lets the scene compare these, as the field `compare` has them: 1 to COMPARE_MAX. The first is its scheme and,
 * where it has one, its input. An error names the expression and nothing changes. */
bool app_set_compared(struct scene *scene, const char *const *expressions, size_t n,
		      struct err *err);

/* The scene as if number 1 were the expression whose matrix has the focus in the view Compare, on its input;
 * where none has, the scene. The cursor is on the same two words, where they are there. */
struct scene app_focused(const struct app *app);
/* What pictures are for, as lines of a scene. */
struct preset {
	const char *name, *help, *lines;
};
extern const struct preset presets[]; /* ends with name == NULL */
bool app_preset(struct scene *scene, const char *name, struct err *err);
/* The scene as it is seen: where one panel has the screen for itself, with that alone. */
struct scene app_seen(const struct app *app);

/* Makes a scene fit itself after a change: an order that no longer fits the tokens becomes the
 * identity, head and layer are ones that exist. Returns true when the order was given up. */
bool app_settle(struct scene *scene);

/* The same of governors, a re-ordering and an alignment, which name every word: what to say of what was
 * given up, or NULL. */
const char *app_settle_words(struct scene *scene);

/* The structure whose words can hang elsewhere or whose edges can be moved, over the words as they were written:
 * of a plain sentence the chain. An error where there is nothing to move: leaves, or a graph without edges. */
bool app_structure(const struct app *app, struct arena *a, const struct structure **out,
		   struct err *err);
/* Tells whether a node is another one or hangs below it. */
bool tree_is_below(const struct structure *s, size_t node, size_t top);
/* The place in `order` of every token now shown: reads the tokens of the scene. order[n] from `a`;
 * `tokens` (may be NULL) gets them as they were written. */
bool app_order(const struct app *app, struct arena *a, size_t **order, size_t *n,
	       struct input *tokens, struct err *err);

/* ---- the menu of schemes ----------------------------------------------------------------- */

struct menu_item {
	const char *group; /* "Absolute", "Trees", "Known models" */
	const struct scheme *scheme;
};

/* The schemes that `scene` lists (NULL: all) in menu order, groups together. Returns out[*n] from `a`. */
struct menu_item *menu_items(const struct scene *scene, struct arena *a, size_t *n);

/* The scheme that the scene's expression is about; NULL when it cannot be read. */
const struct scheme *menu_current(const struct scene *scene);

/* The item of the menu that the scene shows: a name of the user's own where the expression is what it
 * stands for, masks aside; else as menu_current. */
const struct scheme *menu_chosen(const struct scene *scene);

/* A name of the user's own as the command that defines it, and such a line of a configuration back:
 * false when it neither defines nor undefines, *expression NULL when it undefines. */
const char *definition_line(const struct scheme *s, struct arena *a);
bool definition_read(const char *line, struct arena *a, const char **name, const char **expression);

/* "base 10000" of every parameter of the member that is shown, its weight behind them; how many. */
size_t app_params(const struct app *app, struct arena *a, const char **out, size_t most);
/* The one that + and - change, or 0; and its text, or NULL when there is none. */
size_t app_param_chosen(const struct app *app);
const char *app_param_text(const struct app *app, struct arena *a);
/* Tells whether the expression can be with its causal mask and without. */
bool app_turns_causal(const struct app *app, struct arena *a);

#endif
