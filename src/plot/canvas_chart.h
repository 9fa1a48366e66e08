/* canvas_chart.h: a plot of curves made of dots inside cells, and who draws in it. */
#ifndef POSVIZ_CANVAS_CHART_H
#define POSVIZ_CANVAS_CHART_H

#include "plot/canvas_in.h"

/* A higher rank takes the whole cell from a lower one. */
enum rank {
	RANK_NONE,
	RANK_ZERO,
	RANK_BAND,
	RANK_LEADER,
	RANK_CURSOR,
	RANK_CURVE,
	RANK_ACTIVE,
	RANK_MARK
};
enum { MOST_TICKS = 8 };

struct dots {
	uint8_t mask; /* bit y * sx + x */
	uint8_t rank;
	size_t series;
};

struct chart {
	struct canvas *c;
	struct arena *a;
	const struct curves *k;
	struct rect plot;
	bool named;	/* names stand above the curves or at their ends */
	int right;	/* where the inside ends */
	int heads;	/* rows above the plot for the labels of marks */
	size_t mean_of; /* points of a running mean; 0: none */
	int sx, sy;	/* dots per cell */
	double x0, x1, y0, y1;
	struct dots *dots; /* plot.rows * plot.cols */
	double ticks[MOST_TICKS];
	size_t n_ticks;
	const char **tick_labels;
};

/* canvas_curves.c: where a value is, in dots; a dot and a line of them. */
int chart_dot_x(const struct chart *t, double x);
int chart_dot_y(const struct chart *t, double y);
void chart_dot(struct chart *t, int x, int y, enum rank rank, size_t series);
void chart_line(struct chart *t, int xa, int ya, int xb, int yb, enum rank rank, size_t series);

/* canvas_marks.c: marks and leaders are dots; labels and numbers are written over them. */
void chart_marks(struct chart *t);
void chart_leaders(struct chart *t);
void chart_mark_labels(const struct chart *t);
void chart_numbers(struct chart *t);

#endif
