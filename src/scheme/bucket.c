/* bucket.c: relative positions in logarithmic buckets.
 *
 * Both rules round a logarithm to an integer, so the last bit matters at the edges: T5's edge is
 * raised by 1e-9 before it is truncated (the nearest value that is no edge is more than 1e-4
 * away); DeBERTa's ratio is of two identical expressions at its far end and is exactly 1 there. */
#include "scheme/bucket.h"

#include <math.h>
#include <stdlib.h>

/* Returns the number of buckets of one side. */
static long buckets_per_side(const struct bucket_rule *rule)
{
	return rule->two_sided ? rule->buckets / 2 : rule->buckets;
}

static long exact_buckets(const struct bucket_rule *rule)
{
	return buckets_per_side(rule) / 2;
}

bool bucket_check(const struct bucket_rule *rule, struct err *err)
{
	const long exact = exact_buckets(rule);
	return rule->max_distance > exact ||
	       err_set(err,
		       "max_distance: %ld; with %ld buckets it must be above %ld, the distances "
		       "that have a bucket of their own",
		       rule->max_distance, rule->buckets, exact);
}

long bucket_of(const struct bucket_rule *rule, long delta)
{
	const long side = buckets_per_side(rule), exact = exact_buckets(rule);
	const long base = rule->two_sided && delta > 0 ? side : 0;
	const long distance = rule->two_sided ? labs(delta) : delta < 0 ? -delta : 0;
	if (distance < exact)
		return base + distance;
	const double e = (double)exact;
	const double part = log((double)distance / e) / log((double)rule->max_distance / e);
	const double above = trunc(part * (double)(side - exact) + 1e-9);
	return base + (above < (double)(side - exact) ? exact + (long)above : side - 1);
}

double bucket_reach(const struct bucket_rule *rule, long seen)
{
	const long bucket = bucket_of(rule, -seen);
	if (bucket == buckets_per_side(rule) - 1)
		return INFINITY;
	while (bucket_of(rule, -seen - 1) == bucket)
		seen++;
	return (double)seen;
}

long bucket_signed(long buckets, long max_position, long r)
{
	const long mid = buckets / 2;
	const long distance = labs(r) < max_position ? labs(r) : max_position - 1;
	if (labs(r) <= mid)
		return r;
	const double m = (double)mid;
	const double part = log((double)distance / m) / log((double)(max_position - 1) / m);
	const long bucket = mid + (long)ceil(part * (double)(mid - 1));
	return r < 0 ? -bucket : bucket;
}
