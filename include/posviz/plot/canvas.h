/* canvas.h: a grid of terminal cells, and figures drawn on it.
 *
 * The canvas is memory: curses, ANSI text and the tests read it. Colours of our own appear only
 * inside plots; everything else is the terminal's own foreground, dim or accent. */
#ifndef POSVIZ_CANVAS_H
#define POSVIZ_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/plot/figure.h"

enum tier { TIER_MONO, TIER_8, TIER_16, TIER_256, TIER_DIRECT, TIER_COUNT };
extern const char *const tier_names[TIER_COUNT]; /* mono 8 16 256 direct */

enum attr { ATTR_BOLD = 1, ATTR_DIM = 2, ATTR_REVERSE = 4, ATTR_UNDERLINE = 8, ATTR_ACCENT = 16 };

enum { CELL_BYTES = 24 };
/* Colours: the terminal's own; 0xRRGGBB in the tiers 256 and direct; one of the 16 base colours,
 * whatever the theme makes of it, in the tiers 8 (n < 8) and 16. */
#define CELL_DEFAULT  0u
#define CELL_RGB(rgb) (0x1000000u | (rgb))
#define CELL_ANSI(n)  (0x2000000u | (uint32_t)(n))

struct cell {
	char at[CELL_BYTES]; /* one base character with its marks, terminated; "" is the second half
	                      * of a wide one */
	uint8_t width;	     /* 1 or 2; 0 for the second half */
	uint8_t attrs;	     /* enum attr */
	uint32_t fg, bg;     /* CELL_DEFAULT, CELL_RGB(...) or CELL_ANSI(...) */
};

struct rect {
	int row, col, rows, cols;
};

/* What went wrong with words, for tests: those that ended at an edge without a sign that they were cut,
 * and those that lie on the letters of others; the first of each. */
struct canvas_report {
	size_t cut, over;
	char cut_text[96], over_text[96];
};

struct canvas {
	int rows, cols;
	struct cell *cells; /* rows*cols */
	enum tier tier;
	bool ascii; /* no block, line or braille glyphs */
	bool dark;  /* background of the terminal */
	/* Off until set by whoever made the canvas. */
	bool quadrants;		      /* curves of quarter blocks, for fonts without braille */
	bool presenter;		      /* large cells with digits, thick curves: for the back row */
	bool contrast;		      /* nothing is dim, the cursor is reversed */
	struct canvas_report *report; /* NULL: none is wanted */
};

struct canvas *canvas_new(struct arena *a, int rows, int cols, enum tier tier, bool ascii,
			  bool dark);
void canvas_clear(struct canvas *c);

/* Writes escaped text from (row, col), at most `cols` columns and never outside the canvas; shorten
 * it yourself when it must show that it was cut. Returns the columns used. */
int canvas_text(struct canvas *c, int row, int col, int cols, const char *text, unsigned attrs);
int canvas_text_colour(struct canvas *c, int row, int col, int cols, const char *text,
		       unsigned attrs, uint32_t fg, uint32_t bg);
void canvas_fill(struct canvas *c, struct rect r, unsigned attrs, uint32_t bg);
/* Text for a canvas of ASCII, as far as signs have to be spelled out: "+-" for "±", "the#2" for "the₂". */
const char *canvas_plain_text(struct arena *a, const char *text);
/* A light box with a title and a right-hand note on its upper border. */
void canvas_box(struct canvas *c, struct rect r, const char *title, const char *note, bool focus);
/* Words on the lower border of a box, at its left or right; nothing when there is no room for them. */
void canvas_box_foot(struct canvas *c, struct rect r, const char *text, bool right);

/* A curve of n <= SPARKLINE_MAX values in the cells of one row, two in each, the last at their end; what
 * is not finite is blank. Only of braille dots: nothing where the canvas has none. */
enum { SPARKLINE_MAX = 64 };
bool canvas_has_braille(const struct canvas *c);
int canvas_sparkline_cols(size_t n);
void canvas_sparkline(struct canvas *c, int row, int col, const double *at, size_t n,
		      unsigned attrs);

/* Keeps words that are written from right to left where they stand. A terminal that orders text by
 * direction turns round all that lies between two such words, or between one and a number: cells,
 * borders, colours. What ends that is a letter of the other direction; the braille blank is one,
 * and looks like a blank. It takes the place of the first blank behind each such word in `r`.
 * canvas_panel does it for its panel. */
void canvas_isolate(struct canvas *c, struct rect r);

/* Where the panels of a figure go in `r`: fills place[figure->n]; rows == 0 means folded away. The
 * panel `focus` is always shown; `zoom` shows nothing else. The same input gives the same places. A value may need more cells
 * on a canvas of few colours than on one `like` that has all. */
void canvas_layout(const struct canvas *like, const struct figure *f, struct rect r, size_t focus,
		   bool zoom, struct rect *place);

/* The same where the panel `lead` is spoken of: where another arrangement shows more of it - all its values, their
 * numbers, a plot of half the figure - it has the left side, and what is left at the right has the others, the most
 * important of those that fit. */
void canvas_layout_lead(const struct canvas *like, const struct figure *f, struct rect r,
			size_t lead, struct rect *place);

/* Which cells of a heatmap a screen shows, and how. */
struct heatmap_view {
	size_t first_row, first_col, rows, cols; /* of the matrix */
	int cell_rows2, cell_cols; /* screen height in half rows and width of one value's cell */
	bool averaged;		   /* too little room: a cell for each block of values */
	size_t block;		   /* values per side of a cell: 1, or k when averaged */
};

/* Draws one panel, box included. Returns for heatmaps what part was drawn and where: `hit` gets the
 * rectangle of the data (for the mouse), `view` the part (either may be NULL). */
void canvas_panel(struct canvas *c, struct rect r, const struct panel *p, bool focus,
		  struct rect *hit, struct heatmap_view *view);

/* One panel of a figure that is presented (figure->presented), in all of `r`: no frames, its words in
 * large letters where they have room, but in no more than `head_most` rows above it, HEAD_ANY: as many as are
 * good. On a wide screen the panel that belongs with it stands beside it. `body`: where the panel is. */
enum { HEAD_ANY = 99 };
void canvas_presenter(struct canvas *c, struct rect r, const struct figure *f, size_t panel,
		      int head_most, struct rect *body, struct rect *hit,
		      struct heatmap_view *view);
/* What was drawn of a panel, as from canvas_panel. */
struct canvas_seen {
	struct rect data;
	struct heatmap_view view;
};

/* Draws the panels where canvas_layout put them in `r`, and what stands between those of an equation;
 * `focus` may be f->n: none has it. seen[f->n] may be NULL. */
void canvas_panels(struct canvas *c, const struct figure *f, struct rect r,
		   const struct rect *place, size_t focus, struct canvas_seen *seen);

/* Where a panel of small multiples drawn in `r` has its items, each with its name: fills at[n]; rows == 0:
 * it is not among those that are shown. */
void canvas_items(const struct canvas *c, struct rect r, const struct panel *p, struct rect *at);

/* The whole figure with its title and caption lines, as `--format ansi` and `txt` show it. */
void canvas_figure(struct canvas *c, const struct figure *f);

/* A figure with a contact sheet, on cells as large as let it have so many rows, or the smallest: how many
 * rows it then has, 0: the canvas is not wide enough; an error that says what would be right; and drawn. */
int canvas_contact_rows(const struct canvas *like, const struct figure *f, int rows);
bool canvas_contact_refuse(const struct canvas *like, const struct figure *f, struct err *err);
void canvas_contact(struct canvas *c, const struct figure *f);

/* The matrix cell under screen position (row, col); false when there is none. Of two values in one
 * screen cell the upper is meant, of an averaged block the first. */
bool canvas_hit(struct rect hit, const struct heatmap_view *view, int row, int col,
		size_t *matrix_row, size_t *matrix_col);

/* The inverse: the whole screen cells of matrix cell (row, col), where its signs stand; false when it
 * is not in the part that is shown. */
bool canvas_place(struct rect hit, const struct heatmap_view *view, size_t matrix_row,
		  size_t matrix_col, struct rect *out);

/* Sums over blocks of a large matrix, for heatmap.sums: with them drawing reads a fraction of it.
 * NULL for matrices so small that it makes no difference. Made from values and masked alone, so it
 * holds as long as these. */
const struct heatmap_sums *canvas_sums(struct arena *a, const struct heatmap *h);

#endif
