/* curves.h: a panel of curves over positions or distances. */
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
	const double *x, *y;   /* x ascends; NaN in y breaks the line */
	const double *lo, *hi; /* the limits of a band, or NULL */
	size_t colour;	       /* index in the categorical palette, and of the form of its marks */
	bool active;	       /* drawn last and with the most weight */
	/* the label's short form: "1"; or NULL */
	const char *brief;
	/* set by curves_smooth: y are running means over so many points; 0: they are not */
	size_t mean_of;
	/* the series before something changed, drawn faint behind it; NULL: none */
	const struct series *before;
};

/* The spread of values over the axis: evenly; evenly up to `linear` and by decades beyond it, if
 * one curve would flatten the others; each curve with its own limits; or by decades, if every value
 * is above zero or NaN. */
enum curve_spread { CURVES_LINEAR, CURVES_SYMLOG, CURVES_OWN, CURVES_LOG };

/* A short vertical line across one curve, for example at the limit of its training. If several with
 * the same label are at one x, a plot that they share prints the label once. */
struct curve_mark {
	double x;
	size_t series;	   /* its curve, an index in curves.series */
	const char *label; /* "trained to 63"; NULL: none */
	const char *brief; /* the short form of the label: "to 63"; NULL: none */
	/* It belongs to all curves, and its line has the height of the plot; the label is drawn in
	 * the plot of its series. */
	bool upright;
};

/* A horizontal line across the plot, to compare the values with. The axis includes it. */
struct curve_level {
	double y;
	const char *label, *brief; /* "t-max 512", and its short form "t-max" */
};

/* A name of a point on the x axis, because x stands for a range: 88 is "76–100". */
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
	/* The x of a few measured points, ascending. The axis shows these names, and values are
	 * printed beside the points that have room, the last one first. */
	const struct curve_place *places;
	size_t n_places; /* 0: the axis shows numbers */
	bool integer_x;
	/* x is a category, such as a head: a mark and its value for each, and no line that would suggest values between */
	bool apart;
	bool log_x;  /* the x axis is logarithmic, in powers of two; every x is above zero */
	double x_to; /* the axis extends at least to this; 0: to the end of the curves */
	/* x is column minus row, */
	bool by_distance;
	/* rows_from is the column number of row 0, */
	long rows_from;
	/* ... or −|column minus row|, so that one side stands for both */
	bool folded;
	/* The x of each pair, [rows][cols], INT32_MIN: it has none; NULL: x is no property of
	 * pairs. */
	const int32_t *number;
	size_t rows, cols;
	/* the curves, at most eight, lie over one another in one plot and are told apart by marks */
	bool together;
	/* Words name the least and the largest value of a curve: running means leave these as they are, and where only small
	 * plots side by side would need means, the active curve has the room alone. */
	bool extremes;
	bool unit; /* the axis includes 0 and 1, whatever the values are */
	enum curve_spread spread;
	double linear; /* of CURVES_SYMLOG, > 0 */
	/* Cells without room for a plot of each curve show each as a row of colours, on this
	 * diverging map. NULL: then only the active curve is drawn, or the first. */
	const struct colormap *colormap;
	const char *row_title; /* title of these rows: "heads" */
	/* [n_pointed]: the x at which every curve is pointed out, with its values */
	const double *pointed;
	size_t n_pointed;
	const bool *marked; /* [n] curves that are pointed out; NULL: none */
	/* a dot on the active curve at x == cursor, on every curve if none is active */
	bool has_cursor;
	double cursor;
};

/* Interpolates a curve linearly at x; false if it has no value there. */
bool curves_height(const struct series *s, double x, double *y);

/* Copies the curves, and replaces those that oscillate faster than a plot of so many columns can
 * show by running means. Returns the number of points of a mean, 0: nothing is smoothed. */
size_t curves_smooth(struct arena *a, const struct curves *c, size_t columns, struct curves *out);

#endif
