/* raster_chart.h: a plot of curves on a page: what one that several share (raster_curves.c) and small
 * ones side by side (raster_panes.c) draw in. */
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
	const struct curves *raw,
		*c;	 /* as they are, and as they are shown: some as running means */
	size_t from, to; /* the series of this plot */
	bool any_active; /* among all of them */
};

/* raster_chart.c */
/* "key minus query, s − t" in this width, or what stands behind its comma. */
const char *raster_chart_title(struct page *p, const char *title, double width);
double raster_chart_x(const struct chart *ch, double x);
double raster_chart_y(const struct chart *ch, double y);
/* Ticks of y for a plot so high, of x for one so wide. */
void raster_chart_fit_y(struct page *p, struct chart *ch, struct curve_range y, double height);
void raster_chart_fit_x(struct page *p, struct chart *ch, double width);
double raster_chart_y_width(struct page *p, const struct chart *ch);
/* From the axis to the numbers below it. */
double raster_chart_under(const struct page *p);
/* Hairlines, the numbers of y left of the plot and those of x below it, where they are wanted; these end
 * at `right`. */
void raster_chart_axes(struct page *p, const struct chart *ch, bool y_text, bool x_text,
		       double right);
/* Bands, curves and their marks. */
void raster_chart_draw(struct page *p, const struct chart *ch);
/* What lines and marks shrink by on a small page, where they have to be seen like letters. */
double raster_chart_pen(const struct page *p);
/* A point of a series, of this form; r: half of what it is wide. */
void raster_mark(struct page *p, size_t form, double x, double y, double r, uint32_t rgb);
/* Whether a series is drawn as one that is looked at. */
bool raster_chart_strong(const struct chart *ch, const struct series *s);
/* Its name, which says when it is a running mean, in the longest form that fits. */
const char *raster_chart_name(struct page *p, enum face face, const struct series *s, double width);

/* raster_points.c */
/* Rings on the curves of a plot at what is pointed out, dots from there down to the axis, and values beside points. */
void raster_pointed_curves(struct page *p, const struct chart *ch);
/* Below the axis what is pointed out, before `right`; and whether that is in the way of words from x to `to`. */
void raster_pointed_places(struct page *p, const struct chart *ch, double right);
bool raster_pointed_over(struct page *p, const struct chart *ch, double x, double to);

/* raster_marks.c */
/* The labels stand in rows above the plot, which take this height when it is so wide. */
double raster_marks_height(struct page *p, const struct curves *c, double width);
/* The marks of a plot's curves; and their labels above it. */
void raster_marks(struct page *p, const struct chart *ch);
void raster_mark_labels(struct page *p, const struct chart *ch);

/* raster_panes.c */
/* A plot for each curve, or where these have no room a row of colours. */
void raster_panes(struct page *p, const struct curves *c, struct area at);

#endif
