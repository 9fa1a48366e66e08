/* gguf_reader.c: numbers and strings of a GGUF header, through a window of the file. Lengths come
 * from the file and are compared with what is left of it before anything is allocated. */
#include "format/gguf.h"

#include <string.h>

#include "posviz/base/text.h"

enum { NAME_MOST = 65535 /* bytes, as in ggml */ };

void gguf_reader_init(struct gguf_reader *r, const struct shard *s, uint64_t at, struct arena *a)
{
	*r = (struct gguf_reader){.shard = s, .at = at, .window = arena_alloc(a, GGUF_WINDOW)};
}

uint64_t gguf_left(const struct gguf_reader *r)
{
	return r->shard->size - r->at;
}

static bool ends(struct err *err)
{
	return err_set(err, "the file ends here; it is not whole");
}

bool gguf_skip(struct gguf_reader *r, uint64_t len, struct err *err)
{
	if (len > gguf_left(r))
		return ends(err);
	r->at += len;
	return true;
}

/* Moves the window to the present place. */
static bool fill(struct gguf_reader *r, struct err *err)
{
	const uint64_t left = gguf_left(r);
	r->from = r->at;
	r->have = left < GGUF_WINDOW ? (size_t)left : GGUF_WINDOW;
	return shard_read(r->shard, r->from, r->window, r->have, err);
}

bool gguf_bytes(struct gguf_reader *r, void *out, size_t len, struct err *err)
{
	char *to = out;
	if (len > gguf_left(r))
		return ends(err);
	while (len > 0) {
		const bool inside = r->at >= r->from && r->at - r->from < r->have;
		if (!inside && !fill(r, err))
			return false;
		const size_t skip = (size_t)(r->at - r->from), there = r->have - skip;
		const size_t n = len < there ? len : there;
		memcpy(to, r->window + skip, n);
		to += n;
		r->at += n;
		len -= n;
	}
	return true;
}

static bool number(struct gguf_reader *r, size_t size, uint64_t *out, struct err *err)
{
	unsigned char bytes[8];
	if (!gguf_bytes(r, bytes, size, err))
		return false;
	*out = 0;
	for (size_t i = 0; i < size; i++)
		*out |= (uint64_t)bytes[i] << (8 * i);
	return true;
}

bool gguf_u32(struct gguf_reader *r, uint32_t *out, struct err *err)
{
	uint64_t wide;
	const bool ok = number(r, 4, &wide, err);
	*out = ok ? (uint32_t)wide : 0;
	return ok;
}

bool gguf_u64(struct gguf_reader *r, uint64_t *out, struct err *err)
{
	return number(r, 8, out, err);
}

bool gguf_length(struct gguf_reader *r, uint64_t most, uint64_t *len, struct err *err)
{
	if (!gguf_u64(r, len, err))
		return false;
	if (*len > gguf_left(r))
		return err_set(err, "a length of %llu bytes, and %llu are left in the file",
			       (unsigned long long)*len, (unsigned long long)gguf_left(r));
	return *len <= most || err_set(err, "a length of %llu bytes; at most %llu are read",
				       (unsigned long long)*len, (unsigned long long)most);
}

char *gguf_name(struct gguf_reader *r, struct arena *a, struct err *err)
{
	uint64_t len;
	if (!gguf_length(r, NAME_MOST, &len, err))
		return NULL;
	char *const name = arena_alloc(a, (size_t)len + 1);
	name[len] = '\0';
	if (!gguf_bytes(r, name, (size_t)len, err))
		return NULL;
	if (len == 0) {
		err_set(err, "its name is empty");
		return NULL;
	}
	if (!text_valid(name, (size_t)len) || strlen(name) != len) {
		char quoted[TENSOR_FILE_QUOTED];
		err_set(err, "its name %s is not UTF-8, or holds a NUL byte",
			text_quote_buf(quoted, sizeof quoted, name, (size_t)len));
		return NULL;
	}
	return name;
}
