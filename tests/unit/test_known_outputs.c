/* test_known_outputs.c: an evaluation that enters at the layer that it shows has the numbers of one that
 * runs all layers, to the last bit, and enters there only with the same input and files. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "help_arena.h"
#include "help_cli.h"
#include "help_files.h"
#include "posviz/app/app.h"
#include "posviz/base/rng.h"
#include "posviz/format/file.h"
#include "posviz/model/cache.h"
#include "posviz/model/cache_bytes.h"

FIXTURE(cli_enter_with_arena, cli_leave_with_arena)

static void open_model(struct scene *scene, const char *path, const char *ids)
{
	struct err err = {""};
	const char *said;
	scene_init(scene);
	if (!app_configuration(scene, path, &arena, &said, &err) ||
	    !scene_set(scene, field_find("ids"), ids, &err))
		fail_msg("%s: %s", path, err.text);
}

static const struct trace *run(const struct scene *scene, struct want want, struct cache *cache)
{
	struct built *const b = arena_calloc(&arena, 1, sizeof *b);
	struct trace *const out = arena_calloc(&arena, 1, sizeof *out);
	struct err err = {""};
	want.again = true;
	if (!evaluate(&scene->setup, &want, cache, NULL, &arena, b, out, &err))
		fail_msg("%s: %s", scene->setup.checkpoint, err.text);
	return out;
}

enum { SEEN = WANT_INPUT | WANT_LOGITS | WANT_WEIGHTS };

static void expect_same(struct mat x, struct mat y)
{
	assert_int_equal(x.rows, y.rows);
	assert_int_equal(x.cols, y.cols);
	for (size_t r = 0; r < x.rows; r++)
		assert_memory_equal(mat_row(x, r), mat_row(y, r), x.cols * sizeof *x.at);
}

/* Runs one layer and head; the truth has all. */
static const struct trace *expect_layer(const struct scene *scene, const struct trace *truth,
					size_t layer, size_t head, struct cache *cache)
{
	const struct trace *const t =
		run(scene, (struct want){.kinds = SEEN, .layer = (long)layer, .head = (long)head},
		    cache);
	const struct trace_head *const got = &t->layers[layer].heads[head],
				       *const want = &truth->layers[layer].heads[head];
	expect_same(got->logits, want->logits);
	expect_same(got->weights, want->weights);
	for (size_t l = 0; l <= layer; l++) {
		expect_same(t->layers[l].input, truth->layers[l].input);
		assert_int_equal(t->layers[l].allowed[head], truth->layers[l].allowed[head]);
	}
	return t;
}

static const struct trace *truth_of(const struct scene *scene)
{
	return run(scene, (struct want){.kinds = SEEN | WANT_OUTPUT, .layer = -1, .head = -1},
		   NULL);
}

static const char *path_of(const char *model)
{
	return arena_printf(&arena, "%s/models/%s", test_data, model);
}

TEST(another_head_or_layer_has_the_same_numbers)
{
	static const char *const models[] = {"bert-bare", "gpt2",	"qwen3",
					     "gemma2",	  "t5-encoder", "deberta-v2",
					     "roformer",  "bloom",	"gguf/llama-q8_0.gguf"};
	for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
		struct cache *const cache = cache_new(CACHE_BYTES);
		struct scene scene;
		open_model(&scene, path_of(models[i]), "3 17 5 9");
		const struct trace *const truth = truth_of(&scene);
		const size_t last = truth->n_layers - 1;
		const double first = expect_layer(&scene, truth, last, 0, cache)->operations;
		assert_true(expect_layer(&scene, truth, last, 1, cache)->operations >= first);
		expect_layer(&scene, truth, 0, 1, cache);
		expect_layer(&scene, truth, last, 0, cache);
		const struct want whole = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
		expect_same(run(&scene, whole, cache)->last, truth->last);
		expect_same(run(&scene, whole, cache)->last, truth->last);
		cache_free(cache);
	}
}

/* Writes numbers for the scheme tape of width 3, 4 heads and d-model 48: [4,4], [4,3], [48,3], [3,4]. */
static void write_matrices(const char *name)
{
	enum { NUMBERS = 16 + 12 + 144 + 12 };
	static const char header[] =
		"{\"post\":{\"dtype\":\"F64\",\"shape\":[4,4],\"data_offsets\":[0,128]},"
		"\"pe_up\":{\"dtype\":\"F64\",\"shape\":[4,3],\"data_offsets\":[128,224]},"
		"\"pe_x\":{\"dtype\":\"F64\",\"shape\":[48,3],\"data_offsets\":[224,1376]},"
		"\"pe_down\":{\"dtype\":\"F64\",\"shape\":[3,4],\"data_offsets\":[1376,1472]}}";
	const size_t len = sizeof header - 1, all = 8 + len + NUMBERS * sizeof(double);
	unsigned char *const data = arena_calloc(&arena, all, 1);
	struct rng rng;
	const struct mat numbers = mat_new(&arena, 1, NUMBERS);
	rng_init(&rng, 3);
	mat_fill_normal(numbers, 0.4, &rng);
	data[0] = (unsigned char)(len & 255);
	data[1] = (unsigned char)(len >> 8);
	memcpy(data + 8, header, len);
	memcpy(data + 8 + len, numbers.at, NUMBERS * sizeof(double));
	help_write(name, data, all);
}

/* A layer that carries a state to the next one is run again: its output is not all that it makes. */
TEST(layers_that_carry_a_state_are_run_again)
{
	struct cache *const cache = cache_new(CACHE_BYTES);
	struct scene scene;
	struct err err = {""};
	open_model(&scene, path_of("gemma2"), "3 17 5 9");
	write_matrices("tape.safetensors");
	if (!scene_set(&scene, field_find("scheme"), "tape(width=3)+causal", &err) ||
	    !scene_set(&scene, field_find("params"), "tape.safetensors", &err))
		fail_msg("%s", err.text);
	const struct trace *const truth = truth_of(&scene);
	for (size_t head = 0; head < 2; head++)
		expect_layer(&scene, truth, truth->n_layers - 1, head, cache);
	cache_free(cache);
}

/* Each of these changes layer 2 although what it changes is in front of it. */
TEST(another_input_is_not_taken_for_the_same)
{
	static const char *const changes[][2] = {
		{"ids", "3 17 5 8"},
		{"ids", "17 3 5 9"},
		{"position-ids", "0 1 2 4"},
		{"scheme", "rope(base=999,layout=half)+qk_norm+causal"},
		{"scheme", "rope(base=1000000,layout=half,layers=2)+qk_norm+causal"},
	};
	struct cache *const cache = cache_new(CACHE_BYTES);
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		struct scene scene;
		struct err err = {""};
		open_model(&scene, path_of("qwen3"), "3 17 5 9");
		expect_layer(&scene, truth_of(&scene), 1, 0, cache);
		if (!scene_set(&scene, field_find(changes[i][0]), changes[i][1], &err))
			fail_msg("%s", err.text);
		expect_layer(&scene, truth_of(&scene), 1, 0, cache);
	}
	cache_free(cache);
}

static const char spoiled[] = "encoder.layer.0.intermediate.dense.weight";

/* Writes the model, with other signs of that tensor, which is in front of layer 2. */
static void write_model(bool other)
{
	size_t len, config_len, header = 0, begin = 0, end = 0;
	char *const config = cli_read(path_of("bert-bare/config.json"), &arena, &config_len);
	char *const file = cli_read(path_of("bert-bare/model.safetensors"), &arena, &len);
	for (int i = 7; i >= 0; i--)
		header = header << 8 | (unsigned char)file[i];
	const char *const at = strstr(arena_strndup(&arena, file + 8, header), spoiled);
	assert_int_equal(
		sscanf(strstr(at, "data_offsets"), "data_offsets\":[%zu,%zu", &begin, &end), 2);
	for (size_t i = begin + 3; other && i < end; i += 4)
		file[8 + header + i] = (char)(file[8 + header + i] ^ 0x80);
	cli_write("model/config.json", config, config_len);
	cli_write("model/model.safetensors", file, len);
}

static void remove_model(void)
{
	cli_remove("model/config.json");
	cli_remove("model/model.safetensors");
	assert_int_equal(rmdir("model"), 0);
}

/* The files may be trained on while they are looked at. */
TEST(another_file_is_not_taken_for_the_same)
{
	struct cache *const cache = cache_new(CACHE_BYTES);
	struct scene scene;
	assert_int_equal(mkdir("model", 0700), 0);
	for (size_t i = 0; i < 2; i++) {
		write_model(i == 1);
		open_model(&scene, "./model", "3 17 5 9");
		expect_layer(&scene, truth_of(&scene), 1, 0, cache);
	}
	remove_model();
	cache_free(cache);
}

static struct file_text read_text(const char *path)
{
	struct file_text out;
	out.at = cli_read(path, &arena, &out.len);
	return out;
}

/* Keeps the file itself, which cli_write replaces by a new one. */
static void overwrite(const char *path, struct file_text with)
{
	FILE *const f = fopen(path, "r+");
	assert_non_null(f);
	assert_int_equal(fwrite(with.at, 1, with.len, f), with.len);
	assert_int_equal(fclose(f), 0);
}

/* Layer 1 is not read again: it is changed in a way that nothing shows, so that reading it would give
 * other numbers. */
TEST(layers_in_front_are_not_run_again)
{
	static const char path[] = "model/model.safetensors";
	struct cache *const cache = cache_new(CACHE_BYTES);
	struct scene scene;
	struct stat before;
	assert_int_equal(mkdir("model", 0700), 0);
	write_model(true);
	const struct file_text other = read_text(path);
	write_model(false);
	open_model(&scene, "./model", "3 17 5 9");
	const struct trace *const truth = truth_of(&scene);
	expect_layer(&scene, truth, 1, 0, cache);
	assert_int_equal(stat(path, &before), 0);
	overwrite(path, other);
	const struct timespec times[] = {before.st_atim, before.st_mtim};
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	expect_layer(&scene, truth, 1, 1, cache);
	assert_true(mat_max_abs_diff(truth_of(&scene)->last, truth->last) > 1e-3);
	remove_model();
	cache_free(cache);
}
