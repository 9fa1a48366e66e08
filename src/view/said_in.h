/* said_in.h: sentences made of a picture's own numbers, for the views that show them above their panels. */
#ifndef POSVIZ_SAID_IN_H
#define POSVIZ_SAID_IN_H

#include "view_in.h"

/* Returns a number with three digits, "0" of a rounding error. */
const char *said_number(double value, struct arena *a);
/* Returns a weight with two decimals, or two digits of a small one: "0.41", "0.0072". */
const char *said_weight(double value, struct arena *a);
/* Returns the text with a capital at its beginning. */
const char *said_capital(const char *text, struct arena *a);

/* terms_finding.c: the terms of the shown head, and what changes its product of queries and keys. */
struct term_told {
	const struct trace_head *head;
	const struct term_sum *sum;
	const char *const *shares; /* as texts */
	const char *where;	   /* "head 1" */
	const char *by;		   /* what changes the product of queries and keys, "rope" */
	bool above;		   /* a layer above the first */
};
/* Returns how much of the variance that softmax sees each term makes, in one line if `brief`; NULL: every
 * term is off. */
const char *term_finding(const struct term_told *t, bool brief, struct arena *a);
/* Returns how much the product of queries and keys is changed, and where most; `trace` has the names of the
 * tokens; NULL: nothing changes it. */
const char *term_change(const struct term_told *t, const struct trace *trace, bool brief,
			struct arena *a);
/* Puts both above the figure; where many large terms leave no row for that on cells, behind its subtitle. */
void term_say(const struct term_told *t, const struct trace *trace, struct arena *a,
	      struct figure *out);

/* explore_finding.c: returns what the bias does by distance, `axis` its numbers, and which key the rows of
 * a matrix have most of. */
struct explore_told {
	const struct view_data *d;
	const struct view_matrix *m;
	const struct pair_numbers *axis;
};
const char *explore_finding(const struct explore_told *e, bool brief, struct arena *a);

#endif
