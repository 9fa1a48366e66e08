/* tensor_hash.c: hashes of a model's files, part by part: of 30 GB only what is asked for is read. */
#include "format/tensor_file_in.h"

#include <string.h>

enum { CHUNK = 256 << 10 };

size_t tensor_file_parts(const struct tensor_file *f)
{
	return f->n_shards;
}

const char *tensor_file_part(const struct tensor_file *f, size_t i)
{
	BUG_IF(i >= f->n_shards);
	return f->shards[i].path;
}

static bool add_bytes(const struct shard *s, uint64_t from, uint64_t len, struct sha256 *to,
		      struct err *err)
{
	struct arena a;
	bool ok = true;
	arena_init(&a);
	unsigned char *const bytes = arena_alloc(&a, CHUNK);
	while (ok && len > 0) {
		const size_t n = len < CHUNK ? (size_t)len : CHUNK;
		ok = shard_read(s, from, bytes, n, err);
		if (ok)
			sha256_add(to, bytes, n);
		from += n;
		len -= n;
	}
	arena_release(&a);
	return ok || shard_blame(s, err);
}

bool tensor_file_hash_header(const struct tensor_file *f, size_t i, struct sha256 *to,
			     struct err *err)
{
	BUG_IF(i >= f->n_shards);
	uint64_t end = f->shards[i].size;
	for (size_t k = 0; k < f->n; k++)
		if (f->entries[k].file == i && f->entries[k].bytes > 0 && f->entries[k].begin < end)
			end = f->entries[k].begin;
	return add_bytes(&f->shards[i], 0, end, to, err);
}

bool tensor_file_hash_rows(const struct tensor_file *f, const struct tensor_entry *e, size_t first,
			   size_t rows, struct sha256 *to, struct err *err)
{
	const size_t all = tensor_entry_rows(e);
	BUG_IF(first > all || rows > all - first);
	const uint64_t row = all > 0 ? e->bytes / all : 0;
	return add_bytes(&f->shards[e->file], e->begin + first * row, rows * row, to, err) ||
	       tensor_blame_name(err, e->name);
}
