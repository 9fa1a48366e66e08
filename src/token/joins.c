/* joins.c: pairs of pieces that BPE joins, by the ids of both. */
#include "token/joins.h"

struct joins {
	struct join {
		uint64_t pair;
		int32_t rank, made; /* made < 0: an empty slot */
	} * at;
	size_t mask;
};

struct joins *joins_new(size_t n, struct arena *a)
{
	struct joins *const j = arena_calloc(a, 1, sizeof *j);
	size_t room = 16;
	while (room < 2 * n)
		room *= 2;
	j->at = arena_calloc(a, room, sizeof *j->at);
	j->mask = room - 1;
	for (size_t i = 0; i < room; i++)
		j->at[i].made = -1;
	return j;
}

/* Returns the place of a pair, or the empty one where it would be. */
static struct join *place_of(const struct joins *j, long left, long right)
{
	const uint64_t pair = (uint64_t)left << 32 | (uint64_t)right;
	size_t i = (size_t)((pair * 0x9E3779B97F4A7C15u) >> 20) & j->mask;
	while (j->at[i].made >= 0 && j->at[i].pair != pair)
		i = (i + 1) & j->mask;
	return &j->at[i];
}

void joins_add(struct joins *j, long left, long right, long rank, long made)
{
	*place_of(j, left, right) =
		(struct join){(uint64_t)left << 32 | (uint64_t)right, (int32_t)rank, (int32_t)made};
}

bool joins_find(const struct joins *j, long left, long right, double *rank, long *made)
{
	if (left < 0 || right < 0)
		return false;
	const struct join *const at = place_of(j, left, right);
	*rank = at->rank;
	*made = at->made;
	return at->made >= 0;
}
