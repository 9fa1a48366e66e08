#include "help_gguf.h"

#include <string.h>

static void add_bytes(struct gguf_maker *m, const void *from, size_t n)
{
	if (m->len + n > m->cap) {
		m->cap = 2 * (m->len + n);
		unsigned char *const larger = arena_alloc(m->arena, m->cap);
		memcpy(larger, m->at, m->len);
		m->at = larger;
	}
	memcpy(m->at + m->len, from, n);
	m->len += n;
}

void gguf_add(struct gguf_maker *m, uint64_t number, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		add_bytes(m, &(unsigned char){(unsigned char)(number >> (8 * i))}, 1);
}

void gguf_begin(struct gguf_maker *m, struct arena *a, uint32_t version, uint64_t tensors,
		uint64_t keys)
{
	*m = (struct gguf_maker){.arena = a, .at = arena_alloc(a, 64), .cap = 64};
	add_bytes(m, "GGUF", 4);
	gguf_add(m, version, 4);
	gguf_add(m, tensors, 8);
	gguf_add(m, keys, 8);
}

void gguf_add_text(struct gguf_maker *m, const char *text, size_t len)
{
	gguf_add(m, len, 8);
	add_bytes(m, text, len);
}

void gguf_key(struct gguf_maker *m, const char *key, uint32_t type)
{
	gguf_add_text(m, key, strlen(key));
	gguf_add(m, type, 4);
}

void gguf_key_text(struct gguf_maker *m, const char *key, const char *text)
{
	gguf_key(m, key, GGUF_STRING);
	gguf_add_text(m, text, strlen(text));
}

void gguf_key_u32(struct gguf_maker *m, const char *key, uint32_t number)
{
	gguf_key(m, key, GGUF_U32);
	gguf_add(m, number, 4);
}

void gguf_tensor(struct gguf_maker *m, const char *name, const uint64_t *sizes, uint32_t type,
		 uint64_t offset)
{
	size_t dims = 0;
	while (sizes[dims])
		dims++;
	gguf_add_text(m, name, strlen(name));
	gguf_add(m, dims, 4);
	for (size_t i = 0; i < dims; i++)
		gguf_add(m, sizes[i], 8);
	gguf_add(m, type, 4);
	gguf_add(m, offset, 8);
}

void gguf_zeros(struct gguf_maker *m, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_bytes(m, "", 1);
}

void gguf_pad(struct gguf_maker *m, size_t alignment)
{
	gguf_zeros(m, (alignment - m->len % alignment) % alignment);
}
