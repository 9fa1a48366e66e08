/* element.h: numbers as tensor files store them. */
#ifndef FORMAT_ELEMENT_H
#define FORMAT_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/err.h"

/* The storage type of numbers in a file: one by one; or in the blocks of GGUF, whose numbers share
 * scales (blocks.c). */
enum element_kind {
	ELEMENT_F64,
	ELEMENT_F32,
	ELEMENT_F16,
	ELEMENT_BF16,
	ELEMENT_I64,
	ELEMENT_I32,
	ELEMENT_I16,
	ELEMENT_I8,
	ELEMENT_U64,
	ELEMENT_U32,
	ELEMENT_U16,
	ELEMENT_U8,
	ELEMENT_BOOL,
	ELEMENT_Q4_0,
	ELEMENT_Q4_1,
	ELEMENT_Q5_0,
	ELEMENT_Q5_1,
	ELEMENT_Q8_0,
	ELEMENT_Q2_K,
	ELEMENT_Q3_K,
	ELEMENT_Q4_K,
	ELEMENT_Q5_K,
	ELEMENT_Q6_K,
	ELEMENT_MXFP4,
	ELEMENT_KINDS
};

/* Return the numbers of a block, 1 for types without blocks, and its bytes. */
size_t element_block(enum element_kind kind);
size_t element_size(enum element_kind kind);
/* Returns whether the numbers are integers or truth values. */
bool element_is_whole(enum element_kind kind);
/* Returns "F32", "Q4_K". */
const char *element_name(enum element_kind kind);

/* Return the type with this name in safetensors ("F32") or npy ("<f4", ">f4"); or this number in
 * GGUF; ELEMENT_KINDS when there is none. */
enum element_kind element_of_safetensors(const char *name);
enum element_kind element_of_npy(const char *name);
enum element_kind element_of_gguf(uint32_t number);

/* Decodes `count` elements, whole blocks, from `bytes` (any alignment), little-endian unless `big`.
 * False when an integer is too large for a double to hold exactly. */
bool element_decode(double *out, const unsigned char *bytes, enum element_kind kind, bool big,
		    size_t count, struct err *err);

/* Returns the number of the 16 bits of half precision. */
double element_half(uint32_t bits);

/* Encodes numbers as ELEMENT_F64 or ELEMENT_I64, 8 bytes each. With `integer` the values must be
 * whole numbers: BUG otherwise. */
void element_encode(unsigned char *out, const double *values, size_t count, bool integer);

#endif
