/* test_file_tables.c: frequencies in a model's files that are not those of its configuration, in every family that
 * rotates; those of the configuration, before scaling or after it, are no defect. */
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "help_arena.h"
#include "help_cli.h"
#include "posviz/family/family.h"
#include "posviz/format/file.h"
#include "posviz/format/tensor.h"

FIXTURE(cli_enter_with_arena, cli_leave_with_arena)

#define SIZES                                                                            \
	"\"hidden_size\": 2048, \"num_hidden_layers\": 4, \"num_attention_heads\": 32, " \
	"\"max_position_embeddings\": 4096}"

/* A file of tests/data/models/configs, or a text; the key of the base of its first layer. */
static const struct {
	const char *is, *key;
} bases[] = {
	{"llama2.json", "rope_theta"},
	{"llama31.json", "rope_theta"},
	{"mistral-v01.json", "rope_theta"},
	{"qwen25-yarn.json", "rope_theta"},
	{"qwen3-v5.json", "rope_theta"},
	{"gemma2-27b.json", "rope_theta"},
	{"smollm3.json", "rope_theta"},
	{"command-r7b.json", "rope_theta"},
	{"gpt-oss-20b.json", "rope_theta"},
	{"pythia.json", "rotary_emb_base"},
	{"qwen2-vl.json", "rope_theta"},
	{"{\"model_type\": \"mixtral\", " SIZES, "rope_theta"},
	{"{\"model_type\": \"starcoder2\", " SIZES, "rope_theta"},
	{"{\"model_type\": \"gemma\", " SIZES, "rope_theta"},
	{"{\"model_type\": \"phi\", " SIZES, "rope_theta"},
	{"{\"model_type\": \"stablelm\", " SIZES, "rope_theta"},
	{"{\"model_type\": \"cohere\", " SIZES, "rope_theta"},
	{"{\"model_type\": \"glm\", " SIZES, "rope_theta"},
	{"{\"model_type\": \"glm4\", " SIZES, "rope_theta"},
	{"{\"model_type\": \"olmo2\", " SIZES, "rope_theta"},
	{"{\"model_type\": \"falcon\", " SIZES, "rope_theta"},
};

static const char *text_of(const char *is)
{
	char *data;
	size_t len;
	if (*is == '{')
		return is;
	assert_true(file_read(arena_printf(&arena, "%s/models/configs/%s", test_data, is), 1 << 20,
			      &arena, &data, &len, NULL));
	return arena_strndup(&arena, data, len);
}

/* Writes base^(-i/pairs), as float32 has it, into the model's directory. */
static void write_frequencies(const char *name, double base, size_t pairs)
{
	const struct mat m = mat_new(&arena, 1, pairs);
	struct tensor_set set;
	struct err err;
	char *data;
	size_t len;
	for (size_t i = 0; i < pairs; i++)
		m.at[i] = (double)(float)pow(base, -(double)i / (double)pairs);
	tensor_set_init(&set, &arena);
	tensor_set_add(&set, name, m, true);
	assert_true(tensor_write_safetensors(&set, &arena, &data, &len, &err));
	cli_write("model/model.safetensors", data, len);
}

static struct known *know(void)
{
	struct known *const k = arena_calloc(&arena, 1, sizeof *k);
	struct err err = {""};
	if (!family_read("model", &arena, k, &err))
		fail_msg("%s", err.text);
	return k;
}

/* Returns the remark on the tensor, NULL: there is none. */
static const struct remark *remark_of(const struct known *k, const char *name)
{
	for (size_t i = 0; i < k->n_remarks; i++)
		if (strcmp(k->remarks[i].key, name) == 0)
			return &k->remarks[i];
	return NULL;
}

TEST(other_frequencies_are_found_in_each_family)
{
	assert_true(mkdir("model", 0700) == 0);
	for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
		const char *const text = text_of(bases[i].is);
		struct rotation_seen seen[MOST_ROTATIONS];
		cli_write("model/config.json", text, strlen(text));
		unlink("model/model.safetensors"); /* of the family before */
		const struct known *k = know();
		assert_true(known_wrong(k) == 0 && known_rotations(k, 0, &arena, seen) == 1);
		long layer = 0;
		while (k->layer[layer].rotation < 0)
			layer++;
		const char *const name = arena_printf(
			&arena, "model.layers.%ld.self_attn.rotary_emb.inv_freq", layer);
		write_frequencies(name, seen[0].base, seen[0].pairs);
		if (remark_of(know(), name))
			fail_msg("%s: %s", bases[i].is, remark_of(know(), name)->says);
		write_frequencies(name, 77777, seen[0].pairs);
		k = know();
		const struct remark *const m = remark_of(k, name);
		const char *const right = arena_printf(&arena, "\"%s\": 77777.0", bases[i].key);
		if (!m || !m->wrong || !m->right || strcmp(m->right, right) != 0)
			fail_msg("%s: %s, %s", bases[i].is, m ? m->says : "no remark",
				 m && m->right ? m->right : "no line");
		assert_int_equal(known_wrong(k), 1);
		write_frequencies(name, seen[0].base, seen[0].pairs - 1);
		k = know();
		assert_non_null(remark_of(k, name));
		assert_int_equal(known_wrong(k), 1);
	}
	unlink("model/model.safetensors");
	unlink("model/config.json");
	assert_true(rmdir("model") == 0);
}

/* The frequencies of a tower of pictures are not compared with the text's. */
TEST(other_towers_are_left_alone)
{
	const char *const name = "visual.blocks.0.rotary_pos_emb.inv_freq";
	const char *const text = text_of("qwen2-vl.json");
	assert_true(mkdir("model", 0700) == 0);
	cli_write("model/config.json", text, strlen(text));
	write_frequencies(name, 77777, 20);
	assert_int_equal(known_wrong(know()), 0);
	unlink("model/model.safetensors");
	unlink("model/config.json");
	assert_true(rmdir("model") == 0);
}
