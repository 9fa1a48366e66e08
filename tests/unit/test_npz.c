/* test_npz.c: arrays as numpy writes them: in archives, in either order of bytes, and of types that are no
 * numbers. Archives are made with libzip here, as numpy makes them with Python's. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <zip.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/format/tensor.h"

FIXTURE(open_arena, close_arena)

struct bytes {
	const void *at;
	size_t len;
};

/* An npy file of version 1. */
static struct bytes npy(const char *type, const char *shape, const void *data, size_t len)
{
	const char *const header = arena_printf(
		&arena, "{'descr': %s, 'fortran_order': False, 'shape': (%s), }\n", type, shape);
	const size_t header_len = strlen(header);
	unsigned char *const out = arena_calloc(&arena, 10 + header_len + len, 1);
	memcpy(out, "\x93NUMPY\x01", 7);
	out[8] = (unsigned char)header_len;
	memcpy(out + 10, header, header_len);
	if (len > 0)
		memcpy(out + 10 + header_len, data, len);
	return (struct bytes){out, 10 + header_len + len};
}

/* A zip file of these entries. */
static struct bytes archive(const char *const *names, const struct bytes *files, size_t n,
			    bool deflated)
{
	zip_error_t error;
	zip_stat_t st;
	zip_error_init(&error);
	zip_source_t *const out = zip_source_buffer_create(NULL, 0, 0, &error);
	assert_non_null(out);
	zip_source_keep(out);
	zip_t *const zip = zip_open_from_source(out, ZIP_TRUNCATE, &error);
	assert_non_null(zip);
	for (size_t i = 0; i < n; i++) {
		zip_source_t *const file = zip_source_buffer(zip, files[i].at, files[i].len, 0);
		const zip_int64_t at = zip_file_add(zip, names[i], file, ZIP_FL_ENC_UTF_8);
		assert_true(at >= 0);
		assert_int_equal(zip_set_file_compression(zip, (zip_uint64_t)at,
							  deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE,
							  0),
				 0);
	}
	assert_int_equal(zip_close(zip), 0);
	assert_int_equal(zip_source_open(out), 0);
	assert_int_equal(zip_source_stat(out, &st), 0);
	unsigned char *const bytes = arena_alloc(&arena, st.size);
	assert_true(zip_source_read(out, bytes, st.size) == (zip_int64_t)st.size);
	zip_source_close(out);
	zip_source_free(out);
	return (struct bytes){bytes, st.size};
}

typedef bool reader_fn(struct tensor_set *, const char *, const void *, size_t, struct err *);

static struct tensor_set read_good(reader_fn *read, struct bytes b)
{
	struct tensor_set set;
	struct err err = {""};
	tensor_set_init(&set, &arena);
	if (!read(&set, "f", b.at, b.len, &err))
		fail_msg("%s", err.text);
	return set;
}

static void expect_error(reader_fn *read, struct bytes b, const char *part)
{
	struct tensor_set set;
	struct err err = {""};
	tensor_set_init(&set, &arena);
	if (read(&set, "f", b.at, b.len, &err))
		fail_msg("it is read; \"%s\" expected", part);
	if (strncmp(err.text, "\"f\": ", 5) != 0 || !strstr(err.text, part) ||
	    strchr(err.text, '\n'))
		fail_msg("\"%s\" does not say \"%s\"", err.text, part);
}

/* ---- one array ---------------------------------------------------------------------------------- */

/* IEEE 754 and two's complement by hand, the greatest byte first. */
TEST(the_greatest_byte_may_come_first)
{
	static const struct {
		const char *type, *bytes;
		size_t len;
		double value;
	} rows[] = {
		{"'>f8'", "\x3F\xF8\x00\x00\x00\x00\x00\x00", 8, 1.5},
		{"'>f4'", "\xC0\x49\x00\x00", 4, -3.140625},
		{"'>f2'", "\x3C\x01", 2, 1 + 0x1p-10},
		{"'>i4'", "\xFF\xFF\xFF\xFE", 4, -2},
		{"'>i2'", "\x01\x02", 2, 258},
		{"'>u2'", "\xFF\xFE", 2, 65534},
		{"'<u2'", "\xFF\xFE", 2, 65279},
		{"'<u4'", "\x00\x00\x00\x80", 4, 2147483648.0},
		{"'<u8'", "\x01\x00\x00\x00\x01\x00\x00\x00", 8, 4294967297.0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct tensor_set set = read_good(
			tensor_read_npy, npy(rows[i].type, "1,", rows[i].bytes, rows[i].len));
		if (fabs(set.tensors[0].at[0] - rows[i].value) > 0)
			fail_msg("%s: %g", rows[i].type, set.tensors[0].at[0]);
	}
}

TEST(what_is_no_number_is_named)
{
	static const char *const rows[][2] = {
		{"'|O'",
		 "its type is \"|O\", Python objects, which are pickled and not read; a plain "
		 "array of numbers"},
		{"'<c16'", "complex numbers; array.real, array.imag or abs(array)"},
		{"'<U4'", "text; an array of numbers would be right"},
		{"'|S4'", "text; an array of numbers would be right"},
		{"'|V2'", "type \"|V2\" is not read, only f8 f4 f2"},
		{"'<f16'", "array.astype('float32') would be right"},
		{"[('a', '<f8')]", "it has fields of several types; an array of one"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		expect_error(tensor_read_npy, npy(rows[i][0], "1,", "12345678", 8), rows[i][1]);
	expect_error(tensor_read_npy, npy("'<u8'", "1,", "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8),
		     "the integer 18446744073709551615 is beyond 2^53");
}

/* ---- archives ------------------------------------------------------------------------------------ */

static double values[4] = {0.25, -1, 3, 0.5};

TEST(arrays_of_an_archive_have_their_names)
{
	static const char *const names[] = {"bias.npy", "layers/0/w_q.npy", "notes.txt"};
	const struct bytes files[] = {npy("'<f8'", "2, 2", values, sizeof values),
				      npy("'<f8'", "4,", values, sizeof values),
				      {"no array", 8}};
	for (int deflated = 0; deflated < 2; deflated++) {
		const struct tensor_set set =
			read_good(tensor_read_npz, archive(names, files, 3, deflated));
		const struct tensor *const bias = tensor_find(&set, "bias");
		assert_int_equal(set.count, 2);
		assert_non_null(bias);
		assert_int_equal(bias->dims, 2);
		assert_memory_equal(bias->at, values, sizeof values);
		assert_int_equal(tensor_find(&set, "layers/0/w_q")->shape[0], 4);
	}
}

TEST(an_archive_that_is_none_is_an_error)
{
	static const char *const bad[] = {"ok.npy", "bad.npy"}, *const none[] = {"data.pkl"};
	const struct bytes files[] = {npy("'<f8'", "4,", values, sizeof values),
				      npy("'|O'", "2,", "12345678", 8)};
	const struct bytes whole = archive(bad, files, 1, true);
	expect_error(tensor_read_npz, archive(bad, files, 2, false),
		     "array \"bad\": its type is \"|O\", Python objects");
	expect_error(tensor_read_npz, archive(none, files, 1, false),
		     "there is no array in it; numpy.savez(FILE, name=array)");
	expect_error(tensor_read_npz, (struct bytes){"0\t1\n", 4}, "not an npz file");
	for (size_t cut = 0; cut < whole.len; cut += 7)
		expect_error(tensor_read_npz, (struct bytes){whole.at, cut}, "");
}

/* One byte of the packed numbers is another: the sum does not fit. */
TEST(a_damaged_archive_is_an_error)
{
	static const char *const names[] = {"a.npy"};
	const struct bytes file = npy("'<f8'", "4,", values, sizeof values);
	const struct bytes whole = archive(names, &file, 1, false);
	unsigned char *const copy = arena_alloc(&arena, whole.len);
	memcpy(copy, whole.at, whole.len);
	for (size_t i = 0; i + sizeof values <= whole.len; i++)
		if (memcmp(copy + i, values, sizeof values) == 0)
			copy[i + 3] ^= 1;
	expect_error(tensor_read_npz, (struct bytes){copy, whole.len},
		     "array \"a\": it is damaged");
}

/* ---- what is written ------------------------------------------------------------------------------ */

static struct tensor_set set_to_write(void)
{
	struct tensor_set set;
	tensor_set_init(&set, &arena);
	tensor_set_add(&set, "layer.0.term.unit–position", mat_view(values, 2, 2), false);
	tensor_set_add(&set, "position.seq", mat_view(values, 1, 4), true);
	tensor_set_add(&set, "empty", mat_view(values, 0, 3), false);
	tensor_set_add_meta(&set, "expression", "true");
	tensor_set_add_meta_json(&set, "about",
				 "{\"deep\":[1,-0.0,1e-5,true,false,null,\"é\\u000a\"]}");
	return set;
}

static struct bytes written(const struct tensor_set *set)
{
	char *data;
	size_t len;
	struct err err = {""};
	if (!tensor_write_npz(set, &arena, &data, &len, &err))
		fail_msg("%s", err.text);
	return (struct bytes){data, len};
}

TEST(what_is_written_reads_back)
{
	const struct tensor_set set = set_to_write();
	const struct tensor_set back = read_good(tensor_read_npz, written(&set));
	assert_int_equal(back.count, set.count);
	for (size_t i = 0; i < set.count; i++) {
		const struct tensor *const x = &set.tensors[i], *const y = &back.tensors[i];
		assert_string_equal(x->name, y->name);
		assert_int_equal(x->dims, y->dims);
		assert_memory_equal(x->shape, y->shape, x->dims * sizeof *x->shape);
		assert_memory_equal(x->at, y->at,
				    x->shape[0] * (x->dims > 1 ? x->shape[1] : 1) * 8);
	}
	assert_int_equal(back.meta_count, set.meta_count);
	for (size_t i = 0; i < set.meta_count; i++) {
		assert_string_equal(back.meta[i].key, set.meta[i].key);
		assert_string_equal(back.meta[i].value, set.meta[i].value);
		assert_true(back.meta[i].json == set.meta[i].json);
	}
}

/* Time and its zone leave no trace: bytes 10 to 13 of an entry are midnight of 1 January 1980. */
TEST(the_same_numbers_give_the_same_bytes)
{
	static const char *const zones[] = {"UTC", "Asia/Tokyo", "America/New_York"};
	const struct tensor_set set = set_to_write();
	const struct bytes first = written(&set);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(setenv("TZ", zones[i], 1), 0);
		tzset();
		const struct bytes again = written(&set);
		assert_int_equal(again.len, first.len);
		assert_memory_equal(again.at, first.at, first.len);
	}
	assert_memory_equal((const char *)first.at + 10, "\0\0\x21\0", 4);
}

/* An object alone is metadata, and numbers may have that name; what is written may not. */
TEST(metadata_is_an_object)
{
	static const char *const name[] = {"metadata.npy"};
	const struct bytes text = npy("'<U4'", "", "t\0\0\0r\0\0\0u\0\0\0e\0\0\0", 16);
	const struct bytes object = npy("'<U2'", "", "{\0\0\0}\0\0\0", 8);
	const struct bytes numbers = npy("'<f8'", "4,", values, sizeof values);
	expect_error(tensor_read_npz, archive(name, &text, 1, false),
		     "array \"metadata\": its type is \"<U4\", text");
	expect_error(tensor_read_npz, archive(name, &object, 1, false), "there is no array in it");
	assert_int_equal(read_good(tensor_read_npz, archive(name, &numbers, 1, false)).count, 1);
	struct tensor_set set = set_to_write();
	struct err err = {""};
	char *data;
	size_t len;
	tensor_set_add(&set, "metadata", mat_view(values, 1, 4), true);
	assert_false(tensor_write_npz(&set, &arena, &data, &len, &err));
	assert_string_equal(err.text, "a tensor cannot be called \"metadata\"");
}
