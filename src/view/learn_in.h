/* learn_in.h: what the files of the view Learn share. */
#ifndef POSVIZ_VIEW_LEARN_IN_H
#define POSVIZ_VIEW_LEARN_IN_H

#include "posviz/learn/grid.h"
#include "posviz/learn/known.h"
#include "view_in.h"

enum { LEARN_SHOWN = 4 };

/* The scene's own training, and those of the schemes compared with it. */
struct learn_shown {
	size_t n;
	/* `name` is brief, without parameters if the names still differ, and `whole` is complete; NULL: one scheme is shown alone. */
	const char *name[LEARN_SHOWN], *whole[LEARN_SHOWN];
	struct learn_known of[LEARN_SHOWN];
	struct learn_seeds seeds[LEARN_SHOWN];
	const struct learn_grid *grid; /* shown instead; NULL: it is not, and `of` is set */
};

/* learn_panels.c: the panels of the training i. */
void learn_weights_panel(const struct view_data *d, size_t i, struct arena *a, struct panel *p);
void learn_loss_panel(const struct view_data *d, struct arena *a, struct panel *p);
void learn_distance_panel(const struct view_data *d, struct arena *a, struct panel *p);
void learn_lengths_panel(const struct view_data *d, size_t i, struct arena *a, struct panel *p);
void learn_places_panel(const struct view_data *d, struct arena *a, struct panel *p);

/* learn_words.c: sentences. */
const char *learn_share(double share, struct arena *a);
/* Returns "trained on shift, 120 of 500 steps, seed 1". */
const char *learn_made(const struct learn_known *k, struct arena *a);
const char *learn_finding(const struct view_data *d, struct arena *a);
const char *learn_caption(const struct view_data *d, struct arena *a);
/* Returns whether the accuracies of this training are those of several seeds. */
bool learn_has_seeds(const struct learn_shown *all, size_t i);
/* Returns whether the scene asks for a moment behind the last step; the field's end is the last step. */
bool learn_is_beyond(const struct scene *scene);
size_t learn_last_step(const struct scene *scene);

/* learn_grid.c: trains the grid of all->n schemes, and shows it. */
void learn_grid_keep(const struct view_data *d, bool partial, struct arena *a,
		     struct learn_shown *out);
void learn_grid_figure(const struct view_data *d, struct arena *a, struct figure *out);
const char *learn_grid_finding(const struct view_data *d, struct arena *a);
const char *learn_grid_caption(const struct view_data *d, struct arena *a);
void learn_grid_numbers(const struct learn_grid *g, struct arena *a, struct numbers *out);

#endif
