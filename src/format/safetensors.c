/* safetensors.c: 8 bytes of header length, a JSON header, the data.
 *
 * Format: the README of huggingface/safetensors. As there, the tensors must cover the data
 * without gap or overlap; that is checked before any number is decoded. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "format/element.h"
#include "posviz/format/json_read.h"
#include "format/tensor_read.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/format/json.h"

enum { LENGTH_BYTES = 8, MAX_HEADER = 4 << 20, QUOTED = 256 };

static const char metadata_name[] = "__metadata__";

struct entry {
	const char *name;
	enum element_kind kind;
	size_t shape[TENSOR_DIMS], dims, count;
	size_t begin, end; /* in the data */
};

static uint64_t load_length(const unsigned char *bytes)
{
	uint64_t len = 0;
	for (int i = 0; i < LENGTH_BYTES; i++)
		len |= (uint64_t)bytes[i] << (8 * i);
	return len;
}

static bool read_offsets(struct entry *e, const struct json_value *offsets, size_t data_len,
			 struct err *err)
{
	if (offsets == NULL || offsets->kind != JSON_VALUE_ARRAY || offsets->count != 2)
		return err_set(err, "\"data_offsets\" is missing or not two numbers");
	const struct json_value *begin = &offsets->as.items[0], *end = &offsets->as.items[1];
	if (begin->kind != JSON_VALUE_INTEGER || end->kind != JSON_VALUE_INTEGER)
		return err_set(err, "\"data_offsets\" must be whole numbers");
	if (begin->as.integer < 0 || begin->as.integer > end->as.integer ||
	    (unsigned long long)end->as.integer > data_len)
		return err_set(err, "data from %lld to %lld, but there are %zu bytes",
			       begin->as.integer, end->as.integer, data_len);
	e->begin = (size_t)begin->as.integer;
	e->end = (size_t)end->as.integer;
	return true;
}

static bool read_entry(struct entry *e, const struct json_value *value, size_t data_len,
		       struct err *err)
{
	if (value->kind != JSON_VALUE_OBJECT)
		return err_set(err, "its description is not an object");
	const struct json_value *dtype = json_member(value, "dtype");
	if (dtype == NULL || dtype->kind != JSON_VALUE_STRING)
		return err_set(err, "\"dtype\" is missing or not a string");
	e->name = value->name;
	e->kind = element_of_safetensors(dtype->as.string);
	if (e->kind == ELEMENT_KINDS) {
		char quoted[QUOTED];
		text_quote_buf(quoted, sizeof quoted, dtype->as.string, strlen(dtype->as.string));
		return err_set(err,
			       "type %s is not read, only F64 F32 F16 BF16 I64 I32 I16 I8 U8 BOOL",
			       quoted);
	}
	if (!shape_read(json_member(value, "shape"), e->shape, &e->dims, err) ||
	    !read_offsets(e, json_member(value, "data_offsets"), data_len, err))
		return false;
	size_t bytes = 0;
	if (!shape_count(e->shape, e->dims, &e->count) ||
	    !num_mul(e->count, element_size(e->kind), &bytes) || bytes != e->end - e->begin)
		return err_set(err, "its shape and type do not fill its %zu bytes",
			       e->end - e->begin);
	return true;
}

static int compare_begin(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return (a->end > b->end) - (a->end < b->end);
}

static bool blame_tensor(struct err *err, const char *name)
{
	char quoted[QUOTED];
	return err_prefix(err,
			  "tensor %s: ", text_quote_buf(quoted, sizeof quoted, name, strlen(name)));
}

/* Checks that the entries cover [0, data_len) exactly once. `scratch` has as many elements as
 * `entries`. */
static bool check_cover(const struct entry *entries, size_t n, struct entry *scratch,
			size_t data_len, struct err *err)
{
	if (n > 0)
		memcpy(scratch, entries, n * sizeof *entries);
	qsort(scratch, n, sizeof *scratch, compare_begin);
	size_t covered = 0;
	for (size_t i = 0; i < n; i++) {
		if (scratch[i].begin != covered) {
			err_set(err, "its data begins at %zu, %s", scratch[i].begin,
				scratch[i].begin < covered ? "inside another tensor's"
							   : "behind a gap");
			return blame_tensor(err, scratch[i].name);
		}
		covered = scratch[i].end;
	}
	if (covered != data_len)
		return err_set(err, "%zu bytes behind the last tensor", data_len - covered);
	return true;
}

static bool read_header(struct tensor_set *set, const struct json_value *header,
			const unsigned char *data, size_t data_len, struct arena *scratch,
			struct err *err)
{
	if (header->kind != JSON_VALUE_OBJECT)
		return err_set(err, "the header is not a JSON object");
	struct entry *entries = arena_calloc(scratch, header->count, 2 * sizeof *entries);
	size_t n = 0;
	for (size_t i = 0; i < header->count; i++) {
		const struct json_value *value = &header->as.items[i];
		if (strcmp(value->name, metadata_name) == 0) {
			if (!tensor_add_read_meta(set, value, err))
				return false;
		} else if (!read_entry(&entries[n++], value, data_len, err)) {
			return blame_tensor(err, value->name);
		}
	}
	if (!check_cover(entries, n, entries + n, data_len, err))
		return false;
	for (const struct entry *e = entries; e < entries + n; e++) {
		double *at = tensor_add_read(set, e->name, e->shape, e->dims,
					     element_is_whole(e->kind), err);
		if (at == NULL)
			return false;
		if (!element_decode(at, data + e->begin, e->kind, false, e->count, err))
			return blame_tensor(err, e->name);
	}
	return true;
}

bool tensor_read_safetensors(struct tensor_set *set, const char *name, const void *data, size_t len,
			     struct err *err)
{
	const unsigned char *bytes = data;
	const uint64_t header_len = len >= LENGTH_BYTES ? load_length(bytes) : 0;
	if (len < LENGTH_BYTES || header_len > len - LENGTH_BYTES || header_len > MAX_HEADER) {
		err_set(err, "not a safetensors file: the header's length is wrong");
		return tensor_blame(err, name);
	}
	struct arena scratch;
	arena_init(&scratch);
	const unsigned char *text = bytes + LENGTH_BYTES;
	const struct json_value *header =
		json_parse(&scratch, (const char *)text, (size_t)header_len, err);
	bool ok = header != NULL;
	if (!ok)
		err_prefix(err, "header: ");
	else
		ok = read_header(set, header, text + header_len, len - LENGTH_BYTES - header_len,
				 &scratch, err);
	arena_release(&scratch);
	return ok || tensor_blame(err, name);
}

static void write_entry(struct json_writer *w, const struct tensor *t, size_t begin, size_t bytes)
{
	json_writer_object(w, t->name);
	json_writer_string(w, "dtype", t->integer ? "I64" : "F64");
	json_writer_array(w, "shape");
	for (size_t i = 0; i < t->dims; i++)
		json_writer_integer(w, NULL, (long)t->shape[i]);
	json_writer_end(w);
	json_writer_array(w, "data_offsets");
	json_writer_integer(w, NULL, (long)begin);
	json_writer_integer(w, NULL, (long)(begin + bytes));
	json_writer_end(w);
	json_writer_end(w);
}

static size_t count_of(const struct tensor *t)
{
	size_t count = 0;
	BUG_IF(!shape_count(t->shape, t->dims, &count));
	return count;
}

static const char *write_header(const struct tensor_set *set, struct arena *a, size_t *data_len)
{
	struct json_writer *w = json_writer_new(a);
	json_writer_object(w, NULL);
	if (set->meta_count > 0) {
		json_writer_object(w, metadata_name);
		meta_write(set, false, w);
		json_writer_end(w);
	}
	*data_len = 0;
	for (size_t i = 0; i < set->count; i++) {
		const size_t bytes = 8 * count_of(&set->tensors[i]);
		write_entry(w, &set->tensors[i], *data_len, bytes);
		*data_len += bytes;
	}
	json_writer_end(w);
	return json_writer_done(w, 0);
}

bool tensor_write_safetensors(const struct tensor_set *set, struct arena *a, char **data,
			      size_t *len, struct err *err)
{
	if (tensor_find(set, metadata_name) != NULL)
		return err_set(err, "a tensor cannot be called \"%s\"", metadata_name);
	size_t data_len = 0;
	const char *header = write_header(set, a, &data_len);
	const size_t text_len = strlen(header), header_len = (text_len + 7) / 8 * 8;
	*len = LENGTH_BYTES + header_len + data_len;
	unsigned char *out = arena_alloc(a, *len);
	for (int i = 0; i < LENGTH_BYTES; i++)
		out[i] = (unsigned char)((uint64_t)header_len >> (8 * i));
	memcpy(out + LENGTH_BYTES, header, text_len);
	memset(out + LENGTH_BYTES + text_len, ' ', header_len - text_len);
	unsigned char *at = out + LENGTH_BYTES + header_len;
	for (size_t i = 0; i < set->count; i++) {
		const size_t count = count_of(&set->tensors[i]);
		element_encode(at, set->tensors[i].at, count, set->tensors[i].integer);
		at += 8 * count;
	}
	*data = (char *)out;
	return true;
}
