/* safetensors.c: 8 bytes of header length, a JSON header, the data.
 *
 * Format: the README of huggingface/safetensors. As there, the tensors must cover the data
 * without gap or overlap. The header is parsed one tensor at a time: as a whole its tree would
 * take many times its size. */
#include <stdint.h>
#include <string.h>

#include "format/element.h"
#include "format/tensor_file_in.h"
#include "format/tensor_read.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/format/json.h"
#include "posviz/format/json_read.h"

enum { LENGTH_BYTES = 8 };

static const char metadata_name[] = "__metadata__";

/* ---- reading --------------------------------------------------------------------------------- */

static uint64_t load_length(const unsigned char *bytes)
{
	uint64_t len = 0;
	for (int i = 0; i < LENGTH_BYTES; i++)
		len |= (uint64_t)bytes[i] << (8 * i);
	return len;
}

/* The data of a file: its place and length. */
struct data {
	uint64_t begin, len;
};

static bool read_offsets(struct tensor_entry *e, const struct json_value *offsets, struct data data,
			 struct err *err)
{
	if (offsets == NULL || offsets->kind != JSON_VALUE_ARRAY || offsets->count != 2)
		return err_set(err, "\"data_offsets\" is missing or not two numbers");
	const struct json_value *begin = &offsets->as.items[0], *end = &offsets->as.items[1];
	if (begin->kind != JSON_VALUE_INTEGER || end->kind != JSON_VALUE_INTEGER)
		return err_set(err, "\"data_offsets\" must be whole numbers");
	if (begin->as.integer < 0 || begin->as.integer > end->as.integer ||
	    (unsigned long long)end->as.integer > data.len)
		return err_set(err, "data from %lld to %lld, but there are %llu bytes",
			       begin->as.integer, end->as.integer, (unsigned long long)data.len);
	e->begin = data.begin + (uint64_t)begin->as.integer;
	e->bytes = (uint64_t)(end->as.integer - begin->as.integer);
	return true;
}

static bool read_entry(struct tensor_file *f, struct tensor_entry *e,
		       const struct json_value *value, struct data data, struct err *err)
{
	if (value->kind != JSON_VALUE_OBJECT)
		return err_set(err, "its description is not an object");
	const struct json_value *dtype = json_member(value, "dtype");
	if (dtype == NULL || dtype->kind != JSON_VALUE_STRING)
		return err_set(err, "\"dtype\" is missing or not a string");
	const struct json_value *const shape = json_member(value, "shape");
	if (!read_offsets(e, json_member(value, "data_offsets"), data, err))
		return false;
	if (shape && shape->kind == JSON_VALUE_ARRAY && shape->count > TENSOR_DIMS) {
		e->type = text_escape(f->own, dtype->as.string, strlen(dtype->as.string));
		e->element = ELEMENT_KINDS;
		e->unread = arena_printf(f->own, "%zu dimensions, at most %d are read",
					 shape->count, TENSOR_DIMS);
		return true;
	}
	if (!shape_read(shape, e->shape, &e->dims, err))
		return false;
	const enum element_kind kind = element_of_safetensors(dtype->as.string);
	if (kind == ELEMENT_KINDS) {
		tensor_file_refuse(f, e, dtype->as.string);
		return true;
	}
	size_t count = 0, bytes = 0;
	e->element = kind;
	e->type = element_name(kind);
	e->integer = element_is_whole(kind);
	if (!shape_count(e->shape, e->dims, &count) ||
	    !num_mul(count, element_size(kind), &bytes) || bytes != e->bytes)
		return err_set(err, "its shape and type do not fill its %llu bytes",
			       (unsigned long long)e->bytes);
	return true;
}

static bool read_metadata(struct tensor_file *f, const struct json_value *object, struct err *err)
{
	if (object->kind != JSON_VALUE_OBJECT)
		return err_set(err, "the metadata is not an object of strings");
	for (size_t i = 0; i < object->count; i++) {
		const struct json_value *const value = &object->as.items[i];
		char quoted[TENSOR_FILE_QUOTED];
		if (value->kind != JSON_VALUE_STRING)
			return err_set(err, "metadata %s is not a string",
				       text_quote_buf(quoted, sizeof quoted, value->name,
						      strlen(value->name)));
		/* Each shard has metadata of its own, mostly the same; the first counts. */
		if (tensor_file_value(f, value->name))
			continue;
		struct file_value *const v = tensor_file_add_value(f, value->name, err);
		if (!v)
			return false;
		v->kind = FILE_VALUE_TEXT;
		v->text = arena_strdup(f->own, value->as.string);
	}
	return true;
}

static bool read_member(struct tensor_file *f, const struct json_value *object, struct data data,
			bool *metadata, struct err *err)
{
	const struct json_value *const value = &object->as.items[0];
	if (strcmp(value->name, metadata_name) == 0) {
		if (*metadata)
			return err_set(err, "header: \"%s\" is there twice", metadata_name);
		*metadata = true;
		return read_metadata(f, value, err);
	}
	struct tensor_entry *const e = tensor_file_add(f, value->name, err);
	return e && (read_entry(f, e, value, data, err) || tensor_blame_name(err, value->name));
}

/* ---- the members of the header --------------------------------------------------------------- */

struct scan {
	const char *at, *end;
};

static bool is_next(struct scan *s, char c)
{
	while (s->at < s->end && memchr(" \t\r\n", *s->at, 4))
		s->at++;
	return s->at < s->end && *s->at == c;
}

static bool take(struct scan *s, char c)
{
	const bool next = is_next(s, c);
	s->at += next;
	return next;
}

static void skip_string(struct scan *s)
{
	for (s->at++; s->at < s->end && *s->at != '"'; s->at++)
		s->at += *s->at == '\\' && s->end - s->at > 1;
	s->at += s->at < s->end;
}

/* Goes to the comma or the bracket behind a member. What lies between is the parser's to judge. */
static void skip_member(struct scan *s)
{
	for (size_t depth = 0; s->at < s->end;) {
		const char c = *s->at;
		if (c == '"') {
			skip_string(s);
			continue;
		}
		if (depth == 0 && (c == ',' || c == ']' || c == '}'))
			return;
		depth += c == '{' || c == '[';
		depth -= c == '}' || c == ']';
		s->at++;
	}
}

/* Parses a member as an object of its own. */
static const struct json_value *parse_member(struct arena *a, const char *at, size_t len,
					     struct err *err)
{
	char *const text = arena_alloc(a, len + 2);
	text[0] = '{';
	memcpy(text + 1, at, len);
	text[len + 1] = '}';
	const struct json_value *const object = json_parse(a, text, len + 2, err);
	if (!object)
		err_prefix(err, "header: ");
	else if (object->count != 1)
		err_set(err, "header: not JSON: a name with a value would be right");
	return object && object->count == 1 ? object : NULL;
}

static bool read_header(struct tensor_file *f, const char *text, size_t len, struct data data,
			struct err *err)
{
	struct scan s = {text, text + len};
	struct arena scratch;
	bool ok = true, metadata = false;
	if (!take(&s, '{'))
		return err_set(err, "header: not JSON; an object, from { to }, would be right");
	arena_init(&scratch);
	for (bool more = !is_next(&s, '}'); ok && more; more = ok && take(&s, ',')) {
		const char *const from = s.at;
		skip_member(&s);
		const struct json_value *const object =
			parse_member(&scratch, from, (size_t)(s.at - from), err);
		ok = object && read_member(f, object, data, &metadata, err);
		arena_clear(&scratch);
	}
	arena_release(&scratch);
	ok = ok && (take(&s, '}') || err_set(err, "header: not JSON: its end is missing"));
	is_next(&s, '\0');
	return ok && (s.at == s.end || err_set(err, "header: not JSON: text behind its end"));
}

static bool read_all(struct tensor_file *f, const struct shard *s, struct err *err)
{
	unsigned char bytes[LENGTH_BYTES] = {0};
	const size_t first = f->n;
	if (s->size >= LENGTH_BYTES && !shard_read(s, 0, bytes, LENGTH_BYTES, err))
		return false;
	const uint64_t len = load_length(bytes);
	if (s->size < LENGTH_BYTES || len > s->size - LENGTH_BYTES || len > TENSOR_FILE_HEADER)
		return err_set(err, "not a safetensors file: the header's length is wrong");
	struct arena scratch;
	arena_init(&scratch);
	char *const text = arena_alloc(&scratch, (size_t)len + 1);
	const struct data data = {LENGTH_BYTES + len, s->size - LENGTH_BYTES - len};
	const bool ok = shard_read(s, LENGTH_BYTES, text, (size_t)len, err) &&
			read_header(f, text, (size_t)len, data, err) &&
			tensor_file_check_places(f, first, data.begin, true, err);
	arena_release(&scratch);
	return ok;
}

bool safetensors_open(struct tensor_file *f, struct err *err)
{
	const struct shard *const s = &f->shards[f->n_shards - 1];
	return read_all(f, s, err) || shard_blame(s, err);
}

/* ---- writing --------------------------------------------------------------------------------- */

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
