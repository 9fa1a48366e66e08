/* compare_in.h: what the files of the view Compare share: the expressions beside each other, and what
 * was found of every pair of them. */
#ifndef POSVIZ_COMPARE_IN_H
#define POSVIZ_COMPARE_IN_H

#include "view_in.h"

/* Below this a difference is rounding. */
static const double compare_rounding = 1e-9;

struct one {
	struct view_data d;	/* as if it were looked at alone */
	const char *expression; /* in brief */
	struct view_matrix matrix;
	/* Where the scene's row and column are in it; NULL: there. */
	const size_t *rows, *cols;
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
	size_t pair;
	const struct one *first, *second; /* of that pair */
};

/* The difference of the shown pair, which can be compared. */
struct change compare_subtract(const struct comparison *c);
/* Where the scene's unit i is on another axis: the unit of the same token, else of the same place. */
size_t compare_unit(const struct axis *scene, const struct axis *in, size_t i);
bool compare_has_pair(const struct comparison *c, size_t pair);

/* "masked against unmasked: 1 sees 45, 2 sees all 81 pairs" where the shown heads' masks leave different numbers of pairs; else NULL. */
const char *compare_masks(const struct comparison *c);

/* compare_panels.c */
void compare_matrix_panel(const struct comparison *c, size_t i, struct panel *p);
void compare_difference_panel(const struct comparison *c, struct panel *p);
void compare_curve_panel(const struct comparison *c, struct panel *p);
void compare_card_panel(const struct comparison *c, struct panel *p);

#endif
