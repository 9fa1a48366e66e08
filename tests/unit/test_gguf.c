/* test_gguf.c: GGUF files: every type against the numbers of ggml, metadata, and files that lie. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_files.h"
#include "help_gguf.h"
#include "help_tensors.h"
#include "format/element.h"
#include "posviz/base/text.h"
#include "posviz/format/tensor_file.h"

FIXTURE(open_folder, close_folder)

static struct tensor_file *open_types(void)
{
	struct err err = {""};
	const char *const path = arena_printf(&arena, "%s/models/gguf/types.gguf", test_data);
	struct tensor_file *const f = tensor_file_open(path, &err);
	if (!f)
		fail_msg("%s", err.text);
	return f;
}

/* The reference has each tensor as ggml's own code dequantizes it. */
TEST(every_type_is_equal_to_its_reference)
{
	struct tensor_file *const f = open_types();
	struct tensor_set set;
	struct err err = {""};
	size_t seen = 0;
	tensor_set_init(&set, &arena);
	assert_true(help_tensors(
		&set, arena_printf(&arena, "%s/models/gguf/types.reference.safetensors", test_data),
		&err));
	for (size_t i = 0; i < tensor_file_count(f); i++) {
		const struct tensor_entry *const e = tensor_file_at(f, i);
		const struct tensor *const want = tensor_find(&set, e->name);
		assert_non_null(want);
		assert_int_equal(e->dims, want->dims);
		const size_t rows = tensor_entry_rows(e), cols = tensor_entry_cols(e);
		double *const at = arena_calloc(&arena, rows * cols, sizeof *at);
		/* Row by row, the last first. */
		for (size_t r = rows; r-- > 0;)
			assert_true(tensor_file_rows(f, e, r, 1, at + r * cols, &err));
		for (size_t k = 0; k < e->dims; k++)
			assert_int_equal(e->shape[k], want->shape[k]);
		for (size_t k = 0; k < rows * cols; k++)
			if (at[k] != want->at[k])
				fail_msg("%s: number %zu is %.17g, not %.17g", e->name, k, at[k],
					 want->at[k]);
		seen++;
	}
	assert_int_equal(seen, set.count);
	tensor_file_close(f);
}

/* Values of each type, texts and lists; lists are read when they are asked for. */
TEST(metadata_has_values_of_every_type)
{
	struct gguf_maker m;
	struct err err = {""};
	gguf_begin(&m, &arena, 2, 0, 8);
	gguf_key_text(&m, "general.architecture", "llama");
	gguf_key(&m, "less", GGUF_I16);
	gguf_add(&m, (uint64_t)-5, 2);
	gguf_key(&m, "half", GGUF_F64);
	gguf_add(&m, 0x3FE0000000000000u, 8);
	gguf_key(&m, "yes", GGUF_BOOL);
	gguf_add(&m, 1, 1);
	gguf_key(&m, "tokens", GGUF_ARRAY);
	gguf_add(&m, GGUF_STRING, 4);
	gguf_add(&m, 3, 8);
	gguf_add_text(&m, "the", 3);
	gguf_add_text(&m, "\xFF\0x", 3);
	gguf_add_text(&m, "", 0);
	gguf_key(&m, "kinds", GGUF_ARRAY);
	gguf_add(&m, GGUF_I32, 4);
	gguf_add(&m, 2, 8);
	gguf_add(&m, 3, 4);
	gguf_add(&m, (uint64_t)-1, 4);
	gguf_key(&m, "largest", GGUF_U64);
	gguf_add(&m, UINT64_MAX, 8);
	gguf_key_text(&m, "template", "\xC0");
	struct tensor_file *const f = tensor_file_open_bytes("x.gguf", m.at, m.len, &err);
	if (!f)
		fail_msg("%s", err.text);
	assert_true(tensor_file_is_gguf(f));
	assert_int_equal(tensor_file_value(f, "template")->kind, FILE_VALUE_TEXTS);
	assert_string_equal(
		*tensor_file_texts(f, tensor_file_value(f, "template"), &arena, NULL, &err),
		"\xC0");
	assert_string_equal(tensor_file_value(f, "general.architecture")->text, "llama");
	assert_true(tensor_file_value(f, "less")->number == -5);
	assert_true(tensor_file_value(f, "half")->number == 0.5);
	assert_int_equal(tensor_file_value(f, "yes")->kind, FILE_VALUE_TRUTH);
	assert_true(tensor_file_value(f, "largest")->number == 0x1p64);
	assert_null(tensor_file_value(f, "none"));
	const struct file_value *const tokens = tensor_file_value(f, "tokens");
	const size_t *len;
	const char *const *const texts = tensor_file_texts(f, tokens, &arena, &len, &err);
	assert_int_equal(tokens->count, 3);
	assert_string_equal(texts[0], "the");
	assert_memory_equal(texts[1], "\xFF\0x", 4);
	assert_int_equal(len[1], 3);
	assert_int_equal(len[2], 0);
	const double *const kinds =
		tensor_file_numbers(f, tensor_file_value(f, "kinds"), &arena, &err);
	assert_true(kinds[0] == 3);
	assert_true(kinds[1] == -1);
	assert_null(tensor_file_numbers(f, tokens, &arena, &err));
	assert_string_equal(err.text, "\"x.gguf\": key \"tokens\": it is no list of numbers");
	tensor_file_close(f);
}

/* ---- files that lie -------------------------------------------------------------------------- */

/* A good file of two keys and two tensors: a of two numbers, q of two rows of one block. */
enum { GOOD_ALIGNMENT = 32, A_BYTES = 8, Q_BYTES = 2 * 34 };
static const uint64_t a_sizes[] = {2, 0}, q_sizes[] = {32, 2, 0};

struct lie {
	const char *part; /* of the message */
	uint32_t version, alignment_type, type, a_dims;
	uint64_t tensors, keys, alignment, q_first, q_offset, q_end;
	const char *key, *name, *text, *second;
};

/* Each row changes what it says of the good file; 0 and NULL leave what is good. */
static void make(struct gguf_maker *m, const struct lie *l)
{
	const uint64_t q[] = {l->q_first ? l->q_first : q_sizes[0], q_sizes[1], 0};
	const uint32_t alignment = l->alignment ? (uint32_t)l->alignment : GOOD_ALIGNMENT;
	gguf_begin(m, &arena, l->version ? l->version : 3, l->tensors ? l->tensors : 2,
		   l->keys ? l->keys : 2);
	gguf_key_text(m, l->key ? l->key : "general.architecture", l->text ? l->text : "llama");
	gguf_key(m, "general.alignment", l->alignment_type ? l->alignment_type : GGUF_U32);
	gguf_add(m, alignment == 1 ? 0 : alignment, 4);
	gguf_tensor(m, "a", a_sizes, GGUF_TENSOR_F32, 0);
	gguf_tensor(m, l->second ? l->second : "q", q, l->type ? l->type : GGUF_TENSOR_Q8_0,
		    l->q_offset ? l->q_offset : GOOD_ALIGNMENT);
	gguf_pad(m, GOOD_ALIGNMENT);
	gguf_zeros(m, GOOD_ALIGNMENT + Q_BYTES);
}

/* Expects one line that names the file, says the part, and is fit for a terminal. */
static void expect_refused(const void *data, size_t len, const char *part)
{
	struct err err = {""};
	struct tensor_file *const f = tensor_file_open_bytes("x.gguf", data, len, &err);
	if (f)
		fail_msg("opened; \"%s\" expected", part);
	if (strncmp(err.text, "\"x.gguf\": ", 10) != 0 || !strstr(err.text, part) ||
	    strpbrk(err.text, "\n\033") || !text_valid(err.text, strlen(err.text)))
		fail_msg("\"%s\" does not say \"%s\"", err.text, part);
}

TEST(the_good_file_is_read)
{
	struct gguf_maker m;
	struct err err = {""};
	make(&m, &(struct lie){0});
	struct tensor_file *const f = tensor_file_open_bytes("x.gguf", m.at, m.len, &err);
	if (!f)
		fail_msg("%s", err.text);
	assert_int_equal(tensor_file_count(f), 2);
	assert_int_equal(tensor_file_find(f, "q")->shape[0], 2);
	assert_int_equal(tensor_file_find(f, "q")->bytes, Q_BYTES);
	tensor_file_close(f);
}

TEST(headers_that_lie_are_refused)
{
	static const struct lie lies[] = {
		{"version 1 of GGUF is not read; 2 and 3 are", .version = 1},
		{"version 4 of GGUF is not read", .version = 4},
		{"big-endian numbers", .version = 50331648},
		{"it announces 1152921504606846976 tensors", .tensors = 1ull << 60},
		{"it announces 4611686018427387904 keys", .keys = 1ull << 62},
		{"it announces 18446744073709551615 tensors", .tensors = UINT64_MAX},
		{"key 1: its name is empty", .key = ""},
		{"key 1: its name \"\\x1B[2J\\xFF\" is not UTF-8", .key = "\033[2J\xFF"},
		{"there are two keys \"general.alignment\"", .key = "general.alignment"},
		{"there are two tensors \"a\"", .second = "a"},
		{"tensor 2: its name is empty", .second = ""},
		{"tensor 2: its name", .second = "\xED\xA0\x80"},
		{"key \"general.alignment\": 0; a power of two", .alignment = 1},
		{"key \"general.alignment\": 3; a power of two", .alignment = 3},
		{"key \"general.alignment\": 24; a power of two", .alignment = 24},
		{"key \"general.alignment\": 2147483648; a power", .alignment = 1u << 31},
		{"key \"general.alignment\": a number of type u32", .alignment_type = GGUF_I32},
		{"a value of type 13; types 0 to 12", .alignment_type = 13},
		{"tensor \"q\": dimension 1 is 9223372036854775808", .q_first = 1ull << 63},
		{"tensor \"q\": rows of 33 numbers; blocks of Q8_0 have 32", .q_first = 33},
		{"tensor \"q\": its data ends behind the end", .q_first = 64},
		{"tensor \"q\": its offset 40 is no multiple of 32", .q_offset = 40},
		{"tensor \"q\": its data begins behind the end", .q_offset = 1 << 20},
		{"tensor \"q\": its data begins behind the end", .q_offset = UINT64_MAX - 31},
		{0},
	};
	for (size_t i = 0; lies[i].part; i++) {
		struct gguf_maker m;
		make(&m, &lies[i]);
		expect_refused(m.at, m.len, lies[i].part);
	}
}

/* A tensor of an unread type is refused by name when its numbers are wanted. */
TEST(unread_types_are_named_when_they_are_wanted)
{
	static const struct {
		uint32_t type;
		const char *name;
	} rows[] = {{4, "Q4_2"},
		    {31, "Q4_0_4_4"},
		    {38, "IQ4_NL_8_8"},
		    {20, "IQ4_NL"},
		    {77, "number 77"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gguf_maker m;
		struct err err = {""};
		double out[64];
		make(&m, &(struct lie){.type = rows[i].type});
		struct tensor_file *const f = tensor_file_open_bytes("x.gguf", m.at, m.len, &err);
		if (!f)
			fail_msg("%s", err.text);
		assert_true(tensor_file_rows(f, tensor_file_find(f, "a"), 0, 1, out, &err));
		assert_false(tensor_file_rows(f, tensor_file_find(f, "q"), 0, 1, out, &err));
		const char *const want = arena_printf(
			&arena, "\"x.gguf\": tensor \"q\": numbers of type %s are not read; F64",
			rows[i].name);
		if (strncmp(err.text, want, strlen(want)) != 0)
			fail_msg("%s", err.text);
		tensor_file_close(f);
	}
}

/* Numbers of four bits with a power of two for 32 of them, as gpt-oss has its experts: halves of a byte are 16 apart. */
TEST(numbers_of_four_bits_have_a_power_of_two)
{
	unsigned char block[17] = {129}; /* 2² */
	double out[32];
	struct err err = {""};
	block[1] = 0x2f;  /* 15: −6, and 2: 1 */
	block[16] = 0x81; /* 1: 0.5, and 8: −0 */
	assert_true(element_decode(out, block, element_of_gguf(39), false, 32, &err));
	assert_within(out[0], -24, 0);
	assert_within(out[16], 4, 0);
	assert_within(out[15], 2, 0);
	assert_true(out[31] == 0 && signbit(out[31]));
	assert_within(out[1], 0, 0);
}

/* A file that ends anywhere is refused; each of these says where. */
TEST(a_file_that_ends_early_is_refused_wherever_it_ends)
{
	struct gguf_maker m;
	make(&m, &(struct lie){0});
	for (size_t len = 4; len < m.len; len++)
		expect_refused(m.at, len, "");
	expect_refused(m.at, 14, "the file ends here; it is not whole");
	expect_refused(m.at, m.len - 1, "tensor \"q\": its data ends behind the end");
	expect_refused("", 0, "the header's length is wrong");
}

/* Lengths and counts that no file of this size can have, in the one list of a file. */
TEST(lists_that_lie_are_refused)
{
	static const struct {
		uint64_t count;
		uint32_t type;
		uint64_t first; /* the length of the first text */
		const char *part;
	} rows[] = {
		{1ull << 61, GGUF_U8, 0, "a list of 2305843009213693952 items"},
		{UINT64_MAX, GGUF_F64, 0, "a list of 18446744073709551615 items"},
		{1ull << 61, GGUF_STRING, 0, "a list of 2305843009213693952 items"},
		{1, GGUF_STRING, 1ull << 63, "a length of 9223372036854775808 bytes"},
		{1, GGUF_STRING, UINT64_MAX - 7, "a length of 18446744073709551608 bytes"},
		{1, GGUF_STRING, 17, "a length of 17 bytes, and 16 are left"},
		{1, 13, 0, "a value of type 13"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gguf_maker m;
		gguf_begin(&m, &arena, 3, 0, 1);
		gguf_key(&m, "list", GGUF_ARRAY);
		gguf_add(&m, rows[i].type, 4);
		gguf_add(&m, rows[i].count, 8);
		gguf_add(&m, rows[i].first, 8);
		gguf_zeros(&m, 16);
		expect_refused(m.at, m.len, rows[i].part);
		expect_refused(m.at, m.len, "key \"list\": ");
	}
}

TEST(lists_nested_thousands_deep_are_refused)
{
	struct gguf_maker m;
	gguf_begin(&m, &arena, 3, 0, 1);
	gguf_key(&m, "list", GGUF_ARRAY);
	for (size_t i = 0; i < 5000; i++) {
		gguf_add(&m, GGUF_ARRAY, 4);
		gguf_add(&m, 1, 8);
	}
	expect_refused(m.at, m.len, "key \"list\": lists are nested more than 8 deep");
}

TEST(dimensions_and_truth_values_are_checked)
{
	static const uint64_t five[] = {1, 1, 1, 1, 1, 0}, none[] = {0},
			      numbers[] = {1ull << 62, 8, 0}, bytes[] = {1ull << 62, 2, 0};
	static const struct {
		const uint64_t *sizes;
		const char *part;
	} rows[] = {
		{five, "tensor \"a\": 5 dimensions; 1 to 4"},
		{none, "tensor \"a\": 0 dimensions; 1 to 4"},
		{numbers, "tensor \"a\": it has more numbers than can be counted"},
		{bytes, "tensor \"a\": it has more bytes than can be counted"},
	};
	struct gguf_maker m;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		gguf_begin(&m, &arena, 3, 1, 0);
		gguf_tensor(&m, "a", rows[i].sizes, GGUF_TENSOR_F32, 0);
		gguf_zeros(&m, 64);
		expect_refused(m.at, m.len, rows[i].part);
	}
	gguf_begin(&m, &arena, 3, 1, 0);
	gguf_add_text(&m, "a", 1);
	gguf_add(&m, 1, 4);
	gguf_zeros(&m, 64);
	expect_refused(m.at, m.len, "tensor \"a\": dimension 1 is 0");
	gguf_begin(&m, &arena, 3, 0, 1);
	gguf_key(&m, "flag", GGUF_BOOL);
	gguf_add(&m, 2, 1);
	expect_refused(m.at, m.len, "key \"flag\": a truth value of 2; 0 or 1");
}

TEST(tensors_that_overlap_are_refused)
{
	struct gguf_maker m;
	gguf_begin(&m, &arena, 3, 2, 0);
	gguf_tensor(&m, "q", q_sizes, GGUF_TENSOR_Q8_0, 0);
	gguf_tensor(&m, "a", a_sizes, GGUF_TENSOR_F32, 64);
	gguf_pad(&m, GOOD_ALIGNMENT);
	gguf_zeros(&m, 128);
	expect_refused(m.at, m.len, "tensor \"a\": its data begins at 64, inside another");
}

TEST(a_part_of_a_split_model_says_how_to_join_it)
{
	struct gguf_maker m;
	gguf_begin(&m, &arena, 3, 0, 2);
	gguf_key(&m, "split.no", GGUF_U16);
	gguf_add(&m, 0, 2);
	gguf_key(&m, "split.count", GGUF_U16);
	gguf_add(&m, 3, 2);
	expect_refused(m.at, m.len,
		       "one of the 3 files of a split model; llama-gguf-split --merge");
	static const struct {
		const char *name;
		bool opens;
	} rows[] = {{"m-00001-of-00012.gguf", false},
		    {"m-00001-of-00001.gguf", true},
		    {"m-0001-of-00012.gguf", true},
		    {"m-00001-of-00012.ggu", true},
		    {"-00001-of-00012.gguf", true}};
	make(&m, &(struct lie){0});
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct err err = {""};
		struct tensor_file *const f =
			tensor_file_open_bytes(rows[i].name, m.at, m.len, &err);
		assert_int_equal(f != NULL, rows[i].opens);
		assert_true(rows[i].opens || strstr(err.text, "one of the 12 files"));
		tensor_file_close(f);
	}
}

/* Row 2i of the file is row i of the head, row 2i+1 row i + half. */
TEST(rows_of_rotary_projections_have_their_published_places)
{
	static const size_t want[] = {0, 2, 1, 3, 4, 6, 5, 7};
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(gguf_llama_row(i, 4), want[i]);
}
