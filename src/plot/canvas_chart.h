/* canvas_chart.h: a plot of one curve, made of dots inside cells, and who draws in it. */
#ifndef POSVIZ_CANVAS_CHART_H
#define POSVIZ_CANVAS_CHART_H

#include "plot/canvas_in.h"
#include "plot/curve_axis.h"

/* A cell has one colour: a higher rank takes it from a lower one. */
enum rank {
	RANK_NONE,
	RANK_ZERO,
	RANK_BAND,
	RANK_BEFORE,
	RANK_LEADER,
	RANK_CURSOR,
	RANK_CURVE,
	RANK_MARK
};

struct dots {
	uint8_t mask; /* bit y * sx + x */
	uint8_t rank;
};

struct chart {
	struct canvas *c;
	struct arena *a;
	const struct curves *k;		/* its axes and cursor */
	const struct series *s, *raw;	/* as it is shown, and as it is: no running mean */
	const struct curve_mark *marks; /* this curve's */
	size_t n_marks;
	struct rect plot;
	int right;	      /* where labels above the plot end */
	int heads;	      /* rows above the plot for them */
	const char *words[2]; /* what else stands there where there is room, NULL: nothing */
	bool band, line;      /* draws the band, and a line through the cursor's place */
	bool chosen;	      /* drawn bold, as what is looked at or pointed out */
	int sx, sy;	      /* dots per cell */
	struct curve_range x;
	struct curve_axis y;
	struct dots *dots; /* plot.rows * plot.cols */
};

/* canvas_curves.c */
/* Sets what follows from the canvas and the curves: s, marks, sx, sy, chosen. */
void chart_open(struct chart *t, struct canvas *c, struct arena *a, const struct curves *k,
		size_t series);
/* Dots in a cell, side by side. */
int chart_dots_across(const struct canvas *c);
/* All inside the plot, and the labels of marks above it. */
void chart_draw(struct chart *t);
/* Whether no curve is in these cells of a row of the plot, once it is drawn. */
bool chart_is_free(const struct chart *t, int row, int col, int cols);
/* ATTR_ of a curve and its name; what is not pointed out is dim where something is. */
unsigned chart_weight(const struct chart *t);

/* Where a value is, in dots; a dot and a line of them. */
int chart_dot_x(const struct chart *t, double x);
int chart_dot_y(const struct chart *t, double y);
void chart_dot(struct chart *t, int x, int y, enum rank rank);
void chart_line(struct chart *t, int xa, int ya, int xb, int yb, enum rank rank);

/* canvas_axis.c */
/* How many ticks of values so many rows have room for; the labels of these, right-aligned left of the
 * plot, and their width. */
size_t chart_most_ticks(int rows);
int chart_y_width(const struct curve_axis *y);
void chart_y_labels(const struct chart *t);
/* Below the plot: what is pointed out, ticks, and the title, which may stand as far as t->right, or from column
 * `left` on beside the plot. */
void chart_x_labels(const struct chart *t, int left);
/* The same without a title: the ends in this row, what is pointed out, and as much as `all` has room for between. */
void chart_x_ends(const struct chart *t, int row, bool all);
/* What stands at these ends. */
const char **chart_ends(const struct chart *t);

/* canvas_points.c: from what is pointed out down to the axis, dots; then its signs, and values beside points. */
void chart_point_lines(struct chart *t);
void chart_points(struct chart *t);

/* canvas_marks.c: marks and leaders are dots; labels are written above them. */
void chart_marks(struct chart *t);
void chart_leaders(struct chart *t);
void chart_mark_labels(const struct chart *t);

/* canvas_panes.c */
/* A plot for each of several curves; false, and nothing is drawn, where they have no room. */
bool canvas_panes(struct canvas *c, struct arena *a, struct rect inner, const struct curves *k);
/* canvas_rows.c */
/* A row of colours for each; false, and nothing is drawn, without a colour map or room. */
bool canvas_curve_rows(struct canvas *c, struct arena *a, struct rect inner,
		       const struct curves *k);

#endif
