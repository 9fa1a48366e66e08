/* canvas_arrange.h: panels on a grid of tracks, for canvas_layout.c, which gives the tracks sizes, for
 * canvas_fold.c, which chooses the panels, and for pages that have no room for all of them. */
#ifndef POSVIZ_CANVAS_ARRANGE_H
#define POSVIZ_CANVAS_ARRANGE_H

#include "plot/canvas_in.h"

enum { TRACKS = 2 * FIGURE_PANELS };

/* Panels on a grid of tracks. */
struct grid {
	int rows, cols;
	struct rect at[FIGURE_PANELS]; /* in tracks; rows == 0: not on the grid */
	int weight[TRACKS + 1];	       /* of the columns ... */
	int height[TRACKS + 1];	       /* ... and of the rows, where they are the page's */
};

struct job {
	const struct canvas *like; /* draws them */
	const struct figure *f;
	struct arena a;
	struct rect r;
	bool on[FIGURE_PANELS]; /* on the grid */
	bool tight;		/* least sizes, of panels among equals ... */
	bool high;		/* ... but heatmaps have their rows */
	bool whole;		/* what has no room is left out, and not said in a line */
};

/* canvas_layout.c: arranges the shown panels, and others as words below them; false when they do
 * not fit. */
enum { NONE = FIGURE_PANELS };
struct lines {
	size_t card, structure; /* panels; NONE: none */
};
bool layout_arrange(struct job *j, struct lines lines, struct rect *place);

/* Rows of all lines of a card, a table or bars at so many columns, with the box; 0: it has no lines. */
int layout_line_rows(struct job *j, const struct panel *p, int cols);

/* The page's own arrangement of the shown panels, each in the places of those beside it that are
 * not; `weighted`: with the page's weights. False when they overlap there. */
bool grid_page(const struct job *j, bool weighted, struct grid *g);
/* The shown panels in reading order, `cols` side by side. */
void grid_flow(const struct job *j, int cols, struct grid *g);
/* Heatmaps `above` side by side, below them the others, `below` side by side; false when that is too
 * many tracks. */
bool grid_stack(const struct job *j, int above, int below, struct grid *g);
/* The only heatmap over the whole height, the others below each other at its right; false when the figure has
 * more heatmaps, or a structure, which needs the width. */
bool grid_side(const struct job *j, struct grid *g);
/* The shown panels - of the kinds wanted - in their order on the page; their number. */
int grid_order(const struct job *j, bool maps, bool others, size_t *order);
/* canvas_fold.c: places for the panels that are on, the least important of which go until they fit; the panel `focus`
 * never does. */
void layout_fold(struct job *j, size_t focus, struct rect *place);
/* canvas_fold.c: the area of all heatmaps' cells, as far as a cell has so many half rows and as many columns,
 * and of the words above them. */
int layout_maps_area(struct job *j, const struct rect *place, int half_rows);

#endif
