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

#endif
