/* rank_in.h: the numbers of the view Rank, made by rank_keep.c and shown by rank.c. */
#ifndef POSVIZ_RANK_IN_H
#define POSVIZ_RANK_IN_H

#include "posviz/analysis/rank.h"
#include "view_in.h"

enum { RANK_ROWS = MODEL_MAX_TERMS + 4, RANK_STEPS = 8, RANK_SIZES = 16, RANK_MOST = 256 };

/* A matrix and its rank. */
struct rank_row {
	const char *name, *title; /* "term.unit–unit", "unit–unit" */
	struct rank is;
	size_t bound; /* 0: no bound is known */
	struct mat m;
};

struct rank_rows {
	struct rank_row at[RANK_ROWS];
	size_t n;
	double entropy; /* mean over the rows of the weights */
	bool positions; /* a summand of the logits has positions by itself */
};

/* Ranks at several values of a size. */
struct rank_swept {
	const char *title, *x_title;
	size_t n;
	double x[RANK_SIZES], content[RANK_SIZES], position[RANK_SIZES], logits[RANK_SIZES];
	/* Bounds of content and logits; NaN: not known. */
	double low[RANK_SIZES], high[RANK_SIZES];
};

struct rank_kept {
	struct rank_bounds bounds;
	/* Of the scene's own tokens, for dumps; and of the tokens that are shown, the same or
	 * these and drawn ones. */
	struct rank_rows own, seen;
	size_t n_own, n;
	const char *why; /* why there are no more tokens than the scene's; NULL: there are, or the
			  * scene's suffice */
	/* Ranks of the first tokens alone; and at n tokens by the width of heads, and of position
	 * vectors. */
	struct rank_swept grown, heads, dims;
};

/* Computes all of it; the memory is from `a`. */
const void *rank_keep(const struct view_data *d, struct arena *a);
/* Returns the row of this name, NULL if there is none. */
const struct rank_row *rank_row(const struct rank_rows *rows, const char *name);
/* Returns the largest known bound of the logits: d_h, or with a separate product of positions d_h +
 * d_p and the segments. */
size_t rank_most(const struct rank_bounds *b);

#endif
