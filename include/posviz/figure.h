/* figure.h: what is shown, as a value: panels with numbers and words, no colours of pixels, no
 * sizes. A view makes it; the cells of a terminal and the pixels of a page draw it.
 *
 * All text is UTF-8 that has passed text_escape. All memory is the arena's the figure was made in. */
#ifndef POSVIZ_FIGURE_H
#define POSVIZ_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/arena.h"
#include "posviz/colormap.h"
#include "posviz/mat.h"
#include "posviz/scale.h"

enum panel_kind { PANEL_HEATMAP, PANEL_CURVES, PANEL_BARS, PANEL_TABLE, PANEL_CARD };

struct heatmap {
	struct mat values;	       /* rows: queries, columns: keys; NaN is shown as an alarm */
	const uint8_t *masked;	       /* rows*cols, 1: masked (hatched); NULL: none */
	const char *const *row_labels; /* NULL: numbered from 1 */
	const char *const *col_labels;
	const char *row_title, *col_title; /* "query t", "key s" */
	struct scale scale;
	const struct colormap *colormap;
	bool has_cursor;
	size_t row, col; /* the cursor's cell */
	bool integers;	 /* values are labels of a relation: shown as whole numbers */
};

struct series {
	const char *label;
	size_t n;
	const double *x, *y;   /* ascending x; NaN y breaks the line */
	const double *lo, *hi; /* a band, or NULL */
	size_t colour;	       /* index in the categorical palette and of the mark's form */
	bool active;	       /* drawn last and strongest */
};

struct curves {
	const struct series *series;
	size_t n;
	const char *x_title, *y_title;
	bool integer_x;
	bool has_cursor; /* a vertical line at x == cursor */
	double cursor;
};

struct bars {
	size_t n;
	const char *const *labels;
	const double *values;
	const char *unit; /* "share of variance"; "" for none */
};

struct table {
	size_t rows, cols;
	const char *const *head;  /* cols titles, or NULL */
	const char *const *cells; /* rows*cols, "" for empty */
	const bool *right;	  /* cols: numbers, right-aligned; NULL: none */
	bool has_cursor;
	size_t row;
};

struct card_line {
	const char *key;   /* "reference"; NULL continues the line before */
	const char *value; /* bold on paper */
	const char *note;  /* smaller, secondary; NULL for none */
};

struct card {
	const char *formula; /* one line, shown large; NULL for none */
	const char *about;   /* one sentence or two, wrapped; NULL for none */
	const struct card_line *lines;
	size_t n;
};

struct panel {
	enum panel_kind kind;
	const char *title;	 /* "Position bias" */
	const char *paper_title; /* instead of title on a page; NULL: the same */
	const char *note;	 /* on the border, at the right: "head 1 of 4" */
	const char *short_note;	 /* the same where that has no room: "head 1"; NULL for none */
	const char *subtitle; /* on paper under the title: what exactly is drawn; NULL for none */
	const char *absent;   /* when not NULL, this sentence stands in place of the drawing */
	bool stale;	      /* a newer value is being computed: dimmed, the title gets "…" */
	/* Place in the figure's grid of the page, and how long it stays when a terminal shrinks: 0
	 * goes last. A card of priority > 0 shrinks to one line before it goes. */
	unsigned char row, col, rows, cols, priority;
	union {
		struct heatmap heatmap;
		struct curves curves;
		struct bars bars;
		struct table table;
		struct card card;
	};
};

enum { FIGURE_PANELS = 8, FIGURE_TRACKS = 6 };

struct figure {
	const char *title;	   /* "Rotary position embedding" */
	const char *subtitle;	   /* "Su et al. 2021 · rope+causal · head 1 of 4" */
	const char *caption;	   /* sentence, sizes, seed, projection, parameters */
	const char *caption_right; /* "posviz 0.1"; NULL for none */
	const char *command;	   /* the line that makes this figure again; NULL for none */
	struct panel panels[FIGURE_PANELS];
	size_t n;
	/* Weights of the page grid's columns and rows; 0 ends. */
	unsigned char col_weight[FIGURE_TRACKS], row_weight[FIGURE_TRACKS];
};

/* Okabe-Ito without black and yellow's pale neighbours, ordered for contrast on white; the dark
 * variant is lightened. Index wraps around. */
uint32_t figure_series_colour(size_t index, bool dark);

/* A formula as plain text: the braces of _{…} and ^{…} become parentheses where several signs stand
 * in them, and go where they hold one word. */
const char *figure_formula(struct arena *a, const char *formula);

#endif
