/* equation.h: a figure whose matrices are equations: which of them are seen, what stands between them,
 * and in which lines they go. Sizes are the devices': canvas_equation.c, raster_equation.c. */
#ifndef POSVIZ_EQUATION_H
#define POSVIZ_EQUATION_H

#include "posviz/plot/figure.h"

/* What stands before a matrix: its operator, below those that were left out. */
enum { EQUATION_SIGNS = 6 };
struct signs {
	size_t n;
	const char *text[EQUATION_SIGNS]; /* "+ … 2", "= A", "+"; of an arrow what it does */
	bool arrow;			  /* the last is one */
};

/* The matrices that are seen, in their order, and the places they have. */
struct equation {
	const struct figure *figure;
	size_t n;
	size_t panel[FIGURE_PANELS];
	struct signs signs[FIGURE_PANELS + 1]; /* before each; the last: at the end */
	size_t lines, cols;		       /* cols: the most in a line */
	size_t line[FIGURE_PANELS], col[FIGURE_PANELS];
};

bool equation_is(const struct figure *f);
/* Those of the panels that are on; the signs live in `a`. */
void equation_of(const struct figure *f, const bool *on, struct arena *a, struct equation *e);
/* Into lines of at most `cols`. */
void equation_flow(struct equation *e, size_t cols);

/* What is seen at first: all but what is implied; a panel of this number is seen. Then, one by one, what
 * matters least goes; false: only one is left. */
void equation_all(const struct figure *f, size_t focus, bool *on);
bool equation_drop(const struct figure *f, size_t focus, bool *on);

/* Whether a further equation begins with matrix i of those that are seen. */
bool equation_begins(const struct equation *e, size_t i);

/* The bars of which each of several matrices has one beneath it, and which; SIZE_MAX: none. */
const struct bars *equation_shares(const struct figure *f);
size_t equation_share(const struct figure *f, size_t panel);
/* Whether the parts of a whole stand beneath this one: it is what the shares are of. */
bool equation_is_sum(const struct figure *f, size_t panel);
/* The seen one that shows the colour bar for all of the scale of panel i: their sum, else the last of
 * them without a share, else the last. */
size_t equation_bar(const struct equation *e, size_t panel);

#endif
