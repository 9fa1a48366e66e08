/* profile_in.h: what the files of the view Profile share. */
#ifndef POSVIZ_VIEW_PROFILE_IN_H
#define POSVIZ_VIEW_PROFILE_IN_H

#include "posviz/analysis/profile_run.h"
#include "view_in.h"

/* profile_keep.c: takes what is known of the scene's profile, and measures some more. */
const void *profile_keep(const struct view_data *d, struct arena *a);
size_t profile_to_come(const void *kept);
void profile_numbers(const struct view_data *d, struct arena *a, struct numbers *out);

/* profile_panels.c */
void profile_kernels_panel(const struct view_data *d, struct arena *a, struct panel *p);
void profile_curve_panel(const struct view_data *d, struct arena *a, struct panel *p);
void profile_position_panel(const struct view_data *d, struct arena *a, struct panel *p);
void profile_bands_panel(const struct view_data *d, struct arena *a, struct panel *p);
void profile_plane_panel(const struct view_data *d, struct arena *a, struct panel *p);
void profile_table_panel(const struct view_data *d, struct arena *a, struct panel *p);
void profile_card_panel(const struct view_data *d, struct arena *a, struct panel *p);

#endif
