/* test_trained.c: trained models in a scene, from their files to the trace and the words of pictures. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "help_arena.h"
#include "help_cli.h"
#include "help_tensors.h"
#include "posviz/app/app.h"
#include "posviz/format/file.h"
#include "posviz/model/cache.h"
#include "posviz/picture/picture.h"

FIXTURE(cli_enter_with_arena, cli_leave_with_arena)

static const char *path_of(const char *model)
{
	return arena_printf(&arena, "%s/models/%s", test_data, model);
}

static void open_model(struct scene *scene, const char *path, const char *ids, const char *scheme)
{
	struct err err = {""};
	const char *const rows[][2] = {{"scheme", scheme}, {"checkpoint", path}, {"ids", ids},
				       {"d-model", "16"},  {"heads", "2"},	 {"kv-heads", "1"},
				       {"layers", "2"}};
	scene_init(scene);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!scene_set(scene, field_find(rows[i][0]), rows[i][1], &err))
			fail_msg("%s", err.text);
}

/* The view Values reads W_o from the trace: it is the model's, transposed from [out, in]. */
TEST(the_output_projection_is_the_models)
{
	struct scene scene;
	struct built *const b = arena_calloc(&arena, 1, sizeof *b);
	struct trace trace;
	struct tensor_set file;
	struct err err = {""};
	const struct want want = {.kinds = WANT_INPUT | WANT_WRITTEN, .layer = -1, .head = -1};
	open_model(&scene, path_of("made/qwen2"), "3 17 5",
		   "rope(base=1000000,layout=half)+causal");
	if (!evaluate(&scene.setup, &want, NULL, NULL, &arena, b, &trace, &err))
		fail_msg("%s", err.text);
	tensor_set_init(&file, &arena);
	assert_true(help_tensors(&file, path_of("made/qwen2/model.safetensors"), &err));
	for (size_t l = 0; l < 2; l++) {
		const struct trace_layer *const layer = &trace.layers[l];
		assert_int_equal(layer->n_weights, 1);
		assert_string_equal(layer->weights[0].name, "w_o");
		const struct mat stored = tensor_mat(tensor_find(
			&file,
			arena_printf(&arena, "model.layers.%zu.self_attn.o_proj.weight", l)));
		for (size_t i = 0; i < stored.rows; i++)
			for (size_t j = 0; j < stored.cols; j++)
				assert_true(mat_row(layer->weights[0].at, j)[i] ==
					    mat_row(stored, i)[j]);
	}
}

/* Writes the model again, with the feed-forward parts of a layer as those of experts. */
static void write_experts(size_t layer)
{
	struct tensor_set file, out;
	struct err err = {""};
	char *data;
	size_t len;
	const char *const part = arena_printf(&arena, "layers.%zu.mlp.", layer);
	tensor_set_init(&file, &arena);
	tensor_set_init(&out, &arena);
	assert_true(help_tensors(&file, path_of("made/qwen2/model.safetensors"), &err));
	for (size_t i = 0; i < file.count; i++) {
		const struct tensor *const t = &file.tensors[i];
		const char *const at = strstr(t->name, part);
		const char *const name = at ? arena_printf(&arena, "%.*sexperts.0.%s",
							   (int)(at - t->name + (long)strlen(part)),
							   t->name, at + strlen(part))
					    : t->name;
		tensor_set_add(&out, name, tensor_mat(t), t->dims == 1);
	}
	assert_true(tensor_write_safetensors(&out, &arena, &data, &len, &err));
	assert_true(mkdir("experts", 0700) == 0);
	cli_write("experts/model.safetensors", data, len);
	char *config;
	assert_true(
		file_read(path_of("made/qwen2/config.json"), 1 << 16, &arena, &config, &len, &err));
	cli_write("experts/config.json", config, len);
}

/* A layer of experts is not computed, and none behind it; those in front are. */
TEST(layers_of_experts_are_refused)
{
	struct scene scene;
	struct err err = {""};
	struct built *const b = arena_calloc(&arena, 1, sizeof *b);
	write_experts(1);
	open_model(&scene, "experts", "3 17 5", "rope(base=1000000,layout=half)+causal");
	assert_false(setup_build(&scene.setup, &arena, b, &err));
	assert_non_null(
		strstr(err.text, "layer 2 has experts, which are not computed here; --layers 1"));
	assert_true(scene_set(&scene, field_find("layers"), "1", &err));
	if (!setup_build(&scene.setup, &arena, b, &err))
		fail_msg("%s", err.text);
	cli_remove("experts/model.safetensors");
	cli_remove("experts/config.json");
	assert_true(rmdir("experts") == 0);
}

/* Writes Mixtral's model again, with NaN in one expert of layer 1. */
static void write_spoiled(size_t expert)
{
	struct tensor_set file;
	struct err err = {""};
	char *data, *config;
	size_t len;
	tensor_set_init(&file, &arena);
	assert_true(help_tensors(&file, path_of("made/mixtral/model.safetensors"), &err));
	const char *const name = arena_printf(
		&arena, "model.layers.0.block_sparse_moe.experts.%zu.w3.weight", expert);
	mat_fill(tensor_mat(tensor_find(&file, name)), NAN);
	assert_true(tensor_write_safetensors(&file, &arena, &data, &len, &err));
	mkdir("experts", 0700);
	cli_write("experts/model.safetensors", data, len);
	assert_true(file_read(path_of("made/mixtral/config.json"), 1 << 16, &arena, &config, &len,
			      &err));
	cli_write("experts/config.json", config, len);
}

/* Of four experts a token has two: their weights alone are read. */
TEST(experts_that_no_token_chooses_are_not_read)
{
	static const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	size_t refused = 0;
	for (size_t e = 0; e < 4; e++) {
		struct scene scene;
		struct trace trace;
		struct err err = {""};
		struct built *const b = arena_calloc(&arena, 1, sizeof *b);
		write_spoiled(e);
		open_model(&scene, "experts", "3", "rope(layout=half)+causal");
		assert_true(scene_set(&scene, field_find("layers"), "1", &err));
		if (evaluate(&scene.setup, &want, NULL, NULL, &arena, b, &trace, &err))
			continue;
		refused++;
		if (!strstr(err.text, arena_printf(&arena,
						   "experts.%zu.w3.weight\" has numbers that "
						   "are not finite",
						   e)))
			fail_msg("%s", err.text);
	}
	assert_int_equal(refused, 2);
	cli_remove("experts/model.safetensors");
	cli_remove("experts/config.json");
	assert_true(rmdir("experts") == 0);
}

/* The terms of every head are together its logits, in all ways in which positions enter. */
TEST(terms_of_trained_models_sum_to_the_logits)
{
	static const struct want want = {
		.kinds = WANT_TERMS | WANT_LOGITS, .layer = -1, .head = -1};
	static const char *const models[] = {
		"bert-bare",	   "gpt2",	  "deberta-v2", "gemma2",     "made/mpt",
		"made/albert",	   "made/llama4", "made/xlnet", "made/olmo3", "made/deepseek_v3",
		"made/cohere_norm"};
	for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
		struct scene scene;
		struct trace trace;
		struct err err = {""};
		const char *said;
		struct built *const b = arena_calloc(&arena, 1, sizeof *b);
		scene_init(&scene);
		if (!app_model(&scene, path_of(models[m]), &arena, &said, &err) ||
		    !scene_set(&scene, field_find("ids"), "3 17 5 8 3", &err) ||
		    !evaluate(&scene.setup, &want, NULL, NULL, &arena, b, &trace, &err))
			fail_msg("%s: %s", models[m], err.text);
		for (size_t l = 0; l < trace.n_layers; l++)
			for (size_t h = 0; h < b->model.config.heads; h++) {
				const struct trace_head *const head = &trace.layers[l].heads[h];
				assert_true(head->n_terms > 0);
				for (size_t i = 0; i < head->logits.rows * head->logits.cols; i++) {
					double sum = 0;
					for (size_t t = 0; t < head->n_terms; t++)
						sum += head->terms[t].at.at[i];
					if (!(fabs(sum - head->logits.at[i]) < 1e-10))
						fail_msg("%s, layer %zu, head %zu: %g for %g",
							 models[m], l, h, sum, head->logits.at[i]);
				}
			}
	}
}

/* Keys of a decoder's attention to its source are the source's tokens. */
TEST(keys_of_a_source_are_its_tokens)
{
	static const struct want want = {.kinds = WANT_WEIGHTS, .layer = 1, .head = 0};
	const char *const rows[][2] = {
		{"stack", "cross"}, {"ids", "3 17"}, {"source-ids", "2 9 14"}};
	struct scene scene;
	struct trace trace;
	struct err err = {""};
	const char *said;
	struct built *const b = arena_calloc(&arena, 1, sizeof *b);
	scene_init(&scene);
	assert_true(scene_set(&scene, field_find("stack"), "cross", &err));
	assert_true(app_model(&scene, path_of("made/t5"), &arena, &said, &err));
	assert_string_equal(scene.setup.scheme, "t5(buckets=8,max_distance=16,causal=on)");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_true(scene_set(&scene, field_find(rows[i][0]), rows[i][1], &err));
	if (!evaluate(&scene.setup, &want, NULL, NULL, &arena, b, &trace, &err))
		fail_msg("%s", err.text);
	assert_int_equal(trace.query.n, 2);
	assert_int_equal(trace.key.n, 3);
	assert_string_equal(trace.key.labels[2], "14");
	assert_int_equal(trace.n_layers, 3);
	assert_non_null(trace.bias_absent);
	for (size_t t = 0; t < 2; t++) {
		double sum = 0;
		for (size_t s = 0; s < 3; s++)
			sum += mat_row(trace.layers[1].heads[0].weights, t)[s];
		assert_true(fabs(sum - 1) < 1e-12);
	}
	/* The encoder's expression would take the encoder's table. */
	assert_true(scene_set(&scene, field_find("scheme"), "t5(buckets=8,max_distance=16)", &err));
	assert_false(setup_build(&scene.setup, &arena, b, &err));
	assert_non_null(strstr(err.text, "is the encoder's expression"));
}

static void write_text(const char *path, const char *text)
{
	FILE *const f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fputs(text, f) >= 0 && fclose(f) == 0, true);
}

/* A source as text is what its ids are: the tokenizer of the model, which is WordPiece here, cuts it. */
TEST(a_source_may_be_a_text)
{
	static const struct want want = {.kinds = WANT_WEIGHTS, .layer = 1, .head = 0};
	static const char *const files[] = {"config.json", "model.safetensors"};
	static const char *const sources[][2] = {{"source-ids", "2 5 4 6 3"},
						 {"source-text", "dog the fell"}};
	char dir[] = "/tmp/posviz-source-XXXXXX";
	struct err err = {""};
	struct mat weights[2];
	assert_non_null(mkdtemp(dir));
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(
			symlink(arena_printf(&arena, "%s/%s", path_of("made/bart_whole"), files[i]),
				arena_printf(&arena, "%s/%s", dir, files[i])),
			0);
	const char *const vocabulary = arena_printf(&arena, "%s/vocab.txt", dir);
	write_text(vocabulary, "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\ndog\nfell\nslept\n");
	for (size_t i = 0; i < 2; i++) {
		struct scene scene;
		const char *said;
		struct trace trace;
		struct built *const b = arena_calloc(&arena, 1, sizeof *b);
		scene_init(&scene);
		assert_true(scene_set(&scene, field_find("stack"), "cross", &err));
		assert_true(app_model(&scene, dir, &arena, &said, &err));
		assert_true(scene_set(&scene, field_find("sentence"), "the dog slept", &err));
		assert_true(scene_set(&scene, field_find("tokens"), "model", &err));
		assert_true(scene_set(&scene, field_find(sources[i][0]), sources[i][1], &err));
		if (!evaluate(&scene.setup, &want, NULL, NULL, &arena, b, &trace, &err))
			fail_msg("%s", err.text);
		weights[i] = trace.layers[1].heads[0].weights;
		assert_string_equal(trace.key.labels[1], "dog");
		assert_int_equal(weights[i].rows, 5);
		assert_int_equal(weights[i].cols, 5);
		assert_true(scene_set(&scene, field_find("source-text"), "dog", &err));
		assert_true(scene_set(&scene, field_find("source-ids"), "5", &err));
		assert_false(setup_build(&scene.setup, &arena, b, &err));
		assert_non_null(strstr(err.text, "one of the two"));
	}
	assert_memory_equal(weights[0].at, weights[1].at, 25 * sizeof(double));
	unlink(vocabulary);
	for (size_t i = 0; i < 2; i++)
		unlink(arena_printf(&arena, "%s/%s", dir, files[i]));
	assert_int_equal(rmdir(dir), 0);
}

/* Sets the fields of one case and evaluates it. */
static void look(const char *const fields[3], long layer, struct cache *cache, struct trace *out)
{
	static const char *const names[] = {"stack", "source-ids", "ids"};
	const struct want want = {.kinds = WANT_INPUT | WANT_WEIGHTS, .layer = layer, .head = -1};
	struct scene scene;
	struct err err = {""};
	const char *said;
	struct built *const b = arena_calloc(&arena, 1, sizeof *b);
	scene_init(&scene);
	assert_true(scene_set(&scene, field_find("stack"), fields[0], &err));
	assert_true(app_model(&scene, path_of("made/t5"), &arena, &said, &err));
	for (size_t i = 0; i < 3; i++)
		assert_true(scene_set(&scene, field_find(names[i]), fields[i], &err));
	if (!evaluate(&scene.setup, &want, cache, NULL, &arena, b, out, &err))
		fail_msg("%s", err.text);
}

/* What is kept of one stack, source or layer is not taken for another's. */
TEST(what_is_kept_is_of_one_stack_and_source)
{
	static const char *const cases[][3] = {
		{"cross", "2 9 14", "3 17"}, {"decoder", "2 9 14", "3 17"},
		{"cross", "2 9 1", "3 17"},  {"decoder", "2 9 1", "3 17"},
		{"encoder", "", "3 17"},     {"cross", "2 9 14", "3 17"}};
	struct cache *const cache = cache_new(CACHE_BYTES);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (long l = 1; l >= 0; l--) {
			struct trace kept, fresh;
			look(cases[i], l, cache, &kept);
			look(cases[i], l, NULL, &fresh);
			const struct trace_layer *const x = &kept.layers[l],
							*const y = &fresh.layers[l];
			assert_memory_equal(x->input.at, y->input.at,
					    x->input.rows * x->input.cols * sizeof(double));
			assert_int_equal(x->allowed[0], y->allowed[0]);
			for (size_t h = 0; h < 2; h++) {
				const struct mat w = x->heads[h].weights;
				assert_memory_equal(w.at, y->heads[h].weights.at,
						    w.rows * w.cols * sizeof(double));
			}
		}
	cache_free(cache);
}

/* Pictures name the model, and no projection, seed of weights or content, which nothing depends on. */
TEST(pictures_name_the_model)
{
	struct scene scene;
	struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
	struct err err = {""};
	open_model(&scene, path_of("made/qwen2"), "3 17 5",
		   "rope(base=1000000,layout=half)+causal");
	if (!picture_make(&scene, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, p, &err))
		fail_msg("%s", err.text);
	const char *const foot = p->figure.caption;
	if (!strstr(foot, "token ids and weights of qwen2") || strstr(foot, "projection") ||
	    strstr(foot, "content"))
		fail_msg("%s", foot);
}
