/* subset.h: sets of up to SUBSET_MOST heads or layers, from 0. */
#ifndef POSVIZ_SUBSET_H
#define POSVIZ_SUBSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SUBSET_MOST = 256, SUBSET_WORD = 64, SUBSET_WORDS = SUBSET_MOST / SUBSET_WORD };

struct subset {
	uint64_t at[SUBSET_WORDS];
};

#define SUBSET_ALL ((struct subset){{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}})

static inline bool subset_has(const struct subset *s, size_t i)
{
	return i < SUBSET_MOST && s->at[i / SUBSET_WORD] >> i % SUBSET_WORD & 1;
}

static inline void subset_add(struct subset *s, size_t i)
{
	s->at[i / SUBSET_WORD] |= UINT64_C(1) << i % SUBSET_WORD;
}

static inline void subset_remove(struct subset *s, size_t i)
{
	s->at[i / SUBSET_WORD] &= ~(UINT64_C(1) << i % SUBSET_WORD);
}

/* Returns the set with a single element. */
static inline struct subset subset_one(size_t i)
{
	struct subset s = {{0}};
	subset_add(&s, i);
	return s;
}

static inline struct subset subset_first(size_t n)
{
	struct subset s = {{0}};
	for (size_t i = 0; i < n && i < SUBSET_MOST; i++)
		subset_add(&s, i);
	return s;
}

static inline struct subset subset_and(struct subset a, struct subset b)
{
	for (size_t w = 0; w < SUBSET_WORDS; w++)
		a.at[w] &= b.at[w];
	return a;
}

static inline bool subset_same(struct subset a, struct subset b)
{
	return memcmp(&a, &b, sizeof a) == 0;
}

static inline bool subset_any(struct subset s)
{
	return !subset_same(s, (struct subset){{0}});
}

static inline bool subset_meets(struct subset a, struct subset b)
{
	return subset_any(subset_and(a, b));
}

static inline bool subset_within(struct subset a, struct subset b)
{
	return subset_same(subset_and(a, b), a);
}

/* Returns the set of the least element; empty if s is. */
static inline struct subset subset_least(struct subset s)
{
	size_t i = 0;
	while (i < SUBSET_MOST && !subset_has(&s, i))
		i++;
	return i < SUBSET_MOST ? subset_one(i) : s;
}

#endif
