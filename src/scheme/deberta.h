/* deberta.h: DeBERTa's relative positions: the row of a distance, and the vectors of the rows. */
#ifndef SCHEME_DEBERTA_H
#define SCHEME_DEBERTA_H

#include "posviz/scheme/scheme.h"
#include "scheme/encoding.h"

struct deberta {
	long max_relative, buckets, max_position;
	bool c2p, p2c, share, norm, emd;
	int p2c_index;
};

extern const struct leaf_row deberta_leaves[];

/* Returns K, half of the rows of A^r. */
long deberta_span(const struct model *model, const struct deberta *p);

/* Returns δ(t,s) with `ts`, or δ(s,t); K is the radius. */
struct encoding deberta_encoding(const struct model *model, const struct deberta *p, bool ts);
/* Returns the last distance that shares its row with one that was seen. The decoder adds
 * absolute positions. */
double deberta_reach(const void *param, const struct model_config *config);

/* For inject.made: K^r and Q^r of the rows that the input reads. */
struct node *deberta_keys(struct run *run, const struct member *m, struct err *err);
struct node *deberta_queries(struct run *run, const struct member *m, struct err *err);

#endif
