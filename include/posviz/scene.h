/* scene.h: what is looked at, as a plain value.
 *
 * Its `setup` is all that a computation may see; the rest says how it is looked at. One table of
 * fields prints, parses and compares both: every field is a command of the same name ("heads 8"),
 * an option of the same name (--heads 8), and a line of what scene_print writes. Text lives in an
 * intern pool as long as the session, so scenes are copied by assignment and undo is a stack. */
#ifndef POSVIZ_SCENE_H
#define POSVIZ_SCENE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/arena.h"
#include "posviz/err.h"
#include "posviz/input.h"
#include "posviz/model.h"
#include "posviz/scheme.h"

enum matrix { MATRIX_BIAS, MATRIX_LOGITS, MATRIX_WEIGHTS, MATRIX_MASK, MATRIX_COUNT };
extern const char *const matrix_names[MATRIX_COUNT]; /* bias logits weights mask */

enum theme { THEME_AUTO, THEME_LIGHT, THEME_DARK, THEME_COUNT };
extern const char *const theme_names[THEME_COUNT];

struct setup {
	const char *sentence; /* as typed */
	const char *file;     /* read instead of the sentence; "" for none */
	const char *order;    /* as typed: "identity", "2 1 3", "reverse", "shuffle:7" */
	const char *scheme;   /* expression, canonical */
	int tokens;	      /* enum token_mode */
	const char *special;  /* "none", "cls,sep", "bos" */
	long d_model, heads, layers, ff, t_max; /* ff 0: 4·d_model */
	uint64_t seed;
	int proj, init, activation; /* enum projection, init, activation */
	double content, norm_eps;
	const char *probe;   /* "ones", "off", or a word */
	const char *units;   /* FILE[:TENSOR]; "" for none */
	const char *weights; /* FILE */
	const char *params;  /* FILE */
	const char *map;     /* "LEAF=TENSOR LEAF=TENSOR" */
	double memory;	     /* bytes */
};

struct scene {
	struct setup setup;
	const char *view;     /* "explore" */
	int matrix;	      /* enum matrix: the one that the weights' panel shows */
	long head, layer;     /* from 1 */
	long row, col;	      /* cell cursor, from 1 */
	const char *colormap; /* "auto" or a name */
	int scale;	      /* enum scale_mode */
	bool lock;	      /* limits stay lock_lo..lock_hi */
	double lock_lo, lock_hi;
	int theme;	    /* enum theme */
	long width, height; /* of exported pictures */
	double dpi;
	bool full_caption;
};

enum field_kind {
	FIELD_TEXT,
	FIELD_CHOICE,
	FIELD_INT,
	FIELD_U64,
	FIELD_REAL,
	FIELD_BOOL,
	FIELD_BYTES,
	FIELD_SIZE
};

struct field {
	const char *name, *help, *args; /* args: "N", "TEXT", "identity|tied|random" */
	enum field_kind kind;
	size_t offset; /* in struct scene; FIELD_SIZE: width, height follow each other */
	double min, max;
	const char *const *choices; /* n_choices names */
	size_t n_choices;
	const char *def;
	bool setup;  /* changes what is computed */
	char letter; /* short option, or 0 */
	/* Checks text beyond its kind (an expression, an order); may replace it by its canonical form
	 * through *value. NULL: none. */
	bool (*check)(const char **value, struct arena *a, struct err *err);
};
extern const struct field scene_fields[]; /* ends with name == NULL */

const struct field *field_find(const char *name); /* NULL when there is none */

/* Keeps text as long as the process lives; equal text gives the same pointer. Thread-safe. */
const char *scene_intern(const char *text);

void scene_init(struct scene *scene); /* the defaults */

/* Sets one field from text; the error says what would be right and nothing changes. */
bool scene_set(struct scene *scene, const struct field *field, const char *value, struct err *err);
const char *scene_get(const struct scene *scene, const struct field *field, struct arena *a);

/* The shortest list of command lines that rebuilds the scene from the defaults, one a line. Text
 * with blanks at its ends, quotes, or anything that text_escape would change is quoted:
 * sentence "a \n b \xFF". */
const char *scene_print(const struct scene *scene, struct arena *a);
/* The value of such a line: as it stands, or between quotes with \n \r \xNN \" \\. */
bool scene_unquote(const char *text, struct arena *a, const char **out, struct err *err);
/* Runs such lines over the defaults; an error names the line. Unknown names are errors. */
bool scene_parse(struct scene *scene, const char *text, struct err *err);
bool scene_equal(const struct scene *a, const struct scene *b);
bool setup_equal(const struct setup *a, const struct setup *b);

/* One line for the figure: posviz render 'rope+causal' -s '…' --heads 8, shell-quoted. */
const char *scene_command(const struct scene *scene, struct arena *a);

/* ---- evaluation ---------------------------------------------------------------------------- */

/* A setup read and built: tokens in their order, expression, model. Independent of what is wanted;
 * may be run many times. Points into itself: never copied by assignment. */
struct built {
	struct input written; /* tokens as typed */
	struct input input;   /* in the order asked for */
	size_t *order;	      /* [input.moving] */
	struct expr expr;
	struct member members[MODEL_MAX_MEMBERS];
	size_t n_members;
	struct given given;
	struct tensor_set given_weights, given_params;
	struct model model;
	struct model_input model_input; /* tokens in the order asked for */
	struct mat given_units;		/* rows as written; at NULL: drawn */
};

bool setup_build(const struct setup *setup, struct arena *a, struct built *out, struct err *err);

/* The model input of other tokens (same setup): for permuting, shifting, inserting. */
void built_input(const struct setup *setup, const struct built *b, const struct input *tokens,
		 struct arena *a, struct model_input *out);

bool built_run(const struct built *b, const struct model_input *in, const struct want *want,
	       struct cache *cache, const atomic_bool *cancel, struct arena *a, struct trace *trace,
	       struct err *err);

/* Everything at once: build and run. */
bool evaluate(const struct setup *setup, const struct want *want, struct cache *cache,
	      const atomic_bool *cancel, struct arena *a, struct built *b, struct trace *trace,
	      struct err *err);

/* The trace with everything a `dump` holds, under the names that `posviz list matrices` prints, and
 * its metadata (tokens, axes, expression, scene, version, recipe). */
void dump_tensors(const struct scene *scene, const struct built *b, const struct trace *trace,
		  struct arena *a, struct tensor_set *out);
struct dump_name {
	const char *pattern, *shape, *help;
};
extern const struct dump_name dump_names[]; /* ends with pattern == NULL */
unsigned dump_wants(void);

#endif
