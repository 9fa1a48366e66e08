/* strbuf.h: a growing, always terminated text in an arena. */
#ifndef POSVIZ_STRBUF_H
#define POSVIZ_STRBUF_H

#include <stddef.h>

#include "posviz/base/arena.h"

struct strbuf {
	struct arena *arena;
	char *at; /* terminated; never NULL after strbuf_init */
	size_t len, cap;
};

void strbuf_init(struct strbuf *b, struct arena *arena);
void strbuf_add(struct strbuf *b, const char *text);
void strbuf_add_n(struct strbuf *b, const char *text, size_t len); /* bytes, NUL included */
void strbuf_add_char(struct strbuf *b, char c);
void strbuf_printf(struct strbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
