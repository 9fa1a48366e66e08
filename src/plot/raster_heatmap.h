/* raster_heatmap.h: a matrix on a page: what stands in and around it, where it goes, and drawing it. */
#ifndef POSVIZ_RASTER_HEATMAP_H
#define POSVIZ_RASTER_HEATMAP_H

#include "plot/raster_in.h"

/* The labels of one side of the matrix. */
struct side {
	size_t n;
	size_t *at; /* which rows or columns */
	const char **text;
	struct size most;
	double angle; /* of columns: 0, slant or a right angle */
	bool numbers; /* round places, not words */
	size_t cut;   /* words that are not whole */
};

/* A colour bar and its labels: upright at the right of its matrix, or lying below it. */
struct bar {
	size_t n;
	double *at; /* in [0, 1] */
	const char **text;
	const char *words[2]; /* what the values at the low and the high end are; NULL: nothing */
	const char *mode;     /* "" when linear */
	const char *of;	      /* the panels that it is of besides its own; "" for none */
	size_t lines;	      /* that these two take below one that stands */
	bool stacked;  /* of one that lies: these stand below its labels, else at its right */
	double length; /* of the colours */
	double across; /* all of it, with the gap to the matrix */
	double beyond; /* of one that lies: how far it and its words reach beyond the side */
};

/* Where everything of a heatmap goes. */
struct grid {
	struct area at; /* the matrix */
	struct side rows, cols;
	struct bar bar;
	double cell_w, cell_h;
	double pixel;			   /* edges of cells lie on these */
	const char *row_title, *col_title; /* with their arrows; "" for none */
	bool corner;			   /* these stand left of the column labels, else below */
	double top, left, below, right;
	bool leant;	  /* words above it have leaned while its size was sought */
	double gap;	  /* from the row labels to the matrix */
	const char *note; /* under the matrix, "" for none */
	double title_y, note_y;
};

/* raster_labels.c */
/* Labels for rows `pitch` high, at most `width` wide; for columns `pitch` wide, at most `length` long
 * when turned. */
struct side raster_labels_rows(struct page *p, const struct heatmap *h, double pitch, double width);
struct side raster_labels_cols(struct page *p, const struct heatmap *h, double pitch,
			       double length);
/* The room that column labels take above the matrix, and to the right of its edge. */
double raster_labels_height(const struct page *p, const struct side *s);
double raster_labels_overhang(struct page *p, const struct side *s, size_t n, double pitch);

/* raster_bar.c */
/* The limits and round ticks between them where they have room, on a bar beside a side of the matrix
 * that is so long, and, where it is of these panels as well, bits of their places, their letters; and drawing it. */
struct bar raster_bar(struct page *p, const struct heatmap *h, double side, unsigned panels);
void raster_bar_draw(struct page *p, const struct heatmap *h, const struct grid *g);
/* Three significant digits are what a limit on a bar needs. */
double raster_three_digits(double x);

/* raster_inside.c: what all cells of a matrix hold. */
enum { NUMBER_CELL = 44 }; /* the least sides of a cell with a decimal number at full type */
enum inside { INSIDE_NOTHING, INSIDE_NUMBERS, INSIDE_WORDS };
enum inside raster_inside_fit(struct page *p, const struct heatmap *h, double cell_w,
			      double cell_h);
/* The width of cells so high in which words have room, else whole numbers, when there is so much
 * for a cell; 0: neither has. */
double raster_inside_width(struct page *p, const struct heatmap *h, double room, double height);
/* What the words, numbers or colours are where they may be either; else "". */
const char *raster_inside_note(struct page *p, const struct heatmap *h, enum inside inside);
void raster_inside_draw(struct page *p, const struct heatmap *h, const struct grid *g,
			enum inside inside);

/* raster_heatmap_plan.c */
/* A heatmap that is drawn and has values. */
bool raster_plan_wanted(const struct panel *panel);
/* What is known of the heatmaps of `f` before there are places; then the room that labels, titles,
 * bar and note take beside a matrix, and above and below it; then the rest of p->fit, for bodies at[f->n]. */
void raster_plan_prepare(struct page *p, const struct figure *f);
struct size raster_plan_around(struct page *p, const struct figure *f, size_t panel,
			       struct area at);
void raster_plan_align(struct page *p, const struct figure *f, const struct area *at);
/* What is said under a matrix whose cells hold this. */
const char *raster_plan_note(struct page *p, const struct heatmap *h, enum inside inside);
/* The area of all matrices there, 1 when there are none; 0: they would be too small to be looked at. */
double raster_plan_area_of(struct page *p, const struct figure *f, const struct area *at);
/* Labels, cells and the place of the matrix; g->note is given. `fit` bounds the cells from above and
 * the place of the matrix from below; 0 is no bound. Then bar, titles and note. */
void raster_plan_solve(struct page *p, const struct heatmap *h, struct area at,
		       const struct fit *fit, struct grid *g);
void raster_plan_rest(struct page *p, const struct heatmap *h, struct area at, struct grid *g);
/* How far above the matrix the titles in the corner end, which the first row's label may reach. */
double raster_plan_corner(const struct page *p, const struct grid *g);

enum cell_state { CELL_VALUE, CELL_MASKED, CELL_ALARM, CELL_NAME };
enum cell_state raster_plan_cell(const struct heatmap *h, size_t row, size_t col);
/* The largest side of a cell: of one token alone larger than of many. */
double raster_plan_most(const struct page *p, const struct heatmap *h);
/* Edge i of n cells that are `length` long, on a pixel, which is so large; where a cell lies; and its colour, of one
 * that is not masked. */
double raster_plan_edge(double from, double length, size_t i, size_t n, double pixel);
double raster_plan_pixel(const struct page *p); /* of an image, in units of the page */
struct area raster_plan_area(const struct grid *g, const struct heatmap *h, size_t row, size_t col);
uint32_t raster_plan_colour(const struct page *p, const struct heatmap *h, size_t row, size_t col);

/* raster_heatmap.c */
enum { STROKE_LEAST = 7 }; /* the side of a cell that has a stroke when it is masked */
/* Values, strokes of the masked and gaps of a matrix that lies at g->at. */
void raster_heatmap_cells(struct page *p, const struct heatmap *h, const struct grid *g);
/* The same in a plot that is there already. */
void raster_heatmap_inside(struct page *p, const struct heatmap *h, const struct grid *g);
/* The labels of its columns, above it. */
void raster_heatmap_columns(struct page *p, const struct heatmap *h, const struct grid *g);
/* Values, what stands in them, the cursor, and the labels that the grid has. */
void raster_heatmap_put(struct page *p, const struct heatmap *h, const struct grid *g);
/* raster_pointed.c: what is pointed out, around cells; and at the labels of rows, of columns. */
void raster_pointed_cells(struct page *p, const struct heatmap *h, const struct grid *g);
void raster_pointed_rows(struct page *p, const struct heatmap *h, const struct grid *g);
void raster_pointed_columns(struct page *p, const struct heatmap *h, const struct grid *g);
/* What must be known of the values beside their scale; "" for nothing. */
const char *raster_heatmap_note(struct page *p, const struct heatmap *h, const struct grid *g);

#endif
