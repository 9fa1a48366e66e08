/* test_two_models.c: one model after another, and beside another. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/app/app.h"

FIXTURE(open_arena, close_arena)

static const char *path_of(const char *model)
{
	return arena_printf(&arena, "%s/models/%s", test_data, model);
}

static void open_model(struct scene *scene, const char *model)
{
	struct err err = {""};
	const char *said;
	if (!app_model(scene, model, &arena, &said, &err))
		fail_msg("%s", err.text);
}

/* A model is opened as it is in a new scene, whatever was opened before: its tables, its ids, its sizes. */
TEST(nothing_of_the_model_before_is_left)
{
	static const char *const models[] = {"gpt2", "llama3", "t5-encoder", "configs/llama2.json",
					     "gguf/qwen3-bf16.gguf"};
	enum { N = sizeof models / sizeof *models };
	for (size_t i = 0; i < N; i++)
		for (size_t k = 0; k < N; k++) {
			struct scene after, alone;
			scene_init(&after);
			scene_init(&alone);
			open_model(&after, path_of(models[i]));
			assert_true(
				scene_set(&after, field_find("ids"), i == k ? "" : "1 2 3", NULL));
			open_model(&after, path_of(models[k]));
			open_model(&alone, path_of(models[k]));
			assert_string_equal(scene_print(&after, &arena),
					    scene_print(&alone, &arena));
		}
}

/* A released model by its name has no files. */
TEST(a_model_by_name_has_nothing_of_files)
{
	struct scene after, alone;
	scene_init(&after);
	scene_init(&alone);
	open_model(&after, path_of("gpt2"));
	open_model(&after, "llama3.1-8b");
	open_model(&alone, "llama3.1-8b");
	assert_string_equal(scene_print(&after, &arena), scene_print(&alone, &arena));
}
