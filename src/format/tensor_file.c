/* tensor_file.c: the table of a file's tensors and keys, and numbers by their place. */
#include "format/tensor_file_in.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "format/name_index.h"
#include "format/tensor_read.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/format/disk.h"
#include "posviz/format/kind.h"

enum { CHUNK = 256 << 10 /* bytes that are read and converted at once */ };

/* ---- the table ------------------------------------------------------------------------------- */

bool tensor_blame_name(struct err *err, const char *name)
{
	char quoted[TENSOR_FILE_QUOTED];
	return err_prefix(err,
			  "tensor %s: ", text_quote_buf(quoted, sizeof quoted, name, strlen(name)));
}

bool tensor_blame_key(struct err *err, const char *key)
{
	char quoted[TENSOR_FILE_QUOTED];
	return err_prefix(err, "key %s: ", text_quote_buf(quoted, sizeof quoted, key, strlen(key)));
}

struct shard *tensor_file_add_shard(struct tensor_file *f, const char *path, struct err *err)
{
	f->shards = array_grow(f->own, f->shards, f->n_shards, &f->shard_cap, sizeof *f->shards);
	struct shard *const s = &f->shards[f->n_shards];
	if (!shard_open(s, arena_strdup(f->own, path), err))
		return NULL;
	f->n_shards++;
	return s;
}

static struct names names_of(const struct tensor_file *f)
{
	return (struct names){&f->entries->name, sizeof *f->entries};
}

static struct names keys_of(const struct tensor_file *f)
{
	return (struct names){&f->values->key, sizeof *f->values};
}

struct tensor_entry *tensor_file_add(struct tensor_file *f, const char *name, struct err *err)
{
	char quoted[TENSOR_FILE_QUOTED];
	if (tensor_file_find(f, name)) {
		err_set(err, "there are two tensors %s",
			text_quote_buf(quoted, sizeof quoted, name, strlen(name)));
		return NULL;
	}
	if (f->n >= TENSOR_FILE_MOST) {
		err_set(err, "more than %d tensors", TENSOR_FILE_MOST);
		return NULL;
	}
	f->entries = array_grow(f->own, f->entries, f->n, &f->cap, sizeof *f->entries);
	struct tensor_entry *const e = &f->entries[f->n++];
	*e = (struct tensor_entry){.name = arena_strdup(f->own, name), .file = f->n_shards - 1};
	name_index_add(f->own, &f->by_name, names_of(f), f->n);
	return e;
}

struct file_value *tensor_file_add_value(struct tensor_file *f, const char *key, struct err *err)
{
	char quoted[TENSOR_FILE_QUOTED];
	if (tensor_file_value(f, key)) {
		err_set(err, "there are two keys %s",
			text_quote_buf(quoted, sizeof quoted, key, strlen(key)));
		return NULL;
	}
	if (f->n_values >= TENSOR_FILE_MOST) {
		err_set(err, "more than %d entries of metadata", TENSOR_FILE_MOST);
		return NULL;
	}
	f->values = array_grow(f->own, f->values, f->n_values, &f->value_cap, sizeof *f->values);
	struct file_value *const v = &f->values[f->n_values++];
	*v = (struct file_value){.key = arena_strdup(f->own, key)};
	name_index_add(f->own, &f->by_key, keys_of(f), f->n_values);
	return v;
}

void tensor_file_refuse(struct tensor_file *f, struct tensor_entry *e, const char *type)
{
	e->type = text_escape(f->own, type, strlen(type));
	e->element = ELEMENT_KINDS;
	/* All tensors of a model may be of such a type. */
	const struct tensor_entry *const before = e > f->entries ? e - 1 : NULL;
	if (before && before->unread && strcmp(before->type, e->type) == 0)
		e->unread = before->unread;
	else
		e->unread = arena_printf(
			f->own, "numbers of type %s are not read; %s are", e->type,
			f->gguf ? "F64 F32 F16 BF16, integers, Q4_0 to Q8_0 and Q2_K to Q6_K"
				: "F64 F32 F16 BF16, integers and BOOL");
}

/* ---- places ---------------------------------------------------------------------------------- */

static int compare_begin(const void *left, const void *right)
{
	const struct tensor_entry *const a = *(const struct tensor_entry *const *)left,
					 *const b = *(const struct tensor_entry *const *)right;
	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

static bool check_sorted(const struct tensor_entry *const *sorted, size_t n, uint64_t begin,
			 uint64_t end, bool whole, struct err *err)
{
	uint64_t covered = begin;
	for (size_t i = 0; i < n; i++) {
		const struct tensor_entry *const e = sorted[i];
		if (e->begin < covered || (whole && e->begin > covered)) {
			err_set(err, "its data begins at %llu, %s",
				(unsigned long long)(e->begin - begin),
				e->begin < covered ? "inside another tensor's" : "behind a gap");
			return tensor_blame_name(err, e->name);
		}
		if (e->bytes > end - e->begin) {
			err_set(err, "its data ends behind the end of the file");
			return tensor_blame_name(err, e->name);
		}
		covered = e->begin + e->bytes;
	}
	return !whole || covered == end ||
	       err_set(err, "%llu bytes behind the last tensor",
		       (unsigned long long)(end - covered));
}

bool tensor_file_check_places(const struct tensor_file *f, size_t first, uint64_t begin, bool whole,
			      struct err *err)
{
	struct arena a;
	const size_t n = f->n - first;
	arena_init(&a);
	const struct tensor_entry **const sorted = arena_calloc(&a, n + 1, sizeof *sorted);
	for (size_t i = 0; i < n; i++)
		sorted[i] = &f->entries[first + i];
	qsort(sorted, n, sizeof *sorted, compare_begin);
	const bool ok = check_sorted(sorted, n, begin, f->shards[f->n_shards - 1].size, whole, err);
	arena_release(&a);
	return ok;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* A table in the caller's arena, or in one of its own. */
static struct tensor_file *new_file(struct arena *a, const char *path)
{
	struct arena own;
	arena_init(&own);
	struct tensor_file *const f = arena_calloc(a ? a : &own, 1, sizeof *f);
	f->closed = own;
	f->own = a ? a : &f->closed;
	f->path = arena_strdup(f->own, path);
	return f;
}

void tensor_file_close(struct tensor_file *f)
{
	if (!f)
		return;
	/* The table lies in the arena that it owns. */
	struct arena own = f->closed;
	arena_release(&own);
}

static struct tensor_file *close_unless(bool ok, struct tensor_file *f)
{
	if (ok)
		return f;
	tensor_file_close(f);
	return NULL;
}

/* Opens the only file that was added, whose kind is known. */
static bool open_header(struct tensor_file *f, bool gguf, struct err *err)
{
	const bool ok = gguf ? gguf_open(f, err) : safetensors_open(f, err);
	if (ok)
		packed_mark(f, 0);
	return ok;
}

bool tensor_file_open_into(struct tensor_file *f, const char *path, struct err *err)
{
	struct kind_seen seen;
	if (!lfs_check(path, err) || !kind_of_file(path, NULL, &seen, err))
		return false;
	const struct kind *const named = kind_by_name(path);
	/* The reader itself explains best what is wrong with an empty file. */
	const enum kind_id id = seen.kind->id == KIND_EMPTY && named ? named->id : seen.kind->id;
	if (id == KIND_MODEL_INDEX)
		return model_index_open(f, path, err);
	if (id != KIND_SAFETENSORS && id != KIND_GGUF)
		return kind_refuse(&seen, "params", path, err);
	return tensor_file_add_shard(f, path, err) && open_header(f, id == KIND_GGUF, err);
}

static bool open_any(struct tensor_file *f, const char *path, struct err *err)
{
	struct stat st;
	const bool dir = disk_stat(path, &st) == 0 && S_ISDIR(st.st_mode);
	return dir ? model_dir_open(f, path, err) : tensor_file_open_into(f, path, err);
}

struct tensor_file *tensor_file_open(const char *path, struct err *err)
{
	struct tensor_file *const f = new_file(NULL, path);
	return close_unless(open_any(f, path, err), f);
}

const struct tensor_file *tensor_file_open_in(struct arena *a, const char *path, struct err *err)
{
	struct tensor_file *const f = new_file(a, path);
	return open_any(f, path, err) ? f : NULL;
}

struct tensor_file *tensor_file_open_bytes(const char *name, const void *data, size_t len,
					   struct err *err)
{
	static const unsigned char none[1];
	struct tensor_file *const f = new_file(NULL, name);
	f->shards = arena_calloc(f->own, f->shard_cap = 1, sizeof *f->shards);
	f->shards[f->n_shards++] =
		(struct shard){.path = f->path, .bytes = len > 0 ? data : none, .size = len};
	const bool gguf = len >= 4 && memcmp(data, "GGUF", 4) == 0;
	return close_unless(open_header(f, gguf, err), f);
}

/* ---- numbers --------------------------------------------------------------------------------- */

size_t tensor_entry_rows(const struct tensor_entry *e)
{
	size_t rows = 1;
	for (size_t i = 0; i + 1 < e->dims; i++)
		rows *= e->shape[i];
	return rows;
}

size_t tensor_entry_cols(const struct tensor_entry *e)
{
	return e->dims > 0 ? e->shape[e->dims - 1] : 1;
}

static bool read_numbers(const struct shard *s, enum element_kind kind, uint64_t from, size_t count,
			 double *out, struct err *err)
{
	const size_t block = element_block(kind), size = element_size(kind);
	const size_t most = CHUNK / size * block;
	struct arena a;
	bool ok = true;
	arena_init(&a);
	unsigned char *const bytes = arena_alloc(&a, CHUNK);
	for (size_t at = 0; ok && at < count; at += most) {
		const size_t n = count - at < most ? count - at : most;
		ok = shard_read(s, from + at / block * size, bytes, n / block * size, err) &&
		     element_decode(out + at, bytes, kind, false, n, err);
	}
	arena_release(&a);
	return ok;
}

bool tensor_file_rows(const struct tensor_file *f, const struct tensor_entry *e, size_t first,
		      size_t rows, double *out, struct err *err)
{
	const struct shard *const s = &f->shards[e->file];
	const size_t all = tensor_entry_rows(e), cols = tensor_entry_cols(e);
	BUG_IF(first > all || rows > all - first);
	bool ok = !e->unread || err_set(err, "%s", e->unread);
	if (ok) {
		const enum element_kind kind = (enum element_kind)e->element;
		const uint64_t row = (uint64_t)(cols / element_block(kind)) * element_size(kind);
		ok = read_numbers(s, kind, e->begin + first * row, rows * cols, out, err);
	}
	if (ok)
		return true;
	tensor_blame_name(err, e->name);
	return shard_blame(s, err);
}

/* ---- questions ------------------------------------------------------------------------------- */

const char *tensor_file_path(const struct tensor_file *f)
{
	return f->path;
}

bool tensor_file_is_gguf(const struct tensor_file *f)
{
	return f->gguf;
}

size_t tensor_file_count(const struct tensor_file *f)
{
	return f->n;
}

const struct tensor_entry *tensor_file_at(const struct tensor_file *f, size_t i)
{
	BUG_IF(i >= f->n);
	return &f->entries[i];
}

const struct tensor_entry *tensor_file_find(const struct tensor_file *f, const char *name)
{
	const size_t at = f->n > 0 ? name_index_find(&f->by_name, names_of(f), name) : SIZE_MAX;
	return at < SIZE_MAX ? &f->entries[at] : NULL;
}

size_t tensor_file_value_count(const struct tensor_file *f)
{
	return f->n_values;
}

const struct file_value *tensor_file_value_at(const struct tensor_file *f, size_t i)
{
	BUG_IF(i >= f->n_values);
	return &f->values[i];
}

const struct file_value *tensor_file_value(const struct tensor_file *f, const char *key)
{
	const size_t at = f->n_values > 0 ? name_index_find(&f->by_key, keys_of(f), key) : SIZE_MAX;
	return at < SIZE_MAX ? &f->values[at] : NULL;
}
