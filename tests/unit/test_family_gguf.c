/* test_family_gguf.c: the metadata of GGUF files as configurations: what converters leave out, divisors that
 * are a tensor, and files that lie. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_files.h"
#include "help_gguf.h"
#include "posviz/family/family.h"

FIXTURE(open_folder, close_folder)

static void key_f32(struct gguf_maker *m, const char *key, float number)
{
	uint32_t bits;
	memcpy(&bits, &number, sizeof bits);
	gguf_key(m, key, GGUF_F32);
	gguf_add(m, bits, 4);
}

struct part {
	const char *key, *text;
	double number;
	bool real;
};

/* Writes a file with these keys of an architecture, the list ends with key NULL, and divisors. */
static void make(const char *architecture, const struct part *parts, const float *divisors,
		 size_t n)
{
	struct gguf_maker m;
	size_t keys = 0;
	while (parts[keys].key)
		keys++;
	gguf_begin(&m, &arena, 3, n > 0, keys + 1);
	gguf_key_text(&m, "general.architecture", architecture);
	for (size_t i = 0; i < keys; i++) {
		const char *const key = arena_printf(&arena, "%s.%s", architecture, parts[i].key);
		if (parts[i].text)
			gguf_key_text(&m, key, parts[i].text);
		else if (parts[i].real)
			key_f32(&m, key, (float)parts[i].number);
		else
			gguf_key_u32(&m, key, (uint32_t)parts[i].number);
	}
	if (n > 0) {
		gguf_tensor(&m, "rope_freqs.weight", (uint64_t[]){n, 0}, GGUF_TENSOR_F32, 0);
		gguf_pad(&m, 32);
		for (size_t i = 0; i < n; i++) {
			uint32_t bits;
			memcpy(&bits, &divisors[i], sizeof bits);
			gguf_add(&m, bits, 4);
		}
		gguf_pad(&m, 32);
	}
	help_write("m.gguf", m.at, m.len);
}

#define SIZES                                                             \
	{"embedding_length", .number = 64}, {"block_count", .number = 7}, \
		{"attention.head_count", .number = 4},                    \
	{                                                                 \
		"context_length", .number = 256                           \
	}

static struct known *know(void)
{
	struct known *const k = arena_calloc(&arena, 1, sizeof *k);
	struct err err = {""};
	if (!family_read("m.gguf", &arena, k, &err))
		fail_msg("%s", err.text);
	return k;
}

/* Llama's rows are reordered, so neighbours are pairs; what is absent is no default of the family. */
TEST(what_is_left_out_is_that_of_the_format)
{
	static const struct {
		const char *architecture, *expression;
		long head_dim, kv_heads;
	} rows[] = {
		{"llama", "rope+causal", 16, 4},
		{"qwen2", "rope(layout=half)+causal", 16, 4},
		{"qwen3", "qk_norm+rope(layout=half)+causal", 16, 4},
		{"gemma3", "qk_norm+rope(layout=half)+window(keys=4096,layers=1-5)+causal", 16, 4},
		{"gpt2", "learned+causal", 16, 4},
		{"bloom", "alibi", 16, 4},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		make(rows[i].architecture, (const struct part[]){SIZES, {NULL}}, NULL, 0);
		const struct known *const k = know();
		assert_int_equal(known_wrong(k), 0);
		assert_int_equal(k->head_dim, rows[i].head_dim);
		assert_int_equal(k->kv_heads, rows[i].kv_heads);
		assert_int_equal(k->declared, 256);
		if (strcmp(rows[i].architecture, "gemma3") != 0)
			assert_string_equal(k->expression, rows[i].expression);
		assert_true(fabs(k->scale - 0.25) < 1e-15);
	}
}

TEST(keys_of_the_file_count)
{
	make("llama",
	     (const struct part[]){SIZES,
				   {"attention.head_count_kv", .number = 2},
				   {"attention.key_length", .number = 32},
				   {"rope.dimension_count", .number = 16},
				   {"rope.freq_base", .number = 500000, .real = true},
				   {"rope.scaling.type", "yarn"},
				   {"rope.scaling.factor", .number = 4, .real = true},
				   {"rope.scaling.original_context_length", .number = 64},
				   {NULL}},
	     NULL, 0);
	const struct known *const k = know();
	assert_int_equal(k->kv_heads, 2);
	assert_string_equal(k->expression, "rope_yarn(base=500000,partial=0.5,original=64)+causal");
	make("gemma3",
	     (const struct part[]){SIZES,
				   {"attention.sliding_window", .number = 8},
				   {"rope.freq_base", .number = 1000000, .real = true},
				   {"rope.freq_base_swa", .number = 100, .real = true},
				   {"rope.scaling.type", "linear"},
				   {"rope.scaling.factor", .number = 8, .real = true},
				   {NULL}},
	     NULL, 0);
	assert_string_equal(know()->expression,
			    "qk_norm+rope(layout=half,base=100,layers=[1-5,7])+"
			    "rope_pi(layout=half,base=1000000,factor=8,layers=6)+"
			    "window(keys=8,layers=[1-5,7])+causal");
}

/* The library's default of a missing rope_scaling, yarn, is none of a GGUF file; with yarn, limits are not rounded. */
TEST(gpt_oss_is_as_it_was_trained)
{
	make("gpt-oss",
	     (const struct part[]){SIZES,
				   {"attention.sliding_window", .number = 8},
				   {"feed_forward_length", .number = 24},
				   {"expert_feed_forward_length", .number = 24},
				   {"expert_count", .number = 3},
				   {"expert_used_count", .number = 2},
				   {NULL}},
	     NULL, 0);
	const struct known *k = know();
	assert_string_equal(k->expression,
			    "rope(layout=half)+window(keys=8,layers=odd)+sink+causal");
	assert_int_equal(k->experts.width, 24);
	assert_int_equal(k->experts.n, 3);
	make("gpt-oss",
	     (const struct part[]){SIZES,
				   {"attention.sliding_window", .number = 8},
				   {"rope.scaling.type", "yarn"},
				   {"rope.scaling.factor", .number = 4, .real = true},
				   {"rope.scaling.original_context_length", .number = 64},
				   {NULL}},
	     NULL, 0);
	assert_non_null(strstr(know()->expression, "original=64,truncate=off)"));
}

/* A head of 24 columns, 8 of them rotated: in older files under the keys of heads, in newer ones under their own. A
 * router that is a sigmoid is V3's. Without log_mul nothing is multiplied. */
TEST(deepseek2_is_of_two_models)
{
	static const struct {
		const char *key, *value, *type;
		double router, log_mul, factor;
	} rows[] = {{"attention.key_length", "attention.value_length", "deepseek_v2", 1, 0, 1},
		    {"attention.key_length_mla", "attention.value_length_mla", "deepseek_v3", 2,
		     0.1, 1.138629436111989}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		make("deepseek2",
		     (const struct part[]){
			     SIZES,
			     {rows[i].key, .number = 24},
			     {rows[i].value, .number = 12},
			     {"rope.dimension_count", .number = 8},
			     {"attention.kv_lora_rank", .number = 32},
			     {"expert_gating_func", .number = rows[i].router},
			     {"expert_count", .number = 6},
			     {"expert_used_count", .number = 2},
			     {"expert_shared_count", .number = 1},
			     {"expert_feed_forward_length", .number = 16},
			     {"rope.scaling.type", "yarn"},
			     {"rope.scaling.factor", .number = 4, .real = true},
			     {"rope.scaling.original_context_length", .number = 64},
			     {rows[i].log_mul > 0 ? "rope.scaling.yarn_log_mul" : NULL,
			      .number = rows[i].log_mul, .real = true},
			     {NULL}},
		     NULL, 0);
		const struct known *const k = know();
		assert_int_equal(known_wrong(k), 0);
		assert_string_equal(k->model_type, rows[i].type);
		assert_int_equal(k->head_dim, 24);
		assert_int_equal(k->value_dim, 12);
		assert_non_null(strstr(k->expression, "mla(rope=8,q_rank=0,kv_rank=32"));
		/* (1 + 0.1 ln 4)² / √24 */
		assert_true(fabs(k->scale - rows[i].factor * rows[i].factor / sqrt(24)) < 1e-12);
		const char *const mscale = strstr(k->expression, "mscale=0,mscale_all_dim=0");
		assert_int_equal(mscale != NULL, rows[i].log_mul <= 0);
		assert_int_equal(k->experts.groups, 0);
		assert_within(k->experts.scaling, 1, 0);
		assert_false(k->experts.normed);
	}
}

/* The divisors of the file are those of every length. */
TEST(divisors_divide_frequencies)
{
	static const float divisors[] = {1, 1, 1, 1.5F, 2, 4, 8, 8};
	make("llama", (const struct part[]){SIZES, {NULL}}, divisors, 8);
	const struct known *const k = know();
	struct rotation_seen seen[MOST_ROTATIONS];
	for (double n = 2; n < 1e6; n *= 1000) {
		assert_int_equal(known_rotations(k, n, &arena, seen), 1);
		assert_false(seen->half);
		assert_int_equal(seen->pairs, 8);
		assert_true(fabs(seen->attention - 1) < 1e-15);
		for (size_t i = 0; i < 8; i++) {
			const double theta = pow(10000, -(double)i / 8) / (double)divisors[i];
			assert_true(fabs(seen->now[i] - theta) < 1e-12 * theta);
		}
	}
	make("llama", (const struct part[]){SIZES, {NULL}}, divisors, 7);
	assert_null(know()->expression);
	assert_string_equal(know()->remarks[0].key, "rope_freqs.weight");
}

TEST(files_that_lie_are_refused)
{
	static const struct {
		const char *architecture;
		struct part part;
		float divisor;
		const char *says;
	} rows[] = {
		{"nothing", {"block_count", .number = 1}, 1, "general.architecture \"nothing\""},
		{"llama", {"attention.head_count", "four"}, 1, "num_attention_heads"},
		{"llama", {"rope.freq_base", .number = 0, .real = true}, 1, "rope_theta"},
		{"llama", {"rope.freq_base", .number = NAN, .real = true}, 1, "rope_theta"},
		{"llama", {"rope.dimension_count", .number = 15}, 1, "rope.dimension_count"},
		{"llama", {"rope.dimension_count", .number = 64}, 1, "rope.dimension_count"},
		{"llama", {"rope.scaling.type", "\033[2J"}, 1, "rope_type"},
		{"llama", {"rope.scale_linear", .number = 0, .real = true}, 1, "factor"},
		{"llama", {"block_count", .number = 0}, 1, "num_hidden_layers"},
		{"llama", {"vocab_size", .number = 8}, 0, "rope_freqs.weight"},
		{"llama", {"vocab_size", .number = 8}, INFINITY, "rope_freqs.weight"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const float divisors[] = {1, 1, 1, 1, 1, 1, 1, rows[i].divisor};
		struct part parts[] = {SIZES, {NULL}, {NULL}};
		size_t at = 0;
		while (parts[at].key && strcmp(parts[at].key, rows[i].part.key) != 0)
			at++;
		parts[at] = rows[i].part;
		make(rows[i].architecture, parts, divisors,
		     strncmp(rows[i].says, "rope_freqs", 10) == 0 ? 8 : 0);
		struct known *const k = arena_calloc(&arena, 1, sizeof *k);
		struct err err = {""};
		const bool ok = family_read("m.gguf", &arena, k, &err);
		const char *const said = ok && k->n_remarks > 0 ? k->remarks[0].key : err.text;
		if (!strstr(said, rows[i].says) || (ok && known_wrong(k) == 0))
			fail_msg("row %zu: %s, not %s", i, said, rows[i].says);
		assert_null(strchr(err.text, '\033'));
	}
}
