/* canvas_in.h: what the files that draw panels on cells share.
 *
 * A drawing function gets the inside of a panel and an arena for its scratch; it may be given any
 * rectangle, down to nothing, and never writes outside it. */
#ifndef POSVIZ_CANVAS_IN_H
#define POSVIZ_CANVAS_IN_H

#include "posviz/base/arena.h"
#include "posviz/plot/canvas.h"

enum { BOX_ROWS = 2, BOX_COLS = 4 }; /* frame, and a column of air on both sides */

/* One glyph of width 1 with all its properties; outside the canvas nothing happens. */
void canvas_put(struct canvas *c, int row, int col, const char *glyph, unsigned attrs, uint32_t fg,
		uint32_t bg);

/* Text that ends before column `right`, shortened to `cols` when it is longer. */
void canvas_text_right(struct canvas *c, struct arena *a, int row, int right, int cols,
		       const char *text, unsigned attrs);

/* Text of at most `cols` columns from `col` on, shortened when it is longer; columns used. */
int canvas_text_short(struct canvas *c, struct arena *a, int row, int col, int cols,
		      const char *text, unsigned attrs);

/* The colour of a series, of words in it, and the ink for text on `bg`, within the canvas's tier. */
uint32_t canvas_series(const struct canvas *c, size_t index);
uint32_t canvas_series_text(const struct canvas *c, size_t index);
uint32_t canvas_ink(const struct canvas *c, uint32_t bg);

/* The braille sign, terminated, of 2×4 dots: bit 2·y + x of `dots` is the one in row y, column x. */
void canvas_braille(char out[8], unsigned dots);

/* Whether values are told by glyphs because colours or blocks are missing. */
bool canvas_glyphs(const struct canvas *c);

/* canvas_big.c: letters of half blocks, so many rows high; the columns of a text in them, 0: there are
 * none for it. */
enum { BIG_ROWS = 3 };
int canvas_big_cols(const struct canvas *c, const char *text);
void canvas_big(struct canvas *c, int row, int col, const char *text);
/* The numbers of a value in them, and what follows each, "%" or "of 9", small at its foot; its columns, 0: it is
 * not made of numbers. */
int canvas_big_value(struct canvas *c, struct arena *a, int row, int col, const char *value,
		     bool draw);

/* What stands in a masked cell. */
const char *canvas_masked_sign(const struct canvas *c, enum heatmap_mask mask);

enum { PART_FORMS = 3 };

/* Where the values of a heatmap go inside `inner`, before anything is drawn. */
struct heatmap_plan {
	struct heatmap_view view;
	struct rect data; /* the values' cells */
	int label_cols;	  /* width of the row labels left of them, 0: none */
	int number_cols;  /* of these, for the number before the word; 0: no number */
	int heads;	  /* lines of column labels above: 2 where words take turns, 0: none */
	int head_left, head_right; /* the columns these may stand in */
	bool bar;		   /* colour bar below */
	/* "mean of 2×2", "rows 5–20 of 64", in shorter and shorter words; NULL when all is shown as
	 * it is */
	const char *note[PART_FORMS];
};
void canvas_heatmap_plan(const struct canvas *c, struct arena *a, struct rect inner,
			 const struct heatmap *h, struct heatmap_plan *plan);
void canvas_heatmap(struct canvas *c, struct arena *a, struct rect inner, const struct heatmap *h,
		    const struct heatmap_plan *plan);
/* Of a panel of `rows` by `cols`, what its box, words, cells and bar take. */
int canvas_heatmap_rows(const struct canvas *c, struct arena *a, const struct heatmap *h, int rows,
			int cols);
/* The first `most` cells that are pointed out, with their values: "dog → bites 0.94"; NULL: their values stand
 * in the cells, or at the foot, which has that of the cursor's. */
const char *canvas_pointed_words(const struct canvas *c, const struct heatmap *h,
				 const struct heatmap_view *v, size_t most, struct arena *a);
/* Columns of the widest of n labels, of the number n when they are NULL; `most` when it is more. */
size_t canvas_widest(const char *const *labels, size_t n, size_t most);

/* The panel with the names of its units in ASCII. */
struct panel canvas_plain(struct arena *a, const struct panel *p);

/* The drawing of a panel, without title and box; `plan`: of a heatmap. */
void canvas_inside(struct canvas *c, struct arena *a, struct rect inner, const struct panel *p,
		   const struct heatmap_plan *plan);
/* A ramp with its limits in one row, so that it ends at `right`; its columns, 0: from `col` on it has no
 * room. */
int canvas_bar_line(struct canvas *c, struct arena *a, int row, int col, int right,
		    const struct heatmap *h);
/* Small multiples; and what part of them is shown, in shorter and shorter words. */
void canvas_multiples(struct canvas *c, struct arena *a, struct rect inner,
		      const struct multiples *m);
/* Where the items are drawn, with their names; rows == 0: that one is not. */
void canvas_multiples_places(const struct canvas *c, struct rect inner, const struct multiples *m,
			     struct rect *at);
void canvas_multiples_part(const struct canvas *c, struct arena *a, struct rect inner,
			   const struct multiples *m, const char **part);

/* What is switched off or older: text dim, colours half way to the background. */
void canvas_fade(struct canvas *c, struct rect r);

/* canvas_equation.c: places for the panels of an equation, with the panel `focus` among them; false:
 * it has no room. It is drawn where the places are those: else false. */
bool canvas_equation_layout(const struct canvas *like, const struct figure *f, struct rect r,
			    size_t focus, struct rect *place);
bool canvas_equation(struct canvas *c, struct arena *a, const struct figure *f, struct rect r,
		     const struct rect *place, size_t focus, struct canvas_seen *seen);

void canvas_curves(struct canvas *c, struct arena *a, struct rect inner, const struct curves *k);

/* Lines from the upper edge of this area to the lower one; the last lie on top. */
struct pen_line;
void canvas_lines(struct canvas *c, struct arena *a, struct rect at, const struct pen_line *lines,
		  size_t n);

/* Title and structure in one row or two, or as many as it could use, without a drawing. */
enum { BRIEF_ROWS = 2 };
int canvas_structure_brief_rows(const struct drawing *d);
void canvas_structure_brief(struct canvas *c, struct arena *a, struct rect r, const struct panel *p,
			    bool focus);

/* Title, note and values in one line; the formula below it when there is a row for it. */
void canvas_card_line(struct canvas *c, struct arena *a, struct rect r, const struct panel *p,
		      bool focus);
/* A card for the back row: the lines that are pointed out apart from each other, their numbers in large digits with
 * the words beside or below them, then the other lines. False: there are none, or no room; nothing is drawn. */
bool canvas_card_big(struct canvas *c, struct arena *a, struct rect inner, const struct card *card);
/* How many of the lines that are pointed out have a number that large digits can show. */
int canvas_card_numbers(struct canvas *like, struct arena *a, const struct card *card);
/* The formula in signs of this canvas. */
const char *canvas_formula(const struct canvas *c, struct arena *a, const char *formula);

/* Wrapped text in dim; what does not fit ends with an ellipsis. */
void canvas_paragraph(struct canvas *c, struct arena *a, struct rect inner, const char *text,
		      unsigned attrs);

#endif
