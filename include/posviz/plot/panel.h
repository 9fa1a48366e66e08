/* panel.h: a kind of panel: all that is known of it, in one row (src/plot/panel_NAME.c, named in panel_list.h).
 *
 * What is NULL has a usual way: no words, no numbers, no cursor, no form in LaTeX, a size as most have. `draw` is
 * enough: it draws on cells and on a page alike; `cells` and `page` are of kinds that draw on each in its own way. */
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

/* Where a panel stands on cells. */
struct panel_room {
	const struct canvas *like; /* draws it */
	struct arena *a;
	int cols;    /* of the panel, with its box */
	int screen;  /* rows of the whole figure */
	bool alone;  /* it has its row of the figure to itself */
	bool digits; /* numbers are in large digits where there is room */
};

struct panel_type {
	const char *name;    /* of a panel that has none of its own: "bars" (figure_pick) */
	const char *noun;    /* in a sentence: "ranking" */
	const char *context; /* of the keys that work in it (src/app/keys.c) */
	bool map;	     /* a matrix: figures are arranged about these */
	bool words; /* it needs the rows that its words or bars take, and has no use for more */

	/* cells: the least size beside others, and among its equals; the rows that it would like, with its box, and
	 * (`all`) those that it could use; drawn */
	struct {
		int rows, cols, tight_rows, tight_cols;
	} least;
	int (*rows)(const struct panel *p, const struct panel_room *room, bool all);
	void (*cells)(struct canvas *c, struct arena *a, struct rect inner, const struct panel *p,
		      const struct heatmap_plan *plan);

	/* a page: the smallest size of its body in a panel so wide; drawn */
	struct size (*body)(struct page *page, const struct panel *p, double width);
	void (*page)(struct page *page, const struct panel *p, struct area at);

	/* the greatest height of one that is alone on a page of a handout, in widths; 0: any; and whether it is as high as
	 * wide, so that another is beside it rather than below */
	double tallest;
	bool square;

	/* either */
	void (*draw)(const struct pen *pen, const struct panel *p);

	/* Replaces what ASCII spells in more letters, before anything is measured. */
	void (*ascii)(struct arena *a, struct panel *p);
	/* Says it in lines of words (words.h), as a table of a browser's page (html.h), in LaTeX (tex.h): there `empty`
	 * has nothing to draw, and `excess` says in a clause why it is too much for TeX's memory, NULL: it is not. */
	void (*say)(const struct panel *p, struct strbuf *out, struct arena *a);
	void (*html)(struct strbuf *b, const struct panel *p);
	void (*tex)(struct tex *t, const struct panel *p);
	bool (*empty)(const struct panel *p);
	const char *(*excess)(const struct panel *p, struct arena *a);
	/* The numbers of a panel that shows no matrix, as one; false: there are none. */
	bool (*numbers)(const struct panel *p, struct arena *a, struct heatmap *out);
	/* The colours of one that shows no matrix; NULL: it has none. */
	const struct colormap *(*colours)(const struct panel *p);
	/* The i-th matrix; NULL: there are no more. */
	struct heatmap *(*matrix)(struct panel *p, size_t i);

	/* Takes the figure's cursor, from 1; 0: it is nowhere. */
	void (*cursor)(struct panel *p, long row, long col);
	/* The *n texts that a mark of this kind can name; NULL: none. */
	const char *const *(*names)(const struct panel *p, enum mark_kind kind, struct arena *a,
				    size_t *n);
	/* True where an axis has a place of this name or number, else *known gets those there are. */
	bool (*place)(const struct panel *p, const char *name, struct arena *a, const char **known);
	/* Points these out. */
	void (*mark)(struct panel *p, const struct mark *marks, size_t n, size_t memory,
		     struct arena *a);
};

const struct panel_type *panel_type(const struct panel *p);
/* Whether it is a matrix, and whether it shows that. */
bool panel_is_map(const struct panel *p);
bool panel_shows_map(const struct panel *p);

#endif
