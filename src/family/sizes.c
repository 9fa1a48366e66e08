/* sizes.c: widths, numbers of heads and layers, and the block around the attention. */
#include <math.h>
#include <string.h>

#include "family/reading.h"

const char *const norm_kind_names[] = {"LayerNorm", "RMSNorm", "RMSNorm times 1 + w",
				       "LayerNorm without bias", NULL};
const char *const block_order_names[] = {"norm behind the sum",
					 "norm before each part",
					 "norm before and behind each part",
					 "norm behind each part",
					 "attention and feed-forward side by side",
					 NULL};

enum { MOST_SIZE = 1 << 30 };

/* Returns whether the file has the key, be it null. */
static bool is_there(const struct reading *r, const char *name)
{
	return name && json_member(r->text, name);
}

/* Reads a size; `usual` is what the library's class has, which files with pictures leave out. */
static void needed(struct reading *r, const char *names, long usual, long most, long *out)
{
	const char *name;
	const struct json_value *const v = key_find(r->text, names, &name);
	if (!v && usual > 0 && *r->inside) {
		*out = usual;
		return;
	}
	if (read_long(r, names, 1, MOST_SIZE, out) && *out <= most)
		return;
	const size_t len = strcspn(names, "|");
	if (!v)
		say_unknown(r, key_path(r, arena_strndup(r->arena, names, len)), NULL,
			    "it is missing");
	else if (*out > most)
		say_unknown(r, key_path(r, name), NULL, "%ld; at most %ld are drawn here", *out,
			    most);
	else
		r->unknown = true;
	*out = 0;
}

static void read_heads(struct reading *r)
{
	struct known *const k = r->out;
	const struct size_keys *const keys = &r->family->keys;
	const bool none = is_there(r, keys->head_dim);
	k->head_dim = 0;
	if (!keys->head_dim || !read_long(r, keys->head_dim, 1, MODEL_MAX_WIDTH, &k->head_dim))
		k->head_dim = none ? 0 : r->family->head_dim;
	if (k->head_dim == 0 && k->heads > 0) {
		k->head_dim = k->d / k->heads;
		if (k->d > 0 && k->d % k->heads != 0)
			say_unknown(r, key_path(r, keys->heads), NULL,
				    "%ld heads do not divide a width of %ld", k->heads, k->d);
	}
	k->value_dim = k->head_dim;
	k->kv_heads = k->heads;
	if (!keys->kv_heads)
		return;
	const bool null = is_there(r, keys->kv_heads);
	if (!read_long(r, keys->kv_heads, 1, MODEL_MAX_HEADS, &k->kv_heads) && !null &&
	    r->family->kv_heads > 0)
		k->kv_heads = r->family->kv_heads;
	if (k->heads > 0 && k->heads % k->kv_heads != 0) {
		say_unknown(r, key_path(r, keys->kv_heads),
			    arena_printf(r->arena, "\"%s\": %ld", keys->kv_heads, k->heads),
			    "%ld heads of keys do not divide %ld heads of queries", k->kv_heads,
			    k->heads);
		k->kv_heads = k->heads;
	}
}

void read_sizes(struct reading *r)
{
	struct known *const k = r->out;
	const struct size_keys *const keys = &r->family->keys;
	needed(r, keys->layers, r->family->layers, MODEL_MAX_LAYERS, &k->layers);
	needed(r, keys->heads, r->family->heads, MODEL_MAX_HEADS, &k->heads);
	needed(r, keys->d, r->family->d, MODEL_MAX_WIDTH, &k->d);
	read_heads(r);
	if (keys->ff)
		read_long(r, keys->ff, 1, MOST_SIZE, &k->ff);
	read_long(r, "vocab_size", 1, MOST_SIZE, &k->vocabulary);
	if (!keys->positions || !read_long(r, keys->positions, 1, MOST_SIZE, &k->declared))
		k->declared = r->family->positions;
	k->trained = k->declared;
	k->trained_by = k->declared == 0 ? NULL
			: key_find(r->text, keys->positions, &k->trained_by)
				? k->trained_by
				: "the family's default";
	k->scale = k->head_dim > 0 ? 1 / sqrt((double)k->head_dim) : 0;
}

void read_block(struct reading *r)
{
	struct block_rule *const b = &r->out->block;
	*b = r->family->block;
	if (r->family->eps_keys)
		read_number(r, r->family->eps_keys, 0, 1, &b->eps);
	if (r->family->act_keys)
		read_word(r, r->family->act_keys, &b->activation);
}
