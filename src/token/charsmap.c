/* charsmap.c: SentencePiece's table of replacements: a double array of beginnings, each with the place
 * of what replaces it in a list of texts. Both come from a file: every index is checked. */
#include <string.h>

#include "token/token_in.h"

struct charsmap {
	const unsigned char *units;
	size_t n; /* units of 4 bytes */
	const char *texts;
	size_t texts_len;
};

static uint32_t number_at(const unsigned char *at)
{
	return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
	       (uint32_t)at[3] << 24;
}

struct charsmap *charsmap_new(const unsigned char *data, size_t len, struct arena *a,
			      struct err *err)
{
	struct charsmap *const m = arena_calloc(a, 1, sizeof *m);
	const size_t bytes = len >= 4 ? number_at(data) : 0;
	if (len < 4 || bytes > len - 4 || bytes % 4 != 0 || bytes == 0 || bytes == len - 4 ||
	    data[len - 1] != '\0') {
		err_set(err, "the table of replacements is cut short");
		return NULL;
	}
	m->units = data + 4;
	m->n = bytes / 4;
	m->texts = (const char *)data + 4 + bytes;
	m->texts_len = len - 4 - bytes;
	return m;
}

static uint32_t unit(const struct charsmap *m, size_t i)
{
	return i < m->n ? number_at(m->units + 4 * i) : 0;
}

static uint32_t offset(uint32_t u)
{
	return u >> 10 << ((u & 1u << 9) >> 6);
}

const char *charsmap_find(const struct charsmap *m, const char *text, size_t len, bool longest,
			  size_t *taken)
{
	const char *found = NULL;
	uint32_t at = offset(unit(m, 0));
	for (size_t i = 0; i < len; i++) {
		const unsigned char byte = (unsigned char)text[i];
		at ^= byte;
		const uint32_t u = unit(m, at);
		if ((u & (1u << 31 | 0xFF)) != byte || at >= m->n)
			break;
		at ^= offset(u);
		const uint32_t value = unit(m, at) & ~(1u << 31);
		if (!(u >> 8 & 1) || value >= m->texts_len)
			continue;
		found = m->texts + value;
		*taken = i + 1;
		if (!longest)
			break;
	}
	return found;
}
