/* compare_in.h: declarations shared by the files of the view Compare: the compared expressions,
 * and the results for every pair of them. */
#ifndef POSVIZ_COMPARE_IN_H
#define POSVIZ_COMPARE_IN_H

#include "view_in.h"

/* A difference below this is rounding. */
static const double compare_rounding = 1e-9;

struct one {
	struct view_data d; /* the data as if this expression were shown alone */
	const char *name;   /* as in struct compared */
	struct view_matrix matrix;
	/* For each row and column of the scene the index in this matrix; NULL: the same index;
	 * SIZE_MAX: another input lacks the unit. */
	const size_t *rows, *cols;
	size_t n_rows, n_cols; /* number of entries; 0: as many as the matrix has */
};

/* Results that depend only on the numbers, not on cursor or colours. */
struct kept {
	double lo, hi; /* limits of all matrices, over allowed cells */
	struct apart apart[PAIRS];
	const char *absent[PAIRS]; /* why there is no distance; or NULL */
};

/* The difference of the shown pair. */
struct change {
	struct mat at;
	const uint8_t *masked; /* enum heatmap_mask; NULL: no cell is masked */
	double most;
};

struct comparison {
	const struct view_data *d;
	struct arena *a;
	size_t n;
	struct one of[COMPARE_MAX];
	struct kept kept;
	/* Words common to two different inputs; NULL: the same input. */
	const struct matched *words[PAIRS];
	size_t pair;
	const struct one *first, *second; /* the two of that pair */
};

/* Returns the difference of the shown pair. The pair must be comparable. */
struct change compare_subtract(const struct comparison *c);
/* Return the index in this matrix of the scene's row or column; SIZE_MAX: it is not there. */
size_t compare_row(const struct comparison *c, const struct one *one, size_t row);
size_t compare_col(const struct comparison *c, const struct one *one, size_t col);
bool compare_has_pair(const struct comparison *c, size_t pair);

/* Returns "masked against unmasked: 1 sees 45, 2 sees all 81 pairs" if the masks of the shown
 * heads leave different numbers of pairs; else NULL. */
const char *compare_masks(const struct comparison *c);

/* ---- compare_words.c ------------------------------------------------------------------------- */

/* Returns whether only the inputs differ and the expression is the same, so that names are words
 * alone. */
bool compare_one_scheme(const struct comparison *c);
void compare_find_cursor(const struct comparison *c, size_t i, struct one *one);
void compare_match_words(struct comparison *c, size_t pair);

/* The two matrices of a pair; equal cells belong to the same two units. `rest` is as in
 * matched_take. */
struct sides {
	struct mat x, y;
	const uint8_t *mask_x, *mask_y; /* NULL: all pairs are allowed */
};
struct sides compare_sides(const struct comparison *c, size_t pair, bool rest);
/* Converts the measured distance to rows and columns of the first matrix; its counts of cells
 * are of words in both inputs. */
void compare_place_apart(const struct comparison *c, size_t pair, struct apart *apart);
/* Sets the rows, columns and cursor of the difference if inputs differ. */
void compare_paint_words(const struct comparison *c, struct paint *paint);
/* Returns "2 words are in one of them only"; NULL: there is no such word, or the input is the
 * same. */
const char *compare_missing(const struct comparison *c, size_t pair);
void compare_add_words(const struct comparison *c, struct card *card);

/* ---- compare_panels.c ------------------------------------------------------------------------ */

void compare_matrix_panel(const struct comparison *c, size_t i, struct panel *p);
void compare_difference_panel(const struct comparison *c, struct panel *p);
void compare_card_panel(const struct comparison *c, struct panel *p);
const char *compare_finding(const struct comparison *c, bool brief);
/* Returns the relative difference of the outputs of a pair in the shown head and layer; NaN: there
 * is none, or the inputs differ. */
double compare_outputs(const struct comparison *c, size_t pair);
/* Returns the text of a distance, rounded down to a whole number. */
const char *compare_whole(const struct comparison *c, double distance);

/* ---- compare_curves.c ------------------------------------------------------------------------ */

void compare_curve_panel(const struct comparison *c, struct panel *p);
/* Returns the farthest distance of a curve. With a memory, earlier keys can be farther than
 * later ones. */
long compare_ends_at(const struct compared *one);
/* Returns "trained to 16", the label of the farthest distance that training, or a table, covers.
 * NULL: the scheme has no learned numbers and no table. */
const char *compare_mark_words(const struct comparison *c, const struct compared *one);

#endif
