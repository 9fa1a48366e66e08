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

/* What the rows of the view Table can be in order of: the survey's groups, or a column. */
enum { TABLE_SORTS = 16 };
extern const char *const table_sorts[TABLE_SORTS];

/* Which two of those compared the difference is of: first and second, from 1. */
enum { PAIRS = 6, COMPARE_MAX = 4 };
extern const char *const pair_names[PAIRS]; /* 1-2 1-3 1-4 2-3 2-4 3-4 */
extern const unsigned char pairs[PAIRS][2];

struct setup {
	const char *sentence; /* as typed */
	const char *file;     /* read instead of the sentence; "" for none */
	/* At most one of these; "" for none. All but governors bring their own tokens. */
	const char *conllu, *governors, *tree, *graph;
	long pick;			 /* which sentence, tree or graph of several, from 1 */
	int tree_units;			 /* enum tree_units */
	bool keep_empty, keep_functions; /* as in struct tree_options */
	const char *order;		 /* as typed: "identity", "2 1 3", "reverse", "shuffle:7" */
	const char *reorder;		 /* of the first sentence; "" for none */
	const char *translation, *alignment; /* a second sentence, pairs of words; "" for none */
	long length;			     /* asked of a decoder, in tokens; 0: none */
	const char *position_ids; /* "none", "start:5", or one for each unit: "0 1 2 0 1" */
	const char *segments;	  /* "none", or one for each unit: "1 0 0 1" */
	long memory_tokens;	  /* units in front that are an earlier segment */
	const char *embed_scale;  /* of the units: "1", "sqrt-d", or a number */
	const char *scheme;	  /* expression, canonical */
	/* Up to three more, parted by "; ", on the same tokens, which a file of any of them may bring;
	 * "none". */
	const char *compare;
	int tokens;				/* enum token_mode */
	const char *special;			/* "none", "cls,sep", "bos" */
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
	/* Which of them somebody asked for: no part of what they are, neither printed nor compared. */
	struct asked {
		bool sentence;		     /* be it in the default's words */
		bool d_model, proj, content; /* not by what was saved or configured */
	} asked;
};

struct scene {
	struct setup setup;
	const char *view; /* "explore" */
	int matrix;	  /* enum matrix: the one that the weights' panel shows */
	long head, layer; /* from 1 */
	long member;   /* whose card and parameters are shown, from 1; 0: as scene_member() finds */
	long row, col; /* cell cursor, from 1 */
	const char *colormap; /* "auto" or a name */
	int scale;	      /* enum scale_mode */
	bool lock;	      /* limits stay lock_lo..lock_hi */
	double lock_lo, lock_hi;
	int theme;	    /* enum theme */
	long width, height; /* of exported pictures */
	double dpi;
	bool full_caption;
	const char *terms_off; /* labels of terms left out of the sum, parted by ';'; "none" */
	int grid;	       /* enum heatmap_grid */
	int sort;	       /* which of table_sorts the view Table is in order of */
	bool descending;
	const char *listed; /* "all", or ids of schemes parted by blanks */
	const char *filter; /* words that its rows must hold; "all" */
	int pair;	    /* one of pair_names */
	long reach; /* in the view Compare curves go to this many times t_max; 0: as the tokens do */
};

/* What a value has to fit beyond its own range, so that there are tokens to look at. */
enum field_fits {
	FITS_ITSELF,
	FITS_TOKENS,	/* orders them */
	FITS_WORDS,	/* names or counts them */
	FITS_STRUCTURE, /* brings a structure, or says what its tokens are */
	FITS_TEXT	/* brings a text */
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
	size_t offset; /* in its struct; FIELD_SIZE: width, height follow each other */
	double min, max;
	const char *const *choices; /* n_choices names */
	size_t n_choices;
	const char *def;
	bool setup;  /* changes what is computed */
	char letter; /* short option, or 0 */
	enum field_fits fits;
	size_t asked; /* in struct scene: a bool that remembers somebody asked for it; 0: none does */
	/* Checks text beyond its kind (an expression, an order); may replace it by its canonical form
	 * through *value. NULL: none. */
	bool (*check)(const char **value, struct arena *a, struct err *err);
};
extern const struct field scene_fields[]; /* ends with name == NULL */

const struct field *field_find(const char *name); /* NULL when there is none */

/* The same for any struct that `field` lies in at its offset: scenes here, settings in app. */
bool field_set(void *base, const struct field *field, const char *value, struct err *err);
const char *field_get(const void *base, const struct field *field, struct arena *a);

/* Keeps text as long as the process lives; equal text gives the same pointer. Thread-safe. */
const char *scene_intern(const char *text);

void scene_init(struct scene *scene); /* the defaults */
/* As if nobody had asked for what a file may say as well. */
void setup_forget_asked(struct setup *setup);

/* Sets one field from text; the error says what would be right and nothing changes. */
bool scene_set(struct scene *scene, const struct field *field, const char *value, struct err *err);
const char *scene_get(const struct scene *scene, const struct field *field, struct arena *a);
/* The same of a line as scene_print writes them, after which what the field displaces is gone. */
bool scene_set_line(struct scene *scene, const char *line, struct err *err);

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

/* The expressions that the view Compare shows, scheme first, each canonical: 1 to COMPARE_MAX.
 * The texts live in `a`. */
size_t scene_compared(const struct setup *setup, struct arena *a, const char *out[COMPARE_MAX]);

/* The member whose card and parameters are looked at: the one of that number; at 0, or where there is
 * none, the first that is no mask and acts on the shown head and layer, else the main one. */
const struct expr_member *scene_member(const struct scene *scene, const struct expr *e);

/* ---- samples and what brings tokens ---------------------------------------------------------- */

/* A file of assets/samples, which @NAME stands for wherever a FILE goes. */
struct sample {
	const char *name;  /* "dep1"; its file's where another has that name */
	const char *file;  /* "dep1.conllu", which @dep1.conllu stands for as well */
	const char *field; /* that takes it: "conllu", "tree", "graph", "file"; "open": a script */
	const char *help;  /* what it shows */
	const char *begin, *end;
};
/* All of them, those with help first and in the order of their list. out[*n] from `a`. */
const struct sample *samples_all(struct arena *a, size_t *n);
/* "@dep1"; the error has a suggestion. What it points to outlives the arena but the struct. */
bool sample_find(const char *spec, struct arena *a, struct sample *out, struct err *err);

/* The field that a file is for by its ending, else by what it holds; "file" where nothing tells. */
const char *field_for_file(const char *path, const char *text, size_t len);

/* Whether the value of such a field is the name of a file: no sample, no text that is it itself. */
bool field_names_file(const char *field, const char *value);

/* Makes the names of files absolute, those in expressions too: a relative one means another file in
 * another directory. */
void scene_make_absolute(struct scene *scene, struct arena *a);
/* The same of one expression; itself where it names no file from here. */
const char *expression_make_absolute(const char *expression, struct arena *a);

/* Where the scene has the default heads and width, those of a file that an expression names: as many
 * heads as it has numbers for, and the next width that they divide. */
void scene_adopt_heads(struct scene *scene);

/* False of what is neither a file nor a directory nor missing: whoever reads a pipe or a device may
 * wait for ever. */
bool scene_file_right(const char *path, struct err *err);

/* Puts aside what a new value of the field replaces, or what would hide it: a sentence the file, a
 * tree the graph, a re-ordering the alignment. The field itself is left alone. */
void scene_displace(struct scene *scene, const struct field *field);
/* Whether the field brings tokens or a structure, of which there is one at a time. */
bool field_brings_structure(const struct field *field);
/* The value that does so, for people: a file's name, or the sentence itself. */
const char *setup_source(const struct setup *setup);

/* Which of the tokens, of those that move, stands where: (*order)[*n] from `a`. `tokens` gets them as
 * they were written, also where the order does not fit them. */
bool setup_order(const struct setup *setup, struct arena *a, size_t **order, size_t *n,
		 struct input *tokens, struct err *err);
/* The tokens as written, and the structure over them (*structure NULL: none was given); `count` gets
 * how many there are to pick from. `structure` and `count` may be NULL. */
bool setup_tokens(const struct setup *setup, struct arena *a, struct input *tokens,
		  const struct structure **structure, size_t *count, struct err *err);
/* Whether both bring the same tokens and the same structure, orders aside. */
bool setup_same_tokens(const struct setup *a, const struct setup *b);
/* The text that the tokens come from; where a structure brings words, those between blanks. */
bool setup_text(const struct setup *setup, size_t limit, struct arena *a, const char **text,
		size_t *len, struct err *err);

/* A second sentence, and which of its words are of which words of the first. */
struct alignment {
	struct input translation; /* n 0: none was given */
	struct aligned {
		size_t word, other; /* from 0 */
	} * pairs;
	size_t n;
};
/* Where each token stands in the re-ordered sentence: (*reorder)[place] from 0; NULL when neither a
 * re-ordering nor an alignment was given. */
bool setup_reorder(const struct setup *setup, const struct input *tokens, struct arena *a,
		   const double **reorder, struct alignment *alignment, struct err *err);

/* The column of positions that was given, one for each unit, special ones included, of the place and
 * not of what stands there; *ids NULL: none was. */
bool setup_position_ids(const struct setup *setup, const struct input *tokens, struct arena *a,
			const double **ids, struct err *err);
/* The factor of the units, by the width of the model. */
double setup_embed_scale(const struct setup *setup, size_t d);

/* ---- evaluation ---------------------------------------------------------------------------- */

/* A setup read and built: tokens in their order, expression, model. Independent of what is wanted;
 * may be run many times. Points into itself: never copied by assignment. */
struct built {
	struct input written;		   /* tokens as typed */
	struct input input;		   /* in the order asked for */
	const struct structure *structure; /* over the written tokens; NULL: none was given */
	size_t count;			   /* sentences, trees or graphs there are to pick from */
	const double *reorder;	    /* of each written token, by its place, from 0; NULL: none */
	const double *position_ids; /* [written.n], of each place; NULL: none were given */
	struct alignment alignment;
	size_t *order; /* [input.moving] */
	struct expr expr;
	struct member members[MODEL_MAX_MEMBERS];
	size_t n_members;
	struct given given;
	struct tensor_set given_weights, given_params;
	struct model model;
	struct model_input model_input; /* tokens in the order asked for */
	struct mat given_units;		/* rows as written; at NULL: drawn */
	/* Tensors of given files that nobody takes, but for those of dumps. */
	struct untaken {
		const char *file;	 /* "weights" or "params" */
		const char *name, *near; /* near: what may have been meant, or NULL */
	} * untaken;
	size_t n_untaken;
	const char *note; /* the same as a line; NULL: there are none */
};

bool setup_build(const struct setup *setup, struct arena *a, struct built *out, struct err *err);

/* Whether menus and the view Table list this scheme. */
bool scene_lists(const struct scene *scene, const struct scheme *s);

/* Whether one of those compared takes something from the file of parameters, if there is one. */
bool compared_params(const struct setup *setup, const struct built *b, struct err *err);

/* The scheme that a member is of; NULL when it has hooks of its own making. */
const struct scheme *scheme_of_member(const struct member *m);
/* What a leaf means, or NULL. */
const struct leaf_row *leaf_note_of(const struct leaf *leaf);

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
 * its metadata: tokens, order, axes, model, steps, members, expression, scene, version, recipe. */
void dump_tensors(const struct scene *scene, const struct built *b, const struct trace *trace,
		  struct arena *a, struct tensor_set *out);
struct dump_name {
	const char *pattern, *shape, *help;
};
extern const struct dump_name dump_names[]; /* ends with pattern == NULL */
unsigned dump_wants(void);
/* A relation as the two tensors that a dump holds, and what its numbers mean as JSON; false: there is
 * none. */
bool dump_relation(const struct relation *r, struct arena *a, struct mat *out, struct mat *mask,
		   const char **legend);

#endif
