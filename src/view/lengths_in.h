/* lengths_in.h: declarations shared by the files of the view Lengths. */
#ifndef POSVIZ_LENGTHS_VIEW_IN_H
#define POSVIZ_LENGTHS_VIEW_IN_H

#include "view_in.h"

/* lengths_card.c: a card with the limits of the scheme as sentences; all results as numbers. */
void lengths_card(const struct view_data *d, struct arena *a, struct panel *p);
void lengths_numbers(const struct view_data *d, struct arena *a, struct numbers *out);

/* lengths.c: the words of a measure. */
struct lengths_words {
	const char *title, *brief; /* of a panel; where it is narrow */
	const char *says;	   /* its formula */
	bool unit;
};
struct lengths_words lengths_words(const struct view_data *d, enum lengths_measure m,
				   struct arena *a);

/* lengths_stretched returns whether the scaling of the chosen head's rotation is from fewer positions than t_max;
 * lengths_t_max_is what t_max is then: "length of the context", else "length of training". */
bool lengths_stretched(const struct lengths *l);
const char *lengths_t_max_is(const struct lengths *l);

/* Returns whether all values are above zero and spread over more than a decade, so that their axis is logarithmic:
 * one of fewer has hardly a tick. */
bool lengths_in_decades(const struct series *series, size_t n);

/* lengths_finding.c: lengths_why_ends returns why there is no longer text (l->ends > 0), in words of the scheme and not
 * of the text that was tried; what becomes of a scheme's attention beyond t_max, in one sentence, and of those of several
 * schemes; NULL: nothing is known yet. */
const char *lengths_why_ends(const struct lengths *l, struct arena *a);
const char *lengths_finding(const struct view_data *d, struct arena *a);
const char *lengths_finding_laid(const struct view_data *d, struct arena *a);

/* Returns the keys that masks leave the last query at t_max and at the longest length alike; 0: they leave all, or not
 * the same. */
size_t lengths_keys_left(const struct view_data *d);

/* lengths_laid.c: the panels for several schemes, whose curves lie over one another. */
void lengths_lay_over(const struct view_data *d, struct arena *a, struct figure *out);

#endif
