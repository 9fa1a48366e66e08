/* rng.h: seeded random numbers, the same on every machine.
 *
 * A generator is a value. Every random number depends on (seed, name): a learned parameter on
 * its name, a token vector on its token, so that adding one never changes another. xoshiro256**
 * (Blackman and Vigna 2021), seeded through splitmix64; names are mixed in with FNV-1a. */
#ifndef POSVIZ_RNG_H
#define POSVIZ_RNG_H

#include <stddef.h>
#include <stdint.h>

struct rng {
	uint64_t s[4];
};

void rng_init(struct rng *r, uint64_t seed);
void rng_init_name(struct rng *r, uint64_t seed, const char *name);
uint64_t rng_u64(struct rng *r);
double rng_uniform(struct rng *r);	   /* in [0, 1) */
double rng_normal(struct rng *r);	   /* mean 0, variance 1 (Box-Muller, no state) */
size_t rng_below(struct rng *r, size_t n); /* uniform in 0..n-1, without bias; n > 0 */
void rng_shuffle(struct rng *r, size_t *at, size_t n); /* Fisher-Yates */

#endif
