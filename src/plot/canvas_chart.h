/* canvas_chart.h: a plot of one curve, made of dots inside cells, and the parts that are drawn in
 * it. */
#ifndef POSVIZ_CANVAS_CHART_H
#define POSVIZ_CANVAS_CHART_H

#include "plot/canvas_in.h"
#include "plot/curve_axis.h"

/* A cell has one colour: dots of a higher rank replace those of a lower one. */
enum rank {
	RANK_NONE,
	RANK_ZERO,
	RANK_LEVEL,
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
	const struct curves *k;		/* holds the axes and the cursor */
	const struct series *s, *raw;	/* the curve as shown, and without the running mean */
	const struct curve_mark *marks; /* the marks of this curve */
	size_t n_marks;
	struct rect plot;
	int right;	      /* the end of the labels above the plot */
	int heads;	      /* rows above the plot for these labels */
	const char *words[2]; /* other texts there if there is room, or NULL */
	char letter;	      /* of the curve in ASCII; 0: that of all curves */
	bool band, line;      /* draws the band, and a line through the cursor's position */
	bool chosen;	      /* drawn bold: the curve is in focus or pointed out */
	int sx, sy;	      /* dots per cell */
	struct curve_range x;
	struct curve_axis y;
	struct dots *dots; /* plot.rows * plot.cols */
};

/* canvas_curves.c */
/* Sets the members that follow from the canvas and the curves: s, marks, sx, sy, chosen. */
void chart_open(struct chart *t, struct canvas *c, struct arena *a, const struct curves *k,
		size_t series);
/* Return the number of dots in a cell side by side, and below each other. */
int chart_dots_across(const struct canvas *c);
int chart_dots_down(const struct canvas *c);
/* Draws everything inside the plot, and the labels of marks above it. */
void chart_draw(struct chart *t);
/* The same in parts, for curves that share a plot: dotted lines; the dots of the curve alone, and these on the screen;
 * and the labels of levels, where t->dots have no curve. */
void chart_ground(struct chart *t);
void chart_trace(struct chart *t);
void chart_print(const struct chart *t);
void chart_level_labels(const struct chart *t);
/* Returns whether these cells of a row of the drawn plot contain no curve. */
bool chart_is_free(const struct chart *t, int row, int col, int cols);
/* Returns the attributes of a curve and its name; if some curves are pointed out, the others are
 * dim. */
unsigned chart_weight(const struct chart *t);

/* The position of a value in dots; draw a dot, and a line of dots. */
int chart_dot_x(const struct chart *t, double x);
int chart_dot_y(const struct chart *t, double y);
void chart_dot(struct chart *t, int x, int y, enum rank rank);
void chart_line(struct chart *t, int xa, int ya, int xb, int yb, enum rank rank);

/* canvas_axis.c */
/* Return how many ticks of values have room in so many rows, and the width of the labels; draw the
 * labels, right-aligned, left of the plot. */
size_t chart_most_ticks(int rows);
int chart_y_width(const struct curve_axis *y);
/* Returns the dots from the upper end of an axis, *first, to its lower end: the middles of the first and the last
 * row, where their labels stand, so that a value is seen beside its number; in few rows all dots. */
double chart_dots_between(int rows, int sy, double *first);
/* Fits the axis of a plot of so many rows, with ticks in the middles of rows. */
void chart_fit_y(struct curve_axis *y, struct arena *a, const struct curves *k,
		 struct curve_range range, int rows);
void chart_y_labels(const struct chart *t);
/* Writes the labels below the plot: points that are pointed out, ticks, and the title, which may
 * extend to t->right, or is written beside the plot from column `left` on. */
void chart_x_labels(const struct chart *t, int left);
/* Returns the part of a title after its last comma that a blank follows; NULL: it has no such comma. */
const char *chart_last_part(const char *title);
/* Writes labels without a title into `row`: both ends, and if `all`, points that are pointed out
 * and ticks between the ends if these have room. */
void chart_x_ends(const struct chart *t, int row, bool all);
/* Returns the labels of the two ends of the x axis. */
const char **chart_ends(const struct chart *t);
/* Returns "smoothed: means of 9 distances", of a curve whose points are running means. */
const char *chart_smoothed(const struct chart *t);

/* canvas_points.c: draws dotted lines from pointed-out points down to the axis; then the signs of
 * these points, and values beside them. */
void chart_point_lines(struct chart *t);
void chart_points(struct chart *t);

/* canvas_marks.c: draws marks and leader lines as dots, and writes labels above the plot. */
void chart_marks(struct chart *t);
void chart_leaders(struct chart *t);
void chart_mark_labels(const struct chart *t);

/* canvas_panes.c */
/* Draws a plot for each of several curves; draws nothing and returns false if they have no room. */
bool canvas_panes(struct canvas *c, struct arena *a, struct rect inner, const struct curves *k);
/* Returns whether the active curve would be a running mean there. */
bool canvas_panes_smooth(struct canvas *c, struct arena *a, struct rect inner,
			 const struct curves *k);
/* canvas_together.c */
/* Draws curves that are to lie over one another in one plot, with names at their ends; draws nothing and returns
 * false if they are not, or have no room. */
bool canvas_together(struct canvas *c, struct arena *a, struct rect inner, const struct curves *k);
/* canvas_rows.c */
/* Draws a row of colours for each curve; draws nothing and returns false without a colour map or
 * room. */
bool canvas_curve_rows(struct canvas *c, struct arena *a, struct rect inner,
		       const struct curves *k);

#endif
