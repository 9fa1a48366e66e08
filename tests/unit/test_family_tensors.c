/* test_family_tensors.c: what models learned of positions, read from their files by the names that the families'
 * programs give to tensors. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "help_arena.h"
#include "help_cli.h"
#include "help_files.h"
#include "posviz/app/app.h"
#include "posviz/app/snapshot.h"
#include "posviz/family/family.h"
#include "posviz/picture/picture.h"

FIXTURE(cli_enter_with_arena, cli_leave_with_arena)

enum { D = 8, LAYERS = 2, ROWS = 16 };

struct held {
	const char *name;
	size_t rows, cols; /* rows 0: a vector */
};

/* The number in a row and column of the tensor with this index; small, and different for all. */
static double number(size_t tensor, size_t row, size_t col)
{
	return sin((double)(100 * tensor + 10 * row + col));
}

static void write_tensors(const char *path, const struct held *all)
{
	struct tensor_set set;
	struct err err;
	char *data;
	size_t len;
	tensor_set_init(&set, &arena);
	for (size_t i = 0; all[i].name; i++) {
		const size_t rows = all[i].rows ? all[i].rows : 1;
		const struct mat m = mat_new(&arena, rows, all[i].cols);
		for (size_t r = 0; r < rows; r++)
			for (size_t c = 0; c < m.cols; c++)
				mat_row(m, r)[c] = number(i, r, c);
		tensor_set_add(&set, all[i].name, m, all[i].rows == 0);
	}
	assert_true(tensor_write_safetensors(&set, &arena, &data, &len, &err));
	help_write(path, data, len);
}

static void write_model(const char *config, const struct held *all)
{
	mkdir("model", 0700);
	help_write_text("model/config.json", config);
	if (all)
		write_tensors("model/model.safetensors", all);
}

static void forget(void)
{
	unlink("model/model.safetensors");
	unlink("model/pytorch_model.bin");
	unlink("model/config.json");
	rmdir("model");
}

/* Opens the model, draws it, and returns the picture; *said: what was said of it. */
static struct picture *draw(const char **said)
{
	struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
	struct scene scene;
	struct err err = {""};
	scene_init(&scene);
	if (!app_model(&scene, "model", &arena, said, &err) ||
	    !picture_make(&scene, NULL, false, BACKGROUND_DARK, NULL, NULL, &arena, p, &err))
		fail_msg("%s", err.text);
	return p;
}

#define SIZES                                                                  \
	"\"hidden_size\":8,\"num_hidden_layers\":2,\"num_attention_heads\":2," \
	"\"num_key_value_heads\":2,\"head_dim\":4,\"intermediate_size\":16,\"vocab_size\":20,"

static const struct model_case {
	const char *config;
	struct held held[5];
	const char *leaf;   /* the first row of which is */
	size_t tensor, row; /* this row */
	double plus;
} cases[] = {
	{"{\"model_type\":\"bert\"," SIZES "\"max_position_embeddings\":16}",
	 {{"bert.embeddings.word_embeddings.weight", 20, D},
	  {"bert.embeddings.position_embeddings.weight", ROWS, D}},
	 "learned.p",
	 1,
	 0,
	 0},
	{"{\"model_type\":\"distilbert\",\"dim\":8,\"n_layers\":2,\"n_heads\":2,"
	 "\"max_position_embeddings\":16}",
	 {{"embeddings.position_embeddings.weight", ROWS, D}},
	 "learned.p",
	 0,
	 0,
	 0},
	/* Rows 0 and 1 are of padding. */
	{"{\"model_type\":\"roberta\"," SIZES "\"max_position_embeddings\":16,\"pad_token_id\":1}",
	 {{"roberta.embeddings.position_embeddings.weight", ROWS, D}},
	 "learned.p",
	 0,
	 2,
	 0},
	{"{\"model_type\":\"gpt2\",\"n_embd\":8,\"n_layer\":2,\"n_head\":2,\"n_positions\":16}",
	 {{"transformer.h.0.attn.bias", 4, 4}, {"transformer.wpe.weight", ROWS, D}},
	 "learned.p",
	 1,
	 0,
	 0},
	{"{\"model_type\":\"opt\",\"hidden_size\":8,\"num_hidden_layers\":2,"
	 "\"num_attention_heads\":2,\"max_position_embeddings\":14}",
	 {{"model.decoder.embed_positions.weight", ROWS, D}},
	 "learned.p",
	 0,
	 2,
	 0},
	{"{\"model_type\":\"bart\",\"d_model\":8,\"encoder_layers\":2,"
	 "\"encoder_attention_heads\":2,\"max_position_embeddings\":14}",
	 {{"model.decoder.embed_positions.weight", ROWS, D},
	  {"model.encoder.embed_positions.weight", ROWS, D}},
	 "learned.p",
	 1,
	 2,
	 0},
	{"{\"model_type\":\"t5\",\"d_model\":8,\"num_layers\":2,\"num_heads\":2,\"d_kv\":4,"
	 "\"relative_attention_num_buckets\":16}",
	 {{"decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", 16, 2},
	  {"encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", 16, 2}},
	 "t5.bias_table",
	 1,
	 0,
	 0},
	{"{\"model_type\":\"deberta-v2\"," SIZES
	 "\"max_position_embeddings\":16,\"relative_attention\":true,\"position_buckets\":4,"
	 "\"position_biased_input\":false,\"pos_att_type\":\"p2c|c2p\",\"share_att_key\":true,"
	 "\"norm_rel_ebd\":\"layer_norm\"}",
	 {{"deberta.encoder.rel_embeddings.weight", 8, D},
	  {"deberta.encoder.LayerNorm.weight", 0, D},
	  {"deberta.encoder.LayerNorm.bias", 0, D}},
	 "deberta.rel_embeddings",
	 0,
	 0,
	 0},
	{"{\"model_type\":\"gpt_oss\"," SIZES "\"max_position_embeddings\":64}",
	 {{"model.layers.0.self_attn.sinks", 0, 2}, {"model.layers.1.self_attn.sinks", 0, 2}},
	 "sink.sinks.1",
	 1,
	 0,
	 0},
	{"{\"model_type\":\"qwen3\"," SIZES "\"max_position_embeddings\":64}",
	 {{"model.layers.0.self_attn.q_norm.weight", 0, 4},
	  {"model.layers.1.self_attn.q_norm.weight", 0, 4},
	  {"model.layers.0.self_attn.k_norm.weight", 0, 4},
	  {"model.layers.1.self_attn.k_norm.weight", 0, 4}},
	 "qk_norm.k_gain.1",
	 3,
	 0,
	 0},
	/* The file holds the number minus 1. */
	{"{\"model_type\":\"gemma3_text\"," SIZES "\"max_position_embeddings\":64}",
	 {{"model.layers.0.self_attn.q_norm.weight", 0, 4},
	  {"model.layers.1.self_attn.q_norm.weight", 0, 4},
	  {"model.layers.0.self_attn.k_norm.weight", 0, 4},
	  {"model.layers.1.self_attn.k_norm.weight", 0, 4}},
	 "qk_norm.q_gain.0",
	 0,
	 0,
	 1},
};

TEST(numbers_are_those_of_the_files)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct model_case *const c = &cases[i];
		const char *said;
		write_model(c->config, c->held);
		const struct picture *const p = draw(&said);
		forget();
		const struct leaf *leaf = NULL;
		for (size_t k = 0; k < p->built.model.n_leaves; k++)
			if (strcmp(p->built.model.leaves[k].name, c->leaf) == 0)
				leaf = &p->built.model.leaves[k];
		if (!leaf || !leaf->at.at || !strstr(said, "its position parameters are read"))
			fail_msg("%s: no %s: %s", c->config, c->leaf, said);
		for (size_t col = 0; col < leaf->at.cols; col++)
			if (fabs(mat_row(leaf->at, 0)[col] - c->plus -
				 number(c->tensor, c->row, col)) > 1e-15)
				fail_msg("%s: %s, column %zu", c->config, c->leaf, col);
		assert_null(p->built.note); /* no word of the other tensors of the model */
	}
}

/* What is missing, or is of another width, is drawn, and what cannot be read is said. */
TEST(what_files_do_not_hold_is_drawn)
{
	static const struct held other[] = {{"embeddings.position_embeddings.weight", ROWS, 4},
					    {0}};
	const char *said;
	write_model(cases[0].config, NULL);
	draw(&said);
	assert_non_null(strstr(said, "its numbers are drawn"));
	forget();
	write_model(cases[0].config, other);
	draw(&said);
	assert_null(strstr(said, "are read"));
	forget();
	write_model(cases[0].config, NULL);
	help_write_text("model/pytorch_model.bin", "PK");
	draw(&said);
	assert_non_null(strstr(said, "pytorch_model.bin"));
	forget();
}

/* ---- pictures of models ---------------------------------------------------------------------- */

/* Verifies the picture; returns the title of the first row that differs, NULL: none does. */
static const char *verify(const char *data, size_t len, size_t *n)
{
	struct scene scene;
	struct verification *rows;
	const char *version;
	struct err err;
	if (!snapshot_verify(data, len, NULL, &arena, 1e9, &scene, &rows, n, &version, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < *n; i++)
		if (!rows[i].ok)
			return rows[i].title;
	return NULL;
}

/* A table has 16 rows, of which the sentence reads nine; the last row is changed, which no matrix
 * of the picture shows. */
TEST(picture_of_a_model_tells_a_changed_number_that_it_does_not_show)
{
	struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
	const struct held *const held = cases[0].held;
	struct mat table = mat_new(&arena, ROWS, D);
	struct tensor_set set;
	struct scene scene, again;
	struct err err;
	const char *said;
	char *png, *data;
	size_t len, data_len, n;
	write_model(cases[0].config, held);
	scene_init(&scene);
	assert_true(app_model(&scene, "model", &arena, &said, &err));
	assert_true(
		picture_make(&scene, NULL, false, BACKGROUND_DARK, NULL, NULL, &arena, p, &err));
	assert_true(snapshot_png(&scene, &p->figure, NULL, &arena, &png, &len, NULL, &err));
	assert_true(snapshot_scene(png, len, &arena, &again, &err));
	assert_string_equal(again.setup.scheme, scene.setup.scheme);
	assert_null(verify(png, len, &n));
	assert_int_equal(n, 3); /* bias, weights, the table */
	for (size_t r = 0; r < ROWS; r++)
		for (size_t c = 0; c < D; c++)
			mat_row(table, r)[c] =
				number(1, r, c) + (r == ROWS - 1 && c == 2 ? 1e-3 : 0);
	tensor_set_init(&set, &arena);
	tensor_set_add(&set, held[1].name, table, false);
	assert_true(tensor_write_safetensors(&set, &arena, &data, &data_len, &err));
	help_write("model/model.safetensors", data, data_len);
	assert_false(snapshot_scene(png, len, &arena, &again, &err));
	assert_non_null(strstr(err.text, "in the header of \"model.safetensors\" differ"));
	forget();
	struct verification *rows;
	assert_false(snapshot_verify(png, len, NULL, &arena, 1e9, &again, &rows, &n, &said, &err));
	assert_non_null(strstr(err.text, "there is no such file"));
}
