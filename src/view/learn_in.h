/* learn_in.h: what the files of the view Learn share. */
#ifndef POSVIZ_VIEW_LEARN_IN_H
#define POSVIZ_VIEW_LEARN_IN_H

#include "posviz/learn/known.h"
#include "view_in.h"

/* learn_panels.c */
void learn_weights_panel(const struct view_data *d, struct arena *a, struct panel *p);
void learn_loss_panel(const struct view_data *d, struct arena *a, struct panel *p);
void learn_distance_panel(const struct view_data *d, struct arena *a, struct panel *p);
void learn_lengths_panel(const struct view_data *d, struct arena *a, struct panel *p);
void learn_places_panel(const struct view_data *d, struct arena *a, struct panel *p);
void learn_card_panel(const struct view_data *d, struct arena *a, struct panel *p);
/* Returns "1.00", "n/a". */
const char *learn_share(double share, struct arena *a);
/* Returns "trained on shift, 500 steps, seed 1". */
const char *learn_made(const struct learn_known *k, struct arena *a);

#endif
