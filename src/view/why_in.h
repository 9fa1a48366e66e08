/* why_in.h: what the files of the view Why share: one cell of one head. */
#ifndef POSVIZ_WHY_IN_H
#define POSVIZ_WHY_IN_H

#include "posviz/analysis/turns.h"
#include "view_in.h"

/* The cell (t, s) from 0; unit: the query's place among the keys. */
struct why {
	const struct view_data *d;
	const struct trace *trace;
	const struct trace_head *head;
	struct arena *a;
	size_t t, s, unit;
	bool allowed;
	bool mean; /* of heads or layers: terms and logits are means, q and k are not there */
};

/* "−1.31", "0" for what is only rounding. */
const char *why_number(const struct why *w, double value, int digits);

/* why_steps.c: from content to the logit and to what softmax sees of it. out[n] from the arena. */
size_t why_steps(const struct why *w, const struct sum_step **out);

/* What position makes of the logit in layer 1: all but unit–unit of q and k as projected. False where there is no
 * such thing. */
bool why_bias(const struct why *w, double *bias);

/* Softmax of the row over allowed keys: weight = exp(logit − most) / sum. `mean` is of the n logits. False: the
 * head's weights are another function of them, or there are none. */
struct why_softmax {
	double logit, most, sum, mean;
	size_t n;
};
bool why_softmax(const struct why *w, struct why_softmax *out);

/* why_facts.c: which cell it is and what the scheme knows of it before any vector. */
size_t why_facts(const struct why *w, const struct card_line **out);

#endif
