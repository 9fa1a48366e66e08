/* fuzz_scene.c: any text is a scene or an error that names its line; a printed scene reads back the
 * same, prints the same, and its command line holds nothing that would have to be escaped. */
#include <stdint.h>
#include <string.h>

#include "fuzz.h"
#include "posviz/base/text.h"
#include "posviz/scene/scene.h"

FUZZ(scene)
{
	struct arena arena;
	arena_init(&arena);
	const char *text = arena_strndup(&arena, (const char *)data, size);
	struct scene scene, again;
	struct err err = {0};
	if (!scene_parse(&scene, text, &err)) {
		BUG_IF(strncmp(err.text, "line ", 5) != 0);
		BUG_IF(!text_valid(err.text, strlen(err.text)) || strchr(err.text, '\n'));
	} else {
		const char *printed = scene_print(&scene, &arena);
		if (!scene_parse(&again, printed, &err))
			BUG("%s", err.text);
		BUG_IF(!scene_equal(&scene, &again) || !setup_equal(&scene.setup, &again.setup));
		BUG_IF(strcmp(scene_print(&again, &arena), printed) != 0);
		const char *command = scene_command(&scene, &arena);
		BUG_IF(strcmp(text_escape(&arena, command, strlen(command)), command) != 0);
	}
	arena_release(&arena);
	return 0;
}
