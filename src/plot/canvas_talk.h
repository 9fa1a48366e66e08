/* canvas_talk.h: the interface between the files that draw a figure for a presenter:
 * canvas_presenter.c draws the panel and the words around it, canvas_pair.c two panels side by
 * side, canvas_talk.c and canvas_talk_value.c the words. */
#ifndef POSVIZ_CANVAS_TALK_H
#define POSVIZ_CANVAS_TALK_H

#include "plot/canvas_map.h"

enum { TALK_AIR = 2, TALK_MARGIN = 1 };

/* The place of the value under the cursor. */
enum place { VALUE_BESIDE, VALUE_BELOW, VALUE_ABOVE };

struct form {
	bool big; /* the name is in large letters */
	int head; /* rows of words above */
	enum place value;
};

/* The place of the panel's name in a small head: at the right of one of its rows, below the matrix,
 * at the right of the names, or instead of the scheme's formula. */
enum named_where { NAMED_NOWHERE, NAMED_RIGHT, NAMED_BELOW, NAMED_FIRST, NAMED_INSTEAD };
struct named {
	enum named_where place;
	int row; /* row of the head, from 0, for NAMED_RIGHT */
	const char *text;
	const char *
		part; /* the shown part of the panel, at the right of row part_row; NULL: none there */
	int part_row;
	bool brief; /* for this, only the first part of the formula is shown */
};

struct talk {
	struct canvas *c;
	struct arena *a;
	struct rect r;
	const struct presented *words;
	const struct panel *p;
	bool by_distance;
	const struct heatmap *map; /* of the panel, or NULL */
	struct form form;
	int head_most;		       /* the most rows of words above the panel */
	const char *part, *short_part; /* the shown part of the panel; NULL if all is shown */
	int beside;		       /* columns of the value beside the panel */
	struct named named;
};

/* How well a panel can be seen: `seen` counts the visible values and their digits (for means it is
 * lower the larger the blocks are), `side` is the smaller side of a cell, `area` its area, `words`
 * the state of the words above the columns. */
struct quality {
	bool possible;
	int seen, side, area, words;
};

/* canvas_talk.c */
/* Sets the panel that `t` describes. */
void talk_about(struct talk *t, const struct figure *f, size_t panel);
bool talk_is_hidden(const struct heatmap *h); /* the cell under the cursor */
const char *talk_pair(const struct talk *t);  /* "dog → cat" */
const char *talk_value(const struct talk *t); /* of the cursor's cell */
const char *talk_apart(const struct talk *t); /* "s−t −3" */
const char *talk_panel(const struct talk *t); /* the panel's title and note */
const char *talk_brief(const struct talk *t); /* the same with the short note of the shown part */
const char *talk_colours(const struct talk *t, bool brief); /* meaning of the colours, or NULL */
const char *talk_alone(const struct talk *t, bool brief);   /* only of signs of masked cells */
/* Returns the columns of the widest value in large letters, so that nothing moves with the
 * cursor. */
int talk_value_cols(const struct talk *t);
/* Write the whole text, or nothing; return the columns used. */
int talk_put(const struct talk *t, int row, int col, int right, const char *text, unsigned attrs);
int talk_put_right(const struct talk *t, int row, int col, const char *text, unsigned attrs);
int talk_right(const struct talk *t); /* the right end of texts */

/* canvas_talk_value.c: draw the words beside the panel, and below it in talk_below_rows() rows;
 * draw the last row. */
void talk_beside(const struct talk *t, int top, int bottom);
void talk_below(const struct talk *t, int row);
int talk_below_rows(const struct talk *t);
void talk_foot(const struct talk *t, bool space);

/* canvas_presenter.c */
void talk_head(const struct talk *t); /* in the current form */
bool talk_has_words(const struct talk *t);
struct quality talk_quality(const struct talk *t, const struct heatmap_plan *plan);
void talk_draw_panel(const struct talk *t, struct heatmap_plan *plan, struct rect body);

/* canvas_pair.c: draws the panel of `alone`, whose quality alone would be `good`, and the panel
 * that belongs beside it; draws nothing and returns false if there is no room for both. `body` and
 * `plan` are of the panel `panel`. */
bool canvas_pair(const struct talk *alone, const struct quality *good, const struct figure *f,
		 size_t panel, struct rect *body, struct heatmap_plan *plan);

#endif
