/* profile_in.h: what the files of the view Profile share. */
#ifndef POSVIZ_VIEW_PROFILE_IN_H
#define POSVIZ_VIEW_PROFILE_IN_H

#include "posviz/analysis/profile_run.h"
#include "view_in.h"

struct shown_profile {
	const char *why; /* why there is no profile; or NULL */
	struct profile_run run; /* sizes, rates and words; its source is not used */
	struct profile_head *heads; /* [layers · heads] */
	struct mat *pairs;	    /* [layers · heads], at NULL: no logits */
	size_t windows, to_come; /* windows done; parts of the work to come */
	bool noise;		 /* noise heads were drawn */
};

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
