/* raster_heatmap.h: a matrix on a page: its contents and surroundings, their places, and the
 * drawing of them. */
#ifndef POSVIZ_RASTER_HEATMAP_H
#define POSVIZ_RASTER_HEATMAP_H

#include "plot/raster_in.h"

/* The labels of one side of the matrix. */
struct side {
	size_t n;
	size_t *at; /* indices of the labelled rows or columns */
	const char **text;
	struct size most;
	double angle; /* of column labels: 0, slanted or a right angle */
	bool numbers; /* labels are round numbers and no words */
	size_t cut;   /* number of labels that are cut */
};

/* A colour bar and its labels: vertical at the right of its matrix, or horizontal below it. */
struct bar {
	size_t n;
	double *at; /* in [0, 1] */
	const char **text;
	/* meaning of the values at the low and the high end; NULL: none */
	const char *words[2];
	const char *mode; /* "" for a linear scale */
	/* the panels that share the bar; "" for none */
	const char *of;
	/* lines that `mode` and `of` take below a vertical bar */
	size_t lines;
	/* of a horizontal bar: these are below its labels, else at its right */
	bool stacked;
	double length; /* of the colours */
	double across; /* its width or height with all labels and the gap to the matrix */
	/* of a horizontal bar: width of the bar and its words beyond the matrix */
	double beyond;
};

/* The places of all parts of a heatmap. */
struct grid {
	struct area at; /* the matrix */
	struct side rows, cols;
	struct bar bar;
	double cell_w, cell_h;
	double pixel;			   /* edges of cells are multiples of this */
	const char *row_title, *col_title; /* with their arrows; "" for none */
	/* the titles are left of the column labels, else at title_y */
	bool corner;
	double top, left, below, right;
	/* column labels were slanted at some point of the search for the size */
	bool leant;
	double gap;	  /* between the row labels and the matrix */
	const char *note; /* under the matrix, "" for none */
	double title_y, note_y;
};

/* raster_labels.c */
/* Make labels for rows of height `pitch`, at most `width` wide; for columns of width `pitch`, at
 * most `length` long if they are rotated. */
struct side raster_labels_rows(struct page *p, const struct heatmap *h, double pitch, double width);
struct side raster_labels_cols(struct page *p, const struct heatmap *h, double pitch,
			       double length);
/* Return the height of the column labels above the matrix, and their width beyond its right
 * edge. */
double raster_labels_height(const struct page *p, const struct side *s);
double raster_labels_overhang(struct page *p, const struct side *s, size_t n, double pitch);

/* raster_bar.c */
/* raster_bar makes a bar beside a side of the matrix of this length, with its limits and the round
 * ticks between them that have room. `panels` is a set of bits with the panels that share the bar,
 * whose letters it then shows. raster_bar_draw draws it. */
struct bar raster_bar(struct page *p, const struct heatmap *h, double side, unsigned panels);
void raster_bar_draw(struct page *p, const struct heatmap *h, const struct grid *g);
/* Rounds to three significant digits, which is enough for a limit on a bar. */
double raster_three_digits(double x);

/* raster_inside.c: the words or numbers in the cells of a matrix. */
/* the smallest sides of a cell with a decimal number at full size of letters */
enum { NUMBER_CELL = 44 };
enum inside { INSIDE_NOTHING, INSIDE_NUMBERS, INSIDE_WORDS };
enum inside raster_inside_fit(struct page *p, const struct heatmap *h, double cell_w,
			      double cell_h);
/* Returns the width of cells of this height that has room for words, or else for whole numbers, if
 * cells may be as wide as `room`; 0: neither has room. */
double raster_inside_width(struct page *p, const struct heatmap *h, double room, double height);
/* Returns what the words, numbers or colours mean if there is a choice between them; else "". */
const char *raster_inside_note(struct page *p, const struct heatmap *h, enum inside inside);
void raster_inside_draw(struct page *p, const struct heatmap *h, const struct grid *g,
			enum inside inside);

/* raster_heatmap_agree.c */
/* Tells if a panel is a heatmap with values that is drawn. */
bool raster_plan_wanted(const struct panel *panel);
/* raster_plan_prepare collects the facts on the heatmaps of `f` that do not depend on places;
 * raster_plan_around returns the room that labels, titles, bar and note take beside a matrix, and
 * above and below it; raster_plan_align completes p->fit for bodies at[f->n]. */
void raster_plan_prepare(struct page *p, const struct figure *f);
struct size raster_plan_around(struct page *p, const struct figure *f, size_t panel,
			       struct area at);
void raster_plan_align(struct page *p, const struct figure *f, const struct area *at);
/* Returns the total area of all matrices, 1 if there are none; 0: they would be too small. */
double raster_plan_area_of(struct page *p, const struct figure *f, const struct area *at);

/* raster_heatmap_plan.c */
/* Returns the note under a matrix with this content of cells. */
const char *raster_plan_note(struct page *p, const struct heatmap *h, enum inside inside);
/* raster_plan_solve finds labels, cells and the place of the matrix for the given g->note. `fit`
 * has an upper limit for cells and lower limits for the place of the matrix; 0 is no limit.
 * raster_plan_rest then places bar, titles and note. */
void raster_plan_solve(struct page *p, const struct heatmap *h, struct area at,
		       const struct fit *fit, struct grid *g);
void raster_plan_rest(struct page *p, const struct heatmap *h, struct area at, struct grid *g);
/* Returns the height of the room above the matrix and below the titles in the corner, into which
 * the first row's label may extend. */
double raster_plan_corner(const struct page *p, const struct grid *g);

enum cell_state { CELL_VALUE, CELL_MASKED, CELL_ALARM, CELL_NAME };
enum cell_state raster_plan_cell(const struct heatmap *h, size_t row, size_t col);
/* Returns the largest side of a cell, which is larger for a single token than for many. */
double raster_plan_most(const struct page *p, const struct heatmap *h);
/* raster_plan_edge returns edge i of n cells of total `length`, rounded to pixels of this size;
 * raster_plan_area the area of a cell; raster_plan_colour the colour of a cell that is not
 * masked. */
double raster_plan_edge(double from, double length, size_t i, size_t n, double pixel);
double raster_plan_pixel(const struct page *p); /* side of an image's pixel, in units of the page */
struct area raster_plan_area(const struct grid *g, const struct heatmap *h, size_t row, size_t col);
uint32_t raster_plan_colour(const struct page *p, const struct heatmap *h, size_t row, size_t col);

/* raster_heatmap.c */
enum { STROKE_LEAST = 7 }; /* the smallest side of a masked cell with a stroke */
/* Draws values, strokes of masked cells, and gaps of a matrix at g->at. */
void raster_heatmap_cells(struct page *p, const struct heatmap *h, const struct grid *g);
/* The same in a plot that was begun already. */
void raster_heatmap_inside(struct page *p, const struct heatmap *h, const struct grid *g);
/* Draws the labels of its columns, above it. */
void raster_heatmap_columns(struct page *p, const struct heatmap *h, const struct grid *g);
/* Draws values, the contents of cells, the cursor, and the labels in the grid. */
void raster_heatmap_put(struct page *p, const struct heatmap *h, const struct grid *g);
/* raster_pointed.c: draw the marks around cells; at the labels of rows; at those of columns. */
void raster_pointed_cells(struct page *p, const struct heatmap *h, const struct grid *g);
void raster_pointed_rows(struct page *p, const struct heatmap *h, const struct grid *g);
void raster_pointed_columns(struct page *p, const struct heatmap *h, const struct grid *g);
/* Returns what readers must know about the values besides their scale; "" for nothing. */
const char *raster_heatmap_note(struct page *p, const struct heatmap *h, const struct grid *g);

#endif
