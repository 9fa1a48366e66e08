/* pair_order.c: see pair_order.h. */
#include "scheme/pair_order.h"

#include <stdbool.h>

enum { WORD = 64 };

void pair_sides_of(struct pair_sides *out, const int8_t *sign, size_t n, struct arena *a)
{
	const size_t words = (n + WORD - 1) / WORD;
	*out = (struct pair_sides){.n = n,
				   .words = words,
				   .later = arena_calloc(a, n * words + 1, sizeof *out->later),
				   .earlier = arena_calloc(a, n * words + 1, sizeof *out->earlier),
				   .n_later = arena_calloc(a, n + 1, sizeof *out->n_later),
				   .n_earlier = arena_calloc(a, n + 1, sizeof *out->n_earlier)};
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			const int said = sign[i * n + j];
			const uint64_t bit = (uint64_t)1 << j % WORD;
			out->later[i * words + j / WORD] |= said > 0 ? bit : 0;
			out->earlier[i * words + j / WORD] |= said < 0 ? bit : 0;
			out->n_later[i] += said > 0;
			out->n_earlier[i] += said < 0;
		}
}

static bool has(const struct pair_sides *s, const uint64_t *bits, size_t i, size_t j)
{
	return bits[i * s->words + j / WORD] >> j % WORD & 1;
}

/* Counts the k for which i and j have equal bits, minus one for i itself. */
static double count_equal(const struct pair_sides *s, const uint64_t *bits, size_t i, size_t j)
{
	size_t differ = 0;
	for (size_t w = 0; w < s->words; w++)
		differ += (size_t)__builtin_popcountll(bits[i * s->words + w] ^
						       bits[j * s->words + w]);
	return (double)s->n - (double)differ - 1;
}

/* Computes the share about which i and j agree. The 0.02 is the authors': 0 of 0 counts as 1. */
void pair_consistency(const struct pair_sides *s, size_t i, double *out)
{
	for (size_t j = 0; j < s->n; j++) {
		double all = 0, both = 0;
		if (has(s, s->later, i, j)) {
			all = (double)(s->n_earlier[i] + s->n_later[j]);
			both = count_equal(s, s->later, i, j);
		} else if (has(s, s->earlier, i, j)) {
			all = (double)(s->n_later[i] + s->n_earlier[j]);
			both = count_equal(s, s->earlier, i, j);
		}
		out[j] = (both + 0.02) / (all + 0.02);
	}
}

/* Reverses relations that fit less than half; false when there are none. */
static bool repair_once(int8_t *sign, size_t n, struct arena *a)
{
	struct pair_sides s;
	double *fits = arena_calloc(a, n + 1, sizeof *fits);
	bool any = false;
	pair_sides_of(&s, sign, n, a);
	for (size_t i = 0; i < n; i++) {
		pair_consistency(&s, i, fits);
		for (size_t j = 0; j < n; j++) {
			const bool turns = fits[j] < 0.5;
			sign[i * n + j] = (int8_t)(turns ? -sign[i * n + j] : sign[i * n + j]);
			any |= turns;
		}
	}
	return any;
}

static void repair(int8_t *sign, size_t n)
{
	struct arena scratch;
	bool more = true;
	arena_init(&scratch);
	for (size_t round = 0; round < PAIR_ORDER_ROUNDS && more; round++) {
		more = repair_once(sign, n, &scratch);
		arena_clear(&scratch);
	}
	arena_release(&scratch);
}

static void rank_by_count(const int8_t *sign, size_t n, struct arena *a, size_t *rank)
{
	size_t *later = arena_calloc(a, n + 1, sizeof *later);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			later[i] += sign[i * n + j] > 0;
	for (size_t i = 0; i < n; i++) {
		rank[i] = 0;
		for (size_t j = 0; j < n; j++)
			rank[i] += later[j] < later[i] || (j < i && later[j] == later[i]);
	}
}

/* Quicksort with the first element as pivot, as the tree of its pivots: the left subtree of each
 * pivot has the elements that are earlier, and every element meets the pivots above it in the
 * order of their numbers. */
static void rank_by_sort(const int8_t *sign, size_t n, struct arena *a, size_t *rank)
{
	size_t(*below)[2] = arena_calloc(a, n + 1, sizeof *below); /* number + 1; 0: none */
	size_t *above = arena_calloc(a, n + 1, sizeof *above), depth = 0, place = 0, root = 0;
	for (size_t i = 0; i < n; i++) {
		size_t *slot = &root;
		while (*slot)
			slot = &below[*slot - 1][sign[(*slot - 1) * n + i] <= 0];
		*slot = i + 1;
	}
	for (size_t at = root; at || depth > 0;) {
		for (; at; at = below[at - 1][0])
			above[depth++] = at;
		const size_t pivot = above[--depth] - 1;
		rank[pivot] = place++;
		at = below[pivot][1];
	}
}

void pair_order_find(int8_t *sign, size_t n, enum pair_order how, struct arena *a, size_t *rank)
{
	if (how == PAIR_ORDER_REPAIR)
		repair(sign, n);
	if (how == PAIR_ORDER_SORT)
		rank_by_sort(sign, n, a, rank);
	else
		rank_by_count(sign, n, a, rank);
}
