/* gguf.c: the header of a GGUF file: keys, then descriptions of tensors.
 *
 * Format: docs/gguf.md of ggml-org/ggml; versions 2 and 3, little-endian. Sizes of a tensor stand
 * there with the fastest first. */
#include "format/gguf.h"

#include <stdio.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"

enum {
	VERSION_LEAST = 2,
	VERSION_MOST = 3,
	DIMS_MOST = 4,
	ALIGNMENT = 32,
	ALIGNMENT_MOST = 1 << 20,
	KEY_LEAST = 13,	   /* bytes of a key with its value */
	TENSOR_LEAST = 33, /* bytes of a description */
};

/* Types of tensors whose numbers are not read. The bytes of a block are 0 for those that ggml
 * removed. */
static const struct {
	uint32_t number;
	const char *name;
	size_t block, size;
} unread[] = {
	{4, "Q4_2", 1, 0},	  {5, "Q4_3", 1, 0},	    {9, "Q8_1", 32, 36},
	{15, "Q8_K", 256, 292},	  {16, "IQ2_XXS", 256, 66}, {17, "IQ2_XS", 256, 74},
	{18, "IQ3_XXS", 256, 98}, {19, "IQ1_S", 256, 50},   {20, "IQ4_NL", 32, 18},
	{21, "IQ3_S", 256, 110},  {22, "IQ2_S", 256, 82},   {23, "IQ4_XS", 256, 136},
	{29, "IQ1_M", 256, 56},	  {31, "Q4_0_4_4", 1, 0},   {32, "Q4_0_4_8", 1, 0},
	{33, "Q4_0_8_8", 1, 0},	  {34, "TQ1_0", 256, 54},   {35, "TQ2_0", 256, 66},
	{36, "IQ4_NL_4_4", 1, 0}, {37, "IQ4_NL_4_8", 1, 0}, {38, "IQ4_NL_8_8", 1, 0},
};

/* ---- descriptions of tensors ----------------------------------------------------------------- */

static bool read_sizes(struct gguf_reader *r, struct tensor_entry *e, struct err *err)
{
	uint32_t dims;
	size_t all = 1;
	if (!gguf_u32(r, &dims, err))
		return false;
	if (dims == 0 || dims > DIMS_MOST)
		return err_set(err, "%u dimensions; 1 to %d would be right", dims, DIMS_MOST);
	e->dims = dims;
	for (size_t i = 0; i < dims; i++) {
		uint64_t size;
		if (!gguf_u64(r, &size, err))
			return false;
		if (size == 0 || size > INT64_MAX)
			return err_set(err, "dimension %zu is %llu", i + 1,
				       (unsigned long long)size);
		e->shape[dims - 1 - i] = (size_t)size;
		if (!num_mul(all, (size_t)size, &all))
			return err_set(err, "it has more numbers than can be counted");
	}
	return true;
}

/* Sets the bytes from the shape and the blocks of the type. */
static bool set_bytes(struct tensor_entry *e, size_t block, size_t size, struct err *err)
{
	const size_t cols = tensor_entry_cols(e);
	size_t bytes;
	if (cols % block != 0)
		return err_set(err, "rows of %zu numbers; blocks of %s have %zu", cols, e->type,
			       block);
	if (!num_mul(tensor_entry_rows(e) * (cols / block), size, &bytes))
		return err_set(err, "it has more bytes than can be counted");
	e->bytes = bytes;
	return true;
}

static bool read_type(struct tensor_file *f, struct gguf_reader *r, struct tensor_entry *e,
		      struct err *err)
{
	uint32_t number;
	char name[32];
	if (!gguf_u32(r, &number, err))
		return false;
	const enum element_kind kind = element_of_gguf(number);
	if (kind != ELEMENT_KINDS) {
		e->element = kind;
		e->type = element_name(kind);
		e->integer = element_is_whole(kind);
		return set_bytes(e, element_block(kind), element_size(kind), err);
	}
	for (size_t i = 0; i < sizeof unread / sizeof *unread; i++) {
		if (unread[i].number != number)
			continue;
		tensor_file_refuse(f, e, unread[i].name);
		return set_bytes(e, unread[i].block, unread[i].size, err);
	}
	snprintf(name, sizeof name, "number %u", number);
	tensor_file_refuse(f, e, name);
	return true;
}

static bool read_tensor(struct tensor_file *f, struct gguf_reader *r, struct err *err)
{
	struct arena a;
	arena_init(&a);
	const char *const name = gguf_name(r, &a, err);
	if (!name)
		err_prefix(err, "tensor %zu: ", f->n + 1);
	struct tensor_entry *const e = name ? tensor_file_add(f, name, err) : NULL;
	arena_release(&a);
	return e &&
	       ((read_sizes(r, e, err) && read_type(f, r, e, err) && gguf_u64(r, &e->begin, err)) ||
		tensor_blame_name(err, e->name));
}

/* ---- the data -------------------------------------------------------------------------------- */

static bool alignment_of(const struct tensor_file *f, uint64_t *out, struct err *err)
{
	static const char key[] = "general.alignment";
	enum { TYPE_U32 = 4 };
	const struct file_value *const v = tensor_file_value(f, key);
	*out = ALIGNMENT;
	if (!v)
		return true;
	if (v->kind != FILE_VALUE_NUMBER || v->type != TYPE_U32) {
		err_set(err, "a number of type u32 would be right");
		return tensor_blame_key(err, key);
	}
	*out = (uint64_t)v->number;
	if (*out > 0 && *out <= ALIGNMENT_MOST && (*out & (*out - 1)) == 0)
		return true;
	err_set(err, "%llu; a power of two up to %d would be right", (unsigned long long)*out,
		ALIGNMENT_MOST);
	return tensor_blame_key(err, key);
}

/* Turns offsets in the data into places in the file. */
static bool place_tensors(struct tensor_file *f, uint64_t end_of_header, struct err *err)
{
	const uint64_t size = f->shards[0].size;
	uint64_t alignment;
	if (!alignment_of(f, &alignment, err))
		return false;
	const uint64_t begin = (end_of_header + alignment - 1) / alignment * alignment;
	for (size_t i = 0; i < f->n; i++) {
		struct tensor_entry *const e = &f->entries[i];
		if (e->begin % alignment != 0) {
			err_set(err, "its offset %llu is no multiple of %llu",
				(unsigned long long)e->begin, (unsigned long long)alignment);
			return tensor_blame_name(err, e->name);
		}
		if (begin > size || e->begin > size - begin) {
			err_set(err, "its data begins behind the end of the file");
			return tensor_blame_name(err, e->name);
		}
		e->begin += begin;
	}
	return tensor_file_check_places(f, 0, begin, false, err);
}

/* ---- the header ------------------------------------------------------------------------------ */

static uint32_t swapped(uint32_t x)
{
	return x >> 24 | (x >> 8 & 0xFF00) | (x << 8 & 0xFF0000) | x << 24;
}

static bool check_version(uint32_t version, struct err *err)
{
	if (version >= VERSION_LEAST && version <= VERSION_MOST)
		return true;
	if (swapped(version) <= VERSION_MOST && version != 0)
		return err_set(err, "a GGUF file with big-endian numbers is not read; "
				    "gguf-convert-endian FILE little converts it");
	return err_set(err, "version %u of GGUF is not read; %d and %d are", version, VERSION_LEAST,
		       VERSION_MOST);
}

static bool check_count(uint64_t count, const char *what, size_t least, uint64_t left,
			struct err *err)
{
	return count <= left / least ||
	       err_set(err, "it announces %llu %s, and %llu bytes are left in the file",
		       (unsigned long long)count, what, (unsigned long long)left);
}

/* Returns the number of parts that the name speaks of: NAME-00001-of-00003.gguf; 0: of none. */
static double parts_by_name(const char *path)
{
	static const char form[] = "-00000-of-00000.gguf";
	const size_t len = strlen(path), n = sizeof form - 1;
	double parts = 0;
	for (size_t i = 0; i < n; i++) {
		const char c = len > n ? path[len - n + i] : '\0';
		const bool digit = c >= '0' && c <= '9';
		if (form[i] == '0' ? !digit : c != form[i])
			return 0;
		if (form[i] == '0' && i >= n / 2)
			parts = 10 * parts + (c - '0');
	}
	return parts;
}

/* A model in several files has the keys and the tensors spread over them. */
static bool check_split(const struct tensor_file *f, struct err *err)
{
	const struct file_value *const v = tensor_file_value(f, "split.count");
	const double parts = v && v->kind == FILE_VALUE_NUMBER ? v->number : parts_by_name(f->path);
	return parts <= 1 ||
	       err_set(err,
		       "it is one of the %.0f files of a split model; llama-gguf-split --merge "
		       "FIRST-FILE WHOLE.gguf joins them",
		       parts);
}

static bool read_all(struct tensor_file *f, struct gguf_reader *r, struct err *err)
{
	char magic[4];
	uint32_t version;
	uint64_t n_tensors, n_keys;
	if (!gguf_bytes(r, magic, sizeof magic, err))
		return false;
	if (memcmp(magic, "GGUF", sizeof magic) != 0)
		return err_set(err, "it does not begin with GGUF; the converter of llama.cpp, "
				    "convert_hf_to_gguf.py, writes what is read");
	if (!gguf_u32(r, &version, err) || !check_version(version, err) ||
	    !gguf_u64(r, &n_tensors, err) || !gguf_u64(r, &n_keys, err) ||
	    !check_count(n_tensors, "tensors", TENSOR_LEAST, gguf_left(r), err) ||
	    !check_count(n_keys, "keys", KEY_LEAST, gguf_left(r), err))
		return false;
	for (uint64_t i = 0; i < n_keys; i++)
		if (!gguf_read_value(f, r, err))
			return false;
	if (!check_split(f, err))
		return false;
	for (uint64_t i = 0; i < n_tensors; i++)
		if (!read_tensor(f, r, err))
			return false;
	return place_tensors(f, r->at, err);
}

bool gguf_open(struct tensor_file *f, struct err *err)
{
	struct arena a;
	struct gguf_reader r;
	arena_init(&a);
	gguf_reader_init(&r, &f->shards[0], 0, &a);
	f->gguf = true;
	const bool ok = read_all(f, &r, err) || shard_blame(&f->shards[0], err);
	arena_release(&a);
	return ok;
}

size_t gguf_llama_row(size_t row, size_t head_rows)
{
	const size_t head = row / head_rows * head_rows, i = row % head_rows;
	return head + i / 2 + (i % 2 == 0 ? 0 : head_rows / 2);
}
