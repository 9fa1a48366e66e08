/* canvas_talk.h: what the files share that draw a figure for the back row: canvas_presenter.c its panel and
 * what is around it, canvas_pair.c two panels side by side, canvas_talk.c and canvas_talk_value.c the words. */
#ifndef POSVIZ_CANVAS_TALK_H
#define POSVIZ_CANVAS_TALK_H

#include "plot/canvas_map.h"

enum { TALK_AIR = 2, TALK_MARGIN = 1 };

/* Where the value under the cursor stands. */
enum place { VALUE_BESIDE, VALUE_BELOW, VALUE_ABOVE };

struct form {
	bool big; /* the name */
	int head; /* rows of words above */
	enum place value;
};

/* Where a small head says what the panel is: at the right of one of its rows, below the matrix, at the right
 * of the names, or in place of what the scheme does. */
enum named_where { NAMED_NOWHERE, NAMED_RIGHT, NAMED_BELOW, NAMED_FIRST, NAMED_INSTEAD };
struct named {
	enum named_where place;
	int row; /* of the head, from 0: NAMED_RIGHT */
	const char *text;
	const char *
		part; /* which part of it is seen, at the right of a row of its own; NULL: said elsewhere */
	int part_row;
	bool brief; /* for that the formula's first part alone is shown */
};

struct talk {
	struct canvas *c;
	struct arena *a;
	struct rect r;
	const struct presented *words;
	const struct panel *p;
	bool by_distance;
	const struct heatmap *map; /* of the panel; NULL: it has none */
	struct form form;
	int head_most; /* rows that the words above may have */
	const char *part,
		*short_part; /* which part of it is seen, where that is not all; else NULL */
	int beside;	     /* columns of the value beside the panel */
	struct named named;
};

/* How good a panel is to look at in some place: how much of it is seen, whether with its numbers - of means less
 * the larger their blocks are -, the smaller side of a cell, its area, the words above its columns. */
struct quality {
	bool possible;
	int seen, side, area, words;
};

/* canvas_talk.c */
/* Of which panel it is. */
void talk_about(struct talk *t, const struct figure *f, size_t panel);
bool talk_is_hidden(const struct heatmap *h);		    /* the cell under the cursor */
const char *talk_pair(const struct talk *t);		    /* "dog → cat" */
const char *talk_value(const struct talk *t);		    /* of the cursor's cell */
const char *talk_apart(const struct talk *t);		    /* "s−t −3" */
const char *talk_panel(const struct talk *t);		    /* what the panel is */
const char *talk_brief(const struct talk *t);		    /* with its part said briefly */
const char *talk_colours(const struct talk *t, bool brief); /* what the colours mean, or NULL */
const char *talk_alone(const struct talk *t, bool brief);   /* and of that the marks alone */
/* The columns of the widest value in large letters, so that nothing moves with the cursor. */
int talk_value_cols(const struct talk *t);
/* Whole, or not at all; columns used. */
int talk_put(const struct talk *t, int row, int col, int right, const char *text, unsigned attrs);
int talk_put_right(const struct talk *t, int row, int col, const char *text, unsigned attrs);
int talk_right(const struct talk *t); /* where they end */

/* canvas_talk_value.c: what stands beside and below the panel, and its rows there; the last row. */
void talk_beside(const struct talk *t, int top, int bottom);
void talk_below(const struct talk *t, int row);
int talk_below_rows(const struct talk *t);
void talk_foot(const struct talk *t, bool space);

/* canvas_presenter.c */
void talk_head(const struct talk *t); /* of the form's kind */
bool talk_has_words(const struct talk *t);
struct quality talk_quality(const struct talk *t, const struct heatmap_plan *plan);
void talk_draw_panel(const struct talk *t, struct heatmap_plan *plan, struct rect body);

/* canvas_pair.c: the panel of `alone`, which would be so good to look at, and the one that belongs beside it;
 * false: they have no room side by side, and nothing is drawn. `body` and `plan` are of the panel `panel`. */
bool canvas_pair(const struct talk *alone, const struct quality *good, const struct figure *f,
		 size_t panel, struct rect *body, struct heatmap_plan *plan);

#endif
