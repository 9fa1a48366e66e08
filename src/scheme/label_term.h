/* label_term.h: the terms that pairs of tokens read from r W + b, r with a row for each distinct
 * path.
 *
 * With few rows the products of all queries and all rows are made, and pairs read them. With too
 * many rows for that, each pair is computed from its own row of r, and W multiplies the query or
 * the sum over keys:
 *
 *   q·(r W + b) = (q W')·r + q·b,  Σ_s α_s (r_s W + b) = (Σ_s α_s r_s) W + (Σ_s α_s) b
 *
 * In both cases nothing of size n×n×d is stored. */
#ifndef SCHEME_LABEL_TERM_H
#define SCHEME_LABEL_TERM_H

#include "posviz/model/stage.h"
#include "scheme/struct_tr.h"

/* Adds c q_t·(r[index[t][s]] W + b) to the logits. r: [rows, e], W: [e, dk]. */
void label_term_query(struct head *head, const char *label, struct node *r, struct map map,
		      const struct index *index);
/* Returns Σ_s weights_ts (r[index[t][s]] W + b), [n, dk]. */
struct node *label_term_values(struct head *head, struct node *r, struct map map,
			       const struct index *index);

#endif
