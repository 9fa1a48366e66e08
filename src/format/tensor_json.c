/* tensor_json.c: a set of tensors as JSON.
 *
 * {"metadata": {key: text}, "about": {key: value}, "tensors": {name: {"shape": [...], "data":
 * [...]}}}; "metadata" may be missing. "about" repeats it with JSON values as JSON and is not read.
 * The data is flat and row-major, non-finite numbers are the strings "inf", "-inf", "nan".
 * Nested lists of numbers are read too: alone, as one tensor, or by their names: {"attention":
 * [[...]], "tokens": ["a", "b"]}, where the tokens are the labels of rows and columns. */
#include <math.h>
#include <string.h>

#include "posviz/format/json_read.h"
#include "format/tensor_read.h"
#include "posviz/base/text.h"
#include "posviz/format/json.h"

enum { QUOTED = 256 };

static bool read_number(double *out, const struct json_value *value)
{
	static const struct {
		const char *name;
		double value;
	} words[] = {{"inf", INFINITY}, {"-inf", -INFINITY}, {"nan", NAN}};
	switch (value->kind) {
	case JSON_VALUE_INTEGER:
		*out = (double)value->as.integer;
		return true;
	case JSON_VALUE_REAL:
		*out = value->as.real;
		return true;
	case JSON_VALUE_STRING:
		for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
			if (strcmp(value->as.string, words[i].name) == 0) {
				*out = words[i].value;
				return true;
			}
		}
		return false;
	default:
		return false;
	}
}

static bool read_tensor(struct tensor_set *set, const struct json_value *value, struct err *err)
{
	size_t shape[TENSOR_DIMS] = {0}, dims = 0, count = 0;
	if (!shape_read(json_member(value, "shape"), shape, &dims, err))
		return false;
	const struct json_value *data = json_member(value, "data");
	if (data == NULL || data->kind != JSON_VALUE_ARRAY)
		return err_set(err, "\"data\" is missing or not a list");
	if (!shape_count(shape, dims, &count) || count != data->count)
		return err_set(err, "%zu numbers do not fill its shape", data->count);
	double *at = tensor_add_read(set, value->name, shape, dims, false, err);
	if (at == NULL)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!read_number(&at[i], &data->as.items[i]))
			return err_set(
				err,
				"entry %zu of \"data\" is not a number, \"inf\", \"-inf\" or "
				"\"nan\"",
				i + 1);
	return true;
}

/* ---- nested lists */

struct lists {
	size_t shape[TENSOR_DIMS], dims;
	double *at;
};

static bool read_lists(struct lists *l, const struct json_value *value, size_t depth,
		       struct err *err)
{
	if (depth == l->dims)
		return read_number(l->at++, value) ||
		       err_set(err, "%s where a number would be right",
			       value->kind == JSON_VALUE_ARRAY ? "a list" : "something else");
	if (value->kind != JSON_VALUE_ARRAY || value->count != l->shape[depth])
		return err_set(err, "not %zu entries as in the first list", l->shape[depth]);
	for (size_t i = 0; i < value->count; i++)
		if (!read_lists(l, &value->as.items[i], depth + 1, err))
			return err_prefix(
				err, depth + 1 < l->dims ? "list %zu: " : "entry %zu: ", i + 1);
	return true;
}

/* Reads nested lists; the first list of every depth gives the shape. */
static bool read_list(struct tensor_set *set, const struct json_value *root, const char *name,
		      size_t most, struct err *err)
{
	struct lists l = {.dims = 0};
	size_t count = 0;
	for (const struct json_value *v = root; v->kind == JSON_VALUE_ARRAY; v = v->as.items) {
		if (l.dims == TENSOR_DIMS)
			return err_set(err, "lists in lists, more than %d deep", TENSOR_DIMS);
		if (v->count == 0)
			return err_set(err, "an empty list");
		l.shape[l.dims++] = v->count;
	}
	/* Ragged lists can be far smaller than the shape that their first lists give. */
	if (!shape_count(l.shape, l.dims, &count) || count > most)
		return err_set(err, "the lists are not equally long");
	l.at = tensor_add_read(set, name, l.shape, l.dims, false, err);
	return l.at != NULL && read_lists(&l, root, 0, err);
}

/* ---- named lists */

static const char forms[] =
	"nested lists of numbers would be right, alone or named with tokens, "
	"{\"attention\": [[0.5, 0.5], [0.1, 0.9]], \"tokens\": [\"a\", \"b\"]}, or "
	"{\"tensors\": {\"NAME\": {\"shape\": [2, 2], \"data\": [0.5, 0.5, 0.1, 0.9]}}}";

static bool is_token_list(const struct json_value *v)
{
	if (v->kind != JSON_VALUE_ARRAY || v->count == 0)
		return false;
	for (size_t i = 0; i < v->count; i++)
		if (v->as.items[i].kind != JSON_VALUE_STRING)
			return false;
	return true;
}

/* Stores tokens like the labels of a CSV. */
static bool add_tokens(struct tensor_set *set, const struct json_value *list, struct err *err)
{
	bool fit = false;
	for (size_t i = 0; i < set->count; i++) {
		const struct tensor *const t = &set->tensors[i];
		fit |= t->dims > 0 && t->shape[t->dims - 1] == list->count;
	}
	if (!fit)
		return err_set(err, "\"tokens\" has %zu, and no list has rows of as many numbers",
			       list->count);
	struct arena a;
	arena_init(&a);
	struct json_writer *const w = json_writer_new(&a);
	json_writer_array(w, NULL);
	for (size_t i = 0; i < list->count; i++) {
		const char *const text = list->as.items[i].as.string;
		json_writer_string(w, NULL, text_escape(&a, text, strlen(text)));
	}
	json_writer_end(w);
	tensor_set_add_meta(set, "axis.key", json_writer_done(w, 0));
	arena_release(&a);
	return true;
}

static bool read_named(struct tensor_set *set, const struct json_value *root, size_t most,
		       struct err *err)
{
	const struct json_value *tokens = NULL;
	if (root->kind != JSON_VALUE_OBJECT || root->count == 0)
		return err_set(err, "there are no lists in it; %s", forms);
	for (size_t i = 0; i < root->count; i++) {
		const struct json_value *const v = &root->as.items[i];
		char quoted[QUOTED];
		text_quote_buf(quoted, sizeof quoted, v->name, strlen(v->name));
		if (strcmp(v->name, "tokens") == 0 && is_token_list(v)) {
			tokens = v;
			continue;
		}
		if (v->kind != JSON_VALUE_ARRAY)
			return err_set(err, "%s is no list; %s", quoted, forms);
		if (!read_list(set, v, v->name, most, err))
			return err_prefix(err, "%s: ", quoted);
	}
	return !tokens || add_tokens(set, tokens, err);
}

static bool read_root(struct tensor_set *set, const struct json_value *root, struct err *err)
{
	const struct json_value *meta = json_member(root, "metadata");
	if (meta != NULL && !tensor_add_read_meta(set, meta, err))
		return false;
	const struct json_value *tensors = json_member(root, "tensors");
	if (tensors == NULL || tensors->kind != JSON_VALUE_OBJECT)
		return err_set(err, "\"tensors\" is missing or not an object");
	for (size_t i = 0; i < tensors->count; i++) {
		const struct json_value *value = &tensors->as.items[i];
		char quoted[QUOTED];
		if (!read_tensor(set, value, err))
			return err_prefix(err, "tensor %s: ",
					  text_quote_buf(quoted, sizeof quoted, value->name,
							 strlen(value->name)));
	}
	return true;
}

bool tensor_read_json(struct tensor_set *set, const char *name, const void *data, size_t len,
		      struct err *err)
{
	if (len > TENSOR_MAX_JSON) {
		err_set(err, "more than %d MiB of JSON, use safetensors", TENSOR_MAX_JSON >> 20);
		return tensor_blame(err, name);
	}
	struct arena scratch;
	arena_init(&scratch);
	const struct json_value *root = json_parse(&scratch, data, len, err);
	const bool ok = root != NULL &&
			(root->kind == JSON_VALUE_ARRAY ? read_list(set, root, "data", len, err)
			 : json_member(root, "tensors") ? read_root(set, root, err)
							: read_named(set, root, len, err));
	arena_release(&scratch);
	return ok || tensor_blame(err, name);
}

static size_t numbers_of(const struct tensor *t)
{
	size_t count = 0;
	BUG_IF(!shape_count(t->shape, t->dims, &count));
	return count;
}

struct told {
	const struct tensor_progress *progress; /* or NULL */
	size_t written, all;
};

static void tell(struct told *told, const struct json_writer *w)
{
	enum { EVERY = 4096 };
	if (told->progress && ++told->written % EVERY == 0)
		told->progress->tell(told->progress->context,
				     (double)told->written / (double)told->all,
				     json_writer_bytes(w));
}

static void write_tensor(struct json_writer *w, const struct tensor *t, struct told *told)
{
	const size_t count = numbers_of(t);
	json_writer_object(w, t->name);
	json_writer_array(w, "shape");
	for (size_t i = 0; i < t->dims; i++)
		json_writer_integer(w, NULL, (long)t->shape[i]);
	json_writer_end(w);
	json_writer_array(w, "data");
	for (size_t i = 0; i < count; i++) {
		json_writer_number(w, NULL, t->at[i]);
		tell(told, w);
	}
	json_writer_end(w);
	json_writer_end(w);
}

bool tensor_write_json(const struct tensor_set *set, struct arena *a, char **data, size_t *len,
		       struct err *err)
{
	(void)err; /* every set has a JSON form */
	struct json_writer *w = json_writer_new(a);
	json_writer_object(w, NULL);
	json_writer_object(w, "metadata");
	meta_write(set, false, w);
	json_writer_end(w);
	json_writer_object(w, "about");
	meta_write(set, true, w);
	json_writer_end(w);
	json_writer_object(w, "tensors");
	struct told told = {.progress = set->progress};
	for (size_t i = 0; i < set->count; i++)
		told.all += numbers_of(&set->tensors[i]);
	for (size_t i = 0; i < set->count; i++)
		write_tensor(w, &set->tensors[i], &told);
	json_writer_end(w);
	json_writer_end(w);
	const char *text = json_writer_done(w, 2);
	*data = arena_printf(a, "%s\n", text);
	*len = strlen(*data);
	return true;
}
