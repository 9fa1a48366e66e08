/* element.h: numbers as tensor files store them. */
#ifndef FORMAT_ELEMENT_H
#define FORMAT_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/err.h"

/* The storage type of a number in a file. The types from ELEMENT_I64 on are integers. */
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
	ELEMENT_KINDS
};

size_t element_size(enum element_kind kind);
bool element_is_whole(enum element_kind kind);

/* Return the type with this name in safetensors ("F32") or npy ("<f4", ">f4"); ELEMENT_KINDS
 * when there is none. */
enum element_kind element_of_safetensors(const char *name);
enum element_kind element_of_npy(const char *name);

/* Decodes `count` elements from `bytes` (any alignment), little-endian unless `big`. False when
 * an integer is too large for a double to hold exactly. */
bool element_decode(double *out, const unsigned char *bytes, enum element_kind kind, bool big,
		    size_t count, struct err *err);

/* Encodes numbers as ELEMENT_F64 or ELEMENT_I64, 8 bytes each. With `integer` the values must be
 * whole numbers: BUG otherwise. */
void element_encode(unsigned char *out, const double *values, size_t count, bool integer);

#endif
