/* sheet_in.h: the words of a contact sheet, for who makes it. */
#ifndef POSVIZ_SHEET_IN_H
#define POSVIZ_SHEET_IN_H

#include "posviz/picture/sheet.h"
#include "posviz/plot/contact.h"
#include "view/view_in.h"

/* "−0.83", "2", "10.7" */
const char *sheet_number(double x, struct arena *a);
/* Those of the n that say something, parted. */
const char *sheet_joined(const char *const *parts, size_t n, const char *between, struct arena *a);
/* Of the scheme that an expression is about; 0: none is known. */
int sheet_year(const char *expression);
enum { SHEET_TOKENS = 96 }; /* columns of the tokens that a caption says */
/* The words of a scene and how many they are; "" where they cannot be read. */
const char *sheet_tokens(const struct scene *s, size_t *n, struct arena *a);
const char *sheet_title(const struct contact *k, struct arena *a);

/* The kind, head, layer and tokens that all maps of a sheet share, for its words. */
struct sheet_facts {
	const char *const *inputs; /* of each column: its tokens, and how many */
	enum matrix what;	   /* that all maps show; of several kinds what was asked for */
	long heads;		   /* of each map that is of a head; 0: they differ */
	struct view_axes axes;	   /* false: no map is of a head, or of a layer */
	bool drawn;		   /* a number depends on the model's units or learned tables */
	bool probed;		   /* a bias is that of the probe */
};
const char *sheet_subtitle(const struct contact_request *r, const struct sheet_facts *f,
			   const struct contact *k, struct arena *a);
const char *sheet_caption(const struct contact_request *r, const struct sheet_facts *f,
			  struct arena *a);

#endif
