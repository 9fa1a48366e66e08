/* app.h: the program without a terminal: commands change the scene, history remembers it, keys and
 * options stand for commands. */
#ifndef POSVIZ_APP_H
#define POSVIZ_APP_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/app/keymap.h"
#include "posviz/app/request.h"
#include "posviz/scene/scene.h"

enum reaction {
	REACT_LAYOUT = 1 << 0,	/* panes appear, disappear or change size */
	REACT_FIGURE = 1 << 1,	/* the same numbers, another figure */
	REACT_COMPUTE = 1 << 2, /* other numbers are needed */
	REACT_QUIT = 1 << 3,
	REACT_TERMINAL = 1 << 4, /* a setting changed: mouse, glyphs, colours */
	REACT_WRITE = 1 << 5,	 /* app->later, then app->write, in the background */
};

struct picture;
struct measures;
struct tour;

/* The contents of the screen, filled in by the code that draws it; commands such as "the last row"
 * or "the limits now" read them. All zero while there are none. */
struct shown {
	size_t rows, cols, layers;   /* of the matrices */
	size_t page_rows, page_cols; /* of these on the screen; 0: unknown */
	size_t panes;		     /* that can have the focus */
	double lo, hi, linear;	     /* limits of the focused matrix */
	int scale;		     /* enum scale_mode of the same */
	const char *term;	     /* of the focused pane, or NULL */
	const struct scene *scene;   /* of the picture */
	const struct picture *picture;
	const struct measures *measures; /* of the same scene, or NULL */
};

/* The behaviour of the program on this terminal: no part of a scene, set by commands, options and
 * the configuration. One table of fields, as for scenes. */
enum glyphs { GLYPHS_AUTO, GLYPHS_BRAILLE, GLYPHS_QUADRANTS, GLYPHS_ASCII, GLYPHS_COUNT };
enum graphics_way { GRAPHICS_AUTO, GRAPHICS_KITTY, GRAPHICS_SIXEL, GRAPHICS_CELLS, GRAPHICS_COUNT };

struct settings {
	int color;     /* 0: as the terminal reports; else 1 + enum tier */
	int glyphs;    /* enum glyphs */
	int graphics;  /* enum graphics_way */
	bool mouse;    /* clicks, wheel and drags come to us; off: to the terminal */
	bool contrast; /* no dim text; cursor and focus reversed */
	bool motion;   /* changes are animated; off: the last picture appears at once */
};
extern const struct field setting_fields[]; /* ends with name == NULL; offsets in struct settings */
const struct field *setting_find(const char *name);
void settings_init(struct settings *s); /* the defaults */
/* field_set with other common words for values: "truecolor" is direct. */
bool setting_set(struct settings *s, const struct field *field, const char *value, struct err *err);

enum { APP_WRITES = 8, APP_PARAMS = 64 };
static const size_t PARAM_OBVIOUS = (size_t)-1; /* in place of a number: commands_param.c chooses */

struct app {
	struct arena arena; /* of the session */
	struct scene scene;
	struct scene *undo, *redo; /* stacks */
	size_t n_undo, n_redo, cap_undo, cap_redo;
	const char *undo_key; /* of the last change: repeated steps are one entry */
	const char *series;   /* set by a command whose repetitions are one entry */
	char message[512];    /* one line for the user; "" for none */
	bool message_is_error;
	size_t param;	      /* number in app_params() that + and - change, or PARAM_OBVIOUS */
	size_t pane;	      /* with the focus */
	bool zoom;	      /* the pane fills the screen */
	const char *farewell; /* lines for standard output after the screen is left; or NULL */
	enum request request;
	const char *request_text; /* interned, or NULL */
	/* The tour that request_text names if it was parsed already; lives as long as the app. */
	const struct tour *given_tour;
	/* The beat of a tour, "order#3.2", in which the opened picture was written; NULL: none. The
	 * terminal program goes there. */
	const char *from_tour;
	double pace; /* seconds until a tour goes on by itself; 0: it waits for a key */
	/* The copied thing, "the cell", and the advice if copying is impossible. */
	struct {
		const char *what, *instead;
	} copy;
	const char *history[64]; /* typed command lines, the oldest first; interned */
	size_t n_history;
	struct settings settings;
	struct keymap keymap;
	bool background;   /* the terminal program writes files, from `write` */
	const char *write; /* path for write_scene, interned; NULL: nothing to write */
	/* The files that a script writes in the background, each with the scene of its line. */
	struct later {
		struct scene scene;
		const char *path; /* interned */
	} later[APP_WRITES];
	size_t n_later;
	int opening; /* depth of scripts that run one inside another */
	/* The state to which "why" goes back: the view (NULL: "why" was not used) and its focused
	 * pane. If that pane showed another scheme: `setup` and cursor before, and the setup
	 * `shown` instead. */
	struct {
		const char *view;
		size_t pane;
		struct setup setup, shown;
		long row, col;
	} before_why;
	/* The view from which a head was opened, and its focused pane; NULL: none, or another view was chosen since. */
	const char *before_head;
	size_t before_head_pane;
	/* The view from which Compare was chosen, for when nothing is pinned any more; NULL: the
	 * first. */
	const char *before_compare;
	size_t next_pane; /* gets the focus in another view */
	/* The running command's reactions that the scene does not show, and memory until its
	 * end. */
	unsigned reactions;
	struct arena *scratch;
	/* Set by the code that keeps files between sessions, else NULL. */
	bool (*save_settings)(struct app *app, struct err *err);
	void (*save_line)(struct app *app, const char *line); /* a line typed at ":" */
	void (*save_presenter)(bool on); /* when it is switched, whatever is saved later */
	void (*save_first)(size_t step); /* the next value of first_step */
	size_t first_step; /* of first_steps, from 1, whose key is offered; 0: none is any more */
	struct shown shown;
};

void app_init(struct app *app);
void app_release(struct app *app);

struct candidates;

struct command {
	const char *name, *args, *help, *group;
	/* Changes the scene or the app. app_command finds the consequences for history and screen
	 * by comparing scenes; app->reactions gets only the others. `args` is the rest of the line.
	 * False: an error, and nothing changed. NULL: the command is only a request. */
	bool (*run)(struct app *app, const char *args, struct err *err);
	/* Adds completions of the argument. NULL: none. */
	void (*complete)(const struct app *app, const char *args, struct candidates *out);
	enum request request;
	const char *fixed; /* for `run` of a command that takes no argument; NULL: "" */
	const char *was;   /* its name in older configurations, which still works; or NULL */
};
/* Ends with name == NULL; fields of scenes and settings are commands too. */
extern const struct command commands[];
/* Runs one command line; unknown names get a suggestion. After it the screen must be drawn again,
 * whatever the reactions. */
bool app_command(struct app *app, const char *line, unsigned *reactions, struct err *err);
/* Runs the line on the scene `from`, without an entry in the history. */
bool app_preview(struct app *app, const struct scene *from, const char *line, unsigned *reactions,
		 struct err *err);
/* True for a word that begins a line of a script, older names of commands included. */
bool app_is_command(const char *word);
/* Opens a file by its kind: a snapshot becomes the scene, a script is run line by line, a
 * structure, a matrix or a text takes its place in the scene. Makes no entry in the history. */
bool app_open(struct app *app, const char *path, struct err *err);
/* Returns completions of `line`, the likeliest first: as a whole line that can be run, in which text
 * that may not be shown is quoted, and as the added text with a note on it, for a menu. The last
 * word may be any part of a completion, or some of its letters. */
struct completion {
	const char *line, *text, *note; /* note: "" for none */
};
struct completion *app_menu(const struct app *app, const char *line, struct arena *a, size_t *n);
/* A thing with a name, and its help. */
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

/* Finds the help of this name, whatever its case: own names first, then other names, then
 * parameters and keys. out[*n] from `a`; false with the nearest name if there is none. */
bool topics_find(const struct app *app, const char *word, struct arena *a,
		 const struct help_topic **out, size_t *n, struct err *err);
/* Returns the name of a topic that is near the word, or NULL. */
const char *topics_near(const char *word, struct arena *a);
/* Remembers the present scene for undo. */
void app_remember(struct app *app);
/* Leaves a message for the user. */
void app_say(struct app *app, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* True if one evaluation serves both scenes, so that only the figure differs. */
bool app_same_numbers(const struct scene *a, const struct scene *b);
/* Returns the name in pair_names of a pair in any order, "2-1" too; else the text. */
const char *app_pair_name(const char *text);
/* Sets the compared entries, 1 to COMPARE_MAX, as in the field `compare`. The first gives the
 * scheme and, if it has one, the input. An error names the expression and nothing changes. */
bool app_set_compared(struct scene *scene, const char *const *expressions, size_t n,
		      struct err *err);
/* Returns the scene with the expression and input of the focused matrix of the view Compare as
 * number 1, else the scene. The cursor is on the same two words if they are there. */
struct scene app_focused(const struct app *app);
/* Sizes and styles of pictures for a purpose, as lines of a scene. */
struct preset {
	const char *name, *help, *lines;
};
extern const struct preset presets[]; /* ends with name == NULL */
bool app_preset(struct scene *scene, const char *name, struct err *err);
/* Sets the expression and the sizes of a model: a released one by its name, or that of a
 * configuration, a file or the directory of a model. *said, from `a`, is a line about it. */
bool app_model(struct scene *scene, const char *name, struct arena *a, const char **said,
	       struct err *err);
/* The same of a file or directory alone. */
bool app_configuration(struct scene *scene, const char *path, struct arena *a, const char **said,
		       struct err *err);
/* Returns the value of a field; in one that lists expressions, compare or lengths, models stand for
 * their expressions: what else they have, sizes and learned numbers, is left out. */
bool app_models_in(const char *field, const char *value, struct arena *a, const char **out,
		   struct err *err);
/* Returns the scene as seen: with the one panel that fills the screen, if one does. */
struct scene app_seen(const struct app *app);
/* Makes a scene consistent after a change: an order that no longer fits the tokens becomes the
 * identity, head and layer exist. True: the order was dropped. */
bool app_settle(struct scene *scene);
/* The same for fields that name every word (governors, re-ordering, alignment ...): returns a
 * message on the dropped one, or NULL. */
const char *app_settle_words(struct scene *scene);
/* Sets the sentence of a scene; other words than before stand in the order in which they are typed. */
bool app_retype(struct scene *scene, const char *text, struct err *err);
/* Returns the structure in which words or edges can be moved, over the words as written; for a
 * plain sentence the chain. Error: it has none to move (leaves, or a graph without edges). */
bool app_structure(const struct app *app, struct arena *a, const struct structure **out,
		   struct err *err);
/* True if a node is `top` or below it. */
bool tree_is_below(const struct structure *s, size_t node, size_t top);
/* Gets the order of the shown tokens: reads the tokens of the scene. order[n] from `a`; `tokens`
 * (may be NULL) gets them as written. */
bool app_order(const struct app *app, struct arena *a, size_t **order, size_t *n,
	       struct input *tokens, struct err *err);

/* ---- the menu of schemes ----------------------------------------------------------------- */
struct menu_item {
	const char *group; /* "Absolute", "Trees", "Known models" */
	const struct scheme *scheme;
};

/* Returns the schemes that `scene` lists (NULL: all) in menu order, grouped: out[*n] from `a`. */
struct menu_item *menu_items(const struct scene *scene, struct arena *a, size_t *n);
/* Returns the main scheme of the scene's expression; NULL: unreadable. */
const struct scheme *menu_current(const struct scene *scene);
/* Returns the shown item of the menu: a user's name if the expression is its definition, masks
 * aside; else menu_current(). */
const struct scheme *menu_chosen(const struct scene *scene);
/* A user's name as the command that defines it, and such a line of a configuration back: false if
 * the line neither defines nor undefines; *expression NULL if it undefines. */
const char *definition_line(const struct scheme *s, struct arena *a);
bool definition_read(const char *line, struct arena *a, const char **name, const char **expression);
/* Lists "base 10000" of every parameter of the shown member, its weight last; returns the count. */
size_t app_params(const struct app *app, struct arena *a, const char **out, size_t most);
/* The number of the one that + and - change, or 0; and its text, or NULL. */
size_t app_param_chosen(const struct app *app);
const char *app_param_text(const struct app *app, struct arena *a);
/* True if the expression works with and without its causal mask. */
bool app_turns_causal(const struct app *app, struct arena *a);

#endif
