/* help_large.c: see help_large.h. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "help_gguf.h"
#include "help_large.h"
#include "posviz/base/strbuf.h"

enum { D = 4096, KEYS = 1024, FF = 14336, LAYERS = 32, MERGES = 280000, ALIGNMENT = 32 };

/* A tensor by its names in both formats; rows 0: one row, of one dimension. */
struct row {
	const char *name, *gguf;
	size_t rows, cols;
};
static const struct row of_model[] = {
	{"model.embed_tokens", "token_embd", LARGE_WORDS, D},
	{"model.norm", "output_norm", 0, D},
	{"lm_head", "output", LARGE_WORDS, D},
};
static const struct row of_layer[] = {
	{"self_attn.q_proj", "attn_q", D, D},		{"self_attn.k_proj", "attn_k", KEYS, D},
	{"self_attn.v_proj", "attn_v", KEYS, D},	{"self_attn.o_proj", "attn_output", D, D},
	{"mlp.gate_proj", "ffn_gate", FF, D},		{"mlp.up_proj", "ffn_up", FF, D},
	{"mlp.down_proj", "ffn_down", D, FF},		{"input_layernorm", "attn_norm", 0, D},
	{"post_attention_layernorm", "ffn_norm", 0, D},
};
enum {
	OF_MODEL = sizeof of_model / sizeof *of_model,
	OF_LAYER = sizeof of_layer / sizeof *of_layer,
	TENSORS = OF_MODEL + LAYERS * OF_LAYER
};

/* Returns the i-th tensor and writes what stands before its name, in one format or the other. */
static const struct row *tensor_at(size_t i, bool gguf, char before[32])
{
	before[0] = '\0';
	if (i < OF_MODEL)
		return &of_model[i];
	snprintf(before, 32, gguf ? "blk.%zu." : "model.layers.%zu.", (i - OF_MODEL) / OF_LAYER);
	return &of_layer[(i - OF_MODEL) % OF_LAYER];
}

static uint64_t bytes_of(const struct row *r)
{
	return (uint64_t)(r->rows ? r->rows : 1) * r->cols * sizeof(float);
}

/* Writes a file that begins so; the rest of `size` bytes is a hole. */
static bool write_sparse(const char *path, const void *head, size_t len, uint64_t size)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	const bool ok =
		write(fd, head, len) == (ssize_t)len && ftruncate(fd, (off_t)(len + size)) == 0;
	return close(fd) == 0 && ok;
}

static const char of_llama[] =
	"{\"architectures\": [\"LlamaForCausalLM\"], \"model_type\": \"llama\", "
	"\"hidden_size\": 4096, \"intermediate_size\": 14336, \"num_hidden_layers\": 32, "
	"\"num_attention_heads\": 32, \"num_key_value_heads\": 8, \"hidden_act\": \"silu\", "
	"\"max_position_embeddings\": 131072, \"vocab_size\": 128256, "
	"\"rms_norm_eps\": 1e-05, \"rope_theta\": 500000.0, \"rope_scaling\": {"
	"\"factor\": 8.0, \"low_freq_factor\": 1.0, \"high_freq_factor\": 4.0, "
	"\"original_max_position_embeddings\": 8192, \"rope_type\": \"llama3\"}}\n";

static bool write_configuration(const char *directory, const char *text, struct arena *a)
{
	return write_sparse(arena_printf(a, "%s/config.json", directory), text, strlen(text), 0);
}

/* Adds a tensor to the header of a file. */
static void add_entry(struct strbuf *b, const char *before, const struct row *r, uint64_t *at)
{
	strbuf_printf(b, "%s\"%s%s.weight\":{\"dtype\":\"F32\",\"shape\":[", *at ? "," : "{",
		      before, r->name);
	if (r->rows)
		strbuf_printf(b, "%zu,", r->rows);
	strbuf_printf(b, "%zu],\"data_offsets\":[%" PRIu64 ",%" PRIu64 "]}", r->cols, *at,
		      *at + bytes_of(r));
	*at += bytes_of(r);
}

static bool write_directory(const char *directory, const char *configuration, struct strbuf *b,
			    uint64_t bytes, struct arena *a)
{
	strbuf_add_char(b, '}');
	char *const head = arena_calloc(a, 8 + b->len, 1);
	for (size_t i = 0; i < 8; i++)
		head[i] = (char)((uint64_t)b->len >> 8 * i);
	memcpy(head + 8, b->at, b->len);
	return write_configuration(directory, configuration, a) &&
	       write_sparse(arena_printf(a, "%s/model.safetensors", directory), head, 8 + b->len,
			    bytes);
}

bool help_large_model(const char *directory)
{
	struct arena a;
	struct strbuf b;
	uint64_t at = 0;
	arena_init(&a);
	strbuf_init(&b, &a);
	for (size_t i = 0; i < TENSORS; i++) {
		char before[32];
		const struct row *const r = tensor_at(i, false, before);
		add_entry(&b, before, r, &at);
	}
	const bool ok = write_directory(directory, of_llama, &b, at, &a);
	arena_release(&a);
	return ok;
}

bool help_large_latent(const char *directory)
{
	static const char text[] =
		"{\"model_type\": \"deepseek_v2\", \"hidden_size\": 2048, \"num_hidden_layers\": 2, "
		"\"num_attention_heads\": 16, \"intermediate_size\": 10944, \"vocab_size\": 1000, "
		"\"max_position_embeddings\": 4096, \"rms_norm_eps\": 1e-06, \"rope_theta\": 10000.0, "
		"\"hidden_act\": \"silu\", \"qk_nope_head_dim\": 128, \"qk_rope_head_dim\": 64, "
		"\"v_head_dim\": 128, \"kv_lora_rank\": 512, \"q_lora_rank\": null, "
		"\"n_routed_experts\": 64, \"num_experts_per_tok\": 6, \"moe_intermediate_size\": 1408}\n";
	static const struct row rows[] = {{"model.embed_tokens", NULL, 1000, 2048},
					  {"model.norm", NULL, 0, 2048},
					  {"input_layernorm", NULL, 0, 2048},
					  {"post_attention_layernorm", NULL, 0, 2048},
					  {"self_attn.q_proj", NULL, 3072, 2048},
					  {"self_attn.kv_a_proj_with_mqa", NULL, 576, 2048},
					  {"self_attn.kv_a_layernorm", NULL, 0, 512},
					  {"self_attn.kv_b_proj", NULL, 4096, 512},
					  {"self_attn.o_proj", NULL, 2048, 2048},
					  {"mlp.gate_proj", NULL, 10944, 2048},
					  {"mlp.up_proj", NULL, 10944, 2048},
					  {"mlp.down_proj", NULL, 2048, 10944}};
	enum { ROWS = sizeof rows / sizeof *rows, FIRST = 2 };
	struct arena a;
	struct strbuf b;
	uint64_t at = 0;
	arena_init(&a);
	strbuf_init(&b, &a);
	for (size_t i = 0; i < FIRST; i++)
		add_entry(&b, "", &rows[i], &at);
	for (size_t l = 0; l < 2; l++)
		for (size_t i = FIRST; i < ROWS; i++)
			add_entry(&b, arena_printf(&a, "model.layers.%zu.", l), &rows[i], &at);
	const bool ok = write_directory(directory, text, &b, at, &a);
	arena_release(&a);
	return ok;
}

/* ---- GGUF -------------------------------------------------------------------------------------- */

static void add_numbers(struct gguf_maker *m)
{
	static const struct {
		const char *key;
		uint32_t number;
	} rows[] = {{"llama.block_count", LAYERS},	{"llama.context_length", LARGE_CONTEXT},
		    {"llama.embedding_length", D},	{"llama.feed_forward_length", FF},
		    {"llama.attention.head_count", 32}, {"llama.attention.head_count_kv", 8},
		    {"llama.vocab_size", LARGE_WORDS}};
	const float eps = 1e-5f;
	uint32_t bits;
	memcpy(&bits, &eps, sizeof bits);
	gguf_key_text(m, "general.architecture", "llama");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		gguf_key_u32(m, rows[i].key, rows[i].number);
	gguf_key(m, "llama.attention.layer_norm_rms_epsilon", GGUF_F32);
	gguf_add(m, bits, 4);
}

static void add_list(struct gguf_maker *m, const char *key, const char *format, size_t n)
{
	gguf_key(m, key, GGUF_ARRAY);
	gguf_add(m, GGUF_STRING, 4);
	gguf_add(m, n, 8);
	for (size_t i = 0; i < n; i++) {
		char text[32];
		const int len = snprintf(text, sizeof text, format, i);
		gguf_add_text(m, text, (size_t)len);
	}
}

bool help_large_gguf(const char *path)
{
	enum { KEYS_OF_FILE = 9 + 3 };
	struct arena a;
	struct gguf_maker m;
	uint64_t at = 0;
	arena_init(&a);
	gguf_begin(&m, &a, 3, TENSORS, KEYS_OF_FILE);
	add_numbers(&m);
	gguf_key_text(&m, "tokenizer.ggml.model", "gpt2");
	add_list(&m, "tokenizer.ggml.tokens", "word%zu", LARGE_WORDS);
	add_list(&m, "tokenizer.ggml.merges", "w o%zu", MERGES);
	for (size_t i = 0; i < TENSORS; i++) {
		char before[32], name[64];
		const struct row *const r = tensor_at(i, true, before);
		snprintf(name, sizeof name, "%s%s.weight", before, r->gguf);
		gguf_tensor(&m, name, (const uint64_t[]){r->cols, r->rows, 0}, GGUF_TENSOR_F32, at);
		at += bytes_of(r);
	}
	gguf_pad(&m, ALIGNMENT);
	const bool ok = write_sparse(path, m.at, m.len, at);
	arena_release(&a);
	return ok;
}
