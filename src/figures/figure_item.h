/* figure_item.h: what the script of a figure puts on its page and counts, as it was read. */
#ifndef POSVIZ_FIGURE_ITEM_H
#define POSVIZ_FIGURE_ITEM_H

#include "fig.h"
#include "posviz/quantity/quantity.h"

enum { FIGURE_PARTS = FIGURE_PANELS };
enum figure_item_kind { ITEM_PANEL, ITEM_TABLE, ITEM_PUBLISHED, ITEM_NUMBER, ITEM_DRAW };
enum figure_scale { SCALE_OWN, SCALE_GIVEN, SCALE_COMMON };

/* Texts for each panel that is taken, n of them; one that is "" leaves the panel as it is. */
struct figure_texts {
	const char *at[FIGURE_PARTS];
	size_t n;
};

struct figure_item {
	enum figure_item_kind kind;
	const char *
		text; /* PANEL: names, parted by commas; PUBLISHED: the table; DRAW: the argument */
	const char *scene; /* PANEL, NUMBER: its lines */
	const struct view *view;
	unsigned char row, col, cols; /* of the grid, from 0; cols: of each panel */
	int priority;		      /* −1: as the view has it */
	const char *name;	      /* of the panel, or number; NULL: as the view has it */
	struct figure_texts titles, subtitles, formulas;
	enum figure_scale scale;
	bool bare; /* the bar of colours has numbers and no words */
	double lo, hi;
	/* TABLE: of the heading and the rows, [cols_n] each. */
	const char *const *head, *const *cells;
	size_t rows_n, cols_n;
	const unsigned char
		*drops; /* [cols_n], NULL: none; the largest goes first where there is no room */
	/* NUMBER: a quantity, less another, or a formula. */
	struct quantity quantity, less;
	bool has_less;
	const char *formula, *means;
	figure_draw *draw;
};

/* Panels and numbers of all items, in their order. */
void figure_items_draw(struct fig *f, const struct source_figure *is);

#endif
