/* why_in.h: declarations shared by the files of the view Why: one cell of one head. */
#ifndef POSVIZ_WHY_IN_H
#define POSVIZ_WHY_IN_H

#include "posviz/analysis/turns.h"
#include "view_in.h"

/* The cell (t, s) from 0; unit: the index of the query among the keys. */
struct why {
	const struct view_data *d;
	const struct trace *trace;
	const struct trace_head *head;
	struct arena *a;
	size_t t, s, unit;
	bool allowed;
	/* The head is a mean over heads or layers: terms and logits are means, q and k do not
	 * exist. */
	bool mean;
};

/* Returns "−1.31", "0" for a value that is only rounding. */
const char *why_number(const struct why *w, double value, int digits);

/* why_steps.c: returns the steps from content to the logit, and to the part of it that softmax
 * sees. out[n] is from the arena. */
size_t why_steps(const struct why *w, const struct sum_step **out);

/* Computes the share of position in the logit in layer 1: everything but the unit–unit product
 * of the projected q and k. False: it does not exist here. */
bool why_bias(const struct why *w, double *bias);

/* The softmax of the row over allowed keys: weight = exp(logit − most) / (sum + sink); `mean` is
 * the mean of the n logits, `sink` that of the logit of no key, 0 if there is none. False: the
 * head's weights are another function of the logits, or one of them does not exist. */
struct why_softmax {
	double logit, most, sum, sink, mean;
	size_t n;
};
bool why_softmax(const struct why *w, struct why_softmax *out);

/* Returns "what position does", or if a rule such as a norm changes q and k too, "what rope, qk_norm
 * do". */
const char *why_changed_by(const struct why *w);

/* why_finding.c: returns what the logit of the cell is made of, in one line if `brief`; NULL: the step has no
 * weights. */
const char *why_finding(const struct why *w, bool brief);

/* why_facts.c: returns the lines that name the cell, and what the scheme knows about it before
 * any vector is computed. */
size_t why_facts(const struct why *w, const struct card_line **out);

#endif
