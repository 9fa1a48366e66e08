/* view_in.h: the views' functions, for the registry, and what they share. */
#ifndef POSVIZ_VIEW_IN_H
#define POSVIZ_VIEW_IN_H

#include "posviz/view.h"

/* A head or layer from 1, brought into 1..limit. */
long view_within(long value, size_t limit);

/* A scheme made for causal attention says nothing of later keys: its bias is shown for the past. */
bool view_bias_is_causal(const struct built *b);

unsigned explore_wants(const struct scene *scene);
bool explore_figure(const struct view_data *data, struct arena *a, struct figure *out,
		    struct err *err);

/* card.c: what a scheme is, beside what was made and measured. */
void card_scheme(const struct view_data *data, struct arena *a, struct panel *panel);
void card_measures(const struct view_data *data, struct arena *a, struct panel *panel);

#endif
