/* canvas_arrange.h: panels on a grid of tracks, for canvas_layout.c, which gives the tracks sizes,
 * for canvas_fold.c, which chooses the panels, and for pages without room for all panels. */
#ifndef POSVIZ_CANVAS_ARRANGE_H
#define POSVIZ_CANVAS_ARRANGE_H

#include "plot/canvas_in.h"

enum { TRACKS = 2 * FIGURE_PANELS };

/* Panels on a grid of tracks. */
struct grid {
	int rows, cols;
	struct rect at[FIGURE_PANELS]; /* in tracks; rows == 0: not on the grid */
	int weight[TRACKS + 1];	       /* of the columns */
	int height[TRACKS + 1];	       /* of the rows, if the page gives weights */
};

struct job {
	const struct canvas *like; /* the canvas that the figure is drawn on */
	const struct figure *f;
	struct arena a;
	struct rect r;
	bool on[FIGURE_PANELS]; /* the panels on the grid */
	bool tight;		/* panels of equal rank have their least sizes */
	bool high;		/* with `tight`: but heatmaps have all their rows */
	bool whole;		/* a panel without room is left out and not written as a line */
	int map_rows;		/* the least rows of a heatmap */
};

/* canvas_layout.c: arranges the panels that are on, and `lines` as words below them; false if they
 * do not fit. */
enum { NONE = FIGURE_PANELS };
struct lines {
	size_t card, structure; /* panels, or NONE */
};
bool layout_arrange(struct job *j, struct lines lines, struct rect *place);

/* canvas_least.c: computes the least sizes of the tracks of one axis; panels over several tracks come last and
 * share what they still need among these. Returns the sum. */
int layout_least(const struct job *j, const struct grid *g, bool rows, int *size);
/* canvas_least.c: returns whether panel i has a row of a grid of several to itself. */
bool grid_alone_in_row(const struct grid *g, size_t i);

/* Returns the rows of all lines of a card, a table or bars at `cols` columns, with the box; 0 if
 * the panel has no lines. */
int layout_line_rows(struct job *j, const struct panel *p, int cols);

/* Arranges the shown panels as on the page, each extended into the space of hidden panels beside
 * it; `weighted`: with the page's weights. False if panels overlap there. */
bool grid_page(const struct job *j, bool weighted, struct grid *g);
/* Puts the shown panels in reading order, `cols` side by side. */
void grid_flow(const struct job *j, int cols, struct grid *g);
/* Puts the heatmaps first, `above` of them side by side, and the other panels under them, `below`
 * side by side; false if that needs too many tracks. */
bool grid_stack(const struct job *j, int above, int below, struct grid *g);
/* Puts the only heatmap over the whole height, the others below each other at its right; false if
 * the figure has more heatmaps, or a structure, which needs the width. */
bool grid_side(const struct job *j, struct grid *g);
/* Puts the first panel, a table, over the whole height, the others below each other at its right; false if it is not
 * shown, or alone. */
bool grid_beside_table(const struct job *j, struct grid *g);
/* Fills `order` with the shown panels of the wanted kinds, in their order on the page; returns
 * their number. */
int grid_order(const struct job *j, bool maps, bool others, size_t *order);
/* canvas_fold.c: places the panels that are on, and drops the least important ones until the others
 * fit; the panel `focus` is never dropped. */
void layout_fold(struct job *j, size_t focus, struct rect *place);
/* canvas_spare.c: arranges the panels without a heatmap that the others can do without, if their cells were too small with
 * it and are larger then. */
void layout_spare(struct job *j, size_t focus, struct rect *place);
/* canvas_fold.c: returns the area of the cells of all heatmaps and of the words above them; a value
 * counts with at most `half_rows` half rows and as many columns. */
int layout_maps_area(struct job *j, const struct rect *place, int half_rows);

#endif
