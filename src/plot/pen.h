/* pen.h: what one layout needs that draws on the cells of a terminal and on a page alike: how wide a
 * text is, how high a line, and text, strokes and marks in roles that each pen has its own looks for.
 *
 * Lengths are cells, or units of the page. Cell (row, col) is the square from (col, row) to the next,
 * so that the middle of a line of cells is at a half. */
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
	ROLE_QUIET, /* what only explains */
	ROLE_PLAIN,
	ROLE_VALUE,  /* beside its key */
	ROLE_STRONG, /* a heading; the cursor's path; a token that moved */
	ROLE_CHOSEN, /* the cursor's row */
	ROLE_HERE,   /* the cursor's token, that did not move */
	ROLE_ALARM,  /* a value that is not finite */
	ROLE_PATH,   /* what is written on the cursor's path, or of its bar ... */
	ROLE_END     /* ... and the names of its ends */
};

/* What a bar stands for, and a value's sign. */
enum tone { TONE_MINUS, TONE_PLUS, TONE_TOTAL, TONE_PART };

struct pen_device;
struct strokes;

/* The occasion: a screen before its reader, a screen before a room of people, a page. */
enum occasion { ON_SCREEN, IN_ROOM, ON_PAPER };

struct pen {
	const struct pen_device *device; /* what it draws on (pen_device.h) */
	void *on;			 /* the canvas or the page, which only the device knows */
	struct arena *arena;
	struct area at; /* what it may draw on; text is cut at its right end */
	double em;	/* the width of a digit */
	double line;	/* the height of a line of text */
	double unit;	/* a unit of a page at its full size; on cells one */
	double air;	/* the distance of lines where there is room */
	double mark;	/* the room that pen_chosen takes at the left */
	double step;	/* the least distance of strokes */
	double gap;	/* between words of a line, and a bar and its sign */
	double leading; /* from row to row of text with bars, in lines */
	double bar;	/* the part of such a row that its bar takes */
	double thin;	/* the least width of a column */
	double cell; /* the side of a cell, which each mark fills; 0: marks are as fine as they are drawn */
	double digits; /* the height of pen_digits */
	double aspect; /* the length of a unit down, in units along */
	enum occasion occasion;
	bool terse; /* there is no room for sentences that only explain */
	bool dark;  /* the background is */
	bool ascii; /* signs are those of ASCII */
	struct strokes *strokes;
};

unsigned pen_attrs(enum role role);

/* The most that a text takes in any role. */
struct size pen_measure(const struct pen *pen, const char *text);
/* The text, or shortened to this width. */
const char *pen_fit(const struct pen *pen, enum role role, const char *text, double width);
/* `align` 0: it begins at x, 0.5: its middle is there, 1: it ends there; y is the middle of its line. */
void pen_text(const struct pen *pen, enum role role, double align, double x, double y,
	      const char *text);
/* The same, shortened to this width. */
void pen_text_fit(const struct pen *pen, enum role role, double align, double x, double y,
		  double width, const char *text);
/* The same in the colour of a series; SIZE_MAX: in that of its role. */
void pen_text_series(const struct pen *pen, enum role role, size_t colour, double align, double x,
		     double y, const char *text);
/* Texts that follow each other and go on in further lines of the width of `at`, from its top; on a page
 * those that have no room in one line begin a line each. Returns the height, and draws unless `draw` is
 * false. */
struct text_run {
	enum role role;
	const char *text;
	bool parted; /* on cells by a "·" from the one before */
};
double pen_wrap(const struct pen *pen, struct area at, const struct text_run *runs, size_t n,
		bool draw);
double pen_formula(const struct pen *pen, struct area at, const char *formula, bool draw);
/* One among words: in signs, or spelled out where there is only ASCII. */
const char *pen_formula_words(const struct pen *pen, const char *formula);
/* What may be higher than its area is drawn on a sheet: of cells its first rows are shown then, with
 * an ellipsis when it used more; a page is its own sheet. */
struct pen pen_sheet(const struct pen *pen);
void pen_sheet_end(const struct pen *pen, const struct pen *sheet, double used);
/* The n labels, shortened to this width and kept distinct; `first`: the place of the first one. */
const char **pen_labels(const struct pen *pen, const char *const *from, size_t n, size_t first,
			double width);
/* One of a column of labels, which on a page stand as near to each other as their ink allows; and how far apart
 * every `step`-th of them must be. */
void pen_label(const struct pen *pen, enum role role, double align, double x, double y,
	       const char *text);
double pen_apart(const struct pen *pen, const char *const *texts, size_t n, size_t step);
/* The same in the colour that bars of this tone have; and in the letters of a heading. */
void pen_text_tone(const struct pen *pen, enum role role, const struct colormap *map,
		   enum tone tone, double align, double x, double y, const char *text);
void pen_text_large(const struct pen *pen, double align, double x, double y, const char *text);
/* A number in digits of several lines that ends at `right`, from y down; its width, 0: there are no such digits for it.
 * Measures only when `draw` is false. */
double pen_digits(const struct pen *pen, double right, double y, const char *number, bool draw);
/* Text that begins at (x, y) and goes down from there at this angle; on a page only. */
void pen_text_turned(const struct pen *pen, enum role role, size_t colour, double x, double y,
		     double angle, const char *text);
enum turn { LYING, LEANING, STANDING };
extern const double pen_angles[];
/* On cells: the whole ones in this length, the nearest number of them, the middle of the one at x or
 * left of it, the middle of the one that x is in; on a page what is given. */
double pen_whole(const struct pen *pen, double length);
double pen_round(const struct pen *pen, double length);
double pen_middle(const struct pen *pen, double x);
double pen_centre(const struct pen *pen, double x);
/* Whether text can be turned. */
bool pen_turns(const struct pen *pen);

/* Strokes between these two, cut at the area. Of cells they meet in signs, which are drawn at the end. */
void pen_begin(struct pen *pen, struct area clip);
void pen_end(struct pen *pen);
/* From point to point, along or down; on a page with round corners. */
void pen_stroke(const struct pen *pen, const struct point *at, size_t n, bool heavy);
/* The head of an arrow down, or a dot, in the line about y. */
void pen_head(const struct pen *pen, double x, double y, bool heavy);
void pen_dot(const struct pen *pen, double x, double y);
/* An arrow from x to the right that has a label in it; `directed` false: a line. */
void pen_arrow(const struct pen *pen, double x, double y, double width, const char *label,
	       bool heavy, bool directed);
/* Shows that the words in this area are one: a box around them or, where they are turned, a bar above;
 * on cells a bracket in the line `below` them. */
void pen_group(const struct pen *pen, struct area words, double below, bool turned);
/* Takes strokes away where text is to stand on them. */
void pen_blank(const struct pen *pen, struct area a);
/* A bar from x on, to the left where its length is negative, in a row so high about y; and an axis. */
void pen_bar(const struct pen *pen, double x, double y, double length, double high, bool off);
void pen_axis(const struct pen *pen, double x, double top, double bottom);
void pen_level(const struct pen *pen, double y, double left, double right);
/* A dot about that place, to be seen on a bar and beside it. */
void pen_spot(const struct pen *pen, double x, double y);
/* Bars in colours of a map, strong enough to be seen on any background (pen_tones.c): of a sum they lie in
 * a row, of which `at` is the bar; of columns they stand on the lower edge of it. `strength` in [0, 1] is
 * how far from zero the colour is; on cells of few colours it is none. */
void pen_span(const struct pen *pen, const struct colormap *map, enum tone tone, struct area at);
void pen_column(const struct pen *pen, const struct colormap *map, double strength, struct area at);
/* The same of any sign, in the colour at `place` of the map; NULL: in a quiet one. */
void pen_block(const struct pen *pen, const struct colormap *map, double place, struct area at);
/* The same colour for the sign beside it. */
void pen_sign(const struct pen *pen, const struct colormap *map, enum tone tone, double x,
	      double y);
/* The line of zero, dotted; and a line from one bar down to the next. */
void pen_zero(const struct pen *pen, double x, double top, double bottom);
void pen_drop(const struct pen *pen, double x, double top, double bottom);
/* Lines from the upper edge of an area to the lower one, so far apart; the last lie on top. */
enum line_rank { LINE_NONE, LINE_QUIET, LINE_STRONG, LINE_CURSOR };
struct pen_line {
	double from, to;
	double bend; /* the part of the height at which it goes across */
	enum line_rank rank;
	size_t colour; /* of the series; SIZE_MAX: none */
};
void pen_lines(const struct pen *pen, struct area at, double pitch, const struct pen_line *lines,
	       size_t n);
/* What the report of a page calls the panel's plot. */
void pen_plot(const struct pen *pen, struct area a);

/* The background of the cursor's row, or a mark before it. */
void pen_chosen(const struct pen *pen, struct area row);
/* A hairline through the width of `at`, where there is room between two lines of text. */
void pen_rule(const struct pen *pen, struct area at, double y);
/* "–" and "…" where there are such signs. */
const char *pen_dash(const struct pen *pen);
const char *pen_more(const struct pen *pen);
/* The first of `shown` of n places, so that `at` stands in the middle. */
size_t pen_window(size_t at, size_t shown, size_t n);

/* The inside of a panel of a kind that has one layout for cells and pages, in a row of the table of kinds. */
void pen_bars(const struct pen *pen, const struct bars *b);
/* Bars side by side when a panel `cols` wide inside has not the rows for all below each other. */
int pen_bars_beside(const struct bars *b, int rows, int cols);
void pen_links(const struct pen *pen, const struct links *l);
void pen_card(const struct pen *pen, const struct card *card);
/* The height that a card would like in this width, and the least. */
double pen_card_wish(const struct pen *pen, const struct card *card);
double pen_card_least(const struct pen *pen, const struct card *card);
void pen_table(const struct pen *pen, const struct table *t);
void pen_structure(const struct pen *pen, const struct drawing *d);
void pen_waterfall(const struct pen *pen, const struct waterfall *w);
/* Lines that it would like when it is so wide. */
double pen_waterfall_wish(const struct pen *pen, const struct waterfall *w);
void pen_columns(const struct pen *pen, const struct columns *c);
void pen_dials(const struct pen *pen, const struct dials *d);
/* Lines that they would like when they are so wide. */
double pen_dials_wish(const struct pen *pen, const struct dials *d);
void pen_plane(const struct pen *pen, const struct plane *p);

#endif
