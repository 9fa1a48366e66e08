/* scene.h: everything that decides a picture, as a plain value: `setup` is all that a
 * computation may see (setup.h), the rest says how the result is shown. One table of fields
 * prints, parses and compares both: every field is a command of the same name ("heads 8"), an
 * option (--heads 8) and a line of scene_print. Texts live in an intern pool as long as the
 * process, so scenes are copied by assignment and undo is a stack. */
#ifndef POSVIZ_SCENE_H
#define POSVIZ_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/base/value.h"
#include "posviz/scene/setup.h"
#include "posviz/scheme/scheme.h"

enum matrix { MATRIX_BIAS, MATRIX_LOGITS, MATRIX_WEIGHTS, MATRIX_MASK, MATRIX_COUNT };
extern const char *const matrix_names[MATRIX_COUNT + 1]; /* bias logits weights mask */
/* In the order of enum background: the terminal's background may be unknown. */
enum theme { THEME_AUTO, THEME_LIGHT, THEME_DARK, THEME_COUNT };
extern const char *const theme_names[THEME_COUNT + 1];
/* The orders of the rows of the view Table: the survey's groups, or a column. */
enum { TABLE_SORTS = 16 };
extern const char *const table_sorts[TABLE_SORTS + 1];
/* The numbers of a head that the view Profile and the sub-command heads know: columns of the table, axes of the
 * plane, words of filters; profile_columns in posviz/analysis/profile_columns.h has a row for each. */
enum { PROFILE_COLUMNS = 16 };
extern const char *const profile_names[PROFILE_COLUMNS + 1];
/* The two compared entries, from 1, whose difference is shown. */
enum { PAIRS = 6, COMPARE_MAX = 4 };
/* off, then 1x 2x 4x 8x: how many times the longest length in training */
extern const char *const train_grids[];
extern const char *const pair_names[PAIRS + 1]; /* 1-2 1-3 1-4 2-3 2-4 3-4 */
extern const unsigned char pairs[PAIRS][2];
/* The matrices of the view Heads: the heads of the layer, the layers of the head, or all. */
enum heads_of { HEADS_OF_LAYER, HEADS_OF_HEAD, HEADS_OF_GRID, HEADS_OF_COUNT };
extern const char *const heads_of_names[HEADS_OF_COUNT + 1]; /* layer head grid */
/* The numbers from which the view Map measures the distance of two schemes (map.h). */
enum distance_of { DISTANCE_BIAS, DISTANCE_CURVE, DISTANCE_WEIGHTS, DISTANCE_OF_COUNT };
extern const char *const distance_of_names[DISTANCE_OF_COUNT + 1]; /* bias curve weights */
/* The names that a picture hides to make a question: its scheme, or the words of its rows and
 * columns. */
enum unnamed { UNNAMED_OFF, UNNAMED_SCHEME, UNNAMED_WORDS, UNNAMED_COUNT };
extern const char *const unnamed_names[UNNAMED_COUNT + 1]; /* off scheme words */
enum { SCENE_SCALE_AUTO };
/* The scale of values in curves: auto, in which no curve flattens the others, or the named one. */
enum curve_scale {
	CURVE_SCALE_AUTO,
	CURVE_SCALE_LINEAR,
	CURVE_SCALE_SYMLOG,
	CURVE_SCALE_OWN,
	CURVE_SCALE_COUNT
};
extern const char *const curve_scale_names[CURVE_SCALE_COUNT + 1]; /* auto linear symlog own */
/* In place of the number of a head or a layer: the mean over all of them. */
enum { SCENE_MEAN };
/* The size of a picture: pixels, or lengths on paper. Height 0: as high as the content needs. */
enum page_unit { PAGE_PX, PAGE_IN, PAGE_CM, PAGE_MM, PAGE_PT, PAGE_UNITS };
struct page_size {
	double width, height;
	enum page_unit unit;
};
double page_inches(double length, enum page_unit unit); /* pixels: 0, as their density is open */
/* The text of a page about itself: no title and foot (the paper around it has its own), one line,
 * or the command too. Auto: none where the size is a size on paper. */
enum caption { CAPTION_AUTO, CAPTION_NONE, CAPTION_SHORT, CAPTION_FULL, CAPTION_COUNT };
extern const char *const caption_names[CAPTION_COUNT + 1]; /* auto none short full */

struct scene {
	struct setup setup;
	const char *view;  /* "explore" */
	const char *panel; /* names of the view's panels to show, separated by commas, or "all" */
	int matrix;	   /* enum matrix, in the panel of the weights */
	long head, layer;  /* from 1, or SCENE_MEAN */
	bool chose_head;   /* the user has chosen a head or a layer: no view chooses one for him */
	long member; /* its card and parameters are shown, from 1; 0: scene_member() chooses */
	const char *title;    /* of the picture; "": the scheme's */
	const char *names;    /* "expr.1=Ours; head.3=induction; layer.2=late", or "none" */
	long row, col;	      /* cell cursor, from 1 */
	const char *colormap; /* "auto" or a name */
	int scale;	      /* SCENE_SCALE_AUTO, or 1 + enum scale_mode */
	int curve_scale;      /* enum curve_scale */
	bool lock;	      /* keeps lock_lo..lock_hi, and an automatic scale's mode */
	double lock_lo, lock_hi, lock_linear;
	int lock_scale;	       /* enum scale_mode */
	int theme;	       /* enum theme */
	struct page_size size; /* of exported pictures */
	double dpi;	       /* pixels per inch; 0: 150, or 300 for a size on paper */
	double font_size;      /* of labels, in points (1/72 in); 0: as the page allows */
	const char *font;      /* a family, or "auto" */
	int caption;	       /* enum caption */
	bool embed_fonts;      /* an SVG contains its fonts */
	bool presenter;	       /* one large panel for the back row, with its colours in words */
	int unnamed;	       /* enum unnamed */
	const char *terms_off; /* labels of terms not summed, separated by ';'; "none" */
	int grid;	       /* enum heatmap_grid */
	bool merge_pieces;     /* rows and columns are words, and not their pieces */
	int sort;	       /* index in table_sorts: the order of the view Table */
	bool descending;
	const char *listed; /* "all", or ids of schemes separated by blanks */
	const char *filter; /* words that rows of the view Table must contain; "all" */
	int pair;	    /* index in pair_names */
	int heads_of;	    /* enum heads_of */
	int distance_of;    /* enum distance_of */
	long vectors;	    /* number of the scheme's table in the view Vectors, from 1 */
	const char *sweep;  /* "base=100,1000": the view Heads shows these instead; "none" */
	const char *figure; /* name of the paper's figure in the view Figures */
	long within;	    /* distance up to which the view Lengths sums weights */
	long windows, window_length;		/* of a text that heads are measured on */
	int profile_sort, profile_x, profile_y; /* indices in profile_names */
	const char *profile_filter;		/* conditions of heads, as "previous>0.5"; "all" */
	const char *lengths; /* expressions that the view Lengths lays over the shown one; "none" */
	const char *train_task;			/* what the view Learn trains the scheme on */
	long train_steps, train_layers, moment; /* moment: the step that is shown */
	uint64_t train_seed;
	long train_seeds; /* whose accuracies have an interval, from train_seed on */
	int train_grid;	  /* index in train_grids: schemes and tasks at a length, or 0 */
	bool timing;	  /* the view Cost measures time; else it only counts */
	long reach;	  /* curves of the view Compare go to reach · t_max; 0: as the tokens */
};

/* The data with which a value must be consistent, so that there are tokens to show. */
enum field_fits {
	FITS_ITSELF,
	FITS_TOKENS,	/* orders the tokens */
	FITS_WORDS,	/* names or counts the tokens */
	FITS_STRUCTURE, /* brings a structure, or chooses its tokens */
	FITS_TEXT	/* brings a text */
};

struct field {
	const char *name, *help;
	const char *args;	/* "N", "TEXT"; NULL: the list of allowed words (field_args) */
	size_t offset;		/* in its struct */
	struct value_type type; /* the default is a text */
	bool setup;		/* changes what is computed */
	bool of_room; /* belongs to the user's screen or page: a tour leaves it unchanged */
	char letter;  /* short option, or 0 */
	enum field_fits fits;
	const char
		*alone; /* the value of an option without one, "--pack"; NULL: it needs a value */
	size_t asked;	/* in struct scene, of a bool "set by the user"; 0: none */
	/* For a text that is a list: joins the old list and an addition; NULL: not a list. */
	const char *(*joined)(const char *old, const char *more, struct arena *a);
	/* Checks a text beyond its kind (an expression, an order); may replace it by its
	 * canonical form through *value. NULL: no check. */
	bool (*check)(const char **value, struct arena *a, struct err *err);
};
/* Parts of a row: the offset of the value, whose C type gives its kind, and its allowed values. */
/* clang-format off */
#define FIELD_AT(in, member) \
	.offset = offsetof(in, member), .type.kind = VALUE_KIND(((in *)0)->member)
/* clang-format on */
#define RANGE(lo, hi) .type.min = (lo), .type.max = (hi)
#define CHOICES(list) .type.choices = (list)
#define DEFAULT(text) .type.def_text = (text)
extern const struct field scene_fields[]; /* ends with name == NULL */

const struct field *field_find(const char *name); /* NULL if there is none */
/* The values that the field accepts, for help texts: "N", "identity|tied|random". */
const char *field_args(const struct field *f, struct arena *a);
/* True if the field accepts the name of a file. */
bool field_is_file(const struct field *f);
/* Set and print a field of any struct at `base`: scenes here, settings in app. */
bool field_set(void *base, const struct field *field, const char *value, struct err *err);
const char *field_get(const void *base, const struct field *field, struct arena *a);
/* Keeps a text as long as the process lives; equal texts give the same pointer. Thread-safe. */
const char *scene_intern(const char *text);
/* The default values, which are parsed once; scene_init() copies them. */
const struct scene *scene_defaults(void);
void scene_init(struct scene *scene);
/* Sets one field from text. On failure nothing changes, and the error says what would be right. */
bool scene_set(struct scene *scene, const struct field *field, const char *value, struct err *err);
/* The same for a command of the user: entries of a list field are added to the present ones. */
bool scene_add(struct scene *scene, const struct field *field, const char *value, struct err *err);
const char *scene_get(const struct scene *scene, const struct field *field, struct arena *a);
/* Sets a field from a line of scene_print, then removes what the field displaces. */
bool scene_set_line(struct scene *scene, const char *line, struct err *err);
/* Returns the shortest list of lines that rebuilds the scene from the defaults. Quoted is text with
 * blanks at its ends, quotes, or anything that text_escape would change: sentence "a\n b \xFF". */
const char *scene_print(const struct scene *scene, struct arena *a);
/* Reads the value of such a line: the text itself, or between quotes with \n \r \xNN \" \\. */
bool scene_unquote(const char *text, struct arena *a, const char **out, struct err *err);
/* Applies such lines to the defaults. Unknown names are errors; an error names the line. */
bool scene_parse(struct scene *scene, const char *text, struct err *err);
/* For scenes of earlier versions: the user's matrices whose numbers leave their kind open become
 * the bias that they were then; `rounded`: also those that count as rounded weights now. */
void scene_take_earlier(struct scene *scene, bool rounded);
bool scene_equal(const struct scene *a, const struct scene *b);
/* Copies to `scene` the fields in which `to` differs from `from`. */
void scene_take_changes(struct scene *scene, const struct scene *from, const struct scene *to);
/* Returns the figure's command, shell-quoted: posviz render 'rope+causal' -s '…' --heads 8. */
const char *scene_command(const struct scene *scene, struct arena *a);

struct strbuf;
/* Adds a word of such a command, quoted if a shell would read it otherwise. */
void scene_shell(struct strbuf *b, const char *text);
/* Returns the command that takes a candidate of a model of no known family, in its sizes. */
struct candidate;
const char *scene_candidate(const struct known *k, const char *path, const struct candidate *c,
			    struct arena *a);
/* Fills `out` with the canonical expressions of the view Compare, the scheme first; returns their
 * number, 1 to COMPARE_MAX. Texts live in `a`. */
size_t scene_compared(const struct setup *setup, struct arena *a, const char *out[COMPARE_MAX]);
/* Returns the member whose card and parameters are shown: that of scene->member; if there is none,
 * the first that is no mask and acts on the shown head and layer, else the main one. */
const struct expr_member *scene_member(const struct scene *scene, const struct expr *e);
/* The user's name, escaped, of the compared expression, head or layer of this number (from 1), or
 * NULL. scene_unname_expression() removes a name whose number now belongs to another expression. */
enum named { NAMED_EXPRESSION, NAMED_HEAD, NAMED_LAYER, NAMED_COUNT };
const char *scene_name_of(const struct scene *scene, enum named kind, size_t number,
			  struct arena *a);
void scene_unname_expression(struct scene *scene, size_t number);

/* ---- fields that bring tokens ---------------------------------------------------------------- */
/* Makes names of files absolute, also in expressions: they are relative to one directory only. */
void scene_make_absolute(struct scene *scene, struct arena *a);
/* The same for one expression; returns it unchanged if it names no relative file. */
const char *expression_make_absolute(const char *expression, struct arena *a);
/* If the scene has the default heads and width, takes those of a file that an expression names: as
 * many heads as the file has, and the next width that they divide. The same for layers. */
void scene_adopt_sizes(struct scene *scene);
/* Gets the numbers of queries and keys in a readable file of the expression; false: none has
 * them. */
bool expression_own_tokens(const char *expression, struct arena *a, size_t *queries, size_t *keys);
/* True for a matrix from a file whose keys are other tokens than its queries. */
bool expression_is_looked_at(const char *expression, struct arena *a);
/* False for an existing path of neither file nor directory: reading a pipe may block for ever. */
bool scene_file_right(const char *path, struct err *err);
/* Clears the fields that a new value of this one replaces, or that would hide it: a sentence clears
 * the file, a tree the graph, a re-ordering the alignment. The field itself is unchanged. */
void scene_displace(struct scene *scene, const struct field *field);
/* True for fields that bring tokens or a structure; only one of them is set at a time. */
bool field_brings_structure(const struct field *field);
/* True if "terms-off" names this term. scene_terms_unknown() returns the labels there that no term
 * of the head has (of another scheme, or misspelt), or NULL. */
bool scene_term_is_off(const struct scene *scene, const char *term);
const char *scene_terms_unknown(const struct scene *scene, const struct trace_head *head,
				struct arena *a);
/* True if menus and the view Table list this scheme. */
bool scene_lists(const struct scene *scene, const struct scheme *s);

#endif
