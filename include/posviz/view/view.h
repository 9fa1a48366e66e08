/* view.h: from a scene and what was computed for it to a figure. Pure functions, one a view. */
#ifndef POSVIZ_VIEW_H
#define POSVIZ_VIEW_H

#include "posviz/analysis/analysis.h"
#include "posviz/analysis/cost.h"
#include "posviz/analysis/lengths.h"
#include "posviz/analysis/split.h"
#include "posviz/math/numbers.h"
#include "posviz/plot/figure.h"

/* What the bias of the shown head is a sum of; where there is none, or logits are looked at, these or the
 * weights. */
struct view_split {
	struct split parts;
	const char *absent;	    /* why there is nothing to split; or NULL */
	const char *what;	    /* "bias", "logits", "weights" */
	const char *by;		    /* what the numbers are: "distance", "shortest path" */
	const char *x_title, *sign; /* "key minus query, s − t", "s−t" */
	struct mat m;
	const uint8_t *mask;
	const int32_t *number; /* of a structure, [m.rows·m.cols]; NULL: s−t */
};

struct view;
/* The data that a view draws. `measures` may be NULL (not computed yet) or stale. */
struct view_data {
	const struct view *view; /* the one that draws them */
	const struct scene *scene;
	const struct built *built;
	const struct trace *trace;
	const struct twin *twin;	 /* NULL: not wanted */
	const struct compared *compared; /* [n_compared], [0] is the above; NULL: not wanted */
	size_t n_compared;
	const struct compared
		*swept; /* [n_swept] the scheme at each value of a sweep; NULL: no sweep */
	size_t n_swept;
	const struct distances
		*by_distance;		/* of the bias, all heads, and behind them the mean that
					      * is shown; NULL: not wanted */
	const struct view_split *split; /* NULL: not wanted */
	const struct table_row *table;	/* [n_table] all schemes; NULL: not wanted */
	size_t n_table;
	const struct lengths *lengths; /* NULL: not wanted */
	const struct cost *cost;       /* NULL: not wanted */
	const struct measures *measures;
	bool measures_stale;
	enum background background; /* what the figure will be drawn on */
	const void *kept;	    /* what the view's `keep` made of the numbers; NULL: nothing */
	/* Of `keep` and `numbers`, which may run more than the trace; NULL: nothing is kept, nobody
	 * cancels. */
	struct cache *cache;
	struct watch *watch;
	size_t most; /* of a view that fills: what the cache does not know is made of so many schemes */
	bool earlier; /* of struct picture */
};

/* The same tokens in another order, run with the same wants: as they were written; where that is
 * the order shown, in reverse. */
struct twin {
	struct built built;
	struct trace trace;
	bool reversed; /* the shown order is the one as written, the twin is its reverse */
};

/* One of several expressions, or inputs, run with the same wants. */
struct compared {
	const char *expression;
	const struct setup *setup; /* of which it was computed; NULL: of a sweep, the scene's */
	/* What it is called beside the others: its expression in brief; where inputs differ its words, behind
	 * the expression where these differ too: "rope @ man bites dog". NULL: of a sweep. */
	const char *name;
	const char *expression_name; /* the user's, else the expression in brief */
	const struct built *built;
	const struct trace *trace;
	/* Of the shown head's bias (of its weights where there is none), as far as `reach` says; by the
	 * edges between two tokens where the scene's own expression works on the structure. */
	const struct distances *by_distance;
	double trained;	  /* beyond it something is computed that t_max positions did not show */
	const char *ends; /* why the curve ends before that; NULL: it does not */
	bool differs_far; /* the longer input of the curve changes what the sentence's distances have */
};

typedef unsigned view_wants(const struct scene *scene); /* enum want_kind */
typedef void view_figure(const struct view_data *data, struct arena *a, struct figure *out);
/* What follows from the numbers alone and takes long, made once for a picture. */
typedef const void *view_keep(const struct view_data *data, struct arena *a);
/* What it says in numbers, of what was kept, for dumps and `show`. */
typedef void view_say(const struct view_data *data, struct arena *a, struct numbers *out);

/* A row of a view whose rows are schemes: with the scheme what is looked at when it is picked; NULL: it takes
 * the place of the one that is looked at. */
struct view_row {
	const struct scheme *scheme;
	const char *expression;
};
/* All of them, (*rows)[*n], in their order, by which the scene's row counts them from 1; returns the one that
 * the cursor is on, 0: there are none. */
typedef size_t view_rows(const struct view_data *data, struct arena *a, struct view_row **rows,
			 size_t *n);
/* A number of what `keep` made: of schemes to come, or of vectors. */
typedef size_t view_kept_count(const void *kept);

struct view {
	const char *name, *title, *help;
	view_wants *wants;
	view_figure *figure;
	view_keep *keep;   /* NULL: nothing */
	view_say *numbers; /* NULL: none */
	/* Whether what its own fields of the scene name is there; NULL: they name nothing. */
	bool (*fits)(const struct scene *scene, struct err *err);
	view_figure
		*subtitle; /* says it anew of the panels that were picked; NULL: it is the same */
	view_rows *rows;   /* NULL: its rows are tokens */
	view_kept_count
		*to_come; /* of one that fills while it is looked at; NULL: it is whole at once */
	view_kept_count *vectors; /* of the scheme that it can show; NULL: none */
	const char *no_bias;	  /* why the matrix cannot be the bias; NULL: it can */
	/* What is needed besides the trace. table: all schemes; compare: the other expressions;
	 * lengths: the same scheme on longer texts; cost: passes at sizes of its own. */
	bool by_distance, twin, table, compare, split, lengths, cost;
	bool sum;	   /* of its terms those of "terms-off" are left out */
	bool all_heads;	   /* all heads or layers are shown, as "heads-of" says; or a sweep */
	bool relation;	   /* what is looked at is the encoding of pairs, no matrix of a head */
	bool broad;	   /* on a terminal what it shows comes before the list of schemes */
	bool reads_cursor; /* the figure says more of the cursor than where it is */
	bool cell_numbers; /* its numbers are of the cursor's cell: where that moves they are made anew */
	bool slow;	   /* its numbers are in a dump only when they are asked for */
	bool of_units; /* its numbers are of what the model makes of drawn units, whatever the weights are */
	bool own;     /* what it shows is none of the scene's: no cell, no sentence, no measures */
	bool no_cell; /* nothing in it is of the cursor's cell, nor measured on the sentence */
	bool rectangles; /* it shows matrices whose keys are other tokens than their queries */
	bool of_cell;	 /* it is of one cell: the command why and Esc lead back from it */
};

/* The panel of a view's figure by a name that people use for it: that of the panel, "term 'LABEL'" for the term of a
 * sum, "2" for the second of those compared, and some others ("moves" of the view Order). The error lists the view's. */
bool view_pane(const struct view *view, const struct figure *f, const char *name, struct arena *a,
	       size_t *pane, struct err *err);

/* True where all weights are numbers of files, masks aside: nothing of the model is in them; and whether heads and
 * layers can differ, which they cannot in a file without such an axis. */
bool view_is_own(const struct built *b);
struct view_axes {
	bool heads, layers;
};
struct view_axes view_axes(const struct built *b);

/* What a value is called of the matrix with this title: "bias", "weight", "logit"; NULL: it has no such name. */
const char *view_value_name(const char *title);

/* Where a trace holds the head or layer, one of n, that a scene names by this number: from 0; the last
 * for more than there are; n for the mean. And what a run is to keep for it: -1, all, for the mean. */
size_t view_chosen(long number, size_t n);
long view_wanted(long number, size_t n);
/* The head that a scene looks at: made, where it is a mean, of a trace that kept view_wanted. */
const struct trace_head *view_shown(const struct scene *scene, size_t heads, struct trace *trace,
				    struct arena *a);

/* The rows of these that the view Table shows, in its order: the scene's row counts them from 1.
 * out[*shown] from `a`. */
const struct table_row **view_table_rows(const struct scene *scene, const struct table_row *rows,
					 size_t n, struct arena *a, size_t *shown);

/* The columns of that table, with what each says of a row: "" for nothing. */
struct table_column {
	const char *name;	/* one of table_sorts */
	const char *head;	/* "reference" */
	unsigned char priority; /* as in struct table */
	bool right;
	const char *(*cell)(const struct table_row *row, struct arena *a);
	double (*key)(const struct table_row *row); /* sorts by it, NaN last; NULL: by the cell */
};
extern const struct table_column table_columns[]; /* ends with name == NULL */

/* What a list shows of a scheme, with its defaults, on the sentence and sizes that scenes begin with: the
 * mean over heads of its bias, by distance in both directions or by the number that a structure gives to a
 * pair. Places go from the keys farthest before the query to the farthest behind it, the middle one is
 * distance 0; where no number is below 0, from the least to the largest. NaN: masked, or there is no such
 * bias. */
enum { SCHEME_CURVE_PLACES = 9 };
struct scheme_curve {
	double at[SCHEME_CURVE_PLACES];
};
/* Kept in `cache` (may be NULL) by what the scheme stands for and the seed. What cannot be computed is
 * blank; false only where it was cancelled. */
bool view_scheme_curve(const struct scheme *s, uint64_t seed, struct cache *cache,
		       struct watch *watch, struct scheme_curve *out);

/* "heads 1–2: all 81 pairs; heads 3–4: 45" where the masks of a step leave its heads different numbers of
 * pairs; NULL: all heads see as many. */
const char *view_masks(const struct trace *trace, size_t step, size_t heads, struct arena *a);

/* Which of the expressions that are shown take nothing from the file of params, by their numbers: "2, 3",
 * and "this scheme" where but one is shown. NULL: all do, or there is no file. */
const char *view_unused_params(const struct setup *setup, const struct built *built,
			       const struct compared *compared, size_t n_compared, struct arena *a);

/* "rank 5 of 9" of a value among the n of its row that are not hidden; of equal ones "rank 2–4 of 9". `hidden` NULL:
 * none; NULL where the value itself is. */
const char *view_rank_in_row(const double *row, const uint8_t *hidden, size_t n, size_t at,
			     struct arena *a);

/* Whether a text has the scheme's name, title, authors or another name of it as a word, in any letter case. */
bool view_names_scheme(const char *text, const struct scheme *s);

/* Up to the stop that a capital follows. */
const char *view_first_sentence(const char *text, struct arena *a);

/* The cell that is looked at while nobody has chosen one, from 1: a little off the middle. */
void view_first_cell(size_t rows, size_t cols, long *row, long *col);

#endif
