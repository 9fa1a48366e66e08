/* vectors.h: the vectors that a scheme adds, multiplies or rotates by, as rows of numbers, and
 * how the rows relate to each other. */
#ifndef POSVIZ_VECTORS_H
#define POSVIZ_VECTORS_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/scene/setup.h"

enum vectors_kind {
	VECTORS_ADDED, /* a row for each token, added to it before layer 1 */
	VECTORS_TURNS, /* a row for each token: the rotation angle of each pair of columns */
	VECTORS_MADE,  /* computed in the run: the scheme says what the rows are */
	VECTORS_TABLE, /* a learned table, a row for each position, distance or label */
	VECTORS_EIGEN  /* a row for each node: eigenvectors of the graph */
};

struct vectors {
	enum vectors_kind kind;
	const char *name, *title; /* "position", "shaw.w_key.0"; "added to the units" */
	const char *means;	  /* the meaning of a row and its use; NULL: not known */
	const char *rows_are;	  /* "place t", "row" */
	bool changes;		  /* those of the first layer, which every layer changes */
	bool of_units;		  /* one row for each token, in their order */
	/* Row i is for the distance i − rows/2, query before key or the other way. */
	bool of_distances;
	struct mat at;	 /* [rows, columns]; angles from −π to π */
	struct mat rows; /* the rows to compare: `at`, or for angles their cosines and sines */
	/* For pairs of columns that rotate: the angle of each token, and radians per position.
	 * at NULL: none. */
	struct mat angle;
	const double *frequency; /* [angle.cols]; NaN if positions do not differ */
	/* [angle.cols] the number of a position that each pair rotates by, if it has several:
	 * PLACE_TEMPORAL, PLACE_HEIGHT, PLACE_WIDTH, or PLACE_AXES for a sum of them; else NULL.
	 * The frequency is then that of this number. */
	const double *axis;
	const double *
		trained; /* [angle.cols] the same before a scaling reduced them; NULL: no scaling */
	double trained_to; /* with `trained`: the number of positions in training */
};

enum { VECTORS_MOST = 32, VECTORS_ROWS = 4096 };

/* Finds the vectors, in the order: added, rotations and other computed ones, tables,
 * eigenvectors. If each layer has its own, only those of the first are listed; a table whose
 * rows are the added vectors is not listed again. The trace must have kept WANT_POSITION,
 * WANT_KEPT and WANT_RELATION. Returns the number; of more than VECTORS_MOST only the first. */
size_t vectors_find(const struct built *b, const struct trace *trace, struct arena *a,
		    struct vectors out[VECTORS_MOST]);

/* Returns whether a leaf is a table of distances, from the farthest on one side to the farthest
 * on the other, with a row or a column for each. */
bool leaf_of_distances(const struct leaf *leaf, bool *columns);

/* Returns the cosine of every two rows, NaN if one is zero: [rows, rows], symmetric, 1 on the
 * diagonal (Wang and Chen 2020; survey, Figure 10). */
struct mat vectors_cosine(struct mat rows, struct arena *a);
/* Counts the cosines of two different rows in COSINE_BINS equal parts of −1 … 1 (Chen et al.
 * 2021, Figure 5). Returns their number. */
enum { COSINE_BINS = 32 };
size_t vectors_histogram(struct mat cosine, double bins[COSINE_BINS]);
/* Projects the rows on their first two principal components: centred, projected on the
 * directions of largest variance; in each the entry of largest magnitude is positive. plane:
 * [rows, 2]; share: of the variance. False: one row, or all are equal. */
bool vectors_plane(struct mat rows, struct mat plane, double share[2], struct arena *a,
		   struct err *err);
/* Computes the norm of each row. */
void vectors_norms(struct mat rows, double *out);

#endif
