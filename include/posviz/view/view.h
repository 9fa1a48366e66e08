/* view.h: a view makes a figure from a scene and the results computed for it. Views are pure
 * functions. */
#ifndef POSVIZ_VIEW_H
#define POSVIZ_VIEW_H

#include "posviz/analysis/analysis.h"
#include "posviz/analysis/cost.h"
#include "posviz/analysis/lengths.h"
#include "posviz/analysis/split.h"
#include "posviz/math/numbers.h"
#include "posviz/plot/figure.h"

/* The split of a matrix of the shown head (posviz/analysis/split.h): of the logits if the scene
 * shows them, else of the bias, or of the weights if there is no bias. */
struct view_split {
	struct split parts;
	const char *absent;	    /* why there is nothing to split; or NULL */
	const char *what;	    /* "bias", "logits", "weights" */
	const char *by;		    /* name of the numbers: "distance", "shortest path" */
	const char *x_title, *sign; /* "key minus query, s − t", "s−t" */
	struct mat m;
	const uint8_t *mask;
	const int32_t *number; /* of a structure, [m.rows·m.cols]; NULL: s−t */
};

struct view;
/* The data that a view draws. `measures` may be NULL (not computed yet) or stale. */
struct view_data {
	const struct view *view; /* the view that draws them */
	const struct scene *scene;
	const struct built *built;
	const struct trace *trace;
	const struct twin *twin; /* NULL: not wanted */
	/* [n_compared], the first is the scene's own; NULL: not wanted */
	const struct compared *compared;
	size_t n_compared;
	/* [n_swept] the scheme at each value of a sweep; NULL: no sweep */
	const struct compared *swept;
	size_t n_swept;
	/* The bias of all heads, followed by the mean if it is shown; the weights if there is no
	 * bias; NULL: not wanted. */
	const struct distances *by_distance;
	const struct view_split *split; /* NULL: not wanted */
	const struct table_row *table;	/* [n_table] all schemes; NULL: not wanted */
	size_t n_table;
	const struct lengths *lengths; /* NULL: not wanted */
	/* [n_laid] the scene's own scheme and others; NULL: it is alone */
	const struct lengths_laid *laid;
	size_t n_laid;
	const struct cost *cost; /* NULL: not wanted */
	const struct measures *measures;
	bool measures_stale;
	enum background background; /* of the device that the figure is drawn on */
	const void *kept; /* the results that the view's `keep` made from these; or NULL */
	/* For `keep` and `numbers`, which may run more than the trace. NULL: nothing is cached,
	 * nothing cancels. */
	struct cache *cache;
	struct watch *watch;
	/* For a view that fills while it is shown: the largest number of schemes to compute that
	 * the cache does not have. */
	size_t most;
	bool earlier; /* as in struct picture */
};

/* A second run with the same wants, of the same tokens in another order: as they were written,
 * or, if that order is shown, in reverse. */
struct twin {
	struct built built;
	struct trace trace;
	bool reversed; /* the shown order is the one as written, the twin is its reverse */
};

/* An expression or input among several, run with the same wants. */
struct compared {
	const char *expression;
	/* The setup that was run; NULL: in a sweep, the scene's. */
	const struct setup *setup;
	/* Its name beside the others: the expression in brief; if inputs differ, its words,
	 * preceded by the expression if expressions differ too: "rope @ man bites dog". NULL: in
	 * a sweep. */
	const char *name;
	const char *expression_name; /* the user's name, else the expression in brief */
	const struct built *built;
	const struct trace *trace;
	/* The bias of the shown head, or its weights if there is no bias, as far as the scene's
	 * `reach`. The distances are those on the structure if the scene's own expression works
	 * on one. */
	const struct distances *by_distance;
	/* The farthest distance that training on t_max positions covers; INFINITY: all. */
	double trained;
	const char *ends; /* why the curve ends before the scene's `reach`; or NULL */
	/* Why its words are not those of the first, though both cut one text into pieces; or NULL. */
	const char *no_words;
	/* In the longer input of the curve the sentence's own distances have another bias. */
	bool differs_far;
};

/* A scheme whose curves the view Lengths lays over those of others. */
struct lengths_laid {
	const char *name; /* as in struct compared: the user's name, else the expression in brief */
	const struct built *built;
	const struct lengths *lengths;
};

typedef unsigned view_wants(const struct scene *scene); /* enum want_kind */
typedef void view_figure(const struct view_data *data, struct arena *a, struct figure *out);
/* Computes results that need only the numbers and take long, once for a picture. */
typedef const void *view_keep(const struct view_data *data, struct arena *a);
/* Adds the view's results as named numbers, for dumps and `show`; uses what was kept. */
typedef void view_say(const struct view_data *data, struct arena *a, struct numbers *out);

/* A row of a view whose rows are schemes: the scheme, and the expression that is shown when the
 * row is chosen; NULL: the scheme replaces the shown one. */
struct view_row {
	const struct scheme *scheme;
	const char *expression;
};
/* Lists all rows, (*rows)[*n], in the order in which the scene's row counts them from 1. Returns
 * the row under the cursor; 0: there are no rows. */
typedef size_t view_rows(const struct view_data *data, struct arena *a, struct view_row **rows,
			 size_t *n);
/* Returns a number from the results of `keep`: of schemes to come, or of vectors. */
typedef size_t view_kept_count(const void *kept);
/* Returns the row of the nearest point of a plane to the right, or left (-1), above or below the chosen one; 0: none. */
typedef size_t view_step(const struct view_data *data, int right, int up);

/* Returns the number, from 1, of the head that is next in a panel; 0: there is none. */
typedef size_t view_walk(const struct view_data *data, const struct panel *p, int right, int up);

struct view {
	/* help: the question that it answers, in at most 43 columns, for menus of 60. */
	const char *name, *title, *help;
	view_wants *wants;
	view_figure *figure;
	view_keep *keep;   /* NULL: nothing is kept */
	view_say *numbers; /* NULL: no numbers */
	/* Returns whether the things that the view's own fields of the scene name exist. NULL:
	 * they name nothing. */
	bool (*fits)(const struct scene *scene, struct err *err);
	/* Returns whether the view's own fields of two scenes ask for the same numbers. NULL: it has
	 * none, or the core compares them. */
	bool (*same)(const struct scene *a, const struct scene *b);
	/* Makes the subtitle anew for the panels that were picked; NULL: it stays the same. */
	view_figure *subtitle;
	view_rows *rows; /* NULL: its rows are tokens */
	view_step *step; /* in the plane whose points are rows; NULL: there is none */
	view_walk *walk; /* from head to head, in each of its panels; NULL: arrows move a cell */
	/* Number of schemes still to be computed, if the view fills while it is shown; NULL: it
	 * is complete at once. */
	view_kept_count *to_come;
	view_kept_count *vectors; /* number of vectors that it can show of the scheme; NULL: none */
	const char *no_bias;	  /* why the matrix cannot be the bias; NULL: it can */
	/* The results needed besides the trace. table: all schemes; compare: the other
	 * expressions; lengths: the same scheme on longer texts; cost: passes at other sizes. */
	bool by_distance, twin, table, compare, split, lengths, cost;
	bool beside;	   /* the other expressions too, if the scene names some */
	bool adds_others;  /* likewise, each by itself among the schemes of a list */
	bool sum;	   /* it omits the terms in the scene's "terms-off" from the sum */
	bool all_heads;	   /* it shows all heads or layers, as "heads-of" says; or a sweep */
	bool relation;	   /* it shows the encoding of pairs, and no matrix of a head */
	bool broad;	   /* on a terminal it gets its room before the list of schemes */
	bool reads_cursor; /* the cursor changes more of the figure than its mark */
	bool shows_looks;  /* ... if the text has pictures: it has the panel of view_looks */
	/* Moves the cell where the cursor begins, to one of which the figure speaks, from what was kept; NULL: it stays. */
	void (*first_cell)(const void *kept, long *row, long *col);
	/* Its numbers are those of the cursor's cell, and made anew when the cursor moves. */
	bool cell_numbers;
	bool slow; /* a dump has its numbers only on request */
	/* Its numbers depend on the drawn units of the model, even if weights are given. */
	bool of_units;
	/* It shows nothing of the scene: no cell, no sentence, no measures. */
	bool own;
	bool own_text; /* what it shows is of another text than the scene's: the foot names no tokens */
	bool no_cell; /* it shows nothing of the cursor's cell, nothing measured on the sentence */
	bool rectangles; /* it shows matrices whose keys are other tokens than their queries */
	bool by_words;	 /* it can show words in the place of their pieces */
	bool keys_first; /* its keys mean the same in all of its panels */
	bool of_cell;	 /* it shows one cell; the command why and Esc return from it */
};

/* Finds the panel of a view's figure by a name that people use for it: the panel's own name,
 * "term 'LABEL'" for a term of the sum, "2" for the second compared one, and some others
 * ("moves" in the view Order). The error lists the names of the figure's panels. */
bool view_pane(const struct view *view, const struct figure *f, const char *name, struct arena *a,
	       size_t *pane, struct err *err);

/* Leaves the panels of a list as figure_pick, which may name them by those others too. */
bool view_pick(const struct view *view, struct figure *f, const char *names, struct arena *a,
	       struct err *err);

/* Returns whether a view runs the other expressions of the scene. */
bool view_compares(const struct view *view, const struct scene *scene);

/* view_is_own returns whether all weights come from files, masks aside, so that nothing of the
 * model is in them. view_axes returns whether heads and layers can differ: not if the weights
 * come from files without such an axis. */
bool view_is_own(const struct built *b);
struct view_axes {
	bool heads, layers;
};
struct view_axes view_axes(const struct built *b);

/* Returns the name of a value of the matrix with this title: "bias", "weight", "logit"; NULL: it
 * has no such name. */
const char *view_value_name(const char *title);

/* view_chosen returns the index in a trace of the head or layer, one of n, that a scene gives by
 * its number from 1: the last for a number above n; n for the mean. view_wanted returns the
 * index that a run must keep for it: -1, all, for the mean. */
size_t view_chosen(long number, size_t n);
long view_wanted(long number, size_t n);
/* Returns the head that the scene shows, of a trace that kept view_wanted; makes a mean if
 * needed. */
const struct trace_head *view_shown(const struct scene *scene, size_t heads, struct trace *trace,
				    struct arena *a);

/* Returns the rows that the view Table shows, in the order in which the scene's row counts them
 * from 1. out[*shown] from `a`. */
const struct table_row **view_table_rows(const struct scene *scene, const struct table_row *rows,
					 size_t n, struct arena *a, size_t *shown);

/* A column of that table; `cell` returns its text for a row, "" for nothing. */
struct table_column {
	const char *name;	/* one of table_sorts */
	const char *head;	/* "reference" */
	unsigned char priority; /* as in struct table */
	bool right;
	const char *(*cell)(const struct table_row *row, struct arena *a);
	/* The sort key, NaN is last; NULL: sorted by the cell's text. */
	double (*key)(const struct table_row *row);
};
extern const struct table_column table_columns[]; /* ends with name == NULL */

/* The small curve of a scheme in a list: with default parameters, on the sentence and sizes with
 * which scenes begin, the mean over heads of the bias by distance in both directions, or by the
 * number that a structure gives to a pair. The values go from the farthest keys before the query
 * to the farthest keys after it, with distance 0 in the middle; if no number is below 0, from
 * the least number to the largest. NaN: masked, or there is no such bias. */
enum { SCHEME_CURVE_PLACES = 9 };
struct scheme_curve {
	double at[SCHEME_CURVE_PLACES];
};
/* Computes the curve. It is kept in `cache` (or NULL) by what the scheme stands for and by the
 * seed. Values that cannot be computed are NaN; false only if it was cancelled. */
bool view_scheme_curve(const struct scheme *s, uint64_t seed, struct cache *cache,
		       struct watch *watch, struct scheme_curve *out);

/* Returns "heads 1–2: all 81 pairs; heads 3–4: 45" if the masks of a step leave its heads
 * different numbers of pairs; NULL: all heads see equally many. */
const char *view_masks(const struct trace *trace, size_t step, size_t heads, struct arena *a);

/* Returns the numbers of the shown expressions that take nothing from the file of params:
 * "2, 3", or "this scheme" if only one is shown. NULL: all take something, or there is no file. */
const char *view_unused_params(const struct setup *setup, const struct built *built,
			       const struct compared *compared, size_t n_compared, struct arena *a);

/* Returns the rank of the value at `at` among the n values of its row that are not hidden:
 * "rank 5 of 9", for equal values "rank 2–4 of 9". `hidden` NULL: none is. Returns NULL if the
 * value itself is hidden. */
const char *view_rank_in_row(const double *row, const uint8_t *hidden, size_t n, size_t at,
			     struct arena *a);

/* Returns whether a text has the scheme's name, title, authors or another of its names as a
 * whole word, in any letter case. */
bool view_names_scheme(const char *text, const struct scheme *s);

/* Returns the text up to the first full stop that is followed by a blank and a capital letter. */
const char *view_first_sentence(const char *text, struct arena *a);

/* Gives the cell, from 1, that is shown until the user chooses one: a row just below the middle,
 * the second column. */
void view_first_cell(size_t rows, size_t cols, long *row, long *col);

#endif
