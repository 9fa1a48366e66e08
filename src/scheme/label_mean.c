/* label_mean.c: see label_mean.h. */
#include "scheme/label_mean.h"

#include <stdlib.h>
#include <string.h>

/* ---- ties ------------------------------------------------------------------------------------ */

static bool same_tie(const struct tie *a, const struct tie *b)
{
	return a->n == b->n && memcmp(a->path, b->path, a->n * sizeof *a->path) == 0 &&
	       memcmp(a->count, b->count, a->n * sizeof *a->count) == 0;
}

static size_t slot_of(const struct tie_set *set, const struct tie *tie)
{
	uint64_t h = tie->n;
	for (size_t i = 0; i < tie->n; i++)
		h = (h ^ (uint64_t)(uint32_t)tie->path[i]) * 0x9e3779b97f4a7c15ull;
	size_t slot = (size_t)(h >> 32) & (set->n_slots - 1);
	while (set->slots[slot] && !same_tie(&set->at[set->slots[slot] - 1], tie))
		slot = (slot + 1) & (set->n_slots - 1);
	return slot;
}

static void grow(struct tie_set *set)
{
	const struct tie *old = set->at;
	set->cap = set->cap ? 2 * set->cap : 64;
	set->at = arena_alloc(set->arena, set->cap * sizeof *set->at);
	if (old)
		memcpy(set->at, old, set->n * sizeof *old);
	set->n_slots = 4 * set->cap;
	set->slots = arena_calloc(set->arena, set->n_slots, sizeof *set->slots);
	for (size_t i = 0; i < set->n; i++)
		set->slots[slot_of(set, &set->at[i])] = (int32_t)i + 1;
}

int32_t label_tie_number(struct tie_set *set, const struct tie *tie)
{
	if (set->n == set->cap)
		grow(set);
	int32_t *slot = &set->slots[slot_of(set, tie)];
	if (*slot)
		return *slot - 1;
	const size_t n = tie->n;
	double *count = arena_alloc(set->arena, n * (sizeof *count + sizeof(int32_t)));
	int32_t *path = (void *)(count + n);
	memcpy(count, tie->count, n * sizeof *count);
	memcpy(path, tie->path, n * sizeof *path);
	set->at[set->n] = (struct tie){n, tie->length, path, count, (int32_t)set->n};
	*slot = (int32_t)++set->n;
	return *slot - 1;
}

/* ---- means ----------------------------------------------------------------------------------- */

/* Compares ties with the same number of paths and the same first one. */
static int compare(const void *a, const void *b)
{
	const struct tie *x = a, *y = b;
	for (size_t i = 1; i < x->n; i++)
		if (x->path[i] != y->path[i])
			return x->path[i] < y->path[i] ? -1 : 1;
	for (size_t i = 0; i < x->n; i++)
		if (x->count[i] != y->count[i])
			return x->count[i] < y->count[i] ? -1 : 1;
	return 0;
}

static size_t key_of(const struct tie *tie, bool by_size)
{
	return by_size ? tie->length * (LABEL_PATH_TIES + 1) + tie->n : (size_t)tie->path[0];
}

/* A stable counting sort. */
static void sort_by(struct tie *out, const struct tie *in, size_t n, bool by_size, size_t keys,
		    struct arena *a)
{
	size_t *next = arena_calloc(a, keys + 1, sizeof *next);
	for (size_t i = 0; i < n; i++)
		next[key_of(&in[i], by_size) + 1]++;
	for (size_t i = 0; i < keys; i++)
		next[i + 1] += next[i];
	for (size_t i = 0; i < n; i++)
		out[next[key_of(&in[i], by_size)]++] = in[i];
}

/* Sorts by length, by size, then by content, so that the order does not depend on where they
 * were found. Most are distinguished by the counting sorts. */
static void sort_ties(struct tie_set *set, size_t paths)
{
	enum { SIZES = (LABEL_PATH_LONGEST + 1) * (LABEL_PATH_TIES + 1) };
	struct tie *other = arena_alloc(set->arena, (set->n + 1) * sizeof *other);
	sort_by(other, set->at, set->n, false, paths, set->arena);
	sort_by(set->at, other, set->n, true, SIZES, set->arena);
	for (size_t i = 0, past; i < set->n; i = past) {
		const struct tie *first = &set->at[i];
		for (past = i + 1; past < set->n; past++)
			if (set->at[past].n != first->n || set->at[past].path[0] != first->path[0])
				break;
		if (past - i > 1)
			qsort(&set->at[i], past - i, sizeof *first, compare);
	}
}

/* Adds a mean; returns its number. */
static int32_t add(struct path_means *m, size_t n, const int32_t *path, const double *count)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += count[i];
	for (size_t i = 0, at = m->first[m->n]; i < n; i++, at++) {
		m->path[at] = path[i];
		m->share[at] = count[i] / sum;
	}
	m->first[m->n + 1] = m->first[m->n] + n;
	return (int32_t)m->n++;
}

/* Allocates all means: of paths that some pair reads, which get 1 in `read`, and of ties. */
static struct path_means room(const struct tie_set *ties, const int32_t *pairs, size_t n_pairs,
			      int32_t *read, struct arena *a)
{
	size_t means = ties->n, parts = 0;
	for (size_t i = 0; i < n_pairs; i++)
		if (pairs[i] >= 0 && !read[pairs[i]]) {
			read[pairs[i]] = 1;
			means++, parts++;
		}
	for (size_t i = 0; i < ties->n; i++)
		parts += ties->at[i].n;
	return (struct path_means){.first = arena_calloc(a, means + 1, sizeof(size_t)),
				   .path = arena_alloc(a, parts * sizeof(int32_t)),
				   .share = arena_alloc(a, parts * sizeof(double))};
}

struct path_means label_means(struct tie_set *ties, const struct label_paths *paths, int32_t *pairs,
			      size_t n_pairs, struct arena *a)
{
	static const double once = 1;
	int32_t *of_path = arena_calloc(ties->arena, paths->count + 1, sizeof *of_path);
	int32_t *of_tie = arena_calloc(ties->arena, ties->n + 1, sizeof *of_tie);
	struct path_means m = room(ties, pairs, n_pairs, of_path, a);
	size_t next = 0;
	sort_ties(ties, paths->count);
	for (size_t length = 1; length <= LABEL_PATH_LONGEST; length++) {
		const int32_t past = (int32_t)paths->first[length + 1];
		m.of_length[length] = m.n;
		for (int32_t i = (int32_t)paths->first[length]; i < past; i++)
			if (of_path[i])
				of_path[i] = add(&m, 1, &i, &once);
		for (; next < ties->n && ties->at[next].length == length; next++) {
			const struct tie *t = &ties->at[next];
			of_tie[t->number] = add(&m, t->n, t->path, t->count);
		}
	}
	m.of_length[LABEL_PATH_LONGEST + 1] = m.n;
	for (size_t i = 0; i < n_pairs; i++)
		pairs[i] = pairs[i] >= 0 ? of_path[pairs[i]] : of_tie[label_tie_of_pair(pairs[i])];
	return m;
}
