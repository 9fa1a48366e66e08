/* figure.h: what is shown, as a value: panels with numbers and words, no colours of pixels, no
 * sizes. A view makes it; the cells of a terminal and the pixels of a page draw it.
 *
 * All text is UTF-8 that has passed text_escape. All memory is the arena's the figure was made in. */
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

/* A matrix of an equation, and the operator before it: the panels of a figure that have one are
 * equations, in their order. */
enum sign {
	SIGN_NONE,  /* no part of an equation */
	SIGN_FIRST, /* an equation begins */
	SIGN_PLUS,
	SIGN_TIMES, /* element by element */
	SIGN_EQUALS,
	SIGN_BECOMES /* what stands before it, after `done` */
};

struct operand {
	enum sign sign;
	const char *done;    /* of SIGN_BECOMES: "softmax" */
	const char *formula; /* of the matrix, with _{…} and ^{…}; NULL for none */
	const char *unit;    /* what its values are: "logit" */
	const char *part;    /* "2 of 3 terms", where it is not all; NULL */
	bool implied; /* the matrix stands in the equation already: shown where it has the focus */
};

struct panel {
	enum panel_kind kind;
	const char *name;  /* "bias": as figure_pick knows it; NULL: that of its kind */
	const char *title; /* "Position bias" */
	const char
		*brief_title; /* the same on cells where that has no room; NULL: its first words */
	const char *paper_title; /* instead of title on a page; NULL: the same */
	const char *note;	 /* on the border, at the right: "head 1 of 4" */
	const char *short_note;	 /* the same where that has no room: "head 1"; NULL for none */
	const char *paper_note;	 /* instead of both on a page; NULL: the same */
	const char *subtitle; /* on paper under the title: what exactly is drawn; NULL for none */
	const char *absent;   /* when not NULL, this sentence stands in place of the drawing */
	bool off;	      /* switched off: dimmed, the title says "off" */
	const char *term;     /* the term that is drawn, as "terms-off" names it; NULL: none */
	struct operand operand;
	unsigned measured; /* enum measured: what it says of them; they may be on their way */
	bool no_cursor;	   /* rows and columns are not those of the figure's cursor */
	bool at_foot;	   /* a page says it at its foot, and leaves the panel out */
	bool stale; /* a newer value is being computed: dimmed, "…" in the title; never on a page */
	/* Place in the figure's grid of the page, and how long it stays when a terminal shrinks: 0
	 * goes last. A card of priority > 0 shrinks to one line before it goes. */
	unsigned char row, col, rows, cols, priority;
	union {
#define PANEL(constant, name, ...) __VA_ARGS__;
#include "posviz/plot/panel_list.h"
#undef PANEL
	};
};

enum { FIGURE_PANELS = 24, FIGURE_TRACKS = 6 };

/* What is said of a figure that is shown to a room: one of its panels at a time, as large as it gets. */
struct presented {
	const char *name;		 /* "rope", in large letters */
	const char *title, *authors;	 /* "Rotary position embedding", "Su et al. 2021" */
	const char *formula;		 /* as in struct card; NULL for none */
	const char *about;		 /* what the scheme does, one sentence */
	long memory;			 /* keys before that of the first query */
	bool two_lists;			 /* keys are other tokens: no distances */
	bool by_distance[FIGURE_PANELS]; /* a heatmap with equal values along each diagonal */
	size_t beside[FIGURE_PANELS];	 /* the panel that belongs beside it, from 1; 0: none */
};

struct figure {
	const char *title;    /* "Rotary position embedding" */
	const char *subtitle; /* "Su et al. 2021 · rope+causal · head 1 of 4" */
	const char *caption;  /* sentence, sizes, seed, projection, parameters */
	bool whole; /* a small page does not cut the caption: it says what must be known */
	const char *caption_right; /* "posviz 0.1"; NULL for none */
	const char *command;	   /* the line that makes this figure again; NULL for none */
	struct panel panels[FIGURE_PANELS];
	size_t n;
	bool picked; /* its panels were asked for by name */
	bool lead;   /* the first panel matters most: it may be larger than others of its kind */
	bool by_grid; /* no matrix matters more than what is beside it: panels stay where the grid has them
		       * as long as there is room */
	const struct presented *presented; /* NULL: it is not, and shows all panels */
	const struct contact *contact;	   /* shown in place of panels (contact.h); NULL: none */
	/* Weights of the page grid's columns and rows; 0 ends. */
	unsigned char col_weight[FIGURE_TRACKS], row_weight[FIGURE_TRACKS];
};

/* The first heatmap that has something to show; `otherwise` where there is none. */
size_t figure_first_map(const struct figure *f, size_t otherwise);
/* What the colours of a heatmap mean, by names of its ends: "blue: less attention than content alone,
 * orange: more"; in brief without what it is more than. NULL: there is nothing to say. */
const char *figure_colour_words(const struct heatmap *h, const char *low, const char *high,
				bool brief, struct arena *a);
/* The i-th matrix that is shown, and its panel (at NULL: not asked for); NULL: there are no more. */
struct heatmap *figure_heatmap(struct figure *f, size_t i, size_t *panel);

/* What the i-th panel is called: "bias", of several with that name "bias-1", "bias-2". */
const char *figure_panel_name(const struct figure *f, size_t i, struct arena *a);
/* Leaves the panels of these names, parted by commas, in the figure's own order; a name that several
 * have is all of them, "all" changes nothing. False: there is none of one name, the error lists
 * those there are, and the figure is whole. */
bool figure_pick(struct figure *f, const char *names, struct arena *a, struct err *err);

/* Without the panels that say what the caption says; where nothing else is left, they stay. */
void figure_without_foot(const struct figure *f, struct figure *out);

/* Puts the cursor of all panels on (row, col), from 1; 0: nowhere. All that a cursor changes. */
void figure_cursor(struct figure *f, long row, long col);

/* Points out these in all matrices whose rows and columns are those of the figure's cursor, each where its words are
 * there, on curves by distance and among words that moved; n 0: nothing. Where a matrix has its rows and columns in
 * another order, a cell follows its words; a diagonal is one of places, and of each matrix its own. `memory`: the
 * columns before that of row 0. */
void figure_mark(struct figure *f, const struct mark *marks, size_t n, size_t memory,
		 struct arena *a);
/* Whether the figure has the curve or the line of a card that a mark names: by its whole name or by how that begins,
 * in whatever case, a curve also by its number; or curves that have a point at the place it names. The error lists
 * those there are. */
bool figure_has_mark(const struct figure *f, const struct mark *m, struct arena *a,
		     struct err *err);

/* The curves of a figure alone, copied: of a figure that is gone when they are wanted. */
void figure_keep_curves(const struct figure *f, struct arena *a, struct figure *out);

/* Puts the curves of `first`, which stays, faint behind those of the same panels that have changed: as they were before
 * something ran. Their notes say what that was: "faint: base 10". */
void figure_ghost(struct figure *f, const struct figure *first, const char *was, struct arena *a);

/* The same figure where its subtitle is shown: what that says already, as head or authors, goes from the
 * notes of the panels. */
void figure_say_once(struct arena *a, const struct figure *f, struct figure *out);

/* Okabe-Ito without black and yellow's pale neighbours, ordered for contrast on white; the dark
 * variant is lightened. Index wraps around. */
uint32_t figure_series_colour(size_t index, bool dark);

/* A formula as plain text: the braces of _{…} and ^{…} become parentheses where several signs stand
 * in them, and go where they hold one word. */
const char *figure_formula(struct arena *a, const char *formula);

/* A name with signs of Unicode for its sub- and superscripts where there are such: "Kʳ", but "w_key". */
const char *figure_scripts(struct arena *a, const char *text);
/* A formula with such signs. An index that has none stands in brackets, as do the other indices of its
 * letter: "Kʳ[δ(t,s)]", "W[q]", "W[k]"; a power that has none behind "^": "2^(−8i/h)". */
const char *figure_typeset(struct arena *a, const char *formula);

#endif
