/* test_number_lists.c: fields that are lists of numbers, of arrays in files. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_files.h"
#include "posviz/scene/scene.h"

FIXTURE(open_folder, close_folder)

/* A row, a column and pairs; of anything else the shape is said, and that which would be right. */
TEST(arrays_are_lists_in_one_direction)
{
	static const double at[] = {3, 1, 2, 2, 1, 3};
	static const struct {
		size_t shape[HELP_AXES];
		const char *field, *value, *says;
	} rows[] = {
		{{3}, "order", "3 1 2", NULL},
		{{1, 3}, "order", "3 1 2", NULL},
		{{3, 1}, "order", "3 1 2", NULL},
		{{3, 2}, "alignment", "3-1 2-2 1-3", NULL},
		{{2, 3}, "order", NULL, "has the shape [2, 3]; one row of numbers would be right"},
		{{2, 3}, "alignment", NULL, "has the shape [2, 3]; pairs, [n, 2], would be right"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene s;
		struct err err = {""};
		scene_init(&s);
		help_write_npy("list.npy", at, rows[i].shape);
		const bool ok = scene_set(&s, field_find(rows[i].field), "list.npy", &err);
		if (ok != (rows[i].value != NULL) || (!ok && !strstr(err.text, rows[i].says)))
			fail_msg("%zu: %s", i, err.text);
		if (ok)
			assert_string_equal(scene_get(&s, field_find(rows[i].field), &arena),
					    rows[i].value);
	}
}
