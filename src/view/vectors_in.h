/* vectors_in.h: the results that the view Vectors keeps for the rows that it shows. */
#ifndef POSVIZ_VECTORS_IN_H
#define POSVIZ_VECTORS_IN_H

#include "posviz/analysis/vectors.h"
#include "view_in.h"

struct shown_vectors {
	const struct built *built; /* the scene's, or one with more positions than the sentence */
	const struct trace *trace;
	bool more_places;
	struct vectors *list; /* [n] the vectors found; `of` is the index of the shown ones */
	size_t n, of;
	struct vectors v; /* with the rows that were read, if the table is large */
	struct row_sample sample;
	/* If there are no vectors, a sentence about what the scheme has instead; or NULL. */
	const char *absent;
	struct mat cosine;
	/* The split of the cosines of different rows by their distance. */
	struct split by;
	double bins[COSINE_BINS];
	size_t pairs; /* number of pairs that the bins count */
	/* Cosine: limits over different rows; mean over neighbouring rows. */
	double least, most, neighbour;
	double lo, hi;	  /* limits of the values */
	double *norm;	  /* [rows] */
	struct mat plane; /* [rows, 2] */
	double share[2];
	const char *plane_absent;
	/* Numbers of pairs that make a full rotation: within the shown positions, and within
	 * t_max. */
	size_t turn, turned;
};

/* Returns the wanted results. Matrices of heads are made only if something of them is wanted, so
 * the mask is always wanted: it costs least. */
view_wants vectors_wants;
view_keep vectors_keep; /* returns a struct shown_vectors */
/* Returns "−1.31", "0" for a value that is only rounding, "–" if there is no value. */
const char *vectors_number(double value, int digits, struct arena *a);
/* Returns a sentence about what a scheme without vectors has instead. */
const char *vectors_instead(const struct view_data *d, struct arena *a);

/* clocks_none.c: fills the figure of a scheme without clocks: why it has none, which schemes have
 * some, and what it does instead. `has`: the scheme has clocks, but not of what is shown. */
void clocks_none(const struct view_data *d, const char *why, bool has, struct arena *a,
		 struct figure *out);
/* The schemes that are named there, by kind; ends with {0}. */
struct clocks_named {
	const char *kind, *ids;
};
extern const struct clocks_named clocks_named[];

#endif
