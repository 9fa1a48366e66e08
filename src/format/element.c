/* element.c: numbers as tensor files store them, independent of the byte order of this machine. */
#include "format/element.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *safetensors, *npy;
	size_t size;
} element_kinds[ELEMENT_KINDS] = {
	[ELEMENT_F64] = {"F64", "f8", 8},   [ELEMENT_F32] = {"F32", "f4", 4},
	[ELEMENT_F16] = {"F16", "f2", 2},   [ELEMENT_BF16] = {"BF16", NULL, 2},
	[ELEMENT_I64] = {"I64", "i8", 8},   [ELEMENT_I32] = {"I32", "i4", 4},
	[ELEMENT_I16] = {"I16", "i2", 2},   [ELEMENT_I8] = {"I8", "i1", 1},
	[ELEMENT_U64] = {"U64", "u8", 8},   [ELEMENT_U32] = {"U32", "u4", 4},
	[ELEMENT_U16] = {"U16", "u2", 2},   [ELEMENT_U8] = {"U8", "u1", 1},
	[ELEMENT_BOOL] = {"BOOL", "b1", 1},
};

size_t element_size(enum element_kind kind)
{
	return element_kinds[kind].size;
}

enum element_kind element_of_safetensors(const char *name)
{
	for (enum element_kind kind = 0; kind < ELEMENT_KINDS; kind++)
		if (strcmp(element_kinds[kind].safetensors, name) == 0)
			return kind;
	return ELEMENT_KINDS;
}

bool element_is_whole(enum element_kind kind)
{
	return kind >= ELEMENT_I64;
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
static double from_f16(uint32_t bits)
{
	const int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
	double size = 0;
	if (exponent == 31)
		size = fraction != 0 ? NAN : INFINITY;
	else if (exponent == 0)
		size = ldexp(fraction, -24);
	else
		size = ldexp(1024 + fraction, exponent - 25);
	return bits >> 15 != 0 ? -size : size;
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
		return from_f16((uint32_t)bits);
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
	case ELEMENT_KINDS:
		break;
	}
	BUG("element kind %d", (int)kind);
}

bool element_decode(double *out, const unsigned char *bytes, enum element_kind kind, bool big,
		    size_t count, struct err *err)
{
	const size_t size = element_kinds[kind].size;
	for (size_t i = 0; i < count; i++) {
		const uint64_t bits = load(bytes + i * size, size, big);
		out[i] = element_value(bits, kind);
		if (!element_is_whole(kind) || fabs(out[i]) <= 0x1p53)
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
