/* rng.c: xoshiro256** with its recommended seeding.
 *
 * D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47 (2021);
 * splitmix64 is theirs too. FNV-1a: G. Fowler, L. C. Noll, K.-P. Vo. */
#include "posviz/base/rng.h"

#include <math.h>

#include "posviz/base/err.h"

static uint64_t splitmix(uint64_t *state)
{
	*state += UINT64_C(0x9E3779B97F4A7C15);
	uint64_t z = *state;
	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

static uint64_t hash_name(const char *name)
{
	uint64_t hash = UINT64_C(0xCBF29CE484222325);
	for (; *name != '\0'; name++) {
		hash ^= (unsigned char)*name;
		hash *= UINT64_C(0x100000001B3);
	}
	return hash;
}

static uint64_t rotate_left(uint64_t x, int by)
{
	return (x << by) | (x >> (64 - by));
}

void rng_init(struct rng *r, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		r->s[i] = splitmix(&seed);
}

/* The seed is scrambled before the name is mixed in: neighbouring seeds stay far apart. */
void rng_init_name(struct rng *r, uint64_t seed, const char *name)
{
	rng_init(r, splitmix(&seed) ^ hash_name(name));
}

uint64_t rng_u64(struct rng *r)
{
	uint64_t *s = r->s;
	const uint64_t result = rotate_left(s[1] * 5, 7) * 9;
	const uint64_t shifted = s[1] << 17;
	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= shifted;
	s[3] = rotate_left(s[3], 45);
	return result;
}

double rng_uniform(struct rng *r)
{
	return (double)(rng_u64(r) >> 11) * 0x1p-53;
}

double rng_normal(struct rng *r)
{
	const double radius = sqrt(-2 * log(1 - rng_uniform(r))); /* 1 - u is never 0 */
	return radius * cos(2 * M_PI * rng_uniform(r));
}

/* Draws below 2^64 mod n are refused: what remains is a whole number of rounds of n. */
size_t rng_below(struct rng *r, size_t n)
{
	BUG_IF(n == 0);
	const uint64_t refused = (0 - (uint64_t)n) % n;
	uint64_t x = rng_u64(r);
	while (x < refused)
		x = rng_u64(r);
	return (size_t)(x % n);
}

void rng_shuffle(struct rng *r, size_t *at, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		const size_t j = rng_below(r, i), swapped = at[i - 1];
		at[i - 1] = at[j];
		at[j] = swapped;
	}
}
