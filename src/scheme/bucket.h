/* bucket.h: relative positions in logarithmic buckets, as T5 and DeBERTa make them. */
#ifndef SCHEME_BUCKET_H
#define SCHEME_BUCKET_H

#include <stdbool.h>

#include "posviz/base/err.h"

/* T5 (Raffel et al. 2020): with `two_sided`, half of the buckets are for keys behind the query. Of
 * each side's buckets the first half is one distance each, the rest grow up to max_distance. */
struct bucket_rule {
	long buckets, max_distance;
	bool two_sided;
};

/* Whether some distance is left for the growing ones; err is of the parameters "buckets" and
 * "max_distance". */
bool bucket_check(const struct bucket_rule *rule, struct err *err);

/* The bucket, 0..buckets-1, of key minus query position. */
long bucket_of(const struct bucket_rule *rule, long delta);

/* The greatest distance in the bucket of `seen`; INFINITY for the last bucket. */
double bucket_reach(const struct bucket_rule *rule, long seen);

/* DeBERTa (He et al. 2021): an odd function of r. Up to half of `buckets` r stands for itself, then
 * the steps grow so that max_position - 1 falls in bucket buckets - 1; farther is the same. */
long bucket_signed(long buckets, long max_position, long r);

#endif
