/* pen_dials.h: what the files that draw dials share: how they are laid out. */
#ifndef POSVIZ_PEN_DIALS_H
#define POSVIZ_PEN_DIALS_H

#include "plot/pen.h"

/* What is shown of dials, and where. */
struct dials_plan {
	const struct pen *pen;
	const struct dials *d;
	double gap;		  /* between things that belong together */
	bool about, bars, before; /* the sentence; bars of the addends; what was before the turn */
	int notes;		  /* of the dials: 0 none, 1 brief, 2 whole */
	bool whole_titles, addends; /* there are any */
	bool parted;		    /* the addend has a line of its own below the angle */
	size_t first, shown, cols, rows;
	double pitch, size;	   /* of a column; the diameter of a dial, of cells in columns */
	double above, below, high; /* a dial: lines above its circle, below it, and of bars */
	double top;		   /* lines above all of them */
	double most;		   /* the largest addend */
	double words, part[3]; /* on cells widths of all above a circle, of each part below it */
	int decimals;
};

/* pen_dial.c: one dial in a circle of this area, and what says whose hand is whose in one line no wider than
 * `width`; the width of that. */
void pen_dial(const struct pen *pen, const struct dials *d, size_t i, struct area circle);
double pen_dial_names(const struct pen *pen, const struct dials *d, double x, double y,
		      double width, bool draw);
/* Hands of a dial: 1 or 2. */
size_t dials_hands(const struct dials *d);

/* pen_dials.c */
/* "+0.35"; `brief`: "+.35". */
const char *dials_value(const struct dials_plan *p, double value, bool brief);
/* The same, written in the colour of its sign. */
void dials_signed(const struct dials_plan *p, double align, double x, double y, double value);

/* pen_dials_bars.c: the addends of a row of dials as bars, on a page. */
void dials_bars(const struct dials_plan *p, size_t first, size_t n, struct area at);

/* pen_dials_text.c: dials as lines, where no circle has room. */
void dials_list(struct dials_plan *p, struct area at);

#endif
