/* raster_arcs.h: arcs on paper: where words stand and how high arcs are, for raster_arcs.c, which
 * draws them, and raster_labels.c, which finds the places of what is written on them. */
#ifndef POSVIZ_RASTER_ARCS_H
#define POSVIZ_RASTER_ARCS_H

#include "plot/raster_structure.h"

/* What is written on strokes. */
struct arc_label {
	const char *text;
	double x, y; /* its middle */
	bool lit;
};

struct bow {
	struct plate *t;
	struct sight sight;
	struct arcs arcs;
	size_t units,
		*unit; /* places along the row; of each word in sight, its own, behind a gap's */
	const char **words; /* [units] */
	double pitch, left, foot, step, offset;
	struct side side;
	double top, title; /* of the root's word; width for the titles of rows below */
	const char *rest;  /* what is not drawn; "" for none */
	struct arc_label *labels;
	size_t n_labels, n_short; /* those that have room for no label, or not for all of it */
};

/* Where arcs meet a token, and how high they are. */
double bow_middle(const struct bow *b, size_t token);
double bow_stem(const struct bow *b, size_t token);
double bow_meets(const struct bow *b, size_t token, size_t other, bool dependent);
double bow_height(const struct bow *b, size_t level);
bool bow_shows(const struct bow *b, size_t token);

/* Fills b->labels: roots first, then the cursor's path, then short arcs. */
void bow_label(struct bow *b);
/* Whether nothing is written there yet; then it is taken. */
bool bow_take(const struct bow *b, struct area a);

#endif
