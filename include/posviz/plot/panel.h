/* panel.h: a kind of panel, described in one row (src/plot/panel_NAME.c, named in panel_list.h).
 *
 * A function that is NULL has a default: no words, no numbers, no cursor, no form in LaTeX, the
 * usual size. `draw` is enough, as it draws on cells and on a page alike; `cells` and `page` are
 * for kinds that draw on each in its own way. */
#ifndef POSVIZ_PANEL_H
#define POSVIZ_PANEL_H

#include "posviz/base/strbuf.h"
#include "posviz/plot/canvas.h"

struct area;
struct heatmap_plan;
struct page;
struct pen;
struct size;
struct tex;

/* The surroundings of a panel on cells. */
struct panel_room {
	const struct canvas *like; /* the canvas it will be drawn on */
	struct arena *a;
	int cols;    /* width of the panel with its box */
	int screen;  /* height of the whole figure in rows */
	bool alone;  /* nothing is beside it in the figure */
	bool digits; /* numbers are in large digits if there is room */
};

struct panel_type {
	/* default name of a panel: "bars" (figure_pick) */
	const char *name;
	const char *noun; /* word for it in a sentence: "ranking" */
	/* name of the keys that work in it (src/app/keys.c) */
	const char *context;
	bool map; /* a matrix: figures are arranged around these */
	/* its words or bars determine the rows that it needs, and it has no use for more */
	bool words;

	/* Cells: `least` is the smallest size beside other panels, with tight_rows and tight_cols
	 * beside panels of equal importance; `rows` returns the rows that it prefers, with its box,
	 * or with `all` the most that it can use; `cells` draws. */
	struct {
		int rows, cols, tight_rows, tight_cols;
	} least;
	int wanted; /* the rows, if `rows` is NULL; 0: 12 */
	int (*rows)(const struct panel *p, const struct panel_room *room, bool all);
	void (*cells)(struct canvas *c, struct arena *a, struct rect inner, const struct panel *p,
		      const struct heatmap_plan *plan);

	/* A page: `body` returns the smallest size of its body in a panel of this width; `page`
	 * draws. */
	struct {
		double width, lines;
	} smallest; /* of the body, if `body` is NULL: units at full type, and lines */
	struct size (*body)(struct page *page, const struct panel *p, double width);
	void (*page)(struct page *page, const struct panel *p, struct area at);

	/* On a page of a handout: `tallest`, the greatest height of a panel that is alone, in
	 * multiples of its width, 0: any; `square`, it is as high as wide, so that another panel is
	 * better beside it than below. */
	double tallest;
	bool square;

	/* Cells and pages. */
	void (*draw)(const struct pen *pen, const struct panel *p);

	/* Replaces characters that need more letters in ASCII, before anything is measured. */
	void (*ascii)(struct arena *a, struct panel *p);
	/* `say` prints it in lines of words (words.h), `html` as a table of a web page (html.h),
	 * `tex` in LaTeX (tex.h). `empty` tells if there is nothing to draw in LaTeX; `excess`
	 * returns a clause that says why the panel is too much for TeX's memory, NULL: it is
	 * not. */
	void (*say)(const struct panel *p, struct strbuf *out, struct arena *a);
	void (*html)(struct strbuf *b, const struct panel *p);
	void (*tex)(struct tex *t, const struct panel *p);
	bool (*empty)(const struct panel *p);
	const char *(*excess)(const struct panel *p, struct arena *a);
	/* Returns the numbers of a panel that shows no matrix in the form of one; false: it has
	 * none. */
	bool (*numbers)(const struct panel *p, struct arena *a, struct heatmap *out);
	/* Returns the colour map of a panel that shows no matrix; NULL: it has none. */
	const struct colormap *(*colours)(const struct panel *p);
	/* Returns the i-th matrix; NULL: there are no more. */
	struct heatmap *(*matrix)(struct panel *p, size_t i);

	/* Moves the cursor to that of the figure, from 1; 0: nowhere. */
	void (*cursor)(struct panel *p, long row, long col);
	/* Returns the *n texts that a mark of this kind can name; NULL: none. */
	const char *const *(*names)(const struct panel *p, enum mark_kind kind, struct arena *a,
				    size_t *n);
	/* Tells if an axis has a point of this name or number; if not, *known gets the names there
	 * are. */
	bool (*place)(const struct panel *p, const char *name, struct arena *a, const char **known);
	/* Points out the marks. */
	void (*mark)(struct panel *p, const struct mark *marks, size_t n, size_t memory,
		     struct arena *a);
};

const struct panel_type *panel_type(const struct panel *p);
/* Tell if it is a kind of matrix, and if its matrix is shown. */
bool panel_is_map(const struct panel *p);
bool panel_shows_map(const struct panel *p);

#endif
