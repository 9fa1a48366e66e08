/* tensor.c: the set of named tensors,. Reading files: tensor_open.c. */
#include "posviz/format/tensor.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "posviz/format/json_read.h"
#include "format/name_index.h"
#include "format/tensor_read.h"
#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/format/json.h"
#include "posviz/format/tensor_file.h"

enum {
	MAX_TENSORS = 1 << 18, /* a mixture of experts has some ten thousand tensors */
	QUOTED = 256,
	MOST_NAMED = 5,	  /* tensors that a message lists */
	MOST_BYTES = 200, /* length of this list; a name is never cut */
};

void tensor_set_init(struct tensor_set *set, struct arena *arena)
{
	*set = (struct tensor_set){.arena = arena};
}

static struct names tensors_named(const struct tensor_set *set)
{
	return (struct names){&set->tensors->name, sizeof *set->tensors};
}

static struct names keys_of(const struct tensor_set *set)
{
	return (struct names){&set->meta->key, sizeof *set->meta};
}

static struct tensor *push(struct tensor_set *set, const char *name)
{
	set->tensors =
		array_grow(set->arena, set->tensors, set->count, &set->cap, sizeof *set->tensors);
	struct tensor *t = &set->tensors[set->count++];
	*t = (struct tensor){.name = arena_strdup(set->arena, name)};
	name_index_add(set->arena, &set->by_name, tensors_named(set), set->count);
	return t;
}

void tensor_set_add(struct tensor_set *set, const char *name, struct mat m, bool vector)
{
	if (tensor_find(set, name) != NULL)
		BUG("tensor %s added twice", name);
	BUG_IF(vector && m.rows != 1);
	double *at = arena_calloc(set->arena, m.rows * m.cols, sizeof *at);
	for (size_t r = 0; r < m.rows && m.cols > 0; r++)
		memcpy(at + r * m.cols, mat_row(m, r), m.cols * sizeof *at);
	struct tensor *t = push(set, name);
	t->at = at;
	t->dims = vector ? 1 : 2;
	t->shape[0] = vector ? m.cols : m.rows;
	t->shape[1] = vector ? 0 : m.cols;
}

static struct tensor_meta *find_meta(const struct tensor_set *set, const char *key)
{
	const size_t at =
		set->meta_count > 0 ? name_index_find(&set->by_key, keys_of(set), key) : SIZE_MAX;
	return at < SIZE_MAX ? &set->meta[at] : NULL;
}

static struct tensor_meta *set_meta(struct tensor_set *set, const char *key, const char *value)
{
	struct tensor_meta *meta = find_meta(set, key);
	if (meta == NULL) {
		set->meta = array_grow(set->arena, set->meta, set->meta_count, &set->meta_cap,
				       sizeof *set->meta);
		meta = &set->meta[set->meta_count++];
		meta->key = arena_strdup(set->arena, key);
		name_index_add(set->arena, &set->by_key, keys_of(set), set->meta_count);
	}
	meta->value = arena_strdup(set->arena, value);
	return meta;
}

void tensor_set_add_meta(struct tensor_set *set, const char *key, const char *value)
{
	set_meta(set, key, value)->json = false;
}

void tensor_set_add_meta_json(struct tensor_set *set, const char *key, const char *value)
{
	set_meta(set, key, value)->json = true;
}

void meta_write(const struct tensor_set *set, bool as_values, struct json_writer *w)
{
	for (size_t i = 0; i < set->meta_count; i++) {
		const struct tensor_meta *const m = &set->meta[i];
		if (as_values && m->json)
			json_writer_value(w, m->key, m->value);
		else
			json_writer_string(w, m->key, m->value);
	}
}

const struct tensor *tensor_find(const struct tensor_set *set, const char *name)
{
	const size_t at = set->count > 0 ? name_index_find(&set->by_name, tensors_named(set), name)
					 : SIZE_MAX;
	return at < SIZE_MAX ? &set->tensors[at] : NULL;
}

const char *tensor_meta_find(const struct tensor_set *set, const char *key)
{
	const struct tensor_meta *meta = find_meta(set, key);
	return meta != NULL ? meta->value : NULL;
}

/* struct mat has no const form; the cast through an integer shows that dropping const is meant. */
struct mat tensor_mat(const struct tensor *t)
{
	size_t rows = 1;
	for (size_t i = 0; i + 1 < t->dims; i++)
		rows *= t->shape[i];
	const size_t cols = t->dims > 0 ? t->shape[t->dims - 1] : 1;
	return (struct mat){rows, cols, cols, (double *)(uintptr_t)t->at};
}

bool shape_count(const size_t *shape, size_t dims, size_t *count)
{
	*count = 1;
	for (size_t i = 0; i < dims; i++)
		if (!num_mul(*count, shape[i], count))
			return false;
	return true;
}

bool shape_read(const struct json_value *value, size_t *shape, size_t *dims, struct err *err)
{
	if (value == NULL || value->kind != JSON_VALUE_ARRAY)
		return err_set(err, "\"shape\" is missing or not a list");
	if (value->count > TENSOR_DIMS)
		return err_set(err, "%zu dimensions, at most %d are read", value->count,
			       TENSOR_DIMS);
	for (size_t i = 0; i < value->count; i++) {
		const struct json_value *size = &value->as.items[i];
		if (size->kind != JSON_VALUE_INTEGER || size->as.integer < 0)
			return err_set(err, "\"shape\" must be whole numbers from 0");
		shape[i] = (size_t)size->as.integer;
	}
	*dims = value->count;
	return true;
}

/* Adds a tensor without numbers. NULL with an error. */
static struct tensor *add_shaped(struct tensor_set *set, const char *name, const size_t *shape,
				 size_t dims, bool integer, struct err *err)
{
	char quoted[QUOTED];
	if (tensor_find(set, name) != NULL) {
		err_set(err, "there are two tensors %s",
			text_quote_buf(quoted, sizeof quoted, name, strlen(name)));
		return NULL;
	}
	if (set->count >= MAX_TENSORS) {
		err_set(err, "more than %d tensors", MAX_TENSORS);
		return NULL;
	}
	struct tensor *t = push(set, name);
	t->dims = dims;
	for (size_t i = 0; i < dims; i++)
		t->shape[i] = shape[i];
	t->integer = integer;
	return t;
}

double *tensor_add_read(struct tensor_set *set, const char *name, const size_t *shape, size_t dims,
			bool integer, struct err *err)
{
	size_t count = 0;
	BUG_IF(dims > TENSOR_DIMS || !shape_count(shape, dims, &count));
	struct tensor *const t = add_shaped(set, name, shape, dims, integer, err);
	double *const at = t ? arena_calloc(set->arena, count, sizeof *at) : NULL;
	if (t)
		t->at = at;
	return at;
}

bool tensor_add_entry(struct tensor_set *set, const struct tensor_entry *e, struct err *err)
{
	struct tensor *const t = add_shaped(set, e->name, e->shape, e->dims, e->integer, err);
	if (t)
		t->entry = e;
	return t != NULL;
}

bool tensor_add_read_meta(struct tensor_set *set, const struct json_value *object, struct err *err)
{
	if (object->kind != JSON_VALUE_OBJECT)
		return err_set(err, "the metadata is not an object of strings");
	if (object->count > MAX_TENSORS)
		return err_set(err, "more than %d entries of metadata", MAX_TENSORS);
	for (size_t i = 0; i < object->count; i++) {
		const struct json_value *value = &object->as.items[i];
		char quoted[QUOTED];
		if (value->kind != JSON_VALUE_STRING)
			return err_set(err, "metadata %s is not a string",
				       text_quote_buf(quoted, sizeof quoted, value->name,
						      strlen(value->name)));
		tensor_set_add_meta(set, value->name, value->as.string);
	}
	return true;
}

bool tensor_blame(struct err *err, const char *name)
{
	char quoted[QUOTED];
	return err_prefix(err, "%s: ", text_quote_buf(quoted, sizeof quoted, name, strlen(name)));
}

/* ---- one tensor of a file */

const char *tensor_names(const struct tensor_set *set, const char *wanted, struct arena *a)
{
	const char **names = arena_calloc(a, set->count + 1, sizeof *names);
	for (size_t i = 0; i < set->count; i++)
		names[i] = set->tensors[i].name;
	const char *near = wanted != NULL ? text_nearest(wanted, names, set->count) : NULL;
	struct strbuf out;
	strbuf_init(&out, a);
	if (near != NULL)
		strbuf_add(&out, text_quote_whole(a, near, strlen(near)));
	size_t n = near != NULL;
	for (size_t i = 0; i < set->count && n < MOST_NAMED; i++) {
		if (names[i] == near)
			continue;
		const char *name = text_quote_whole(a, names[i], strlen(names[i]));
		if (n > 0 && out.len + strlen(name) > MOST_BYTES)
			break;
		strbuf_printf(&out, "%s%s", n > 0 ? ", " : "", name);
		n++;
	}
	if (n < set->count)
		strbuf_printf(&out, " and %zu more", set->count - n);
	return out.at;
}

const char *tensor_shape_text(const struct tensor *t, struct arena *a)
{
	const char *out = "[";
	for (size_t i = 0; i < t->dims; i++)
		out = arena_printf(a, "%s%s%zu", out, i ? ", " : "", t->shape[i]);
	return arena_printf(a, "%s]", out);
}

const char *const *tensor_labels(const struct tensor_set *set, const char *axis, size_t n)
{
	const char *text = tensor_meta_find(set, axis);
	const struct json_value *list =
		text != NULL ? json_parse(set->arena, text, strlen(text), NULL) : NULL;
	if (list == NULL || list->kind != JSON_VALUE_ARRAY || list->count != n || n == 0)
		return NULL;
	const char **labels = arena_calloc(set->arena, n, sizeof *labels);
	for (size_t i = 0; i < n; i++) {
		const struct json_value *item = &list->as.items[i];
		if (item->kind != JSON_VALUE_STRING)
			return NULL;
		labels[i] = text_escape(set->arena, item->as.string, strlen(item->as.string));
	}
	return labels;
}

bool tensor_check_finite(const struct tensor *t, struct err *err)
{
	const struct mat m = tensor_mat(t);
	for (size_t r = 0; r < m.rows; r++) {
		for (size_t c = 0; c < m.cols; c++) {
			const double x = mat_row(m, r)[c];
			if (isfinite(x))
				continue;
			char quoted[QUOTED], number[32];
			return err_set(
				err, "tensor %s: row %zu, column %zu is %s, not a finite number",
				text_quote_buf(quoted, sizeof quoted, t->name, strlen(t->name)),
				r + 1, c + 1, num_print(number, sizeof number, x));
		}
	}
	return true;
}
