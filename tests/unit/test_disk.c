/* test_disk.c: files and models inside the program are read as those on the disk are. */
#include <string.h>

#include "help_arena.h"
#include "posviz/format/disk.h"
#include "posviz/format/file.h"
#include "posviz/format/kind.h"
#include "posviz/format/tensor_file.h"
#include "test.h"

FIXTURE(open_arena, close_arena)

TEST(paths_with_a_sign_are_inside_if_they_are_there)
{
	struct stat st;
	assert_true(disk_is_inside("@trained"));
	assert_true(disk_is_inside("@trained/"));
	assert_true(disk_is_inside("@trained/config.json"));
	assert_false(disk_is_inside("@train"));
	assert_false(disk_is_inside("@trained/config"));
	assert_false(disk_is_inside("@"));
	assert_false(disk_is_inside("trained"));
	assert_false(disk_is_inside("./@trained"));
	assert_false(disk_is_inside(""));
	assert_int_equal(disk_stat("@trained", &st), 0);
	assert_true(S_ISDIR(st.st_mode));
	assert_int_equal(disk_stat("@trained/model.safetensors", &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_true(st.st_size > 1000 && st.st_size <= 200000);
	assert_int_equal(disk_stat("@no-such", &st), -1);
}

TEST(files_inside_are_read_up_to_the_limit)
{
	struct err err = {""};
	char *data;
	size_t len;
	assert_true(file_read("@trained/config.json", 1 << 20, &arena, &data, &len, &err));
	assert_int_equal(strlen(data), len);
	assert_non_null(strstr(data, "\"model_type\": \"posviz\""));
	assert_false(file_read("@trained/config.json", 10, &arena, &data, &len, &err));
	assert_non_null(strstr(err.text, "too large"));
	assert_false(file_read("@trained", 1 << 20, &arena, &data, &len, &err));
}

TEST(model_inside_opens_like_a_directory)
{
	struct err err = {""};
	struct kind_seen seen;
	double row[4];
	assert_true(kind_of_file("@trained", NULL, &seen, &err));
	assert_int_equal(seen.kind->id, KIND_MODEL_DIR);
	struct tensor_file *const f = tensor_file_open("@trained", &err);
	assert_non_null(f);
	const struct tensor_entry *const e = tensor_file_find(f, "positions.t5.bias_table");
	assert_non_null(e);
	assert_int_equal(tensor_entry_rows(e), 16);
	assert_true(tensor_file_rows(f, e, 1, 1, row, &err));
	/* The key before is in bucket 1: training on "the letter before" raised it in a head. */
	assert_true(row[0] > 1 || row[1] > 1 || row[2] > 1 || row[3] > 1);
	tensor_file_close(f);
	assert_non_null(file_identity("@trained", &arena));
}
