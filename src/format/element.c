/* element.c: numbers as tensor files store them, independent of the byte order of this machine. */
#include "format/element.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "format/blocks.h"

enum { NO_NUMBER = -1 };

static const struct {
	const char *name, *npy;
	int gguf; /* the number of the type there; or NO_NUMBER */
	size_t size, block;
} element_kinds[ELEMENT_KINDS] = {
	[ELEMENT_F64] = {"F64", "f8", 28, 8, 1},
	[ELEMENT_F32] = {"F32", "f4", 0, 4, 1},
	[ELEMENT_F16] = {"F16", "f2", 1, 2, 1},
	[ELEMENT_BF16] = {"BF16", NULL, 30, 2, 1},
	[ELEMENT_I64] = {"I64", "i8", 27, 8, 1},
	[ELEMENT_I32] = {"I32", "i4", 26, 4, 1},
	[ELEMENT_I16] = {"I16", "i2", 25, 2, 1},
	[ELEMENT_I8] = {"I8", "i1", 24, 1, 1},
	[ELEMENT_U64] = {"U64", "u8", NO_NUMBER, 8, 1},
	[ELEMENT_U32] = {"U32", "u4", NO_NUMBER, 4, 1},
	[ELEMENT_U16] = {"U16", "u2", NO_NUMBER, 2, 1},
	[ELEMENT_U8] = {"U8", "u1", NO_NUMBER, 1, 1},
	[ELEMENT_BOOL] = {"BOOL", "b1", NO_NUMBER, 1, 1},
	[ELEMENT_Q4_0] = {"Q4_0", NULL, 2, 18, 32},
	[ELEMENT_Q4_1] = {"Q4_1", NULL, 3, 20, 32},
	[ELEMENT_Q5_0] = {"Q5_0", NULL, 6, 22, 32},
	[ELEMENT_Q5_1] = {"Q5_1", NULL, 7, 24, 32},
	[ELEMENT_Q8_0] = {"Q8_0", NULL, 8, 34, 32},
	[ELEMENT_Q2_K] = {"Q2_K", NULL, 10, 84, 256},
	[ELEMENT_Q3_K] = {"Q3_K", NULL, 11, 110, 256},
	[ELEMENT_Q4_K] = {"Q4_K", NULL, 12, 144, 256},
	[ELEMENT_Q5_K] = {"Q5_K", NULL, 13, 176, 256},
	[ELEMENT_Q6_K] = {"Q6_K", NULL, 14, 210, 256},
	[ELEMENT_MXFP4] = {"MXFP4", NULL, 39, 17, 32},
};

size_t element_size(enum element_kind kind)
{
	return element_kinds[kind].size;
}

size_t element_block(enum element_kind kind)
{
	return element_kinds[kind].block;
}

const char *element_name(enum element_kind kind)
{
	return element_kinds[kind].name;
}

enum element_kind element_of_safetensors(const char *name)
{
	for (enum element_kind kind = 0; kind <= ELEMENT_BOOL; kind++)
		if (strcmp(element_kinds[kind].name, name) == 0)
			return kind;
	return ELEMENT_KINDS;
}

enum element_kind element_of_gguf(uint32_t number)
{
	for (enum element_kind kind = 0; kind < ELEMENT_KINDS; kind++)
		if (element_kinds[kind].gguf >= 0 && (uint32_t)element_kinds[kind].gguf == number)
			return kind;
	return ELEMENT_KINDS;
}

bool element_is_whole(enum element_kind kind)
{
	return kind >= ELEMENT_I64 && kind <= ELEMENT_BOOL;
}

/* The name is a character for the byte order, "|" for single bytes, then the type. */
enum element_kind element_of_npy(const char *name)
{
	if (strspn(name, "<>|=") != 1)
		return ELEMENT_KINDS;
	for (enum element_kind kind = 0; kind < ELEMENT_KINDS; kind++)
		if (element_kinds[kind].npy != NULL &&
		    strcmp(element_kinds[kind].npy, name + 1) == 0)
			return kind;
	return ELEMENT_KINDS;
}

static uint64_t load(const unsigned char *bytes, size_t size, bool big)
{
	uint64_t bits = 0;
	for (size_t i = 0; i < size; i++)
		bits |= (uint64_t)bytes[i] << (8 * (big ? size - 1 - i : i));
	return bits;
}

static double from_f32(uint32_t bits)
{
	float value = 0;
	memcpy(&value, &bits, sizeof value);
	return (double)value;
}

/* IEEE 754 binary16: 1 sign, 5 exponent (bias 15), 10 fraction bits. */
double element_half(uint32_t bits)
{
	const uint32_t exponent = bits >> 10 & 31, fraction = bits & 1023;
	double size = 0;
	if (exponent == 31) {
		size = fraction != 0 ? NAN : INFINITY;
	} else if (exponent == 0) {
		size = fraction * 0x1p-24;
	} else {
		const uint64_t wide = (uint64_t)(exponent + 1008) << 52 | (uint64_t)fraction << 42;
		memcpy(&size, &wide, sizeof size);
	}
	return bits >> 15 & 1 ? -size : size;
}

static double element_value(uint64_t bits, enum element_kind kind)
{
	double value = 0;
	switch (kind) {
	case ELEMENT_F64:
		memcpy(&value, &bits, sizeof value);
		return value;
	case ELEMENT_F32:
		return from_f32((uint32_t)bits);
	case ELEMENT_F16:
		return element_half((uint32_t)bits);
	case ELEMENT_BF16:
		return from_f32((uint32_t)bits << 16);
	case ELEMENT_I64:
		return (double)(int64_t)bits;
	case ELEMENT_I32:
		return (double)(int32_t)(uint32_t)bits;
	case ELEMENT_I16:
		return (double)(int16_t)(uint16_t)bits;
	case ELEMENT_I8:
		return (double)(int8_t)(uint8_t)bits;
	case ELEMENT_U64:
	case ELEMENT_U32:
	case ELEMENT_U16:
	case ELEMENT_U8:
		return (double)bits;
	case ELEMENT_BOOL:
		return bits != 0;
	default:
		break;
	}
	BUG("element kind %d", (int)kind);
}

/* Decodes integers, which a double may not hold. */
static bool decode_whole(double *out, const unsigned char *bytes, enum element_kind kind, bool big,
			 size_t count, struct err *err)
{
	const size_t size = element_kinds[kind].size;
	for (size_t i = 0; i < count; i++) {
		const uint64_t bits = load(bytes + i * size, size, big);
		out[i] = element_value(bits, kind);
		if (fabs(out[i]) <= 0x1p53)
			continue;
		char digits[32];
		if (kind == ELEMENT_U64)
			snprintf(digits, sizeof digits, "%llu", (unsigned long long)bits);
		else
			snprintf(digits, sizeof digits, "%lld", (long long)(int64_t)bits);
		return err_set(err, "the integer %s is beyond 2^53, a double cannot hold it",
			       digits);
	}
	return true;
}

/* ---- many numbers at once --------------------------------------------------------------------- */

/* Files of models are read whole for each picture, so the types that they have are decoded in blocks
 * that the compiler makes vectors of. */
enum { AT_ONCE = 256 };

static bool is_little(void)
{
	const uint16_t one = 1;
	unsigned char first;
	memcpy(&first, &one, 1);
	return first == 1;
}

static void decode_f32(double *restrict out, const unsigned char *bytes, size_t n)
{
	float part[AT_ONCE];
	memcpy(part, bytes, n * sizeof *part);
#pragma omp simd
	for (size_t i = 0; i < n; i++)
		out[i] = (double)part[i];
}

static void decode_bf16(double *restrict out, const unsigned char *bytes, size_t n)
{
	uint16_t part[AT_ONCE];
	memcpy(part, bytes, n * sizeof *part);
	for (size_t i = 0; i < n; i++) {
		const uint32_t wide = (uint32_t)part[i] << 16;
		float value;
		memcpy(&value, &wide, sizeof value);
		out[i] = (double)value;
	}
}

static void decode_f16(double *restrict out, const unsigned char *bytes, size_t n)
{
	uint16_t part[AT_ONCE];
	memcpy(part, bytes, n * sizeof *part);
	for (size_t i = 0; i < n; i++)
		out[i] = element_half(part[i]);
}

static void decode_f64(double *restrict out, const unsigned char *bytes, size_t n)
{
	memcpy(out, bytes, n * sizeof *out);
}

/* Returns the function for a type whose bytes are in the order of this machine; NULL: there is none. */
static void (*decoder_of(enum element_kind kind, bool big))(double *restrict, const unsigned char *,
							    size_t)
{
	if (big == is_little())
		return NULL;
	return kind == ELEMENT_F32    ? decode_f32
	       : kind == ELEMENT_BF16 ? decode_bf16
	       : kind == ELEMENT_F16  ? decode_f16
	       : kind == ELEMENT_F64  ? decode_f64
				      : NULL;
}

bool element_decode(double *out, const unsigned char *bytes, enum element_kind kind, bool big,
		    size_t count, struct err *err)
{
	const size_t size = element_kinds[kind].size;
	if (element_is_whole(kind))
		return decode_whole(out, bytes, kind, big, count, err);
	if (kind > ELEMENT_BOOL) {
		block_decode(out, bytes, kind, count);
		return true;
	}
	void (*const decode)(double *restrict, const unsigned char *, size_t) =
		decoder_of(kind, big);
	for (size_t i = 0; decode && i < count; i += AT_ONCE)
		decode(out + i, bytes + i * size, count - i < AT_ONCE ? count - i : AT_ONCE);
	for (size_t i = 0; !decode && i < count; i++)
		out[i] = element_value(load(bytes + i * size, size, big), kind);
	return true;
}

void element_encode(unsigned char *out, const double *values, size_t count, bool integer)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t bits = 0;
		if (integer) {
			BUG_IF(!(fabs(values[i]) <= 0x1p53) || values[i] != floor(values[i]));
			bits = (uint64_t)(int64_t)values[i];
		} else {
			memcpy(&bits, &values[i], sizeof bits);
		}
		for (int byte = 0; byte < 8; byte++)
			out[8 * i + (size_t)byte] = (unsigned char)(bits >> (8 * byte));
	}
}
