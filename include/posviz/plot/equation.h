/* equation.h: a figure whose matrices form equations: the visible matrices, the operators between
 * them, and their lines. Sizes are up to the devices: canvas_equation.c, raster_equation.c. */
#ifndef POSVIZ_EQUATION_H
#define POSVIZ_EQUATION_H

#include "posviz/plot/figure.h"

/* The signs before a matrix: its operator, after the matrices that were left out before it. */
enum { EQUATION_SIGNS = 6 };
struct signs {
	size_t n;
	/* "+ 2 terms", "= A", "+"; for an arrow its function */
	const char *text[EQUATION_SIGNS];
	bool arrow; /* the last sign is an arrow */
};

/* The visible matrices in their order, with their lines and columns. */
struct equation {
	const struct figure *figure;
	size_t n;
	size_t panel[FIGURE_PANELS];
	struct signs signs[FIGURE_PANELS + 1]; /* before each matrix; the last: at the end */
	size_t lines, cols;		       /* cols: the most matrices in a line */
	size_t line[FIGURE_PANELS], col[FIGURE_PANELS];
};

bool equation_is(const struct figure *f);
bool equation_on_page(const struct figure *f); /* and whether a page draws it */
/* Makes the equation of the panels that are on; its signs are in `a`. */
void equation_of(const struct figure *f, const bool *on, struct arena *a, struct equation *e);
/* Makes the same with the small terms of a sum that are left out counted once, where it ends; false: they are in one
 * place anyway. */
bool equation_gathered(const struct figure *f, const bool *on, struct arena *a, struct equation *e);
/* Breaks it into lines of at most `cols` matrices. */
void equation_flow(struct equation *e, size_t cols);

/* equation_all makes all visible but the implied matrices; the panel `focus` is always visible.
 * equation_drop then removes the least important one at each call; false: only one is left. */
void equation_all(const struct figure *f, size_t focus, bool *on);
bool equation_drop(const struct figure *f, size_t focus, bool *on);

/* A term with this priority is small beside the others. equation_drop_small removes these terms, which
 * enlarges the others; false: there are none, or too few others. */
enum { EQUATION_SMALL = 64 };
bool equation_drop_small(const struct figure *f, size_t focus, bool *on);

/* Tells if another equation begins with visible matrix i. */
bool equation_begins(const struct equation *e, size_t i);

/* Returns the bars of which each matrix of several has one beneath it; the index of a matrix's bar,
 * SIZE_MAX: none. */
const struct bars *equation_shares(const struct figure *f);
size_t equation_share(const struct figure *f, size_t panel);
/* Tells if the matrix is the sum of which the shares beneath the others are parts. */
bool equation_is_sum(const struct figure *f, size_t panel);
/* Returns the visible panel that has the colour bar for all matrices with the scale of `panel`:
 * their sum, else the last of them without a share, else the last. */
size_t equation_bar(const struct equation *e, size_t panel);
/* Returns the number of visible matrices whose colours the bar of this panel explains. */
size_t equation_bar_maps(const struct equation *e, size_t panel);

#endif
