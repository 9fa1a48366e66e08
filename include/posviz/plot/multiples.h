/* multiples.h: a panel of matrices of one kind side by side. */
#ifndef POSVIZ_MULTIPLES_H
#define POSVIZ_MULTIPLES_H

#include "posviz/plot/heatmap.h"

/* Small multiples: matrices, or curves alone if the first item has no matrix, side by side on common axes, each with its name, its note, and its
 * curve if it has one. A page draws a curve under its matrix; cells draw all curves as one matrix,
 * with a row for each. */
struct multiple {
	const char *name, *title; /* "1", "head 1" */
	/* a note on the curve: "most at −2", "at −2"; NULL: none */
	const char *note, *brief;
	struct heatmap map; /* with a common scale or its own */
	/* [n_x], NaN: no value; NULL: no curve */
	const double *curve;
	const double *beside;	  /* [n_x] another curve, drawn quietly; NULL: none */
	size_t most;		  /* index of the largest value; n_x: there is none */
	const char *const *facts; /* [n_facts] */
	/* the command lines that choose it: "head 3", "layer 1"; NULL: none */
	const char *choose[2];
};

enum { MULTIPLE_FACTS = 8 };

struct multiples {
	struct multiple *items;
	size_t n, chosen; /* chosen: SIZE_MAX for none */
	/* The number of items in a row if rows and columns have a meaning and these names. 0: as
	 * many as there is room for, and the items have their own names. */
	size_t across;
	const char *const *col_names, *const *row_names;
	const double *x; /* [n_x], ascending */
	size_t n_x;
	const char *y_title;	  /* title of the curves: "by distance s−t" */
	const char *beside_title; /* what the quiet curves are; NULL: there are none */
	size_t n_facts;		  /* at most MULTIPLE_FACTS */
	const char *const *facts; /* titles of the items' facts: "entropy" */
	/* the number of facts at the start that are read off the curve, and left out if it is
	 * drawn */
	size_t of_curve;
	const char *says; /* a sentence on the chosen item; NULL: none */
	const char *what; /* the items' plural: "heads" */
};

#endif
