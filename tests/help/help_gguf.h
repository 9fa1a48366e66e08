/* help_gguf.h: GGUF files made by tests, piece by piece, so that any piece can be wrong. */
#ifndef HELP_GGUF_H
#define HELP_GGUF_H

#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"

/* Types of values. */
enum {
	GGUF_U8,
	GGUF_I8,
	GGUF_U16,
	GGUF_I16,
	GGUF_U32,
	GGUF_I32,
	GGUF_F32,
	GGUF_BOOL,
	GGUF_STRING,
	GGUF_ARRAY,
	GGUF_U64,
	GGUF_I64,
	GGUF_F64
};
/* Some types of tensors. */
enum { GGUF_TENSOR_F32 = 0, GGUF_TENSOR_Q8_0 = 8, GGUF_TENSOR_IQ2_XXS = 16 };

struct gguf_maker {
	struct arena *arena;
	unsigned char *at;
	size_t len, cap;
};

void gguf_begin(struct gguf_maker *m, struct arena *a, uint32_t version, uint64_t tensors,
		uint64_t keys);
void gguf_add(struct gguf_maker *m, uint64_t number, size_t bytes); /* little-endian */
void gguf_add_text(struct gguf_maker *m, const char *text, size_t len);
void gguf_key(struct gguf_maker *m, const char *key, uint32_t type);
void gguf_key_text(struct gguf_maker *m, const char *key, const char *text);
void gguf_key_u32(struct gguf_maker *m, const char *key, uint32_t number);
/* A description; sizes with the fastest first, the end is 0. */
void gguf_tensor(struct gguf_maker *m, const char *name, const uint64_t *sizes, uint32_t type,
		 uint64_t offset);
/* Zeros up to the next multiple, and that many bytes of data after it. */
void gguf_pad(struct gguf_maker *m, size_t alignment);
void gguf_zeros(struct gguf_maker *m, size_t n);

#endif
