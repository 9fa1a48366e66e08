/* help_context.h: for tests of schemes that count the content between tokens: terms, leaves without
 * the rules of the demonstration, and a text read from its end. */
#ifndef HELP_CONTEXT_H
#define HELP_CONTEXT_H

#include "help_learned.h"

/* For help_run_open: keeps terms, queries, keys, values and contexts. */
void help_with_parts(struct help_run *r);

/* Returns the i-th term of a head; fails the test if there is none. */
struct mat help_term(const struct trace *trace, size_t layer, size_t head, size_t i);

/* Fills every leaf with normal numbers, not by the demo rules; for `change` of help_changed. */
void help_random_leaves(struct model *model);
/* Checks that the outputs of two layers of `forward` on a text are those of `backward` on the
 * reversed text, reversed. */
void help_is_reversed(const char *forward, const char *backward);

/* Makes gates of fox and path independent of content, with the slopes of Press et al. for 4 heads;
 * for `change` of help_changed. */
void help_slopes_of_alibi(struct model *model);
#endif
