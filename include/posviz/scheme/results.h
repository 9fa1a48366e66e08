/* results.h: published numbers about schemes, as printed in their sources.
 *
 * Each file under assets/results is one table of a paper: its rows are models, its columns
 * metrics on tasks. */
#ifndef POSVIZ_RESULTS_H
#define POSVIZ_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"

struct result_row {
	const char *schemes;	  /* ids, separated by blanks */
	const char *model;	  /* "DIET-ABS d_p 128, shared": the row's label in the table */
	const char *const *cells; /* cols: as printed; "" if the table has none */
	const double *values;	  /* cols: NaN if there is none */
};

struct results {
	const char *name;   /* "rosendahl-1": the name of its file; NULL for a user's table */
	const char *source; /* "Rosendahl et al. 2019" */
	const char *table;  /* "Table 1" */
	const char *about;  /* the comparison that was made */
	const char *const *metrics, *const *tasks; /* cols: "BLEU", "De→En newstest2018" */
	size_t cols, n;
	const struct result_row *rows;
};

/* Returns every table, in the order of the files. out[*n] from `a`; a damaged built-in file is a
 * BUG. */
const struct results *results_all(struct arena *a, size_t *n);

/* Returns the table of this name, "diet-2"; a missing one is a BUG. */
const struct results *results_of(const char *name, struct arena *a);

/* Reads one table: lines "# key: text" for source, table and about, a line of column names
 * ("scheme,model,METRIC: TASK,..."), then one line for each row. The error names the line. */
bool results_read(struct results *out, const char *text, size_t len, struct arena *a,
		  struct err *err);

/* Returns whether a row is about the scheme of this id. */
bool results_name(const struct result_row *row, const char *id);

/* Returns a row as text: "BLEU: De→En newstest2018 40.4, Zh→En newstest2019 24.0; TER: …" */
const char *results_line(const struct results *r, const struct result_row *row, struct arena *a);

#endif
