/* know.c: from the text of a configuration to what is known: the order of the steps, and a
 * configuration of no family that is known. */
#include <math.h>
#include <string.h>

#include "family/reading.h"
#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/format/kind.h"
#include "posviz/format/tensor_file.h"

enum { CONFIG_LIMIT = 4 << 20 };

/* ---- the table ------------------------------------------------------------------------------- */

#define FAMILY(name) extern const struct family family_##name[];
#include "family/family_list.h"
#undef FAMILY

const struct family *const families[] = {
#define FAMILY(name) family_##name,
#include "family/family_list.h"
#undef FAMILY
	NULL};

static bool has_type(const struct family *f, const char *type)
{
	for (const char *at = f->types; *at; at += *at == '|') {
		const size_t len = strcspn(at, "|");
		if (strlen(type) == len && memcmp(at, type, len) == 0)
			return true;
		at += len;
	}
	return false;
}

const struct family *family_of(const char *model_type)
{
	for (size_t i = 0; families[i]; i++)
		for (const struct family *f = families[i]; f->types; f++)
			if (has_type(f, model_type))
				return f;
	return NULL;
}

const char *family_types(struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	for (size_t i = 0; families[i]; i++)
		for (const struct family *f = families[i]; f->types; f++)
			strbuf_printf(&out, "%s%s", out.len > 0 ? " " : "", f->types);
	for (char *c = out.at; *c; c++)
		*c = *c == '|' ? ' ' : *c;
	return out.at;
}

/* ---- the family of a file -------------------------------------------------------------------- */

static const char *type_in(const struct json_value *object)
{
	const struct json_value *const v = key_find(object, "model_type", NULL);
	return v && v->kind == JSON_VALUE_STRING ? v->as.string : NULL;
}

/* Finds the object with the keys of the text model, and its family: models with pictures have one
 * inside, and may name their type outside alone. */
static void find_family(struct reading *r)
{
	static const char *const insides[] = {"text_config", "language_config", "llm_config", NULL};
	const char *type = type_in(r->top);
	r->text = r->top;
	r->inside = "";
	for (size_t i = 0; insides[i]; i++) {
		const struct json_value *const in = json_member(r->top, insides[i]);
		if (!in || in->kind != JSON_VALUE_OBJECT)
			continue;
		r->text = in;
		r->inside = arena_printf(r->arena, "%s.", insides[i]);
		type = type_in(in) ? type_in(in) : type;
		break;
	}
	r->family = type ? family_of(type) : NULL;
	if (r->family && r->aside && r->aside->decoder && r->family->decoder)
		r->family = r->family->decoder;
	r->out->model_type = type ? text_escape(r->arena, type, strlen(type)) : "";
}

/* The keys that nearly all families have, for files of none that is known. */
#define COMMON_KEYS                                                                               \
	{                                                                                         \
		.d = "hidden_size|n_embd|d_model|dim",                                            \
		.layers = "num_hidden_layers|n_layer|n_layers|num_layers",                        \
		.heads = "num_attention_heads|n_head|n_heads|num_heads",                          \
		.kv_heads = "num_key_value_heads", .head_dim = "head_dim|d_kv",                   \
		.ff = "intermediate_size|d_ff|ffn_dim",                                           \
		.positions = "max_position_embeddings|n_positions|max_sequence_length|seq_length" \
	}
static const struct family unknown_family = {.types = "", .title = NULL, .keys = COMMON_KEYS};

static void of_no_family(struct reading *r)
{
	struct known *const k = r->out;
	char names[1024];
	const char *list[256];
	size_t n = 0;
	const char *const all = family_types(r->arena);
	const size_t len = strlen(all);
	memcpy(names, all, len < sizeof names ? len + 1 : sizeof names);
	names[sizeof names - 1] = '\0';
	for (char *at = names, *word; (word = strsep(&at, " ")) != NULL && n < 256;)
		list[n++] = word;
	const char *const near = *k->model_type ? text_suggest(k->model_type, list, n) : NULL;
	if (*k->model_type == '\0')
		say_unknown(r, "model_type", "\"model_type\": \"llama\"",
			    "no word that names the family; llama, for example, would be right");
	else
		say_unknown(r, key_path(r, "model_type"),
			    near ? arena_printf(r->arena, "\"model_type\": \"%s\"", near) : NULL,
			    "\"%s\" is no family that is known here; sizes are read, positions are "
			    "not. Known are %s",
			    k->model_type, family_types(r->arena));
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Takes what stands beside the keys into a copy of the family. */
static void take_aside(struct reading *r)
{
	if (!r->aside || !r->aside->neighbours)
		return;
	struct family *const own = arena_calloc(r->arena, 1, sizeof *own);
	*own = *r->family;
	own->neighbours = true;
	r->family = own;
}

/* Frequencies are divided by numbers of the file, and a part of the head rotates. */
static void divide_rates(struct reading *r)
{
	struct known *const k = r->out;
	struct rotation_rule *const rule = &k->rotations[0];
	const struct aside *const by = r->aside;
	if (!by || k->n_rotations == 0)
		return;
	if (by->columns > 0 && by->columns < (double)k->head_dim)
		for (size_t i = 0; i < k->n_rotations; i++)
			k->rotations[i].partial = by->columns / (double)k->head_dim;
	if (by->columns > (double)k->head_dim || fmod(by->columns, 2) > 0)
		say_unknown(r, "rope.dimension_count", NULL,
			    "%s; an even number of the %ld columns of a head would be right",
			    print_number(r->arena, by->columns), k->head_dim);
	if (by->divisors.n == 0)
		return;
	const size_t pairs = (size_t)floor(rule->partial * (double)k->head_dim / 2 + 1e-9);
	if (by->divisors.n != pairs || rule->type != ROPE_TYPE_DEFAULT) {
		say_unknown(r, "rope_freqs.weight", NULL,
			    "it has %zu numbers, and %zu pairs rotate, with a scaling of type %s "
			    "beside it; one for each pair, and no other scaling, would be right",
			    by->divisors.n, pairs, rope_type_names[rule->type]);
		return;
	}
	rule->type = ROPE_TYPE_LONGROPE;
	rule->written = "rope_freqs.weight";
	rule->short_factor = rule->long_factor = by->divisors;
	rule->attention_factor = 1;
	rule->original = k->declared > 1 ? (double)k->declared : 2;
}

static void know(struct reading *r)
{
	struct known *const k = r->out;
	find_family(r);
	k->family = r->family;
	k->title = r->family ? r->family->title : NULL;
	if (!r->family) {
		of_no_family(r);
		r->family = &unknown_family;
	}
	take_aside(r);
	k->causal = !r->family->encoder;
	k->weights = r->family->weights;
	read_sizes(r);
	read_block(r);
	read_experts(r);
	read_quantized(r);
	if (!k->family)
		return;
	read_layers(r);
	read_rotations(r);
	divide_rates(r);
	if (r->family->left_out)
		leave_out(r, "%s", r->family->left_out);
	if (r->family->more)
		r->family->more(r);
	look_misplaced(r);
	write_expression(r);
}

bool know_text(const char *name, const char *text, size_t len, const struct aside *aside,
	       struct arena *a, struct known *out, struct err *err)
{
	struct reading r = {.arena = a, .out = out, .aside = aside};
	*out = (struct known){.model_type = ""};
	r.top = json_parse(a, text, len, err);
	if (!r.top)
		return err_prefix(err, "%s: ", name);
	if (r.top->kind != JSON_VALUE_OBJECT)
		return err_set(err,
			       "%s: %s; an object with model_type would be right, as a model's "
			       "config.json is",
			       name, key_text(&r, r.top));
	if (!key_find(r.top, "model_type", NULL) && !key_find(r.top, unknown_family.keys.d, NULL) &&
	    !key_find(r.top, unknown_family.keys.layers, NULL) &&
	    !key_find(r.top, "text_config", NULL))
		return err_set(err,
			       "%s is no model's configuration: it has neither model_type nor "
			       "hidden_size",
			       name);
	strbuf_init(&r.before, a);
	strbuf_init(&r.behind, a);
	strbuf_init(&r.rules, a);
	know(&r);
	return true;
}

bool family_know(const char *name, const char *text, size_t len, struct arena *a, struct known *out,
		 struct err *err)
{
	return know_text(name, text, len, NULL, a, out, err);
}

static bool read_gguf(const char *path, struct arena *a, struct known *out, struct err *err)
{
	struct tensor_file *const file = tensor_file_open(path, err);
	const bool ok = file && gguf_know(text_escape(a, path, strlen(path)), file, a, out, err);
	tensor_file_close(file);
	return ok;
}

static bool read_part(const char *path, const struct aside *aside, struct arena *a,
		      struct known *out, struct err *err)
{
	struct kind_seen seen;
	if (!kind_of_file(path, NULL, &seen, err))
		return false;
	if (seen.kind->id == KIND_GGUF)
		return read_gguf(path, a, out, err);
	if (seen.kind->id == KIND_DIRECTORY)
		return err_set(err,
			       "%s has no config.json; the directory of a model would be right",
			       text_quote(a, path, strlen(path)));
	const char *const file =
		seen.kind->id == KIND_MODEL_DIR ? arena_printf(a, "%s/config.json", path) : path;
	const char *const name = text_escape(a, file, strlen(file));
	char *data;
	size_t len;
	if (!file_read(file, CONFIG_LIMIT, a, &data, &len, err) ||
	    !know_text(name, data, len, aside, a, out, err))
		return false;
	if (seen.kind->id == KIND_MODEL_DIR)
		look_files(out, path, a);
	return true;
}

bool family_read(const char *path, struct arena *a, struct known *out, struct err *err)
{
	return read_part(path, NULL, a, out, err);
}

bool family_read_decoder(const char *path, struct arena *a, struct known *out, struct err *err)
{
	static const struct aside decoder = {.decoder = true};
	if (!read_part(path, &decoder, a, out, err))
		return false;
	return (out->family && out->family->reads_source) ||
	       err_set(err,
		       "%s: no decoder beside an encoder is known of this model; stack encoder would "
		       "be right",
		       text_quote(a, path, strlen(path)));
}

size_t known_wrong(const struct known *k)
{
	size_t n = 0;
	for (size_t i = 0; i < k->n_remarks; i++)
		n += k->remarks[i].wrong;
	return n;
}

const char *known_line(const struct known *k, struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	strbuf_add(&out, k->title ? k->title : "a model of no family that is known");
	if (k->title && *k->model_type)
		strbuf_printf(&out, " (%s)", k->model_type);
	if (k->layers > 0)
		strbuf_printf(&out, ", %ld layer%s", k->layers, k->layers == 1 ? "" : "s");
	if (k->heads > 0)
		strbuf_printf(&out, ", %ld head%s", k->heads, k->heads == 1 ? "" : "s");
	if (k->head_dim > 0)
		strbuf_printf(&out, " of %ld", k->head_dim);
	if (k->kv_heads > 0 && k->kv_heads != k->heads)
		strbuf_printf(&out, ", %ld of keys and values", k->kv_heads);
	if (k->d > 0)
		strbuf_printf(&out, ", width %ld", k->d);
	return out.at;
}
