/* label_trie.c: see label_trie.h. */
#include "scheme/label_trie.h"

#include <string.h>

/* The key stands beside the entry: whoever looked into entries would miss the cache twice. */
struct trie_slot {
	uint64_t key;
	int32_t entry; /* 0: free */
};

static uint64_t key_of(int32_t before, int32_t symbol)
{
	return (uint64_t)(uint32_t)before << 32 | (uint32_t)symbol;
}

static struct trie_slot *slot_of(const struct trie *t, uint64_t key)
{
	size_t i = (size_t)(key * 0x9e3779b97f4a7c15ull >> 32) & (t->n_slots - 1);
	while (t->slots[i].entry && t->slots[i].key != key)
		i = (i + 1) & (t->n_slots - 1);
	return &t->slots[i];
}

static void trie_grow(struct trie *t)
{
	const struct path *old = t->at;
	t->cap = t->cap ? 2 * t->cap : 256;
	t->at = arena_alloc(t->arena, t->cap * sizeof *t->at);
	if (old)
		memcpy(t->at, old, t->n * sizeof *old);
	t->n_slots = 2 * t->cap;
	t->slots = arena_calloc(t->arena, t->n_slots, sizeof *t->slots);
	for (size_t i = 1; i < t->n; i++) {
		const uint64_t key = key_of(t->at[i].before, t->at[i].last);
		*slot_of(t, key) = (struct trie_slot){key, (int32_t)i};
	}
}

void label_trie_init(struct trie *t, struct arena *a)
{
	*t = (struct trie){.arena = a};
	trie_grow(t);
	t->at[t->n++] = (struct path){0};
}

int32_t label_trie_child(struct trie *t, int32_t before, int32_t symbol)
{
	const uint64_t key = key_of(before, symbol);
	const int32_t known = slot_of(t, key)->entry;
	if (known)
		return known;
	const int32_t after = before ? label_trie_child(t, t->at[before].after, symbol) : 0;
	if (t->n == t->cap)
		trie_grow(t);
	t->at[t->n] = (struct path){.before = before,
				    .after = after,
				    .last = symbol,
				    .length = t->at[before].length + 1};
	*slot_of(t, key) = (struct trie_slot){key, (int32_t)t->n};
	return (int32_t)t->n++;
}

int label_trie_compare(const struct trie *t, int32_t a, int32_t b)
{
	if (a == b)
		return 0;
	const int before = label_trie_compare(t, t->at[a].before, t->at[b].before);
	return before ? before : (t->at[a].last > t->at[b].last) - (t->at[a].last < t->at[b].last);
}
