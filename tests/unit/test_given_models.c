/* test_given_models.c: parameters, weights and units out of models: a directory, an index, GGUF. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "help_arena.h"
#include "help_files.h"
#include "help_gguf.h"
#include "help_setup.h"
#include "model/model_in.h"

FIXTURE(open_folder, close_folder)

static const char small[] = "sentence a\nscheme learned\nd-model 2\nheads 1\nt-max 3";

/* Entry (i, j) of a matrix is 10 i + j + 1. */
static void save_to(const char *path, const char *name, size_t rows, size_t cols)
{
	const struct help_shaped all[] = {{name, rows, cols}};
	assert_int_equal(rename(help_save_all(all, 1), path), 0);
}

static void make_model(void)
{
	mkdir("m", 0700);
	save_to("m/1.safetensors", "learned.p", 3, 2);
	save_to("m/2.safetensors", "table", 5, 2);
	help_write_text("m/model.safetensors.index.json",
			"{\"weight_map\":{\"learned.p\":\"1.safetensors\","
			"\"table\":\"2.safetensors\"}}");
}

/* A GGUF file with a table of rows of two numbers: row i is i + 1, 0. */
static void make_gguf(uint64_t rows, size_t given)
{
	struct gguf_maker m;
	gguf_begin(&m, &arena, 3, 1, 1);
	gguf_key_text(&m, "general.architecture", "llama");
	gguf_tensor(&m, "table", (const uint64_t[]){2, rows, 0}, GGUF_TENSOR_F32, 0);
	gguf_pad(&m, 32);
	const size_t from = m.len;
	for (size_t i = 0; i < given; i++) {
		const float x[2] = {(float)(i + 1), 0};
		uint32_t bits[2];
		memcpy(bits, x, sizeof bits);
		gguf_add(&m, bits[0], 4);
		gguf_add(&m, bits[1], 4);
	}
	help_write("x.gguf", m.at, m.len);
	if (truncate("x.gguf", (off_t)(from + 8 * rows)) != 0)
		skip();
}

static void expect_leaf(const struct scene *s, const double want[6])
{
	const struct built b = help_build(s);
	const struct mat at = b.model.leaves[0].at;
	assert_int_equal(at.rows, 3);
	for (size_t i = 0; i < 6; i++)
		assert_true(at.at[i] == want[i]);
	assert_true(b.model.leaves[0].given);
}

TEST(parameters_come_out_of_a_model)
{
	static const struct {
		const char *params, *map;
		double want[6];
	} rows[] = {
		{"m", "", {1, 2, 11, 12, 21, 22}},
		{"m/model.safetensors.index.json", "", {1, 2, 11, 12, 21, 22}},
		{"m", "p=table[2:]", {21, 22, 31, 32, 41, 42}},
		{"m", "p=table[4,0:2]", {41, 42, 1, 2, 11, 12}},
		{"x.gguf", "p=table[1:4]", {2, 0, 3, 0, 4, 0}},
		{"x.gguf", "p=table[0,0,3]", {1, 0, 1, 0, 4, 0}},
	};
	make_model();
	make_gguf(5, 5);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene s = help_scene_read(small);
		help_set(&s, "params", rows[i].params);
		help_set(&s, "map", rows[i].map);
		expect_leaf(&s, rows[i].want);
	}
}

/* Two heads of rank 2, a column of content and two of values: keys [heads, rank, content], values [heads, value, rank]. */
TEST(halves_of_latent_attention_are_joined)
{
	static double k[] = {1, 2, 3, 4}, v[] = {10, 20, 11, 21, 30, 40, 31, 41};
	static const double want[] = {1, 10, 11, 3, 30, 31, 2, 20, 21, 4, 40, 41};
	struct tensor_set set;
	struct err err = {""};
	const struct tensor *out;
	tensor_set_init(&set, &arena);
	tensor_set_add(&set, "k", mat_view(k, 4, 1), false);
	tensor_set_add(&set, "v", mat_view(v, 4, 2), false);
	for (size_t i = 0; i < 2; i++) {
		set.tensors[i].dims = 3;
		set.tensors[i].shape[2] = set.tensors[i].shape[1];
		set.tensors[i].shape[0] = set.tensors[i].shape[1] = 2;
	}
	assert_true(leaf_tensor_find(&set, "k&v", true, &arena, &out, &err));
	assert_int_equal(tensor_mat(out).rows, 2);
	assert_int_equal(tensor_mat(out).cols, 6);
	for (size_t i = 0; i < 12; i++)
		assert_within(out->at[i], want[i], 0);
	assert_true(leaf_tensor_find(&set, "k&none", true, &arena, &out, &err));
	assert_null(out);
	assert_false(leaf_tensor_find(&set, "v&k", true, &arena, &out, &err));
	assert_non_null(strstr(err.text, "heads x rank x content"));
}

/* Of a table of 6 GB three rows are read, which is all that is wanted. */
TEST(rows_of_a_large_table_are_read_alone)
{
	struct scene s = help_scene_read(small);
	make_gguf(800000000, 5);
	help_set(&s, "params", "x.gguf");
	help_set(&s, "map", "p=table[0:3]");
	expect_leaf(&s, (const double[]){1, 0, 2, 0, 3, 0});
}

/* Numbers that are read count in memory, before they are read. */
TEST(numbers_of_a_model_count_in_memory)
{
	struct scene s = help_scene_read("sentence a\nd-model 2\nheads 1");
	make_gguf(800000000, 0);
	help_set(&s, "units", "x.gguf:table");
	help_build_refused(&s, "units: \"x.gguf:table\" has 800000000 rows; at most 4096");
	s = help_scene_read(small);
	help_set(&s, "memory", "1G");
	help_set(&s, "t-max", "800000");
	make_gguf(800000, 0);
	help_set(&s, "params", "x.gguf");
	help_set(&s, "map", "p=table");
	help_build(&s);
	help_set(&s, "memory", "10M");
	help_build_refused(&s,
			   "params: \"x.gguf\": with tensor \"table\" the numbers that are read "
			   "take 13 MB, above the limit of 10 MB");
}

TEST(weights_come_out_of_a_directory)
{
	const struct help_shaped all[] = {{"w_q", 2, 2}, {"w_k", 2, 2}, {"w_v", 2, 2}};
	mkdir("w", 0700);
	assert_int_equal(rename(help_save_all(all, 3), "w/model.safetensors"), 0);
	struct scene s = help_scene_read("sentence a b\nscheme rope\nd-model 2\nheads 1\nlayers 2");
	help_set(&s, "weights", "w");
	const struct trace *const t = help_trace(&s);
	help_set(&s, "weights", "w/model.safetensors");
	const struct trace *const whole = help_trace(&s);
	for (size_t l = 0; l < 2; l++)
		assert_true(mat_max_abs_diff(t->layers[l].heads[0].logits,
					     whole->layers[l].heads[0].logits) <= 0);
	help_set(&s, "weights", "");
	assert_true(mat_max_abs_diff(t->layers[0].heads[0].logits,
				     help_trace(&s)->layers[0].heads[0].logits) > 1);
}

TEST(units_come_out_of_a_model)
{
	struct scene s = help_scene_read("scheme rope\nheads 1");
	make_model();
	help_set(&s, "units", "m:table");
	const struct built b = help_build(&s);
	assert_int_equal(b.given_units.rows, 5);
	assert_true(mat_row(b.given_units, 4)[1] == 42);
}

/* A shard that was cut is a line that names it. */
TEST(a_shard_that_is_cut_is_named)
{
	struct scene s = help_scene_read(small);
	make_model();
	help_set(&s, "params", "m");
	help_build(&s);
	assert_int_equal(truncate("m/2.safetensors", 100), 0);
	help_build_refused(&s, "\"m/2.safetensors\": tensor \"table\": data from 0 to 80, but");
}

/* The shape of such a tensor may be anything, and nothing is allocated for it. */
TEST(a_tensor_of_an_unread_type_is_named)
{
	static const struct {
		const char *field, *value, *map;
		uint64_t cols, rows;
	} rows[] = {
		{"params", "y.gguf", "p=table", 2, 3},
		{"params", "y.gguf", "p=table[0:3]", 2, 1ull << 40},
		{"units", "y.gguf:table", "", 1ull << 60, 5},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gguf_maker m;
		struct scene s = help_scene_read("sentence a\nscheme learned\nheads 1\nt-max 3");
		gguf_begin(&m, &arena, 3, 1, 0);
		gguf_tensor(&m, "table", (const uint64_t[]){rows[i].cols, rows[i].rows, 0}, 77, 0);
		gguf_pad(&m, 32);
		help_write("y.gguf", m.at, m.len);
		if (*rows[i].map)
			help_set(&s, "d-model", "2");
		help_set(&s, rows[i].field, rows[i].value);
		help_set(&s, "map", rows[i].map);
		help_build_refused(&s, arena_printf(&arena,
						    "%s: \"y.gguf\": tensor \"table\": numbers of "
						    "type number 77 are not read",
						    rows[i].field));
	}
}

/* A model in an arena of its own reads weights of a set that others use, and leaves the set as it
 * was. */
TEST(a_model_of_another_arena_reads_weights_for_itself)
{
	static const char *const names[] = {"layer.0.w_q", "layer.0.w_k", "layer.1.w_q",
					    "layer.1.w_k", "w_v"};
	struct tensor_set drawn;
	tensor_set_init(&drawn, &arena);
	for (size_t i = 0; i < 5; i++) {
		double at[] = {1, (double)i, 0, 2};
		tensor_set_add(&drawn, names[i], mat_view(at, 2, 2), false);
	}
	const char *const path = help_save(&drawn);
	struct scene s = help_scene_read("sentence a b\nscheme rope\nd-model 2\nheads 1\nlayers 2");
	const struct built plain = help_build(&s);
	help_set(&s, "weights", path);
	struct built b;
	const struct trace want = help_run(&s, &b);
	const struct want kinds = {.kinds = WANT_LOGITS, .layer = -1, .head = -1};
	struct arena own;
	struct tensor_set set;
	struct model model;
	struct trace trace;
	struct err err = {""};
	arena_init(&own);
	tensor_set_init(&set, &arena);
	assert_true(tensor_read_file(&set, path, &err));
	const struct given given = {.weights = &set};
	if (!model_build(&model, &plain.model.config, plain.members, plain.n_members, &given, &own,
			 &err) ||
	    !model_run(&model, &plain.model_input, &kinds, NULL, NULL, &own, &trace, &err))
		fail_msg("%s", err.text);
	for (size_t l = 0; l < 2; l++)
		assert_true(mat_max_abs_diff(want.layers[l].heads[0].logits,
					     trace.layers[l].heads[0].logits) <= 0);
	for (size_t i = 0; i < set.count; i++)
		assert_null(set.tensors[i].at);
	arena_release(&own);
}
