/* words.h: the results of a run by words, where the units are pieces of words. */
#ifndef POSVIZ_WORDS_H
#define POSVIZ_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/input/input.h"
#include "posviz/model/trace.h"

/* The words of a run's rows and columns. A unit without others of its word, such as [CLS], is a word
 * by itself, and so is each key that is no unit of the run (the source of a decoder). */
struct words {
	struct axis query, key;	     /* the words; .token: the first place of a piece, or -1 */
	size_t memory;		     /* number of words at the front that are only keys */
	const size_t *row, *col;     /* the word of each query and of each key */
	const size_t *n_row, *n_col; /* [query.n], [key.n] number of pieces of each word */
	size_t pieces, merged;	     /* number of units, and of words that have several */
};

/* Fills the words of a run from its axes; `in` is its input in the order of the run. */
void words_of(const struct trace *trace, const struct input *in, struct arena *a,
	      struct words *out);

/* Finds the words of two runs of one text that two tokenizers cut: a word ends where both have an
 * end, letter case and blanks aside, so that the words of both are the same, and have the labels of the first.
 * False: the pieces of the two do not spell the same text, or there is a memory; nothing is changed. */
bool words_common(struct words *x, struct words *y, struct arena *a);

/* Replaces the matrices of a head by those of words. Weights are summed over the keys of a word and
 * averaged over its queries, so that rows keep their sums. Logits, terms, bias, and content before and
 * after a member: the mean over the pairs of pieces that the mask allows, over all where it allows none;
 * modulation: over the pairs where it is defined. The context: the mean over the queries. The mask
 * allows what it allows for any pair. q, k, v and the summands of the context have no such mean and are
 * taken away. */
void words_head(const struct words *w, struct trace_head *head, struct arena *a);

/* Does so for all heads that a trace kept, and its axes; vectors of units are averaged. Positions, and the
 * relation of pairs, are of pieces and are taken away. trace->words is set. */
void words_trace(const struct words *w, size_t heads, struct trace *trace, struct arena *a);

#endif
