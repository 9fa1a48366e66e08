/* arena.c: a stack of blocks from malloc.
 *
 * Blocks are linked from the newest to the oldest and only the newest is filled. A rewind keeps the
 * largest block it empties as a spare of the block it returns to, so that a loop of mark, allocate
 * and rewind asks malloc only once. Under AddressSanitizer whatever is not handed out is poisoned,
 * with a red zone behind each piece, so use after a rewind is found like use after free. */
#include "posviz/base/arena.h"
#include "posviz/base/arena_child.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/base/err.h"
#include "posviz/base/num.h"
#include "posviz/base/portable.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_POISON 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(ARENA_POISON)
#define ARENA_POISON 1
#endif

#ifdef ARENA_POISON
#include <sanitizer/asan_interface.h>
enum { RED_ZONE = 64 };
#else
#define ASAN_POISON_MEMORY_REGION(at, size)   ((void)(at), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
enum { RED_ZONE = 0 };
#endif

enum {
	ALIGNMENT = 64,
	FIRST_BLOCK = 64 << 10,
	GROWTH_LIMIT = 8 << 20,
	LARGE = 8000000,
	KEPT = 32,
	KEPT_LEAST = 16 << 20
};

struct arena_block {
	struct arena_block *below;    /* older */
	struct arena_block *spare;    /* emptied by a rewind to this block, or NULL */
	size_t size, used;	      /* bytes from ALIGNMENT behind this header on */
	struct arena_child *children; /* arenas that end with a piece of this block, newest first */
};

struct arena_child {
	struct arena arena;
	struct arena_child *older;
	void (*end)(void *context); /* or NULL */
	void *context;
};

static_assert(sizeof(struct arena_block) <= ALIGNMENT, "the header fits before the first byte");

static char *block_bytes(struct arena_block *block)
{
	return (char *)block + ALIGNMENT;
}

/* Releases the children that stand from `used` bytes on. */
static void release_children(struct arena_block *block, size_t used)
{
	while (block->children && (char *)block->children >= block_bytes(block) + used) {
		struct arena_child *const child = block->children;
		block->children = child->older;
		if (child->end)
			child->end(child->context);
		arena_release(&child->arena);
	}
}

/* Empties the block down to `used` bytes. The memory above block->used is poisoned already. */
static void block_empty(struct arena_block *block, size_t used)
{
	BUG_IF(used > block->used);
	release_children(block, used);
	ASAN_POISON_MEMORY_REGION(block_bytes(block) + used, block->used - used);
	block->used = used;
}

/* ---- large blocks between evaluations -------------------------------------------------------- */

/* Released large blocks. The kernel clears new pages, which can take longer than the computation
 * in them. So large blocks, which malloc would give back, wait here for a request of about their
 * size. A request that finds none first frees as much as it takes. */
static struct {
	pthread_mutex_t lock;
	struct arena_block *at[KEPT]; /* the oldest first */
	size_t n, bytes, most;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct arena_block *kept_remove(size_t i)
{
	struct arena_block *const block = kept.at[i];
	kept.n--;
	kept.bytes -= block->size;
	memmove(&kept.at[i], &kept.at[i + 1], (kept.n - i) * sizeof *kept.at);
	return block;
}

static void keep_or_free(struct arena_block *block)
{
	if (block == NULL || RED_ZONE > 0 || block->size < KEPT_LEAST) {
		free(block);
		return;
	}
	pthread_mutex_lock(&kept.lock);
	const bool fits = block->size <= kept.most;
	while (fits && (kept.n == KEPT || kept.bytes + block->size > kept.most))
		free(kept_remove(0));
	if (fits) {
		kept.at[kept.n++] = block;
		kept.bytes += block->size;
	}
	pthread_mutex_unlock(&kept.lock);
	if (!fits)
		free(block);
}

void arena_keep_released(size_t bytes)
{
	pthread_mutex_lock(&kept.lock);
	kept.most = bytes;
	while (kept.bytes > bytes)
		free(kept_remove(0));
	pthread_mutex_unlock(&kept.lock);
}

static struct arena_block *kept_find(size_t size)
{
	struct arena_block *block = NULL;
	pthread_mutex_lock(&kept.lock);
	size_t best = kept.n;
	for (size_t i = 0; i < kept.n; i++) {
		const size_t has = kept.at[i]->size;
		if (has >= size && has - size <= size / 4 &&
		    (best == kept.n || has < kept.at[best]->size))
			best = i;
	}
	if (best < kept.n)
		block = kept_remove(best);
	for (size_t freed = 0; block == NULL && kept.n > 0 && freed < size;) {
		freed += kept.at[0]->size;
		free(kept_remove(0));
	}
	pthread_mutex_unlock(&kept.lock);
	return block;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void block_free(struct arena_block *block)
{
	if (block == NULL)
		return;
	release_children(block, 0);
	ASAN_UNPOISON_MEMORY_REGION(block_bytes(block), block->size);
	keep_or_free(block->spare);
	keep_or_free(block);
}

static size_t round_up(size_t size)
{
	if (size > SIZE_MAX / 2)
		die("out of memory: %zu bytes wanted", size);
	return size == 0 ? ALIGNMENT : (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

/* Doubles from block to block up to a limit; a single large piece gets a block of its own size. */
static struct arena_block *block_new(const struct arena_block *top, size_t need)
{
	size_t size = top != NULL ? top->size * 2 : FIRST_BLOCK;
	if (size > GROWTH_LIMIT)
		size = GROWTH_LIMIT;
	if (size < need)
		size = need;
	struct arena_block *block = size < KEPT_LEAST ? NULL : kept_find(size);
	if (block != NULL) {
		*block = (struct arena_block){.size = block->size};
		return block;
	}
	block = aligned_alloc(ALIGNMENT, ALIGNMENT + round_up(size));
	if (block == NULL)
		die("out of memory: %zu bytes wanted", size);
	if (need >= LARGE) /* one piece, which will be written from end to end */
		portable_large_pages(block, need);
	*block = (struct arena_block){.size = size, .used = size};
	block_empty(block, 0);
	return block;
}

static void push_block(struct arena *a, size_t need)
{
	struct arena_block *block = NULL;
	if (a->top != NULL && a->top->spare != NULL && a->top->spare->size >= need) {
		block = a->top->spare;
		a->top->spare = NULL;
	} else {
		block = block_new(a->top, need);
	}
	block->below = a->top;
	a->top = block;
}

/* Takes every block above `stop` off the stack; returns the largest, emptied, or NULL. */
static struct arena_block *pop_blocks(struct arena *a, const struct arena_block *stop)
{
	struct arena_block *largest = NULL;
	while (a->top != stop) {
		BUG_IF(a->top == NULL);
		struct arena_block *block = a->top;
		a->top = block->below;
		if (largest == NULL || block->size > largest->size) {
			block_free(largest);
			largest = block;
		} else {
			block_free(block);
		}
	}
	if (largest == NULL)
		return NULL;
	if (largest->spare != NULL) {
		block_free(largest->spare);
		largest->spare = NULL;
	}
	largest->below = NULL;
	block_empty(largest, 0);
	return largest;
}

void arena_init(struct arena *a)
{
	*a = (struct arena){0};
}

void arena_release(struct arena *a)
{
	block_free(pop_blocks(a, NULL));
	arena_init(a);
}

void arena_clear(struct arena *a)
{
	a->top = pop_blocks(a, NULL);
	a->used = 0;
}

void *arena_alloc(struct arena *a, size_t size)
{
	const size_t rounded = round_up(size), need = rounded + RED_ZONE;
	if (a->top == NULL || a->top->size - a->top->used < need)
		push_block(a, need);
	char *at = block_bytes(a->top) + a->top->used;
	a->top->used += need;
	a->used += rounded;
	if (a->used > a->peak)
		a->peak = a->used;
	ASAN_UNPOISON_MEMORY_REGION(at, size);
	return at;
}

static struct arena_child *new_child(struct arena *a)
{
	struct arena_child *const child = arena_calloc(a, 1, sizeof *child);
	arena_init(&child->arena);
	child->older = a->top->children;
	a->top->children = child;
	return child;
}

struct arena *arena_child(struct arena *a)
{
	return &new_child(a)->arena;
}

void arena_at_end(struct arena *a, void (*end)(void *context), void *context)
{
	struct arena_child *const child = new_child(a);
	child->end = end;
	child->context = context;
}

void *arena_calloc(struct arena *a, size_t count, size_t size)
{
	size_t bytes = 0;
	if (!num_mul(count, size, &bytes))
		die("out of memory: %zu times %zu bytes wanted", count, size);
	void *at = arena_alloc(a, bytes);
	return memset(at, 0, bytes);
}

enum { GROW_FIRST = 16 };

void *arena_grow(struct arena *a, void *at, size_t n, size_t *cap, size_t size)
{
	BUG_IF(n > *cap);
	if (n < *cap)
		return at;
	size_t more = GROW_FIRST;
	if (*cap > 0 && !num_mul(*cap, 2, &more))
		die("out of memory: more than %zu elements wanted", *cap);
	char *const grown = arena_calloc(a, more, size);
	if (n > 0)
		memcpy(grown, at, n * size);
	*cap = more;
	return grown;
}

char *arena_strndup(struct arena *a, const char *text, size_t len)
{
	char *copy = arena_alloc(a, len + 1);
	if (len > 0)
		memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

char *arena_strdup(struct arena *a, const char *text)
{
	return arena_strndup(a, text, strlen(text));
}

char *arena_vprintf(struct arena *a, const char *fmt, va_list args)
{
	va_list again;
	va_copy(again, args);
	const int len = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	BUG_IF(len < 0);
	char *text = arena_alloc(a, (size_t)len + 1);
	vsnprintf(text, (size_t)len + 1, fmt, args);
	return text;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	char *text = arena_vprintf(a, fmt, args);
	va_end(args);
	return text;
}

struct arena_mark arena_mark(const struct arena *a)
{
	return (struct arena_mark){
		.block = a->top,
		.block_used = a->top != NULL ? a->top->used : 0,
		.used = a->used,
	};
}

void arena_rewind(struct arena *a, struct arena_mark mark)
{
	BUG_IF(mark.used > a->used);
	struct arena_block *spare = pop_blocks(a, mark.block);
	a->used = mark.used;
	if (mark.block == NULL) {
		a->top = spare;
		return;
	}
	block_empty(mark.block, mark.block_used);
	if (spare == NULL)
		return;
	if (mark.block->spare != NULL && mark.block->spare->size >= spare->size) {
		block_free(spare);
		return;
	}
	block_free(mark.block->spare);
	mark.block->spare = spare;
}
