/* pen.h: what one layout needs that draws on the cells of a terminal and on a page alike: how wide a
 * text is, how high a line, and text, strokes and marks in roles that each pen has its own looks for.
 *
 * Lengths are cells, or units of the page. Cell (row, col) is the square from (col, row) to the next,
 * so that the middle of a line of cells is at a half. */
#ifndef POSVIZ_PEN_H
#define POSVIZ_PEN_H

#include "posviz/canvas.h"

struct point {
	double x, y;
};

struct area {
	double x, y, w, h;
};

struct size {
	double w, h;
};

enum role {
	ROLE_QUIET, /* what only explains */
	ROLE_PLAIN,
	ROLE_STRONG, /* a heading; the cursor's path */
	ROLE_CHOSEN, /* the cursor's row */
	ROLE_PATH,   /* what is written on the cursor's path ... */
	ROLE_END     /* ... and the names of its ends */
};

struct page;
struct strokes;

struct pen {
	struct canvas *canvas; /* one of these, the other is NULL */
	struct page *page;
	struct arena *arena;
	struct area at; /* what it may draw on; text is cut at its right end */
	double em;	/* the width of a digit */
	double line;	/* the height of a line of text */
	double air;	/* what lines stand apart where there is room */
	double mark;	/* room that pen_chosen takes at the left */
	struct strokes *strokes;
};

struct pen pen_cells(struct canvas *c, struct arena *a, struct rect inner);
struct pen pen_page(struct page *p, struct area at);

/* The most that a text takes in any role. */
struct size pen_measure(const struct pen *pen, const char *text);
/* The text, or shortened to this width. */
const char *pen_fit(const struct pen *pen, enum role role, const char *text, double width);
/* `align` 0: it begins at x, 0.5: its middle is there, 1: it ends there; y is the middle of its line. */
void pen_text(const struct pen *pen, enum role role, double align, double x, double y,
	      const char *text);

/* The background of the cursor's row, or a mark before it. */
void pen_chosen(const struct pen *pen, struct area row);
/* A hairline through the whole width, where there is room between two lines of text. */
void pen_rule(const struct pen *pen, double y);
/* "–" where there is one. */
const char *pen_dash(const struct pen *pen);

/* The inside of a panel of a kind that has one layout for cells and pages. */
void pen_panel(const struct pen *pen, const struct panel *p);
void pen_table(const struct pen *pen, const struct table *t);

#endif
