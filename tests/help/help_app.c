/* help_app.c: fixtures for tests of commands. */
#include "help_app.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

int help_app_open(void **state)
{
	struct app *const app = calloc(1, sizeof *app);
	app_init(app);
	*state = app;
	return 0;
}

int help_app_close(void **state)
{
	app_release(*state);
	free(*state);
	return 0;
}

unsigned help_app_run(struct app *app, const char *line)
{
	unsigned reactions = 0;
	struct err err = {0};
	if (!app_command(app, line, &reactions, &err))
		fail_msg("%s: %s", line, err.text);
	return reactions;
}

void help_app_refuse(struct app *app, const char *line, const char *part)
{
	const struct scene before = app->scene;
	unsigned reactions;
	struct err err = {0};
	if (app_command(app, line, &reactions, &err))
		fail_msg("\"%s\" was taken", line);
	if (!strstr(err.text, part))
		fail_msg("\"%s\": \"%s\" does not say \"%s\"", line, err.text, part);
	assert_true(scene_equal(&before, &app->scene));
}

const char **help_app_completions(const struct app *app, const char *line, struct arena *a,
				  size_t *n)
{
	const struct completion *const all = app_menu(app, line, a, n);
	const char **const out = arena_calloc(a, *n + 1, sizeof *out);
	for (size_t i = 0; i < *n; i++)
		out[i] = all[i].line;
	return out;
}
