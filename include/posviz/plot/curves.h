/* curves.h: numbers over places or distances, to be shown as curves: what a panel of them holds. */
#ifndef POSVIZ_CURVES_H
#define POSVIZ_CURVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/plot/colormap.h"

struct series {
	const char *label;
	size_t n;
	const double *x, *y;   /* ascending x; NaN y breaks the line */
	const double *lo, *hi; /* a band, or NULL */
	size_t colour;	       /* index in the categorical palette and of the mark's form */
	bool active;	       /* drawn last and strongest */
	const char *brief;     /* where the label has no room: "1"; or NULL */
	size_t mean_of; /* curves_smooth: y are running means of so many points; 0: they are not */
	const struct series
		*before; /* the same before something ran, drawn faint behind it; NULL: none */
};

/* How values are spread over the axis: evenly; evenly up to `linear` and by decades beyond it, where one
 * curve would flatten the others; each
 * curve with limits of its own; or by decades, where every value is above zero or NaN. */
enum curve_spread { CURVES_LINEAR, CURVES_SYMLOG, CURVES_OWN, CURVES_LOG };

/* A short vertical line across one curve: from there on it has left what it was trained on. Where
 * several stand at one place with the same label, a plot that they share says it once. */
struct curve_mark {
	double x;
	size_t series;	   /* whose: by its index in curves.series */
	const char *label; /* "trained to 63"; NULL: none */
	const char *brief; /* the same where that has no room: "to 63"; NULL: none */
	/* It is of all curves, and a line goes up the whole plot; said where its series is. */
	bool upright;
};

/* A line across the plot: what the values are to be held against. It is in the limits of the axis. */
struct curve_level {
	double y;
	const char *label, *brief; /* "t-max 512", where that has no room "t-max" */
};

/* A place of the axis that has a name, because x stands for a range: 88 is "76–100". */
struct curve_place {
	double x;
	const char *name;
};

struct curves {
	const struct series *series;
	size_t n;
	const struct curve_mark *marks;
	size_t n_marks;
	const struct curve_level *levels;
	size_t n_levels;
	const char *x_title, *y_title;
	/* Of few measured points, ascending: the axis has these names, and values are said beside the points that have
	 * room, the last one first. */
	const struct curve_place *places;
	size_t n_places; /* 0: the axis has numbers */
	bool integer_x;
	bool log_x;	  /* x by doublings; all of them are above zero */
	double x_to;	  /* the axis goes at least so far, 0: as far as the curves */
	bool by_distance; /* x is a column minus a row, */
	long rows_from;	  /* where row 0 is column number this */
	bool folded;	  /* ... or its negative: one side stands for both */
	/* x is this number of a pair [rows][cols], INT32_MIN: it has none; NULL: x is no number of pairs */
	const int32_t *number;
	size_t rows, cols;
	bool unit; /* the axis has 0 and 1, wherever the values are */
	enum curve_spread spread;
	double linear; /* of CURVES_SYMLOG, > 0 */
	/* Cells that have no room for a plot of each curve show a row of colours for each; a diverging
	 * map, NULL: then only the active curve is drawn, or the first. */
	const struct colormap *colormap;
	const char *row_title; /* of these rows: "heads" */
	const double
		*pointed; /* [n_pointed] these x are pointed out on every curve, with its values */
	size_t n_pointed;
	const bool *marked; /* [n] curves that are pointed out; NULL: none */
	bool has_cursor;    /* x == cursor: a dot on the active curve, on each where none is */
	double cursor;
};

/* Height of a curve at x, between its points on the line that joins them; false where it has none. */
bool curves_height(const struct series *s, double x, double *y);

/* The curves; of those that turn more often than a plot of so many columns can show, running means.
 * Returns how many points these are of, 0: nothing is smoothed. */
size_t curves_smooth(struct arena *a, const struct curves *c, size_t columns, struct curves *out);

#endif
