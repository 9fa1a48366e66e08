/* sheet.h: contact sheets: maps of many schemes on some sentences, in one figure. */
#ifndef POSVIZ_SHEET_H
#define POSVIZ_SHEET_H

#include "posviz/plot/figure.h"
#include "posviz/scene/scene.h"

/* An expression on a contact sheet, its label, and its family. */
struct contact_wish {
	const char *expression, *name, *family;
	bool of_many;	   /* the user did not name it: it may be left out */
	const char *model; /* whose it is, with sizes and files of its own; NULL: the scene's */
};
/* The maps with a common scale; CONTACT_SHARE_SENTENCE: those on one sentence. */
enum contact_share { CONTACT_SHARE_OFF, CONTACT_SHARE_SENTENCE, CONTACT_SHARE_ALL, CONTACT_SHARES };
extern const char *const contact_share_names[CONTACT_SHARES + 1]; /* off sentence all */
struct contact_request {
	const struct contact_wish *wishes; /* [n], in the order of families */
	size_t n;
	const struct scene *scenes; /* [n_scenes] one for each sentence; otherwise equal */
	size_t n_scenes;
	enum matrix matrix; /* shown of each; its weights if it has no such matrix */
	enum contact_share share;
	bool heads_given, layers_given; /* else those of a file that an expression names */
	enum background background;
	const char *command;
	struct cache *cache;
};
/* Makes a figure with a contact sheet. A scheme with of_many that cannot be computed is left out:
 * *left_out names it and the reason, or is NULL. */
bool contact_make(const struct contact_request *r, struct arena *a, struct figure *out,
		  const char **left_out, struct err *err);

#endif
