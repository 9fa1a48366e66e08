/* label_term.h: what pairs of units read from a table with a row for each distinct path.
 *
 * With few rows the products of all queries and all rows are made, and pairs read them; with more rows
 * than that pays for, each pair is computed from its own row. Either way nothing of size n×n×d is
 * kept. */
#ifndef SCHEME_LABEL_TERM_H
#define SCHEME_LABEL_TERM_H

#include "posviz/stage.h"

/* Adds c q_t · table[index[t][s]] to the logits. */
void label_term_query(struct head *head, const char *label, struct node *table,
		      const struct index *index);
/* Σ_s weights_ts table[index[t][s]], [n, dk] */
struct node *label_term_values(struct head *head, struct node *table, const struct index *index);

#endif
