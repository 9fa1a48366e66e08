/* pen_dials.h: the layout of dials, for the files that draw them. */
#ifndef POSVIZ_PEN_DIALS_H
#define POSVIZ_PEN_DIALS_H

#include "plot/pen.h"

/* The shown dials and parts, and their places. */
struct dials_plan {
	const struct pen *pen;
	const struct dials *d;
	bool addends;		  /* some dials have addends */
	bool about, bars, before; /* the sentence; bars of the addends; the state before rotation */
	bool parted;		  /* the addend has a line of its own below the angle */
	int notes;		  /* of the dials: 0 none, 1 brief, 2 whole */
	bool whole_titles;
	size_t first, shown, cols, rows;
	double pitch, size; /* of a column; the diameter of a circle, on cells in columns */
	double gap;	    /* between related parts */
	/* Heights: of the line of names; of the parts of a dial above its circle and below it, and
	 * of its bars. */
	double top, above, below, high;
	/* Widths: of all words of a dial, of those above a circle, of each part below it on
	 * cells. */
	double wide, words, part[3];
};

/* pen_dial.c: draw one dial in a circle of this area, and the names of the hands in one line at
 * most `width` wide; pen_dial_names() returns the width used. */
void pen_dial(const struct pen *pen, const struct dials *d, size_t i, struct area circle);
double pen_dial_names(const struct pen *pen, const struct dials *d, double x, double y,
		      double width);
/* Returns the number of hands of a dial: 1 or 2. */
size_t dials_hands(const struct dials *d);
/* Return whether a hand has this angle, the position of its tip, and whether the dial is the
 * cursor's. dial_order() orders the hands from the longer to the shorter one, which is then visible
 * if it is on the other. */
bool dial_is_there(const struct dial_hand *h, double angle);
struct point dial_tip(struct area circle, const struct dial_hand *h, double angle);
bool dial_is_chosen(const struct dials *d, size_t i);
void dial_order(const struct dials *d, size_t i, size_t *order);

/* pen_dials.c */
/* Writes an addend in the colour of its sign. */
void dials_signed(const struct dials_plan *p, double align, double x, double y, double value);

/* pen_dials_bars.c: the addends of a row of dials as bars, on a page. */
void dials_bars(const struct dials_plan *p, size_t first, size_t n, struct area at);

/* pen_dials_text.c: draws dials as lines of words, if no circle has room. */
void dials_list(struct dials_plan *p, struct area at);

#endif
