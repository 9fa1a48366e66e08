/* canvas_in.h: the interface between the files that draw panels on cells.
 *
 * A drawing function gets the inside of a panel and an arena for temporary data; it accepts any
 * rectangle, even an empty one, and never writes outside it. */
#ifndef POSVIZ_CANVAS_IN_H
#define POSVIZ_CANVAS_IN_H

#include "posviz/base/arena.h"
#include "posviz/plot/canvas.h"

enum { BOX_ROWS = 2, BOX_COLS = 4 }; /* the frame, and a blank column on both sides */

/* Writes one glyph of width 1 with its attributes and colours; does nothing outside the canvas. */
void canvas_put(struct canvas *c, int row, int col, const char *glyph, unsigned attrs, uint32_t fg,
		uint32_t bg);

/* Writes text that ends before column `right`, shortened to `cols` columns. */
void canvas_text_right(struct canvas *c, struct arena *a, int row, int right, int cols,
		       const char *text, unsigned attrs);

/* Writes text from `col` on, shortened to `cols` columns; returns the columns used. */
int canvas_text_short(struct canvas *c, struct arena *a, int row, int col, int cols,
		      const char *text, unsigned attrs);

/* Return the colour of a series, the colour of words in it, and the colour of text on `bg`, within
 * the tier of the canvas. */
uint32_t canvas_series(const struct canvas *c, size_t index);
uint32_t canvas_series_text(const struct canvas *c, size_t index);
uint32_t canvas_ink(const struct canvas *c, uint32_t bg);

/* Gets the braille sign, terminated, of 2×4 dots: bit 2·y + x of `dots` is the one in row y, column
 * x. */
void canvas_braille(char out[8], unsigned dots);

/* Returns whether values are shown by glyphs because colours or blocks are missing. */
bool canvas_glyphs(const struct canvas *c);

/* canvas_big.c: letters of half blocks, BIG_ROWS rows high. canvas_big_cols() returns the columns
 * of a text in them, 0 if a letter of it is missing. */
enum { BIG_ROWS = 3 };
int canvas_big_cols(const struct canvas *c, const char *text);
void canvas_big(struct canvas *c, int row, int col, const char *text);
/* Writes the numbers of a value in these letters, each followed by its unit, "%" or "of 9", in
 * small letters; returns the columns, 0 if the value is not made of numbers. */
int canvas_big_value(struct canvas *c, struct arena *a, int row, int col, const char *value,
		     bool draw);

/* Returns the sign of a masked cell. */
const char *canvas_masked_sign(const struct canvas *c, enum heatmap_mask mask);

enum { PART_FORMS = 3 };

/* The places of the values and labels of a heatmap inside `inner`, before anything is drawn. */
struct heatmap_plan {
	struct heatmap_view view;
	struct rect data; /* the cells of the values */
	int label_cols;	  /* width of the row labels left of the values; 0: none */
	int number_cols;  /* part of label_cols for the number before the word; 0: no number */
	int pair_cols; /* the columns of each of two labels beside each other, of two rows in one row of the screen; 0: one */
	bool numbers;  /* numbers stand above the columns, and the rows have them too */
	int heads;     /* lines of column labels above: 2 if they alternate between two; 0: none */
	bool named_above;	   /* the labels of a matrix higher up stand in these columns */
	int head_left, head_right; /* the columns available to these */
	bool bar;		   /* has a colour bar below */
	/* "mean of 2×2", "rows 5–20 of 64", each form shorter than the one before; NULL if all
	 * values are shown */
	const char *note[PART_FORMS];
};
void canvas_heatmap_plan(const struct canvas *c, struct arena *a, struct rect inner,
			 const struct heatmap *h, struct heatmap_plan *plan);
void canvas_heatmap(struct canvas *c, struct arena *a, struct rect inner, const struct heatmap *h,
		    const struct heatmap_plan *plan);
/* Returns the rows that box, labels, cells and bar take in a panel of `rows` by `cols`. */
int canvas_heatmap_rows(const struct canvas *c, struct arena *a, const struct heatmap *h, int rows,
			int cols);
/* Returns the first `most` cells that are pointed out, with their values: "dog → bites 0.94"; NULL
 * if cells show their values, or if the only one is the cursor's, whose value is at the bottom. */
const char *canvas_pointed_words(const struct canvas *c, const struct heatmap *h,
				 const struct heatmap_view *v, size_t most, struct arena *a);
/* canvas_shared_rows.c: canvas_share_rows gives the first of several panels with the same rows the
 * columns for its labels, if these would be cut, at the cost of the others';
 * canvas_shared_labels tells panel i's matrix so. */
void canvas_share_rows(const struct canvas *like, struct arena *a, const struct figure *f,
		       struct rect *place);
void canvas_shared_labels(const struct figure *f, const struct rect *place, size_t i,
			  struct heatmap *own);
/* canvas_legend.c: where the names of rows and columns have no room beside their matrix, numbers stand there, and a line
 * below the panels names them: "1 the  2 cat". canvas_by_number() returns the figure with these numbers, and in *line the
 * rows of that line, the last ones of `r`; NULL: its matrices have no names in common, or no room for the line.
 * canvas_lacks_names() tells if names of f are cut at these places in `r`, or two in a row. canvas_numbered() returns
 * `f`, or the figure by number if the places leave `line` for it and names lack room there; then *r is without the line.
 * canvas_legend() writes the line. */
const struct figure *canvas_by_number(const struct canvas *like, struct arena *a,
				      const struct figure *f, struct rect r, struct rect *line);
bool canvas_lacks_names(const struct canvas *like, struct arena *a, const struct figure *f,
			struct rect r, const struct rect *place);
const struct figure *canvas_numbered(const struct canvas *c, struct arena *a,
				     const struct figure *f, struct rect *r,
				     const struct rect *place, struct rect *line);
void canvas_legend(struct canvas *c, struct arena *a, const struct figure *f, struct rect line);
/* Returns the inside of a panel that was placed at `r`, and in *box whether it has a frame. */
struct rect canvas_panel_inner(const struct panel *p, struct rect r, bool *box);

/* Returns the columns of the widest of n labels, or of the number n if `labels` is NULL; at most
 * `most`. */
size_t canvas_widest(const char *const *labels, size_t n, size_t most);

/* Returns the panel with the names of tokens in ASCII. */
struct panel canvas_plain(struct arena *a, const struct panel *p);

/* Draws the contents of a panel, without title and box; `plan`: of a heatmap. */
void canvas_inside(struct canvas *c, struct arena *a, struct rect inner, const struct panel *p,
		   const struct heatmap_plan *plan);
/* Draws a ramp with its limits into one row, ending at `right`; returns its columns, 0 if it has no
 * room from `col` on. */
int canvas_bar_line(struct canvas *c, struct arena *a, int row, int col, int right,
		    const struct heatmap *h);
/* Draws small multiples; canvas_multiples_part() gets the shown part of them, in shorter and
 * shorter forms. */
void canvas_multiples(struct canvas *c, struct arena *a, struct rect inner,
		      const struct multiples *m);
/* Gets the rectangles of the items with their names; rows == 0 if an item is not shown. */
void canvas_multiples_places(const struct canvas *c, struct rect inner, const struct multiples *m,
			     struct rect *at);
bool canvas_multiples_lack_names(const struct canvas *c, struct arena *a, struct rect inner,
				 const struct multiples *m);
void canvas_multiples_part(const struct canvas *c, struct arena *a, struct rect inner,
			   const struct multiples *m, const char **part);

/* Fades the drawing of a panel that is switched off or outdated: text becomes dim, colours move
 * half way to the background. */
void canvas_fade(struct canvas *c, struct rect r);

/* canvas_equation.c: canvas_equation_layout() places the panels of an equation, including the panel
 * `focus`; false if there is no room. canvas_equation() draws the equation if `place` is this
 * arrangement, else returns false; canvas_equation_is_at() only tells so, and whether names have no room in it. */
bool canvas_equation_layout(const struct canvas *like, const struct figure *f, struct rect r,
			    size_t focus, struct rect *place);
bool canvas_equation_is_at(const struct canvas *c, struct arena *a, const struct figure *f,
			   struct rect r, const struct rect *place, bool *lacks_names);
bool canvas_equation(struct canvas *c, struct arena *a, const struct figure *f, struct rect r,
		     const struct rect *place, size_t focus, struct canvas_seen *seen);

void canvas_curves(struct canvas *c, struct arena *a, struct rect inner, const struct curves *k);

/* Draws lines from the upper edge of the area to the lower one; later lines cover earlier ones. */
struct pen_line;
void canvas_lines(struct canvas *c, struct arena *a, struct rect at, const struct pen_line *lines,
		  size_t n);

/* Writes the title and a structure as words, in one or two rows, or in up to
 * canvas_structure_brief_rows() rows. */
enum { BRIEF_ROWS = 2 };
int canvas_structure_brief_rows(const struct drawing *d);
void canvas_structure_brief(struct canvas *c, struct arena *a, struct rect r, const struct panel *p,
			    bool focus);

/* canvas_sentence_rows returns the rows of a sentence that is `cols` wide; canvas_finding_leave
 * returns the part of `r` below the finding of a figure, and canvas_finding_is_brief whether that is
 * the brief one; canvas_finding writes it above the places of the panels, unless one of them has
 * its rows. */
int canvas_sentence_rows(const char *text, int cols);
bool canvas_finding_is_brief(const struct figure *f, struct rect r);
struct rect canvas_finding_leave(const struct figure *f, struct rect r);
void canvas_finding(struct canvas *c, struct arena *a, const struct figure *f, struct rect r,
		    const struct rect *place);

/* Writes title, note and values into one line; the formula below if there is a row for it. */
void canvas_card_line(struct canvas *c, struct arena *a, struct rect r, const struct panel *p,
		      bool focus);
/* Draws a card for a presenter: the lines that are pointed out, separated, with numbers in large
 * digits and the words beside or below; then the other lines. Draws nothing and returns false if
 * there are none, or no room. */
bool canvas_card_big(struct canvas *c, struct arena *a, struct rect inner, const struct card *card);
/* Returns how many of the lines that are pointed out have a number that large digits can show. */
int canvas_card_numbers(struct canvas *like, struct arena *a, const struct card *card);
/* Returns the formula in the signs of this canvas. */
const char *canvas_formula(const struct canvas *c, struct arena *a, const char *formula);

/* Writes wrapped text; if it does not fit, it ends with an ellipsis. */
void canvas_paragraph(struct canvas *c, struct arena *a, struct rect inner, const char *text,
		      unsigned attrs);

#endif
