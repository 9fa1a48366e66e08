/* vectors.h: what a scheme adds, multiplies or turns by, as rows of numbers, and what the rows have to do with
 * each other. */
#ifndef POSVIZ_VECTORS_H
#define POSVIZ_VECTORS_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/scene/setup.h"

enum vectors_kind {
	VECTORS_ADDED, /* a row for each unit, added to it in front of layer 1 */
	VECTORS_TURNS, /* a row for each unit: the angle by which each pair of columns is turned */
	VECTORS_MADE,  /* made on the way: rows are what the scheme says */
	VECTORS_TABLE, /* a learned table, a row for each place, distance or label */
	VECTORS_EIGEN  /* a row for each node: eigenvectors of the graph */
};

struct vectors {
	enum vectors_kind kind;
	const char *name, *title; /* "position", "shaw.w_key.0"; "added to the units" */
	const char *means;	  /* what a row is and what becomes of it; NULL: not known */
	const char *rows_are;	  /* "place t", "row" */
	bool of_units;		  /* as many rows as there are units, in their order */
	bool of_distances; /* row i is that of the distance i − rows/2, query before key or the other way */
	struct mat at;	 /* [rows, columns]; angles from −π to π */
	struct mat rows; /* what is compared: `at`, of angles their cosines and sines */
	/* Of pairs of columns that turn: the angle of each unit, and radians per position. at NULL: none. */
	struct mat angle;
	const double *frequency; /* [angle.cols]; NaN where places do not differ */
	const double *
		trained; /* [angle.cols] the same before a scaling slowed them down; NULL: none did */
	double trained_to; /* with `trained`: the positions that it was trained on */
};

enum { VECTORS_MOST = 32 };

/* In the order: added, turns and what is made on the way, tables, eigenvectors. Of what each layer has its own
 * those of the first; a table whose rows are what is added is not there twice. The trace kept WANT_POSITION,
 * WANT_KEPT and WANT_RELATION. Returns how many; of more than VECTORS_MOST the first. */
size_t vectors_find(const struct built *b, const struct trace *trace, struct arena *a,
		    struct vectors out[VECTORS_MOST]);

/* Whether a leaf is a table of distances, from the farthest on one side to the farthest on the other, a row or a
 * column for each. */
bool leaf_of_distances(const struct leaf *leaf, bool *columns);

/* Cosine of every two rows, NaN where one is zero: [rows, rows], symmetric, 1 on the diagonal (Wang and Chen
 * 2020; survey, Figure 10). */
struct mat vectors_cosine(struct mat rows, struct arena *a);
/* How many cosines of two different rows fall into each of so many equal parts of −1 … 1 (Chen et al. 2021,
 * Figure 5). Returns how many there are. */
enum { COSINE_BINS = 32 };
size_t vectors_histogram(struct mat cosine, double bins[COSINE_BINS]);
/* The rows in the plane of their first two principal components: centred, projected on the directions of
 * largest variance; of each the entry of largest magnitude points up. plane: [rows, 2]; share: of the
 * variance. False: one row, or all are equal. */
bool vectors_plane(struct mat rows, struct mat plane, double share[2], struct arena *a,
		   struct err *err);
/* Length of each row. */
void vectors_norms(struct mat rows, double *out);

#endif
