/* gradients_in.h: what the files of the view Gradients share. */
#ifndef POSVIZ_GRADIENTS_IN_H
#define POSVIZ_GRADIENTS_IN_H

#include "posviz/analysis/gradients.h"
#include "view_in.h"

/* Rows or columns that are shown, ascending: of many the longest. */
struct lines {
	const size_t *at;
	size_t n, of;
	const char *says; /* "16 of 64 dimensions, the others are 0"; NULL: it is all of them */
};

struct gradients_kept {
	struct gradients_of of;
	struct gradients g;
	struct lines places;	     /* of the units; n 0: there is nothing to show */
	struct slope unit, position; /* as far as it is `proved` */
	bool proved;
};

/* "α" or "A"; "weight" or "logit"; "chased → cat". */
const char *gradient_sign(const struct gradients_kept *k);
const char *gradient_word(const struct gradients_kept *k);
const char *gradient_cell(const struct view_data *d, const struct gradients_kept *k,
			  struct arena *a);
/* Whether there is a gradient of position vectors; and the one whose places are shown: of those, or of units. */
bool gradient_added(const struct gradients_kept *k);
const struct gradient *gradient_shown(const struct gradients_kept *k);

/* ---- gradients_maps.c ---------------------------------------------------------------------------- */

/* The places that are shown. */
struct lines gradient_places(const struct gradients_kept *k, struct arena *a);
/* Position vectors, or the leaf that stands for them where there are none; and units. */
void gradient_first_panel(const struct view_data *d, const struct gradients_kept *k,
			  struct arena *a, struct panel *p);
void gradient_units_panel(const struct view_data *d, const struct gradients_kept *k,
			  struct arena *a, struct panel *p);

#endif
