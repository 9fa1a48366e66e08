/* values_in.h: declarations shared by the files of the view Values. */
#ifndef POSVIZ_VALUES_IN_H
#define POSVIZ_VALUES_IN_H

#include "posviz/analysis/outputs.h"
#include "view_in.h"

struct values_kept {
	struct outputs o;
	/* The outputs of the chosen pair, if they can be compared; else the reason. */
	struct outputs first, second;
	bool two;
	const char *no_difference;
	const char *absent; /* a sentence that says why there are no outputs; or NULL */
	double apart;	    /* the relative difference of both */
	struct mat difference;
	double most;	    /* the longest contribution */
	double limit;	    /* of the scale of all outputs, summands and values */
	struct mat *spread; /* [n_spread] these */
	size_t n_spread;
	/* number of queries whose largest contribution is that of another key than their largest
	 * weight */
	size_t elsewhere;
};

/* The data of the figure. */
struct values_page {
	const struct view_data *d;
	const struct values_kept *k;
	struct arena *a;
	const struct trace_head *head;
	size_t t, s; /* the chosen query and key */
};

/* ---- values_panels.c ------------------------------------------------------------------------- */

void values_weights_panel(const struct values_page *p, struct panel *out);
void values_contributions_panel(const struct values_page *p, struct panel *out);
/* What the chosen query gets from each key, as bars. */
void values_query_panel(const struct values_page *p, struct panel *out);
/* Adds the panels of vectors, values, terms, output, and the difference of two; returns their
 * number. */
size_t values_vectors(const struct values_page *p, struct panel *to);
void values_card_panel(const struct values_page *p, struct panel *out);
/* Return "head 2 of 4 · layer 1", or "all 4 heads · layer 1"; the meaning of a summand; a share in
 * percent; a number with three digits. */
const char *values_which(const struct view_data *d, struct arena *a);
const char *values_means(const struct output_term *t);
const char *values_percent(double share, struct arena *a);
const char *values_number(double value, struct arena *a);
/* Returns the number of queries for values_kept.elsewhere. */
size_t values_elsewhere(struct mat contributions, struct mat weights);
/* Return the index of the largest number, the first of equal ones; the sum. */
size_t values_largest(const double *row, size_t n);
double values_sum(const double *row, size_t n);

/* ---- values_finding.c ------------------------------------------------------------------------ */

/* Returns what is to be seen, for the chosen query and in all; brief: in one line; least: without the marked key. NULL:
 * there are no contributions. */
enum finding_form { FINDING_WHOLE, FINDING_BRIEF, FINDING_LEAST };
const char *values_finding(const struct values_page *p, enum finding_form form);

#endif
