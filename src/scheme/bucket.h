/* bucket.h: relative positions in logarithmic buckets, as in T5 and DeBERTa. */
#ifndef SCHEME_BUCKET_H
#define SCHEME_BUCKET_H

#include <stdbool.h>

#include "posviz/base/err.h"

/* T5 (Raffel et al. 2020): with `two_sided`, half of the buckets are for keys after the query.
 * Of each side's buckets the first half hold a single distance each, the others grow up to
 * max_distance. */
struct bucket_rule {
	long buckets, max_distance;
	bool two_sided;
};

/* Returns whether there are distances left for the growing buckets; the error is about the
 * parameters "buckets" and "max_distance". */
bool bucket_check(const struct bucket_rule *rule, struct err *err);

/* Returns the bucket, 0..buckets-1, of key minus query position. */
long bucket_of(const struct bucket_rule *rule, long delta);

/* Returns the greatest distance in the bucket of `seen`; INFINITY for the last bucket. */
double bucket_reach(const struct bucket_rule *rule, long seen);

/* DeBERTa (He et al. 2021): an odd function of r. Up to half of `buckets` r is its own bucket,
 * then the steps grow so that max_position - 1 is in bucket buckets - 1, as are all farther
 * distances. */
long bucket_signed(long buckets, long max_position, long r);

#endif
