/* bars.h: panels that show values by their length: bars, a sum step by step, the values of a row as
 * columns. */
#ifndef POSVIZ_BARS_H
#define POSVIZ_BARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/plot/colormap.h"

struct bars {
	size_t n;
	const char *const *labels;
	const double *values;
	/* [n] texts that replace the digits of the values: "42 %"; NULL: digits */
	const char *const *notes;
	const bool *off;  /* [n]: bars drawn dim, with the word "off"; NULL: none */
	const char *unit; /* unit of the values: "share of variance"; "" for none */
	bool has_cursor;
	size_t cursor;
	const bool *marked; /* [n]: bars that are pointed out; NULL: none */
	const bool *
		kept; /* [n]: bars that are shown where not all have room, as those marked are; NULL: none */
	/* [n]: a second value of each bar, drawn as a dot in its row; NaN: no dot. NULL: no dots */
	const double *marks;
	const char *mark_title; /* meaning of the dots: "published" */
	/* [n]: the interval of each value: unless `spans`, the bar is drawn up to its nearer end, and dim from there
	 * to the other, so that one around zero has no bar. NaN: no interval. NULL: none */
	const double *lo, *hi;
	/* An axis with numbers is below the bars; they begin at `base`, where a line is. */
	bool axis;
	double base;
	double whole; /* the axis goes as far as this, as 1 for shares; 0: to the largest value */
	bool spans; /* an interval is a line with strokes at its ends and at the value, and there is no bar */
	const bool *faint;  /* [n]: bars drawn dim; NULL: none */
	const char *legend; /* sentences about bars and marks, below the axis; NULL: none */
	const char *
		legend_more; /* on cells further ones behind them if there is room for all; NULL: none */
	/* diverging: values have the colours of their signs, as in matrices with this map, and
	 * with `sizes`, values without a sign, a neutral one; NULL: colours of curves */
	const struct colormap *colormap;
	bool sizes;
	/* The most important bars come first: these are shown where not all have room, and the one
	 * under the cursor. */
	bool ranked;
	/* [n] shorter texts than `notes`, and a shorter unit, where those leave cells no room for bars; NULL: none */
	const char *const *briefs;
	const char *brief_unit;
};

/* A sum step by step: each bar begins where the one before it ended. The bar of an addend continues
 * from there, to the left if the addend is negative. The bar of a total begins at zero, and the
 * next bar at its end. A note has words and no bar. */
enum step_kind { STEP_ADDEND, STEP_TOTAL, STEP_NOTE };

struct sum_step {
	enum step_kind kind;
	/* about: a description, "dog · Kʳ at −3"; NULL for none */
	const char *label, *about;
	double value;
	const char *text; /* words of a note: "allowed"; else NULL */
	bool strong;	  /* the total that the steps explain */
};

struct card_line;

struct waterfall {
	const struct card_line *facts; /* lines above the sum that say what is summed */
	const struct sum_step *steps;  /* addends without room are combined in one step */
	size_t n_facts, n;
	const char *label_title, *value_title; /* "term", "logit" */
	const struct colormap *colormap;       /* diverging: the colours of both signs */
};

/* The values of one row side by side, upwards from zero, one of them under the cursor. If not all
 * have room, those near the cursor and the largest are shown, together with the sum of the
 * others. */
struct columns {
	size_t n, cursor;
	const char *const *labels;
	const double *values;
	const uint8_t *masked; /* [n], 1: masked; NULL: none */
	/* of the value under the cursor: its computation and its rank; NULL for none */
	const char *formula, *rank;
	/* Sequential, from zero. is_signed: some values are negative; heights are of their sizes,
	 * and the colours of a map that diverges are their signs. */
	const struct colormap *colormap;
	bool is_signed;
};

#endif
