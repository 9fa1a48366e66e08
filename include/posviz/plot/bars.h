/* bars.h: values to be shown by their length: bars, a sum step by step, a row as columns. */
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
	const char *const *notes; /* n texts instead of the values' digits: "42 %"; NULL: digits */
	const bool *off;	  /* n: drawn dim, with the word "off"; NULL: none */
	const char *unit;	  /* "share of variance"; "" for none */
	bool has_cursor;
	size_t cursor;
	const bool *marked; /* n: bars that are pointed out; NULL: none */
	const double
		*marks; /* n: another value, a dot in its row; NaN: it has none. NULL: no dots */
	const char *mark_title; /* of the dots: "published" */
};

/* A sum step by step: each bar begins where the one before it ended. An addend goes on from there, to the
 * left where it is negative; a total begins at zero, and what comes next at its end; a note has words. */
enum step_kind { STEP_ADDEND, STEP_TOTAL, STEP_NOTE };

struct sum_step {
	enum step_kind kind;
	const char *label, *about; /* about: what it is, "dog · Kʳ at −3"; NULL for nothing */
	double value;
	const char *text; /* of a note: "allowed"; else NULL */
	bool strong;	  /* the total that the steps are for */
};

struct card_line;

struct waterfall {
	const struct card_line *facts; /* of what it is a sum, in lines above it */
	const struct sum_step *steps;  /* addends that have no room are added up in one */
	size_t n_facts, n;
	const char *label_title, *value_title; /* "term", "logit" */
	const struct colormap *colormap;       /* diverging: the colours of both signs */
};

/* Values of one row side by side, from zero up, with one that is looked at. Of more than have room those
 * about it and the largest are shown, and what the others sum to. */
struct columns {
	size_t n, cursor;
	const char *const *labels;
	const double *values;
	const uint8_t *masked;		 /* n, 1: masked; NULL: none */
	const char *formula, *rank;	 /* how that value comes about, its place; NULL for none */
	const struct colormap *colormap; /* from zero up */
};

#endif
