/* test_complete_brackets.c: how arguments in brackets go on, and tensors of files. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "help_app.h"
#include "help_arena.h"
#include "posviz/format/file.h"
#include "posviz/format/tensor.h"
#include "posviz/format/tensor_names.h"
#include "posviz/math/mat.h"

FIXTURE(open_folder, close_folder)

static struct app app;

static bool offers(const char *line, const char *becomes)
{
	size_t n;
	const char **const all = help_app_completions(&app, line, &arena, &n);
	for (size_t i = 0; i < n; i++)
		if (strcmp(all[i], becomes) == 0)
			return true;
	return false;
}

struct row {
	const char *line, *becomes;
	bool yes;
};

static void assert_rows(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (offers(rows[i].line, rows[i].becomes) != rows[i].yes)
			fail_msg("\"%s\": %s\"%s\"", rows[i].line, rows[i].yes ? "no " : "",
				 rows[i].becomes);
}
#define ROWS(rows) assert_rows(rows, sizeof(rows) / sizeof *(rows))

TEST(arguments_of_members_complete)
{
	static const struct row rows[] = {
		{"scheme t5(buc", "scheme t5(buckets=", true},
		{"scheme t5(", "scheme t5(heads=", true},
		{"scheme t5(scale=", "scheme t5(scale=rsqrt", true},
		{"scheme t5(scale=rs", "scheme t5(scale=rsqrt", true},
		{"scheme t5(scale=rs", "scheme t5(scale=none", false},
		{"scheme t5(buckets=", "scheme t5(buckets=32", true}, /* the default */
		{"scheme t5(causal=", "scheme t5(causal=off", true},
		{"scheme t5(buckets=16,sc", "scheme t5(buckets=16,scale=", true},
		{"scheme t5(buckets=16)+ali", "scheme t5(buckets=16)+alibi", true},
		{"scheme rope+t5(pos=", "scheme rope+t5(pos=remaining", true},
		{"scheme rope(heads=[1,3],ba", "scheme rope(heads=[1,3],base=", true},
		{"scheme rope(layers=o", "scheme rope(layers=odd", true},
		{"scheme formula(b=-abs(s-t),o", "scheme formula(b=-abs(s-t),op=", true},
		{"scheme formula(b=s+t,op=m", "scheme formula(b=s+t,op=mul", true},
		{"scheme 0.5*t5(buc", "scheme 0.5*t5(buckets=", true},
		{"compare rope; t5(buc", "compare rope; t5(buckets=", true},
		{"add t5(sca", "add t5(scale=", true},
		/* The same behind a colon. */
		{"scheme t5:buc", "scheme t5:buckets=", true},
		{"scheme t5:buckets=16,sc", "scheme t5:buckets=16,scale=", true},
		{"scheme rope+t5:scale=x", "scheme rope+t5:scale=xt", true},
		{"scheme t5:buckets=16+ali", "scheme t5:buckets=16+alibi", true},
		{"scheme t5:buckets=16+ali", "scheme t5:buckets=16+buckets=", false},
		/* By parts of names, as everywhere. */
		{"scheme t5(dist", "scheme t5(max_distance=", true},
		/* What takes none, or is none. */
		{"scheme llama3(", "scheme llama3(heads=", false},
		{"scheme nosuch(", "scheme nosuch(heads=", false},
	};
	app_init(&app);
	ROWS(rows);
	app_release(&app);
}

static void write_tensors(const char *path)
{
	struct tensor_set set;
	struct err err = {""};
	char *data;
	size_t len;
	double numbers[128] = {0};
	tensor_set_init(&set, &arena);
	tensor_set_add(&set, "encoder.bias", (struct mat){32, 4, 4, numbers}, false);
	tensor_set_add(&set, "decoder.bias", (struct mat){32, 4, 4, numbers}, false);
	tensor_set_add(&set, "a name, with a blank", (struct mat){1, 4, 4, numbers}, false);
	if (!tensor_write_safetensors(&set, &arena, &data, &len, &err) ||
	    !file_write(path, data, len, true, &err))
		fail_msg("%s", err.text);
}

TEST(tensors_of_files_complete)
{
	static const struct row rows[] = {
		{"scheme matrix(from=ta", "scheme matrix(from=table.safetensors", true},
		{"scheme matrix(from=table.safetensors",
		 "scheme matrix(from=table.safetensors:encoder.bias", true},
		{"scheme matrix(from=table.safetensors:",
		 "scheme matrix(from=table.safetensors:decoder.bias", true},
		{"scheme matrix(from=table.safetensors:de",
		 "scheme matrix(from=table.safetensors:decoder.bias", true},
		{"scheme matrix(from=table.safetensors:de",
		 "scheme matrix(from=table.safetensors:encoder.bias", false},
		{"scheme matrix(from=table.safetensors:",
		 "scheme matrix(from=table.safetensors:a name, with a blank", false},
		{"scheme matrix:from=table.safetensors:en",
		 "scheme matrix:from=table.safetensors:encoder.bias", true},
		{"units table.safetensors:", "units table.safetensors:encoder.bias", true},
		{"units ta", "units table.safetensors", true},
		{"units nosuch.safetensors:", "units nosuch.safetensors:encoder.bias", false},
		{"scheme matrix(from=broken.safetensors:",
		 "scheme matrix(from=broken.safetensors:encoder.bias", false},
	};
	app_init(&app);
	write_tensors("table.safetensors");
	assert_true(file_write("broken.safetensors", "\377\377\377\377\377\377\377\377{", 9, true,
			       NULL));
	ROWS(rows);
	/* Of a map what the file of parameters holds. */
	app.scene.setup.params = "table.safetensors";
	app.scene.setup.scheme = "t5";
	static const struct row map[] = {
		{"map bia", "map bias_table=", true},
		{"map bias_table=", "map bias_table=encoder.bias", true},
		{"map bias_table=de", "map bias_table=decoder.bias", true},
		{"map bias_table=dec", "map bias_table=encoder.bias", false},
	};
	ROWS(map);
	app_release(&app);
}

/* Names come from the header alone: the numbers, 4 GB, have no place on the disk. */
TEST(names_of_a_large_file_take_its_header_only)
{
	static const char header[] =
		"{\"__metadata__\":{\"a\":\"b\"},\"w\":{\"dtype\":\"F32\",\"shape\":[1000000,1000],"
		"\"data_offsets\":[0,4000000000]}}";
	char file[8 + sizeof header - 1] = {(char)(sizeof header - 1)};
	size_t n;
	memcpy(file + 8, header, sizeof header - 1);
	assert_true(file_write("large.safetensors", file, sizeof file, true, NULL));
	if (truncate("large.safetensors", (off_t)(sizeof file + 4000000000)) != 0)
		skip();
	const char **const names = tensor_names_of("large.safetensors", &arena, &n);
	assert_int_equal(n, 1);
	assert_string_equal(names[0], "w");
	tensor_names_of(".", &arena, &n);
	assert_int_equal(n, 1);
	mkdir("none", 0700);
	tensor_names_of("none", &arena, &n);
	assert_int_equal(n, 0);
	tensor_names_of("/dev/null", &arena, &n);
	assert_int_equal(n, 0);
}
