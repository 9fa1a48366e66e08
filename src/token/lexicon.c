/* lexicon.c: a vocabulary: texts by their ids, ids by their texts, and all texts that a text begins
 * with. */
#include <stdlib.h>
#include <string.h>

#include "posviz/base/text.h"
#include "token/token_in.h"

static uint32_t hash_of(const char *text, size_t len)
{
	uint32_t h = 2166136261u;
	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)text[i]) * 16777619u;
	return h ^ h >> 15;
}

void lexicon_init(struct lexicon *l, size_t n, struct arena *a)
{
	size_t room = 16;
	while (room < 2 * n)
		room *= 2;
	l->n = n;
	l->at = arena_calloc(a, n + 1, sizeof *l->at);
	l->slots = arena_calloc(a, room, sizeof *l->slots);
	l->mask = room - 1;
}

/* Returns the slot of a text, or the empty one where it would be. */
static uint32_t *slot_of(const struct lexicon *l, const char *text, size_t len)
{
	size_t i = hash_of(text, len) & l->mask;
	for (; l->slots[i]; i = (i + 1) & l->mask) {
		const struct entry *const e = &l->at[l->slots[i] - 1];
		if (e->len == len && memcmp(e->text, text, len) == 0)
			break;
	}
	return &l->slots[i];
}

bool lexicon_set(struct lexicon *l, long id, const char *text, size_t len, struct err *err)
{
	char quoted[160];
	if (id < 0 || (size_t)id >= l->n)
		return err_set(err, "id %ld: from 0 to %zu would be right", id, l->n - 1);
	if (len > TOKEN_PIECE_MOST)
		return err_set(err, "id %ld has %zu bytes; at most %d are taken", id, len,
			       TOKEN_PIECE_MOST);
	if (l->at[id].text)
		return (l->at[id].len == len && memcmp(l->at[id].text, text, len) == 0) ||
		       err_set(err, "id %ld is of two tokens, the second is %s", id,
			       text_quote_buf(quoted, sizeof quoted, text, len));
	uint32_t *const slot = slot_of(l, text, len);
	l->at[id].text = text;
	l->at[id].len = (uint32_t)len;
	*slot = (uint32_t)id + 1;
	return true;
}

long lexicon_find(const struct lexicon *l, const char *text, size_t len)
{
	return (long)*slot_of(l, text, len) - 1;
}

/* ---- beginnings of a text ---------------------------------------------------------------------- */

static int compare(const void *x, const void *y)
{
	const struct prefix *const a = x, *const b = y;
	const size_t both = a->len < b->len ? a->len : b->len;
	const int by = memcmp(a->text, b->text, both);
	return by ? by : (a->len > b->len) - (a->len < b->len);
}

void prefixes_sort(struct prefixes *p)
{
	if (p->n > 0)
		qsort(p->at, p->n, sizeof *p->at, compare);
}

struct walk prefixes_begin(const struct prefixes *p)
{
	return (struct walk){.hi = p->n};
}

/* Returns the first of [lo, hi) whose byte at the depth is not below `byte`. */
static size_t lower(const struct prefixes *p, const struct walk *w, unsigned byte)
{
	size_t lo = w->lo, hi = w->hi;
	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;
		if ((unsigned char)p->at[mid].text[w->depth] < byte)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Texts from lo to hi agree in the first `depth` bytes; those that end there come first and are passed
 * over, so that all others have a byte at the depth. */
const struct prefix *prefixes_next(const struct prefixes *p, struct walk *w, const char *text,
				   size_t len)
{
	while (w->depth < len) {
		while (w->lo < w->hi && p->at[w->lo].len == w->depth)
			w->lo++;
		const unsigned byte = (unsigned char)text[w->depth];
		const size_t lo = lower(p, w, byte), hi = lower(p, w, byte + 1);
		w->lo = lo;
		w->hi = hi;
		w->depth++;
		if (lo >= hi) {
			w->depth = len;
			return NULL;
		}
		if (p->at[lo].len == w->depth)
			return &p->at[lo];
	}
	return NULL;
}
