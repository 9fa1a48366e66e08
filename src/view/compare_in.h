/* compare_in.h: what the files of the view Compare share: the expressions beside each other, and what
 * was found of every pair of them. */
#ifndef POSVIZ_COMPARE_IN_H
#define POSVIZ_COMPARE_IN_H

#include "view_in.h"

/* Below this a difference is rounding. */
static const double compare_rounding = 1e-9;

struct one {
	struct view_data d; /* as if it were looked at alone */
	const char *name;   /* as in struct compared */
	struct view_matrix matrix;
	/* Where the scene's row and column are in it; NULL: there. Of another input, SIZE_MAX: nowhere. */
	const size_t *rows, *cols;
	size_t n_rows, n_cols; /* of these; 0: as many as it has */
};

/* What follows from the numbers alone. */
struct kept {
	double lo, hi; /* of all matrices where allowed */
	struct apart apart[PAIRS];
	const char *absent[PAIRS]; /* why there is no distance */
};

/* The difference of the shown pair. */
struct change {
	struct mat at;
	const uint8_t *masked; /* enum heatmap_mask; NULL: nothing is */
	double most;
};

struct comparison {
	const struct view_data *d;
	struct arena *a;
	size_t n;
	struct one of[COMPARE_MAX];
	struct kept kept;
	const struct matched *words[PAIRS]; /* of inputs that differ; NULL: the same input */
	size_t pair;
	const struct one *first, *second; /* of that pair */
};

/* The difference of the shown pair, which can be compared. */
struct change compare_subtract(const struct comparison *c);
/* Where the scene's row or column is in this one; SIZE_MAX: nowhere. */
size_t compare_row(const struct comparison *c, const struct one *one, size_t row);
size_t compare_col(const struct comparison *c, const struct one *one, size_t col);
bool compare_has_pair(const struct comparison *c, size_t pair);

/* "masked against unmasked: 1 sees 45, 2 sees all 81 pairs" where the shown heads' masks leave different numbers of pairs; else NULL. */
const char *compare_masks(const struct comparison *c);

/* ---- compare_words.c ------------------------------------------------------------------------- */

/* Whether inputs differ and nothing else does, so that names are words alone. */
bool compare_one_scheme(const struct comparison *c);
void compare_find_cursor(const struct comparison *c, size_t i, struct one *one);
void compare_match_words(struct comparison *c, size_t pair);

/* The matrices of a pair, cell by cell of the same two units; with `rest` as in matched_take. */
struct sides {
	struct mat x, y;
	const uint8_t *mask_x, *mask_y; /* NULL: all is allowed */
};
struct sides compare_sides(const struct comparison *c, size_t pair, bool rest);
/* What was measured of them, with rows and columns of the first, and cells of words in both. */
void compare_place_apart(const struct comparison *c, size_t pair, struct apart *apart);
/* Rows, columns and cursor of the difference where inputs differ. */
void compare_paint_words(const struct comparison *c, struct paint *paint);
/* "2 words are in one of them only"; NULL: none is, or the input is the same. */
const char *compare_missing(const struct comparison *c, size_t pair);
void compare_add_words(const struct comparison *c, struct card *card);

/* ---- compare_panels.c ------------------------------------------------------------------------ */

void compare_matrix_panel(const struct comparison *c, size_t i, struct panel *p);
void compare_difference_panel(const struct comparison *c, struct panel *p);
void compare_card_panel(const struct comparison *c, struct panel *p);
/* A distance; where it is between two, the smaller. */
const char *compare_whole(const struct comparison *c, double distance);

/* ---- compare_curves.c ------------------------------------------------------------------------ */

void compare_curve_panel(const struct comparison *c, struct panel *p);
/* The farthest distance of a curve: of a memory that is farther than what comes later. */
long compare_ends_at(const struct compared *one);
/* "trained to 16": beyond it numbers that were learned, or tables, have nothing to go by. NULL: there are none. */
const char *compare_mark_words(const struct comparison *c, const struct compared *one);

#endif
