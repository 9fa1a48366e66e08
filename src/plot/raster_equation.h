/* raster_equation.h: the places of the parts of an equation on a page, for raster_equation.c, which
 * draws them, and raster.c. */
#ifndef POSVIZ_RASTER_EQUATION_H
#define POSVIZ_RASTER_EQUATION_H

#include "posviz/plot/equation.h"
#include "plot/raster_heatmap.h"

/* The matrices, as large as the body of the page allows. */
struct raster_equation {
	struct equation e;
	struct area body, card; /* card.w 0: no card */
	double cell;
	/* widths at the left of the first column: of operators, of row labels; gap of these to the
	 * matrix */
	double lead, label, label_gap;
	/* before the matrices of a column, from the second column on */
	double gap[FIGURE_PANELS + 1];
	/* y of each line; y of the colour bars */
	double top[FIGURE_PANELS], scales;
	/* heights of titles, of formulas, of shares with the names of their parts */
	double heads, formula, shares;
	double labels;		       /* height of the labels above the first line */
	size_t scale_rows, scale_cols; /* of the colour bars */
	bool tight;		       /* no words below the names, */
	enum face number;	       /* and small numbers */
	bool words;		       /* the descriptions of all terms have room */
};
bool raster_equation_fit(struct page *p, const struct figure *f, struct area body,
			 struct raster_equation *out);
void raster_equation_draw(struct page *p, const struct raster_equation *q);

/* Visible matrix i; width and height of its values; x of a column and y of a line of values. */
const struct panel *raster_equation_panel(const struct raster_equation *q, size_t i);
double raster_equation_width(const struct raster_equation *q);
double raster_equation_height(const struct raster_equation *q);
double raster_equation_column(const struct raster_equation *q, size_t col);
double raster_equation_top(const struct raster_equation *q, size_t line);
/* Returns the width from its left edge to its neighbour in the line. */
double raster_equation_room(const struct page *p, const struct raster_equation *q, size_t i);
/* Return the labels of rows and of columns for cells of this size. */
struct side raster_equation_rows(struct page *p, const struct raster_equation *q, double cell);
struct side raster_equation_cols(struct page *p, const struct raster_equation *q, double cell);
enum face raster_equation_face(const struct signs *s, size_t i);
double raster_equation_scale(const struct page *p); /* height of a colour bar with its words */
double raster_equation_thick(const struct page *p); /* thickness of bars */
/* Returns the card of the figure, or NULL; *at gets its index. */
const struct panel *raster_equation_card(const struct figure *f, size_t *at);

#endif
