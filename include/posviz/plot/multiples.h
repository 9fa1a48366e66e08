/* multiples.h: matrices of one kind side by side, to be shown together. */
#ifndef POSVIZ_MULTIPLES_H
#define POSVIZ_MULTIPLES_H

#include "posviz/plot/heatmap.h"

/* Small multiples: matrices side by side, each with its name and with what is said of it, and with its curve
 * where it has one, all on common axes. A page draws a curve under its matrix; cells draw all curves as
 * one matrix, a row each. */
struct multiple {
	const char *name, *title; /* "1", "head 1" */
	const char *note, *brief; /* of the curve: "most at −2", "at −2"; NULL: nothing */
	struct heatmap map;	  /* its scale may be that of all or its own */
	const double *curve;	  /* [n_x], NaN: none there; NULL: no curve */
	size_t most;		  /* the index where it is largest; n_x: nowhere */
	const char *const *facts; /* [n_facts] */
	const char *choose
		[2]; /* the command lines that choose it: "head 3", "layer 1"; NULL: none does */
};

enum { MULTIPLE_FACTS = 8 };

struct multiples {
	struct multiple *items;
	size_t n, chosen; /* chosen: SIZE_MAX: none */
	/* So many in each row, which is something then, as each column is: their names. 0: as many as
	 * there is room for, and the items have their own. */
	size_t across;
	const char *const *col_names, *const *row_names;
	const double *x; /* ascending */
	size_t n_x;
	const char *y_title;	  /* what the curves are: "by distance s−t" */
	size_t n_facts;		  /* at most MULTIPLE_FACTS */
	const char *const *facts; /* what the items' facts are: "entropy" */
	size_t of_curve;  /* the first of them are read off the curve: not said where it is drawn */
	const char *says; /* of the chosen one, in words; NULL: nothing */
	const char *what; /* of several: "heads" */
};

#endif
