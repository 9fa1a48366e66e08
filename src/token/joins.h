/* joins.h: pairs of pieces that BPE joins. */
#ifndef TOKEN_JOINS_H
#define TOKEN_JOINS_H

#include "token/token_in.h"

bool joins_find(const struct joins *j, long left, long right, double *rank, long *made);

/* Divides "Ġ t" at its blank; two[1].len stays 0 if there is none. */
void bpe_split_merge(const char *text, size_t len, struct span two[2]);
/* Adds a pair, whose halves and result are in the vocabulary. */
bool bpe_add_merge(struct tokenizer *t, const struct span *left, const struct span *right,
		   size_t rank, struct err *err);

#endif
