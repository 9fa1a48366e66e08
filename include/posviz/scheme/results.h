/* results.h: numbers that were published about schemes, as their sources print them.
 *
 * One file under assets/results is one table of a paper: its rows are models, its columns metrics on
 * tasks. */
#ifndef POSVIZ_RESULTS_H
#define POSVIZ_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"

struct result_row {
	const char *schemes;	  /* ids, parted by blanks */
	const char *model;	  /* "DIET-ABS d_p 128, shared": the row in the table's words */
	const char *const *cells; /* cols: as printed; "" where the table has none */
	const double *values;	  /* cols: NaN there */
};

struct results {
	const char *name;   /* "rosendahl-1": its file's; NULL where it is none of ours */
	const char *source; /* "Rosendahl et al. 2019" */
	const char *table;  /* "Table 1" */
	const char *about;  /* what was compared */
	const char *const *metrics, *const *tasks; /* cols: "BLEU", "De→En newstest2018" */
	size_t cols, n;
	const struct result_row *rows;
};

/* Every table, in the order of the files. out[*n] from `a`; a file of ours that is damaged is a BUG. */
const struct results *results_all(struct arena *a, size_t *n);

/* The table of this name, "diet-2"; one that is not there is a BUG. */
const struct results *results_of(const char *name, struct arena *a);

/* Reads one table: lines "# key: text" for source, table and about, a line of column names
 * ("scheme,model,METRIC: TASK,..."), then a line a row. The error names the line. */
bool results_read(struct results *out, const char *text, size_t len, struct arena *a,
		  struct err *err);

/* Whether a row is about the scheme of this id. */
bool results_name(const struct result_row *row, const char *id);

/* "BLEU: De→En newstest2018 40.4, Zh→En newstest2019 24.0; TER: …" */
const char *results_line(const struct results *r, const struct result_row *row, struct arena *a);

#endif
