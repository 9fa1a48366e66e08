/* sha256.c: SHA-256, section 6.2 of FIPS 180-4; letters are those of the standard. */
#include "posviz/base/sha256.h"

#include <stdio.h>
#include <string.h>

/* Section 4.2.2: the first 32 bits of the fractions of the cube roots of the first 64 primes. */
static const uint32_t k[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2};

static uint32_t rotr(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

static uint32_t word_at(const unsigned char *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Step 3 for one t: d and h get their new numbers, which are called e and a in the next. */
static inline void step(const uint32_t *a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e,
			uint32_t f, uint32_t g, uint32_t *h, uint32_t kw)
{
	const uint32_t t1 =
		*h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & f) ^ (~e & g)) + kw;
	*d += t1;
	*h = t1 + (rotr(*a, 2) ^ rotr(*a, 13) ^ rotr(*a, 22)) + ((*a & b) ^ (*a & c) ^ (b & c));
}

/* Section 6.2.2, steps 1 to 4, for one block. */
static void take(struct sha256 *s, const unsigned char *m)
{
	uint32_t w[64], v[8];
	for (int t = 0; t < 16; t++)
		w[t] = word_at(m + 4 * t);
	for (int t = 16; t < 64; t++) {
		const uint32_t x = w[t - 15], y = w[t - 2];
		w[t] = (rotr(y, 17) ^ rotr(y, 19) ^ y >> 10) + w[t - 7] +
		       (rotr(x, 7) ^ rotr(x, 18) ^ x >> 3) + w[t - 16];
	}
	memcpy(v, s->h, sizeof v);
	/* Instead of moving the letters a to h on, each step calls another of v a. */
	for (int t = 0; t < 64; t += 8) {
		step(&v[0], v[1], v[2], &v[3], v[4], v[5], v[6], &v[7], k[t] + w[t]);
		step(&v[7], v[0], v[1], &v[2], v[3], v[4], v[5], &v[6], k[t + 1] + w[t + 1]);
		step(&v[6], v[7], v[0], &v[1], v[2], v[3], v[4], &v[5], k[t + 2] + w[t + 2]);
		step(&v[5], v[6], v[7], &v[0], v[1], v[2], v[3], &v[4], k[t + 3] + w[t + 3]);
		step(&v[4], v[5], v[6], &v[7], v[0], v[1], v[2], &v[3], k[t + 4] + w[t + 4]);
		step(&v[3], v[4], v[5], &v[6], v[7], v[0], v[1], &v[2], k[t + 5] + w[t + 5]);
		step(&v[2], v[3], v[4], &v[5], v[6], v[7], v[0], &v[1], k[t + 6] + w[t + 6]);
		step(&v[1], v[2], v[3], &v[4], v[5], v[6], v[7], &v[0], k[t + 7] + w[t + 7]);
	}
	for (int i = 0; i < 8; i++)
		s->h[i] += v[i];
}

/* Section 5.3.3: the first 32 bits of the fractions of the square roots of the first 8 primes. */
void sha256_init(struct sha256 *s)
{
	*s = (struct sha256){.h = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
				   0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void sha256_add(struct sha256 *s, const void *data, size_t len)
{
	const unsigned char *at = data;
	while (len > 0) {
		const size_t there = s->len % 64, most = 64 - there;
		const size_t n = len < most ? len : most;
		if (n == 64) {
			take(s, at);
		} else {
			memcpy(s->block + there, at, n);
			if (n == most)
				take(s, s->block);
		}
		s->len += n;
		at += n;
		len -= n;
	}
}

/* Section 5.1.1: the bit 1, bits 0, and the length in bits at the end of a block. */
void sha256_done(struct sha256 *s, char out[SHA256_TEXT])
{
	static const unsigned char pad[64] = {0x80};
	unsigned char length[8];
	const uint64_t bits = 8 * s->len;
	for (int i = 0; i < 8; i++)
		length[i] = (unsigned char)(bits >> (56 - 8 * i));
	sha256_add(s, pad, 1 + (119 - s->len % 64) % 64);
	sha256_add(s, length, sizeof length);
	for (int i = 0; i < 8; i++)
		snprintf(out + 8 * i, 9, "%08x", (unsigned)s->h[i]);
}
