/* raster_chart.h: a plot of curves on a page: one plot for several curves (raster_curves.c), and
 * small plots side by side (raster_panes.c). */
#ifndef POSVIZ_RASTER_CHART_H
#define POSVIZ_RASTER_CHART_H

#include "plot/curve_axis.h"
#include "plot/raster_in.h"

enum { CHART_TICKS = 12 };

struct chart {
	struct area plot;
	struct curve_range x;
	struct curve_axis y;
	double x_at[CHART_TICKS];
	size_t x_n;
	const char **x_text;
	/* the series as given, and as shown: some as running means */
	const struct curves *raw, *c;
	size_t from, to; /* the series of this plot */
	/* [c->n] the series that is drawn for each: curves that coincide have one line; NULL: each */
	const size_t *as;
	bool any_active; /* one of all series is active */
};

/* raster_chart.c */
/* Returns "key minus query, s − t" if it fits the width, else the part after the comma. */
const char *raster_chart_title(struct page *p, const char *title, double width);
double raster_chart_x(const struct chart *ch, double x);
double raster_chart_y(const struct chart *ch, double y);
/* Choose the ticks of y for a plot of this height, and those of x for one of this width. */
void raster_chart_fit_y(struct page *p, struct chart *ch, struct curve_range y, double height);
void raster_chart_fit_x(struct page *p, struct chart *ch, double width);
double raster_chart_y_width(struct page *p, const struct chart *ch);
/* Returns the distance from the axis to the numbers below it. */
double raster_chart_under(const struct page *p);
/* Draws hairlines and, if wanted, the numbers of y at the left of the plot and those of x below it,
 * which end at `right`. */
void raster_chart_axes(struct page *p, const struct chart *ch, bool y_text, bool x_text,
		       double right);
/* Draws bands, curves and their marks. */
void raster_chart_draw(struct page *p, const struct chart *ch);
/* Returns the factor for lines and marks, which on a small page does not fall below the size at
 * which they are visible. */
double raster_chart_pen(const struct page *p);
/* Draws the mark of a series in this form; r is half of its width. */
void raster_mark(struct page *p, size_t form, double x, double y, double r, uint32_t rgb);
/* Tells if a series is drawn with full weight. */
bool raster_chart_strong(const struct chart *ch, const struct series *s);
/* Returns its name, which says if it is a running mean, in the longest form that fits. */
const char *raster_chart_name(struct page *p, enum face face, const struct series *s, double width);

/* raster_points.c */
/* Draws rings on the curves of a plot at the x that are pointed out, dots from there down to the
 * axis, and values beside points. */
void raster_pointed_curves(struct page *p, const struct chart *ch);
/* Labels the x that are pointed out below the axis, to the left of `right`; tells if one of these
 * labels is in the way of words from x to `to`. */
void raster_pointed_places(struct page *p, const struct chart *ch, double right);
bool raster_pointed_over(struct page *p, const struct chart *ch, double x, double to);

/* raster_marks.c */
/* Returns the height of the rows of labels above a plot of this width. */
double raster_marks_height(struct page *p, const struct curves *c, double width);
/* Draws the marks of a plot's curves; draws their labels above it. */
void raster_marks(struct page *p, const struct chart *ch);
void raster_mark_labels(struct page *p, const struct chart *ch);

/* raster_panes.c */
/* Draws a plot for each curve, or a row of colours if plots have no room. */
void raster_panes(struct page *p, const struct curves *c, struct area at);

#endif
