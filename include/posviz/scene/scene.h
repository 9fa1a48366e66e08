/* scene.h: what is looked at, as a plain value.
 *
 * Its `setup` is all that a computation may see (setup.h); the rest says how it is looked at. One table of
 * fields prints, parses and compares both: every field is a command of the same name ("heads 8"),
 * an option of the same name (--heads 8), and a line of what scene_print writes. Text lives in an
 * intern pool as long as the session, so scenes are copied by assignment and undo is a stack. */
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

/* In the order of enum background: what is not asked for may not be known. */
enum theme { THEME_AUTO, THEME_LIGHT, THEME_DARK, THEME_COUNT };
extern const char *const theme_names[THEME_COUNT + 1];

/* What the rows of the view Table can be in order of: the survey's groups, or a column. */
enum { TABLE_SORTS = 16 };
extern const char *const table_sorts[TABLE_SORTS + 1];

/* Which two of those compared the difference is of: first and second, from 1. */
enum { PAIRS = 6, COMPARE_MAX = 4 };
extern const char *const pair_names[PAIRS + 1]; /* 1-2 1-3 1-4 2-3 2-4 3-4 */
extern const unsigned char pairs[PAIRS][2];

/* What the view Heads shows side by side: the heads of the layer, the layers of the head, or all. */
enum heads_of { HEADS_OF_LAYER, HEADS_OF_HEAD, HEADS_OF_GRID, HEADS_OF_COUNT };
extern const char *const heads_of_names[HEADS_OF_COUNT + 1]; /* layer head grid */

/* What the view Map measures the distance of two schemes by (map.h). */
enum distance_of { DISTANCE_BIAS, DISTANCE_CURVE, DISTANCE_WEIGHTS, DISTANCE_OF_COUNT };
extern const char *const distance_of_names[DISTANCE_OF_COUNT + 1]; /* bias curve weights */

/* What a picture does not say, where it is asked for: which scheme it is of, or which words stand at its rows and
 * columns. */
enum unnamed { UNNAMED_OFF, UNNAMED_SCHEME, UNNAMED_WORDS, UNNAMED_COUNT };
extern const char *const unnamed_names[UNNAMED_COUNT + 1]; /* off scheme words */

enum { SCENE_SCALE_AUTO };

/* How the values of curves are spread: so that none flattens the others, else as it is called. */
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

/* The size of a picture: pixels, or lengths on paper. Height 0: as much as what is shown needs. */
enum page_unit { PAGE_PX, PAGE_IN, PAGE_CM, PAGE_MM, PAGE_PT, PAGE_UNITS };
struct page_size {
	double width, height;
	enum page_unit unit;
};
double page_inches(double length,
		   enum page_unit unit); /* of pixels 0: that hangs on their density */

/* What a page says of itself: nothing - no title, no line at its foot, for the paper around it has its
 * own -, one line, or the command as well. Auto: nothing where the size is that of a paper. */
enum caption { CAPTION_AUTO, CAPTION_NONE, CAPTION_SHORT, CAPTION_FULL, CAPTION_COUNT };
extern const char *const caption_names[CAPTION_COUNT + 1]; /* auto none short full */

struct scene {
	struct setup setup;
	const char *view;  /* "explore" */
	const char *panel; /* names of its panels that are shown, parted by commas, or "all" */
	int matrix;	   /* enum matrix: the one that the weights' panel shows */
	long head, layer;  /* from 1, or SCENE_MEAN */
	long member; /* whose card and parameters are shown, from 1; 0: as scene_member() finds */
	const char *title;    /* of the picture; "": the scheme's */
	const char *names;    /* "expr.1=Ours; head.3=induction; layer.2=late", or "none" */
	long row, col;	      /* cell cursor, from 1 */
	const char *colormap; /* "auto" or a name */
	int scale;	      /* SCENE_SCALE_AUTO, or 1 + enum scale_mode */
	int curve_scale;      /* enum curve_scale */
	bool lock;	      /* limits stay lock_lo..lock_hi, and of an automatic scale its mode */
	double lock_lo, lock_hi, lock_linear;
	int lock_scale;	       /* enum scale_mode */
	int theme;	       /* enum theme */
	struct page_size size; /* of exported pictures */
	double dpi;	       /* pixels to the inch; 0: 150, of a size on paper 300 */
	double font_size;      /* of labels, in points of 1/72 in; 0: as the page allows */
	const char *font;      /* a family, or "auto" */
	int caption;	       /* enum caption */
	bool embed_fonts;      /* an SVG brings its fonts */
	bool presenter; /* for the back row: one panel, large; in words what its colours mean */
	int unnamed;	/* enum unnamed */
	const char *terms_off; /* labels of terms left out of the sum, parted by ';'; "none" */
	int grid;	       /* enum heatmap_grid */
	int sort;	       /* which of table_sorts the view Table is in order of */
	bool descending;
	const char *listed; /* "all", or ids of schemes parted by blanks */
	const char *filter; /* words that its rows must hold; "all" */
	int pair;	    /* one of pair_names */
	int heads_of;	    /* enum heads_of */
	int distance_of;    /* enum distance_of */
	long vectors;	    /* which of the scheme's the view Vectors shows, from 1 */
	const char
		*sweep; /* "base=100,1000": in place of heads the view Heads shows these; "none" */
	const char *figure; /* of the papers, which the view Figures shows */
	long within;	    /* places around the query whose weights the view Lengths sums */
	bool timing;	    /* the view Cost measures time; else it only counts */
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

struct field {
	const char *name, *help;
	const char *args;	/* "N", "TEXT"; NULL: the words that it may be (field_args) */
	size_t offset;		/* in its struct */
	struct value_type type; /* the default is a text */
	bool setup;		/* changes what is computed */
	bool of_room; /* of the screen or page that it is looked at on: a tour leaves it as somebody set it */
	char letter; /* short option, or 0 */
	enum field_fits fits;
	size_t asked; /* in struct scene: a bool that remembers somebody asked for it; 0: none does */
	/* A text that is a list: the old one and what is added to it; NULL: it is none. */
	const char *(*joined)(const char *old, const char *more, struct arena *a);
	/* Checks a text beyond its kind (an expression, an order); may replace it by its canonical form
	 * through *value. NULL: none. */
	bool (*check)(const char **value, struct arena *a, struct err *err);
};
/* Parts of a row: where the value lies, whose C type is its kind, and what it may be. */
/* clang-format off */
#define FIELD_AT(in, member) \
	.offset = offsetof(in, member), .type.kind = VALUE_KIND(((in *)0)->member)
/* clang-format on */
#define RANGE(lo, hi) .type.min = (lo), .type.max = (hi)
#define CHOICES(list) .type.choices = (list)
#define DEFAULT(text) .type.def_text = (text)
extern const struct field scene_fields[]; /* ends with name == NULL */

const struct field *field_find(const char *name); /* NULL when there is none */
/* What the field takes, for people: "N", "identity|tied|random". */
const char *field_args(const struct field *f, struct arena *a);
/* True of a field that takes the name of a file. */
bool field_is_file(const struct field *f);

/* The same for any struct that `field` lies in at its offset: scenes here, settings in app. */
bool field_set(void *base, const struct field *field, const char *value, struct err *err);
const char *field_get(const void *base, const struct field *field, struct arena *a);

/* Keeps text as long as the process lives; equal text gives the same pointer. Thread-safe. */
const char *scene_intern(const char *text);

/* The defaults, which are read once; and a scene that begins with them. */
const struct scene *scene_defaults(void);
void scene_init(struct scene *scene);

/* Sets one field from text; the error says what would be right and nothing changes. */
bool scene_set(struct scene *scene, const struct field *field, const char *value, struct err *err);
/* The same, as people say it: of a field that is a list the entries of the value join those there are. */
bool scene_add(struct scene *scene, const struct field *field, const char *value, struct err *err);
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
/* Turns own matrices of a scene that an earlier version may have written, whose numbers leave open what they are, into
 * the bias that they were then; `rounded`: also those taken for rounded weights now. */
void scene_take_earlier(struct scene *scene, bool rounded);
bool scene_equal(const struct scene *a, const struct scene *b);
/* What `to` has else than `from`, in `scene` too. */
void scene_take_changes(struct scene *scene, const struct scene *from, const struct scene *to);

/* One line for the figure: posviz render 'rope+causal' -s '…' --heads 8, shell-quoted. */
const char *scene_command(const struct scene *scene, struct arena *a);

struct strbuf;
/* Adds a word of such a line, quoted where a shell would read it otherwise. */
void scene_shell(struct strbuf *b, const char *text);

/* The expressions that the view Compare shows, scheme first, each canonical: 1 to COMPARE_MAX.
 * The texts live in `a`. */
size_t scene_compared(const struct setup *setup, struct arena *a, const char *out[COMPARE_MAX]);

/* The member whose card and parameters are looked at: the one of that number; at 0, or where there is
 * none, the first that is no mask and acts on the shown head and layer, else the main one. */
const struct expr_member *scene_member(const struct scene *scene, const struct expr *e);

/* The user's name of the expression (of those compared), the head or the layer of this number from 1, escaped;
 * NULL: it has none. And takes an expression's name away, which is the name of another then. */
enum named { NAMED_EXPRESSION, NAMED_HEAD, NAMED_LAYER, NAMED_COUNT };
const char *scene_name_of(const struct scene *scene, enum named kind, size_t number,
			  struct arena *a);
void scene_unname_expression(struct scene *scene, size_t number);

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

/* Makes the names of files absolute, those in expressions too: a relative one means another file in
 * another directory. */
void scene_make_absolute(struct scene *scene, struct arena *a);
/* The same of one expression; itself where it names no file from here. */
const char *expression_make_absolute(const char *expression, struct arena *a);

/* Where the scene has the default heads and width, those of a file that an expression names: as many
 * heads as it has numbers for, and the next width that they divide. The same of layers. */
void scene_adopt_sizes(struct scene *scene);
/* How many queries and keys a file of the expression has numbers for; false: none has, or it cannot be read. */
bool expression_own_tokens(const char *expression, struct arena *a, size_t *queries, size_t *keys);
/* True of a matrix of a file whose keys are other tokens than its queries. */
bool expression_is_looked_at(const char *expression, struct arena *a);

/* False of what is neither a file nor a directory nor missing: whoever reads a pipe or a device may
 * wait for ever. */
bool scene_file_right(const char *path, struct err *err);

/* Puts aside what a new value of the field replaces, or what would hide it: a sentence the file, a
 * tree the graph, a re-ordering the alignment. The field itself is left alone. */
void scene_displace(struct scene *scene, const struct field *field);
/* Whether the field brings tokens or a structure, of which there is one at a time. */
bool field_brings_structure(const struct field *field);

/* Whether the scene leaves the term of this label out of the sum ("terms-off"); and labels there that name no
 * term of the head, of another scheme or misspelt, NULL: none do. */
bool scene_term_is_off(const struct scene *scene, const char *term);
const char *scene_terms_unknown(const struct scene *scene, const struct trace_head *head,
				struct arena *a);

/* Whether menus and the view Table list this scheme. */
bool scene_lists(const struct scene *scene, const struct scheme *s);

/* ---- dumps ---- */

/* The trace with everything a `dump` holds, under the names that `posviz list matrices` prints, and
 * its metadata: tokens, order, axes, model, steps, members, expression, scene, version, recipe. `read_only`: of
 * large learned parameters the rows and columns that logits and contexts of the input read, without drawn
 * weights of the feed-forward block; left_out says what is not there. */
void dump_tensors(const struct scene *scene, const struct built *b, const struct trace *trace,
		  bool read_only, struct arena *a, struct tensor_set *out);
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
