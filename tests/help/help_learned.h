/* help_learned.h: checks for every scheme with learned leaves: equal numbers on all ways through
 * the code (viewing, viewing with terms, recording, from the cache), and right gradients. */
#ifndef HELP_LEARNED_H
#define HELP_LEARNED_H

#include "help_scheme.h"
#include "posviz/model/record.h"

/* Sets every leaf to 0; for `change`. */
void help_zero_leaves(struct model *model);

/* Checks that the terms of layer 1 sum to its logits in every head; returns the number of terms. */
size_t help_terms_sum(const char *expression, void (*prepare)(struct help_run *r));

/* Checks that logits with and without terms are equal, recorded outputs equal viewed ones, and a
 * second evaluation from a cache equals the first. */
void help_all_ways_agree(const char *expression, void (*prepare)(struct help_run *r));

/* Checks that shifting `column` changes no logit of any layer, and that the bias of layer 1 is not
 * constant. */
void help_is_relative(const char *expression, const char *column);

/* Compares the gradient of r's output in every learned leaf with central differences. */
void help_model_gradients(struct help_run *r, const char *expression);

/* Does the same for a small model. */
void help_gradients(const char *expression);

/* Checks that logits and outputs of the first two layers, four heads, are equal to 1e-12. */
void help_traces_equal(const struct trace *a, const struct trace *b);

/* Returns the largest difference of two rows in the columns col..col+cols. */
double help_rows_apart(struct mat m, size_t t, size_t s, size_t col, size_t cols);

#endif
