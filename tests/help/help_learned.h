/* help_learned.h: what every scheme with learned leaves must do: the same numbers on all ways
 * through the code (looking, looking with terms, learning, from the cache), and right gradients. */
#ifndef HELP_LEARNED_H
#define HELP_LEARNED_H

#include "help_scheme.h"
#include "posviz/model/record.h"

/* Like help_again, with the leaves changed before the run. */
struct trace *help_changed(struct help_run *r, const char *expression,
			   void (*change)(struct model *model));

/* Sets every leaf to 0, for `change`. */
void help_zero_leaves(struct model *model);

/* The terms of layer 1 sum to its logits in every head; returns how many terms there are. */
size_t help_terms_sum(const char *expression, void (*prepare)(struct help_run *r));

/* Logits with and without terms are equal; recorded outputs equal those looked at; a second
 * evaluation from a cache equals the first. */
void help_all_ways_agree(const char *expression, void (*prepare)(struct help_run *r));

/* Shifting `column` changes no logit of any layer; the bias of layer 1 is not constant. */
void help_is_relative(const char *expression, const char *column);

/* The gradient of r's output in every leaf that learns, against central differences. */
void help_model_gradients(struct help_run *r, const char *expression);

/* The same for a small model. */
void help_gradients(const char *expression);

/* Logits and outputs of the first two layers, four heads, are equal to 1e-12. */
void help_traces_equal(const struct trace *a, const struct trace *b);

/* Largest difference of two rows in the columns col..col+cols. */
double help_rows_apart(struct mat m, size_t t, size_t s, size_t col, size_t cols);

#endif
