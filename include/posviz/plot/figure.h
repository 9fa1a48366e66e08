/* figure.h: a figure as a value: panels with numbers and words, without pixels and sizes. A view
 * makes it; a terminal and a page draw it.
 *
 * All text is UTF-8 that has passed text_escape. All memory belongs to the arena in which the
 * figure was made. */
#ifndef POSVIZ_FIGURE_H
#define POSVIZ_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/plot/bars.h"
#include "posviz/plot/card.h"
#include "posviz/plot/curves.h"
#include "posviz/plot/dials.h"
#include "posviz/plot/multiples.h"
#include "posviz/plot/plane.h"
#include "posviz/plot/diagram.h"
#include "posviz/plot/table.h"

enum panel_kind {
#define PANEL(constant, name, ...) PANEL_##constant,
#include "posviz/plot/panel_list.h"
#undef PANEL
};
enum {
#define PANEL(constant, name, ...) +1
	PANEL_KINDS = 0
#include "posviz/plot/panel_list.h"
#undef PANEL
};

/* The operator before a matrix of an equation. The panels of a figure that have one form equations,
 * in their order. */
enum sign {
	SIGN_NONE,  /* not part of an equation */
	SIGN_FIRST, /* first matrix of an equation */
	SIGN_PLUS,
	SIGN_TIMES, /* element by element */
	SIGN_EQUALS,
	SIGN_BECOMES /* the result of the function `done` of the matrix before it */
};

struct operand {
	enum sign sign;
	const char *done;    /* the function of SIGN_BECOMES: "softmax" */
	const char *formula; /* formula of the matrix, with _{…} and ^{…}; NULL for none */
	const char *unit;    /* unit of its values: "logit" */
	const char *part;    /* "2 of 3 terms" if some are missing; or NULL */
	/* its share of the whole, in words and from 0 to 1, drawn on cells as a bar; NULL: none */
	const char *share;
	double of_whole;
	/* the equation has the matrix already: shown only while it has the focus */
	bool implied;
};

struct panel {
	enum panel_kind kind;
	/* "bias", for figure_pick; NULL: the name of its kind */
	const char *name;
	const char *title; /* "Position bias" */
	/* the title of cells without room for that; NULL: its first words */
	const char *brief_title;
	const char *least_title; /* the title of cells without room for that either; NULL: none */
	const char *paper_title; /* the title of pages; NULL: the same */
	const char *note;	 /* at the right of the border: "head 1 of 4" */
	const char *short_note;	 /* its short form: "head 1"; NULL for none */
	const char *paper_note;	 /* the note of pages; NULL: the same */
	const char *subtitle; /* on paper under the title: a precise description; NULL for none */
	/* a sentence that replaces the drawing; NULL: it is drawn */
	const char *absent;
	bool off;	  /* switched off: dimmed, and the title says "off" */
	const char *term; /* the term that is drawn, by its name in "terms-off"; NULL: none */
	struct operand operand;
	/* enum measured: the measures that it prints; they may not be computed yet */
	unsigned measured;
	bool no_cursor; /* its rows and columns are not those of the figure's cursor */
	bool at_foot;	/* a page prints its contents at the foot instead of the panel */
	/* a heatmap that its neighbours can do without where their cells would be too small; the last one that has not the
	 * focus goes */
	bool spare;
	bool alone; /* a heatmap that says enough alone, where only then all rows have names */
	bool lead;  /* `absent` says where to look instead, and is seen before any picture */
	/* a newer value is being computed: dimmed, "…" in the title; never on a page */
	bool stale;
	/* The cells of the page's grid that it covers, and the order in which panels disappear when
	 * a terminal shrinks: 0 disappears last. A card of priority > 0 first shrinks to one
	 * line. */
	unsigned char row, col, rows, cols, priority;
	union {
#define PANEL(constant, name, ...) __VA_ARGS__;
#include "posviz/plot/panel_list.h"
#undef PANEL
	};
};

enum { FIGURE_PANELS = 24, FIGURE_TRACKS = 6 };

/* Words of a figure that is presented to an audience, one panel at a time, as large as possible. */
struct presented {
	const char *name;	     /* "rope", in large letters */
	const char *title, *authors; /* "Rotary position embedding", "Su et al. 2021" */
	const char *formula;	     /* as in struct card; NULL for none */
	const char *about;	     /* one sentence: the effect of the scheme */
	long memory;		     /* keys before the key of the first query */
	bool two_lists; /* keys are other tokens than queries, so there are no distances */
	/* [panel]: it is a heatmap with equal values along each diagonal */
	bool by_distance[FIGURE_PANELS];
	size_t beside[FIGURE_PANELS]; /* number from 1 of the panel to draw beside it; 0: none */
};

struct figure {
	const char *title;    /* "Rotary position embedding" */
	const char *subtitle; /* "Su et al. 2021 · rope+causal · head 1 of 4" */
	/* what is to be seen in this figure, in one sentence, above its panels; or NULL */
	const char *finding;
	/* the same in brief: a low screen has it in one line, or nothing of it; NULL: it has `finding` */
	const char *finding_brief;
	/* the least of it, where the brief one is wider than the screen; NULL: none */
	const char *finding_least;
	bool finding_spare; /* panels say it too: a low screen without a brief one is left to them */
	const char *caption; /* sentence, sizes, seed, projection, parameters */
	/* a small page prints the whole caption, because its content is essential */
	bool whole;
	const char *caption_right; /* "posviz 0.1"; NULL for none */
	const char *command;	   /* command line that makes this figure again; NULL for none */
	struct panel panels[FIGURE_PANELS];
	size_t n;
	bool picked; /* the user chose its panels by name */
	/* on cells, a border names the panels that have no room, and the key that shows them */
	bool names_hidden;
	/* the first panel is the most important: it may be larger than others of its kind */
	bool lead;
	/* its equation is drawn on cells; a page, which has room for titles with signs, keeps the
	 * grid */
	bool cells_equation;
	/* no matrix is more important than its neighbours: panels keep their cells of the grid as
	 * long as there is room */
	bool by_grid;
	/* On cells, no panel is smaller than this while another one can disappear; 0: its kind's own
	 * least size. */
	unsigned char least_rows, least_cols;
	const struct presented *presented; /* NULL: not presented, all panels are shown */
	const struct contact *contact;	   /* shown instead of panels (contact.h); NULL: none */
	/* Relative sizes of the page grid's columns and rows, up to the first 0. */
	unsigned char col_weight[FIGURE_TRACKS], row_weight[FIGURE_TRACKS];
};

/* Returns the index of the first heatmap with values; `otherwise` if there is none. */
size_t figure_first_map(const struct figure *f, size_t otherwise);
/* Explains the colours of a heatmap, given the names of the colours at its ends: "blue: less
 * attention than content alone, orange: more"; in brief without "than ...". NULL: there is nothing
 * to explain. */
const char *figure_colour_words(const struct heatmap *h, const char *low, const char *high,
				bool brief, struct arena *a);
/* Returns the i-th matrix that is shown, and its panel (`panel` may be NULL); NULL: there are no
 * more. */
struct heatmap *figure_heatmap(struct figure *f, size_t i, size_t *panel);

/* Returns the name of the i-th panel: "bias"; if several have that name "bias-1", "bias-2". */
const char *figure_panel_name(const struct figure *f, size_t i, struct arena *a);
/* Keeps the panels of these names, separated by commas, in the figure's order. A name that several
 * panels have means all of these; "all" changes nothing. False if no panel has one of the names:
 * the error lists the names there are, and the figure is unchanged. */
bool figure_pick(struct figure *f, const char *names, struct arena *a, struct err *err);

/* Copies the figure without the panels whose content the foot prints (at_foot); if no others are
 * left, they stay. */
void figure_without_foot(const struct figure *f, struct figure *out);

/* Puts the cursor of all panels on (row, col), from 1; 0: nowhere. Everything that depends on the
 * cursor is changed here. */
void figure_cursor(struct figure *f, long row, long col);

/* Points out the marks in all matrices whose rows and columns are those of the figure's cursor and
 * contain the words of a mark, on curves by distance, and among words that moved; n 0: nothing. In
 * a matrix with another order a cell follows its words, while a diagonal is one of positions in
 * that matrix. `memory`: the columns before that of row 0. */
void figure_mark(struct figure *f, const struct mark *marks, size_t n, size_t memory,
		 struct arena *a);
/* Tells if the figure has the curve or the line of a card that a mark names, by its whole name or
 * the beginning of it, in upper or lower case, a curve also by its number; or curves with a point
 * at the x that it names. The error lists the names there are. */
bool figure_has_mark(const struct figure *f, const struct mark *m, struct arena *a,
		     struct err *err);

/* Copies the curves of a figure, so that they outlive it. */
void figure_keep_curves(const struct figure *f, struct arena *a, struct figure *out);

/* Puts the curves of `first`, which must stay valid, faint behind the curves of the same panels
 * that have changed since. The notes of the panels name the former state: "faint: base 10". */
void figure_ghost(struct figure *f, const struct figure *first, const char *was, struct arena *a);

/* Copies a figure whose subtitle is shown, and removes from the notes of its panels whatever the
 * subtitle says already, such as head or authors. */
void figure_say_once(struct arena *a, const struct figure *f, struct figure *out);

/* Returns a colour of Okabe-Ito without black and without the pale neighbours of yellow, ordered by
 * contrast on white; the dark variant is lighter. The index wraps around. */
uint32_t figure_series_colour(size_t index, bool dark);

/* Returns a formula as plain text: the braces of _{…} and ^{…} become parentheses around several
 * signs, and disappear around one word. */
const char *figure_formula(struct arena *a, const char *formula);

/* Returns a name with the sub- and superscript characters of Unicode if it has them all: "Kʳ", but
 * "w_key". */
const char *figure_scripts(struct arena *a, const char *text);
/* Returns a formula with such characters. An index that lacks one gets brackets, and so do the
 * other indices of its letter: "Kʳ[δ(t,s)]", "W[q]", "W[k]"; a power that lacks one follows "^":
 * "2^(−8i/h)". */
const char *figure_typeset(struct arena *a, const char *formula);

#endif
