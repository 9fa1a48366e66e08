/* dials.h: pairs of numbers that are turned, each as a dial with a hand or two, to be shown side by side. */
#ifndef POSVIZ_DIALS_H
#define POSVIZ_DIALS_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/plot/colormap.h"

/* A hand before it was turned and after; angles in radians, counter-clockwise from the right. One without a length
 * or an angle that is a number is not drawn. */
struct dial_hand {
	double before, after, length; /* of the dial's radius, 0 to 1 */
};

enum { DIAL_HANDS = 2 };

struct dial {
	const char *title, *note;	      /* "θ = 0.32", "round in 20 words" */
	const char *brief_title, *brief_note; /* "θ .32", "20 words" */
	struct dial_hand hands[DIAL_HANDS];   /* query, key */
	const char *angle, *angle_before;     /* between the hands: "100°", "before 154°" */
	double before, after;		      /* its addend of the logit; NaN: none, but an angle */
};

struct dials {
	size_t n;
	const struct dial *at;
	/* "query dog, turned by 4 θ"; the second NULL: there is one hand. In cells without colours hands
	 * are told apart by the first letters. */
	const char *names[DIAL_HANDS];
	const char *brief_names[DIAL_HANDS]; /* "query dog, at 4" */
	const char *value_title;	 /* of the addends: "|q| |k| cos(angle) / √d_h"; NULL */
	const char *sum;		 /* "logit +0.61, unturned +0.28", one line; NULL */
	const char *about;		 /* a sentence where there is room; NULL */
	const struct colormap *colormap; /* diverging: of the addends */
	bool has_cursor;
	size_t cursor; /* the chosen dial */
};

/* Whether any dial has an addend; the largest, without its sign. */
bool dials_have_addends(const struct dials *d);
double dials_most(const struct dials *d);
/* An addend with its sign and the decimals that the largest has use for, "+0.35"; `brief`: "+.35". "" for none. */
const char *dials_value(struct arena *a, const struct dials *d, double value, bool brief);

#endif
