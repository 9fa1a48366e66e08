/* arena.h: memory with one lifetime.
 *
 * Everything a computation makes comes from an arena that its caller passes in; whoever made the
 * arena releases it, and nothing inside is freed singly. A mark remembers a height of the stack and
 * arena_rewind drops all that came after it, which is how heads are streamed in bounded memory. */
#ifndef POSVIZ_ARENA_H
#define POSVIZ_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *top; /* newest block, or NULL */
	size_t used;		 /* bytes handed out and not rewound */
	size_t peak;		 /* the largest `used` so far */
};

struct arena_mark {
	struct arena_block *block;
	size_t block_used, used;
};

/* Makes an empty arena; no memory is taken before the first allocation. */
void arena_init(struct arena *a);

/* Gives all memory back; the arena is empty and usable afterwards. */
void arena_release(struct arena *a);

/* Lets released blocks of 16 MB and more, of all arenas and up to `bytes` together, wait for an
 * arena that wants a block of about their size. With 0, the default, no block waits. */
void arena_keep_released(size_t bytes);

/* Forgets all allocations but keeps the largest block for the next round. */
void arena_clear(struct arena *a);

/* Returns `size` bytes, aligned to 64, not initialised. Dies when the machine has no more. */
void *arena_alloc(struct arena *a, size_t size);

/* Returns an array of `count` zeroed elements of `size` bytes; dies when the product overflows. */
void *arena_calloc(struct arena *a, size_t count, size_t size);

/* Returns an array of elements of `size` bytes that has room for one more than the n in `at`: `at` itself, or a copy
 * with twice the room, *cap, and zeros behind its elements. The first has no elements: NULL, 0, 0. */
void *arena_grow(struct arena *a, void *at, size_t n, size_t *cap, size_t size);

/* Copies of text. arena_strndup always terminates; arena_printf formats like printf. */
char *arena_strdup(struct arena *a, const char *text);
char *arena_strndup(struct arena *a, const char *text, size_t len);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list args)
	__attribute__((format(printf, 2, 0)));

/* arena_mark returns the present height of the stack; arena_rewind returns to it, and everything
 * allocated in between is gone. */
struct arena_mark arena_mark(const struct arena *a);
void arena_rewind(struct arena *a, struct arena_mark mark);

#endif
