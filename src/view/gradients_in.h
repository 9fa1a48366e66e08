/* gradients_in.h: declarations shared by the files of the view Gradients. */
#ifndef POSVIZ_GRADIENTS_IN_H
#define POSVIZ_GRADIENTS_IN_H

#include "posviz/analysis/gradients.h"
#include "view_in.h"

/* The rows or columns that are shown, ascending: if there are too many, the longest ones. */
struct lines {
	const size_t *at;
	size_t n, of;
	/* "16 of 64 dimensions, the others are 0"; NULL: all are shown. */
	const char *says;
	bool longest; /* those that are not shown are not all 0 */
};

struct gradients_kept {
	struct gradients_of of;
	struct gradients g;
	struct lines places;	     /* of the units; n 0: nothing to show */
	struct slope unit, position; /* valid if `proved` */
	bool proved;
	/* the names of the rows of the leaf that is shown; NULL: there is none */
	const struct shown_vectors *named;
};

/* Return "α" or "A"; "weight" or "logit"; "chased → cat". */
const char *gradient_sign(const struct gradients_kept *k);
const char *gradient_word(const struct gradients_kept *k);
const char *gradient_cell(const struct view_data *d, const struct gradients_kept *k,
			  struct arena *a);
/* gradient_added returns whether there is a gradient of position vectors. gradient_shown returns
 * the gradient whose rows are shown: that of position vectors if there is one, else of units. */
bool gradient_added(const struct gradients_kept *k);
/* Returns whether the gradients of position vectors and of units are the same but for rounding. */
bool gradient_equal(const struct gradients_kept *k);
const struct gradient *gradient_shown(const struct gradients_kept *k);
/* Formats a value with as many decimals as leave three digits to the largest. */
const char *gradient_digits(double value, double most, struct arena *a);

/* ---- gradients_maps.c ------------------------------------------------------------------------ */

/* Returns the rows that are shown. */
struct lines gradient_places(const struct gradients_kept *k, struct arena *a);
/* Fill the panel of the position vectors, or of the leaf that has their role if there are none;
 * and the panel of the units. */
void gradient_first_panel(const struct view_data *d, const struct gradients_kept *k,
			  struct arena *a, struct panel *p);
void gradient_units_panel(const struct view_data *d, const struct gradients_kept *k,
			  struct arena *a, struct panel *p);
/* Names all rows of the leaf that is shown, as the view Vectors does. */
const struct shown_vectors *gradient_named(const struct view_data *d,
					   const struct gradients_kept *k, struct arena *a);
/* Returns the leaf that is shown: the longest of those whose rows stand for something, as positions
 * or distances, else of all; NULL: there is none. */
const struct gradient_leaf *gradient_leaf(const struct gradients_kept *k);
/* Return "v_q" for "deberta.v_q.0", the leaf of a layer, and "deberta.v_q" among several members;
 * and its meaning in words. */
const char *gradient_leaf_name(const struct view_data *d, const struct gradient_leaf *l,
			       struct arena *a);
const char *gradient_leaf_means(const struct gradient_leaf *l);
/* Returns its meaning as the figure says it, without the rule that finds a row: "vectors of the distance, added to the
 * key". */
const char *gradient_leaf_words(const struct gradient_leaf *l, struct arena *a);
/* Replaces the panel by bars of the change of the weight with each logit of its row, if the weights
 * are the softmax of the logits; else the panel stays. */
void gradient_row_panel(const struct view_data *d, const struct gradients_kept *k, struct arena *a,
			struct panel *p);

#endif
