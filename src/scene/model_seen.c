/* model_seen.c: hashes of the parts of a model that a scene shows. */
#include "posviz/scene/model_seen.h"

#include <string.h>

#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/format/json.h"
#include "posviz/format/json_read.h"
#include "posviz/format/kind.h"
#include "posviz/scene/beside.h"
#include "scene_in.h"

enum { CONFIG_LIMIT = 16 << 20 };

struct seer {
	struct json_writer *w;
	const struct tensor_file *f;
	const long *ids;
	size_t n_ids;
	const char **names; /* of the tensors so far: leaves of several layers share one */
	size_t n;
	struct arena *a;
};

static const char *base_name(const char *path)
{
	const char *const slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static void write_hash(struct seer *s, const char *name, struct sha256 *hash)
{
	char text[SHA256_TEXT];
	sha256_done(hash, text);
	json_writer_string(s->w, name, text);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Returns the path of the configuration; NULL: it is in the file of the tensors. */
static const char *config_of(const char *path, struct arena *a)
{
	struct kind_seen seen;
	if (!kind_of_file(path, NULL, &seen, NULL) || seen.kind->id == KIND_GGUF)
		return NULL;
	return seen.kind->id == KIND_MODEL_CONFIG ? path : arena_printf(a, "%s/config.json", path);
}

static bool see_config(struct seer *s, const char *path, struct err *err)
{
	struct sha256 hash;
	char *data;
	size_t len;
	if (!file_read(path, CONFIG_LIMIT, s->a, &data, &len, err))
		return false;
	sha256_init(&hash);
	sha256_add(&hash, data, len);
	write_hash(s, base_name(path), &hash);
	return true;
}

static bool see_headers(struct seer *s, struct err *err)
{
	for (size_t i = 0; s->f && i < tensor_file_parts(s->f); i++) {
		struct sha256 hash;
		sha256_init(&hash);
		if (!tensor_file_hash_header(s->f, i, &hash, err))
			return false;
		write_hash(s, base_name(tensor_file_part(s->f, i)), &hash);
	}
	return true;
}

/* ---- tensors --------------------------------------------------------------------------------- */

static bool is_new(struct seer *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->names[i], name) == 0)
			return false;
	if (!s->names) /* as many as there can be */
		s->names = arena_calloc(s->a, tensor_file_count(s->f), sizeof *s->names);
	s->names[s->n++] = name;
	return true;
}

static bool see_tensor(void *self, const struct tensor_entry *e, struct err *err)
{
	struct seer *const s = self;
	struct sha256 hash;
	if (!is_new(s, e->name))
		return true;
	sha256_init(&hash);
	if (!tensor_file_hash_rows(s->f, e, 0, tensor_entry_rows(e), &hash, err))
		return false;
	write_hash(s, e->name, &hash);
	return true;
}

static bool see_words(void *self, const struct tensor_entry *e, struct err *err)
{
	struct seer *const s = self;
	struct sha256 hash;
	if (!is_new(s, e->name))
		return true;
	sha256_init(&hash);
	for (size_t i = 0; i < s->n_ids; i++)
		if (!tensor_file_hash_rows(s->f, e, (size_t)s->ids[i], 1, &hash, err))
			return false;
	write_hash(s, e->name, &hash);
	return true;
}

/* The name of a leaf's tensor may be followed by rows of it, or by what is added: "table[2:]". */
static bool see_leaves(struct seer *s, const struct model *m, struct err *err)
{
	for (size_t i = 0; i < m->n_leaves; i++) {
		const char *const name = m->leaves[i].tensor;
		const struct tensor_entry *const e =
			name ? tensor_file_find(s->f,
						arena_strndup(s->a, name, strcspn(name, "[+")))
			     : NULL;
		if (e && !see_tensor(s, e, err))
			return false;
	}
	return true;
}

static bool see_shown(struct seer *s, const struct setup *setup, struct err *err)
{
	const bool learned = strcmp(setup->params, setup->checkpoint) == 0;
	struct built *const b = arena_calloc(s->a, 1, sizeof *b);
	if (!s->f || (!learned && !setup_computes(setup)))
		return true;
	if (!setup_build(setup, s->a, b, err) || (learned && !see_leaves(s, &b->model, err)))
		return false;
	if (!b->checkpoint)
		return true;
	long *const ids = arena_calloc(s->a, b->written.n + 1, sizeof *ids);
	for (size_t i = 0; i < b->written.n; i++)
		ids[i] = b->written.tokens[i].id;
	s->ids = ids;
	s->n_ids = b->written.n;
	const struct checkpoint_seer to = {.self = s, .see = see_tensor, .words = see_words};
	return checkpoint_each(b->checkpoint, b->model.config.layers, &to, err);
}

/* ---- the text -------------------------------------------------------------------------------- */

/* Writes the members of the object of a setup's model. */
static bool see_model(struct json_writer *w, const struct setup *setup, struct arena *a,
		      struct err *err)
{
	const char *const path = setup->checkpoint;
	const char *const config = *path ? config_of(path, a) : NULL;
	struct seer s = {.w = w, .a = a};
	if (*path && (!config || strcmp(config, path) != 0)) /* a configuration has no tensors */
		s.f = tensor_file_open_in(a, path, NULL);
	json_writer_string(w, "path", path);
	json_writer_object(w, "files");
	if ((config && !see_config(&s, config, err)) || !see_headers(&s, err))
		return false;
	json_writer_end(w);
	json_writer_object(w, "tensors");
	if (*path && !see_shown(&s, setup, err))
		return false;
	json_writer_end(w);
	return true;
}

/* Fills the setups of the models that are compared with the scene's own; returns their number. */
static size_t compared_models(const struct setup *setup, struct arena *a, struct setup *out)
{
	struct beside all[COMPARE_MAX];
	size_t models = 0;
	const size_t n = scene_beside(setup, a, all);
	for (size_t i = 1; i < n; i++)
		models += all[i].model && file_exists(all[i].model) &&
			  setup_of_compared(setup, i + 1, a, &out[models], NULL);
	return models;
}

bool model_seen(const struct setup *setup, struct arena *a, const char **out, struct err *err)
{
	struct setup *const others = arena_calloc(a, COMPARE_MAX, sizeof *others);
	const size_t n = compared_models(setup, a, others);
	struct json_writer *const w = json_writer_new(a);
	*out = NULL;
	if (!*setup->checkpoint && n == 0)
		return true;
	json_writer_object(w, NULL);
	if (!see_model(w, setup, a, err))
		return false;
	if (n > 0)
		json_writer_array(w, "compared");
	for (size_t i = 0; i < n; i++) {
		json_writer_object(w, NULL);
		if (!see_model(w, &others[i], a, err))
			return false;
		json_writer_end(w);
	}
	if (n > 0)
		json_writer_end(w);
	json_writer_end(w);
	*out = json_writer_done(w, 0);
	return true;
}

/* Returns the name of the first member that the two do not share with the same value; NULL: none. */
static const char *first_apart(const struct json_value *there, const struct json_value *here)
{
	for (size_t i = 0; i < there->count; i++) {
		const struct json_value *const x = &there->as.items[i], *const y = json_member(
										here, x->name);
		if (!y || x->kind != JSON_VALUE_STRING || strcmp(x->as.string, y->as.string) != 0)
			return x->name;
	}
	for (size_t i = 0; i < here->count; i++)
		if (!json_member(there, here->as.items[i].name))
			return here->as.items[i].name;
	return NULL;
}

static bool compare(const char *path, const struct json_value *there, const struct json_value *here,
		    struct arena *a, struct err *err)
{
	static const char *const keys[] = {"files", "tensors"};
	for (size_t i = 0; i < 2; i++) {
		const struct json_value *const old = json_member(there, keys[i]);
		if (!old || old->kind != JSON_VALUE_OBJECT)
			return err_set(err, "what the picture says of its model is damaged");
		const char *const name = first_apart(old, json_member(here, keys[i]));
		if (!name)
			continue;
		const size_t len = strlen(name);
		const bool config = len > 5 && strcmp(name + len - 5, ".json") == 0;
		return err_set(err,
			       "the model %s is not the one of the picture: %s%s differ%s; the "
			       "files of then would be right",
			       text_quote(a, path, strlen(path)),
			       i == 1	? "the numbers of "
			       : config ? ""
					: "names, types or shapes in the header of ",
			       text_quote(a, name, len), i == 0 && config ? "s" : "");
	}
	return true;
}

/* Returns the object of the compared model with this path; NULL: there is none. */
static const struct json_value *compared_at(const struct json_value *v, const char *path)
{
	const struct json_value *const list = json_member(v, "compared");
	for (size_t i = 0; list && list->kind == JSON_VALUE_ARRAY && i < list->count; i++) {
		const struct json_value *const at = json_member(&list->as.items[i], "path");
		if (at && at->kind == JSON_VALUE_STRING && strcmp(at->as.string, path) == 0)
			return &list->as.items[i];
	}
	return NULL;
}

/* Compares the models that were beside the scene's own then, as far as their files are there. */
static bool compare_others(const struct json_value *there, const struct json_value *here,
			   struct arena *a, struct err *err)
{
	const struct json_value *const list = json_member(there, "compared");
	for (size_t i = 0; list && list->kind == JSON_VALUE_ARRAY && i < list->count; i++) {
		const struct json_value *const old = &list->as.items[i], *const path = json_member(
										 old, "path");
		if (!path || path->kind != JSON_VALUE_STRING)
			return err_set(err, "what the picture says of its model is damaged");
		const struct json_value *const now = compared_at(here, path->as.string);
		if (now && !compare(path->as.string, old, now, a, err))
			return false;
	}
	return true;
}

bool model_seen_again(const struct setup *setup, const char *text, struct arena *a, struct err *err)
{
	const char *now;
	const struct json_value *const there = json_parse(a, text, strlen(text), err);
	if (!there)
		return err_prefix(err, "what the picture says of its model: ");
	struct setup own = *setup;
	if (*own.checkpoint && !file_exists(own.checkpoint))
		own.checkpoint = "";
	if (!model_seen(&own, a, &now, err))
		return false;
	const struct json_value *const here = now ? json_parse(a, now, strlen(now), err) : NULL;
	if (!now || !here)
		return !now;
	return (!*own.checkpoint || compare(own.checkpoint, there, here, a, err)) &&
	       compare_others(there, here, a, err);
}
