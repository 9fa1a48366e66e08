/* help_scheme.h: evaluating one input under several expressions, and how far results lie apart. */
#ifndef HELP_SCHEME_H
#define HELP_SCHEME_H

#include "help_case.h"

/* The input of r, with r's present config, want and shift, under another expression. `given` may be
 * NULL. Lives in r's arena; fails the test when it cannot be evaluated. */
struct trace *help_again(struct help_run *r, const char *expression, const struct given *given);

/* help_run_open that must succeed. */
void help_run_must_open(struct help_run *r, const char *expression, size_t n, size_t repeat,
			void (*prepare)(struct help_run *r));

/* Units become row order[t] of what they were. */
void help_permute(struct help_run *r, const size_t *order);

/* Largest difference of the logits in all heads of a layer, and of the layer's output. */
double help_logits_apart(const struct trace *a, const struct trace *b, size_t layer, size_t heads);
double help_output_apart(const struct trace *a, const struct trace *b, size_t layer);

/* Largest difference within a diagonal: 0 for a Toeplitz matrix. */
double help_toeplitz_error(struct mat m);

/* True when every entry is a finite number. */
bool help_is_finite(struct mat m);

/* Evaluates for 1 and 2 units with 1 and 4 heads, for 513 with 4: weights and outputs must be numbers. */
void help_sizes(const char *expression);

#endif
