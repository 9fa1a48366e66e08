/* dials.h: a panel of rotated pairs of numbers, side by side, each a dial with one or two hands. */
#ifndef POSVIZ_DIALS_H
#define POSVIZ_DIALS_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/plot/colormap.h"

/* A hand before and after the rotation. Angles are in radians, counter-clockwise from the right; their difference is
 * the rotation with its sign. A hand whose length or angle is not finite is not drawn. */
struct dial_hand {
	double before, after, length; /* length: as a part of the dial's radius, 0 to 1 */
};

enum { DIAL_HANDS = 2 };

struct dial {
	const char *title, *note;	      /* "θ = 0.32", "round in 20 words" */
	const char *brief_title, *brief_note; /* short forms: "θ .32", "20 words" */
	struct dial_hand hands[DIAL_HANDS];   /* query, key */
	/* the angle between the hands: "100°", "before 154°" */
	const char *angle, *angle_before;
	/* addends of the logit; NaN: the dial has none, but an angle */
	double before, after;
};

struct dials {
	size_t n;
	const struct dial *at;
	/* "query dog, turned by 4 θ"; the second is NULL if there is one hand. In cells without
	 * colours the first letters tell hands apart. */
	const char *names[DIAL_HANDS];
	const char *brief_names[DIAL_HANDS]; /* "query dog, at 4" */
	const char *value_title; /* title of the addends: "|q| |k| cos(angle) / √d_h"; or NULL */
	const char *sum;	 /* "logit +0.61, unturned +0.28", one line; or NULL */
	const char *about;	 /* a sentence that is shown if it has room; or NULL */
	const struct colormap *colormap; /* diverging: the colours of the addends */
	bool has_cursor;
	size_t cursor; /* the chosen dial */
};

/* Tells if any dial has an addend; returns the largest |addend|. */
bool dials_have_addends(const struct dials *d);
double dials_most(const struct dials *d);
/* Returns an addend with its sign and with the decimals that suit the largest one, "+0.35"; with
 * `brief` "+.35". "" for none. */
const char *dials_value(struct arena *a, const struct dials *d, double value, bool brief);

#endif
