/* verdict_in.h: what the files of the view Verdict share. */
#ifndef POSVIZ_VERDICT_IN_H
#define POSVIZ_VERDICT_IN_H

#include "posviz/family/known_text.h"
#include "view_in.h"

struct verdict_kept {
	struct known known;
	struct rotation_seen rotations[MOST_ROTATIONS];
	size_t n;
	const char *absent; /* NULL: the model is known */
};

/* Returns whether a member of the expression rotates as posviz check tells; then no bias is needed. */
bool verdict_rotates(const char *expression);
/* Returns what a model without a rotation has for positions; NULL: nothing that is known. */
const char *verdict_positions(const struct known *k, struct arena *a);
/* Returns the first layers of a rotation: "layer 6", "layers 1–5, 7–11 …". */
const char *verdict_layers(const struct known *k, const struct rotation_seen *s, struct arena *a);
/* Draws how far positions reach: the wavelengths of the rotation, before and after scaling; without one, the distances
 * that ALiBi leaves, or the bias of positions. False: there is nothing of the kind. */
bool verdict_picture(const struct view_data *d, const struct verdict_kept *v, struct arena *a,
		     struct panel *p);

#endif
