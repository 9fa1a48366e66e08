/* heads_in.h: sentences of the view Heads, for heads.c. */
#ifndef POSVIZ_HEADS_IN_H
#define POSVIZ_HEADS_IN_H

#include "view_in.h"

/* A head or a layer: the distance at which its mean curve is largest, and the entropy of its weights,
 * as a number and as it is written elsewhere in the view. */
struct heads_item {
	const char *title;
	bool peaks; /* the curve has a largest value */
	long peak;
	double entropy; /* NaN: not defined */
	const char *entropy_text;
	size_t keys; /* of the text; 0: not known */
};

/* Returns where the items have their largest values, and which have the least and the greatest entropy;
 * NULL if there are fewer than two. what: "heads"; sign: "s−t"; NULL: there are no distances; of: what the curves are means of,
 * "bias"; NULL: weights; brief: without the entropy, and without the items that differ from most. */
const char *heads_finding(const struct heads_item *items, size_t n, const char *what,
			  const char *sign, const char *of, bool brief, struct arena *a);
/* Returns a brief sentence without the words that a narrow screen lacks room for; NULL: it has none of them. */
const char *heads_finding_least(const char *brief, struct arena *a);
/* Returns the note for the single matrix of a file that lacks an axis. */
const char *heads_without_axis(const struct view_data *d);

#endif
