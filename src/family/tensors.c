/* tensors.c: where the files of a model hold what it learned of positions. */
#include <string.h>

#include "family/reading.h"
#include "posviz/scheme/scheme.h"

/* The characters that a name may have in the text of map. */
static bool is_plain(const char *name)
{
	for (; *name; name++)
		if (strchr(" =[]+\"'", *name) || *name < 0x20)
			return false;
	return true;
}

/* Returns whether a name is `wanted` behind a prefix that ends with a dot, or without one. */
static bool ends_with(const char *name, const char *wanted)
{
	const size_t len = strlen(name), tail = strlen(wanted);
	return len >= tail && strcmp(name + len - tail, wanted) == 0 &&
	       (len == tail || name[len - tail - 1] == '.');
}

/* The tensor with the shortest prefix: a model of pictures and texts has the text's first. */
const struct tensor_entry *family_find_tensor(const struct tensor_file *f, const char *wanted)
{
	const struct tensor_entry *best = tensor_file_find(f, wanted);
	for (size_t i = 0; !best && i < tensor_file_count(f); i++) {
		const struct tensor_entry *const e = tensor_file_at(f, i);
		if (ends_with(e->name, wanted) && (!best || strlen(e->name) < strlen(best->name)))
			best = e;
	}
	return best;
}

const char *family_numbered(const char *text, const char *mark, long number, struct arena *a)
{
	const char *const at = strstr(text, mark);
	return at ? arena_printf(a, "%.*s%ld%s", (int)(at - text), text, number, at + strlen(mark))
		  : text;
}

const char *family_of_layer(const char *text, long layer, struct arena *a)
{
	return family_numbered(text, "%L", layer, a);
}

static bool fits(const struct known *k, const struct family_tensor *t, const struct tensor_entry *e)
{
	return !t->table || (long)tensor_entry_cols(e) == (k->embed_width ? k->embed_width : k->d);
}

/* Adds "leaf=TENSOR[rows]" for a layer, or for all; false: the file has no such tensor. */
static bool add(const struct known *k, const struct family_tensor *t, const struct tensor_file *f,
		long layer, struct arena *a, struct strbuf *out)
{
	const bool gguf = tensor_file_is_gguf(f);
	if (gguf ? !t->gguf : !t->tensor)
		return false;
	const struct tensor_entry *const e =
		gguf ? tensor_file_find(f, family_of_layer(t->gguf, layer, a))
		     : family_find_tensor(f, family_of_layer(t->tensor, layer, a));
	if (!e || e->unread || !is_plain(e->name) || !fits(k, t, e))
		return false;
	strbuf_printf(out, "%s%s=%s", out->len > 0 ? " " : "", family_of_layer(t->leaf, layer, a),
		      e->name);
	if (t->table && k->first_row > 0)
		strbuf_printf(out, "[%ld:]", k->first_row);
	if (t->minus_one && !gguf)
		strbuf_add(out, "+1");
	if (t->values) {
		const struct tensor_entry *const of =
			tensor_file_find(f, family_of_layer(t->values, layer, a));
		if (!of || of->unread || !is_plain(of->name))
			return false;
		strbuf_printf(out, "&%s", of->name);
	}
	if (t->turned)
		strbuf_add(out, "^T");
	return true;
}

static bool is_in(const struct expr *e, const char *scheme)
{
	for (size_t i = 0; e && i < e->n; i++)
		if (strcmp(e->members[i].scheme->id, scheme) == 0)
			return true;
	return false;
}

static void add_all(const struct family_tensor *t, const struct tensor_file *f, struct strbuf *out)
{
	const size_t front = strlen(t->tensor);
	for (size_t i = 0; i < tensor_file_count(f); i++) {
		const struct tensor_entry *const e = tensor_file_at(f, i);
		if (strncmp(e->name, t->tensor, front) == 0 && !e->unread && is_plain(e->name))
			strbuf_printf(out, "%s%s=%s", out->len > 0 ? " " : "", e->name + front,
				      e->name);
	}
}

const char *family_map(const struct known *k, const struct tensor_file *f, struct arena *a)
{
	struct strbuf out;
	const struct expr *const e = k->expression ? expr_of(k->expression, a, NULL) : NULL;
	strbuf_init(&out, a);
	for (const struct family_tensor *t = k->family ? k->family->tensors : NULL; t && t->leaf;
	     t++) {
		const size_t before = out.len;
		if (strcmp(t->leaf, "*") == 0) {
			add_all(t, f, &out);
			continue;
		}
		const long layers = strstr(t->leaf, "%L") ? k->layers : 1;
		bool all = is_in(e, t->scheme);
		for (long l = 0; l < layers && all; l++)
			all = add(k, t, f, l, a, &out);
		if (!all) { /* part of a parameter would be no model's */
			out.len = before;
			out.at[before] = '\0';
		}
	}
	return out.at;
}

void leave_layers(struct reading *r, const char *why)
{
	r->out->weights = NULL;
	r->out->unread = why;
}
