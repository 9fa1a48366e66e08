/* profile_in.h: what the files of the view Profile share. */
#ifndef POSVIZ_VIEW_PROFILE_IN_H
#define POSVIZ_VIEW_PROFILE_IN_H

#include "posviz/analysis/profile_run.h"
#include "view_in.h"

/* profile_keep.c: takes what is known of the scene's profile, and measures some more. */
const void *profile_keep(const struct view_data *d, struct arena *a);
size_t profile_to_come(const void *kept);
void profile_numbers(const struct view_data *d, struct arena *a, struct numbers *out);

/* profile_panels.c, profile_maps.c: the maps */
const struct profile_known *profile_shown(const struct view_data *d);
size_t profile_cells(const struct profile_known *k);
/* Returns the number of the shown head among all: the chosen one, or until one is chosen the first of the table;
 * SIZE_MAX: a mean is chosen. */
size_t profile_chosen(const struct view_data *d);
/* Return "2·4", layer and head; "43 %". */
const char *profile_name(const struct view_data *d, size_t cell, struct arena *a);
const char *profile_percent(double share, struct arena *a);
/* Returns the heads that the filter leaves, in the order of the scene's column, [*n]. */
const size_t *profile_listed(const struct view_data *d, struct arena *a, size_t *n);
/* Returns the heads that the filter leaves, in the order of layers, [*n]. */
const size_t *profile_filtered(const struct view_data *d, struct arena *a, size_t *n);
/* Gets the part of the distances that any head has: under a causal mask no key after the query. */
void profile_span(const struct profile_known *k, size_t *from, size_t *to);
/* `other`: of what it is compared with */
void profile_kernels_panel(const struct view_data *d, bool other, struct arena *a, struct panel *p);
void profile_curve_panel(const struct view_data *d, struct arena *a, struct panel *p);
/* Returns whether heads are so many that a map of layers and heads is clearer than the rows of the table. */
bool profile_has_position(const struct profile_known *k);
void profile_position_panel(const struct view_data *d, struct arena *a, struct panel *p);
void profile_bands_panel(const struct view_data *d, struct arena *a, struct panel *p);

/* profile_table.c */
/* Returns whether all heads are so close together in the plane that a sentence says more. */
bool profile_together(const struct view_data *d, struct arena *a);
void profile_plane_panel(const struct view_data *d, struct arena *a, struct panel *p);
void profile_table_panel(const struct view_data *d, struct arena *a, struct panel *p);
/* Returns what stands out, or what differs, for above the panels. */
const char *profile_finding(const struct view_data *d, struct arena *a);
size_t profile_walk(const struct view_data *d, const struct panel *p, int right, int up);

#endif
