/* blocks.c: numbers in the blocks of GGUF, a function for each type.
 *
 * Formulas: ggml (ggml-quants.c). A block of 32 numbers has one scale; the K types have 256
 * numbers in sub-blocks of 16 or 32 with small scales of their own, which a half-precision number
 * scales once more. lo and hi are the halves of a byte; what is half, is in element_half. */
#include "format/blocks.h"

#include <math.h>
#include <string.h>

static double half_at(const unsigned char *bytes)
{
	return element_half((uint32_t)bytes[0] | (uint32_t)bytes[1] << 8);
}

static int lo(unsigned char byte)
{
	return byte & 15;
}

static int hi(unsigned char byte)
{
	return byte >> 4;
}

static int signed_byte(unsigned char byte)
{
	return byte < 128 ? byte : byte - 256;
}

/* ---- 32 numbers ------------------------------------------------------------------------------ */

enum { HALF = 16 /* numbers j and j + 16 share a byte */ };

/* d, q[16]: d (q - 8) */
static void q4_0(double *out, const unsigned char *at)
{
	const double d = half_at(at);
	for (int j = 0; j < HALF; j++) {
		out[j] = d * (lo(at[2 + j]) - 8);
		out[j + HALF] = d * (hi(at[2 + j]) - 8);
	}
}

/* d, m, q[16]: d q + m */
static void q4_1(double *out, const unsigned char *at)
{
	const double d = half_at(at), m = half_at(at + 2);
	for (int j = 0; j < HALF; j++) {
		out[j] = d * lo(at[4 + j]) + m;
		out[j + HALF] = d * hi(at[4 + j]) + m;
	}
}

/* Bit j of the four bytes is the fifth bit of number j, times 16. */
static int fifth(const unsigned char *bits, int j)
{
	return (bits[j / 8] >> j % 8 & 1) << 4;
}

/* d, h[4], q[16]: d (q - 16) */
static void q5_0(double *out, const unsigned char *at)
{
	const double d = half_at(at);
	for (int j = 0; j < HALF; j++) {
		out[j] = d * (lo(at[6 + j]) + fifth(at + 2, j) - 16);
		out[j + HALF] = d * (hi(at[6 + j]) + fifth(at + 2, j + HALF) - 16);
	}
}

/* d, m, h[4], q[16]: d q + m */
static void q5_1(double *out, const unsigned char *at)
{
	const double d = half_at(at), m = half_at(at + 2);
	for (int j = 0; j < HALF; j++) {
		out[j] = d * (lo(at[8 + j]) + fifth(at + 4, j)) + m;
		out[j + HALF] = d * (hi(at[8 + j]) + fifth(at + 4, j + HALF)) + m;
	}
}

/* A sign, two bits of exponent, one of fraction. */
static double of_four_bits(int bits)
{
	static const double sizes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
	return bits & 8 ? -sizes[bits & 7] : sizes[bits & 7];
}

/* e, q[16]: 2^(e − 127) times the number of four bits (OCP Microscaling Formats 1.0, section 5.3) */
static void mxfp4(double *out, const unsigned char *at)
{
	enum { BIAS = 127 };
	for (int j = 0; j < HALF; j++) {
		out[j] = ldexp(of_four_bits(lo(at[1 + j])), at[0] - BIAS);
		out[j + HALF] = ldexp(of_four_bits(hi(at[1 + j])), at[0] - BIAS);
	}
}

/* d, q[32], signed: d q */
static void q8_0(double *out, const unsigned char *at)
{
	const double d = half_at(at);
	for (int j = 0; j < 2 * HALF; j++)
		out[j] = d * signed_byte(at[2 + j]);
}

/* ---- 256 numbers ----------------------------------------------------------------------------- */

/* Where a number of a block of 256 is: half H of 128, part k of 32 in it, index i in that. */
struct place {
	int half, part, i;
};

static struct place place_of(int j)
{
	return (struct place){j / 128, j % 128 / 32, j % 32};
}

/* The two bits of number j in 64 bytes. */
static int two_bits(const unsigned char *q, int j)
{
	const struct place p = place_of(j);
	return q[32 * p.half + p.i] >> 2 * p.part & 3;
}

/* s[16], q[64], d, e: d lo(s) q - e hi(s) */
static void q2_k(double *out, const unsigned char *at)
{
	const unsigned char *const s = at, *const q = at + 16;
	const double d = half_at(at + 80), e = half_at(at + 82);
	for (int j = 0; j < 256; j++)
		out[j] = d * lo(s[j / 16]) * two_bits(q, j) - e * hi(s[j / 16]);
}

/* The six-bit scale of sub-block b: four bits in the first eight bytes, two in the last four. */
static int q3_k_scale(const unsigned char *s, int b)
{
	const int low = b < 8 ? lo(s[b]) : hi(s[b - 8]);
	return low + ((s[8 + b % 4] >> 2 * (b / 4) & 3) << 4);
}

/* h[32], q[64], s[12], d: d (s - 32) (q - 4), without the 4 where the bit of h is set */
static void q3_k(double *out, const unsigned char *at)
{
	const unsigned char *const h = at, *const q = at + 32, *const s = at + 96;
	const double d = half_at(at + 108);
	for (int j = 0; j < 256; j++) {
		const struct place p = place_of(j);
		const int keeps = h[p.i] >> (4 * p.half + p.part) & 1;
		out[j] = d * (q3_k_scale(s, j / 16) - 32) * (two_bits(q, j) - (keeps ? 0 : 4));
	}
}

/* The six-bit scale and minimum of sub-block b of 32, of twelve bytes. */
static void scale_and_least(const unsigned char *s, int b, int *scale, int *least)
{
	if (b < 4) {
		*scale = s[b] & 63;
		*least = s[b + 4] & 63;
	} else {
		*scale = lo(s[b + 4]) + (s[b - 4] >> 6 << 4);
		*least = hi(s[b + 4]) + (s[b] >> 6 << 4);
	}
}

/* d, e, s[12], (h[32],) q[128]: d S q - e M. Sub-blocks 2n and 2n + 1 share bytes 32n to 32n + 31. */
static void q4_or_5_k(double *out, const unsigned char *at, const unsigned char *h,
		      const unsigned char *q)
{
	const double d = half_at(at), e = half_at(at + 2);
	for (int b = 0; b < 8; b++) {
		int scale, least;
		scale_and_least(at + 4, b, &scale, &least);
		for (int i = 0; i < 32; i++) {
			const unsigned char byte = q[32 * (b / 2) + i];
			const int high = h ? (h[i] >> b & 1) << 4 : 0;
			const int v = (b % 2 == 0 ? lo(byte) : hi(byte)) + high;
			out[32 * b + i] = d * scale * v - e * least;
		}
	}
}

static void q4_k(double *out, const unsigned char *at)
{
	q4_or_5_k(out, at, NULL, at + 16);
}

static void q5_k(double *out, const unsigned char *at)
{
	q4_or_5_k(out, at, at + 16, at + 48);
}

/* q[128], h[64], s[16] signed, d: d s (q - 32), two of the six bits in h */
static void q6_k(double *out, const unsigned char *at)
{
	const unsigned char *const h = at + 128, *const s = at + 192;
	const double d = half_at(at + 208);
	for (int j = 0; j < 256; j++) {
		const struct place p = place_of(j);
		const unsigned char byte = at[64 * p.half + 32 * (p.part % 2) + p.i];
		const int v = (p.part < 2 ? lo(byte) : hi(byte)) + (two_bits(h, j) << 4) - 32;
		out[j] = d * signed_byte(s[j / 16]) * v;
	}
}

static void (*const decoders[ELEMENT_KINDS])(double *out, const unsigned char *at) = {
	[ELEMENT_Q4_0] = q4_0, [ELEMENT_Q4_1] = q4_1,	[ELEMENT_Q5_0] = q5_0,
	[ELEMENT_Q5_1] = q5_1, [ELEMENT_MXFP4] = mxfp4, [ELEMENT_Q8_0] = q8_0,
	[ELEMENT_Q2_K] = q2_k, [ELEMENT_Q3_K] = q3_k,	[ELEMENT_Q4_K] = q4_k,
	[ELEMENT_Q5_K] = q5_k, [ELEMENT_Q6_K] = q6_k,
};

void block_decode(double *out, const unsigned char *bytes, enum element_kind kind, size_t count)
{
	const size_t block = element_block(kind), size = element_size(kind);
	BUG_IF(!decoders[kind] || count % block != 0);
	for (size_t i = 0; i < count / block; i++)
		decoders[kind](out + i * block, bytes + i * size);
}
