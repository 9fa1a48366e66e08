/* raster_equation.h: where the parts of an equation go on a page, for raster_equation.c, which draws them,
 * and raster.c. */
#ifndef POSVIZ_RASTER_EQUATION_H
#define POSVIZ_RASTER_EQUATION_H

#include "plot/equation.h"
#include "plot/raster_heatmap.h"

/* The matrices, the largest that a body of the page has room for. */
struct raster_equation {
	struct equation e;
	struct area body, card; /* card.w 0: none */
	double cell;
	double lead, label, label_gap;	   /* room at the left of operators, and of row labels */
	double gap[FIGURE_PANELS + 1];	   /* before the matrices of a column, from the second on */
	double top[FIGURE_PANELS], scales; /* of each line; of the colour bars */
	double heads, formula, shares;	   /* heights: titles, formulas, shares with their parts */
	double labels;			   /* of the columns of the first line */
	size_t scale_rows, scale_cols;	   /* of colour bars */
	bool tight;			   /* no words below the names, */
	enum face number;		   /* and small numbers */
	bool words;			   /* of every term there is room to say what it is */
};
bool raster_equation_fit(struct page *p, const struct figure *f, struct area body,
			 struct raster_equation *out);
void raster_equation_draw(struct page *p, const struct raster_equation *q);

/* Matrix i of those that are seen; the size of its values, and their first column and row. */
const struct panel *raster_equation_panel(const struct raster_equation *q, size_t i);
double raster_equation_width(const struct raster_equation *q);
double raster_equation_height(const struct raster_equation *q);
double raster_equation_column(const struct raster_equation *q, size_t col);
double raster_equation_top(const struct raster_equation *q, size_t line);
/* From its left edge to what is next in its line. */
double raster_equation_room(const struct page *p, const struct raster_equation *q, size_t i);
/* Labels of rows and columns for cells of this size. */
struct side raster_equation_rows(struct page *p, const struct raster_equation *q, double cell);
struct side raster_equation_cols(struct page *p, const struct raster_equation *q, double cell);
enum face raster_equation_face(const struct signs *s, size_t i);
double raster_equation_scale(const struct page *p); /* the height of a colour bar with its words */
double raster_equation_thick(const struct page *p); /* of bars */
/* Or NULL; *at: which panel. */
const struct panel *raster_equation_card(const struct figure *f, size_t *at);

#endif
