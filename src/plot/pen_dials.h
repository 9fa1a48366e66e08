/* pen_dials.h: what the files that draw dials share: how they are laid out. */
#ifndef POSVIZ_PEN_DIALS_H
#define POSVIZ_PEN_DIALS_H

#include "plot/pen.h"

/* What is shown of dials, and where. */
struct dials_plan {
	const struct pen *pen;
	const struct dials *d;
	bool addends;		  /* there are any */
	bool about, bars, before; /* the sentence; bars of the addends; what was before the turn */
	bool parted;		  /* the addend has a line of its own below the angle */
	int notes;		  /* of the dials: 0 none, 1 brief, 2 whole */
	bool whole_titles;
	size_t first, shown, cols, rows;
	double pitch, size; /* of a column; the diameter of a circle, of cells in columns */
	double gap;	    /* between things that belong together */
	/* Heights: of the line of names; of what a dial has above its circle, below it, and of its bars. */
	double top, above, below, high;
	/* Widths: of all words of a dial, of those above a circle, of each part below it on cells. */
	double wide, words, part[3];
};

/* pen_dial.c: one dial in a circle of this area, and what says whose hand is whose in one line no wider than
 * `width`; the width of that. */
void pen_dial(const struct pen *pen, const struct dials *d, size_t i, struct area circle);
double pen_dial_names(const struct pen *pen, const struct dials *d, double x, double y,
		      double width);
/* Hands of a dial: 1 or 2. */
size_t dials_hands(const struct dials *d);
/* Whether a hand has this angle, the point of it, whether the dial is the cursor's, and its hands from the longer to
 * the shorter one, which is then seen where it lies on the other. */
bool dial_is_there(const struct dial_hand *h, double angle);
struct point dial_tip(struct area circle, const struct dial_hand *h, double angle);
bool dial_is_chosen(const struct dials *d, size_t i);
void dial_order(const struct dials *d, size_t i, size_t *order);

/* pen_dials.c */
/* An addend, in the colour of its sign. */
void dials_signed(const struct dials_plan *p, double align, double x, double y, double value);

/* pen_dials_bars.c: the addends of a row of dials as bars, on a page. */
void dials_bars(const struct dials_plan *p, size_t first, size_t n, struct area at);

/* pen_dials_text.c: dials as lines, where no circle has room. */
void dials_list(struct dials_plan *p, struct area at);

#endif
