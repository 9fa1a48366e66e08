/* canvas_equation.h: the positions of the parts of an equation on cells, for canvas_equation.c,
 * which draws them. */
#ifndef POSVIZ_CANVAS_EQUATION_H
#define POSVIZ_CANVAS_EQUATION_H

#include "plot/canvas_map.h"
#include "posviz/plot/equation.h"

enum { SIGN_ROWS = 3 * EQUATION_SIGNS + 1 };

/* The positions of all parts. */
struct equation_plan {
	const struct canvas *like; /* gives the tier of the cells */
	struct equation e;
	struct rect r;
	int heads;		    /* rows of column labels, above the first line ... */
	bool all_named;		    /* ... or above every line */
	int spare;		    /* rows below that the matrices leave to the curve */
	bool shares_above;	    /* after the titles, not below the matrices */
	bool bars_aside;	    /* beside the last line, not below the matrices */
	int share_at, share_bar;    /* columns before a share; of its bar, the same for all */
	int lead, label;	    /* columns for operators and labels at the left */
	int gap[FIGURE_PANELS + 1]; /* before the matrices of a column, from the second column on */
	int rows, cols;		    /* of the values of a matrix */
	int top[FIGURE_PANELS];	    /* the title row of each line */
	int end;		    /* the row after the last line */
	struct rect bars, curve, cell, card;
};

/* Finds the best plan for the panels that are on; false if there is no room. equation_places()
 * fills the rectangles of its matrices, of the first row of shares, of the curve and the card. */
bool equation_solve(const struct canvas *like, const struct figure *f, struct rect r,
		    const bool *on, struct arena *a, struct equation_plan *best);
/* Rates the size of the values by the side of the square that fits in them (a row is as high as two columns are wide), then
 * by their area. */
int equation_worth(const struct equation_plan *p);
void equation_places(const struct equation_plan *p, struct rect *place);

/* The column after the last matrix of a line and the signs behind it. */
int equation_line_end(const struct equation_plan *p, size_t line);
/* Places what is not a matrix: the bars if they are aside, the curve, the addends of the cursor's
 * cell, and the card where it has most room. Returns false if the bars do not fit. */
bool equation_words(struct equation_plan *p);

/* Returns the figure in the signs that this canvas can show. */
const struct figure *equation_plain(const struct canvas *c, const struct figure *f,
				    struct arena *a);
/* Fills the lines that are written before a matrix; returns their number. */
int equation_sign_lines(const struct signs *s, struct arena *a, const char **out);
/* Returns the plan of matrix i on this canvas, with its labels if it has them. */
struct heatmap_plan equation_matrix(const struct canvas *c, const struct equation_plan *p, size_t i,
				    struct arena *a);
const struct heatmap *equation_map(const struct equation_plan *p, size_t i);
/* Return whether matrix i has a share or a colour bar. */
bool equation_has_share(const struct equation_plan *p, size_t i);
bool equation_has_bar(const struct equation_plan *p, size_t i);
/* The first column of the values in a column of matrices, and the first row of the values in a
 * line. */
int equation_column(const struct equation_plan *p, size_t col);
int equation_row(const struct equation_plan *p, size_t line);
/* Returns the rows of column labels above a line. */
int equation_heads(const struct equation_plan *p, size_t line);
/* Returns the columns of the widest share, and one blank. */
int equation_share_cols(const struct equation_plan *p);
/* Returns the first row with shares; rows == 0 if there is none. */
struct rect equation_share_row(const struct equation_plan *p);
size_t equation_panel(const struct figure *f, enum panel_kind kind); /* f->n if there is none */

#endif
