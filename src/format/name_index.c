/* name_index.c: a hash table over names, with linear probing. */
#include "format/name_index.h"

#include <stdint.h>
#include <string.h>

static const char *name_at(struct names all, size_t i)
{
	const char *name;
	memcpy(&name, (const char *)all.at + i * all.size, sizeof name);
	return name;
}

static size_t name_hash(const char *name)
{
	uint64_t hash = UINT64_C(0xCBF29CE484222325); /* FNV-1a */
	for (; *name != '\0'; name++)
		hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001B3);
	return (size_t)(hash ^ hash >> 32);
}

/* Returns the slot of the name, or the free one where it belongs; *probes, if given, grows with
 * each slot probed. */
static size_t find_slot(const struct name_index *index, struct names all, const char *name,
			size_t *probes)
{
	size_t slot = name_hash(name) & (index->n - 1);
	while (index->slots[slot] > 0 && strcmp(name_at(all, index->slots[slot] - 1), name) != 0) {
		slot = (slot + 1) & (index->n - 1);
		if (probes != NULL)
			++*probes;
	}
	return slot;
}

size_t name_index_find(const struct name_index *index, struct names all, const char *name)
{
	const size_t found = index->n > 0 ? index->slots[find_slot(index, all, name, NULL)] : 0;
	return found > 0 ? found - 1 : SIZE_MAX;
}

void name_index_add(struct arena *a, struct name_index *index, struct names all, size_t count)
{
	size_t from = count - 1;
	if (2 * count > index->n) {
		index->n = index->n == 0 ? 32 : 2 * index->n;
		index->slots = arena_calloc(a, index->n, sizeof *index->slots);
		from = 0;
	}
	for (; from < count; from++) {
		index->probes++;
		index->slots[find_slot(index, all, name_at(all, from), &index->probes)] = from + 1;
	}
}

void *array_grow(struct arena *a, void *items, size_t count, size_t *cap, size_t size)
{
	if (count < *cap)
		return items;
	*cap = *cap == 0 ? 16 : *cap * 2;
	void *larger = arena_calloc(a, *cap, size);
	if (count > 0)
		memcpy(larger, items, count * size);
	return larger;
}
