/* sheet_in.h: the words of a contact sheet, for sheet.c. */
#ifndef POSVIZ_SHEET_IN_H
#define POSVIZ_SHEET_IN_H

#include "posviz/picture/sheet.h"
#include "posviz/plot/contact.h"
#include "posviz/scene/beside.h"
#include "view/view_in.h"

/* Prints a number: "−0.83", "2", "10.7". */
const char *sheet_number(double x, struct arena *a);
/* Prints a share; 100 % only if distance explains everything up to rounding. NULL: there is none. */
const char *sheet_percent(double share, struct arena *a);
/* Joins those of the n parts that are not empty. */
const char *sheet_joined(const char *const *parts, size_t n, const char *between, struct arena *a);
/* Returns the year of an expression's main scheme; 0: unknown. */
int sheet_year(const char *expression);
enum { SHEET_TOKENS = 96 }; /* width in columns of the tokens in a caption */
/* Returns the words of a scene and their number; "" if they cannot be read. */
const char *sheet_tokens(const struct scene *s, size_t *n, struct arena *a);
const char *sheet_title(const struct contact *k, struct arena *a);

/* The kind, head, layer and tokens that all maps of a sheet share, for its words. */
struct sheet_facts {
	const char *const *inputs; /* for each column: its tokens and their number */
	enum matrix what;	   /* of all maps; if they differ, the requested one */
	long heads;		   /* of each map that belongs to a head; 0: they differ */
	struct view_axes axes;	   /* false: no map belongs to a head, or to a layer */
	bool drawn;		   /* a number depends on the model's units or learned tables */
	bool probed;		   /* a bias is that of the probe */
};
const char *sheet_subtitle(const struct contact_request *r, const struct sheet_facts *f,
			   const struct contact *k, struct arena *a);
const char *sheet_caption(const struct contact_request *r, const struct sheet_facts *f,
			  struct arena *a);

#endif
