/* pen.h: the interface for a layout that draws on the cells of a terminal and on a page alike: the
 * width of a text, the height of a line, and text, strokes and marks in roles, whose looks depend
 * on the device.
 *
 * Lengths are cells, or units of the page. Cell (row, col) is the square from (x, y) = (col, row)
 * to the next column and row, so the middle of a line of cells is at a half. */
#ifndef POSVIZ_PEN_H
#define POSVIZ_PEN_H

#include "posviz/plot/canvas.h"

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
	ROLE_QUIET, /* explanations */
	ROLE_PLAIN,
	ROLE_VALUE,  /* a value beside its key */
	ROLE_STRONG, /* a heading; the cursor's path; a token that moved */
	ROLE_CHOSEN, /* the cursor's row */
	ROLE_HERE,   /* the cursor's token, that did not move */
	ROLE_ALARM,  /* a value that is not finite */
	ROLE_PATH,   /* text on the cursor's path, or of its bar */
	ROLE_END     /* the names of the path's ends */
};

/* A bar on cells has whole columns, or if it is exact, eighths of them; one that is off is hatched. */
enum bar_form { BAR_SOLID, BAR_EXACT, BAR_OFF };

/* The kind of a bar, or the sign of a value. */
enum tone { TONE_MINUS, TONE_PLUS, TONE_TOTAL, TONE_PART };

struct pen_device;
struct strokes;

/* The occasion: a screen for one reader, a screen for a room of people, a page. */
enum occasion { ON_SCREEN, IN_ROOM, ON_PAPER };

struct pen {
	const struct pen_device *device; /* the device that it draws on (pen_device.h) */
	void *on; /* the canvas or the page; only the device knows its type */
	struct arena *arena;
	struct area at; /* the area for drawing; text is cut at its right end */
	double em;	/* the width of a digit */
	double line;	/* the height of a line of text */
	double unit;	/* a unit of a page at its full size; 1 on cells */
	double air;	/* the distance of lines if there is room */
	double mark;	/* the width of pen_chosen's mark at the left */
	double step;	/* the least distance of strokes */
	double gap;	/* between words of a line, and between a bar and its sign */
	double leading; /* from row to row of text with bars, in lines */
	double bar;	/* the part of such a row that the bar takes */
	double thin;	/* the least width of a column */
	double cell;	/* the side of a cell, which each mark fills; 0: marks have any size */
	double digits;	/* the height of pen_digits */
	double aspect;	/* the length of a vertical unit, in horizontal units */
	enum occasion occasion;
	bool terse; /* there is no room for sentences that only explain */
	bool dark;  /* the background is dark */
	bool ascii; /* signs are ASCII */
	struct strokes *strokes;
};

/* Returns the largest size of a text in any role. */
struct size pen_measure(const struct pen *pen, const char *text);
/* Returns the text, shortened to this width if necessary. */
const char *pen_fit(const struct pen *pen, enum role role, const char *text, double width);
/* Writes text: with `align` 0 it begins at x, with 0.5 its middle is there, with 1 it ends there; y
 * is the middle of its line. */
void pen_text(const struct pen *pen, enum role role, double align, double x, double y,
	      const char *text);
/* Writes text shortened to this width. */
void pen_text_fit(const struct pen *pen, enum role role, double align, double x, double y,
		  double width, const char *text);
/* Writes text in the colour of a series; SIZE_MAX: in that of its role. */
void pen_text_series(const struct pen *pen, enum role role, size_t colour, double align, double x,
		     double y, const char *text);
/* Writes texts one after the other, broken into lines of the width of `at`, from its top; on a
 * page, if one line has no room for all of them, each begins a line of its own. Returns the height;
 * draws unless `draw` is false. pen_formula() does the same with a formula. */
struct text_run {
	enum role role;
	const char *text;
	bool parted; /* on cells, a "·" separates it from the text before */
};
double pen_wrap(const struct pen *pen, struct area at, const struct text_run *runs, size_t n,
		bool draw);
double pen_formula(const struct pen *pen, struct area at, const char *formula, bool draw);
/* Returns a formula for use among words: in signs, or spelled out in ASCII. */
const char *pen_formula_words(const struct pen *pen, const char *formula);
/* A sheet is for drawings that may be higher than their area: on cells its first rows are shown at
 * the end, with an ellipsis if it used more; a page is its own sheet. */
struct pen pen_sheet(const struct pen *pen);
void pen_sheet_end(const struct pen *pen, const struct pen *sheet, double used);
/* Returns the n labels, shortened to this width and still distinct; `first`: the index of the first
 * one. */
const char **pen_labels(const struct pen *pen, const char *const *from, size_t n, size_t first,
			double width);
/* pen_label() writes one of a column of labels, which on a page may be as close as their ink
 * permits. pen_apart() returns how far apart every `step`-th of them must be. */
void pen_label(const struct pen *pen, enum role role, double align, double x, double y,
	       const char *text);
double pen_apart(const struct pen *pen, const char *const *texts, size_t n, size_t step);
/* Write text in the colour of bars of this tone, and in the letters of a heading. */
void pen_text_tone(const struct pen *pen, enum role role, const struct colormap *map,
		   enum tone tone, double align, double x, double y, const char *text);
void pen_text_large(const struct pen *pen, double align, double x, double y, const char *text);
/* Writes a number in digits of several lines that end at `right`, from y down; returns its width, 0
 * if it cannot be written in these. Only measures if `draw` is false. */
double pen_digits(const struct pen *pen, double right, double y, const char *number, bool draw);
/* Writes text that begins at (x, y) and descends from there at this angle; on a page only. */
void pen_text_turned(const struct pen *pen, enum role role, size_t colour, double x, double y,
		     double angle, const char *text);
enum turn { LYING, LEANING, STANDING };
extern const double pen_angles[];
/* On cells: the number of whole cells in this length, the nearest whole number, the middle of the
 * cell at x or left of it, the middle of the cell that contains x; on a page the given value. */
double pen_whole(const struct pen *pen, double length);
double pen_round(const struct pen *pen, double length);
double pen_middle(const struct pen *pen, double x);
double pen_centre(const struct pen *pen, double x);
/* Returns whether text can be turned. */
bool pen_turns(const struct pen *pen);

/* Begin and end a set of strokes, cut at the area. On cells, strokes that meet share signs, which
 * are drawn at the end. */
void pen_begin(struct pen *pen, struct area clip);
void pen_end(struct pen *pen);
/* Draws a stroke from point to point, horizontal or vertical; on a page with round corners. */
void pen_stroke(const struct pen *pen, const struct point *at, size_t n, bool heavy);
/* Draw the head of a downward arrow, or a dot, in the line around y. */
void pen_head(const struct pen *pen, double x, double y, bool heavy);
void pen_dot(const struct pen *pen, double x, double y);
/* Draws an arrow from x to the right with a label in it; a line if `directed` is false. */
void pen_arrow(const struct pen *pen, double x, double y, double width, const char *label,
	       bool heavy, bool directed);
/* Shows that the words in this area belong together: a box around them or, if they are turned, a
 * bar above; on cells a bracket in the line `below` them. */
void pen_group(const struct pen *pen, struct area words, double below, bool turned);
/* Removes strokes from an area for text. */
void pen_blank(const struct pen *pen, struct area a);
/* Draw a bar from x on, to the left if its length is negative, in a row of height `high` around y;
 * an axis; a horizontal line. */
void pen_bar(const struct pen *pen, double x, double y, double length, double high,
	     enum bar_form form);
void pen_axis(const struct pen *pen, double x, double top, double bottom);
void pen_level(const struct pen *pen, double y, double left, double right);
/* Draws a dot around this point, visible on a bar and beside it. */
void pen_spot(const struct pen *pen, double x, double y);
/* Draws a horizontal line with an upright stroke at both ends and a strong one between them, in a row of
 * height `high` around y; on cells the ends are columns. */
void pen_interval(const struct pen *pen, double from, double middle, double to, double y,
		  double high, bool off);
/* Bars in colours of a map, with enough contrast for any background (pen_tones.c): the bars of a
 * sum are horizontal, and `at` is the bar; columns begin at the lower edge of `at`. `strength` in
 * [0, 1] is the distance of the colour from zero; cells with few colours ignore it. */
void pen_span(const struct pen *pen, const struct colormap *map, enum tone tone, struct area at);
void pen_column(const struct pen *pen, const struct colormap *map, double strength, struct area at);
/* Draws a column in the colour at `place` of the map; NULL: in a neutral one. */
void pen_block(const struct pen *pen, const struct colormap *map, double place, struct area at);
/* Writes the sign beside a bar in the bar's colour. */
void pen_sign(const struct pen *pen, const struct colormap *map, enum tone tone, double x,
	      double y);
/* Draw the dotted line of zero; and a line from one bar down to the next. */
void pen_zero(const struct pen *pen, double x, double top, double bottom);
void pen_drop(const struct pen *pen, double x, double top, double bottom);
/* Lines from the upper edge of an area to the lower one, at distances of `pitch`; later lines cover
 * earlier ones. */
enum line_rank { LINE_NONE, LINE_QUIET, LINE_STRONG, LINE_CURSOR };
struct pen_line {
	double from, to;
	double bend; /* the part of the height at which it crosses over */
	enum line_rank rank;
	size_t colour; /* of the series; SIZE_MAX: no colour */
};
void pen_lines(const struct pen *pen, struct area at, double pitch, const struct pen_line *lines,
	       size_t n);
/* Reports this area as the panel's plot in the report of a page. */
void pen_plot(const struct pen *pen, struct area a);

/* Draws the background of the cursor's row, or a mark before it. */
void pen_chosen(const struct pen *pen, struct area row);
/* Draws a hairline over the width of `at`, if there is room between two lines of text. */
void pen_rule(const struct pen *pen, struct area at, double y);
/* Return "–" and "…", or their replacements in ASCII. */
const char *pen_dash(const struct pen *pen);
const char *pen_more(const struct pen *pen);
/* Returns the first of `shown` consecutive indices out of n, such that `at` is in the middle if
 * possible. */
size_t pen_window(size_t at, size_t shown, size_t n);

/* The functions below draw the inside of a panel whose kind has one layout for cells and pages; its
 * row in the table of kinds calls them. */
void pen_bars(const struct pen *pen, const struct bars *b);
/* Returns the number of bars side by side, if a panel with `cols` inner columns has too few rows
 * for all below each other. */
int pen_bars_beside(const struct bars *b, int rows, int cols);
/* Return the height that bars need at this width, and the least columns of cells at which the names
 * of bars with an axis are whole. */
double pen_bars_wish(const struct pen *pen, const struct bars *b);
int pen_bars_cols(const struct bars *b);
/* Return the columns at which a table shows its most important columns whole, and links their
 * words. */
int pen_table_cols(const struct table *t);
int pen_links_cols(const struct links *l);
void pen_links(const struct pen *pen, const struct links *l);
void pen_card(const struct pen *pen, const struct card *card);
/* Return the height that a card needs at this width, and the least. */
double pen_card_wish(const struct pen *pen, const struct card *card);
double pen_card_least(const struct pen *pen, const struct card *card);
void pen_table(const struct pen *pen, const struct table *t);
void pen_structure(const struct pen *pen, const struct drawing *d);
void pen_waterfall(const struct pen *pen, const struct waterfall *w);
/* Returns the lines that it needs at this width. */
double pen_waterfall_wish(const struct pen *pen, const struct waterfall *w);
void pen_columns(const struct pen *pen, const struct columns *c);
void pen_dials(const struct pen *pen, const struct dials *d);
/* Returns the lines that they need at this width. */
double pen_dials_wish(const struct pen *pen, const struct dials *d);
void pen_plane(const struct pen *pen, const struct plane *p);

#endif
