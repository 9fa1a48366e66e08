/* vectors_in.h: what the view Vectors keeps of the rows that it shows. */
#ifndef POSVIZ_VECTORS_IN_H
#define POSVIZ_VECTORS_IN_H

#include "posviz/analysis/vectors.h"
#include "view_in.h"

struct shown_vectors {
	const struct built *built; /* the scene's, or one of more places than its sentence has */
	const struct trace *trace;
	bool more_places;
	struct vectors *list; /* [n] what there is; `of` is the one that is shown */
	size_t n, of;
	struct vectors v; /* with the rows that were read of a large table */
	struct row_sample sample;
	const char *absent; /* there are none: what the scheme has instead; or NULL */
	struct mat cosine;
	struct split by; /* of the cosines of different rows, by how far apart they stand */
	double bins[COSINE_BINS];
	size_t pairs;		       /* that the bins count */
	double least, most, neighbour; /* cosine: of different rows; mean of rows side by side */
	double lo, hi;		       /* values */
	double *norm;		       /* [rows] */
	struct mat plane;	       /* [rows, 2] */
	double share[2];
	const char *plane_absent;
	size_t turn,
		turned; /* pairs that come round within the places that are shown; and within t_max */
};

/* What is made for the heads comes only when something of them is wanted: the mask is the least. */
view_wants vectors_wants;
view_keep vectors_keep; /* a struct shown_vectors */
/* "−1.31", "0" for what is only rounding, "–" where there is none. */
const char *vectors_number(double value, int digits, struct arena *a);
/* What a scheme has that has no vectors, in words. */
const char *vectors_instead(const struct view_data *d, struct arena *a);

#endif
