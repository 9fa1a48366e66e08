/* canvas_equation.h: where the parts of an equation go on cells, for canvas_equation.c, which draws them. */
#ifndef POSVIZ_CANVAS_EQUATION_H
#define POSVIZ_CANVAS_EQUATION_H

#include "plot/canvas_map.h"
#include "plot/equation.h"

enum { SIGN_ROWS = EQUATION_SIGNS + 2 };

/* Where everything is. */
struct equation_plan {
	const struct canvas *like; /* of whose tier the cells are */
	struct equation e;
	struct rect r;
	int heads;		    /* rows of column labels */
	bool shares_above;	    /* behind the titles, not below the matrices */
	int lead, label;	    /* columns for operators and labels at the left */
	int gap[FIGURE_PANELS + 1]; /* before the matrices of a column, from the second on */
	int rows, cols;		    /* of the values */
	int top[FIGURE_PANELS];	    /* of each line: its titles */
	int end;		    /* the row behind the last line */
	struct rect cell, card;
};

/* The best plan for the panels that are on; false: there is no room. The places it gives: of its panels,
 * of the shares, whose first row counts, and of the card. */
bool equation_solve(const struct canvas *like, const struct figure *f, struct rect r,
		    const bool *on, struct arena *a, struct equation_plan *best);
void equation_places(const struct equation_plan *p, struct rect *place);

/* The figure in signs of this canvas. */
const struct figure *equation_plain(const struct canvas *c, const struct figure *f,
				    struct arena *a);
/* The lines of what stands before a matrix. */
int equation_sign_lines(const struct signs *s, struct arena *a, const char **out);
/* The plan of matrix i on this canvas, with what stands around it where it is. */
struct heatmap_plan equation_matrix(const struct canvas *c, const struct equation_plan *p, size_t i,
				    struct arena *a);
const struct heatmap *equation_map(const struct equation_plan *p, size_t i);
/* What matrix i has beneath it. */
bool equation_has_share(const struct equation_plan *p, size_t i);
bool equation_has_bar(const struct equation_plan *p, size_t i);
/* The first column of the values in a column of matrices, the first row of those of a line. */
int equation_column(const struct equation_plan *p, size_t col);
int equation_row(const struct equation_plan *p, size_t line);
/* Columns of the widest number of the shares, and one behind it. */
int equation_share_cols(const struct bars *shares);
/* The first row with shares; rows == 0: there is none. */
struct rect equation_share_row(const struct equation_plan *p);
size_t equation_panel(const struct figure *f, enum panel_kind kind); /* f->n: none is there */

#endif
