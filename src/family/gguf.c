/* gguf.c: the metadata of a GGUF file as the keys of a configuration, so that both are read by the
 * same families.
 *
 * Known are the architectures whose conversion is described: llama, whose rows are reordered so that
 * neighbours are pairs, also with experts, which it has if it counts some (Mixtral); qwen2, qwen3, both
 * with experts too, gemma3 and gpt-oss, which rotate halves; deepseek2, which is V2 or, if its router is
 * a sigmoid, V3; gpt2 and bloom. What a converter
 * leaves out is not the family's default: without key_length a head has d / heads columns, without
 * freq_base the base is 10000. Llama 3's scaling is no key, but a tensor of divisors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "family/reading.h"
#include "posviz/base/text.h"
#include "posviz/format/json.h"
#include "posviz/format/tensor_file.h"

static const struct architecture {
	const char *name, *model_type;
	bool neighbours, rotates;
	const char *mixed; /* the model_type of a file that counts experts; NULL: the same */
	bool normed;	   /* weights of chosen experts are divided by their sum: no key says so */
	bool exact; /* yarn has no rounded limits, as the model was trained: no key says so */
	const char *
		by_sigmoid; /* the model_type of a file whose router is a sigmoid; NULL: the same */
	bool latent;	    /* queries and keys have a rotated part beside the content */
} architectures[] = {
	{"llama", "llama", true, true, .mixed = "mixtral"},
	{"qwen2", "qwen2", false, true},
	{"qwen2moe", "qwen2_moe", false, true},
	{"qwen3", "qwen3", false, true},
	{"qwen3moe", "qwen3_moe", false, true, .normed = true},
	{"gemma3", "gemma3_text", false, true},
	{"gpt-oss", "gpt_oss", false, true, .exact = true},
	{"deepseek2", "deepseek_v2", true, true, .by_sigmoid = "deepseek_v3", .latent = true},
	{"gpt2", "gpt2", false, false},
	{"bloom", "bloom", false, false},
};
enum { ARCHITECTURES = sizeof architectures / sizeof *architectures };

/* A file that is read into keys. */
struct gguf {
	const struct tensor_file *file;
	const struct architecture *is;
	const struct family *family;
	const struct size_keys *keys;
	struct arena *arena;
	struct json_writer *out;
};

static const struct file_value *value_of(const struct gguf *g, const char *key)
{
	return tensor_file_value(g->file, arena_printf(g->arena, "%s.%s", g->is->name, key));
}

static bool number_at(const struct gguf *g, const char *key, double *out)
{
	const struct file_value *const v = value_of(g, key);
	if (v && v->kind == FILE_VALUE_NUMBER)
		*out = v->number;
	return v && v->kind == FILE_VALUE_NUMBER && isfinite(v->number);
}

/* Returns the first of several names of a key. */
static const char *first_name(const struct gguf *g, const char *names)
{
	return arena_strndup(g->arena, names, strcspn(names, "|"));
}

/* Writes a number under the name that it has in a configuration; a value of another kind as a text
 * or a list, which the reader refuses. */
static bool copy(const struct gguf *g, const char *key, const char *names)
{
	const struct file_value *const v = value_of(g, key);
	if (!v || !names)
		return false;
	const char *const name = first_name(g, names);
	if (v->kind == FILE_VALUE_NUMBER && fabs(v->number) < 1e15 && v->number == floor(v->number))
		json_writer_integer(g->out, name, (long)v->number);
	else if (v->kind == FILE_VALUE_NUMBER && isfinite(v->number))
		json_writer_number(g->out, name, v->number);
	else if (v->kind == FILE_VALUE_TEXT)
		json_writer_string(g->out, name, v->text);
	else
		json_writer_string(g->out, name, "no single number");
	return true;
}

/* Writes a number that the file leaves out. */
static void instead(const struct gguf *g, bool there, const char *names, double value)
{
	if (!there && names && value > 0)
		json_writer_number(g->out, first_name(g, names), value);
}

/* Returns whether one key of a configuration has the width of the experts, and the file has theirs. */
static bool is_width_of_experts(const struct gguf *g)
{
	const struct expert_keys *const x = g->family->experts;
	return x && strcmp(first_name(g, x->width), first_name(g, g->keys->ff)) == 0 &&
	       value_of(g, "expert_feed_forward_length");
}

static void copy_sizes(const struct gguf *g)
{
	double d = 0, heads = 0;
	copy(g, "embedding_length", g->keys->d);
	copy(g, "block_count", g->keys->layers);
	copy(g, "attention.head_count", g->keys->heads);
	copy(g, "context_length", g->keys->positions);
	if (!is_width_of_experts(g))
		copy(g, "feed_forward_length", g->keys->ff);
	const bool kv = copy(g, "attention.head_count_kv", g->keys->kv_heads);
	const bool width = g->is->latent ? copy(g, "rope.dimension_count", g->keys->head_dim)
					 : copy(g, "attention.key_length", g->keys->head_dim);
	const bool both = number_at(g, "embedding_length", &d) &&
			  number_at(g, "attention.head_count", &heads) && heads >= 1;
	instead(g, kv, g->keys->kv_heads, both ? heads : 0);
	instead(g, width, g->keys->head_dim, both ? floor(d / heads) : 0);
	copy(g, "attention.layer_norm_rms_epsilon", "rms_norm_eps");
	copy(g, "attention.layer_norm_epsilon", "layer_norm_epsilon");
}

static void copy_experts(const struct gguf *g)
{
	const struct expert_keys *const keys = g->family->experts;
	if (!keys)
		return;
	copy(g, "expert_count", keys->n);
	copy(g, "expert_used_count", keys->chosen);
	copy(g, "expert_feed_forward_length", keys->width);
	copy(g, "expert_shared_feed_forward_length", keys->shared);
	if (g->is->normed && keys->normed)
		json_writer_bool(g->out, first_name(g, keys->normed), true);
}

/* Returns the shortest decimal number that is this one in single precision, in which files have numbers. */
static double decimal(double x)
{
	char text[32];
	for (int digits = 6; digits < 9; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, x);
		if ((float)strtod(text, NULL) == (float)x)
			return strtod(text, NULL);
	}
	return x;
}

/* Writes the widths of a head's parts. Newer files have the keys of latent vectors in the place of those of heads, which
 * have keys of their own. */
static void copy_latent(const struct gguf *g)
{
	const bool own = value_of(g, "attention.key_length_mla") != NULL;
	double all = 0, rotated = 0;
	if (number_at(g, own ? "attention.key_length_mla" : "attention.key_length", &all) &&
	    number_at(g, "rope.dimension_count", &rotated) && all >= rotated)
		json_writer_number(g->out, "qk_nope_head_dim", all - rotated);
	copy(g, own ? "attention.value_length_mla" : "attention.value_length", "v_head_dim");
	copy(g, "attention.kv_lora_rank", "kv_lora_rank");
	if (!copy(g, "attention.q_lora_rank", "q_lora_rank"))
		json_writer_value(g->out, "q_lora_rank", "null");
}

/* Writes what is chosen of the experts; without a key there are no groups, no factor and no sum. */
static void copy_choice(const struct gguf *g)
{
	const struct file_value *const normed = value_of(g, "expert_weights_norm");
	double groups = 1;
	copy(g, "expert_shared_count", "n_shared_experts");
	instead(g, copy(g, "expert_weights_scale", "routed_scaling_factor"),
		"routed_scaling_factor", 1);
	instead(g, copy(g, "expert_group_count", "n_group"), "n_group", 1);
	instead(g, copy(g, "expert_group_used_count", "topk_group"), "topk_group", 1);
	json_writer_bool(g->out, "norm_topk_prob", normed && normed->number > 0);
	if (number_at(g, "expert_group_count", &groups) && groups > 1)
		json_writer_string(g->out, "topk_method", "group_limited_greedy");
}

/* Cosines and sines are not multiplied, and logits are by the square of 1 + log_mul·ln(factor). */
static void copy_mscale(const struct gguf *g)
{
	double by;
	if (!number_at(g, "rope.scaling.yarn_log_mul", &by)) {
		json_writer_integer(g->out, "attention_factor", 1);
		return;
	}
	json_writer_number(g->out, "mscale", decimal(10 * by));
	json_writer_number(g->out, "mscale_all_dim", decimal(10 * by));
}

/* yarn multiplies cosines and sines by attn_factor beside its own factor. */
static void copy_attention(const struct gguf *g, double factor)
{
	double by;
	if (number_at(g, "rope.scaling.attn_factor", &by) && (by < 1 || by > 1))
		json_writer_number(g->out, "attention_factor",
				   by * (0.1 * log(fmax(factor, 1)) + 1));
}

static void copy_scaling(const struct gguf *g)
{
	const struct file_value *const type = value_of(g, "rope.scaling.type");
	const char *const word = type && type->kind == FILE_VALUE_TEXT ? type->text : NULL;
	double factor = 1;
	const bool old = number_at(g, "rope.scale_linear", &factor);
	const bool any = old || number_at(g, "rope.scaling.factor", &factor) || word;
	if (!any || (word && strcmp(word, "none") == 0)) {
		if (g->is->exact) /* the family's default is one */
			json_writer_value(g->out, "rope_scaling", "null");
		return;
	}
	json_writer_object(g->out, "rope_scaling");
	json_writer_string(g->out, "rope_type", word ? word : "linear");
	json_writer_number(g->out, "factor", factor);
	copy(g, "rope.scaling.original_context_length", "original_max_position_embeddings");
	if (word && strcmp(word, "yarn") == 0) {
		copy(g, "rope.scaling.yarn_beta_fast", "beta_fast");
		copy(g, "rope.scaling.yarn_beta_slow", "beta_slow");
		if (g->is->latent)
			copy_mscale(g);
		else
			copy_attention(g, factor);
		if (g->is->exact)
			json_writer_bool(g->out, "truncate", false);
	}
	json_writer_end(g->out);
}

static void copy_rotation(const struct gguf *g)
{
	double d = 0, heads = 1, width = 0;
	instead(g, copy(g, "rope.freq_base", "rope_theta"), "rope_theta", 10000);
	copy_scaling(g);
	if (g->is->exact)
		copy(g, "attention.sliding_window", "sliding_window");
	if (strcmp(g->is->name, "gemma3") != 0)
		return;
	instead(g, copy(g, "rope.freq_base_swa", "rope_local_base_freq"), "rope_local_base_freq",
		10000);
	copy(g, "attention.sliding_window", "sliding_window");
	if (!number_at(g, "attention.key_length", &width) && number_at(g, "embedding_length", &d) &&
	    number_at(g, "attention.head_count", &heads) && heads >= 1)
		width = floor(d / heads);
	if (width > 0)
		json_writer_number(g->out, "query_pre_attn_scalar", width);
}

/* Reads the divisors of the frequencies, one for each pair. */
static bool read_divisors(const struct gguf *g, struct number_list *out, struct err *err)
{
	const struct tensor_entry *const e = tensor_file_find(g->file, "rope_freqs.weight");
	enum { MOST_PAIRS = MODEL_MAX_WIDTH / 2 };
	if (!e || !g->is->rotates)
		return true;
	const size_t n = tensor_entry_cols(e);
	if (tensor_entry_rows(e) != 1 || n > MOST_PAIRS)
		return err_set(err, "rope_freqs.weight: a number for each pair would be right");
	double *const at = arena_calloc(g->arena, n + 1, sizeof *at);
	if (!tensor_file_rows(g->file, e, 0, 1, at, err))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!(at[i] >= 1e-3 && at[i] <= 1e6))
			return err_set(err,
				       "rope_freqs.weight: number %zu is %g; numbers from 0.001 to "
				       "1000000 would be right",
				       i + 1, at[i]);
	*out = (struct number_list){n, at};
	return true;
}

static const struct architecture *architecture_of(const struct tensor_file *file, struct err *err)
{
	const struct file_value *const v = tensor_file_value(file, "general.architecture");
	char quoted[200];
	if (!v || v->kind != FILE_VALUE_TEXT) {
		err_set(err,
			"general.architecture is no text; \"llama\", for example, would be right");
		return NULL;
	}
	for (size_t i = 0; i < ARCHITECTURES; i++)
		if (strcmp(architectures[i].name, v->text) == 0)
			return &architectures[i];
	err_set(err,
		"general.architecture %s is none of those whose positions are known here: llama, "
		"qwen2, qwen2moe, qwen3, qwen3moe, gemma3, gpt-oss, deepseek2, gpt2, bloom",
		text_quote_buf(quoted, sizeof quoted, v->text, strlen(v->text)));
	return NULL;
}

static const char *type_of(const struct gguf *g)
{
	enum { SIGMOID = 2 };
	double experts = 0, router = 0;
	if (g->is->mixed && number_at(g, "expert_count", &experts) && experts > 0)
		return g->is->mixed;
	if (g->is->by_sigmoid && number_at(g, "expert_gating_func", &router) &&
	    fabs(router - SIGMOID) < 0.5)
		return g->is->by_sigmoid;
	return g->is->model_type;
}

bool gguf_know(const char *name, const struct tensor_file *file, struct arena *a, struct known *out,
	       struct err *err)
{
	struct gguf g = {.file = file, .arena = a, .is = architecture_of(file, err)};
	struct aside aside = {0};
	if (!g.is)
		return err_prefix(err, "%s: ", name);
	const char *const type = type_of(&g);
	g.family = family_of(type);
	g.keys = &g.family->keys;
	g.out = json_writer_new(a);
	json_writer_object(g.out, NULL);
	json_writer_string(g.out, "model_type", type);
	copy_sizes(&g);
	copy_experts(&g);
	if (g.is->latent) {
		copy_latent(&g);
		copy_choice(&g);
	}
	if (g.is->rotates)
		copy_rotation(&g);
	json_writer_end(g.out);
	if (!read_divisors(&g, &aside.divisors, err))
		return err_prefix(err, "%s: ", name);
	aside.neighbours = g.is->neighbours;
	number_at(&g, "rope.dimension_count", &aside.columns);
	const char *const text = json_writer_done(g.out, 0);
	return know_text(name, text, strlen(text), &aside, a, out, err);
}
