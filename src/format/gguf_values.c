/* gguf_values.c: the metadata of a GGUF file. Lists, among them the vocabulary with its hundreds of
 * thousands of words, are passed over and read when they are asked for. */
#include <math.h>
#include <string.h>

#include "format/gguf.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"

/* Types of values, by their number in the file. */
enum { TYPE_BOOL = 7, TYPE_STRING = 8, TYPE_ARRAY = 9, TYPE_COUNT = 13 };

static const enum element_kind type_elements[TYPE_COUNT] = {
	ELEMENT_U8,  ELEMENT_I8,  ELEMENT_U16,	ELEMENT_I16,   ELEMENT_U32,
	ELEMENT_I32, ELEMENT_F32, ELEMENT_BOOL, ELEMENT_KINDS, ELEMENT_KINDS,
	ELEMENT_U64, ELEMENT_I64, ELEMENT_F64};

enum {
	TEXT_MOST = 64 << 10, /* bytes; a longer text stays in the file */
	NESTED_MOST = 8,
	ITEM_LEAST = 8 /* bytes that an item of a list of texts takes at least */
};

static bool check_type(uint32_t type, struct err *err)
{
	return type < TYPE_COUNT ||
	       err_set(err, "a value of type %u; types 0 to %d are known", type, TYPE_COUNT - 1);
}

static bool skip_texts(struct gguf_reader *r, uint64_t count, struct err *err)
{
	for (uint64_t i = 0, len; i < count; i++)
		if (!gguf_length(r, UINT64_MAX, &len, err) || !gguf_skip(r, len, err))
			return false;
	return true;
}

/* Passes over a list of this type; *count gets the number of its items. */
static bool skip_list(struct gguf_reader *r, int depth, uint32_t *type, uint64_t *count,
		      struct err *err)
{
	if (depth == NESTED_MOST)
		return err_set(err, "lists are nested more than %d deep", NESTED_MOST);
	if (!gguf_u32(r, type, err) || !check_type(*type, err) || !gguf_u64(r, count, err))
		return false;
	const bool numbers = type_elements[*type] != ELEMENT_KINDS;
	const uint64_t size = numbers ? element_size(type_elements[*type]) : ITEM_LEAST;
	if (*count > gguf_left(r) / size)
		return err_set(err, "a list of %llu items, and %llu bytes are left in the file",
			       (unsigned long long)*count, (unsigned long long)gguf_left(r));
	if (numbers)
		return gguf_skip(r, *count * size, err);
	if (*type == TYPE_STRING)
		return skip_texts(r, *count, err);
	for (uint64_t i = 0, inner; i < *count; i++) {
		uint32_t of;
		if (!skip_list(r, depth + 1, &of, &inner, err))
			return false;
	}
	return true;
}

static bool read_list(struct gguf_reader *r, struct file_value *v, struct err *err)
{
	uint32_t type;
	uint64_t count;
	v->begin = r->at + 12; /* behind the type and the number of items */
	if (!skip_list(r, 0, &type, &count, err))
		return false;
	v->count = (size_t)count;
	v->type = (int)type;
	v->kind = type == TYPE_STRING  ? FILE_VALUE_TEXTS
		  : type == TYPE_ARRAY ? FILE_VALUE_LISTS
				       : FILE_VALUE_NUMBERS;
	return true;
}

/* A text that is long, or no text of C in UTF-8, stays in the file as a list of one. */
static bool read_text(struct tensor_file *f, struct gguf_reader *r, struct file_value *v,
		      struct err *err)
{
	uint64_t len;
	v->begin = r->at;
	v->type = TYPE_STRING;
	v->kind = FILE_VALUE_TEXTS;
	v->count = 1;
	if (!gguf_length(r, UINT64_MAX, &len, err))
		return false;
	if (len > TEXT_MOST)
		return gguf_skip(r, len, err);
	char *const text = arena_alloc(f->own, (size_t)len + 1);
	text[len] = '\0';
	if (!gguf_bytes(r, text, (size_t)len, err))
		return false;
	if (text_valid(text, (size_t)len) && strlen(text) == len) {
		v->kind = FILE_VALUE_TEXT;
		v->text = text;
	}
	return true;
}

static double number_of(const unsigned char *bytes, enum element_kind kind)
{
	double out;
	/* Integers that a double cannot hold are rounded. */
	if (!element_decode(&out, bytes, kind, false, 1, NULL) && !isfinite(out))
		return 0;
	return out;
}

static bool read_number(struct gguf_reader *r, uint32_t type, struct file_value *v, struct err *err)
{
	unsigned char bytes[8];
	if (!gguf_bytes(r, bytes, element_size(type_elements[type]), err))
		return false;
	v->kind = type == TYPE_BOOL ? FILE_VALUE_TRUTH : FILE_VALUE_NUMBER;
	v->type = (int)type;
	v->number = number_of(bytes, type_elements[type]);
	return type != TYPE_BOOL || bytes[0] <= 1 ||
	       err_set(err, "a truth value of %d; 0 or 1 would be right", bytes[0]);
}

bool gguf_read_value(struct tensor_file *f, struct gguf_reader *r, struct err *err)
{
	struct arena a;
	uint32_t type;
	arena_init(&a);
	const char *const key = gguf_name(r, &a, err);
	if (!key)
		err_prefix(err, "key %zu: ", f->n_values + 1);
	struct file_value *const v = key ? tensor_file_add_value(f, key, err) : NULL;
	bool ok = v != NULL;
	if (ok) {
		ok = gguf_u32(r, &type, err) && check_type(type, err) &&
		     (type == TYPE_STRING  ? read_text(f, r, v, err)
		      : type == TYPE_ARRAY ? read_list(r, v, err)
					   : read_number(r, type, v, err));
		ok = ok || tensor_blame_key(err, v->key);
	}
	arena_release(&a);
	return ok;
}

/* ---- lists, when they are asked for ---------------------------------------------------------- */

static bool blame(const struct tensor_file *f, const struct file_value *v, struct err *err)
{
	tensor_blame_key(err, v->key);
	return shard_blame(&f->shards[0], err);
}

static bool other_kind(const struct tensor_file *f, const struct file_value *v, const char *wanted,
		       struct err *err)
{
	err_set(err, "it is no list of %s", wanted);
	return blame(f, v, err);
}

const double *tensor_file_numbers(const struct tensor_file *f, const struct file_value *v,
				  struct arena *a, struct err *err)
{
	const struct shard *const s = &f->shards[0];
	struct gguf_reader r;
	struct arena scratch;
	if (v->kind != FILE_VALUE_NUMBERS) {
		other_kind(f, v, "numbers", err);
		return NULL;
	}
	double *const out = arena_calloc(a, v->count + 1, sizeof *out);
	const enum element_kind kind = type_elements[v->type];
	unsigned char bytes[8];
	bool ok = true;
	arena_init(&scratch);
	gguf_reader_init(&r, s, v->begin, &scratch);
	for (size_t i = 0; ok && i < v->count; i++) {
		ok = gguf_bytes(&r, bytes, element_size(kind), err);
		out[i] = ok ? number_of(bytes, kind) : 0;
	}
	arena_release(&scratch);
	if (!ok)
		blame(f, v, err);
	return ok ? out : NULL;
}

/* Returns the bytes of all texts with a NUL behind each, by passing over them. */
static bool texts_size(struct gguf_reader *r, size_t count, size_t *out, struct err *err)
{
	const uint64_t from = r->at;
	if (!skip_texts(r, count, err))
		return false;
	*out = (size_t)(r->at - from) - count * (ITEM_LEAST - 1);
	r->at = from;
	return true;
}

/* Reads the texts into one block, since an arena would give each a place of 64 bytes or more. */
static bool read_texts(struct gguf_reader *r, const char **out, size_t *len, size_t count,
		       struct arena *a, struct err *err)
{
	size_t size;
	if (!texts_size(r, count, &size, err))
		return false;
	char *at = arena_alloc(a, size);
	for (size_t i = 0; i < count; i++) {
		uint64_t n;
		if (!gguf_length(r, UINT64_MAX, &n, err) || !gguf_bytes(r, at, (size_t)n, err))
			return false;
		out[i] = at;
		len[i] = (size_t)n;
		at += n;
		*at++ = '\0';
	}
	return true;
}

const char *const *tensor_file_texts(const struct tensor_file *f, const struct file_value *v,
				     struct arena *a, const size_t **len, struct err *err)
{
	struct gguf_reader r;
	struct arena scratch;
	if (v->kind != FILE_VALUE_TEXTS) {
		other_kind(f, v, "texts", err);
		return NULL;
	}
	const char **const out = arena_calloc(a, v->count + 1, sizeof *out);
	size_t *const lengths = arena_calloc(a, v->count + 1, sizeof *lengths);
	arena_init(&scratch);
	gguf_reader_init(&r, &f->shards[0], v->begin, &scratch);
	const bool ok = read_texts(&r, out, lengths, v->count, a, err) || blame(f, v, err);
	arena_release(&scratch);
	if (len)
		*len = lengths;
	return ok ? out : NULL;
}
