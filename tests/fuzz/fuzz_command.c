/* fuzz_command.c: any lines are run or refused with one clean line, and completed with lines that a
 * screen can show. Nothing is written, and no file is opened. */
#include <stdint.h>
#include <string.h>

#include "fuzz.h"
#include "posviz/app/app.h"
#include "posviz/base/text.h"

static void expect_shown(const char *text)
{
	struct arena a;
	arena_init(&a);
	BUG_IF(strcmp(text_escape(&a, text, strlen(text)), text) != 0);
	arena_release(&a);
}

/* What was typed stays as it is; what is added must be fit for a screen. */
static void complete(const struct app *app, const char *line)
{
	struct arena a;
	size_t n;
	arena_init(&a);
	const struct completion *const all = app_menu(app, line, &a, &n);
	const bool shown = strcmp(text_escape(&a, line, strlen(line)), line) == 0;
	for (size_t i = 0; i < n && shown; i++)
		expect_shown(all[i].line);
	arena_release(&a);
}

static bool touches_files(const char *line)
{
	static const char *const words[] = {"open", "file", "units", "weights", "params"};
	line += strspn(line, " \t");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strncmp(line, words[i], strlen(words[i])) == 0)
			return true;
	return false;
}

static void run(struct app *app, const char *line)
{
	const struct scene before = app->scene;
	unsigned reactions;
	struct err err = {""};
	if (!touches_files(line) && !app_command(app, line, &reactions, &err)) {
		expect_shown(err.text);
		BUG_IF(err.text[0] == '\0' || !scene_equal(&before, &app->scene));
	}
}

FUZZ(command)
{
	struct app app;
	char line[200];
	if (size > 2000)
		return 0;
	app_init(&app);
	app.background = true;
	for (size_t at = 0; at < size;) {
		const uint8_t *const end = memchr(data + at, '\n', size - at);
		const size_t len = end ? (size_t)(end - data) - at : size - at;
		const size_t kept = len < sizeof line ? len : sizeof line - 1;
		memcpy(line, data + at, kept);
		line[kept] = '\0';
		complete(&app, line);
		run(&app, line);
		at += len + 1;
	}
	for (size_t i = 0; keymap_row(&app, i); i++)
		expect_shown(keymap_row(&app, i)->note);
	app_release(&app);
	return 0;
}
