/* lengths_in.h: declarations shared by the files of the view Lengths. */
#ifndef POSVIZ_LENGTHS_VIEW_IN_H
#define POSVIZ_LENGTHS_VIEW_IN_H

#include "view_in.h"

/* lengths_card.c: a card with the limits of the scheme as sentences; all results as numbers. */
void lengths_card(const struct view_data *d, struct arena *a, struct panel *p);
void lengths_numbers(const struct view_data *d, struct arena *a, struct numbers *out);

#endif
