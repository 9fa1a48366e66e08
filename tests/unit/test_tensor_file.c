/* test_tensor_file.c: files of tensors and models: large ones, several, changed ones, and those that
 * are not read. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "test.h"
#include "help_arena.h"
#include "help_files.h"
#include "help_gguf.h"
#include "help_tensors.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/format/tensor_file.h"
#include "posviz/format/tensor_names.h"

FIXTURE(open_folder, close_folder)

static struct tensor_file *opened(const char *path)
{
	struct err err = {""};
	struct tensor_file *const f = tensor_file_open(path, &err);
	if (!f)
		fail_msg("%s", err.text);
	return f;
}

/* Expects one line that names the path and is fit for a terminal. */
static void expect_refused(const char *path, const char *part)
{
	struct err err = {""};
	struct tensor_file *const f = tensor_file_open(path, &err);
	if (f)
		fail_msg("%s: opened; \"%s\" expected", path, part);
	if (!strstr(err.text, part) || !strstr(err.text, path) || strpbrk(err.text, "\n\033") ||
	    !text_valid(err.text, strlen(err.text)))
		fail_msg("\"%s\" does not say \"%s\"", err.text, part);
}

/* Writes a header and makes the file as long as its data. */
static void write_safetensors(const char *path, const char *header, const void *data, size_t len)
{
	const size_t text = strlen(header);
	char *const all = arena_calloc(&arena, 8 + text + len + 1, 1);
	for (size_t i = 0; i < 8; i++)
		all[i] = (char)((uint64_t)text >> (8 * i));
	memcpy(all + 8, header, text);
	if (len > 0)
		memcpy(all + 8 + text, data, len);
	help_write(path, all, 8 + text + len);
}

/* Writes a file with one tensor of two numbers of type F32. */
static void write_two(const char *path, const char *name, float first, float second)
{
	write_safetensors(path,
			  arena_printf(&arena,
				       "{\"%s\":{\"dtype\":\"F32\",\"shape\":[2],"
				       "\"data_offsets\":[0,8]}}",
				       name),
			  (float[]){first, second}, 8);
}

static double first_number(const struct tensor_file *f, const char *name)
{
	struct err err = {""};
	const struct tensor_entry *const e = tensor_file_find(f, name);
	assert_non_null(e);
	double *const out = arena_calloc(&arena, tensor_entry_cols(e), sizeof *out);
	if (!tensor_file_rows(f, e, 0, 1, out, &err))
		fail_msg("%s", err.text);
	return out[0];
}

/* ---- large files ----------------------------------------------------------------------------- */

/* Sanitizers take several times the memory and the time. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { CHECKED = 0 };
#else
enum { CHECKED = 1 };
#endif

static const uint64_t giga = 1000000000;

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double most_memory(void)
{
	struct rusage use;
	getrusage(RUSAGE_SELF, &use);
	return (double)use.ru_maxrss * 1024;
}

/* Makes the file as long as said, without writing. */
static void make_long(const char *path, uint64_t size)
{
	if (truncate(path, (off_t)size) != 0)
		skip();
}

/* Opens the file within the time and the memory; *f is open. */
static struct tensor_file *opened_within(const char *path, double time, double memory)
{
	const double from = seconds(), before = most_memory();
	struct tensor_file *const f = opened(path);
	const double took = seconds() - from, grew = most_memory() - before;
	const bool slow = getenv("TEST_LIMIT") != NULL; /* under valgrind */
	if (CHECKED && !slow && (took > time || grew > memory))
		fail_msg("%s: %.0f ms and %.0f MB", path, 1e3 * took, grew / 1e6);
	return f;
}

/* Returns the header of n tensors of [rows, cols] F16. */
static const char *header_of(size_t n, size_t rows, size_t cols)
{
	struct strbuf b;
	const uint64_t bytes = (uint64_t)rows * cols * 2;
	strbuf_init(&b, &arena);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(
			&b,
			"%s\"model.layers.%zu.weight\":{\"dtype\":\"F16\",\"shape\":[%zu,%zu],"
			"\"data_offsets\":[%llu,%llu]}",
			i ? "," : "{", i, rows, cols, (unsigned long long)(i * bytes),
			(unsigned long long)((i + 1) * bytes));
	strbuf_add(&b, "}");
	return b.at;
}

TEST(safetensors_of_30_gb_opens_at_once)
{
	const size_t n = 300, rows = 10000, cols = 5000;
	const char *const header = header_of(n, rows, cols);
	write_safetensors("large.safetensors", header, "", 0);
	make_long("large.safetensors", 8 + strlen(header) + 30 * giga);
	struct tensor_file *const f = opened_within("large.safetensors", 0.05, 50e6);
	assert_int_equal(tensor_file_count(f), n);
	assert_true(first_number(f, "model.layers.299.weight") == 0);
	tensor_file_close(f);
}

TEST(gguf_of_30_gb_opens_at_once_and_leaves_its_vocabulary)
{
	enum { WORDS = 150000 };
	const uint64_t sizes[] = {5000, 1500000, 0};
	struct gguf_maker m;
	gguf_begin(&m, &arena, 3, 1, 2);
	gguf_key(&m, "tokenizer.ggml.tokens", GGUF_ARRAY);
	gguf_add(&m, GGUF_STRING, 4);
	gguf_add(&m, WORDS, 8);
	for (size_t i = 0; i < WORDS; i++)
		gguf_add_text(&m, "a word of a vocabulary", 8 + i % 8);
	gguf_key_text(&m, "general.architecture", "llama");
	gguf_tensor(&m, "token_embd.weight", sizes, GGUF_TENSOR_F32, 0);
	help_write("large.gguf", m.at, m.len);
	make_long("large.gguf", m.len + 31 + 30 * giga);
	struct tensor_file *const f = opened_within("large.gguf", 0.05, 50e6);
	assert_int_equal(tensor_file_value(f, "tokenizer.ggml.tokens")->count, WORDS);
	assert_string_equal(tensor_file_value(f, "general.architecture")->text, "llama");
	assert_int_equal(tensor_entry_rows(tensor_file_at(f, 0)), 1500000);
	tensor_file_close(f);
}

/* A linear search for each name would take minutes. */
TEST(a_hundred_thousand_tensors_open_in_a_second)
{
	const size_t n = 100000;
	const char *const header = header_of(n, 1, 1);
	write_safetensors("many.safetensors", header, "", 0);
	make_long("many.safetensors", 8 + strlen(header) + 2 * n);
	struct tensor_file *const f = opened_within("many.safetensors", 1, 80e6);
	assert_int_equal(tensor_file_count(f), n);
	tensor_file_close(f);
}

/* ---- files that change ----------------------------------------------------------------------- */

static void expect_changed(const struct tensor_file *f)
{
	double out[2];
	struct err err = {""};
	assert_false(tensor_file_rows(f, tensor_file_at(f, 0), 0, 1, out, &err));
	assert_string_equal(err.text, "\"x.safetensors\": tensor \"x\": the file was changed since "
				      "it was opened; open it again");
}

TEST(a_file_that_is_cut_is_a_line_and_no_signal)
{
	write_two("x.safetensors", "x", 1, 2);
	struct tensor_file *const f = opened("x.safetensors");
	assert_true(first_number(f, "x") == 1);
	assert_int_equal(truncate("x.safetensors", 10), 0);
	expect_changed(f);
	tensor_file_close(f);
}

TEST(a_file_that_is_replaced_is_not_read)
{
	write_two("x.safetensors", "x", 1, 2);
	write_two("y.safetensors", "x", 3, 4);
	struct tensor_file *const f = opened("x.safetensors");
	assert_int_equal(rename("y.safetensors", "x.safetensors"), 0);
	expect_changed(f);
	tensor_file_close(f);
}

TEST(a_file_that_is_gone_is_a_line)
{
	double out[2];
	struct err err = {""};
	write_two("x.safetensors", "x", 1, 2);
	struct tensor_file *const f = opened("x.safetensors");
	unlink("x.safetensors");
	assert_false(tensor_file_rows(f, tensor_file_at(f, 0), 0, 1, out, &err));
	assert_non_null(strstr(err.text, "tensor \"x\": it cannot be read: there is no such file"));
	tensor_file_close(f);
}

/* ---- models in several files ----------------------------------------------------------------- */

static const char index_name[] = "model.safetensors.index.json";

static void write_index(const char *folder, const char *map)
{
	help_write_text(arena_printf(&arena, "%s/%s", folder, index_name),
			arena_printf(&arena, "{\"metadata\":{},\"weight_map\":{%s}}", map));
}

static const char two_shards[] = "\"a\":\"m-1.safetensors\",\"b\":\"m-2.safetensors\"";

/* Makes a directory as caches have it: the shards are links to files elsewhere. */
static void make_shards(void)
{
	mkdir("m", 0700);
	mkdir("blobs", 0700);
	write_two("blobs/1", "a", 1, 2);
	write_two("blobs/2", "b", 3, 4);
	assert_int_equal(symlink("../blobs/1", "m/m-1.safetensors"), 0);
	assert_int_equal(symlink("../blobs/2", "m/m-2.safetensors"), 0);
	write_index("m", two_shards);
}

TEST(shards_are_one_file)
{
	static const char *const paths[] = {"m", "m/", "m/model.safetensors.index.json"};
	make_shards();
	for (size_t i = 0; i < 3; i++) {
		struct tensor_file *const f = opened(paths[i]);
		assert_int_equal(tensor_file_count(f), 2);
		assert_string_equal(tensor_file_path(f), paths[i]);
		assert_true(first_number(f, "a") == 1);
		assert_true(first_number(f, "b") == 3);
		tensor_file_close(f);
	}
	size_t n;
	const char **const names = tensor_names_of("m", &arena, &n);
	assert_int_equal(n, 2);
	assert_string_equal(names[1], "b");
}

TEST(a_directory_opens_its_one_file)
{
	mkdir("d", 0700);
	write_two("d/other.safetensors", "o", 5, 6);
	struct tensor_file *const f = opened("d");
	assert_true(first_number(f, "o") == 5);
	tensor_file_close(f);
	write_two("d/model.safetensors", "x", 7, 8);
	struct tensor_file *const g = opened("d");
	assert_true(first_number(g, "x") == 7);
	tensor_file_close(g);
	rename("d/model.safetensors", "d/second.safetensors");
	expect_refused("d", "several files of tensors; one of them, such as \"other.safetensors\"");
}

TEST(an_index_that_lies_is_refused)
{
	static const struct {
		const char *map, *part;
	} rows[] = {
		{"\"a\":\"../x\"", "tensor \"a\": the file \"../x\": the name of a file beside"},
		{"\"a\":\"/etc/passwd\"", "tensor \"a\": the file \"/etc/passwd\""},
		{"\"a\":\"sub/x\"", "the file \"sub/x\""},
		{"\"a\":\"\"", "the file \"\""},
		{"\"a\":1", "tensor \"a\": its file is not a name in quotes"},
		{"\"a\":\"m-1.safetensors\",\"a\":\"m-2.safetensors\"",
		 "; one of the two would be right"},
		{"\"a\":NaN", "line 1: not JSON: NaN is no number there; null would be right"},
		{"\"a\":-Infinity", "line 1: not JSON: -Infinity is no number there"},
		{"", "\"weight_map\", an object from tensors to files, would be right"},
		{"\"a\":\"m-2.safetensors\",\"b\":\"m-2.safetensors\"",
		 "tensor \"a\": it is not in \"m-2.safetensors\", where the index has it"},
		{"\"a\":\"m-2.safetensors\",\"b\":\"m-1.safetensors\"",
		 "tensor \"a\": it is not in \"m-2.safetensors\""},
		{"\"a\":\"m-1.safetensors\",\"b\":\"m-3.safetensors\"",
		 "1 of its 2 files is missing, \"m-3.safetensors\"; download it"},
		{"\"a\":\"m-1.safetensors\",\"b\":\"m-3.safetensors\",\"c\":\"m-4.safetensors\"",
		 "2 of its 3 files are missing, the first of them \"m-3.safetensors\"; download them"},
		{"\"a\\u001b[2J\":\"\"", "tensor \"a\\x1B[2J\""},
	};
	make_shards();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		write_index("m", rows[i].map);
		expect_refused("m", rows[i].part);
	}
}

TEST(a_tensor_in_two_shards_is_refused)
{
	make_shards();
	write_two("blobs/2", "a", 3, 4);
	expect_refused("m", "there are two tensors \"a\"");
}

/* ---- models that are not read ---------------------------------------------------------------- */

TEST(what_is_not_read_says_what_would_be_right)
{
	static const struct {
		const char *folder, *file, *text, *part;
	} rows[] = {
		{"pickle", "pytorch_model.bin", "x",
		 "\"pytorch_model.bin\" alone, a pickle, which runs programs and is not read; in "
		 "Python, save_pretrained(DIR, safe_serialization=True)"},
		{"adapter", "adapter_config.json", "{}",
		 "an adapter without the model that it changes; in Python, merge_and_unload()"},
		{"bare", "config.json", "{}",
		 "there is no file of tensors in it; model.safetensors would be right"},
		{"lfs", "model.safetensors", "version https://git-lfs.github.com/spec/v1\noid x\n",
		 "a pointer of Git LFS that stands for the file; git lfs pull fetches it"},
		{"lfs2", "x.gguf", "version https://git-lfs.github.com/spec/v1\noid x\n",
		 "git lfs pull fetches it"},
		{"ggml", "x.gguf", "GGML",
		 "it does not begin with GGUF; the converter of llama.cpp"},
		{"empty", "model.safetensors", "", "the header's length is wrong"},
		{"none", "x.gguf", "", "the file ends here; it is not whole"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		mkdir(rows[i].folder, 0700);
		help_write_text(arena_printf(&arena, "%s/%s", rows[i].folder, rows[i].file),
				rows[i].text);
		expect_refused(rows[i].folder, rows[i].part);
	}
	expect_refused("missing", "no such file");
	mkdir("adapter/x.safetensors", 0700);
	expect_refused("adapter", "an adapter");
}

/* The weights of such a model are no weights; what is beside them is read. */
TEST(packed_weights_are_named_and_the_others_read)
{
	static const struct {
		const char *packed, *type, *beside, *by;
	} rows[] = {
		{"q_proj.qweight", "I32", "q_proj.scales", "GPTQ or AWQ"},
		{"q_proj.weight_packed", "I32", "q_proj.weight_scale", "compressed-tensors"},
		{"q_proj.weight", "U8", "q_proj.weight.absmax", "bitsandbytes"},
		{"q_proj.weight", "I8", "q_proj.SCB", "bitsandbytes"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const int bytes = rows[i].type[1] == '3' ? 4 : 1;
		const char *const header = arena_printf(
			&arena,
			"{\"norm\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
			"\"%s\":{\"dtype\":\"%s\",\"shape\":[1],\"data_offsets\":[4,%d]},"
			"\"%s\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[%d,%d]}}",
			rows[i].packed, rows[i].type, 4 + bytes, rows[i].beside, 4 + bytes,
			8 + bytes);
		struct err err = {""};
		double out;
		write_safetensors("x.safetensors", header, (float[3]){1}, (size_t)(8 + bytes));
		struct tensor_file *const f = opened("x.safetensors");
		assert_true(first_number(f, "norm") == 1);
		assert_false(
			tensor_file_rows(f, tensor_file_find(f, rows[i].packed), 0, 1, &out, &err));
		const char *const want = arena_printf(
			&arena,
			"it is packed by %s, which is not read; the model before it was "
			"quantized would be right",
			rows[i].by);
		assert_non_null(strstr(err.text, want));
		assert_string_equal(tensor_file_packed(f), want);
		tensor_file_close(f);
	}
	write_two("x.safetensors", "x", 1, 2);
	struct tensor_file *const f = opened("x.safetensors");
	assert_null(tensor_file_packed(f));
	tensor_file_close(f);
}

/* Types and shapes that are not read leave the others as they are. */
TEST(tensors_that_are_not_read_leave_the_others)
{
	struct err err = {""};
	double out;
	write_safetensors(
		"x.safetensors",
		"{\"f8\":{\"dtype\":\"F8_E4M3\",\"shape\":[2,2],\"data_offsets\":[0,4]},"
		"\"six\":{\"dtype\":\"F32\",\"shape\":[1,1,1,1,1,1],\"data_offsets\":[4,8]},"
		"\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[8,12]}}",
		(float[]){0, 0, 1}, 12);
	struct tensor_file *const f = opened("x.safetensors");
	assert_string_equal(tensor_file_find(f, "f8")->type, "F8_E4M3");
	assert_true(first_number(f, "x") == 1);
	assert_false(tensor_file_rows(f, tensor_file_find(f, "f8"), 0, 1, &out, &err));
	assert_non_null(
		strstr(err.text, "tensor \"f8\": numbers of type F8_E4M3 are not read; F64"));
	assert_false(tensor_file_rows(f, tensor_file_find(f, "six"), 0, 1, &out, &err));
	assert_non_null(strstr(err.text, "tensor \"six\": 6 dimensions, at most 5 are read"));
	tensor_file_close(f);
}

/* ---- one tensor of a model ------------------------------------------------------------------- */

static bool read_one(const char *spec, struct tensor_set *set, const struct tensor **t,
		     struct err *err)
{
	static const char *const usual[] = {NULL};
	tensor_set_init(set, &arena);
	return tensor_read_one(set, spec, usual, t, err);
}

TEST(one_tensor_of_a_model_is_read_alone)
{
	static const char *const specs[] = {"m:b", "m/model.safetensors.index.json:b"};
	const struct tensor *t;
	struct tensor_set set;
	struct err err = {""};
	make_shards();
	for (size_t i = 0; i < 2; i++) {
		if (!read_one(specs[i], &set, &t, &err))
			fail_msg("%s", err.text);
		assert_true(t->at[0] == 3 && t->at[1] == 4);
		assert_null(tensor_find(&set, "a")->at);
	}
	assert_false(read_one("m:c", &set, &t, &err));
	assert_string_equal(err.text, "\"m\": no tensor \"c\"; there is \"a\", \"b\"");
	assert_false(read_one("m", &set, &t, &err));
	assert_string_equal(err.text, "\"m\": several tensors (\"a\", \"b\"); give FILE:TENSOR");
}

/* The numbers that are read count before they are read: this file has none that could be. */
TEST(numbers_beyond_the_limit_are_not_read)
{
	const struct tensor *t;
	struct tensor_set set;
	struct err err = {""};
	const char *const header = header_of(1, 100000, 10000);
	write_safetensors("large.safetensors", header, "", 0);
	make_long("large.safetensors", 8 + strlen(header) + 2 * giga);
	tensor_set_init(&set, &arena);
	set.limit = 1500000000;
	assert_false(tensor_read_one(&set, "large.safetensors", (const char *[]){NULL}, &t, &err));
	assert_string_equal(err.text,
			    "\"large.safetensors\": with tensor "
			    "\"model.layers.0.weight\" the numbers that are read take "
			    "8000 MB, above the limit of 1500 MB; memory 8.0G would allow "
			    "it");
}
