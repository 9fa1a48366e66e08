/* test_tensor.c: every format there and back, and files that lie. JSON text as well. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_tensors.h"
#include "format/element.h"
#include "posviz/format/file.h"
#include "posviz/format/json.h"
#include "posviz/format/tensor.h"

typedef bool reader_fn(struct tensor_set *, const char *, const void *, size_t, struct err *);

FIXTURE(open_arena, close_arena)

static struct tensor_set new_set(struct arena *a)
{
	struct tensor_set set;
	tensor_set_init(&set, a);
	return set;
}

/* -0, extremes and non-finite numbers: what text formats get wrong first. */
static double tricky[6] = {-0.0, 0.1, DBL_MAX, 5e-324, -INFINITY, NAN};

static struct tensor_set sample(struct arena *a)
{
	static double whole[3] = {0, -3, 0x1p53};
	struct tensor_set set = new_set(a);
	tensor_set_add_meta(&set, "scene",
			    "rope \"half\"\n\xE2\x88\x92"
			    "1");
	tensor_set_add_meta(&set, "", "");
	tensor_set_add(&set, "z/matrix", (struct mat){2, 3, 3, tricky}, false);
	tensor_set_add(&set, "column", (struct mat){2, 1, 3, tricky + 1}, false);
	tensor_set_add(&set, "vector", (struct mat){1, 3, 3, whole}, true);
	set.tensors[2].integer = true;
	return set;
}

static size_t count_of(const struct tensor *t)
{
	size_t count = 1;
	for (size_t i = 0; i < t->dims; i++)
		count *= t->shape[i];
	return count;
}

static void expect_values(const struct tensor *t, const double *expected, size_t count)
{
	assert_int_equal(count_of(t), count);
	for (size_t i = 0; i < count; i++) {
		if (isnan(expected[i]))
			assert_true(isnan(t->at[i]));
		else
			assert_memory_equal(&t->at[i], &expected[i], sizeof *expected);
	}
}

static void expect_same(const struct tensor *t, const struct tensor *expected)
{
	assert_non_null(t);
	assert_string_equal(t->name, expected->name);
	assert_int_equal(t->dims, expected->dims);
	for (size_t i = 0; i < t->dims; i++)
		assert_int_equal(t->shape[i], expected->shape[i]);
	expect_values(t, expected->at, count_of(expected));
}

static void read_or_fail(struct tensor_set *set, reader_fn *read, const void *data, size_t len)
{
	struct err err = {0};
	if (!read(set, "test", data, len, &err))
		fail_msg("%s", err.text);
}

static void expect_error(struct arena *a, reader_fn *read, const void *data, size_t len,
			 const char *part)
{
	struct tensor_set set = new_set(a);
	struct err err = {0};
	assert_false(read(&set, "test", data, len, &err));
	if (strstr(err.text, part) == NULL || strncmp(err.text, "\"test\": ", 8) != 0)
		fail_msg("expected \"%s\", got: %s", part, err.text);
}

TEST(set_copies_what_it_is_given)
{
	double values[4] = {1, 2, 3, 4};
	char name[] = "name";
	struct tensor_set set = new_set(*state);
	tensor_set_add(&set, name, (struct mat){2, 1, 2, values}, false);
	values[0] = 9;
	name[0] = 'x';
	const struct tensor *t = tensor_find(&set, "name");
	assert_non_null(t);
	assert_null(tensor_find(&set, "xame"));
	expect_values(t, (double[]){1, 3}, 2);
	tensor_set_add_meta(&set, "k", "old");
	tensor_set_add_meta(&set, "k", "new");
	assert_string_equal(tensor_meta_find(&set, "k"), "new");
	assert_null(tensor_meta_find(&set, "none"));
}

TEST(mat_folds_dimensions_into_rows)
{
	static const double at[24] = {0};
	static const struct {
		struct tensor t;
		size_t rows, cols;
	} rows[] = {
		{{.dims = 0, .at = at}, 1, 1},
		{{.dims = 1, .shape = {5}, .at = at}, 1, 5},
		{{.dims = 2, .shape = {2, 5}, .at = at}, 2, 5},
		{{.dims = 4, .shape = {2, 3, 1, 4}, .at = at}, 6, 4},
		{{.dims = 2, .shape = {3, 0}, .at = at}, 3, 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct mat m = tensor_mat(&rows[i].t);
		assert_int_equal(m.rows, rows[i].rows);
		assert_int_equal(m.cols, rows[i].cols);
		assert_int_equal(m.stride, rows[i].cols);
		assert_ptr_equal(m.at, at);
	}
}

TEST(sets_survive_safetensors_and_json)
{
	struct tensor_set set = sample(*state);
	char *data = NULL;
	size_t len = 0;
	for (int json = 0; json < 2; json++) {
		struct tensor_set back = new_set(*state);
		assert_true(json ? tensor_write_json(&set, *state, &data, &len, NULL)
				 : tensor_write_safetensors(&set, *state, &data, &len, NULL));
		read_or_fail(&back, json ? tensor_read_json : help_tensors_of, data, len);
		assert_int_equal(back.count, set.count);
		for (size_t i = 0; i < set.count; i++)
			expect_same(tensor_find(&back, set.tensors[i].name), &set.tensors[i]);
		assert_int_equal(back.meta_count, 2);
		assert_string_equal(tensor_meta_find(&back, "scene"), set.meta[0].value);
		assert_string_equal(tensor_meta_find(&back, ""), "");
		assert_int_equal(tensor_find(&back, "vector")->integer, !json);
	}
}

/* The bytes, from the format's description. */
TEST(safetensors_is_laid_out_as_described)
{
	struct tensor_set set = new_set(*state);
	double values[2] = {1, -2};
	tensor_set_add_meta(&set, "k", "text");
	tensor_set_add(&set, "a", (struct mat){1, 2, 2, values}, true);
	char *data = NULL;
	size_t len = 0;
	assert_true(tensor_write_safetensors(&set, *state, &data, &len, NULL));
	static const char header[] = "{\"__metadata__\":{\"k\":\"text\"},\"a\":{\"dtype\":\"F64\","
				     "\"shape\":[2],\"data_offsets\":[0,16]}}";
	const size_t padded = (strlen(header) + 7) / 8 * 8;
	assert_true(padded > strlen(header));
	assert_int_equal(len, 8 + padded + 16);
	assert_int_equal(data[0], padded);
	assert_memory_equal(data + 8, header, strlen(header));
	for (size_t i = 8 + strlen(header); i < 8 + padded; i++)
		assert_int_equal(data[i], ' ');
	assert_memory_equal(data + 8 + padded, "\0\0\0\0\0\0\xF0\x3F\0\0\0\0\0\0\0\xC0", 16);
}

/* A file of that header and `data_len` bytes counting up from 0. */
static char *make_safetensors(struct arena *a, const char *header, size_t data_len, size_t *len)
{
	const size_t header_len = strlen(header);
	*len = 8 + header_len + data_len;
	char *out = arena_calloc(a, *len, 1);
	for (int i = 0; i < 8; i++)
		out[i] = (char)(header_len >> (8 * i));
	memcpy(out + 8, header, header_len);
	for (size_t i = 0; i < data_len; i++)
		out[8 + header_len + i] = (char)i;
	return out;
}

/* Bit patterns from IEEE 754 and its relatives. */
TEST(safetensors_reads_every_type)
{
	static const struct {
		const char *dtype, *bytes;
		size_t size;
		double value;
		bool integer;
	} rows[] = {
		{"F64", "\0\0\0\0\0\0\xF8\x3F", 8, 1.5, false},
		{"F32", "\0\0\xC0\xBF", 4, -1.5, false},
		{"F32", "\0\0\x80\xFF", 4, -INFINITY, false},
		{"F16", "\x00\x3C", 2, 1, false},
		{"F16", "\xFF\x7B", 2, 65504, false},
		{"F16", "\x01\x00", 2, 0x1p-24, false},
		{"F16", "\xFF\x03", 2, 1023 * 0x1p-24, false},
		{"F16", "\x00\xC0", 2, -2, false},
		{"F16", "\x00\x80", 2, -0.0, false},
		{"F16", "\x00\xFC", 2, -INFINITY, false},
		{"F16", "\x01\x7C", 2, NAN, false},
		{"BF16", "\x80\x3F", 2, 1, false},
		{"BF16", "\x49\xC0", 2, -3.140625, false},
		{"I64", "\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8, -2, true},
		{"I32", "\x00\x00\x00\x80", 4, -2147483648.0, true},
		{"I16", "\xFF\xFF", 2, -1, true},
		{"I8", "\x80", 1, -128, true},
		{"U8", "\xFF", 1, 255, true},
		{"BOOL", "\x01", 1, 1, true},
		{"BOOL", "\x00", 1, 0, true},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *header = arena_printf(*state,
						  "{\"x\":{\"dtype\":\"%s\",\"shape\":[],"
						  "\"data_offsets\":[0,%zu]}}",
						  rows[i].dtype, rows[i].size);
		size_t len = 0;
		char *data = make_safetensors(*state, header, rows[i].size, &len);
		memcpy(data + len - rows[i].size, rows[i].bytes, rows[i].size);
		struct tensor_set set = new_set(*state);
		read_or_fail(&set, help_tensors_of, data, len);
		assert_int_equal(set.tensors[0].dims, 0);
		assert_int_equal(set.tensors[0].integer, rows[i].integer);
		expect_values(&set.tensors[0], &rows[i].value, 1);
	}
}

/* Bytes in the other order than that of most machines, one number at a time. */
TEST(numbers_of_the_other_order_of_bytes_are_read)
{
	static const struct {
		enum element_kind kind;
		const char *bytes;
		double value;
	} rows[] = {{ELEMENT_BF16, "\xC0\x49", -3.140625},
		    {ELEMENT_F16, "\xC0\x00", -2},
		    {ELEMENT_F32, "\xBF\xC0\0\0", -1.5},
		    {ELEMENT_F64, "\x3F\xF8\0\0\0\0\0\0", 1.5},
		    {ELEMENT_I16, "\xFF\xFE", -2}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double is = 0;
		struct err err = {""};
		assert_true(element_decode(&is, (const unsigned char *)rows[i].bytes, rows[i].kind,
					   true, 1, &err));
		assert_true(is == rows[i].value);
	}
}

static double of_half(unsigned bits)
{
	const int exponent = (int)(bits >> 10 & 31);
	const double fraction = bits & 1023, sign = bits >> 15 ? -1 : 1;
	if (exponent == 31)
		return fraction > 0 ? NAN : sign * INFINITY;
	return exponent == 0 ? sign * ldexp(fraction, -24)
			     : sign * ldexp(1024 + fraction, exponent - 25);
}

static double of_brain(unsigned bits)
{
	const int exponent = (int)(bits >> 7 & 255);
	const double fraction = bits & 127, sign = bits >> 15 ? -1 : 1;
	if (exponent == 255)
		return fraction > 0 ? NAN : sign * INFINITY;
	return exponent == 0 ? sign * ldexp(fraction, -133)
			     : sign * ldexp(128 + fraction, exponent - 134);
}

/* All 65,536 numbers of half precision and of bfloat16, and as many of single precision, by the
 * formulas of their standards: many are decoded at once. */
TEST(safetensors_reads_all_patterns)
{
	enum { ALL = 1 << 16 };
	static const struct {
		const char *dtype;
		double (*value)(unsigned bits);
		size_t size;
	} rows[] = {{"F16", of_half, 2}, {"BF16", of_brain, 2}, {"F32", of_brain, 4}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const size_t size = rows[i].size, all = ALL * size;
		size_t len;
		char *const data = make_safetensors(
			*state,
			arena_printf(
				*state,
				"{\"x\":{\"dtype\":\"%s\",\"shape\":[%d],\"data_offsets\":[0,%zu]}}",
				rows[i].dtype, ALL, all),
			all, &len);
		double *const expected = arena_calloc(*state, ALL, sizeof *expected);
		memset(data + len - all, 0, all);
		for (unsigned bits = 0; bits < ALL; bits++) { /* the high bytes, and zeros below */
			char *const at = data + len - all + bits * size + size - 2;
			at[0] = (char)bits;
			at[1] = (char)(bits >> 8);
			expected[bits] = rows[i].value(bits);
		}
		struct tensor_set set = new_set(*state);
		read_or_fail(&set, help_tensors_of, data, len);
		expect_values(&set.tensors[0], expected, ALL);
	}
}

TEST(safetensors_allows_any_order_and_no_elements)
{
	static const char header[] =
		"{\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[1,3]},"
		"\"none\":{\"dtype\":\"F32\",\"shape\":[0,4],\"data_offsets\":[1,1]},"
		"\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}   ";
	size_t len = 0;
	const char *data = make_safetensors(*state, header, 3, &len);
	struct tensor_set set = new_set(*state);
	read_or_fail(&set, help_tensors_of, data, len);
	expect_values(tensor_find(&set, "a"), (double[]){0}, 1);
	expect_values(tensor_find(&set, "b"), (double[]){1, 2}, 2);
	assert_int_equal(count_of(tensor_find(&set, "none")), 0);
}

#define ENTRY(dtype, shape, offsets) \
	"{\"dtype\":" dtype ",\"shape\":" shape ",\"data_offsets\":" offsets "}"

TEST(safetensors_that_lie_are_errors)
{
	static const struct {
		const char *header, *part;
	} rows[] = {
		{"", "not JSON"},
		{"[]", "an object, from { to }"},
		{"{", "not JSON"},
		{"{} x", "not JSON"},
		{"{}", "8 bytes behind the last tensor"},
		{"{\"a\":1}", "tensor \"a\": its description is not an object"},
		{"{\"a\":" ENTRY("1", "[1]", "[0,8]") "}", "\"dtype\""},
		{"{\"a\":" ENTRY("\"F8\"", "[1]", "[0,8]") "}", "numbers of type F8 are not read"},
		{"{\"a\":" ENTRY("\"F64\"", "1", "[0,8]") "}", "\"shape\""},
		{"{\"a\":" ENTRY("\"F64\"", "[1.0]", "[0,8]") "}", "\"shape\""},
		{"{\"a\":" ENTRY("\"F64\"", "[-1]", "[0,8]") "}", "\"shape\""},
		{"{\"a\":" ENTRY("\"F64\"", "[1,1,1,1,1,1]", "[0,8]") "}", "6 dimensions"},
		{"{\"a\":" ENTRY("\"F64\"", "[2]", "[0,8]") "}", "do not fill"},
		{"{\"a\":" ENTRY("\"F64\"", "[4294967296,4294967296]", "[0,8]") "}", "do not fill"},
		{"{\"a\":" ENTRY("\"F64\"", "[2305843009213693953]", "[0,8]") "}", "do not fill"},
		{"{\"a\":" ENTRY("\"F64\"", "[1]", "[0]") "}", "\"data_offsets\""},
		{"{\"a\":" ENTRY("\"F64\"", "[1]", "[0,\"8\"]") "}", "\"data_offsets\""},
		{"{\"a\":" ENTRY("\"F64\"", "[1]", "[-8,0]") "}", "there are 8 bytes"},
		{"{\"a\":" ENTRY("\"F64\"", "[1]", "[8,0]") "}", "there are 8 bytes"},
		{"{\"a\":" ENTRY("\"F64\"", "[1]", "[8,16]") "}", "there are 8 bytes"},
		{"{\"a\":" ENTRY("\"U8\"", "[4]", "[0,4]") "}", "4 bytes behind"},
		{"{\"a\":" ENTRY("\"U8\"", "[4]", "[4,8]") "}",
		 "tensor \"a\": its data begins at 4"},
		{"{\"a\":" ENTRY("\"U8\"", "[5]", "[0,5]") ",\"b\":" ENTRY("\"U8\"", "[4]",
									   "[4,8]") "}",
		 "inside another"},
		{"{\"a\":" ENTRY("\"U8\"", "[8]", "[0,8]") ",\"a\":" ENTRY("\"U8\"", "[0]",
									   "[8,8]") "}",
		 "there are two tensors \"a\""},
		{"{\"__metadata__\":[],\"a\":" ENTRY("\"F64\"", "[1]", "[0,8]") "}", "metadata"},
		{"{\"__metadata__\":{\"k\":1},\"a\":" ENTRY("\"F64\"", "[1]", "[0,8]") "}",
		 "metadata \"k\" is not a string"},
		{"{\"a\\u0000b\":" ENTRY("\"F64\"", "[1]", "[0,8]") "}", "not JSON"},
		{"{\"a\xFF\":" ENTRY("\"F64\"", "[1]", "[0,8]") "}", "not JSON"},
		{"{\"\\u001b[2J\":1}", "tensor \"\\x1B[2J\""},
		{"{\"a\":" ENTRY("\"I64\"", "[1]", "[0,8]") "}", "beyond 2^53"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t len = 0;
		const char *data = make_safetensors(*state, rows[i].header, 8, &len);
		expect_error(*state, help_tensors_of, data, len, rows[i].part);
	}
}

TEST(safetensors_header_length_is_checked)
{
	char data[32] = {0};
	for (size_t len = 0; len < 8; len++)
		expect_error(*state, help_tensors_of, data, len, "length");
	memset(data, 0xFF, 8);
	expect_error(*state, help_tensors_of, data, sizeof data, "length");
	memcpy(data, "\x19\0\0\0\0\0\0\0", 8); /* one more than there is */
	expect_error(*state, help_tensors_of, data, sizeof data, "length");
}

TEST(deep_nesting_is_an_error)
{
	enum { DEPTH = 100000 };
	char *header = arena_alloc(*state, DEPTH + 1);
	memset(header, '[', DEPTH);
	header[DEPTH] = '\0';
	size_t len = 0;
	const char *data = make_safetensors(*state, header, 0, &len);
	expect_error(*state, help_tensors_of, data, len, "not JSON");
	expect_error(*state, tensor_read_json, header, DEPTH, "not JSON");
}

TEST(taken_name_is_an_error)
{
	struct tensor_set set = new_set(*state);
	struct err err = {0};
	assert_true(tensor_read_csv(&set, "test", "1", 1, &err));
	assert_false(tensor_read_csv(&set, "test", "1", 1, &err));
	assert_non_null(strstr(err.text, "two tensors \"data\""));
}

TEST(reserved_name_is_not_written)
{
	struct tensor_set set = new_set(*state);
	double value = 1;
	tensor_set_add(&set, "__metadata__", (struct mat){1, 1, 1, &value}, false);
	char *data = NULL;
	size_t len = 0;
	struct err err = {0};
	assert_false(tensor_write_safetensors(&set, *state, &data, &len, &err));
	assert_non_null(strstr(err.text, "__metadata__"));
}

TEST(npy_survives)
{
	static const struct tensor rows[] = {
		{.name = "data", .dims = 0, .at = tricky + 1},
		{.name = "data", .dims = 1, .shape = {6}, .at = tricky},
		{.name = "data", .dims = 2, .shape = {2, 3}, .at = tricky},
		{.name = "data", .dims = 4, .shape = {1, 3, 1, 2}, .at = tricky},
		{.name = "data", .dims = 2, .shape = {3, 0}, .at = tricky},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *data = NULL;
		size_t len = 0;
		struct tensor_set set = new_set(*state);
		assert_true(tensor_write_npy(&rows[i], *state, &data, &len, NULL));
		assert_int_equal((len - 8 * count_of(&rows[i])) % 64, 0);
		read_or_fail(&set, tensor_read_npy, data, len);
		expect_same(&set.tensors[0], &rows[i]);
	}
}

/* What numpy.save writes for np.array([[1, 2]], '<i8'). */
TEST(npy_is_laid_out_as_numpy_does)
{
	static const double values[] = {1, 2};
	const struct tensor t = {
		.name = "x", .dims = 2, .shape = {1, 2}, .at = values, .integer = true};
	char *data = NULL;
	size_t len = 0;
	assert_true(tensor_write_npy(&t, *state, &data, &len, NULL));
	static const char header[] =
		"\x93NUMPY\x01\x00v\x00{'descr': '<i8', 'fortran_order': False, 'shape': (1, 2), }";
	assert_int_equal(len, 128 + 16);
	assert_memory_equal(data, header, sizeof header - 1);
	assert_int_equal(data[127], '\n');
	assert_memory_equal(data + 128, "\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0", 16);
}

/* `count` bytes 0, 1, 2, ... behind a header of version 1 or 2. */
static char *make_npy(struct arena *a, int version, const char *header, size_t count, size_t *len)
{
	const size_t header_len = strlen(header), start = version == 1 ? 10 : 12;
	*len = start + header_len + count;
	char *out = arena_calloc(a, *len, 1);
	memcpy(out, "\x93NUMPY", 6);
	out[6] = (char)version;
	out[8] = (char)header_len;
	memcpy(out + start, header, header_len);
	for (size_t i = 0; i < count; i++)
		out[start + header_len + i] = (char)i;
	return out;
}

TEST(npy_column_major_is_turned)
{
	size_t len = 0;
	const char *data = make_npy(
		*state, 2, "{\"shape\": (2,3,2),'fortran_order':True,'descr':'|u1'}\n", 12, &len);
	struct tensor_set set = new_set(*state);
	read_or_fail(&set, tensor_read_npy, data, len);
	/* element (i, j, k) stands at i + 2 j + 6 k */
	expect_values(&set.tensors[0], (double[]){0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11}, 12);
	assert_true(set.tensors[0].integer);
}

TEST(npy_that_lies_is_an_error)
{
	static const struct {
		const char *header, *part;
	} rows[] = {
		{"", "dict"},
		{"{}", "not complete"},
		{"{'descr': '<f8', 'shape': (1,)}", "not complete"},
		{"{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} x", "not complete"},
		{"{'descr': '<f8' 'fortran_order': False, 'shape': (1,)}", "dict"},
		{"{'descr': '<f8', 'fortran_order': False, 'shape': (1,)", "dict"},
		{"{'descr': '<f8', 'descr': '<f8', 'fortran_order': False}", "repeated"},
		{"{'other': 1}", "unknown"},
		{"{'descr': '>f3', 'fortran_order': False, 'shape': (1,)}", "type \">f3\""},
		{"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}", "type"},
		{"{'descr': '<f8', 'fortran_order': 1, 'shape': (1,)}", "order"},
		{"{'descr': '<f8', 'fortran_order': False, 'shape': 1}", "tuple"},
		{"{'descr': '<f8', 'fortran_order': False, 'shape': (1 1)}", "tuple"},
		{"{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}", "shape"},
		{"{'descr': '<f8', 'fortran_order': False, 'shape': (1,1,1,1,1,1)}", "dimensions"},
		{"{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}", "do not fill"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "do not fill"},
		{"{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296,4294967296)}",
		 "do not fill"},
		{"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}",
		 "shape"},
	};
	size_t len = 0;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *data = make_npy(*state, 1, rows[i].header, 8, &len);
		expect_error(*state, tensor_read_npy, data, len, rows[i].part);
	}
	char *data = make_npy(*state, 1, "{}", 0, &len);
	for (size_t cut = 0; cut < len; cut++)
		expect_error(*state, tensor_read_npy, data, cut, "");
	data[6] = 4;
	expect_error(*state, tensor_read_npy, data, len, "version 4");
}

TEST(csv_survives_with_every_kind_of_label)
{
	static const char *const rows[] = {"1", "a \"b\", c"}, *const cols[] = {"2", "", "x\ny"};
	const struct tensor t = {.name = "data", .dims = 2, .shape = {2, 3}, .at = tricky};
	for (int i = 0; i < 4; i++) {
		char *data = NULL;
		size_t len = 0;
		struct tensor_set set = new_set(*state);
		assert_true(tensor_write_csv(&t, i & 1 ? rows : NULL, i & 2 ? cols : NULL, *state,
					     &data, &len, NULL));
		read_or_fail(&set, tensor_read_csv, data, len);
		expect_same(&set.tensors[0], &t);
	}
}

TEST(csv_is_written_as_rfc4180_says)
{
	static const char *const rows[] = {"the \"cat\""}, *const cols[] = {"a,b", "c"};
	static const double values[] = {0.1, -INFINITY};
	const struct tensor t = {.name = "x", .dims = 1, .shape = {2}, .at = values};
	char *data = NULL;
	size_t len = 0;
	assert_true(tensor_write_csv(&t, rows, cols, *state, &data, &len, NULL));
	assert_string_equal(data, ",\"a,b\",\"c\"\n\"the \"\"cat\"\"\",0.1,-inf\n");
	assert_int_equal(len, strlen(data));
	struct err err = {0};
	const struct tensor cube = {.dims = 3, .shape = {1, 1, 1}, .at = values};
	assert_false(tensor_write_csv(&cube, NULL, NULL, *state, &data, &len, &err));
	assert_string_equal(err.text, "csv holds a matrix, this has 3 dimensions");
}

TEST(csv_is_read_as_others_write_it)
{
	static const struct {
		const char *text;
		size_t rows, cols;
		double values[4];
	} rows[] = {
		{"1,2\n3,4\n", 2, 2, {1, 2, 3, 4}},
		{"1,2\r\n3,4", 2, 2, {1, 2, 3, 4}},
		{"1;2\n3;4\n\n\n", 2, 2, {1, 2, 3, 4}},
		{"1\t2\n3\t4\n", 2, 2, {1, 2, 3, 4}},
		{" 1 , 2 \n 3 , 4 \n", 2, 2, {1, 2, 3, 4}},
		{"\xEF\xBB\xBF"
		 "1,2\n",
		 1,
		 2,
		 {1, 2}},
		{"5", 1, 1, {5}},
		{"x\n1\n2\n", 2, 1, {1, 2}},
		{"a,b\n1,2\n", 1, 2, {1, 2}},
		{"corner,a,b\nr,1,2\ns,3,4\n", 2, 2, {1, 2, 3, 4}},
		{",a,b\n0,1,2\n1,3,4\n", 2, 2, {1, 2, 3, 4}}, /* pandas: numbers as an index */
		{",0,1\n0,1,2\n1,3,4\n", 2, 2, {1, 2, 3, 4}}, /* and as names of columns */
		{"r,1,2\ns,3,4\n", 2, 2, {1, 2, 3, 4}},
		{"\"1\",\"2\"\n\"3\",\"4\"\n", 2, 2, {1, 2, 3, 4}}, /* all quoted: all numbers */
		{"\"a;b;c\",\"d\"\n1,2\n", 1, 2, {1, 2}},
		{"NaN,Inf,-INF,1e2\n", 1, 4, {NAN, INFINITY, -INFINITY, 100}},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tensor_set set = new_set(*state);
		read_or_fail(&set, tensor_read_csv, rows[i].text, strlen(rows[i].text));
		assert_string_equal(set.tensors[0].name, "data");
		assert_int_equal(set.tensors[0].dims, 2);
		assert_int_equal(set.tensors[0].shape[0], rows[i].rows);
		assert_int_equal(set.tensors[0].shape[1], rows[i].cols);
		expect_values(&set.tensors[0], rows[i].values, rows[i].rows * rows[i].cols);
	}
}

TEST(csv_errors_name_line_and_column)
{
	static const struct {
		const char *text, *part;
	} rows[] = {
		{"", "nothing in it"},
		{"\n\n", "nothing in it"},
		{"1,2\n3\n", "line 2: 1 columns, line 1 has 2"},
		{"1,2\n3,4,5\n", "line 2: 3 columns"},
		{"1,2\n3,x\n", "line 2, column 2: \"x\" is not a number"},
		{"a,b\n1,2\n3,\n", "line 3, column 2: \"\" is not a number"},
		{"1,,3\n", "line 1, column 2: \"\" is not a number"},
		{",2\n3,4\n", "line 1, column 1: \"\" is not a number"},
		{"1,2\n\n3,4\n", "line 2: it is empty"},
		{"a,b\n", "labels but no numbers"},
		{"\"a\n", "line 1: a quote is opened and not closed"},
		{"1,2\n\"3\"x,4\n", "line 2: text behind a closing quote"},
		{"\"a\nb\",c\n1,x\n", "line 3, column 2"},
		{"1,\x1B[2J\n2,\x1B[2J\n", "\"\\x1B[2J\" is not a number"},
		{"1,2\n3,0x4\n", "line 2, column 2"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		expect_error(*state, tensor_read_csv, rows[i].text, strlen(rows[i].text),
			     rows[i].part);
	expect_error(*state, tensor_read_csv, "1,2\n3,\0", 7, "\"\\x00\" is not a number");
}

TEST(json_that_lies_is_an_error)
{
	static const struct {
		const char *text, *part;
	} rows[] = {
		{"", "not JSON"},
		{"[]", "an empty list"},
		{"[[1,2],[3]]", "list 2: not 2 entries"},
		{"[[1,2],3]", "list 2: not 2 entries"},
		{"[[1,2],[3,[4]]]", "list 2: entry 2: a list where"},
		{"[[1,2],[3,null]]", "list 2: entry 2: something else"},
		{"[[[[[[1]]]]]]", "more than 5 deep"},
		{"[[[1,1,1,1,1,1,1,1]],[2],[3],[4],[5],[6],[7],[8],[9],[10]]", "equally long"},
		{"{}", "there are no lists in it; nested lists of numbers would be right"},
		{"{\"a\":[[1],[2]],\"b\":\"c\"}", "\"b\" is no list; nested lists"},
		{"{\"a\":[[1],[2,3]]}", "\"a\": list 2: not 1 entries"},
		{"{\"a\":[[1],[2]],\"tokens\":[\"x\",\"y\"]}", "\"tokens\" has 2, and no list"},
		{"{\"a\":[[1],[2]],\"tokens\":[\"x\",1]}", "\"tokens\": "},
		{"{\"tensors\":[]}", "\"tensors\" is missing"},
		{"{\"tensors\":{},\"metadata\":{\"k\":1}}", "metadata \"k\""},
		{"{\"tensors\":{\"a\":1}}", "tensor \"a\": \"shape\""},
		{"{\"tensors\":{\"a\":{\"shape\":[1]}}}", "\"data\""},
		{"{\"tensors\":{\"a\":{\"shape\":[2],\"data\":[1]}}}", "1 numbers do not fill"},
		{"{\"tensors\":{\"a\":{\"shape\":[1],\"data\":[null]}}}", "entry 1"},
		{"{\"tensors\":{\"a\":{\"shape\":[1],\"data\":[\"Inf\"]}}}", "entry 1"},
		{"{\"tensors\":{\"a\":{\"shape\":[1],\"data\":[1e999]}}}", "not JSON"},
		{"{\"tensors\":{},\"tensors\":{}}", "duplicate"},
		{"{\"tensors\":{}}{", "not JSON"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		expect_error(*state, tensor_read_json, rows[i].text, strlen(rows[i].text),
			     rows[i].part);
}

TEST(nested_lists_are_a_tensor)
{
	static const double values[] = {1, 2.5, -3, INFINITY, 0, 6};
	static const char text[] = "[[[1,2.5,-3],[\"inf\",0,6]]]";
	struct tensor_set set = new_set(*state);
	read_or_fail(&set, tensor_read_json, text, sizeof text - 1);
	assert_string_equal(set.tensors[0].name, "data");
	assert_int_equal(set.tensors[0].dims, 3);
	assert_int_equal(set.tensors[0].shape[1], 2);
	assert_int_equal(set.tensors[0].shape[2], 3);
	expect_values(&set.tensors[0], values, 6);
}

TEST(lists_have_names_and_tokens)
{
	static const char text[] =
		"{\"tokens\":[\"a\",\"\\u001b\"],\"attention\":[[1,0],[0.25,0.75]],\"bias\":[1,2,3,4]}";
	struct tensor_set set = new_set(*state);
	read_or_fail(&set, tensor_read_json, text, sizeof text - 1);
	assert_int_equal(set.count, 2);
	const struct tensor *const t = tensor_find(&set, "attention");
	assert_int_equal(t->dims, 2);
	expect_values(t, (double[]){1, 0, 0.25, 0.75}, 4);
	const char *const *const tokens = tensor_labels(&set, "axis.key", 2);
	assert_string_equal(tokens[0], "a");
	assert_string_equal(tokens[1], "\\x1B");
}

TEST(labels_of_a_csv_are_kept)
{
	static const char text[] = ",\"a \"\"b\"\"\",\x1b\nrow,1,2\n\"7\",3,4\n";
	struct tensor_set set = new_set(*state);
	read_or_fail(&set, tensor_read_csv, text, sizeof text - 1);
	const char *const *cols = tensor_labels(&set, "axis.key", 2);
	const char *const *rows = tensor_labels(&set, "axis.query", 2);
	assert_string_equal(cols[0], "a \"b\"");
	assert_string_equal(cols[1], "\\x1B");
	assert_string_equal(rows[0], "row");
	assert_string_equal(rows[1], "7");
	assert_null(tensor_labels(&set, "axis.key", 3));
	assert_null(tensor_labels(&set, "tokens", 2));
}

static struct json_writer *example(struct arena *a)
{
	struct json_writer *w = json_writer_new(a);
	json_writer_object(w, NULL);
	json_writer_string(w, "a\"\\",
			   "\x01\n\x7F"
			   "[{\xC3\xA9\xFF");
	json_writer_string(w, "none", NULL);
	json_writer_array(w, "list");
	json_writer_number(w, NULL, 0.1);
	json_writer_number(w, NULL, -INFINITY);
	json_writer_integer(w, NULL, -5);
	json_writer_string(w, NULL, "]");
	json_writer_end(w);
	json_writer_array(w, "nested");
	json_writer_object(w, NULL);
	json_writer_end(w);
	json_writer_bool(w, NULL, true);
	json_writer_end(w);
	json_writer_end(w);
	return w;
}

TEST(json_writer_makes_json)
{
	assert_string_equal(json_writer_done(example(*state), 0),
			    "{\"a\\\"\\\\\":\"\\u0001\\u000a\\u007f[{\xC3\xA9\xEF\xBF\xBD\","
			    "\"none\":null,\"list\":[0.1,\"-inf\",-5,\"]\"],\"nested\":[{},true]}");
	assert_string_equal(json_writer_done(example(*state), 2),
			    "{\n"
			    "  \"a\\\"\\\\\": \"\\u0001\\u000a\\u007f[{\xC3\xA9\xEF\xBF\xBD\",\n"
			    "  \"none\": null,\n"
			    "  \"list\": [0.1,\"-inf\",-5,\"]\"],\n"
			    "  \"nested\": [\n"
			    "    {},\n"
			    "    true\n"
			    "  ]\n"
			    "}");
}

TEST(path_ending_chooses_the_format)
{
	char dir[] = "/tmp/test-tensor-XXXXXX";
	assert_non_null(mkdtemp(dir));
	const char *path = arena_printf(*state, "%s/m.csv", dir);
	const bool written = file_write(path, "1,2\n", 4, false, NULL);
	struct tensor_set set = new_set(*state);
	struct err err = {0};
	const bool read = help_tensors(&set, path, &err);
	remove(path);
	remove(dir);
	assert_true(written);
	assert_true(read);
	expect_values(&set.tensors[0], (double[]){1, 2}, 2);
	assert_false(help_tensors(&set, path, &err));
	assert_non_null(strstr(err.text, "no such file"));
	assert_false(help_tensors(&set, "weights.dat", &err));
	assert_string_equal(
		err.text,
		"\"weights.dat\": there is no such file; the name must end in .safetensors, "
		".gguf, .npz, .npy, .csv, .tsv or .json, or be the "
		"directory of a model");
}

struct told {
	double done;
	size_t bytes, times;
};

static void keep_told(void *context, double done, size_t bytes)
{
	struct told *const t = context;
	assert_true(done > t->done && done <= 1 && bytes > t->bytes);
	*t = (struct told){done, bytes, t->times + 1};
}

/* What is told of a long text goes on to the end of it, and foretells its length. */
TEST(progress_foretells_the_length)
{
	enum { N = 300 };
	struct tensor_set set;
	struct told told = {0};
	const struct tensor_progress progress = {keep_told, &told};
	char *data;
	size_t len;
	tensor_set_init(&set, *state);
	const struct mat m = mat_new(*state, N, N);
	for (size_t i = 0; i < (size_t)N * N; i++)
		m.at[i] = (double)(i % 1000) / 7;
	tensor_set_add(&set, "a", m, false);
	tensor_set_add(&set, "b", m, false);
	set.progress = &progress;
	assert_true(tensor_write_json(&set, *state, &data, &len, NULL));
	assert_true(told.times > 10 && told.done > 0.95);
	assert_true(fabs((double)told.bytes / told.done / (double)len - 1) < 0.02);
}

/* Each name is found in a few steps, however many there are: a file may have as many as its bytes. */
TEST(names_are_found_among_many)
{
	enum { MANY = 40000, EACH = 4 };
	static double number[1];
	struct tensor_set set = new_set(&arena);
	char name[32];
	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof name, "layers/%d/w%d", i / 7, i % 7);
		number[0] = i;
		tensor_set_add(&set, name, (struct mat){1, 1, 1, number}, true);
		tensor_set_add_meta(&set, name, "first");
		tensor_set_add_meta(&set, name, name);
		/* More than all may take: what is looked for among all at once would take minutes. */
		assert_true(set.by_name.probes <= EACH * MANY && set.by_key.probes <= EACH * MANY);
	}
	assert_int_equal(set.count, MANY);
	assert_int_equal(set.meta_count, MANY);
	assert_in_range(set.by_name.probes, MANY, EACH * MANY);
	assert_in_range(set.by_key.probes, MANY, EACH * MANY);
	for (int i = 0; i < MANY; i += 123) {
		snprintf(name, sizeof name, "layers/%d/w%d", i / 7, i % 7);
		const struct tensor *const t = tensor_find(&set, name);
		assert_non_null(t);
		assert_true(t->at[0] == i);
		assert_string_equal(tensor_meta_find(&set, name), name);
	}
	assert_null(tensor_find(&set, "layers/0/w7"));
	assert_null(tensor_meta_find(&set, ""));
}
