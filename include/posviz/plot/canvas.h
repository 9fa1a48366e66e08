/* canvas.h: a grid of terminal cells, and figures drawn on it.
 *
 * The canvas is memory: curses, ANSI text and the tests read it. Colours of the program appear only
 * inside plots; everything else has the terminal's own foreground, dim or accent. */
#ifndef POSVIZ_CANVAS_H
#define POSVIZ_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/plot/figure.h"

enum tier { TIER_MONO, TIER_8, TIER_16, TIER_256, TIER_DIRECT, TIER_COUNT };
extern const char *const tier_names[TIER_COUNT]; /* "mono", "8", "16", "256", "direct" */

enum attr { ATTR_BOLD = 1, ATTR_DIM = 2, ATTR_REVERSE = 4, ATTR_UNDERLINE = 8, ATTR_ACCENT = 16 };

enum { CELL_BYTES = 24 };
/* Colours: CELL_DEFAULT is the terminal's own; CELL_RGB takes 0xRRGGBB, in the tiers 256 and
 * direct; CELL_ANSI takes the number of a base colour, which the terminal's theme defines, in the
 * tiers 8 (n < 8) and 16. */
#define CELL_DEFAULT  0u
#define CELL_RGB(rgb) (0x1000000u | (rgb))
#define CELL_ANSI(n)  (0x2000000u | (uint32_t)(n))

struct cell {
	/* a base character with its combining marks, terminated; "" is the second half of a wide
	 * one */
	char at[CELL_BYTES];
	uint8_t width;	 /* 1 or 2; 0 for the second half */
	uint8_t attrs;	 /* enum attr */
	uint32_t fg, bg; /* a value of one of the macros above */
};

struct rect {
	int row, col, rows, cols;
};

/* Faults of the words on a canvas, for tests: `cut` counts the words that end at an edge without a
 * sign that they were cut, `over` those that overlap others. The texts are the first of each. */
struct canvas_report {
	size_t cut, over;
	char cut_text[96], over_text[96];
};

struct canvas {
	int rows, cols;
	struct cell *cells; /* rows*cols */
	enum tier tier;
	bool ascii; /* without block, line and braille glyphs */
	bool dark;  /* the terminal has a dark background */
	/* The following are off unless the owner of the canvas sets them. */
	bool quadrants; /* curves are drawn with quarter blocks, for fonts without braille */
	/* columns at the end of the last row that a presenter leaves to others; 0: none */
	int taken;
	bool presenter; /* large cells with digits and thick curves, legible from the back row */
	bool contrast;	/* nothing is dim, and the cursor is reversed */
	struct canvas_report *report; /* NULL: no report is wanted */
};

struct canvas *canvas_new(struct arena *a, int rows, int cols, enum tier tier, bool ascii,
			  bool dark);
void canvas_clear(struct canvas *c);

/* Writes escaped text from (row, col), in at most `cols` columns and never outside the canvas. Text
 * that is too long is cut without a sign, so the caller shortens it if a sign is wanted. Returns
 * the columns used. */
int canvas_text(struct canvas *c, int row, int col, int cols, const char *text, unsigned attrs);
int canvas_text_colour(struct canvas *c, int row, int col, int cols, const char *text,
		       unsigned attrs, uint32_t fg, uint32_t bg);
void canvas_fill(struct canvas *c, struct rect r, unsigned attrs, uint32_t bg);
/* Returns text for an ASCII canvas, with its symbols spelled out where necessary: "+-" for "±",
 * "the#2" for "the₂". */
const char *canvas_plain_text(struct arena *a, const char *text);
/* Draws a box of light lines with a title and a right-hand note on its upper border. */
void canvas_box(struct canvas *c, struct rect r, const char *title, const char *note, bool focus);
/* Writes words on the lower border of a box, at its left or right; nothing if they have no room. */
void canvas_box_foot(struct canvas *c, struct rect r, const char *text, bool right);

/* A curve of n <= SPARKLINE_MAX values in one row of cells, two values to a cell, aligned at the
 * end; values that are not finite are blank. It is drawn with braille dots, and not at all on a
 * canvas without them. */
enum { SPARKLINE_MAX = 64 };
bool canvas_has_braille(const struct canvas *c);
int canvas_sparkline_cols(size_t n);
void canvas_sparkline(struct canvas *c, int row, int col, const double *at, size_t n,
		      unsigned attrs);

/* Keeps right-to-left words in their columns. A terminal that reorders text by direction reverses
 * everything between two such words, or between one and a number: cells, borders, colours. A
 * left-to-right letter ends this, and the braille blank counts as one while it looks like a blank.
 * It replaces the first blank behind each such word in `r`. canvas_panel does this for its
 * panel. */
void canvas_isolate(struct canvas *c, struct rect r);

/* Lays out the panels of a figure in `r`: fills place[figure->n], with rows == 0 for a panel that
 * is folded away. The panel `focus` is always shown, with `zoom` it alone. The result depends on
 * the arguments only. `like` is the canvas that will be drawn on: with few colours a value may need
 * more cells. */
void canvas_layout(const struct canvas *like, const struct figure *f, struct rect r, size_t focus,
		   bool zoom, struct rect *place);

/* The same for a figure whose panel `lead` is being explained. If another arrangement shows more of
 * that panel (all its values, their numbers, or a plot of half the figure), it gets the left side,
 * and the right side gets the most important of the others that fit. */
void canvas_layout_lead(const struct canvas *like, const struct figure *f, struct rect r,
			size_t lead, struct rect *place);

/* The part of a heatmap that a screen shows, and its form. */
struct heatmap_view {
	size_t first_row, first_col, rows, cols; /* rows and columns of the matrix */
	/* height in half rows of the screen, and width in columns, of a value's cell */
	int cell_rows2, cell_cols;
	bool averaged; /* for lack of room each cell stands for a block of values */
	size_t block;  /* values along a side of the block of a cell; 1 unless averaged */
};

/* Draws one panel with its box. For heatmaps `hit` gets the rectangle of the data (for the mouse)
 * and `view` the part that was drawn; either may be NULL. */
void canvas_panel(struct canvas *c, struct rect r, const struct panel *p, bool focus,
		  struct rect *hit, struct heatmap_view *view);

/* Draws one panel of a presented figure (figure->presented) in all of `r`, without frames. Its
 * words are in large letters if they have room, in at most `head_most` rows above it; HEAD_ANY: in
 * as many as suit them. On a wide screen the panel that belongs to it is drawn beside it. `body`
 * gets the rectangle of the panel. */
enum { HEAD_ANY = 99 };
void canvas_presenter(struct canvas *c, struct rect r, const struct figure *f, size_t panel,
		      int head_most, struct rect *body, struct rect *hit,
		      struct heatmap_view *view);
/* The data rectangle and the part of a panel that were drawn, as from canvas_panel. */
struct canvas_seen {
	struct rect data;
	struct heatmap_view view;
};

/* Draws the panels at the places in `r` that canvas_layout chose, and the operators between the
 * matrices of an equation. The focus may be f->n, for none. seen[f->n] may be NULL. */
void canvas_panels(struct canvas *c, const struct figure *f, struct rect r,
		   const struct rect *place, size_t focus, struct canvas_seen *seen);

/* Returns the figure as canvas_panels draws it at these places: f, or f with numbers instead of names that have no
 * room. */
const struct figure *canvas_drawn(const struct canvas *c, struct arena *a, const struct figure *f,
				  struct rect r, const struct rect *place);

/* Returns in at[n] the rectangles of the items, with their names, of a panel of small multiples of such a figure
 * that was drawn in `r`; rows == 0 for an item that is not shown. */
void canvas_items(const struct canvas *c, struct rect r, const struct panel *p, struct rect *at);

/* Draws the whole figure with its title and caption lines, as `--format ansi` and `txt` print
 * it. */
void canvas_figure(struct canvas *c, const struct figure *f);

/* A figure with a contact sheet. Its cells are as large as a height of `rows` allows, or else the
 * smallest. canvas_contact_rows returns the rows that it then needs, 0 if the canvas is too narrow;
 * canvas_contact_refuse returns false and sets the error that says what size would do;
 * canvas_contact draws. */
int canvas_contact_rows(const struct canvas *like, const struct figure *f, int rows);
bool canvas_contact_refuse(const struct canvas *like, const struct figure *f, struct err *err);
void canvas_contact(struct canvas *c, const struct figure *f);

/* Finds the matrix cell at screen position (row, col); false if there is none. If two values share
 * a screen cell this is the upper one, in an averaged block the first one. */
bool canvas_hit(struct rect hit, const struct heatmap_view *view, int row, int col,
		size_t *matrix_row, size_t *matrix_col);

/* The inverse: finds the whole screen cells of matrix cell (row, col), where its text is drawn;
 * false if it is outside the part shown. */
bool canvas_place(struct rect hit, const struct heatmap_view *view, size_t matrix_row,
		  size_t matrix_col, struct rect *out);

/* Returns sums over blocks of a large matrix, for heatmap.sums, so that drawing reads only a
 * fraction of it; NULL for matrices too small to gain from this. They depend on values and masked
 * alone, and stay valid as long as these do. */
const struct heatmap_sums *canvas_sums(struct arena *a, const struct heatmap *h);
/* Returns the greatest size of a mean over blocks if cells show the matrix as at most `across` blocks a side. */
double canvas_most_mean(struct arena *a, const struct heatmap *h, size_t across);

#endif
