/* strbuf.c: capacity doubles; the outgrown copies stay in the arena until it is rewound. */
#include "posviz/base/strbuf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "posviz/base/err.h"

enum { FIRST_CAPACITY = 128 };

/* Makes room for `more` bytes and the terminator. */
static void reserve(struct strbuf *b, size_t more)
{
	if (more < b->cap - b->len)
		return;
	if (more > SIZE_MAX / 4 - b->len)
		die("out of memory: a text of %zu more bytes", more);
	size_t cap = b->cap * 2;
	if (cap < b->len + more + 1)
		cap = b->len + more + 1;
	char *at = arena_alloc(b->arena, cap);
	memcpy(at, b->at, b->len + 1);
	b->at = at;
	b->cap = cap;
}

void strbuf_init(struct strbuf *b, struct arena *arena)
{
	*b = (struct strbuf){
		.arena = arena, .at = arena_alloc(arena, FIRST_CAPACITY), .cap = FIRST_CAPACITY};
	b->at[0] = '\0';
}

void strbuf_add_n(struct strbuf *b, const char *text, size_t len)
{
	reserve(b, len);
	if (len > 0)
		memcpy(b->at + b->len, text, len);
	b->len += len;
	b->at[b->len] = '\0';
}

void strbuf_add(struct strbuf *b, const char *text)
{
	strbuf_add_n(b, text, strlen(text));
}

void strbuf_add_char(struct strbuf *b, char c)
{
	strbuf_add_n(b, &c, 1);
}

void strbuf_printf(struct strbuf *b, const char *fmt, ...)
{
	va_list args, again;
	va_start(args, fmt);
	va_copy(again, args);
	const int len = vsnprintf(b->at + b->len, b->cap - b->len, fmt, args);
	va_end(args);
	BUG_IF(len < 0);
	if ((size_t)len >= b->cap - b->len) {
		b->at[b->len] = '\0';
		reserve(b, (size_t)len);
		vsnprintf(b->at + b->len, b->cap - b->len, fmt, again);
	}
	va_end(again);
	b->len += (size_t)len;
}
