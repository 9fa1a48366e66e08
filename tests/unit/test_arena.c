/* test_arena.c: lifetimes, alignment, limits; strbuf, which lives on it; embedded assets. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/base/arena.h"
#include "posviz/base/asset.h"
#include "posviz/base/strbuf.h"

TEST_WITH(alloc_is_aligned_and_separate, open_arena, close_arena)
{
	static const size_t sizes[] = {0, 1, 63, 64, 65, 1000, 1 << 16, 1 << 20, 20 << 20, 7};
	enum { N = sizeof sizes / sizeof *sizes };
	unsigned char *at[N];
	for (size_t i = 0; i < N; i++) {
		at[i] = arena_alloc(*state, sizes[i]);
		assert_int_equal((uintptr_t)at[i] % 64, 0);
		memset(at[i], (int)i + 1, sizes[i]);
	}
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < sizes[i]; j += 61)
			assert_int_equal(at[i][j], i + 1);
}

TEST_WITH(calloc_gives_zeros_after_a_rewind, open_arena, close_arena)
{
	const struct arena_mark mark = arena_mark(*state);
	memset(arena_alloc(*state, 500), 0xAA, 500);
	arena_rewind(*state, mark);
	const unsigned char *at = arena_calloc(*state, 100, 5);
	for (int i = 0; i < 500; i++)
		assert_int_equal(at[i], 0);
}

TEST_WITH(rewind_returns_to_the_mark, open_arena, close_arena)
{
	struct arena *a = *state;
	char *kept = arena_strdup(a, "kept");
	const size_t used = a->used;
	const struct arena_mark outer = arena_mark(a);
	arena_alloc(a, 3 << 20);
	const struct arena_mark inner = arena_mark(a);
	const size_t middle = a->used;
	arena_alloc(a, 9 << 20);
	arena_rewind(a, inner);
	assert_int_equal(a->used, middle);
	arena_rewind(a, outer);
	assert_int_equal(a->used, used);
	assert_true(a->peak >= (size_t)(12 << 20));
	assert_string_equal(kept, "kept");
}

/* Marks of an arena that has no block yet, and of one that has. */
TEST_WITH(rewind_reuses_memory, open_arena, close_arena)
{
	struct arena *a = *state;
	for (int i = 0; i < 2; i++) {
		const struct arena_mark mark = arena_mark(a);
		const void *first = arena_alloc(a, 2 << 20);
		arena_rewind(a, mark);
		const struct arena_mark again = arena_mark(a);
		assert_ptr_equal(arena_alloc(a, 2 << 20), first);
		arena_rewind(a, again);
		arena_alloc(a, 10);
	}
}

TEST_WITH(clear_keeps_the_largest_block, open_arena, close_arena)
{
	struct arena *a = *state;
	arena_alloc(a, 100);
	const struct arena_mark mark = arena_mark(a);
	arena_alloc(a, 1 << 20);
	arena_rewind(a, mark); /* leaves a spare that is too small for what comes */
	const void *large = arena_alloc(a, 20 << 20);
	arena_alloc(a, 100);
	arena_clear(a);
	assert_int_equal(a->used, 0);
	assert_ptr_equal(arena_alloc(a, 20 << 20), large);
}

TEST_WITH(copies_of_text_are_terminated, open_arena, close_arena)
{
	assert_string_equal(arena_strndup(*state, "abcdef", 3), "abc");
	assert_string_equal(arena_strndup(*state, "", 0), "");
	assert_string_equal(arena_printf(*state, "%d-%s", 7, "x"), "7-x");
}

/* Runs `run` in a child whose messages are dropped; returns its wait status. */
static int status_of(void (*run)(struct arena *a), struct arena *a)
{
	const pid_t pid = fork();
	if (pid == 0) {
		if (freopen("/dev/null", "w", stderr) == NULL)
			_exit(99);
		signal(SIGABRT, SIG_DFL);
		run(a);
		_exit(0);
	}
	int status = 0;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void overflow(struct arena *a)
{
	arena_calloc(a, SIZE_MAX / 2, 4);
}

static void too_much(struct arena *a)
{
	arena_alloc(a, SIZE_MAX - 10);
}

TEST_WITH(impossible_sizes_die, open_arena, close_arena)
{
	void (*const runs[])(struct arena *) = {overflow, too_much};
	for (size_t i = 0; i < 2; i++) {
		const int status = status_of(runs[i], *state);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 2);
	}
}

#ifdef __SANITIZE_ADDRESS__
static void use_after_rewind(struct arena *a)
{
	const struct arena_mark mark = arena_mark(a);
	volatile char *at = arena_alloc(a, 100);
	arena_rewind(a, mark);
	at[0] = 1;
}

static void use_behind_the_end(struct arena *a)
{
	volatile char *at = arena_alloc(a, 64);
	arena_alloc(a, 64);
	at[64] = 1;
}

TEST_WITH(misuse_is_found_by_the_sanitizer, open_arena, close_arena)
{
	void (*const runs[])(struct arena *) = {use_after_rewind, use_behind_the_end};
	for (size_t i = 0; i < 2; i++)
		assert_int_not_equal(status_of(runs[i], *state), 0);
}
#endif

TEST_WITH(strbuf_grows_and_stays_terminated, open_arena, close_arena)
{
	struct strbuf b;
	strbuf_init(&b, *state);
	assert_string_equal(b.at, "");
	for (int i = 0; i < 1000; i++)
		strbuf_printf(&b, "%03d,", i);
	assert_int_equal(b.len, 4000);
	assert_memory_equal(b.at + 4 * 999, "999,", 5);
	strbuf_add_n(&b, "a\0b", 3);
	assert_int_equal(b.len, 4003);
	assert_memory_equal(b.at + 4000, "a\0b", 4);
	strbuf_add_char(&b, 'x');
	strbuf_add(&b, "yz");
	assert_string_equal(b.at + 4003, "xyz");
}

/* The boundary where a text fills the buffer exactly. */
TEST_WITH(strbuf_printf_fits_at_every_length, open_arena, close_arena)
{
	for (int len = 120; len < 136; len++) {
		struct strbuf b;
		strbuf_init(&b, *state);
		strbuf_printf(&b, "%*s", len, "e");
		assert_int_equal(b.len, len);
		assert_int_equal(strlen(b.at), len);
		strbuf_add(&b, "!");
		assert_int_equal(b.at[len], '!');
	}
}

/* Blocks as large as are kept for who wants one of their size: what is in them is not. */
TEST(large_pieces_come_clean_and_apart)
{
	enum { PIECE = 20 << 20, PIECES = 8 }; /* more than are kept */
	arena_keep_released(256 << 20);
	for (int round = 0; round < 2; round++) {
		struct arena a[PIECES];
		unsigned char *at[PIECES];
		for (int i = 0; i < PIECES; i++) {
			arena_init(&a[i]);
			arena_alloc(&a[i], PIECE); /* below, so that both leave at once */
			at[i] = arena_calloc(&a[i], 1, PIECE - i);
			assert_int_equal(at[i][0], 0);
			assert_int_equal(at[i][PIECE - i - 1], 0);
			assert_memory_equal(at[i], at[i] + 1, 4096);
			memset(at[i], i + 1, PIECE - i);
		}
		for (int i = 0; i < PIECES; i++) {
			assert_int_equal(at[i][0], i + 1);
			assert_int_equal(at[i][PIECE - i - 1], i + 1);
			arena_release(&a[i]);
		}
	}
	arena_keep_released(0);
}

TEST(asset_table_is_searched_by_path)
{
	assert_null(asset_find("no/such/asset"));
	for (const struct asset *asset = assets; asset->path != NULL; asset++) {
		assert_ptr_equal(asset_find(asset->path), asset);
		assert_true(asset->end >= asset->begin);
		assert_int_equal(*asset->end, '\0');
	}
}

/* The elements of a list stay as they were while it grows, and those behind them are zeros. */
TEST(lists_grow_by_doubling)
{
	struct arena a;
	size_t cap = 0, grown = 0;
	int32_t *at = NULL;
	arena_init(&a);
	for (size_t n = 0; n < 100; n++) {
		const size_t before = cap;
		at = arena_grow(&a, at, n, &cap, sizeof *at);
		grown += cap != before;
		assert_true(cap > n && (before == 0 || cap == before || cap == 2 * before));
		for (size_t i = n; cap != before && i < cap; i++)
			assert_int_equal(at[i], 0);
		at[n] = (int32_t)n + 1;
	}
	assert_int_equal(grown, 4);
	for (size_t i = 0; i < 100; i++)
		assert_int_equal(at[i], i + 1);
	arena_release(&a);
}
