/* sheet.h: contact sheets: a map of each of many schemes on each of some sentences, in one figure. */
#ifndef POSVIZ_SHEET_H
#define POSVIZ_SHEET_H

#include "posviz/plot/figure.h"
#include "posviz/scene/scene.h"

/* An expression that a contact sheet shows, its label, and the family that it stands with. */
struct contact_wish {
	const char *expression, *name, *family;
	bool of_many; /* nobody named it: it may be left out */
};
/* CONTACT_SHARE_SENTENCE: maps on one sentence have one scale. */
enum contact_share { CONTACT_SHARE_OFF, CONTACT_SHARE_SENTENCE, CONTACT_SHARE_ALL, CONTACT_SHARES };
extern const char *const contact_share_names[CONTACT_SHARES + 1]; /* off sentence all */
struct contact_request {
	const struct contact_wish *wishes; /* [n], those of a family together */
	size_t n;
	const struct scene *scenes; /* [n_scenes] one for each sentence; else the same */
	size_t n_scenes;
	enum matrix matrix; /* what is shown of each; where it has no such matrix, its weights */
	enum contact_share share;
	bool heads_given, layers_given; /* else those of a file that an expression names */
	enum background background;
	const char *command;
	struct cache *cache;
};
/* A figure with a contact sheet. A scheme that nobody named and that cannot be computed here is left out:
 * *left_out says which and why, or is NULL. */
bool contact_make(const struct contact_request *r, struct arena *a, struct figure *out,
		  const char **left_out, struct err *err);

#endif
