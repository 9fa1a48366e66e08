/* lengths_in.h: what the files of the view Lengths share. */
#ifndef POSVIZ_LENGTHS_VIEW_IN_H
#define POSVIZ_LENGTHS_VIEW_IN_H

#include "view_in.h"

/* lengths_card.c: where something ends, as sentences; and all of it as numbers. */
void lengths_card(const struct view_data *d, struct arena *a, struct panel *p);
void lengths_numbers(const struct view_data *d, struct arena *a, struct numbers *out);

#endif
